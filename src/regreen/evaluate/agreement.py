"""Whether two runs did the same: the same candidates, verdicts and hand-overs, measured times aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from regreen.evaluate.records import ResultLine

MEASURED = frozenset({"runtime_sec", "timings_sec", "seconds", "explanation", "exit_code"})
"""Fields that hold or tell measured times, or hang on who was faster: a process that ends, or we who end it."""


@dataclass(frozen=True, slots=True)
class SampleDifference:
    """One sample in which two runs differ."""

    task_id: str
    sample: int
    what: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two runs agree."""

    same: int
    differences: tuple[SampleDifference, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether they agree in every sample."""
        return not self.differences


def agreement(recorded: Iterable[ResultLine], again: Iterable[ResultLine]) -> Agreement:
    """Compare a run with its replay, sample by sample, in the order of the recorded one."""
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
    """The values of a record without what was measured: the same for two runs that did the same."""
    if isinstance(value, dict):
        return {name: untimed(item) for name, item in value.items() if name not in MEASURED}
    return [untimed(item) for item in value] if isinstance(value, list) else value
