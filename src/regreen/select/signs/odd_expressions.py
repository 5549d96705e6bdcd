"""Expressions that nobody writes: a number for an index that was worked out, a slice that ends before it begins, the
share of an extreme, a range that asks about two values, a place among items, what is known before it runs, a condition
that another one implies; and defaults that callers rely on."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import ORDERS, UNPARSABLE, callee_name, functions_of, nodes_of, tree, walk, whole_number

_EXTREMES: Final = frozenset({"min", "max"})
_OF_VALUES: Final = frozenset({"len", "abs", "max", "min", "sum", "sorted", "round", "str"})
"""Functions that nobody calls with constants alone."""
_Side = tuple[str, str, str]
"""Of a comparison with a number: what is compared, how, and with which number."""


def fixed_indices(before: str, after: str) -> int:
    """How many indices that were worked out are numbers in `after`: `xs[1]` for `xs[middle + 1]`; 0 where one of the
    two is no program. It passes where checks ask about one place.
    """
    try:
        worked_out, fixed = _indices(before)
        worked_out_after, fixed_after = _indices(after)
    except UNPARSABLE:
        return 0
    return ((worked_out - worked_out_after) & (fixed_after - fixed)).total()


@lru_cache(maxsize=64)
def _indices(source: str) -> tuple[Counter[str], Counter[str]]:
    """What is indexed by an expression with names, and what by a number; each as often as it is."""
    nodes = [n for n in nodes_of(tree(source), ast.Subscript) if not isinstance(n.slice, ast.Slice)]
    fixed = [node for node in nodes if whole_number(node.slice) is not None]
    worked_out = [node for node in nodes if any(isinstance(part, ast.Name) for part in walk(node.slice))]
    return Counter(ast.unparse(n.value) for n in worked_out), Counter(ast.unparse(n.value) for n in fixed)


def odd_ranges(before: str, after: str) -> int:
    """How many more slices and ranges end before they begin (`xs[at:at - 2]`, `range(size, -1)`), lengths are of
    another row than the first (`len(rows[-1])`), places count from the end (`xs[-i]`), sums add less than nothing
    (`at + -1`), lengths are multiplied or below zero, iterators are keys, remainders are turned round (`-(n % 4)`),
    sums are divided by extremes and items are taken from what was found to be empty in `after`.
    """
    return signs_gained(before, after, _odd_ranges)


@lru_cache(maxsize=64)
def _odd_ranges(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in walk(tree(source)) if any(odd(node) for odd in _ODD))


def _ends_early(node: ast.AST) -> bool:
    if not isinstance(node, ast.Slice) or node.lower is None or node.step is not None:
        return False
    end = node.upper
    is_shifted = isinstance(end, ast.BinOp) and isinstance(end.op, ast.Sub) and (whole_number(end.right) or 0) > 0
    return is_shifted and isinstance(end, ast.BinOp) and ast.dump(end.left) == ast.dump(node.lower)


def _is_empty_range(node: ast.AST) -> bool:
    """`range(size, -1)`, which has no third argument to count down by."""
    if not isinstance(node, ast.Call) or callee_name(node) != "range" or len(node.args) != 2:
        return False
    start, end = node.args[0], whole_number(node.args[1])
    is_known = any(isinstance(part, ast.UnaryOp | ast.Sub) for part in walk(start)) or whole_number(start) is not None
    return not is_known and end is not None and end <= 1


def _measures_odd_row(node: ast.AST) -> bool:
    """`len(rows[-1])` and `len(rows[1])`, where rows are alike or are each asked."""
    if not isinstance(node, ast.Call) or callee_name(node) != "len" or len(node.args) != 1:
        return False
    row = node.args[0]
    return isinstance(row, ast.Subscript) and (whole_number(row.slice) or 0) != 0


def _adds_less(node: ast.AST) -> bool:
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return is_sum and isinstance(node, ast.BinOp) and (whole_number(node.right) or 0) < 0


def _counts_from_the_end(node: ast.AST) -> bool:
    """`boxes[-box]`: one place before the first is the last, and nobody counts from both ends."""
    place = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub) and isinstance(place.operand, ast.Name)


def _is_negated_length(node: ast.AST) -> bool:
    """`n = -len(xs)`: there is no such number of items."""
    value = node.value if isinstance(node, ast.Assign) else None
    is_negated = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)
    return is_negated and isinstance(value.operand, ast.Call) and callee_name(value.operand) == "len"  # type: ignore[union-attr]


def _multiplies_lengths(node: ast.AST) -> bool:
    """`length * len(word)`: how long two are together is a sum."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    sides = (node.left, node.right)
    is_length = any(isinstance(side, ast.Call) and callee_name(side) == "len" for side in sides)
    return is_length and not any(isinstance(side, ast.Constant) for side in sides)


def _asks_by_iterator(node: ast.AST) -> bool:
    """`table[reversed(name)]`: an iterator is a key of its own each time."""
    place = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(place, ast.GeneratorExp) or (isinstance(place, ast.Call) and callee_name(place) in _ITERATORS)


def _negates_remainder(node: ast.AST) -> bool:
    """`-((at + 1) % 4)`: what goes round is moved back before it goes round."""
    operand = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else None
    return isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Mod)


def _takes_from_nothing(node: ast.AST) -> bool:
    """`xs[0] if not xs else y`, and `y if xs else xs[0]`: there is no such item where it is asked for."""
    if not isinstance(node, ast.IfExp):
        return False
    is_turned = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    asked = node.test.operand if is_turned else node.test  # type: ignore[attr-defined]
    taken = node.body if is_turned else node.orelse
    is_item = isinstance(taken, ast.Subscript) and whole_number(taken.slice) is not None
    return is_item and isinstance(asked, ast.Name) and ast.dump(taken.value) == ast.dump(asked)  # type: ignore[attr-defined]


def _shares_an_extreme(node: ast.AST) -> bool:
    """`sum(xs) / min(xs)`: a mean is divided by how many there are."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return False
    names = [callee_name(side) if isinstance(side, ast.Call) else "" for side in (node.left, node.right)]
    return names[0] == "sum" and names[1] in _EXTREMES


_ITERATORS: Final = frozenset({"reversed", "iter", "map", "zip", "filter", "enumerate"})
_ODD: Final = (
    _ends_early,
    _is_empty_range,
    _measures_odd_row,
    _counts_from_the_end,
    _adds_less,
    _multiplies_lengths,
    _is_negated_length,
    _asks_by_iterator,
    _negates_remainder,
    _takes_from_nothing,
    _shares_an_extreme,
)


def odd_strides(before: str, after: str) -> int:
    """How many ranges and slices go by another number than one in `after`, and in `before` not: `range(0, n, 2)`."""
    return signs_gained(before, after, _odd_strides)


@lru_cache(maxsize=64)
def _odd_strides(source: str) -> tuple[int, ...]:
    calls = (node for node in nodes_of(tree(source), ast.Call) if _calls(node, frozenset({"range"})))
    strides = [whole_number(call.args[2]) for call in calls if len(call.args) == 3]
    slices = (node.step for node in nodes_of(tree(source), ast.Slice) if node.step is not None)
    strides += [whole_number(step) for step in slices]
    return tuple(stride for stride in strides if stride is not None and abs(stride) > 1)


def halves_of_sizes(before: str, after: str) -> int:
    """How many numbers are divided by their size and have their own rest in `after`, `abs(n) // 60` beside `n % 60`,
    and in `before` not: below 0 the two do not go together."""
    return signs_gained(before, after, _halves_of_sizes)


@lru_cache(maxsize=64)
def _halves_of_sizes(source: str) -> tuple[str, ...]:
    parted = [n for n in nodes_of(tree(source), ast.BinOp) if isinstance(n.op, ast.FloorDiv | ast.Mod)]
    own = {(ast.unparse(n.left), ast.unparse(n.right)) for n in parted}
    sizes = [(n.left, ast.unparse(n.right)) for n in parted if isinstance(n.left, ast.Call)]
    return tuple(
        ast.unparse(size)
        for size, unit in sizes
        if callee_name(size) == "abs" and size.args and (ast.unparse(size.args[0]), unit) in own
    )


def odd_roundings(before: str, after: str) -> int:
    """How many divisions in `after` are led to by an odd amount, and in `before` not: `(n + 3) // 5`.

    `(n + 4) // 5` rounds up, and `(n + 2) // 5` to the nearest.
    """
    return signs_gained(before, after, _odd_roundings)


@lru_cache(maxsize=64)
def _odd_roundings(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in walk(tree(source)) if _rounds_oddly(node))


def _rounds_oddly(node: ast.AST) -> bool:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.FloorDiv):
        return False
    by = whole_number(node.right)
    added = whole_number(node.left.right) if isinstance(node.left, ast.BinOp) and _adds(node.left) else None
    return by is not None and added is not None and 0 < added < by and added not in (by - 1, by // 2, (by - 1) // 2)


def _adds(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Add)


def shared_extremes(before: str, after: str) -> int:
    """How many times `after` divides an extreme by a count, and `before` does not: `min(xs) / len(xs)` says nothing."""
    return signs_gained(before, after, _shared_extremes)


@lru_cache(maxsize=64)
def _shared_extremes(source: str) -> tuple[str, ...]:
    return tuple(
        ast.unparse(node)
        for node in nodes_of(tree(source), ast.BinOp)
        if isinstance(node.op, ast.Div | ast.FloorDiv)
        and _calls(node.left, _EXTREMES)
        and _calls(node.right, frozenset({"len"}))
    )


def _calls(node: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and callee_name(node) in names


def torn_ranges(before: str, after: str) -> int:
    """How many ranges of one value, `m < 1 or m > 12`, ask about two values in `after`: `m < 1 or day > 12`."""
    try:
        ranges, pairs = _pairs(before), _pairs(after)
    except UNPARSABLE:
        return 0
    whole = {(one[1:], other[1:]) for one, other in ranges if one[0] == other[0]}
    torn = {(one, other) for one, other in pairs - ranges if one[0] != other[0]}
    return sum((one[1:], other[1:]) in whole for one, other in torn)


@lru_cache(maxsize=64)
def _pairs(source: str) -> frozenset[tuple[_Side, _Side]]:
    """The comparisons with numbers that stand side by side in one `and` or `or`."""
    lists = [[*map(_side, node.values)] for node in nodes_of(tree(source), ast.BoolOp)]
    return frozenset(pair for sides in lists for pair in combinations([side for side in sides if side], 2))


def _side(node: ast.expr) -> _Side | None:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return None
    number = whole_number(node.comparators[0])
    return None if number is None else (ast.unparse(node.left), type(node.ops[0]).__name__, str(number))


def implied_conditions(before: str, after: str) -> int:
    """How many conditions stand beside another one in `after` that makes them idle, and in `before` not:
    `n >= 1 or n > 31`, `n % 4 == 0 or n % 100 == 0`. 0 where one is no program.
    """
    return signs_gained(before, after, _implied)


@lru_cache(maxsize=64)
def _implied(source: str) -> tuple[str, ...]:
    bounds = (f"{one} {other}" for one, other in _pairs(source) if one[0] == other[0] and _point_alike(one, other))
    return (*bounds, *_idle_divisors(source))


def _idle_divisors(source: str) -> Iterator[str]:
    """Pairs of questions after multiples of which one answers the other: what 100 divides is divided by 4."""
    for node in walk(tree(source)):
        if isinstance(node, ast.BoolOp):
            asked = [found for part in node.values if (found := _divisor(part)) is not None]
            for one, other in combinations(asked, 2):
                alike = one[0] == other[0] and one[1] == other[1]
                if alike and one[2] != other[2] and (one[2] % other[2] == 0 or other[2] % one[2] == 0):
                    yield f"{one} {other}"


def _divisor(node: ast.expr) -> tuple[str, str, int] | None:
    """Of `n % 4 == 0` the number, how it is asked, and the divisor; None for anything else."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return None
    rest, zero = node.left, whole_number(node.comparators[0])
    if zero != 0 or not isinstance(rest, ast.BinOp) or not isinstance(rest.op, ast.Mod):
        return None
    divisor = whole_number(rest.right)
    return (ast.unparse(rest.left), type(node.ops[0]).__name__, divisor) if divisor else None


def _point_alike(one: _Side, other: _Side) -> bool:
    """Whether two comparisons are both with a least, or both with a most: one of the two says nothing."""
    return one[1].startswith("Lt") == other[1].startswith("Lt")


def settled_expressions(before: str, after: str) -> int:
    """How many expressions of constants alone `after` works out, and `before` does not: `len("day")`, `3 + 2`; and
    conditions that are never true, `n % 4 < 0`, `n % 4 == 5`.

    Products and powers, as in `60 * 60`, say how a number comes about.
    """
    return signs_gained(before, after, _settled)


@lru_cache(maxsize=64)
def _settled(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in walk(tree(source)) if _is_settled(node))


def _is_no_remainder(node: ast.Compare) -> bool:
    """Whether a remainder, or one and a number, is compared with what it never is: below zero, or the divisor."""
    bound, more = whole_number(node.comparators[0]), 0
    rest: ast.expr = node.left
    if isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add) and whole_number(rest.right) is not None:
        more, rest = whole_number(rest.right) or 0, rest.left
    if bound is None or not isinstance(rest, ast.BinOp) or not isinstance(rest.op, ast.Mod):
        return False
    divisor = whole_number(rest.right)
    if isinstance(node.ops[0], ast.Lt):
        return bound <= more
    is_equal = isinstance(node.ops[0], ast.Eq)
    return is_equal and (bound < more or (divisor is not None and divisor > 0 and bound >= divisor + more))


def _is_settled(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        constant = bool(node.args) and all(isinstance(part, ast.Constant) for part in node.args)
        return _calls(node, _OF_VALUES) and constant and not node.keywords
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mod | ast.FloorDiv)
    if isinstance(node, ast.Compare):
        return _is_no_remainder(node)
    return is_sum and isinstance(node, ast.BinOp) and None not in (whole_number(node.left), whole_number(node.right))


def changed_defaults(before: str, after: str) -> int:
    """How many parameters have another number as their default: whoever calls the function relies on the one it had."""
    try:
        old, new = _defaults(before), _defaults(after)
    except UNPARSABLE:
        return 0
    return sum(place in old and old[place] != number for place, number in new.items())


@lru_cache(maxsize=64)
def _defaults(source: str) -> dict[tuple[str, str], int]:
    functions = functions_of(tree(source))
    given = ((f.name, name, whole_number(value)) for f in functions for name, value in _given(f.args))
    return {(function, name): number for function, name, number in given if number is not None}


def _given(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """Each parameter that has a default, with it."""
    plain = [*arguments.posonlyargs, *arguments.args]
    for argument, value in zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True):
        yield argument.arg, value
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield argument.arg, default
