"""One search around one program: where to suspect it, what to change, and which patch to hand over."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from regreen.propose.search.mutation import SYNTHESISED, Mutation
from regreen.propose.search.syntax_search import ScreenedMending, SyntaxSearch
from regreen.select import RankedCandidate, overfitting_score
from regreen.strategies.choosing.behaviours import Observer, open_observer
from regreen.strategies.choosing.choice import Ask
from regreen.strategies.choosing.patch_selection import SelectedPatch, select_patch
from regreen.strategies.searching.completions import completed_repairs
from regreen.strategies.searching.exchanged_changes import exchanged_repairs
from regreen.strategies.searching.plain_repairs import without_slips
from regreen.strategies.searching.program_search import ProgramSearch
from regreen.strategies.searching.search_findings import SearchFindings
from regreen.strategies.searching.search_pace import (
    ALONE_AT_FIRST,
    FIRST_TURN,
    IMPROVED_PROGRAMS,
    MENDED_PROGRAMS,
    MOST_EXCEPTIONS,
    RIVAL_TURN,
    RIVALS,
    TURN_GROWTH,
    LookAround,
    is_spent,
    look_around_of,
)
from regreen.strategies.searching.searched_program import SearchedProgram, candidate_of
from regreen.strategies.searching.separate_faults import SeparateFaults
from regreen.strategies.session import RepairSession, checks_text
from regreen.types import Attempt, Budget, Candidate, Edit, Question, Site, Stop
from regreen.verify.baseline import Baseline

_MADE_FOR_CHECKS: Final = 0.5
"""From which score for overfitting on a near miss is no step towards a repair."""


class SearchRun:
    """One search around one program: the given one, or a candidate that came near."""

    def __init__(
        self,
        session: RepairSession,
        source: str,
        baseline: Baseline,
        *,
        budget: Budget,
        greens_last: bool = False,
    ) -> None:
        self.session = session
        self.source = source
        self.baseline = baseline
        """The checks, and their verdict on `source`."""
        self.budget = budget
        """Of this search alone; the end of the repair's own time ends it, too."""
        self.findings = SearchFindings()
        self._deadline = 0.0
        self._searched: set[tuple[Edit, ...]] = set()
        """The changes whose programs are searched."""
        self._most_searched = 0
        """The most checks that one of these programs passes."""
        self._whole: ProgramSearch | None = None
        self._greens_last = greens_last
        self._waiting: list[ProgramSearch] | None = None
        """What takes turns; None as long as the given program is searched alone."""
        self._turn = FIRST_TURN
        self._without_slips: ProgramSearch | None = None
        """That of the program whose plain slips are undone, once it is begun."""
        self._past_exceptions: list[ProgramSearch] | None = None
        """Those of the programs in which one exception after the other is ended; None before the first."""

    @property
    def sites(self) -> tuple[Site, ...]:
        """Suspected lines, the most suspicious first."""
        return self._whole.sites if self._whole else ()

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the mutations are spent.

        Where a program does not parse and mending its syntax is not enough, the search goes on from what was mended.
        Where one change wins checks and is not enough, the changed program is searched, too: it is traced anew, since
        what failed may have hidden lines that fail next. What is plain from the text is undone first of all. After
        `grant`, another call goes on where this one ended. Of two changes that are a repair together, the first is
        exchanged for others that won the same checks. What passes and leaves out a step that prose asks for, or a plain
        slip where it is, is completed.
        """
        stop = self._searched_through()
        if stop is Stop.FIXED and self._whole is not None and not isinstance(self._whole.mutations, SyntaxSearch):
            self._search_rivals(self._whole)
            self._whole.keep_passing(exchanged_repairs(self.source, self.findings.plausible, self.findings.as_good))
            self._whole.keep_passing(completed_repairs(self.session.task, self.source, self.findings.plausible))
        return stop

    def _search_rivals(self, whole: ProgramSearch) -> None:
        """Where no single change is a repair, search a while from other changes, too, that win checks and lose none.

        The repair goes on from the first one that led to any, which may be none that is meant.
        """
        if not all("+" in repair.template for repair in self.findings.plausible):
            return
        turn = min(RIVAL_TURN, (whole.look_around or look_around_of(self.baseline.suite)).least)
        for passed, rival in self._rivals()[:RIVALS]:
            if self._is_over(whole) or self.session.clock() >= self._deadline:
                return
            search = self._searching(rival, passed)
            search.look_around = LookAround(turn, turn, 0.0)
            search.run(turn)

    def _rivals(self) -> list[tuple[frozenset[str], Mutation]]:
        """Single changes that win checks and are not searched, with the checks that they pass; one of each family, the
        nearest first."""
        kept = [(passed, one) for passed, mutations in self.findings.as_good.items() for one in mutations]
        kept.sort(key=lambda pair: (-len(pair[0]), -pair[1].score))
        searched = {one.template for _, one in kept if one.edits in self._searched}
        found: dict[str, tuple[frozenset[str], Mutation]] = {}
        for passed, one in kept:
            if "+" not in one.template and one.template not in {*searched, SYNTHESISED}:
                found.setdefault(one.template, (passed, one))
        return list(found.values())

    def _searched_through(self) -> Stop:
        """As `run`, with nothing completed."""
        whole = self._whole = self._whole or self._opened()
        if self._waiting is None:
            stop = self._search_without_slips(whole)
            if stop is Stop.FIXED or stop is Stop.SECONDS:
                return stop
            if self._without_slips is None:
                stop = self._search_past_exceptions(whole)
                if stop is Stop.FIXED or self._is_over(whole):
                    return stop
            stop = whole.run(max(ALONE_AT_FIRST - self.findings.tried, 1))
            if isinstance(whole.mutations, SyntaxSearch):
                return self._search_mended(whole, whole.mutations)
            if stop is Stop.FIXED or self._is_over(whole):
                return stop
            self._waiting = [whole] if stop is not Stop.EXHAUSTED else []
            self._waiting[:0] = [self._without_slips] if self._without_slips else []
            self._waiting[:0] = reversed(self._past_exceptions or ())
            # What is synthesised for one check may please all: faults that lie apart are searched for first.
            for go_on in (self._part_by_part, ProgramSearch.run_synthesised):
                stop = go_on(whole)
                if stop is Stop.FIXED or self._is_over(whole):
                    return stop
        return self._take_turns(self._waiting)

    def _search_without_slips(self, whole: ProgramSearch) -> Stop | None:
        """Undo what is plain from the text, all of it, and search on from there for a while; None where nothing is."""
        if self._without_slips is None:
            if (mended := without_slips(self.source)) is None:
                return None
            whole.before_others = [mended]
            stop = whole.run(1)
            if stop is Stop.FIXED or self._is_over(whole):
                return stop
            self._without_slips = self._changed(mended, self.baseline.hanging)
        stop = self._search_past_exceptions(self._without_slips)
        if stop is Stop.FIXED or self._is_over(self._without_slips):
            return stop
        return self._without_slips.run(max(ALONE_AT_FIRST - self.findings.tried, 1))

    def _search_past_exceptions(self, search: ProgramSearch) -> Stop:
        """End the exception with which all failing checks end, and in what comes of it the next one.

        Of several faults, those that raise are mended one by one so, and what is left is searched for behind them.
        """
        stop = search.run(FIRST_TURN)
        while len(past := self._past_exceptions or []) < MOST_EXCEPTIONS:
            ended = search.past_exception
            if stop is Stop.FIXED or self._is_over(search) or ended is None or ended.edits in self._searched:
                break
            search = self._searching(ended, self.baseline.green)
            self._past_exceptions = [*past, search]
            stop = search.run(FIRST_TURN)
        if past and stop is Stop.CANDIDATES and not self._is_over(search):
            stop = search.run(ALONE_AT_FIRST)
        return stop

    def _part_by_part(self, whole: ProgramSearch) -> Stop:
        """Search for separate faults by themselves, and again in what they were joined to, while that wins checks."""
        search, stop = whole, whole.stop or Stop.EXHAUSTED
        while joined := SeparateFaults(self.session, search, search.results).joined():
            best = self._most_passed
            stop = search.run_offered(joined)
            if stop is Stop.FIXED or self._is_over(search) or self._most_passed <= best:
                return stop
            passed, mutations = max(self.findings.improvements.items(), key=lambda pair: len(pair[0]))
            search = self._searching(mutations[0], passed)
            self._waiting = [*(self._waiting or ()), search]
            stop = search.run(FIRST_TURN)
            if stop is Stop.FIXED or self._is_over(search):
                return stop
        return stop

    @property
    def _most_passed(self) -> int:
        """The most checks that a changed program passes which loses none."""
        return max(map(len, self.findings.improvements), default=len(self.baseline.green))

    def grant(self, candidates: int) -> None:
        """Let further calls of `run` try so many candidates more."""
        self.budget = replace(self.budget, candidates=self.findings.tried + candidates)
        for search in (self._whole, self._without_slips, *(self._waiting or ())):
            if search is not None:
                search.budget = self.budget

    def _opened(self) -> ProgramSearch:
        self._deadline = min(self.session.deadline, self.session.clock() + self.budget.seconds)
        return ProgramSearch(
            self.session,
            SearchedProgram(self.source),
            self.baseline.suite,
            self.baseline,
            self.budget,
            self._deadline,
            self.findings,
            hanging=self.baseline.hanging,
            deadly=self.baseline.deadly,
            greens_last=self._greens_last,
        )

    def _search_mended(self, whole: ProgramSearch, mendings: SyntaxSearch) -> Stop:
        """Search on from the likeliest mendings of the syntax, where all have been tried and none is enough."""
        if whole.stop is Stop.CANDIDATES:
            whole.run(self.budget.candidates)
        if whole.stop is not Stop.EXHAUSTED:
            return whole.stop or Stop.EXHAUSTED
        best = mendings.best(MENDED_PROGRAMS)
        waiting = [self._mended(one) for tried in best for one in (*self._plainly_mended(tried), tried)]
        whole.keep_passing([one.mending for tried in best for one in self._plainly_mended(tried)])
        if waiting:
            stop = self._search_past_exceptions(waiting[0])
            if stop is Stop.FIXED or self._is_over(waiting[0]):
                return stop
        return self._take_turns([*reversed(self._past_exceptions or ()), *waiting])

    def _take_turns(self, waiting: list[ProgramSearch]) -> Stop:
        """Search these programs by turns, the nearer to a repair the longer, and those that they led to."""
        self._waiting = waiting
        waiting += self._improved()
        while waiting:
            for rank, search in enumerate(waiting):
                # Pairs of its changes are a way of their own, which none of the changed programs goes.
                share = 1 if search is self._whole else rank + 1
                stop = search.run(self._turn // share)
                if stop is Stop.FIXED or self._is_over(search):
                    return stop
            left = [*(search for search in waiting if search.stop is not Stop.EXHAUSTED), *self._improved()]
            waiting = self._waiting = sorted(left, key=lambda search: search.nearest, reverse=True)
            self._turn *= TURN_GROWTH
        return Stop.EXHAUSTED

    def _is_over(self, search: ProgramSearch) -> bool:
        return is_spent(self.budget, self.findings.tried, self.findings.ticks) or search.stop is Stop.SECONDS

    def _improved(self) -> list[ProgramSearch]:
        """Searches of the changed programs that win checks and lose none, each once and not too many in all."""
        found = []
        kept = [(passed, one) for passed, mutations in self.findings.improvements.items() for one in mutations]
        # What is made of the values that checks expect wins some of them easily.
        kept.sort(key=lambda pair: (-len(pair[0]), SYNTHESISED in pair[1].template))
        for passed, mutation in kept:
            is_allowed = len(self._searched) < IMPROVED_PROGRAMS or len(passed) > self._most_searched
            if mutation.edits not in self._searched and is_allowed:
                found.append(self._searching(mutation, passed))
        return found

    def _searching(self, mutation: Mutation, passed: Collection[str]) -> ProgramSearch:
        """The search of a changed program, begun once for each."""
        self._searched.add(mutation.edits)
        self._most_searched = max(self._most_searched, len(passed))
        return self._changed(mutation, [c for c in self.baseline.hanging if c not in passed])

    def _plainly_mended(self, tried: ScreenedMending) -> list[ScreenedMending]:
        """What is plain from the mended text undone as well, where anything is."""
        plain = without_slips(self.source, tried.mending)
        return [replace(tried, mending=plain)] if plain else []

    def _mended(self, tried: ScreenedMending) -> ProgramSearch:
        unknown = [check.id for check in self.baseline.suite.checks if check.id not in tried.passed]
        return self._changed(tried.mending, () if tried.ends else unknown)

    def _changed(self, mutation: Mutation, hanging: Sequence[str]) -> ProgramSearch:
        """The search of a changed program, some of whose checks may not come to an end."""
        return ProgramSearch(
            self.session,
            SearchedProgram(self.source, mutation),
            self.baseline.suite,
            None,
            self.budget,
            self._deadline,
            self.findings,
            hanging=hanging,
            deadly=self.baseline.deadly,
            real_time=self._whole.real_time if self._whole else (),
            greens_last=self._greens_last,
        )

    def select_patch(self) -> SelectedPatch:
        """The best of the plausible mutations, proven and made small; `run` must have ended with FIXED."""
        started = self.session.seconds
        self.session.notify("minimising")
        resources, plausible = self.session.resources, self.plausible_candidates()
        with contextlib.ExitStack() as stack:
            # One candidate is no choice.
            only = len(plausible) < 2
            lines = {ranked.line for ranked in plausible}
            observed = open_observer(self.session, self.source, lines, plausible[0].candidate.source)
            observer = Observer(self.source) if only else stack.enter_context(observed)
            selection = select_patch(
                self.session,
                plausible,
                self.findings.attempts,
                observer,
                alternatives=resources.alternatives,
                ask=self._waiting_for(resources.ask),
            )
        self.findings.seconds["select"] = self.session.seconds - started
        return selection

    def _waiting_for(self, ask: Ask | None) -> Ask | None:
        """As `ask`, its time being no part of the repair's."""
        session = self.session

        def asked(question: Question) -> int | str | None:
            started = session.clock()
            answer = ask(question) if ask else None
            session.waited += session.clock() - started
            return answer

        return asked if ask else None

    def plausible_candidates(self) -> list[RankedCandidate]:
        """The plausible mutations as candidates, in the order in which they were found."""
        return [
            RankedCandidate(candidate_of(self.source, mutation), min(max(mutation.score, 0.0), 1.0), mutation.line)
            for mutation in self.findings.plausible
        ]

    def _is_made_for_checks(self, candidate: Candidate) -> bool:
        checks = checks_text(self.session.task)
        return overfitting_score(self.source, candidate.source, checks) > _MADE_FOR_CHECKS

    def judge_near_misses(self, most: int) -> list[Attempt]:
        """Up to `most` of the near misses, each judged in full and passing more checks than the program did.

        One that gives what a check expects as it stands there is no step towards a repair, and left out.
        """
        green = len(self.baseline.green)
        nearest = (near.mutation for near in self.findings.near_misses if len(near.passed) > green)
        candidates = (candidate_of(self.source, mutation) for mutation in nearest)
        meant = islice((one for one in candidates if not self._is_made_for_checks(one)), most)
        attempts = [Attempt(candidate, self.session.prove(candidate)) for candidate in meant]
        return [attempt for attempt in attempts if attempt.verdict.checks_passed > green]
