"""Values of a kind for which they are not used: numbers beside tables and texts, `counts == 2`, methods that a set or a
list has not, and constants that are changed."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Final

from regreen.syntax import (
    FUNCTIONS,
    Function,
    callee_name,
    functions_of,
    is_written_number,
    nodes_of,
    parsed_or_none,
    walk,
)

_MAKERS: Final = frozenset({"dict", "list", "set", "str", "sorted", "tuple", "Counter", "defaultdict", "OrderedDict"})
_ANNOTATIONS: Final = frozenset({"str", "list", "dict", "set", "tuple", "List", "Dict", "Set", "Tuple", "Sequence"})
_METHODS: Final = frozenset(
    (
        *("lower", "upper", "strip", "split", "isdigit", "isalpha", "startswith", "endswith", "replace", "splitlines"),
        *("append", "extend", "items", "keys", "values", "setdefault", "most_common"),
    )
)
"""What only texts, lists and tables have, of what is written often."""
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.JoinedStr, ast.Tuple)


@lru_cache(maxsize=256)
def unlike_comparisons(source: str) -> int:
    """How many comparisons set a number beside a text or a collection: one that never holds, or ends in a TypeError."""
    tree = parsed_or_none(source)
    return sum(map(_unlike_in, functions_of(tree))) if tree is not None else 0


def _unlike_in(function: Function) -> int:
    collections = _collections(function)
    return sum(_is_unlike(node, collections) for node in nodes_of(function, ast.Compare)) if collections else 0


def _is_unlike(node: ast.Compare, collections: frozenset[str]) -> bool:
    sides = [node.left, *node.comparators]
    numbers = any(isinstance(side, ast.Constant) and is_written_number(side.value) for side in sides)
    held = any(isinstance(side, ast.Name) and side.id in collections for side in sides)
    return numbers and held and not any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in node.ops)


def _collections(function: Function) -> frozenset[str]:
    """The names of a function that hold a text or a collection, and nothing else at any time."""
    found: set[str] = set()
    others: set[str] = set()
    for node in walk(function):
        if isinstance(node, FUNCTIONS) and node is not function:
            others |= {argument.arg for argument in node.args.args}
        elif isinstance(node, ast.arg) and node.annotation is not None:
            root = node.annotation.value if isinstance(node.annotation, ast.Subscript) else node.annotation
            (found if isinstance(root, ast.Name) and root.id in _ANNOTATIONS else others).add(node.arg)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _METHODS:
            found.add(node.value.id)
        elif isinstance(node, ast.Assign):
            names = {part.id for target in node.targets for part in walk(target) if isinstance(part, ast.Name)}
            (found if _is_collection(node.value) and len(names) == 1 else others).update(names)
        elif isinstance(node, ast.For | ast.AugAssign | ast.comprehension | ast.NamedExpr):
            others |= {part.id for part in walk(node.target) if isinstance(part, ast.Name)}
    return frozenset(found - others)


def _is_collection(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return callee_name(value) in _MAKERS
    return isinstance(value, _DISPLAYS) or (isinstance(value, ast.Constant) and isinstance(value.value, str))


_KINDS: Final[dict[str, type]] = {"list": list, "set": set, "dict": dict, "str": str, "tuple": tuple, "sorted": list}
"""Functions that make a value, with its class."""
_WRITTEN: Final[dict[type[ast.expr], type]] = {
    ast.List: list,
    ast.ListComp: list,
    ast.Set: set,
    ast.SetComp: set,
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.JoinedStr: str,
}
_BUILTIN_METHODS: Final = frozenset(name for kind in (list, set, dict, str) for name in dir(kind) if name[0] != "_")


@lru_cache(maxsize=256)
def foreign_methods(source: str) -> int:
    """How many calls are of a method that what stands there has not: `self.items.append(x)`, where `self.items` is only
    ever set to `set(...)`. Whatever checks have not come by there ends in an AttributeError."""
    tree = parsed_or_none(source)
    if tree is None:
        return 0
    kinds = _kinds_of_attributes(tree)
    calls = (node.func for node in nodes_of(tree, ast.Call) if isinstance(node.func, ast.Attribute))
    asked = (call for call in calls if isinstance(call.value, ast.Attribute) and call.attr in _BUILTIN_METHODS)
    return sum(
        (kind := kinds.get(ast.unparse(call.value))) is not None and not hasattr(kind, call.attr) for call in asked
    )


def _kinds_of_attributes(tree: ast.AST) -> dict[str, type | None]:
    """The class of what each attribute is set to, as it is written; None where that is unknown, or of several.

    What is added to, `self.items += more`, stays of its kind.
    """
    found: dict[str, type | None] = {}
    for node in walk(tree):
        kind = _kind_written(node.value) if isinstance(node, ast.Assign | ast.AnnAssign) else None
        for target in (part for root in _set_by(node) for part in walk(root) if isinstance(part, ast.Attribute)):
            text = ast.unparse(target)
            found[text] = kind if found.get(text, kind) is kind else None
    return found


def _set_by(node: ast.AST) -> list[ast.expr]:
    """What a statement sets."""
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target) | ast.For(target=target):
            return [target]
        case ast.With(items=items):
            return [item.optional_vars for item in items if item.optional_vars is not None]
    return []


def _kind_written(value: ast.expr | None) -> type | None:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return _KINDS.get(value.func.id)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return str
    return _WRITTEN.get(type(value)) if value is not None else None


_CHANGING: Final = frozenset(
    {"pop", "popitem", "clear", "update", "remove", "append", "insert", "extend", "sort", "setdefault"}
)


@lru_cache(maxsize=256)
def changed_constants(source: str) -> int:
    """How many steps within functions change what the module names in capitals: `DIRECTIONS.pop(word)`."""
    tree = parsed_or_none(source)
    if tree is None:
        return 0
    return sum(_changes_constant(node) for function in functions_of(tree) for node in walk(function))


def _changes_constant(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
            return name.isupper() and len(name) > 1 and method in _CHANGING
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name.isupper() and len(name) > 1
    return False
