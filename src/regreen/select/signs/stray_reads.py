"""Values that are read where nobody means to: None of a method that only changes, a loop's variable after it, and
anything but the item at hand in the condition of a comprehension."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import signs_gained
from regreen.syntax import DEFINITIONS, Function, child_nodes, functions_of, nodes_of, tree, walk

_ONLY_CHANGING: Final = frozenset({"append", "appendleft", "clear", "extend", "insert", "reverse", "sort"})
"""Methods of containers that change them and return None, and whose names say little else."""
_LOOPS = (ast.For, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (*DEFINITIONS, ast.Lambda, *_COMPREHENSIONS)


def stray_reads(before: str, after: str) -> int:
    """How many such reads `after` has and `before` has not; 0 where one of the two is no program."""
    return signs_gained(before, after, _strays)


@lru_cache(maxsize=64)
def _strays(source: str) -> Counter[str]:
    root = tree(source)
    functions = functions_of(root)
    own = {function.name for function in functions}
    left = (f"{function.name} {name}" for function in functions for name in _read_after_loops(function))
    statements = {id(node.value) for node in nodes_of(root, ast.Expr)}
    in_expressions = any(id(call) not in statements for call in nodes_of(root, ast.Call) if _is_change(call, own))
    values = _values_of_changes(root, own) if in_expressions else ()
    return Counter([*values, *left, *_idle_filters(root)])


def _values_of_changes(node: ast.AST, own: set[str]) -> Iterator[str]:
    """The calls whose None is taken for a value. In `not seen(x) and xs.append(x)` and in a lambda it is meant."""
    if isinstance(node, ast.BoolOp | ast.Lambda):
        return
    for child in child_nodes(node):
        if _is_change(child, own) and not isinstance(node, ast.Expr):
            yield ast.dump(child)
        yield from _values_of_changes(child, own)


def _idle_filters(root: ast.AST) -> Iterator[str]:
    """The conditions of comprehensions that ask nothing about their items: `c for c in text if text.isalpha()`."""
    for node in walk(root):
        if isinstance(node, _COMPREHENSIONS):
            items = {name for part in node.generators for name in _names_in(part.target)}
            tests = (test for part in node.generators for test in part.ifs)
            yield from (ast.dump(test) for test in tests if items.isdisjoint(_names_in(test)))


def _is_change(node: ast.AST, own: set[str]) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in _ONLY_CHANGING - own


def _read_after_loops(function: Function) -> Iterator[str]:
    """The variables of loops, bound nowhere else, each as often as it is read outside of them."""
    if not any(nodes_of(function, kind) for kind in _LOOPS):
        return
    nodes = [node for statement in function.body for node in _without_comprehensions(statement)]
    loops = [node for node in nodes if isinstance(node, _LOOPS)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = Counter(name.id for name in names if isinstance(name.ctx, ast.Store))
    targets = Counter(name for loop in loops for name in _names_in(loop.target))
    own = {id(node) for loop in loops for node in _own_reads(loop)}
    for name in names:
        if isinstance(name.ctx, ast.Load) and id(name) not in own and 0 < targets[name.id] == bound[name.id]:
            yield name.id


def _own_reads(loop: ast.For | ast.AsyncFor) -> Iterator[ast.Name]:
    """Where a loop has its own variables within it."""
    own = set(_names_in(loop.target))
    inside = (node for part in (*loop.body, *loop.orelse) for node in walk(part))
    return (node for node in inside if isinstance(node, ast.Name) and node.id in own)


def _without_comprehensions(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, but for those of comprehensions and lambdas, which have names of their own."""
    yield root
    if not isinstance(root, _SCOPES):
        for child in child_nodes(root):
            yield from _without_comprehensions(child)


def _names_in(node: ast.expr) -> list[str]:
    return [part.id for part in nodes_of(node, ast.Name)]
