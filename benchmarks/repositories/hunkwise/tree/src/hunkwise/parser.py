"""Reading unified diffs."""
import re

from .errors import ParseError
from .model import CONTEXT, DELETE, INSERT, FilePatch, Hunk, Line

_HEADER = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$")


def _path(rest):
    """Path of a --- or +++ line, without the timestamp after a tab."""
    return rest.split("\t", 1)[0].strip()


class _Reader:
    def __init__(self, text):
        self.lines = text.split("\n")
        if self.lines and self.lines[-1] == "":
            self.lines.pop()
        self.pos = 0

    @property
    def lineno(self):
        return self.pos + 1

    def peek(self):
        return self.lines[self.pos] if self.pos < len(self.lines) else None

    def next(self):
        line = self.peek()
        self.pos += 1
        return line


def _read_hunk(reader):
    lineno = reader.lineno
    match = _HEADER.match(reader.next())
    if not match:
        raise ParseError("malformed hunk header", lineno)
    old_start, old_count, new_start, new_count, section = match.groups()
    old_left = 1 if old_count is None else int(old_count)
    new_left = 1 if new_count is None else int(new_count)
    hunk = Hunk(int(old_start), int(new_start), section=section or "")
    while old_left > 0 or new_left > 0:
        raw = reader.next()
        if raw is None:
            raise ParseError("hunk is cut short", reader.lineno - 1)
        if raw.startswith("\\"):
            _drop_eol(hunk)
            continue
        # some mailers strip the blank of an empty context line
        kind, text = (raw[0], raw[1:]) if raw else (CONTEXT, "")
        if kind not in (CONTEXT, DELETE, INSERT):
            raise ParseError(f"unexpected {kind!r} in hunk", reader.lineno - 1)
        if kind != INSERT:
            old_left -= 1
        if kind != DELETE:
            new_left -= 1
        hunk.lines.append(Line(kind, text))
    if old_left or new_left:
        raise ParseError("hunk does not match its header", lineno)
    following = reader.peek()
    if following is not None and following.startswith("\\"):
        reader.next()
        _drop_eol(hunk)
    return hunk


def _drop_eol(hunk):
    last = hunk.lines[-1]
    hunk.lines[-1] = Line(last.kind, last.text, eol=False)


def parse_patch(text):
    """All file patches of a diff; anything between them is skipped."""
    reader = _Reader(text)
    patches = []
    while reader.peek() is not None:
        line = reader.peek()
        if line.startswith("--- "):
            old_path = _path(reader.next()[4:])
            line = reader.peek()
            if line is None or not line.startswith("+++ "):
                raise ParseError("expected a +++ line", reader.lineno)
            patches.append(FilePatch(old_path, _path(reader.next()[4:])))
        elif line.startswith("@@ "):
            if not patches:
                raise ParseError("hunk before any file header", reader.lineno)
            patches[-1].hunks.append(_read_hunk(reader))
        else:
            reader.next()
    return patches
