"""One search around one program: where to suspect it, what to change, and which patch to hand over."""

from __future__ import annotations

from regreen.propose.search.syntax_search import ScreenedMending, SyntaxSearch
from regreen.select import RankedCandidate
from regreen.strategies.patch_selection import select_patch
from regreen.strategies.program_search import ProgramSearch
from regreen.strategies.search_findings import SearchFindings
from regreen.strategies.search_pace import FIRST_TURN, MENDED_PROGRAMS, TURN_GROWTH
from regreen.strategies.searched_program import SearchedProgram, candidate_of
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Budget, Site, Stop
from regreen.verify.baseline import Baseline


class SearchRun:
    """One search around one program: the given one, or a candidate that came near."""

    def __init__(self, session: RepairSession, source: str, baseline: Baseline, *, budget: Budget) -> None:
        self.session = session
        self.source = source
        self.baseline = baseline
        """The checks, and their verdict on `source`."""
        self.budget = budget
        """Of this search alone; the end of the repair's own time ends it, too."""
        self.findings = SearchFindings()
        self._deadline = 0.0
        self._whole: ProgramSearch | None = None

    @property
    def sites(self) -> tuple[Site, ...]:
        """Suspected lines, the most suspicious first."""
        return self._whole.sites if self._whole else ()

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the mutations are spent.

        Where a program does not parse and mending its syntax is not enough, the search goes on from what was mended.
        """
        self._deadline = min(self.session.deadline, self.session.clock() + self.budget.seconds)
        whole = self._whole = ProgramSearch(
            self.session,
            SearchedProgram(self.source),
            self.baseline.suite,
            self.baseline,
            self.budget,
            self._deadline,
            self.findings,
            hanging=self.baseline.hanging,
            deadly=self.baseline.deadly,
        )
        stop = whole.run(self.budget.candidates)
        if stop is Stop.EXHAUSTED and isinstance(whole.mutations, SyntaxSearch):
            stop = self._search_mended(whole.mutations)
        return stop

    def _search_mended(self, mendings: SyntaxSearch) -> Stop:
        """Search on from the likeliest mendings by turns, the nearer to a repair the longer."""
        waiting = [self._mended(tried) for tried in mendings.best(MENDED_PROGRAMS)]
        turn = FIRST_TURN
        while waiting:
            for rank, search in enumerate(waiting):
                if search.run(turn // (rank + 1)) is Stop.FIXED:
                    return Stop.FIXED
                if self.findings.tried >= self.budget.candidates:
                    return Stop.CANDIDATES
                if search.stop is Stop.SECONDS:
                    return Stop.SECONDS
            waiting = sorted(
                (s for s in waiting if s.stop is not Stop.EXHAUSTED), key=lambda s: s.nearest, reverse=True
            )
            turn *= TURN_GROWTH
        return Stop.EXHAUSTED

    def _mended(self, tried: ScreenedMending) -> ProgramSearch:
        suite = self.baseline.suite
        return ProgramSearch(
            self.session,
            SearchedProgram(self.source, tried.mending),
            suite,
            None,
            self.budget,
            self._deadline,
            self.findings,
            hanging=() if tried.ends else [check.id for check in suite.checks if check.id not in tried.passed],
        )

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
