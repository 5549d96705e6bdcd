"""Checks that use live objects, rewritten: which calls wait for what is done with their answer."""

from __future__ import annotations

import ast

import pytest

from regreen.sandbox.guest.runner.checks.assertions import RECORDER
from regreen.sandbox.guest.runner.stand_ins.live_rewriting import ask_for_live


def rewritten(text: str) -> str:
    """The text as it is run, with a short name for the recorder."""
    return ast.unparse(ask_for_live(ast.parse(text))).replace(RECORDER, "r")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stack([1]).push(2)", "r.method(r.defer(Stack, [1]), 'push', 2)"),
        ("Stack(n, k=1).items", "r.attribute(r.defer(Stack, n, k=1), 'items')"),
        ("list(steps(3))", "r.consume(list, r.defer(steps, 3))"),
        ("sorted(steps(3), key=lambda x: -x)", "r.consume(sorted, r.defer(steps, 3), key=lambda x: -x)"),
        ("next(steps(3))", "r.consume(next, r.defer(steps, 3))"),
        ("f(1).g(2).h(3)", "r.method(r.method(r.defer(f, 1), 'g', 2), 'h', 3)"),
        ("f(1).g(lambda x: h(x).i)", "r.method(r.defer(f, 1), 'g', lambda x: r.attribute(r.defer(h, x), 'i'))"),
    ],
)
def test_a_call_waits_for_what_is_done_with_its_answer(text: str, expected: str) -> None:
    """Then both are one question."""
    assert rewritten(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(g).push(x)", "r.method(f(g), 'push', x)"),
        ("f(g()).push(1)", "r.method(f(g()), 'push', 1)"),
        ("f(*xs).items", "f(*xs).items"),
        ("f(1)._items", "f(1)._items"),
        ("f(1).push(g())", "r.attribute(r.defer(f, 1), 'push')(g())"),
        ("globals().get('x')", "r.method(globals(), 'get', 'x')"),
        ("list(f(g), x)", "r.consume(list, f(g), x)"),
        ("super().run()", "super().run()"),
    ],
)
def test_no_call_waits_where_one_could_tell(text: str, expected: str) -> None:
    """What is evaluated between the two might change with the call, or it with them; built-in names see frames."""
    assert rewritten(text) == expected


def test_what_is_assigned_to_is_left_alone() -> None:
    """An attribute that a check sets or deletes is none that it reads."""
    assert rewritten("f(1).x = 2") == "f(1).x = 2"
    assert rewritten("del f(1).x") == "del f(1).x"
