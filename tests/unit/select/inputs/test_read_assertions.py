"""What does an assertion look at, and what is left of a check without its assertions?"""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from regreen.select.inputs.read_assertions import (
    has_assertions,
    looked_at,
    passed_over,
    refused_steps,
    without_assertions,
)


def statement(text: str) -> ast.stmt:
    """The one statement of a text."""
    return ast.parse(dedent(text)).body[0]


def written(steps: list[ast.stmt]) -> list[str]:
    """Statements as text."""
    return [ast.unparse(ast.fix_missing_locations(step)) for step in steps]


@pytest.mark.parametrize(
    ("text", "seen", "expected"),
    [
        ("assert f(1) == 2", "f(1)", "2"),
        ("assert 2 == f(1)", "f(1)", "2"),
        ("assert not f(1)", "f(1)", "False"),
        ("assert len(f(1)) == 2", "f(1)", None),
        ("assert f(1) > 2", "f(1)", None),
        ("self.assertEqual(f(1), 2)", "f(1)", "2"),
        ("self.assertTrue(f(1))", "f(1)", None),
    ],
)
def test_an_assertion_looks_at_a_result_and_expects_a_value(text: str, seen: str, expected: str | None) -> None:
    """A value that is only bounded, or wrapped, is not known."""
    found = looked_at(statement(text), {"f"})
    assert found is not None
    assert ast.unparse(found[0]) == seen
    assert (None if found[1] is None else ast.unparse(found[1])) == expected


@pytest.mark.parametrize("text", ["f(1)", "x = f(1)", "for x in f(1):\n    pass"])
def test_other_statements_look_at_nothing(text: str) -> None:
    """Whatever they do."""
    assert looked_at(statement(text), {"f"}) is None
    assert not has_assertions(statement(text))


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("with pytest.raises(ValueError):\n    s.push(1)\n    s.push(2)", ["s.push(1)", "s.push(2)"]),
        ("with self.assertRaises(ValueError) as caught:\n    s.push(1)", ["s.push(1)"]),
        ("pytest.raises(ValueError, f, 1, key=2)", ["f(1, key=2)"]),
        ("try:\n    f(1)\n    assert False\nexcept ValueError:\n    pass", ["f(1)"]),
        ("try:\n    f(1)\n    raise AssertionError('no')\nexcept ValueError:\n    pass", ["f(1)"]),
        ("try:\n    f(1)\n    pytest.fail('no')\nexcept ValueError:\n    pass", ["f(1)"]),
        ("try:\n    f(1)\nexcept ValueError:\n    pass", []),
        ("with opened(1) as x:\n    f(x)", []),
        ("f(1)", []),
    ],
)
def test_an_exception_is_expected_in_several_ways(text: str, steps: list[str]) -> None:
    """A block, a call, and a `try` that fails where nothing was raised."""
    assert written(refused_steps(statement(text))) == steps


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("assert s.pop() == 1", ["s.pop()"]),
        ("assert s.size == 1", []),
        ("for n in range(3):\n    assert s.pop() == n", ["for n in range(3):\n    s.pop()"]),
        ("for n in range(3):\n    s.pop()\n    assert s.size == n", ["for n in range(3):\n    s.pop()"]),
        ("with s:\n    assert s.size == 1\n    s.pop()", ["with s:\n    s.pop()"]),
        (
            "with pytest.raises(IndexError):\n    s.pop()",
            ["try:\n    s.pop()\nexcept Exception:\n    pass"],
        ),
        ("if s.pop():\n    assert s.size == 1", ["if s.pop():\n    pass"]),
        ("if s.pop():\n    x = 1\nelse:\n    assert s.size == 1", ["if s.pop():\n    x = 1\nelse:\n    pass"]),
    ],
)
def test_what_changes_something_is_left_of_a_check_without_its_assertions(text: str, left: list[str]) -> None:
    """And nothing where nothing does."""
    assert written(without_assertions(statement(text), {"pop"}, {"pop"})) == left


def test_steps_that_are_passed_over_end_nothing() -> None:
    """An exception ends them alone."""
    steps = [passed_over([statement("1 / 0")]), statement("went_on = True")]
    names: dict[str, object] = {}
    exec(compile(ast.fix_missing_locations(ast.Module(steps, [])), "<steps>", "exec"), names)
    assert names["went_on"] is True
