"""Which arguments a program changes in place, as far as its text says."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Final

from regreen.syntax import CHANGING_METHODS, FUNCTIONS, UNPARSABLE, Function, functions_of, nodes_of, tree, walk


def newly_changed_arguments(before: str, after: str) -> int:
    """How many parameters `after` changes in place of functions that left them as they were; 0 where one is no program.

    A check that compares results seldom sees it, and whoever calls the function does.
    """
    try:
        return len(changed_arguments(after) - changed_arguments(before))
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def changed_arguments(source: str) -> frozenset[tuple[str, str]]:
    """(function, parameter) of each that is changed in place under its own name. Raises what `ast.parse` raises."""
    functions = functions_of(tree(source))
    return frozenset((function.name, name) for function in functions for name in _changed(function))


def changes_what_is_given(source: str) -> bool:
    """Whether a program changes what it is handed, values aside that one of its functions made for another. Raises what
    `ast.parse` raises."""
    return any(not _is_made_for(function, name, source) for function, name in changed_arguments(source))


def _is_made_for(function: str, parameter: str, source: str) -> bool:
    """Whether every call of a function from elsewhere in the program hands over a variable of the caller's own."""
    functions = functions_of(tree(source))
    called = next(one for one in functions if one.name == function)
    places = [argument.arg for argument in (*called.args.posonlyargs, *called.args.args)]
    if parameter not in places:
        return False
    place, found = places.index(parameter), []
    for caller in functions:
        nodes = [node for statement in caller.body for node in walk(statement)]
        own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == function]
        given = [call.args[place] if place < len(call.args) else None for call in calls]
        found += [isinstance(one, ast.Name) and one.id in own for one in given if caller is not called]
    return bool(found) and all(found)


def _changed(function: Function) -> set[str]:
    arguments = function.args
    parameters = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    nodes = [node for statement in function.body for node in walk(statement)]
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    # A parameter that is bound anew may be a copy by then.
    changed = {owner.id for node in nodes if isinstance(owner := _holder(_owner_of_change(node)), ast.Name)}
    return (changed & parameters) - bound - {"self", "cls"}


def _holder(changed: ast.expr | None) -> ast.expr | None:
    """What holds something that is changed: `rows` of `rows[i].append(x)`."""
    while isinstance(changed, ast.Subscript):
        changed = changed.value
    return changed


def copied_defaults(before: str, after: str) -> int:
    """How many parameters with a list, dict or set as their default `after` copies first, and `before` does not."""
    try:
        return len(_copied_defaults(after) - _copied_defaults(before))
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _copied_defaults(source: str) -> frozenset[tuple[str, str]]:
    """(function, parameter) of each `rows = list(rows)` under `def f(rows=[])`. Raises what `ast.parse` raises."""
    functions = functions_of(tree(source))
    return frozenset(
        (function.name, name)
        for function in functions
        for name in _shared_parameters(function)
        if any(ast.unparse(statement) in (f"{name} = {kind}({name})" for kind in _KINDS) for statement in function.body)
    )


def changed_defaults_kept(source: str) -> int:
    """How many parameters with a list, dict or set as their default become attributes of which methods change items.

    All objects share such a default. 0 where the text does not parse.
    """
    try:
        return sum(_kept_and_changed(node) for node in nodes_of(tree(source), ast.ClassDef))
    except UNPARSABLE:
        return 0


def _kept_and_changed(owner: ast.ClassDef) -> int:
    changed = {
        target.attr
        for node in walk(owner)
        if isinstance(target := _owner_of_change(node), ast.Attribute) and isinstance(target.value, ast.Name)
    }
    methods = [method for method in owner.body if isinstance(method, FUNCTIONS)]
    kept = {
        (target.attr, method.name)
        for method in methods
        if (shared := _shared_parameters(method))
        for node in nodes_of(method, ast.Assign)
        if isinstance(node.value, ast.Name) and node.value.id in shared
        for target in node.targets
        if isinstance(target, ast.Attribute)
    }
    return sum(name in changed for name, _ in kept)


_KINDS: Final = ("list", "dict", "set")


def _shared_parameters(function: Function) -> list[str]:
    given = function.args
    parameters = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(parameters[len(parameters) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return [name.arg for name, default in pairs if isinstance(default, ast.List | ast.Dict | ast.Set)]


def changed_variable(node: ast.AST) -> ast.Name | None:
    """The variable that a node changes in place; None where it changes none."""
    owner = _owner_of_change(node)
    return owner if isinstance(owner, ast.Name) else None


def _owner_of_change(node: ast.AST) -> ast.expr | None:
    """What a node changes in place."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING_METHODS:
        return node.func.value
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return node.value
    return None
