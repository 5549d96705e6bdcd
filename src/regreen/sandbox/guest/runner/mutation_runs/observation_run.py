"""What a mutation answers to questions that have no expected answer: one run of a suite whose checks only look.

Each check of such a suite asserts that a value is `...`, which it is not: what the failed assertion saw is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from regreen.sandbox.guest.runner.checks.results import Result, ShortTexts, show
from regreen.sandbox.guest.runner.mutation_runs.screening_run import ScreeningAnswer, ScreeningRun

ENDLESS = "hangs"
"""What is told of a check that uses up its ticks, its time or its sleep."""
_MOST_ENDLESS = 3
"""After so many checks that do not end the others are not run."""
_UNANSWERED = frozenset({"memory", "anew"})
"""Of a mutation that another process has to answer for."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class _Answers(ShortTexts):
    """Texts that differ where a check can tell the values apart, so that -0.0 is 0.0."""

    def repr_float(self, value: float, level: int) -> str:
        """By its name reprlib finds it, also for what is in a list."""
        return repr(value or 0.0)


_ANSWERS = _Answers()


class ObservationRun(ScreeningRun):
    """Runs each check by itself, on the program loaded anew, and remembers what it saw."""

    seen = ""
    """By the check that ran last."""

    def observe(self, limits: Mapping[str, Any]) -> tuple[Any, ...]:
        """As `run`, with what each check saw in the order of the suite; the limits are those of one check."""
        answers: list[str] = []
        for check in self.suite.runner.ids:
            self.seen, self.status = "", "failed"
            if answers.count(ENDLESS) < _MOST_ENDLESS:
                self._run(check.__eq__, limits, "")
            if self.status in _UNANSWERED:
                break
            answers.append(ENDLESS if self.status in ("hung", "slow") else self.seen)
        return *self._counted(), answers

    def _counted(self) -> ScreeningAnswer:
        return self.status if self.status in _UNANSWERED else "observed", [], 1.0, 0.0, 0

    def _ended(self, error: BaseException) -> Result | None:
        result = super()._ended(error)
        recorder = self.subject.recorder if self.subject else None
        if result is not None and result["outcome"] == "failed" and recorder is not None and recorder.seen is not None:
            self.seen = _ADDRESS.sub("", show(recorder.seen[1], _ANSWERS))
        elif result is not None and result["outcome"] == "raised":
            self.seen = f"raises {type(error).__name__}"
        return result
