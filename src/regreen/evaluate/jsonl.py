"""Files of JSON lines that survive a crash: each line is synced before the next, a torn last one is repaired."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import RunError, RunStorageError

_CHUNK_BYTES = 1 << 16
_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class JsonLine:
    """A whole line of a file."""

    number: int
    """From 1."""
    values: Mapping[str, Any]


def encode_line(values: Mapping[str, Any]) -> bytes:
    """The line for these values: ASCII, lone surrogates as escapes, NaN and infinities as strings."""
    try:
        text = _ENCODER.encode(values)
    except (TypeError, ValueError):
        # Rare: a value that JSON has no form for. Looking for it in every line would take longer than writing it.
        text = _ENCODER.encode(json_value(values))
    return text.encode("ascii") + b"\n"


def json_value(value: Any) -> Any:
    """The value with NaN and infinities as text, e.g. "nan", and mapping keys as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    return value


def append_line(path: Path, values: Mapping[str, Any]) -> None:
    """Append one line and wait until the disk has it. Raises RunStorageError when it cannot be written."""
    line = encode_line(values)
    try:
        is_new = not path.exists()
        with path.open("ab", buffering=0) as file:
            _write_all(file.fileno(), line)
            os.fsync(file.fileno())
        if is_new:
            _sync_folder(path.parent)
    except OSError as error:
        raise _unwritten(path, error) from error


def read_lines(path: Path) -> Iterator[JsonLine]:
    """The whole lines of a file in order, without a torn last one; none where the file does not exist.

    Raises RunError naming a line that is no JSON object.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n"):
                    yield JsonLine(number, _decoded(line, number, path))
                elif (values := _complete(line)) is not None:
                    yield JsonLine(number, values)
    except FileNotFoundError:
        return
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}.", remedy="Check the run folder.") from error


def repair_last_line(path: Path) -> str:
    """Complete or cut off a last line that a crash tore; returns what was done, "" for nothing.

    Only the holder of the run's lock may call it. Raises RunStorageError when it cannot be written.
    """
    try:
        return _last_line_repaired(path) if path.exists() else ""
    except OSError as error:
        raise _unwritten(path, error) from error


def _last_line_repaired(path: Path) -> str:
    start, size = _start_of_torn_line(path)
    if start == size:
        return ""
    with path.open("r+b") as file:
        file.seek(start)
        whole = _complete(file.read()) is not None
        if whole:
            file.write(b"\n")
        else:
            file.truncate(start)
        file.flush()
        os.fsync(file.fileno())
    if whole:
        return f"The last line of {path} had no line end; it has one now."
    return f"The last line of {path} was torn: {size - start} bytes of an unfinished line were cut off."


def replace_file(path: Path, lines: Iterable[bytes]) -> None:
    """Replace the content of a file in one step, synced. Raises RunStorageError when it cannot be written."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        with fresh.open("wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> RunStorageError:
    return RunStorageError(
        f"{path} cannot be written: {error.strerror or error}.",
        remedy="Make room, or mend the disk or the file's permissions, then run again with --resume.",
    )


def _sync_folder(folder: Path) -> None:
    """Sync the folder: fsync(2) of a file alone does not make its name survive a crash."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _decoded(line: bytes, number: int, path: Path) -> dict[str, Any]:
    values = _complete(line)
    if values is None:
        raise RunError(f"line {number} of {path} is no JSON object.", remedy="Remove that line; it will be done again.")
    return values


def _complete(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None where it is torn or holds something else."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _start_of_torn_line(path: Path) -> tuple[int, int]:
    """Offset of the text after the last line end, and size of the file, both in bytes."""
    with path.open("rb") as file:
        size = end = file.seek(0, os.SEEK_END)
        while end:
            start = file.seek(max(end - _CHUNK_BYTES, 0))
            if (at := file.read(end - start).rfind(b"\n")) >= 0:
                return start + at + 1, size
            end = start
    return 0, size
