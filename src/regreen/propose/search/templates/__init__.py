"""The table of templates: every family of slips that the search can undo, in a folder for what it is about."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates import (
    algorithms,
    arithmetic,
    decisions,
    functions,
    iteration,
    library_use,
    objects,
    sequences,
    steps,
    text,
    variables,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *decisions.TEMPLATES,
    *iteration.TEMPLATES,
    *arithmetic.TEMPLATES,
    *sequences.TEMPLATES,
    *text.TEMPLATES,
    *variables.TEMPLATES,
    *functions.TEMPLATES,
    *objects.TEMPLATES,
    *steps.TEMPLATES,
    *algorithms.TEMPLATES,
    *library_use.TEMPLATES,
)

__all__ = ["TEMPLATES"]
