"""Counts that nobody keeps: begun anew with another number than at first, never begun anew, or taken below zero."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import (
    UNPARSABLE,
    Function,
    bound_values,
    callee_name,
    functions_in,
    is_written_number,
    names_read,
    nodes_of,
    tree,
    walk,
    whole_number,
)

_BEGINNINGS: Final = frozenset({0, 1})
"""A count begins with nothing, or with the item at hand."""


def uneven_restarts(before: str, after: str) -> int:
    """How many variables begin with one number and begin anew with another in `after`, and in `before` not: `run = 1`
    and `run = 2`. 0 and 1 are taken for one number; 0 where one is no program.
    """
    return signs_gained(before, after, _unevenly_restarted)


@lru_cache(maxsize=64)
def _unevenly_restarted(source: str) -> tuple[str, ...]:
    return tuple(
        f"{function.name} {name}"
        for function in functions_in(source)
        for name, numbers in _starts(function).items()
        if len({0 if number in _BEGINNINGS else number for number in numbers}) > 1
    )


def sinking_counts(before: str, after: str) -> int:
    """How many variables begin with 0 and are only made smaller by written numbers in `after`, and in `before` not.

    0 where one is no program.
    """
    return signs_gained(before, after, _sinking)


@lru_cache(maxsize=64)
def _sinking(source: str) -> tuple[str, ...]:
    return tuple(f"{function.name} {name}" for function in functions_in(source) for name in _sinking_in(function))


def _sinking_in(function: Function) -> Iterator[str]:
    steps: defaultdict[str, list[bool]] = defaultdict(list)
    for node in walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            is_down = isinstance(node.op, ast.Sub) and (whole_number(node.value) or 0) > 0
            steps[node.target.id].append(is_down)
    for name, numbers in _starts(function).items():
        if steps[name] and all(steps[name]) and set(numbers) == {0}:
            yield name


_PLACES: Final = (ast.Name, ast.Attribute)
"""What a way through a structure begins with: `root`, `self.root`."""


def never_begun_anew(source: str) -> int:
    """How many totals of an inner loop begin before the outer one, which alone reads them, and how many ways that it
    goes: `product = 1` and `node = root` before a loop are what was meant for each of its rounds. 0 where it is no
    program.
    """
    try:
        return sum(len(set(_never_begun_anew_in(function))) for function in functions_in(source))
    except UNPARSABLE:
        return 0


def _never_begun_anew_in(function: Function) -> Iterator[str]:
    started, everywhere = _starts(function), list(walk(function))
    beginnings = (node for node in everywhere if isinstance(node, ast.Assign) and isinstance(node.value, _PLACES))
    at_places = {name for node in beginnings for name in _bound(node)}
    for outer in (node for node in everywhere if isinstance(node, ast.For | ast.While)):
        around = list(walk(outer))
        inside = set(map(id, around))
        # What is read behind the loop, or keeps it going, is a total of all rounds so far.
        beyond = set(names_read(node for node in everywhere if id(node) not in inside))
        beyond |= set(names_read(walk(outer.test))) if isinstance(outer, ast.While) else set()
        bound = {name for node in around if isinstance(node, ast.Assign) for name in _bound(node) if not _grown(node)}
        for inner in outer.body:
            if isinstance(inner, ast.For | ast.While):
                totals = {name for node in walk(inner) if (name := _grown(node))}
                read = {name for other in outer.body if other is not inner for name in names_read(walk(other))}
                yield from (totals & read & started.keys()) - beyond - bound
                set_anew = {name for other in outer.body if other is not inner for name in _all_bound(other)}
                gone = set(_all_bound(inner)) & set(names_read(walk(inner))) & at_places
                yield from gone - beyond - set_anew


def _grown(node: ast.AST) -> str:
    """The variable that `total += x` or `total = total * x` makes more of; "" for any other statement."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Mult):
        return node.target.id if isinstance(node.target, ast.Name) else ""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in names_read((node.value.left, node.value.right)):
            return target.id
    return ""


def _all_bound(statement: ast.stmt) -> Iterator[str]:
    return (name for node in nodes_of(statement, ast.Assign) for name in _bound(node))


def _bound(node: ast.Assign) -> Iterator[str]:
    return (target.id for target, _ in bound_values(node) if isinstance(target, ast.Name))


def _starts(function: Function) -> dict[str, list[float]]:
    """The variables that are bound to written numbers, with these."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for node in walk(function):
        for target, value in bound_values(node) if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and is_written_number(value.value):
                found[target.id].append(value.value)
    return found


def lost_lengths(before: str, after: str) -> int:
    """How many comparisons of a length with a number `after` makes of something else of the same value.

    `if len(group) == 3` that became `if min(group) == 3`. 0 where one is no program.
    """
    try:
        lost = _asked_of(before, lengths=True) - _asked_of(after, lengths=True)
        gained = _asked_of(after, lengths=False) - _asked_of(before, lengths=False)
    except UNPARSABLE:
        return 0
    return (lost & gained).total()


def _asked_of(source: str, *, lengths: bool) -> Counter[str]:
    """Of what comparisons with whole numbers ask the length, or what any other function gives."""
    compared = nodes_of(tree(source), ast.Compare)
    asked = (node.left for node in compared if any(whole_number(side) is not None for side in node.comparators))
    calls = (node for node in asked if isinstance(node, ast.Call) and (callee_name(node) == "len") is lengths)
    return Counter(ast.unparse(call.args[0]) for call in calls if len(call.args) == 1)


def odd_first_counts(before: str, after: str) -> int:
    """How many `counts.get(key, -1) + 1` are in `after`, and not in `before`: what was not there yet counts as nothing.

    0 where one is no program."""
    return signs_gained(before, after, _odd_first_counts)


@lru_cache(maxsize=64)
def _odd_first_counts(source: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in nodes_of(tree(source), ast.BinOp) if _counts_from_other(node))


def _counts_from_other(node: ast.BinOp) -> bool:
    match node:
        case ast.BinOp(
            left=ast.Call(func=ast.Attribute(attr="get"), args=[_, first]), op=ast.Add(), right=ast.Constant(value=1)
        ):
            return whole_number(first) != 0
    return False
