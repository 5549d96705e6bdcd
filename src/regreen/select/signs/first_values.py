"""First values that nobody means: `best = xs[1]` for `best = xs[0]`, a least one that begins with 1, an outer
variable that each call begins anew, a list that does so for its one item."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeGuard

from regreen.select.signs.gains import signs_gained
from regreen.syntax import ORDERS, Function, callee_name, functions_of, tree, walk, whole_number


def other_first_items(before: str, after: str) -> int:
    """How many variables that are compared begin with another item than the first one in `after`, and in `before` not.

    Who looks for the best begins with the first one. 0 where one is no program.
    """
    return signs_gained(before, after, _later_starts)


@lru_cache(maxsize=64)
def _later_starts(source: str) -> tuple[str, ...]:
    nodes = walk(tree(source))
    orders = (node for node in nodes if isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERS))
    compared = {part.id for node in orders for part in walk(node) if isinstance(part, ast.Name)}
    begun = (node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript))
    return tuple(
        node.targets[0].id
        for node in begun
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id in compared
        if whole_number(node.value.slice) not in (None, 0)  # type: ignore[attr-defined]
    )


def small_least_values(before: str, after: str) -> int:
    """How many of the least ones that a loop keeps (`if steps < best: best = steps`) begin with a small number above 0
    in `after`, and in `before` not: whatever is larger is never kept. 0 where one is no program."""
    return signs_gained(before, after, _small_leasts)


@lru_cache(maxsize=64)
def _small_leasts(source: str) -> tuple[str, ...]:
    nodes = walk(tree(source))
    begun = {
        node.targets[0].id: whole_number(node.value)
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if whole_number(node.value) in _SMALL
    }
    loops = [node for node in nodes if isinstance(node, ast.For | ast.While)]
    kept = dict.fromkeys(_kept_least(part) for loop in loops for part in walk(loop) if isinstance(part, ast.If))
    return tuple(name for name in kept if name in begun)


_SMALL = range(1, 10)


def _kept_least(node: ast.If) -> str:
    """The variable that is given what is less than itself; empty where a condition does something else."""
    test, kept = node.test, node.body[0]
    if not isinstance(test, ast.Compare) or not isinstance(kept, ast.Assign) or not isinstance(test.ops[0], ORDERS):
        return ""
    less, more = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Gt | ast.GtE):
        less, more = more, less
    is_kept = ast.unparse(kept.targets[0]) == ast.unparse(more) and ast.unparse(kept.value) == ast.unparse(less)
    return more.id if is_kept and isinstance(more, ast.Name) else ""


def outer_values_begun_anew(before: str, after: str) -> int:
    """How many functions that call themselves give an outer variable (`nonlocal`, `global`) a first value in `after`,
    and in `before` not: each call would take from the others what they counted. 0 where one is no program."""
    return signs_gained(before, after, _begun_by_calls)


@lru_cache(maxsize=64)
def _begun_by_calls(source: str) -> tuple[str, ...]:
    return tuple(
        f"{function.name} {name}"
        for function in functions_of(tree(source))
        for name in sorted(_outer_names(function))
        if _calls_itself(function) and any(_begins(part, name) for part in function.body)
    )


def _outer_names(function: Function) -> set[str]:
    return {name for part in function.body if isinstance(part, ast.Global | ast.Nonlocal) for name in part.names}


def _calls_itself(function: Function) -> bool:
    return any(isinstance(part, ast.Call) and callee_name(part) == function.name for part in walk(function))


def _begins(part: ast.stmt, name: str) -> bool:
    is_given = isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
    return is_given and any(isinstance(t, ast.Name) and t.id == name for t in part.targets)  # type: ignore[attr-defined]


def lists_of_one(before: str, after: str) -> int:
    """How many lists begin anew in each round of a loop and get their one item there (`column = []`, and then
    `column.append(row[i])`) in `after`, and in `before` not. 0 where one is no program."""
    return signs_gained(before, after, _begun_for_one)


@lru_cache(maxsize=64)
def _begun_for_one(source: str) -> tuple[str, ...]:
    loops = (node for node in walk(tree(source)) if isinstance(node, ast.For | ast.While))
    return tuple(name for loop in loops for name in _alone_in(loop))


def _alone_in(loop: ast.For | ast.While) -> Iterator[str]:
    """The lists that a loop's body begins, and does nothing else with than to add one item in each round."""
    for step in loop.body:
        match step:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                named = sum(isinstance(part, ast.Name) and part.id == name for part in walk(loop))
                added = any(ast.unparse(one).startswith(f"{name}.append(") for one in loop.body)
                if added and named == _BEGUN_AND_ADDED_TO:
                    yield name


_BEGUN_AND_ADDED_TO = 2


def tables_begun_anew(before: str, after: str) -> int:
    """How many methods empty an attribute (`self.number = {}`) and then ask what it holds in `after`, and in `before`
    not: nothing is in it then. 0 where one is no program."""
    return signs_gained(before, after, _emptied_and_asked)


@lru_cache(maxsize=64)
def _emptied_and_asked(source: str) -> tuple[str, ...]:
    return tuple(
        f"{function.name} {ast.unparse(step.targets[0])}"
        for function in functions_of(tree(source))
        for place, step in enumerate(function.body)
        if isinstance(step, ast.Assign) and isinstance(step.targets[0], ast.Attribute)
        if ast.unparse(step.value) in _EMPTY and _asks_first(ast.unparse(step.targets[0]), function.body[place + 1 :])
    )


_EMPTY = frozenset(("{}", "[]", "set()", "dict()", "list()", "''"))


def _asks_first(held: str, behind: Sequence[ast.stmt]) -> bool:
    """Whether statements ask what an attribute holds before they put anything into it."""
    for part in (part for step in behind for part in walk(step)):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as asked, attr="get")):
                pass
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute() as asked]):
                pass
            case ast.Attribute(ctx=ast.Load()):
                if ast.unparse(part) == held:
                    return False
                continue
            case _:
                continue
        if ast.unparse(asked) == held:
            return True
    return False


def skipped_items(before: str, after: str) -> int:
    """How many lists lose an item between the first one, which is taken by itself, and the others (`best = xs[0]`, and
    then `for x in xs[2:]`) in `after`, and in `before` do not. 0 where one is no program."""
    return signs_gained(before, after, _skipping)


@lru_cache(maxsize=64)
def _skipping(source: str) -> tuple[str, ...]:
    parts = [node for node in walk(tree(source)) if isinstance(node, ast.Subscript)]
    first = {ast.unparse(part.value) for part in parts if whole_number(part.slice) == 0}
    loops = (node.iter for node in walk(tree(source)) if isinstance(node, ast.For | ast.comprehension))
    return tuple(ast.unparse(rest) for rest in loops if _begins_at_two(rest) and ast.unparse(rest.value) in first)


def _begins_at_two(rest: ast.expr) -> TypeGuard[ast.Subscript]:
    is_slice = isinstance(rest, ast.Subscript) and isinstance(rest.slice, ast.Slice) and rest.slice.lower is not None
    return is_slice and whole_number(rest.slice.lower) == _SECOND + 1  # type: ignore[attr-defined]


_SECOND = 1
