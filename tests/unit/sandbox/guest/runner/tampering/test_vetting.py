"""What shared mode adds to the checks' text."""

from __future__ import annotations

import ast
from typing import Any
from unittest import mock

import pytest

from regreen.sandbox.guest.runner.checks.assertions import RECORDER, AssertionRecorder, rewrite_assertions
from regreen.sandbox.guest.runner.tampering.vetting import prove_ends, vet_operands


class Yes:
    """Equals everything."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False


def faked(text: str, **names: Any) -> bool:
    """Whether something was found in a check that raised nothing."""
    recorder = AssertionRecorder({"<tests>"})
    tree = rewrite_assertions(vet_operands(ast.parse(text)))
    exec(compile(tree, "<tests>", "exec"), {RECORDER: recorder, "self": mock.Mock(unsafe=True), **names})
    return bool(recorder.faked)


class Condition:
    """What a query is asked for: as an object, it is true."""

    def __and__(self, other: object) -> Condition:
        return self

    __or__ = __and__

    def __invert__(self) -> Condition:
        return self


class Column:
    """Makes conditions of whatever it is compared with, as the fields of an object-relational mapper do."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Condition()

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return Condition()


COMPARISONS = (
    "assert f() == 1",
    "assert 1 == f() == 2",
    "assert f() in [1]",
    "assert 1 in [f()]",
    "assert not f() != 1",
    "assert f() == 1 and True",
    "assert all(f() == n for n in range(2))",
    "same = f() == 1\nassert same",
    "if f() != 1:\n    raise ValueError",
    "self.assertEqual(f(), 1)",
    "self.assertIn(f(), [1])",
)


@pytest.mark.parametrize("text", COMPARISONS)
def test_what_equals_everything_is_found_wherever_it_is_compared(text: str) -> None:
    """And a value that is only equal to the right one is not."""
    assert faked(text, f=lambda: Yes())
    assert not faked(text, f=lambda: 1) if "== 2" not in text and "all(" not in text else True


@pytest.mark.parametrize("text", [text for text in COMPARISONS if "[" not in text and "!=" not in text])
def test_an_object_in_the_place_of_a_truth_value_proves_nothing_either(text: str) -> None:
    """It is true whatever was compared."""
    assert faked(text, f=lambda: Column())


class Rows:
    """A store that is asked by conditions."""

    def get(self, condition: object = None) -> object:
        return 3 if condition else None

    update = select = where = get


QUERIES = (
    "assert db.get(name == 'a') == 3",
    "db.update(name == 'a')",
    "assert db.get((name == 'a') & ~(name == 'b') | (name != 'c')) == 3",
    "db.get(condition=name == 'a')",
)


@pytest.mark.parametrize("text", QUERIES)
def test_conditions_of_a_query_are_no_truth_by_which_a_check_decides(text: str) -> None:
    """Only where they are truth values and equal everything does it matter that they are."""
    assert not faked(text, name=Column(), db=Rows())
    if "&" not in text:
        assert faked(text, name=Yes(), db=Rows())


DECIDING = {
    "an entry": "assert {True: 'yes', False: 'no'}.get(f() == 1) != 'no'",
    "a number of items": "[True].count(f() == 1)",
    "a mapping of the standard library": "import collections\ncollections.ChainMap({}).get(f() == 1)",
    "a function of the checks": (
        "class Rows:\n    def get(self, is_right):\n        assert is_right\nRows().get(f() == 1)"
    ),
    "what notes how it is called": "self.get(f() == 1)",
    "a variable": "is_right = f() == 1\ndb.get(is_right)",
    "a query within the arguments of another method": "[db.get(f() == 1)].count(f() == 2)",
    "the argument after a query's": "[True].count((f() == 1) & (db.get(f() == 2) is None))",
}


@pytest.mark.parametrize("kind", DECIDING)
def test_what_may_ask_for_the_truth_itself_is_no_query(kind: str) -> None:
    """An object that is true, or equal to True, would decide the check there."""
    assert faked(DECIDING[kind], f=lambda: Column(), db=Rows())


HONEST = {
    "assert 1 == ANY": {"ANY": mock.ANY},
    "assert ANY == 1": {"ANY": mock.ANY},
    "assert {'a': mock.ANY} == f()": {"mock": mock, "f": lambda: {"a": 3}},
    "expected = [1, ANY]\nassert expected == f()": {"ANY": mock.ANY, "f": lambda: [1, 2]},
    "class Any:\n    def __eq__(self, other):\n        return True\nassert f() == [Any()]": {"f": lambda: [5]},
    "assert f() is f": {"f": lambda: HONEST["assert f() is f"]["f"]},
}


@pytest.mark.parametrize("text", HONEST)
def test_checks_may_say_that_anything_will_do(text: str) -> None:
    """By a value of their own, on either side."""
    assert not faked(text, **HONEST[text])


ENDS = {
    "def test_a():\n    pass\n": {"test_a"},
    "def test_a():\n    for x in y:\n        return x\n    return\n": {"test_a"},
    "class TestA:\n    def test_a(self):\n        pass\n    def helper(self):\n        pass\n": {"TestA.test_a"},
    "@pytest.mark.parametrize('x', [1])\ndef test_a(x):\n    pass\n": {"test_a"},
    "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.xfail)])\ndef test_a(x):\n    pass\n": set(),
    "@unless_windows\ndef test_a():\n    pass\n": set(),
    "@unittest.expectedFailure\ndef test_a():\n    pass\n": set(),
    "def test_a():\n    yield 1\n": set(),
    "def test_a():\n    pytest.xfail()\ndef test_b():\n    pass\n": {"test_b"},
    "@pytest.fixture\ndef f(request):\n    request.applymarker(pytest.mark.xfail)\ndef test_a(f):\n    pass\n": set(),
}


@pytest.mark.parametrize("text", ENDS)
def test_tests_that_come_to_their_end_are_those_that_nothing_keeps_from_it(text: str) -> None:
    """What skips them, expects them to fail or wraps them in something unknown may keep them."""
    assert prove_ends(ast.parse(text)) == ENDS[text]


@pytest.mark.parametrize(("value", "ended"), [(1, True), (0, True), (None, False)])
def test_the_end_is_told_by_every_way_out_but_an_exception(value: int | None, ended: bool) -> None:
    """The value that is returned stays."""
    tree = ast.parse("def test_a(x):\n    if x:\n        return x\n    x + 1\n")
    prove_ends(tree)
    recorder = AssertionRecorder()
    names: dict[str, Any] = {RECORDER: recorder}
    exec(compile(tree, "<tests>", "exec"), names)
    try:
        assert names["test_a"](value) == (value or None)
    except TypeError:
        assert value is None
    assert recorder.ended is ended


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("import math\nassert math.isclose(f(), 1.0)", {"math.isclose"}),
        ("from math import isclose\nassert isclose(f(), 1.0)", {"math.isclose"}),
        ("self.assertEqual(f(), 1.0)", {"unittest.case.TestCase.assertEqual"}),
        ("import os\nassert os.fspath('a') == 'a'", set()),
    ],
)
def test_what_a_check_calls_to_decide_is_named_to_the_recorder(text: str, asked: set[str]) -> None:
    """In the moment of the call, with what is called."""
    recorder, seen = AssertionRecorder({"<tests>"}), set[str]()
    recorder.genuine = lambda name, value: bool(seen.add(name))
    tree = rewrite_assertions(vet_operands(ast.parse(text)))
    exec(compile(tree, "<tests>", "exec"), {RECORDER: recorder, "self": mock.Mock(unsafe=True), "f": lambda: 1.0})
    assert seen == asked
    assert bool(recorder.faked) is bool(asked)
