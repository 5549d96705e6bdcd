"""A report of known records is, word for word, what it was: in the terminal and as JSON."""

from __future__ import annotations

import io
import json
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from rich.console import Console

from regreen.report.gather import RunReport, gather
from regreen.report.json_values import report_values
from regreen.report.tables import report_table

HERE = Path(__file__).parent
MAKER = runpy.run_path(str(HERE.parent / "browser" / "made_runs.py"))


def made(folder: Path) -> dict[str, Path]:
    """Two runs to compare, a run with several samples a task, and one that follows another protocol."""
    lines, write = MAKER["made_lines"], MAKER["write_run"]
    other = [line | {"feedback": "all"} for line in lines(tasks=6, seed=2)]
    return {
        "first": write(folder / "first", lines(tasks=24, seed=1, skill=0.3)),
        "second": write(folder / "second", lines(tasks=24, seed=2, skill=0.6)),
        "several": write(folder / "several", lines(tasks=12, samples=4)),
        "protocol": write(folder / "protocol", [*other, {"foreign": True}]),
    }


def as_table(report: RunReport) -> str:
    stream = io.StringIO()
    Console(file=stream, width=110, markup=False, highlight=False, emoji=False).print(report_table(report))
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def as_json(report: RunReport) -> str:
    values = report_values(report)
    for run in values["runs"]:
        run["results"] = Path(run["results"]).name
    return json.dumps(values, indent=1, ensure_ascii=True) + "\n"


@pytest.mark.parametrize(
    ("name", "runs", "show"),
    [
        ("single.txt", ["first"], as_table),
        ("several.txt", ["several"], as_table),
        ("compared.txt", ["first", "second"], as_table),
        ("not_comparable.txt", ["first", "protocol"], as_table),
        ("compared.json", ["first", "second"], as_json),
    ],
)
def test_a_report_is_what_it_was(
    tmp_path: Path,
    unchanged: Callable[[Mapping[str, str]], None],
    name: str,
    runs: list[str],
    show: Callable[[RunReport], str],
) -> None:
    """A mismatch is saved beside the golden file, to be looked at and, if it is right, put in its place."""
    known = made(tmp_path)
    unchanged({f"report/{name}": show(gather([known[run] for run in runs]))})
