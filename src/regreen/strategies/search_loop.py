"""The search's inner loop: propose, screen, prove, until something passes and is worth handing over."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, repeat

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.mutation import Mutation, ScreenedMutation, splice_edits
from regreen.types import Attempt, Budget, Candidate, Stop, Verdict
from regreen.verify.screener import ScreenerPool
from regreen.verify.screening import ProgramTrace, ScreeningLimits, ScreeningResult

BATCHES = (16, 32, 64, 128, 256)
"""Mutations screened at a time: few at first, so that an easy repair is found at once."""
LOOK_ON_LEAST, LOOK_ON_MOST = 60, 1_000
"""After the first repair, as many candidates again are tried for a smaller or less special one, within these bounds."""
LEAST_TICKS = 1 << 13
"""Turns of loops and calls of functions that every mutation may take."""
TICKS_FACTOR = 10
"""How many times those of the checks that come to an end it may take."""
LEAST_SECONDS = 0.1
SECONDS_FACTOR = 5.0
"""CPU time is only to end what does not tick: so many times that of the traced run, and never a little."""
CHANCE_EVERY = 64
"""For so many mutations tried, one of those that hung, the best first, gets a second chance."""
LAST_CHANCES = 200
"""So many more get one when there is nothing else to try."""
MORE_TICKS = 16
MORE_SECONDS = 4.0
"""How many times as much a second chance is."""
NEAREST = 4
"""Near misses that are kept."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What a mutation gets, for all checks."""

    first: ScreeningLimits
    patient: ScreeningLimits
    """What one gets that hung before."""

    @classmethod
    def of(cls, traced: ProgramTrace, most: float) -> Pace:
        """By what the program as it is has used; `most` are the seconds that the user allows."""
        ticks = max(traced.ticks * TICKS_FACTOR, LEAST_TICKS)
        seconds = max(traced.green_seconds * SECONDS_FACTOR, LEAST_SECONDS)
        first = ScreeningLimits(ticks, min(seconds, most))
        return cls(first, ScreeningLimits(ticks * MORE_TICKS, min(seconds * MORE_SECONDS, most)))


@dataclass(frozen=True, slots=True)
class Near:
    """A mutation that does not pass, or does, and how close it came."""

    passed: frozenset[str]
    distance: float
    mutation: Mutation

    @property
    def merit(self) -> tuple[int, float]:
        """More passed checks, then a smaller distance."""
        return len(self.passed), -self.distance


@dataclass
class SearchLoop:
    """One search on one program; `run` spends the budget, the rest tells what came of it."""

    source: str
    engine: BestFirstSearch
    team: ScreenerPool
    green: frozenset[str]
    pace: Pace
    budget: Budget
    deadline: float
    """When the seconds of the budget end, by `clock`."""
    prove: Callable[[Candidate], Verdict]
    watch: Callable[[SearchLoop], None] = lambda loop: None
    clock: Callable[[], float] = time.monotonic
    tried: int = 0
    plausible: list[Mutation] = field(default_factory=list)
    """Mutations that passed the screening (or, the first one, the proof)."""
    attempts: list[Attempt] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    """The mutations that came closest, each with other checks that pass, the closest first."""
    hung: list[Mutation] = field(default_factory=list)
    """Mutations that wait for a second chance."""
    propose_seconds: float = 0.0
    execute_seconds: float = 0.0
    _look_on_until: int | None = None
    _chances: int = 0
    """Second chances given while there was something else to try."""
    _last_chances: int = LAST_CHANCES
    """Those that are left for when there is nothing else."""

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the ideas are spent."""
        sizes = chain(BATCHES, repeat(BATCHES[-1]))
        batch = self._propose(next(sizes))
        with ThreadPoolExecutor(1, "screening") as aside:
            while batch or (batch := self._propose(next(sizes))) or self._give_last_chances():
                if batch:
                    batch = self._turn(aside, batch, next(sizes))
                    self._give_chances(ahead=len(batch))
                self.watch(self)
                if (stop := self._stop()) is not None:
                    return stop
        return Stop.FIXED if self.plausible else Stop.EXHAUSTED

    def _turn(self, aside: ThreadPoolExecutor, batch: Sequence[Mutation], size: int) -> list[Mutation]:
        """Have the sandboxes work on one batch while this thread thinks of the next, which is returned."""
        answers = aside.submit(self._answers, batch, self.pace.first)
        try:
            upcoming = self._propose(size, ahead=len(batch))
            self._take_in(batch, answers.result())
        except BaseException:
            # What is under way is not waited for.
            self.team.stop_after_current()
            raise
        return upcoming

    def candidate(self, mutation: Mutation) -> Candidate:
        """The whole program with a mutation done."""
        parent = Candidate(self.source, "given").id
        return Candidate(
            splice_edits(self.source, mutation.edits), f"search:{mutation.template}", parent=parent, note=mutation.note
        )

    def _propose(self, size: int, *, ahead: int = 0) -> list[Mutation]:
        """The next mutations, within the budget; `ahead` are under way and count as tried."""
        bound = self.budget.candidates
        if self._look_on_until is not None:
            bound = min(bound, self._look_on_until)
        started = self.clock()
        batch = self.engine.next_batch(max(0, min(size, bound - self.tried - ahead)))
        self.propose_seconds += self.clock() - started
        return batch

    def _answers(self, batch: Sequence[Mutation], allowance: ScreeningLimits) -> list[ScreeningResult]:
        """What screening says of a batch, or of its beginning when the time ends."""
        started = self.clock()
        until = time.monotonic() + self.deadline - started
        answers = self.team.screen([mutation.edits for mutation in batch], self.green, allowance, until)
        self.execute_seconds += self.clock() - started
        return answers

    def _take_in(self, batch: Sequence[Mutation], answers: Sequence[ScreeningResult]) -> None:
        self.tried += len(answers)
        screened = [_screened(mutation, tried) for mutation, tried in zip(batch, answers, strict=False)]
        for result in screened:
            self._note(result)
        self.engine.learn(screened)

    def _note(self, result: ScreenedMutation) -> None:
        if result.status == "passed":
            self._passed(result.mutation)
        elif result.status == "hung":
            self.hung.append(result.mutation)
        self._compare(Near(result.passed, result.distance, result.mutation))

    def _compare(self, found: Near) -> None:
        """Keep what came close: of those that pass the same checks the closest, the earliest of equals."""
        rival = next((near for near in self.near if near.passed == found.passed), None)
        if rival is not None and found.merit <= rival.merit:
            return
        others = [near for near in self.near if near is not rival]
        self.near = sorted([*others, found], key=lambda near: near.merit, reverse=True)[:NEAREST]

    def _passed(self, mutation: Mutation) -> None:
        """Prove the first that passes; those after it are only kept, for the choice at the end."""
        if self._look_on_until is None:
            candidate = self.candidate(mutation)
            started = self.clock()
            verdict = self.prove(candidate)
            self.execute_seconds += self.clock() - started
            self.attempts.append(Attempt(candidate, verdict))
            if not verdict.passed:
                return
            self._look_on_until = self.tried + min(max(self.tried, LOOK_ON_LEAST), LOOK_ON_MOST)
        self.plausible.append(mutation)

    def _give_chances(self, *, ahead: int) -> None:
        """Try some of those again that hung, until one repair is proven; `ahead` are to be tried besides."""
        due = self.tried // CHANCE_EVERY - self._chances
        self._chances += due
        if self._look_on_until is None:
            self._try_again(min(due, self.budget.candidates - self.tried - ahead))

    def _give_last_chances(self) -> bool:
        """Try those again that hung; False when there are none."""
        count = min(BATCHES[0], self._last_chances, self.budget.candidates - self.tried)
        self._last_chances -= count
        return self._try_again(count)

    def _try_again(self, count: int) -> bool:
        """Give so many of those that hung more of everything; what hangs again is let go."""
        again, waiting = self.hung[:count], self.hung[count:]
        if count <= 0 or not again:
            return False
        self._take_in(again, self._answers(again, self.pace.patient))
        self.hung = waiting
        return True

    def _stop(self) -> Stop | None:
        if self._look_on_until is not None and self.tried >= self._look_on_until:
            return Stop.FIXED
        if self.tried >= self.budget.candidates:
            return Stop.FIXED if self.plausible else Stop.CANDIDATES
        if self.clock() >= self.deadline:
            return Stop.FIXED if self.plausible else Stop.SECONDS
        return None


def _screened(mutation: Mutation, tried: ScreeningResult) -> ScreenedMutation:
    status = tried.status if tried.status in ("passed", "failed", "hung", "broken") else "crashed"
    return ScreenedMutation(mutation, status, tried.passed, tried.distance)  # type: ignore[arg-type]
