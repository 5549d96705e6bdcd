"""The checks of a suite, run against a module in this very process."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from types import ModuleType
from typing import Any

import pytest

from regreen.sandbox.guest.runner.checks.captured_output import OutputFlood
from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest
from regreen.sandbox.guest.runner.checks.script_runner import json_view
from regreen.sandbox.guest.runner.checks.suite_runner import prepare_suite
from regreen.types import Check, Step, Suite, SuiteKind
from regreen.verify.sandbox_messages import suite_message


def said(suite: Suite, *, flipped: bool = False, wanted: Any = lambda check: True, **names: Any) -> dict[str, Any]:
    """What each check says of a program that holds the given names."""
    module = ModuleType("program")
    module.__dict__.update(names)
    subject = ProgramUnderTest(module, lambda error: None, lambda check: contextlib.nullcontext())
    found: dict[str, Any] = {}

    def report(check: str, result: dict[str, Any]) -> bool:
        found[check] = result
        return True

    prepare_suite(suite_message(suite, {}), flipped=flipped).run(subject, wanted, report)
    return found


def outcomes(*args: Any, **more: Any) -> dict[str, str]:
    """The outcomes alone."""
    return {check: result["outcome"] for check, result in said(*args, **more).items()}


def script(*steps: Step) -> Suite:
    """A suite of steps."""
    checks = tuple(Check(step.check, step.code) for step in steps if step.check)
    return Suite(SuiteKind.SCRIPT, "\n".join(step.code for step in steps), checks, steps)


def doctest(code: str, want: str, flags: int = 0) -> Suite:
    """A suite of one example."""
    return script(Step(code, "a", want=want, flags=flags))


def raiser(error: BaseException) -> Any:
    """A function that raises."""

    def f(*args: Any) -> Any:
        raise error

    return f


def test_steps_share_one_namespace() -> None:
    """What one binds, the next may read; the program's names are there from the start."""
    suite = script(Step("x = two"), Step("assert x == 2", "a"), Step("y = x + 1\nassert y == 4", "b"))
    assert outcomes(suite, two=2) == {"a": "passed", "b": "failed"}


def test_a_name_that_preparation_could_not_bind_fails_the_check_that_reads_it() -> None:
    """And no other."""
    suite = script(Step("x = 1 / 0"), Step("assert True", "a"), Step("assert x", "b"))
    assert outcomes(suite) == {"a": "passed", "b": "raised"}


ENDS = {
    "assertion": (AssertionError("m"), "failed"),
    "memory": (MemoryError(), "out_of_memory"),
    "flood": (OutputFlood("f"), "output_flood"),
    "exit": (SystemExit(0), "raised"),
    "interrupt": (KeyboardInterrupt(), "raised"),
    "other": (ValueError("v"), "raised"),
}


@pytest.mark.parametrize("end", ENDS)
def test_each_exception_has_its_meaning(end: str) -> None:
    """For the check in which it ends, and none after it."""
    error, outcome = ENDS[end]
    suite = script(Step("f()", "a"), Step("assert True", "b"))
    assert outcomes(suite, f=raiser(error)) == {"a": outcome, "b": "passed"}


def test_unwanted_checks_are_left_out() -> None:
    """Their steps are not run at all."""
    suite = script(Step("log.append(1)", "a"), Step("log.append(2)", "b"))
    log: list[int] = []
    assert outcomes(suite, wanted=lambda check: check == "b", log=log) == {"b": "passed"}
    assert log == [2]


def test_flipped_checks_fail_where_they_passed() -> None:
    """And leave behind what they always do."""
    suite = script(
        Step("assert run_check == 1\nlog.append(1)", "a"),
        Step("assert run_check == 2", "b"),
        Step("assert log", "c"),
    )
    log: list[int] = []
    assert outcomes(suite, flipped=True, run_check=1, log=log) == {"a": "failed", "b": "passed", "c": "failed"}
    assert log == [1]


EXAMPLES = {
    "a value": ("1 + 1", "2\n", "passed"),
    "another value": ("1 + 1", "3\n", "failed"),
    "printed": ("print('a')", "a\n", "passed"),
    "nothing": ("x = 1", "", "passed"),
    "an exception": (
        "1 / 0",
        "Traceback (most recent call last):\n    ...\nZeroDivisionError: division by zero\n",
        "passed",
    ),
    "another exception": ("1 / 0", "Traceback (most recent call last):\n    ...\nValueError: no\n", "failed"),
    "an exception that was not expected": ("1 / 0", "2\n", "raised"),
    "no exception": ("1", "Traceback (most recent call last):\n    ...\nValueError: no\n", "failed"),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_show_what_the_prompt_would(example: str) -> None:
    """And are compared as doctest compares."""
    code, want, outcome = EXAMPLES[example]
    assert outcomes(doctest(code + "\n", want)) == {"a": outcome}


def test_an_example_that_shows_something_else_tells_both() -> None:
    """As text, without quotes."""
    result = said(doctest("print('got')\n", "want\n"))["a"]
    assert (result["expected"], result["actual"]) == ("want", "got")


def module_suite(source: str, *ids: str) -> Suite:
    """A test module with some checks."""
    return Suite(SuiteKind.MODULE, source, tuple(Check(i, i) for i in ids))


MODULE = """
import unittest
def test_plain(): assert two == 2
async def test_async(): assert two == 3
def test_skips(): raise unittest.SkipTest("later")
class TestPlain:
    def test_method(self): assert two == 2
class TestCase(unittest.TestCase):
    log = []
    @classmethod
    def setUpClass(cls): cls.log.append("class")
    def setUp(self): self.log.append("up"); self.addCleanup(self.log.append, "clean")
    def tearDown(self): self.log.append("down")
    def test_a(self): self.assertEqual(self.log, ["class", "up"])
    def test_wrong(self): self.assertEqual(two, 3)
    def test_raises(self): {}["k"]
    def test_skips(self): self.skipTest("later")
    @unittest.expectedFailure
    def test_expected(self): self.fail("as expected")
    @unittest.expectedFailure
    def test_unexpected(self): pass
    def test_parts(self):
        for n in (2, 3):
            with self.subTest(n=n):
                self.assertEqual(two, n)
class TestBroken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError("no class")
    def test_a(self): pass
"""
MODULE_SAYS = {
    "test_plain": "passed",
    "test_async": "failed",
    "test_skips": "unjudgeable",
    "TestPlain.test_method": "passed",
    "TestCase.test_a": "passed",
    "TestCase.test_wrong": "failed",
    "TestCase.test_raises": "raised",
    "TestCase.test_skips": "unjudgeable",
    "TestCase.test_expected": "passed",
    "TestCase.test_unexpected": "failed",
    "TestCase.test_parts": "failed",
    "TestBroken.test_a": "raised",
    "test_missing": "raised",
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_kind_of_test_is_called_by_its_id() -> None:
    """Functions, methods, coroutines, and unittest's with their fixtures."""
    assert outcomes(module_suite(MODULE, *MODULE_SAYS), two=2) == MODULE_SAYS


def test_a_module_that_does_not_load_fails_all_its_checks() -> None:
    """With the reason."""
    found = said(module_suite("1 / 0\ndef test_a(): pass\n", "test_a", "test_b"))
    assert [result["detail"] for result in found.values()] == ["ZeroDivisionError: division by zero"] * 2


def test_text_that_is_no_python_is_refused() -> None:
    """Before anything runs."""
    with pytest.raises(SyntaxError):
        prepare_suite(suite_message(module_suite("def"), {}))
    with pytest.raises(SyntaxError):
        prepare_suite(suite_message(script(Step("assert (", "a")), {}))


def test_the_json_view_has_lists_alone() -> None:
    """Tuples become lists, at any depth."""
    assert json_view((1, [(2,)], {"a": (3,)})) == [1, [[2]], {"a": [3]}]
    assert asdict(Step("a"))["want"] is None
