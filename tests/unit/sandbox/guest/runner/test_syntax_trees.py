"""A text is parsed, whatever a program has left to be collected."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.runner.syntax_trees import syntax_tree

LONG = "value = [1, 2, 3]\n" * 2_000


class Parsing:
    """Garbage that parses something as it goes, as does whoever shows the traceback of an error in a `__del__`."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        within(20)


def within(depth: int) -> None:
    """Parse something, so many calls further down."""
    if depth:
        within(depth - 1)
    else:
        ast.parse("1 + 1")


@pytest.fixture
def often_collected() -> Iterator[None]:
    """Garbage is collected after every few objects."""
    before = gc.get_threshold()
    gc.set_threshold(10, 1, 1)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("often_collected")
def test_garbage_that_parses_does_not_get_in_the_way() -> None:
    """Python itself raises SystemError there."""
    for _ in range(50):
        for _ in range(20):
            Parsing()
        assert len(syntax_tree(LONG).body) == 2_000


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_is_collected_afterwards_as_before(was_on: bool) -> None:
    """Also where the text is no Python."""
    (gc.enable if was_on else gc.disable)()
    try:
        syntax_tree("1")
        with pytest.raises(SyntaxError):
            syntax_tree("1 +")
        assert gc.isenabled() is was_on
    finally:
        gc.enable()
