"""Keys under which candidates that differ only in blanks, comments or needless brackets are equal."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.types import Edit

_TOKEN: Final = re.compile(
    r"""
    ("{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')  # strings stay
    | \#[^\n]*
    | \b(\w++)[ \t]+(?=[\w(])                                          # words stay apart; each is tried once
    | \s+
    | (?<![\w\])"'])\(\s*(\w+)\s*\)                                     # a single name in brackets
    """,
    re.DOTALL | re.VERBOSE,
)


_NEEDLESS_BLANK: Final = re.compile(r" (?:(?<!\w )|(?![\w(]))")
_BRACKETED: Final = re.compile(r"(?<![\w\])])\((\w+)\)")


def normal_form(text: str) -> str:
    """The text without blanks, comments and brackets around single names; strings stay as they are."""
    if '"' in text or "'" in text or "#" in text:
        return _TOKEN.sub(_kept, text)
    # Most statements have neither strings nor comments, and take half the time so.
    short = _NEEDLESS_BLANK.sub("", " ".join(text.split()))
    return _BRACKETED.sub(r"\1", short) if "(" in short else short


def _kept(match: re.Match[str]) -> str:
    string, word, bracketed = match.groups()
    if string is not None:
        return string
    if word is not None:
        return f"{word} "
    return bracketed or ""


DeduplicationKey = tuple[tuple[int, int, str], ...]
"""For each changed statement its start and end in the given program, and its new text in normal form."""


class DeduplicationKeys:
    """Deduplication keys for the candidates of one program."""

    def __init__(self, program: ParsedProgram) -> None:
        self._source = program.source
        self._windows = program.windows
        self._statements = frozenset(self._windows)
        self._starts = [start for start, _ in self._windows]
        self._squeezed: dict[tuple[int, int], str] = {}

    def key(self, edits: Sequence[Edit]) -> DeduplicationKey | None:
        """The key of the candidate that the edits make; None when it equals the given program."""
        if len(edits) == 1:
            window = self._window(edits[0])
            new = self._said(window, edits)
            return None if new == self._before(window) else ((*window, new),)
        found: dict[tuple[int, int], list[Edit]] = {}
        for edit in edits:
            found.setdefault(self._window(edit), []).append(edit)
        parts = []
        for window, inside in sorted(found.items()):
            new = self._said(window, inside)
            if new != self._before(window):
                parts.append((*window, new))
        return tuple(parts) or None

    def joined(self, one: DeduplicationKey, other: DeduplicationKey, edits: Sequence[Edit]) -> DeduplicationKey | None:
        """The key of two groups of edits, from the key of each; `edits` are both groups."""
        windows = {part[:2] for part in one}
        if any(part[:2] in windows for part in other):
            return self.key(edits)
        return tuple(sorted((*one, *other)))

    def _before(self, window: tuple[int, int]) -> str:
        if window not in self._squeezed:
            self._squeezed[window] = self._said(window, ())
        return self._squeezed[window]

    def _said(self, window: tuple[int, int], edits: Sequence[Edit]) -> str:
        text = splice_edits(self._source, edits, *window)
        return normal_form(text) if window in self._statements else text

    def _window(self, edit: Edit) -> tuple[int, int]:
        """The span of the simple statement or statement head that holds the edit, else the edit's span."""
        index = bisect_right(self._starts, edit.start) - 1
        if index >= 0:
            start, end = self._windows[index]
            if start <= edit.start and edit.end <= end and (edit.end > edit.start or start < edit.start < end):
                return start, end
        return edit.start, edit.end
