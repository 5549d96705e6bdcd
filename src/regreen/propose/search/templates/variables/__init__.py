"""Slips of names: which variable is read, whether it is bound, and who else holds its value."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.variables import (
    asked_names,
    made_anew,
    name_swaps,
    never_changed,
    overwriting,
    shared_state,
    unbound_variables,
    unreachable_names,
    unread_collections,
    unread_fields,
    unread_variables,
    worked_values,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *name_swaps.TEMPLATES,
    *asked_names.TEMPLATES,
    *unreachable_names.TEMPLATES,
    *unread_collections.TEMPLATES,
    *unread_fields.TEMPLATES,
    *unread_variables.TEMPLATES,
    *never_changed.TEMPLATES,
    *unbound_variables.TEMPLATES,
    *worked_values.TEMPLATES,
    *overwriting.TEMPLATES,
    *shared_state.TEMPLATES,
    *made_anew.TEMPLATES,
)

__all__ = ["TEMPLATES"]
