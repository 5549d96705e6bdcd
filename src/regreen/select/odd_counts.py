"""Counts that nobody keeps: begun anew with another number than at first, or taken below zero step by step."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.gains import signs_gained
from regreen.syntax import FUNCTIONS, Function, bound_values, is_written_number, tree, walk, whole_number

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
        for function in _functions(source)
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
    return tuple(f"{function.name} {name}" for function in _functions(source) for name in _sinking_in(function))


def _sinking_in(function: Function) -> Iterator[str]:
    steps: defaultdict[str, list[bool]] = defaultdict(list)
    for node in walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            is_down = isinstance(node.op, ast.Sub) and (whole_number(node.value) or 0) > 0
            steps[node.target.id].append(is_down)
    for name, numbers in _starts(function).items():
        if steps[name] and all(steps[name]) and set(numbers) == {0}:
            yield name


def _starts(function: Function) -> dict[str, list[float]]:
    """The variables that are bound to written numbers, with these."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for node in walk(function):
        for target, value in bound_values(node) if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and is_written_number(value.value):
                found[target.id].append(value.value)
    return found


def _functions(source: str) -> Iterator[Function]:
    return (node for node in walk(tree(source)) if isinstance(node, FUNCTIONS))
