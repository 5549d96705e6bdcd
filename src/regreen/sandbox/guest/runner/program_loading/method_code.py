"""Compiles a change within one method of a class alone, and puts the method's code in the place of what it was.

Most of the time that a change takes is spent compiling, and a class of a hundred lines is one statement. What a method
does is a constant of the code that makes the class; all else there stays the same unless the change says otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any

from regreen.sandbox.guest.runner.checks.text_places import TextPlaces, line_begun

CompileText = Callable[[str, str, int, Sequence[Sequence[Any]]], CodeType]
"""Compiles, below blank lines, a text that begins at a place of the program, with edits done. Raises SyntaxError."""


class MethodText:
    """A method of a class at the top level, as text that can be compiled without the rest of its class."""

    def __init__(self, class_name: str, name: str, line: int, text: str, offset: int, body: tuple[int, int]) -> None:
        self.class_name = class_name
        self.name = name
        self.line = line
        """The line of its first decorator, or of its `def`."""
        self.text = text
        """The method below a first line of the class that says nothing more."""
        self.offset = offset
        """The place in the program at which `text` would begin: what follows its first line stands where it stood."""
        self.body = body
        """Where its statements begin and end: what is before them is run while the class is made."""
        self.given: CodeType | None = None
        """The code of `text` as it is, once it was needed."""

    def holds(self, edits: Sequence[Sequence[Any]]) -> bool:
        """Whether all of these edits are within its statements."""
        begin, end = self.body
        return all(begin <= start and last <= end for start, last, _ in edits)

    def changed(self, whole: CodeType, edits: Sequence[Sequence[Any]], compiled: CompileText) -> CodeType | None:
        """The code of the class statement, which is `whole`, with these edits done in the method; None where they may
        change more than what the method does. Raises SyntaxError.
        """
        above = "\n" * (self.line - 2)
        if self.given is None:
            self.given = compiled(self.text, above, self.offset, ())
        edited = compiled(self.text, above, self.offset, edits)
        before, after = self._within(self.given), self._within(edited)
        if before is None or after is None or not _makes_the_same(before[0], after[0], before[1], after[1]):
            return None
        found = self._within(whole)
        if found is None or found[1].co_freevars != after[1].co_freevars:
            return None
        of_class = _with_constant(found[0], found[1], after[1])
        return _with_constant(whole, found[0], of_class)

    def _within(self, code: CodeType) -> tuple[CodeType, CodeType] | None:
        """The code that makes the class, and that of the method; None where there are several or none."""
        classes = [each for each in _codes_in(code) if each.co_name == self.class_name]
        methods = [
            (owner, each)
            for owner in classes
            for each in _codes_in(owner)
            if each.co_name == self.name and each.co_firstlineno == self.line
        ]
        return methods[0] if len(methods) == 1 else None


def method_texts(node: ast.stmt, source: str, places: TextPlaces) -> list[MethodText]:
    """The methods of a class whose statements have lines of their own; none of anything else."""
    if not isinstance(node, ast.ClassDef):
        return []
    return list(_methods_in(node, source, places))


def _methods_in(node: ast.ClassDef, source: str, places: TextPlaces) -> Iterator[MethodText]:
    header = f"class {node.name}:\n"
    for part in node.body:
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        line, first = line_begun(part), line_begun(part.body[0])
        # A text over several lines ends a signature only where nothing of it stands on the first line of the body.
        signature_ends = max(part.lineno, *(inner.end_lineno or 0 for inner in _signature(part)), node.lineno)
        if first <= signature_ends or line <= node.lineno:
            continue
        begin, end = places.line_start(line), places.end_of(part)
        yield MethodText(
            node.name,
            part.name,
            line,
            header + source[begin:end],
            begin - len(header),
            (places.line_start(first), end),
        )


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr | ast.arg]:
    arguments = node.args
    several = [arguments.vararg, arguments.kwarg, node.returns, *arguments.kw_defaults]
    found: list[ast.expr | ast.arg] = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*found, *arguments.defaults, *(each for each in several if each is not None)]


def _codes_in(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if type(each) is CodeType]


def _makes_the_same(before: CodeType, after: CodeType, old: CodeType, new: CodeType) -> bool:
    """Whether two codes of a class differ in the code of one method alone, which is `old` in the first of them.

    Not counted is where that method ends, which both say of the step that makes it.
    """
    constants = tuple(old if each is new else each for each in after.co_consts)
    return before == after.replace(co_consts=constants, co_linetable=before.co_linetable)


def _with_constant(code: CodeType, old: CodeType, new: CodeType) -> CodeType:
    return code.replace(co_consts=tuple(new if each is old else each for each in code.co_consts))
