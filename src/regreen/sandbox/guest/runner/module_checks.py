"""Calls one check of a test module by its id: a function, a method, or a unittest method with its fixtures."""

from __future__ import annotations

import asyncio
import inspect
import unittest
from collections.abc import Callable
from types import ModuleType
from typing import Any


class CheckSkipped(Exception):
    """A test skipped itself: it says nothing, and so proves nothing."""


def call_check(tests: ModuleType, check: str) -> None:
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
        asyncio.run(value)


def _run_case(case: unittest.TestCase) -> None:
    """Run one unittest method with the fixtures of its class and module, and raise what went wrong."""
    result = _Raising()
    unittest.TestSuite([case]).run(result)
    if result.error is not None:
        raise result.error
    if result.skipped:
        raise CheckSkipped(result.skipped[0][1])


class _Raising(unittest.TestResult):
    """Remembers the exception itself, where unittest keeps only its text."""

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None

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
