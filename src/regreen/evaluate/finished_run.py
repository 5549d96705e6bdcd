"""The results of a finished run in the order of tasks and samples, whichever ended first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from regreen.errors import RunError
from regreen.evaluate import provenance
from regreen.evaluate.records import Result, ResultLine
from regreen.evaluate.result_log import RESULTS, read_results


class LinePosition(NamedTuple):
    """Position of a result in results.jsonl; sorts by task and sample."""

    task: int
    """Rank of the task, by its first result in the file."""
    sample: int
    offset: int
    """First byte of the line."""


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run's results by task and sample; lines are read on demand, so that a run may be larger than memory."""

    path: Path
    header: provenance.Header
    tasks: tuple[str, ...]
    """Ids, in the order in which they first occur."""
    places: tuple[LinePosition, ...]
    """Positions of the decided samples, by task and sample."""
    faults: tuple[LinePosition, ...] = ()
    """Positions of the samples without a decision, because the machine or a service failed."""
    passed: int = 0
    """Decided samples that pass the hidden checks."""

    @property
    def planned(self) -> int:
        """Samples that the run set out to decide; those on record where its header does not say."""
        return max(self.header.planned or 0, len(self.places) + len(self.faults))

    @property
    def is_complete(self) -> bool:
        """Whether every planned sample is decided."""
        return len(self.places) == self.planned

    @property
    def single(self) -> bool:
        """Whether no task has two samples."""
        return len(self.places) == len({place.task for place in self.places})

    def lines(self, *, faults: bool = False) -> Iterator[ResultLine]:
        """The lines of the decided samples; with `faults`, those of the others after them."""
        return self.lines_at((*self.places, *self.faults) if faults else self.places)

    def lines_at(self, places: Sequence[LinePosition]) -> Iterator[ResultLine]:
        """The lines at these positions."""
        with self.path.open("rb") as file:
            for place in places:
                file.seek(place.offset)
                yield ResultLine.model_validate(json.loads(file.readline()))


def read_finished(run_dir: Path) -> FinishedRun:
    """Index the results of a run. Raises RunError when the folder holds none, or a line cannot be read."""
    header = provenance.read_header(run_dir)
    path = run_dir / RESULTS
    if not path.is_file():
        raise RunError(f"{run_dir} holds no {RESULTS}.", remedy="Give the folder of a run of `regreen eval`.")
    ranks: dict[str, int] = {}
    places: list[LinePosition] = []
    faults: list[LinePosition] = []
    passed = 0
    for line, offset in zip(read_results(path), _offsets(path), strict=False):
        place = LinePosition(ranks.setdefault(line.task_id, len(ranks)), line.sample, offset)
        (faults if line.outcome is Result.ERROR else places).append(place)
        passed += line.passed
    return FinishedRun(path, header, tuple(ranks), tuple(sorted(places)), tuple(sorted(faults)), passed)


def judged_program(line: ResultLine) -> str:
    """The program that the hidden checks decided about: the patched one, or the original where there is no patch."""
    return line.buggy_source if line.final_source is None else line.final_source


def _offsets(path: Path) -> Iterator[int]:
    at = 0
    with path.open("rb") as file:
        for line in file:
            yield at
            at += len(line)


Writer = Callable[[FinishedRun], Iterator[bytes]]
"""Turns a run into the content of a file, in parts."""
