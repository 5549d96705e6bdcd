"""Rows of a data set's file: JSON lines and parquet read alike, and what can not be read is said."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import TaskError
from regreen.tasks.dataset import required_library
from regreen.tasks.rows import read_rows, rows_by_task

ROWS = [
    {"task_id": "a", "text": "x = '\u00e9'\n", "labels": {"kind": "one"}, "count": 3},
    {"task_id": "b", "text": None, "labels": {"kind": "two"}, "count": None},
]


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    arrow, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    writer.write_table(arrow.Table.from_pylist(rows), path)
    return path


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_parquet_and_json_lines_hold_the_same(tmp_path: Path) -> None:
    """Values, numbers of rows and order."""
    both = [list(read_rows(make(tmp_path / name, ROWS))) for make, name in ((lines, "r.jsonl"), (parquet, "r.parquet"))]
    for found in both:
        assert [(row.number, dict(row.fields)) for row in found] == list(enumerate(ROWS, start=1))


def test_a_parquet_file_is_read_in_many_pieces(tmp_path: Path) -> None:
    """Row numbers go on from piece to piece."""
    rows = [{"task_id": str(number)} for number in range(200)]
    assert [row.number for row in read_rows(parquet(tmp_path / "r.parquet", rows))] == list(range(1, 201))


def test_parquet_rows_are_named_like_others(tmp_path: Path) -> None:
    """With file, number and task."""
    first, second = read_rows(parquet(tmp_path / "r.parquet", ROWS))
    assert first.filled("text") == "x = '\u00e9'\n"
    with pytest.raises(TaskError, match=r"row 2 \(b\) of .*r.parquet: the field 'text' is NoneType, not text"):
        second.text("text")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\0" * 400 + b"PAR1", b'{"task_id": "a"}\n'])
def test_a_broken_parquet_file_is_no_traceback(tmp_path: Path, content: bytes) -> None:
    """Empty, cut off, torn, or JSON by another name."""
    pytest.importorskip("pyarrow")
    path = tmp_path / "broken.parquet"
    path.write_bytes(content)
    with pytest.raises(TaskError, match=r"broken\.parquet cannot be read as parquet"):
        list(read_rows(path))


def test_a_missing_library_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And JSON lines do without it."""
    path = parquet(tmp_path / "r.parquet", ROWS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TaskError, match=r"reading parquet files needs pyarrow.*pip install 'regreen\[data\]'"):
        list(read_rows(path))
    assert len(list(read_rows(lines(tmp_path / "r.jsonl", ROWS)))) == 2


def test_what_is_needed_is_handed_over() -> None:
    """The module itself, not the package around it."""
    assert required_library("json.decoder", "reading") is sys.modules["json.decoder"]


def test_no_two_rows_share_a_task(tmp_path: Path) -> None:
    """Nor is a row without one."""
    with pytest.raises(TaskError, match=r"row 2 \(a\).*a second time"):
        rows_by_task(lines(tmp_path / "r.jsonl", [ROWS[0], ROWS[0]]))
    with pytest.raises(TaskError, match=r"row 1 .*'task_id' is missing"):
        rows_by_task(lines(tmp_path / "r.jsonl", [{}]))
