"""Reads files of programs that others generated, and matches each sample with its task."""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from regreen.errors import TaskError
from regreen.syntax import FUNCTIONS, first_line, parsed_or_none
from regreen.tasks.sample_index import RECORDED_FAILED, RECORDED_PASSED, RECORDED_UNKNOWN, Samples, TaskSamples
from regreen.tasks.sample_rows import (
    MAX_PROGRAM,
    MAX_ROW,
    ROW_READERS,
    SampleEntry,
    SampleFormat,
    SampleRow,
    decode_row,
    format_of,
)
from regreen.tasks.text_file import decode_utf8, read_bytes
from regreen.types import Case, Task

__all__ = [
    "RECORDED_FAILED",
    "RECORDED_PASSED",
    "RECORDED_UNKNOWN",
    "Samples",
    "TaskSamples",
    "function_head",
    "read_samples",
]

_MAX_DOCUMENT_BYTES = 1 << 30
_BOM = b"\xef\xbb\xbf"
_ROLE = "the file of samples"
_ID_ALIASES: Mapping[str, tuple[tuple[str, str], ...]] = {"humanevalfix": (("HumanEval/", "Python/"),)}
"""By data set: prefixes of its ids as others write them, and its own."""
_DOCUMENT_REMEDY = "One list with a list for each task is needed, or SWE-bench's predictions."


def read_samples(
    path: Path, dataset: str, cases: Sequence[Case], *, form: SampleFormat | None = None, raw: bool = False
) -> Samples:
    """Find the samples in a file; the format is recognised by its content where `form` does not give it.

    With `raw`, the texts are replies of a model, whatever the format takes them for. Raises TaskError naming the row
    and field that cannot be used, or when no sample is for any of the cases.
    """
    index = _SampleIndexer(path, dataset.partition(":")[0], tuple(case.task for case in cases), form, raw)
    try:
        samples = index.read()
    except OSError as error:
        raise TaskError(
            f"{_ROLE} {path} cannot be read: {error.strerror or error}.", remedy="Check the path."
        ) from None
    if not len(samples):
        names = ", ".join(list(samples.strangers)[:3])
        what = f"its samples are for {names}" if names else "it holds no programs"
        raise TaskError(f"{path} has no sample for any task of {dataset}: {what}.", remedy="Is it for this data set?")
    return samples


def function_head(task: Task) -> str | None:
    """The task's program up to the body of the function to repair; None where it has no such function."""
    tree = parsed_or_none(task.source)
    for node in tree.body if tree else ():
        if isinstance(node, FUNCTIONS) and node.name == task.entry_point:
            first = first_line(node.body[0])
            if first > node.lineno:
                return "".join(line + "\n" for line in task.source.split("\n")[: first - 1])
    return None


class _SampleIndexer:
    """Reads a file once, and notes the place of each task's samples."""

    def __init__(self, path: Path, dataset: str, tasks: tuple[Task, ...], form: SampleFormat | None, raw: bool) -> None:
        self.path = path
        self.dataset = dataset
        self.tasks = tasks
        self.form = form
        self.raw = raw
        self.place_of = {task.id: place for place, task in enumerate(tasks)}
        self.found = tuple(TaskSamples() for _ in tasks)
        self.seen: tuple[set[int], ...] = tuple(set() for _ in tasks)
        self.strangers: Counter[str] = Counter()
        self.heads: dict[int, str] = {}
        self.empty = 0
        self.digest = hashlib.sha256()

    def read(self) -> Samples:
        """The samples of the whole file."""
        if not self.path.is_file():
            read_bytes(self.path, _ROLE)  # raises with what is wrong with it
        with self.path.open("rb") as file:
            lines = (line.removeprefix(_BOM).lstrip() for line in iter(lambda: file.readline(MAX_ROW), b""))
            first = next((line for line in lines if line), b"")
            file.seek(0)
            if not _begins_document(first, self.form):
                return self._lines(file)
        return self._document()

    def _lines(self, file: IO[bytes]) -> Samples:
        for place, line, row in self._rows(file):
            self.form = self.form or format_of(row)
            self._add_sample(place, line, row, ROW_READERS[self.form](row))
        return self._samples(self.form or SampleFormat.EVALPLUS, self.digest.hexdigest())

    def _samples(self, form: SampleFormat, digest: str, texts: tuple[Sequence[str], ...] | None = None) -> Samples:
        return Samples(
            self.path,
            form,
            digest,
            self.tasks,
            self.found,
            dict(self.strangers),
            self.empty,
            self.heads,
            texts,
            self.raw or form is SampleFormat.REPLIES,
        )

    def _rows(self, file: IO[bytes]) -> Iterator[tuple[int, bytes, SampleRow]]:
        place = number = 0
        while line := file.readline(MAX_ROW + 1):
            number += 1
            self.digest.update(line)
            if len(line) > MAX_ROW:
                raise SampleRow(self.path, number, {}).error(f"it is longer than {MAX_ROW:,} bytes")
            mark = len(_BOM) if not place and line.startswith(_BOM) else 0
            if line.strip():
                yield place + mark, line[mark:], decode_row(line[mark:], number, self.path)
            place += len(line)

    def _document(self) -> Samples:
        """A file that is one JSON value: lists of programs, or SWE-bench's predictions."""
        content = read_bytes(self.path, _ROLE, limit=_MAX_DOCUMENT_BYTES)
        value = _decoded(content, self.path)
        digest = hashlib.sha256(content).hexdigest()
        if self.form is not SampleFormat.BIGCODE and (self.form is SampleFormat.PREDS or _holds_objects(value)):
            return self._predictions(value, digest)
        return self._lists(value, digest)

    def _lists(self, lists: Any, digest: str) -> Samples:
        if not isinstance(lists, list):
            raise TaskError(f"{self.path} is no JSON list.", remedy=_DOCUMENT_REMEDY)
        if len(lists) > len(self.tasks):
            raise TaskError(
                f"{self.path} holds programs for {len(lists)} tasks, and the data set has {len(self.tasks)}.",
                remedy="The lists have to stand in the order of the data set, one for each task.",
            )
        for number, programs in enumerate(lists, start=1):
            _refuse_no_programs(programs, number, self.path)
        lists += [[]] * (len(self.tasks) - len(lists))
        self.found = tuple(_in_order(len(programs)) for programs in lists)
        return self._samples(SampleFormat.BIGCODE, digest, tuple(lists))

    def _predictions(self, value: Any, digest: str) -> Samples:
        texts: tuple[list[str], ...] = tuple([] for _ in self.tasks)
        for number, fields in enumerate(_entries(value, self.path), start=1):
            row = SampleRow(self.path, number, fields)
            sample = ROW_READERS[SampleFormat.PREDS](row)
            if (task := self._task_of(sample.task_id)) is not None:
                texts[task].append(sample.text or "")
            self._add_sample(0 if task is None else len(texts[task]) - 1, b"", row, sample)
        return self._samples(SampleFormat.PREDS, digest, texts)

    def _add_sample(self, place: int, line: bytes, row: SampleRow, sample: SampleEntry) -> None:
        task = self._task_of(sample.task_id)
        if task is None:
            self.strangers[sample.task_id] += 1
            return
        if sample.text is None:
            self.empty += 1
            return
        found, number = self.found[task], sample.number
        number = len(found) if number is None else number
        if number in self.seen[task]:
            raise row.error(f"sample {number} of this task occurs a second time", "Remove one of the two rows.")
        if sample.continues and not self.raw and task not in self.heads:
            self.heads[task] = self._head(task, row)
        self.seen[task].add(number)
        found.numbers.append(number)
        found.places.append(place)
        found.sums.append(zlib.crc32(line))
        found.recorded.append(
            RECORDED_UNKNOWN if sample.recorded is None else RECORDED_PASSED if sample.recorded else RECORDED_FAILED
        )

    def _head(self, task: int, row: SampleRow) -> str:
        head = function_head(self.tasks[task])
        if head is None:
            raise row.error("the field 'completion' goes on from a function, and the task has none to go on from")
        return head

    def _task_of(self, name: str) -> int | None:
        """The task of a sample; ids are understood with and without the data set's name before them."""
        short = name.removeprefix(f"{self.dataset}/")
        for begin, ours in _ID_ALIASES.get(self.dataset, ()):
            short = ours + short.removeprefix(begin) if short.startswith(begin) else short
        place = self.place_of.get(f"{self.dataset}/{short}")
        return self.place_of.get(name) if place is None else place


def _begins_document(first: bytes, form: SampleFormat | None) -> bool:
    """Whether a file is one JSON value, and not JSON lines, by its first line."""
    if form is SampleFormat.BIGCODE or (form in (None, SampleFormat.PREDS) and first.startswith(b"[")):
        return True
    if form not in (None, SampleFormat.PREDS) or not first.startswith(b"{"):
        return False
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return first.rstrip().endswith((b"{", b",", b"["))
    return _holds_objects(value)


def _holds_objects(value: Any) -> bool:
    """Whether a JSON value is predictions: objects in a list or by the task's name."""
    entries = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return bool(entries) and all(isinstance(entry, dict) for entry in entries)


def _entries(value: Any, path: Path) -> Iterator[dict[str, Any]]:
    """Predictions as rows. Raises TaskError where one is no object, or its key is not its `instance_id`."""
    named = list(value.items()) if isinstance(value, dict) else [(None, entry) for entry in value or ()]
    for number, (name, fields) in enumerate(named, start=1):
        if not isinstance(fields, dict):
            raise SampleRow(path, number, {}).error("it is no JSON object")
        if name is not None and fields.get("instance_id", name) != name:
            raise SampleRow(path, number, fields).error(f"it stands under another name, {name[:80]!r}")
        yield fields if name is None else {**fields, "instance_id": name}


def _in_order(count: int) -> TaskSamples:
    numbers = array("q", range(count))
    return TaskSamples(numbers, numbers, array("L", [0]) * count, bytearray(count))


def _decoded(content: bytes, path: Path) -> Any:
    try:
        return json.loads(decode_utf8(content, path, _ROLE))
    except (ValueError, RecursionError) as error:
        raise TaskError(f"{path} is no JSON ({error}).", remedy=_DOCUMENT_REMEDY) from None


def _refuse_no_programs(programs: object, number: int, path: Path) -> None:
    if not isinstance(programs, list):
        raise TaskError(f"row {number} of {path}: it is no list of programs.", remedy="Mend that row.")
    for place, program in enumerate(programs):
        if not isinstance(program, str) or len(program) > MAX_PROGRAM:
            what = "no text" if not isinstance(program, str) else f"longer than {MAX_PROGRAM:,} characters"
            raise TaskError(f"row {number} of {path}: sample {place} is {what}.", remedy="Mend that sample.")
