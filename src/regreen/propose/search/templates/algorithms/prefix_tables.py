"""Tables of borders and prefixes: where the comparison goes on after a difference (Knuth, Morris, Pratt)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import whole_number


def fall_back_through_table(node: ast.If | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if text[i] != text[k]: k = 0` becomes `while k > 0 and text[i] != text[k]: k = table[k - 1]`, where `table[i] =
    k` keeps the length: the next shorter border may go on."""
    test = node.test.values[-1] if isinstance(node.test, ast.BoolOp) else node.test
    reset = node.body[0]
    if len(node.body) != 1 or not isinstance(reset, ast.Assign) or not isinstance(test, ast.Compare):
        return
    length = context.text(reset.targets[0])
    table = _kept_in(length, context)
    if not isinstance(test.ops[0], ast.NotEq) or not table or whole_number(reset.value) != 0:
        return
    lines = (f"while {length} > 0 and {context.text(test)}:", f"\t{length} = {table}[{length} - 1]")
    if not node.orelse:
        yield from context.restate(node, lines)
    elif isinstance(node, ast.If):
        otherwise = [context.text(step) for step in node.orelse]
        if not any("\n" in line for line in otherwise):
            equal = f"if {context.text(test).replace(' != ', ' == ', 1)}:"
            yield from context.restate(node, (*lines, equal, *(f"\t{line}" for line in otherwise)), LIKELY)


def _kept_in(length: str, context: TemplateContext) -> str:
    """The table that a loop keeps a length in by place: `table[i] = length`; empty where there is none."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and context.text(part.value) == length:
            target = part.targets[0]
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
                return context.text(target.value)
    return ""


TEMPLATES = (Template("fall_back_through_table", (ast.If, ast.While), fall_back_through_table, ("content", "smaller")),)
