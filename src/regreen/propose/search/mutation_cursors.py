"""The ideas for one program in order, shared by all repairs that need more than one of them."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from regreen.propose.search.deduplication import DeduplicationKey, DeduplicationKeys
from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.mutation_queue import MutationQueue
from regreen.types import Edit

NEAR_LINES: Final = 3
"""Lines within which the next edit of a repair is likelier."""
NEAR: Final = 1.5
SAME: Final = 2.0
"""How much likelier the next edit of a repair is nearby, and of the same family."""


class KeyedMutation(NamedTuple):
    """One edit of the program, with its score and what it makes of the statements that it touches."""

    score: float
    template: str
    edits: tuple[Edit, ...]
    key: DeduplicationKey
    line: int


class DistinctMutations:
    """What the stream of a program gives, each once; it is asked only as far as somebody has come."""

    def __init__(self, stream: MutationQueue, normal: DeduplicationKeys, source: str) -> None:
        self.duplicates = 0
        self._stream = stream
        self._normal = normal
        self._source = source
        self._known: list[KeyedMutation] = []
        self._keys: set[DeduplicationKey] = set()

    def bound(self, index: int) -> float:
        """An upper bound of the score of the idea at this place and of all that follow; 0 when there is none."""
        if index < len(self._known):
            return self._known[index].score
        return min(self._stream.peek(), self._known[-1].score) if self._known else self._stream.peek()

    def at(self, index: int) -> KeyedMutation | None:
        """The idea at this place of the order."""
        while index >= len(self._known):
            if not self._grow():
                return None
        return self._known[index]

    def _grow(self) -> bool:
        found = self._stream.pop()
        if found is None:
            return False
        edits = found.draft.edits
        if len(edits) > 1:
            edits = tuple(sorted(edits, key=lambda edit: edit.start))
        key = self._normal.key(edits) if edits and not changes_nothing(self._source, edits) else None
        if key is None or key in self._keys:
            self.duplicates += 1
            return True
        self._keys.add(key)
        line = self._source.count("\n", 0, edits[0].start) + 1
        score = min(found.score, self._known[-1].score) if self._known else found.score
        self._known.append(KeyedMutation(score, found.template.name, edits, key, line))
        return True


class FirstEditCursor:
    """The ideas of a program from the best on, as a first edit."""

    def __init__(self, ideas: DistinctMutations) -> None:
        self._ideas = ideas
        self._index = 0

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return self._ideas.bound(self._index)

    def pop(self) -> KeyedMutation | None:
        """The best idea that is left."""
        self._index += 1
        return self._ideas.at(self._index - 1)


class FurtherEditCursor:
    """The ideas of a program as one more edit beside earlier ones, nearby ones and those of the same family first."""

    def __init__(self, ideas: DistinctMutations, edits: Sequence[Edit], template: str, line: int) -> None:
        self._ideas = ideas
        self._edits = edits
        self._template = template
        self._line = line
        self._index = 0
        self._ahead: list[tuple[float, int]] = []

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return max(self._ideas.bound(self._index) * NEAR * SAME, -self._ahead[0][0] if self._ahead else 0.0)

    def pop(self) -> KeyedMutation | None:
        """The best idea that is left and can be had beside the earlier edits, with its score here."""
        ideas, ahead = self._ideas, self._ahead
        while not ahead or -ahead[0][0] < ideas.bound(self._index) * NEAR * SAME:
            idea = ideas.at(self._index)
            if idea is None:
                break
            if _apart(self._edits, idea.edits):
                likelier = SAME if idea.template == self._template else 1.0
                likelier *= NEAR if abs(idea.line - self._line) <= NEAR_LINES else 1.0
                heappush(ahead, (-idea.score * likelier, self._index))
            self._index += 1
        if not ahead:
            return None
        score, index = heappop(ahead)
        found = ideas.at(index)
        return None if found is None else found._replace(score=-score)


def _apart(one: Sequence[Edit], other: Sequence[Edit]) -> bool:
    """Whether two groups of edits neither overlap nor insert at the same context."""
    for a in one:
        for b in other:
            if not (a.end < b.start or b.end < a.start):
                if a.end == b.start and a.start < a.end and b.start < b.end:
                    continue
                if b.end == a.start and b.start < b.end and a.start < a.end:
                    continue
                return False
    return True


def changes_nothing(source: str, edits: Sequence[Edit]) -> bool:
    """Whether the text after the edits is the text before."""
    if len(edits) == 1:
        edit = edits[0]
        return source[edit.start : edit.end] == edit.text
    low, high = edits[0].start, edits[-1].end
    inside = [Edit(edit.start - low, edit.end - low, edit.text) for edit in edits]
    return splice_edits(source[low:high], inside) == source[low:high]
