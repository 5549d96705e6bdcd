"""Values that are worked out and overwritten unread: what is left of them, and what it takes to mend that."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from regreen.overwritten_values import overwriting_statements, overwritten_values
from regreen.select.signs.gains import signs_gained
from regreen.select.tokens import significant_tokens
from regreen.syntax import UNPARSABLE, Function, functions_of, names_read, nodes_of, tree, walk

_KEPT_TOKENS = 3
"""What the deletion of one statement counts, in changed tokens, however long it is: it takes no more thought."""


@lru_cache(maxsize=64)
def lost_values(source: str) -> int:
    """How many values the functions of a program overwrite unread; 0 where it does not parse."""
    try:
        functions = functions_of(tree(source))
    except UNPARSABLE:
        return 0
    return sum(len(overwritten_values(function)) for function in functions)


def spared_tokens(before: str, after: str) -> int:
    """By how many tokens an edit is smaller than it is long: those of deleted statements that overwrote values unread.

    0 where one is no program, or where values are still lost.
    """
    if not lost_values(before) or lost_values(after):
        return 0
    try:
        deleted = _overwriting(before) - _assignments(after)
    except UNPARSABLE:
        return 0
    return sum(max(len(significant_tokens(text)) - _KEPT_TOKENS, 0) * count for text, count in deleted.items())


def lost_updates(before: str, after: str) -> int:
    """How many more variables `after` changes at the end of a round that nothing reads before the next begins anew.

    `total += value` that moved before `value += bonus`, where each round begins with `value = points[letter]`. 0 where
    one is no program.
    """
    return signs_gained(before, after, _lost_updates)


@lru_cache(maxsize=64)
def _lost_updates(source: str) -> tuple[str, ...]:
    functions = functions_of(tree(source))
    return tuple(f"{function.name} {name}" for function in functions for name in sorted(set(_lost_in(function))))


def _lost_in(function: Function) -> Iterator[str]:
    everywhere = list(walk(function))
    for loop in (node for node in everywhere if isinstance(node, ast.For | ast.While)):
        around = set(map(id, walk(loop)))
        beyond = set(names_read(node for node in everywhere if id(node) not in around))
        begun: dict[str, int] = {}
        for place, statement in enumerate(loop.body):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                begun.setdefault(statement.targets[0].id, place)
        for place, statement in enumerate(loop.body):
            updates = (node.target for node in nodes_of(statement, ast.AugAssign))
            updated = {target.id for target in updates if isinstance(target, ast.Name)}
            inner = any(isinstance(node, ast.For | ast.While) for node in walk(statement))
            later = set(names_read(node for other in loop.body[place + 1 :] for node in walk(other)))
            own = set() if inner else updated - set(names_read(walk(statement)))
            yield from (name for name in own - later - beyond if begun.get(name, place) < place)


def idle_starts(before: str, after: str) -> int:
    """How many more variables `after` gives a first value before a loop whose rounds all begin with another one.

    `printed = 0` where `printed += pages` has become `printed = pages`: it was to go on from there. 0 where one is no
    program.
    """
    return signs_gained(before, after, _idle_starts)


@lru_cache(maxsize=64)
def _idle_starts(source: str) -> frozenset[str]:
    functions = functions_of(tree(source))
    return frozenset(name for function in functions for name in _started_for_nothing(function))


def _started_for_nothing(function: Function) -> Iterator[str]:
    everywhere = list(walk(function))
    for loop in (node for node in everywhere if isinstance(node, ast.For)):
        within = set(map(id, walk(loop)))
        outside = [node for node in everywhere if id(node) not in within]
        started = {name for node in outside if isinstance(node, ast.Assign) for name in _constants_set(node)}
        begun = set(_begun_anew(loop))
        yield from (started & begun) - set(names_read(outside))


def _constants_set(node: ast.Assign) -> Iterator[str]:
    """The variable that a statement sets to a constant."""
    if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant):
        yield node.targets[0].id


def _begun_anew(loop: ast.For) -> Iterator[str]:
    """The variables that each round sets, to no constant, before anything in it reads them."""
    read = set(names_read(walk(loop.iter)))
    for statement in loop.body:
        read |= set(names_read(walk(statement)))
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in read:
                if not isinstance(value, ast.Constant):
                    yield name


def _overwriting(source: str) -> Counter[str]:
    functions = functions_of(tree(source))
    return Counter(ast.unparse(statement) for function in functions for statement in overwriting_statements(function))


def _assignments(source: str) -> Counter[str]:
    return Counter(ast.unparse(node) for node in nodes_of(tree(source), ast.Assign))
