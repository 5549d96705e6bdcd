"""Parts and orders of sequences that nobody asks for: a part of a part, an end cut off what is in order, a ring that
nothing speaks of, the length of what is written out, a set whose order matters, keys that turn round."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import UNPARSABLE, callee_name, nodes_of, tree, whole_number


def sliced_slices(before: str, after: str) -> int:
    """How many parts and items of parts are taken in `after`, and in `before` not: `xs[i:][i:i + n]`, `xs[1:][i]`."""
    return signs_gained(before, after, _sliced_slices)


@lru_cache(maxsize=64)
def _sliced_slices(source: str) -> tuple[str, ...]:
    read = nodes_of(tree(source), ast.Subscript)
    parts = {node for node in read if isinstance(node.slice, ast.Slice)}
    return tuple(ast.unparse(node) for node in read if node.value in parts and whole_number(node.slice) is None)


def cut_orders(before: str, after: str) -> int:
    """How many lists are cut off at an end in `after` as soon as they are in order, and in `before` not:
    `sorted(names)[1:]`. The first `k` of an order, `sorted(xs)[:3]`, are none."""
    return signs_gained(before, after, _cut_orders)


@lru_cache(maxsize=64)
def _cut_orders(source: str) -> tuple[str, ...]:
    parts = nodes_of(tree(source), ast.Subscript)
    return tuple(
        ast.unparse(n)
        for n in parts
        if isinstance(n.value, ast.Call) and callee_name(n.value) == "sorted" and _cuts(n.slice)
    )


def _cuts(part: ast.expr) -> bool:
    """Whether a slice drops some from the front or from the end: `[1:]`, `[:-1]`."""
    if not isinstance(part, ast.Slice) or part.step is not None:
        return False
    first, last = (whole_number(end) if end is not None else None for end in (part.lower, part.upper))
    return bool(first) or (last is not None and last < 0)


def closed_rings(before: str, after: str) -> int:
    """How many times the last of a row stands beside its first in `after`, `zip(xs, xs[1:] + xs[:1])`, and in `before`
    not, where the program speaks of nothing that goes round."""
    return signs_gained(before, after, _closed_rings)


_ROUND: Final = re.compile(r"ring|circ|cycl|wrap|round|loop|clos|polygon|corner|rotat|neighbo|perimet|area|tour", re.I)


@lru_cache(maxsize=64)
def _closed_rings(source: str) -> tuple[str, ...]:
    if _ROUND.search(source):
        return ()
    sums = (n for n in nodes_of(tree(source), ast.BinOp) if isinstance(n.op, ast.Add))
    return tuple(text for n in sums if _RING.fullmatch(text := ast.unparse(n)))


_RING: Final = re.compile(r"(\w+)\[1:\] \+ \1\[:1\]")


def neighbours_from_behind(source: str) -> int:
    """How many neighbours are looked up in front of the first place, `xs[i - 1]` in `for i in range(len(xs))`, where no
    condition asks about the place: there it is the last item. None where the program speaks of what goes round."""
    try:
        return 0 if _ROUND.search(source) else _neighbours_from_behind(source)
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _neighbours_from_behind(source: str) -> int:
    loops = nodes_of(tree(source), ast.For)
    places = [(loop, loop.target.id) for loop in loops if isinstance(loop.target, ast.Name)]
    return sum(_in_front(loop.body, place) for loop, place in places if _counts_from_zero(loop.iter))


def _in_front(parts: Iterable[ast.AST], place: str) -> int:
    """How many `xs[i - 1]` are read in these parts, one after the other, before anything asks about the place."""
    found = 0
    for part in parts:
        test = part.test if isinstance(part, ast.If | ast.IfExp | ast.While) else None
        is_asked = test is not None and _is_asked(test, place)
        inside = [test] if test is not None and is_asked else ast.iter_child_nodes(part)
        found += _is_in_front(part, place) + _in_front(inside, place)
        is_left = is_asked and isinstance(part, ast.If) and isinstance(part.body[-1], _LEAVING)
        if is_left or (isinstance(part, ast.Compare | ast.UnaryOp) and _is_asked(part, place)):
            break
    return found


_LEAVING: Final = (ast.Continue, ast.Break, ast.Return, ast.Raise)


def _counts_from_zero(iterated: ast.expr) -> bool:
    """`range(n)` or `range(0, n)`."""
    if not isinstance(iterated, ast.Call) or callee_name(iterated) != "range" or not iterated.args:
        return False
    return len(iterated.args) == 1 or (len(iterated.args) == 2 and whole_number(iterated.args[0]) == 0)


def _is_in_front(part: ast.AST, place: str) -> bool:
    """`xs[i - 1]`, read."""
    index = part.slice if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) else None
    is_before = isinstance(index, ast.BinOp) and isinstance(index.op, ast.Sub)
    return is_before and ast.unparse(index.left) == place and (whole_number(index.right) or 0) > 0  # type: ignore[union-attr]


def _is_asked(part: ast.AST, place: str) -> bool:
    """Whether something compares the place itself, or asks whether it is 0; alone, or as one of several questions."""
    if isinstance(part, ast.BoolOp):
        return any(_is_asked(value, place) for value in part.values)
    if isinstance(part, ast.UnaryOp):
        return _is_asked(part.operand, place)
    sides = (part.left, *part.comparators) if isinstance(part, ast.Compare) else (part,)
    return any(isinstance(side, ast.Name) and side.id == place for side in sides)


def counted_displays(before: str, after: str) -> int:
    """How many lengths of what is written out are asked for in `after`, `len([values])`, and in `before` not."""
    return signs_gained(before, after, _counted_displays)


@lru_cache(maxsize=64)
def _counted_displays(source: str) -> tuple[str, ...]:
    calls = (n for n in nodes_of(tree(source), ast.Call) if callee_name(n) == "len" and n.args)
    return tuple(ast.unparse(n) for n in calls if _is_written_out(n.args[0]))


def _is_written_out(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.Set) and not any(isinstance(e, ast.Starred) for e in node.elts)


def ordered_sets(before: str, after: str) -> int:
    """How many sets are gone through in `after` where it matters which item comes when, `"".join(set(text))` or
    `bytes(set(data))`, and in `before` not."""
    return signs_gained(before, after, _ordered_sets)


@lru_cache(maxsize=64)
def _ordered_sets(source: str) -> tuple[str, ...]:
    calls = (n for n in nodes_of(tree(source), ast.Call) if callee_name(n) in _IN_ORDER)
    return tuple(ast.unparse(n) for n in calls if any(map(_is_set, n.args)))


_IN_ORDER: Final = frozenset({"join", "bytes", "bytearray", "enumerate", "zip", "deque", "writelines"})


def _is_set(node: ast.expr) -> bool:
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return made or isinstance(node, ast.Set | ast.SetComp)


def crossed_coordinates(before: str, after: str) -> int:
    """How many differences of two things' items of one place `after` takes of items of different places: `a[0] - o[1]`
    for `a[0] - o[0]`. 0 where one is no program."""
    gained = signs_gained(before, after, lambda source: _differences(source, crossed=True))
    return min(gained, signs_gained(after, before, lambda source: _differences(source, crossed=False)))


@lru_cache(maxsize=128)
def _differences(source: str, *, crossed: bool) -> tuple[str, ...]:
    """Which things' items are taken from one another, of different places or of the same."""
    found = []
    for node in nodes_of(tree(source), ast.BinOp):
        match node:
            case ast.BinOp(
                left=ast.Subscript(value=ast.Name(id=one), slice=left),
                op=ast.Sub(),
                right=ast.Subscript(value=ast.Name(id=other), slice=right),
            ):
                places = whole_number(left), whole_number(right)
                if one != other and None not in places and (places[0] != places[1]) == crossed:
                    found.append(f"{one} {other}")
    return tuple(found)


def turned_keys(before: str, after: str) -> int:
    """How many further keys of one sort turn round in `after`, beside the first one, while others keep their direction:
    `(-points, wins, name)` for `(points, wins, name), reverse=True`. 0 where one is no program."""
    try:
        old, new = _directions(before), _directions(after)
    except UNPARSABLE:
        return 0
    turned = 0
    for keys, falls in new.items():
        given = old.get(keys, falls)
        changed = sum(a != b for a, b in zip(given, falls, strict=True))
        turned += max(0, changed - 1) if changed < len(keys) else 0
    return turned


@lru_cache(maxsize=64)
def _directions(source: str) -> dict[tuple[str, ...], tuple[bool, ...]]:
    """By the keys of each sort, signs aside: whether each of them falls. Raises what `ast.parse` raises."""
    found = {}
    for call in nodes_of(tree(source), ast.Call):
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        key, reverse = given.get("key"), given.get("reverse")
        if callee_name(call) in ("sorted", "sort") and isinstance(key, ast.Lambda) and isinstance(key.body, ast.Tuple):
            falls = isinstance(reverse, ast.Constant) and bool(reverse.value)
            negated = [isinstance(k, ast.UnaryOp) and isinstance(k.op, ast.USub) for k in key.body.elts]
            plain = [k.operand if isinstance(k, ast.UnaryOp) else k for k in key.body.elts]
            found[tuple(map(ast.unparse, plain))] = tuple(falls != one for one in negated)
    return found


def keys_turned_twice(before: str, after: str) -> int:
    """How many sorts have a key with a minus and `reverse=True`, too, in `after`, and not in `before`.

    0 where one is no program."""
    return signs_gained(before, after, _turned_twice)


@lru_cache(maxsize=64)
def _turned_twice(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(call) for call in nodes_of(tree(source), ast.Call) if _is_turned_twice(call))


def _is_turned_twice(call: ast.Call) -> bool:
    match {keyword.arg: keyword.value for keyword in call.keywords}:
        case {
            "key": ast.Lambda(body=ast.UnaryOp(op=ast.USub())),
            "reverse": ast.Constant(value=True),
        }:
            return True
    return False
