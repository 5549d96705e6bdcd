"""`regreen graph`: a strategy's graph, as text or as a picture."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("strategy", ["single", "reflect", "tools", "react", "patch", "hybrid"])
def test_each_graph_is_shown_as_mermaid(regreen: Any, strategy: str) -> None:
    """From its start to its end."""
    ran = regreen("graph", strategy)
    assert ran.status == 0
    assert "__start__" in ran.out
    assert "__end__" in ran.out


@pytest.mark.parametrize("name", ["search", "none\x1b[31m"])
def test_what_has_no_graph_is_said_with_those_that_do(regreen: Any, name: str) -> None:
    """Search is one loop; a name that is not known is shown, not acted on."""
    ran = regreen("graph", name)
    assert ran.status == 2
    assert "single, reflect, tools, react, patch, hybrid" in ran.err
    assert "\x1b" not in ran.err
