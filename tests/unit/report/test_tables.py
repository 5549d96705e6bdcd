"""What a terminal shows of a report."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_examples import examples
from rich.console import Console

from regreen.report.gather import gather
from regreen.report.tables import report_table, wrapping_table

MAX_ROWS = 40

LineOf = Callable[..., dict[str, Any]]
FolderOf = Callable[..., Path]


def shown(*runs: Path, width: int = 150) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, markup=False, highlight=False).print(report_table(gather(runs)))
    return stream.getvalue()


def row(text: str, first: str) -> str:
    """What a table says in the row that begins so."""
    (found,) = [line for line in text.splitlines() if line.strip().startswith(first)]
    return " ".join(found.strip().removeprefix(first).split())


def test_errors_are_counted_and_are_in_no_rate(folder_of: FolderOf, line_of: LineOf) -> None:
    """A run of errors alone has no rate at all."""
    outcomes = ["fixed"] * 17 + ["unfixed"] * 2 + ["overfitted", "error"]
    text = shown(folder_of([line_of(f"t{n}", outcome) for n, outcome in enumerate(outcomes)]))
    assert row(text, "pass@1 (95 %, Wilson)") == "85.0 % (64.0 to 94.8)"
    assert row(text, "error") == "1, in no rate"
    faults = [line_of("a", "error", labels={"bug_type": "value"})]
    text = shown(folder_of(faults, "faults"))
    assert "pass@1 (95 %, " not in text
    assert row(text, "value") == "0 0 0 1 -"


def test_eighty_columns_cut_names_and_no_figure(folder_of: FolderOf, line_of: LineOf) -> None:
    """The interval stands below its rate there, whole."""
    usage = {"token_usage": {"prompt": 190_000, "completion": 2_689}, "cost_usd": 0.5, "runtime_sec": 123.0}
    long = "a-name-of-a-run-that-goes-on-and-on"
    runs = [folder_of([line_of("t", model=f"maker:{long}-{n}", **usage)], f"{long}-{n}") for n in range(3)]
    lines = shown(*runs, width=80).splitlines()
    first = next(place for place, line in enumerate(lines) if "192,689" in line)
    assert lines[first].split()[-7:] == ["of", "1", "100.0", "%", "192,689", "$0.5000", "123.0", "0"][-7:]
    assert "(20.7 to 100.0)" in lines[first + 1]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("width", range(76, 90))
def test_the_last_figure_of_a_line_is_never_cut(folder_of: FolderOf, line_of: LineOf, width: int) -> None:
    """At each width about the one from which intervals stand beside their rates."""
    runs = [folder_of([line_of(f"t{n}") for n in range(4 + many)], f"r{many}") for many in range(2)]
    text = shown(*runs, width=width)
    assert " faults" in text
    assert all(line.split()[-1] == "0" for line in text.splitlines() if line.startswith((" r0 ", " r1 ")))


def test_half_a_run_never_looks_whole(folder_of: FolderOf, line_of: LineOf) -> None:
    """6 of 16 that were all fixed are no 100 %: the table leads with the plan, and tells what may still come."""
    header = {"schema": 1, "cases": 8, "settings": {"samples": 2}}
    text = shown(folder_of([line_of(f"t{n}", labels={"bug_type": "value"}) for n in range(6)], header=header))
    assert text.index("UNFINISHED: 10 of 16 planned samples") < text.index("fixed")
    assert row(text, "samples") == "6 of 16 planned samples decided, 6 tasks"
    assert row(text, "fixed  ") == "37.5 to 100.0 % (6 so far, of 16 planned)"
    assert row(text, "value") == "6 0 0 0 -"
    assert "pass@1 (95 %, " not in text
    assert "100.0 % (" not in text.replace("37.5 to 100.0 % (", "")


def test_a_protocol_s_ceiling_is_told(folder_of: FolderOf, line_of: LineOf) -> None:
    """Where nothing was red among what could be seen, the strategy could not have fixed the task."""
    lines = [line_of("a"), line_of("b", "unfixed", stop="nothing_red"), *(line_of(f"t{n}") for n in range(6))]
    assert "it can fix 87.5 % of these samples at most" in " ".join(shown(folder_of(lines)).split())


def test_fixes_are_told_by_whom_they_are_owed_to(folder_of: FolderOf, line_of: LineOf) -> None:
    """A hybrid whose search repaired it all is no credit to its model, least of all to its first attempt."""
    model = {"strategy": "hybrid", "iters": 1, "attempts_total": 1, "model_calls": 1}
    lines = [
        line_of(
            "a", strategy="hybrid", origin="search", model_calls=0, attempts_total=1, attempts=[{"outcome": "passed"}]
        ),
        line_of("b", origin="model", iteration=0, **model),
        line_of("c", origin="around_model", attempts=[{"outcome": "passed"}], **model),
        line_of("d", "unfixed", stop="fixed", **model),
    ]
    text = shown(folder_of(lines))
    credit = "fixed: 1 by search alone, 1 by the model, 1 by search around a model's candidate; "
    assert f"{credit}the model was asked in 3 of 4 samples" in text
    assert row(text, "by search alone") == "25.0 % (1 of 4; 4.6 to 69.9)"
    assert row(text, "fixed by the model's first attempt").startswith("25.0 % (1 of 4;")
    assert row(text, "plausible, hidden checks failed") == "1"


def test_replies_are_told_by_their_faults(folder_of: FolderOf, line_of: LineOf) -> None:
    """And those that were cut off, which may hold a candidate all the same."""
    turns = [{"finish": "length", "fault": "cut"}, {"finish": "length"}, {"fault": "no_code"}, {"finish": "stop"}]
    text = shown(folder_of([line_of("a", turns=turns)]))
    assert row(text, "all  ") == "4"
    assert row(text, "cut off at the limit of their length") == "2"
    assert (row(text, "fault: cut"), row(text, "fault: no code")) == ("1", "1")


def test_many_values_of_a_label_are_cut(folder_of: FolderOf, line_of: LineOf) -> None:
    """And it is said how many are left out."""
    text = shown(folder_of(line_of(f"t{n}", labels={"bug_type": f"kind {n:03}"}) for n in range(MAX_ROWS + 7)))
    assert "and 7 more" in text
    assert "kind 000" in text


def test_a_run_without_results_says_so(folder_of: FolderOf) -> None:
    """It may have just begun."""
    assert "No results yet." in shown(folder_of([], header={"schema": 1}))


def test_what_no_line_tells_is_unknown(folder_of: FolderOf, line_of: LineOf) -> None:
    """Neither tokens, money nor time are 0 where nobody recorded them."""
    text = shown(folder_of([line_of("a")]))
    for name in ("tokens", "money", "time, all samples"):
        assert row(text, name) == "unknown"
    for name in ("model calls", "stopped because"):
        assert name not in text


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results file that examples write over."""
    return tmp_path_factory.mktemp("hostile") / "results.jsonl"


@examples(0.4)
@given(st.text(st.characters(), max_size=20))
def test_no_text_of_a_record_acts_on_the_terminal(file: Path, text: str) -> None:
    """Names, labels and models may come from anywhere."""
    hostile = {name: text for name in ("dataset", "strategy", "model", "feedback", "stop")}
    line = {"task_id": f"t{text}", "outcome": "fixed", "labels": {text: text, "bug_type": text}, **hostile}
    file.write_text(json.dumps(line) + "\n", encoding="ascii")
    out = shown(file, file)
    assert all(character == "\n" or character.isprintable() for character in out)


def test_where_it_is_narrow_a_table_wraps_and_cuts_no_title() -> None:
    """A long label costs lines, not letters."""
    table = wrapping_table("bug_type", "fixed", "overfitted", "unfixed", "error", "pass@1 (95 %)")
    table.add_row("wrong_operator_in_a_long_name", "1", "0", "0", "0", "100 % (21 to 100)")
    out = Console(file=io.StringIO(), width=60)
    out.print(table)
    shown = out.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in shown
    assert "overfitted" in shown
    assert max(map(len, shown.splitlines())) <= 60
