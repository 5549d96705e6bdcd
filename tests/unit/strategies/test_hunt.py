"""The search's inner loop, with everything around it faked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from regreen.propose.search.mutation import Mutation, Screened
from regreen.strategies.hunt import BATCHES, LOOK_ON_LEAST, SECOND_CHANCES, Hunt, Pace
from regreen.types import Budget, Candidate, CheckResult, Edit, Outcome, Stop, Verdict
from regreen.verify.screen import Tried

SOURCE = "0"
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
    learnt: list[Screened] = field(default_factory=list)
    given: int = 0

    def next_batch(self, size: int) -> list[Mutation]:
        self.asked.append(size)
        first, self.given = self.given, min(self.given + size, self.count)
        return [mutation(n) for n in range(first, self.given)]

    def learn(self, results: Sequence[Screened]) -> None:
        self.learnt += results


@dataclass
class Answers:
    """A team that knows what to say of each number."""

    said: dict[int, Tried] = field(default_factory=dict)
    later: dict[int, Tried] = field(default_factory=dict)
    """What is said when there is more time."""
    seconds: list[float] = field(default_factory=list)

    def screen(self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], seconds: float) -> list[Tried]:
        self.seconds.append(seconds)
        known = self.said if seconds == 1.0 else self.later
        return [known.get(int(edits[0].text), Tried("failed")) for edits in mutations]


def hunting(ideas: Ideas, team: Answers, **more: Any) -> Hunt:
    """A hunt with a budget of 1,000 candidates and no end of time, unless told otherwise."""
    given: dict[str, Any] = {
        "budget": Budget(candidates=1_000),
        "deadline": 10.0,
        "clock": lambda: 0.0,
        "prove": lambda candidate: RIGHT,
        "pace": Pace(1.0, 20.0),
        **more,
    }
    return Hunt(source=SOURCE, engine=ideas, team=team, green=frozenset(), **given)  # type: ignore[arg-type]


def test_ideas_may_run_out() -> None:
    """Everything was tried, and told to the engine."""
    ideas = Ideas(100)
    hunt = hunting(ideas, Answers())
    assert hunt.run() is Stop.EXHAUSTED
    assert hunt.tried == len(ideas.learnt) == 100


def test_batches_grow() -> None:
    """An easy repair is found with the first, many candidates go in few."""
    ideas = Ideas(10_000)
    hunting(ideas, Answers()).run()
    assert ideas.asked[: len(BATCHES)] == list(BATCHES)


@pytest.mark.parametrize("most", [1, 16, 17, 500])
def test_the_budget_of_candidates_is_kept_to_the_letter(most: int) -> None:
    """Not one more is tried."""
    hunt = hunting(Ideas(10_000), Answers(), budget=Budget(candidates=most))
    assert hunt.run() is Stop.CANDIDATES
    assert hunt.tried == most


def test_time_may_run_out() -> None:
    """The clock is looked at after each batch."""
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    hunt = hunting(Ideas(10_000), Answers(), clock=clock)
    assert hunt.run() is Stop.SECONDS
    assert hunt.tried < 100


def test_mutations_that_all_use_up_their_time_do_not_outlast_the_hunt() -> None:
    """The clock is looked at within a batch, too, when each mutation may take long."""
    now = 0.0

    class Slow(Answers):
        def screen(self, mutations: Sequence[Sequence[Edit]], green: frozenset[str], seconds: float) -> list[Tried]:
            nonlocal now
            now += len(mutations) * seconds
            return super().screen(mutations, green, seconds)

    hunt = hunting(Ideas(10_000), Slow(), pace=Pace(2.0, 2.0), clock=lambda: now)
    assert hunt.run() is Stop.SECONDS
    assert now <= 10.0 + 2 * 2.0
    assert 0 < hunt.tried < BATCHES[0]


def test_a_proven_repair_ends_the_hunt_after_a_look_around() -> None:
    """As many candidates again are tried, at least some, and what passes among them is kept unproven."""
    proofs: list[str] = []

    def prove(candidate: Candidate) -> Verdict:
        proofs.append(candidate.source)
        return RIGHT

    team = Answers({3: Tried("passed"), 40: Tried("passed"), 900: Tried("passed")})
    hunt = hunting(Ideas(10_000), team, prove=prove)
    assert hunt.run() is Stop.FIXED
    assert [m.edits[0].text for m in hunt.plausible] == ["3", "40"]
    assert proofs == ["3"]
    assert [attempt.candidate.source for attempt in hunt.attempts] == ["3"]
    assert hunt.tried == BATCHES[0] + LOOK_ON_LEAST


def test_what_the_proof_refutes_is_no_repair() -> None:
    """The hunt goes on as if it had not passed, and the attempt is on record."""
    team = Answers({3: Tried("passed"), 5: Tried("passed")})
    hunt = hunting(Ideas(50), team, prove=lambda candidate: RIGHT if candidate.source == "5" else WRONG)
    assert hunt.run() is Stop.FIXED
    assert [m.edits[0].text for m in hunt.plausible] == ["5"]
    assert [attempt.verdict.passed for attempt in hunt.attempts] == [False, True]


def test_nothing_is_tried_twice_while_looking_on() -> None:
    """The look around ends with the ideas, too."""
    hunt = hunting(Ideas(20), Answers({3: Tried("passed")}))
    assert hunt.run() is Stop.FIXED
    assert hunt.tried == 20


def test_a_repair_found_with_the_last_candidate_counts() -> None:
    """The budget's end does not take it away."""
    hunt = hunting(Ideas(100), Answers({9: Tried("passed")}), budget=Budget(candidates=10))
    assert hunt.run() is Stop.FIXED


def test_what_ran_out_of_time_gets_a_second_chance() -> None:
    """Once, with more time, when there is nothing else to try."""
    team = Answers({7: Tried("hung"), 8: Tried("hung")}, {7: Tried("hung"), 8: Tried("passed")})
    hunt = hunting(Ideas(50), team)
    assert hunt.run() is Stop.FIXED
    assert [m.edits[0].text for m in hunt.plausible] == ["8"]
    assert team.seconds[-1] == Pace(1.0, 20.0).patient == 10.0


def test_there_is_no_third_chance() -> None:
    """What still hangs is given up."""
    hung = {n: Tried("hung") for n in range(50)}
    hunt = hunting(Ideas(50), Answers(hung, hung))
    assert hunt.run() is Stop.EXHAUSTED
    assert hunt.tried == 100


def test_second_chances_are_bounded_and_keep_to_the_budget() -> None:
    """However many hang."""
    hung = {n: Tried("hung") for n in range(1_000)}
    assert _tried_of(hunting(Ideas(300), Answers(hung, hung))) == 300 + SECOND_CHANCES
    assert _tried_of(hunting(Ideas(300), Answers(hung, hung), budget=Budget(candidates=310))) == 310


def _tried_of(hunt: Hunt) -> int:
    hunt.run()
    return hunt.tried


def test_without_more_time_to_give_there_is_no_second_chance() -> None:
    """The user's own limit is the end."""
    hung = {n: Tried("hung") for n in range(50)}
    assert _tried_of(hunting(Ideas(50), Answers(hung, hung), pace=Pace(1.0, 1.0))) == 50


def test_the_nearest_miss_is_remembered() -> None:
    """By checks passed, then by distance."""
    team = Answers(
        {
            1: Tried("failed", frozenset("a"), 0.5),
            2: Tried("failed", frozenset("ab"), 0.9),
            3: Tried("failed", frozenset("ab"), 0.2),
            4: Tried("failed", frozenset("ab"), 0.3),
        }
    )
    hunt = hunting(Ideas(50), team)
    hunt.run()
    assert hunt.best is not None
    assert hunt.best[0] == 2
    assert hunt.best[2].edits[0].text == "3"


def test_whoever_watches_is_told_after_each_batch() -> None:
    """With the hunt as it stands."""
    seen: list[int] = []
    hunting(Ideas(50), Answers(), watch=lambda hunt: seen.append(hunt.tried)).run()
    assert seen == [16, 48, 50, 50] or seen == [16, 48, 50]


def test_a_crashed_or_hoarding_mutation_is_a_crash_to_the_engine() -> None:
    """It has one word for both."""
    ideas = Ideas(4)
    hunting(ideas, Answers({0: Tried("memory"), 1: Tried("crashed"), 2: Tried("broken"), 3: Tried("hung")})).run()
    assert [result.status for result in ideas.learnt[:4]] == ["crashed", "crashed", "broken", "hung"]
