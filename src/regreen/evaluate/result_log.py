"""The results of one run on disk: no task and sample twice, nothing finished lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.provenance import utc_now
from regreen.evaluate.records import RESULT_SCHEMA, Result, ResultLine, SampleKey, first_field_error

if TYPE_CHECKING:
    from regreen.evaluate.sample_runner import CompletedSample

RESULTS = "results.jsonl"

_ERROR_LOG = "errors.log"


@dataclass(frozen=True, slots=True)
class PriorSpending:
    """Tokens and money that earlier starts of a run have spent; both are limited over the whole run."""

    tokens: int = 0
    usd: float = 0.0

    def plus(self, line: ResultLine) -> PriorSpending:
        """The spending with one more sample."""
        usage = line.token_usage
        return PriorSpending(self.tokens + usage.prompt + usage.completion, self.usd + (line.cost_usd or 0.0))


def read_results(path: Path) -> Iterator[ResultLine]:
    """The lines of a results file in order; one that a crash tore is left out, and the file is not touched.

    Raises RunError naming a line that is no result, is of another schema, or repeats an earlier one.
    """
    seen: dict[SampleKey, int] = {}
    for row in jsonl.read_lines(path):
        line = _validated(row, path)
        if (first := seen.setdefault(line.key, row.number)) != row.number:
            raise RunError(
                f"line {row.number} of {path} repeats line {first}: {line.task_id}, sample {line.sample}.",
                remedy="Remove one of the two.",
            )
        yield line


class ResultLog:
    """Appends results to results.jsonl; only the holder of the run's lock may open one."""

    def __init__(self, path: Path) -> None:
        """Open or begin a results file; errors in it are removed, so that their samples are tried again."""
        self.path = path
        self.note = jsonl.repair_last_line(path)
        """What was done about a torn last line; "" where there was none."""
        self.outcomes: dict[SampleKey, Result] = {}
        """Outcomes of the samples on record."""
        self.spent = PriorSpending()
        """What the samples had cost when the log was opened, failed ones included."""
        for line in read_results(path):
            self.outcomes[line.key] = line.outcome
            self.spent = self.spent.plus(line)
        self._drop_errors()

    def add(self, line: ResultLine) -> None:
        """Append a line and wait until the disk has it. Raises RunError for a repeated or unwritable one."""
        if line.key in self.outcomes:
            raise RunError(f"{line.task_id}, sample {line.sample}, is in {self.path} already.")
        jsonl.append_line(self.path, line.values())
        self.outcomes[line.key] = line.outcome

    def counts(self) -> Counter[Result]:
        """Samples on record, by outcome."""
        return Counter(self.outcomes.values())

    def record(self, completed: CompletedSample) -> None:
        """Append the line of a sample, and the traceback of its error to errors.log beside it."""
        self.add(completed.line)
        if completed.error is not None:
            self._log(completed)

    def _log(self, completed: CompletedSample) -> None:
        # A traceback tells of our code and not of the case, so it has no place in the records.
        head = f"{utc_now()} {completed.line.task_id} sample {completed.line.sample}"
        with self.path.with_name(_ERROR_LOG).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{head}\n{completed.trace}\n")

    def _drop_errors(self) -> None:
        if Result.ERROR not in self.outcomes.values():
            return
        kept = (line for line in read_results(self.path) if line.outcome is not Result.ERROR)
        jsonl.replace_file(self.path, (jsonl.encode_line(line.values()) for line in kept))
        self.outcomes = {key: outcome for key, outcome in self.outcomes.items() if outcome != Result.ERROR}


def _validated(row: jsonl.JsonLine, path: Path) -> ResultLine:
    if row.values.get("schema") != RESULT_SCHEMA:
        raise RunError(
            f"line {row.number} of {path} has schema {row.values.get('schema')!r}; this version reads {RESULT_SCHEMA}.",
            remedy="Read it with the version of regreen that wrote it.",
        )
    try:
        return ResultLine.model_validate(row.values)
    except ValidationError as error:
        raise RunError(
            f"line {row.number} of {path} is no result: {first_field_error(error)}.",
            remedy="Remove that line; with --resume its case is done again.",
        ) from None
