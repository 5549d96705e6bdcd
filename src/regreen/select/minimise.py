"""Room 5: the smallest part of a candidate's changes that still passes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from regreen.select.added_statements import count_unreachable, without_one, without_unreachable
from regreen.select.edit_extent import edit_size
from regreen.select.signs import signs_cost
from regreen.select.tokens import (
    EditSpan,
    SpacedToken,
    edit_spans,
    lines_of,
    significant_tokens,
    spaced_tokens,
    uneven_depths,
)
from regreen.syntax import parsed_or_none

_LOOKS_PER_TRY = 50
"""Programs that may be assembled for each one that may be judged."""


def minimise(
    before: str, after: str, still_passes: Callable[[str], bool], *, tries: int, within_lines: bool = True
) -> str:
    """`after` with every change undone that it does not need; it passes whenever `after` passes.

    First, unreachable statements that it adds are removed, and none becomes unreachable: a replaced line does not
    come back behind the `return` that replaced it; nor does a step make the change odder (`signs.py`). Then follows
    delta debugging (ddmin: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE
    28(2), 2002) over the changed lines and over the changed tokens, and last the removal of each added statement
    that is not needed. Comments and spacing around the tokens that stay are as they were. With `within_lines` off a
    changed line is undone as a whole or not at all: parts of two lines that were changed on purpose can make a
    third that happens to pass. `still_passes` is called at most `tries` times, never with `before` or `after`; when
    the tries run out, the best program so far is returned. The edit is never larger than the one handed in.
    """
    if significant_tokens(before) == significant_tokens(after):
        return after
    passes = _BoundedPredicate(before, after, still_passes, tries, tries * _LOOKS_PER_TRY)
    if passes(reached := without_unreachable(before, after)):
        passes.best = reached
    passes.unreachable = max(count_unreachable(before), count_unreachable(passes.best))
    for view in (_by_lines, _by_tokens) if within_lines else (_by_lines,):
        passes.best = _smallest_subset(*view(before, passes.best), passes)
    return _without_idle_statements(passes)


@dataclass(slots=True)
class _BoundedPredicate:
    """The predicate with a limit on its calls, and its answers remembered, so that no program is judged twice."""

    before: str
    best: str
    """The smallest program known to pass."""
    still_passes: Callable[[str], bool]
    asks_left: int
    looks_left: int
    known: dict[str, bool] = field(default_factory=dict)
    unreachable: int = sys.maxsize
    """Unreachable statements that a program may have."""

    def __call__(self, source: str) -> bool:
        """Whether a program passes and is no larger an edit than the best so far."""
        if source == self.best:
            return True
        if source not in self.known:
            self.looks_left -= 1
            self.known[source] = self._is_worth_asking(source) and self._ask(source)
        # It may have been tried when the best so far was larger.
        return self.known[source] and not self._is_larger(source)

    def _is_larger(self, source: str) -> bool:
        return edit_size(self.before, source) > edit_size(self.before, self.best)

    def _is_worth_asking(self, source: str) -> bool:
        if source == self.before or min(self.asks_left, self.looks_left) <= 0:
            return False
        if parsed_or_none(source) is None and parsed_or_none(self.best) is not None:
            return False
        if self._is_larger(source):
            return False
        if count_unreachable(source) > self.unreachable:
            return False
        # A block moves as a whole: its lines may pass where they were, and look as if somebody had forgotten them.
        if uneven_depths(source) > max(uneven_depths(self.before), uneven_depths(self.best)):
            return False
        # What shows that a change was half undone, as a set that nothing is added to any more, is no smaller repair.
        return signs_cost(self.before, source) <= signs_cost(self.before, self.best)

    def _ask(self, source: str) -> bool:
        self.asks_left -= 1
        return self.still_passes(source)


def _smallest_subset(
    changes: Sequence[EditSpan], apply: Callable[[Sequence[EditSpan]], str], passes: _BoundedPredicate
) -> str:
    """The program with a minimal set of changes that passes: no single one, and no two neighbours, can be undone."""
    if not passes(apply(changes)):
        return passes.best
    parts = 2
    while len(changes) > 1:
        kept = next((some for some in _subsets(changes, parts) if passes(apply(some))), None)
        if kept is not None:
            parts = 2 if 2 * len(kept) <= len(changes) else max(2, parts - 1)
            changes = kept
        elif parts < len(changes):
            parts = min(len(changes), 2 * parts)
        else:
            break
    return apply(changes)


def _without_idle_statements(passes: _BoundedPredicate) -> str:
    """The program without added statements that it does not need; undoing lines one by one removes no whole block."""
    while (smaller := next(filter(passes, without_one(passes.before, passes.best)), None)) is not None:
        passes.best = smaller
    return passes.best


def _subsets(changes: Sequence[EditSpan], parts: int) -> Iterator[Sequence[EditSpan]]:
    """Subsets to try: each of `parts` chunks of the changes, then all but one chunk, then all but two neighbours."""
    parts = min(parts, len(changes))
    chunks = list(pairwise(len(changes) * part // parts for part in range(parts + 1)))
    yield from (changes[start:end] for start, end in chunks)
    yield from ([*changes[:start], *changes[end:]] for start, end in chunks)
    if parts == len(changes) > 2:
        yield from ([*changes[:start], *changes[start + 2 :]] for start in range(len(changes) - 1))


def _by_lines(before: str, after: str) -> tuple[list[EditSpan], Callable[[Sequence[EditSpan]], str]]:
    """The changed lines, and a function that makes the program with some of them."""
    old, new = lines_of(before), lines_of(after)

    def apply(changes: Sequence[EditSpan]) -> str:
        text, at = "", 0
        for change in changes:
            text += "".join(old[at : change.start]) + "".join(new[change.new_start : change.new_end])
            at = change.end
        return text + "".join(old[at:])

    return _with_blanks(edit_spans(old, new), new), apply


def _with_blanks(changes: Sequence[EditSpan], new: Sequence[str]) -> list[EditSpan]:
    """The changes; added blank lines are joined with what is added after them."""
    joined: list[EditSpan] = []
    for change in changes:
        last = joined[-1] if joined else None
        if last and last.new_end == change.new_start and last.end == change.start and _is_blank(last, new):
            joined[-1] = EditSpan(last.start, change.end, last.new_start, change.new_end)
        else:
            joined.append(change)
    return joined


def _is_blank(change: EditSpan, new: Sequence[str]) -> bool:
    return change.start == change.end and not "".join(new[change.new_start : change.new_end]).strip()


def _by_tokens(before: str, after: str) -> tuple[list[EditSpan], Callable[[Sequence[EditSpan]], str]]:
    """The changed tokens, and a function that makes the program with some of them, the rest formatted as before."""
    old, new = spaced_tokens(before), spaced_tokens(after)

    def apply(changes: Sequence[EditSpan]) -> str:
        return _render(old, new, changes)

    return edit_spans([unit.key for unit in old], [unit.key for unit in new]), apply


def _render(old: Sequence[SpacedToken], new: Sequence[SpacedToken], changes: Sequence[EditSpan]) -> str:
    """The text of `old` with some of the changes that lead to `new`."""
    text, at = "", 0
    for change in [*changes, EditSpan(len(old), len(old), len(new), len(new))]:
        for index in range(at, change.start):
            text = _joined(text, "" if index == 0 and text else old[index].gap, old[index])
        for unit in new[change.new_start : change.new_end]:
            model = old[change.start] if change.end > change.start else unit
            gap = model.gap if model.indent == unit.indent else unit.gap
            text = _joined(text, gap if text else old[0].gap, unit)
        at = change.end
    return text


def _joined(text: str, gap: str, unit: SpacedToken) -> str:
    """The text with one more token: a statement starts a new line, and words do not run together."""
    if unit.indent is not None:
        if text and "\n" not in gap:
            gap = f"\n{unit.indent}"
    elif not gap and _is_word(text[-1:]) and _is_word(unit.text[:1]):
        gap = " "
    return text + gap + unit.text


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
