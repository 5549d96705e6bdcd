"""Operands that nobody puts together: a value with itself, conditions or results in a row of which one is unlike the
others, texts in an order where they were compared for being equal; and parameters that a loop overwrites."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

from regreen.select.signs.gains import signs_gained
from regreen.select.signs.vain_work import makes_collection
from regreen.syntax import (
    FUNCTIONS,
    ORDERS,
    UNPARSABLE,
    Function,
    callee_name,
    functions_of,
    names_within,
    nodes_of,
    tree,
    walk,
)

_Operators: TypeAlias = tuple[type[ast.cmpop], ...]
_IsWanted: TypeAlias = Callable[[ast.expr, ast.expr], bool]
_SETTLED_BY_ITSELF = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.BitXor, ast.BitAnd, ast.BitOr)
_EQUAL = (ast.Eq, ast.NotEq)
_IDENTICAL = (ast.Is, ast.IsNot)
_MEMBERSHIP = (ast.In, ast.NotIn)
_MIRRORED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_NO_NUMBER: Final = frozenset({"sorted", "list", "set", "str", "tuple", "dict", "join", "lower", "upper", "strip"})
"""Calls that give a text or a container."""
_ENDS: Final = frozenset({"0", "1", "-1"})
_MANY: Final = 3
"""Results of a function that are no row yet when they are fewer."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def repeated_operands(before: str, after: str) -> int:
    """How many operations on a value and itself `after` has and `before` has not: `x - x`, `a or a`, `s.count(s)`,
    `x == 0 and x == 1`, `time - gap > gap`.
    """
    return signs_gained(before, after, _repeated)


def broken_parallels(before: str, after: str) -> int:
    """How many rows that were alike `after` changes in one place: `a < b or b < c` gets one `<=`, or
    `0 <= row < rows and 0 <= column < columns` one `<`; of several constants that are returned one is worked out now.
    """
    try:
        rows, changed = _rows(before), _rows(after)
    except UNPARSABLE:
        return 0
    alike = {(names, len(forms)) for names, forms in rows if len(set(forms)) == 1}
    return sum(len(set(forms)) > 1 and (names, len(forms)) in alike for names, forms in changed)


def ordered_values(before: str, after: str) -> int:
    """How many comparisons of texts or containers ask for an order in `after`, and for equality in `before`.

    And how many more ask whether a truth value is above another value, `bool(x) >= y`, or compare a collection with
    what may be in it: `x != seen` for `x not in seen`.
    """
    try:
        turned = _turned(before, after, _EQUAL, ORDERS, lambda one, other: _has_no_number(one, other, before))
        turned += _turned(before, after, _MEMBERSHIP, (*_EQUAL, *ORDERS), lambda _, held: _is_no_text(held, before))
        return turned + signs_gained(before, after, _ordered_truths)
    except UNPARSABLE:
        return 0


def identities_for_equality(before: str, after: str) -> int:
    """How many comparisons ask since whether two values are one object, and asked whether they are equal; but for None,
    True and False, of which there is one each, and for classes. 0 where one is no program."""
    try:
        return _turned(before, after, _EQUAL, _IDENTICAL, _has_no_singleton)
    except UNPARSABLE:
        return 0


def _has_no_singleton(left: ast.expr, right: ast.expr) -> bool:
    return not any(
        (isinstance(side, ast.Constant) and (side.value is None or isinstance(side.value, bool)))
        or (isinstance(side, ast.Call) and callee_name(side) == "type")
        for side in (left, right)
    )


def _is_no_text(held: ast.expr, source: str) -> bool:
    """Whether a variable holds a list, a set or a dictionary that the program makes: a text may equal its own part."""
    return isinstance(held, ast.Name) and held.id in _collections(source)


@lru_cache(maxsize=64)
def _collections(source: str) -> frozenset[str]:
    made = (node for node in nodes_of(tree(source), ast.Assign) if makes_collection(node.value))
    return frozenset(target.id for node in made for target in node.targets if isinstance(target, ast.Name))


@lru_cache(maxsize=64)
def _ordered_truths(source: str) -> tuple[str, ...]:
    compared = nodes_of(tree(source), ast.Compare)
    ordered = (node for node in compared if isinstance(node.ops[0], ORDERS))
    return tuple(ast.unparse(node) for node in ordered if any(map(_is_truth, (node.left, *node.comparators))))


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return callee_name(node) in ("bool", "isinstance", "any", "all")
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def bits_of_sums(before: str, after: str) -> int:
    """How many operators for single bits stand beside sums, lengths and the like in `after`, and in `before` not:
    `sum(first) | sum(last)`. 0 where one is no program."""
    return signs_gained(before, after, _bits_of_sums)


@lru_cache(maxsize=64)
def _bits_of_sums(source: str) -> tuple[str, ...]:
    operations = (node for node in nodes_of(tree(source), ast.BinOp) if isinstance(node.op, _BITS))
    return tuple(ast.unparse(node) for node in operations if _is_amount(node.left) or _is_amount(node.right))


_BITS: Final = (ast.BitOr, ast.BitAnd, ast.BitXor)
_AMOUNTS: Final = frozenset({"sum", "len", "abs", "round"})


def _is_amount(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in _AMOUNTS


def singled_out_values(before: str, after: str) -> int:
    """How many comparisons ask for equality in `after`, and for an order in `before`: `x >= LIMIT`, now `x == LIMIT`.

    Not with 0, 1 or -1, which may be all that is left, nor of remainders.
    """
    try:
        return _turned(before, after, ORDERS, _EQUAL, _is_measured)
    except UNPARSABLE:
        return 0


def overwritten_parameters(before: str, after: str) -> int:
    """How many times `after` gives a parameter a value in a loop that has nothing to do with it, and `before` not."""
    return signs_gained(before, after, _overwritten)


@lru_cache(maxsize=64)
def _repeated(source: str) -> Counter[str]:
    nodes = [node for node in walk(tree(source)) if _is_repeated(node)]
    return Counter(ast.dump(node.test if isinstance(node, ast.If) else node) for node in nodes)


def _has_term_twice(node: ast.Compare) -> bool:
    """Whether one side of an order is a variable, and the other the same one less or more of something."""
    sides = (node.left, node.comparators[0])
    for one, other in (sides, sides[::-1]):
        is_sum = isinstance(other, ast.BinOp) and isinstance(other.op, ast.Add | ast.Sub)
        if isinstance(node.ops[0], ORDERS) and isinstance(one, ast.Name) and isinstance(other, ast.BinOp) and is_sum:
            return _same(one, other.right) or _same(one, other.left)
    return False


def _is_repeated(node: ast.AST) -> bool:
    if isinstance(node, ast.BoolOp):
        return len({ast.dump(value) for value in node.values}) < len(node.values) or _is_settled(node)
    if isinstance(node, ast.Tuple):
        return len(node.elts) == 2 and isinstance(node.elts[0], ast.Name) and _same(*node.elts)
    if isinstance(node, ast.If):
        return ast.dump(node.test) in map(ast.dump, _chain(node)[1:])
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and (_same(node.left, node.comparators[0]) or _has_term_twice(node))
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Constant):
            return type(node.right.value) is int and node.right.value == 1
        is_doubled = isinstance(node.op, ast.Add) and isinstance(node.left, ast.Name | ast.Call)
        return (is_doubled or isinstance(node.op, _SETTLED_BY_ITSELF)) and _same(node.left, node.right)
    if not isinstance(node, ast.Call) or not node.args:
        return False
    if isinstance(node.func, ast.Attribute):
        return len(node.args) == 1 and isinstance(node.func.value, ast.Name) and _same(node.func.value, node.args[0])
    return callee_name(node) in ("min", "max") and len(node.args) == 2 and _same(*node.args)


def _is_settled(node: ast.BoolOp) -> bool:
    """Whether a value is to be two constants at once, or not to be one of two: `x == 0 and x == 1`."""
    asked = ast.Eq if isinstance(node.op, ast.And) else ast.NotEq
    values = [
        ast.dump(value.left)
        for value in node.values
        if isinstance(value, ast.Compare)
        and isinstance(value.ops[0], asked)
        and isinstance(value.comparators[0], ast.Constant)
    ]
    return len(set(values)) < len(values)


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


@lru_cache(maxsize=64)
def _rows(source: str) -> frozenset[tuple[str, tuple[str, ...]]]:
    """Each `and`, `or` and chain of `elif`s of comparisons alone: its names, and the form of each; and the results of a
    function, of which a constant is one form.
    """
    found = []
    for node in walk(tree(source)):
        values = node.values if isinstance(node, ast.BoolOp) else _chain(node)
        if len(values) > 1 and all(isinstance(v, ast.Compare) and len(v.ops) == 1 for v in values):
            names = " ".join(part.id for v in values for part in nodes_of(v, ast.Name))
            found.append((names, tuple(map(_form, values))))
        chains = [v for v in values if isinstance(v, ast.Compare) and len(v.ops) > 1]
        if len(chains) > 1:
            names = " ".join(part.id for v in chains for part in nodes_of(v, ast.Name))
            found.append((names, tuple(map(_form_of_chain, chains))))
        if isinstance(node, FUNCTIONS):
            exits = [part.value for part in nodes_of(node, ast.Return) if part.value is not None]
            if len(exits) >= _MANY:
                found.append((f"{node.name}()", tuple(_kind_of_result(value, node.name) for value in exits)))
    return frozenset(found)


def _kind_of_result(value: ast.expr, function: str) -> str:
    """What a function calls itself for is as its other results are."""
    is_own = any(callee_name(call) == function for call in nodes_of(value, ast.Call))
    return "constant" if is_own or isinstance(value, ast.Constant | ast.UnaryOp) else "worked out"


def _chain(node: ast.AST) -> list[ast.expr]:
    """The conditions of an `if` and of the `elif`s after it."""
    tests: list[ast.expr] = []
    while isinstance(node, ast.If):
        tests.append(node.test)
        if len(node.orelse) != 1:
            break
        node = node.orelse[0]
    return tests


def _form_of_chain(chain: ast.Compare) -> str:
    """What is asked between the sides of `0 <= row < rows`, and the number with which it begins."""
    first = ast.unparse(chain.left) if isinstance(chain.left, ast.Constant) else ""
    return " ".join([first, *(type(symbol).__name__ for symbol in chain.ops)])


def _form(link: ast.expr) -> str:
    """The kinds of the nodes of a comparison; `a < b` and `b > a` ask alike."""
    if not isinstance(link, ast.Compare):
        return ""
    sides, symbol = [link.left, link.comparators[0]], type(link.ops[0])
    if symbol in _MIRRORED:
        sides, symbol = sides[::-1], _MIRRORED[symbol]
    kinds = [symbol, *(type(part) for side in sides for part in walk(side))]
    return " ".join(kind.__name__ for kind in kinds)


@lru_cache(maxsize=64)
def _turned(before: str, after: str, old: _Operators, new: _Operators, is_wanted: _IsWanted) -> int:
    """How many of the wanted pairs were compared in an old way and are in a new one."""
    gained = _compared(after, new, is_wanted) - _compared(before, new, is_wanted)
    lost = _compared(before, old, is_wanted) - _compared(after, old, is_wanted)
    return (gained & lost).total()


def _compared(source: str, how: _Operators, is_wanted: _IsWanted) -> Counter[str]:
    """What is compared in one of these ways, of the pairs that are wanted."""
    return Counter(
        f"{ast.dump(node.left)} {ast.dump(node.comparators[0])}"
        for node in nodes_of(tree(source), ast.Compare)
        if len(node.ops) == 1 and isinstance(node.ops[0], how) and is_wanted(node.left, node.comparators[0])
    )


def _is_measured(left: ast.expr, right: ast.expr) -> bool:
    """Whether two sides seem to be amounts of which one is the limit of the other."""
    is_remainder = any(isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mod) for side in (left, right))
    return not is_remainder and not any(ast.unparse(side) in _ENDS for side in (left, right))


def _has_no_number(left: ast.expr, right: ast.expr, source: str) -> bool:
    names = (left, right)
    if all(isinstance(name, ast.Name) and name.id in _asked_as_keys(source) for name in names):
        return True
    return _is_no_number(left) or _is_no_number(right)


@lru_cache(maxsize=64)
def _asked_as_keys(source: str) -> frozenset[str]:
    """The variables that are looked up or asked for in a collection, and take part in no sum and no order."""
    keys: set[str] = set()
    amounts: set[str] = set()
    for node in walk(tree(source)):
        if isinstance(node, ast.Call) and callee_name(node) in ("get", "pop", "add", "remove") and node.args:
            keys |= _name_of(node.args[0])
        elif isinstance(node, ast.Compare):
            kept = (
                keys if isinstance(node.ops[0], _MEMBERSHIP) else amounts if isinstance(node.ops[0], ORDERS) else set()
            )
            kept |= _name_of(node.left)
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            amounts |= names_within(node)
        elif isinstance(node, ast.Call) and callee_name(node) in ("range", "max", "min", "abs", "int"):
            amounts |= {name for argument in node.args for name in _name_of(argument)}
    return frozenset(keys - amounts)


def _name_of(node: ast.expr) -> set[str]:
    return {node.id} if isinstance(node, ast.Name) else set()


def _is_no_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice)
    return isinstance(node, ast.Call) and callee_name(node) in _NO_NUMBER


@lru_cache(maxsize=64)
def _overwritten(source: str) -> Counter[str]:
    functions = functions_of(tree(source))
    return Counter(f"{function.name} {name}" for function in functions for name in _lost_in_loops(function))


def _lost_in_loops(function: Function) -> Iterator[str]:
    arguments = function.args
    parameters = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    loops = [node for node in walk(function) if isinstance(node, _LOOPS)]
    differences = (part for part in nodes_of(function, ast.BinOp) if isinstance(part.op, ast.Sub))
    steps = [{*names_within(part.left), *names_within(part.right)} for part in differences]
    assigned = {id(n): n for loop in loops for s in loop.body for n in walk(s) if isinstance(n, ast.Assign)}
    for node in assigned.values():
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in parameters:
            names = names_within(node.value)
            # The place before the first one may be given: `start = floor` behind `floor - start`.
            is_carried = isinstance(node.value, ast.Name) and {target.id, node.value.id} in steps
            if names and target.id not in names and not is_carried:
                yield target.id


def uneven_roundings(before: str, after: str) -> int:
    """How many values are rounded up for one divisor and down for another within one expression of `after`, and in
    `before` not: `year // 4 - -(-year // 400)`. 0 where one is no program."""
    return signs_gained(before, after, _rounded_both_ways)


@lru_cache(maxsize=64)
def _rounded_both_ways(source: str) -> tuple[str, ...]:
    sums = [node for node in nodes_of(tree(source), ast.BinOp) if isinstance(node.op, ast.Add | ast.Sub)]
    return tuple(sorted({name for node in sums for name in _quotients(node, up=True) & _quotients(node, up=False)}))


def _quotients(node: ast.BinOp, *, up: bool) -> set[str]:
    """The values that parts of an expression divide and round up, `-(-x // y)`, or down, `x // y`."""
    parts = [part for part in walk(node) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv)]
    divided = (ast.unparse(part.left) for part in parts)
    return {text.removeprefix("-") for text in divided if text.startswith("-") is up}


def added_times(before: str, after: str) -> int:
    """How many differences from a point in time, `now - since`, are sums in `after` and were none in `before`: two
    points in time are not added up. 0 where one is no program."""
    try:
        spans = Counter(_from_clock(before, ast.Sub)) - Counter(_from_clock(after, ast.Sub))
        sums = Counter(_from_clock(after, ast.Add)) - Counter(_from_clock(before, ast.Add))
    except UNPARSABLE:
        return 0
    return sum((spans & sums).values())


@lru_cache(maxsize=128)
def _from_clock(source: str, way: type[ast.operator]) -> tuple[tuple[str, str], ...]:
    """The operands of sums, or of differences, whose first one is the time that it is."""
    parts = [node for node in nodes_of(tree(source), ast.BinOp) if isinstance(node.op, way)]
    pairs = [(ast.unparse(part.left), ast.unparse(part.right)) for part in parts]
    return tuple((left, right) for left, right in pairs if _CLOCK.search(left))


_CLOCK: Final = re.compile(r"(?:^|[._])(?:now|time|today|clock|monotonic|timestamp)(?:\(\))?$")
