"""One line a run, over any number of runs: the rows of the compact table, and its text as CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regreen.evaluate.records import Result
from regreen.report import formatting
from regreen.report.gather import RunReport
from regreen.report.record_fields import count_field, number_field, object_field
from regreen.report.run_reader import Run
from regreen.report.run_statistics import BOUNDS, RunStatistics
from regreen.report.safe_text import visible_line
from regreen.report.sample import order_of

_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)
_NONE = "-"


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One run on one line, in words; "-" for what there is not."""

    run: str
    model: str
    strategy: str
    protocol: str
    fraction: str
    """The part of the data set: the share that was asked for, else the number of tasks."""
    iterations: str
    """Corrections after the draft that a model was allowed."""
    decided: str
    """Decided of planned samples."""
    pass_at_1: str
    """With its 95 % interval; its bounds in an unfinished run."""
    tokens: str
    money: str
    seconds: str
    faults: str
    """Samples that could not be decided."""

    def cells(self) -> list[str]:
        """The values in the order of `HEADINGS`."""
        return [getattr(self, name) for name in _FIELDS]


_FIELDS = tuple(SummaryRow.__slots__)
HEADINGS = tuple("pass@1 (95 %)" if name == "pass_at_1" else name for name in _FIELDS)
NUMERIC = frozenset({"fraction", "iterations", "decided", "pass@1 (95 %)", "tokens", "money", "seconds", "faults"})
"""Headings of columns that are aligned to the right."""


def summary_rows(report: RunReport) -> list[SummaryRow]:
    """A row for each run, in the order of the report."""
    return [_row(run, statistics) for run, statistics in report.with_statistics]


def common_columns(rows: Sequence[SummaryRow]) -> dict[str, str]:
    """Columns of names with the same value in all of several rows: said once, they need no column."""
    names = ("model", "strategy", "protocol", "fraction", "iterations") if len(rows) > 1 else ()
    return {name: getattr(rows[0], name) for name in names if len({getattr(row, name) for row in rows}) == 1}


def as_csv(report: RunReport) -> str:
    """The rows as comma-separated values, numbers bare: a column for each end of the interval, empty where unknown."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [name for name in _FIELDS if name not in (*_BARE, "money")]
    writer.writerow([*names, *_BARE])
    for (run, statistics), row in zip(report.with_statistics, summary_rows(report), strict=True):
        told = [getattr(row, name) for name in names]
        writer.writerow(["" if cell == _NONE else _harmless(cell) for cell in told] + _bare(run, statistics))
    return stream.getvalue()


def as_markdown(report: RunReport) -> str:
    """The rows as a table of Markdown."""
    rule = ["---:" if name in NUMERIC else "---" for name in HEADINGS]
    lines = [list(HEADINGS), rule, *([_markdown(cell) for cell in row.cells()] for row in summary_rows(report))]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def as_latex(report: RunReport) -> str:
    """The rows as a tabular environment, which needs the package booktabs."""
    columns = "".join("r" if name in NUMERIC else "l" for name in HEADINGS)
    rows = [[cell.translate(_LATEX) for cell in row.cells()] for row in summary_rows(report)]
    head = " & ".join(name.translate(_LATEX) for name in HEADINGS)
    body = "".join(f"{' & '.join(cells)} \\\\\n" for cells in rows)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"


FORMATS: Mapping[str, Callable[[RunReport], str]] = {"csv": as_csv, "latex": as_latex, "markdown": as_markdown}


@dataclass(frozen=True, slots=True)
class Grid:
    """pass@1 of models by the part of the data set."""

    fractions: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """Model and strategy, and a cell for each fraction."""


def grid(rows: Sequence[SummaryRow]) -> Grid | None:
    """The grid of models by fractions; None where all runs have the same part of the data set."""
    fractions = tuple(sorted({row.fraction for row in rows}, key=lambda name: (name.endswith("tasks"), order_of(name))))
    if len(fractions) < 2:
        return None
    cells: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        name = ", ".join(dict.fromkeys(part for part in (row.model, row.strategy, row.protocol) if part != _NONE))
        cells.setdefault(name, {}).setdefault(row.fraction, []).append(row.pass_at_1)
    return Grid(
        fractions,
        tuple(
            (name, tuple("; ".join(of.get(fraction, [_NONE])) for fraction in fractions)) for name, of in cells.items()
        ),
    )


def _row(run: Run, statistics: RunStatistics) -> SummaryRow:
    setup = next(iter(statistics.setups), None)
    fixed, spent = statistics.rates.get("fixed"), statistics.costs
    several = f" and {len(statistics.setups) - 1} more" if len(statistics.setups) > 1 else ""
    return SummaryRow(
        run=formatting.run_name(run),
        model=visible_line(setup.model or _NONE, 60) if setup else _NONE,
        strategy=visible_line(setup.strategy + several, 60) if setup else _NONE,
        protocol=visible_line(setup.feedback, 40) if setup else _NONE,
        fraction=_fraction(run, statistics),
        iterations=_iterations(run),
        decided=f"{statistics.decided:,} of {max(statistics.planned or 0, statistics.samples):,}",
        pass_at_1=formatting.rate_cell(fixed) if fixed else _NONE,
        tokens=formatting.tokens_text(spent, statistics.samples).partition(" (")[0],
        money=formatting.money_text(spent, statistics.samples).partition(",")[0],
        seconds=_NONE if spent.seconds_median is None else f"{spent.seconds:,.1f}",
        faults=f"{statistics.outcomes[Result.ERROR]:,}",
    )


def _fraction(run: Run, statistics: RunStatistics) -> str:
    share = number_field(object_field(run.header, "selection"), "fraction")
    tasks = count_field(run.header, "cases") or statistics.tasks
    return f"{tasks:,} tasks" if share is None else f"{share * 100:g} %"


def _iterations(run: Run) -> str:
    settings = object_field(run.header, "settings")
    value = number_field(object_field(settings, "options"), "iters")
    return _NONE if value is None or not settings.get("model") else f"{value:g}"


_BARE = ("pass_at_1", "low", "high", "tokens", "usd", "seconds", "decided", "planned", "faults")


def _bare(run: Run, statistics: RunStatistics) -> list[Any]:
    fixed, spent, samples = statistics.rates.get("fixed"), statistics.costs, statistics.samples
    ends = (fixed.value, fixed.low, fixed.high) if fixed else ()
    rounded: list[float | None] = [round(end, 6) for end in ends] or [None, None, None]
    if fixed and fixed.interval == BOUNDS:
        rounded[0] = None
    return [
        *rounded,
        None if spent.tokens_unknown == samples else spent.tokens,
        None if spent.usd_unknown == samples else round(spent.usd, 6),
        None if spent.seconds_median is None else round(spent.seconds, 3),
        statistics.decided,
        statistics.planned,
        statistics.outcomes[Result.ERROR],
    ]


def _harmless(cell: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell


def _markdown(cell: str) -> str:
    escaped = cell.replace("\\", "\\\\").replace("|", "\\|")
    return escaped.replace("<", "&lt;").replace("*", "\\*").replace("`", "\\`").replace("[", "\\[")
