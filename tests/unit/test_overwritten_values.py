"""Which values a function works out and overwrites before anything reads them."""

from __future__ import annotations

import ast

import pytest

from regreen.overwritten_values import overwriting_statements, overwritten_values
from regreen.syntax import Function


def function(*lines: str) -> Function:
    """`f(a, b)` with these statements."""
    root = ast.parse("def f(a, b):\n" + "".join(f"    {line}\n" for line in lines))
    found = root.body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (("x = g(a)", "x = g(b)", "return x"), ["x"]),
        (("x, y = a", "y = g(b)", "return x + y"), ["y"]),
        (("x = g(a)", "if b:", "    return b", "x = b", "return x"), ["x"]),
        (("for b in a:", "    x = g(b)", "    x = g(a)", "    print(x)"), ["x"]),
        (("x = g(a)", "x = g(x)", "return x"), []),
        (("x = g(a)", "x += 1", "return x"), []),
        (("x = g(a)", "if b:", "    x = b", "return x"), []),
        (("x = g(a)", "print(x)", "x = b", "return x"), []),
        (("x = 0", "x = g(b)", "return x"), []),
        (("x = []", "x = g(b)", "return x"), []),
        (("x = g(a)", "return x", "x = b"), []),
        (("h = lambda: x", "x = g(a)", "h()", "x = b", "return x"), []),
        (("global x", "x = g(a)", "h()", "x = b"), []),
        (("try:", "    x = g(a)", "    x = g(b)", "except E:", "    pass", "return x"), []),
        (("x = g(a)", "del x", "x = b", "return x"), []),
        (("def g():", "    x = h(a)", "    x = h(b)", "    return x", "return g()"), []),
    ],
)
def test_which_values_are_lost(lines: tuple[str, ...], names: list[str]) -> None:
    """A value that may be read, by whomever, is none; nor is a constant that declares a variable."""
    assert [lost.name for lost in overwritten_values(function(*lines))] == names


def test_statements_that_overwrite_are_found_to_the_last() -> None:
    """The second one overwrites the value that only the first one read."""
    found = overwriting_statements(function("x = g(a)", "y = g(b)", "y = g(x)", "x = g(y)", "return x + y"))
    assert [ast.unparse(statement) for statement in found] == ["y = g(x)", "x = g(y)"]
