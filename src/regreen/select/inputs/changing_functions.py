"""Which functions of a program change something that outlives the call: an object, what they were handed, a global."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Final

from regreen.syntax import CHANGING_METHODS, Function, callee_name, functions_of, parsed_or_none, walk

_CHANGING_METHODS: Final = CHANGING_METHODS | frozenset(
    "rotate move_to_end write writelines close seek send put put_nowait get_nowait execute executemany commit".split()
)
"""Methods of containers, files, queues and databases that change them."""
_CHANGING_CALLS: Final = frozenset({"setattr", "delattr", "next", "heappush", "heappop", "heapify", "heapreplace"})


@lru_cache(maxsize=16)
def changing_functions(source: str) -> frozenset[str]:
    """The names of functions and methods that may change something, themselves or by those that they call.

    Empty where the source is no program.
    """
    module = parsed_or_none(source)
    functions = functions_of(module) if module else []
    called = {(f.name, callee_name(node)) for f in functions for node in walk(f) if isinstance(node, ast.Call)}
    found = {function.name for function in functions if _changes(function)}
    while more := {name for name, callee in called if callee in found} - found:
        found |= more
    return frozenset(found)


def _changes(function: Function) -> bool:
    own = _own_variables(function)
    return any(_changes_other(node, own) for node in walk(function))


def _own_variables(function: Function) -> set[str]:
    """The variables that a function makes itself: what is done with them ends with the call."""
    nodes = walk(function)
    outer = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored - outer - {node.arg for node in nodes if isinstance(node, ast.arg)}


def _changes_other(node: ast.AST, own: set[str]) -> bool:
    if isinstance(node, ast.Attribute | ast.Subscript):
        return not isinstance(node.ctx, ast.Load) and _root(node) not in own
    if isinstance(node, ast.Global | ast.Nonlocal):
        return True
    if not isinstance(node, ast.Call):
        return False
    if callee_name(node) in _CHANGING_CALLS:
        return any(_root(argument) not in own for argument in node.args[:1])
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING_METHODS
    return is_method and _root(node.func) not in own


def _root(node: ast.expr) -> str:
    """The variable that an attribute or an item is of, at the very start; empty where there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
