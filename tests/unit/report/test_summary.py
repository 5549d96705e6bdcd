"""The compact table over any number of runs: one line each, in every form that others read."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regreen.errors import ConfigError
from regreen.report.gather import RunReport, gather
from regreen.report.summary import as_csv, as_latex, as_markdown, common_columns, grid, summary_rows
from regreen.report.tables import report_table

LineOf = Callable[..., dict[str, Any]]
FolderOf = Callable[..., Path]


@pytest.fixture
def folders(folder_of: FolderOf, line_of: LineOf) -> list[Path]:
    """Eight runs: two models on two fractions of the data set, twice; the last is unfinished, under an odd name."""
    made = []
    for number in range(8):
        model, share = ("m|1", "local:a_b&c")[number % 2], (0.1, None)[number // 2 % 2]
        settings = {"samples": 1, "model": model, "options": {"iters": 5}}
        header = {"cases": 4, "planned": 4, "selection": {"fraction": share} if share else {}, "settings": settings}
        usage = {"token_usage": {"prompt": 1000, "completion": 234}, "runtime_sec": 1.5, "cost_usd": 0.25}
        lines = [line_of(f"t{n}", "fixed" if n < 3 else "unfixed", model=model, **usage) for n in range(4)]
        name = f"run {number}" if number < 7 else "=1+1 and a name that is longer than any table is wide" * 2
        made.append(folder_of(lines[:3] if number == 7 else lines, name, header))
    return made


def shown(report: RunReport, width: int) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, markup=False, highlight=False).print(report_table(report))
    return stream.getvalue()


def test_any_number_of_runs_has_a_line_each(folders: list[Path]) -> None:
    """With what tells them apart; what all have in common is said once."""
    report = gather(folders)
    rows = summary_rows(report)
    assert [row.pass_at_1 for row in rows] == ["75.0 % (30.1 to 95.4)"] * 7 + ["75.0 to 100.0 %, unfinished"]
    assert {(row.fraction, row.tokens, row.money, row.seconds) for row in rows[:4]} == {
        ("10 %", "4,936", "$1.00", "6.0"),
        ("4 tasks", "4,936", "$1.00", "6.0"),
    }
    assert common_columns(rows) == {"strategy": "reflect", "protocol": "all", "iterations": "5"}
    assert common_columns(rows[:1]) == {}
    text = shown(report, 120)
    assert "All runs: strategy reflect, protocol all, iterations 5" in text
    assert text.count("75.0 % (30.1 to 95.4)") >= 7, "the longest name leaves the figures their room"


def test_models_are_told_by_fractions(folders: list[Path]) -> None:
    """A cell for each; one that has no run is empty."""
    rows = summary_rows(gather(folders))
    found = grid(rows[:3])
    assert found is not None
    assert found.fractions == ("10 %", "4 tasks")
    assert [(name.partition(",")[0], [cell[:4] for cell in cells]) for name, cells in found.rows] == [
        ("m|1", ["75.0", "75.0"]),
        ("local:a_b&c", ["75.0", "-"]),
    ]
    assert grid(rows[:2]) is None


def test_other_programs_read_the_rows(folders: list[Path]) -> None:
    """Numbers bare in CSV, and no text that a spreadsheet, LaTeX or Markdown acts upon."""
    report = gather(folders)
    rows = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert (rows[0]["pass_at_1"], rows[0]["tokens"], rows[0]["usd"], rows[0]["planned"]) == ("0.75", "4936", "1.0", "4")
    assert (rows[7]["pass_at_1"], rows[7]["low"], rows[7]["high"]) == ("", "0.75", "1.0")
    assert rows[7]["run"].startswith("'=1+1")
    latex = as_latex(report)
    assert "local:a\\_b\\&c" in latex
    assert {line.count(" & ") for line in latex.splitlines()[2:-2] if "&" in line} == {11}
    markdown = as_markdown(report).splitlines()
    assert {line.replace("\\|", "").count("|") for line in markdown} == {13}


def test_any_run_may_be_the_baseline(folders: list[Path]) -> None:
    """By its name or its path."""
    for name in ("run 3", str(folders[3])):
        told = gather(folders[:5], baseline=name).comparisons
        assert [(pair.first, pair.second) for pair in told] == [("run 3", f"run {n}") for n in (0, 1, 2, 4)]
    with pytest.raises(ConfigError, match="'run 9' is none of the runs"):
        gather(folders, baseline="run 9")
