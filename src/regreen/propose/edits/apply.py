"""Applies line edits to a program: each is checked against the text that it quotes, and all or none are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from regreen.propose.edits.line_edit import EditRefusal, LineEdit, Operation
from regreen.propose.edits.quoted_lines import LineMatch, find_lines, split_lines, without_blank_edges

_MAX_QUOTED_LINES: Final = 6
"""Lines of the program that a refusal quotes."""
_MAX_QUOTED_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class PlacedEdit:
    """One edit at its place: lines `first` to `last`, from 0, `last` excluded, become `new`."""

    first: int
    last: int
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditedProgram:
    """The program after its edits."""

    source: str
    notes: tuple[str, ...] = ()
    """How edits were made that do not fit exactly as they are written, in words."""
    placed: tuple[PlacedEdit, ...] = ()
    """The edits at their places, in the order of the text."""


def apply_edits(source: str, edits: Sequence[LineEdit]) -> EditedProgram | EditRefusal:
    """The program with all edits made, or why one of them cannot be.

    A quotation has to match the program at its lines, blanks at line ends aside; indentation may differ if it does
    so evenly, and the new lines are then moved by as much. Where it does not stand at its lines but once elsewhere,
    the edit is made there. Insertions may leave it out and go by the line alone.
    """
    program = split_lines(source)
    placed: list[tuple[PlacedEdit, int]] = []
    notes: list[str] = []
    for number, edit in enumerate(edits, 1):
        found = _placed(program, edit, number, notes)
        if isinstance(found, EditRefusal):
            return found
        placed.append((found, number))
    placed.sort(key=lambda item: (item[0].first, item[0].last))
    if clash := _clash(placed):
        return clash
    for one, _ in reversed(placed):
        program[one.first : one.last] = one.new
    end = "\n" if source.endswith("\n") or not source else ""
    return EditedProgram("\n".join(program) + end * bool(program), tuple(notes), tuple(one for one, _ in placed))


def _placed(program: list[str], edit: LineEdit, number: int, notes: list[str]) -> PlacedEdit | EditRefusal:
    """One edit, placed."""
    if edit.operation is not Operation.DELETE and not edit.new and edit.operation.inserts:
        return EditRefusal("there is nothing to insert: new is empty.", number)
    place = _by_text(program, edit, number, notes) if edit.old.strip() else _by_line(program, edit, number)
    if not isinstance(place, LineMatch):
        return place
    new = place.fitted(split_lines(edit.new)) if edit.new else []
    if edit.operation is Operation.INSERT_BEFORE:
        return PlacedEdit(place.first, place.first, tuple(new))
    if edit.operation is Operation.INSERT_AFTER:
        return PlacedEdit(place.last, place.last, tuple(new))
    return PlacedEdit(place.first, place.last, () if edit.operation is Operation.DELETE else tuple(new))


def _by_line(program: list[str], edit: LineEdit, number: int) -> LineMatch | EditRefusal:
    """The place of an edit that quotes nothing: blank lines, or an insertion."""
    if edit.first_line is None:
        return EditRefusal("it says neither first_line nor old: say which lines are meant.", number)
    last = edit.first_line if edit.last_line is None else edit.last_line
    lowest = 0 if edit.operation is Operation.INSERT_AFTER else 1
    highest = len(program) + (edit.operation is Operation.INSERT_BEFORE)
    if not lowest <= edit.first_line <= last <= highest:
        return EditRefusal(
            f"lines {edit.first_line} to {last} are not lines of the program, which has {len(program)}.", number
        )
    place = LineMatch(max(0, edit.first_line - 1), last)
    if not edit.operation.inserts and any(line.strip() for line in program[place.first : place.last]):
        return EditRefusal(f"old is empty. Quote in it what lines {edit.first_line} to {last} say now.", number)
    return place


def _by_text(program: list[str], edit: LineEdit, number: int, notes: list[str]) -> LineMatch | PlacedEdit | EditRefusal:
    """The place of what an edit quotes: at its line if it is there, else the only place in the program."""
    quoted = split_lines(edit.old)
    places = find_lines(program, quoted)
    claimed = None if edit.first_line is None else edit.first_line - 1
    blank = next((i for i, line in enumerate(quoted) if line.strip()), 0)
    here = [p for p in places if claimed is not None and p.first in (claimed, claimed + blank)]
    if here:
        return here[0]
    if len(places) == 1:
        if claimed is not None:
            notes.append(f"Edit {number} names line {claimed + 1}; its text stands in line {places[0].first + 1}.")
        return places[0]
    if not places:
        return _within(program, edit, number, notes)
    lines = ", ".join(str(place.first + 1) for place in places[:_MAX_QUOTED_LINES])
    return EditRefusal(
        f"old is found at lines {lines}: say which by first_line, or quote more lines around it.",
        number,
    )


def _within(program: list[str], edit: LineEdit, number: int, notes: list[str]) -> PlacedEdit | EditRefusal:
    """An edit that quotes a part of one line: found once in its line, or in one line of the program alone."""
    (piece, *more) = without_blank_edges(split_lines(edit.old))
    piece = piece.strip()
    holders = [i for i, line in enumerate(program) if piece in line]
    claimed = -1 if edit.first_line is None else edit.first_line - 1
    at = claimed if claimed in holders else holders[0] if len(holders) == 1 else -1
    if more or at < 0 or program[at].count(piece) != 1 or edit.operation.inserts or "\n" in edit.new.strip("\n"):
        return EditRefusal(_unfound(program, edit), number)
    new = "" if edit.operation is Operation.DELETE else edit.new.strip()
    notes.append(f"Edit {number} quotes only a part of line {at + 1}; the rest of that line is kept.")
    return PlacedEdit(at, at + 1, (program[at].replace(piece, new),))


def _unfound(program: list[str], edit: LineEdit) -> str:
    """Words to the model: the quotation is not in the program, and this is what its lines hold."""
    first = edit.first_line or 0
    last = min(max(first, edit.last_line or first), first + _MAX_QUOTED_LINES - 1, len(program))
    if not 1 <= first <= last:
        return "old is not in the program. Quote lines exactly as they stand there."
    there = "\n".join(f"{i}: {program[i - 1][:_MAX_QUOTED_CHARACTERS]}" for i in range(first, last + 1))
    return f"old is not in the program. Quote lines exactly as they stand there. What stands there now:\n{there}"


def _clash(placed: list[tuple[PlacedEdit, int]]) -> EditRefusal | None:
    """The refusal of two edits of the same lines, or of an insertion within lines that another replaces."""
    for (one, first), (other, second) in pairwise(placed):
        if other.first < one.last:
            low, high = sorted((first, second))
            return EditRefusal(f"it touches the lines of edit {low}. Make one edit of the two.", high)
    return None
