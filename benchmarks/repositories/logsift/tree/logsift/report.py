"""Output of tables as aligned text, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .record import LogRecord


@dataclass
class Table:
    title: str
    columns: list[str]
    rows: list[list[Any]] = field(default_factory=list)

    def add(self, *cells: Any) -> None:
        if len(cells) != len(self.columns):
            raise ValueError(f"{self.title}: {len(self.columns)} cells expected")
        self.rows.append(list(cells))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)


def to_text(table: Table) -> str:
    cells = [[_cell(value) for value in row] for row in table.rows]
    widths = [
        max([len(heading)] + [len(row[i]) for row in cells])
        for i, heading in enumerate(table.columns)
    ]
    numeric = [
        bool(table.rows) and all(isinstance(row[i], (int, float)) for row in table.rows)
        for i in range(len(table.columns))
    ]

    def line(values):
        padded = [
            v.rjust(w) if right else v.ljust(w) for v, w, right in zip(values, widths, numeric)
        ]
        return "  ".join(padded).rstrip()

    out = [table.title, line(table.columns), line(["-" * w for w in widths])]
    out.extend(line(row) for row in cells)
    return "\n".join(out) + "\n"


def to_csv(table: Table) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow([_cell(value) for value in row])
    return buffer.getvalue()


def to_json(table: Table) -> str:
    rows = [dict(zip(table.columns, row)) for row in table.rows]
    data = {"title": table.title, "rows": rows}
    return json.dumps(data, ensure_ascii=False, default=_cell) + "\n"


RENDERERS = {"text": to_text, "csv": to_csv, "json": to_json}


def format_record(record: LogRecord, with_source: bool = False) -> str:
    moment = _cell(record.time) or "-"
    head = f"{moment} {record.level.upper()}"
    if with_source:
        head = f"{record.source}:{record.line}: {head}"
    name = f" {record.logger}:" if record.logger else ""
    return "\n".join([f"{head}{name} {record.message}", *record.extra_lines])
