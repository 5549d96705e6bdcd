"""The search over the mutations of one program: traced and localised once, then as many turns as it is given."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Final

from regreen.errors import SandboxError
from regreen.localise import localise
from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.clues import gather_clues
from regreen.propose.search.mutation import Mutation
from regreen.propose.search.raising_places import OF_WRONG_KINDS
from regreen.propose.search.syntax_search import SyntaxSearch
from regreen.propose.search.synthesis.synthesiser import Synthesiser
from regreen.strategies.searching.search_findings import SearchFindings
from regreen.strategies.searching.search_loop import SearchLoop
from regreen.strategies.searching.search_pace import (
    ALL_RAISE,
    PROPERTY_EXAMPLES,
    LookAround,
    MutationLimits,
    late_checks,
    look_around_of,
)
from regreen.strategies.searching.searched_program import SearchedProgram, signatures_beside
from regreen.strategies.session import RepairSession, checks_text
from regreen.syntax import UNPARSABLE
from regreen.types import Budget, CheckResult, Outcome, Site, Stop, Suite, SuiteKind, Verdict
from regreen.verify.baseline import Baseline
from regreen.verify.screener_pool import ScreenerPool, open_screeners
from regreen.verify.screening import ProgramTrace, TraceOrder, may_be_reordered


@dataclass
class ProgramSearch:
    """One program, and how far the search over its mutations has come."""

    session: RepairSession
    program: SearchedProgram
    suite: Suite
    baseline: Baseline | None
    """The judge's verdict on the program; None where only a trace will tell."""
    budget: Budget
    """Of the whole search that this one is part of."""
    deadline: float
    """When its seconds end, by the session's clock."""
    findings: SearchFindings
    hanging: Sequence[str] = ()
    """Ids of checks that may not come to an end."""
    deadly: Sequence[str] = ()
    """Ids of checks that end the program's process."""
    real_time: Sequence[str] = ()
    """Ids of checks in which no sleep is skipped; after the first turn of the given program, those found so."""
    greens_last: bool = False
    """Whether green checks are only run where all red ones pass, as pays where they are many."""
    before_others: Sequence[Mutation] = ()
    """Mutations that are tried first of all."""
    look_around: LookAround | None = None
    """How many mutations are tried after the first repair; None for what the number and kind of checks suggest."""
    sites: tuple[Site, ...] = ()
    """Suspected lines, the most suspicious first; known after the first turn."""
    coverage: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Check id -> lines that it ran; known after the first turn, as are the results."""
    results: Mapping[str, CheckResult] = field(default_factory=dict)
    """Check id -> what it said of the program."""
    stop: Stop | None = None
    """How the last turn ended."""
    _loop: SearchLoop | None = None

    def run_offered(self, mutations: Sequence[Mutation]) -> Stop:
        """As `run`, with these mutations and no others, until one of them is proven."""
        if isinstance(self.mutations, BestFirstSearch):
            self.mutations.offer(mutations)
            self.run(len(mutations))
        return self.stop or Stop.EXHAUSTED

    def keep_passing(self, mutations: Sequence[Mutation]) -> None:
        """Try these mutations besides, after a turn: what passes is plausible, too."""
        if mutations and self._loop is not None:
            with self._screeners() as screeners:
                self._loop.screeners = screeners
                self._loop.try_besides(mutations)

    def run_synthesised(self) -> Stop:
        """As `run`, with the candidates that values seen suggest; where there is none, how the turn before ended."""
        before = self.stop
        self.run(0, synthesise=True)
        if self.stop is Stop.EXHAUSTED and before is not None:
            self.stop = before
        return self.stop or Stop.EXHAUSTED

    def run(self, candidates: int, *, synthesise: bool = False) -> Stop:
        """Try so many candidates, within the budget: until a repair is proven (and a while longer), or all are tried.

        With `synthesise`, candidates with new expressions come first, and are not counted. `Stop.CANDIDATES` says that
        more can be tried.
        """
        with self._screeners() as screeners:
            if self._loop is None:
                self._loop = self._opened(screeners)
            self._loop.screeners = screeners
            if synthesise:
                candidates += self._synthesise(self._loop)
            most = min(self.budget.candidates, self.findings.tried + candidates)
            self._loop.budget = replace(self.budget, candidates=most)
            self.stop = self._loop.run()
            if self._loop.has_proven and self.findings.tried >= most < self.budget.candidates:
                # What is left of the turn is no measure of how long to look around for a better repair.
                self._loop.budget = self.budget
                self.stop = self._loop.run()
        return self.stop

    def _screeners(self) -> AbstractContextManager[ScreenerPool]:
        session = self.session
        return open_screeners(
            session.resources.pool,
            self.program.source,
            self.suite,
            session.limits,
            session.task.companions,
            size=session.resources.screeners,
            examples=session.baseline.examples,
        )

    def _synthesise(self, loop: SearchLoop) -> int:
        """Have mutations tried next that values seen in the program suggest; returns their number."""
        if not isinstance(loop.mutations, BestFirstSearch):
            return 0
        started = self.session.clock()
        synthesiser = Synthesiser(self.program.source, self.sites, loop.mutations.clues)
        visits = loop.screeners.visits(synthesiser.lines, loop.green, loop.limits.first) if synthesiser.lines else ()
        found = synthesiser.mutations(visits, self._passes(synthesiser, loop)) if visits else []
        loop.mutations.offer(found)
        self.findings.seconds["propose"] += self.session.clock() - started
        return len(found)

    def _passes(
        self, synthesiser: Synthesiser, loop: SearchLoop
    ) -> dict[ast.expr, tuple[frozenset[str], frozenset[str]]]:
        """The checks that pass where a condition is always true, and where it is always false, by its node."""
        edits = [edits for condition in synthesiser.forced for edits in condition.edits]
        # What is not known for certain would be taken for an answer.
        limits = replace(loop.limits.anew, late=frozenset())
        passed = [answer.passed for answer in loop.screeners.screen(edits, frozenset(), limits)]
        return {
            condition.test: (passed[2 * number], passed[2 * number + 1])
            for number, condition in enumerate(synthesiser.forced)
        }

    @property
    def nearest(self) -> tuple[int, float]:
        """As SearchLoop.nearest; before the first turn nothing has come near."""
        return self._loop.nearest if self._loop else (0, -1.0)

    @property
    def past_exception(self) -> Mutation | None:
        """Where all failing checks raise: the likeliest mutation of the given program that ends it, of those tried."""
        found = self._loop.past_exception if self._loop else None
        return self.program.whole(found) if found else None

    @property
    def mutations(self) -> BestFirstSearch | SyntaxSearch | None:
        """What proposes the mutations; None before the first turn."""
        return self._loop.mutations if self._loop else None

    @property
    def _has_properties(self) -> bool:
        return self.suite.kind is SuiteKind.PYTEST and "hypothesis" in self.suite.source

    def _opened(self, screeners: ScreenerPool) -> SearchLoop:
        """Trace the program, suspect its lines, and prepare its mutations."""
        session = self.session
        session.notify("localising")
        started = session.clock()
        traced = self._traced(screeners)
        if self.baseline is not None:
            _refuse_other_ends(self.baseline.green, traced.results)
        self.sites = localise(
            self.program.source,
            traced.coverage,
            traced.results,
            traced.raised,
            traced.hung,
            session.task.entry_point,
            traced.assertions,
        )
        self.findings.seconds["localise"] += session.clock() - started
        baseline = self.baseline or Baseline(self.suite, Verdict(traced.results))
        self.coverage, self.results = traced.coverage, baseline.verdict.results
        green = baseline.green & {c for c, r in traced.results.items() if r.outcome == "passed"}
        late = self._late(traced, green)
        mutations = self._mutations(baseline, traced, late)
        return SearchLoop(
            session=session,
            program=self.program,
            mutations=mutations,
            screeners=screeners,
            green=green,
            limits=MutationLimits.of(
                traced,
                session.limits.seconds,
                PROPERTY_EXAMPLES if self._has_properties else 1,
                late=late,
                real_time=frozenset(self.real_time),
            ),
            got_past=_got_past(traced, baseline, late),
            budget=self.budget,
            deadline=self.deadline,
            raises=_all_raise(mutations),
            hangs=_all_hang(traced),
            distance=_mean_distance(traced.distances, baseline),
            look_around=self.look_around or look_around_of(self.suite, traced.ticks, hangs=bool(traced.hung)),
            given_ticks=traced.ticks,
            findings=self.findings,
        )

    def _late(self, traced: ProgramTrace, green: frozenset[str]) -> frozenset[str]:
        if not may_be_reordered(self.suite):
            return frozenset()
        return green if self.greens_last else late_checks(traced, green)

    def _traced(self, screeners: ScreenerPool) -> ProgramTrace:
        """The trace; checks whose results differ from the judge's where sleep is skipped are traced in real time."""
        green = self.baseline.green if self.baseline else frozenset()
        seconds = self.session.limits.seconds
        order = TraceOrder(seconds, self.hanging, self.deadly, tuple(sorted(green)), tuple(self.real_time))
        traced = screeners.trace(order)
        if self.baseline is None or not any(cost.skipped_seconds for cost in traced.costs.values()):
            return traced
        self.real_time = sorted(c for c, r in traced.results.items() if (r.outcome == "passed") != (c in green))
        return screeners.trace(replace(order, real_time=self.real_time)) if self.real_time else traced

    def _mutations(self, baseline: Baseline, traced: ProgramTrace, late: Set[str]) -> BestFirstSearch | SyntaxSearch:
        source, task = self.program.source, self.session.task
        clues = gather_clues(
            source,
            entry_point=task.entry_point,
            statement=task.statement,
            checks_text=checks_text(task),
            failures=[_as_traced(baseline.verdict.results[check], traced.results.get(check)) for check in baseline.red],
            imported=signatures_beside(task, self.suite),
        )
        try:
            search = BestFirstSearch(source, self.sites, clues, seed=self.session.seed)
        except UNPARSABLE:
            return SyntaxSearch(source)
        # No distance is known of a late check that was not run.
        distances = {check: far for check, far in traced.distances.items() if check not in late}
        search.baseline(baseline.green, _mean_distance(distances, baseline), _got_past(traced, baseline, late))
        search.offer(self.before_others)
        return search


def _as_traced(judged: CheckResult, traced: CheckResult | None) -> CheckResult:
    """A failure as the trace tells it, where it is the same: it says in which line of this very program it raised."""
    return traced if traced is not None and traced.outcome is judged.outcome else judged


def _refuse_other_ends(green: Set[str], results: Mapping[str, CheckResult]) -> None:
    """Raises SandboxError where all checks that pass before the judge raise one and the same thing in the screener.

    No candidate could pass there, and what is wrong is not the program.
    """
    ends = {(results[check].outcome, results[check].detail) for check in green if check in results}
    known = sum(check in results for check in green)
    if known < _FEWEST_ENDS or len(ends) > 1:
        return
    (outcome, detail), *_ = ends
    if outcome is Outcome.RAISED:
        raise SandboxError(
            f"All {known} checks that pass by themselves raise in the processes where candidates are tried: {detail}.",
            remedy="This is a fault of Regreen's. Something in the environment of the tests, such as a plugin of "
            "pytest, may be the cause: try without it, and please report it.",
        )


_FEWEST_ENDS: Final = 3
"""Checks that have to end alike before their end is blamed on the sandbox."""


def _all_raise(mutations: BestFirstSearch | SyntaxSearch) -> bool:
    """Whether all failing checks end since a line of the program meets a value of the wrong kind, or no name."""
    raised = mutations.clues.raised if isinstance(mutations, BestFirstSearch) else ()
    return sum(one.share for one in raised if one.name in OF_WRONG_KINDS) >= ALL_RAISE


def _all_hang(traced: ProgramTrace) -> bool:
    """Whether all failing checks come to no end: what would fail behind that has not run."""
    failing = {result.outcome for result in traced.results.values()} - {Outcome.PASSED}
    return failing == {Outcome.TIMED_OUT}


def _got_past(traced: ProgramTrace, baseline: Baseline, late: Set[str]) -> float:
    """The assertions that failing checks get past, for each as a share of its own."""
    known = late | set(baseline.green)
    return sum(share for check, share in traced.shares.items() if check not in known)


def _mean_distance(distances: Mapping[str, float], baseline: Baseline) -> float:
    """Mean distance between actual and expected over all checks: 0 for one that passes, 1 where it is not known."""
    ids = [check.id for check in baseline.suite.checks]
    return sum(0.0 if i in baseline.green else distances.get(i, 1.0) for i in ids) / max(len(ids), 1)
