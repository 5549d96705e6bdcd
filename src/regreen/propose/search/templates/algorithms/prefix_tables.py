"""Tables of borders and prefixes: where the comparison goes on after a difference (Knuth, Morris, Pratt), the least so
far."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
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


def _read_behind(length: str, context: TemplateContext) -> str:
    """The table whose last entry a length begins with: `k = table[-1]`; empty where there is none."""
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=table), slice=place)):
                if name == length and whole_number(place) == -1:
                    return table
    return ""


def _kept_in(length: str, context: TemplateContext) -> str:
    """The table that a loop keeps a length in by place: `table[i] = length` or `table.append(length)`; empty where
    there is none."""
    for part in context.scope.nodes:
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[ast.Name(id=kept)]):
                if kept == length:
                    return name
        if isinstance(part, ast.Assign) and context.text(part.value) == length:
            target = part.targets[0]
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
                return context.text(target.value)
    return ""


def extreme_so_far(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lowest[i] = word[i]` in a loop that runs back becomes `min(word[i], lowest[i + 1])`, and in one that runs on
    `min(word[i], lowest[i - 1])`: the least from there on, or up to there."""
    target, value = node.targets[0], node.value
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    if loop is None or not isinstance(target, ast.Subscript) or context.text(target.slice) != context.text(loop.target):
        return
    table, place = context.text(target.value), context.text(target.slice)
    if table in context.text(value) or isinstance(value, ast.Constant):
        return
    runs_back = "-1" in context.text(loop.iter)[-3:] or "reversed(" in context.text(loop.iter)
    before = f"{table}[{place} {'+' if runs_back else '-'} 1]"
    for way, words in (("min", _LEAST), ("max", _GREATEST)):
        weight = 1.0 if any(word in table.lower() for word in words) else HALF
        yield context.put(value, f"{way}({context.text(value)}, {before})", weight)


_LEAST: Final = ("min", "low", "least", "small", "cheap")
_GREATEST: Final = ("max", "high", "most", "large", "best", "top")


def shorter_border(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`k -= 1` in `while k and text[i] != text[k]:` becomes `k = table[k - 1]`: the next border that may go on is
    seldom just one shorter."""
    loop = context.parent(node)
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(loop, ast.While) or not isinstance(target, ast.Name):
        return
    length = target.id
    table = _kept_in(length, context) or _read_behind(length, context)
    asked = context.text(loop.test)
    goes_down = f"[{length}]" in asked or asked in (length, f"{length} > 0")
    if table and goes_down and f"{table}[{length} - 1]" not in context.text(node):
        yield from context.restate(node, (f"{length} = {table}[{length} - 1]",))


TEMPLATES = (
    Template("shorter_border", (ast.AugAssign, ast.Assign), shorter_border, ("content", "smaller", "larger")),
    Template("extreme_so_far", (ast.Assign,), extreme_so_far, ("content", "smaller", "larger")),
    Template("fall_back_through_table", (ast.If, ast.While), fall_back_through_table, ("content", "smaller")),
)
