"""Slips that are plain from the text of the given program and that a repair leaves where they are."""

from __future__ import annotations

from collections import Counter

from regreen.plain_slips import plain_slips
from regreen.syntax import parsed_or_none


def left_slips(before: str, after: str) -> int:
    """How many plain slips a program has that the given one has, too; all, where that does not parse."""
    if parsed_or_none(before) is None:
        return len(plain_slips(after))
    given = Counter(slip.kind for slip in plain_slips(before))
    return sum((given & Counter(slip.kind for slip in plain_slips(after))).values()) if given else 0
