"""First values that another item of the same collection takes the place of: `best = xs[1]` for `best = xs[0]`."""

from __future__ import annotations

import ast
from functools import lru_cache

from regreen.select.signs.gains import signs_gained
from regreen.syntax import ORDERS, tree, walk, whole_number


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
