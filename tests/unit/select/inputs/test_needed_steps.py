"""Which steps of a check have to do with what it looks at?"""

from __future__ import annotations

import ast

import pytest

from regreen.select.inputs.needed_steps import names_bound, names_in, needed_steps


def needed(steps: str, looked_at: str) -> str:
    """The steps that an expression needs, as text."""
    kept = needed_steps(ast.parse(steps).body, ast.parse(looked_at, mode="eval").body)
    return "\n".join(map(ast.unparse, kept))


@pytest.mark.parametrize(
    ("steps", "looked_at", "expected"),
    [
        ("a = A()\nb = B()\na.go()\nb.go()", "a.x", "a = A()\na.go()"),
        ("a = 1\na = 2", "f(a)", "a = 2"),
        ("a = A()\nb = B(a)\na.go()", "b.x", "a = A()\nb = B(a)\na.go()"),
        ("a = A()\nb = B(a)\nb.go()", "a.x", "a = A()\nb = B(a)\nb.go()"),
        ("f, kept = made(1)\nf(2)\ng(3)", "kept", "f, kept = made(1)\nf(2)"),
        ("n = 1\nb = B(n)\nc = C(n)", "b.x", "n = 1\nb = B(n)"),
        ("f = made(1)\ng = made(2)", "f(3)", "f = made(1)"),
        ("f = made(1)\nf(2)", "f(3)", "f = made(1)\nf(2)"),
        ("import os", "f(3)", ""),
        ("x = [1]\nf(2)", "f(3)", ""),
    ],
)
def test_a_step_is_needed_where_it_has_to_do_with_what_is_looked_at(steps: str, looked_at: str, expected: str) -> None:
    """By its names, and by what was handed over together with them."""
    assert needed(steps, looked_at) == expected


@pytest.mark.parametrize("looked_at", ["job(1)", "q.run()", "calls"])
def test_functions_that_a_check_defines_come_with_what_they_read(looked_at: str) -> None:
    """And so do their calls with what they change."""
    steps = "calls = []\n\ndef job(n):\n    calls.append(n)\nq = Q(job)\nq.run()"
    assert needed(steps, looked_at).splitlines() == [line for line in steps.splitlines() if line]


def test_a_function_that_nothing_reads_is_left_out_unless_something_was_told_of_it() -> None:
    """Whatever it reads itself."""
    unread = "kept = []\n\ndef job(n):\n    kept.append(n)\nkept.append(1)"
    assert needed(unread, "kept") == "kept = []\nkept.append(1)"
    assert "def job" in needed(unread.replace("def", "@told\ndef"), "kept")


def test_what_is_only_called_is_no_name_of_a_check_unless_it_is_its_own() -> None:
    """Else all calls of a function would hang together."""
    node = ast.parse("f(a, g(b))", mode="eval").body
    assert names_in(node) == {"a", "b"}
    assert names_in(node, {"g"}) == {"a", "b", "g"}


@pytest.mark.parametrize(
    ("text", "names"),
    [("a = b = 1", {"a", "b"}), ("a.x = 1", set()), ("def f():\n    a = 1", {"f"}), ("class C:\n    pass", {"C"})],
)
def test_what_a_statement_binds(text: str, names: set[str]) -> None:
    """Variables, functions and classes."""
    assert names_bound(ast.parse(text).body[0]) == names
