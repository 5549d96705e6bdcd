"""Values that are worked out and overwritten unread: what is left of them, and what it takes to mend that."""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache

from regreen.overwritten_values import overwriting_statements, overwritten_values
from regreen.select.tokens import significant_tokens
from regreen.syntax import FUNCTIONS, UNPARSABLE, tree, walk

_KEPT_TOKENS = 3
"""What the deletion of one statement counts, in changed tokens, however long it is: it takes no more thought."""


@lru_cache(maxsize=64)
def lost_values(source: str) -> int:
    """How many values the functions of a program overwrite unread; 0 where it does not parse."""
    try:
        functions = [node for node in walk(tree(source)) if isinstance(node, FUNCTIONS)]
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


def _overwriting(source: str) -> Counter[str]:
    functions = (node for node in walk(tree(source)) if isinstance(node, FUNCTIONS))
    return Counter(ast.unparse(statement) for function in functions for statement in overwriting_statements(function))


def _assignments(source: str) -> Counter[str]:
    return Counter(ast.unparse(node) for node in walk(tree(source)) if isinstance(node, ast.Assign))
