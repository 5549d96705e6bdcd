"""Counters that nobody counts: a change of their first value alone is seldom what was meant."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from regreen.syntax import FUNCTIONS, UNPARSABLE, constant_text, tree, walk

_CONSTRUCTORS = ("__init__", "__post_init__")
_NOTHING_YET = frozenset(("0", "0.0", "False", "None", "''"))
"""First values that stand for what is still to come."""


def frozen_starts(before: str, after: str) -> int:
    """How many attributes begin with another constant than 0, False, None or an empty text, and are never set later.

    They began with one of these before: that something should have been added or noted in a method is likelier.
    """
    old, new = _constant_attributes(before), _constant_attributes(after)
    return sum(value in _NOTHING_YET and new.get(name, value) != value for name, value in old.items())


@lru_cache(maxsize=64)
def _constant_attributes(source: str) -> dict[tuple[str, str], str]:
    """The attributes that only a constructor sets, and to a constant, by class; none where a text does not parse."""
    try:
        nodes = list(walk(tree(source)))
    except UNPARSABLE:
        return {}
    stored = Counter(n.attr for n in nodes if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    return {(owner.name, name): value for owner in classes for name, value in _first_values(owner) if stored[name] == 1}


def _first_values(owner: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The attributes that the constructor of a class sets to constants, with these."""
    for method in owner.body:
        if isinstance(method, FUNCTIONS) and method.name in _CONSTRUCTORS:
            for node in walk(method):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                    for target in node.targets:
                        if isinstance(target, ast.Attribute):
                            yield target.attr, constant_text(node.value.value)
