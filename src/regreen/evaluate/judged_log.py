"""The record of judged samples: the schema of one line, the file of all, and their states in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.records import AnyText, CheckLine, ErrorLine, first_field_error
from regreen.tasks.samples import Samples
from regreen.types import Isolation

if TYPE_CHECKING:
    from regreen.evaluate.run_loop import CompletedJob
    from regreen.evaluate.sample_suites import JudgingJob

JUDGED = "judged.jsonl"

JudgedOutcome = Literal["passed", "failed", "error"]
"""An error is a fault of the machine: it says nothing about the program, and is tried again on resuming."""


class JudgedLine(BaseModel):
    """The verdict on one program under one prelude: a line of judged.jsonl."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    schema_version: Literal[1] = Field(default=1, alias="schema")
    task_id: AnyText
    sample: int
    dataset: str
    prelude: str
    outcome: JudgedOutcome
    passed: bool
    recorded_passed: bool | None = None
    """The verdict that the samples file has for it; None where it has none."""
    outcomes: dict[str, int] = {}
    """Checks by outcome; those after the first that does not pass are not run."""
    checks_total: int = 0
    unproven: int = 0
    """Checks that passed by the program's own word, or that no negative control reaches."""
    failed_check: CheckLine | None = None
    """The first check that did not pass."""
    fault: AnyText = ""
    """Why no program could be taken from the sample, which fails without being run; empty where one could."""
    detail: AnyText = ""
    """The verdict on the program as a whole, e.g. a syntax error."""
    isolation: Isolation | None = None
    no_wall: AnyText = ""
    """What the sandbox did not promise, where it was no wall."""
    seconds: float = 0.0
    same_as: int | None = None
    """An earlier sample of the task with the same program, whose verdict this is; None where this one was judged."""
    candidate_id: str = ""
    """The start of the SHA-256 of the program, without the prelude."""
    labels: dict[AnyText, AnyText] = {}
    error: ErrorLine | None = None

    def values(self) -> dict[str, Any]:
        """The line as plain data, under the names that the file has."""
        return self.model_dump(by_alias=True)


class JudgedState(IntEnum):
    """State of one sample under one prelude, in one byte."""

    PENDING = 0
    FAILED = 1
    PASSED = 2
    ERROR = 3


_STATE_OF: dict[JudgedOutcome, JudgedState] = {
    "passed": JudgedState.PASSED,
    "failed": JudgedState.FAILED,
    "error": JudgedState.ERROR,
}


class JudgedStates:
    """The state of every sample under every prelude, one byte each: memory stays small over millions of samples."""

    def __init__(self, samples: Samples, preludes: Sequence[str]) -> None:
        self.samples = samples
        self.preludes = tuple(preludes)
        self.faults = 0
        """Samples from which no program could be taken; they failed, each under every prelude."""
        self.by_prelude = {name: tuple(bytearray(len(found)) for found in samples.of_task) for name in preludes}
        """States by name of the prelude, rank of the task and position of the sample."""

    def put(self, prelude: str, task: int, position: int, state: JudgedState) -> None:
        """Set the state of one sample."""
        self.by_prelude[prelude][task][position] = state

    def get(self, prelude: str, task: int, position: int) -> JudgedState:
        """The state of one sample."""
        return JudgedState(self.by_prelude[prelude][task][position])

    def count_fault(self, line: JudgedLine) -> None:
        """Count a sample without a program, once for all preludes."""
        self.faults += bool(line.fault) and line.prelude == self.preludes[0]

    def count(self, state: JudgedState) -> int:
        """Samples in this state, under all preludes together."""
        return sum(states.count(state) for tasks in self.by_prelude.values() for states in tasks)

    @property
    def total(self) -> int:
        """Samples to judge, once for each prelude."""
        return len(self.samples) * len(self.preludes)


class JudgedLog:
    """Counts judged samples, and appends them to judged.jsonl; only the holder of the run's lock may open one."""

    def __init__(self, path: Path | None, states: JudgedStates) -> None:
        """Open or begin a file and enter its samples in `states`; errors in it are removed, to be tried again.

        Without a path, samples are only counted.
        """
        self.states = states
        self.note = ""
        """What was done about a torn last line; "" where there was none."""
        self._path = path
        if path is not None:
            self._read(path)

    def counts(self) -> dict[JudgedOutcome, int]:
        """Judged samples, by outcome."""
        return {outcome: self.states.count(state) for outcome, state in _STATE_OF.items()}

    def record(self, completed: CompletedJob[JudgingJob, JudgedLine]) -> None:
        """Append a line, wait until the disk has it, and count it. Raises RunStorageError when it cannot be written."""
        job, line = completed.job, completed.line
        if self._path is not None:
            jsonl.append_line(self._path, line.values())
        self.states.put(self.states.preludes[job.prelude], job.task, job.position, _STATE_OF[line.outcome])
        self.states.count_fault(line)

    def _read(self, path: Path) -> None:
        self.note = jsonl.repair_last_line(path)
        errors = sum(line.outcome == "error" for line in self._entered(path))
        if errors:
            kept = (line for line in read_judged(path) if line.outcome != "error")
            jsonl.replace_file(path, (jsonl.encode_line(line.values()) for line in kept))

    def _entered(self, path: Path) -> Iterator[JudgedLine]:
        """The lines of the file, each entered in the states. Raises RunError for a line of another run."""
        states = self.states
        tasks = {task.id: rank for rank, task in enumerate(states.samples.tasks)}
        positions: dict[int, dict[int, int]] = {}
        for line in read_judged(path):
            task = tasks.get(line.task_id, -1)
            if task not in positions and task >= 0:
                numbers = states.samples.of_task[task].numbers
                positions[task] = {number: position for position, number in enumerate(numbers)}
            position = positions.get(task, {}).get(line.sample)
            if position is None or line.prelude not in states.preludes:
                raise _refusal(path, line, "is none of this run's")
            if states.get(line.prelude, task, position) is not JudgedState.PENDING:
                raise _refusal(path, line, "occurs twice")
            if line.outcome != "error":
                states.count_fault(line)
                states.put(line.prelude, task, position, JudgedState.PASSED if line.passed else JudgedState.FAILED)
            yield line


def _refusal(path: Path, line: JudgedLine, what: str) -> RunError:
    return RunError(
        f"{path}: {line.task_id}, sample {line.sample} (prelude {line.prelude}), {what}.",
        remedy="Remove that line.",
    )


def read_judged(path: Path) -> Iterator[JudgedLine]:
    """The lines of a file in order; one that a crash tore is left out. Raises RunError naming a line that is none."""
    for row in jsonl.read_lines(path):
        try:
            yield JudgedLine.model_validate(row.values)
        except ValidationError as error:
            raise RunError(
                f"line {row.number} of {path} is no judged sample: {first_field_error(error)}.",
                remedy="Remove that line; with --resume its sample is judged again.",
            ) from None
