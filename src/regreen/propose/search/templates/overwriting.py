"""Assignments too many: they overwrite values that nothing has read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.overwritten_values import overwriting_statements
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import Function


def drop_overwriting(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """All assignments that overwrite a value which nothing has read are deleted at once."""
    found = overwriting_statements(node)
    if found and all(context.program.alone(statement) for statement in found):
        found.sort(key=lambda statement: context.program.spans[statement][0])
        edits = tuple(context.delete(statement).edits[0] for statement in found)
        yield WeightedEdits(edits)


TEMPLATES = (Template("drop_overwriting", (ast.FunctionDef, ast.AsyncFunctionDef), drop_overwriting),)
