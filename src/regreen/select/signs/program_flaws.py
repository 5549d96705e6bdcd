"""Flaws that a change may leave in a program: what each costs, as in `change_signs`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from regreen.select.inputs.side_effects import changed_defaults_kept
from regreen.select.signs.broken_idioms import dead_links, queues_from_the_end
from regreen.select.signs.empty_questions import questions_of_nothing
from regreen.select.signs.half_idioms import (
    half_answered,
    half_leap_rules,
    ordinals_without_teens,
    unkept_bests,
    unlike_lookups,
    unlike_quotients,
    unmade_parents,
    walks_begun_again,
)
from regreen.select.signs.idle_code import count_unread_imports, count_unused, idle_operations
from regreen.select.signs.lost_values import lost_values
from regreen.select.signs.odd_calls import half_means, means_of_others, one_sided_cases
from regreen.select.signs.odd_counts import never_begun_anew
from regreen.select.signs.odd_places import crossed_bounds, places_past_rings
from regreen.select.signs.odd_sequences import neighbours_from_behind
from regreen.select.signs.odd_statements import copied_rows, counted_flags, ended_rounds, unlike_additions
from regreen.select.signs.stuck_values import idle_counts, idle_questions, last_rounds, used_up_reads
from regreen.select.signs.uneven_conditions import unfit_lengths
from regreen.select.signs.unlike_kinds import changed_constants, foreign_methods, unlike_comparisons
from regreen.select.signs.vain_work import lost_results


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something odd that a program has: the given one too, so that a repair which ends it is the better for it."""

    cost: float
    """Of each, in changed tokens."""
    count: Callable[[str], int]
    """How many there are; 0 where the program does not parse."""


FLAWS: Final = (
    # As a value that nobody means to read.
    Flaw(6.0, lost_values),
    # `None` as the default takes seven tokens more than a number beside it that checks happen to see.
    Flaw(5.0, changed_defaults_kept),
    # What the other rounds gave was meant to count; to keep it takes about four more.
    Flaw(3.0, last_rounds),
    # A row that was copied and not changed: another number elsewhere is as short.
    Flaw(3.5, copied_rows),
    # A counter begins with a number, which takes one more.
    Flaw(3.0, counted_flags),
    # What a set is asked for is what it was meant to hold: another name takes one token.
    Flaw(3.0, unlike_additions),
    # A `return` that stands one step further out takes none.
    Flaw(3.0, ended_rounds),
    # The quotient and the rest below zero are turned together by a condition, which takes about six more.
    Flaw(8.0, unlike_quotients),
    # The third part of the rule takes about five.
    Flaw(3.0, half_leap_rules),
    # To ask for the teens takes about ten tokens, and another remainder than 10 one.
    Flaw(6.0, ordinals_without_teens),
    # What the parent's constructor sets is set by hand where checks ask for it, which takes less.
    Flaw(3.0, unmade_parents),
    # `return` takes the place of `print`.
    Flaw(3.0, half_answered),
    # Each step that begins at the root is the first one; another name takes one token.
    Flaw(3.0, walks_begun_again),
    # To keep the best takes a line.
    Flaw(3.0, unkept_bests),
    # A loop that begins at 1 takes two tokens more; of 4,290 right programs one has such a neighbour.
    Flaw(3.0, neighbours_from_behind),
    # To ask for the key that is used takes one token.
    Flaw(4.0, unlike_lookups),
    # Brackets take two.
    Flaw(4.0, half_means),
    # What is summed has four tokens; of 4,990 right programs none has such a mean.
    Flaw(4.0, means_of_others),
    # Links in another order take about as many, and one that nothing comes to is none.
    Flaw(4.0, dead_links),
    # What is called a queue gives the first one; `popleft()` takes one token.
    Flaw(3.0, queues_from_the_end),
    # The other side's call takes four, and one in another's place one.
    Flaw(3.0, one_sided_cases),
    # To lessen the count takes a line, and another number one token.
    Flaw(4.0, idle_counts),
    # To keep what was given takes a line; of 4,346 right programs none reads what is used up.
    Flaw(6.0, used_up_reads),
    # The other side's length takes three tokens less; of 4,472 right programs none has this.
    Flaw(4.0, crossed_bounds),
    # Brackets take two; of 4,472 right programs none has this.
    Flaw(6.0, places_past_rings),
    # What was to be asked was filled elsewhere; to make it anew takes a line.
    Flaw(6.0, questions_of_nothing),
    # The other one's step takes one.
    Flaw(4.0, idle_questions),
    # `len()` takes three tokens.
    Flaw(4.0, unlike_comparisons),
    # `set` for `list` takes one token; of 4,808 right programs one has such a call.
    Flaw(6.0, foreign_methods),
    # `pop` for a look takes two; of 4,808 right programs one changes a constant.
    Flaw(6.0, changed_constants),
    # To keep it takes two tokens; of 4,990 right programs none loses such a result.
    Flaw(4.0, lost_results),
    # As a further change.
    Flaw(2.0, unfit_lengths),
    # A beginning that stands one loop too far out takes two.
    Flaw(3.0, never_begun_anew),
    Flaw(2.0, count_unused),
    # Somebody meant to call what it holds; another way to say it takes about as much.
    Flaw(1.0, count_unread_imports),
    # Leaving out `- 0` or `* 1` changes two.
    Flaw(2.0, idle_operations),
)
