"""What the samples of a run are doing, in a few words: a slow service is told from a run that stands still."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from regreen.strategies.events import PHASE_WORDS

_TOLD_AFTER = 5.0
"""Seconds after which the longest of a phase is told."""


@dataclass(slots=True)
class Activity:
    """The phase of each sample that is under way, and since when; written by the threads of a run."""

    clock: Callable[[], float] = time.monotonic
    _phases: dict[tuple[str, int], tuple[str, float]] = field(default_factory=dict)

    def put(self, task: str, sample: int, phase: str) -> None:
        """A sample is in this phase now; "" once it has ended."""
        if not phase:
            self._phases.pop((task, sample), None)
        elif self._phases.get((task, sample), ("", 0.0))[0] != phase:
            self._phases[task, sample] = phase, self.clock()

    def text(self) -> str:
        """E.g. "2 asking the model (up to 45 s), 1 judging"; "" where nothing is under way."""
        now, since = self.clock(), dict[str, list[float]]()
        for phase, began in list(self._phases.values()):
            since.setdefault(phase, []).append(began)
        told = sorted(since.items(), key=lambda item: -len(item[1]))
        return ", ".join(
            f"{len(times)} {PHASE_WORDS.get(phase, phase)}{_longest(now - min(times))}" for phase, times in told
        )


def _longest(seconds: float) -> str:
    return f" (up to {seconds:.0f} s)" if seconds >= _TOLD_AFTER else ""
