"""The progress bar of a run."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from regreen.evaluate.records import Feedback, Result, ResultLine, TokenUsage
from regreen.report.run_progress import RunProgress, run_columns
from regreen.types import Stop


def line(name: str, outcome: Result) -> ResultLine:
    return ResultLine(
        task_id=name,
        sample=0,
        dataset="shelf",
        strategy="search",
        model=None,
        feedback=Feedback.ALL,
        seed=0,
        outcome=outcome,
        passed=False,
        plausible=False,
        robust=None,
        stop=Stop.FIXED,
        iters=0,
        runtime_sec=0.0,
        buggy_source="",
    )


@pytest.fixture
def bar() -> Progress:
    console = Console(file=io.StringIO(), width=160, force_terminal=False)
    return Progress(*run_columns(), console=console, auto_refresh=False)


def shown(bar: Progress) -> str:
    bar.console.print(bar.get_renderable())
    file = bar.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue().splitlines()[-1]


def test_the_bar_counts_what_was_and_what_comes(bar: Progress) -> None:
    """Done, rate of those decided, errors apart, and the case that ended last."""
    progress = RunProgress(bar)
    progress.begin(4, {Result.FIXED: 1})
    assert "1/4" in shown(bar)
    assert "1 of 1 fixed" in shown(bar), "what ends quickly comes first: no rate yet"
    progress.finished(line("shelf/b", Result.UNFIXED))
    progress.finished(line("shelf/c", Result.ERROR))
    assert "3/4" in shown(bar)
    assert "1 of 2 fixed, errors: 1" in shown(bar)
    assert "shelf/c error" in shown(bar)
    progress.finished(line("shelf/d", Result.FIXED))
    assert "67 % fixed (21-94), errors: 1" in shown(bar)


def test_what_a_model_has_cost_is_shown(bar: Progress) -> None:
    """Tokens and money; a price that is not known is said, and never zero."""
    progress = RunProgress(bar)
    progress.begin(4, {})
    asked = line("shelf/b", Result.FIXED).model_copy(
        update={"token_usage": TokenUsage(prompt=1200, completion=300), "cost_usd": 0.25}
    )
    progress.finished(asked)
    assert "1,500 tokens, $0.25" in shown(bar)
    progress.finished(asked.model_copy(update={"cost_usd": None}))
    assert "3,000 tokens, price unknown" in shown(bar)


def test_a_run_that_has_just_begun_has_no_rate(bar: Progress) -> None:
    """Nothing was decided."""
    RunProgress(bar).begin(4, {})
    assert "none fixed" in shown(bar)


def test_names_of_cases_do_not_act_on_the_terminal(bar: Progress) -> None:
    """They may come from a file of anybody's."""
    progress = RunProgress(bar)
    progress.begin(4, {})
    progress.finished(line("\x1b[2J[red]evil", Result.FIXED))
    assert "\\x1b[2J[red]evil fixed" in shown(bar)
