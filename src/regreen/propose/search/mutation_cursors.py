"""Cursors over mutations: as a first edit, beside earlier edits, or of what earlier edits changed."""

from __future__ import annotations

import ast
from array import array
from collections.abc import Collection, Sequence, Set, Sized
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple, Protocol

from regreen.propose.search.clues import Clues
from regreen.propose.search.constants import (
    LEAST_EXPECTED_SCORE,
    MUTATIONS_PER_REPARSE,
    NEARBY_BOOST,
    NEARBY_LINES,
    REEDIT_FACTOR,
    REPARSED_AT_FIRST,
    REPARSED_CHARACTERS,
    SAME_TEMPLATE_BOOST,
)
from regreen.propose.search.deduplication import DeduplicationKey, DeduplicationKeys
from regreen.propose.search.line_suspicion import LineSuspicion
from regreen.propose.search.mutation import Mutation, splice_edits, touched_lines, trimmed_edits
from regreen.propose.search.mutation_queue import MutationQueue, TemplatesByNodes
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.types import Edit


class RankedMutation(NamedTuple):
    """A mutation in the order of one cursor."""

    score: float
    """What it is worth as the next edit."""
    mutation: Mutation
    key: DeduplicationKey
    """What it makes of the statements that it touches; empty for a mutation of a changed program."""
    narrow: tuple[Edit, ...] = ()
    """Its edits without what they leave as it is, so that two of them fit into one expression."""


class Cursor(Protocol):
    """Mutations that can follow the edits of one program, best first."""

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""

    def pop(self) -> RankedMutation | None:
        """The best mutation that is left."""


class DistinctMutations:
    """The mutations of the given program in order, each once; generated as needed and shared by all cursors."""

    def __init__(self, queue: MutationQueue, keys: DeduplicationKeys, source: str) -> None:
        self.duplicates = 0
        self._queue = queue
        self._keys = keys
        self._source = source
        self._known: list[RankedMutation] = []
        self._seen: set[DeduplicationKey] = set()

    def bound(self, index: int) -> float:
        """An upper bound of the scores from this index on; 0 when nothing is left."""
        if index < len(self._known):
            return self._known[index].score
        return min(self._queue.peek(), self._known[-1].score) if self._known else self._queue.peek()

    def at(self, index: int) -> RankedMutation | None:
        """The mutation at this index, from 0; None behind the last one."""
        while index >= len(self._known):
            if not self._generate():
                return None
        return self._known[index]

    def _generate(self) -> bool:
        mutation = self._queue.pop()
        if mutation is None:
            return False
        key = None if changes_nothing(self._source, mutation.edits) else self._keys.key(mutation.edits)
        if key is None or key in self._seen:
            self.duplicates += 1
            return True
        self._seen.add(key)
        if self._known and mutation.score > self._known[-1].score:
            mutation = replace(mutation, score=self._known[-1].score)
        narrow = trimmed_edits(self._source, mutation.edits)
        self._known.append(
            RankedMutation(mutation.score, mutation, key, mutation.edits if narrow == mutation.edits else narrow)
        )
        return True


class FirstEditCursor:
    """The mutations of a program from the best on, as a first edit."""

    def __init__(self, mutations: DistinctMutations) -> None:
        self._mutations = mutations
        self._index = 0

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return self._mutations.bound(self._index)

    def pop(self) -> RankedMutation | None:
        """The best mutation that is left."""
        self._index += 1
        return self._mutations.at(self._index - 1)


class _Lane:
    """Mutations that were passed and not yet given, with one boost for all: their order is that of their scores."""

    __slots__ = ("_head", "_places", "boost")

    def __init__(self, boost: float) -> None:
        self.boost = boost
        self._places = array("I")
        """Four bytes each: thousands of cursors wait with hundreds of them."""
        self._head = 0

    def __bool__(self) -> bool:
        return self._head < len(self._places)

    @property
    def first(self) -> int:
        """The index of the best one; there must be one."""
        return self._places[self._head]

    def add(self, index: int) -> None:
        """Add one that comes after all others."""
        self._places.append(index)

    def take(self) -> int:
        """Remove and return the best one."""
        index = self.first
        self._head += 1
        if self._head == _SPENT_PLACES:
            del self._places[:_SPENT_PLACES]
            self._head = 0
        return index


_MOST_BOOST: Final = NEARBY_BOOST * SAME_TEMPLATE_BOOST
_SPENT_PLACES: Final = 256
"""Places of a lane that are given back at once."""


class FurtherEditCursor:
    """The mutations of a program beside earlier edits, nearby ones and those of the same template first."""

    __slots__ = ("_found", "_index", "_lanes", "_line", "_mutations", "_narrow", "_template")

    def __init__(self, mutations: DistinctMutations, narrow: Sequence[Edit], template: str, line: int) -> None:
        self._mutations = mutations
        self._narrow = narrow
        """The earlier edits without what they leave as it is."""
        self._template = template
        self._line = line
        self._index = 0
        self._lanes: list[_Lane] = []
        self._found: tuple[float, _Lane | None] = 0.0, None
        """The best score of those that were passed, and their lane."""

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return max(self._mutations.bound(self._index) * _MOST_BOOST, self._found[0])

    def pop(self) -> RankedMutation | None:
        """The best mutation left that fits beside the earlier edits, with its boosted score."""
        mutations = self._mutations
        score, lane = self._found
        while lane is None or score < mutations.bound(self._index) * _MOST_BOOST:
            ranked = mutations.at(self._index)
            if ranked is None:
                break
            passed = self._passed(ranked)
            if passed is not None and (lane is None or ranked.score * passed.boost > score):
                score, lane = ranked.score * passed.boost, passed
        if lane is None:
            return None
        ranked = mutations.at(lane.take())
        self._found = self._best()
        return None if ranked is None else RankedMutation(score, ranked.mutation, ranked.key, ranked.narrow)

    def _best(self) -> tuple[float, _Lane | None]:
        """The best score of those that were passed, and their lane; of equals the one that was passed first."""
        best, place, found = 0.0, 0, None
        bound = self._mutations.bound
        for lane in self._lanes:
            if lane:
                score, first = bound(lane.first) * lane.boost, lane.first
                if found is None or score > best or (score == best and first < place):
                    best, place, found = score, first, lane
        return best, found

    def _passed(self, ranked: RankedMutation) -> _Lane | None:
        """Pass the next mutation; the lane that it waits in, None where it does not fit beside the earlier edits."""
        mutation, index = ranked.mutation, self._index
        self._index += 1
        if not fit_together(self._narrow, ranked.narrow):
            return None
        boost = SAME_TEMPLATE_BOOST if mutation.template == self._template else 1.0
        boost *= NEARBY_BOOST if abs(mutation.line - self._line) <= NEARBY_LINES else 1.0
        lane = self._lane(boost)
        lane.add(index)
        return lane

    def _lane(self, boost: float) -> _Lane:
        for lane in self._lanes:
            if lane.boost == boost:
                return lane
        self._lanes.append(_Lane(boost))
        return self._lanes[-1]


class ChangedPrograms:
    """Parses changed programs so that their edits can be edited again, within a bound on number and size."""

    def __init__(
        self,
        source: str,
        suspicion: LineSuspicion,
        clues: Clues,
        templates: TemplatesByNodes,
        *,
        rng: Random,
        functions: Collection[str] | None,
        given: Sized,
        ended: bool,
    ) -> None:
        self._source = source
        self._suspicion = suspicion
        self._clues = clues
        self._templates = templates
        self._rng = rng
        self._functions = functions
        self._given = given
        """The mutations given so far: the bound grows with them."""
        self._ended = ended
        """Whether an exception ended what the failing checks ran of the given program."""
        self._parsed = 0

    def may_parse(self) -> bool:
        """Whether one more changed program may be parsed now."""
        due = self._parsed < REPARSED_AT_FIRST + len(self._given) // MUTATIONS_PER_REPARSE
        return due and self._parsed * len(self._source) <= REPARSED_CHARACTERS

    def queue(self, edits: Sequence[Edit]) -> MutationQueue | None:
        """The mutations of the edited lines after the edits, and of those that these let run for the first time; None
        if the text does not parse."""
        self._parsed += 1
        text = splice_edits(self._source, edits)
        try:
            program = ParsedProgram(text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        suspicion = self._suspicion.after(self._source, edits, text.count("\n") + 1)
        touched = frozenset(touched_lines(text, edits))
        opened = _opened_lines(program, touched, suspicion, ended=self._ended)
        return MutationQueue(
            program,
            # What runs for the first time was not edited before: nothing is changed there again.
            suspicion.raised(opened, max(map(suspicion.at, touched), default=0.0) / REEDIT_FACTOR),
            self._clues,
            self._templates,
            rng=self._rng,
            functions=self._functions,
            lines=touched | opened,
        )


def _opened_lines(
    program: ParsedProgram, touched: Set[int], suspicion: LineSuspicion, *, ended: bool
) -> frozenset[int]:
    """Lines that never ran in a failing check, of functions in which what is asked, or gone through, was edited; of all
    that were edited where an exception ended what ran.

    `range(top, 0)` goes through nothing; what is wrong in the loop shows once that is mended.
    """
    opened: set[int] = set()
    for node in program.nodes:
        opens = ast.stmt if ended else _OPENING
        if isinstance(node, opens) and not touched.isdisjoint(_header(node)):
            function = program.function(node) or node
            lines = range(function.lineno, (function.end_lineno or function.lineno) + 1)
            opened.update(line for line in lines if suspicion.at(line) == 0.0)
    return frozenset(opened)


_OPENING = (ast.For, ast.AsyncFor, ast.While, ast.If)


def _header(node: ast.stmt) -> range:
    """The lines of a statement, without those of the block that it holds."""
    body = getattr(node, "body", None)
    end = body[0].lineno - 1 if isinstance(body, list) else node.end_lineno or node.lineno
    return range(node.lineno, max(end, node.lineno) + 1)


class ReeditCursor:
    """Mutations of what earlier edits changed; the changed program is parsed at the first `pop`."""

    def __init__(self, programs: ChangedPrograms, edits: Sequence[Edit], expected: float) -> None:
        self._programs = programs
        self._edits = edits
        self._expected = expected
        """Stands in for the bound until the program is parsed; halved each time that it may not be parsed yet."""
        self._queue: MutationQueue | None = None

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return self._expected if self._queue is None else self._queue.peek() * REEDIT_FACTOR

    def pop(self) -> RankedMutation | None:
        """The best mutation that is left; None too when the program may not be parsed yet."""
        if self._queue is None:
            self._parse()
        mutation = None if self._queue is None else self._queue.pop()
        return None if mutation is None else RankedMutation(mutation.score * REEDIT_FACTOR, mutation, ())

    def _parse(self) -> None:
        self._expected = self._expected / 2 if self._expected > LEAST_EXPECTED_SCORE else 0.0
        if self._programs.may_parse():
            self._queue = self._programs.queue(self._edits)
            self._expected = 0.0


def fit_together(one: Sequence[Edit], other: Sequence[Edit]) -> bool:
    """Whether two groups of edits neither overlap nor insert at the same offset."""
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
    if not edits:
        return True
    if len(edits) == 1:
        edit = edits[0]
        return source[edit.start : edit.end] == edit.text
    low, high = edits[0].start, edits[-1].end
    return splice_edits(source, edits, low, high) == source[low:high]
