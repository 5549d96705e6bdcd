"""The numbers of a run: what they are counted over, and what they leave out."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.evaluate.metrics import wilson
from regreen.evaluate.records import Result
from regreen.report import formatting
from regreen.report.run_reader import Run
from regreen.report.run_statistics import statistics_of

LineOf = Callable[..., dict[str, Any]]
RunOf = Callable[..., Run]


def test_errors_are_in_no_rate(run_of: RunOf, line_of: LineOf) -> None:
    """A busy service says nothing about a strategy; how many there were is told."""
    outcomes = ["fixed"] * 3 + ["overfitted"] + ["unfixed"] * 2 + ["error"] * 4
    statistics = statistics_of(run_of([line_of(f"t{n}", outcome) for n, outcome in enumerate(outcomes)]))
    assert (statistics.samples, statistics.decided, statistics.tasks) == (10, 6, 10)
    assert statistics.outcomes[Result.ERROR] == 4
    fixed = statistics.rates["fixed"]
    assert (fixed.count, fixed.total, fixed.value) == (3, 6, 0.5)
    assert (fixed.low, fixed.high) == wilson(3, 6)
    assert fixed.interval == "wilson"
    assert statistics.rates["passed"].count == 4
    assert statistics.rates["overfitted"].count == 1


def test_several_samples_a_task_are_averaged_over_tasks(run_of: RunOf, line_of: LineOf) -> None:
    """And their intervals come from drawing tasks; pass@1 has one interval wherever it is told."""
    lines = [line_of("a", "fixed", sample=n, iteration=0) for n in range(2)]
    lines += [line_of("b", "fixed" if n == 0 else "unfixed", sample=n, iteration=0) for n in range(2)]
    lines += [line_of("c", "unfixed", sample=n) for n in range(2)]
    statistics = statistics_of(run_of(lines))
    fixed, first = statistics.rates["fixed"], statistics.passes[0]
    assert fixed.interval == "bootstrap"
    assert fixed.value == first.value == pytest.approx(0.5)
    assert (fixed.low, fixed.high) == (first.low, first.high)
    assert statistics.iterations[-1].low == fixed.low
    assert [one.value for one in statistics.passes] == [pytest.approx(0.5), pytest.approx(2 / 3)]


def test_pass_at_k_is_told_for_every_k_with_the_tasks_it_is_over(run_of: RunOf, line_of: LineOf) -> None:
    """A task with an error has one sample less: it is in no greater k."""
    lines = [line_of(task, "fixed", sample=n) for task in "ab" for n in range(3)]
    lines[-1]["outcome"] = "error"
    passes = statistics_of(run_of(lines)).passes
    assert [(one.k, one.tasks) for one in passes] == [(1, 2), (2, 2), (3, 1)]


def test_the_first_attempt_and_each_iteration_are_told_apart(run_of: RunOf, line_of: LineOf) -> None:
    """pass@1 had every repair ended after that iteration."""
    lines = [line_of(f"t{n}", iteration=n // 2) for n in range(4)] + [line_of("u", "unfixed")]
    statistics = statistics_of(run_of(lines))
    assert statistics.rates["first"].count == 2
    assert [rate.count for rate in statistics.iterations] == [2, 4]
    assert {rate.total for rate in statistics.iterations} == {5}
    assert statistics.iteration_unknown == 0


def test_fixes_of_unknown_iteration_are_counted(run_of: RunOf, line_of: LineOf) -> None:
    """Then there is no first-attempt rate, which would be too low."""
    statistics = statistics_of(run_of([line_of("a", iteration=0), line_of("b")]))
    assert statistics.iteration_unknown == 1
    assert "first" not in statistics.rates
    assert [rate.count for rate in statistics.iterations] == [1]


def test_money_is_told_as_far_as_it_is_known(run_of: RunOf, line_of: LineOf) -> None:
    """An unknown price is not nothing."""
    usage = {"prompt": 100, "completion": 11}
    lines = [line_of("a", cost_usd=0.5, token_usage=usage, runtime_sec=2.0), line_of("b", runtime_sec=4.0)]
    costs = statistics_of(run_of(lines)).costs
    assert (costs.usd, costs.usd_unknown, costs.tokens) == (0.5, 1, 111)
    assert (costs.seconds, costs.seconds_median, costs.seconds_p95) == (6.0, 3.0, 4.0)


def test_outcomes_are_counted_by_label(run_of: RunOf, line_of: LineOf) -> None:
    """bug_type first, the largest group first; what has no label is a group too."""
    lines = [line_of("a", labels={"topic": "x", "bug_type": "slip"}), line_of("b", labels={"bug_type": "slip"})]
    lines += [line_of("c", "error", labels={"bug_type": "gap"}), line_of("d", labels={"topic": "x"})]
    groups = statistics_of(run_of(lines)).groups
    assert list(groups) == ["bug_type", "topic"]
    assert [(kind.value, sum(kind.outcomes.values())) for kind in groups["bug_type"]] == [
        ("slip", 2),
        ("(none)", 1),
        ("gap", 1),
    ]
    assert groups["bug_type"][2].fixed is None


def test_setups_stops_and_stages_are_told(run_of: RunOf, line_of: LineOf) -> None:
    """Each with its number of samples; stages with their seconds."""
    lines = [line_of("a", stop="fixed", timings_sec={"propose": 1.5}), line_of("b", feedback="none", stop="tokens")]
    lines += [line_of("c", stop="fixed", timings_sec={"propose": 1, "select": "soon"})]
    statistics = statistics_of(run_of(lines))
    assert [(setup.feedback, count) for setup, count in statistics.setups.items()] == [("all", 2), ("none", 1)]
    assert statistics.stops == {"fixed": 2, "tokens": 1}
    assert statistics.stages == {"propose": 2.5}


def test_a_run_of_nothing_has_no_rates(run_of: RunOf, line_of: LineOf) -> None:
    """Nor has one of errors alone."""
    empty = statistics_of(run_of([], header={}))
    assert (empty.samples, empty.rates, empty.passes, empty.iterations) == (0, {}, (), ())
    errors = statistics_of(run_of([line_of("a", "error")], "errors"))
    assert (errors.decided, errors.rates) == (0, {})


def test_the_numbers_of_a_run_are_the_same_at_every_reading(run_of: RunOf, made: SimpleNamespace) -> None:
    """Drawing begins with the same seed."""
    lines = list(made.made_lines(tasks=20, samples=3))
    assert statistics_of(run_of(lines)) == statistics_of(run_of(lines, "again"))


def test_overfitting_that_nothing_could_tell_is_not_called_none(run_of: RunOf, line_of: LineOf) -> None:
    """Without further checks there is no rate of it; one sample that had some is enough for one."""
    assert "overfitted" not in statistics_of(run_of([line_of("a")], "without")).rates
    assert statistics_of(run_of([line_of("a", robust=True)], "with")).rates["overfitted"].count == 0


def test_a_run_that_fixed_nothing_has_a_curve_at_0(run_of: RunOf, line_of: LineOf) -> None:
    """And a first-attempt rate: it is known that no attempt was right."""
    statistics = statistics_of(run_of([line_of("a", "unfixed", iters=1), line_of("b", "unfixed", iters=1)]))
    assert [rate.value for rate in statistics.iterations] == [0.0]
    assert statistics.rates["first"].value == 0.0
    unknown = statistics_of(run_of([line_of("a", "unfixed")]))
    assert (unknown.iterations, "first" in unknown.rates) == ((), False)


def test_equal_tasks_do_not_feign_certainty(run_of: RunOf, line_of: LineOf) -> None:
    """With several samples a task, Wilson's interval over tasks replaces the bootstrap's, which is a point."""
    lines = [line_of(task, "fixed", sample=n, labels={"bug_type": task}) for task in "ab" for n in range(3)]
    statistics = statistics_of(run_of(lines))
    assert (statistics.rates["fixed"].low, statistics.rates["fixed"].high) == wilson(2, 2)
    assert {one.interval for one in statistics.passes} == {"wilson-tasks"}
    kind = statistics.groups["bug_type"][0].fixed
    assert kind is not None
    assert (kind.low, kind.high) == wilson(1, 1)


def test_tokens_and_calls_that_no_line_tells_are_unknown(run_of: RunOf, line_of: LineOf) -> None:
    """What is missing is never told as 0."""
    costs = statistics_of(run_of([line_of("a"), line_of("b", token_usage={"prompt": 1, "completion": 2})])).costs
    assert (costs.tokens, costs.tokens_unknown) == (3, 1)
    assert formatting.tokens_text(costs, 2) == "3 (1 prompt, 2 reply), unknown for 1 sample"
    assert formatting.tokens_text(statistics_of(run_of([line_of("a")], "other")).costs, 1) == "unknown"


def test_a_search_has_no_first_attempt_rate(run_of: RunOf, line_of: LineOf) -> None:
    """The first candidate that it judges is what thousands were dropped for: no model's draft compares with it."""
    lines = [line_of("a", strategy="search", model=None, iteration=0, iters=1, candidates=9_000)]
    assert "first" not in statistics_of(run_of(lines)).rates
