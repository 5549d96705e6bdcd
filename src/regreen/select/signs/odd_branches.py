"""Branches that a change left odd: two that do the same, and one refusal of several that answers otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import UNPARSABLE, Function, functions_in, tree, walk, walk_scope

_FEWEST_GUARDS: Final = 2


def twin_branches(before: str, after: str) -> int:
    """How many conditions make no difference since: both of their branches do the same. 0 where one is no program."""
    return signs_gained(before, after, _twins)


@lru_cache(maxsize=64)
def _twins(source: str) -> tuple[str, ...]:
    """The branches that stand on both sides of a condition."""
    choices = [node for node in walk(tree(source)) if isinstance(node, ast.If | ast.IfExp)]
    sides = [(_dumped(node.body), _dumped(node.orelse)) for node in choices]
    return tuple(one for one, other in sides if one == other)


def _dumped(branch: ast.expr | list[ast.stmt]) -> str:
    return ast.dump(branch) if isinstance(branch, ast.expr) else " ".join(map(ast.dump, branch))


def turned_guards(before: str, after: str) -> int:
    """How many of a function's refusals, `if ...: return False`, answer otherwise since, where all answered alike.

    0 where one is no program.
    """
    try:
        guards = _guards(before)
        changed = ((guards.get(name, ()), answers) for name, answers in _guards(after).items())
        return sum(_turned(mine, answers) for mine, answers in changed)
    except UNPARSABLE:
        return 0


def _turned(before: tuple[str, ...], after: tuple[str, ...]) -> int:
    if len(before) < _FEWEST_GUARDS or len(before) != len(after) or len(set(before)) > 1:
        return 0
    turned = sum(answer != before[0] for answer in after)
    return turned if turned < len(after) else 0


@lru_cache(maxsize=64)
def _guards(source: str) -> dict[str, tuple[str, ...]]:
    """The constants that each function returns under a condition, with nothing else done."""
    found: dict[str, tuple[str, ...]] = {}
    for function in functions_in(source):
        found[function.name] = (*found.get(function.name, ()), *_answers(function))
    return found


def _answers(function: Function) -> Iterator[str]:
    for node in (node for part in function.body for node in walk_scope(part)):
        if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse:
            left = node.body[0]
            if isinstance(left, ast.Return) and isinstance(left.value, ast.Constant):
                yield ast.dump(left.value)
