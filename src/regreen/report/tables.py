"""The tables of a report for a terminal: numbers in, renderables out; nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from regreen.evaluate.records import Result, SampleKey
from regreen.report import formatting
from regreen.report.gather import RunReport
from regreen.report.run_comparison import RunComparison, cost_rows, sample_name
from regreen.report.run_reader import ReplyCounts, Run
from regreen.report.run_statistics import LabelGroup, Rate, RunStatistics
from regreen.report.safe_text import visible_line
from regreen.report.sample import UNKNOWN
from regreen.report.summary import HEADINGS, NUMERIC, common_columns, grid, summary_rows

_COLOURS = {Result.FIXED: "green", Result.OVERFITTED: "yellow", Result.UNFIXED: "red", Result.ERROR: "magenta"}
_MAX_ROWS = 40
_MAX_NAMES = 20
_DETAILED_RUNS = 2
"""How many runs are told at length; of more, there is a line for each."""
_LEAST_NAME = 16
"""Characters of a name that a line of a run shows before intervals move below their rates."""
_BETWEEN = 2
"""Characters that the table of runs puts between two columns; as many are at its edges together."""
_WARNING = "bold yellow"
_LOUD = "bold white on red"


def report_table(report: RunReport) -> RenderableType:
    """A line for each of several runs; all of one or two runs; then what each gained and lost against the baseline."""
    parts: list[RenderableType] = []
    for comparison in report.comparisons:
        parts += _alarm(comparison)
    if len(report.runs) > 1:
        parts += _summary(report)
    for run, statistics in report.with_statistics if len(report.runs) <= _DETAILED_RUNS else ():
        parts += _run(run, statistics)
    for comparison in report.comparisons:
        parts += _comparison(comparison)
    return Group(*parts)


def _summary(report: RunReport) -> Iterator[RenderableType]:
    """A line a run, and models by fractions where runs have different ones."""
    rows = summary_rows(report)
    if any(statistics.missing for statistics in report.statistics):
        yield Text(" UNFINISHED runs have bounds in place of a rate. ", style=_LOUD)
    common = common_columns(rows)
    if common:
        told = (f"{name} {value}" for name, value in common.items() if value != "-")
        yield Text(f"All runs: {', '.join(told)}")
    shown = [name for name in HEADINGS if name not in common]
    told_of = [dict(zip(HEADINGS, row.cells(), strict=True)) for row in rows]
    yield _RunLines([shown, *([cells[name] for name in shown] for cells in told_of)])
    if found := grid(rows):
        models = wrapping_table("pass@1 by fraction", *found.fractions)
        models.columns[0].overflow = "fold"
        for name, rates in found.rows:
            models.add_row(Text(name), *(Text(rate) for rate in rates))
        yield models


@dataclass(frozen=True, slots=True)
class _RunLines:
    """A line for each run; on a narrow terminal intervals stand below their rates, so that figures stay whole."""

    cells: Sequence[Sequence[str]]
    """The headings, then the line of each run."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield self._table(" (" if sum(self._least(" (")) <= options.max_width else "\n(")

    def _lines(self, before_interval: str) -> list[list[str]]:
        """The cells with this in front of what stands in brackets."""
        return [[cell.replace(" (", before_interval) for cell in line] for line in self.cells]

    def _least(self, before_interval: str) -> Iterator[int]:
        """What each column takes at least, with what is between two: all of a figure, the beginning of a name."""
        for name, *cells in zip(*self._lines(before_interval), strict=True):
            widest = max(len(part) for cell in (name, *cells) for part in cell.split("\n"))
            is_figure = name.replace("\n", " ") in NUMERIC
            yield _BETWEEN + (widest if is_figure else min(widest, _LEAST_NAME))

    def _table(self, before_interval: str) -> Table:
        head, *rows = self._lines(before_interval)
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        for name, heading, least in zip(self.cells[0], head, self._least(before_interval), strict=True):
            # What is too long is folded: a name never pushes a figure off.
            is_figure = name in NUMERIC
            table.add_column(
                Text(heading),
                justify="right" if is_figure else "left",
                overflow="fold",
                min_width=least - _BETWEEN if is_figure else 4,
                no_wrap=is_figure,
            )
        for row in rows:
            table.add_row(*map(Text, row))
        return table


def _run(run: Run, statistics: RunStatistics) -> Iterator[RenderableType]:
    # A title of the table's own would be broken to the table's width.
    yield Text(formatting.run_name(run), style="bold")
    for setup in list(statistics.setups)[:3]:
        protocol = formatting.PROTOCOLS.get(setup.feedback)
        yield Text(formatting.setup_text(setup) + (f": {protocol}" if protocol else ""))
    for remark in (*formatting.setup_remarks(statistics), *run.remarks):
        yield Text(visible_line(remark, 500), style=_LOUD if statistics.missing else _WARNING)
    if not statistics.samples:
        yield Text("No results yet.")
        return
    if credit := formatting.credit_text(statistics):
        yield Text(credit, style="bold")
    yield _overview(statistics)
    for label, groups in list(statistics.groups.items())[:1]:
        yield _kinds(label, groups)
    if set(statistics.stops) != {UNKNOWN}:
        yield _stops(statistics)
    if statistics.replies.replies:
        yield _replies(statistics.replies)


def _overview(statistics: RunStatistics) -> Table:
    table = wrapping_table("", "")
    table.show_header = False
    table.add_row("samples", formatting.denominators(statistics))
    table.add_section()
    for result in Result:
        table.add_row(Text(result, style=_COLOURS[result]), _outcome(statistics, result))
        if result is Result.FIXED:
            for name, rate in formatting.split_credit(statistics).items():
                table.add_row(f"  {name}", formatting.rate_text(rate))
    table.add_section()
    for name, value in _rates(statistics):
        table.add_row(name, value)
    table.add_section()
    for name, value in _spending(statistics):
        table.add_row(name, value)
    return table


def _outcome(statistics: RunStatistics, result: Result) -> str:
    """An outcome's count, and its rate among the decided with its interval."""
    if found := statistics.rates.get(result.value):
        return formatting.rate_text(found)
    note = formatting.outcome_note(statistics, result)
    return f"{statistics.outcomes[result]:,}" + (f", {note}" if note else "")


def _rates(statistics: RunStatistics) -> Iterator[tuple[str, str]]:
    for one in formatting.shown_passes(statistics.passes):
        over = "" if one.tasks == statistics.passes[0].tasks else f", over {one.tasks:,} tasks with as many samples"
        yield f"pass@{one.k} (95 %, {formatting.INTERVALS[one.interval]})", formatting.pass_at_text(one) + over
    if "passed" in statistics.rates and statistics.outcomes[Result.OVERFITTED]:
        yield "passes the hidden checks (fixed or overfitted)", formatting.rate_text(statistics.rates["passed"])
    if "first" in statistics.rates:
        yield "fixed by the model's first attempt", formatting.rate_text(statistics.rates["first"])
    for number, of in enumerate(statistics.iterations):
        if len(statistics.iterations) > 1:
            yield f"pass@1 after iteration {number}", formatting.rate_text(of)
    if "plausible" in statistics.rates:
        yield "plausible (passes what could be seen)", formatting.rate_text(statistics.rates["plausible"])


def _spending(statistics: RunStatistics) -> Iterator[tuple[str, str]]:
    spent = statistics.costs
    yield "tokens", formatting.tokens_text(spent, statistics.samples)
    yield "money", formatting.money_text(spent, statistics.samples)
    if spent.model_calls or not spent.tokens_unknown:
        yield "model calls", f"{spent.model_calls:,}"
    yield "time, all samples", "unknown" if spent.seconds_median is None else formatting.duration_text(spent.seconds)
    if spent.seconds_median is not None and spent.seconds_p95 is not None:
        yield (
            "time a sample, median and p95",
            f"{formatting.duration_text(spent.seconds_median)}, {formatting.duration_text(spent.seconds_p95)}",
        )


def _kinds(label: str, groups: Sequence[LabelGroup]) -> Table:
    table = wrapping_table(visible_line(label, 40), *Result, "pass@1 (95 %)")
    for kind in groups[:_MAX_ROWS]:
        counts = (f"{kind.outcomes.get(result, 0):,}" for result in Result)
        table.add_row(Text(visible_line(kind.value, 60)), *counts, _short(kind.fixed))
    if len(groups) > _MAX_ROWS:
        table.caption = f"and {len(groups) - _MAX_ROWS} more"
    return table


def _short(of: Rate | None) -> str:
    return f"{of.value * 100:.0f} % ({of.low * 100:.0f} to {of.high * 100:.0f})" if of else "-"


def _stops(statistics: RunStatistics) -> Table:
    table = wrapping_table("stopped because", "samples")
    for stop, count in list(statistics.stops.items())[:_MAX_ROWS]:
        table.add_row(Text(visible_line(stop, 60)), f"{count:,}")
    return table


def _replies(found: ReplyCounts) -> Table:
    """The model's replies: how many were usable, and what the others lacked."""
    table = wrapping_table("the model's replies", "replies")
    for name, count in formatting.reply_rows(found):
        table.add_row(Text(name), count)
    return table


def _alarm(comparison: RunComparison) -> Iterator[RenderableType]:
    if comparison.mismatches:
        yield Text(f" NOT COMPARABLE: {_versus(comparison)} ", style=_LOUD)
        for mismatch in comparison.mismatches:
            yield Text(visible_line(mismatch, 500), style=_WARNING)
        yield Text("")


def _versus(comparison: RunComparison) -> str:
    return f"{visible_line(comparison.second, 80)} against {visible_line(comparison.first, 80)}"


def _comparison(comparison: RunComparison) -> Iterator[RenderableType]:
    yield Text(_versus(comparison), style="bold")
    yield from _alarm(comparison)
    for remark in comparison.remarks:
        yield Text(visible_line(remark, 500), style=_WARNING)
    table = wrapping_table("", "")
    table.show_header = False
    for name, value in (*_difference_rows(comparison), *count_rows(comparison)):
        table.add_row(name, value)
    for price in cost_rows(comparison):
        table.add_row(f"{price.name} of the pairs", f"{price.before} before, {price.after} after ({price.difference})")
    yield table
    for name, keys in (("Gained", comparison.pairing.gained), ("Lost", comparison.pairing.lost)):
        if keys:
            yield Text(f"{name}: {_names(keys, comparison)}")
    yield Text("")


def _names(keys: Sequence[SampleKey], comparison: RunComparison) -> str:
    shown = (visible_line(sample_name(key, several=comparison.several), 80) for key in keys[:_MAX_NAMES])
    more = f" and {len(keys) - _MAX_NAMES:,} more" if len(keys) > _MAX_NAMES else ""
    return ", ".join(shown) + more


def _difference_rows(comparison: RunComparison) -> Iterator[tuple[str, str]]:
    if found := comparison.difference:
        yield "pass@1", f"{formatting.percent(found.first)} before, {formatting.percent(found.second)} after"
        kind = "" if found.low is None else f" (95 %, {formatting.interval_method(found)})"
        yield f"difference{kind}", formatting.difference_text(found)
    if comparison.p is None:
        yield "difference", "none is told: the runs are not comparable"
        return
    test = formatting.p_value_text(comparison.p)
    yield "McNemar's exact test", f"{test}, taking the pairs to be independent" if comparison.several else test


def count_rows(comparison: RunComparison) -> Iterator[tuple[str, str]]:
    """Numbers of samples gained, lost, fixed in both and so on: a name and a text each."""
    pairing = comparison.pairing
    yield "pairs, decided in both", f"{pairing.pairs:,}"
    for name, keys in (("gained", pairing.gained), ("lost", pairing.lost)):
        yield name, f"{len(keys):,}"
    yield "fixed in both", f"{len(pairing.both):,}"
    yield "fixed in neither", f"{len(pairing.neither):,}"
    apart = (("error in one, in no number", pairing.undecided), *_only(comparison))
    yield from ((name, f"{len(keys):,}") for name, keys in apart if keys)


def _only(comparison: RunComparison) -> tuple[tuple[str, Sequence[SampleKey]], ...]:
    names = (visible_line(comparison.first, 60), visible_line(comparison.second, 60))
    keys = (comparison.pairing.only_first, comparison.pairing.only_second)
    return tuple((f"samples only in {name}", found) for name, found in zip(names, keys, strict=True))


def wrapping_table(first: str, *others: str) -> Table:
    """An empty table with these columns, the first of texts; where it is narrow, its cells wrap, and none is cut."""
    table = Table(box=box.SIMPLE_HEAD)
    for name in (first, *others):
        is_text = name is first or not first
        longest = max(map(len, name.split()), default=1)
        table.add_column(Text(name), justify="left" if is_text else "right", overflow="fold", min_width=longest)
    return table
