"""Mends programs that do not parse: small edits near the place where the parser stumbles, closest first."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from heapq import heappop, heappush, merge
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
from regreen.propose.search.line_repairs import line_repairs
from regreen.propose.search.mutation import Mutation, compose_edits, splice_edits
from regreen.syntax import indent_of, parse
from regreen.types import Edit

_CONFLICT: Final = re.compile(r"^<<<<<<<[^\n]*\n(.*?)^=======[^\n]*\n(.*?)^>>>>>>>[^\n]*\n?", re.DOTALL | re.MULTILINE)


class _Stumble(NamedTuple):
    """Where and why a text does not parse; the line from 1, the column from 0."""

    line: int
    column: int
    message: str


class _State(NamedTuple):
    """A text on the way, with what was changed so far."""

    text: str
    edits: tuple[Edit, ...]
    score: float
    stumble: _Stumble


def repair_syntax(source: str) -> Iterator[Mutation]:
    """Edits after which the program parses, likely ones first."""
    stumble = _stumble(source)
    if stumble is None:
        return
    budget = min(MAX_PARSES, MAX_PARSED_CHARACTERS // (len(source) + 1))
    seen = {source}
    level = [_State(source, (), 1.0, stumble)]
    for _ in range(MAX_SYNTAX_EDITS):
        further: list[_State] = []
        for found in merge(*(_neighbours(source, state, seen) for state in level), key=lambda s: -s.score):
            if budget <= 0:
                return
            budget -= 1
            after = _stumble(found.text)
            if after is None:
                yield _mutation(source, found)
            elif _further(after, found.stumble):
                harm = UNLIKELY if _is_broken(after) and not _is_broken(found.stumble) else 1.0
                further.append(found._replace(stumble=after, score=found.score * harm))
        level = sorted(further, key=lambda s: -s.score)[:BEAM_WIDTH]


def _mutation(source: str, state: _State) -> Mutation:
    first = state.edits[0].start
    return Mutation(state.edits, "syntax", state.score, source.count("\n", 0, first) + 1, source)


def _stumble(text: str) -> _Stumble | None:
    """Where the parser stumbles; None for a text that parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse(text)
    except SyntaxError as error:
        return _Stumble(error.lineno or 1, max(0, (error.offset or 1) - 1), error.msg or "")
    except (ValueError, RecursionError, MemoryError) as error:
        return _Stumble(1, 0, str(error))
    return None


def _further(after: _Stumble, before: _Stumble) -> bool:
    return (after.line, after.column) > (before.line, before.column + 1) or (
        after.message != before.message and after.line >= before.line
    )


def _is_broken(stumble: _Stumble) -> bool:
    """Whether brackets, quotes or depths do not fit: an edit that brings this about has done harm."""
    return any(
        word in stumble.message for word in ("unmatched", "does not match", "unterminated", "never closed", "indent")
    )


def _neighbours(source: str, state: _State, seen: set[str]) -> Iterator[_State]:
    """What the text becomes by one edit near the stumble, likely ones first."""
    heap: list[tuple[float, int, Edit]] = []
    for count, (edit, weight) in enumerate(_edits(state.text, state.stumble)):
        heappush(heap, (-weight, count, edit))
    while heap:
        key, _, edit = heappop(heap)
        text = splice_edits(state.text, (edit,))
        if text not in seen:
            seen.add(text)
            edits = compose_edits(source, state.edits, (edit,))
            yield _State(text, edits, state.score * -key, state.stumble)


def _edits(text: str, stumble: _Stumble) -> Iterator[tuple[Edit, float]]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    yield from _conflicts(text)
    index = min(stumble.line, len(lines)) - 1
    for near, share in _suspects(lines, index):
        column = stumble.column if near == index else len(lines[near])
        for new, weight in line_repairs(lines[near], column):
            if new != lines[near]:
                yield Edit(starts[near], starts[near] + len(lines[near]), new), weight * share
    yield from _indentation(lines, starts, index)
    yield from _multiline(text, lines, starts, index)


def _suspects(lines: list[str], index: int) -> Iterator[tuple[int, float]]:
    """Lines near the stumble: its own, the ones of code before and after."""
    yield index, 1.0
    before = [i for i in range(index - 1, -1, -1) if lines[i].strip()][:LINES_BEFORE_ERROR]
    yield from ((i, VERY_LIKELY - LINE_DECLINE * rank) for rank, i in enumerate(before))
    yield from (
        (i, POSSIBLE) for i in range(index + 1, min(index + 1 + LINES_AFTER_ERROR, len(lines))) if lines[i].strip()
    )


def _conflicts(text: str) -> Iterator[tuple[Edit, float]]:
    """A merge conflict is settled for one side or the other, the first one first."""
    found = _CONFLICT.search(text)
    if found:
        yield Edit(found.start(), found.end(), found.group(1)), 1.0
        yield Edit(found.start(), found.end(), found.group(2)), NEARLY_EQUAL
        yield Edit(found.start(), found.end(), found.group(1) + found.group(2)), HALF
    for fence in re.finditer(r"^```\w*\n?", text, re.MULTILINE):
        yield Edit(fence.start(), fence.end(), ""), ALMOST_SURE


def _indentation(lines: list[str], starts: list[int], index: int) -> Iterator[tuple[Edit, float]]:
    """A line, or the lines from it on that belong together, at another depth."""
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
    """The last of the lines from `index` on that are at least as deep."""
    last, depth = index, len(indent_of(lines[index]))
    for at in range(index + 1, len(lines)):
        if lines[at].strip():
            if len(indent_of(lines[at])) < depth:
                break
            last = at
    return last


def _multiline(text: str, lines: list[str], starts: list[int], index: int) -> Iterator[tuple[Edit, float]]:
    """Slips that no line shows alone: an open bracket or string further up, a line too many."""
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
