"""Counts samples as they are read and keeps none of them, so that memory does not grow with the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from regreen.evaluate.records import RepairOrigin, Result
from regreen.report.costs import CostCounter
from regreen.report.sample import Sample, Setup


@dataclass(slots=True)
class TaskCounts:
    """Counts of the samples of one task with the same labels."""

    task_id: str
    labels: Mapping[str, str]
    outcomes: Counter[Result] = field(default_factory=Counter)
    plausible: int = 0
    """Number of decided samples that are plausible."""
    iterations: Counter[int] = field(default_factory=Counter)
    """Number of fixed samples by iteration, where it is recorded."""
    origins: Counter[str] = field(default_factory=Counter)
    """Number of fixed samples by whom their patch is owed to, a `RepairOrigin`; "" where it is not known."""
    first: int = 0
    """Number of samples that a model's first reply fixed."""

    @property
    def samples(self) -> int:
        """Number of samples."""
        return self.outcomes.total()

    @property
    def decided(self) -> int:
        """Number of samples that ended without an error."""
        return self.samples - self.outcomes[Result.ERROR]


@dataclass(slots=True)
class SampleCounts:
    """Counts of the samples of a run so far."""

    setups: Counter[Setup] = field(default_factory=Counter)
    stops: Counter[str] = field(default_factory=Counter)
    spent: CostCounter = field(default_factory=CostCounter)
    asked: int = 0
    """Number of decided samples for which a model was asked."""
    any_measured: bool = False
    """Whether further checks could tell a fix from an overfitted one."""
    any_judged: bool = False
    """Whether a decided sample had a candidate that was judged."""
    knows_plausible: bool = True
    """Whether every decided sample says if it is plausible."""
    _rows: dict[tuple[str, tuple[tuple[str, str], ...]], TaskCounts] = field(default_factory=dict)

    @property
    def counted(self) -> Sequence[TaskCounts]:
        """The counts by task and labels."""
        return list(self._rows.values())

    def add(self, sample: Sample) -> None:
        """Count one sample."""
        self.setups[sample.setup] += 1
        self.stops[sample.stop] += 1
        self.spent.add(sample)
        key = sample.task_id, tuple(sample.labels.items())
        row = self._rows.setdefault(key, TaskCounts(sample.task_id, sample.labels))
        row.outcomes[sample.outcome] += 1
        if sample.outcome is Result.ERROR:
            return
        row.plausible += sample.plausible is True
        self.asked += sample.model_calls > 0
        if sample.outcome is Result.FIXED:
            row.origins[sample.origin] += 1
            row.first += sample.origin == RepairOrigin.MODEL and sample.iteration == 0
        if sample.iteration is not None:
            row.iterations[sample.iteration] += 1
        self.any_measured |= sample.robust is not None or sample.outcome is Result.OVERFITTED
        self.any_judged |= sample.judged > 0
        self.knows_plausible &= sample.plausible is not None
