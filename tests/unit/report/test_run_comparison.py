"""One run against another: by name, at a price, and loudly where they are not comparable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from regreen.report.run_comparison import compare_runs, cost_rows, sample_name
from regreen.report.run_reader import Run
from regreen.report.run_statistics import statistics_of

LineOf = Callable[..., dict[str, Any]]
RunOf = Callable[..., Run]


def test_gains_and_losses_are_named_and_priced(run_of: RunOf, line_of: LineOf) -> None:
    """Over the pairs alone: what only one run has costs nothing here."""
    spent = {"token_usage": {"prompt": 100, "completion": 0}, "runtime_sec": 2.0, "cost_usd": 0.01}
    more = {"token_usage": {"prompt": 150, "completion": 50}, "runtime_sec": 1.0, "cost_usd": 0.03}
    first = run_of([line_of("a", "unfixed", **spent), line_of("b", **spent), line_of("only", **spent)], "first")
    second = run_of([line_of("a", **more), line_of("b", **more), line_of("new", **more)], "second")
    found = compare_runs(first, second)
    assert (found.pairing.gained, found.pairing.lost, found.pairing.both) == ((("a", 0),), (), (("b", 0),))
    assert (found.pairing.only_first, found.pairing.only_second) == ((("only", 0),), (("new", 0),))
    assert found.difference is not None
    assert found.difference.value == 0.5
    assert found.p == 1.0
    told = {price.name: (price.before, price.after, price.difference) for price in cost_rows(found)}
    assert told["tokens"] == ("200", "400", "+200")
    assert told["money"] == ("$0.0200", "$0.0600", "+$0.0400")
    assert told["time"] == ("4.00 s", "2.00 s", "−2.0 s")  # noqa: RUF001 - the sign that the report prints
    assert found.mismatches == ()


def test_parts_that_nest_are_compared_on_what_they_share(run_of: RunOf, line_of: LineOf) -> None:
    """A fraction and a larger one of the same data set, whatever its file was called."""
    small = {"dataset_hash": "s", "ids": ["a"], "case_hashes": ["1"], "planned": 1}
    large = {"dataset_hash": "l", "ids": ["a", "b"], "case_hashes": ["1", "2"], "planned": 3}
    first = run_of([line_of("a", "unfixed")], "first", small)
    second = run_of([line_of(name, dataset="shelf:/home/me/f.jsonl") for name in "ab"], "second", large)
    found = compare_runs(first, second)
    assert (found.mismatches, found.p, found.pairing.gained) == ((), 1.0, (("a", 0),))
    assert found.remarks == (
        "Compared on the 1 sample that both decided.",
        "second is UNFINISHED (2 of 3 planned samples): the pairs are those that ended first.",
    )
    other = run_of([line_of("a")], "other", large | {"case_hashes": ["9", "2"]})
    assert compare_runs(first, other).mismatches != ()


def test_an_unknown_price_makes_the_difference_unknown(run_of: RunOf, line_of: LineOf) -> None:
    """It is not told as nothing."""
    found = compare_runs(run_of([line_of("a")], "first"), run_of([line_of("a", cost_usd=1.0)], "second"))
    (money,) = [price for price in cost_rows(found) if price.name == "money"]
    assert (money.before, money.after, money.difference) == ("unknown", "$1.00", "unknown")


@pytest.mark.parametrize(
    ("fields", "header", "said"),
    [
        ({"feedback": "none"}, {}, "different feedback protocols: all and none"),
        ({"dataset": "other"}, {}, "different data sets: shelf and other"),
        ({}, {"dataset_hash": "b"}, "cases are not the same"),
        ({"buggy_source": "y = 2\n"}, {}, "In 1 of their common tasks the program to repair is another one"),
        ({"task_id": "z"}, {}, "No sample was decided in both"),
    ],
)
def test_runs_that_are_not_comparable_say_why(
    run_of: RunOf, line_of: LineOf, fields: dict[str, Any], header: dict[str, Any], said: str
) -> None:
    """Each reason by itself."""
    first = run_of([line_of("a", buggy_source="x = 1\n")], "first", {"dataset_hash": "a"})
    line = line_of("a", buggy_source="x = 1\n") | fields
    found = compare_runs(first, run_of([line], "second", {"dataset_hash": "a"} | header))
    assert len(found.mismatches) == 1
    assert said in found.mismatches[0]


def test_the_same_run_twice_is_comparable(run_of: RunOf, line_of: LineOf) -> None:
    """And nothing was gained or lost."""
    run = run_of([line_of("a"), line_of("b", "unfixed")], "run", {"dataset_hash": "a"})
    found = compare_runs(run, run)
    assert (found.mismatches, found.p, found.difference and found.difference.value) == ((), 1.0, 0.0)


def test_samples_are_numbered_where_tasks_have_several(run_of: RunOf, line_of: LineOf) -> None:
    """And it is said that pairs of one task are not independent."""
    lines = [line_of("a", sample=n) for n in range(2)]
    assert compare_runs(run_of(lines, "first"), run_of(lines, "second")).several
    assert sample_name(("a", 1), several=True) == "a sample 1"
    assert sample_name(("a", 0), several=False) == "a"


def test_names_stand_in_order_however_the_runs_came_to_them(run_of: RunOf, line_of: LineOf) -> None:
    """And no number depends on which task happened to end first."""
    ends = [("t/10", "fixed"), ("t/9", "fixed"), ("t/2", "unfixed"), ("t/1", "fixed")]
    before = [line_of(task, "unfixed", sample=n) for task, _ in ends for n in range(2)]
    after = [line_of(task, outcome if n else "unfixed", sample=n) for task, outcome in ends for n in range(2)]
    first, second = run_of(before, "first"), run_of(after, "second")
    told = compare_runs(first, second)
    assert told.pairing.gained == (("t/1", 1), ("t/9", 1), ("t/10", 1))
    turned = compare_runs(run_of(before[::-1], "third"), run_of(after[::-1], "fourth"))
    assert (turned.pairing, turned.difference) == (told.pairing, told.difference)
    assert statistics_of(run_of(after, "fifth")).passes == statistics_of(run_of(after[::-1], "sixth")).passes
