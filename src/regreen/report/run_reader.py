"""Reads the result lines of a run, of Regreen or another tool; lines that are no results become remarks, not errors."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from regreen.errors import RunError
from regreen.evaluate.judged_log import JUDGED
from regreen.evaluate.provenance import RUN_FILE
from regreen.evaluate.result_log import RESULTS
from regreen.report.record_fields import (
    count_field,
    number_field,
    number_map_field,
    object_field,
    object_list_field,
    planned_samples,
    text_field,
    truth_field,
)
from regreen.report.sample import (
    MAX_ID,
    Sample,
    Setup,
    iteration_of,
    judged_of,
    labels_of,
    origin_of_line,
    outcome_of,
    program_checksum,
    setup_of,
    stop_of,
    why_foreign,
)

MAX_LINE = 64 << 20
"""Bytes of one line that are read."""
_MAX_HEADER = 8 << 20
_TORN = "it was torn"


@dataclass(frozen=True, slots=True)
class IterationSpending:
    """What the replies of one iteration took, all samples together."""

    replies: int = 0
    tokens: int = 0
    """Of prompts and replies."""
    seconds: float = 0.0
    usd: float | None = 0.0
    """None where the price of one of them is not known."""

    def plus(self, turn: Mapping[str, Any]) -> IterationSpending:
        """With one more reply."""
        tokens = (count_field(turn, "prompt_tokens") or 0) + (count_field(turn, "completion_tokens") or 0)
        price = number_field(turn, "usd")
        usd = None if self.usd is None or price is None else self.usd + price
        seconds = self.seconds + (number_field(turn, "seconds") or 0.0)
        return IterationSpending(self.replies + 1, self.tokens + tokens, seconds, usd)


@dataclass(frozen=True, slots=True)
class ReplyCounts:
    """What came of the model's replies, all samples together."""

    replies: int = 0
    cut_off: int = 0
    """Replies that the service ended at the limit of their length."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Replies without a usable candidate, by the kind of their fault."""
    by_iteration: Mapping[int, IterationSpending] = field(default_factory=dict)
    """What they took, by iteration, in its order."""


@dataclass(frozen=True, slots=True)
class Run:
    """The samples of one results file, in its order, with the remarks on the file."""

    name: str
    path: Path
    """The results file."""
    samples: tuple[Sample, ...]
    header: Mapping[str, Any] = field(default_factory=dict)
    """The content of run.json; empty where there is none."""
    stages: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, all samples together."""
    replies: ReplyCounts = ReplyCounts()
    remarks: tuple[str, ...] = ()
    """Sentences for the reader of the report, e.g. how many lines were left out."""

    @property
    def planned(self) -> int | None:
        """How many samples the run set out to decide; None where nothing says."""
        return planned_samples(self.header)


def read_run(path: Path, *, each: Callable[[Sample], object] | None = None) -> Run:
    """Read the run in a folder, or a results file by itself.

    With `each`, samples are handed to it as they are read, and the run keeps none of them. Raises RunError when there
    is no such run, or no line of the file is a result.
    """
    folder, file = _places(path)
    samples: list[Sample] = []
    header = _header(folder) if file.name in (RESULTS, JUDGED) else {}
    preludes = object_field(object_field(header, "settings"), "preludes")
    reading = _RunReader(each or samples.append, next(iter(preludes), None))
    if file.exists():
        reading.read(file)
    run = Run(
        name=_name(path),
        path=file,
        samples=tuple(samples),
        header=header,
        stages=dict(reading.stages),
        replies=ReplyCounts(
            reading.replies, reading.cut_off, dict(reading.faults.most_common()), dict(sorted(reading.spending.items()))
        ),
        remarks=tuple(reading.remarks()),
    )
    foreign = [why for why in reading.foreign if not (header and why == _TORN)]
    if not reading.taken and foreign:
        first = foreign[0]
        raise RunError(
            f"{file} holds no result: line {reading.foreign[first][0]}, for one, is none, since {first}.",
            remedy="Give a run's folder, or a results.jsonl of the schema; `regreen import` takes those of others.",
        )
    return run


def read_sample_lines(run: Run, samples: list[Sample]) -> Iterator[tuple[Sample, Mapping[str, Any]]]:
    """The whole lines of some samples of a run, read again from its file; an empty one where it has changed since."""
    if not samples:
        return
    with run.path.open("rb") as file:
        for sample in samples:
            file.seek(sample.start)
            values = _decoded(file.read(sample.size)) or {}
            yield sample, values if text_field(values, "task_id")[:MAX_ID] == sample.task_id else {}


class _RunReader:
    """Reads one results file, line by line, and counts the lines that are no results."""

    def __init__(self, each: Callable[[Sample], object], prelude: str | None = None) -> None:
        """Samples are handed to `each`; of programs judged under several preludes, those under `prelude`."""
        self._each = each
        self.taken = 0
        """Number of samples read."""
        self.stages: Counter[str] = Counter()
        self.replies = self.cut_off = 0
        self.faults: Counter[str] = Counter()
        """Replies by the kind of their fault, those without one left out."""
        self.spending: dict[int, IterationSpending] = defaultdict(IterationSpending)
        self.foreign: dict[str, list[int]] = defaultdict(list)
        """Line numbers, from 1, of the lines that are no results, by reason."""
        self.no_wall: str = ""
        """What the sandbox did not promise, where it was no wall."""
        self._seen: dict[str, set[int]] = defaultdict(set)
        self._setups: dict[Setup, Setup] = {}
        self._labels: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
        self._prelude = prelude

    def read(self, path: Path) -> None:
        """Read every line of a file. Raises RunError when it cannot be read."""
        try:
            with path.open("rb") as file:
                for number, start, line in _lines(file):
                    if why := self._take(line, start):
                        self.foreign[why].append(number)
        except OSError as error:
            raise RunError(f"{path} cannot be read: {error.strerror or error}.", remedy="Check the path.") from error

    def remarks(self) -> Iterator[str]:
        """A sentence for a sandbox that was no wall, and for each reason why lines were left out."""
        if self.no_wall:
            yield f"{self.no_wall}."
        for why, numbers in self.foreign.items():
            lines = f"Line {numbers[0]} was" if len(numbers) == 1 else f"{len(numbers):,} lines were"
            first = "" if len(numbers) == 1 else f", line {numbers[0]} first"
            yield f"{lines} left out: {why}{first}."

    def _take(self, line: bytes, start: int) -> str:
        """Count one line; returns why it was left out, "" when it was not."""
        if not line.strip():
            return ""
        values = _decoded(line)
        if values is None:
            return self._undecoded(line)
        if why := why_foreign(values) or self._why_other_prelude(values):
            return why
        task = text_field(values, "task_id")[:MAX_ID]
        seen = self._seen[task]
        recorded = count_field(values, "sample")
        number = len(seen) if recorded is None else recorded
        if number in seen:
            return "it repeats an earlier sample"
        seen.add(number)
        self.stages.update(number_map_field(values, "timings_sec"))
        self._count_replies(object_list_field(values, "turns"))
        self.taken += 1
        self.no_wall = self.no_wall or text_field(values, "no_wall")[:MAX_ID]
        self._each(self._sample(values, task, number, start, len(line)))
        return ""

    def _count_replies(self, turns: Sequence[Mapping[str, Any]]) -> None:
        self.replies += len(turns)
        for turn in turns:
            if (iteration := count_field(turn, "iteration")) is not None:
                self.spending[iteration] = self.spending[iteration].plus(turn)
            fault = text_field(turn, "fault")[:MAX_ID]
            self.faults.update([fault] if fault else [])
            self.cut_off += text_field(turn, "finish") == "length"

    @staticmethod
    def _undecoded(line: bytes) -> str:
        if len(line) > MAX_LINE:
            return f"it is longer than {MAX_LINE >> 20} MiB"
        return "it is no JSON object" if line.endswith(b"\n") else _TORN

    def _why_other_prelude(self, values: Mapping[str, Any]) -> str:
        """Of programs judged under several preludes, only the results under the first of the run are counted."""
        if not (prelude := text_field(values, "prelude")):
            return ""
        self._prelude = self._prelude or prelude
        return "" if prelude == self._prelude else f"it was judged under another prelude than {self._prelude!r}"

    def _sample(self, values: Mapping[str, Any], task: str, number: int, start: int, size: int) -> Sample:
        usage, labels, setup = object_field(values, "token_usage"), labels_of(values), setup_of(values)
        seconds = number_field(values, "runtime_sec")
        outcome = outcome_of(values)
        assert outcome is not None
        return Sample(
            task_id=task,
            number=number,
            setup=self._setups.setdefault(setup, setup),
            outcome=outcome,
            plausible=truth_field(values, "plausible"),
            robust=truth_field(values, "robust"),
            stop=stop_of(values),
            origin=origin_of_line(values),
            iteration=iteration_of(values),
            judged=judged_of(values),
            candidates=count_field(values, "candidates") or 0,
            model_calls=count_field(values, "model_calls") or 0,
            prompt_tokens=count_field(usage, "prompt"),
            completion_tokens=count_field(usage, "completion") or 0,
            usd=number_field(values, "cost_usd") if setup.model or setup.strategy != "search" else 0.0,
            seconds=number_field(values, "seconds") if seconds is None else seconds,
            labels=self._labels.setdefault(tuple(labels.items()), labels),
            program=program_checksum(values),
            start=start,
            size=size,
        )


def _places(path: Path) -> tuple[Path, Path]:
    """The folder that may hold a run.json, and the results file."""
    if path.is_file():
        return path.parent, path
    if not path.is_dir():
        raise RunError(f"{path} does not exist.", remedy="Give a run's folder, or a results.jsonl.")
    for name in (RESULTS, JUDGED):
        if (path / name).is_file():
            return path, path / name
    if (path / RUN_FILE).is_file():
        return path, path / RESULTS
    raise RunError(
        f"{path} holds no run: there is neither {RESULTS} nor {RUN_FILE} in it.",
        remedy="Give the folder that `regreen eval -o` wrote, or a results.jsonl.",
    )


def _name(path: Path) -> str:
    """The name of a run: its folder, or its file where that has a name of its own."""
    whole = path.absolute()
    return whole.parent.name if whole.name in (RESULTS, JUDGED) and whole.parent.name else whole.name


def _header(folder: Path) -> Mapping[str, Any]:
    try:
        with (folder / RUN_FILE).open("rb") as file:
            return _decoded(file.read(_MAX_HEADER)) or {}
    except OSError:
        return {}


def _lines(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """Number, first byte and bytes of each line; of one that is too long, a byte more than may be read."""
    number = start = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        kept, length = line, len(line)
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)
            length += len(line)
        yield number, start, kept
        start += length


def _decoded(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None when it is torn, too long or something else."""
    if len(line) > MAX_LINE:
        return None
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None
