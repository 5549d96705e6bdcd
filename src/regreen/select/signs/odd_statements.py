"""Statements that nobody writes: a total that grows by itself or begins anew, a denial denied, one argument picked out,
a row of a table that stands twice, a slip that is plain from the text."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from regreen.plain_slips import may_leave_slips, plain_slips
from regreen.select.added_statements import blocks_of
from regreen.select.signs.gains import signs_gained
from regreen.syntax import (
    UNPARSABLE,
    Function,
    callee_name,
    functions_of,
    nodes_of,
    tree,
    walk,
    whole_number,
)

_EXTREMES: Final = frozenset({"min", "max"})
_DENYING = (ast.NotEq, ast.NotIn, ast.IsNot)
_USUAL: Final = (0, 1, "", None, True, False)
"""What an argument is often compared with."""
_FEWEST_ROWS: Final = 3


def self_fed_updates(before: str, after: str) -> int:
    """How many totals grow by what they hold themselves in `after`, and in `before` not: `total += abs(at - total)`,
    `best = max(best, best - start)`. 0 where one is no program.
    """
    return signs_gained(before, after, _self_fed)


@lru_cache(maxsize=64)
def _self_fed(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in walk(tree(source)) if _feeds_itself(node))


def _feeds_itself(node: ast.AST) -> bool:
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub) and isinstance(node.target, ast.Name):
        return _reads(node.value, node.target.id)
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    own, value = node.targets[0].id, node.value
    if not isinstance(value, ast.Call) or callee_name(value) not in _EXTREMES:
        return False
    plain = [one for one in value.args if isinstance(one, ast.Name)]
    worked_out = [one for one in value.args if not isinstance(one, ast.Name)]
    return any(one.id == own for one in plain) and any(_reads(one, own) for one in worked_out)


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(node))


def doubled_steps(before: str, after: str) -> int:
    """How many `wait = base * factor` became `wait *= base * factor`; 0 where one is no program.

    What was reckoned anew is reckoned from what it was, or not.
    """
    try:
        return len(_products(before, ast.Assign) & _products(after, ast.AugAssign))
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=128)
def _products(source: str, statement: type[ast.Assign | ast.AugAssign]) -> frozenset[tuple[str, str]]:
    """The variables of such statements with the sum, the product, ... that they get, or that changes them alike."""
    found = set()
    for node in walk(tree(source)):
        if not isinstance(node, statement) or not isinstance(node.value, ast.BinOp):
            continue
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        if isinstance(node, ast.Assign) or type(node.op) is type(node.value.op):
            found.add((ast.unparse(target), ast.unparse(node.value)))
    return frozenset(found)


def double_negations(before: str, after: str) -> int:
    """How many denials of denials `after` has and `before` has not: `not (not stack or top != close)`, `--count`."""
    return signs_gained(before, after, _denied_twice)


@lru_cache(maxsize=64)
def _denied_twice(source: str) -> tuple[str, ...]:
    denials = (n for n in nodes_of(tree(source), ast.UnaryOp) if isinstance(n.op, ast.Not))
    twice = [node for node in denials if any(map(_denies, _parts(node.operand)))]
    twice += [n for n in nodes_of(tree(source), ast.UnaryOp) if _is_negative(n) and _is_negative(n.operand)]
    return tuple(map(ast.unparse, twice))


def _is_negative(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.values if isinstance(node, ast.BoolOp) else [node]


def _denies(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], _DENYING)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


@lru_cache(maxsize=64)
def counted_flags(source: str) -> int:
    """How many variables begin as True or False and are counted: `inside = False`, and then `inside += 1`.

    0 where it is no program.
    """
    try:
        nodes = walk(tree(source))
    except UNPARSABLE:
        return 0
    flags = {
        ast.unparse(target)
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
        for target in node.targets
    }
    counting = (node for node in nodes if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub))
    return len(flags & {ast.unparse(node.target) for node in counting})


def unlike_additions(source: str) -> int:
    """How many sets, and lists called `seen`, a program asks for one thing and adds another to: `key not in seen` and
    `seen.add(name)`; 0 where it does not parse."""
    try:
        return sum(is_set for _, _, is_set in _unlike(source))
    except UNPARSABLE:
        return 0


def unlike_table_keys(before: str, after: str) -> int:
    """How many more tables `after` asks for one key and stores another in: `toll not in best` and `best[town] = toll`.

    A table of parents may well be asked for one and hold another; 0 where one is no program."""
    return signs_gained(before, after, lambda source: [key for key in _unlike(source) if not key[2]])


@lru_cache(maxsize=64)
def _unlike(source: str) -> tuple[tuple[str, str, bool], ...]:
    """(function, collection, whether it is a set) of each that holds nothing it is asked for.

    Raises what `ast.parse` raises."""
    functions = functions_of(tree(source))
    return tuple((function.name, *found) for function in functions for found in _unlike_in(function))


_SEEN: Final = frozenset({"seen", "visited"})
"""Names of what is only asked what is in it."""


def _unlike_in(function: Function) -> Iterator[tuple[str, bool]]:
    asked: defaultdict[str, set[str]] = defaultdict(set)
    added: defaultdict[str, set[str]] = defaultdict(set)
    stored: defaultdict[str, set[str]] = defaultdict(set)
    for node in walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            asked[ast.unparse(node.comparators[0])].add(ast.unparse(node.left))
        elif isinstance(node, ast.Call) and callee_name(node) in ("add", "append") and len(node.args) == 1:
            owner, _, way = ast.unparse(node.func).rpartition(".")
            if way == "add" or owner in _SEEN:
                added[owner].add(ast.unparse(node.args[0]))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            stored[ast.unparse(node.value)].add(ast.unparse(node.slice))
    for held, is_set in ((added, True), (stored, False)):
        for name, items in held.items():
            # What is worked out on the spot may be the same; what is looked up is not.
            looked_up = {item for item in items if name in _SEEN and "(" not in item}
            all_plain = all(item.isidentifier() for item in (asked[name] | items) - looked_up)
            if asked[name] and all_plain and asked[name].isdisjoint(items):
                yield name, is_set


@lru_cache(maxsize=64)
def ended_rounds(source: str) -> int:
    """How many loops end in their first round, with a `return` or a `break` as the last of several statements and no
    `continue`; 0 where it does not parse. What is true of one item was meant to be true of all."""
    try:
        loops = [node for node in walk(tree(source)) if isinstance(node, ast.For | ast.While)]
    except UNPARSABLE:
        return 0
    return sum(_ends_at_once(loop) for loop in loops)


def _ends_at_once(loop: ast.For | ast.While) -> bool:
    is_last = len(loop.body) > 1 and isinstance(loop.body[-1], ast.Return | ast.Break)
    return is_last and not any(isinstance(part, ast.Continue) for part in walk(loop))


def caught_slips(before: str, after: str) -> int:
    """How many more handlers `after` has for what a missing check brings about: an AttributeError, or a TypeError.

    Whoever means None or another kind asks for it."""
    return signs_gained(before, after, _caught_slips)


@lru_cache(maxsize=64)
def _caught_slips(source: str) -> tuple[str, ...]:
    handlers = (node for node in nodes_of(tree(source), ast.ExceptHandler) if node.type is not None)
    return tuple(ast.unparse(node) for node in handlers if isinstance(node.type, ast.Name) and node.type.id in _SLIPS)


_SLIPS: Final = frozenset({"AttributeError", "TypeError", "NameError", "UnboundLocalError", "ZeroDivisionError"})


def caught_empties(before: str, after: str) -> int:
    """How many more handlers `after` has for a list with no first item (`except IndexError:` around `first = xs[0]`).

    Whoever means nothing at all asks for it."""
    return signs_gained(before, after, _caught_empties)


@lru_cache(maxsize=64)
def _caught_empties(source: str) -> tuple[str, ...]:
    tries = (node for node in nodes_of(tree(source), ast.Try) if len(node.body) == 1 and len(node.handlers) == 1)
    return tuple(
        ast.unparse(node)
        for node in tries
        if isinstance(node.handlers[0].type, ast.Name) and node.handlers[0].type.id == "IndexError"
        if any(isinstance(part, ast.Subscript) and whole_number(part.slice) == 0 for part in walk(node.body[0]))
    )


def narrow_guards(before: str, after: str) -> int:
    """How many more ways out `after` has for what has fewer than so many items, 2 at least: `if len(xs) < 2: return 0`.

    Where checks ask with nothing alone, what is empty was meant."""
    return signs_gained(before, after, _narrow_guards)


@lru_cache(maxsize=64)
def _narrow_guards(source: str) -> tuple[str, ...]:
    guards = (node for node in nodes_of(tree(source), ast.If) if len(node.body) == 1)
    return tuple(
        ast.unparse(node.test) for node in guards if isinstance(node.body[0], ast.Return) and _asks_for_few(node.test)
    )


def _asks_for_few(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Call) or callee_name(test.left) != "len":
        return False
    number = whole_number(test.comparators[0])
    return number is not None and (
        (isinstance(test.ops[0], ast.Lt) and number > 1) or (isinstance(test.ops[0], ast.LtE) and number > 0)
    )


def restarted_totals(before: str, after: str) -> int:
    """How many totals begin anew right where they grow in `after`, and in `before` not: `total = depth`, and then
    `total += size`. 0 where one is no program.
    """
    return signs_gained(before, after, _restarted)


@lru_cache(maxsize=64)
def _restarted(source: str) -> tuple[str, ...]:
    blocks = blocks_of(source) if tree(source).body else ()
    pairs = ((one, other) for block in blocks for one, other in pairwise(block))
    return tuple(ast.unparse(one) for one, other in pairs if _restarts(one, other))


def _restarts(one: ast.stmt, other: ast.stmt) -> bool:
    if not isinstance(one, ast.Assign) or not isinstance(other, ast.AugAssign) or len(one.targets) > 1:
        return False
    target = one.targets[0]
    if not isinstance(target, ast.Name) or not isinstance(other.target, ast.Name) or target.id != other.target.id:
        return False
    return not _reads(one.value, target.id) and not isinstance(one.value, ast.Constant)


def picked_arguments(before: str, after: str) -> int:
    """How many branches are for one value of a parameter in `after`, and in `before` not: `if b == 2:`.

    0, 1 and an empty text are where many a function begins.
    """
    return signs_gained(before, after, _picked)


@lru_cache(maxsize=64)
def _picked(source: str) -> tuple[str, ...]:
    functions = functions_of(tree(source))
    return tuple(text for function in functions for text in _picked_in(function))


def _picked_in(function: Function) -> Iterator[str]:
    parameters = {argument.arg for argument in function.args.args}
    for node in walk(function):
        test = node.test if isinstance(node, ast.If) else None
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) and isinstance(test.left, ast.Name):
            value = test.comparators[0]
            if test.left.id in parameters and isinstance(value, ast.Constant) and value.value not in _USUAL:
                yield ast.unparse(test)


def turned_each_round(before: str, after: str) -> int:
    """How many lists that a loop adds to are turned round or sorted in each of its rounds in `after`, and in `before`
    not: once, behind the loop, is what is meant. 0 where one is no program."""
    return signs_gained(before, after, _turned)


@lru_cache(maxsize=64)
def _turned(source: str) -> tuple[str, ...]:
    loops = (node for node in walk(tree(source)) if isinstance(node, ast.For | ast.While))
    return tuple(name for loop in loops for name in _called_on(loop, "append") & _called_on(loop, "reverse", "sort"))


def _called_on(loop: ast.For | ast.While, *methods: str) -> set[str]:
    """What these methods are called on in a loop."""
    functions = (node.func for node in nodes_of(loop, ast.Call))
    return {ast.unparse(f.value) for f in functions if isinstance(f, ast.Attribute) and f.attr in methods}


def copied_rows(source: str) -> int:
    """How many rows of a table of tuples or lists stand there already: `((0, 1), (1, 0), (0, -1), (1, 0))` has one.

    A constant that is written out twice was often meant to differ. 0 where the source is no program.
    """
    try:
        return sum(map(_repeated, walk(tree(source))))
    except UNPARSABLE:
        return 0


def _repeated(node: ast.AST) -> int:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        items = node.elts
    elif isinstance(node, ast.Dict):
        items = node.values
    else:
        return 0
    rows = [ast.dump(item) for item in items if isinstance(item, ast.Tuple | ast.List) and item.elts]
    return len(rows) - len(set(rows)) if len(rows) == len(items) >= _FEWEST_ROWS else 0


def left_slips(before: str, after: str) -> int:
    """How many plain slips a program has that the given one has, too; all, where that does not parse."""
    if not may_leave_slips(before):
        return 0
    given, left = (Counter(slip.kind for slip in plain_slips(source)) for source in (before, after))
    return sum((given & left if given else left).values())
