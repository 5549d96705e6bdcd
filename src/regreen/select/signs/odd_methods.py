"""What nobody means a method to do: to say one less than it holds, to forget what others filled, to ask and not look at
the answer."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.prose.sentences import dotted_definitions
from regreen.select.signs.gains import signs_gained
from regreen.syntax import (
    FUNCTIONS,
    UNPARSABLE,
    Function,
    body_after_docstring,
    callee_name,
    functions_of,
    nodes_of,
    tree,
    walk,
)

_SIZES: Final = frozenset({"len", "bool", "list", "tuple", "dict", "set", "iter", "sorted"})
"""Functions by which a method shows what its object holds."""
_CLEARING: Final = ("init", "clear", "reset", "flush", "drain", "empty", "close", "restart", "start", "stop")
"""Of a method that forgets everything, the name says so."""
_CONTAINERS: Final = frozenset({"list", "dict", "set", "deque", "defaultdict", "OrderedDict", "Counter"})
_CHANGING: Final = frozenset(
    (
        "add append appendleft apply clear close commit discard emit execute extend insert move_to_end next open pop "
        "popitem popleft print push put read readline remove reverse rotate seek send setdefault sleep sort submit "
        "update write"
    ).split()
)
"""Functions and methods that change what they are called of, or with."""
_BUSY = (ast.Yield, ast.YieldFrom, ast.Await, ast.Raise, ast.Global, ast.Nonlocal)


def changed_accessors(before: str, after: str) -> int:
    """How many methods that only show what the object holds, `return len(self.items)`, work out something else in
    `after`: `len(self.items) - 1`. 0 where one is no program.
    """
    try:
        shown, changed = _shown(before), _shown(after)
    except UNPARSABLE:
        return 0
    return sum(name in changed and changed[name] is None for name, text in shown.items() if text is not None)


@lru_cache(maxsize=64)
def _shown(source: str) -> dict[str, str | None]:
    """What each function shows, by its dotted name; None where it does more."""
    return {name: _only_shown(f) for name, f in dotted_definitions(tree(source)) if isinstance(f, FUNCTIONS)}


def _only_shown(function: Function) -> str | None:
    body = body_after_docstring(function)
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _SIZES and value.args:
        value = value.args[0]
    is_own = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == "self"
    return ast.unparse(body[0]) if is_own else None


def overwritten_settings(before: str, after: str) -> int:
    """How many methods of `after` set what the constructor was handed, `self.most = most`, to something else,
    `self.most = now`, and in `before` did not. What is reckoned from what was there is none."""
    return signs_gained(before, after, _overwritten)


@lru_cache(maxsize=64)
def _overwritten(source: str) -> tuple[str, ...]:
    classes = nodes_of(tree(source), ast.ClassDef)
    return tuple(text for owner in classes for text in _overwritten_in(owner))


def _overwritten_in(owner: ast.ClassDef) -> Iterator[str]:
    methods = [part for part in owner.body if isinstance(part, FUNCTIONS)]
    settings = {
        name
        for method in methods
        if method.name == "__init__"
        for name, value in _stored(method)
        if isinstance(value, ast.Name) and value.id == name.lstrip("_")
    }
    for method in methods:
        for name, value in _stored(method):
            names = {part.id for part in walk(value) if isinstance(part, ast.Name)}
            names |= {part.attr for part in walk(value) if isinstance(part, ast.Attribute)}
            if method.name != "__init__" and name in settings and not {name, name.lstrip("_")} & names:
                yield f"{owner.name}.{method.name}: {name}"


def _stored(method: Function) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a method sets, with their values."""
    for node in walk(method):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Attribute):
            yield target.attr, node.value


def emptied_attributes(before: str, after: str) -> int:
    """How many times a method of `after` begins an attribute anew that others fill, `self.orders = {}` or
    `self.orders.clear()`, and in `before` not; those whose name says that they clear do not count.
    """
    return signs_gained(before, after, _emptied)


@lru_cache(maxsize=64)
def _emptied(source: str) -> tuple[str, ...]:
    functions = functions_of(tree(source))
    return tuple(
        ast.unparse(node)
        for function in functions
        if not any(word in function.name for word in _CLEARING)
        for node in nodes_of(function, ast.stmt)
        if _empties(node)
    )


def _empties(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Attribute) and _is_empty(node.value)
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "clear":
        return False
    return isinstance(call.func.value, ast.Attribute)


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        # `deque(maxlen=9)` and `defaultdict(list)` hold nothing either.
        plain = callee_name(value) == "defaultdict" or all(isinstance(one, ast.Constant) for one in value.args)
        return callee_name(value) in _CONTAINERS and plain
    return isinstance(value, ast.List | ast.Dict) and not (value.elts if isinstance(value, ast.List) else value.keys)


def dropped_answers(before: str, after: str) -> int:
    """How many calls of the program's own functions `after` makes for an answer that it drops, and `before` does not:
    `self.is_free(day)` alone on its line. Functions that change something, or raise, are called for that.
    """
    return signs_gained(before, after, _dropped)


@lru_cache(maxsize=64)
def _dropped(source: str) -> Counter[str]:
    functions = functions_of(tree(source))
    busy = {function.name for function in functions if not _only_answers(function)}
    answering = {function.name for function in functions} - busy
    statements = (node.value for node in nodes_of(tree(source), ast.Expr))
    return Counter(
        name for node in statements if isinstance(node, ast.Call) and (name := callee_name(node)) in answering
    )


def _only_answers(function: Function) -> bool:
    """Whether a function gives a value and does nothing else that its text shows."""
    parts = list(walk(function))
    gives = any(isinstance(part, ast.Return) and part.value is not None for part in parts)
    return gives and not any(_changes_something(part) for part in parts)


def _changes_something(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute | ast.Subscript):
        return not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call):
        return callee_name(node) in _CHANGING
    return isinstance(node, _BUSY) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
