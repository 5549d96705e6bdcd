"""Numbers as they are written: zeros at the front, which no number needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import AND, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def refuse_leading_zeros(node: ast.If | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not p.isdigit() or int(p) > 255:` asks `or p != str(int(p))`, too, and `return p.isdigit()` gains `and p ==
    str(int(p))`: "01" is written as no number is."""
    test = node.test if isinstance(node, ast.If) else node.value
    if test is None:
        return
    for text in dict.fromkeys(_texts_of_digits(test, context)):
        refused = isinstance(node, ast.If) and _refuses(node)
        sign, joint = ("!=", "or") if refused else ("==", "and")
        asked = Expression(f"{text} {sign} str(int({text}))")
        yield context.put(test, bool_operation(context.expression(test), joint, asked))
        zero = f'len({text}) > 1 and {text}[0] == "0"'
        other = Expression(f"({zero})" if refused else f"not ({zero})", AND)
        yield context.put(test, bool_operation(context.expression(test), joint, other), LIKELY)


def _refuses(node: ast.If) -> bool:
    """Whether a condition leads to an answer of its own, which is a refusal."""
    last = node.body[-1]
    is_no = isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and not last.value.value
    return is_no or isinstance(last, ast.Raise | ast.Continue)


def _texts_of_digits(test: ast.expr, context: TemplateContext) -> Iterator[str]:
    """The variables that a condition asks for digits, or reads as numbers."""
    for part in (test, *context.program.below(test)):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="isdigit" | "isdecimal" | "isnumeric")):
                yield name
            case ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=name)]):
                yield name


TEMPLATES = (
    Template("refuse_leading_zeros", (ast.If, ast.Return), refuse_leading_zeros, ("negated", "not_raised", "longer")),
)
