"""Signs of a change that nobody would make on purpose: what each costs, and why so much.

A comment says what a cost is measured by. All were chosen by hand, against the length of the repair that is right where
the sign is a coincidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from regreen.select.added_statements import unreachable_gained
from regreen.select.inputs.side_effects import copied_defaults, newly_changed_arguments
from regreen.select.signs import (
    belonging_parts,
    broken_idioms,
    denied_names,
    first_values,
    frozen_starts,
    idle_code,
    lost_values,
    odd_answers,
    odd_boundaries,
    odd_branches,
    odd_calls,
    odd_counts,
    odd_expressions,
    odd_methods,
    odd_numbers,
    odd_operands,
    odd_places,
    odd_sequences,
    odd_statements,
    stray_reads,
    stuck_values,
    uneven_conditions,
    unmeant_calls,
    vain_work,
)


@dataclass(frozen=True, slots=True)
class Sign:
    """Something odd that a change brings in."""

    cost: float
    """Of each, in changed tokens."""
    count: Callable[[str, str], int]
    """How many the second program has and the first has not; 0 where one of them does not parse."""


SIGNS: Final = (
    # To undo one takes a handful of tokens, and is right whether a check shows it or not.
    Sign(6.0, odd_statements.left_slips),
    # As a result of an odd kind costs: few checks look at what they handed over.
    Sign(10.0, newly_changed_arguments),
    # Counting in a method takes five tokens more than another first value for what nothing ever changes.
    Sign(8.0, frozen_starts.frozen_starts),
    # `__eq__` is seldom wrong, and checks that compare objects pass where it asks for less.
    Sign(8.0, odd_answers.loosened_equalities),
    # `None` as the default takes seven tokens more, and leaves what callers hand over as it is.
    Sign(8.0, copied_defaults),
    # What was to be added first takes a statement in another place.
    Sign(4.0, lost_values.lost_updates),
    Sign(3.0, lost_values.idle_starts),
    # A number has more digits than one; a statement that begins it anew takes about five tokens.
    Sign(5.0, broken_idioms.broken_digits),
    # What a name says is meant: another function, or another place, is as short. Of 5,625 right programs six have one.
    Sign(4.0, denied_names.denied_names),
    # Of 5,625 right programs none has one, and texts and numbers pass where Python happens to keep one object of each.
    Sign(4.0, odd_operands.identities_for_equality),
    # Of 5,793 right programs six have one of these three: another number, or another function, is one token.
    Sign(3.0, belonging_parts.torn_halves),
    Sign(3.0, belonging_parts.uneven_cuts),
    Sign(4.0, belonging_parts.lost_distances),
    # To ask two tables alike takes as much again.
    Sign(5.0, broken_idioms.half_asked_keys),
    # A place that is another number away is as short, and one of two children is passed over by few checks.
    Sign(5.0, broken_idioms.torn_children),
    Sign(5.0, broken_idioms.torn_steps),
    # A place that goes round takes as much, and few checks ask beyond the last one.
    Sign(4.0, broken_idioms.lost_wraps),
    # One symbol less than another name in the product.
    Sign(4.0, odd_statements.doubled_steps),
    # What goes up in one branch goes down in the other: to leave out either is shorter.
    Sign(4.0, broken_idioms.torn_updates),
    # Another thing to compare with takes one token, and checks with few items do not tell.
    Sign(4.0, broken_idioms.uncompared_bests),
    # A slice that loses its bound says nothing; to ask whether the bound is 0 takes two tokens more.
    Sign(4.0, vain_work.vain_copies),
    # A count that stays at one takes one symbol less.
    Sign(3.0, broken_idioms.stopped_counts),
    # Another name in the loop takes as much as one place less of it.
    Sign(3.0, broken_idioms.cut_rounds),
    # Nobody means to read None of `append`, or a loop's variable after the loop.
    Sign(6.0, stray_reads.stray_reads),
    # Nor to answer a question for yes or no with something else,
    Sign(6.0, odd_answers.odd_answers),
    Sign(3.0, odd_answers.half_answers),
    # or to call a coroutine and not await it.
    Sign(6.0, odd_calls.idle_calls),
    # What an operation on a value and itself gives is known before it runs.
    Sign(6.0, odd_operands.repeated_operands),
    # One sign takes as much as two; of 4,990 right programs one adds what has a minus.
    Sign(6.0, odd_numbers.doubled_signs),
    # Of 5,415 right programs none has one of these two: another number, or a minus, is one token.
    Sign(4.0, odd_counts.odd_first_counts),
    Sign(4.0, odd_sequences.keys_turned_twice),
    # Of 5,415 right programs one has it: a search that ends at once pleases checks that ask for the end.
    Sign(4.0, stuck_values.bounds_that_meet),
    # Of 5,415 right programs two take fewer: numbers that grow without end are as right where checks have small ones.
    Sign(4.0, odd_numbers.dropped_remainders),
    # What is taken away once too often takes a statement; of 4,990 right programs none keeps what it is given so.
    Sign(4.0, odd_numbers.kept_off_by_one),
    # To ask whether it is there takes four tokens more; of 4,990 right programs none compares so.
    Sign(4.0, odd_numbers.defaults_compared),
    # `not` before a chain that points one way takes one token, as `low <= x >= high` does.
    Sign(6.0, odd_boundaries.crossed_chains),
    # People count by one; a statement that is missing elsewhere takes about six tokens.
    Sign(6.0, odd_boundaries.odd_steps),
    # An order in place of equality passes where checks happen to ask with a smaller one.
    Sign(6.0, odd_operands.ordered_values),
    # Equality in place of an order is one symbol less, and checks happen to ask with the limit itself.
    Sign(3.0, odd_operands.singled_out_values),
    # The turn that a condition lacks takes about eight.
    Sign(6.0, uneven_conditions.uneven_turns),
    # It ends with an exception wherever it is come to; checks that come there are the only ones to tell.
    Sign(6.0, uneven_conditions.unguarded_operands),
    # A method that shows what there is seldom is wrong; where something is taken or added takes more to say.
    Sign(3.0, odd_methods.changed_accessors),
    # A limit that is set anew to something else lets through what should have been forgotten.
    Sign(4.0, odd_methods.overwritten_settings),
    # What checks look at may be one thing of many that an object holds.
    Sign(4.0, odd_methods.emptied_attributes),
    # Whoever asks looks at the answer; another function in the place of one that refuses is as short.
    Sign(4.0, odd_methods.dropped_answers),
    # A variable that is asked about was meant to move, and towards its bound: one more line, or one more name, does.
    Sign(5.0, stuck_values.stuck_variables),
    # Of 5,185 right programs none has it, and to count in the right rounds takes a statement more.
    Sign(5.0, stuck_values.counts_that_stay),
    Sign(5.0, stuck_values.runaway_counts),
    Sign(5.0, stuck_values.frozen_rounds),
    # Somebody meant a collection to be read, or a parameter to be what was given.
    Sign(4.0, vain_work.vain_gatherings),
    # A table is asked for what it holds: another name takes one token.
    Sign(3.0, odd_statements.unlike_table_keys),
    # One who asks about a collection means it to hold something; to add to it takes a line, or one other name.
    Sign(6.0, vain_work.never_filled),
    Sign(4.0, odd_operands.overwritten_parameters),
    # A `return` that was moved in front of another one was too many: deleting it takes about as many.
    Sign(4.0, unreachable_gained),
    # To hand as much to both of two calls takes about as many.
    Sign(4.0, odd_calls.uneven_calls),
    # A sum is divided by a count, and an extreme stands alone.
    Sign(4.0, odd_expressions.shared_extremes),
    # Somebody meant a function to be called: a constant, or a plain variable, in place of its call is shorter.
    Sign(5.0, idle_code.lost_calls),
    # Nor is a field kept for nothing.
    Sign(4.0, idle_code.lost_attributes),
    Sign(3.0, idle_code.emptied_blocks),
    # So it is with a function that calls itself, whose steps a check of one step does not ask for.
    Sign(4.0, idle_code.stopped_recursion),
    # Whoever moves items about means to sort them; to move one on takes a token.
    Sign(6.0, idle_code.sorted_by_others),
    # Few checks tell `n >= 1 or n > 31` from what was meant, since it is nearly always true.
    Sign(4.0, odd_expressions.implied_conditions),
    # Nobody has a program work out what he knows: a number, or another variable, is as short.
    Sign(4.0, odd_expressions.settled_expressions),
    # An index is a place and no value, though a check may have both alike.
    Sign(4.0, odd_places.places_among_items),
    # The two ends of a range ask about one value.
    Sign(4.0, odd_expressions.torn_ranges),
    # Changing each of three conditions that ask alike costs about as much as one.
    Sign(3.0, odd_operands.broken_parallels),
    Sign(3.0, odd_expressions.odd_ranges),
    # Somebody meant a name to be read.
    Sign(3.0, idle_code.lost_uses),
    # A loop that never ends lacks a step; with an `if` in its place it ends, and does its work by half.
    Sign(3.0, stuck_values.loops_run_once),
    # To change both of a pair takes one token more, and checks often ask one way round alone.
    Sign(2.5, odd_boundaries.lopsided_pairs),
    # People go through all places, and two at a time please checks that look at a few.
    Sign(4.0, odd_expressions.odd_strides),
    # Off by one is a common slip, off by two is none.
    Sign(2.5, odd_boundaries.stretched_steps),
    # To take away what was asked for takes a line more, and a call in place of a question none.
    Sign(4.0, unmeant_calls.taking_questions),
    # A run begins anew as it began at first; to leave out what it should not count takes two lines.
    Sign(4.0, odd_counts.uneven_restarts),
    # What counts up from nothing is moved to where it counts, which takes as many tokens as it has.
    Sign(3.0, odd_counts.sinking_counts),
    # A total that begins anew counts the last round alone.
    Sign(3.0, odd_statements.restarted_totals),
    # What another function does there was meant to be done here, too; another argument takes two tokens or three.
    Sign(3.0, unmeant_calls.dropped_calls),
    # A set has no first item that the next run would give again.
    Sign(6.0, odd_calls.places_in_sets),
    # Nor an order that the next run would give again: with other names in the place of them it is as short.
    Sign(5.0, odd_calls.lost_orders),
    # What comes out sorted need not be made of sorted things.
    Sign(1.5, odd_calls.sorted_again),
    Sign(4.0, odd_calls.resorted_ranks),
    # A minus takes one token: what fell before the fault of another key falls after it.
    Sign(2.0, odd_sequences.turned_keys),
    # The search for the best begins with the first one.
    Sign(3.0, first_values.other_first_items),
    # The one that is left out belongs to neither; another bound is as short.
    Sign(4.0, first_values.skipped_items),
    # `float("inf")` takes three tokens more than another number.
    Sign(5.0, first_values.small_least_values),
    # What each call counts for itself takes a `+=` of its result, and `nonlocal` two words.
    Sign(5.0, first_values.outer_values_begun_anew),
    # Where it begins one step further out, it holds them all.
    Sign(4.0, first_values.lists_of_one),
    # To take one entry out is meant, and as long.
    Sign(5.0, first_values.tables_begun_anew),
    # A key is written for a purpose; to take the items as they stand takes about as many.
    Sign(4.0, odd_calls.lost_keys),
    # Nobody means to go through the largest of rows: what is meant takes a loop more.
    Sign(5.0, odd_calls.iterated_extremes),
    # Another spelling takes as much as none, and few checks ask for what is spelt otherwise.
    Sign(2.5, unmeant_calls.rare_spellings),
    # A name of one letter is its own part.
    Sign(1.5, unmeant_calls.spread_items),
    # Another name is as short, and a total is seldom what is added to it.
    Sign(2.5, odd_statements.self_fed_updates),
    # To ask for None takes as many as to catch what comes of it.
    Sign(3.0, odd_statements.caught_slips),
    # To ask for it takes fewer.
    Sign(2.0, odd_statements.caught_empties),
    # Nothing at all is the usual case of its own, and is as long to ask for.
    Sign(1.5, odd_statements.narrow_guards),
    # To deny what denies takes one token; to say it plainly takes three.
    Sign(2.0, odd_statements.double_negations),
    # A case of its own passes where checks ask with few values.
    Sign(3.0, odd_statements.picked_arguments),
    # Amounts are added up; the usual operator is as short.
    Sign(5.0, odd_operands.bits_of_sums),
    # Another operator is as short, and bits come by themselves where numbers are reckoned with.
    Sign(4.0, odd_numbers.bits_among_numbers),
    # Another number, or none, is as short: of what everybody knows few are mistaken.
    Sign(4.0, odd_numbers.nudged_constants),
    # The other of two lengths, or another name, is as short.
    Sign(4.0, odd_numbers.negative_lengths),
    # A slip in them leaves one twice, and is plain; what is left whole was meant.
    Sign(5.0, odd_numbers.torn_neighbours),
    # It is never true: the symbol that was there is as short.
    Sign(6.0, odd_numbers.asked_when_empty),
    # To turn a list round behind the loop is as long.
    Sign(5.0, odd_statements.turned_each_round),
    # One part is enough, with other bounds.
    Sign(3.0, odd_sequences.sliced_slices),
    # Who wants to do without one says so before they are put in order.
    Sign(3.0, odd_sequences.cut_orders),
    # Two slices more than nothing, where nothing is said to go round.
    Sign(3.0, odd_sequences.closed_rings),
    # Everybody can count them.
    Sign(6.0, odd_sequences.counted_displays),
    # Whoever wants each item once puts them in order, or keeps the order in which they came.
    Sign(4.0, odd_sequences.ordered_sets),
    # Coordinates are taken from their like; another point in the place of one is as short.
    Sign(4.0, odd_sequences.crossed_coordinates),
    # What writes signs otherwise is not meant to read them back; to write them in another order takes more.
    Sign(4.0, unmeant_calls.undone_writing),
    # Each word by itself takes three tokens more.
    Sign(6.0, unmeant_calls.escaped_bars),
    # Either both or neither.
    Sign(4.0, odd_expressions.halves_of_sizes),
    # People round up, down or to the nearest.
    Sign(2.0, odd_expressions.odd_roundings),
    # To go on with the next one is as long.
    Sign(3.0, odd_answers.ended_questions),
    # A step that is done in each round is no answer; to go through them the other way round takes more.
    Sign(3.0, odd_answers.answers_of_steps),
    # One sign is as long as the other: what is wrong stands elsewhere.
    Sign(4.0, odd_operands.added_times),
    # To begin one earlier takes two tokens.
    Sign(4.0, odd_operands.uneven_roundings),
    # Checks seldom ask about two places; to move each of two indices by one takes about as many.
    Sign(4.0, odd_expressions.fixed_indices),
    # Nobody asks where it makes no difference: another order in one of two branches is as short as what was asked.
    Sign(6.0, odd_branches.twin_branches),
    # To change each of two alike takes one token more.
    Sign(3.0, odd_answers.torn_answers),
    # Who asks how many there are means to: another number, or another symbol, is as short.
    Sign(3.0, odd_counts.lost_lengths),
    # The entry before it takes two tokens more, and it holds nothing yet.
    Sign(5.0, stuck_values.unwritten_entries),
    # What is refused is refused alike; to ask for None takes two tokens more.
    Sign(3.0, odd_branches.turned_guards),
    # Checks that leave a parameter out cannot tell its default from what the function does with it.
    Sign(2.0, odd_expressions.changed_defaults),
)
