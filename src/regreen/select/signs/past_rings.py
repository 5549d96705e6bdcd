"""Places that go past the end of a ring: what is added behind the remainder."""

from __future__ import annotations

import ast
from functools import lru_cache

from regreen.select.signs.gains import count_in
from regreen.syntax import nodes_of, tree, whole_number


def places_past_rings(source: str) -> int:
    """How many items are read at a remainder and a step more, `days[i % 7 + 1]` for `days[(i + 1) % 7]`. 0 where the
    program does not parse."""
    return count_in(source, _past_rings)


@lru_cache(maxsize=64)
def _past_rings(source: str) -> int:
    places = (node.slice for node in nodes_of(tree(source), ast.Subscript))
    sums = (place for place in places if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add))
    return sum(_is_past(one.left, one.right) or _is_past(one.right, one.left) for one in sums)


def _is_past(rest: ast.expr, step: ast.expr) -> bool:
    return isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mod) and (whole_number(step) or 0) > 0
