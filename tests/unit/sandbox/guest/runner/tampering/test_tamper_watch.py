"""The watch over what decides checks in shared mode."""

from __future__ import annotations

import ast
import builtins
import math
import unittest
from typing import Any
from unittest import mock

import pluggy
import pytest
from anyio import pytest_plugin

from regreen.sandbox.guest.runner.checks import check_runner
from regreen.sandbox.guest.runner.tampering.deciding_names import deciding_names, own_functions
from regreen.sandbox.guest.runner.tampering.tamper_watch import TamperWatch, pristine_builtins

CHECKS = "import math\nfrom statistics import mean\nassert math.isclose(f(), 1.0)\n"


def replaced(*args: Any, **kwargs: Any) -> Any:
    """What a program puts in place of something."""


replaced_by_the_program = eval("lambda *a, **k: True", {})  # its code is of no file
REPLACED = [
    (math, "isclose", "math.isclose"),
    (unittest.TestCase, "assertEqual", "unittest.case.TestCase.assertEqual"),
    (unittest.TestCase.assertEqual, "__code__", "unittest.case.TestCase.assertEqual"),
    (pytest.Function, "runtest", "_pytest.python.Function.runtest"),
    (check_runner, "run_check", "regreen.sandbox.guest.runner.checks.check_runner.run_check"),
]


@pytest.mark.parametrize(("owner", "name", "told"), REPLACED, ids=[told for *_, told in REPLACED])
def test_what_decides_is_missed_when_it_is_replaced(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, told: str
) -> None:
    """When the program is loaded and later; by its name."""
    watch = TamperWatch([CHECKS])
    assert watch.changed_by_loading() == watch.changed_by_a_check() == ""
    value = eval("lambda *a, **k: None", {})  # its code is of no file
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, value.__code__ if name == "__code__" else value)
        by_loading, by_a_check = watch.changed_by_loading(), watch.changed_by_a_check()
    assert (by_loading, by_a_check) == (told, told)


@pytest.mark.parametrize("name", ["floor", "isclose"])
def test_what_the_checks_do_not_name_or_replace_themselves_is_free(name: str) -> None:
    """A program may change what is nobody's business, and a test may replace what it likes."""
    watch = TamperWatch([CHECKS, "def test_a(monkeypatch):\n    monkeypatch.setattr(math, 'isclose', f)\n"])
    with mock.patch.object(math, name, replaced):
        assert watch.changed_by_a_check() == ""


def test_what_checks_call_in_a_loop_is_looked_at_each_time() -> None:
    """All else is looked at often enough to be missed before long."""
    watch = TamperWatch([CHECKS])
    assert all(watch.is_genuine("math.isclose", math.isclose) for _ in range(1_000))
    assert not watch.is_genuine("math.isclose", replaced_by_the_program)
    with mock.patch.object(unittest.TestCase, "assertEqual", replaced_by_the_program):
        looks = [watch.is_genuine("math.isclose", math.isclose) for _ in range(100)]
        assert looks.count(False) >= 3
    assert all(watch.is_genuine("math.isclose", math.isclose) for _ in range(100))


def test_the_code_of_what_checks_call_in_a_loop_is_looked_at_each_time() -> None:
    """As is what they define themselves."""
    names = {"oracle": _saying_it_is_from("<checks>")}
    watch = TamperWatch([CHECKS])
    watch.learn_own(names, ["oracle"])
    oracle = names["oracle"]
    assert all(watch.is_genuine("tests.oracle", oracle) for _ in range(1_000))
    oracle.__code__ = replaced_by_the_program.__code__
    assert not watch.is_genuine("tests.oracle", oracle)


OF_A_LIBRARY = pytest_plugin.pytest_configure
"""A function of an installed package that is no runner of tests."""


def test_what_a_library_replaces_is_let_pass_and_proves_nothing() -> None:
    """Its code is in an installed file; but not while the program is loaded."""
    watch = TamperWatch([CHECKS])
    with mock.patch.object(unittest.TestCase, "assertEqual", OF_A_LIBRARY):
        assert watch.changed_by_a_check() == ""
        assert watch.take_doubt() == "unittest.case.TestCase.assertEqual"
        assert watch.changed_by_loading()
    assert watch.changed_by_a_check() == watch.take_doubt() == ""


def _saying_it_is_from(file: str) -> Any:
    names: dict[str, Any] = {}
    exec(compile("def quiet(*a, **k):\n    return None\n", file, "exec"), names)
    return names["quiet"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.approx,
        unittest.TestCase.setUp,
        ast.walk,
        pluggy.HookimplMarker.__call__,
        _saying_it_is_from(pytest_plugin.__file__),
        _saying_it_is_from(f"{pytest_plugin.__file__}/../../gone.py"),
    ],
    ids=["pytest's", "unittest's", "Python's", "pluggy's", "by its word", "by a way around"],
)
def test_what_only_seems_to_be_a_librarys_is_missed(value: Any) -> None:
    """A function that lies around anywhere, and code that says of itself where it is from."""
    watch = TamperWatch([CHECKS])
    with mock.patch.object(unittest.TestCase, "assertEqual", value):
        assert watch.changed_by_a_check() == "unittest.case.TestCase.assertEqual"


def test_a_folder_that_is_named_later_holds_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program may add what it likes to the places of modules."""
    watch = TamperWatch([CHECKS])
    monkeypatch.syspath_prepend("/")
    with mock.patch.object(math, "isclose", replaced):
        assert watch.changed_by_a_check() == "math.isclose"


def test_what_was_replaced_before_the_program_is_not_its_doing() -> None:
    """And may be put back; what comes there later may not."""
    watch = TamperWatch([CHECKS])
    with mock.patch.object(math, "isclose", replaced):
        watch.start()
        assert watch.changed_by_a_check() == watch.take_doubt() == ""
    assert watch.changed_by_a_check() == watch.take_doubt() == ""
    with mock.patch.object(math, "isclose", replaced_by_the_program):
        watch.start()
        assert watch.changed_by_a_check() == "math.isclose"


@pytest.mark.parametrize(
    ("tests", "told"),
    [
        ("import time\ndef test_a(monkeypatch):\n    monkeypatch.setattr(time, 'sleep', f)\n", "math.isclose"),
        ("def test_a(monkeypatch):\n    monkeypatch.setattr('math.isclose', f)\n", ""),
        ("from unittest.mock import patch\n@patch.multiple(math, isclose=f)\ndef test_a():\n    pass\n", ""),
        ("math.isclose = f\n", ""),
        ("print('math.isclose')\n", "math.isclose"),
    ],
)
def test_tests_replace_what_they_say_that_they_replace(tests: str, told: str) -> None:
    """One word of a patch is no leave for all; and what they do replace proves nothing."""
    watch = TamperWatch([CHECKS, tests])
    with mock.patch.object(math, "isclose", replaced_by_the_program):
        assert watch.changed_by_a_check() == told
    assert watch.take_doubt() == ("" if told else "math.isclose")


OWN = """
import unittest
def expect(found, wanted):
    assert found == wanted
class TestF(unittest.TestCase):
    def expect(self, found, wanted):
        expect(found, wanted)
    def assertIn(self, *args):
        super().assertIn(*args)
"""


def _own() -> tuple[TamperWatch, dict[str, Any]]:
    """A watch over tests that define functions, and their namespace."""
    names: dict[str, Any] = {}
    exec(OWN, names)
    watch = TamperWatch([OWN])
    watch.learn_own(names, {"expect", "TestF", "gone"})
    return watch, names


def test_what_the_checks_define_is_watched() -> None:
    """Functions, classes and their methods, at every look."""
    watch, names = _own()
    assert watch.changed_by_a_check() == ""
    assert watch.is_genuine("tests.expect", names["expect"])
    with mock.patch.dict(names, expect=replaced):
        assert not watch.is_genuine("tests.expect", names["expect"])
        assert watch.changed_by_a_check() == "tests.expect"
    with mock.patch.object(names["TestF"], "expect", replaced):
        assert not watch.is_genuine("tests.expect", names["expect"])
        assert watch.changed_by_a_check() == "tests.TestF.expect"
    assert watch.changed_by_a_check() == watch.take_doubt() == ""


def test_what_the_checks_define_anew_is_what_is_watched_then() -> None:
    """The steps of a script may define one name twice."""
    watch, names = _own()
    names["expect"] = replaced
    watch.learn_own(names, {"expect"})
    assert watch.changed_by_a_check() == ""


def test_the_assertion_methods_of_the_checks_own_classes_are_theirs() -> None:
    """What they have or inherit; not what is put there later, into the class or into a test."""
    watch, names = _own()
    case = names["TestF"]()
    name = "unittest.case.TestCase.{}".format
    assert watch.is_genuine(name("assertIn"), case.assertIn)
    assert watch.is_genuine(name("assertEqual"), case.assertEqual)
    case.assertEqual = replaced.__get__(case)
    assert not watch.is_genuine(name("assertEqual"), case.assertEqual)
    with mock.patch.object(names["TestF"], "assertTrue", replaced, create=True):
        assert not watch.is_genuine(name("assertTrue"), case.assertTrue)


def test_pure_modules_are_known_as_they_were_where_tests_are_read_later() -> None:
    """A program that was loaded meanwhile may have replaced what they turn out to name."""
    watch = TamperWatch([], tests_come_later=True)
    with mock.patch.object(math, "isclose", replaced_by_the_program):
        watch.learn([*ast.walk(ast.parse(CHECKS))])
        assert watch.changed_by_a_check() == "math.isclose"
    assert watch.changed_by_a_check() == ""


def test_what_a_program_replaces_after_a_plugin_did_is_missed_all_the_same() -> None:
    """What was let pass at one look is what the next one expects, and nothing else; putting back is no change."""
    watch = TamperWatch([CHECKS])
    code_of_no_file = eval("lambda *a, **k: None", {})
    with mock.patch.object(unittest.TestCase, "assertEqual", OF_A_LIBRARY):
        assert watch.changed_by_a_check() == ""
        with mock.patch.object(unittest.TestCase, "assertEqual", code_of_no_file):
            assert watch.changed_by_a_check() == "unittest.case.TestCase.assertEqual"
        with mock.patch.object(unittest.TestCase, "assertIs", code_of_no_file):
            assert watch.changed_by_a_check() == "unittest.case.TestCase.assertIs"
        assert watch.changed_by_a_check() == ""
    assert watch.changed_by_a_check() == ""


def test_a_wrapper_that_is_filled_anew_is_missed() -> None:
    """A class or static method stays the same object when it is given another function; a property, too."""
    wrapper = vars(unittest.TestCase)["setUpClass"]
    inner = wrapper.__func__
    watch = TamperWatch([CHECKS])
    try:
        wrapper.__init__(eval("lambda cls: None", {}))
        told = watch.changed_by_a_check()
    finally:
        wrapper.__init__(inner)
    assert told == "unittest.case.TestCase.setUpClass"


def test_what_is_gone_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner without its method may fall back on another one."""
    watch = TamperWatch([CHECKS])
    with monkeypatch.context() as patch:
        patch.delattr(pytest.Function, "runtest")
        assert watch.changed_by_a_check() == "_pytest.python.Function.runtest"


def test_checks_keep_the_built_in_names_that_decide() -> None:
    """And meet the world by those of the moment, new ones among them."""
    names = pristine_builtins()
    scope: dict[str, Any] = {"__builtins__": names}
    with (
        mock.patch.object(builtins, "abs", replaced),
        mock.patch.object(builtins, "input", return_value="typed"),
        mock.patch.object(builtins, "_", str, create=True),
    ):
        exec("import math\nclass A:\n    pass\nfound = abs(-1), input(), _(5), math.floor(1.5)", scope)
    assert scope["found"] == (1, "typed", "5", 1)


def test_a_function_is_looked_at_in_the_moment_in_which_it_is_called() -> None:
    """Put back before the check ends, it was another one all the same."""
    watch = TamperWatch([CHECKS])
    method = unittest.TestCase().assertEqual
    assert watch.is_genuine("math.isclose", math.isclose)
    assert watch.is_genuine("unittest.case.TestCase.assertEqual", method)
    with mock.patch.object(math, "isclose", replaced_by_the_program):
        assert not watch.is_genuine("math.isclose", math.isclose)
    with mock.patch.object(unittest.TestCase, "assertEqual", replaced_by_the_program):
        assert not watch.is_genuine("unittest.case.TestCase.assertEqual", unittest.TestCase().assertEqual)
    assert not watch.is_genuine("unittest.case.TestCase.assertEqual", replaced_by_the_program)
    assert watch.is_genuine("math.floor", replaced_by_the_program)
    assert TamperWatch([""]).is_genuine("pytest.raises", pytest.raises)
    assert not TamperWatch([""]).is_genuine("pytest.raises", replaced_by_the_program)
    assert watch.changed_by_a_check() == ""


@pytest.mark.parametrize(
    ("checks", "names"),
    [
        ("import math as m\nm.isclose(1, 1)\n", {"m.isclose": "math.isclose"}),
        ("from math import isclose as near\n", {"near": "math.isclose"}),
        ("import os\nos.getpid()\n", {}),
        ("from math import prod\ndef test(prod):\n    prod(1)\n", {}),
        ("from math import prod\nprod = len\n", {}),
        ("try:\n    from math import lcm\nexcept ImportError:\n    from fractions import gcd as lcm\n", {}),
    ],
)
def test_a_name_that_stands_for_one_function_alone_is_followed(checks: str, names: dict[str, str]) -> None:
    """One that the checks bind anew is theirs."""
    assert deciding_names(list(ast.walk(ast.parse(checks)))) == names


def test_functions_of_the_checks_own_are_followed_where_they_are_called() -> None:
    """By their name, or as a method of the test."""
    assert own_functions(list(ast.walk(ast.parse("class A:\n    def b(self):\n        pass\n")))) == {
        "b": "tests.b",
        "self.b": "tests.b",
    }
