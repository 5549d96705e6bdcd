"""Mutations that undo all the slips which are plain from a program's text: of several faults, some are such."""

from __future__ import annotations

from typing import Final

from regreen.plain_slips import plain_slips
from regreen.propose.search.mutation import Mutation, compose_edits, edit_position, splice_edits
from regreen.types import Edit

_PLAIN: Final = "plain_slips"
"""In the place of a template's name."""
_SCORE: Final = 0.5
"""How likely such a slip is part of the bug: as likely as the likeliest templates say of theirs."""
_MOST_ROUNDS: Final = 3
"""How often what is plain once others are undone is looked for."""


def without_slips(source: str, done: Mutation | None = None) -> Mutation | None:
    """The mutation of `source` that does what `done` does and undoes what slips are plain then; None without any.

    Once they are undone, others may be plain: `for i in n` after `n = xs.length`.
    """
    first: tuple[Edit, ...] = done.edits if done else ()
    edits = first
    for _ in range(_MOST_ROUNDS):
        slips = plain_slips(splice_edits(source, edits))
        if not slips:
            break
        edits = compose_edits(source, edits, sorted((edit for slip in slips for edit in slip.edits), key=edit_position))
    if edits == first or not edits:
        return None
    name, score = (f"{done.template}+{_PLAIN}", done.score) if done else (_PLAIN, _SCORE)
    return Mutation(edits, name, score, source.count("\n", 0, edits[0].start) + 1, source)
