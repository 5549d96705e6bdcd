"""Counts of groups: `n // size + 1` is one too many where nothing is left over, and checks seldom ask for that."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from regreen.select.tokens import significant_tokens
from regreen.syntax import UNPARSABLE, nodes_of, tree


def overcounted_groups(before: str, sources: Sequence[str]) -> list[int]:
    """For each program, 1 where it says `n // m + 1`, as `before` does not, and another one rounds up there; else 0."""
    known = {tuple(significant_tokens(source)) for source in sources}
    old = {count for count, _ in _rounded_up(before)}
    return [
        int(any(count not in old and tuple(significant_tokens(text)) in known for count, text in _rounded_up(source)))
        for source in sources
    ]


@lru_cache(maxsize=256)
def _rounded_up(source: str) -> tuple[tuple[str, str], ...]:
    """Each `n // m + 1` of a program, and the program with `-(-n // m)`, or another way to say it, in its place."""
    try:
        nodes = nodes_of(tree(source), ast.BinOp)
    except UNPARSABLE:
        return ()
    return tuple(pair for node in nodes for pair in _rewritten(source, node))


def _rewritten(source: str, node: ast.BinOp) -> Iterator[tuple[str, str]]:
    quotient, one = node.left, node.right
    if not isinstance(node.op, ast.Add) or not isinstance(one, ast.Constant) or one.value != 1:
        return
    if isinstance(quotient, ast.BinOp) and isinstance(quotient.op, ast.FloorDiv):
        count = ast.get_source_segment(source, node)
        divided, by = (ast.get_source_segment(source, part) for part in (quotient.left, quotient.right))
        if count and divided and by and source.count(count) == 1:
            for text in (f"-(-{divided} // {by})", f"-(-({divided}) // {by})", f"({divided} + {by} - 1) // {by}"):
                yield count, source.replace(count, text)
