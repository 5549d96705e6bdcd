"""Variables that no longer hold what their names say: `mean = sum(xs) / n` was meant, whatever else passes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import count_in
from regreen.syntax import nodes_of, tree, whole_number

_CALLED: Final = {
    **dict.fromkeys("max maximum largest biggest greatest highest longest tallest".split(), "max"),
    **dict.fromkeys("min minimum smallest least lowest shortest cheapest".split(), "min"),
    **dict.fromkeys("sorted ordered ranked".split(), "sorted"),
}
"""A word of a name -> the function that gives what it says."""
_PLACES: Final = {"first": 0, "second": 1, "third": 2, "last": -1}
"""A word of a name -> the place of what it says."""
_MEANS: Final = frozenset({"mean", "average", "avg"})
_HALVES: Final = frozenset({"half", "middle", "mid"})
_WORDS: Final = re.compile(r"_|(?<=[a-z])(?=[A-Z])")


def denied_names(before: str, after: str) -> int:
    """How many variables that are given a value once, and one that has what their name says, have it no longer.

    0 where one is no program.
    """
    return count_in(after, lambda program: count_in(before, lambda given: _denied(given, program)))


def _denied(before: str, after: str) -> int:
    told, now = _values(before), _values(after)
    both = (name for name, values in told.items() if len(values) == len(now.get(name, ())) == 1)
    return sum(_fits(name, told[name][0]) and not _fits(name, now[name][0]) for name in both)


@lru_cache(maxsize=64)
def _values(source: str) -> dict[tuple[str, str], list[ast.expr]]:
    """Function and name -> the values that the variable is given there."""
    found: dict[tuple[str, str], list[ast.expr]] = {}
    for function in nodes_of(tree(source), ast.FunctionDef):
        for node in nodes_of(function, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault((function.name, target.id), []).append(node.value)
    return found


def _fits(variable: tuple[str, str], value: ast.expr) -> bool:
    """Whether a value has what a word of the variable's name says."""
    _, name = variable
    return any(_has(word.lower(), value) for word in _WORDS.split(name))


def _has(word: str, value: ast.expr) -> bool:
    if word in _CALLED:
        return _CALLED[word] in _functions(value)
    if word in _MEANS:
        return "sum" in _functions(value) and any(_divisors(value))
    if word in _HALVES:
        return 2 in map(whole_number, _divisors(value))
    places = (whole_number(node.slice) for node in nodes_of(value, ast.Subscript))
    return word in _PLACES and _PLACES[word] in places


def _functions(value: ast.expr) -> set[str]:
    """The names of the functions that an expression calls."""
    return {node.func.id for node in nodes_of(value, ast.Call) if isinstance(node.func, ast.Name)}


def _divisors(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression divides by."""
    for node in nodes_of(value, ast.BinOp):
        if isinstance(node.op, ast.Div | ast.FloorDiv):
            yield node.right
