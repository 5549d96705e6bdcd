"""The table of templates: every family of slips that the search knows how to undo."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates import (
    borrowed_code,
    branches,
    calls,
    comparisons,
    conditions,
    exceptions,
    fstrings,
    guards,
    indices,
    insertions,
    loops,
    methods,
    missing_steps,
    name_swaps,
    none_and_falsy,
    numbers,
    operators,
    recursion,
    regexes,
    repeated_slips,
    shared_state,
    sorting,
    special_methods,
    statement_moves,
    strings,
    unpacking,
    unreachable_names,
    values_and_containers,
    wrapping_calls,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *numbers.TEMPLATES,
    *values_and_containers.TEMPLATES,
    *comparisons.TEMPLATES,
    *conditions.TEMPLATES,
    *none_and_falsy.TEMPLATES,
    *branches.TEMPLATES,
    *operators.TEMPLATES,
    *name_swaps.TEMPLATES,
    *unreachable_names.TEMPLATES,
    *strings.TEMPLATES,
    *fstrings.TEMPLATES,
    *regexes.TEMPLATES,
    *calls.TEMPLATES,
    *unpacking.TEMPLATES,
    *sorting.TEMPLATES,
    *recursion.TEMPLATES,
    *methods.TEMPLATES,
    *special_methods.TEMPLATES,
    *indices.TEMPLATES,
    *wrapping_calls.TEMPLATES,
    *loops.TEMPLATES,
    *statement_moves.TEMPLATES,
    *guards.TEMPLATES,
    *insertions.TEMPLATES,
    *missing_steps.TEMPLATES,
    *exceptions.TEMPLATES,
    *shared_state.TEMPLATES,
    *repeated_slips.TEMPLATES,
    *borrowed_code.TEMPLATES,
)

__all__ = ["TEMPLATES"]
