"""Counting a program's loop turns and calls, so that its work and not the clock decides that it hangs.

Every turn of a loop or a comprehension and every call of a function costs one tick. Code inside C functions (a sum over
a huge range, a regular expression) costs none: a limit in time has to end that.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Mapping
from functools import cache
from itertools import chain, repeat
from operator import length_hint
from typing import Any

from regreen.sandbox.guest.runner.time_limits import OutOfTime

TICK = "__regreen_tick__"
"""The name of the builtin that counted code calls."""
UNBOUNDED = 1 << 62
REPEATING = re.compile(r"\b(?:for|while|def|lambda)\b")
"""A text without any of these words needs no ticks."""
_EXPRESSIONS = re.compile(r"\b(?:for|lambda)\b")


class OutOfTicks(OutOfTime):
    """All ticks are taken."""


class Ticks:
    """A number of ticks for all counted code that runs from now on; every further one raises OutOfTicks."""

    def __init__(self, number: int = UNBOUNDED) -> None:
        self._refusals = map(self._refuse, repeat(None))
        self.begin(number)

    def begin(self, number: int) -> None:
        """Start anew, with another number."""
        self.number = number
        self.spent = False
        """Whether OutOfTicks was raised, even if the program swallowed it."""
        self._left = repeat(True, number)
        # A method of an iterator in C: a Python function takes three times as long.
        setattr(builtins, TICK, chain(self._left, self._refusals).__next__)

    @property
    def used(self) -> int:
        """Ticks taken so far."""
        return self.number - length_hint(self._left)

    def _refuse(self, _: None) -> bool:
        self.spent = True
        raise OutOfTicks


def add_ticks(tree: ast.Module, text: str) -> ast.Module:
    """The tree of `text` with a tick in everything that may be repeated; line numbers stay the same."""
    found = _count_statements(tree)
    # Most programs have no loop inside an expression, and looking at every node is dear.
    if len(_EXPRESSIONS.findall(text)) > found:
        _count_expressions(tree)
    return tree


def counted_text(text: str) -> str:
    """The text with ticks; unchanged if it cannot be parsed or written back."""
    if not REPEATING.search(text):
        return text
    try:
        return ast.unparse(add_ticks(ast.parse(text), text))
    except (SyntaxError, ValueError, RecursionError):
        return text


def counted_suite(suite: Mapping[str, Any]) -> dict[str, Any]:
    """A suite with ticks in its own loops, which a program may keep running."""
    return {
        **suite,
        "counted": True,
        "source": counted_text(suite["source"]),
        "steps": [{**step, "code": counted_text(step["code"])} for step in suite["steps"]],
    }


def _count_statements(tree: ast.Module) -> int:
    """Put a tick at the beginning of each loop and function; returns the number of `for` statements."""
    waiting: list[Any] = [tree]
    found = 0
    while waiting:
        node = waiting.pop()
        kind = type(node)
        for part in _PARTS.get(kind, ()):
            waiting += getattr(node, part)
        if kind in COUNTED_LOOPS:
            found += kind is not ast.While
            _begin(node.body, 0)
        elif kind in COUNTED_FUNCTIONS:
            # A docstring has to stay the first statement.
            _begin(node.body, int(is_text(node.body[0])))
    return found


def _begin(body: list[ast.stmt], place: int) -> None:
    """Put a tick before a statement, on its line."""
    body.insert(place, _tick(body[min(place, len(body) - 1)].lineno))


def _count_expressions(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            node.ifs.insert(0, _tick(node.iter.lineno).value)
        elif isinstance(node, ast.Lambda):
            body = node.body
            place = {"lineno": body.lineno, "col_offset": body.col_offset}
            node.body = ast.BoolOp(ast.And(), [_tick(body.lineno).value, body], **place)


@cache
def _tick(line: int) -> ast.Expr:
    place: dict[str, Any] = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}
    return ast.Expr(ast.Call(ast.Name(TICK, ast.Load(), **place), [], [], **place), **place)


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is a text, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


COUNTED_LOOPS = (ast.For, ast.AsyncFor, ast.While)
COUNTED_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BODIES = (*COUNTED_FUNCTIONS, ast.Module, ast.ClassDef, ast.With, ast.AsyncWith, ast.ExceptHandler, ast.match_case)
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    **dict.fromkeys(_BODIES, ("body",)),
    **dict.fromkeys((*COUNTED_LOOPS, ast.If), ("body", "orelse")),
    **dict.fromkeys((ast.Try, ast.TryStar), ("body", "handlers", "orelse", "finalbody")),
    ast.Match: ("cases",),
}
"""Where statements hold others."""
