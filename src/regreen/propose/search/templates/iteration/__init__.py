"""Slips of loops: where they go, what they carry from round to round, and what they leave."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.iteration import (
    behind_loops,
    best_so_far,
    both_ends,
    circles,
    drained,
    ends_of_rounds,
    extremes,
    extremes_of_parts,
    kept_values,
    last_numbers,
    left_over,
    loop_nests,
    loops,
    lost_updates,
    missing_entries,
    neighbours,
    nested_counters,
    noted_at_the_end,
    pieces,
    places_that_move,
    repeated_until,
    rests_of_lists,
    round_results,
    rounds_that_count,
    running_values,
    steps_from_the_start,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *circles.TEMPLATES,
    *best_so_far.TEMPLATES,
    *extremes.TEMPLATES,
    *extremes_of_parts.TEMPLATES,
    *both_ends.TEMPLATES,
    *loops.TEMPLATES,
    *loop_nests.TEMPLATES,
    *last_numbers.TEMPLATES,
    *nested_counters.TEMPLATES,
    *neighbours.TEMPLATES,
    *noted_at_the_end.TEMPLATES,
    *running_values.TEMPLATES,
    *kept_values.TEMPLATES,
    *ends_of_rounds.TEMPLATES,
    *steps_from_the_start.TEMPLATES,
    *round_results.TEMPLATES,
    *pieces.TEMPLATES,
    *left_over.TEMPLATES,
    *behind_loops.TEMPLATES,
    *rests_of_lists.TEMPLATES,
    *drained.TEMPLATES,
    *missing_entries.TEMPLATES,
    *lost_updates.TEMPLATES,
    *rounds_that_count.TEMPLATES,
    *repeated_until.TEMPLATES,
    *places_that_move.TEMPLATES,
)

__all__ = ["TEMPLATES"]
