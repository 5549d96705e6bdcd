"""The difference between two texts: as a unified diff for people and tools, and as a size."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from regreen.select.tokens import lines_of, meaning, spans

NO_NEWLINE = "\\ No newline at end of file\n"

_UNSAFE = re.compile(r'[\x00-\x1f"\\\x7f]')


@dataclass(frozen=True, slots=True, order=True)
class EditSize:
    """How much of a program an edit changes; compared by tokens first."""

    tokens: int
    """Tokens removed or added, on the larger side of each change; an indentation is one token."""
    characters: int
    """Characters of those tokens, both sides."""
    lines: int
    """Lines touched, on the larger side of each change, formatting included."""


def edit_size(before: str, after: str) -> EditSize:
    """The size of the edit that turns `before` into `after`; formatting and comments cost lines only."""
    old, new = meaning(before), meaning(after)
    changes = spans(old, new)
    touched = [text for c in changes for text in (*old[c.start : c.end], *new[c.new_start : c.new_end])]
    return EditSize(
        tokens=sum(change.size for change in changes),
        characters=sum(map(len, touched)),
        lines=sum(change.size for change in spans(lines_of(before), lines_of(after))),
    )


def changed_lines(before: str, after: str) -> tuple[int, ...]:
    """Lines of `before`, from 1, that an edit replaces, removes or inserts text in front of."""
    found: set[int] = set()
    for change in spans(lines_of(before), lines_of(after)):
        found.update(range(change.start + 1, max(change.start + 1, change.end) + 1))
    return tuple(sorted(found))


def unified_diff(before: str, after: str, name: str, *, context: int = 3) -> str:
    """The patch from `before` to `after` as `git apply` and `patch -p1` take it; empty when they are equal.

    Only "\\n" ends a line, so carriage returns and odd separators stay in the text; a missing final line end is said.
    """
    old, new = lines_of(before), lines_of(after)
    path = name.replace("\\", "/").lstrip("/")
    body = difflib.unified_diff(old, new, _header("a/" + path), _header("b/" + path), n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in body)


def _header(path: str) -> str:
    """A path as it stands in a patch's header: quoted when it holds control characters or quotes, as git does."""
    if _UNSAFE.search(path):
        return '"' + _UNSAFE.sub(lambda match: f"\\{ord(match.group()):03o}", path) + '"'
    return path + "\t" if " " in path else path
