"""The strategy that needs no model: generate and validate over the program's own text."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from regreen.config import Settings
from regreen.errors import TaskError
from regreen.localise import localise
from regreen.propose.search.engine import Engine
from regreen.propose.search.evidence import gather_evidence
from regreen.sandbox.pool import Pool, open_pool
from regreen.strategies.events import Event
from regreen.strategies.explain import explain
from regreen.strategies.handover import hand_over
from regreen.strategies.hunt import Hunt, Pace
from regreen.types import Attempt, Budget, Candidate, Cost, Limits, Repair, Site, Stop, Suite, Task, Verdict
from regreen.verify.baseline import Baseline, take_baseline
from regreen.verify.judge import SandboxJudge
from regreen.verify.screen import Team, Traced, open_team

Listener = Callable[[Event], None]
LEAST_PACE_SECONDS = 0.02
"""CPU time that every mutation gets; CPU timers ring at ticks of 4 ms."""
PACE_FACTOR = 5.0
"""How many times the traced run of the green checks a mutation may take."""
NAMED = 5
"""How many checks a message names."""


def ignore(event: Event) -> None:
    """Tell nobody."""


class Search:
    """Repairs tasks by search, in the sandboxes of one pool; may be used from several threads."""

    def __init__(
        self,
        pool: Pool,
        *,
        limits: Limits,
        budget: Budget,
        screeners: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pool = pool
        self.judge = SandboxJudge(pool)
        self.limits = limits
        self.budget = budget
        self.screeners = screeners
        self.clock = clock

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget. The same task and seed give the same candidates in the same order."""
        return _Work(self, task, seed, on_event).run()


@contextlib.contextmanager
def open_search(settings: Settings, *, tasks_at_once: int = 1) -> Iterator[Search]:
    """A search with sandboxes of its own, for the block; the workers are shared among the tasks that run at once."""
    with open_pool(workers=tasks_at_once, layers=settings.layers, python=settings.python) as pool:
        screeners = max(1, settings.workers // tasks_at_once)
        yield Search(pool, limits=settings.limits, budget=settings.budget, screeners=screeners)


def repair_task(task: Task, *, settings: Settings, on_event: Listener = ignore) -> Repair:
    """Repair one task in sandboxes that are opened for it alone."""
    with open_search(settings) as search:
        return search.repair(task, settings.seed, on_event)


@dataclass
class _Stage:
    """What is known by now; it is handed back as it stands when the work is interrupted."""

    baseline: Baseline | None = None
    sites: tuple[Site, ...] = ()
    hunt: Hunt | None = None
    baseline_seconds: float = 0.0
    localise_seconds: float = 0.0
    select_seconds: float = 0.0


class _Work:
    """One repair from the first run of the checks to the hand-over."""

    def __init__(self, search: Search, task: Task, seed: int, on_event: Listener) -> None:
        self.search = search
        self.task = task
        self.seed = seed
        self.on_event = on_event
        self.clock = search.clock
        self.started = search.clock()
        self.stage = _Stage()

    def run(self) -> Repair:
        """Do all of it; an interrupt ends it early, with what there is."""
        chosen: Attempt | None = None
        try:
            stop = self._find()
            if stop is Stop.FIXED:
                chosen = self._select()
        except KeyboardInterrupt:
            if self.stage.baseline is None:
                # Nothing is known of the program yet, so there is no result to hand back.
                raise
            stop = Stop.INTERRUPTED
        return self._repair(chosen, stop)

    def _find(self) -> Stop:
        self._tell("checking")
        baseline = self.stage.baseline = take_baseline(
            self.search.judge, self.task.source, self.task.suite, self.search.limits, self.task.companions
        )
        self.stage.baseline_seconds = self.clock() - self.started
        for check in baseline.flaky:
            self._tell("checking", f"{check} disagrees with itself and is set aside")
        if not baseline.suite.checks:
            raise nothing_to_go_by(self.task, baseline)
        if not baseline.red:
            return Stop.NOTHING_RED
        with open_team(
            self.search.pool,
            self.task.source,
            baseline.suite,
            self.search.limits,
            self.task.companions,
            size=self.search.screeners,
        ) as team:
            return self._hunt(team, baseline)

    def _hunt(self, team: Team, baseline: Baseline) -> Stop:
        self._tell("localising")
        started = self.clock()
        traced = team.trace(self.search.limits.seconds, baseline.hanging, baseline.deadly)
        self.stage.sites = self._sites(traced)
        self.stage.localise_seconds = self.clock() - started
        engine = self._engine(baseline)
        engine.baseline(baseline.green, _mean_distance(traced.distances, baseline))
        self.stage.hunt = Hunt(
            source=self.task.source,
            engine=engine,
            team=team,
            green=frozenset(c for c, r in traced.results.items() if r.outcome == "passed") & baseline.green,
            pace=self._pace(traced),
            budget=self.search.budget,
            deadline=self.started + self.search.budget.seconds,
            prove=self._prove,
            watch=self._watch,
            clock=self.clock,
        )
        return self.stage.hunt.run()

    def _sites(self, traced: Traced) -> tuple[Site, ...]:
        return localise(
            self.task.source, traced.coverage, traced.results, traced.raised, traced.hung, self.task.entry_point
        )

    def _engine(self, baseline: Baseline) -> Engine:
        evidence = gather_evidence(
            self.task.source,
            entry_point=self.task.entry_point,
            statement=self.task.statement,
            checks_text=checks_text(self.task),
            failures=[baseline.verdict.results[check] for check in baseline.red],
        )
        return Engine(self.task.source, self.stage.sites, evidence, seed=self.seed)

    def _pace(self, traced: Traced) -> Pace:
        most = self.search.limits.seconds
        return Pace(min(max(traced.green_seconds * PACE_FACTOR, LEAST_PACE_SECONDS), most), most)

    def _prove(self, candidate: Candidate, *, fail_fast: bool = False) -> Verdict:
        """The judge's verdict; what passes has to do so again with other random numbers."""
        self._tell("proving")
        verdict = self._judge(candidate, seed=0, fail_fast=fail_fast)
        if not verdict.passed or fail_fast:
            return verdict
        again = self._judge(candidate, seed=1)
        return verdict if again.passed else again

    def _judge(self, candidate: Candidate, *, seed: int, fail_fast: bool = False) -> Verdict:
        assert self.stage.baseline is not None
        suite = self.stage.baseline.suite
        if suite.isolation is not self.task.suite.isolation:
            # It was the bug that let a live object out: what mends it may well do without, and then the wall holds.
            walled = replace(suite, isolation=self.task.suite.isolation, reason="")
            verdict = self._judge_with(walled, candidate, seed=seed, fail_fast=fail_fast)
            if verdict.passed:
                return verdict
        return self._judge_with(suite, candidate, seed=seed, fail_fast=fail_fast)

    def _judge_with(self, suite: Suite, candidate: Candidate, *, seed: int, fail_fast: bool) -> Verdict:
        return self.search.judge.judge(
            candidate.source,
            suite,
            self.search.limits,
            companions=self.task.companions,
            fail_fast=fail_fast,
            seed=seed,
        )

    def _select(self) -> Attempt | None:
        hunt = self.stage.hunt
        assert hunt is not None
        started = self.clock()
        self._tell("minimising")
        chosen = hand_over(self.task, hunt, self._prove, checks_text(self.task))
        self.stage.select_seconds = self.clock() - started
        return chosen

    def _best(self) -> Attempt | None:
        """The nearest miss, judged properly, if it passes more than the program did."""
        hunt, baseline = self.stage.hunt, self.stage.baseline
        if hunt is None or baseline is None or hunt.best is None or hunt.best[0] <= len(baseline.green):
            return None
        candidate = hunt.candidate(hunt.best[2])
        attempt = Attempt(candidate, self._prove(candidate))
        return attempt if attempt.verdict.checks_passed > len(baseline.green) else None

    def _repair(self, chosen: Attempt | None, stop: Stop) -> Repair:
        baseline, hunt = self.stage.baseline, self.stage.hunt
        before = baseline.verdict if baseline else Verdict({})
        best = None if chosen or stop is Stop.NOTHING_RED else self._best()
        cost = self._cost()
        suite = baseline.suite if baseline else self.task.suite
        task = replace(self.task, suite=suite)
        return Repair(
            task_id=self.task.id,
            chosen=chosen,
            before=before,
            attempts=tuple(hunt.attempts) if hunt else (),
            cost=cost,
            stop=stop,
            sites=self.stage.sites,
            best=best,
            flaky=baseline.flaky if baseline else (),
            explanation=explain(task, before, chosen, best, self.stage.sites, cost, stop),
        )

    def _cost(self) -> Cost:
        hunt, stage = self.stage.hunt, self.stage
        timings = {
            "localise": stage.localise_seconds,
            "propose": hunt.propose_seconds if hunt else 0.0,
            "execute": stage.baseline_seconds + (hunt.execute_seconds if hunt else 0.0),
            "reflect": 0.0,
            "select": stage.select_seconds,
        }
        return Cost(
            candidates=hunt.tried if hunt else 0,
            duplicates=hunt.engine.duplicates if hunt else 0,
            seconds=self.clock() - self.started,
            timings=timings,
        )

    def _watch(self, hunt: Hunt) -> None:
        self._tell("searching")

    def _tell(self, phase: str, note: str = "") -> None:
        hunt, baseline = self.stage.hunt, self.stage.baseline
        self.on_event(
            Event(
                phase,
                candidates=hunt.tried if hunt else 0,
                best_passed=hunt.best[0] if hunt and hunt.best else len(baseline.green) if baseline else 0,
                total=len(baseline.suite) if baseline else len(self.task.suite),
                seconds=self.clock() - self.started,
                note=note,
            )
        )


def nothing_to_go_by(task: Task, baseline: Baseline) -> TaskError:
    """Why a suite whose checks all skip or contradict themselves cannot guide a repair."""
    told = [
        *([f"{', '.join(baseline.skipped[:NAMED])} skipped itself"] if baseline.skipped else []),
        *([f"{', '.join(baseline.flaky[:NAMED])} passed in one run and failed in another"] if baseline.flaky else []),
    ]
    return TaskError(
        f"{task.suite.origin} holds no check to rely on: {'; '.join(told) or 'none was found'}.",
        remedy="Give at least one check that runs and always says the same.",
    )


def checks_text(task: Task) -> str:
    """What the checks say, as text: evidence for the search and for the choice."""
    return "\n".join(check.code for check in task.suite.checks) or task.suite.source


def _mean_distance(distances: Mapping[str, float], baseline: Baseline) -> float:
    ids = [check.id for check in baseline.suite.checks]
    return sum(0.0 if i in baseline.green else distances.get(i, 1.0) for i in ids) / max(len(ids), 1)
