"""Has pytest go on after a test whose time ended while fixtures were set up or torn down.

The exception that ends a test comes at any step, of pytest's own as well. What it then takes for set up is not, or it
refuses to set up again what it did not finish: every test that comes later would fail.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import pytest


def forget_set_up(items: Sequence[pytest.Item]) -> None:
    """Have pytest take the fixtures of these tests for torn down, those of the whole session aside that stand.

    What they registered for their end is called, as far as it can be.
    """
    stack: Any = getattr(items[0].session._setupstate, "stack", {})
    for node in [node for node in stack if not isinstance(node, pytest.Session)]:
        stack.remove(node) if isinstance(stack, list) else stack.pop(node)
    for item in items:
        known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
        for fixture in [each for several in known.values() for each in several]:
            _forget(fixture)


def _forget(fixture: Any) -> None:
    if fixture.scope == "session" and getattr(fixture, "cached_result", None) is not None:
        return
    finalizers: list[Any] = getattr(fixture, "_finalizers", [])
    while finalizers:
        with contextlib.suppress(Exception):
            finalizers.pop()()
    fixture.cached_result = None
