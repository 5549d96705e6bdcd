"""Reads text files of the user, and says precisely why one cannot be used."""

from __future__ import annotations

import codecs
import difflib
import io
import itertools
import re
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import TaskError

MAX_FILE_BYTES = 2 << 20
_NEIGHBOURS_LOOKED_AT = 2_000
LINE_END = re.compile(r"\r\n|\r|\n")
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file, and how it is encoded."""

    text: str
    """Text with the line ends of the file, without a byte order mark."""
    encoding: str
    bom: bool


def read_bytes(path: Path, what: str, *, limit: int = MAX_FILE_BYTES, not_a_folder: str = "Give one file.") -> bytes:
    """The content of a regular file of at most `limit` bytes; `what` names its role in messages, e.g. "the program".

    `not_a_folder` is the remedy for a folder. Raises TaskError saying what is wrong with it.
    """
    try:
        status = path.stat()
        _check_kind(path, what, status.st_mode, not_a_folder)
        if status.st_size > limit:
            raise _too_large(path, what, status.st_size, limit)
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError:
        raise _missing(path, what) from None
    except PermissionError:
        raise TaskError(
            f"{what} {path} cannot be read: permission denied.", remedy="Allow yourself to read it."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TaskError(f"{what} {path} cannot be read: {reason}.", remedy="Check the path.") from None
    if len(content) > limit:
        raise _too_large(path, what, len(content), limit)
    return content


def decode_python(content: bytes, path: Path, what: str) -> DecodedText:
    """Decode Python source by PEP 263. Raises TaskError for bytes that are no text in the declared encoding."""
    _refuse_binary(content, path, what)
    encoding = _declared(content, path, what)
    bom = content.startswith(codecs.BOM_UTF8)
    body = content[len(codecs.BOM_UTF8) :] if bom else content
    return DecodedText(_decode(body, encoding, path, what, skipped=len(content) - len(body)), encoding, bom)


def decode_utf8(content: bytes, path: Path, what: str) -> str:
    """Decode text that has to be UTF-8, with or without a byte order mark, with "\\n" line ends."""
    _refuse_binary(content, path, what)
    body = content.removeprefix(codecs.BOM_UTF8)
    return LINE_END.sub("\n", _decode(body, "utf-8", path, what, skipped=len(content) - len(body)))


def read_python(path: Path, what: str = "the file") -> str:
    """The text of a Python file with "\\n" line ends. Raises TaskError as `read_bytes` and `decode_python` do."""
    return LINE_END.sub("\n", decode_python(read_bytes(path, what), path, what).text)


def read_utf8(path: Path, what: str = "the file") -> str:
    """The text of a UTF-8 file with "\\n" line ends. Raises TaskError as `read_bytes` and `decode_utf8` do."""
    return decode_utf8(read_bytes(path, what), path, what)


def _check_kind(path: Path, what: str, mode: int, not_a_folder: str) -> None:
    if stat.S_ISDIR(mode):
        raise TaskError(f"{what} {path} is a folder.", remedy=not_a_folder)
    if not stat.S_ISREG(mode):
        raise TaskError(f"{what} {path} is not a regular file.", remedy="Save its text to a file and give that.")


def _too_large(path: Path, what: str, size: int, limit: int) -> TaskError:
    return TaskError(
        f"{what} {path} is too large: {size:,} bytes, and at most {limit:,} are read.",
        remedy="Give a file that holds only what is needed.",
    )


def _missing(path: Path, what: str) -> TaskError:
    folder = path.parent
    if not folder.is_dir():
        return TaskError(f"{what} {path} does not exist: there is no folder {folder}.", remedy="Check the path.")
    close = [name for name in _closest(path.name, _names_in(folder)) if _closest(path.stem, [Path(name).stem])]
    remedy = f"Did you mean {' or '.join(str(folder / name) for name in close)}?" if close else "Check the path."
    return TaskError(f"{what} {path} does not exist.", remedy=remedy)


def _closest(name: str, known: list[str]) -> list[str]:
    return difflib.get_close_matches(name, known, n=3, cutoff=0.6)


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in itertools.islice(folder.iterdir(), _NEIGHBOURS_LOOKED_AT))
    except OSError:
        return []


def _refuse_binary(content: bytes, path: Path, what: str) -> None:
    if content.startswith(_UTF_16_MARKS):
        raise TaskError(f"{what} {path} is written in UTF-16.", remedy="Save it as UTF-8.")
    if (at := content.find(b"\0")) >= 0:
        raise TaskError(f"{what} {path} is binary: byte {at} is NUL.", remedy="Give a text file.")


def _declared(content: bytes, path: Path, what: str) -> str:
    """The encoding that the byte order mark or the first two lines declare; "utf-8" when they declare none."""
    head = re.sub(rb"\r\n?", b"\n", content[:8192])
    try:
        found, _ = tokenize.detect_encoding(io.BytesIO(head).readline)
        "".encode(found)
    except (SyntaxError, LookupError, UnicodeError) as error:
        # Undecodable bytes in the first lines are reported below, with their place.
        if isinstance(error, SyntaxError) and "unknown encoding" not in str(error) and "problem" not in str(error):
            return "utf-8"
        raise TaskError(
            f"{what} {path} declares an encoding that cannot be used ({error}).",
            remedy="Correct the coding line in its first two lines, or save it as UTF-8 without one.",
        ) from None
    return found.removesuffix("-sig")


def _decode(body: bytes, encoding: str, path: Path, what: str, *, skipped: int) -> str:
    try:
        return body.decode(encoding)
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = len(re.findall(rb"\r\n|\r|\n", body[:at])) + 1
        raise TaskError(
            f"{what} {path} is not {encoding} text: byte {at + skipped} (line {line}) cannot be decoded.",
            remedy="Save it as UTF-8, or name its encoding in a coding line (# -*- coding: ... -*-).",
        ) from None
