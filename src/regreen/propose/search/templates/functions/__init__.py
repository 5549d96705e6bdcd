"""Slips of calls, their arguments and results, and of functions that call themselves."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.functions import (
    backtracking,
    base_cases,
    call_arguments,
    calls,
    decorators,
    foreign_methods,
    keywords_elsewhere,
    left_out_of_keys,
    lost_arguments,
    methods,
    missing_arguments,
    needed_kinds,
    own_parts,
    recursion,
    recursive_calls,
    related_functions,
    unpacking,
    wrapping_calls,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *needed_kinds.TEMPLATES,
    *related_functions.TEMPLATES,
    *call_arguments.TEMPLATES,
    *lost_arguments.TEMPLATES,
    *left_out_of_keys.TEMPLATES,
    *keywords_elsewhere.TEMPLATES,
    *calls.TEMPLATES,
    *unpacking.TEMPLATES,
    *decorators.TEMPLATES,
    *recursion.TEMPLATES,
    *base_cases.TEMPLATES,
    *recursive_calls.TEMPLATES,
    *methods.TEMPLATES,
    *foreign_methods.TEMPLATES,
    *wrapping_calls.TEMPLATES,
    *backtracking.TEMPLATES,
    *missing_arguments.TEMPLATES,
    *own_parts.TEMPLATES,
)

__all__ = ["TEMPLATES"]
