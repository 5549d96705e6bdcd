"""Slips of objects: what their methods keep, undo, ask and compare."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.objects import (
    clean_up,
    comings_and_goings,
    counterparts,
    descriptors,
    followers,
    held_collections,
    journals,
    kept_beside,
    kept_for_a_while,
    object_arithmetic,
    object_state,
    put_back,
    records_with_limits,
    replaced_entries,
    special_methods,
    state_guards,
    taken_over,
    uncalled_methods,
    unkept_parameters,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *held_collections.TEMPLATES,
    *kept_for_a_while.TEMPLATES,
    *followers.TEMPLATES,
    *unkept_parameters.TEMPLATES,
    *special_methods.TEMPLATES,
    *state_guards.TEMPLATES,
    *object_state.TEMPLATES,
    *journals.TEMPLATES,
    *counterparts.TEMPLATES,
    *clean_up.TEMPLATES,
    *put_back.TEMPLATES,
    *comings_and_goings.TEMPLATES,
    *uncalled_methods.TEMPLATES,
    *object_arithmetic.TEMPLATES,
    *descriptors.TEMPLATES,
    *replaced_entries.TEMPLATES,
    *taken_over.TEMPLATES,
    *kept_beside.TEMPLATES,
    *records_with_limits.TEMPLATES,
)

__all__ = ["TEMPLATES"]
