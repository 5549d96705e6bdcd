"""Which lines of a program became which: bounded in time for any two texts."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

_MOST_WORK = 1_000_000
"""Pairs of lines that are compared at most; greater changes are told as one replacement."""

Block = tuple[str, int, int, int, int]
"""What happened ("=" or "~"), and the lines of both texts that it happened to, from 0, the ends excluded."""


def blocks(before: str, after: str) -> list[Block]:
    """The blocks, in order, that make one text out of the other; "\\n" alone ends a line."""
    old, new = before.split("\n"), after.split("\n")
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    middle = _middle(old[start : len(old) - end], new[start : len(new) - end], start)
    found = [("=", 0, start, 0, start), *middle, ("=", len(old) - end, len(old), len(new) - end, len(new))]
    return [block for block in found if block[1] < block[2] or block[3] < block[4]]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines are the same at the beginning."""
    for place, (one, two) in enumerate(zip(old, new, strict=False)):
        if one != two:
            return place
    return min(len(old), len(new))


def _middle(old: Sequence[str], new: Sequence[str], start: int) -> Iterator[Block]:
    if len(old) * len(new) > _MOST_WORK:
        yield "~", start, start + len(old), start, start + len(new)
        return
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new).get_opcodes():
        yield "=" if tag == "equal" else "~", start + i, start + j, start + k, start + m
