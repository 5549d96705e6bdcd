"""The samples of a file, by task.

Of a file of JSON lines only the place of each sample is kept in memory; the samples themselves are read when they are
judged, so that a file may be larger than memory.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks.sample_rows import MAX_ROW, ROW_READERS, SampleContent, SampleFormat, decode_row
from regreen.types import Task

RECORDED_UNKNOWN, RECORDED_FAILED, RECORDED_PASSED = range(3)
"""The recorded verdict of another judge on a sample."""
_CONTENT_OF_FORMAT = {SampleFormat.PREDS: SampleContent.PATCHES, SampleFormat.REPLIES: SampleContent.REPLIES}
"""The content of the formats whose texts are no programs."""


@dataclass(slots=True)
class TaskSamples:
    """The places of the samples of one task; all four fields have an entry for each sample."""

    numbers: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))
    """Byte offset of the row; for one JSON document the index among the task's own texts."""
    sums: array[int] = field(default_factory=lambda: array("L"))
    """CRC-32 of the row, so that a change of the file is noticed."""
    recorded: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of a file, by task."""

    path: Path
    format: SampleFormat
    digest: str
    """SHA-256 of the file."""
    tasks: tuple[Task, ...]
    of_task: tuple[TaskSamples, ...]
    """The samples of each task, in the order of `tasks`; a task may have none."""
    strangers: Mapping[str, int]
    """Ids that no task of the data set has, with their number of samples."""
    empty: int = 0
    """Rows without a sample, because making one failed."""
    heads: Mapping[int, str] = field(default_factory=dict)
    """By task: the text that its samples continue, where they are no whole programs."""
    texts: tuple[Sequence[str], ...] | None = None
    """By task: the samples themselves, where the file is one JSON document."""
    raw: bool = False
    """Whether the texts are replies of a model, whatever the format takes them for."""

    def __len__(self) -> int:
        return sum(map(len, self.of_task))

    @property
    def without(self) -> tuple[str, ...]:
        """Ids of the tasks that have no samples."""
        return tuple(task.id for task, found in zip(self.tasks, self.of_task, strict=True) if not found)

    @property
    def holds(self) -> SampleContent:
        """What the texts are."""
        return SampleContent.REPLIES if self.raw else _CONTENT_OF_FORMAT.get(self.format, SampleContent.PROGRAMS)

    def text(self, task: int, position: int) -> str:
        """One sample: a program, a patch or a reply. Raises TaskError when the file has changed."""
        found = self.of_task[task]
        if self.texts is not None:
            return self.texts[task][found.places[position]]
        with self.path.open("rb") as file:
            file.seek(found.places[position])
            line = file.readline(MAX_ROW)
        if zlib.crc32(line) != found.sums[position]:
            raise TaskError(f"{self.path} has changed since it was read.", remedy="Judge it again from the start.")
        sample = ROW_READERS[self.format](decode_row(line, 0, self.path))
        text = sample.text or ""
        return self.heads[task] + text if sample.continues and not self.raw else text
