"""Replies that give the inside of a function without its heading."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.reply.fit import with_body
from regreen.propose.reply.layout import Layout
from regreen.propose.reply.name_analysis import PREDEFINED_NAMES, free_names, local_names
from regreen.propose.reply.parsing import BudgetedParser, ParsedCode
from regreen.syntax import DEFINITIONS, FUNCTIONS, Function, indent_of

_LEAVES: Final = (ast.Return, ast.Yield, ast.YieldFrom)
_HEADS: Final = ("def ", "class ", "async ", "@")
_OPENERS: Final = ("return", "if ", "for ", "while ", "try:", "with ", "yield")


def function_from_body(text: str, base: Layout, place: Function, parser: BudgetedParser) -> ParsedCode | str | None:
    """The old function with a new body, which the text is if it returns something.

    None where the text is no body; words where it is only a piece of one.
    """
    for body in _bodies(text):
        code = with_body(base, place, body, parser)
        function = code.tree.body[0] if code is not None and len(code.tree.body) == 1 else None
        if code is None or not isinstance(function, FUNCTIONS) or not _leaves(function):
            continue
        lost = (free_names(function) & local_names(place)) - local_names(function) - PREDEFINED_NAMES
        if lost:
            return f"`{sorted(lost)[0]}` is used but not set: the reply holds only a piece of `{place.name}`."
        return code
    return None


def _leaves(function: Function) -> bool:
    """Whether a function returns or yields something itself, functions within it aside."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, _LEAVES):
            return True
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _bodies(text: str) -> Iterator[list[str]]:
    """Lines without margin that may be a body: all of the text, its first line moved, or its indented part."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return
    margin = indent_of(lines[first])
    yield _dedented(lines[first:], margin)
    others = [indent_of(line) for line in lines[first + 1 :] if line.strip()]
    if not margin and others and (lines[first].startswith(_OPENERS) or "=" in lines[first]):
        yield _dedented([min(others, key=len) + lines[first], *lines[first + 1 :]], min(others, key=len))
    indented = next((at for at, line in enumerate(lines) if line.strip() and indent_of(line)), None)
    if indented is not None and not any(line.startswith(_HEADS) for line in lines[:indented]):
        end = next((at for at in range(indented, len(lines)) if lines[at].strip() and not indent_of(lines[at])), None)
        yield _dedented(lines[indented:end], indent_of(lines[indented]))


def _dedented(lines: list[str], margin: str) -> list[str]:
    return [line.removeprefix(margin) for line in lines]
