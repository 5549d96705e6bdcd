"""Reading of files, compressed ones and tracebacks included."""

from __future__ import annotations

import gzip
import heapq
from datetime import datetime, timezone, tzinfo
from pathlib import Path
from typing import Iterable, Iterator

from .formats import FORMATS, LineFormat, detect
from .record import LogRecord

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def open_log(path: str | Path):
    """Open for reading as text; bytes that are no UTF-8 are replaced."""
    path = Path(path)
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    return open(path, encoding="utf-8", errors="replace")


def parse_lines(
    lines: Iterable[str],
    line_format: LineFormat | None = None,
    source: str = "",
    default_tz: tzinfo = timezone.utc,
    skipped: list[int] | None = None,
) -> Iterator[LogRecord]:
    """Records of the lines; the numbers of lines left out go to ``skipped``."""
    pending: LogRecord | None = None
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        if line_format is None:
            if not line.strip():
                continue
            line_format = detect(line, default_tz)
        record = line_format.parse(line)
        if record is None:
            if line_format.multiline and pending is not None:
                pending.extra_lines.append(line)
            elif line.strip() and skipped is not None:
                skipped.append(number)
            continue
        record.source = source
        record.line = number
        if pending is not None:
            yield _finish(pending)
        pending = record
    if pending is not None:
        yield _finish(pending)


def _finish(record: LogRecord) -> LogRecord:
    while record.extra_lines and not record.extra_lines[-1].strip():
        record.extra_lines.pop()
    return record


def read_records(
    path: str | Path,
    format_name: str | None = None,
    default_tz: tzinfo = timezone.utc,
    skipped: list[int] | None = None,
) -> Iterator[LogRecord]:
    line_format = FORMATS[format_name](default_tz) if format_name else None
    with open_log(path) as stream:
        yield from parse_lines(stream, line_format, Path(path).name, default_tz, skipped)


def merge(streams: Iterable[Iterable[LogRecord]]) -> Iterator[LogRecord]:
    """Merge streams by time. Records without a time stay after the one before."""

    def keyed(stream, index):
        last = _EPOCH
        for position, record in enumerate(stream):
            if record.time is not None:
                last = record.time
            yield (last, index, position), record

    tagged = [keyed(stream, index) for index, stream in enumerate(streams)]
    for _, record in heapq.merge(*tagged, key=lambda pair: pair[0]):
        yield record
