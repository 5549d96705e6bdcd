"""Tells whether code that parses leaves something out: cut off midway, or with a remark in the place of code."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from regreen.propose.reply.layout import Layout
from regreen.propose.reply.parsing import ParsedCode
from regreen.syntax import FUNCTIONS, Function, body_after_docstring, walk

_CODE_NOUN: Final = (
    r"(?:code|functions?|methods?|implementation|logic|body|program|file|class|loop|lines?|statements?|part)"
)
_REST_OF: Final = rf"(?:the )?(?:rest|remainder) of (?:the |your |this |that )?(?:\w+ ){{0,2}}{_CODE_NOUN}"
_UNCHANGED: Final = (
    r"[ ,:(]{0,3}(?:is |are |stays? |remains? |goes |continues )?(?:the )?"
    r"(?:unchanged|same|as (?:before|is|above)|here|omitted|left out|follows|not shown|not changed)"
    r"(?: as before| as above| here)?"
)
_REMARKS: Final = tuple(
    re.compile(form)
    for form in (
        rf"(?:{_REST_OF}|(?:the )?(?:rest|remainder))(?:{_UNCHANGED})?",
        rf"(?:the )?(?:your|existing|remaining|previous|original|other|same) (?:\w+ )?{_CODE_NOUN}{_UNCHANGED}",
        rf"(?:your|existing|remaining) (?:\w+ )?{_CODE_NOUN}",
        rf"(?:no changes?|nothing changes|unchanged)(?: {_CODE_NOUN}| here| below| from here| needed)*",
        rf"same (?:{_CODE_NOUN} )?as (?:before|above|in the original|the original)",
    )
)
_DOTS: Final = ("...", "\u2026")
_MAX_REMARK: Final = 120
"""Characters of a comment that is read as a remark."""


def elision(old: Function, new: Function, old_lines: Sequence[str], new_lines: Sequence[str]) -> str | None:
    """The remark in the new function that stands for code left out; None where it seems whole.

    Remarks that the old function holds too do not count.
    """
    known = {line.strip() for line in old_lines}
    for line in new_lines:
        if line.lstrip().startswith("#") and line.strip() not in known and stands_for_code(line):
            return line.strip()[:_MAX_REMARK]
    if is_stub(new) and not is_stub(old):
        return "the body is empty"
    written = any("..." in line for line in new_lines)
    return "..." if written and _dots(new) > _dots(old) else None


def stands_for_code(comment: str) -> bool:
    """Whether a comment is a remark such as "# rest of the code unchanged"."""
    text = comment.strip().lstrip("#").strip().lower()
    if len(text) > _MAX_REMARK:
        return False
    dotted = text.startswith(_DOTS) or text.endswith(_DOTS)
    bare = text.strip(".\u2026 ()[]<>-*!:")
    if dotted and (
        not bare or re.search(rf"\b(?:rest|existing|remaining|same|unchanged|as before|{_CODE_NOUN})\b", bare)
    ):
        return True
    return any(form.fullmatch(bare) for form in _REMARKS)


def is_stub(function: Function) -> bool:
    """Whether a function's body is nothing but `pass`, `...` and a docstring."""
    return all(isinstance(statement, ast.Pass) or _is_dots(statement) for statement in body_after_docstring(function))


def _dots(function: Function) -> int:
    return sum(_is_dots(node) for node in walk(function))


def _is_dots(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def truncation(code: ParsedCode, base: Layout | None) -> str | None:
    """Why code in a block without a closing fence seems cut off; None where it seems whole."""
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
    """The last statement in the text of a compound one."""
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
    """Whether a function returns or yields a value anywhere."""
    returns = any(isinstance(node, ast.Return) and node.value is not None for node in walk(function))
    return returns or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function))
