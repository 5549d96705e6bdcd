"""The results of a finished run, sample by sample, in an order that does not depend on which ended first."""

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
    """Where a result stands in its file."""

    task: int
    """Rank of the task: the order in which tasks first occur."""
    sample: int
    offset: int


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run's results by task and sample; each is read when it is wanted, so that a run may be larger than memory."""

    path: Path
    header: provenance.Header
    tasks: tuple[str, ...]
    """Ids, in the order in which they first occur."""
    places: tuple[LinePosition, ...]
    """Decided samples, task by task and by number."""
    faults: tuple[LinePosition, ...] = ()
    """Samples that were not decided, because something of ours failed."""
    passed: int = 0

    @property
    def single(self) -> bool:
        """Whether no task has two samples."""
        return len(self.places) == len({place.task for place in self.places})

    def lines(self, *, faults: bool = False) -> Iterator[ResultLine]:
        """The decided samples; with `faults` the others behind them."""
        return self.lines_at((*self.places, *self.faults) if faults else self.places)

    def lines_at(self, places: Sequence[LinePosition]) -> Iterator[ResultLine]:
        """The samples that stand in these places."""
        with self.path.open("rb") as file:
            for place in places:
                file.seek(place.offset)
                yield ResultLine.model_validate(json.loads(file.readline()))


def read_finished(run_dir: Path) -> FinishedRun:
    """Find the results of a run. Raises RunError when the folder holds none, or one that cannot be read."""
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
    """What was judged: the hand-over, or else the program as it was."""
    return line.buggy_source if line.final_source is None else line.final_source


def _offsets(path: Path) -> Iterator[int]:
    at = 0
    with path.open("rb") as file:
        for line in file:
            yield at
            at += len(line)


Writer = Callable[[FinishedRun], Iterator[bytes]]
"""A format: what a file of it holds, in parts."""
