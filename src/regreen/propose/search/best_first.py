"""Generate-and-validate: what to try next, given what the tries so far have said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from random import Random
from typing import Final

from regreen.propose.search.clues import Clues
from regreen.propose.search.deduplication import DeduplicationKey, DeduplicationKeys
from regreen.propose.search.line_suspicion import LineSuspicion
from regreen.propose.search.mutation import Mutation, ScreenedMutation, compose_edits, splice_edits, touched_lines
from regreen.propose.search.mutation_cursors import (
    DistinctMutations,
    FirstEditCursor,
    FurtherEditCursor,
    KeyedMutation,
    changes_nothing,
)
from regreen.propose.search.mutation_queue import MutationQueue, template_priors
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.syntax_repair import repair_syntax
from regreen.propose.search.template import Template
from regreen.propose.search.templates import TEMPLATES
from regreen.types import Edit, Site

_DEEPEST: Final = 3
"""How many edits may follow one another."""
_HOPELESS: Final = 1e-9
_STEP: Final = 0.12
"""The chance that a change which made things better is part of the repair, before its score is looked at."""
_PROGRESS: Final = 7.0
"""How much more is made of a change that wins all that is to be won than of one that wins next to nothing."""
_LAGGING: Final = 0.3
"""What a change is worth at least that came much less far than the best one did."""
_BLIND: Final = 0.1
"""What a change is worth that made nothing better and nothing worse."""
_HELD: Final = 600_000
"""Characters of changed programs that are kept in mind at once; what is less promising must wait or go."""
_WITHIN: Final = 0.15
"""What changing once more what was changed just now is worth, beside a change elsewhere."""
_OPEN_FIRST, _OPEN_EVERY = 12, 100
"""Changed programs that are parsed anew at first, and then one more for so many mutations: one costs as much."""


@dataclass(frozen=True, slots=True)
class _Base:
    """A program to go on from: the given one, or a changed one."""

    edits: tuple[Edit, ...]
    key: DeduplicationKey
    templates: tuple[str, ...]
    line: int
    passed: frozenset[str]
    distance: float
    factor: float
    """Multiplies the scores of what follows."""


@dataclass(slots=True)
class _Branch:
    """One way to go on from a base."""

    base: _Base
    ideas: FirstEditCursor | FurtherEditCursor | _Within


class BestFirstSearch:
    """Mutations of one program, best first, guided by what screening said of the earlier ones."""

    def __init__(
        self,
        source: str,
        sites: Sequence[Site],
        clues: Clues,
        *,
        seed: int = 0,
        functions: Collection[str] | None = None,
        templates: Collection[Template] = TEMPLATES,
    ) -> None:
        self.source = source
        self._clues = clues
        self._rng = Random(seed)
        self._functions = functions
        self._priors = template_priors(templates, clues)
        self._suspicion = LineSuspicion.of(sites, source.count("\n") + 1)
        self._root = _Base((), (), (), 0, frozenset(), 1.0, 1.0)
        self._origins: dict[tuple[Edit, ...], tuple[_Base, DeduplicationKey]] = {}
        self._queue: list[tuple[float, int, _Branch, KeyedMutation | None]] = []
        self._count = 0
        self._opened = 0
        self._top = 0.0
        self._nearest = 0.0
        """How much of the way to the repair the best changed program has come, in [0, 1]."""
        self._seen: set[DeduplicationKey] = set()
        self._repeats = 0
        self._normal: DeduplicationKeys | None = None
        self._ideas: DistinctMutations | None = None
        self._mended: Iterator[Mutation] = iter(())
        self._start()

    @property
    def duplicates(self) -> int:
        """How many equal candidates were dropped."""
        return self._repeats + (self._ideas.duplicates if self._ideas is not None else 0)

    def _start(self) -> None:
        try:
            program = ParsedProgram(self.source)
        except (SyntaxError, ValueError, RecursionError):
            self._mended = repair_syntax(self.source)
            return
        stream = MutationQueue(
            program, self._suspicion, self._clues, self._priors, rng=self._rng, functions=self._functions
        )
        self._normal = DeduplicationKeys(program)
        self._ideas = DistinctMutations(stream, self._normal, self.source)
        self._top = stream.peek()
        self._enqueue(_Branch(self._root, FirstEditCursor(self._ideas)), self._top)

    def baseline(self, passed: Iterable[str], distance: float) -> None:
        """Says what the checks made of the program as it is."""
        self._root = replace(self._root, passed=frozenset(passed), distance=distance)

    def next_batch(self, n: int) -> list[Mutation]:
        """The `n` best mutations that have not been given yet; fewer when there are no more."""
        batch: list[Mutation] = []
        while len(batch) < n:
            mutation = self._next()
            if mutation is None:
                break
            batch.append(mutation)
        return batch

    def learn(self, results: Sequence[ScreenedMutation]) -> None:
        """Takes in what screening said: changes that made things better are gone on from."""
        for result in results:
            base, key = self._origins.pop(result.mutation.edits, (self._root, ()))
            if result.status == "failed":
                self._climb(result, base if base.edits else self._root, key)

    def _next(self) -> Mutation | None:
        for mended in self._mended:
            return mended
        while self._queue:
            _, _, branch, idea = heappop(self._queue)
            if idea is None:
                idea = branch.ideas.pop()
                self._enqueue(branch, branch.base.factor * branch.ideas.peek())
                if idea is None:
                    continue
                score = branch.base.factor * idea.score
                if self._queue and score < -self._queue[0][0]:
                    self._count += 1
                    heappush(self._queue, (-score, self._count, branch, idea))
                    continue
            mutation = self._mutation(branch.base, idea)
            if mutation is not None:
                return mutation
        return None

    def _enqueue(self, branch: _Branch, bound: float) -> None:
        if bound > 0.0:
            self._count += 1
            heappush(self._queue, (-bound, self._count, branch, None))

    def _mutation(self, base: _Base, idea: KeyedMutation) -> Mutation | None:
        edits, key = idea.edits, idea.key
        if base.edits and key:
            assert self._normal is not None
            edits = tuple(sorted((*base.edits, *edits), key=_position))
            joined = self._normal.joined(base.key, key, edits)
        elif base.edits:
            edits = compose_edits(self.source, base.edits, edits)
            joined = self._key(edits)
        else:
            joined = key
        if joined is None or joined in self._seen:
            self._repeats += 1
            return None
        self._seen.add(joined)
        self._origins[edits] = base, joined
        name = "+".join((*base.templates, idea.template))
        line = idea.line if not base.edits else self.source.count("\n", 0, edits[0].start) + 1
        return Mutation(edits, name, base.factor * idea.score, line, self.source)

    def _key(self, edits: Sequence[Edit]) -> DeduplicationKey | None:
        if not edits or self._normal is None or changes_nothing(self.source, edits):
            return None
        return self._normal.key(edits)

    def _climb(self, result: ScreenedMutation, base: _Base, key: DeduplicationKey) -> None:
        gain = _gain(result, base.passed, base.distance)
        templates = tuple(result.mutation.template.split("+"))
        depth = len(templates)
        blind = gain <= _BLIND
        if gain <= 0.0 or depth >= (2 if blind else _DEEPEST):
            return
        if not blind:
            near = max(0.0, 1.0 - result.distance / max(self._root.distance, 0.01))
            self._nearest = max(self._nearest, near)
            gain *= max(_LAGGING, near / self._nearest) if self._nearest else 1.0
        share = min(1.0, result.mutation.score / self._top) if self._top else 1.0
        factor = base.factor * _STEP * gain * (share if blind else max(0.05, share) ** 0.25)
        mutation = result.mutation
        grown = _Base(mutation.edits, key, templates, mutation.line, result.passed, result.distance, factor)
        within = _Branch(grown, _Within(self, grown, (self._top or 1.0) * (_WITHIN if self._ideas else 1.0)))
        if self._ideas is not None and key:
            further = FurtherEditCursor(self._ideas, grown.edits, templates[-1], grown.line)
            self._enqueue(_Branch(grown, further), factor * further.peek())
        if not blind or self._ideas is None:
            self._enqueue(within, factor * within.ideas.peek())

    def may_open(self) -> bool:
        """Whether one more changed program may be parsed now."""
        within_time = self._opened < _OPEN_FIRST + len(self._seen) // _OPEN_EVERY
        return within_time and self._opened * len(self.source) <= _HELD

    def open(self, base: _Base) -> MutationQueue | None:
        """The drafts that change again what a base has changed; None when it does not parse."""
        self._opened += 1
        text = splice_edits(self.source, base.edits)
        try:
            program = ParsedProgram(text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        return MutationQueue(
            program,
            self._suspicion.after(self.source, base.edits, text.count("\n") + 1),
            self._clues,
            self._priors,
            rng=self._rng,
            functions=self._functions,
            lines=None if self._ideas is None else frozenset(touched_lines(text, base.edits)),
        )


class _Within:
    """Changes to what a base has changed just now; its text is parsed when their turn comes."""

    def __init__(self, engine: BestFirstSearch, base: _Base, hope: float) -> None:
        self._engine = engine
        self._base = base
        self._hope = hope
        """What it may be worth, until it is known; less each time that there is no room for it."""
        self._stream: MutationQueue | None = None

    def peek(self) -> float:
        """An upper bound of the next score; 0 when nothing is left."""
        return self._hope if self._stream is None else self._stream.peek() * _WITHIN

    def pop(self) -> KeyedMutation | None:
        """The best change that is left."""
        if self._stream is None and not self._open():
            return None
        found = None if self._stream is None else self._stream.pop()
        if found is None:
            return None
        edits = tuple(sorted(found.draft.edits, key=_position))
        return KeyedMutation(found.score * _WITHIN, found.template.name, edits, (), 0)

    def _open(self) -> bool:
        self._hope = self._hope / 2 if self._hope > _HOPELESS else 0.0
        if self._engine.may_open():
            self._stream = self._engine.open(self._base)
            self._hope = 0.0
        return self._stream is not None


def _position(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _gain(result: ScreenedMutation, passed: frozenset[str], distance: float) -> float:
    """How much better a change made things: above 1 when checks were won and none lost."""
    won, lost = result.passed - passed, passed - result.passed
    if won and not lost:
        return 1.0 + _PROGRESS * (max(0.0, distance - result.distance) / max(distance, 0.01)) ** 2
    if len(won) > len(lost):
        return 0.4
    if lost:
        return 0.0
    if result.distance < distance - 0.01:
        return 0.2 + 0.5 * (distance - result.distance) / distance
    return _BLIND if result.distance <= distance + 0.01 else 0.0
