"""A test script as steps: one step a check, together with the preparation before it that uses the program."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence

from regreen.syntax import walk_in_order, walk_scope
from regreen.types import Check, Step
from regreen.verify.bindings import Bindings
from regreen.verify.flatten import ScriptStatement, is_asserting_call
from regreen.verify.python_text import shorten_code

DECLARATIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global)
_GAP = 50
"""Blank lines kept at most between joined statements; they keep line numbers in messages right."""


def is_check(node: ast.stmt, asserting: set[str]) -> bool:
    """Whether a statement checks something: an assert, or a block or call that leads to one."""
    if isinstance(node, ast.Assert):
        return True
    if isinstance(node, DECLARATIONS):
        return False
    return any(
        isinstance(inner, (ast.Assert, ast.Raise))
        or (isinstance(inner, ast.Call) and is_asserting_call(inner, asserting))
        for inner in walk_scope(node)
    )


def steps_of(items: Sequence[ScriptStatement], asserting: set[str], bound: Bindings) -> tuple[list[Step], list[Check]]:
    """The steps of a script, and its checks named "check-1", "check-2", ... in order.

    Preparation that uses the program belongs to the step of the next check: when it raises, that check fails, even
    if a name still holds an older value.
    """
    touched = TaintedNames(items, bound)
    steps: list[Step] = []
    checks: list[Check] = []
    waiting: list[ScriptStatement] = []
    for item in items:
        decides = is_check(item.node, asserting)
        if decides:
            steps.append(_check_step([*waiting, item], item, checks))
            waiting = []
        elif waiting or touched.runs_program(item.node):
            waiting.append(item)
        else:
            steps.append(Step(item.code, line=item.line))
        touched.learn(item.node)
    if waiting:
        steps.append(_check_step(waiting, waiting[0], checks))
    return steps, checks


def _check_step(items: Sequence[ScriptStatement], shown_item: ScriptStatement, checks: list[Check]) -> Step:
    name = f"check-{len(checks) + 1}"
    checks.append(Check(name, shorten_code(shown_item.code), shown_item.node.lineno))
    return Step(_joined(items), name, max(items[0].line, 1))


def _joined(items: Sequence[ScriptStatement]) -> str:
    text, line = items[0].code, items[0].line + items[0].code.count("\n")
    for item in items[1:]:
        gap = item.line - line if 1 <= item.line - line <= _GAP else 1
        text += "\n" * gap + item.code
        line = item.line + item.code.count("\n")
    return text


class TaintedNames:
    """The names of a script whose values may come from the program."""

    def __init__(self, items: Sequence[ScriptStatement], bound: Bindings) -> None:
        self.tainted = {*bound.aliases, *bound.modules}
        self.plain = {*bound.own, *bound.assigned, *dir(builtins), "__name__", "__file__"} - self.tainted
        definitions = [item.node for item in items if isinstance(item.node, DECLARATIONS[:3])]
        grown = True
        while grown:
            new = {
                node.name for node in definitions if node.name not in self.tainted and self._uses(walk_in_order(node))
            }
            grown = bool(new)
            self.tainted |= new

    def runs_program(self, node: ast.stmt) -> bool:
        """Whether a statement may run code of the program."""
        if isinstance(node, DECLARATIONS):
            return False
        renames = isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute))
        return not renames and self._uses(walk_scope(node))

    def learn(self, node: ast.stmt) -> None:
        """Mark the names that a statement binds to values from the program."""
        if not isinstance(node, DECLARATIONS) and self._uses(walk_scope(node)):
            self.tainted.update(_stored(walk_scope(node)))

    def _uses(self, nodes: Iterable[ast.AST]) -> bool:
        return any(
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and (node.id in self.tainted or node.id not in self.plain)
            for node in nodes
        )


def _stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
