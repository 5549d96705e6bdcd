"""Finds quoted lines in a program: exactly, or with blanks that differ evenly."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from regreen.syntax import indent_of

_NUMBERED: Final = re.compile(r"[ \t]*(\d{1,6})(?:[ \t]*[|\u2502\u2192:.)]|\t|(?=[ ])|$)")
_BARRED: Final = re.compile(r"[ \t]*(\d{1,6})[ \t]*[|\u2502\u2192]")
_MAX_PLACES: Final = 1_000
"""Places of one quotation that are looked at."""


@dataclass(frozen=True, slots=True)
class LineMatch:
    """The place of quoted lines in a program: lines from 0, `last` excluded."""

    first: int
    last: int
    shift: str = ""
    """Indentation that the program has and the quotation lacks."""
    only_first: bool = False
    """Whether only the first line lacks it, as when a quotation was stripped."""

    def fitted(self, lines: Sequence[str]) -> list[str]:
        """New lines, with the indentation that the quotation lacks."""
        if not self.shift:
            return list(lines)
        moved = [self.shift + line if line.strip() else line for line in lines]
        return [*moved[:1], *lines[1:]] if self.only_first else moved


def split_lines(text: str) -> list[str]:
    """The lines of a text; a final line end begins no further line."""
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def without_blank_edges(lines: Sequence[str]) -> list[str]:
    """The lines without blank ones before and after."""
    kept = [i for i, line in enumerate(lines) if line.strip()]
    return list(lines[kept[0] : kept[-1] + 1]) if kept else []


def without_line_numbers(text: str, *, bars: bool = False) -> str | None:
    """The text without the numbers before its lines; None where they do not count up by one.

    `bars` asks for a bar or an arrow after each number: without one, rows of figures look numbered, too.
    """
    lines, form = text.split("\n"), _BARRED if bars else _NUMBERED
    found = [form.match(line) for line in lines if line.strip()]
    numbers = [int(match.group(1)) for match in found if match]
    if len(numbers) < len(found) or len(numbers) < (1 if bars else 2):
        return None
    if any(after != before + 1 for before, after in pairwise(numbers)):
        return None
    bare = [line[match.end() :] if (match := form.match(line)) else line for line in lines]
    spaced = all(line[:1] in ("", " ") for line in bare)
    return "\n".join(line[1:] for line in bare) if spaced else "\n".join(bare)


def find_lines(program: Sequence[str], quoted: Sequence[str]) -> list[LineMatch]:
    """Every place of the quoted lines, under the strictest reading that finds one.

    The readings: as they stand; without blanks at line ends; without indentation, provided that all lines, or the
    first one alone, lack the same. Blank lines around the quotation do not count where it is not found with them.
    """
    for wanted in (list(quoted), without_blank_edges(quoted)):
        if not wanted:
            continue
        for reading in (_as_is, str.rstrip):
            if places := _places([reading(line) for line in program], [reading(line) for line in wanted]):
                return [LineMatch(first, first + len(wanted)) for first in places]
        loose = _places([line.strip() for line in program], [line.strip() for line in wanted])
        if places_moved := [place for first in loose if (place := _moved(program, wanted, first))]:
            return places_moved
    return []


def _as_is(line: str) -> str:
    return line


def _places(program: list[str], wanted: list[str]) -> list[int]:
    """The lines at which `wanted` begins."""
    text, piece = "\n" + "\n".join(program) + "\n", "\n" + "\n".join(wanted) + "\n"
    starts, at = [], 0
    for line in program:
        starts.append(at)
        at += len(line) + 1
    found: list[int] = []
    position = text.find(piece)
    while position >= 0 and len(found) < _MAX_PLACES:
        found.append(bisect_right(starts, position) - 1)
        position = text.find(piece, position + 1)
    return found


def _moved(program: Sequence[str], wanted: Sequence[str], first: int) -> LineMatch | None:
    """The place of lines that differ in their indentation alone, where it differs evenly."""
    shifts = []
    for there, here in zip(program[first : first + len(wanted)], wanted, strict=True):
        if here.strip():
            ours, theirs = indent_of(there), indent_of(here)
            if not ours.endswith(theirs):
                return None
            shifts.append(ours[: len(ours) - len(theirs)])
    last = first + len(wanted)
    if len(set(shifts)) == 1:
        return LineMatch(first, last, shifts[0])
    return LineMatch(first, last, shifts[0], only_first=True) if not any(shifts[1:]) else None
