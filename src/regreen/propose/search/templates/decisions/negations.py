"""Wrong negations: a condition or a part of it turned round, written as in prose, or a constant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    PROBABLE,
)
from regreen.propose.search.expressions import (
    COMPARISON,
    COMPARISON_SYMBOLS,
    TEST,
    Expression,
    bool_operation,
    comparison,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.conditions import likely_conditions
from regreen.syntax import OPPOSITE_SYMBOLS


def negation(node: ast.expr, context: TemplateContext) -> Expression:
    """The opposite of a condition; a comparison gets the opposite operator."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return context.expression(node.operand)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        symbol = OPPOSITE_SYMBOLS[type(node.ops[0])]
        return comparison(context.expression(node.left), symbol, context.expression(node.comparators[0]))
    return unary_operation("not", context.expression(node))


def negate_condition(
    node: ast.If | ast.While | ast.IfExp | ast.Assert, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if a and b` becomes `if not (a and b)`."""
    yield context.put(node.test, negation(node.test, context))


def negate_part(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a and b` becomes `not a and b`."""
    for value in node.values:
        yield context.put(value, negation(value, context))


def negate_result(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return a in b` becomes `return a not in b`."""
    if node.value is not None and context.kind(node.value) == "bool" and not isinstance(node.value, ast.Constant):
        yield context.put(node.value, negation(node.value, context))


def ask_for_zero(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n > 0 and n & (n - 1)` becomes `n > 0 and n & (n - 1) == 0`, and `if n % 2` becomes `if n % 2 == 0`."""
    parent = context.parent(node)
    is_asked = isinstance(parent, ast.BoolOp) or (isinstance(parent, _TESTED) and parent.test is node)
    if isinstance(node.op, ast.BitAnd | ast.Mod) and (is_asked or isinstance(parent, ast.Return)):
        # Python's `&` binds closer than `==`.
        yield context.put(node, comparison(context.expression(node), "==", Expression("0")))


def look_before_answer(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return True` becomes `return not xs`, `return n == 0`: the answer depends on what is left."""
    answer = node.value
    if not isinstance(answer, ast.Constant) or not isinstance(answer.value, bool):
        return
    for name in context.scope.of_kind("list", "set", "dict", "str", "tuple"):
        if name in context.scope.assigned:
            left = (
                unary_operation("not", Expression(name))
                if answer.value
                else comparison(Expression(f"len({name})"), ">", Expression("0"))
            )
            yield context.put(answer, left)
    for condition, weight in likely_conditions(context):
        yield context.put(answer, condition, weight * HALF)


def negate_filter(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs if c]` becomes `[x for x in xs if not c]`."""
    for test in node.ifs:
        yield context.put(test, negation(test, context))


def spread_not(node: ast.UnaryOp | ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`not a and b` becomes `not (a and b)`, `not (a and b)` becomes `not a and b` or `not a and not b`."""
    if isinstance(node, ast.BoolOp):
        first = node.values[0]
        word = "and" if isinstance(node.op, ast.And) else "or"
        if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not) and len(node.values) == 2:
            yield context.put(
                node,
                unary_operation(
                    "not", bool_operation(context.expression(first.operand), word, context.expression(node.values[1]))
                ),
            )
        return
    inner = node.operand
    if isinstance(node.op, ast.Not) and isinstance(inner, ast.BoolOp) and len(inner.values) == 2:
        word = "and" if isinstance(inner.op, ast.And) else "or"
        left, right = (context.expression(value) for value in inner.values)
        yield context.put(node, bool_operation(unary_operation("not", left), word, right))
        yield context.put(node, bool_operation(unary_operation("not", left), word, unary_operation("not", right)))


def repeat_comparison(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x == a or b` becomes `x == a or x == b`, `a or b in xs` becomes `a in xs or b in xs`: written as in prose."""
    tests = [n for n in node.values if isinstance(n, ast.Compare) and len(n.ops) == 1]
    bare = [n for n in node.values if isinstance(n, _BARE)]
    if len(tests) > 1 and bare and node.values[: len(bare)] == bare:
        # `x and y >= 0 and y < height`: the question behind them is about all of them.
        first = node.values[len(bare)]
        tests = [first] if first in tests else []
        values = [context.expression(value) for value in bare]
        for test in tests:
            symbol = COMPARISON_SYMBOLS[type(test.ops[0])]
            right = context.expression(test.comparators[0])
            full = [comparison(value, symbol, right) for value in values]
            yield WeightedEdits(tuple(context.edit(value, code) for value, code in zip(bare, full, strict=True)))
        return
    if len(tests) != 1 or not bare:
        return
    test, values = tests[0], [context.expression(value) for value in bare]
    symbol = COMPARISON_SYMBOLS[type(test.ops[0])]
    left, right = context.expression(test.left), context.expression(test.comparators[0])
    if test is node.values[0]:
        full = [comparison(left, symbol, value) for value in values]
    elif test is node.values[-1]:
        full = [comparison(value, symbol, right) for value in values]
    else:
        return
    edits = [context.edit(value, code) for value, code in zip(bare, full, strict=True)]
    yield WeightedEdits(tuple(edits))
    if test is node.values[0] and len(bare) + 1 == len(node.values) and symbol in _AMONG:
        choice = ", ".join(code.at(TEST) for code in (right, *values))
        yield context.put(node, Expression(f"{left.at(COMPARISON)} {_AMONG[symbol]} ({choice})", COMPARISON))


_BARE = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript)


_AMONG = {"==": "in", "!=": "not in"}


def condition_to_constant(node: ast.If | ast.While | ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if c` becomes `if True` or `if False`; `while c` becomes `while True`."""
    if not isinstance(node.test, ast.Constant):
        yield context.put(node.test, "True")
        yield context.put(node.test, "False", PROBABLE)


_TESTED = (ast.If, ast.While, ast.IfExp)


TEMPLATES = (
    Template("negate_condition", (*_TESTED, ast.Assert), negate_condition, ("negated",)),
    Template("negate_part", (ast.BoolOp,), negate_part, ("negated",)),
    Template("negate_result", (ast.Return, ast.Assign), negate_result, ("negated",)),
    Template("ask_for_zero", (ast.BinOp,), ask_for_zero, ("negated", "kind")),
    Template("look_before_answer", (ast.Return,), look_before_answer, ("negated",)),
    Template("negate_filter", (ast.comprehension,), negate_filter, ("shorter", "longer", "content")),
    Template("repeat_comparison", (ast.BoolOp,), repeat_comparison, ("negated",)),
    Template("spread_not", (ast.UnaryOp, ast.BoolOp), spread_not),
    Template("constant_condition", _TESTED, condition_to_constant),
)
