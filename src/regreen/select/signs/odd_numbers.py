"""Numbers that nobody means: `value / 1023`, a length below zero, single bits in a sum, a step to no neighbour, and the
first item of what is asked to be empty."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from regreen.plain_slips.void_expressions import STRAIGHT_STEPS, grid_step
from regreen.select.signs.gains import count_gained, signs_gained
from regreen.syntax import UNPARSABLE, callee_name, nodes_of, tree, walk, whole_number

_WELL_KNOWN: Final = frozenset(
    {7, 10, 12, 24, 26, 60, 100, 256, 360, 365, 1000, 1024, 3600, 86_400, 1_000_000, 10**9 + 7, 998_244_353}
)
"""What people count, divide and multiply by: units, bases, percent, letters, moduli."""
_MODULI: Final = frozenset({10**9 + 7, 10**9 + 9, 998_244_353})
_NEAR: Final = 2
_SCALING: Final = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_BITS: Final = (ast.BitOr, ast.BitAnd, ast.BitXor)
_SHIFTS: Final = (ast.LShift, ast.RShift)
_ARITHMETIC: Final = (ast.Add, ast.Sub, *_SCALING)


def nudged_constants(before: str, after: str) -> int:
    """How many numbers that everybody knows, and that something is divided or multiplied by, became near ones.

    Of the moduli that are given names, as `MOD = 10 ** 9 + 7`, any other: nobody takes remainders by 107.
    """
    try:
        lost, new = _scales(before) - _scales(after), _scales(after) - _scales(before)
    except UNPARSABLE:
        return 0
    known = lost.keys() & _WELL_KNOWN
    near = sum(any(0 < abs(number - one) <= _NEAR for one in known) for number in new.elements())
    return near or int(bool(known & _MODULI and new))


@lru_cache(maxsize=64)
def _scales(source: str) -> Counter[int]:
    """The whole numbers that something is divided or multiplied by."""
    found: Counter[int] = Counter()
    named = _named_moduli(source)
    for node in walk(tree(source)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, _SCALING):
            sides = [node.left, node.right]
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, _SCALING):
            sides = [node.value]
        elif isinstance(node, ast.Call) and callee_name(node) == "pow":
            sides = node.args[_MODULUS_OF_POWER:]
        else:
            continue
        found.update(number for side in sides if (number := _number(side, named)) is not None)
    return found


_MODULUS_OF_POWER: Final = 2
"""The place of the modulus among the arguments of `pow`."""


def _named_moduli(source: str) -> dict[str, int]:
    """The names that are given a sum of numbers once, as `MOD = 10 ** 9 + 7`, with its value."""
    found: dict[str, int] = {}
    for node in walk(tree(source)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() | ast.Constant() as value):
                number = _number(value, {})
                if number is not None and number > _LEAST_MODULUS:
                    found[name] = number
    return found


_LEAST_MODULUS: Final = 100


def _number(node: ast.expr, named: Mapping[str, int]) -> int | None:
    """The whole number that an expression of numbers and such names is; None for any other."""
    match node:
        case ast.Name(id=name):
            return named.get(name)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            one, other = _number(left, named), _number(right, named)
            return None if one is None or other is None else one + other * (1 if isinstance(sign, ast.Add) else -1)
        case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Pow(), right=ast.Constant(value=int(exponent))):
            return base**exponent if abs(base) <= _LEAST_MODULUS and 0 <= exponent <= _LEAST_MODULUS else None
    return whole_number(node)


def bits_among_numbers(before: str, after: str) -> int:
    """How many operators for single bits stand beside arithmetic in `after`, where `before` has none of them at all."""
    try:
        if any(isinstance(node, (*_BITS, *_SHIFTS, ast.Invert)) for node in walk(tree(before))):
            return 0
    except UNPARSABLE:
        return 0
    return count_gained(before, after, _bits_among_numbers)


@lru_cache(maxsize=64)
def _bits_among_numbers(source: str) -> int:
    found: set[ast.AST] = set()
    for node in walk(tree(source)):
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
        if isinstance(node, ast.BinOp) and isinstance(node.op, _BITS) and any(map(_is_arithmetic, sides)):
            found.add(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
            found.update(side for side in sides if isinstance(side, ast.BinOp) and isinstance(side.op, _BITS))
    return len(found)


def _is_arithmetic(node: ast.expr) -> bool:
    """Whether an operand is a number, or something that is worked out of numbers."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _ARITHMETIC)
    is_inverted = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
    return is_inverted or whole_number(node) is not None


def negative_lengths(before: str, after: str) -> int:
    """How many variables are made a length below zero in `after`, and in `before` not: `rows = -len(grid)`."""
    return signs_gained(before, after, _negative_lengths)


@lru_cache(maxsize=64)
def _negative_lengths(source: str) -> tuple[str, ...]:
    values = [node.value for node in nodes_of(tree(source), ast.Assign)]
    parts = [part for value in values for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
    return tuple(ast.unparse(part) for part in parts if _is_negative_length(part))


def _is_negative_length(node: ast.expr) -> bool:
    held = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else None
    return isinstance(held, ast.Call) and callee_name(held) == "len"


def torn_neighbours(before: str, after: str) -> int:
    """How many rows of the four steps to the neighbours on a grid became rows of four others."""
    try:
        return max(min(_rows(before)[0] - _rows(after)[0], _rows(after)[1] - _rows(before)[1]), 0)
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _rows(source: str) -> tuple[int, int]:
    """How many rows of four steps are those to the neighbours, and how many others."""
    rows = [node.elts for node in walk(tree(source)) if isinstance(node, ast.Tuple | ast.List)]
    steps = [[grid_step(part) for part in row] for row in rows if len(row) == len(STRAIGHT_STEPS)]
    whole = [row for row in steps if None not in row]
    straight = sum(set(row) == STRAIGHT_STEPS for row in whole)
    return straight, len(whole) - straight


def asked_when_empty(before: str, after: str) -> int:
    """How many conditions look at an item of what they ask to be empty: `len(xs) < 1 and xs[0] == "0"`."""
    return signs_gained(before, after, _asked_when_empty)


@lru_cache(maxsize=64)
def _asked_when_empty(source: str) -> tuple[str, ...]:
    found = []
    for node in walk(tree(source)):
        if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.And):
            continue
        empty = {name for value in node.values if (name := _asked_to_be_empty(value))}
        items = (part for value in node.values for part in nodes_of(value, ast.Subscript))
        if any(ast.unparse(item.value) in empty and not isinstance(item.slice, ast.Slice) for item in items):
            found.append(ast.unparse(node))
    return tuple(found)


def _asked_to_be_empty(node: ast.expr) -> str:
    """What `not xs`, `len(xs) < 1` and `len(xs) == 0` speak of; empty for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ast.unparse(node.operand) if isinstance(node.operand, ast.Name) else ""
    left = node.left if isinstance(node, ast.Compare) and len(node.ops) == 1 else None
    if not isinstance(left, ast.Call) or callee_name(left) != "len" or not left.args:
        return ""
    assert isinstance(node, ast.Compare)
    least = {ast.Lt: 1, ast.Eq: 0, ast.LtE: 0}.get(type(node.ops[0]))
    return ast.unparse(left.args[0]) if least is not None and whole_number(node.comparators[0]) == least else ""


def doubled_signs(before: str, after: str) -> int:
    """How many sums take what has a minus of its own, `now - -then` for `now + then`."""
    return signs_gained(before, after, _doubled_signs)


@lru_cache(maxsize=64)
def _doubled_signs(source: str) -> tuple[str, ...]:
    sums = (
        node for node in walk(tree(source)) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    )
    return tuple(ast.unparse(node) for node in sums if _has_minus(node.right))


def _has_minus(node: ast.expr) -> bool:
    is_negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return is_negated and not isinstance(node.operand, ast.Constant)  # type: ignore[attr-defined]


def kept_off_by_one(before: str, after: str) -> int:
    """How many parameters are kept as a field of the same name with a number more or less: `self.lives = lives + 1`."""
    return signs_gained(before, after, _kept_off)


@lru_cache(maxsize=64)
def _kept_off(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in walk(tree(source)) if _keeps_off(node))


def _keeps_off(node: ast.AST) -> bool:
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id="self"), attr=field)],
            value=ast.BinOp(left=ast.Name(id=name), op=ast.Add() | ast.Sub(), right=ast.Constant()),
        ):
            return field.strip("_") == name
    return False


def defaults_compared(before: str, after: str) -> int:
    """How many values are compared with one of a table that is some number or text where it has none:
    `old[k] != new.get(k, 1)`."""
    return signs_gained(before, after, _defaults_compared)


@lru_cache(maxsize=64)
def _defaults_compared(source: str) -> tuple[str, ...]:
    compared = (node for node in walk(tree(source)) if isinstance(node, ast.Compare) and len(node.ops) == 1)
    equal = (node for node in compared if isinstance(node.ops[0], ast.Eq | ast.NotEq))
    return tuple(ast.unparse(node) for node in equal if _is_default(node.left, node.comparators[0]))


def _is_default(one: ast.expr, other: ast.expr) -> bool:
    """Whether one side is asked of a table with a default that says something, and the other one is worked out."""
    for asked, beside in ((one, other), (other, one)):
        match asked:
            case ast.Call(func=ast.Attribute(attr="get"), args=[_, ast.Constant(value=default)]):
                return default not in (None, 0, "", False) and not isinstance(beside, ast.Constant)
    return False


def dropped_remainders(before: str, after: str) -> int:
    """How many remainders by a large number, or by a constant of the module, `before` takes and `after` does not.

    0 where one is no program."""
    return count_gained(after, before, _remainders)


@lru_cache(maxsize=64)
def _remainders(source: str) -> int:
    taken = (node.right for node in nodes_of(tree(source), ast.BinOp) if isinstance(node.op, ast.Mod))
    return sum(_is_modulus(node) for node in taken)


def _is_modulus(node: ast.expr) -> bool:
    """Whether something is divided by `MOD`, or by a number of four digits and more."""
    number = whole_number(node)
    return number >= _LEAST_PRIME if number is not None else isinstance(node, ast.Name) and node.id.isupper()


_LEAST_PRIME: Final = 1_000
