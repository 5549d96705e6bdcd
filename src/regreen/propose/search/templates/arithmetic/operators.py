"""Wrong operators: another symbol, a missing or superfluous operand, swapped operands, wrong grouping."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import permutations
from typing import Final

from regreen.propose.search.constants import HALF, IMPROBABLE, POSSIBLE, PROBABLE, REMOTE, SELDOM, VERY_LIKELY
from regreen.propose.search.expressions import (
    LOOSE,
    OPERATOR_SYMBOLS,
    SUM,
    SYMBOL_LEVEL,
    Expression,
    binary_operation,
    bool_operation,
    comparison,
    function_call,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.negations import negation

_KIN = {
    "+": (("-", 1.0), ("*", 0.7), ("//", 0.2), ("%", 0.2), ("/", 0.2), ("|", 0.1), ("^", 0.1)),
    "-": (("+", 1.0), ("*", 0.4), ("//", 0.3), ("%", 0.3), ("/", 0.3)),
    "*": (("+", 0.9), ("**", 0.7), ("//", 0.6), ("/", 0.7), ("-", 0.4), ("%", 0.2)),
    "/": (("//", 1.0), ("*", 0.8), ("%", 0.4), ("-", 0.3), ("+", 0.1)),
    "//": (("/", 0.9), ("%", 1.0), ("*", 0.5), ("-", 0.3), ("+", 0.2)),
    "%": (("//", 1.0), ("/", 0.4), ("*", 0.3), ("-", 0.2), ("+", 0.2)),
    "**": (("*", 1.0), ("//", 0.2), ("+", 0.2), ("^", 0.1)),
    "&": (("|", 1.0), ("^", 0.7), ("-", 0.4), (">>", 0.2), ("<<", 0.2), ("+", 0.2)),
    "|": (("&", 1.0), ("^", 0.8), ("-", 0.3), ("+", 0.3)),
    "^": (("&", 1.0), ("|", 0.9), ("**", 0.7), ("-", 0.2), ("+", 0.2)),
    "<<": ((">>", 1.0), ("+", 0.2), ("*", 0.2)),
    ">>": (("<<", 1.0), ("//", 0.2), ("-", 0.2)),
    "@": (("*", 1.0),),
}
_ONE_WAY = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.MatMult)


def swap_operator(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a + b` becomes `a - b`, `a / b` becomes `a // b`, ..."""
    symbol, level = OPERATOR_SYMBOLS[type(node.op)]
    left, right = context.expression(node.left), context.expression(node.right)
    text = isinstance(node.op, ast.Mod) and context.kind(node.left) == "str"
    sequences = {context.kind(node.left), context.kind(node.right)} & {"str", "list", "tuple"}
    start, end = context.program.gap(context.program.spans[node.left][1], context.program.spans[node.right][0])
    for other, weight in _KIN[symbol]:
        if other == "%" and right.text == "1":
            continue  # of a whole number that is nothing
        share = weight * (IMPROBABLE if text or (sequences and other not in "+*") else 1.0)
        if other in _OF_BITS and symbol not in _OF_BITS and not context.cached("bits", lambda: _has_bits(context)):
            # Numbers are reckoned with here, and bits are not spoken of.
            share *= IMPROBABLE
        if SYMBOL_LEVEL[other] == level and other != "**":
            yield context.replace(start, end, other, share)
        else:
            yield context.put(node, binary_operation(left, other, right), share)
            if left.level < SYMBOL_LEVEL[other] or right.level <= SYMBOL_LEVEL[other]:
                yield context.replace(start, end, other, share * HALF)


_OF_BITS: Final = frozenset({"&", "|", "^", "<<", ">>"})


def order_of_parts(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`walk(left) + walk(right) + [value]` becomes `walk(left) + [value] + walk(right)`: three parts turned."""
    inner = node.left
    if not isinstance(node.op, ast.Add) or not isinstance(inner, ast.BinOp) or not isinstance(inner.op, ast.Add):
        return
    parts = (inner.left, inner.right, node.right)
    is_chain = isinstance(inner.left, ast.BinOp) and isinstance(inner.left.op, ast.Add)
    if is_chain or isinstance(context.parent(node), ast.BinOp):
        return
    if any(isinstance(part, ast.List) or context.kind(part) in ("list", "str") for part in parts):
        texts = [context.expression(part).at(SUM + 1) for part in parts]
        for order in permutations(texts):
            if list(order) != texts:
                yield context.put(node, Expression(" + ".join(order), SUM))


def clear_bits(node: ast.BinOp | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`flags ^ bit` becomes `flags & ~bit`, which never sets it; the same for `-`, `|` and `&` in their place."""
    weight = _UNSET.get(type(node.op), 0.0)
    if not weight or (isinstance(node.op, ast.Sub) and not context.cached("bits", lambda: _has_bits(context))):
        return
    if isinstance(node, ast.AugAssign):
        code = unary_operation("~", context.expression(node.value))
        start, end = context.program.spans[node]
        yield context.replace(start, end, f"{context.text(node.target)} &= {code.text}", weight)
    elif {context.kind(node.left), context.kind(node.right)} <= {"int", ""}:
        code = unary_operation("~", context.expression(node.right))
        yield context.put(node, binary_operation(context.expression(node.left), "&", code), weight)


def _has_bits(context: TemplateContext) -> bool:
    """Whether the program has to do with single bits: an operator for them, or a name that says so."""
    operators = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.Invert)
    return any(isinstance(part, operators) for part in context.program.nodes) or bool(
        re.search(r"\b\w*(?:bit|flag|mask)\w*", context.program.source.lower())
    )


_UNSET: dict[type[ast.operator], float] = {
    ast.BitXor: 1.0,
    ast.BitAnd: HALF,
    ast.BitOr: POSSIBLE,
    ast.Sub: REMOTE,
}
"""How likely a bit was meant to be cleared, by the operator that stands there."""


def lowest_bit(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x & (x - 1)`, which is `x` without its lowest bit, becomes `x & -x`, which is that bit, and the reverse."""
    if not isinstance(node.op, ast.BitAnd):
        return
    own, other = context.expression(node.left), node.right
    is_less = isinstance(other, ast.BinOp) and isinstance(other.op, ast.Sub) and context.text(other.right) == "1"
    if is_less and context.text(other.left) == own.text:  # type: ignore[attr-defined]
        yield context.put(node, binary_operation(own, "&", unary_operation("-", own)))
    elif isinstance(other, ast.UnaryOp) and context.text(other.operand) == own.text:
        less = binary_operation(own, "-", Expression("1"))
        yield context.put(node, binary_operation(own, "&", Expression(f"({less.text})")))


def swap_operands(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a - b` becomes `b - a`."""
    texts = isinstance(node.op, ast.Add) and context.kind(node) in ("str", "list", "tuple", "")
    if texts or isinstance(node.op, _ONE_WAY):
        symbol = OPERATOR_SYMBOLS[type(node.op)][0]
        yield context.put(
            node,
            binary_operation(context.expression(node.right), symbol, context.expression(node.left)),
            HALF if texts else 1.0,
        )


def drop_operand(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a + b` becomes `a` or `b`; `a ** b * c` becomes `a ** c`, and `a * b ** c` as well."""
    left, right = context.expression(node.left), context.expression(node.right)
    yield context.put(node, left)
    yield context.put(node, right, VERY_LIKELY)
    if isinstance(node.left, ast.BinOp):
        symbol = OPERATOR_SYMBOLS[type(node.left.op)][0]
        yield context.put(node, binary_operation(context.expression(node.left.left), symbol, right), HALF)
    if isinstance(node.right, ast.BinOp):
        symbol = OPERATOR_SYMBOLS[type(node.right.op)][0]
        yield context.put(node, binary_operation(left, symbol, context.expression(node.right.right)), HALF)


def regroup(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a + b * c` becomes `(a + b) * c`, `a - b * c / d` becomes `(a - b) * c / d`, and the other way round."""
    symbol = OPERATOR_SYMBOLS[type(node.op)][0]
    left, right = context.expression(node.left), context.expression(node.right)
    for joined in (*_joined_first(left, symbol, node.right, context), *_joined_last(node.left, symbol, right, context)):
        yield context.put(node, joined)
    if isinstance(node.left, ast.BinOp) and isinstance(node.right, ast.BinOp):
        # `100 * low + same / 2 / n` becomes `100 * (low + same / 2) / n`.
        inner = binary_operation(context.expression(node.left.right), symbol, context.expression(node.right.left))
        first = binary_operation(context.expression(node.left.left), OPERATOR_SYMBOLS[type(node.left.op)][0], inner)
        last = OPERATOR_SYMBOLS[type(node.right.op)][0]
        yield context.put(node, binary_operation(first, last, context.expression(node.right.right)))


def _joined_first(left: Expression, symbol: str, node: ast.expr, context: TemplateContext) -> Iterator[Expression]:
    """A chain of operations of which the first operand, or a longer beginning, is an operand of `left` as well."""
    if isinstance(node, ast.BinOp):
        outer, last = OPERATOR_SYMBOLS[type(node.op)][0], context.expression(node.right)
        yield binary_operation(binary_operation(left, symbol, context.expression(node.left)), outer, last)
        for joined in _joined_first(left, symbol, node.left, context):
            yield binary_operation(joined, outer, last)


def _joined_last(node: ast.expr, symbol: str, right: Expression, context: TemplateContext) -> Iterator[Expression]:
    """A chain of operations of which the last operand, or a longer end, is an operand of `right` as well."""
    if isinstance(node, ast.BinOp):
        outer, first = OPERATOR_SYMBOLS[type(node.op)][0], context.expression(node.left)
        yield binary_operation(first, outer, binary_operation(context.expression(node.right), symbol, right))
        for joined in _joined_last(node.right, symbol, right, context):
            yield binary_operation(first, outer, joined)


def regroup_call(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(x) - 1` becomes `len(x - 1)`, `int(a) / b` becomes `int(a / b)`."""
    symbol = OPERATOR_SYMBOLS[type(node.op)][0]
    for side, other, first in ((node.left, node.right, True), (node.right, node.left, False)):
        if isinstance(side, ast.Call) and len(side.args) == 1 and not side.keywords:
            parts = (context.expression(side.args[0]), context.expression(other))
            inner = (
                binary_operation(parts[0], symbol, parts[1]) if first else binary_operation(parts[1], symbol, parts[0])
            )
            yield context.put(node, function_call(context.text(side.func), inner))


def regroup_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(a / b)` becomes `int(a) / b`, `int(a) / int(b)` or `a / int(b)`."""
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.BinOp):
        return
    inner = node.args[0]
    symbol, function = OPERATOR_SYMBOLS[type(inner.op)][0], context.text(node.func)
    left, right = context.expression(inner.left), context.expression(inner.right)
    yield context.put(node, binary_operation(function_call(function, left), symbol, right))
    yield context.put(
        node, binary_operation(function_call(function, left), symbol, function_call(function, right)), PROBABLE
    )
    yield context.put(node, binary_operation(left, symbol, function_call(function, right)), HALF)


def swap_word(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a and b` becomes `a or b`: the whole chain, or one link of it; `a or b` becomes `a and not b`, or `a != b`,
    not both."""
    word = "and" if isinstance(node.op, ast.Or) else "or"
    codes = [context.expression(value) for value in node.values]
    yield context.put(node, _joined(word, codes))
    if word == "and" and len(codes) == 2:
        yield context.put(node, _joined(word, (codes[0], negation(node.values[1], context))), POSSIBLE)
        yield context.put(node, comparison(codes[0], "!=", codes[1]), SELDOM)
    for left, right in zip(node.values, node.values[1:], strict=False) if len(codes) > 2 else ():
        start, end = context.program.gap(context.program.spans[left][1], context.program.spans[right][0])
        yield context.replace(start, end, word, HALF)


def drop_condition(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a and b` becomes `a` or `b`."""
    word = "and" if isinstance(node.op, ast.And) else "or"
    for skipped in reversed(range(len(node.values))):
        rest = [context.expression(value) for index, value in enumerate(node.values) if index != skipped]
        yield context.put(node, _joined(word, rest))


def regroup_words(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a and b or c` becomes `a and (b or c)`; `a or b or c and d` becomes `(a or b or c) and d`."""
    word, inner = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    codes = [context.expression(value) for value in node.values]
    for index, value in enumerate(node.values):
        if not isinstance(value, ast.BoolOp):
            continue
        parts = [context.expression(part) for part in value.values]
        before, after = codes[:index], codes[index + 1 :]
        for apart in dict.fromkeys((0, index - 1)) if before else ():
            group = _joined(word, (*before[apart:], parts[0]))
            yield context.put(node, _joined(word, (*before[:apart], _joined(inner, (group, *parts[1:])), *after)))
        if after:
            group = _joined(word, (parts[-1], *after))
            yield context.put(node, _joined(word, (*before, _joined(inner, (*parts[:-1], group)))))


def _joined(word: str, codes: Sequence[Expression]) -> Expression:
    return reduce(lambda left, right: bool_operation(left, word, right), codes)


def drop_sign(node: ast.UnaryOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`-x` becomes `x`, `not x` becomes `x`, `+x` becomes `-x`."""
    if isinstance(node.op, ast.UAdd):
        yield context.put(node, unary_operation("-", context.expression(node.operand)))
    else:
        yield context.put(node, context.expression(node.operand))


def add_sign(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `-x`."""
    parent = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(parent, ast.UnaryOp | ast.Attribute):
        return
    if context.kind(node) not in ("int", "float", "") or (isinstance(parent, ast.Call) and parent.func is node):
        return
    likely = isinstance(parent, ast.Return | ast.Slice | ast.Subscript | ast.Tuple | ast.Lambda)
    yield context.put(node, unary_operation("-", context.expression(node)), 1.0 if likely else POSSIBLE)


_AUGMENTED = {
    "+": (("-=", 1.0), ("=", 0.9), ("*=", 0.6), ("|=", 0.1)),
    "-": (("+=", 1.0), ("=", 0.7), ("//=", 0.3), ("*=", 0.2), ("%=", 0.3)),
    "*": (("+=", 0.9), ("**=", 0.3), ("=", 0.5), ("/=", 0.4), ("//=", 0.4)),
    "/": (("//=", 1.0), ("*=", 0.8), ("-=", 0.4)),
    "//": (("/=", 0.8), ("%=", 0.8), ("*=", 0.6), ("-=", 0.5)),
    "%": (("//=", 1.0), ("-=", 0.5)),
    "**": (("*=", 1.0),),
    "&": (("|=", 1.0), ("^=", 0.8), ("-=", 0.5)),
    "|": (("&=", 1.0), ("^=", 0.8), ("+=", 0.3)),
    "^": (("|=", 1.0), ("&=", 1.0)),
    "<<": ((">>=", 1.0),),
    ">>": (("<<=", 1.0), ("//=", 0.2)),
}


def swap_update(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x += y` becomes `x -= y`, `x = y`, ..."""
    start, end = _sign(node.target, node.value, context)
    for other, weight in _AUGMENTED.get(OPERATOR_SYMBOLS[type(node.op)][0], ()):
        yield context.replace(start, end, other, weight)


def swap_assignment(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x = y` becomes `x += y`, `x -= y` or `x *= y`."""
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name | ast.Attribute | ast.Subscript):
        return
    start, end = _sign(node.targets[0], node.value, context)
    signed = context.text(node.value).startswith(("-", "+"))
    for other, weight in (("+=", 1.0), ("-=", HALF), ("*=", POSSIBLE), ("|=", IMPROBABLE), ("//=", REMOTE)):
        if not signed or other not in ("+=", "-="):
            yield context.replace(start, end, other, weight)


def signed_update(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x =- y` becomes `x -= y`, and `x =+ y` becomes `x += y`; seldom where the sign stands apart from the `=`."""
    text = context.text(node.value)
    if len(node.targets) != 1 or not text.startswith(("-", "+")) or isinstance(node.targets[0], ast.Tuple | ast.List):
        return
    start, value = _sign(node.targets[0], node.value, context)[0], context.program.spans[node.value][0]
    operand = text[1:].lstrip()
    weight = 1.0 if operand != text[1:] else PROBABLE
    if context.program.source[start - 1 : value] != " =":
        weight = REMOTE
    yield context.replace(start, value + len(text) - len(operand), f"{text[0]}= ", weight)


def _sign(target: ast.expr, value: ast.expr, context: TemplateContext) -> tuple[int, int]:
    return context.program.gap(context.program.spans[target][1], context.program.spans[value][0])


def ungroup(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(a + b) * c` becomes `a + b * c`: brackets that should not be there."""
    code = context.expression(node)
    if not context.program.bracketed(node) or code.level <= LOOSE or "\n" in code.text:
        return
    start, end = context.program.spans[node]
    source = context.program.source
    opened = source.rindex("(", 0, start)
    closed = source.index(")", end)
    if opened and (source[opened - 1].isalnum() or source[closed + 1 : closed + 2].isalnum()):
        return
    yield context.replace(opened, closed + 1, code.text)


_SUMS: Final = ast.Add | ast.Sub


def bracket_both_sides(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`v - low / high - low` becomes `(v - low) / (high - low)`."""
    first = node.left
    if not isinstance(node.op, _SUMS) or not isinstance(first, ast.BinOp) or not isinstance(first.op, _SUMS):
        return
    quotient = first.right
    if not isinstance(quotient, ast.BinOp) or not isinstance(quotient.op, ast.Div | ast.FloorDiv):
        return
    above = binary_operation(
        context.expression(first.left), OPERATOR_SYMBOLS[type(first.op)][0], context.expression(quotient.left)
    )
    below = binary_operation(
        context.expression(quotient.right), OPERATOR_SYMBOLS[type(node.op)][0], context.expression(node.right)
    )
    yield context.put(node, binary_operation(above, OPERATOR_SYMBOLS[type(quotient.op)][0], below))


TEMPLATES = (
    Template("bracket_both_sides", (ast.BinOp,), bracket_both_sides, ("rounding",)),
    Template("swap_operator", (ast.BinOp,), swap_operator, ("sign", "rounding")),
    Template("lowest_bit", (ast.BinOp,), lowest_bit),
    Template("order_of_parts", (ast.BinOp,), order_of_parts, ("order", "content")),
    Template("clear_bits", (ast.BinOp, ast.AugAssign), clear_bits),
    Template("drop_operand", (ast.BinOp,), drop_operand, ("off_by_one", "longer")),
    Template("swap_operands", (ast.BinOp,), swap_operands, ("sign", "reversed", "order")),
    Template("regroup", (ast.BinOp,), regroup),
    Template("ungroup", (ast.BinOp, ast.BoolOp, ast.Compare), ungroup),
    Template("regroup_call", (ast.BinOp,), regroup_call),
    Template("regroup_argument", (ast.Call,), regroup_argument),
    Template("swap_word", (ast.BoolOp,), swap_word, ("negated",)),
    Template("drop_condition", (ast.BoolOp,), drop_condition),
    Template("regroup_words", (ast.BoolOp,), regroup_words),
    Template("drop_sign", (ast.UnaryOp,), drop_sign, ("negated", "sign")),
    Template(
        "add_sign", (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute), add_sign, ("sign", "descending")
    ),
    Template("swap_update", (ast.AugAssign,), swap_update, ("sign",)),
    Template("swap_assignment", (ast.Assign,), swap_assignment),
    Template("signed_update", (ast.Assign,), signed_update, ("sign",)),
)
