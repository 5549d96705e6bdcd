"""Wrong operators: another symbol, a lost or a superfluous operand, operands the wrong way round, wrong grouping."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import reduce

from regreen.propose.search.code import LOOSE, OPERATORS, SYMBOL_LEVEL, Code, binary, both, call, unary
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template

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


def swap_operator(node: ast.BinOp, place: Place) -> Drafts:
    """`a + b` becomes `a - b`, `a / b` becomes `a // b`, ..."""
    symbol, level = OPERATORS[type(node.op)]
    left, right = place.code(node.left), place.code(node.right)
    text = isinstance(node.op, ast.Mod) and place.kind(node.left) == "str"
    sequences = {place.kind(node.left), place.kind(node.right)} & {"str", "list", "tuple"}
    start, end = place.program.gap(place.program.spans[node.left][1], place.program.spans[node.right][0])
    for other, weight in _KIN[symbol]:
        share = weight * (0.2 if text or (sequences and other not in "+*") else 1.0)
        if SYMBOL_LEVEL[other] == level and other != "**":
            yield place.replace(start, end, other, share)
        else:
            yield place.put(node, binary(left, other, right), share)
            if left.level < SYMBOL_LEVEL[other] or right.level <= SYMBOL_LEVEL[other]:
                yield place.replace(start, end, other, share * 0.5)


def swap_operands(node: ast.BinOp, place: Place) -> Drafts:
    """`a - b` becomes `b - a`."""
    texts = isinstance(node.op, ast.Add) and place.kind(node) in ("str", "list", "tuple", "")
    if texts or isinstance(node.op, _ONE_WAY):
        symbol = OPERATORS[type(node.op)][0]
        yield place.put(node, binary(place.code(node.right), symbol, place.code(node.left)), 0.5 if texts else 1.0)


def drop_operand(node: ast.BinOp, place: Place) -> Drafts:
    """`a + b` becomes `a` or `b`."""
    yield place.put(node, place.code(node.left))
    yield place.put(node, place.code(node.right), 0.8)


def regroup(node: ast.BinOp, place: Place) -> Drafts:
    """`a + b * c` becomes `(a + b) * c`, and the other way round."""
    symbol = OPERATORS[type(node.op)][0]
    if isinstance(node.right, ast.BinOp):
        inner = node.right
        left = binary(place.code(node.left), symbol, place.code(inner.left))
        yield place.put(node, binary(left, OPERATORS[type(inner.op)][0], place.code(inner.right)))
    if isinstance(node.left, ast.BinOp):
        inner = node.left
        right = binary(place.code(inner.right), symbol, place.code(node.right))
        yield place.put(node, binary(place.code(inner.left), OPERATORS[type(inner.op)][0], right))


def regroup_call(node: ast.BinOp, place: Place) -> Drafts:
    """`len(x) - 1` becomes `len(x - 1)`, `int(a) / b` becomes `int(a / b)`, and the other way round for calls."""
    symbol = OPERATORS[type(node.op)][0]
    for side, other, first in ((node.left, node.right, True), (node.right, node.left, False)):
        if isinstance(side, ast.Call) and len(side.args) == 1 and not side.keywords:
            parts = (place.code(side.args[0]), place.code(other))
            inner = binary(parts[0], symbol, parts[1]) if first else binary(parts[1], symbol, parts[0])
            yield place.put(node, call(place.text(side.func), inner))


def regroup_argument(node: ast.Call, place: Place) -> Drafts:
    """`int(a / b)` becomes `int(a) / b`, `sum(x) / n` goes the other way by another template."""
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.BinOp):
        return
    inner = node.args[0]
    symbol, function = OPERATORS[type(inner.op)][0], place.text(node.func)
    left, right = place.code(inner.left), place.code(inner.right)
    yield place.put(node, binary(call(function, left), symbol, right))
    yield place.put(node, binary(call(function, left), symbol, call(function, right)), 0.6)
    yield place.put(node, binary(left, symbol, call(function, right)), 0.5)


def swap_word(node: ast.BoolOp, place: Place) -> Drafts:
    """`a and b` becomes `a or b`: the whole chain, or one link of it."""
    word = "and" if isinstance(node.op, ast.Or) else "or"
    codes = [place.code(value) for value in node.values]
    yield place.put(node, _joined(word, codes))
    for left, right in zip(node.values, node.values[1:], strict=False) if len(codes) > 2 else ():
        start, end = place.program.gap(place.program.spans[left][1], place.program.spans[right][0])
        yield place.replace(start, end, word, 0.5)


def drop_condition(node: ast.BoolOp, place: Place) -> Drafts:
    """`a and b` becomes `a` or `b`."""
    word = "and" if isinstance(node.op, ast.And) else "or"
    for skipped in reversed(range(len(node.values))):
        rest = [place.code(value) for index, value in enumerate(node.values) if index != skipped]
        yield place.put(node, _joined(word, rest))


def regroup_words(node: ast.BoolOp, place: Place) -> Drafts:
    """`a and b or c` becomes `a and (b or c)`; `a or b or c and d` becomes `(a or b or c) and d`."""
    word, inner = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    codes = [place.code(value) for value in node.values]
    for index, value in enumerate(node.values):
        if not isinstance(value, ast.BoolOp):
            continue
        parts = [place.code(part) for part in value.values]
        before, after = codes[:index], codes[index + 1 :]
        for apart in dict.fromkeys((0, index - 1)) if before else ():
            group = _joined(word, (*before[apart:], parts[0]))
            yield place.put(node, _joined(word, (*before[:apart], _joined(inner, (group, *parts[1:])), *after)))
        if after:
            group = _joined(word, (parts[-1], *after))
            yield place.put(node, _joined(word, (*before, _joined(inner, (*parts[:-1], group)))))


def _joined(word: str, codes: Sequence[Code]) -> Code:
    return reduce(lambda left, right: both(left, word, right), codes)


def drop_sign(node: ast.UnaryOp, place: Place) -> Drafts:
    """`-x` becomes `x`, `not x` becomes `x`."""
    yield place.put(node, place.code(node.operand))


def add_sign(node: ast.expr, place: Place) -> Drafts:
    """`x` becomes `-x`."""
    parent = place.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(parent, ast.UnaryOp | ast.Attribute):
        return
    if place.kind(node) not in ("int", "float", "") or (isinstance(parent, ast.Call) and parent.func is node):
        return
    likely = isinstance(parent, ast.Return | ast.Slice | ast.Subscript | ast.Tuple | ast.Lambda)
    yield place.put(node, unary("-", place.code(node)), 1.0 if likely else 0.4)


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


def swap_update(node: ast.AugAssign, place: Place) -> Drafts:
    """`x += y` becomes `x -= y`, `x = y`, ..."""
    start, end = _sign(node.target, node.value, place)
    for other, weight in _AUGMENTED.get(OPERATORS[type(node.op)][0], ()):
        yield place.replace(start, end, other, weight)


def swap_assignment(node: ast.Assign, place: Place) -> Drafts:
    """`x = y` becomes `x += y`, `x -= y` or `x *= y`."""
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name | ast.Attribute | ast.Subscript):
        return
    start, end = _sign(node.targets[0], node.value, place)
    for other, weight in (("+=", 1.0), ("-=", 0.5), ("*=", 0.4), ("|=", 0.2), ("//=", 0.1)):
        yield place.replace(start, end, other, weight)


def _sign(target: ast.expr, value: ast.expr, place: Place) -> tuple[int, int]:
    return place.program.gap(place.program.spans[target][1], place.program.spans[value][0])


def ungroup(node: ast.expr, place: Place) -> Drafts:
    """`(a + b) * c` becomes `a + b * c`: brackets that should not be there."""
    code = place.code(node)
    if not place.program.bracketed(node) or code.level <= LOOSE or "\n" in code.text:
        return
    start, end = place.program.spans[node]
    source = place.program.source
    opened = source.rindex("(", 0, start)
    closed = source.index(")", end)
    if opened and (source[opened - 1].isalnum() or source[closed + 1 : closed + 2].isalnum()):
        return
    yield place.replace(opened, closed + 1, code.text)


TEMPLATES = (
    Template("swap_operator", (ast.BinOp,), 0.10, swap_operator, 3, ("sign", "rounding")),
    Template("drop_operand", (ast.BinOp,), 0.09, drop_operand, 2, ("off_by_one", "longer")),
    Template("swap_operands", (ast.BinOp,), 0.03, swap_operands, 1, ("sign", "reversed", "order")),
    Template("regroup", (ast.BinOp,), 0.02, regroup, 1),
    Template("ungroup", (ast.BinOp, ast.BoolOp, ast.Compare), 0.005, ungroup, 1),
    Template("regroup_call", (ast.BinOp,), 0.008, regroup_call, 1),
    Template("regroup_argument", (ast.Call,), 0.008, regroup_argument, 3),
    Template("swap_word", (ast.BoolOp,), 0.06, swap_word, 1.5, ("negated",)),
    Template("drop_condition", (ast.BoolOp,), 0.05, drop_condition, 2),
    Template("regroup_words", (ast.BoolOp,), 0.01, regroup_words, 1),
    Template("drop_sign", (ast.UnaryOp,), 0.04, drop_sign, 1, ("negated", "sign")),
    Template(
        "add_sign",
        (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute),
        0.012,
        add_sign,
        1,
        ("sign", "descending"),
    ),
    Template("swap_update", (ast.AugAssign,), 0.07, swap_update, 3, ("sign",)),
    Template("swap_assignment", (ast.Assign,), 0.02, swap_assignment, 3),
)
