"""What comes into a collection of an object and leaves it again: what is there already, and what is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import REMOTE
from regreen.propose.search.expressions import OR, Expression, attribute_of
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import walk

_LEAVING: Final = re.compile(
    r"(?:^|_)(?:leave|give|return|release|remove|check_?out|checkout|cancel|close|end|finish|stop|drop|delete|pop|take|"
    r"unpark|exit|free|pay|serve|claim|revoke|logout)(?:_|s?$)"
)
"""Words of methods after which something is no longer there."""


def refuse_what_is_there(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not self.free: return None` before `self.cars[plate] = space` becomes `if not self.free or plate in
    self.cars:`: who is there does not come in again."""
    block = context.program.block(node)
    if node.orelse or not isinstance(node.body[-1], ast.Return | ast.Raise):
        return
    asked = context.text(node.test)
    for table, key in _stored(block[block.index(node) + 1 :], context):
        if f"{key} in {table}" not in asked and f"{key} not in {table}" not in asked:
            either = f"{context.expression(node.test).at(OR)} or {key} in {table}"
            yield context.put(node.test, Expression(either, OR))


def _stored(statements: list[ast.stmt], context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The tables of the object and the parameters that they get entries by: `self.cars[plate] = space`."""
    for part in (part for statement in statements for part in walk(statement)):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.slice, ast.Name):
            table = context.text(part.value)
            is_own = table.partition(".")[0] == context.scope.receiver and "." in table
            if is_own and part.slice.id in context.scope.parameters:
                yield table, part.slice.id


def take_entry(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`entry = table[key]` becomes `table.pop(key)`, `xs[0]` becomes `xs.pop(0)`: what is read should be gone, above
    all where the function is called `leave`, `give_back` and the like."""
    is_end, around = _leaves(node, context), context.parent(node)
    if not isinstance(node.ctx, ast.Load) or not (is_end or isinstance(around, ast.Assign | ast.Return)):
        return
    if isinstance(node.slice, ast.Slice | ast.Tuple) or context.kind(node.value) in ("str", "tuple"):
        return
    key = context.text(node.slice)
    taken = attribute_of(context.expression(node.value), f"pop({'' if key == '-1' else key})")
    yield context.put(node, taken, 1.0 if is_end else REMOTE)


def _leaves(node: ast.Subscript, context: TemplateContext) -> bool:
    """Whether a method that makes an end of something reads the object's entry of a parameter, and leaves it there."""
    function, table, key = context.scope.function, context.text(node.value), context.text(node.slice)
    is_own = table.partition(".")[0] == context.scope.receiver and "." in table
    if function is None or not is_own or key not in context.scope.parameters or not _LEAVING.search(function.name):
        return False
    return not any(text in context.text(function) for text in (f"{table}.pop(", f"del {table}["))


TEMPLATES = (
    Template("take_entry", (ast.Subscript,), take_entry, ("longer",)),
    Template("refuse_what_is_there", (ast.If,), refuse_what_is_there, ("content", "shorter")),
)
