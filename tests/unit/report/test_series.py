"""The points of charts: each run looks the same in all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from regreen.report.charts import rate_chart, task_chart
from regreen.report.gather import RunReport, gather
from regreen.report.series import iteration_curves, spending_curves, tokens_by_task


def of_two(folder_of: Callable[..., Path], line_of: Callable[..., dict[str, Any]]) -> RunReport:
    """The first run knows neither iterations nor tokens, the second does."""
    usage = {"prompt": 5, "completion": 5}
    told = [line_of(task, iteration=number, iters=2, token_usage=usage) for number, task in enumerate("ab")]
    return gather([folder_of([line_of("a"), line_of("b")], "silent"), folder_of(told, "told")])


def test_a_run_without_a_curve_does_not_lend_its_look_to_another(
    folder_of: Callable[..., Path], line_of: Callable[..., dict[str, Any]]
) -> None:
    """The legend names every run: a curve that looked like another run's would be read as its."""
    report = of_two(folder_of, line_of)
    (curve,) = iteration_curves(report)
    assert (curve.name, curve.run) == ("told", 1)
    chart = rate_chart([curve], "rates")
    assert "run run1" in chart
    assert "run run0" not in chart
    (tokens,) = tokens_by_task(report)
    assert 'class="dots run1"' in task_chart([tokens], "tokens", "tokens", alone=False)


def test_what_a_model_took_is_added_up_over_the_iterations(
    folder_of: Callable[..., Path], line_of: Callable[..., dict[str, Any]]
) -> None:
    """A sample's mean: one that ended early spends nothing later. A price that is not known draws no curve."""

    def turn(iteration: int, **told: Any) -> dict[str, Any]:
        return {"iteration": iteration, "prompt_tokens": 6, "completion_tokens": 4, "seconds": 2.0, **told}

    long = line_of("a", turns=[turn(0, usd=0.1), turn(1, usd=0.1), turn(1)])
    report = gather([folder_of([long, line_of("b", turns=[turn(0, usd=0.1)])], "run")])
    (tokens,) = spending_curves(report, lambda of: of.tokens)
    assert [point.value for point in tokens.points] == [10.0, 20.0]
    (seconds,) = spending_curves(report, lambda of: of.seconds)
    assert [point.value for point in seconds.points] == [2.0, 4.0]
    assert spending_curves(report, lambda of: of.usd) == []
