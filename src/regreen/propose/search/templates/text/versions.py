"""Texts of numbers that are compared as texts: versions, addresses, numbered names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import COMPARISON, COMPARISON_SYMBOLS, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_DOTTED: Final = re.compile(r"\d+(?:([.\-:_])\d+)+")
_ORDERING: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_KEYED: Final = ("sorted", "max", "min", "sort")


def compare_versions(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a > b` of "1.10" and "1.9" becomes `[int(part) for part in a.split(".")] > ...`, also as tuples."""
    separator = _separator(context)
    if not separator or len(node.ops) != 1 or not isinstance(node.ops[0], _ORDERING):
        return
    sides = (node.left, node.comparators[0])
    if any(context.kind(side) not in ("str", "") or isinstance(side, ast.Constant) for side in sides):
        return
    symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
    for shape, weight in ((_AS_TUPLE, 1.0), (_AS_LIST, LIKELY)):
        left, right = (shape.format(context.expression(side).at(COMPARISON + 1), separator) for side in sides)
        yield context.put(node, Expression(f"{left} {symbol} {right}", COMPARISON), weight)


_AS_TUPLE: Final = 'tuple(map(int, {}.split("{}")))'
_AS_LIST: Final = '[int(part) for part in {}.split("{}")]'


def order_versions(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(versions)` becomes `max(versions, key=lambda text: tuple(map(int, text.split("."))))`; `sorted` as well."""
    separator = _separator(context)
    if separator and callee_name(node) in _KEYED and len(node.args) <= 1:
        yield from context.with_keyword(node, f"key=lambda text: {_AS_TUPLE.format('text', separator)}")


def _separator(context: TemplateContext) -> str:
    """What stands between the numbers in texts of the checks, if there are any of which one has two digits."""
    texts = [text for text in context.clues.input_strings if _DOTTED.fullmatch(text)]
    found = {match[1] for text in texts if (match := _DOTTED.fullmatch(text))}
    has_long = any(len(part) > 1 for text in texts for part in re.split(r"\D", text))
    return min(found) if has_long and len(found) == 1 else ""


TEMPLATES = (
    Template("compare_versions", (ast.Compare,), compare_versions, ("negated", "content")),
    Template("order_versions", (ast.Call,), order_versions, ("order", "content")),
)
