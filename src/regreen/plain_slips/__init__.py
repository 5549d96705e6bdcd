"""Slips that are plain from the text alone: hardly any program that works has one, and each is undone in one way.

As what linters warn of, and no more: of correct programs next to none may be listed, since what is found here is
changed even where no check shows it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from regreen.plain_slips.collections import COLLECTIONS
from regreen.plain_slips.foreign_names import FOREIGN_NAMES
from regreen.plain_slips.late_bounds import LATE_BOUNDS
from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.plain_slips.lost_results import LOST_RESULTS
from regreen.plain_slips.lost_rounds import LOST_ROUNDS
from regreen.plain_slips.made_tables import MADE_TABLES
from regreen.plain_slips.misused_values import MISUSED_VALUES
from regreen.plain_slips.module_functions import MODULE_FUNCTIONS
from regreen.plain_slips.names import NAMES
from regreen.plain_slips.out_of_reach import OUT_OF_REACH
from regreen.plain_slips.pairs import PAIRS
from regreen.plain_slips.places_and_rounds import PLACES_AND_ROUNDS
from regreen.plain_slips.settled_values import SETTLED_VALUES
from regreen.plain_slips.statements import STATEMENTS
from regreen.plain_slips.texts import TEXTS
from regreen.plain_slips.unreached_branches import BRANCHES
from regreen.plain_slips.used_up_iterators import USED_UP_ITERATORS
from regreen.plain_slips.void_expressions import EXPRESSIONS
from regreen.syntax import parsed_or_none
from regreen.types import Edit

_READERS: Final = (
    *EXPRESSIONS,
    *STATEMENTS,
    *BRANCHES,
    *LATE_BOUNDS,
    *LOST_ROUNDS,
    *LOST_RESULTS,
    *MADE_TABLES,
    *COLLECTIONS,
    *USED_UP_ITERATORS,
    *NAMES,
    *FOREIGN_NAMES,
    *MODULE_FUNCTIONS,
    *OUT_OF_REACH,
    *MISUSED_VALUES,
    *PLACES_AND_ROUNDS,
    *SETTLED_VALUES,
    *TEXTS,
    *PAIRS,
)


@lru_cache(maxsize=256)
def plain_slips(source: str) -> tuple[PlainSlip, ...]:
    """The slips in a program, in the order of its text, none of which touches another; none where it does not parse."""
    module = parsed_or_none(source)
    if module is None:
        return ()
    program = LocatedProgram(source, module)
    found = dict.fromkeys(slip for read in _READERS for slip in read(program))
    kept: list[PlainSlip] = []
    for slip in sorted(found, key=lambda slip: slip.edits[0].start):
        if not any(_touch(edit, other) for edit in slip.edits for before in kept for other in before.edits):
            kept.append(slip)
    return tuple(kept)


def may_leave_slips(source: str) -> bool:
    """Whether what is made of a program may have plain slips: it has some, or hides them by a slip of syntax."""
    return bool(plain_slips(source)) or parsed_or_none(source) is None


def _touch(one: Edit, other: Edit) -> bool:
    """Whether two edits change the same text; both may insert at one place."""
    return one.start < other.end and other.start < one.end


__all__ = ["PlainSlip", "may_leave_slips", "plain_slips"]
