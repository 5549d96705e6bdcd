"""Two runs over the same tasks: who fixed what, and how sure the difference is."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.evaluate.paired import Pairing, PassRateDifference, SampleKey, mcnemar, pair, pass_rate_difference
from regreen.evaluate.records import Result

OUTCOMES = st.dictionaries(st.tuples(st.sampled_from("abcdef"), st.integers(0, 2)), st.sampled_from(list(Result)))


def keys(prefix: str, count: int) -> tuple[SampleKey, ...]:
    return tuple((f"{prefix}{number}", 0) for number in range(count))


def test_samples_are_sorted_by_who_fixed_them() -> None:
    """Overfitted is not fixed, an error in one of the two decides nothing, and what only one run has is named."""
    first = {("a", 0): Result.FIXED, ("b", 0): Result.FIXED, ("c", 0): Result.UNFIXED, ("d", 0): Result.OVERFITTED}
    first |= {("e", 0): Result.ERROR, ("f", 0): Result.FIXED}
    second = {("a", 0): Result.FIXED, ("b", 0): Result.OVERFITTED, ("c", 0): Result.FIXED, ("d", 0): Result.UNFIXED}
    second |= {("e", 0): Result.FIXED, ("g", 1): Result.FIXED}
    found = pair(first, second)
    assert found == Pairing(
        both=(("a", 0),),
        lost=(("b", 0),),
        gained=(("c", 0),),
        neither=(("d", 0),),
        undecided=(("e", 0),),
        only_first=(("f", 0),),
        only_second=(("g", 1),),
    )
    assert found.pairs == 4


@given(OUTCOMES, OUTCOMES)
def test_no_sample_is_lost_or_counted_twice(first: dict[SampleKey, Result], second: dict[SampleKey, Result]) -> None:
    """Every key is in one group; turning the runs round swaps gained with lost."""
    found, turned = pair(first, second), pair(second, first)
    groups = (found.both, found.gained, found.lost, found.neither, found.undecided, found.only_first, found.only_second)
    assert sorted(key for group in groups for key in group) == sorted({*first, *second})
    assert sorted(found.gained) == sorted(turned.lost)
    assert sorted(found.only_first) == sorted(turned.only_second)


def test_mcnemar_of_known_and_of_extreme_counts() -> None:
    """Nothing that differs proves nothing; counts beyond what floats hold still come out."""
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(5, 0) == pytest.approx(2 / 32)
    assert mcnemar(0, 5) == mcnemar(5, 0)
    assert mcnemar(6_000, 4_000) < 1e-80
    with pytest.raises(ValueError, match="no counts"):
        mcnemar(-1, 3)


def test_the_difference_is_of_pass_at_1_over_the_pairs() -> None:
    """14 gained and 7 lost among 77 are 7 of 77 more."""
    pairing = Pairing(keys("b", 43), keys("g", 14), keys("l", 7), keys("n", 13))
    found = pass_rate_difference(pairing, rng=random.Random(0))
    assert found is not None
    assert (found.first, found.second) == (pytest.approx(50 / 77), pytest.approx(57 / 77))
    assert found.value == pytest.approx(7 / 77)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.value < found.high
    assert found.tasks == 77


def test_samples_of_one_task_are_averaged_first() -> None:
    """A task with many samples weighs as much as one with few."""
    pairing = Pairing(both=(("a", 0), ("a", 1)), gained=(("a", 2), ("a", 3)), neither=(("b", 0),))
    found = pass_rate_difference(pairing, rng=random.Random(0))
    assert found is not None
    assert (found.first, found.second, found.tasks) == (0.25, 0.5, 2)


def test_without_pairs_there_is_no_difference() -> None:
    """Not even one of 0."""
    assert pass_rate_difference(Pairing(undecided=(("a", 0),)), rng=random.Random(0)) is None


@given(st.lists(st.sampled_from(list(product((0, 1), repeat=2))), min_size=1, max_size=30))
def test_the_interval_lies_within_what_is_possible_and_repeats(fixed: list[tuple[int, int]]) -> None:
    """Same seed, same interval; a difference of rates is in [-1, 1]."""
    names = {(1, 1): "both", (0, 1): "gained", (1, 0): "lost", (0, 0): "neither"}
    groups: dict[str, tuple[SampleKey, ...]] = {}
    for number, kind in enumerate(fixed):
        groups[names[kind]] = (*groups.get(names[kind], ()), (f"task {number}", 0))
    found = [pass_rate_difference(Pairing(**groups), rng=random.Random(7), rounds=60) for _ in range(2)]
    assert found[0] == found[1]
    assert isinstance(found[0], PassRateDifference)
    low, high = found[0].low, found[0].high
    assert (low is None) == (high is None) == (len({after - before for before, after in fixed}) == 1)
    assert low is None or high is None or -1 <= low <= high <= 1


def test_tasks_that_all_differ_by_the_same_give_no_interval() -> None:
    """Drawing them would feign certainty, as if nothing were left to chance."""
    found = pass_rate_difference(Pairing(gained=keys("g", 5)), rng=random.Random(0))
    assert found is not None
    assert (found.value, found.low, found.high) == (1.0, None, None)
