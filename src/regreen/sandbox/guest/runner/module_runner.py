"""Runs the checks of a test module one by one: functions, methods, and unittest methods with their fixtures."""

from __future__ import annotations

import functools
import inspect
import sys
import unittest
from collections.abc import Callable
from functools import partial
from types import CodeType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.check_runner import (
    CheckSkipped,
    IsWanted,
    ProgramUnderTest,
    ReportResult,
    Runner,
    compile_tests,
    result_of,
    run_check,
)
from regreen.sandbox.guest.runner.results import Result


class ModuleRunner(Runner):
    """Test functions and unittest methods of one module, called one by one."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]), suite["origin"])
        self.one_namespace = suite["one_namespace"]
        self.code, self.proven = compile_tests(suite, flipped=flipped)
        if "async" in suite["source"]:
            _asyncio()

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the module's text, then each check of it."""
        tests = subject.module if self.one_namespace and subject.is_whole else ModuleType("__checks__")
        sys.modules["__checks__"] = tests
        names = tests.__dict__
        if self.one_namespace:
            names.update(subject.names())
        names.update({**subject.apart(), "__file__": f"/tmp/{self.origin}"})
        subject.proven = self.proven
        broken = _load(subject, self.code, names)
        for check in self.ids:
            if wanted(check):
                result = broken or run_check(subject, check, partial(_call_check, tests, check), self.origin)
                if not report(check, result):
                    return


def _load(subject: ProgramUnderTest, code: CodeType, names: dict[str, Any]) -> Result | None:
    """Run the test module's own text; a result when it does not even load."""
    try:
        with subject.around(""):
            exec(code, names)
    except BaseException as error:  # noqa: BLE001  whatever it raises is the result of every check
        return subject.special_result(error) or result_of(error, subject.recorder)
    return None


def _call_check(tests: ModuleType, check: str) -> None:
    """Run the check. Raises whatever it raises."""
    holder, _, method = check.rpartition(".")
    if not holder:
        _unless_skipped(getattr(tests, check))
        return
    owner = getattr(tests, holder)
    if isinstance(owner, type) and issubclass(owner, unittest.TestCase):
        _run_case(owner(method))
    else:
        _unless_skipped(getattr(owner(), method))


def _unless_skipped(test: Callable[[], Any]) -> None:
    try:
        _finish(test())
    except unittest.SkipTest as error:
        raise CheckSkipped(str(error)) from None


def _finish(value: Any) -> None:
    if inspect.iscoroutine(value):
        _asyncio().run(value)


@functools.cache
def _asyncio() -> ModuleType:
    # Imported where a suite may need it, since that takes longer than all else of a server's start; and before the
    # program is loaded, which could leave another module in its place.
    import asyncio

    return asyncio


def _run_case(case: unittest.TestCase) -> None:
    """Run one unittest method with the fixtures of its class and module, and raise what went wrong."""
    result = _Raising()
    unittest.TestSuite([case]).run(result)
    if result.error is not None:
        raise result.error
    if result.skipped:
        raise CheckSkipped(result.skipped[0][1])
    if not result.succeeded:
        # An exception of unittest's own, raised by the program, ends a test and tells nobody.
        raise AssertionError("the test ended without a result")
    if any(name.startswith(("assert", "fail")) for name in vars(case)):
        raise AssertionError("the test's own assertion methods were replaced")


class _Raising(unittest.TestResult):
    """Remembers the exception itself, where unittest keeps only its text."""

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None
        self.succeeded = False

    def addSuccess(self, test: unittest.TestCase) -> None:
        """The test has come to its end."""
        self.succeeded = True

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        """The test failed as it is marked to."""
        self.succeeded = True

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        """Keep the first error."""
        self.error = self.error or err[1]

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        """Keep the first failure."""
        self.error = self.error or err[1]

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        """Keep the first failure of a subtest."""
        if err is not None:
            self.error = self.error or err[1]

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        """A test that should fail did not."""
        self.error = self.error or AssertionError("the test was expected to fail, and passed")
