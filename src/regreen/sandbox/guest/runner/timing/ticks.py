"""Counting a program's loop turns and calls, so that its work and not the clock decides that it hangs.

Every turn of a loop or a comprehension and every call of a function costs one tick. Code inside C functions (a sum over
a huge range, a regular expression) costs none: a limit in time has to end that.

A check that asks with a thousand inputs fails with the first one in a wrong program, and takes a thousand times as many
ticks in the right one. So the turns of the checks' own loops, and their assertions, are counted apart: as long as these
go on, what runs comes further, and may have more ticks.
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

from regreen.sandbox.guest.runner.syntax_trees import syntax_tree
from regreen.sandbox.guest.runner.timing.time_limits import OutOfTime

TICK = "__regreen_tick__"
"""The name of the builtin that counted code calls."""
TURN = "__regreen_turn__"
"""The name of the one that the checks' own loops and assertions call."""
_LEAST_PORTION = 1 << 10
"""Ticks that are added at a time: a quarter of those so far, at least 1,024; what hangs is to cost little more."""
_MOST_TURNS = 1 << 20
"""Turns of one check's loops: a program may give it endlessly many items."""
UNBOUNDED = 1 << 62
REPEATING = re.compile(r"\b(?:for|while|def|lambda)\b")
"""A text without any of these words needs no ticks."""
_EXPRESSIONS = re.compile(r"\b(?:for|lambda)\b")


class OutOfTicks(OutOfTime):
    """All ticks are taken."""


class Ticks:
    """A number of ticks for all counted code that runs from now on; every further one raises OutOfTicks.

    Some more, and so on, up to a number of `further` ones, where the check has come further meanwhile.
    """

    def __init__(self, number: int = UNBOUNDED) -> None:
        self._refusals = map(self._refuse, repeat(None))
        self.begin(number)

    def begin(self, number: int, further: int = 0) -> None:
        """Start anew, with another number."""
        self.number = number
        self.further = further
        """Ticks that may still be added."""
        self.spent = False
        """Whether OutOfTicks was raised, even if the program swallowed it."""
        # To begin the first turn is no progress.
        self._turns, self._turns_seen = repeat(True, _MOST_TURNS), 1
        setattr(builtins, TURN, chain(self._turns, self._refusals).__next__)
        self._hand_out(number)

    def _hand_out(self, number: int) -> None:
        self._left = repeat(True, number)
        # A method of an iterator in C: a Python function takes three times as long.
        setattr(builtins, TICK, chain(self._left, self._refusals).__next__)

    @property
    def used(self) -> int:
        """Ticks taken so far."""
        return self.number - length_hint(self._left)

    @property
    def turns(self) -> int:
        """Turns of the checks' own loops so far, and their assertions."""
        return _MOST_TURNS - length_hint(self._turns)

    def _refuse(self, _: None) -> bool:
        # A turn may take more than the one before: the inputs grow.
        added, turns = min(max(_LEAST_PORTION, self.number // 4), self.further), self.turns
        if self.spent or added <= 0 or turns <= self._turns_seen:
            self.spent = True
            raise OutOfTicks
        self._turns_seen = turns
        self.further -= added
        self.number += added
        self._hand_out(added)
        return True


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
        return ast.unparse(add_ticks(syntax_tree(text), text))
    except (SyntaxError, ValueError, RecursionError):
        return text


def counted_suite(suite: Mapping[str, Any]) -> dict[str, Any]:
    """A suite whose turns are counted, with ticks in `while` loops alone, which a program may keep running."""
    return {
        **suite,
        "counted": True,
        "source": _with_turns(suite["source"]),
        "steps": [{**step, "code": _with_turns(step["code"])} for step in suite["steps"]],
    }


def _with_turns(text: str) -> str:
    """The text of checks with what counts their turns; unchanged if it cannot be parsed or written back."""
    try:
        return ast.unparse(add_turns(syntax_tree(text)))
    except (SyntaxError, ValueError, RecursionError):
        return text


def add_turns(tree: ast.Module) -> ast.Module:
    """The tree of checks with a turn in all that goes through items and after each assertion, ticks in `while` loops.

    What their functions do is their own: a slow way to the right answer, which calls itself, costs no program a tick.
    """
    found: ast.Module = _Turns().visit(tree)
    return found


class _Turns(ast.NodeTransformer):
    """Counts the turns of checks."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """Come past the assertion."""
        self.generic_visit(node)
        return [node, _tick(node.lineno, TURN)]

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        """Come past an assertion of unittest: `self.assertEqual(a, b)`."""
        self.generic_visit(node)
        called = node.value.func if isinstance(node.value, ast.Call) else None
        is_assertion = isinstance(called, ast.Attribute) and called.attr.startswith("assert")
        return [node, _tick(node.lineno, TURN)] if is_assertion else [node]

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.stmt:
        """Begin a turn."""
        self.generic_visit(node)
        _begin(node.body, 0, TICK if isinstance(node, ast.While) else TURN)
        return node

    visit_AsyncFor = visit_While = visit_For

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Look at an item."""
        self.generic_visit(node)
        node.ifs.insert(0, _tick(node.iter.lineno, TURN).value)
        return node


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


def _begin(body: list[ast.stmt], place: int, name: str = TICK) -> None:
    """Put a tick before a statement, on its line."""
    body.insert(place, _tick(body[min(place, len(body) - 1)].lineno, name))


def _count_expressions(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            node.ifs.insert(0, _tick(node.iter.lineno).value)
        elif isinstance(node, ast.Lambda):
            body = node.body
            place = {"lineno": body.lineno, "col_offset": body.col_offset}
            node.body = ast.BoolOp(ast.And(), [_tick(body.lineno).value, body], **place)


@cache
def _tick(line: int, name: str = TICK) -> ast.Expr:
    place: dict[str, Any] = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}
    return ast.Expr(ast.Call(ast.Name(name, ast.Load(), **place), [], [], **place), **place)


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
