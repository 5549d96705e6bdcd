"""What a terminal shows of a report: numbers in, renderables out; nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regreen.evaluate.records import Result, SampleKey
from regreen.report import words
from regreen.report.compare import Comparison, prices, sample_name
from regreen.report.gather import Report
from regreen.report.read import Run
from regreen.report.safe_text import visible_line
from regreen.report.sample import UNKNOWN
from regreen.report.summary import Kind, Rate, Summary

COLOURS = {Result.FIXED: "green", Result.OVERFITTED: "yellow", Result.UNFIXED: "red", Result.ERROR: "magenta"}
MAX_ROWS = 40
MAX_NAMES = 20
WARNING = "bold yellow"
LOUD = "bold white on red"


def report_table(report: Report) -> RenderableType:
    """Every run, then what each later one gained and lost against the first."""
    parts: list[RenderableType] = []
    for comparison in report.comparisons:
        parts += _alarm(comparison)
    for run, summary in report.told:
        parts += _run(run, summary)
    for comparison in report.comparisons:
        parts += _comparison(comparison)
    return Group(*parts)


def _run(run: Run, summary: Summary) -> Iterator[RenderableType]:
    # A title of the table's own would be broken to the table's width.
    yield Text(words.run_name(run), style="bold")
    for setup in list(summary.setups)[:3]:
        protocol = words.PROTOCOLS.get(setup.feedback)
        yield Text(words.setup(setup) + (f": {protocol}" if protocol else ""))
    for remark in (*run.remarks, *words.setup_remarks(summary)):
        yield Text(visible_line(remark, 500), style=WARNING)
    if not summary.samples:
        yield Text("No results yet.")
        return
    yield _overview(summary)
    for label, kinds in list(summary.kinds.items())[:1]:
        yield _kinds(label, kinds)
    if set(summary.stops) != {UNKNOWN}:
        yield _stops(summary)


def _overview(summary: Summary) -> Table:
    table = _table("", "")
    table.show_header = False
    table.add_row("samples", words.denominators(summary))
    table.add_section()
    for result in Result:
        table.add_row(Text(result, style=COLOURS[result]), _outcome(summary, result))
    table.add_section()
    for name, value in _rates(summary):
        table.add_row(name, value)
    table.add_section()
    for name, value in _spending(summary):
        table.add_row(name, value)
    return table


def _outcome(summary: Summary, result: Result) -> str:
    """An outcome's count, and its rate among the decided with its interval."""
    if found := summary.rates.get(result.value):
        return words.rate(found)
    note = words.outcome_note(summary, result)
    return f"{summary.outcomes[result]:,}" + (f", {note}" if note else "")


def _rates(summary: Summary) -> Iterator[tuple[str, str]]:
    for one in words.shown_passes(summary.passes):
        over = "" if one.tasks == summary.passes[0].tasks else f", over {one.tasks:,} tasks with as many samples"
        yield f"pass@{one.k} (95 %, {words.INTERVALS[one.interval]})", words.passes(one) + over
    if "passed" in summary.rates and summary.outcomes[Result.OVERFITTED]:
        yield "passes the hidden checks (fixed or overfitted)", words.rate(summary.rates["passed"])
    if "first" in summary.rates:
        yield "fixed by the first attempt", words.rate(summary.rates["first"])
    for number, of in enumerate(summary.iterations):
        if len(summary.iterations) > 1:
            yield f"pass@1 after iteration {number}", words.rate(of)
    if "plausible" in summary.rates:
        yield "plausible (passes what could be seen)", words.rate(summary.rates["plausible"])


def _spending(summary: Summary) -> Iterator[tuple[str, str]]:
    spent = summary.spending
    yield "tokens", words.tokens(spent, summary.samples)
    yield "money", words.money(spent, summary.samples)
    if spent.model_calls or not spent.tokens_unknown:
        yield "model calls", f"{spent.model_calls:,}"
    yield "time, all samples", "unknown" if spent.seconds_median is None else words.seconds(spent.seconds)
    if spent.seconds_median is not None and spent.seconds_p95 is not None:
        yield (
            "time a sample, median and p95",
            f"{words.seconds(spent.seconds_median)}, {words.seconds(spent.seconds_p95)}",
        )


def _kinds(label: str, kinds: Sequence[Kind]) -> Table:
    table = _table(visible_line(label, 40), *Result, "pass@1 (95 %)")
    for kind in kinds[:MAX_ROWS]:
        counts = (f"{kind.outcomes.get(result, 0):,}" for result in Result)
        table.add_row(Text(visible_line(kind.value, 60)), *counts, _short(kind.fixed))
    if len(kinds) > MAX_ROWS:
        table.caption = f"and {len(kinds) - MAX_ROWS} more"
    return table


def _short(of: Rate | None) -> str:
    return f"{of.value * 100:.0f} % ({of.low * 100:.0f} to {of.high * 100:.0f})" if of else "-"


def _stops(summary: Summary) -> Table:
    table = _table("stopped because", "samples")
    for stop, count in list(summary.stops.items())[:MAX_ROWS]:
        table.add_row(Text(visible_line(stop, 60)), f"{count:,}")
    return table


def _alarm(comparison: Comparison) -> Iterator[RenderableType]:
    if comparison.mismatches:
        yield Text(f" NOT COMPARABLE: {_versus(comparison)} ", style=LOUD)
        for mismatch in comparison.mismatches:
            yield Text(visible_line(mismatch, 500), style=WARNING)
        yield Text("")


def _versus(comparison: Comparison) -> str:
    return f"{visible_line(comparison.second, 80)} against {visible_line(comparison.first, 80)}"


def _comparison(comparison: Comparison) -> Iterator[RenderableType]:
    yield Text(_versus(comparison), style="bold")
    yield from _alarm(comparison)
    table = _table("", "")
    table.show_header = False
    for name, value in (*_difference_rows(comparison), *count_rows(comparison)):
        table.add_row(name, value)
    for price in prices(comparison):
        table.add_row(f"{price.name} of the pairs", f"{price.before} before, {price.after} after ({price.difference})")
    yield table
    for name, keys in (("Gained", comparison.pairing.gained), ("Lost", comparison.pairing.lost)):
        if keys:
            yield Text(f"{name}: {_names(keys, comparison)}")
    yield Text("")


def _names(keys: Sequence[SampleKey], comparison: Comparison) -> str:
    shown = (visible_line(sample_name(key, several=comparison.several), 80) for key in keys[:MAX_NAMES])
    more = f" and {len(keys) - MAX_NAMES:,} more" if len(keys) > MAX_NAMES else ""
    return ", ".join(shown) + more


def _difference_rows(comparison: Comparison) -> Iterator[tuple[str, str]]:
    if found := comparison.difference:
        yield "pass@1", f"{words.percent(found.first)} before, {words.percent(found.second)} after"
        kind = "" if found.low is None else f" (95 %, {words.difference_kind(found)})"
        yield f"difference{kind}", words.difference(found)
    test = words.probability(comparison.p)
    yield "McNemar's exact test", f"{test}, taking the pairs to be independent" if comparison.several else test


def count_rows(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """How many samples were gained, lost and the rest, a name and a text each."""
    pairing = comparison.pairing
    yield "pairs, decided in both", f"{pairing.pairs:,}"
    for name, keys in (("gained", pairing.gained), ("lost", pairing.lost)):
        yield name, f"{len(keys):,}"
    yield "fixed in both", f"{len(pairing.both):,}"
    yield "fixed in neither", f"{len(pairing.neither):,}"
    apart = (("error in one, in no number", pairing.undecided), *_only(comparison))
    yield from ((name, f"{len(keys):,}") for name, keys in apart if keys)


def _only(comparison: Comparison) -> tuple[tuple[str, Sequence[SampleKey]], ...]:
    names = (visible_line(comparison.first, 60), visible_line(comparison.second, 60))
    keys = (comparison.pairing.only_first, comparison.pairing.only_second)
    return tuple((f"samples only in {name}", found) for name, found in zip(names, keys, strict=True))


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(Text(first))
    for name in others:
        table.add_column(Text(name), justify="right" if first else "left")
    return table
