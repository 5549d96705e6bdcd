"""Questions whose answer is settled, since they ask what was made empty a moment ago."""

from __future__ import annotations

import ast
from functools import lru_cache

from regreen.select.signs.gains import count_in
from regreen.syntax import blocks_in, tree, walk

_MAKERS = frozenset({"set", "list", "dict", "tuple"})


def questions_of_nothing(source: str) -> int:
    """How many times a program asks what is in a collection that it has just made: `seen = set()` before `if x in
    seen`, in the same block and with nothing put into it in between. 0 where it does not parse."""
    return count_in(source, _questions)


@lru_cache(maxsize=64)
def _questions(source: str) -> int:
    return sum(
        _asks_next(block[place + 1 :], ast.unparse(made.targets[0]))
        for block in blocks_in(walk(tree(source)))
        for place, made in enumerate(block)
        if isinstance(made, ast.Assign) and len(made.targets) == 1 and _is_empty(made.value)
    )


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        is_maker = isinstance(value.func, ast.Name) and value.func.id in _MAKERS
        return is_maker and not value.args and not value.keywords
    if isinstance(value, ast.List | ast.Tuple):
        return not value.elts
    return isinstance(value, ast.Dict) and not value.keys


def _asks_next(following: list[ast.stmt], made: str) -> bool:
    """Whether the first of these statements that speaks of what was made asks for what is in it."""
    for statement in following:
        # What a loop asks is asked again once its body has put something in.
        if isinstance(statement, ast.For | ast.AsyncFor | ast.While | ast.With | ast.Try):
            return False
        first = statement.test if isinstance(statement, ast.If) else statement
        if any(
            isinstance(part, ast.Compare)
            and isinstance(part.ops[-1], ast.In | ast.NotIn)
            and ast.unparse(part.comparators[-1]) == made
            for part in walk(first)
        ):
            return not isinstance(first, ast.stmt) or not _may_be_asked_later(first)
        if any(isinstance(part, ast.expr) and ast.unparse(part) == made for part in walk(statement)):
            return False
    return False


def _may_be_asked_later(statement: ast.stmt) -> bool:
    """Whether a statement only defines what asks, or asks once for each item of something."""
    own = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    each = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    return any(isinstance(part, own | each) for part in walk(statement))
