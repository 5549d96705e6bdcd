"""A search on one program: where to suspect it, what to change, what the screening and the proofs say."""

from __future__ import annotations

from collections.abc import Mapping

from regreen.localise import localise
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.strategies.patch_selection import select_patch
from regreen.strategies.search_loop import Pace, SearchLoop
from regreen.strategies.session import RepairSession, checks_text
from regreen.types import Attempt, Budget, Site, Stop
from regreen.verify.baseline import Baseline
from regreen.verify.screener import open_screeners
from regreen.verify.screening import ProgramTrace


class SearchRun:
    """One search around one program: the given one, or a candidate that came near."""

    def __init__(self, session: RepairSession, source: str, baseline: Baseline, *, budget: Budget) -> None:
        self.session = session
        self.source = source
        self.baseline = baseline
        """What the checks say of `source`."""
        self.budget = budget
        """Of this search; the repair's own time ends it too."""
        self.loop: SearchLoop | None = None
        self.sites: tuple[Site, ...] = ()
        self.timings: dict[str, float] = {}
        self._tried_before = session.progress.candidates

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the ideas are spent."""
        session = self.session
        with open_screeners(
            session.resources.pool,
            self.source,
            self.baseline.suite,
            session.limits,
            session.task.companions,
            size=session.resources.screeners,
        ) as team:
            session.notify("localising")
            started = session.clock()
            traced = team.trace(session.limits.seconds, self.baseline.hanging, self.baseline.deadly)
            self.sites = localise(
                self.source, traced.coverage, traced.results, traced.raised, traced.hung, session.task.entry_point
            )
            self.timings["localise"] = session.clock() - started
            self.loop = SearchLoop(
                source=self.source,
                engine=self._engine(traced),
                team=team,
                green=frozenset(c for c, r in traced.results.items() if r.outcome == "passed") & self.baseline.green,
                pace=Pace.of(traced, session.limits.seconds),
                budget=self.budget,
                deadline=min(session.deadline, started + self.budget.seconds),
                prove=session.prove,
                watch=self._watch,
                clock=session.clock,
            )
            return self.loop.run()

    def choose(self) -> Attempt:
        """The best of what was found, proven and made small; `run` must have stopped with FIXED."""
        assert self.loop is not None
        started = self.session.clock()
        self.session.notify("minimising")
        chosen = select_patch(self.session.task, self.loop, self.session.prove)
        self.timings["select"] = self.session.clock() - started
        return chosen

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Candidates that were put before the judge so far, in order."""
        return tuple(self.loop.attempts) if self.loop else ()

    def nearest(self) -> Attempt | None:
        """The nearest miss, judged properly, if it passes more than the program did."""
        return next(iter(self.near_misses(1)), None)

    def near_misses(self, most: int) -> list[Attempt]:
        """Up to `most` candidates that came nearest, judged properly; each passes more than the program did."""
        loop, green = self.loop, len(self.baseline.green)
        if loop is None:
            return []
        candidates = [loop.candidate(near.mutation) for near in loop.near[:most] if len(near.passed) > green]
        attempts = [Attempt(candidate, self.session.prove(candidate)) for candidate in candidates]
        return [attempt for attempt in attempts if attempt.verdict.checks_passed > green]

    @property
    def spent(self) -> dict[str, float]:
        """Seconds by stage."""
        loop = self.loop
        return {
            "localise": self.timings.get("localise", 0.0),
            "propose": loop.propose_seconds if loop else 0.0,
            "execute": loop.execute_seconds if loop else 0.0,
            "select": self.timings.get("select", 0.0),
        }

    def _engine(self, traced: ProgramTrace) -> BestFirstSearch:
        task = self.session.task
        evidence = gather_clues(
            self.source,
            entry_point=task.entry_point,
            statement=task.statement,
            checks_text=checks_text(task),
            failures=[self.baseline.verdict.results[check] for check in self.baseline.red],
        )
        engine = BestFirstSearch(self.source, self.sites, evidence, seed=self.session.seed)
        engine.baseline(self.baseline.green, _mean_distance(traced.distances, self.baseline))
        return engine

    def _watch(self, loop: SearchLoop) -> None:
        progress = self.session.progress
        progress.candidates = self._tried_before + loop.tried
        progress.best_passed = max(progress.best_passed, len(loop.near[0].passed) if loop.near else 0)
        self.session.notify("searching")


def _mean_distance(distances: Mapping[str, float], baseline: Baseline) -> float:
    ids = [check.id for check in baseline.suite.checks]
    return sum(0.0 if i in baseline.green else distances.get(i, 1.0) for i in ids) / max(len(ids), 1)
