"""Conditions out of step with what stands beside them: a turn that leaves a variable out, a length that is asked for
where another item is read, a value that is used just where it is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import ORDERS, UNPARSABLE, nodes_of, tree, walk, walk_in_order, whole_number

_TURNED: Final = 3
"""Variables of a condition that is asked in every turn."""
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def uneven_turns(before: str, after: str) -> int:
    """How many conditions leave a variable out, since, where those beside them name each once, as they did themselves:
    `z + z == x or x + y == z`. 0 where one is no program.
    """
    return signs_gained(before, after, _uneven)


@lru_cache(maxsize=64)
def _uneven(source: str) -> tuple[str, ...]:
    rows = (node.values for node in nodes_of(tree(source), ast.BoolOp))
    return tuple(ast.dump(value) for row in rows for value in _unlike_the_others(row))


def _unlike_the_others(row: Sequence[ast.expr]) -> Iterator[ast.expr]:
    names = [_variables(value) for value in row]
    every = {name for found in names for name in found}
    if any(isinstance(node, ast.Subscript) for value in row for node in walk(value)):
        # A grid and places in it are of unlike kinds: `0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x]`.
        return
    if len(every) == _TURNED and any(sorted(found) == sorted(every) for found in names):
        # A condition on one variable alone, `a > 0`, is no turn, and neither is `key not in best`.
        pairs = zip(row, names, strict=True)
        yield from (value for value, found in pairs if len(found) > 1 and {*found} != every and not _is_asked_of(value))


def _is_asked_of(value: ast.expr) -> bool:
    """Whether a condition asks whether something is in a collection, or is another object."""
    return isinstance(value, ast.Compare) and any(isinstance(op, _OF_COLLECTIONS) for op in value.ops)


_OF_COLLECTIONS = (ast.In, ast.NotIn, ast.Is, ast.IsNot)


def _variables(condition: ast.expr) -> list[str]:
    """The names that stand in a condition, in order, but for those of functions that it calls."""
    nodes = list(walk_in_order(condition))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return [node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called]


@lru_cache(maxsize=64)
def unfit_lengths(source: str) -> int:
    """How many tests of a length do not fit the items read behind them: `xs[1]` where `len(xs) < 3` is refused.

    0 where it is no program.
    """
    try:
        nodes = walk(tree(source))
    except UNPARSABLE:
        return 0
    choices = [_is_unfit(node.test, [node.body], [node.orelse]) for node in nodes if isinstance(node, ast.IfExp)]
    blocks = [block for node in nodes for name in ("body", "orelse") if (block := _statements(node, name))]
    branches = [
        _is_unfit(node.test, node.body, node.orelse or _behind(node, block[place:]))
        for block in blocks
        for place, node in enumerate(block, 1)
        if isinstance(node, ast.If)
    ]
    return sum((*choices, *branches))


def _behind(node: ast.If, following: list[ast.stmt]) -> list[ast.stmt]:
    """What runs only where a condition is false: the statements that follow, where its branch leaves the block."""
    return following if isinstance(node.body[-1], _LEAVING) else []


def _statements(node: ast.AST, name: str) -> list[ast.stmt]:
    found = getattr(node, name, None)
    return found if isinstance(found, list) else []


def _length(test: ast.expr) -> tuple[str, type[ast.cmpop], int] | None:
    """The container, the comparison and the number of `len(xs) < 3`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    call, number = test.left, test.comparators[0]
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "len":
        return None
    if len(call.args) != 1 or not isinstance(number, ast.Constant) or type(number.value) is not int:
        return None
    return ast.dump(call.args[0]), type(test.ops[0]), number.value


def _is_unfit(test: ast.expr, where_true: Sequence[ast.AST], where_false: Sequence[ast.AST]) -> bool:
    """Whether the least length of the branch that reads items is not the least that they need."""
    asked = _length(test)
    if asked is None:
        return False
    container, operator, number = asked
    least = {
        ast.Lt: (where_false, number),
        ast.LtE: (where_false, number + 1),
        ast.Gt: (where_true, number + 1),
        ast.GtE: (where_true, number),
    }.get(operator)
    needed = max((place for part in least[0] for place in _places(part, container)), default=0) if least else 0
    return bool(least and needed and needed != least[1])


def _places(branch: ast.AST, container: str) -> Iterator[int]:
    """The length that each item needs which a branch reads at a constant place."""
    for node in walk(branch):
        if isinstance(node, ast.Subscript) and ast.dump(node.value) == container:
            place = whole_number(node.slice)
            if place is not None:
                yield place + 1 if place >= 0 else -place


def unguarded_operands(before: str, after: str) -> int:
    """How many conditions use a value just where it is None or empty in `after`, and in `before` not:
    `n is not None or n > most`, `not xs and xs[0] == 1`. 0 where one is no program.
    """
    return signs_gained(before, after, _unguarded)


@lru_cache(maxsize=64)
def _unguarded(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in nodes_of(tree(source), ast.BoolOp) if _is_unguarded(node))


def _is_unguarded(node: ast.BoolOp) -> bool:
    """Whether an operand uses what is missing wherever it is come to."""
    missing: set[str] = set()
    for operand in node.values:
        if any(_uses(part, missing) for part in walk(operand)):
            return True
        asked, is_there = _presence(operand)
        # What follows in an `or` is for where this is false, and in an `and` for where it is true.
        if asked is not None and is_there == isinstance(node.op, ast.Or):
            missing.add(asked)
    return False


def _presence(node: ast.expr) -> tuple[str | None, bool]:
    """The value of which a condition asks whether it is there at all, and whether it is true where it is."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        asked, is_there = _presence(node.operand)
        return asked, not is_there
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot) and _is_none(node.comparators[0]):
        return ast.unparse(node.left), isinstance(node.ops[0], ast.IsNot)
    return (ast.unparse(node), True) if isinstance(node, ast.Name | ast.Attribute) else (None, True)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _uses(node: ast.AST, missing: set[str]) -> bool:
    """Whether a node reads an item or an attribute of what is missing, or compares it with an amount."""
    if isinstance(node, ast.Subscript | ast.Attribute):
        return ast.unparse(node.value) in missing
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERS):
        return bool({ast.unparse(node.left), ast.unparse(node.comparators[0])} & missing)
    return False
