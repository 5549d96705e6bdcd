"""Which lines of files were changed lately: of what is not committed yet, else of the last commit."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

HEAD, BEFORE_HEAD = "HEAD", "HEAD~1"
_MOST_LINES = 5_000
"""Files of more lines are not compared: it would take seconds."""


def recent_lines(now: Mapping[str, bytes], recorded: Mapping[tuple[str, str], bytes]) -> dict[str, frozenset[int]]:
    """Path -> lines, from 1, that differ from the last commit; where none does, from the commit before that.

    `recorded` has (revision, path) -> content, `HEAD` and `BEFORE_HEAD` as revisions.
    """
    for revision in (HEAD, BEFORE_HEAD):
        known = {path for asked, path in recorded if asked == revision}
        changed = {path: lines_new_in(recorded[revision, path], now[path]) for path in known if path in now}
        found = {path: lines for path, lines in changed.items() if lines}
        if found:
            return found
    return {}


def lines_new_in(before: bytes, after: bytes) -> frozenset[int]:
    """Lines of `after` that are not in `before`, and those around what was taken out."""
    old, new = before.splitlines(), after.splitlines()
    if old == new or max(len(old), len(new)) > _MOST_LINES:
        return frozenset()
    lines: set[int] = set()
    for kind, _, _, start, stop in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "delete":
            lines.update({start, start + 1})
        elif kind != "equal":
            lines.update(range(start + 1, stop + 1))
    return frozenset(line for line in lines if 1 <= line <= max(len(new), 1))
