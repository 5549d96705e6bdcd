"""Generate-and-validate: what to try next, given what the tries so far have said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Final

from regreen.propose.search.evidence import Evidence
from regreen.propose.search.mutation import Mutation, Screened, apply, compose, describe
from regreen.propose.search.normal import Normal
from regreen.propose.search.program import Program
from regreen.propose.search.stream import Found, Priors, Stream, weigh
from regreen.propose.search.suspicion import Suspicion
from regreen.propose.search.syntax import mend
from regreen.propose.search.template import Template
from regreen.propose.search.templates import TEMPLATES
from regreen.types import Edit, Site

_DEEPEST: Final = 3
"""How many edits may follow one another."""
_STEP: Final = 0.12
"""The chance that a change which made things better is part of the repair, before its score is looked at."""
_BLIND: Final = 0.1
"""What a change is worth that made nothing better and nothing worse."""
_HELD: Final = 600_000
"""Characters of changed programs that are kept in mind at once; what is less promising must wait or go."""
_NEAR: Final = 3
"""Lines within which the next edit of a repair is likelier."""


@dataclass(slots=True)
class _Base:
    """A changed program from which to go on."""

    edits: tuple[Edit, ...]
    templates: tuple[str, ...]
    line: int
    passed: frozenset[str]
    distance: float
    factor: float
    """Multiplies the scores of what follows."""
    stream: Stream | None = field(default=None, repr=False)


class Engine:
    """Mutations of one program, best first, guided by what screening said of the earlier ones."""

    def __init__(
        self,
        source: str,
        sites: Sequence[Site],
        evidence: Evidence,
        *,
        seed: int = 0,
        functions: Collection[str] | None = None,
        templates: Collection[Template] = TEMPLATES,
    ) -> None:
        self.source = source
        self.duplicates = 0
        self._evidence = evidence
        self._rng = Random(seed)
        self._functions = functions
        self._priors = weigh(templates, evidence)
        self._suspicion = Suspicion.of(sites, source.count("\n") + 1)
        self._baseline: tuple[frozenset[str], float] = (frozenset(), 1.0)
        self._origins: dict[tuple[Edit, ...], _Base] = {}
        self._queue: list[tuple[float, int, _Base]] = []
        self._count = 0
        self._opened = 0
        self._top = 0.0
        self._seen: set[object] = set()
        self._normal: Normal | None = None
        self._mended: Iterator[Mutation] = iter(())
        self._start()

    def _start(self) -> None:
        try:
            program = Program(self.source)
        except (SyntaxError, ValueError, RecursionError):
            self._mended = mend(self.source)
            return
        self._normal = Normal(program)
        root = _Base((), (), 0, *self._baseline, 1.0)
        root.stream = self._stream(program, root)
        self._top = root.stream.peek()
        self._enqueue(root, self._top)

    def baseline(self, passed: Iterable[str], distance: float) -> None:
        """Says what the checks made of the program as it is."""
        self._baseline = (frozenset(passed), distance)

    def next_batch(self, n: int) -> list[Mutation]:
        """The `n` best mutations that have not been given yet; fewer when there are no more."""
        batch: list[Mutation] = []
        while len(batch) < n:
            mutation = self._next()
            if mutation is None:
                break
            batch.append(mutation)
        return batch

    def learn(self, results: Sequence[Screened]) -> None:
        """Takes in what screening said: changes that made things better are gone on from."""
        for result in results:
            base = self._origins.pop(result.mutation.edits, None)
            if result.status == "failed":
                self._climb(result, base)

    def _next(self) -> Mutation | None:
        for mended in self._mended:
            return mended
        while self._queue:
            base = heappop(self._queue)[2]
            if base.stream is None:
                base.stream = self._open(base)
                if base.stream is not None:
                    self._enqueue(base, base.factor * base.stream.peek())
                continue
            found = base.stream.pop()
            if found is None:
                self._opened -= 1
                continue
            self._enqueue(base, base.factor * base.stream.peek())
            mutation = self._mutation(base, found)
            if mutation is not None:
                return mutation
        return None

    def _enqueue(self, base: _Base, bound: float) -> None:
        if bound > 0.0:
            self._count += 1
            heappush(self._queue, (-bound, self._count, base))

    def _mutation(self, base: _Base, found: Found) -> Mutation | None:
        edits = tuple(sorted(found.draft.edits, key=lambda edit: edit.start))
        if base.edits:
            edits = compose(self.source, base.edits, edits)
        if not edits or _changes_nothing(self.source, edits):
            return None
        key = edits if self._normal is None else self._normal.key(edits)
        if key is None or key in self._seen:
            self.duplicates += 1
            return None
        self._seen.add(key)
        self._origins[edits] = base
        line = self.source.count("\n", 0, edits[0].start) + 1
        name = "+".join((*base.templates, found.template.name))
        return Mutation(edits, name, base.factor * found.score, line, describe(self.source, edits))

    def _climb(self, result: Screened, base: _Base | None) -> None:
        before = self._baseline if base is None or not base.edits else (base.passed, base.distance)
        gain = _gain(result, *before)
        templates = tuple(result.mutation.template.split("+"))
        depth = len(templates)
        if gain <= 0.0 or depth >= (_DEEPEST if gain > _BLIND else 2):
            return
        factor = base.factor if base is not None else 1.0
        share = min(1.0, result.mutation.score / self._top) if self._top else 1.0
        factor *= _STEP * gain * (share if gain <= _BLIND else max(0.05, share) ** 0.25)
        grown = _Base(result.mutation.edits, templates, result.mutation.line, result.passed, result.distance, factor)
        self._enqueue(grown, factor * self._top if self._top else 1.0)

    def _open(self, base: _Base) -> Stream | None:
        if self._opened * len(self.source) > _HELD:
            return None
        self._opened += 1
        try:
            program = Program(apply(self.source, base.edits))
        except (SyntaxError, ValueError, RecursionError):
            return None
        return self._stream(program, base)

    def _stream(self, program: Program, base: _Base) -> Stream:
        suspicion = self._suspicion
        if base.edits:
            suspicion = suspicion.after(self.source, base.edits, program.source.count("\n") + 1)
        return Stream(
            program,
            suspicion,
            self._evidence,
            _continued(self._priors, base) if base.edits else self._priors,
            rng=self._rng,
            functions=self._functions,
            nearness=_near(base.line) if base.edits else None,
        )


def _changes_nothing(source: str, edits: Sequence[Edit]) -> bool:
    low, high = edits[0].start, edits[-1].end
    inside = [Edit(edit.start - low, edit.end - low, edit.text) for edit in edits]
    return apply(source[low:high], inside) == source[low:high]


def _continued(priors: Priors, base: _Base) -> Priors:
    """The second edit of a repair is likelier of the same family as the first."""
    last = base.templates[-1]
    return {template: prior * (2.0 if template.name == last else 1.0) for template, prior in priors.items()}


def _near(line: int) -> Callable[[int], float]:
    """The second edit of a repair is likelier near the first."""
    return lambda other: 1.5 if abs(other - line) <= _NEAR else 1.0


def _gain(result: Screened, passed: frozenset[str], distance: float) -> float:
    """How much better a change made things, in [0, 1]."""
    won, lost = result.passed - passed, passed - result.passed
    if won and not lost:
        return 1.0
    if len(won) > len(lost):
        return 0.4
    if lost:
        return 0.0
    if result.distance < distance - 0.01:
        return 0.2 + 0.5 * (distance - result.distance) / distance
    return _BLIND if result.distance <= distance + 0.01 else 0.0
