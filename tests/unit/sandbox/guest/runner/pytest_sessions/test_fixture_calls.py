"""Fixtures that are called without pytest's requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.sandbox.guest.runner.pytest_sessions.fixture_calls import FixtureCalls, forget_set_up
from regreen.sandbox.guest.runner.timing.time_limits import TIMER


def item_with(*functions: Callable[..., Any], asks: tuple[str, ...]) -> Any:
    """A test that asks for some of these fixtures."""
    known = {
        f.__name__: [SimpleNamespace(func=f, argnames=f.__code__.co_varnames[: f.__code__.co_argcount])]
        for f in functions
    }
    info = SimpleNamespace(name2fixturedefs=known, names_closure=list(known), argnames=asks)
    return SimpleNamespace(_fixtureinfo=info, _request=None)


SEEN: list[object] = []


def first() -> Iterator[int]:
    """One that goes on after the test."""
    SEEN.append(("first", TIMER.held))
    yield 1
    SEEN.append(("first ended", TIMER.held))


def second(first: int) -> Iterator[int]:
    """One that is made of another, and fails at its end."""
    yield first + 1
    SEEN.append("second ended")
    raise ValueError(first)


@pytest.fixture(autouse=True)
def _nothing_seen() -> None:
    SEEN.clear()


def test_they_are_made_of_one_another_and_end_in_turn() -> None:
    """The last one first; what one raises keeps the others from nothing, and is told."""
    calls = FixtureCalls(item_with(second, first, asks=("second",)))
    assert calls.arguments() == {"second": 2}
    error = calls.end()
    assert isinstance(error, ValueError)
    assert SEEN == [("first", False), "second ended", ("first ended", False)]


def test_what_pytest_changes_for_a_test_is_not_left_half_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the test's time waits for it."""
    monkeypatch.setattr(first, "__module__", "_pytest.monkeypatch")
    calls = FixtureCalls(item_with(first, asks=("first",)))
    calls.arguments()
    assert not TIMER.held
    assert calls.end() is None
    assert SEEN == [("first", True), ("first ended", True)]
    assert not TIMER.held


def test_a_capture_that_a_test_left_is_ended() -> None:
    """Or no later test could have one."""
    closed: list[str] = []
    captures = SimpleNamespace(
        _capture_fixture=SimpleNamespace(close=lambda: closed.append("closed")),
        unset_fixture=lambda: closed.append("unset"),
    )
    config = SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=lambda name: captures))
    session = SimpleNamespace(_setupstate=SimpleNamespace(stack={"a node": None}))
    item: Any = SimpleNamespace(config=config, session=session)
    forget_set_up([item])
    assert closed == ["closed", "unset"]
    assert session._setupstate.stack == {}
