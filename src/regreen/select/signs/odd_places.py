"""Places that cannot be meant: among items, past the end of a ring, and of rows that a row's length counts."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from regreen.select.signs.gains import count_in
from regreen.syntax import UNPARSABLE, callee_name, nodes_of, tree, walk, whole_number


def crossed_bounds(source: str) -> int:
    """How many loops count rows by the length of a row: `rows[j]` for `j` of `range(len(rows[0]))`. 0 where the program
    does not parse."""
    return count_in(source, _crossed)


@lru_cache(maxsize=64)
def _crossed(source: str) -> int:
    module = tree(source)
    if "[0])" not in source:
        # Of tables of which nobody asks how long a row is, the sides are alike.
        return 0
    found = 0
    for loop in walk(module):
        for counter, bound, body in _counted(loop):
            rows = {text for text in map(ast.unparse, _measured(bound)) if text.endswith("[0]")}
            reads = [node for part in body for node in walk(part) if isinstance(node, ast.Subscript)]
            first = {ast.unparse(read.value) for read in reads if ast.unparse(read.slice) == counter}
            found += any(row.removesuffix("[0]") in first for row in rows)
    return found


def _counted(loop: ast.AST) -> Iterator[tuple[str, ast.expr, list[ast.AST]]]:
    """The counter of a loop over a range, where the range ends, and what is done with it."""
    if isinstance(loop, ast.For):
        loops: list[tuple[ast.expr, ast.expr, list[ast.AST]]] = [(loop.target, loop.iter, list(loop.body))]
    elif isinstance(loop, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        loops = [(part.target, part.iter, [loop.elt]) for part in loop.generators]
    else:
        return
    for target, sequence, body in loops:
        is_range = isinstance(sequence, ast.Call) and callee_name(sequence) == "range" and sequence.args
        if is_range and isinstance(target, ast.Name) and isinstance(sequence, ast.Call):
            yield target.id, sequence.args[min(len(sequence.args) - 1, 1)], body


def _measured(bound: ast.expr) -> Iterator[ast.expr]:
    for part in walk(bound):
        if isinstance(part, ast.Call) and callee_name(part) == "len" and part.args:
            yield part.args[0]


def places_past_rings(source: str) -> int:
    """How many items are read at a remainder and a step more, `days[i % 7 + 1]` for `days[(i + 1) % 7]`. 0 where the
    program does not parse."""
    return count_in(source, _past_rings)


@lru_cache(maxsize=64)
def _past_rings(source: str) -> int:
    places = (node.slice for node in nodes_of(tree(source), ast.Subscript))
    sums = (place for place in places if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add))
    return sum(_is_past(one.left, one.right) or _is_past(one.right, one.left) for one in sums)


def _is_past(rest: ast.expr, step: ast.expr) -> bool:
    return isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mod) and (whole_number(step) or 0) > 0


def places_among_items(before: str, after: str) -> int:
    """How many times `after` puts a place with an item read by it, and `before` does not: `half + xs[half + 1]`.

    A place is a variable that the program as it was reads items by. 0 where one is no program.
    """
    try:
        places = _places(before)
        return (Counter(_mixtures(after, places)) - Counter(_mixtures(before, places))).total()
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _places(source: str) -> frozenset[str]:
    indices = [node.slice for node in nodes_of(tree(source), ast.Subscript)]
    return frozenset(name for index in indices for name in _names_in_place(index))


def _names_in_place(index: ast.expr) -> Iterator[str]:
    """The variables that a place is reckoned from; what a call makes a number of, `len(xs)`, is none."""
    waiting: list[ast.AST] = [index]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield node.id
        elif not isinstance(node, ast.Call):
            waiting += ast.iter_child_nodes(node)


def _mixtures(source: str, places: frozenset[str]) -> Iterator[str]:
    for node in walk(tree(source)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            sides = (node.left, node.right)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = (node.left, node.comparators[0])
        else:
            continue
        for one, other in (sides, sides[::-1]):
            if isinstance(one, ast.Name) and one.id in places and _reads_at(other, one.id):
                yield ast.unparse(node)


def _reads_at(node: ast.expr, name: str) -> bool:
    """Whether an expression is an item at a place that the variable tells."""
    return isinstance(node, ast.Subscript) and name in _names_in_place(node.slice)
