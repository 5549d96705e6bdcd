"""A replay ends each repair where its recording ended: what clocks say today decides nothing."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from regreen.evaluate.records import ResultLine
from regreen.strategies import Listener, Strategy, ignore, open_strategy
from regreen.types import Budget, Repair, Stop, Task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.models import ChatModel
    from regreen.strategies.resources import Resources

_NO_CLOCK = 7 * 24 * 3600.0
"""Seconds of a repair that no clock is to end."""
_BY_A_CLOCK = (Stop.SECONDS, Stop.MODEL_SECONDS)
"""Stops that another day's clocks would not repeat: what was asked later is on no tape."""
_TOLD_INSTEAD = (Stop.CANDIDATES, Stop.ITERATIONS)
"""Stops of a replay that ends where the recording's time did."""


@dataclass(frozen=True, slots=True)
class RecordedEnd:
    """How far a recorded repair came, and why it ended."""

    stop: Stop
    candidates: int
    """Candidates that were run."""
    iterations: int
    """Corrections that were begun."""
    searches: tuple[int, ...] | None = None
    """Candidates of each search beside the model; None where the record does not tell."""

    def budget(self, usual: Budget, *, searches_alone: bool) -> Budget:
        """The budget with which the same repair ends at the same place, however long it takes."""
        timeless = replace(usual, seconds=_NO_CLOCK, model_seconds=None, searches=self.searches)
        if searches_alone and self.stop in (Stop.SECONDS, Stop.FIXED):
            # Time may also have ended the look around for a better patch than the first.
            return replace(timeless, candidates=self.candidates)
        return replace(timeless, iterations=self.iterations) if self.stop in _BY_A_CLOCK else timeless


def recorded_ends(lines: Iterable[ResultLine]) -> dict[tuple[str, int], RecordedEnd]:
    """The ends of the recorded repairs, by task and seed."""
    return {
        (line.task_id, line.seed): RecordedEnd(
            line.stop,
            line.candidates,
            max((turn.iteration for turn in line.turns), default=0),
            line.searches,
        )
        for line in lines
    }


@dataclass
class ReplayedStrategy:
    """A strategy that ends each repair as it was recorded; may be used from several threads."""

    settings: Settings
    resources: Resources
    model: ChatModel | None
    ends: Mapping[tuple[str, int], RecordedEnd]
    name: str
    stack: contextlib.ExitStack
    """What is opened stays open until this ends."""
    _opened: dict[Budget, Strategy] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task; one that was not recorded, within the usual budget."""
        end, usual = self.ends.get((task.id, seed)), self.resources.budget
        budget = usual if end is None else end.budget(usual, searches_alone=self.model is None)
        repair = self._with(budget).repair(task, seed, on_event)
        if end is not None and end.stop in _BY_A_CLOCK and repair.stop in _TOLD_INSTEAD:
            return replace(repair, stop=end.stop)
        return repair

    def _with(self, budget: Budget) -> Strategy:
        with self._lock:
            if budget not in self._opened:
                resources = replace(self.resources, budget=budget)
                opened = open_strategy(self.settings, resources, model=self.model)
                self._opened[budget] = self.stack.enter_context(opened)
            return self._opened[budget]


@contextlib.contextmanager
def open_replayed(
    settings: Settings,
    resources: Resources,
    model: ChatModel | None,
    ends: Mapping[tuple[str, int], RecordedEnd],
    name: str,
) -> Iterator[ReplayedStrategy]:
    """The strategy of a replay, for the block."""
    with contextlib.ExitStack() as stack:
        yield ReplayedStrategy(settings, resources, model, ends, name, stack)
