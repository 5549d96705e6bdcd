"""A search on one program: where to suspect it, what to change, what the screening and the proofs say."""

from __future__ import annotations

from collections.abc import Mapping

from regreen.localise import localise
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.strategies.bench import Bench, checks_text
from regreen.strategies.handover import hand_over
from regreen.strategies.hunt import Hunt, Pace
from regreen.types import Attempt, Budget, Site, Stop
from regreen.verify.baseline import Baseline
from regreen.verify.screener import ProgramTrace, open_screeners


class Quest:
    """One search around one program: the given one, or a candidate that came near."""

    def __init__(self, bench: Bench, source: str, baseline: Baseline, *, budget: Budget) -> None:
        self.bench = bench
        self.source = source
        self.baseline = baseline
        """What the checks say of `source`."""
        self.budget = budget
        """Of this search; the repair's own time ends it too."""
        self.hunt: Hunt | None = None
        self.sites: tuple[Site, ...] = ()
        self.timings: dict[str, float] = {}
        self._tried_before = bench.tally.candidates

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the ideas are spent."""
        bench = self.bench
        with open_screeners(
            bench.workshop.pool,
            self.source,
            self.baseline.suite,
            bench.limits,
            bench.task.companions,
            size=bench.workshop.screeners,
        ) as team:
            bench.tell("localising")
            started = bench.clock()
            traced = team.trace(bench.limits.seconds, self.baseline.hanging, self.baseline.deadly)
            self.sites = localise(
                self.source, traced.coverage, traced.results, traced.raised, traced.hung, bench.task.entry_point
            )
            self.timings["localise"] = bench.clock() - started
            self.hunt = Hunt(
                source=self.source,
                engine=self._engine(traced),
                team=team,
                green=frozenset(c for c, r in traced.results.items() if r.outcome == "passed") & self.baseline.green,
                pace=Pace.of(traced, bench.limits.seconds),
                budget=self.budget,
                deadline=min(bench.deadline, started + self.budget.seconds),
                prove=bench.prove,
                watch=self._watch,
                clock=bench.clock,
            )
            return self.hunt.run()

    def choose(self) -> Attempt:
        """The best of what was found, proven and made small; `run` must have ended with FIXED."""
        assert self.hunt is not None
        started = self.bench.clock()
        self.bench.tell("minimising")
        chosen = hand_over(self.bench.task, self.hunt, self.bench.prove)
        self.timings["select"] = self.bench.clock() - started
        return chosen

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Candidates that were put before the judge so far, in order."""
        return tuple(self.hunt.attempts) if self.hunt else ()

    def nearest(self) -> Attempt | None:
        """The nearest miss, judged properly, if it passes more than the program did."""
        return next(iter(self.near_misses(1)), None)

    def near_misses(self, most: int) -> list[Attempt]:
        """Up to `most` candidates that came nearest, judged properly; each passes more than the program did."""
        hunt, green = self.hunt, len(self.baseline.green)
        if hunt is None:
            return []
        candidates = [hunt.candidate(near.mutation) for near in hunt.near[:most] if len(near.passed) > green]
        attempts = [Attempt(candidate, self.bench.prove(candidate)) for candidate in candidates]
        return [attempt for attempt in attempts if attempt.verdict.checks_passed > green]

    @property
    def spent(self) -> dict[str, float]:
        """Seconds by stage."""
        hunt = self.hunt
        return {
            "localise": self.timings.get("localise", 0.0),
            "propose": hunt.propose_seconds if hunt else 0.0,
            "execute": hunt.execute_seconds if hunt else 0.0,
            "select": self.timings.get("select", 0.0),
        }

    def _engine(self, traced: ProgramTrace) -> BestFirstSearch:
        task = self.bench.task
        evidence = gather_clues(
            self.source,
            entry_point=task.entry_point,
            statement=task.statement,
            checks_text=checks_text(task),
            failures=[self.baseline.verdict.results[check] for check in self.baseline.red],
        )
        engine = BestFirstSearch(self.source, self.sites, evidence, seed=self.bench.seed)
        engine.baseline(self.baseline.green, _mean_distance(traced.distances, self.baseline))
        return engine

    def _watch(self, hunt: Hunt) -> None:
        tally = self.bench.tally
        tally.candidates = self._tried_before + hunt.tried
        tally.best_passed = max(tally.best_passed, len(hunt.near[0].passed) if hunt.near else 0)
        self.bench.tell("searching")


def _mean_distance(distances: Mapping[str, float], baseline: Baseline) -> float:
    ids = [check.id for check in baseline.suite.checks]
    return sum(0.0 if i in baseline.green else distances.get(i, 1.0) for i in ids) / max(len(ids), 1)
