"""Which lines of the program each assertion of a failing test runs, those behind the one that fails included.

A test counts as one check, and ends with its first assertion that does not hold: the lines that the others run would
not be told from it. For localisation alone: a test that goes on behind a failure says nothing of the program.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.checks.assertions import AssertionRecorder
from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest
from regreen.sandbox.guest.runner.mutation_runs.line_trace import LineTrace
from regreen.sandbox.guest.runner.mutation_runs.screening_run import ScreenedSuite, ScreeningRun

_MOST_ASSERTIONS = 64
"""Of one test that are told apart; those in a loop count one by one."""


class AssertionTrace(ScreeningRun):
    """Runs failing checks once more, each to its end, and tells what their assertions run and whether they hold."""

    def __init__(self, suite: ScreenedSuite, codes: Any, filename: str) -> None:
        super().__init__(suite, codes)
        self.recorder = _PatientRecorder(LineTrace(filename))
        self.filename = filename
        self.told: dict[str, list[tuple[bool, list[int]]]] = {}

    def tell(self, checks: Collection[str], limits: Mapping[str, Any]) -> dict[str, list[tuple[bool, list[int]]]]:
        """By check: for each assertion that it comes to, in order, whether it holds, and the lines that it ran.

        Where the program raises, the lines that led there are those of an assertion that does not hold, the last.
        """
        if checks:
            self._run(checks.__contains__, limits, "")
        return {check: parts for check, parts in self.told.items() if check in checks}

    def _subject(self, module: ModuleType, real_time: frozenset[str]) -> ProgramUnderTest:
        return ProgramUnderTest(
            module, self._ended, self._around, recorder=self.recorder, wall_clock=int, cpu_clock=int
        )

    @contextlib.contextmanager
    def _around(self, check: str) -> Iterator[None]:
        recorder = self.recorder
        recorder.trace, recorder.parts = LineTrace(self.filename), []
        recorder.trace.start()
        try:
            yield
        except BaseException:
            recorder.note(held=False)
            raise
        finally:
            recorder.trace.stop()
            self.told.setdefault(check, []).extend(recorder.parts)


class _PatientRecorder(AssertionRecorder):
    """Lets a test go on where an assertion does not hold, and notes what was run for it."""

    __slots__ = ("parts", "trace")

    def __init__(self, trace: LineTrace) -> None:
        super().__init__()
        self.trace = trace
        self.parts: list[tuple[bool, list[int]]] = []

    def compare(self, sign: str, left: Any, right: Any) -> bool:
        self.note(held=super().compare(sign, left, right))
        return True

    def truth(self, value: Any) -> bool:
        self.note(held=super().truth(value))
        return True

    def note(self, *, held: bool) -> None:
        """Count the lines that were run since the assertion before to this one."""
        if len(self.parts) < _MOST_ASSERTIONS:
            self.parts.append((held, sorted(self.trace.take())))
