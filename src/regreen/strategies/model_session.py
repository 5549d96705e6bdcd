"""What every repair has at work, whether of one program or of a project: budget, clock, events, seed and counters."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from regreen.strategies.events import Event, Listener, ignore
from regreen.strategies.resources import Resources
from regreen.types import Budget, Limits


@dataclass
class RepairProgress:
    """Counters of one repair, as its events show them."""

    candidates: int = 0
    best_passed: int = 0
    """The most checks that any candidate has passed."""
    model_calls: int = 0
    tokens: int = 0


class ModelSession(ABC):
    """All that is needed to ask a model during one repair, within its budget."""

    def __init__(
        self,
        resources: Resources,
        scope: str,
        *,
        seed: int = 0,
        on_event: Listener = ignore,
        started: float | None = None,
    ) -> None:
        """`started` is given where the repair is part of one that began then, by the clock of the resources."""
        self.resources = resources
        self.scope = scope
        """The repair's name within a run: what is repaired, and its seed."""
        self.seed = seed
        self.on_event = on_event
        self.clock = resources.clock
        self.started = resources.clock() if started is None else started
        self.waited = 0.0
        """Seconds lost to a busy service or to the wait for a core: no part of the repair's own time."""
        self.asked = 0.0
        """Seconds in which a model was asked: part of the repair's own time, but not of its search."""
        self.progress = RepairProgress()

    @property
    def limits(self) -> Limits:
        """What one candidate may use."""
        return self.resources.limits

    @property
    def budget(self) -> Budget:
        """What the repair may spend."""
        return self.resources.budget

    @property
    @abstractmethod
    def total(self) -> int:
        """How many checks there are."""

    @property
    def seconds(self) -> float:
        """Seconds that the repair has taken, those of waiting left out."""
        return self.clock() - self.started - self.waited

    @property
    def deadline(self) -> float:
        """When the seconds of the budget end, by `clock`; those in which a model was asked are none of them."""
        return self.started + self.budget.seconds + self.waited + self.asked

    @property
    def may_ask(self) -> bool:
        """Whether the budget leaves time for another request to a model."""
        return self.budget.model_seconds is None or self.asked < self.budget.model_seconds

    @contextlib.contextmanager
    def holding_core(self) -> Iterator[None]:
        """Hold a core for the block."""
        self._take_core()
        try:
            yield
        finally:
            self.resources.cores.release()

    @contextlib.contextmanager
    def without_core(self) -> Iterator[None]:
        """Leave the core to other repairs for the block, while a model thinks."""
        self.resources.cores.release()
        try:
            yield
        finally:
            self._take_core()

    def _take_core(self) -> None:
        asked = self.clock()
        self.resources.cores.acquire()
        self.waited += self.clock() - asked

    def notify(self, phase: str, note: str = "") -> None:
        """Send the listener an event with the counters as they are."""
        progress = self.progress
        self.on_event(
            Event(
                phase,
                candidates=progress.candidates,
                best_passed=progress.best_passed,
                total=self.total,
                seconds=self.seconds,
                note=note,
                model_calls=progress.model_calls,
                tokens=progress.tokens,
            )
        )
