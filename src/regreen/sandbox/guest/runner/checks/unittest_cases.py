"""Runs one test method of unittest with the fixtures of its class and module.

Imported where a suite uses unittest, whose import takes a fifth of the start of a server.
"""

from __future__ import annotations

import unittest
from typing import Any
from unittest import SkipTest, TestCase

from regreen.sandbox.guest.runner.checks.check_runner import CheckSkipped

__all__ = ["SkipTest", "TestCase", "run_case"]


def run_case(case: TestCase) -> None:
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
