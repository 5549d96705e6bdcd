"""Runs the checks of a test module one by one: functions, methods, and unittest methods with their fixtures."""

from __future__ import annotations

import functools
import sys
from functools import partial
from types import CodeType, CoroutineType, ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.check_runner import (
    CheckSkipped,
    IsWanted,
    ProgramUnderTest,
    ReportResult,
    Runner,
    compile_tests,
    result_of,
    run_check,
)
from regreen.sandbox.guest.runner.checks.results import Result


class ModuleRunner(Runner):
    """Test functions and unittest methods of one module, called one by one."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]), suite["origin"])
        self.one_namespace = suite["one_namespace"]
        self.code, self.proven = compile_tests(suite, flipped=flipped)
        if "async" in suite["source"]:
            _asyncio()
        self.cases = _unittest_cases() if "unittest" in sys.modules or "unittest" in suite["source"] else None

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
        # Another package may have brought it, with test classes of its own.
        cases = self.cases or (_unittest_cases() if "unittest" in sys.modules else None)
        for check in self.ids:
            if wanted(check):
                result = broken or run_check(subject, check, partial(_call_check, tests, check, cases), self.origin)
                if not report(check, result):
                    return


def _load(subject: ProgramUnderTest, code: CodeType, names: dict[str, Any]) -> Result | None:
    """Run the test module's own text; a result when it does not even load."""
    try:
        with subject.around(""):
            exec(code, names)
            subject.tell_defined(code, names)
    except BaseException as error:  # noqa: BLE001  whatever it raises is the result of every check
        return subject.special_result(error) or result_of(error, subject.recorder)
    return None


def _call_check(tests: ModuleType, check: str, cases: ModuleType | None) -> None:
    """Run the check, with what runs unittest's cases if there can be any. Raises whatever it raises."""
    holder, _, method = check.rpartition(".")
    owner = getattr(tests, holder) if holder else None
    if cases is not None and isinstance(owner, type) and issubclass(owner, cases.TestCase):
        cases.run_case(owner(method))
        return
    test = getattr(owner(), method) if owner is not None else getattr(tests, check)
    try:
        _finish(test())
    except Exception as error:
        if cases is not None and isinstance(error, cases.SkipTest):
            raise CheckSkipped(str(error)) from None
        raise


def _finish(value: Any) -> None:
    if isinstance(value, CoroutineType):
        _asyncio().run(value)


@functools.cache
def _asyncio() -> ModuleType:
    # Imported where a suite may need it, since that takes longer than all else of a server's start; and before the
    # program is loaded, which could leave another module in its place.
    import asyncio

    return asyncio


@functools.cache
def _unittest_cases() -> ModuleType:
    # As late, and as early, for the same reasons.
    from regreen.sandbox.guest.runner.checks import unittest_cases

    return unittest_cases
