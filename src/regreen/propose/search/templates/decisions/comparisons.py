"""Wrong comparisons: the boundary, the direction, the wrong operator altogether."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, IMPROBABLE, LIKELY, POSSIBLE, PROBABLE, UNLIKELY, VERY_LIKELY
from regreen.propose.search.expressions import (
    COMPARISON,
    COMPARISON_SYMBOLS,
    NOT,
    OPPOSITE_COMPARISON,
    OR,
    TEST,
    Expression,
    attribute_of,
    bool_operation,
    comparison,
    function_call,
    subscript,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name
from regreen.types import Edit

_NEIGHBOURS = {
    "<": (("<=", 1.0), (">", 0.9), (">=", 0.6), ("!=", 0.3), ("==", 0.2)),
    "<=": (("<", 1.0), (">=", 0.9), (">", 0.6), ("==", 0.3), ("!=", 0.2)),
    ">": ((">=", 1.0), ("<", 0.9), ("<=", 0.6), ("!=", 0.3), ("==", 0.2)),
    ">=": ((">", 1.0), ("<=", 0.9), ("<", 0.6), ("==", 0.3), ("!=", 0.2)),
    "==": (("!=", 1.0), (">=", 0.5), ("<=", 0.5), (">", 0.4), ("<", 0.4), ("in", 0.3), ("is", 0.1), ("not in", 0.1)),
    "!=": (("==", 1.0), (">", 0.5), ("<", 0.5), (">=", 0.3), ("<=", 0.3), ("not in", 0.3), ("is not", 0.1)),
    "in": (("not in", 1.0), ("==", 0.4), ("!=", 0.1)),
    "not in": (("in", 1.0), ("!=", 0.4), ("==", 0.1)),
    "is": (("==", 0.9), ("is not", 1.0)),
    "is not": (("!=", 0.9), ("is", 1.0)),
}


def swap_comparison(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a < b` becomes `a <= b`, `a > b`, ...: also one link of a chain."""
    left: ast.expr = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        symbol = COMPARISON_SYMBOLS[type(operator)]
        start, end = context.program.gap(context.program.spans[left][1], context.program.spans[right][0])
        for other, weight in _NEIGHBOURS[symbol]:
            if other.startswith(("in", "not", "is")) and context.program.source[start - 1 : start] not in (" ", "\n"):
                continue
            yield context.replace(start, end, other, weight)
        left = right


def swap_membership(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x in xs` becomes `xs in x`."""
    if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
        yield context.put(
            node, comparison(context.expression(node.comparators[0]), symbol, context.expression(node.left))
        )


def cut_chain(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a < b < c` becomes `a < b` or `b < c`."""
    if len(node.ops) < 2:
        return
    spans, source = context.program.spans, context.program.source
    outer, inner = spans[node], spans[node.comparators[-2]]
    yield context.replace(inner[1], outer[1], "")
    start = context.program.gap(spans[node.left][1], spans[node.comparators[0]][0])[1]
    kept = source[start : outer[1]].lstrip()
    yield context.replace(outer[0], outer[1], kept)


def mend_link(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a == b < c`, which means `a == b and b < c`, becomes `(a == b) < c` or `a == (b < c)`."""
    if len(node.ops) != 2:
        return
    one, two = (COMPARISON_SYMBOLS[type(o)] for o in node.ops)
    left, middle, right = (context.expression(n) for n in (node.left, *node.comparators))
    yield context.put(node, comparison(comparison(left, one, middle), two, right))
    yield context.put(node, comparison(left, one, comparison(middle, two, right)))


def compare_lengths(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a > b` becomes `len(a) > len(b)`, `abs(a) > abs(b)` and the reverse."""
    if len(node.ops) != 1:
        return
    sides = (node.left, node.comparators[0])
    symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
    for function, weight in (
        ("len", 1.0),
        ("abs", LIKELY),
        ("set", POSSIBLE),
        ("sorted", POSSIBLE),
        ("str", IMPROBABLE),
        ("int", UNLIKELY),
    ):
        if function == "str" and isinstance(node.ops[0], ORDERS):
            # Numbers as texts are in no order that anybody means.
            continue
        if all(_calls(side, function) for side in sides):
            bare = [context.expression(side.args[0]) for side in sides if isinstance(side, ast.Call)]
            yield context.put(node, comparison(bare[0], symbol, bare[1]), weight)
        elif not any(_calls(side, function) or isinstance(side, ast.Constant) for side in sides):
            left, right = (f"{function}({context.expression(side).at(TEST)})" for side in sides)
            yield context.put(node, comparison(Expression(left), symbol, Expression(right)), weight)
    if context.kind(node.left) == "str" and context.kind(node.comparators[0]) in ("str", ""):
        for method, weight in (("lower", PROBABLE), ("strip", POSSIBLE), ("casefold", IMPROBABLE)):
            left, right = (function_call(attribute_of(context.expression(side), method).text).text for side in sides)
            yield context.put(node, comparison(Expression(left), symbol, Expression(right)), weight)


def look_at_last(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x not in found` becomes `not found or found[-1] != x`: only the one before counts."""
    seen = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn) or not isinstance(seen, ast.Name):
        return
    if context.kind(seen) not in ("list", "str", ""):
        return
    is_in = isinstance(node.ops[0], ast.In)
    last = comparison(subscript(Expression(seen.id), "-1"), "==" if is_in else "!=", context.expression(node.left))
    there = Expression(seen.id) if is_in else unary_operation("not", Expression(seen.id))
    yield context.put(node, bool_operation(there, "and" if is_in else "or", last))
    yield context.put(node, last, HALF)


def swap_none_test(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x is None` becomes `not x`, and `x is not None` becomes `x`."""
    if len(node.ops) == 1 and isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None:
        code = context.expression(node.left)
        positive = isinstance(node.ops[0], ast.IsNot | ast.NotEq)
        yield context.put(node, code if positive else f"not {code.at(NOT)}")


def spell_truth(node: ast.If | ast.While | ast.IfExp | ast.Assert, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if x` becomes `if x is not None`, `if x > 0`, `if len(x) > 1`: another test than truth was meant."""
    test = node.test
    negative = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    core = test.operand if isinstance(test, ast.UnaryOp) and negative else test
    if not isinstance(core, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return
    code, kind = context.expression(core), context.kind(core)
    spelt = [("is not None", 1.0)]
    if kind in ("int", "float", ""):
        spelt += [("> 0", VERY_LIKELY), ("> 1", PROBABLE), ("== 1", UNLIKELY), ("< 0", IMPROBABLE)]
    if kind in ("list", "str", "set", "dict", "tuple", ""):
        yield context.put(
            test, comparison(Expression(f"len({code.text})"), "<=" if negative else ">", Expression("1")), HALF
        )
    for rest, weight in spelt:
        symbol, right = rest.rsplit(" ", 1)
        yield context.put(
            test, comparison(code, OPPOSITE_COMPARISON[symbol] if negative else symbol, Expression(right)), weight
        )


def _calls(node: ast.expr, function: str) -> bool:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    return named and isinstance(node, ast.Call) and len(node.args) == 1


def all_bits(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if have & need:`, true for one common bit, becomes `if have & need == need:`; so do `bool(...)`, `... != 0`."""
    if not isinstance(node.op, ast.BitAnd) or not {context.kind(node.left), context.kind(node.right)} <= {"int", ""}:
        return
    asked = _asked_as_truth(node, context)
    if asked is None:
        return
    for part, weight in ((node.right, 1.0), (node.left, HALF)):
        if not isinstance(part, ast.Constant | ast.UnaryOp):
            yield context.put(asked, comparison(context.expression(node), "==", context.expression(part)), weight)


def _asked_as_truth(node: ast.expr, context: TemplateContext) -> ast.expr | None:
    """The whole expression that asks whether a number is not 0; None where nobody asks."""
    parent = context.parent(node)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "bool":
        return parent
    if isinstance(parent, ast.Compare) and parent.left is node and len(parent.ops) == 1:
        zero = parent.comparators[0]
        is_asked = isinstance(parent.ops[0], ast.NotEq | ast.Gt) and isinstance(zero, ast.Constant) and zero.value == 0
        return parent if is_asked else None
    is_test = isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node
    negated = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    filtering = isinstance(parent, ast.comprehension) and node in parent.ifs
    return node if is_test or negated or filtering or isinstance(parent, ast.BoolOp) else None


_FROM_RIGHT: Final = ("^", "**")
"""Operators of which the one on the right is worked out first, as languages write them."""


def group_from_right(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rank[top] >= rank[op]` becomes `rank[top] > rank[op] or rank[top] == rank[op] and op != "^"`, where the program
    knows such an operator: of two powers the right one comes first."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.GtE | ast.LtE):
        return
    left, right = node.left, node.comparators[0]
    if not isinstance(left, ast.Subscript | ast.Call) or not isinstance(right, ast.Subscript | ast.Call):
        return
    known = {part.value for part in ast.walk(context.program.tree) if isinstance(part, ast.Constant)}
    stricter = ">" if isinstance(node.ops[0], ast.GtE) else "<"
    coming = right if stricter == ">" else left
    asked = [coming.slice] if isinstance(coming, ast.Subscript) else coming.args
    if len(asked) != 1:
        return
    operator = context.text(asked[0])
    one, other = context.text(left), context.text(right)
    if re.sub(r"\W.*", "", one) == re.sub(r"\W.*", "", other):
        for symbol in (symbol for symbol in _FROM_RIGHT if symbol in known):
            rule = f'{one} {stricter} {other} or ({one} == {other} and {operator} != "{symbol}")'
            yield context.put(node, Expression(rule, OR))


def ask_for_instance(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`type(x) == tuple` becomes `isinstance(x, tuple)`, and `type(x) != tuple` becomes `not isinstance(x, tuple)`."""
    call, kind = node.left, node.comparators[0]
    is_kind = isinstance(call, ast.Call) and context.text(call.func) == "type" and len(call.args) == 1
    if not is_kind or len(node.ops) != 1 or not isinstance(kind, ast.Name):
        return
    assert isinstance(call, ast.Call)
    asked = Expression(f"isinstance({context.text(call.args[0])}, {kind.id})")
    if isinstance(node.ops[0], ast.Eq | ast.Is):
        yield context.put(node, asked)
    elif isinstance(node.ops[0], ast.NotEq | ast.IsNot):
        yield context.put(node, unary_operation("not", asked))


def ask_for_lead(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(a, b) >= 4` gains `and abs(a - b) >= 2`, where prose says "at least two more than the other"."""
    both = node.left
    if not isinstance(both, ast.Call) or callee_name(both) != "max" or len(both.args) != _TWO or len(node.ops) != 1:
        return
    one, other = map(context.text, both.args)
    for found in _LEAD.finditer(context.clues.prose):
        lead = _WORDS_OF_NUMBERS.get(found[1].lower(), found[1])
        test = Expression(f"abs({one} - {other}) >= {lead}", COMPARISON)
        yield context.put(node, bool_operation(context.expression(node), "and", test))


_TWO = 2
_WORDS_OF_NUMBERS = {"one": "1", "two": "2", "three": "3"}
_LEAD = re.compile(rf"\b(\d|{'|'.join(_WORDS_OF_NUMBERS)}) (?:\w+ )?(?:more|ahead|clear|in front)\b", re.IGNORECASE)


def compare_values_of_members(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`level.name < lowest.name` becomes `level.value < lowest.value`: members of an enumeration stand in the order of
    their values."""
    sides = [node.left, *node.comparators]
    if not all(isinstance(side, ast.Attribute) and side.attr == "name" for side in sides) or len(sides) != 2:
        return
    edits = []
    for side in sides:
        end = context.program.spans[side][1]
        edits.append(Edit(end - len("name"), end, "value"))
    yield WeightedEdits(tuple(edits))


def compare_in_table(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`level >= least` becomes `LEVELS[level] >= LEVELS[least]` for a table of numbers that the module has."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return
    sides = (node.left, node.comparators[0])
    if any(isinstance(side, ast.Constant) or context.kind(side) not in ("str", "") for side in sides):
        return
    symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
    for table in context.cached_of_program("tables of ranks", lambda: _tables_of_ranks(context)):
        left, right = (f"{table}[{context.text(side)}]" for side in sides)
        yield context.put(node, Expression(f"{left} {symbol} {right}", COMPARISON))


def _tables_of_ranks(context: TemplateContext) -> list[str]:
    """The names of the module's dicts that give texts a number."""
    made = [part for part in context.program.tree.body if isinstance(part, ast.Assign)]
    return [
        target.id
        for part in made
        if isinstance(target := part.targets[0], ast.Name) and isinstance(part.value, ast.Dict) and part.value.keys
        if all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in part.value.keys)
        if all(isinstance(one, ast.Constant) and type(one.value) in (int, float) for one in part.value.values)
    ]


def whole_hundred(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`status == 200` becomes `200 <= status < 300`: a family of numbers that begin alike."""
    first = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq) or not isinstance(first, ast.Constant):
        return
    if type(first.value) is int and first.value and first.value % _HUNDRED == 0:
        subject = context.expression(node.left)
        within = Expression(f"{first.value} <= {subject.at(COMPARISON + 1)} < {first.value + _HUNDRED}", COMPARISON)
        yield context.put(node, within if isinstance(node.ops[0], ast.Eq) else unary_operation("not", within))


_HUNDRED: Final = 100


def compare_as_read(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`version > best`, after `current = parse(version)`, becomes `current > parse(best)`: texts have an order of their
    own."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    sides = (node.left, node.comparators[0])
    for part in context.scope.nodes:
        value = part.value if isinstance(part, ast.Assign) and part.lineno <= node.lineno else None
        if not isinstance(value, ast.Call) or len(value.args) != 1 or value.keywords:
            continue
        read, given = context.text(part.targets[0]), context.text(value.args[0])  # type: ignore[attr-defined]
        for one, other in (sides, sides[::-1]):
            if context.text(one) == given and context.text(other) != read and isinstance(other, ast.Name):
                parsed = f"{context.text(value.func)}({other.id})"
                edits = (context.edit(one, Expression(read)), context.edit(other, Expression(parsed)))
                yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def equal_distances(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a - b == c - d` becomes `abs(a - b) == abs(c - d)`: on a diagonal either way."""
    sides = (node.left, node.comparators[0])
    is_equality = len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq)
    if is_equality and all(isinstance(side, ast.BinOp) and isinstance(side.op, ast.Sub) for side in sides):
        symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
        left, right = (f"abs({context.text(side)})" for side in sides)
        yield context.put(node, Expression(f"{left} {symbol} {right}", COMPARISON))


TEMPLATES = (
    Template("equal_distances", (ast.Compare,), equal_distances, ("negated", "sign")),
    Template("compare_as_read", (ast.Compare,), compare_as_read, ("content",)),
    Template("compare_in_table", (ast.Compare,), compare_in_table, ("negated", "content", "longer", "shorter")),
    Template("whole_hundred", (ast.Compare,), whole_hundred, ("negated", "content")),
    Template("compare_values_of_members", (ast.Compare,), compare_values_of_members),
    Template("ask_for_lead", (ast.Compare,), ask_for_lead, ("content", "negated")),
    Template("ask_for_instance", (ast.Compare,), ask_for_instance, ("negated", "content")),
    Template("group_from_right", (ast.Compare,), group_from_right),
    Template("swap_comparison", (ast.Compare,), swap_comparison, ("negated", "inclusive", "strict", "off_by_one")),
    Template("swap_membership", (ast.Compare,), swap_membership),
    Template("cut_chain", (ast.Compare,), cut_chain),
    Template("mend_link", (ast.Compare,), mend_link),
    Template("compare_lengths", (ast.Compare,), compare_lengths, ("absolute", "case")),
    Template("all_bits", (ast.BinOp,), all_bits, ("negated",)),
    Template("look_at_last", (ast.Compare,), look_at_last, ("shorter",)),
    Template("swap_none_test", (ast.Compare,), swap_none_test),
    Template("spell_truth", (ast.If, ast.While, ast.IfExp, ast.Assert), spell_truth, ("empty",)),
)
