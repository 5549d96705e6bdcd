"""`regreen mcp`: what it refuses before it serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from regreen.cli import mcp


def test_an_address_that_others_reach_needs_a_name(regreen: Callable[..., Any]) -> None:
    """Whoever reaches it can run programs, if only in the sandbox."""
    ran = regreen("mcp", "--http", "--host", "0.0.0.0")
    assert ran.status == 2
    assert "--allow-host" in ran.err
    assert "an IP address" in regreen("mcp", "--http", "--host", "nonsense").err


def test_without_the_extra_it_says_how_to_get_it(regreen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """An older SDK has no such module, and counts as none."""
    monkeypatch.setattr(mcp, "_MODULES", ("no_such_module_of_mcp",))
    ran = regreen("mcp")
    assert ran.status == 2
    assert "pip install 'regreen[mcp]'" in ran.err
