"""The tables of a run."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from regreen.evaluate.records import Feedback, Result, ResultLine
from regreen.report.terminal import MAX_ROWS, rate_text, summary_table
from regreen.types import Stop


def line(outcome: Result = Result.FIXED, **fields: Any) -> ResultLine:
    values: dict[str, Any] = {
        "task_id": "shelf/a",
        "sample": 0,
        "dataset": "shelf",
        "strategy": "search",
        "model": None,
        "feedback": Feedback.ALL,
        "seed": 0,
        "outcome": outcome,
        "passed": outcome is Result.FIXED,
        "plausible": outcome is Result.FIXED,
        "robust": None,
        "stop": Stop.FIXED if outcome is Result.FIXED else Stop.EXHAUSTED,
        "iters": 1,
        "runtime_sec": 1.0,
        "buggy_source": "",
    }
    return ResultLine(**values | fields)


def shown(table: RenderableType) -> str:
    stream = io.StringIO()
    Console(file=stream, width=120, force_terminal=False).print(table)
    return stream.getvalue()


def row(text: str, first: str) -> str:
    """What a table says in the row that begins so."""
    (found,) = [line for line in text.splitlines() if line.strip().startswith(first)]
    return " ".join(found.strip().removeprefix(first).split())


def test_the_summary_counts_rates_and_times() -> None:
    """Errors are counted and are in no rate."""
    lines = [line(runtime_sec=float(n), candidates=10 * n) for n in range(1, 18)]
    lines += [line(Result.UNFIXED, plausible=True), line(Result.UNFIXED), line(Result.OVERFITTED), line(Result.ERROR)]
    text = shown(summary_table(iter(lines)))
    assert "shelf: search, feedback all" in text
    assert row(text, "fixed, of those decided (95 %)") == "85.0 % (17 of 20; 64.0 to 94.8)"
    assert row(text, "plausible").startswith("90.0 % (18 of 20;")
    assert row(text, "overfitted") == "1"
    assert row(text, "error") == "1"
    assert row(text, "seconds to a fix, median") == "9.00"
    assert row(text, "seconds to a fix, p95") == "17.00"
    assert row(text, "candidates, median") == "75"


def test_outcomes_are_broken_down_by_label_and_by_stop() -> None:
    """The largest group first."""
    lines = [line(labels={"bug_type": "value"})] * 3 + [line(Result.UNFIXED, labels={"bug_type": "operator"})]
    text = shown(summary_table(lines))
    assert row(text, "value") == "3 0 0 0 100 % (44 to 100)"
    assert row(text, "operator") == "0 0 1 0 0 % (0 to 79)"
    assert text.index(" value ") < text.index(" operator ")
    assert row(text, "exhausted") == "1"
    assert "topic" not in text
    assert "topic" in shown(summary_table([line(labels={"topic": "x"})], labels=["topic"]))


def test_many_values_of_a_label_are_cut() -> None:
    """And it is said how many are left out."""
    text = shown(summary_table(line(labels={"bug_type": f"kind {n:03}"}) for n in range(MAX_ROWS + 7)))
    assert "and 7 more" in text
    assert "kind 000" in text


def test_a_run_of_errors_has_no_rate() -> None:
    """Nothing was decided."""
    text = shown(summary_table([line(Result.ERROR, labels={"bug_type": "value"})]))
    assert row(text, "fixed, of those decided (95 %)") == "-"
    assert row(text, "value") == "0 0 0 1 -"


def test_a_run_without_results_says_so() -> None:
    """It may have just begun."""
    assert shown(summary_table([])) == "No results yet.\n"


@given(st.text(st.characters(), max_size=20))
def test_no_text_of_a_record_acts_on_the_terminal(text: str) -> None:
    """Names, labels and models may come from anywhere."""
    hostile = line(dataset=text, strategy=text, model=text, task_id=text, labels={"bug_type": text, text: text})
    out = shown(summary_table([hostile], labels=["bug_type", text]))
    assert all(character == "\n" or character.isprintable() for character in out)


def test_a_rate_shows_its_count_and_interval() -> None:
    """No rate stands alone."""
    assert rate_text(17, 20) == "85.0 % (17 of 20; 64.0 to 94.8)"
    assert rate_text(0, 0) == "-"
