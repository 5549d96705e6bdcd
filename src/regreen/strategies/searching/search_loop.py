"""The loop of a search: propose, screen, prove, until a repair is proven or the budget is spent."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import chain, repeat

from regreen.propose.search.best_first import BestFirstSearch
from regreen.propose.search.mutation import Mutation, ScreenedMutation
from regreen.propose.search.syntax_search import SyntaxSearch
from regreen.strategies.choosing.confidence import is_robust, is_vacuous, lacks_step
from regreen.strategies.searching.search_findings import SearchFindings
from regreen.strategies.searching.search_pace import (
    AT_EXCEPTION,
    BATCH_SIZES,
    CHANCE_EVERY,
    ENDED_WHOLLY,
    EXCEPTION_ENDED,
    LAST_SECOND_CHANCES,
    LEAST_SHARE_GAINED,
    LOADED_ANEW_EVERY,
    LOOK_AROUND_SLOW,
    LOOK_AROUND_TIME_SHARE,
    MOST_WAITING,
    UNSOUND_HALVINGS,
    LookAround,
    MutationLimits,
)
from regreen.strategies.searching.searched_program import SearchedProgram
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Budget, Stop
from regreen.verify.screener_pool import ScreenerPool
from regreen.verify.screening import ANEW, STALE, ScreeningLimits, ScreeningResult


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A mutation that hung, and is to have a further chance."""

    mutation: Mutation
    passed: int
    """Checks that it passed before."""

    def rank(self) -> int:
        """First the one that came furthest; of those that came equally far the one that waits for the longest time."""
        return -self.passed


@dataclass
class SearchLoop:
    """Screens batch after batch of one program's mutations, and proves the first that passes."""

    session: RepairSession
    program: SearchedProgram
    mutations: BestFirstSearch | SyntaxSearch
    screeners: ScreenerPool
    green: frozenset[str]
    """Ids of the checks that pass already: a mutation that breaks one is left at once."""
    limits: MutationLimits
    budget: Budget
    deadline: float
    """When the seconds of the budget end, by the session's clock."""
    got_past: float = 0.0
    """Assertions that the failing tests get past on the program as it is, for each as a share of its own."""
    look_around: LookAround = LOOK_AROUND_SLOW
    """How many mutations are tried after the first repair."""
    given_ticks: int = 0
    """That the checks took on the program as it is."""
    raises: bool = False
    """Whether all failing checks of the program as it is end since one of its lines meets a value of the wrong kind."""
    hangs: bool = False
    """Whether all of them come to no end."""
    distance: float = 1.0
    """Mean distance of its checks from passing, in [0, 1]."""
    findings: SearchFindings = field(default_factory=SearchFindings)
    """Of all loops of one search, whose budget counts what is tried in each of them."""
    nearest: tuple[int, float] = (0, -1.0)
    """The rank of the mutation of this loop that came nearest to a repair: passed checks, then minus the distance."""
    past_exception: Mutation | None = None
    """Where the failing checks raise, or hang: the likeliest mutation of the program with which they do so no more, or
    later."""
    _past_worth: float = 0.0
    """How likely it is, by its score and by how far it comes."""
    _tried: int = 0
    """Mutations of this loop that were screened."""
    _answered: int = 0
    """Mutations that were screened for the first time, those among them for which the program has to be loaded anew."""
    _duplicates: int = 0
    """Of `mutations`, as far as the findings count them."""
    _unloaded: dict[str, list[Mutation]] = field(default_factory=lambda: {ANEW: [], STALE: []})
    """Mutations for which the program has to be loaded anew, by what is known of them, the likeliest first."""
    _loaded_anew: int = 0
    """How many of them have fallen due."""
    _hung: list[list[_Waiting]] = field(init=False)
    """Mutations that wait for each further chance, the best first."""
    _proven_at: int | None = None
    """Once a repair is proven: how many mutations had been tried."""
    _current_score: float = 0.0
    """Of the best mutation in the last batch: later ones are no likelier."""
    _chances_given: list[int] = field(init=False)
    """How many of each further chance have fallen due so far."""
    _last_chances: list[int] = field(init=False)
    """How many of each further chance are left for the end."""

    def __post_init__(self) -> None:
        further = len(self.limits.chances) - 1
        self._hung = [[] for _ in range(further)]
        self._chances_given, self._last_chances = [0] * further, [LAST_SECOND_CHANCES] * further

    @property
    def has_proven(self) -> bool:
        """Whether a mutation of this loop was proven to be a repair."""
        return self._proven_at is not None

    def run(self) -> Stop:
        """Search until a repair is proven (and a while longer), or the budget or the mutations are spent.

        With a larger budget, another call goes on where this one ended.
        """
        sizes = chain(BATCH_SIZES, repeat(BATCH_SIZES[-1]))
        batch = self._propose(next(sizes))
        with ThreadPoolExecutor(1, "screening") as screening:
            while batch or (batch := self._propose(next(sizes))) or self._has_left():
                if batch:
                    batch = self._screen_and_propose(screening, batch, next(sizes))
                    self._give_further_chances(ahead=len(batch))
                    self._load_some_anew(ahead=len(batch))
                self._notify()
                if (stop := self._stop()) is not None:
                    return stop
        if self.findings.plausible:
            return Stop.FIXED
        # Of a budget that was spent before, nothing can be tried: that is no end of the mutations.
        return Stop.EXHAUSTED if self.findings.tried < self.budget.candidates else Stop.CANDIDATES

    def try_besides(self, mutations: Sequence[Mutation]) -> None:
        """Screen mutations that nothing proposed here, within the budget; those that pass are kept."""
        besides = mutations[: max(0, self.budget.candidates - self.findings.tried)]
        if besides:
            self._take_in(besides, self._screen(besides, self.limits.anew), anew=True)

    def _screen_and_propose(
        self, screening: ThreadPoolExecutor, batch: Sequence[Mutation], next_size: int
    ) -> list[Mutation]:
        """Have the sandboxes screen one batch while this thread proposes the next, which is returned."""
        answers = screening.submit(self._screen, batch, self.limits.first)
        try:
            upcoming = self._propose(next_size, ahead=len(batch))
            self._take_in(batch, self._certain(batch, answers.result()))
        except BaseException:
            # The batch under way is not waited for.
            self.screeners.stop_after_current()
            raise
        return upcoming

    def _propose(self, size: int, *, ahead: int = 0) -> list[Mutation]:
        """The next mutations, within the budget; the `ahead` mutations under way count as tried."""
        bound = self.budget.candidates
        if self._proven_at is not None:
            bound = min(bound, self._proven_at + self.look_around.most)
        started = self.session.clock()
        batch = self.mutations.next_batch(max(0, min(size, bound - self.findings.tried - ahead)))
        self._count_duplicates()
        self.findings.seconds["propose"] += self.session.clock() - started
        return batch

    def _count_duplicates(self) -> None:
        self.findings.duplicates += self.mutations.duplicates - self._duplicates
        self._duplicates = self.mutations.duplicates

    def _screen(self, batch: Sequence[Mutation], limits: ScreeningLimits) -> list[ScreeningResult]:
        """The answers to a batch, or to its beginning where the time ends first."""
        started = self.session.clock()
        until = time.monotonic() + self.deadline - started
        answers = self.screeners.screen([mutation.edits for mutation in batch], self.green, limits, until)
        self.findings.seconds["execute"] += self.session.clock() - started
        return answers

    def _take_in(
        self, batch: Sequence[Mutation], answers: Sequence[ScreeningResult], chance: int = 0, *, anew: bool = False
    ) -> None:
        """Learn the answers; what hung at this chance, and is not at its last one, waits for the next.

        What was not run counts for nothing.
        """
        answered = [pair for pair in zip(batch, answers, strict=False) if pair[1].status != ANEW]
        self.findings.tried += len(answered)
        self.findings.ticks += sum(tried.ticks for _, tried in answered)
        self._tried += len(answered)
        if chance == 0 and not anew:
            self._answered += len(answers)
            self._current_score = max((mutation.score for mutation in batch), default=0.0)
        # What is told while one of them is proven counts them, too.
        self.session.progress.candidates += len(answered)
        screened = [_screened(mutation, tried) for mutation, tried in answered]
        if chance == 0 and not anew:
            self._have_loaded_anew(batch, answers)
        for result, (_, tried) in zip(screened, answered, strict=True):
            if result.status == "passed":
                self._add_passing(result.mutation, tried.ticks)
            elif result.status == "hung":
                for waiting in self._hung[chance : chance + 1]:
                    insort(waiting, _Waiting(result.mutation, len(result.passed)), key=_Waiting.rank)
            self.findings.add_near_miss(self.program, result)
            if result.status == "failed" and (result.passed > self.green or self._gets_further(result)):
                self.findings.add_improvement(self.program, result)
            if (self.raises or self.hangs) and result.status == "failed" and result.passed >= self.green:
                self._keep_past_exception(result)
            self.nearest = max(self.nearest, (len(result.passed), -result.distance))
        self.mutations.learn(screened)
        self._count_duplicates()

    def _gets_further(self, result: ScreenedMutation) -> bool:
        """Whether a mutation loses no check and gets past more assertions: what comes behind them now runs."""
        return result.passed == self.green and result.got_past > self.got_past + LEAST_SHARE_GAINED

    def _keep_past_exception(self, result: ScreenedMutation) -> None:
        """Keep a mutation that ends the exceptions, or what hangs, if none did that is likelier."""
        nearer, past = self.distance - result.distance, result.got_past - self.got_past
        further = nearer + past
        if past <= LEAST_SHARE_GAINED < nearer:
            # It raises no more, and is wrong in another way: that is as far as to raise in the next line.
            further = max(further, ENDED_WHOLLY)
        if further <= LEAST_SHARE_GAINED and not self.hangs:
            return
        likely = result.mutation.score * (AT_EXCEPTION if self._is_at_exception(result.mutation) else 1.0)
        worth = likely * (EXCEPTION_ENDED + further)
        if worth > self._past_worth:
            self.past_exception, self._past_worth = result.mutation, worth

    def _is_at_exception(self, mutation: Mutation) -> bool:
        """Whether a mutation changes what the exceptions speak of."""
        spans = self.mutations.raising_spans if isinstance(self.mutations, BestFirstSearch) else ()
        return any(edit.start <= end and start <= edit.end for edit in mutation.edits for start, end in spans)

    def _add_passing(self, mutation: Mutation, ticks: int) -> None:
        """Prove the first that passes, which took so many ticks; later ones are only kept, for the choice at the end.

        One that makes the checks' comparisons vacuous is none of them.
        """
        if is_vacuous(self.session, self.program.candidate(mutation).source):
            return
        if self._proven_at is None:
            candidate = self.program.candidate(mutation)
            started = self.session.clock()
            verdict = self.session.prove(candidate)
            self.findings.seconds["execute"] += self.session.clock() - started
            self.findings.attempts.append(Attempt(candidate, verdict))
            if not verdict.passed:
                return
            task = self.session.task
            if not is_robust(task, self.findings.attempts[-1]) or lacks_step(task, candidate.source):
                self.look_around = replace(self.look_around, halvings=self.look_around.halvings + UNSOUND_HALVINGS)
            self.look_around = self.look_around.beside(ticks, self.given_ticks)
            self._proven_at = self.findings.tried
            # The same patch is chosen wherever there is time to look around.
            around = self.session.clock() + LOOK_AROUND_TIME_SHARE * self.budget.seconds
            self.deadline = max(self.deadline, around)
        self.findings.plausible.append(self.program.whole(mutation))

    def _give_further_chances(self, *, ahead: int) -> None:
        """Screen some mutations that hung again, until a repair is proven; `ahead` mutations are under way."""
        for chance, every in enumerate(CHANCE_EVERY[-len(self._hung) :], 1):
            due = self._tried // every - self._chances_given[chance - 1]
            self._chances_given[chance - 1] += due
            if self._proven_at is None:
                self._screen_again(chance, min(due, self.budget.candidates - self.findings.tried - ahead))

    def _load_some_anew(self, *, ahead: int) -> None:
        """Screen some mutations for which the program has to be loaded anew; `ahead` mutations are under way."""
        due = self._answered // LOADED_ANEW_EVERY - self._loaded_anew
        self._loaded_anew += due
        if self._proven_at is None:
            self._load_anew(min(due, self.budget.candidates - self.findings.tried - ahead))

    def _load_anew(self, count: int) -> bool:
        """Screen `count` of those mutations: first those of which nothing is known. False when there is none."""
        waiting = self._unloaded[ANEW] or self._unloaded[STALE]
        due = waiting[: max(0, count)]
        del waiting[: len(due)]
        if due:
            self._take_in(due, self._screen(due, self.limits.anew), anew=True)
        return bool(due)

    def _certain(self, batch: Sequence[Mutation], answers: Sequence[ScreeningResult]) -> list[ScreeningResult]:
        """The answers, those to what passes in a program that is stale from one that is loaded anew."""
        certain = list(answers)
        for number, (mutation, tried) in enumerate(zip(batch, answers, strict=False)):
            if tried.status == STALE and not tried.distance:
                certain[number : number + 1] = self._screen([mutation], self.limits.anew) or [tried]
        return certain

    def _have_loaded_anew(self, batch: Sequence[Mutation], answers: Sequence[ScreeningResult]) -> None:
        """Have what asks for it wait until the program is loaded anew."""
        for mutation, tried in zip(batch, answers, strict=False):
            if tried.status in (ANEW, STALE) and len(self._unloaded[tried.status]) < MOST_WAITING:
                self._unloaded[tried.status].append(mutation)

    def _has_left(self) -> bool:
        """Screen what waits, when there is nothing else to try; False when nothing is left."""
        left = min(BATCH_SIZES[0], self.budget.candidates - self.findings.tried)
        return self._give_last_second_chances() or self._load_anew(left)

    def _give_last_second_chances(self) -> bool:
        """Screen mutations that hung again, when there is nothing else to try; False when none is left."""
        for chance in range(1, len(self.limits.chances)):
            left = self.budget.candidates - self.findings.tried
            count = min(BATCH_SIZES[0], self._last_chances[chance - 1], left)
            self._last_chances[chance - 1] -= count
            if self._screen_again(chance, count):
                return True
        return False

    def _screen_again(self, chance: int, count: int) -> bool:
        """Screen `count` mutations that hung with the allowance of a further chance."""
        waiting = self._hung[chance - 1]
        again = [one.mutation for one in waiting[: max(0, count)]]
        if not again:
            return False
        del waiting[: len(again)]
        self._take_in(again, self._screen(again, self.limits.chances[chance]), chance)
        return True

    def _notify(self) -> None:
        progress, nearest = self.session.progress, self.findings.near_misses[:1]
        progress.best_passed = max([progress.best_passed, *(len(near.passed) for near in nearest)])
        self.session.notify("searching")

    def _stop(self) -> Stop | None:
        is_fixed = bool(self.findings.plausible)
        if self._has_looked_around():
            return Stop.FIXED
        if self.findings.tried >= self.budget.candidates:
            return Stop.FIXED if is_fixed else Stop.CANDIDATES
        if self.session.clock() >= self.deadline:
            self.findings.cut_short = True
            return Stop.FIXED if is_fixed else Stop.SECONDS
        return None

    def _has_looked_around(self) -> bool:
        """Whether what comes next could hardly be chosen in the place of what passes."""
        if self._proven_at is None:
            return False
        bounds, since = self.look_around, self.findings.tried - self._proven_at
        likeliest = max((mutation.score for mutation in self.findings.plausible), default=0.0)
        is_unlikely = self._current_score * 2**bounds.halvings < likeliest
        return since >= bounds.most or (since >= bounds.least and is_unlikely)


def _screened(mutation: Mutation, tried: ScreeningResult) -> ScreenedMutation:
    told = "failed" if tried.status == STALE else tried.status
    status = told if told in ("passed", "failed", "hung", "broken") else "crashed"
    return ScreenedMutation(mutation, status, tried.passed, tried.distance, tried.got_past)  # type: ignore[arg-type]
