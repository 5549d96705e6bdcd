"""Idioms that everybody knows and a change breaks: digits that make a number, a count, a round over all items."""

from __future__ import annotations

import ast
from functools import lru_cache

from regreen.syntax import callee_name, names_within, parsed_or_none, walk, whole_number

_QUEUES = frozenset({"queue", "fifo"})


def broken_digits(before: str, after: str) -> int:
    """How many `number = number * 10 + digit` a program had and has no more."""
    return max(_digits(before) - _digits(after), 0)


@lru_cache(maxsize=64)
def _digits(source: str) -> int:
    return sum(_appends_digit(node) for node in _nodes(source))


def _appends_digit(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    value = node.value
    product = value.left if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) else None
    if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult) or whole_number(product.right) != 10:
        return False
    return isinstance(product.left, ast.Name) and product.left.id == node.targets[0].id


def stopped_counts(before: str, after: str) -> int:
    """How many `count[key] += 1` became `count[key] = 1`."""
    lost = _counts(before)[0] - _counts(after)[0]
    return max(min(lost, _counts(after)[1] - _counts(before)[1]), 0)


@lru_cache(maxsize=64)
def _counts(source: str) -> tuple[int, int]:
    """How often a program adds one to an item, and how often it makes an item one."""
    nodes = _nodes(source)
    added = [n for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript)]
    begun = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Subscript)]
    return (
        sum(whole_number(node.value) == 1 for node in added if isinstance(node.op, ast.Add)),
        sum(whole_number(node.value) == 1 for node in begun),
    )


def torn_children(before: str, after: str) -> int:
    """How many places of a heap lost one of their two children since: `2 * i + 1` without `2 * i + 2`."""
    return max(_lone_children(after) - _lone_children(before), 0) if _pairs_of_children(before) else 0


def _lone_children(source: str) -> int:
    return sum(len(offsets) == 1 for offsets in _children(source).values())


def _pairs_of_children(source: str) -> int:
    return sum(len(offsets) > 1 for offsets in _children(source).values())


@lru_cache(maxsize=64)
def _children(source: str) -> dict[str, frozenset[int]]:
    """The variables `i` of `2 * i + 1` and `2 * i + 2`, each with the numbers that are added."""
    found: dict[str, set[int]] = {}
    for node in _nodes(source):
        product = node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) else None
        if (
            not isinstance(node, ast.BinOp)
            or not isinstance(product, ast.BinOp)
            or not isinstance(product.op, ast.Mult)
        ):
            continue
        added = whole_number(node.right)
        if added in (1, 2) and whole_number(product.left) == 2 and isinstance(product.right, ast.Name):
            found.setdefault(product.right.id, set()).add(added)
    return {name: frozenset(offsets) for name, offsets in found.items()}


def torn_steps(before: str, after: str) -> int:
    """How many `(-1, 0, 1)`, the steps to what is beside a place and to itself, became other numbers."""
    return max(_steps_beside(before)[0] - _steps_beside(after)[0], 0) if _steps_beside(after)[1] else 0


@lru_cache(maxsize=64)
def _steps_beside(source: str) -> tuple[int, int]:
    """How often the three steps stand in a program, and how often three other whole numbers do."""
    rows = [node.elts for node in _nodes(source) if isinstance(node, ast.Tuple | ast.List | ast.Set)]
    numbers = [tuple(map(whole_number, row)) for row in rows if len(row) == len(_BESIDE)]
    whole = [row for row in numbers if None not in row]
    beside = sum(sorted(row) == list(_BESIDE) for row in whole)  # type: ignore[type-var]
    return beside, len(whole) - beside


_BESIDE = (-1, 0, 1)


def cut_rounds(before: str, after: str) -> int:
    """How many loops over all places of a list leave out the first or the last one since, though no neighbour is read.

    A place that is left out passes where checks happen to have nothing there.
    """
    lost = _whole_rounds(before) - _whole_rounds(after)
    return max(min(lost, _cut_rounds(after) - _cut_rounds(before)), 0)


@lru_cache(maxsize=64)
def _whole_rounds(source: str) -> int:
    """How many loops go over `range(len(xs))`."""
    return sum(_is_length(loop.iter.args[0]) for loop in _ranges(source) if len(loop.iter.args) == 1)  # type: ignore[attr-defined]


@lru_cache(maxsize=64)
def _cut_rounds(source: str) -> int:
    """How many go over `range(len(xs) - 1)` or `range(1, len(xs))`, and read no item beside the one at hand."""
    return sum(_is_cut(loop) for loop in _ranges(source))


def _is_cut(loop: ast.For) -> bool:
    assert isinstance(loop.iter, ast.Call)
    *first, last = loop.iter.args
    is_short = isinstance(last, ast.BinOp) and isinstance(last.op, ast.Sub) and _is_length(last.left)
    is_late = len(first) == 1 and whole_number(first[0]) == 1 and _is_length(last)
    beside = any(
        isinstance(node, ast.BinOp)
        and isinstance(node.left, ast.Name)
        and node.left.id == getattr(loop.target, "id", "")
        for stmt in loop.body
        for node in walk(stmt)
    )
    return (is_short or is_late) and not beside


def _ranges(source: str) -> list[ast.For]:
    loops = (node for node in _nodes(source) if isinstance(node, ast.For) and isinstance(node.iter, ast.Call))
    return [loop for loop in loops if callee_name(loop.iter) == "range" and loop.iter.args]  # type: ignore[arg-type, attr-defined]


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) == "len"


def half_asked_keys(before: str, after: str) -> int:
    """Whether some of several `table.get(key) is None` have become other questions, and some are as they were."""
    old, new = _absences(before), _absences(after)
    return int(0 < new < old)


@lru_cache(maxsize=64)
def _absences(source: str) -> int:
    tests = (node for node in _nodes(source) if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is))
    looked_up = (test for test in tests if isinstance(test.left, ast.Call) and callee_name(test.left) == "get")
    others = (test.comparators[0] for test in looked_up)
    return sum(isinstance(other, ast.Constant) and other.value is None for other in others)


@lru_cache(maxsize=64)
def dead_links(source: str) -> int:
    """How many `elif year % 400 == 0` come after `year % 4 == 0`: nothing that 400 divides comes so far."""
    return sum(_dead_in(node) for node in _nodes(source) if isinstance(node, ast.If))


def _dead_in(node: ast.If) -> int:
    """Whether the link right behind an `if`, or a later one of its chain, asks for multiples of what it took."""
    taken, link, found = _divisor(node.test), node, 0
    while taken and len(link.orelse) == 1 and isinstance(link.orelse[0], ast.If):
        link = link.orelse[0]
        asked = _divisor(link.test)
        found += asked is not None and asked[0] == taken[0] and asked[1] % taken[1] == 0
    return found


def _divisor(test: ast.expr) -> tuple[str, int] | None:
    """What `year % 4 == 0` asks about, and the number; None for any other question."""
    left = test.left if isinstance(test, ast.Compare) and len(test.ops) == 1 else None
    if not isinstance(left, ast.BinOp) or not isinstance(left.op, ast.Mod) or not isinstance(test, ast.Compare):
        return None
    number = whole_number(left.right)
    is_zero = isinstance(test.ops[0], ast.Eq) and whole_number(test.comparators[0]) == 0
    return (ast.dump(left.left), number) if is_zero and number else None


@lru_cache(maxsize=64)
def queues_from_the_end(source: str) -> int:
    """How many `queue.pop()`, or `queue.pop(-1)`, take the last one of what is called a queue."""
    calls = [node.func for node in _nodes(source) if isinstance(node, ast.Call) and _takes_last(node)]
    pops = [call.value for call in calls if isinstance(call, ast.Attribute) and call.attr == "pop"]
    return sum(isinstance(owner, ast.Name) and owner.id.lower() in _QUEUES for owner in pops)


def _takes_last(call: ast.Call) -> bool:
    return not call.args or (len(call.args) == 1 and whole_number(call.args[0]) == -1)


def torn_updates(before: str, after: str) -> int:
    """How many pairs of branches, `if up: height += 1` with `else: height -= 1`, of which a change leaves one alone."""
    return len(
        {name for name, kinds in _stepped(before).items() if len(kinds) > 1 == len(_stepped(after).get(name, ()))}
    )


@lru_cache(maxsize=64)
def _stepped(source: str) -> dict[str, set[type[ast.operator]]]:
    """Which of adding and taking away a constant the branches of choices do to each variable."""
    found: dict[str, set[type[ast.operator]]] = {}
    for node in _nodes(source):
        if not isinstance(node, ast.If) or not node.orelse:
            continue
        for part in walk(node):
            is_step = isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add | ast.Sub)
            if is_step and isinstance(part.target, ast.Name) and whole_number(part.value):  # type: ignore[attr-defined]
                found.setdefault(part.target.id, set()).add(type(part.op))  # type: ignore[attr-defined]
    return found


def uncompared_bests(before: str, after: str) -> int:
    """How many variables that get a better value, `if len(word) > len(best): best = word`, are compared no more.

    What asks nothing of the best so far takes the last one that pleases.
    """
    kept, bare = _bests(before), _bests(after)
    return sum(name in kept and kept[name] and not compared for name, compared in bare.items())


@lru_cache(maxsize=64)
def _bests(source: str) -> dict[str, bool]:
    """The variables to which a condition alone gives another one, and whether it asks about them."""
    found: dict[str, bool] = {}
    for node in _nodes(source):
        if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare | ast.BoolOp):
            continue
        asked = names_within(node.test)
        for statement in node.body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if isinstance(target, ast.Name) and isinstance(statement.value, ast.Name):  # type: ignore[attr-defined]
                found[target.id] = found.get(target.id, False) or target.id in asked
    return found


def lost_wraps(before: str, after: str) -> int:
    """How many `place % len(items)` became a difference, or a sum: a place beyond the last one is none."""
    return len(_by_operator(before, ast.Mod) & _by_operator(after, ast.Sub, ast.Add))


@lru_cache(maxsize=256)
def _by_operator(source: str, *operators: type[ast.operator]) -> frozenset[tuple[str, str]]:
    """The operands of such an operator whose right one is a length."""
    found = (node for node in _nodes(source) if isinstance(node, ast.BinOp) and isinstance(node.op, operators))
    lengths = (node for node in found if isinstance(node.right, ast.Call) and callee_name(node.right) == "len")
    return frozenset((ast.unparse(node.left), ast.unparse(node.right)) for node in lengths)


def _nodes(source: str) -> list[ast.AST]:
    module = parsed_or_none(source)
    return walk(module) if module else []
