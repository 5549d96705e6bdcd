"""Parts that belong together: the first item and the rest, as much off either end, a difference and its size."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import count_in
from regreen.syntax import nodes_of, tree, whole_number

_OTHERS: Final = frozenset({"int", "round", "float", "sum", "len", "str", "bool"})


def torn_halves(before: str, after: str) -> int:
    """How many values that were parted at one place (`s[0]` and `s[1:]`, `s[:k]` and `s[k:]`) lack one of the two parts
    since, and have the other. 0 where one is no program."""
    return count_in(after, lambda program: count_in(before, lambda given: _torn(given, program)))


def _torn(before: str, after: str) -> int:
    heads, rests = _parts(before)
    heads_now, rests_now = _parts(after)
    return sum((parted in heads_now) != (parted in rests_now) for parted in heads & rests)


@lru_cache(maxsize=64)
def _parts(source: str) -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    """Value and place of each part up to a place, and of each from a place on; `s[0]` and `s[-1]` are parts, too."""
    heads, rests = set(), set()
    for node in nodes_of(tree(source), ast.Subscript):
        match node.slice:
            case ast.Slice(lower=None, upper=ast.expr() as end, step=None):
                heads.add((ast.unparse(node.value), ast.unparse(end)))
            case ast.Slice(lower=ast.expr() as start, upper=None, step=None):
                rests.add((ast.unparse(node.value), ast.unparse(start)))
            case index if whole_number(index) == 0:
                heads.add((ast.unparse(node.value), "1"))
            case index if whole_number(index) == -1:
                rests.add((ast.unparse(node.value), "-1"))
    return frozenset(heads), frozenset(rests)


def uneven_cuts(before: str, after: str) -> int:
    """How many values lose as much at either end in `before`, as in `s[1:-1]`, and more at one end in `after`. 0 where
    one is no program."""
    return count_in(after, lambda program: count_in(before, lambda given: _uneven(given, program)))


def _uneven(before: str, after: str) -> int:
    lost = Counter(_cut(before, even=True)) - Counter(_cut(after, even=True))
    come = Counter(_cut(after, even=False)) - Counter(_cut(before, even=False))
    return (lost & come).total()


def _cut(source: str, *, even: bool) -> Iterator[str]:
    for node in nodes_of(tree(source), ast.Subscript):
        if isinstance(node.slice, ast.Slice) and node.slice.lower is not None and node.slice.upper is not None:
            start, end = whole_number(node.slice.lower), whole_number(node.slice.upper)
            if start is not None and end is not None and start > 0 > end and (start == -end) is even:
                yield ast.unparse(node.value)


def lost_distances(before: str, after: str) -> int:
    """How many differences of which `before` takes the size, `abs(a - b)`, are rounded in `after`, or handed to another
    function of Python's own. 0 where one is no program."""
    return count_in(after, lambda program: count_in(before, lambda given: _lost_distances(given, program)))


def _lost_distances(before: str, after: str) -> int:
    size, others = frozenset({"abs"}), _OTHERS
    lost = Counter(_handed(before, size)) - Counter(_handed(after, size))
    return (lost & (Counter(_handed(after, others)) - Counter(_handed(before, others)))).total()


def _handed(source: str, functions: frozenset[str]) -> Iterator[str]:
    """The differences that these functions are handed, and nothing else."""
    for node in nodes_of(tree(source), ast.Call):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.BinOp(op=ast.Sub()) as difference]) if name in functions:
                yield ast.unparse(difference)
