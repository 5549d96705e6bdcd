"""Lines on disk that survive any crash and any text."""

from __future__ import annotations

import errno
import json
import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import RunError, RunStorageError
from regreen.evaluate import jsonl

TEXT = st.text(st.characters(), max_size=8)
"""With lone surrogates and control characters."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=3)


@given(OBJECTS)
def test_what_is_written_is_read(values: dict[str, object]) -> None:
    """Any text and any plain value, on one line of ASCII."""
    line = jsonl.encode_line(values)
    assert json.loads(line) == values
    assert line.isascii()
    assert line.count(b"\n") == 1


def test_numbers_that_json_lacks_become_text() -> None:
    """A strict reader in any language can read every line."""
    line = jsonl.encode_line({"a": math.nan, "b": [math.inf, (-math.inf,)], "c": {1: math.nan}})
    assert json.loads(line) == {"a": "nan", "b": ["inf", ["-inf"]], "c": {"1": "nan"}}


@given(st.lists(OBJECTS, min_size=1, max_size=4), st.data())
def test_a_file_that_was_cut_at_any_byte_is_mended(objects: list[dict[str, object]], data: st.DataObject) -> None:
    """Whole lines stay, the torn one goes or is completed, what comes next is whole, and the note says so."""
    content = b"".join(map(jsonl.encode_line, objects))
    cut = data.draw(st.integers(0, len(content)))
    kept = content[:cut].count(b"\n")
    complete = cut in {len(content[:end]) - 1 for end in range(1, len(content) + 1) if content[end - 1 : end] == b"\n"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.jsonl")
        path.write_bytes(content[:cut])
        before = [row.values for row in jsonl.read_lines(path)]
        note = jsonl.repair_last_line(path)
        assert bool(note) == (cut > 0 and not content[:cut].endswith(b"\n"))
        assert [row.values for row in jsonl.read_lines(path)] == before == objects[: kept + complete]
        jsonl.append_line(path, {"next": 1})
        assert [row.values for row in jsonl.read_lines(path)] == [*before, {"next": 1}]
        assert jsonl.repair_last_line(path) == ""


def test_a_long_torn_line_is_found(tmp_path: Path) -> None:
    """Its beginning may lie far before the end of the file."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b": "' + b"x" * 200_000)
    assert "200007 bytes" in jsonl.repair_last_line(path)
    assert path.read_bytes() == b'{"a": 1}\n'


def test_a_tail_of_zeros_is_torn_too(tmp_path: Path) -> None:
    """What file systems leave after a power cut."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"a": 1}\n' + bytes(500))
    assert [row.values for row in jsonl.read_lines(path)] == [{"a": 1}]
    assert "500 bytes" in jsonl.repair_last_line(path)


def test_reading_does_not_write(tmp_path: Path) -> None:
    """A report may look at a run that is under way."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b')
    assert [row.number for row in jsonl.read_lines(path)] == [1]
    assert path.read_bytes() == b'{"a": 1}\n{"b'


def test_a_file_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    """A run that has just begun."""
    assert list(jsonl.read_lines(tmp_path / "none.jsonl")) == []
    assert jsonl.repair_last_line(tmp_path / "none.jsonl") == ""


@pytest.mark.parametrize("line", [b"{\n", b"[1]\n", b"\xff\n", b"\n", b"[" * 100_000 + b"\n"])
def test_a_whole_line_that_is_nonsense_is_named(tmp_path: Path, line: bytes) -> None:
    """It was not torn by a crash, so it is not passed over in silence."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line + b'{"c": 3}\n')
    with pytest.raises(RunError, match=r"line 2 of .*results\.jsonl is no JSON object"):
        list(jsonl.read_lines(path))


def test_a_disk_that_takes_nothing_is_a_run_error(tmp_path: Path) -> None:
    """With the remedy."""
    with pytest.raises(RunError, match=r"cannot be written.*--resume"):
        jsonl.append_line(tmp_path / "missing" / "results.jsonl", {})


def test_replacing_is_whole_or_nothing(tmp_path: Path) -> None:
    """An interruption in the middle leaves the old content."""

    def lines() -> object:
        yield b"new\n"
        raise KeyboardInterrupt

    path = tmp_path / "run.json"
    path.write_bytes(b"old\n")
    with pytest.raises(KeyboardInterrupt):
        jsonl.replace_file(path, lines())
    assert path.read_bytes() == b"old\n"
    jsonl.replace_file(path, [b"a\n", b"b\n"])
    assert path.read_bytes() == b"a\nb\n"


def test_a_disk_that_takes_no_more_is_the_machines_fault() -> None:
    """Exit status 3: the run can be resumed when there is room again."""
    with pytest.raises(RunStorageError, match="cannot be written") as refusal:
        jsonl.append_line(Path("/dev/full"), {"a": 1})
    assert refusal.value.exit_status == 3
    assert "--resume" in refusal.value.remedy


def test_a_disk_that_does_not_take_a_whole_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the remedy, and the old content stands."""
    path = tmp_path / "run.json"
    path.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RunStorageError, match=r"run\.json cannot be written: No space left on device\. Make room"):
        jsonl.replace_file(path, [b"new"])
    assert path.read_bytes() == b"old"


def test_a_torn_line_that_cannot_be_mended_is_the_machines_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, a file that may not be written: with the remedy, and nothing is lost."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b"')
    for name in ("open", "exists"):
        with monkeypatch.context() as patched:
            patched.setattr(Path, name, refused)
            with pytest.raises(
                RunStorageError, match=r"results\.jsonl cannot be written: Permission denied\. .*--resume"
            ):
                jsonl.repair_last_line(path)
    assert path.read_bytes() == b'{"a": 1}\n{"b"'


def refused(*_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, "Permission denied")
