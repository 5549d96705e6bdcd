"""Tells whether code that parses leaves something out: cut off midway, or with a remark in the place of code."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from regreen.propose.reply.layout import Layout
from regreen.propose.reply.parsing import ParsedCode
from regreen.syntax import FUNCTIONS, Function, body_after_docstring, walk

_WHAT: Final = r"(?:code|functions?|methods?|implementation|logic|body|program|file|class|loop|lines?|statements?|part)"
_OF: Final = rf"(?:the )?(?:rest|remainder) of (?:the |your |this |that )?(?:\w+ ){{0,2}}{_WHAT}"
_STAYS: Final = (
    r"[ ,:(]{0,3}(?:is |are |stays? |remains? |goes |continues )?(?:the )?"
    r"(?:unchanged|same|as (?:before|is|above)|here|omitted|left out|follows|not shown|not changed)"
    r"(?: as before| as above| here)?"
)
_REMARKS: Final = tuple(
    re.compile(form)
    for form in (
        rf"(?:{_OF}|(?:the )?(?:rest|remainder))(?:{_STAYS})?",
        rf"(?:the )?(?:your|existing|remaining|previous|original|other|same) (?:\w+ )?{_WHAT}{_STAYS}",
        rf"(?:your|existing|remaining) (?:\w+ )?{_WHAT}",
        rf"(?:no changes?|nothing changes|unchanged)(?: {_WHAT}| here| below| from here| needed)*",
        rf"same (?:{_WHAT} )?as (?:before|above|in the original|the original)",
    )
)
_DOTS: Final = ("...", "\u2026")
_LONGEST: Final = 120
"""Characters of a remark that is read as one."""


def elision(old: Function, new: Function, old_lines: Sequence[str], new_lines: Sequence[str]) -> str | None:
    """What in the new function stands for code that is left out; None when it seems to be whole.

    A remark that the old function holds as well is none.
    """
    known = {line.strip() for line in old_lines}
    for line in new_lines:
        if line.lstrip().startswith("#") and line.strip() not in known and stands_for_code(line):
            return line.strip()[:_LONGEST]
    if is_stub(new) and not is_stub(old):
        return "the body is empty"
    written = any("..." in line for line in new_lines)
    return "..." if written and _dots(new) > _dots(old) else None


def stands_for_code(comment: str) -> bool:
    """Whether a comment is a remark such as "# rest of the code unchanged"."""
    text = comment.strip().lstrip("#").strip().lower()
    if len(text) > _LONGEST:
        return False
    dotted = text.startswith(_DOTS) or text.endswith(_DOTS)
    bare = text.strip(".\u2026 ()[]<>-*!:")
    if dotted and (not bare or re.search(rf"\b(?:rest|existing|remaining|same|unchanged|as before|{_WHAT})\b", bare)):
        return True
    return any(form.fullmatch(bare) for form in _REMARKS)


def is_stub(function: Function) -> bool:
    """Whether a function does nothing but stand there."""
    return all(isinstance(statement, ast.Pass) or _is_dots(statement) for statement in body_after_docstring(function))


def _dots(function: Function) -> int:
    return sum(_is_dots(node) for node in walk(function))


def _is_dots(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def truncation(code: ParsedCode, base: Layout | None) -> str | None:
    """Why code at the end of an unfinished block seems to lack its end; None where it seems whole."""
    last = _last_function(code.tree)
    if last is None or not _at_the_end(code.text, last):
        return None
    statement = _last_statement(last)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Name, ast.Attribute)):
        return f"The reply ends in the midst of `{last.name}`."
    old = base.functions.get(last.name) if base else None
    if old is not None and _returns_value(old) and not _returns_value(last):
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


def _returns_value(function: Function) -> bool:
    """Whether a function hands out a value."""
    returns = any(isinstance(node, ast.Return) and node.value is not None for node in walk(function))
    return returns or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function))
