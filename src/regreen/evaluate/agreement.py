"""Compares a run with its replay: candidates, verdicts and selected patches, without measured times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from regreen.evaluate.records import ResultLine

_MEASURED_FIELDS = frozenset({"runtime_sec", "timings_sec", "seconds", "explanation", "exit_code"})
"""Fields that hold measured times, or depend on a race: a process that ends by itself, or that we end."""


@dataclass(frozen=True, slots=True)
class SampleDifference:
    """A sample in which two runs differ."""

    task_id: str
    sample: int
    what: str
    """The first difference, in words."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The samples of two runs, by whether they agree."""

    same: int
    """Samples that agree."""
    differences: tuple[SampleDifference, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every sample agrees."""
        return not self.differences


def agreement(recorded: Iterable[ResultLine], again: Iterable[ResultLine]) -> Agreement:
    """Compare the samples of a run with those of its replay; differences come in the order of the run."""
    replayed = {line.key: line for line in again}
    same, differences = 0, []
    for line in recorded:
        other = replayed.get(line.key)
        what = "was not replayed" if other is None else _difference(line, other)
        if what:
            differences.append(SampleDifference(line.task_id, line.sample, what))
        else:
            same += 1
    return Agreement(same, tuple(differences))


def _difference(line: ResultLine, other: ResultLine) -> str:
    """The first thing in which two records of a sample differ; "" where there is none."""
    if other.error is not None and line.error is None:
        return f"{other.error.kind}: {other.error.message}"
    return next(_differences(line, other), "")


def _differences(line: ResultLine, other: ResultLine) -> Iterator[str]:
    pairs = [(a.candidate_id, b.candidate_id) for a, b in zip(line.attempts, other.attempts, strict=False)]
    for number, (one, two) in enumerate(pairs):
        if one != two:
            yield f"attempt {number} was {one} and is {two}"
    if len(line.attempts) != len(other.attempts):
        yield f"there were {len(line.attempts)} attempts and are {len(other.attempts)}"
    for number, (before, after) in enumerate(zip(line.attempts, other.attempts, strict=False)):
        if (before.outcome, before.checks_passed) != (after.outcome, after.checks_passed):
            yield f"the verdict on attempt {number} was {before.outcome} and is {after.outcome}"
    if line.final_source != other.final_source:
        yield "another program is handed over"
    if (line.outcome, line.stop) != (other.outcome, other.stop):
        yield f"it ended as {line.outcome} ({line.stop}) and ends as {other.outcome} ({other.stop})"


def untimed(value: Any) -> Any:
    """The values of a record without measured fields: equal for two runs that did the same."""
    if isinstance(value, dict):
        return {name: untimed(item) for name, item in value.items() if name not in _MEASURED_FIELDS}
    return [untimed(item) for item in value] if isinstance(value, list) else value
