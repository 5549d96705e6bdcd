"""The table of templates: every family of slips that the search knows how to undo."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates import (
    absence,
    borrowed,
    branches,
    calls,
    comparisons,
    conditions,
    everywhere,
    exceptions,
    fstrings,
    guards,
    indices,
    insertions,
    loops,
    methods,
    names,
    numbers,
    operators,
    protocols,
    recursion,
    regexes,
    scopes,
    sharing,
    sorting,
    statements,
    steps,
    strings,
    unpacking,
    values,
    wraps,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *numbers.TEMPLATES,
    *values.TEMPLATES,
    *comparisons.TEMPLATES,
    *conditions.TEMPLATES,
    *absence.TEMPLATES,
    *branches.TEMPLATES,
    *operators.TEMPLATES,
    *names.TEMPLATES,
    *scopes.TEMPLATES,
    *strings.TEMPLATES,
    *fstrings.TEMPLATES,
    *regexes.TEMPLATES,
    *calls.TEMPLATES,
    *unpacking.TEMPLATES,
    *sorting.TEMPLATES,
    *recursion.TEMPLATES,
    *methods.TEMPLATES,
    *protocols.TEMPLATES,
    *indices.TEMPLATES,
    *wraps.TEMPLATES,
    *loops.TEMPLATES,
    *statements.TEMPLATES,
    *guards.TEMPLATES,
    *insertions.TEMPLATES,
    *steps.TEMPLATES,
    *exceptions.TEMPLATES,
    *sharing.TEMPLATES,
    *everywhere.TEMPLATES,
    *borrowed.TEMPLATES,
)

__all__ = ["TEMPLATES"]
