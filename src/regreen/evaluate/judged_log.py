"""What judging leaves: the schema of one judged sample, its file, and a tally that stays small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.records import AnyText, CheckLine, ErrorLine
from regreen.tasks.samples import Samples
from regreen.types import Isolation

JUDGED = "judged.jsonl"


class JudgedLine(BaseModel):
    """One program under one prelude, as it was judged."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    task_id: AnyText
    sample: int
    dataset: str
    prelude: str
    outcome: Literal["passed", "failed", "error"]
    """An error is a fault of the machine: it says nothing about the program, and is tried again on resuming."""
    passed: bool
    recorded_passed: bool | None = None
    """What others recorded when they judged it."""
    outcomes: dict[str, int] = {}
    """Checks by outcome; those after the first that does not pass are not run."""
    checks_total: int = 0
    failed_check: CheckLine | None = None
    """The first check that did not pass."""
    fault: AnyText = ""
    """Why no program could be taken from the sample, which was then not run; empty where one was."""
    detail: AnyText = ""
    """What the verdict says of the program as a whole, e.g. a syntax error."""
    isolation: Isolation | None = None
    seconds: float = 0.0
    candidate_id: str = ""
    """The start of the SHA-256 of the program, without the prelude."""
    labels: dict[AnyText, AnyText] = {}
    error: ErrorLine | None = None

    def values(self) -> dict[str, Any]:
        """The line as plain data, under the names that the file has."""
        return self.model_dump(by_alias=True)


class JudgedState(IntEnum):
    """How a sample stands; one byte of a tally."""

    PENDING = 0
    FAILED = 1
    PASSED = 2
    ERROR = 3


class JudgedStates:
    """A byte for each sample under each prelude: all that is kept of a verdict once it is written."""

    def __init__(self, samples: Samples, preludes: Sequence[str]) -> None:
        self.samples = samples
        self.preludes = tuple(preludes)
        self.faults = 0
        """Samples, once for each prelude, from which no program could be taken; they failed."""
        self.marks = {name: tuple(bytearray(len(found)) for found in samples.of_task) for name in preludes}

    def put(self, prelude: str, task: int, position: int, mark: JudgedState) -> None:
        """Note how one sample ended."""
        self.marks[prelude][task][position] = mark

    def get(self, prelude: str, task: int, position: int) -> JudgedState:
        """How one sample stands."""
        return JudgedState(self.marks[prelude][task][position])

    def count(self, mark: JudgedState) -> int:
        """Samples that stand so, under all preludes together."""
        return sum(marks.count(mark) for tasks in self.marks.values() for marks in tasks)

    @property
    def total(self) -> int:
        """Samples to judge, once for each prelude."""
        return len(self.samples) * len(self.preludes)


class JudgedLog:
    """Appends judged samples; only whoever holds the run's lock may open one."""

    def __init__(self, path: Path, tally: JudgedStates) -> None:
        """Open or begin a file, and note in `tally` what it holds; errors in it are taken out, to be tried again.

        `note` says that a torn last line was mended; it is "" where there was none.
        """
        self.path = path
        self.note = jsonl.repair_last_line(path)
        errors = Counter(line.outcome for line in self._known(tally))["error"]
        if errors:
            kept = (line for line in read_judged(path) if line.outcome != "error")
            jsonl.replace_file(path, (jsonl.encode_line(line.values()) for line in kept))

    def add(self, line: JudgedLine) -> None:
        """Append a line and wait until the disk has it. Raises RunStorageError when it does not take it."""
        jsonl.append_line(self.path, line.values())

    def _known(self, tally: JudgedStates) -> Iterator[JudgedLine]:
        tasks = {task.id: place for place, task in enumerate(tally.samples.tasks)}
        positions: dict[int, dict[int, int]] = {}
        for line in read_judged(self.path):
            task = tasks.get(line.task_id, -1)
            if task not in positions and task >= 0:
                numbers = tally.samples.of_task[task].numbers
                positions[task] = {number: position for position, number in enumerate(numbers)}
            position = positions.get(task, {}).get(line.sample)
            if position is None or line.prelude not in tally.preludes:
                raise self._refusal(line, "is none of this run's")
            if tally.get(line.prelude, task, position) is not JudgedState.PENDING:
                raise self._refusal(line, "occurs twice")
            if line.outcome != "error":
                tally.faults += bool(line.fault)
                tally.put(line.prelude, task, position, JudgedState.PASSED if line.passed else JudgedState.FAILED)
            yield line

    def _refusal(self, line: JudgedLine, what: str) -> RunError:
        return RunError(
            f"{self.path}: {line.task_id}, sample {line.sample} (prelude {line.prelude}), {what}.",
            remedy="Remove that line.",
        )


def read_judged(path: Path) -> Iterator[JudgedLine]:
    """The lines of a file in order; one that a crash tore is left out. Raises RunError naming a line that is none."""
    for row in jsonl.read_lines(path):
        try:
            yield JudgedLine.model_validate(row.values)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise RunError(
                f"line {row.number} of {path} is no judged sample: {where}: {first['msg']}.",
                remedy="Remove that line; with --resume its sample is judged again.",
            ) from None
