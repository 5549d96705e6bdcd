"""Diffs and search-and-replace blocks: read with tolerance, applied all or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from regreen.propose.edits.quoted_lines import LineMatch, find_lines
from regreen.propose.reply.blocks import Block

_SEARCH: Final = re.compile(r"[ \t]*<{5,9}(?: ?(?:SEARCH|ORIGINAL|HEAD|OLD|BEFORE))?[^\n]*", re.IGNORECASE)
_MIDDLE: Final = re.compile(r"[ \t]*={5,9}[ \t]*")
_REPLACE: Final = re.compile(r"[ \t]*>{5,9}(?: ?(?:REPLACE|UPDATED|NEW|AFTER))?[^\n]*", re.IGNORECASE)
_HUNK: Final = re.compile(r"@@[ \t]*(?:-(\d{1,7}))?")
_HEADER: Final = re.compile(r"(?:--- |\+\+\+ |diff |index |new file|old mode|new mode|\\ No newline)")
_FENCE: Final = re.compile(r"[ \t]*(?:`{3,}|~{3,})\w*[ \t]*")
_MAX_REPLACEMENTS: Final = 200
"""Changes that one reply may hold."""


@dataclass(frozen=True, slots=True)
class LineReplacement:
    """Lines of the program, and the lines that take their place."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    near: int | None = None
    """Line, from 1, at which the reply says they are."""


def search_blocks_in(text: str) -> list[LineReplacement]:
    """The search-and-replace blocks of a reply, fenced or not."""
    replacements: list[LineReplacement] = []
    old: list[str] = []
    new: list[str] = []
    side: list[str] | None = None
    for line in text.split("\n"):
        if _SEARCH.fullmatch(line):
            old, new = [], []
            side = old
        elif side is old and side is not None and _MIDDLE.fullmatch(line):
            side = new
        elif side is new and side is not None and _REPLACE.fullmatch(line):
            replacements.append(LineReplacement(_unfenced(old), _unfenced(new)))
            side = None
        elif side is not None:
            side.append(line)
    return replacements


def _unfenced(lines: list[str]) -> tuple[str, ...]:
    """The lines without a fence around them."""
    first = 1 if lines and _FENCE.fullmatch(lines[0]) else 0
    last = len(lines) - 1 if len(lines) > first and _FENCE.fullmatch(lines[-1]) else len(lines)
    return tuple(lines[first:last])


def holds_search_blocks(text: str) -> bool:
    """Whether there is a whole search-and-replace block in a text."""
    return any(_SEARCH.fullmatch(line) for line in text.split("\n")) and bool(search_blocks_in(text))


def diff_hunks_in(block: Block) -> list[LineReplacement]:
    """The hunks of a diff as models write it, whose counts are not trusted; empty where the block is none."""
    lines = block.text.split("\n")
    marked = any(line.startswith("@@") for line in lines)
    named = any(a.startswith("--- ") and b.startswith("+++ ") for a, b in pairwise(lines))
    if not (marked or named or block.tag in ("diff", "patch", "udiff")):
        return []
    return [replacement for hunk in _hunks(lines, marked) if (replacement := _replacement(*hunk)) is not None]


def _hunks(lines: Sequence[str], marked: bool) -> list[tuple[list[str], int | None]]:
    """The lines of each hunk, with the line at which its head puts it."""
    hunks: list[tuple[list[str], int | None]] = [] if marked else [([], None)]
    for line in lines:
        found = _HUNK.match(line)
        if found:
            hunks.append(([], int(found.group(1)) if found.group(1) else None))
        elif hunks and not _HEADER.match(line):
            hunks[-1][0].append(line)
    return hunks


def _replacement(lines: Sequence[str], near: int | None) -> LineReplacement | None:
    """One hunk as old lines and new ones; lines without a mark are context whose mark was lost."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not any(line[:1] in ("+", "-") for line in lines):
        return None
    bare = [line[1:] if line[:1] in ("+", "-", " ") else line for line in lines]
    old = tuple(text for text, line in zip(bare, lines, strict=True) if line[:1] != "+")
    new = tuple(text for text, line in zip(bare, lines, strict=True) if line[:1] != "-")
    return LineReplacement(old, new, near)


def new_side(replacements: Sequence[LineReplacement]) -> str:
    """The new lines of all replacements, as text: whole functions are taken from it where these do not fit."""
    return "\n\n".join("\n".join(replacement.new) for replacement in replacements) + "\n"


def apply_replacements(source: str, replacements: Sequence[LineReplacement]) -> tuple[str, tuple[str, ...]] | str:
    """The program with all changes made and notes on how they were found, or why one of them does not fit."""
    if len(replacements) > _MAX_REPLACEMENTS:
        return f"There are {len(replacements)} changes; at most {_MAX_REPLACEMENTS} are taken."
    lines = source.split("\n")
    notes: list[str] = []
    moved = 0
    for number, replacement in enumerate(replacements, 1):
        near = None if replacement.near is None else replacement.near - 1 + moved
        found = _fitting(lines, replacement, near)
        if isinstance(found, str):
            return f"Change {number}: {found}"
        place, old, new = found
        if len(old) < len(replacement.old):
            notes.append(f"some lines around change {number} are not in the program and were passed over")
        lines[place.first : place.last] = place.fitted(new)
        moved += len(new) - (place.last - place.first)
    return "\n".join(lines), tuple(notes)


def _fitting(
    lines: list[str], replacement: LineReplacement, near: int | None
) -> tuple[LineMatch, Sequence[str], Sequence[str]] | str:
    """Where a replacement fits: whole, or without lines that only surround it."""
    if not any(line.strip() for line in replacement.old):
        return "it does not say where it belongs: quote lines of the program around it."
    for old, new in _versions(replacement):
        places = find_lines(lines, old)
        if places and near is not None:
            return min(places, key=lambda place: abs(place.first - near)), old, new
        if len(places) == 1:
            return places[0], old, new
        if places:
            where = ", ".join(str(place.first + 1) for place in places[:6])
            return f"its lines are found at lines {where}: quote more lines around it."
    first = next(line.strip() for line in replacement.old if line.strip())
    return f"its lines are not in the program as they stand, beginning with `{first[:120]}`."


def _versions(replacement: LineReplacement) -> list[tuple[Sequence[str], Sequence[str]]]:
    """A replacement as it is, without blank lines around it, and without lines that both sides share at their ends."""
    old, new = list(replacement.old), list(replacement.new)
    versions: list[tuple[Sequence[str], Sequence[str]]] = [(old, new)]
    head = tail = 0
    shortest = min(len(old), len(new))
    while head < shortest and not old[head].strip() and not new[head].strip():
        head += 1
    while tail < shortest - head and not old[-1 - tail].strip() and not new[-1 - tail].strip():
        tail += 1
    versions.append((old[head : len(old) - tail], new[head : len(new) - tail]))
    while head < shortest and old[head].strip() == new[head].strip():
        head += 1
    while tail < shortest - head and old[-1 - tail].strip() == new[-1 - tail].strip():
        tail += 1
    core = old[head : len(old) - tail]
    if any(line.strip() for line in core):
        versions.append((core, new[head : len(new) - tail]))
    return versions
