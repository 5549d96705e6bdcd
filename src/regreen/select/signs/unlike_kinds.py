"""Numbers that are compared with what is no number: `counts == 2` of a table, `code == 6` of a text."""

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
