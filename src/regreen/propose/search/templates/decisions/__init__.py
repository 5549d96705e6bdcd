"""Slips of conditions, branches, guards and exceptions: what a program decides."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.decisions import (
    bare_questions,
    branches,
    comparisons,
    conditional_values,
    conditions,
    defaults,
    exceptions,
    filters,
    first_differences,
    found_or_not,
    guards,
    half_conditions,
    half_read,
    kinds_asked_for,
    link_order,
    negations,
    none_and_falsy,
    other_halves,
    own_questions,
    refusals,
    symmetric_conditions,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *comparisons.TEMPLATES,
    *negations.TEMPLATES,
    *conditions.TEMPLATES,
    *defaults.TEMPLATES,
    *kinds_asked_for.TEMPLATES,
    *symmetric_conditions.TEMPLATES,
    *none_and_falsy.TEMPLATES,
    *branches.TEMPLATES,
    *link_order.TEMPLATES,
    *half_read.TEMPLATES,
    *guards.TEMPLATES,
    *refusals.TEMPLATES,
    *found_or_not.TEMPLATES,
    *own_questions.TEMPLATES,
    *filters.TEMPLATES,
    *half_conditions.TEMPLATES,
    *bare_questions.TEMPLATES,
    *exceptions.TEMPLATES,
    *other_halves.TEMPLATES,
    *first_differences.TEMPLATES,
    *conditional_values.TEMPLATES,
)

__all__ = ["TEMPLATES"]
