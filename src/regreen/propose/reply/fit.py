"""Makes the text of a new function fit the place of the old one: indentation, decorators, docstring, async, heading."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.reply.code_equality import same_nodes
from regreen.propose.reply.layout import Layout, string_lines
from regreen.propose.reply.name_analysis import PREDEFINED_NAMES, free_names, local_names
from regreen.propose.reply.parsing import BudgetedParser, ParsedCode
from regreen.syntax import DEFINITIONS, FUNCTIONS, Function, docstring_statement, indent_of

_RESULT_STATEMENTS: Final = (ast.Return, ast.Yield, ast.YieldFrom)
_HEADS: Final = ("def ", "class ", "async ", "@")
_OPENERS: Final = ("return", "if ", "for ", "while ", "try:", "with ", "yield")


def replacement_lines(
    new: Layout, node: Function, old: Layout, place: Function, parser: BudgetedParser
) -> tuple[list[str], list[str]]:
    """The lines to put in the place of the old function, and notes on what was kept of it."""
    notes: list[str] = []
    lines = reindented(new, node, old.indent(place), old.unit, parser)
    if isinstance(place, ast.AsyncFunctionDef) and isinstance(node, ast.FunctionDef):
        lines = _made_async(lines, node.lineno - 1 - new.span(node)[0])
        notes.append(f"`{place.name}` stays async")
    if kept := _kept_docstring(new, node, old, place, lines):
        lines = kept
        notes.append(f"the docstring of `{place.name}` was kept")
    if place.decorator_list and not node.decorator_list:
        lines = [*old.lines[old.span(place)[0] : place.lineno - 1], *lines]
        notes.append(f"the decorators of `{place.name}` were kept")
    return lines, notes


def reindented(new: Layout, node: ast.stmt, margin: str, unit: str, parser: BudgetedParser) -> list[str]:
    """The lines of a definition, moved to a margin and, where that changes no meaning, in steps of `unit`."""
    plain = _moved(new, node, margin, "", "")
    own = new.unit
    if own == unit:
        return plain
    stepped = _moved(new, node, margin, own, unit)
    return stepped if _same_meaning(stepped, margin, node, parser) else plain


def _moved(new: Layout, node: ast.stmt, margin: str, own: str, unit: str) -> list[str]:
    first, last = new.span(node)
    inside = string_lines(node)
    old_margin = new.indent(node)
    moved = []
    for number in range(first, last):
        line = new.lines[number]
        if number + 1 in inside:
            moved.append(line)
        elif not line.strip():
            moved.append("")
        else:
            blanks = indent_of(line).removeprefix(old_margin)
            moved.append(margin + (_stepped(blanks, own, unit) if own else blanks) + line.lstrip(" \t"))
    return moved


def _stepped(blanks: str, own: str, unit: str) -> str:
    steps = 0
    while blanks.startswith(own):
        blanks = blanks[len(own) :]
        steps += 1
    return unit * steps + blanks


def _same_meaning(lines: Sequence[str], margin: str, node: ast.stmt, parser: BudgetedParser) -> bool:
    text = "\n".join(lines)
    tree = parser.tree(f"if 1:\n{text}\n" if margin else f"{text}\n")
    if not isinstance(tree, ast.Module):
        return False
    body = tree.body[0].body if margin and isinstance(tree.body[0], ast.If) else tree.body
    return same_nodes(body, [node])


def _made_async(lines: list[str], at: int) -> list[str]:
    heading = lines[at]
    return [*lines[:at], indent_of(heading) + "async " + heading.lstrip(" \t"), *lines[at + 1 :]]


def _kept_docstring(new: Layout, node: Function, old: Layout, place: Function, lines: list[str]) -> list[str] | None:
    """The new function with the old docstring; None where its own docstring says something else."""
    docstring = old.docstring(place)
    if docstring is None:
        return None
    own = docstring_statement(node)
    first = new.span(node)[0]
    if own is not None:
        if not _same_words(own, docstring_statement(place)) or not new.alone(own):
            return None
        start, end = (line - first for line in new.span(own))
        kept = [*lines[:start], *_aligned(docstring, indent_of(lines[start])), *lines[end:]]
        return kept if kept != lines else None
    body = node.body[0]
    at = new.span(body)[0] - first
    if new.before_body(node) is None:
        at = len(new.head(node))
        return [*lines[:at], *_aligned(docstring, indent_of(lines[at])), *lines[at:]]
    rest = new.after_head(node)
    inner = indent_of(docstring[0])
    return [*lines[:at], lines[at][: len(lines[at]) - len(rest)].rstrip(), *docstring, inner + rest, *lines[at + 1 :]]


def _aligned(docstring: list[str], margin: str) -> list[str]:
    """A docstring's lines, moved if the new body is indented differently."""
    old = indent_of(docstring[0])
    if old == margin:
        return docstring
    return [margin + line.removeprefix(old) if line.strip() else line for line in docstring]


def _same_words(one: ast.Expr, other: ast.Expr | None) -> bool:
    def words(statement: ast.Expr | None) -> list[str]:
        value = statement.value if statement is not None else None
        return textwrap.dedent(str(value.value)).split() if isinstance(value, ast.Constant) else []

    return words(one) == words(other)


def _with_body(old: Layout, place: Function, body: Sequence[str], parser: BudgetedParser) -> ParsedCode | None:
    """The old function's heading and docstring above a new body, without margin; None where that does not parse."""
    margin = old.indent(place)
    inner = old.indent(place.body[0]).removeprefix(margin) if old.before_body(place) is None else "    "
    documents = "".join(body).lstrip().lstrip("rRuU").startswith(('"', "'"))
    docstring = [] if documents else old.docstring(place) or []
    head = [line.removeprefix(margin) for line in [*old.head(place), *docstring]]
    text = "\n".join([*head, *(inner + line if line.strip() else "" for line in body)]) + "\n"
    found = parser.code(text)
    return found if isinstance(found, ParsedCode) else None


def function_from_body(text: str, base: Layout, place: Function, parser: BudgetedParser) -> ParsedCode | str | None:
    """The old function with the text as its new body.

    None where the text is no body: it does not parse as one, or returns nothing. Words to the model where it is only
    a piece of one.
    """
    for body in _bodies(text):
        code = _with_body(base, place, body, parser)
        function = code.tree.body[0] if code is not None and len(code.tree.body) == 1 else None
        if code is None or not isinstance(function, FUNCTIONS) or not _gives_result(function):
            continue
        lost = (free_names(function) & local_names(place)) - local_names(function) - PREDEFINED_NAMES
        if lost:
            return f"`{sorted(lost)[0]}` is used but not set: the reply holds only a piece of `{place.name}`."
        return code
    return None


def _gives_result(function: Function) -> bool:
    """Whether a function itself, functions within it aside, returns or yields something."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, _RESULT_STATEMENTS):
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
    yield _without_margin(lines[first:], margin)
    others = [indent_of(line) for line in lines[first + 1 :] if line.strip()]
    if not margin and others and (lines[first].startswith(_OPENERS) or "=" in lines[first]):
        yield _without_margin([min(others, key=len) + lines[first], *lines[first + 1 :]], min(others, key=len))
    indented = next((at for at, line in enumerate(lines) if line.strip() and indent_of(line)), None)
    if indented is not None and not any(line.startswith(_HEADS) for line in lines[:indented]):
        end = next((at for at in range(indented, len(lines)) if lines[at].strip() and not indent_of(lines[at])), None)
        yield _without_margin(lines[indented:end], indent_of(lines[indented]))


def _without_margin(lines: list[str], margin: str) -> list[str]:
    return [line.removeprefix(margin) for line in lines]
