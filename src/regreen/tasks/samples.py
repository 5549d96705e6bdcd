"""Programs that others generated: found in their file and matched with the tasks that they are meant for.

What is kept of a file of JSON lines is where each program stands; the programs themselves are read when they are
judged, so that a file may be larger than memory.
"""

from __future__ import annotations

import ast
import hashlib
import json
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from regreen.errors import TaskError
from regreen.tasks.sample_rows import MAX_PROGRAM, READERS, Format, Found, SampleRow, decode_row, format_of
from regreen.tasks.syntax import parse
from regreen.tasks.text_file import decode_utf8, read_bytes
from regreen.types import Case, Task

MAX_ROW = 64 << 20
MAX_DOCUMENT = 1 << 30
WHAT = "the file of samples"
ALIASES: Mapping[str, tuple[tuple[str, str], ...]] = {"humanevalfix": (("HumanEval/", "Python/"),)}
"""By data set: how others begin its ids, and how it begins them itself."""
UNKNOWN, FAILED, PASSED = range(3)
"""What was recorded of a sample when others judged it."""


@dataclass(slots=True)
class TaskSamples:
    """Where the samples of one task are; all four have an entry for each."""

    numbers: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))
    """Byte at which the row begins; for a list of lists the place in the task's own list."""
    sums: array[int] = field(default_factory=lambda: array("L"))
    """Checksum of the row, so that a file that changes meanwhile is noticed."""
    recorded: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of a file, by task."""

    path: Path
    format: Format
    digest: str
    """SHA-256 of the file."""
    tasks: tuple[Task, ...]
    of_task: tuple[TaskSamples, ...]
    """In the order of `tasks`; a task may have none."""
    strangers: Mapping[str, int]
    """Ids that no task of the data set has, with how many samples name them."""
    empty: int = 0
    """Rows that hold no program, because what should have made one failed."""
    heads: Mapping[int, str] = field(default_factory=dict)
    """By task: what its samples go on from, where they are no whole programs."""
    lists: tuple[list[str], ...] = ()
    """The programs themselves, for a list of lists alone."""

    def __len__(self) -> int:
        return sum(map(len, self.of_task))

    @property
    def without(self) -> tuple[str, ...]:
        """Ids of the tasks that have no samples."""
        return tuple(task.id for task, found in zip(self.tasks, self.of_task, strict=True) if not found)

    def program(self, task: int, position: int) -> str:
        """The program of one sample. Raises TaskError when the file is not what it was."""
        found = self.of_task[task]
        if self.format is Format.BIGCODE:
            return self.lists[task][found.places[position]]
        with self.path.open("rb") as file:
            file.seek(found.places[position])
            line = file.readline(MAX_ROW)
        if zlib.crc32(line) != found.sums[position]:
            raise TaskError(f"{self.path} has changed since it was read.", remedy="Judge it again from the start.")
        sample = READERS[self.format](decode_row(line, 0, self.path))
        text = sample.text or ""
        return self.heads[task] + text if sample.continues else text


def read_samples(path: Path, dataset: str, cases: Sequence[Case], *, form: Format | None = None) -> Samples:
    """Find the samples in a file; its content tells the format where `form` does not.

    Raises TaskError naming the row and field that cannot be used, or when no sample is for any of the cases.
    """
    try:
        samples = _read(path, dataset, tuple(case.task for case in cases), form)
    except OSError as error:
        raise TaskError(f"{WHAT} {path} cannot be read: {error.strerror or error}.", remedy="Check the path.") from None
    if not len(samples):
        names = ", ".join(list(samples.strangers)[:3])
        what = f"its samples are for {names}" if names else "it holds no programs"
        raise TaskError(f"{path} has no sample for any task of {dataset}: {what}.", remedy="Is it for this data set?")
    return samples


def head_of(task: Task) -> str | None:
    """The task's program up to the body of the function to repair; None where it has no such function."""
    tree = parse(task.source)
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == task.entry_point:
            first = min(at.lineno for at in (node.body[0], *getattr(node.body[0], "decorator_list", ())))
            if first > node.lineno:
                return "".join(line + "\n" for line in task.source.split("\n")[: first - 1])
    return None


def _read(path: Path, dataset: str, tasks: tuple[Task, ...], form: Format | None) -> Samples:
    if not path.is_file():
        read_bytes(path, WHAT)  # which says what is wrong with it
    with path.open("rb") as file:
        is_list = file.read(1 << 16).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
        file.seek(0)
        if form is Format.BIGCODE or (form is None and is_list):
            return _from_lists(path, tasks)
        return _Index(path, dataset, tasks, form).read(file)


class _Index:
    """Goes through a file of JSON lines once, and notes where each task's samples are."""

    def __init__(self, path: Path, dataset: str, tasks: tuple[Task, ...], form: Format | None) -> None:
        self.path = path
        self.dataset = dataset
        self.tasks = tasks
        self.form = form
        self.place_of = {task.id: place for place, task in enumerate(tasks)}
        self.found = tuple(TaskSamples() for _ in tasks)
        self.seen: tuple[set[int], ...] = tuple(set() for _ in tasks)
        self.strangers: Counter[str] = Counter()
        self.heads: dict[int, str] = {}
        self.empty = 0
        self.digest = hashlib.sha256()

    def read(self, file: IO[bytes]) -> Samples:
        """The samples of the whole file."""
        for place, line, row in self._rows(file):
            self.form = self.form or format_of(row)
            self._take(place, line, row, READERS[self.form](row))
        return Samples(
            self.path,
            self.form or Format.EVALPLUS,
            self.digest.hexdigest(),
            self.tasks,
            self.found,
            dict(self.strangers),
            self.empty,
            self.heads,
        )

    def _rows(self, file: IO[bytes]) -> Iterator[tuple[int, bytes, SampleRow]]:
        place = number = 0
        while line := file.readline(MAX_ROW + 1):
            number += 1
            self.digest.update(line)
            if len(line) > MAX_ROW:
                raise SampleRow(self.path, number, {}).error(f"it is longer than {MAX_ROW:,} bytes")
            mark = 3 if not place and line.startswith(b"\xef\xbb\xbf") else 0
            if line.strip():
                yield place + mark, line[mark:], decode_row(line[mark:], number, self.path)
            place += len(line)

    def _take(self, place: int, line: bytes, row: SampleRow, sample: Found) -> None:
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
        if sample.continues and task not in self.heads:
            self.heads[task] = self._head(task, row)
        self.seen[task].add(number)
        found.numbers.append(number)
        found.places.append(place)
        found.sums.append(zlib.crc32(line))
        found.recorded.append(UNKNOWN if sample.recorded is None else PASSED if sample.recorded else FAILED)

    def _head(self, task: int, row: SampleRow) -> str:
        head = head_of(self.tasks[task])
        if head is None:
            raise row.error("the field 'completion' goes on from a function, and the task has none to go on from")
        return head

    def _task_of(self, name: str) -> int | None:
        """The task that a sample is for; ids are understood with and without the data set's name before them."""
        short = name.removeprefix(f"{self.dataset}/")
        for begin, ours in ALIASES.get(self.dataset, ()):
            short = ours + short.removeprefix(begin) if short.startswith(begin) else short
        place = self.place_of.get(f"{self.dataset}/{short}")
        return self.place_of.get(name) if place is None else place


def _from_lists(path: Path, tasks: tuple[Task, ...]) -> Samples:
    content = read_bytes(path, WHAT, limit=MAX_DOCUMENT)
    lists = _lists(content, path)
    if len(lists) > len(tasks):
        raise TaskError(
            f"{path} holds programs for {len(lists)} tasks, and the data set has {len(tasks)}.",
            remedy="The lists have to stand in the order of the data set, one for each task.",
        )
    for number, programs in enumerate(lists, start=1):
        _refuse_no_programs(programs, number, path)
    lists += [[]] * (len(tasks) - len(lists))
    found = tuple(_in_order(len(programs)) for programs in lists)
    return Samples(path, Format.BIGCODE, hashlib.sha256(content).hexdigest(), tasks, found, {}, lists=tuple(lists))


def _in_order(count: int) -> TaskSamples:
    numbers = array("q", range(count))
    return TaskSamples(numbers, numbers, array("L", [0]) * count, bytearray(count))


def _lists(content: bytes, path: Path) -> list[Any]:
    try:
        lists = json.loads(decode_utf8(content, path, WHAT))
    except (ValueError, RecursionError) as error:
        raise TaskError(
            f"{path} is no JSON ({error}).", remedy="One list with a list for each task is needed."
        ) from None
    if not isinstance(lists, list):
        raise TaskError(f"{path} is no JSON list.", remedy="One list with a list for each task is needed.")
    return lists


def _refuse_no_programs(programs: object, number: int, path: Path) -> None:
    if not isinstance(programs, list):
        raise TaskError(f"row {number} of {path}: it is no list of programs.", remedy="Mend that row.")
    for place, program in enumerate(programs):
        if not isinstance(program, str) or len(program) > MAX_PROGRAM:
            what = "no text" if not isinstance(program, str) else f"longer than {MAX_PROGRAM:,} characters"
            raise TaskError(f"row {number} of {path}: sample {place} is {what}.", remedy="Mend that sample.")
