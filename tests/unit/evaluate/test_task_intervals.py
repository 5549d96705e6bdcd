"""Intervals over tasks: several numbers from the same draws, and the normal interval where drawing takes too long."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.evaluate.metrics import mean, share_intervals, task_intervals, wilson

MOST_DRAWN = 1000

RATES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=25)


@given(RATES, st.integers(0, 5))
def test_intervals_lie_within_the_values_and_repeat(tasks: list[tuple[float, float]], seed: int) -> None:
    """Same seed, same intervals."""
    found = task_intervals(tasks, rng=random.Random(seed), rounds=40)
    assert found == task_intervals(tasks, rng=random.Random(seed), rounds=40)
    for place, (low, high) in enumerate(found):
        values = [numbers[place] for numbers in tasks]
        assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_equal_numbers_get_equal_intervals() -> None:
    """Whatever stands beside them: one rate is never told with two intervals."""
    values = [random.Random(number).random() for number in range(90)]
    alone = task_intervals([(value,) for value in values], rng=random.Random(0))
    beside = task_intervals([(1.0, value, 0.5) for value in values], rng=random.Random(0))
    assert beside[1] == alone[0]
    assert beside[0] == (1.0, 1.0)


def test_of_many_tasks_the_normal_interval_is_taken() -> None:
    """Mean plus and minus 1.96 standard errors; it stays within the values."""
    values = [number % 4 / 4 for number in range(MOST_DRAWN + 1)]
    ((low, high),) = task_intervals([(value,) for value in values], rng=random.Random(0))
    reach = 1.959964 * statistics.stdev(values) / len(values) ** 0.5
    assert (low, high) == (pytest.approx(mean(values) - reach), pytest.approx(mean(values) + reach))
    rare = [(1.0,)] + [(0.0,)] * (MOST_DRAWN + 1)
    assert task_intervals(rare, rng=random.Random(0))[0][0] == 0.0


def test_intervals_of_nothing_are_refused() -> None:
    """Or of tasks with unequally many numbers."""
    for tasks in ([], [(1.0,), (1.0, 2.0)]):
        with pytest.raises(ValueError, match="not defined"):
            task_intervals(tasks, rng=random.Random(0))


def test_an_interval_covers_the_mean_and_narrows_with_tasks() -> None:
    """More tasks, less doubt; what tasks say of themselves stands beside it."""
    widths = []
    for size in (20, 400):
        tasks = [(number % 3 / 2,) for number in range(size)]
        ((low, high, kind),) = share_intervals(tasks, single=False, rng=random.Random(1))
        assert low < mean([share for (share,) in tasks]) < high
        assert kind == "bootstrap"
        widths.append(high - low)
    assert widths[1] < widths[0] / 3


def test_tasks_that_all_have_the_same_share_do_not_feign_certainty() -> None:
    """Drawing them tells nothing: Wilson's interval over tasks stands in, also for a single task."""
    ((low, high, kind),) = share_intervals([(1.0,)] * 12, single=False, rng=random.Random(0))
    assert (low, high, kind) == (*wilson(12, 12), "wilson-tasks")
    ((low, high, kind),) = share_intervals([(0.4,)], single=False, rng=random.Random(0))
    assert low < 0.05 < 0.4 < 0.85 < high
    many = [(0.0, number % 2) for number in range(MOST_DRAWN + 1)]
    assert [kind for *_, kind in share_intervals(many, single=False, rng=random.Random(0))] == [
        "wilson-tasks",
        "normal",
    ]


def test_one_sample_a_task_has_wilson_s_interval() -> None:
    """As many as there are tasks, and no drawing."""
    ((low, high, kind),) = share_intervals([(1.0,), (0.0,), (1.0,)], single=True, rng=random.Random(0))
    assert (low, high, kind) == (*wilson(2, 3), "wilson")
