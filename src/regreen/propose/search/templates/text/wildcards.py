"""Wildcards on the wrong side: `test_*` for `*_test`, `word%` for `%word%`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, PROBABLE
from regreen.propose.search.expressions import SUM, TERM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted

_WILDCARDS: Final = ("*", "%")
"""Any text, in file patterns and in SQL's LIKE."""


def move_wildcard(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"*.py"` becomes `".py*"`, `"*.py*"` or `"**/*.py"`; of `"%" + word` each side is looked at by itself."""
    value, parent = node.value, context.parent(node)
    if not isinstance(value, str) or isinstance(parent, ast.Expr) or context.text(node)[:1] not in "'\"":
        return
    for sign in _WILDCARDS:
        bare = value.strip(sign)
        if value == bare or sign in bare or (sign == "%" and bare[:1] in tuple("sdifrxo(.0123456789")):
            continue
        if value == sign:
            yield from _other_side(node, parent, context)
            continue
        shapes = [bare + sign, sign + bare, sign + bare + sign, bare]
        shapes += [f"**/{value}"] if sign == "*" and not value.startswith("**") else []
        for rank, shape in enumerate(shapes):
            if shape != value:
                yield context.put(node, quoted(shape, context.text(node)), 1.0 if rank < 2 else PROBABLE)


def _other_side(node: ast.Constant, parent: ast.AST, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word + "%"` becomes `"%" + word`, and `"%" + word + "%"`."""
    if not isinstance(parent, ast.BinOp) or not isinstance(parent.op, ast.Add):
        return
    other = context.expression(parent.left if node is parent.right else parent.right)
    sign = context.text(node)
    before = Expression(f"{sign} + {other.at(TERM)}", SUM)
    after = Expression(f"{other.at(SUM)} + {sign}", SUM)
    yield context.put(parent, before if node is parent.right else after)
    yield context.put(parent, Expression(f"{sign} + {other.at(TERM)} + {sign}", SUM))


def move_wildcard_in_fstring(node: ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f"{word}%"` becomes `f"%{word}%"` or `f"%{word}"`."""
    text = context.text(node)
    quote = text[-1:]
    opening = text.find(quote) + 1
    if text.endswith(quote * 3) or not 0 < opening < len(text) - 1:
        return
    body = text[opening:-1]
    for sign in _WILDCARDS:
        bare = body.strip(sign)
        if bare == body or sign in bare:
            continue
        for shape, weight in ((sign + bare + sign, 1.0), (sign + bare, 1.0), (bare + sign, 1.0), (bare, HALF)):
            if shape != body:
                yield context.put(node, text[:opening] + shape + quote, weight)


TEMPLATES = (
    Template("move_wildcard", (ast.Constant,), move_wildcard, ("content", "longer", "shorter")),
    Template("move_wildcard_in_fstring", (ast.JoinedStr,), move_wildcard_in_fstring, ("content", "longer", "shorter")),
)
