"""Assignments that overwrite: values that nothing has read, and parameters that were handed over to be changed."""

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


def change_given(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`grid = turned`, of a parameter, becomes `grid[:] = turned`; of a mapping it is cleared and filled."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or target.id not in context.scope.parameters:
        return
    name, value = target.id, context.text(node.value)
    if name == context.scope.receiver or context.scope.kinds.get(name, "") in ("int", "float", "str", "bool"):
        return
    if context.scope.kinds.get(name, "") != "dict":
        end = context.program.spans[target][1]
        yield context.replace(end, end, "[:]")
    if context.scope.kinds.get(name, "") in ("dict", "set", "") and isinstance(node.value, ast.Name):
        yield from context.restate(node, (f"{name}.clear()", f"{name}.update({value})"))


TEMPLATES = (
    Template("drop_overwriting", (ast.FunctionDef, ast.AsyncFunctionDef), drop_overwriting),
    Template("change_given", (ast.Assign,), change_given, ("none", "order", "content")),
)
