"""Tells whether code that parses may yet have been cut off in its midst."""

from __future__ import annotations

import ast

from regreen.propose.reply.layout import Layout
from regreen.propose.reply.parsing import ParsedCode
from regreen.syntax import FUNCTIONS, Function, walk


def truncation(code: ParsedCode, base: Layout | None) -> str | None:
    """Why code at the end of an unfinished block seems to lack its end; None where it seems whole."""
    last = _last_function(code.tree)
    if last is None or not _at_the_end(code.text, last):
        return None
    statement = _last_statement(last)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Name, ast.Attribute)):
        return f"The reply ends in the midst of `{last.name}`."
    old = base.functions.get(last.name) if base else None
    if old is not None and _gives(old) and not _gives(last):
        return f"The reply ends before `{last.name}` returns anything."
    return None


def _last_function(tree: ast.Module) -> Function | None:
    """The function or method with which a module ends."""
    node: ast.stmt | None = tree.body[-1] if tree.body else None
    if isinstance(node, ast.ClassDef):
        node = node.body[-1]
    return node if isinstance(node, FUNCTIONS) else None


def _at_the_end(text: str, function: Function) -> bool:
    return not "".join(text.split("\n")[function.end_lineno or 0 :]).strip()


def _last_statement(node: ast.stmt) -> ast.stmt:
    """The statement that stands last in the text of a compound one."""
    while True:
        inner = [
            part
            for name in ("body", "handlers", "orelse", "finalbody", "cases")
            for part in getattr(node, name, [])
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case))
        ]
        if not inner:
            return node
        last = inner[-1]
        node = last if isinstance(last, ast.stmt) else last.body[-1]


def _gives(function: Function) -> bool:
    """Whether a function hands out a value."""
    returns = any(isinstance(node, ast.Return) and node.value is not None for node in walk(function))
    return returns or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function))
