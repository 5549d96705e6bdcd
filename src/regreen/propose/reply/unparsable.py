"""Programs that do not parse: their definitions are found by their lines alone."""

from __future__ import annotations

import re
from typing import Final

from regreen.propose.reply.fit import reindented
from regreen.propose.reply.layout import Layout
from regreen.propose.reply.parsing import BudgetedParser, ParsedCode
from regreen.propose.reply.reply_result import ReplyFault, ReplyFaultKind, ReplyProgram, SyntaxProblem
from regreen.propose.reply.signature import signature_problem
from regreen.propose.reply.standalone import without_usage_examples
from regreen.syntax import FUNCTIONS, Function, docstring_statement, indent_of

_DEFINITION: Final = re.compile(r"([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_BELONGS: Final = re.compile(r"[)\]}]|#")


class UnparsableProgram:
    """A program whose text is read line by line; no tree of it is needed."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = source.split("\n")
        self.names = [found.group(2) for line in self._lines if (found := _DEFINITION.match(line))]

    def with_functions(self, layout: Layout, entry: str | None, parser: BudgetedParser) -> ReplyProgram | ReplyFault:
        """The program with the functions of a reply in their places, or the reply in the place of it all.

        The reply takes the place of all where the first does not parse and the reply defines all that the program does.
        """
        names = [name for name in (*layout.functions, *layout.classes) if name in self.names]
        if problem := self._changed_signature(layout, names, parser):
            return ReplyFault(ReplyFaultKind.SIGNATURE, problem)
        lines = list(self._lines)
        for name in names:
            lines = self._replaced(lines, name, layout, parser)
        tree = parser.tree("\n".join(lines))
        if not isinstance(tree, SyntaxProblem):
            return ReplyProgram("\n".join(lines), (), 0, tuple(names))
        top = {found.group(2) for line in self._lines if (found := _DEFINITION.match(line)) and not found.group(1)}
        if top <= set(names):
            notes = ("the program does not parse, so the reply took the place of all of it",)
            return ReplyProgram(
                without_usage_examples(ParsedCode(layout.source, layout.tree), entry), notes, 0, tuple(names)
            )
        return ReplyFault(
            ReplyFaultKind.SYNTAX, f"The rest of the program does not parse: give the whole program. {tree}", tree.line
        )

    def _replaced(self, lines: list[str], name: str, layout: Layout, parser: BudgetedParser) -> list[str]:
        span = _span(lines, name)
        if span is None:
            return lines
        node = layout.functions.get(name) or layout.classes[name]
        margin = indent_of(lines[span[1]])
        first = span[0] if node.decorator_list else span[1]
        new = reindented(layout, node, margin, layout.unit, parser)
        if docstring_statement(node) is None and isinstance(node, FUNCTIONS) and layout.before_body(node) is None:
            at = len(layout.head(node))
            new[at:at] = _docstring(lines, *span[1:])
        return [*lines[:first], *new, *lines[span[2] :]]

    def _changed_signature(self, layout: Layout, names: list[str], parser: BudgetedParser) -> str | None:
        """What is wrong with the first bad heading among the new ones, where the old one can be read."""
        for name in names:
            span, new = _span(self._lines, name), layout.functions.get(name)
            old = self._heading(span, parser) if span else None
            if (
                old is not None
                and new is not None
                and (problem := signature_problem(old, new, is_method=_is_method(old)))
            ):
                return problem
        return None

    def _heading(self, span: tuple[int, int, int], parser: BudgetedParser) -> Function | None:
        """A function of the program with an empty body."""
        text = ""
        for line in self._lines[span[1] : min(span[2], span[1] + 20)]:
            text += line + "\n"
            if line.rstrip().endswith(":"):
                break
        tree = parser.tree(text.strip() + " pass\n")
        node = tree.body[0] if not isinstance(tree, SyntaxProblem) and tree.body else None
        return node if isinstance(node, FUNCTIONS) else None


def _docstring(lines: list[str], heading: int, last: int) -> list[str]:
    """The lines of a docstring that begins right below a heading of one line."""
    first = lines[heading + 1].strip() if heading + 1 < last else ""
    quote = next((mark for mark in ('"""', "'''") if first.lstrip("rRuU").startswith(mark)), None)
    if quote is None:
        return []
    if first.count(quote) > 1:
        return [lines[heading + 1]]
    end = next((at for at in range(heading + 2, last) if quote in lines[at]), None)
    return lines[heading + 1 : end + 1] if end is not None else []


def _is_method(function: Function) -> bool:
    return bool(function.args.args) and function.args.args[0].arg in ("self", "cls")


def _span(lines: list[str], name: str) -> tuple[int, int, int] | None:
    """The lines of the last definition of a name: its decorators, its heading, and the line after it."""
    found = [at for at, line in enumerate(lines) if (m := _DEFINITION.match(line)) and m.group(2) == name]
    if not found:
        return None
    heading = found[-1]
    first, margin = heading, len(indent_of(lines[heading]))
    while first > 0 and lines[first - 1].lstrip().startswith("@"):
        first -= 1
    last = heading + 1
    for at in range(heading + 1, len(lines)):
        line = lines[at]
        if line.strip():
            if len(indent_of(line)) <= margin and not _BELONGS.match(line.lstrip()):
                break
            if len(indent_of(line)) > margin or line.lstrip()[:1] in ")]}":
                last = at + 1
    return first, heading, last
