"""Generate and validate: which mutations to try next, given how the earlier ones did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from random import Random

from regreen.propose.search.clues import Clues
from regreen.propose.search.constants import (
    ALIKE_EXPONENT,
    DISTANCE_TOLERANCE,
    FOLLOW_UP_CHANCE,
    FURTHER_GAIN,
    LAGGING_GAIN,
    LEAST_DISTANCE,
    LEAST_MASKED_SHARE,
    LEAST_SCORE_SHARE,
    MASKED_GAIN,
    MAX_EDITS,
    MAX_EDITS_WINNING,
    MAX_EDITS_WITHOUT_EFFECT,
    MIXED_GAIN,
    NEARER_GAIN,
    NEARER_GAIN_SLOPE,
    NO_EFFECT_GAIN,
    OUTCOME_DIGITS,
    PROGRESS_EXPONENT,
    PROGRESS_GAIN,
    REEDIT_FACTOR,
    SCORE_EXPONENT,
    SYNTHESISED_GAIN,
)
from regreen.propose.search.deduplication import DeduplicationKey, DeduplicationKeys
from regreen.propose.search.line_suspicion import LineSuspicion
from regreen.propose.search.mutation import (
    SYNTHESISED,
    Mutation,
    ScreenedMutation,
    compose_edits,
    edit_position,
    trimmed_edits,
)
from regreen.propose.search.mutation_cursors import (
    ChangedPrograms,
    Cursor,
    DistinctMutations,
    FirstEditCursor,
    FurtherEditCursor,
    RankedMutation,
    ReeditCursor,
    changes_nothing,
    fit_together,
)
from regreen.propose.search.mutation_queue import MutationQueue, templates_by_nodes
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.template import Template
from regreen.propose.search.templates import TEMPLATES
from regreen.types import Edit, Site


@dataclass(frozen=True, slots=True)
class _Base:
    """A program whose mutations are tried: the given one, or one that an earlier mutation made."""

    edits: tuple[Edit, ...]
    key: DeduplicationKey
    templates: tuple[str, ...]
    line: int
    """Where the first edit begins, from 1; 0 for the given program."""
    passed: frozenset[str]
    distance: float
    got_past: float
    factor: float
    """Multiplies the scores of all mutations of this program."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """A base with one cursor over the mutations that can follow it."""

    base: _Base
    cursor: Cursor


class BestFirstSearch:
    """Mutations of one program, best first, guided by how the earlier ones did; the program must parse."""

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
        self.clues = clues
        self._root = _Base((), (), (), 0, frozenset(), 1.0, 0.0, 1.0)
        self._origins: dict[tuple[Edit, ...], tuple[_Base, DeduplicationKey]] = {}
        """By the edits of each mutation in screening: the base that it came from, and its key."""
        self._heap: list[tuple[float, int, _Branch, RankedMutation | None]] = []
        """Negative bound or score, order of arrival, branch, and its next mutation where that is known."""
        self._count = 0
        self._likeliest = 0.0
        """The best score of a mutation that was tried."""
        self._alike: Counter[tuple[frozenset[str], float, float]] = Counter()
        """How many changed programs had each outcome: checks that pass, distance, and assertions got past."""
        self._best_progress = 0.0
        """The most of the way to a repair that a changed program has come, in [0, 1]."""
        self._seen: set[DeduplicationKey] = set()
        self._repeats = 0
        self._offered: list[Mutation] = []
        """Mutations from elsewhere that come before all others, the first one last."""
        rng, ranked = Random(seed), templates_by_nodes(templates, clues)
        suspicion = LineSuspicion.of(sites, source.count("\n") + 1)
        # Behind a change, what raised may stand in another line, or raise no more.
        self._changed = ChangedPrograms(
            source,
            suspicion,
            replace(clues, raised=()),
            ranked,
            rng=rng,
            functions=functions,
            given=self._seen,
            ended=bool(clues.raised),
        )
        program = ParsedProgram(source)
        queue = MutationQueue(program, suspicion, clues, ranked, rng=rng, functions=functions, foresees=True)
        self.raising_spans = queue.raising_spans
        """Where what the exceptions of failing checks speak of begins and ends, in characters."""
        self._keys = DeduplicationKeys(program)
        self._mutations = DistinctMutations(queue, self._keys, source)
        self._enqueue(_Branch(self._root, FirstEditCursor(self._mutations)))

    @property
    def duplicates(self) -> int:
        """How many equal candidates were dropped."""
        return self._repeats + self._mutations.duplicates

    def baseline(self, passed: Iterable[str], distance: float, got_past: float = 0.0) -> None:
        """Sets how the given program does: the ids of the checks that pass, and the mean distance of all, in [0, 1].

        `got_past`: the assertions that the failing tests get past, for each as a share of its own.
        """
        self._root = replace(self._root, passed=frozenset(passed), distance=distance, got_past=got_past)

    def next_batch(self, n: int) -> list[Mutation]:
        """The `n` best mutations that have not been given yet; fewer when there are no more."""
        batch: list[Mutation] = []
        while len(batch) < n:
            mutation = self._offered.pop() if self._offered else self._next()
            if mutation is None:
                break
            batch.append(mutation)
        return batch

    def offer(self, mutations: Sequence[Mutation]) -> None:
        """Have these mutations of the given program tried next, unless equal ones were given."""
        for mutation in reversed(mutations):
            key = self._keys.key(mutation.edits)
            if key is None or key in self._seen or changes_nothing(self.source, mutation.edits):
                self._repeats += 1
                continue
            self._seen.add(key)
            self._origins[mutation.edits] = self._root, key
            self._offered.append(mutation)

    def learn(self, results: Sequence[ScreenedMutation]) -> None:
        """Takes the results of screening: mutations that brought the program nearer to a repair become bases."""
        self._likeliest = max([self._likeliest, *(result.mutation.score for result in results)])
        for result in results:
            base, key = self._origins.get(result.mutation.edits, (self._root, ()))
            gets_on = result.status == "hung" and result.passed > base.passed
            if result.status != "hung" or gets_on:
                # What hung and led nowhere may be tried again.
                self._origins.pop(result.mutation.edits, None)
            if result.status == "failed" or gets_on:
                self._follow(result, base if base.edits else self._root, key)

    def _next(self) -> Mutation | None:
        while self._heap:
            _, _, branch, ranked = heappop(self._heap)
            if ranked is None:
                ranked = branch.cursor.pop()
                self._enqueue(branch)
                if ranked is None:
                    continue
                score = branch.base.factor * ranked.score
                if self._heap and score < -self._heap[0][0]:
                    self._push(score, branch, ranked)
                    continue
            following = self._combined(branch.base, ranked)
            if following is not None:
                return following
        return None

    def _enqueue(self, branch: _Branch) -> None:
        bound = branch.base.factor * branch.cursor.peek()
        if bound > 0.0:
            self._push(bound, branch, None)

    def _push(self, score: float, branch: _Branch, ranked: RankedMutation | None) -> None:
        self._count += 1
        heappush(self._heap, (-score, self._count, branch, ranked))

    def _combined(self, base: _Base, ranked: RankedMutation) -> Mutation | None:
        """The mutation of the given program that does what the base and then the mutation do; None for a duplicate."""
        mutation = ranked.mutation
        edits, key = self._joined(base, ranked)
        if key is None or key in self._seen:
            self._repeats += 1
            return None
        self._seen.add(key)
        self._origins[edits] = base, key
        if not base.edits:
            return mutation
        name = "+".join((*base.templates, mutation.template))
        line = self.source.count("\n", 0, edits[0].start) + 1
        return Mutation(edits, name, base.factor * ranked.score, line, self.source)

    def _joined(self, base: _Base, ranked: RankedMutation) -> tuple[tuple[Edit, ...], DeduplicationKey | None]:
        """The edits of a base and a mutation together, and their key; None for edits that change nothing."""
        edits, key = ranked.mutation.edits, ranked.key
        if not base.edits:
            return edits, key
        if key:
            base_edits = base.edits
            if not fit_together(base_edits, edits):
                base_edits, edits = trimmed_edits(self.source, base_edits), ranked.narrow
            edits = tuple(sorted((*base_edits, *edits), key=edit_position))
            return edits, self._keys.joined(base.key, key, edits)
        edits = compose_edits(self.source, base.edits, edits)
        if changes_nothing(self.source, edits):
            return edits, None
        return edits, self._keys.key(edits)

    def _follow(self, result: ScreenedMutation, base: _Base, key: DeduplicationKey) -> None:
        """Makes a base of a mutation that is worth it."""
        mutation = result.mutation
        templates = tuple(mutation.template.split("+"))
        gain = _gain(result, base)
        masked = gain == MASKED_GAIN
        effective = gain > NO_EFFECT_GAIN and not masked
        if gain <= 0.0 or len(templates) >= self._most_edits(result, base, effective=effective):
            return
        if SYNTHESISED in templates:
            # Made of what the checks expect, it wins some of them though it is no part of the repair.
            gain *= SYNTHESISED_GAIN
        elif effective:
            progress = max(0.0, 1.0 - result.distance / max(self._root.distance, LEAST_DISTANCE))
            self._best_progress = max(self._best_progress, progress)
            gain *= max(LAGGING_GAIN, progress / self._best_progress) if self._best_progress else 1.0
        # Of the best that was tried: the first bound is that of a template which may have made nothing.
        share = mutation.score / (max(self._likeliest, mutation.score) or 1.0)
        if masked and (base.edits or share < LEAST_MASKED_SHARE):
            return
        if base.edits and not effective:
            # How likely the base is counts once.
            share = min(1.0, share / base.factor)
        chance = max(LEAST_SCORE_SHARE, share) ** SCORE_EXPONENT if effective else share
        factor = base.factor * FOLLOW_UP_CHANCE * gain * chance * (self._newness(result) if effective else 1.0)
        grown = _Base(
            mutation.edits, key, templates, mutation.line, result.passed, result.distance, result.got_past, factor
        )
        if key:
            cursor = FurtherEditCursor(
                self._mutations, trimmed_edits(self.source, grown.edits), templates[-1], grown.line
            )
            self._enqueue(_Branch(grown, cursor))
        if effective:
            # To look for the likeliest of each is dear: templates that make nothing there come first.
            expected = self._likeliest * REEDIT_FACTOR
            self._enqueue(_Branch(grown, ReeditCursor(self._changed, grown.edits, expected)))

    def _most_edits(self, result: ScreenedMutation, base: _Base, *, effective: bool) -> int:
        """How many edits a repair may have that begins with a mutation: more where it has won checks and lost none, and
        one more where it builds on what has brought it nearer."""
        if not effective:
            is_nearer = base.edits and base.distance < self._root.distance - DISTANCE_TOLERANCE
            return MAX_EDITS if is_nearer else MAX_EDITS_WITHOUT_EFFECT
        return MAX_EDITS_WINNING if result.passed > self._root.passed else MAX_EDITS

    def _newness(self, result: ScreenedMutation) -> float:
        """Factor for a changed program: of many that do alike, at most one is part of the repair; the first is it best.

        In (0, 1]; 1 for an outcome that none had before.
        """
        outcome = result.passed, round(result.distance, OUTCOME_DIGITS), round(result.got_past, OUTCOME_DIGITS)
        self._alike[outcome] += 1
        return float(self._alike[outcome] ** -ALIKE_EXPONENT)


def _gain(result: ScreenedMutation, base: _Base) -> float:
    """How much better a mutation made the program: above 1 when checks were won and none lost."""
    distance = base.distance
    won, lost = result.passed - base.passed, base.passed - result.passed
    progress = max(0.0, distance - result.distance) / max(distance, LEAST_DISTANCE)
    if won and not lost:
        return 1.0 + PROGRESS_GAIN * progress**PROGRESS_EXPONENT
    if len(won) > len(lost):
        return MIXED_GAIN
    if lost:
        return MASKED_GAIN
    if result.distance < distance - DISTANCE_TOLERANCE and result.got_past > base.got_past + DISTANCE_TOLERANCE:
        return FURTHER_GAIN * (1.0 + PROGRESS_GAIN * progress**PROGRESS_EXPONENT)
    if result.distance < distance - DISTANCE_TOLERANCE:
        return NEARER_GAIN + NEARER_GAIN_SLOPE * (distance - result.distance) / distance
    return NO_EFFECT_GAIN if result.distance <= distance + DISTANCE_TOLERANCE else 0.0
