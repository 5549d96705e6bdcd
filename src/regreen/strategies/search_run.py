"""One search around one program: where to suspect it, what to change, and which patch to hand over."""

from __future__ import annotations

from collections.abc import Mapping

from regreen.localise import localise
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.select import RankedCandidate
from regreen.strategies.patch_selection import select_patch
from regreen.strategies.search_findings import SearchFindings
from regreen.strategies.search_loop import SearchLoop, candidate_of
from regreen.strategies.search_pace import MutationLimits
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
        """The checks, and their verdict on `source`."""
        self.budget = budget
        """Of this search alone; the end of the repair's own time ends it, too."""
        self.sites: tuple[Site, ...] = ()
        """Suspected lines, the most suspicious first."""
        self.findings = SearchFindings()

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the mutations are spent."""
        session = self.session
        with open_screeners(
            session.resources.pool,
            self.source,
            self.baseline.suite,
            session.limits,
            session.task.companions,
            size=session.resources.screeners,
        ) as screeners:
            session.notify("localising")
            started = session.clock()
            traced = screeners.trace(session.limits.seconds, self.baseline.hanging, self.baseline.deadly)
            self.sites = localise(
                self.source, traced.coverage, traced.results, traced.raised, traced.hung, session.task.entry_point
            )
            self.findings.seconds["localise"] = session.clock() - started
            return SearchLoop(
                session=session,
                source=self.source,
                mutations=self._mutations(traced),
                screeners=screeners,
                green=self.baseline.green & {c for c, r in traced.results.items() if r.outcome == "passed"},
                limits=MutationLimits.of(traced, session.limits.seconds),
                budget=self.budget,
                deadline=min(session.deadline, started + self.budget.seconds),
                findings=self.findings,
            ).run()

    def select_patch(self) -> Attempt:
        """The best of the plausible mutations, proven and made small; `run` must have ended with FIXED."""
        started = self.session.clock()
        self.session.notify("minimising")
        ranked = [
            RankedCandidate(candidate_of(self.source, mutation), min(max(mutation.score, 0.0), 1.0), mutation.line)
            for mutation in self.findings.plausible
        ]
        chosen = select_patch(self.session, ranked, self.findings.attempts)
        self.findings.seconds["select"] = self.session.clock() - started
        return chosen

    def judge_near_misses(self, most: int) -> list[Attempt]:
        """Up to `most` of the near misses, each judged in full and passing more checks than the program did."""
        green = len(self.baseline.green)
        nearest = [near.mutation for near in self.findings.near_misses[:most] if len(near.passed) > green]
        candidates = [candidate_of(self.source, mutation) for mutation in nearest]
        attempts = [Attempt(candidate, self.session.prove(candidate)) for candidate in candidates]
        return [attempt for attempt in attempts if attempt.verdict.checks_passed > green]

    def _mutations(self, traced: ProgramTrace) -> BestFirstSearch:
        task = self.session.task
        clues = gather_clues(
            self.source,
            entry_point=task.entry_point,
            statement=task.statement,
            checks_text=checks_text(task),
            failures=[self.baseline.verdict.results[check] for check in self.baseline.red],
        )
        search = BestFirstSearch(self.source, self.sites, clues, seed=self.session.seed)
        search.baseline(self.baseline.green, _mean_distance(traced.distances, self.baseline))
        return search


def _mean_distance(distances: Mapping[str, float], baseline: Baseline) -> float:
    """Mean distance between actual and expected over all checks: 0 for one that passes, 1 where it is not known."""
    ids = [check.id for check in baseline.suite.checks]
    return sum(0.0 if i in baseline.green else distances.get(i, 1.0) for i in ids) / max(len(ids), 1)
