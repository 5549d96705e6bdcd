"""What methods note of what they did, each under its own name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, names_within


def note_as_others(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`withdraw` ends with `self.history.append(("withdraw", amount))`, as `deposit` notes `("deposit", amount)`."""
    owner = context.parent(node)
    if not isinstance(owner, ast.ClassDef) or not context.scope.receiver or node.name.startswith("__"):
        return
    own_calls = {call for call, _ in _calls(node, context)}
    within = {context.scope.receiver, *context.scope.parameters, *context.scope.assigned}
    for other in (part for part in owner.body if isinstance(part, FUNCTIONS) and part is not node):
        for call, statement in _calls(other, context):
            text = context.text(statement)
            names = names_within(statement)
            if call in own_calls or "\n" in text or not _is_named(statement, other.name):
                continue
            if names.intersection(_bound(other)) <= within:
                noted = text.replace(other.name, node.name)
                last = node.body[-1]
                ends = isinstance(last, ast.Return | ast.Raise)
                yield from context.before(last, (noted,)) if ends else context.after(last, (noted,))


def _calls(function: Function, context: TemplateContext) -> Iterator[tuple[str, ast.Expr]]:
    """The calls among the statements of a function's own block: what they call, and the statement."""
    for statement in function.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield context.text(statement.value.func), statement


def _is_named(statement: ast.Expr, name: str) -> bool:
    """Whether a text in a statement is, or begins with, the name of its function."""
    texts = (part.value for part in ast.walk(statement) if isinstance(part, ast.Constant))
    return any(isinstance(text, str) and text.startswith(name) for text in texts)


def _bound(function: Function) -> set[str]:
    """The names that a function has of its own: parameters and what it assigns."""
    stored = (p.id for p in ast.walk(function) if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store))
    return {*(part.arg for part in ast.walk(function) if isinstance(part, ast.arg)), *stored}


TEMPLATES = (Template("note_as_others", FUNCTIONS, note_as_others, ("shorter", "content")),)
