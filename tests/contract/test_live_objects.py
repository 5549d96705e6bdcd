"""Repairs that return a live object where the program returned none: who may have its checks run beside them?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from regreen.config import Settings, load_settings
from regreen.evaluate.records import Feedback, Result, RunConfiguration
from regreen.evaluate.sample_runner import SampleJob, SampleRunner
from regreen.models import Reply, Request
from regreen.strategies import open_strategy
from regreen.strategies.resources import Resources, borrow_resources
from regreen.types import Case, Isolation, Outcome, Repair, Task
from regreen.verify.baseline import Reach, judge_by_need
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

CHUNKS = """def chunks(items, size):
    for start in range(0, len(items), size):
        return items[start:start + size]
"""
YIELDS = CHUNKS.replace("return", "yield")
TESTS = """assert list(chunks([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
assert list(chunks([], 2)) == []
"""
FRAMED = TESTS + "assert chunks([1], 1).gi_code is not None\n"
"""No stand-in has the code of a generator: that can only be told in the program's own process."""


def task_of(tests: str) -> Task:
    """The task of turning these tests green."""
    return Task("chunks", CHUNKS, "chunks", read_suite(tests, program=CHUNKS, module="program", entry_point="chunks"))


TASK = task_of(FRAMED)


class Yields:
    """A model that gives the version that yields, whatever it is asked."""

    name = "scripted:yields"

    def ask(self, request: Request) -> Reply:
        return Reply(f"```python\n{YIELDS}```\n")

    def close(self) -> None: ...


def settings(strategy: str) -> Settings:
    model = None if strategy == "search" else Yields.name
    return load_settings({"strategy": strategy, "model": model, "workers": 1, "iters": 1}, environ={})


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    with borrow_resources(settings("search")) as opened:
        yield opened


def repaired(resources: Resources, strategy: str, task: Task = TASK) -> Repair:
    chosen = settings(strategy)
    budgeted = replace(resources, budget=chosen.budget)
    with open_strategy(chosen, budgeted, model=None if strategy == "search" else Yields()) as opened:
        return opened.repair(task)


def decided(resources: Resources, repair: Repair, strategy: str, task: Task = TASK) -> tuple[Result, Isolation | None]:
    """What an evaluation says of a repair, and in which mode."""
    configuration = RunConfiguration("shelf", strategy, Feedback.ALL)
    runner = SampleRunner(
        SimpleNamespace(repair=lambda task, seed, on_event: repair), resources.judge, resources.limits, configuration
    )
    line = runner.run(SampleJob(Case(task, task.suite, YIELDS), 0)).line
    return line.outcome, line.isolation


@pytest.mark.parametrize("strategy", ["search", "reflect"])
def test_a_generator_stays_behind_the_wall_whoever_wrote_it(resources: Resources, strategy: str) -> None:
    """Where stand-ins serve the checks, nobody has to be let into their process."""
    task = task_of(TESTS)
    repair = repaired(resources, strategy, task)
    assert repair.chosen is not None
    assert repair.chosen.verdict.isolation is Isolation.SEPARATE
    assert decided(resources, repair, strategy, task) == (Result.FIXED, Isolation.SEPARATE)


def test_what_templates_made_may_return_what_no_stand_in_can_be_for(resources: Resources) -> None:
    """It is said that the wall did not hold, and an evaluation takes it so, too."""
    repair = repaired(resources, "search")
    assert repair.chosen is not None
    assert repair.chosen.candidate.source == YIELDS
    assert repair.chosen.verdict.isolation is Isolation.SHARED
    assert "in the program's own process" in repair.explanation
    assert decided(resources, repair, "search") == (Result.FIXED, Isolation.SHARED)


def test_what_a_model_wrote_may_not(resources: Resources) -> None:
    """It could return one only to have its checks run where it can reach them."""
    repair = repaired(resources, "reflect")
    assert repair.chosen is None
    [attempt, *_] = repair.attempts
    assert attempt.candidate.source == YIELDS
    assert attempt.verdict.isolation is Isolation.SEPARATE
    assert Outcome.UNJUDGEABLE in {result.outcome for result in attempt.verdict.results.values()}


def test_an_evaluation_believes_no_origin_where_a_model_was_asked(resources: Resources) -> None:
    """What the search made of a model's text is the model's text."""
    repair = repaired(resources, "search")
    asked = replace(repair, cost=replace(repair.cost, model_calls=1))
    assert decided(resources, asked, "hybrid")[0] is Result.UNFIXED


NEAR = """class Near:
    def __sub__(self, other):
        return 0.0


def half(x):
    return Near()
"""
CLOSE = "assert abs(half(3) - 1.5) < 1e-6\nassert half(3) - 1.5 == 0\n"


@pytest.mark.parametrize("given", ["def half(x):\n    return x / 3\n", NEAR])
def test_what_is_proposed_is_not_taken_at_its_word(resources: Resources, given: str) -> None:
    """An object that says that nothing lies between it and any number passes where the given program has such, too."""
    suite = read_suite(CLOSE, program=given, module="program", entry_point="half")
    reach = Reach.STAND_INS if given == NEAR else Reach.CALLS
    verdict, _ = judge_by_need(resources.judge, NEAR, suite, resources.limits, {}, reach=lambda: reach)
    assert verdict.passed is (given == NEAR)
    assert bool(verdict.results["check-1"].unproven) is (given == NEAR)
