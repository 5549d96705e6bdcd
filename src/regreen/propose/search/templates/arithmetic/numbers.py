"""Wrong numbers: off by one, the wrong constant, a constant where a length or a name belongs, halves rounded down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    LIKELY,
    MAX_EXPECTED_NUMBERS,
    MAX_INPUT_NUMBERS,
    MAX_REPLACING_NUMBERS,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import ATOM, FACTOR, SUM, TERM, Expression, binary_operation, comparison
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, is_written_number, whole_number

_COMMON = ("0", "1", "2", "-1")
_ROUND = ("10", "100", "3", "1000", "0.5", "60", "26", "1.0", "0.0", "24", "7", "12", "1e-06", "255", "256")


def _number(node: ast.AST, context: TemplateContext) -> int | float | None:
    """The value of a number with its sign; None for any other node, and for the number after a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = _plain(node.operand)
        return None if value is None else -value
    parent = context.parent(node)
    signed = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
    return _plain(node) if isinstance(node, ast.Constant) and not signed else None


def _plain(node: ast.Constant) -> int | float | None:
    return node.value if is_written_number(node.value) else None


def number_literal(value: float | str) -> Expression:
    """A number as code; a negative one binds as its sign does."""
    text = value if isinstance(value, str) else repr(value)
    return Expression(text, FACTOR) if text.startswith("-") else Expression(text)


def nudge_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`10` becomes `11` or `9`."""
    value = _number(node, context)
    if value is None:
        return
    yield context.put(node, number_literal(value + 1))
    # The last but one is seldom meant where the last one stands.
    is_last = value == -1 and isinstance(context.parent(node), ast.Subscript)
    yield context.put(node, number_literal(value - 1), UNLIKELY if is_last else ALMOST_SURE)


def common_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A number becomes 0, 1, 2 or -1."""
    value = _number(node, context)
    if value is None:
        return
    for text in _COMMON:
        if text != repr(value):
            yield context.put(node, number_literal(text), VERY_LIKELY if text in ("0", "1") else PROBABLE)


def told_constant(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`MOD = 10 ** 9 + 7` becomes `MOD = 998244353` where prose says so."""
    target = node.targets[0]
    parts = [part for part in ast.walk(node.value) if isinstance(part, ast.expr)]
    is_worked_out = isinstance(node.value, ast.BinOp) and all(isinstance(p, ast.Constant | ast.BinOp) for p in parts)
    if is_worked_out and isinstance(target, ast.Name) and target.id.isupper():
        for number in dict.fromkeys(re.findall(r"\b\d{3,}\b", context.clues.prose)):
            yield context.put(node.value, number)


def scale_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`100` becomes `1000`, `10`, `200`, `50`, `-100` or `100.0`."""
    value = _number(node, context)
    if value is None or value == 0:
        return
    yield context.put(node, number_literal(-value), ALMOST_SURE)
    yield from (context.put(node, number_literal(v), PROBABLE) for v in (value * 10, value * 2))
    if isinstance(value, float):
        yield from (context.put(node, number_literal(v), PROBABLE) for v in (value / 10, value / 2))
        return
    yield from (
        context.put(node, number_literal(value // n), PROBABLE) for n in (10, 2) if value % n == 0 and value // n
    )
    if abs(value) > 2:
        yield from (context.put(node, number_literal(v), POSSIBLE) for v in (value + 2, value - 2, value**2))
    yield context.put(node, number_literal(float(value)), UNLIKELY)


def told_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A number becomes one from the prose, or another one of the function."""
    value = _number(node, context)
    if value is None:
        return
    for text in context.clues.numbers:
        yield context.put(node, number_literal(text), VERY_LIKELY)
    for text in context.scope.numbers:
        if text != repr(value):
            yield context.put(node, number_literal(text), PROBABLE)


def seen_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A number becomes a common one: 10, 100, 3, 60, ..."""
    value = _number(node, context)
    if value is None:
        return
    for text in _ROUND:
        yield context.put(node, number_literal(text), LIKELY)


def checked_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A number becomes one of the checks: late in the order, since it may fit the checks alone."""
    if _number(node, context) is not None:
        yield from (context.put(node, number_literal(text)) for text in context.clues.outputs[:MAX_EXPECTED_NUMBERS])
        yield from (
            context.put(node, number_literal(text), PROBABLE) for text in context.clues.inputs[:MAX_INPUT_NUMBERS]
        )


def mistyped_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1400` becomes `1440`, and `356` `365`: a well-known amount that is written nearly so, or two digits turned."""
    value = _number(node, context)
    if not isinstance(value, int) or not _LEAST_MISTYPED <= value < _MOST_MISTYPED:
        return
    digits = str(value)
    turned = [digits[:n] + digits[n + 1] + digits[n] + digits[n + 2 :] for n in range(len(digits) - 1)]
    for text in dict.fromkeys([*(text for text in _AMOUNTS if _is_nearly(text, digits)), *turned]):
        if text != digits and text[0] != "0":
            yield context.put(node, number_literal(text), 1.0 if text in _AMOUNTS else POSSIBLE)


def _is_nearly(one: str, other: str) -> bool:
    """Whether one digit or two that stand beside each other differ; with a digit more or less, whether one was lost."""
    if len(one) == len(other):
        differing = [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        return len(differing) == 1 or (len(differing) == 2 and one[differing[0]] == other[differing[1]])
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return any(longer[:n] + longer[n + 1 :] == shorter for n in range(len(longer)))


_LEAST_MISTYPED, _MOST_MISTYPED = 10, 10**7
_AMOUNTS = (
    *(
        "1440",
        "3600",
        "86400",
        "604800",
        "365",
        "366",
        "360",
        "180",
        "90",
        "60",
        "52",
        "31",
        "30",
        "28",
        "24",
        "26",
        "12",
    ),
    *(
        "26",
        "100",
        "400",
        "1000",
        "10000",
        "1000000",
        "1024",
        "512",
        "256",
        "255",
        "128",
        "64",
        "32",
        "16",
        "65536",
        "65535",
    ),
)
"""Of seconds and days, degrees, cents, bytes and letters."""


def name_to_number(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n <= k` becomes `n <= 2`, a number from the prose: another variable was meant for another thing."""
    if isinstance(context.parent(node), ast.Compare) and context.kind(node) in ("int", "float", ""):
        yield from (context.put(node, number_literal(text)) for text in context.clues.numbers[:MAX_REPLACING_NUMBERS])


def number_to_name(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A number becomes a variable, or the length of one."""
    if _number(node, context) is None:
        return
    for name, kind in _names_with_kinds(context):
        if kind in ("int", "float", ""):
            yield context.put(
                node, Expression(name), (1.0 if kind else POSSIBLE) * (2 if name in context.scope.unused else 1) / 2
            )
        if kind in ("list", "str", "dict", "set", "tuple"):
            yield context.put(node, Expression(f"len({name})"), HALF)
            yield context.put(node, Expression(f"len({name}) - 1", SUM), UNLIKELY)


def _names_with_kinds(context: TemplateContext) -> Iterator[tuple[str, str]]:
    for name in context.scope.locals:
        yield name, context.scope.kinds.get(name, "")


def switch_constant(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`True` becomes `False`, `None` becomes `0`, `0` becomes `float('inf')`, ..."""
    if isinstance(node.value, int) and node.value not in (0, 1):
        return
    others = _SWITCHES.get(repr(node.value), ())
    for rank, text in enumerate(others):
        yield context.put(node, number_literal(text), 1.0 if rank == 0 else POSSIBLE)


_SWITCHES = {
    "True": ("False", "None"),
    "False": ("True", "None"),
    "None": ("True", "False", "0", "''", "[]", "-1", "{}", "1", "float('inf')"),
    "0": ("None", "float('inf')", "float('-inf')", "False", "[]", "''"),
    "1": ("True", "float('inf')"),
    "''": ("None", "[]"),
}


def offset(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n` becomes `n + 1` or `n - 1`: fence-post errors."""
    if context.kind(node) not in ("int", "") or _number(node, context) is not None or _is_callee(node, context):
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _number(node.right, context) == 1:
        return
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or _is_handed_on(node, context):
        return
    weight = _offset_weight(node, context) * (1.0 if context.kind(node) else POSSIBLE)
    code = context.expression(node)
    yield context.put(node, binary_operation(code, "+", Expression("1")), weight)
    yield context.put(node, binary_operation(code, "-", Expression("1")), weight)


def _is_callee(node: ast.expr, context: TemplateContext) -> bool:
    return context.is_called(node) or isinstance(context.parent(node), ast.Attribute)


def _is_handed_on(node: ast.expr, context: TemplateContext) -> bool:
    """Whether it is an argument of a recursive call, which `recursive_argument` has steps for."""
    parent, function = context.parent(node), context.scope.function
    return (
        function is not None
        and isinstance(parent, ast.Call)
        and node in parent.args
        and callee_name(parent) == function.name
    )


def _offset_weight(node: ast.expr, context: TemplateContext) -> float:
    """Offsets go missing in bounds, indices, comparisons and recursive calls more than elsewhere."""
    parent = context.parent(node)
    if isinstance(parent, ast.Slice | ast.Subscript | ast.Return):
        return 1.0
    if isinstance(parent, ast.Call):
        return ALMOST_SURE
    return PROBABLE if isinstance(parent, ast.Compare | ast.BinOp | ast.Assign) else POSSIBLE


def round_halves_up(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`round(x)`, which rounds 2.5 to 2, becomes `int(x + 0.5)`, or `math.floor(x + 0.5)` where `math` is at hand.

    `round(x / 100)` becomes `(x + 50) // 100`, which is exact for whole numbers; `round(x, -1)`, `(x + 5) // 10 * 10`.
    """
    places = whole_number(node.args[1]) if context.text(node.func) == "round" and len(node.args) > 1 else None
    if places is not None and places < 0:
        more = binary_operation(context.expression(node.args[0]), "+", Expression(f"{5 * 10 ** (-places - 1)}"))
        yield context.put(node, Expression(f"({more.text}) // {10**-places} * {10**-places}", TERM))
    if places is not None and places > 0 and {"Decimal", "ROUND_HALF_UP"} <= set(context.scope.globals):
        amount, unit = context.expression(node.args[0]).at(ATOM), f'"{10**-places:.{places}f}"'
        yield context.put(node, f"{amount}.quantize(Decimal({unit}), rounding=ROUND_HALF_UP)")
    if context.text(node.func) != "round" or len(node.args) != 1 or node.keywords:
        return
    shared = node.args[0]
    by = whole_number(shared.right) if isinstance(shared, ast.BinOp) and isinstance(shared.op, ast.Div) else None
    if by is not None and by > 0 and by % 2 == 0:
        assert isinstance(shared, ast.BinOp)
        more = binary_operation(context.expression(shared.left), "+", Expression(str(by // 2)))
        yield context.put(node, binary_operation(more, "//", Expression(str(by))))
    half_more = binary_operation(context.expression(node.args[0]), "+", Expression("0.5")).text
    prose = context.clues.prose.lower()
    is_away, goes_up = "away from" in prose, bool(_UPWARDS.search(prose))
    yield context.put(node, f"int({half_more})", VERY_LIKELY)
    if "math" in context.scope.globals:
        yield context.put(node, f"math.floor({half_more})", VERY_LIKELY if is_away else 1.0)
    whole = context.expression(node.args[0])
    is_below = comparison(whole, ">=", Expression("0")).text
    away = f"int({binary_operation(whole, '+', Expression(f'(0.5 if {is_below} else -0.5)')).text})"
    yield context.put(node, away, HALF if goes_up and not is_away else 1.0)
    if {"Decimal", "ROUND_HALF_UP"} <= set(context.scope.globals):
        exact = f"Decimal(str({whole.text})).quantize(Decimal('1'), rounding=ROUND_HALF_UP)"
        yield context.put(node, f"int({exact})")


_UPWARDS = re.compile(r"\b(?:go(?:es)?|rounds?|rounded|halves|half|up) (?:up|to the (?:larger|higher|greater|next))\b")


def split_evenly(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[share] * people`, where `share = total / people`, becomes shares that add up to the total: the first ones get
    one more."""
    held = node.left if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List) else None
    if held is None or len(held.elts) != 1 or not isinstance(held.elts[0], ast.Name):
        return
    for part in context.scope.nodes:
        share = (
            part.value if isinstance(part, ast.Assign) and context.text(part.targets[0]) == held.elts[0].id else None
        )
        if isinstance(share, ast.BinOp) and isinstance(share.op, ast.Div | ast.FloorDiv):
            total, people = context.expression(share.left).at(TERM), context.expression(share.right).at(FACTOR)
            if people == context.expression(node.right).at(FACTOR):
                yield context.put(
                    node, f"[{total} // {people} + (place < {total} % {people}) for place in range({people})]"
                )


_NUMBERS = (ast.Constant, ast.UnaryOp)

TEMPLATES = (
    Template("split_evenly", (ast.BinOp,), split_evenly),
    Template("nudge_number", _NUMBERS, nudge_number, ("off_by_one", "index", "inclusive", "end", "start")),
    Template("common_number", _NUMBERS, common_number),
    Template("told_number", _NUMBERS, told_number),
    Template("told_constant", (ast.Assign,), told_constant, ("content",)),
    Template("scale_number", _NUMBERS, scale_number, ("sign",)),
    Template("seen_number", _NUMBERS, seen_number),
    Template("mistyped_number", (ast.Constant,), mistyped_number),
    Template("checked_number", _NUMBERS, checked_number),
    Template("name_to_number", (ast.Name,), name_to_number),
    Template("number_to_name", _NUMBERS, number_to_name),
    Template("round_halves_up", (ast.Call,), round_halves_up, ("off_by_one", "rounding", "content")),
    Template("switch_constant", (ast.Constant,), switch_constant, ("negated", "none")),
    Template(
        "offset",
        (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute),
        offset,
        ("hang", "off_by_one", "index", "end", "start", "shorter", "longer"),
    ),
)
