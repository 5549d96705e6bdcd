"""The loop of a search, with everything around it faked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from regreen.propose.search.mutation import Mutation, ScreenedMutation
from regreen.strategies.model_session import RepairProgress
from regreen.strategies.searching.search_loop import SearchLoop
from regreen.strategies.searching.search_pace import LookAround, MutationLimits, late_checks, look_around_of
from regreen.strategies.searching.searched_program import SearchedProgram
from regreen.types import (
    Budget,
    Candidate,
    Check,
    CheckResult,
    Edit,
    Outcome,
    Project,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Verdict,
)
from regreen.verify.screening import CheckCost, ProgramTrace, ScreeningLimits, ScreeningResult
from regreen.verify.suites import read_suite

SOURCE = "0"
LIMITS = MutationLimits((ScreeningLimits(10, 1.0), ScreeningLimits(100, 2.0)))
BUDGET = Budget(candidates=1_000)
TASK = Task("fake", SOURCE, None, read_suite("assert f(1) == 1\n", program=SOURCE, module="program", entry_point=None))
RIGHT = Verdict({"a": CheckResult(Outcome.PASSED)})
WRONG = Verdict({"a": CheckResult(Outcome.FAILED)})


def mutation(number: int) -> Mutation:
    """The mutation that makes the program a number."""
    return Mutation((Edit(0, 1, str(number)),), "numbers", 1.0, 1)


@dataclass
class FakeSession:
    """A session whose proofs and whose clock a test decides."""

    prove: Callable[[Candidate], Verdict] = lambda candidate: RIGHT
    clock: Callable[[], float] = lambda: 0.0
    progress: RepairProgress = field(default_factory=RepairProgress)
    candidates_seen: list[int] = field(default_factory=list)
    """The count of candidates in each event."""
    task: Task = TASK

    def notify(self, phase: str) -> None:
        assert phase == "searching"
        self.candidates_seen.append(self.progress.candidates)


@dataclass
class Ideas:
    """Proposes `count` mutations, numbered from 0."""

    count: int
    asked: list[int] = field(default_factory=list)
    learnt: list[ScreenedMutation] = field(default_factory=list)
    given: int = 0
    duplicates: int = 0

    def next_batch(self, size: int) -> list[Mutation]:
        self.asked.append(size)
        first, self.given = self.given, min(self.given + size, self.count)
        return [mutation(n) for n in range(first, self.given)]

    def learn(self, results: Sequence[ScreenedMutation]) -> None:
        self.learnt += results


@dataclass
class Answers:
    """Screeners with a prepared answer to each number."""

    said: dict[int, ScreeningResult] = field(default_factory=dict)
    later: dict[int, ScreeningResult] = field(default_factory=dict)
    """What is said when more is allowed."""
    again: list[int] = field(default_factory=list)
    """Numbers that got more, in order."""
    stopped: bool = False

    def screen(
        self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
    ) -> list[ScreeningResult]:
        numbers = [int(edits[0].text) for edits in mutations]
        if allowance == LIMITS.chances[-1]:
            self.again += numbers
        known = self.said if allowance != LIMITS.chances[-1] else self.later
        return [known.get(number, ScreeningResult("failed")) for number in numbers]

    def stop_after_current(self) -> None:
        self.stopped = True


def searching(
    ideas: Ideas,
    screeners: Answers,
    *,
    session: FakeSession | None = None,
    budget: Budget = BUDGET,
    deadline: float = 10.0,
    limits: MutationLimits = LIMITS,
) -> SearchLoop:
    """A loop over fakes."""
    return SearchLoop(
        session=session or FakeSession(),  # type: ignore[arg-type]
        program=SearchedProgram(SOURCE),
        mutations=ideas,  # type: ignore[arg-type]
        screeners=screeners,  # type: ignore[arg-type]
        green=frozenset(),
        limits=limits,
        budget=budget,
        deadline=deadline,
    )


IN_PLACE = MutationLimits((ScreeningLimits(10, 1.0, loads_anew=False), ScreeningLimits(100, 2.0)))


@dataclass
class LoadedAnew(Answers):
    """Screeners of a program that stays loaded: `said` is what is known then, `anew` what is once it is loaded anew."""

    anew: dict[int, ScreeningResult] = field(default_factory=dict)
    asked_anew: list[int] = field(default_factory=list)

    def screen(
        self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
    ) -> list[ScreeningResult]:
        if not allowance.loads_anew:
            return super().screen(mutations, green, allowance, until)
        numbers = [int(edits[0].text) for edits in mutations]
        self.asked_anew += numbers
        return [self.anew.get(number, ScreeningResult("failed")) for number in numbers]


def test_what_has_to_be_loaded_anew_is_tried_between_the_others() -> None:
    """Few of them with each batch, first those of which nothing is known."""
    said = {n: ScreeningResult("stale" if n % 2 else "anew") for n in range(0, 400, 3)}
    screeners = LoadedAnew(said)
    loop = searching(Ideas(2_000), screeners, limits=IN_PLACE, budget=Budget(candidates=600))
    assert loop.run() is Stop.CANDIDATES
    assert loop.findings.tried == 600
    assert 20 < len(screeners.asked_anew) < 60
    assert all(number % 6 == 0 for number in screeners.asked_anew)


def test_where_everything_has_to_be_loaded_anew_some_of_it_is_all_the_while() -> None:
    """Not only when all has been proposed."""
    ideas = Ideas(2_000)
    screeners = LoadedAnew(dict.fromkeys(range(2_000), ScreeningResult("anew")))
    loop = searching(ideas, screeners, limits=IN_PLACE, budget=Budget(candidates=20))
    assert loop.run() is Stop.CANDIDATES
    assert screeners.asked_anew == list(range(20))
    assert ideas.given < 1_000


def test_all_that_waits_is_tried_in_the_end() -> None:
    """Nothing is lost, and what was not run counts once."""
    said = {n: ScreeningResult("stale" if n % 2 else "anew") for n in range(100)}
    screeners = LoadedAnew(said, anew={77: ScreeningResult("passed")})
    ideas = Ideas(100)
    loop = searching(ideas, screeners, limits=IN_PLACE)
    assert loop.run() is Stop.FIXED
    assert sorted(screeners.asked_anew) == list(range(100))
    assert loop.findings.tried == 150
    assert [one.status for one in ideas.learnt].count("passed") == 1
    assert "crashed" not in [one.status for one in ideas.learnt]


def test_what_passes_in_a_stale_program_has_to_pass_anew_at_once() -> None:
    """It counts as one candidate, whatever comes of it."""
    passing = ScreeningResult("stale", distance=0.0)
    screeners = LoadedAnew({3: passing, 5: passing}, anew={5: ScreeningResult("passed")})
    ideas = Ideas(10)
    loop = searching(ideas, screeners, limits=IN_PLACE)
    assert loop.run() is Stop.FIXED
    assert screeners.asked_anew == [3, 5]
    assert loop.findings.tried == 10
    assert [(one.mutation.edits[0].text, one.status) for one in ideas.learnt if one.status == "passed"] == [
        ("5", "passed")
    ]


def test_what_cannot_be_loaded_anew_is_left_out() -> None:
    """Where a library keeps each version of the program, say."""
    unknown = ScreeningResult("anew")
    screeners = LoadedAnew({4: unknown}, anew={4: unknown})
    ideas = Ideas(10)
    loop = searching(ideas, screeners, limits=IN_PLACE)
    assert loop.run() is Stop.EXHAUSTED
    assert (loop.findings.tried, len(ideas.learnt), screeners.asked_anew) == (9, 9, [4])


def test_mutations_may_run_out() -> None:
    """Everything was tried, and learnt from."""
    ideas = Ideas(100)
    loop = searching(ideas, Answers())
    assert loop.run() is Stop.EXHAUSTED
    assert loop.findings.tried == len(ideas.learnt) == 100


def test_batches_grow() -> None:
    """An easy repair is found with the first, many candidates go in few."""
    ideas = Ideas(10_000)
    searching(ideas, Answers()).run()
    assert ideas.asked[:3] == sorted(set(ideas.asked[:3]))
    assert max(ideas.asked) > 10 * ideas.asked[0]


@pytest.mark.parametrize("most", [1, 16, 17, 500])
def test_the_budget_of_candidates_is_kept_to_the_letter(most: int) -> None:
    """Not one more is tried."""
    loop = searching(Ideas(10_000), Answers(), budget=Budget(candidates=most))
    assert loop.run() is Stop.CANDIDATES
    assert loop.findings.tried == most


def test_time_may_run_out() -> None:
    """The clock is looked at after each batch."""
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    loop = searching(Ideas(10_000), Answers(), session=FakeSession(clock=clock))
    assert loop.run() is Stop.SECONDS
    assert loop.findings.tried < 100


def test_a_batch_may_be_cut_short_by_time() -> None:
    """What was screened of it counts, and the rest is not tried."""
    now = 0.0

    class Slow(Answers):
        def screen(
            self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
        ) -> list[ScreeningResult]:
            nonlocal now
            now = 10.0
            return super().screen(mutations[:5], green, allowance, until)

    loop = searching(Ideas(10_000), Slow(), session=FakeSession(clock=lambda: now))
    assert loop.run() is Stop.SECONDS
    assert loop.findings.tried == 5
    assert loop.findings.cut_short


@pytest.mark.parametrize(("batch_seconds", "cut_short"), [(2.0, False), (500.0, True)])
def test_the_look_around_after_a_repair_has_time_of_its_own(batch_seconds: float, cut_short: bool) -> None:
    """A machine with more to do chooses among as many repairs, unless it is far too slow, which is said."""
    now = 0.0

    class Slow(Answers):
        def screen(
            self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
        ) -> list[ScreeningResult]:
            nonlocal now
            now += batch_seconds
            return super().screen(mutations, green, allowance, until)

    screeners = Slow({3: ScreeningResult("passed")})
    loop = searching(Ideas(10_000), screeners, session=FakeSession(clock=lambda: now), deadline=1.0)
    assert loop.run() is Stop.FIXED
    assert loop.findings.cut_short is cut_short
    assert (loop.findings.tried > 60) is not cut_short


def test_the_screener_pool_hears_of_the_deadline() -> None:
    """By the clock of the sandboxes, whatever clock the loop goes by."""
    told: list[float] = []

    class Listening(Answers):
        def screen(
            self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
        ) -> list[ScreeningResult]:
            told.append(until - time.monotonic())
            return super().screen(mutations, green, allowance, until)

    searching(Ideas(20), Listening(), session=FakeSession(clock=lambda: 1_003.0), deadline=1_010.0).run()
    assert told
    assert all(6.0 < left <= 7.0 for left in told)


def test_an_interrupt_does_not_wait_for_what_is_under_way() -> None:
    """The screeners stop early."""

    class Interrupted(Ideas):
        def next_batch(self, size: int) -> list[Mutation]:
            if self.given:
                raise KeyboardInterrupt
            return super().next_batch(size)

    screeners = Answers()
    with pytest.raises(KeyboardInterrupt):
        searching(Interrupted(100), screeners).run()
    assert screeners.stopped


def test_beside_a_dear_repair_it_is_looked_around_for_a_shorter_time() -> None:
    """What passes takes as long as it does; and never for fewer than a hundred mutations, or than were to be tried."""
    bounds = LookAround(300, 1_500, 3.5)
    assert bounds.beside(100_000) == bounds
    assert bounds.beside(200_000) == LookAround(150, 750, 3.5)
    assert bounds.beside(10**9) == LookAround(100, 100, 3.5)
    assert bounds.beside(10**9, given_ticks=10**9) == bounds
    assert LookAround(60, 300, 3.5).beside(10**9) == LookAround(60, 100, 3.5)


def test_a_proven_repair_ends_the_search_after_a_look_around() -> None:
    """As many candidates again are tried, at least some, and what passes among them is kept unproven."""
    proofs: list[str] = []

    def prove(candidate: Candidate) -> Verdict:
        proofs.append(candidate.source)
        return RIGHT

    screeners = Answers({3: ScreeningResult("passed"), 40: ScreeningResult("passed"), 900: ScreeningResult("passed")})
    loop = searching(Ideas(10_000), screeners, session=FakeSession(prove))
    assert loop.run() is Stop.FIXED
    assert [m.edits[0].text for m in loop.findings.plausible] == ["3", "40"]
    assert proofs == ["3"]
    assert [attempt.candidate.source for attempt in loop.findings.attempts] == ["3"]
    assert 40 < loop.findings.tried < 900


@pytest.mark.parametrize(
    ("kind", "checks", "most"),
    [
        (SuiteKind.SCRIPT, 5, 10_000),
        (SuiteKind.SCRIPT, 6, 1_500),
        (SuiteKind.PYTEST, 2, 1_500),
        (SuiteKind.MODULE, 1, 10_000),
    ],
)
def test_few_checks_are_looked_around_for_longer(kind: SuiteKind, checks: int, most: int) -> None:
    """Several changes pass them; a test of pytest is seldom a single assertion."""
    suite = Suite(kind, "", tuple(Check(f"assert f({n}) == {n}", "") for n in range(checks)))
    assert look_around_of(suite).most == most
    hanging = look_around_of(suite, hangs=True)
    assert hanging.least == hanging.most == (3_000 if most == 10_000 else 600), "no clock decides how long"


def test_slow_tests_are_looked_around_for_a_shorter_time() -> None:
    """Ten times the ticks, a tenth of the candidates; and in a project, whose tests bring their own cost, few."""
    suite = Suite(SuiteKind.PYTEST, "", ())
    found = [look_around_of(suite, ticks) for ticks in (0, 30_000, 60_000, 10**9)]
    assert [(bounds.least, bounds.most) for bounds in found] == [(300, 1_500), (300, 1_500), (150, 750), (60, 300)]
    in_project = replace(suite, project=Project("/", {}, "program.py"))
    assert look_around_of(in_project) == LookAround(150, 1_000, 4.5)


class LessLikely(Ideas):
    """Proposes mutations of which each is a little less likely than the one before: half as likely after a hundred."""

    def next_batch(self, n: int) -> list[Mutation]:
        batch = super().next_batch(n)
        return [replace(one, score=2 ** (-int(one.edits[0].text) / 100)) for one in batch]


@pytest.mark.parametrize(("halvings", "tried"), [(2.0, 260), (6.0, 660), (50.0, 1_060)])
def test_looking_around_ends_where_nothing_likely_is_left(halvings: float, tried: int) -> None:
    """Within its bounds; the likeliest that passes is the measure, whichever it is."""
    screeners = Answers({60: ScreeningResult("passed"), 300: ScreeningResult("passed")})
    loop = searching(LessLikely(10_000), screeners, session=FakeSession(lambda candidate: RIGHT))
    loop.look_around = LookAround(100, 1_000, halvings)
    loop.budget = Budget(candidates=100_000)
    assert loop.run() is Stop.FIXED
    # A batch that is under way is finished.
    assert tried <= loop.findings.tried <= tried + 2 * 256


def test_what_the_proof_refutes_is_no_repair() -> None:
    """The search continues as if it had not passed, and the attempt is on record."""
    screeners = Answers({3: ScreeningResult("passed"), 5: ScreeningResult("passed")})
    loop = searching(
        Ideas(50), screeners, session=FakeSession(lambda candidate: RIGHT if candidate.source == "5" else WRONG)
    )
    assert loop.run() is Stop.FIXED
    assert [m.edits[0].text for m in loop.findings.plausible] == ["5"]
    assert [attempt.verdict.passed for attempt in loop.findings.attempts] == [False, True]


def test_nothing_is_tried_twice_while_looking_on() -> None:
    """The look around ends with the ideas, too."""
    loop = searching(Ideas(20), Answers({3: ScreeningResult("passed")}))
    assert loop.run() is Stop.FIXED
    assert loop.findings.tried == 20


def test_a_repair_found_with_the_last_candidate_counts() -> None:
    """The budget's end does not take it away."""
    loop = searching(Ideas(100), Answers({9: ScreeningResult("passed")}), budget=Budget(candidates=10))
    assert loop.run() is Stop.FIXED


def test_a_budget_that_was_spent_before_is_no_end_of_the_ideas() -> None:
    """Nothing is tried, and more could be."""
    loop = searching(Ideas(100), Answers({}), budget=Budget(candidates=0))
    assert (loop.run(), loop.findings.tried) == (Stop.CANDIDATES, 0)


def test_what_hung_gets_a_second_chance() -> None:
    """With more of everything, at the latest when there is nothing else to try."""
    screeners = Answers(
        {7: ScreeningResult("hung"), 8: ScreeningResult("hung")},
        {7: ScreeningResult("hung"), 8: ScreeningResult("passed")},
    )
    loop = searching(Ideas(50), screeners)
    assert loop.run() is Stop.FIXED
    assert [m.edits[0].text for m in loop.findings.plausible] == ["8"]
    assert screeners.again == [7, 8]


def test_while_there_are_other_ideas_only_some_get_it() -> None:
    """The best first, and so few that programs which hang are searched about as fast as others."""
    hung = {n: ScreeningResult("hung") for n in range(10_000)}
    screeners = Answers(hung, hung)
    searching(Ideas(10_000), screeners, budget=Budget(candidates=8_000)).run()
    assert screeners.again == list(range(len(screeners.again)))
    assert 5 <= len(screeners.again) <= 8_000 // 100


def test_what_came_furthest_before_it_hung_is_tried_again_first() -> None:
    """By the checks that it passed; of equals the likelier one."""
    passed = {0: "", 1: "a", 2: "ab", 3: "a", 4: "ab"}
    hung = {n: ScreeningResult("hung", frozenset(checks)) for n, checks in passed.items()}
    screeners = Answers(hung, hung)
    searching(Ideas(50), screeners).run()
    assert screeners.again == [2, 4, 1, 3, 0]


def test_beside_a_proven_repair_nothing_gets_it() -> None:
    """The look around is for what is smaller, not for what takes longer."""
    screeners = Answers({0: ScreeningResult("passed"), **{n: ScreeningResult("hung") for n in range(1, 60)}})
    searching(Ideas(10_000), screeners).run()
    assert screeners.again == []


def test_there_is_no_third_chance() -> None:
    """What still hangs is given up."""
    hung = {n: ScreeningResult("hung") for n in range(50)}
    loop = searching(Ideas(50), Answers(hung, hung))
    assert loop.run() is Stop.EXHAUSTED
    assert loop.findings.tried == 100


def test_what_hangs_again_waits_for_its_last_chance() -> None:
    """With a chance between, one that hangs there too is tried with the most at the end."""
    screeners = Answers({7: ScreeningResult("hung")}, {7: ScreeningResult("passed")})
    limits = MutationLimits((replace(LIMITS.first, check_ticks=5), *LIMITS.chances))
    loop = searching(Ideas(50), screeners, limits=limits)
    assert loop.run() is Stop.FIXED
    assert loop.findings.tried == 50 + 2
    assert screeners.again == [7]


def test_second_chances_are_bounded_and_keep_to_the_budget() -> None:
    """However many hang."""
    hung = {n: ScreeningResult("hung") for n in range(1_000)}
    screeners = Answers(hung, hung)
    tried = _tried_of(searching(Ideas(300), screeners))
    assert tried == 300 + len(screeners.again)
    assert 100 < len(screeners.again) < 300
    for most in (301, 310):
        assert _tried_of(searching(Ideas(300), Answers(hung, hung), budget=Budget(candidates=most))) == most


def _tried_of(loop: SearchLoop) -> int:
    loop.run()
    return loop.findings.tried


def _checks(*seconds: float) -> dict[str, CheckResult]:
    return {str(n): CheckResult(Outcome.PASSED, cpu_seconds=s) for n, s in enumerate(seconds)}


def test_the_limits_follow_the_work_that_the_program_does_and_never_falls_below_a_least() -> None:
    """Ticks decide; seconds are generous beside them, within what the user allows."""
    idle = MutationLimits.of(ProgramTrace({}, {}, {}, {}), 2.0)
    assert idle.first.ticks > 0
    assert 0 < idle.first.seconds < 1
    busy = MutationLimits.of(ProgramTrace(_checks(0.1, 0.1), {}, {}, {}, ticks=idle.first.ticks), 2.0)
    assert busy.first.ticks > idle.first.ticks
    assert 0.2 < busy.first.seconds < busy.chances[-1].seconds == 2.0
    assert busy.chances[-1].ticks > busy.first.ticks
    assert MutationLimits.of(ProgramTrace(_checks(9.0), {}, {}, {}), 2.0).first.seconds == 2.0


MANY_TICKS = 1_000_000
COSTS = {
    "quick": CheckCost(10, 0.0, 0.0),
    "long": CheckCost(MANY_TICKS, 0.0, 0.0),
    "sleeper": CheckCost(10, 7.0, 0.0),
    "waiter": CheckCost(10, 0.0, 1.0),
    "red": CheckCost(MANY_TICKS, 0.0, 0.0),
}


def test_a_check_that_costs_much_is_late() -> None:
    """For its ticks, its CPU time or its sleep, unless that is skipped, or since it hangs."""
    results = {check: CheckResult(Outcome.PASSED, cpu_seconds=0.01) for check in COSTS}
    results |= {"hard": CheckResult(Outcome.PASSED, cpu_seconds=0.5), "hangs": CheckResult(Outcome.TIMED_OUT)}
    traced = ProgramTrace(results, {}, {}, {}, costs=COSTS | {"hard": CheckCost(10, 0.0, 0.0)})
    dear = {"long", "waiter", "hard"}
    assert late_checks(traced, results.keys() - {"quick", "red", "hangs"}) == {*dear, "red", "hangs"}
    # Without them no red check would be left to tell a repair.
    assert late_checks(traced, results.keys() - {"red", "hangs"}) == dear


def test_the_limits_of_late_checks_are_their_own() -> None:
    """What a mutation may use before them does not grow with them; sleep is bounded by what the program slept."""
    results = {check: CheckResult(Outcome.PASSED, cpu_seconds=0.1) for check in COSTS}
    traced = ProgramTrace(results, {}, {}, {}, ticks=2 * MANY_TICKS + 30, costs=COSTS)
    limits = MutationLimits.of(traced, 2.0, late=frozenset({"long", "waiter"})).first
    whole = MutationLimits.of(traced, 2.0).first
    assert max(limits.ticks, limits.late_ticks) < whole.ticks
    assert (limits.seconds, limits.late_seconds) == (pytest.approx(0.9), pytest.approx(0.7))
    # To trace took three times as long as to run.
    untraced = MutationLimits.of(replace(traced, plain_seconds=0.5 / 3), 2.0).first
    assert whole.seconds == pytest.approx(0.5 + 2 * 0.4)
    assert untraced.seconds == pytest.approx(0.5 + 2 * (0.5 / 3 - 0.1))
    assert limits.skipped_seconds >= 7.0
    assert limits.idle_seconds >= 1.0


def test_at_first_one_check_may_take_no_more_than_several_times_the_longest() -> None:
    """So that what hangs costs little more than what does not; a further chance has all ticks."""
    results = {check: CheckResult(Outcome.PASSED) for check in ("a", "b")}
    costs = {"a": CheckCost(10, 0.0, 0.0), "b": CheckCost(200, 0.0, 0.0)}
    first, second, last = MutationLimits.of(ProgramTrace(results, {}, {}, {}, ticks=210, costs=costs), 2.0).chances
    assert first.check_ticks is not None
    assert 10 * 200 <= first.check_ticks < first.ticks == second.ticks < last.ticks
    assert (second.check_ticks, last.check_ticks) == (None, None)


def test_what_costs_much_leaves_less_room_for_what_hangs() -> None:
    """A mutation that hangs takes all that it may: no more than three times what a dear program takes."""
    cheap, dear = (ProgramTrace({}, {}, {}, {}, ticks=ticks) for ticks in (1_000, MANY_TICKS))
    assert MutationLimits.of(cheap, 2.0).first.ticks >= 8_000
    limits = MutationLimits.of(dear, 2.0)
    assert 2 * MANY_TICKS <= limits.first.ticks < 3 * MANY_TICKS
    assert limits.chances[-1].ticks >= 30 * MANY_TICKS


def test_many_checks_together_may_take_longer_than_one() -> None:
    """The user's limit is one of each check."""
    traced = ProgramTrace({str(n): CheckResult(Outcome.PASSED, cpu_seconds=0.5) for n in range(20)}, {}, {}, {})
    assert MutationLimits.of(traced, 2.0).first.seconds > 10.0


def test_the_nearest_miss_is_remembered() -> None:
    """By checks passed, then by distance."""
    screeners = Answers(
        {
            1: ScreeningResult("failed", frozenset("a"), 0.5),
            2: ScreeningResult("failed", frozenset("ab"), 0.9),
            3: ScreeningResult("failed", frozenset("ab"), 0.2),
            4: ScreeningResult("failed", frozenset("ab"), 0.3),
        }
    )
    loop = searching(Ideas(50), screeners)
    loop.run()
    near_misses = list(loop.findings.near_misses)
    nearest = near_misses[0]
    assert len(nearest.passed) == 2
    assert nearest.mutation.edits[0].text == "3"
    assert len({near.passed for near in near_misses}) == len(near_misses)
    assert sorted(near_misses, key=lambda near: near.rank, reverse=True) == near_misses


def test_who_comes_further_in_a_test_is_kept_to_be_traced_anew() -> None:
    """What stands behind an assertion runs only once it holds, so the program that gets there has other suspects."""
    screeners = Answers(
        {
            1: ScreeningResult("failed", frozenset(), 0.5, 0.0),
            2: ScreeningResult("failed", frozenset(), 0.5, 0.5),
        }
    )
    loop = searching(Ideas(50), screeners)
    loop.run()
    assert [mutation.edits[0].text for mutation in loop.findings.improvements[frozenset()]] == ["2"]


def test_an_event_follows_each_batch() -> None:
    """With all candidates of the repair so far, those of earlier searches too."""
    session = FakeSession(progress=RepairProgress(candidates=7))
    searching(Ideas(50), Answers(), session=session).run()
    seen = session.candidates_seen
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert (seen[0] > 7, seen[-1]) == (True, 57)


def test_a_crashed_or_hoarding_mutation_is_a_crash_to_what_proposes() -> None:
    """It has one word for both."""
    ideas = Ideas(4)
    searching(
        ideas,
        Answers(
            {
                0: ScreeningResult("memory"),
                1: ScreeningResult("crashed"),
                2: ScreeningResult("broken"),
                3: ScreeningResult("hung"),
            }
        ),
    ).run()
    assert [result.status for result in ideas.learnt[:4]] == ["crashed", "crashed", "broken", "hung"]
