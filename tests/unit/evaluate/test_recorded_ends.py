"""A replay ends each repair where its recording ended, on a busy machine as on a fast one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from regreen.evaluate import recorded_ends
from regreen.evaluate.recorded_ends import RecordedEnd, open_replayed
from regreen.evaluate.records import RunConfiguration
from regreen.evaluate.result_lines import result_line
from regreen.types import Budget, Case, Repair, Stop, Task, Turn, Verdict

USUAL = Budget(candidates=100, seconds=3.0, iterations=5, model_seconds=7.0)


@dataclass(frozen=True)
class Budgeted:
    """Resources of which only the budget counts."""

    budget: Budget = USUAL


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, repair_with: Callable[..., Repair]) -> list[Budget]:
    """The budgets of the strategies that were opened; each ends where its budget does."""
    budgets: list[Budget] = []

    @contextlib.contextmanager
    def open_strategy(settings: Any, resources: Budgeted, *, model: Any) -> Iterator[Any]:
        budgets.append(resources.budget)

        class Ending:
            def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
                short = resources.budget.candidates < 100 or resources.budget.iterations < 5
                stop = (Stop.ITERATIONS if model else Stop.CANDIDATES) if short else Stop.EXHAUSTED
                return repair_with(task, None, stop)

        yield Ending()

    monkeypatch.setattr(recorded_ends, "open_strategy", open_strategy)
    return budgets


@pytest.mark.parametrize(("model", "limits"), [(None, (40, 5)), ("m", (100, 2))])
def test_what_time_ended_is_ended_at_the_same_place_by_its_count(
    opened: list[Budget], make_case: Callable[..., Case], model: Any, limits: tuple[int, int]
) -> None:
    """A search by its candidates, a model's repair by its iterations; and told as it was."""
    ends = {("a", 0): RecordedEnd(Stop.SECONDS, 40, 2), ("b", 0): RecordedEnd(Stop.EXHAUSTED, 9, 1)}
    with open_replayed(None, Budgeted(), model, ends, "any") as strategy:  # type: ignore[arg-type]
        stops = [strategy.repair(make_case(name).task).stop for name in ("a", "b", "a", "new")]
    assert stops == [Stop.SECONDS, Stop.EXHAUSTED, Stop.SECONDS, Stop.EXHAUSTED]
    timed, timeless, unknown = opened
    assert (timed.candidates, timed.iterations) == limits
    assert (timeless.candidates, timeless.iterations, timeless.model_seconds) == (100, 5, None)
    assert min(timed.seconds, timeless.seconds) > 1e5, "no clock of today ends what none ended then"
    assert unknown == USUAL


def test_ends_are_read_from_the_record(
    make_case: Callable[..., Case], repair_with: Callable[..., Repair], configuration: RunConfiguration
) -> None:
    """By task and seed, with the corrections that were begun."""
    case = make_case("a")
    turns = tuple(Turn(n, "draft", n, 0.0, "", "") for n in range(3))
    repair = replace(repair_with(case.task, None, Stop.SECONDS), turns=turns)
    line = result_line(case, repair, Verdict({}), None, configuration, sample=2)
    assert recorded_ends.recorded_ends([line]) == {("a", configuration.seed + 2): RecordedEnd(Stop.SECONDS, 7, 2, ())}


@pytest.mark.parametrize(("stop", "candidates"), [(Stop.FIXED, 40), (Stop.EXHAUSTED, 100)])
def test_a_search_that_looked_around_looks_no_further(stop: Stop, candidates: int) -> None:
    """With more time it might have found another patch to hand over."""
    budget = RecordedEnd(stop, 40, 0).budget(USUAL, searches_alone=True)
    assert budget.candidates == candidates


def test_what_a_model_s_seconds_ended_asks_no_more_than_is_on_the_tape(
    opened: list[Budget], make_case: Callable[..., Case]
) -> None:
    """Without that limit, a replay would go on to requests that nobody has answered."""
    ends = {("a", 0): RecordedEnd(Stop.MODEL_SECONDS, 3, 2)}
    with open_replayed(None, Budgeted(), "m", ends, "any") as strategy:  # type: ignore[arg-type]
        assert strategy.repair(make_case("a").task).stop is Stop.MODEL_SECONDS
    assert [budget.iterations for budget in opened] == [2]
