"""Unified diffs: written as `git apply` and `patch -p1` take them, and applied to one program, all of it or nothing.

Only "\\n" ends a line, so carriage returns and odd separators stay in the text.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_HUNK_HEAD = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_FILE = "/dev/null"
_MAX_COMPARED = 5_000_000
"""Lines that are compared at most to place the hunks: a patch may be made to take long."""
_NO_NEWLINE = "\\ No newline at end of file\n"
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


def unified_diff(before: str, after: str, name: str, *, context: int = 3) -> str:
    """The patch from `before` to `after` of a file called `name`; empty when they are equal."""
    old, new = _LINES.findall(before), _LINES.findall(after)
    path = name.lstrip("/")
    body = difflib.unified_diff(old, new, _header(f"a/{path}"), _header(f"b/{path}"), n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in body)


def _header(path: str) -> str:
    """A path as git writes it: quoted where it holds what would end or change the line."""
    if any(character in '"\\' or not character.isprintable() for character in path):
        return '"' + "".join(map(_escaped, path)) + '"'
    return path + "\t" if " " in path else path


def _escaped(character: str) -> str:
    if character.isprintable() and character not in '"\\':
        return character
    # Names of files may hold bytes that are no UTF-8 (PEP 383), and names from elsewhere any other half of a pair.
    errors = "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", errors))


class PatchError(ValueError):
    """A patch cannot be applied; says why."""


def apply_patch(patch: str, source: str, *, name: str) -> str:
    """The program with the patch applied; `name` is that of its file, e.g. "program.py".

    A patch of one file is for the program, whatever the file is called; of several, the one with this name, if the
    others are new files. A blank patch changes nothing. Hunks may have moved, but every line of theirs has to match.
    Raises PatchError when any of it cannot be applied.
    """
    if not patch.strip():
        return source
    # Sent through a mail or a form, every line of a patch may end in another way than it was written with.
    every = patch.count("\n") == patch.count("\r\n")
    text = patch.replace("\r\n", "\n") if every else patch
    return _applied(_part_for(_PatchReader().files(text), name).hunks, source)


@dataclass(slots=True)
class _Hunk:
    """Lines of the program, and the lines that take their place."""

    start: int
    """The line of the first old line, from 0, as the head of the hunk gives it."""
    old_count: int
    new_count: int
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return len(self.old) == self.old_count and len(self.new) == self.new_count


@dataclass(slots=True)
class _FilePatch:
    """The hunks of a patch for one file."""

    before: str
    after: str
    hunks: list[_Hunk] = field(default_factory=list)


class _PatchReader:
    """Reads a patch line by line."""

    def __init__(self) -> None:
        self.found: list[_FilePatch] = []
        self.hunk: _Hunk | None = None
        self.last = ""
        """Mark of the last line in a hunk: " ", "-" or "+"."""

    def files(self, patch: str) -> list[_FilePatch]:
        """The parts of the patch, one for each file. Raises PatchError where it is cut off or malformed."""
        lines = patch.removesuffix("\n").split("\n")
        for number, line in enumerate(lines):
            following = lines[number + 1] if number + 1 < len(lines) else ""
            self._read_line(line, following, number)
        if self.hunk is not None and not self.hunk.is_whole:
            raise PatchError("its last hunk is cut off")
        return self.found

    def _read_line(self, line: str, following: str, number: int) -> None:
        if self.hunk is not None and line.startswith("\\"):
            self._without_line_end(self.hunk)
        elif self.hunk is not None and not self.hunk.is_whole:
            self._body(self.hunk, line, number)
        elif line.startswith("--- ") and following.startswith("+++ "):
            self.hunk = None
            self.found.append(_FilePatch(_path(line), _path(following)))
        elif line.startswith("@@"):
            if not self.found:
                raise PatchError(f"line {number + 1} begins a hunk of no file")
            self.hunk = _new_hunk(line, number)
            self.found[-1].hunks.append(self.hunk)
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise PatchError("it changes a binary file")
        elif line[:1] in ("+", "-") and not line.startswith("+++ "):
            raise PatchError(f"line {number + 1} belongs to no hunk: {line[:60]!r}")

    def _body(self, hunk: _Hunk, line: str, number: int) -> None:
        # Some tools strip the space that stands for an empty line of context.
        kind = line[:1] or " "
        if kind not in (" ", "-", "+"):
            raise PatchError(f"line {number + 1} belongs to no hunk: {line[:60]!r}")
        text = line[1:] + "\n"
        hunk.old += [text] * (kind != "+")
        hunk.new += [text] * (kind != "-")
        self.last = kind
        if len(hunk.old) > hunk.old_count or len(hunk.new) > hunk.new_count:
            raise PatchError(f"line {number + 1} is one more than the head of its hunk says")

    def _without_line_end(self, hunk: _Hunk) -> None:
        """Take `\\ No newline at end of file`, which is about the line before."""
        for lines in [hunk.old] * (self.last != "+") + [hunk.new] * (self.last != "-"):
            if lines:
                lines[-1] = lines[-1].removesuffix("\n")


def _path(line: str) -> str:
    """The file that a `---` or `+++` line names, without the time after it."""
    return line[4:].split("\t")[0].strip().strip('"')


def _new_hunk(line: str, number: int) -> _Hunk:
    found = _HUNK_HEAD.match(line)
    if found is None:
        raise PatchError(f"line {number + 1} is no head of a hunk: {line[:60]!r}")
    start, old, _, new = (1 if count is None else int(count) for count in found.groups())
    # The head of an empty old part names the line before it, any other the first line.
    return _Hunk(start if old == 0 else max(start - 1, 0), old, new)


def _part_for(files: Sequence[_FilePatch], name: str) -> _FilePatch:
    """The part of the patch for the program."""
    if not files:
        raise PatchError("it is no unified diff: it has no `---` and `+++` lines")
    named = list(files) if len(files) == 1 else [file for file in files if file.before.rpartition("/")[2] == name]
    if len(named) != 1:
        raise PatchError(f"it is for {len(files)} files, and {len(named)} of them are called {name}")
    (part,) = named
    if others := [file.before for file in files if file is not part and file.before != _NO_FILE]:
        raise PatchError(f"it changes other files too: {', '.join(others[:3])[:120]}")
    if _NO_FILE in (part.before, part.after):
        raise PatchError("it removes the program" if part.after == _NO_FILE else "it makes a new file")
    if not part.hunks:
        raise PatchError("it has no hunk")
    return part


def _applied(hunks: Sequence[_Hunk], source: str) -> str:
    """The text with every hunk applied."""
    *whole, last = source.split("\n")
    lines = [f"{line}\n" for line in whole] + [last] * bool(last)
    done: list[str] = []
    at = moved = compared = 0
    for number, hunk in enumerate(hunks, start=1):
        for place in _nearest(hunk.start + moved, at, len(lines) - len(hunk.old)):
            compared += len(hunk.old) + 1
            if compared > _MAX_COMPARED:
                raise PatchError("it takes too long to find where it belongs")
            if _matches(hunk.old, lines, place):
                break
        else:
            raise PatchError(f"hunk {number} does not fit: its lines are not in the program, or not behind the last")
        done += lines[at:place] + hunk.new
        at, moved = place + len(hunk.old), place - hunk.start
    return "".join(done + lines[at:])


def _nearest(wanted: int, first: int, last: int) -> Iterator[int]:
    """The lines from `first` to `last`, nearest to the wanted one first."""
    wanted = min(max(wanted, first), last)
    for distance in range(max(last - first, -1) + 1):
        yield from (place for place in dict.fromkeys((wanted - distance, wanted + distance)) if first <= place <= last)


def _matches(old: Sequence[str], lines: Sequence[str], place: int) -> bool:
    """Whether the lines at a place match; a line end missing at the end of a file is no difference."""
    pairs = zip(old, lines[place : place + len(old)], strict=True)
    return all(one.removesuffix("\n") == two.removesuffix("\n") for one, two in pairs)
