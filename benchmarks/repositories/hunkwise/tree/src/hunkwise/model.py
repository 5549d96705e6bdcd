"""What a patch is made of."""
from dataclasses import dataclass, field

CONTEXT = " "
DELETE = "-"
INSERT = "+"

_FLIP = {CONTEXT: CONTEXT, DELETE: INSERT, INSERT: DELETE}


@dataclass(frozen=True)
class Line:
    """One line of a hunk; text has no line ending."""

    kind: str
    text: str
    eol: bool = True

    def flipped(self):
        return Line(_FLIP[self.kind], self.text, self.eol)

    @property
    def full(self):
        return self.text + "\n" if self.eol else self.text


def _span(start, count):
    if count == 1:
        return str(start)
    return f"{start},{count}"


@dataclass
class Hunk:
    old_start: int
    new_start: int
    lines: list = field(default_factory=list)
    section: str = ""

    @property
    def old_count(self):
        return sum(1 for line in self.lines if line.kind != INSERT)

    @property
    def new_count(self):
        return sum(1 for line in self.lines if line.kind != DELETE)

    @property
    def delta(self):
        return self.new_count - self.old_count

    def old_lines(self):
        return [line.full for line in self.lines if line.kind != INSERT]

    def new_lines(self):
        return [line.full for line in self.lines if line.kind != DELETE]

    def header(self):
        old = _span(self.old_start, self.old_count)
        new = _span(self.new_start, self.new_count)
        text = f"@@ -{old} +{new} @@"
        return f"{text} {self.section}" if self.section else text

    def reversed(self):
        lines = [line.flipped() for line in self.lines]
        return Hunk(self.new_start, self.old_start, lines, self.section)


@dataclass
class FilePatch:
    old_path: str
    new_path: str
    hunks: list = field(default_factory=list)

    def reversed(self):
        return FilePatch(self.new_path, self.old_path, [h.reversed() for h in self.hunks])

    @property
    def is_creation(self):
        return self.old_path == "/dev/null"

    @property
    def is_deletion(self):
        return self.new_path == "/dev/null"

    @property
    def path(self):
        """The path without the a/ or b/ prefix."""
        path = self.old_path if self.is_deletion else self.new_path
        if path[:2] in ("a/", "b/"):
            return path[2:]
        return path

    def stat(self):
        """(added, removed) line counts."""
        added = removed = 0
        for hunk in self.hunks:
            for line in hunk.lines:
                added += line.kind == INSERT
                removed += line.kind == DELETE
        return added, removed
