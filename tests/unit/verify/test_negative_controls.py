"""Which checks an honest program must fail once their assertions are flipped."""

from __future__ import annotations

import ast

import pytest

from regreen.types import Check, Project, Suite, SuiteKind
from regreen.verify.negative_controls import asserts_surely, must_fail_flipped

BODIES = {
    "assert f()": True,
    "x = f()\nassert x": True,
    "with a:\n    b()\nassert x": True,
    "self.assertEqual(f(), 1)": True,
    "self.assertRaises(ValueError, f)": False,
    "other.assertEqual(f(), 1)": False,
    "for x in f():\n    assert x": False,
    "if f():\n    assert x": False,
    "with raises(ValueError):\n    f()": True,
    "with suppress(ValueError):\n    f()\n    assert g()": False,
    "with self.subTest(1):\n    assert f()": True,
    "for x in [1, 2]:\n    assert f(x)": True,
    "for x in []:\n    assert f(x)": False,
    "for i, x in enumerate((1, 2)):\n    assert f(x)": True,
    "for x in range(3):\n    if x:\n        continue\n    assert f(x)": False,
    "for x in f():\n    break\nassert x": True,
    "try:\n    assert f()\nexcept AssertionError:\n    pass": False,
    "def g():\n    return 1\nassert g()": True,
    "f()": False,
    "": False,
}


@pytest.mark.parametrize("text", BODIES)
def test_an_assertion_is_sure_when_nothing_can_go_round_it(text: str) -> None:
    """What stands in a block may not be reached, and what is caught says nothing."""
    assert asserts_surely(ast.parse(text).body) is BODIES[text]


def test_a_check_of_a_project_is_looked_up_in_its_own_file() -> None:
    """Functions of one name in two files are two checks."""
    files = {
        "a/test_x.py": b"def test_one():\n    assert f()\n",
        "b/test_x.py": b"def test_one():\n    f()\nclass TestT:\n    def test_two(self):\n        assert f()\n",
    }
    suite = Suite(SuiteKind.PYTEST, "", (), project=Project("/p", files, "prog.py"))
    ids = ["a/test_x.py::test_one", "b/test_x.py::test_one", "b/test_x.py::TestT::test_two[1]", "c.py::test_one"]
    assert must_fail_flipped(suite, ids) == {ids[0], ids[2]}


def test_an_early_return_makes_an_assertion_unsure() -> None:
    """The way out may be taken."""
    function = ast.parse("def t():\n    if f():\n        return\n    assert x").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert not asserts_surely(function.body)


TEXT = (
    "import pytest\ndef test_a(n):\n    assert n\ndef test_b():\n    f()\nclass TestC:\n    def test_d(self):\n"
    "        assert f()\ndef test_e():\n    assert f()\n    yield\nasync def test_g():\n    assert f()\n"
)


def test_pytest_checks_are_found_by_their_ids() -> None:
    """Parameters and classes included; their text is not known otherwise."""
    ids = ("test_a[1-a::b]", "test_a[2]", "test_b", "TestC::test_d", "test_e", "test_g", "test_missing")
    suite = Suite(SuiteKind.PYTEST, TEXT, tuple(Check(i, i) for i in ids))
    assert must_fail_flipped(suite, ids) == {"test_a[1-a::b]", "test_a[2]", "TestC::test_d", "test_g"}


def test_module_checks_are_found_by_their_ids() -> None:
    """With a dot before the method."""
    suite = Suite(SuiteKind.MODULE, TEXT, ())
    assert must_fail_flipped(suite, ["TestC.test_d", "test_b"]) == {"TestC.test_d"}


def test_script_checks_are_read_from_their_own_text() -> None:
    """Which may be a whole test function, and may have been cut."""
    texts = {"a": "assert f()", "b": "def test():\n    assert f()", "c": "assert (", "d": "f()"}
    suite = Suite(SuiteKind.SCRIPT, "", tuple(Check(i, text) for i, text in texts.items()))
    assert must_fail_flipped(suite, texts) == {"a", "b"}


@pytest.mark.parametrize("word", ["@pytest.mark.xfail", "@unittest.expectedFailure"])
def test_where_failures_are_expected_nothing_is_sure(word: str) -> None:
    """There a failing assertion is what passes."""
    assert must_fail_flipped(Suite(SuiteKind.MODULE, f"{word}\n{TEXT}", ()), ["TestC.test_d"]) == frozenset()


MARKED = {
    "# xfail\ndef test_a():\n    assert f()\n": {"test_a"},
    "def test_a():\n    'xfail'\n    assert f()\n": {"test_a"},
    "@pytest.mark.xfail\ndef test_a():\n    assert f()\ndef test_b():\n    assert f()\n": {"test_b"},
    "pytestmark = pytest.mark.xfail\ndef test_a():\n    assert f()\n": set(),
    "def test_a():\n    pytest.xfail('x')\n    assert f()\n": set(),
}


@pytest.mark.parametrize("text", MARKED)
def test_only_a_mark_says_that_a_test_is_expected_to_fail(text: str) -> None:
    """Not the word in a comment or a string; and it says so of the test that it stands on."""
    suite = Suite(SuiteKind.PYTEST, text, ())
    assert must_fail_flipped(suite, ["test_a", "test_b"]) == MARKED[text]
