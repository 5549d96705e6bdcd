"""Where the ticks of a text stand (see ticks.py), so that a small change of it is compiled with them as text.

Parsing a text into a tree, changing the tree and compiling that takes twice as long as compiling the text. Where a
change comes near a tick, or brings a loop of its own, the tree is the way to go.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from regreen.sandbox.guest.runner.checks.text_places import TextPlaces, edited_text, line_begun
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree
from regreen.sandbox.guest.runner.timing.ticks import COUNTED_FUNCTIONS, COUNTED_LOOPS, REPEATING, TICK, is_text

_READS_LINES = re.compile(r"lineno|traceback|inspect|_getframe|currentframe|stack_info|\b(?:warnings|logging)\b")
"""Words of a text that may look at its own line numbers: a tick before a compound statement takes a line."""
_CALL = f"{TICK}()"
_COMPOUND = (
    ast.If | ast.With | ast.AsyncWith | ast.Try | ast.TryStar | ast.Match | ast.ClassDef | ast.For | ast.AsyncFor
    | ast.While | ast.FunctionDef | ast.AsyncFunctionDef
)  # fmt: skip

_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class TickPoint(NamedTuple):
    """A tick to be written into a text."""

    place: int
    """The character before which it is written."""
    text: str
    first: int
    """Where what it counts begins: a loop, a function, or an expression with a loop in it."""
    last: int
    """Where that ends: a change of all of it takes the tick along."""
    begins: int | None = None
    """Where the expression begins behind which it is written: a change of that one leaves it there. None where it
    stands before a statement, whose change leaves it there."""

    def stays(self, start: int, end: int) -> bool:
        """Whether a change of the text from `start` to `end`, which reaches its place, leaves it where it is."""
        return start == self.place if self.begins is None else self.begins <= start < end == self.place


def tick_points(text: str) -> tuple[TickPoint, ...] | None:
    """The ticks of a text, in order; None where they cannot be written. Raises SyntaxError if it is no Python."""
    if _READS_LINES.search(text):
        return None
    tree = syntax_tree(text)
    nodes = list(ast.walk(tree))
    if any(_repeats_inside(node) for node in nodes if isinstance(node, ast.JoinedStr)):
        # Python 3.11 does not know the columns of what stands in an f-string.
        return None
    places = TextPlaces(text)
    found = [point for node in nodes for point in _points_of(node, text, places)]
    return tuple(sorted(found, key=lambda point: point.place))


def with_ticks(text: str, edits: Sequence[Sequence[Any]], offset: int, points: Sequence[TickPoint]) -> str | None:
    """The text, which begins at `offset` of its program, with its edits done and its ticks written.

    None where an edit brings what may be repeated, or comes too near to a tick.
    """
    if any(REPEATING.search(new) for _, _, new in edits):
        return None
    if any(_swallows(text, start - offset, end - offset, new, points) for start, end, new in edits):
        return None
    written = []
    for point in points:
        place = point.place + offset
        for start, end, new in edits:
            if point.begins is not None and "\n" in new and point.first + offset < start <= point.last + offset:
                # The brackets around what a lambda returns would go on with the next line.
                return None
            if start <= place <= end and not point.stays(start - offset, end - offset):
                if start <= point.first + offset and point.last + offset <= end:
                    break
                return None
        else:
            written.append((place, place, point.text))
    # A tick stands before an edit that begins at the same place.
    return edited_text(text, sorted([*written, *edits], key=lambda edit: edit[0]), offset)


def _swallows(text: str, start: int, end: int, new: str, points: Sequence[TickPoint]) -> bool:
    """Whether an edit may make a comment, or a part of a string, of a tick that follows on its line: one that takes a
    line of its own would bring back what comes after it."""
    line_end = text.find("\n", end)
    line_end = line_end if line_end >= 0 else len(text)
    if not any(end <= point.place <= line_end for point in points):
        return False
    _, newline, last = new.rpartition("\n")
    before = last if newline else text[text.rfind("\n", 0, start) + 1 : start] + last
    return "#" in before or any(before.count(quote) % 2 for quote in "'\"")


def is_tick_line(line: str) -> bool:
    """Whether a line of a text with ticks is none of the text without them."""
    return line.strip() == _CALL


def _repeats_inside(node: ast.JoinedStr) -> bool:
    return any(isinstance(part, ast.comprehension | ast.Lambda) for part in ast.walk(node))


def _points_of(node: ast.AST, text: str, places: TextPlaces) -> Iterator[TickPoint]:
    if isinstance(node, COUNTED_LOOPS):
        yield _before(node.body[0], node, text, places)
    elif isinstance(node, COUNTED_FUNCTIONS):
        first, *others = node.body
        if not is_text(first):
            yield _before(first, node, text, places)
        elif others:
            # A docstring has to stay the first statement.
            yield _before(others[0], node, text, places)
        else:
            yield TickPoint(places.end_of(first), f"; {_CALL}", *_span(node, places), places.end_of(first))
    elif isinstance(node, _COMPREHENSIONS):
        for loop in node.generators:
            begin = places.start_of(loop.iter)
            end = _after_brackets(text, places.end_of(loop.iter), begin)
            yield TickPoint(end, f" if {_CALL}", *_span(node, places), begin)
    elif isinstance(node, ast.Lambda):
        begin, end = places.start_of(node.body), places.end_of(node.body)
        yield TickPoint(begin, f"{_CALL} and (", *_span(node, places), begin)
        yield TickPoint(end, ")", *_span(node, places), end)


def _span(node: ast.expr | ast.stmt, places: TextPlaces) -> tuple[int, int]:
    return places.start_of(node), places.end_of(node)


def _before(node: ast.stmt, owner: ast.stmt, text: str, places: TextPlaces) -> TickPoint:
    """A tick before a statement: on its line, unless nothing can stand before it there."""
    if not isinstance(node, _COMPOUND):
        return TickPoint(places.start_of(node), f"{_CALL};", *_span(owner, places))
    begin = places.line_start(line_begun(node))
    indent = re.compile(r"[ \t\f]*").match(text, begin)
    assert indent is not None
    return TickPoint(indent.end(), f"{_CALL}\n{indent.group()}", *_span(owner, places))


def _after_brackets(text: str, end: int, start: int) -> int:
    """The end of an expression with the round brackets around it, which its node does not count."""
    open_ones = len(text[:start]) - len(text[:start].rstrip("( \t\n"))
    for _ in range(text[start - open_ones : start].count("(")):
        bracket = re.compile(r"\s*\)").match(text, end)
        if bracket is None:
            break
        end = bracket.end()
    return end
