"""The search's inner loop: propose, screen, prove, until something passes and is worth handing over."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, repeat

from regreen.propose.search.engine import Engine
from regreen.propose.search.mutation import Mutation, Screened, apply
from regreen.types import Attempt, Budget, Candidate, Stop, Verdict
from regreen.verify.screen import Team, Tried

BATCHES = (16, 32, 64, 128, 256)
"""Mutations screened at a time: few at first, so that an easy repair is found at once."""
LOOK_ON_LEAST, LOOK_ON_MOST = 60, 1_000
"""After the first repair, as many candidates again are tried for a smaller or less special one, within these bounds."""
GLANCE_SECONDS = 1.0
LEAST_GLANCE = 2
"""Mutations are screened at most so long, or so many of them, between two looks at the clock."""
SECOND_CHANCES = 200
"""Mutations that ran out of time, best first, are tried again when the others have been tried."""
MORE_TIME = 10.0


@dataclass(frozen=True, slots=True)
class Pace:
    """The time that a mutation gets, in CPU seconds for all checks."""

    seconds: float
    most: float
    """The limit that the user set."""

    @property
    def patient(self) -> float:
        """What one gets that ran out of time before."""
        return min(self.seconds * MORE_TIME, self.most)


@dataclass
class Hunt:
    """One search on one program; `run` spends the budget, the rest tells what came of it."""

    source: str
    engine: Engine
    team: Team
    green: frozenset[str]
    pace: Pace
    budget: Budget
    deadline: float
    """When the seconds of the budget end, by `clock`."""
    prove: Callable[[Candidate], Verdict]
    watch: Callable[[Hunt], None] = lambda hunt: None
    clock: Callable[[], float] = time.monotonic
    tried: int = 0
    plausible: list[Mutation] = field(default_factory=list)
    """Mutations that passed the screening (or, the first one, the proof)."""
    attempts: list[Attempt] = field(default_factory=list)
    best: tuple[int, float, Mutation] | None = None
    """Passed checks, minus the distance, and the mutation that came closest."""
    hung: list[Mutation] = field(default_factory=list)
    propose_seconds: float = 0.0
    execute_seconds: float = 0.0
    _look_on_until: int | None = None
    _patient: bool = False
    """Whether the second chances were given."""

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the ideas are spent."""
        sizes = chain(BATCHES, repeat(BATCHES[-1]))
        batch = self._propose(next(sizes))
        with ThreadPoolExecutor(1, "hunt") as aside:
            while batch or (batch := self._propose(next(sizes))) or self._second_chance():
                if batch:
                    batch = self._turn(aside, batch, next(sizes))
                self.watch(self)
                if (stop := self._stop()) is not None:
                    return stop
        return Stop.FIXED if self.plausible else Stop.EXHAUSTED

    def _turn(self, aside: ThreadPoolExecutor, batch: Sequence[Mutation], size: int) -> list[Mutation]:
        """Have the sandboxes work on one batch while this thread thinks of the next, which is returned."""
        answers = aside.submit(self._answers, batch, self.pace.seconds)
        try:
            upcoming = self._propose(size, ahead=len(batch))
            self._take_in(batch, answers.result())
        except BaseException:
            # What is under way is not waited for longer than until its next look at the clock.
            self.deadline = self.clock()
            raise
        return upcoming

    def candidate(self, mutation: Mutation) -> Candidate:
        """The whole program with a mutation done."""
        parent = Candidate(self.source, "given").id
        return Candidate(
            apply(self.source, mutation.edits), f"search:{mutation.template}", parent=parent, note=mutation.note
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

    def _screen(self, batch: Sequence[Mutation], seconds: float) -> None:
        self._take_in(batch, self._answers(batch, seconds))

    def _answers(self, batch: Sequence[Mutation], seconds: float) -> list[Tried]:
        """What screening says of a batch, or of its beginning when the time ends."""
        started = self.clock()
        answers: list[Tried] = []
        while len(answers) < len(batch) and self.clock() < self.deadline:
            some = batch[len(answers) : len(answers) + self._affordable(seconds)]
            answers += self.team.screen([mutation.edits for mutation in some], self.green, seconds)
        self.execute_seconds += self.clock() - started
        return answers

    def _take_in(self, batch: Sequence[Mutation], answers: Sequence[Tried]) -> None:
        self.tried += len(answers)
        screened = [_screened(mutation, tried) for mutation, tried in zip(batch, answers, strict=False)]
        for result in screened:
            self._note(result)
        self.engine.learn(screened)

    def _affordable(self, seconds: float) -> int:
        """How many mutations can be screened before it is time to look at the clock, should each use up its time."""
        return max(LEAST_GLANCE, int(min(GLANCE_SECONDS, self.deadline - self.clock()) / seconds))

    def _note(self, result: Screened) -> None:
        if result.status == "passed":
            self._passed(result.mutation)
        elif result.status == "hung":
            self.hung.append(result.mutation)
        merit = (len(result.passed), -result.distance)
        if self.best is None or merit > self.best[:2]:
            self.best = (*merit, result.mutation)

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

    def _second_chance(self) -> bool:
        """Try those again that ran out of time, with more of it; False when there are none left."""
        again, self.hung = self.hung[:SECOND_CHANCES], []
        if self._patient or not again or self.pace.patient <= self.pace.seconds:
            return False
        self._patient = True
        while again and self._stop() is None:
            size = min(BATCHES[0], self.budget.candidates - self.tried)
            self._screen(again[:size], self.pace.patient)
            again = again[size:]
        return True

    def _stop(self) -> Stop | None:
        if self._look_on_until is not None and self.tried >= self._look_on_until:
            return Stop.FIXED
        if self.tried >= self.budget.candidates:
            return Stop.FIXED if self.plausible else Stop.CANDIDATES
        if self.clock() >= self.deadline:
            return Stop.FIXED if self.plausible else Stop.SECONDS
        return None


def _screened(mutation: Mutation, tried: Tried) -> Screened:
    status = tried.status if tried.status in ("passed", "failed", "hung", "broken") else "crashed"
    return Screened(mutation, status, tried.passed, tried.distance)  # type: ignore[arg-type]
