"""What an exception that the program raised means for the checks, where they share a process with it."""

from __future__ import annotations

from typing import Any

from regreen.sandbox.guest.runner.checks import results
from regreen.sandbox.guest.runner.checks.captured_output import OutputFlood
from regreen.sandbox.guest.runner.checks.check_runner import result_of
from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines
from regreen.sandbox.guest.runner.timing import time_limits


def program_failure(error: BaseException, filename: str) -> Result:
    """The result of all checks when loading the program raised this exception."""
    return raised_in_program(error, filename) or result_of(error, _NOTHING)


class _Nothing:
    seen = None


_NOTHING: Any = _Nothing()


def raised_in_program(error: BaseException, filename: str) -> Result | None:
    """The result for an exception that was raised in the program; None when the check itself raised it."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return results.raised_result(type(error).__name__, str(error.msg), [error.lineno or 0], inside=True)
    if isinstance(error, time_limits.OutOfTime | OutputFlood | MemoryError):
        return None
    lines = program_lines(error.__traceback__, filename)
    if not lines:
        return None
    return results.raised_result(type(error).__name__, results.message_of(error), lines, inside=True)
