"""Compiles changes of a program one top-level statement at a time, and in a class one method at a time.

The code that it makes takes ticks (see ticks.py).
"""

from __future__ import annotations
import __future__

import ast
import contextlib
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from types import CodeType
from typing import Any

from regreen.sandbox.guest.runner.checks.text_places import TextPlaces, edited_text, line_begun
from regreen.sandbox.guest.runner.program_loading.method_code import method_texts
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree
from regreen.sandbox.guest.runner.timing.tick_points import TickPoint, is_tick_line, tick_points, with_ticks
from regreen.sandbox.guest.runner.timing.ticks import add_ticks

_FUTURE_FLAGS = reduce(or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
"""The bits of a code object's flags that stand for its `from __future__` imports."""


class IncrementalCompiler:
    """A program cut into its top-level statements: a change within one compiles that one alone, or one method of it."""

    def __init__(self, source: str, filename: str) -> None:
        self.source = source
        self.filename = filename
        self.places = TextPlaces(source)
        self._points: dict[tuple[int, int], tuple[TickPoint, ...] | None] = {}
        """The ticks of the texts that were changed so far, by where they begin and end."""
        self._compiled = ""
        """The text that was compiled last, from the program's first line on, with its ticks; empty for a tree."""
        try:
            tree = syntax_tree(source, filename)
            whole = compile(tree, filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError) as error:
            # Each change is then tried as a whole program.
            self.broken: Exception | None = error
            self.flags, self.spans, self.codes, self.methods = 0, [], [], []
            return
        self.broken = None
        self.flags = whole.co_flags & _FUTURE_FLAGS
        self.spans = [self._span(node) for node in tree.body]
        self.methods = [method_texts(node, source, self.places) for node in tree.body]
        """Of each statement: the methods that are compiled by themselves."""
        self.codes = [self._compile_tree(add_ticks(ast.Module([node], []), source)) for node in tree.body]

    def original(self) -> list[CodeType]:
        """The program's statements as they are. Raises what is wrong with its syntax."""
        if self.broken is not None:
            raise self.broken
        return self.codes

    def edited(self, edits: Sequence[Sequence[Any]]) -> list[CodeType]:
        """The program's statements with some text replaced. Raises SyntaxError or ValueError if that is no Python."""
        self._compiled = ""
        found = self._place(edits)
        if found is None:
            # What is no Python by itself may be some together.
            with contextlib.suppress(SyntaxError):
                if (apart := self._apart(edits)) is not None:
                    return self._changed_apart(apart)
            self._compiled = ""
            return [self._compile(edited_text(self.source, edits, 0))]
        place, end = found
        first = self._first_beside(place)
        # What is no Python by itself may belong to the statement before it.
        with contextlib.suppress(SyntaxError):
            return [*self.codes[:first], self._changed(first, end, edits), *self.codes[place + 1 :]]
        self._compiled = ""
        return [self._compile(edited_text(self.source, edits, 0))]

    def _apart(self, edits: Sequence[Sequence[Any]]) -> dict[int, list[Sequence[Any]]] | None:
        """The edits of each statement that they change; None where one is within none that has its own lines."""
        apart: dict[int, list[Sequence[Any]]] = {}
        for edit in edits:
            found = self._place([edit])
            if found is None or found[1] != self.spans[found[0]][1] or self._first_beside(found[0]) != found[0]:
                return None
            apart.setdefault(found[0], []).append(edit)
        return apart

    def _changed_apart(self, apart: Mapping[int, Sequence[Sequence[Any]]]) -> list[CodeType]:
        """The program's statements, each with its own edits done."""
        codes = list(self.codes)
        for place, edits in apart.items():
            codes[place] = self._changed(place, self.spans[place][1], edits)
        # The lines of one statement say nothing of those of another.
        self._compiled = ""
        return codes

    def line_without_ticks(self, line: int) -> int:
        """The line of the text that was edited last, where `line` is one of what was compiled of it, or below that."""
        lines = self._compiled.splitlines()
        return line - sum(map(is_tick_line, lines[:line])) if line <= len(lines) else line

    def _changed(self, first: int, end: int, edits: Sequence[Sequence[Any]]) -> CodeType:
        """The code of the statements from the `first` one to a place in the text, with these edits done."""
        for method in self.methods[first]:
            if method.holds(edits):
                # What is no Python within a method may be some in its class.
                with contextlib.suppress(SyntaxError):
                    if (code := method.changed(self.codes[first], edits, self._counted)) is not None:
                        return code
                self._compiled = ""
        start, _, line = self.spans[first]
        return self._counted(self.source[start:end], "\n" * (line - 1), start, edits)

    def _counted(self, text: str, above: str, start: int, edits: Sequence[Sequence[Any]]) -> CodeType:
        """The code of a text that begins at `start`, with these edits done and its ticks, below blank lines."""
        key = start, start + len(text)
        if key not in self._points:
            self._points[key] = tick_points(text)
        points = self._points[key]
        counted = None if points is None else with_ticks(text, edits, start, points)
        if counted is not None:
            # A tick may stand where the changed text has no place for it.
            with contextlib.suppress(SyntaxError):
                code: CodeType = compile(above + counted, self.filename, "exec", flags=self.flags, dont_inherit=True)
                self._compiled = above + counted
                return code
        return self._compile(above + edited_text(text, edits, start))

    def _first_beside(self, place: int) -> int:
        """The first of the statements that share lines with this one: a span begins where its line does."""
        while place and self.spans[place - 1][1] > self.spans[place][0]:
            place -= 1
        return place

    def _place(self, edits: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
        """The statement that these edits change, and where its text ends; None where there is no such one.

        What is put below a statement, and does not stand at the beginning of another, belongs to it.
        """
        first, last = min(e[0] for e in edits), max(e[1] for e in edits)
        for place, (start, end, _) in enumerate(self.spans):
            if start <= first and last <= end:
                return place, end
        if any(start == last for start, _, _ in self.spans):
            return None
        for place, (start, end, _) in enumerate(self.spans):
            if start <= first and last == end + 1 and self.source[end] == "\n":
                return place, last
        return None

    def _compile(self, text: str) -> CodeType:
        return self._compile_tree(add_ticks(syntax_tree(text, self.filename, self.flags), text))

    def _compile_tree(self, tree: ast.Module) -> CodeType:
        code: CodeType = compile(tree, self.filename, "exec", flags=self.flags, dont_inherit=True)
        return code

    def _span(self, node: ast.stmt) -> tuple[int, int, int]:
        line = line_begun(node)
        return self.places.line_start(line), self.places.end_of(node), line
