"""What a branch compares and keeps: the two sides of a comparison, and what a block binds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import bound_values

STRICT_SYMBOLS = {ast.Lt: "<", ast.LtE: "<", ast.Gt: ">", ast.GtE: ">"}


def sides_compared(test: ast.expr, context: TemplateContext) -> tuple[str, str]:
    """The two sides of a comparison of order; empty texts of anything else."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in STRICT_SYMBOLS:
        return context.text(test.left), context.text(test.comparators[0])
    return "", ""


def names_given(body: list[ast.stmt], context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The variables that a block binds to other variables, with these; pairs taken apart."""
    for one, other in bound_by_block(body):
        if isinstance(one, ast.Name) and isinstance(other, ast.Name):
            yield one.id, other.id


def bound_by_block(body: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a block binds, with the values; pairs taken apart."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            yield from bound_values(statement)


def with_other_name(text: str, old: str, new: str) -> str:
    """A text with one name in the place of another."""
    return re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text)
