"""How much an edit changes: its size, and the lines that it touches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from regreen.select.tokens import edit_spans, lines_of, significant_tokens

_MOVE_TOKENS = 6
"""What a move of lines counts, in changed tokens: which lines, and where to."""


_FEWEST_REPEATED = 2
"""A single line that stands twice is no decision of its own: it is as cheap as any line of its length."""


@dataclass(frozen=True, slots=True, order=True)
class EditSize:
    """The size of an edit; compared by tokens first, then characters, then lines."""

    tokens: int
    """Tokens removed or added, on the larger side of each change; an indentation is one token."""
    characters: int
    """Characters of those tokens, both sides."""
    lines: int
    """Lines touched, on the larger side of each change, formatting included."""


def edit_size(before: str, after: str) -> EditSize:
    """The size of the edit that turns `before` into `after`; formatting and comments cost lines only."""
    old, new = significant_tokens(before), significant_tokens(after)
    changes = edit_spans(old, new)
    touched = [text for c in changes for text in (*old[c.start : c.end], *new[c.new_start : c.new_end])]
    return EditSize(
        tokens=sum(change.size for change in changes),
        characters=sum(map(len, touched)),
        lines=sum(change.size for change in edit_spans(lines_of(before), lines_of(after))),
    )


def moved_tokens(before: str, after: str) -> int:
    """By how many tokens a move of lines, to another place or depth, is smaller than it is long; 0 for other edits.

    However long the lines are, a move is one decision.
    """
    if sorted(_bare_lines(before)) != sorted(_bare_lines(after)):
        return 0
    return max(edit_size(before, after).tokens - _MOVE_TOKENS, 0)


def repeated_tokens(before: str, after: str) -> int:
    """By how many tokens an insertion of lines that the program has already is smaller than it is long; at least two.

    As with a move, what is repeated is one decision, however long it is. 0 for other edits.
    """
    old, new = _bare_lines(before), _bare_lines(after)
    added = list((Counter(new) - Counter(old)).elements())
    if len(added) < _FEWEST_REPEATED or len(new) - len(old) != len(added) or not set(added) <= set(old):
        return 0
    return max(edit_size(before, after).tokens - _MOVE_TOKENS, 0)


def _bare_lines(source: str) -> list[str]:
    return [text for line in source.split("\n") if (text := line.strip())]


def changed_lines(before: str, after: str) -> tuple[int, ...]:
    """Lines of `before`, from 1, that an edit replaces or removes, or before which it inserts."""
    found: set[int] = set()
    for change in edit_spans(lines_of(before), lines_of(after)):
        found.update(range(change.start + 1, max(change.start + 1, change.end) + 1))
    return tuple(sorted(found))
