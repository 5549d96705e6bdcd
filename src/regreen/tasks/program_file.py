"""One program file of the user: read so that writing a repair changes only the repaired lines."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from regreen.errors import TaskError
from regreen.tasks.own_tests import OwnTests, without_own_tests
from regreen.tasks.text_file import LINE_END, decode_python, read_bytes

_BOM = "\ufeff".encode()


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program's text, and all that is needed to write its file back byte for byte."""

    path: Path
    text: str
    """Text with "\\n" line ends, without a byte order mark, and without the tests where `own_tests` has them."""
    encoding: str
    """Encoding as Python names it, e.g. "utf-8" or "iso-8859-1"."""
    bom: bool
    endings: tuple[str, ...]
    """How each line ends: "\\n", "\\r\\n" or "\\r", one for each "\\n" of `text`."""
    digest: str
    """SHA-256 of the file's bytes, in hex."""
    own_tests: OwnTests | None = None
    """Tests of the same file that decide about the program, and that no repair changes."""

    @property
    def newline(self) -> str:
        """The line end that most lines have; "\\n" where there is none."""
        return Counter(self.endings).most_common(1)[0][0] if self.endings else "\n"

    @property
    def mixed(self) -> bool:
        """Whether lines end in more than one way."""
        return len(set(self.endings)) > 1

    def render(self, new_text: str) -> bytes:
        """The bytes of the file with `new_text` in it: same encoding, mark, tests and, on lines that stay, line ends.

        `new_text` has "\\n" line ends. Raises TaskError when the file's encoding cannot hold it.
        """
        lines = self._whole(new_text).split("\n")
        endings = self._endings_for(lines) if self.mixed else [self.newline] * (len(lines) - 1)
        text = "".join(f"{line}{end}" for line, end in zip(lines, [*endings, ""], strict=True))
        try:
            return _BOM * self.bom + text.encode(self.encoding)
        except UnicodeError as error:
            raise TaskError(
                f"the repaired text of {self.path} cannot be written as {self.encoding} ({error}).",
                remedy="Save the program as UTF-8 first.",
            ) from None

    def apart_from_tests(self) -> ProgramFile:
        """The program alone, and its tests apart, where its file holds some; else as it is."""
        found = without_own_tests(self.text)
        return replace(self, text=found[0], own_tests=found[1]) if found else self

    def _whole(self, text: str) -> str:
        return text if self.own_tests is None else self.own_tests.restored(text)

    def _endings_for(self, lines: list[str]) -> list[str]:
        """Line ends for the lines of a new text: those of the old lines, the most frequent one for added lines."""
        old = self._whole(self.text).split("\n")
        endings = [self.newline] * len(lines)
        for _, start, stop, new_start, new_stop in difflib.SequenceMatcher(None, old, lines, False).get_opcodes():
            for old_line, new_line in zip(range(start, stop), range(new_start, new_stop), strict=False):
                if old_line < len(self.endings):
                    endings[new_line] = self.endings[old_line]
        return endings[:-1]


def read_program_file(path: Path) -> ProgramFile:
    """Read one program. Raises TaskError saying why it cannot be used and what to do about it."""
    remedy = "Give one file to repair, and its checks with --tests."
    return program_file_of(path, read_bytes(path, "the program", not_a_folder=remedy))


def program_file_of(path: Path, content: bytes) -> ProgramFile:
    """A program from the bytes of its file. Raises what `read_program_file` raises."""
    decoded = decode_python(content, path, "the program")
    if not decoded.text.strip():
        raise TaskError(f"the program {path} is empty.", remedy="Give a file that holds the function to repair.")
    program = ProgramFile(
        path=path,
        text=LINE_END.sub("\n", decoded.text),
        encoding=decoded.encoding,
        bom=decoded.bom,
        endings=tuple(LINE_END.findall(decoded.text)),
        digest=_digest(content),
    )
    _refuse_one_way_encoding(program, content)
    return program


def write_if_unchanged(program: ProgramFile, new_text: str) -> None:
    """Put `new_text` into the program's file, in one step, unless the file has changed since it was read.

    A link is followed: what it points to is replaced. The file's permissions stay. Raises TaskError when the file
    has changed, is gone, is write-protected, or cannot be written; then nothing of it has been touched.
    """
    content = program.render(new_text)
    try:
        target = program.path.resolve(strict=True)
        if not os.access(target, os.W_OK):
            raise PermissionError(13, "it is write-protected")
        with _written_beside(target, content) as fresh:
            refuse_changed(program)
            fresh.replace(target)
    except OSError as error:
        raise TaskError(
            f"{program.path} cannot be written: {error.strerror or error}.",
            remedy="Nothing has been changed; save the patch with --out, or mend this and run again.",
        ) from None


@contextlib.contextmanager
def _written_beside(target: Path, content: bytes) -> Iterator[Path]:
    """A synced file with the content, owner and permissions in the target's folder; gone afterwards unless renamed."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:64]}.")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            status = target.stat()
            # Only root may change the owner; for anyone else the file is their own already.
            with contextlib.suppress(PermissionError):
                os.fchown(handle, status.st_uid, status.st_gid)
            os.fchmod(handle, status.st_mode & 0o7777)
            file.flush()
            os.fsync(handle)
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def refuse_changed(program: ProgramFile) -> None:
    """Raise TaskError where the file holds something else than when it was read, or is gone."""
    try:
        is_same = _digest(program.path.read_bytes()) == program.digest
    except OSError:
        is_same = False
    if not is_same:
        raise TaskError(
            f"{program.path} has changed since it was read, so the repair is not written into it.",
            remedy="Run the repair again, or save the patch with --out.",
        )


def _refuse_one_way_encoding(program: ProgramFile, content: bytes) -> None:
    """Refuse an encoding that writes one text in several ways: lines outside of the repair would change."""
    if program.render(program.text) != content:
        raise TaskError(
            f"the program {program.path} is {program.encoding} text that cannot be written back byte for byte.",
            remedy="Save it as UTF-8.",
        )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
