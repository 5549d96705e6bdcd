"""The search's inner loop, with everything around it faked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from regreen.propose.search.mutation import Mutation, ScreenedMutation
from regreen.strategies.search_loop import (
    BATCHES,
    CHANCE_EVERY,
    LAST_CHANCES,
    LEAST_SECONDS,
    LEAST_TICKS,
    LOOK_ON_LEAST,
    Pace,
    SearchLoop,
)
from regreen.types import Budget, Candidate, CheckResult, Edit, Outcome, Stop, Verdict
from regreen.verify.screening import ProgramTrace, ScreeningLimits, ScreeningResult

SOURCE = "0"
PACE = Pace(ScreeningLimits(10, 1.0), ScreeningLimits(100, 2.0))
RIGHT = Verdict({"a": CheckResult(Outcome.PASSED)})
WRONG = Verdict({"a": CheckResult(Outcome.FAILED)})


def mutation(number: int) -> Mutation:
    """The mutation that makes the program a number."""
    return Mutation((Edit(0, 1, str(number)),), "numbers", 1.0, 1)


@dataclass
class Ideas:
    """An engine with so many ideas, counted from 0."""

    count: int
    asked: list[int] = field(default_factory=list)
    learnt: list[ScreenedMutation] = field(default_factory=list)
    given: int = 0

    def next_batch(self, size: int) -> list[Mutation]:
        self.asked.append(size)
        first, self.given = self.given, min(self.given + size, self.count)
        return [mutation(n) for n in range(first, self.given)]

    def learn(self, results: Sequence[ScreenedMutation]) -> None:
        self.learnt += results


@dataclass
class Answers:
    """A team that knows what to say of each number."""

    said: dict[int, ScreeningResult] = field(default_factory=dict)
    later: dict[int, ScreeningResult] = field(default_factory=dict)
    """What is said when more is allowed."""
    again: list[int] = field(default_factory=list)
    """Numbers that got more, in order."""
    hurried: bool = False

    def screen(
        self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
    ) -> list[ScreeningResult]:
        numbers = [int(edits[0].text) for edits in mutations]
        if allowance == PACE.patient:
            self.again += numbers
        known = self.said if allowance == PACE.first else self.later
        return [known.get(number, ScreeningResult("failed")) for number in numbers]

    def stop_after_current(self) -> None:
        self.hurried = True


def hunting(ideas: Ideas, team: Answers, **more: Any) -> SearchLoop:
    """A loop with a budget of 1,000 candidates and no end of time, unless told otherwise."""
    given: dict[str, Any] = {
        "budget": Budget(candidates=1_000),
        "deadline": 10.0,
        "clock": lambda: 0.0,
        "prove": lambda candidate: RIGHT,
        "pace": PACE,
        **more,
    }
    return SearchLoop(source=SOURCE, engine=ideas, team=team, green=frozenset(), **given)  # type: ignore[arg-type]


def test_ideas_may_run_out() -> None:
    """Everything was tried, and told to the engine."""
    ideas = Ideas(100)
    loop = hunting(ideas, Answers())
    assert loop.run() is Stop.EXHAUSTED
    assert loop.tried == len(ideas.learnt) == 100


def test_batches_grow() -> None:
    """An easy repair is found with the first, many candidates go in few."""
    ideas = Ideas(10_000)
    hunting(ideas, Answers()).run()
    assert ideas.asked[: len(BATCHES)] == list(BATCHES)


@pytest.mark.parametrize("most", [1, 16, 17, 500])
def test_the_budget_of_candidates_is_kept_to_the_letter(most: int) -> None:
    """Not one more is tried."""
    loop = hunting(Ideas(10_000), Answers(), budget=Budget(candidates=most))
    assert loop.run() is Stop.CANDIDATES
    assert loop.tried == most


def test_time_may_run_out() -> None:
    """The clock is looked at after each batch."""
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    loop = hunting(Ideas(10_000), Answers(), clock=clock)
    assert loop.run() is Stop.SECONDS
    assert loop.tried < 100


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

    loop = hunting(Ideas(10_000), Slow(), clock=lambda: now)
    assert loop.run() is Stop.SECONDS
    assert loop.tried == 5


def test_the_team_is_told_when_the_hunt_is_over() -> None:
    """By the clock of the sandboxes, whatever clock the loop goes by."""
    told: list[float] = []

    class Listening(Answers):
        def screen(
            self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], allowance: ScreeningLimits, until: float
        ) -> list[ScreeningResult]:
            told.append(until - time.monotonic())
            return super().screen(mutations, green, allowance, until)

    hunting(Ideas(20), Listening(), clock=lambda: 1_003.0, deadline=1_010.0).run()
    assert told
    assert all(6.0 < left <= 7.0 for left in told)


def test_an_interrupt_does_not_wait_for_what_is_under_way() -> None:
    """The team is told to leave off."""

    class Interrupted(Ideas):
        def next_batch(self, size: int) -> list[Mutation]:
            if self.given:
                raise KeyboardInterrupt
            return super().next_batch(size)

    team = Answers()
    with pytest.raises(KeyboardInterrupt):
        hunting(Interrupted(100), team).run()
    assert team.hurried


def test_a_proven_repair_ends_the_hunt_after_a_look_around() -> None:
    """As many candidates again are tried, at least some, and what passes among them is kept unproven."""
    proofs: list[str] = []

    def prove(candidate: Candidate) -> Verdict:
        proofs.append(candidate.source)
        return RIGHT

    team = Answers({3: ScreeningResult("passed"), 40: ScreeningResult("passed"), 900: ScreeningResult("passed")})
    loop = hunting(Ideas(10_000), team, prove=prove)
    assert loop.run() is Stop.FIXED
    assert [m.edits[0].text for m in loop.plausible] == ["3", "40"]
    assert proofs == ["3"]
    assert [attempt.candidate.source for attempt in loop.attempts] == ["3"]
    assert loop.tried == BATCHES[0] + LOOK_ON_LEAST


def test_what_the_proof_refutes_is_no_repair() -> None:
    """The loop goes on as if it had not passed, and the attempt is on record."""
    team = Answers({3: ScreeningResult("passed"), 5: ScreeningResult("passed")})
    loop = hunting(Ideas(50), team, prove=lambda candidate: RIGHT if candidate.source == "5" else WRONG)
    assert loop.run() is Stop.FIXED
    assert [m.edits[0].text for m in loop.plausible] == ["5"]
    assert [attempt.verdict.passed for attempt in loop.attempts] == [False, True]


def test_nothing_is_tried_twice_while_looking_on() -> None:
    """The look around ends with the ideas, too."""
    loop = hunting(Ideas(20), Answers({3: ScreeningResult("passed")}))
    assert loop.run() is Stop.FIXED
    assert loop.tried == 20


def test_a_repair_found_with_the_last_candidate_counts() -> None:
    """The budget's end does not take it away."""
    loop = hunting(Ideas(100), Answers({9: ScreeningResult("passed")}), budget=Budget(candidates=10))
    assert loop.run() is Stop.FIXED


def test_what_hung_gets_a_second_chance() -> None:
    """With more of everything, at the latest when there is nothing else to try."""
    team = Answers(
        {7: ScreeningResult("hung"), 8: ScreeningResult("hung")},
        {7: ScreeningResult("hung"), 8: ScreeningResult("passed")},
    )
    loop = hunting(Ideas(50), team)
    assert loop.run() is Stop.FIXED
    assert [m.edits[0].text for m in loop.plausible] == ["8"]
    assert team.again == [7, 8]


def test_while_there_are_other_ideas_only_some_get_it() -> None:
    """The best first, and so few that programs which hang are searched about as fast as others."""
    hung = {n: ScreeningResult("hung") for n in range(10_000)}
    team = Answers(hung, hung)
    hunting(Ideas(10_000), team, budget=Budget(candidates=1_000)).run()
    assert team.again == list(range(len(team.again)))
    assert 5 <= len(team.again) <= 1_000 // CHANCE_EVERY


def test_beside_a_proven_repair_nothing_gets_it() -> None:
    """The look around is for what is smaller, not for what takes longer."""
    team = Answers({0: ScreeningResult("passed"), **{n: ScreeningResult("hung") for n in range(1, 60)}})
    hunting(Ideas(10_000), team).run()
    assert team.again == []


def test_there_is_no_third_chance() -> None:
    """What still hangs is given up."""
    hung = {n: ScreeningResult("hung") for n in range(50)}
    loop = hunting(Ideas(50), Answers(hung, hung))
    assert loop.run() is Stop.EXHAUSTED
    assert loop.tried == 100


def test_second_chances_are_bounded_and_keep_to_the_budget() -> None:
    """However many hang."""
    hung = {n: ScreeningResult("hung") for n in range(1_000)}
    team = Answers(hung, hung)
    tried = _tried_of(hunting(Ideas(300), team))
    assert tried == 300 + len(team.again)
    assert LAST_CHANCES < len(team.again) <= LAST_CHANCES + 300 // CHANCE_EVERY
    for most in (301, 310):
        assert _tried_of(hunting(Ideas(300), Answers(hung, hung), budget=Budget(candidates=most))) == most


def _tried_of(loop: SearchLoop) -> int:
    loop.run()
    return loop.tried


def _checks(*seconds: float) -> dict[str, CheckResult]:
    return {str(n): CheckResult(Outcome.PASSED, cpu_seconds=s) for n, s in enumerate(seconds)}


def test_the_pace_follows_the_work_that_the_program_does_and_never_falls_below_a_least() -> None:
    """Ticks decide; seconds are generous beside them, within what the user allows."""
    idle = Pace.of(ProgramTrace({}, {}, {}, {}), 2.0)
    assert (idle.first.ticks, idle.first.seconds) == (LEAST_TICKS, LEAST_SECONDS)
    busy = Pace.of(ProgramTrace(_checks(0.1, 0.1), {}, {}, {}, ticks=LEAST_TICKS), 2.0)
    assert busy.first.ticks > LEAST_TICKS
    assert 0.2 < busy.first.seconds < busy.patient.seconds == 2.0
    assert busy.patient.ticks > busy.first.ticks
    assert Pace.of(ProgramTrace(_checks(9.0), {}, {}, {}), 2.0).first.seconds == 2.0


def test_the_nearest_miss_is_remembered() -> None:
    """By checks passed, then by distance."""
    team = Answers(
        {
            1: ScreeningResult("failed", frozenset("a"), 0.5),
            2: ScreeningResult("failed", frozenset("ab"), 0.9),
            3: ScreeningResult("failed", frozenset("ab"), 0.2),
            4: ScreeningResult("failed", frozenset("ab"), 0.3),
        }
    )
    loop = hunting(Ideas(50), team)
    loop.run()
    nearest = loop.near[0]
    assert len(nearest.passed) == 2
    assert nearest.mutation.edits[0].text == "3"
    assert len({near.passed for near in loop.near}) == len(loop.near)
    assert sorted(loop.near, key=lambda near: near.merit, reverse=True) == loop.near


def test_whoever_watches_is_told_after_each_batch() -> None:
    """With the loop as it stands."""
    seen: list[int] = []
    hunting(Ideas(50), Answers(), watch=lambda loop: seen.append(loop.tried)).run()
    assert seen == [16, 48, 50, 50] or seen == [16, 48, 50]


def test_a_crashed_or_hoarding_mutation_is_a_crash_to_the_engine() -> None:
    """It has one word for both."""
    ideas = Ideas(4)
    hunting(
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
