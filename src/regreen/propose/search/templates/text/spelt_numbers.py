"""Numbers that are spelt out: parts that nobody says where they are nothing, and 1st, 2nd, 3rd, 11th."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import OPERATOR_SYMBOLS, OR, SUM, TERM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, python_literal, whole_number


def leave_out_zero_part(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tens[n // 10] + "-" + ones[n % 10]` becomes `tens[n // 10] + ("-" + ones[n % 10] if n % 10 else "")`, and
    without the sign between where none stands there."""
    if not isinstance(node.op, ast.Add) or isinstance(context.parent(node), ast.BinOp):
        return
    last, first = node.right, node.left
    if (rest := _rest_asked(last, context)) == "":
        return
    between = first.right if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add) else None
    if isinstance(between, ast.Constant) and isinstance(between.value, str):
        assert isinstance(first, ast.BinOp)
        said = f"{context.text(between)} + {context.expression(last).at(SUM + 1)}"
        before = context.expression(first.left)
        if between.value.strip() and between.value.endswith(" "):
            # The blank goes with the part that may be left out, the word does not.
            said = f'" " + {context.expression(last).at(SUM + 1)}'
            word = Expression(python_literal(between.value.rstrip()))
            before = binary_operation(before, OPERATOR_SYMBOLS[ast.Add][0], word)
    else:
        said, before = context.text(last), context.expression(first)
    part = Expression(f'{said} if {rest} else ""', TEST)
    yield context.put(node, binary_operation(before, OPERATOR_SYMBOLS[ast.Add][0], part))


def _rest_asked(node: ast.expr, context: TemplateContext) -> str:
    """`n % 10` of `ones[n % 10]`, `words(n % 10)` and `str(n % 10)`, and the like of a call of `divmod`."""
    inner = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        inner = node.args[0]
    is_rest = isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mod)
    return context.text(inner) if inner is not None and is_rest else ""


_ENDINGS: Final = frozenset({"st", "nd", "rd"})


def ordinal_teens(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n in (11, 12, 13)` and `11 <= n <= 13` become `n % 100 in (11, 12, 13)`: 111 is the 111th."""
    numbers = {value for part in ast.walk(node) if (value := whole_number(part)) is not None}
    names = [part for part in (node.left, *node.comparators) if isinstance(part, ast.Name)]
    if numbers in ({11, 12, 13}, {11, 13}, {10, 20}, {10, 14}) and len(names) == 1:
        yield context.put(names[0], Expression(f"{names[0].id} % 100", TERM))


def teens_by_table(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")` becomes `"th" if 10 < n % 100 < 20 else ...`: the 11th, 112th. So
    does `endings.get(n, "th")`, which has no ending for 21, in a program that has those three."""
    if callee_name(node) != "get" or len(node.args) != 2:
        return
    number, last = node.args[0], context.text(node.args[1])
    is_digit = isinstance(number, ast.BinOp) and isinstance(number.op, ast.Mod) and whole_number(number.right) == 10
    if isinstance(number, ast.BinOp) and is_digit:
        whole, found = context.expression(number.left).at(TERM), context.text(node)
    elif {part.value for part in context.program.nodes if isinstance(part, ast.Constant)} >= _ENDINGS:
        whole = context.expression(number).at(TERM)
        found = f"{context.text(node.func)}({whole} % 10, {last})"
        yield context.put(number, Expression(f"{whole} % 10", TERM), LIKELY)
    else:
        return
    yield context.put(node, Expression(f"{last} if 10 < {whole} % 100 < 20 else {found}", TEST))


def digits_and_point(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if ch.isdigit(): number += ch` asks `ch.isdigit() or ch == "."`, and `int(number)` becomes `float(number) if "."
    in number else int(number)` wherever it is read: 1.5 is one number."""
    guard, sign = context.parent(node), node.func.value if isinstance(node.func, ast.Attribute) else None
    if callee_name(node) != "isdigit" or not isinstance(sign, ast.Name) or not isinstance(guard, ast.If):
        return
    grown = {
        step.target.id
        for step in guard.body
        if isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Name) and context.text(step.value) == sign.id
    }
    for number in sorted(grown):
        read = [
            part
            for part in context.scope.nodes
            if isinstance(part, ast.Call) and context.text(part) == f"int({number})"
        ]
        either = Expression(f'float({number}) if "." in {number} else int({number})', TEST)
        asked = Expression(f'{context.text(node)} or {sign.id} == "."', OR)
        yield WeightedEdits((context.edit(node, asked), *(context.edit(part, either) for part in read)))
        yield WeightedEdits(
            (context.edit(node, asked), *(context.edit(part, Expression(f"float({number})")) for part in read)), HALF
        )


def sign_for_nothing(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`str(n)` becomes `str(n) if n else " "`, or a sign that the prose names: nothing is not written as 0."""
    if (
        context.text(node.func) != "str"
        or len(node.args) != 1
        or not isinstance(node.args[0], ast.Name | ast.Attribute)
    ):
        return
    number = context.text(node.args[0])
    stated = [text for text in context.clues.strings if not text.isalnum()]
    for rank, sign in enumerate(dict.fromkeys((*stated, " ", ""))):
        shown = Expression(f"{context.text(node)} if {number} else {python_literal(sign)}", TEST)
        yield context.put(node, shown, LIKELY**rank)


TEMPLATES = (
    Template("sign_for_nothing", (ast.Call,), sign_for_nothing, ("zero", "content")),
    Template("digits_and_point", (ast.Call,), digits_and_point, ("content", "longer", "value")),
    Template("ordinal_teens", (ast.Compare,), ordinal_teens),
    Template("teens_by_table", (ast.Call,), teens_by_table, ("content",)),
    Template("leave_out_zero_part", (ast.BinOp,), leave_out_zero_part, ("longer", "end")),
)
