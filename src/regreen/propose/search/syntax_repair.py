"""Repairs programs that do not parse: beam search over small edits near the place where the parser stops."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from heapq import heappop, heappush, merge
from itertools import islice
from typing import Final, NamedTuple

from regreen.propose.search.constants import (
    ALMOST_SURE,
    BEAM_WIDTH,
    BRACKET_LINES,
    HALF,
    INDENTED_BLOCK_WEIGHT,
    LIKELY,
    LINE_DECLINE,
    LINES_AFTER_ERROR,
    LINES_BEFORE_ERROR,
    LINES_COMPLETED_BEFORE_ERROR,
    MAX_PARSED_CHARACTERS,
    MAX_PARSES,
    MAX_SYNTAX_EDITS,
    NEARLY_EQUAL,
    POSSIBLE,
    PROBABLE,
    QUOTE_LINE_DECLINE,
    QUOTE_LINES,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.line_completion import completions, separations
from regreen.propose.search.line_repairs import line_repairs
from regreen.propose.search.mutation import Mutation, compose_edits, splice_edits
from regreen.syntax import indent_of, parse
from regreen.types import Edit

_CONFLICT: Final = re.compile(r"^<<<<<<<[^\n]*\n(.*?)^=======[^\n]*\n(.*?)^>>>>>>>[^\n]*\n?", re.DOTALL | re.MULTILINE)


class _ParseError(NamedTuple):
    """Where and why the parser stops; the line from 1, the column from 0."""

    line: int
    column: int
    message: str


class _BrokenText(NamedTuple):
    """An edited text that does not parse yet, with its edits of the given text."""

    text: str
    edits: tuple[Edit, ...]
    score: float
    error: _ParseError


def repair_syntax(source: str) -> Iterator[Mutation]:
    """Mutations after which the program parses, those with fewer edits first, likely ones first among these."""
    error = _parse_error(source)
    if error is None:
        return
    budget = min(MAX_PARSES, MAX_PARSED_CHARACTERS // (len(source) + 1))
    seen = {source}
    level = [_BrokenText(source, (), 1.0, error)]
    for depth in range(MAX_SYNTAX_EDITS):
        further: list[_BrokenText] = []
        # What comes late at one depth is unlikely; what needs one edit more may be plain.
        share = budget // 2 if depth == 0 else budget // (MAX_SYNTAX_EDITS - depth)
        for found in islice(merge(*(_neighbours(source, b, seen) for b in level), key=lambda s: -s.score), share):
            budget -= 1
            after = _parse_error(found.text)
            if after is None:
                yield _mutation(source, found)
            elif _parses_further(after, found.error):
                worth = UNLIKELY if _is_harmful(after, found.error) else 1.0
                worth *= POSSIBLE if _stops_sooner(after, found.error) else 1.0
                further.append(found._replace(error=after, score=found.score * worth))
        level = sorted(further, key=lambda s: -s.score)[:BEAM_WIDTH]


def _mutation(source: str, broken: _BrokenText) -> Mutation:
    first = broken.edits[0].start
    return Mutation(broken.edits, "syntax", broken.score, source.count("\n", 0, first) + 1, source)


def _parse_error(text: str) -> _ParseError | None:
    """Where and why the parser stops; None for a text that parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse(text)
    except SyntaxError as error:
        return _ParseError(error.lineno or 1, max(0, (error.offset or 1) - 1), error.msg or "")
    except (ValueError, RecursionError, MemoryError) as error:
        return _ParseError(1, 0, str(error))
    return None


def _parses_further(after: _ParseError, before: _ParseError) -> bool:
    """Whether an edit was of use: the parser stops later, or elsewhere after the tokens had been wrong."""
    return (
        (after.line, after.column) > (before.line, before.column + 1)
        or (after.message != before.message and after.line >= before.line)
        # Open strings and brackets are told before what else is wrong in the lines above them.
        or (_is_broken(before) and not _is_broken(after))
    )


def _is_harmful(after: _ParseError, before: _ParseError) -> bool:
    """Whether an edit has itself left brackets, quotes or indentation that do not match: there, or just below."""
    if not _is_broken(after) or _is_broken(before):
        return False
    # What is left open is told where it begins, what does not match where that is noticed.
    is_told_at_beginning = "unterminated" in after.message or "never closed" in after.message
    return after.line <= before.line + (not is_told_at_beginning)


def _stops_sooner(after: _ParseError, before: _ParseError) -> bool:
    """Whether the parser now stops before the place where it stopped, with another complaint."""
    return not _is_broken(before) and (after.line, after.column) < (before.line, before.column)


def _is_broken(error: _ParseError) -> bool:
    """Whether brackets, quotes or indentation do not match."""
    return any(
        word in error.message for word in ("unmatched", "does not match", "unterminated", "never closed", "indent")
    )


def _neighbours(source: str, broken: _BrokenText, seen: set[str]) -> Iterator[_BrokenText]:
    """The texts that one edit near the error makes, likely ones first."""
    heap: list[tuple[float, int, Edit]] = []
    for count, (edit, weight) in enumerate(_edits(broken.text, broken.error)):
        heappush(heap, (-weight, count, edit))
    while heap:
        key, _, edit = heappop(heap)
        text = splice_edits(broken.text, (edit,))
        if text not in seen:
            seen.add(text)
            edits = compose_edits(source, broken.edits, (edit,))
            yield _BrokenText(text, edits, broken.score * -key, broken.error)


def _edits(text: str, error: _ParseError) -> Iterator[tuple[Edit, float]]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    yield from _conflicts(text)
    index = min(error.line, len(lines)) - 1
    for near, share in _suspects(lines, index):
        column = error.column if near == index else len(lines[near])
        for new, weight in line_repairs(lines[near], column):
            if new != lines[near]:
                yield Edit(starts[near], starts[near] + len(lines[near]), new), weight * share
    for near in _lines_to_complete(lines, index):
        for new, weight in (*completions(lines, near), *separations(lines, near)):
            yield Edit(starts[near], starts[near] + len(lines[near]), new), weight
    yield from _indentation(lines, starts, index)
    yield from _multiline(text, lines, starts, index)


def _suspects(lines: list[str], index: int) -> Iterator[tuple[int, float]]:
    """Indices of lines near the error, with their weights: its own, then lines of code before and after."""
    yield index, 1.0
    before = [i for i in range(index - 1, -1, -1) if lines[i].strip()][:LINES_BEFORE_ERROR]
    yield from ((i, VERY_LIKELY - LINE_DECLINE * rank) for rank, i in enumerate(before))
    yield from (
        (i, POSSIBLE) for i in range(index + 1, min(index + 1 + LINES_AFTER_ERROR, len(lines))) if lines[i].strip()
    )


def _lines_to_complete(lines: list[str], index: int) -> list[int]:
    """The line of the error and the lines of code before it."""
    before = [i for i in range(index - 1, -1, -1) if lines[i].strip()][:LINES_COMPLETED_BEFORE_ERROR]
    return [index, *before]


def _conflicts(text: str) -> Iterator[tuple[Edit, float]]:
    """A merge conflict resolved for either side or both, and Markdown fences removed."""
    found = _CONFLICT.search(text)
    if found:
        yield Edit(found.start(), found.end(), found.group(1)), 1.0
        yield Edit(found.start(), found.end(), found.group(2)), NEARLY_EQUAL
        yield Edit(found.start(), found.end(), found.group(1) + found.group(2)), HALF
    for fence in re.finditer(r"^```\w*\n?", text, re.MULTILINE):
        yield Edit(fence.start(), fence.end(), ""), ALMOST_SURE


def _indentation(lines: list[str], starts: list[int], index: int) -> Iterator[tuple[Edit, float]]:
    """The line of the error, its block, or the line before at another depth; tabs as blanks."""
    depths = dict.fromkeys(indent_of(line) for line in lines[: index + 1] if line.strip())
    depths.update(dict.fromkeys((*(d + "    " for d in list(depths)), "")))
    old = indent_of(lines[index])
    for last in dict.fromkeys((index, _block_end(lines, index))):
        for depth in depths:
            if depth != old:
                moved = [
                    depth + line[len(old) :] if line.startswith(old) and line.strip() else line
                    for line in lines[index : last + 1]
                ]
                yield (
                    Edit(starts[index], starts[last] + len(lines[last]), "\n".join(moved)),
                    VERY_LIKELY if last == index else INDENTED_BLOCK_WEIGHT,
                )
    before = next((i for i in range(index - 1, -1, -1) if lines[i].strip()), None)
    if before is not None:
        if lines[before].rstrip().endswith(":"):
            yield Edit(starts[before + 1], starts[before + 1], indent_of(lines[before]) + "    pass\n"), PROBABLE
        for depth in depths:
            yield Edit(starts[before], starts[before] + len(indent_of(lines[before])), depth), PROBABLE
    tabs = [line.expandtabs(8) if "\t" in indent_of(line) else line for line in lines]
    if tabs != lines:
        yield Edit(0, starts[-1] - 1, "\n".join(tabs)), ALMOST_SURE
        four = [indent_of(line).expandtabs(4) + line.lstrip(" \t") for line in lines]
        yield Edit(0, starts[-1] - 1, "\n".join(four)), NEARLY_EQUAL


def _block_end(lines: list[str], index: int) -> int:
    """The index of the last line, from `index` on, of those indented at least as far."""
    last, depth = index, len(indent_of(lines[index]))
    for at in range(index + 1, len(lines)):
        if lines[at].strip():
            if len(indent_of(lines[at])) < depth:
                break
            last = at
    return last


def _multiline(text: str, lines: list[str], starts: list[int], index: int) -> Iterator[tuple[Edit, float]]:
    """Errors that span lines: an open bracket or string, a continuation, a superfluous line."""
    start, end = starts[index], min(starts[index + 1], len(text))
    yield Edit(start, end, ""), UNLIKELY
    if lines[index].rstrip().endswith("\\"):
        at = starts[index] + len(lines[index].rstrip()) - 1
        yield Edit(at, at + 1, ""), VERY_LIKELY
    for later in range(index, min(index + BRACKET_LINES, len(lines))):
        at = starts[later] + len(lines[later].rstrip())
        for bracket in ")]}":
            yield Edit(at, at, bracket), PROBABLE / (1 + later - index)
    for quotes in ('"""', "'''"):
        if text.count(quotes) % 2:
            yield Edit(len(text), len(text), quotes + "\n"), POSSIBLE
            for later in range(index, min(index + QUOTE_LINES, len(lines))):
                at = starts[later] + len(lines[later])
                yield Edit(at, at, quotes), LIKELY / (1 + QUOTE_LINE_DECLINE * (later - index))
