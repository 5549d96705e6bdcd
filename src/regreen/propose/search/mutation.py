"""The mutations that the search proposes, the results of screening them, and edits applied to text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from regreen.types import Edit

ScreeningStatus = Literal["passed", "failed", "hung", "broken", "duplicate", "crashed"]
SYNTHESISED: Final = "synthesised"
"""In the place of a template's name: the mutation was made of values seen in the program."""
_NOTE_CHARACTERS: Final = 60
"""Longest piece of code in the words for a change."""


class WeightedEdits(NamedTuple):
    """The edits of one mutation as a template yields them, before they are scored."""

    edits: tuple[Edit, ...]
    weight: float = 1.0
    """How likely beside the other mutations of the same template at the same node, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One small change of the program's text."""

    edits: tuple[Edit, ...]
    """Sorted by position, not overlapping."""
    template: str
    """The name in the table of templates; "a+b" where two were combined."""
    score: float
    """An estimate of how likely it is to be the repair; only the order counts."""
    line: int
    """Where the first edit begins, from 1."""
    source: str = field(default="", repr=False, compare=False)
    """The text that the edits are of."""

    @property
    def note(self) -> str:
        """What changed, in words, e.g. "`<` became `<=` in line 7"."""
        return describe_edits(self.source, self.edits)


@dataclass(frozen=True, slots=True)
class ScreenedMutation:
    """One mutation with the result of a quick run of the checks."""

    mutation: Mutation
    status: ScreeningStatus
    passed: frozenset[str] = frozenset()
    """Ids of the checks that passed."""
    distance: float = 1.0
    """Mean distance between actual and expected values, in [0, 1]: 1.0 where unknown, 0.0 when all checks pass."""
    got_past: float = 0.0
    """Assertions that the failed tests got past, for each test as a share of its own."""


def edit_position(edit: Edit) -> tuple[int, int]:
    """Where an edit begins and ends: the key by which edits are sorted."""
    return edit.start, edit.end


def are_apart(one: Sequence[Edit], other: Sequence[Edit]) -> bool:
    """Whether no edit of one touches an edit of the other."""
    return all(a.end < b.start or b.end < a.start for a in one for b in other)


def splice_edits(source: str, edits: Sequence[Edit], start: int = 0, end: int | None = None) -> str:
    """The text after the edits, which must be sorted and must not overlap; or the part of it that comes of what stands
    between two offsets, where all of them lie."""
    pieces: list[str] = []
    at = start
    for edit in edits:
        pieces += (source[at : edit.start], edit.text)
        at = edit.end
    pieces.append(source[at:end])
    return "".join(pieces)


def trimmed_edits(source: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The same change by edits that touch no word or sign at their ends which stays; none of them inserts alone."""
    return tuple(_trimmed(source, edit) for edit in edits)


def _trimmed(source: str, edit: Edit) -> Edit:
    old, new = source[edit.start : edit.end], edit.text
    most = min(len(old), len(new))
    ahead = 0
    while ahead < most and old[ahead] == new[ahead]:
        ahead += 1
    while _within_word(old, ahead) or _within_word(new, ahead):
        ahead -= 1
    most -= ahead
    behind = 0
    while behind < most and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    while _within_word(old, len(old) - behind) or _within_word(new, len(new) - behind):
        behind -= 1
    if ahead + behind == len(old) and old:
        ahead, behind = _with_neighbour(old, ahead, behind)
    return Edit(edit.start + ahead, edit.end - behind, new[ahead : len(new) - behind])


def _with_neighbour(old: str, ahead: int, behind: int) -> tuple[int, int]:
    """What stays before and after an insertion once the word or sign beside it is written anew as well."""
    if not ahead:
        behind -= 1
        while _within_word(old, len(old) - behind):
            behind -= 1
        return ahead, behind
    ahead -= 1
    while _within_word(old, ahead):
        ahead -= 1
    return ahead, behind


def _within_word(text: str, at: int) -> bool:
    """Whether a word would be cut here."""
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def compose_edits(source: str, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of `source` that do what `first` and then `second` (on the text after `first`) do."""
    middle = splice_edits(source, first)
    spans = sorted([*_images(first), *((e.start, e.end, e, 1) for e in second)], key=lambda s: (s[0], s[1], s[3]))
    shift = 0
    composed: list[Edit] = []
    for low, high, cluster in _clusters(spans):
        mine = [edit for edit, layer in cluster if layer == 1]
        text = splice_edits(middle, mine, low, high)
        grown = sum(len(e.text) - (e.end - e.start) for e, layer in cluster if layer == 0)
        composed.append(Edit(low - shift, high - shift - grown, text))
        shift += grown
    return tuple(e for e in composed if source[e.start : e.end] != e.text)


def touched_lines(after: str, edits: Sequence[Edit]) -> Iterator[int]:
    """The lines, from 1, of the edited text in which the new pieces stand."""
    for start, end, _, _ in _images(edits):
        first = after.count("\n", 0, start) + 1
        yield from range(first, first + after.count("\n", start, max(start, end - 1)) + 1)


def _images(edits: Sequence[Edit]) -> Iterator[tuple[int, int, Edit, int]]:
    """Where each edit's new text stands in the edited text."""
    shift = 0
    for edit in edits:
        yield edit.start + shift, edit.start + shift + len(edit.text), edit, 0
        shift += len(edit.text) - (edit.end - edit.start)


def _clusters(spans: Sequence[tuple[int, int, Edit, int]]) -> Iterator[tuple[int, int, list[tuple[Edit, int]]]]:
    """Spans that touch, joined; an insertion joins what it touches."""
    low = high = -1
    cluster: list[tuple[Edit, int]] = []
    for start, end, edit, layer in spans:
        if cluster and start > high:
            yield low, high, cluster
            cluster = []
        if not cluster:
            low, high = start, end
        high = max(high, end)
        cluster.append((edit, layer))
    if cluster:
        yield low, high, cluster


def describe_edits(source: str, edits: Sequence[Edit]) -> str:
    """What the edits do, in plain words."""
    return "; ".join(_describe_one(source, edit) for edit in edits)


def _describe_one(source: str, edit: Edit) -> str:
    old, new = _short(source[edit.start : edit.end]), _short(edit.text)
    line = source.count("\n", 0, edit.start) + 1
    if not old:
        return f"inserted `{new}` in line {line}"
    if not new:
        return f"removed `{old}` from line {line}"
    return f"`{old}` became `{new}` in line {line}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _NOTE_CHARACTERS else flat[: _NOTE_CHARACTERS - 3] + "..."
