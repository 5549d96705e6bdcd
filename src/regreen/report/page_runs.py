"""Several runs on one page: a line each, models by fractions, what each gained and lost, and why repairs stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from regreen.evaluate.paired import PassRateDifference
from regreen.evaluate.records import Result, SampleKey
from regreen.report import charts, formatting
from regreen.report.gather import RunReport
from regreen.report.run_comparison import RunComparison, cost_rows, sample_name
from regreen.report.run_reader import Run
from regreen.report.run_statistics import Rate, RunStatistics
from regreen.report.safe_text import visible_line
from regreen.report.summary import SummaryRow, common_columns, grid, summary_rows
from regreen.report.tables import count_rows

_MAX_NAMES = 200
_MAX_COLUMNS = 12
"""Reasons, or faults, that have a column; the others share one."""
_MADE_WITH = ("model", "strategy", "protocol", "fraction", "iterations")
"""What a line of a run says of how it was made, unless all runs have it in common."""


def title(runs: Sequence[Run]) -> str:
    """The heading of a page about these runs: the names of one or two, else how many there are."""
    first, *others = (formatting.run_name(run) for run in runs)
    if len(others) > 1:
        return f"{len(runs)} runs, compared with {first}"
    return f"{others[0]} against {first}" if others else first


def compared_runs(report: RunReport) -> dict[str, Any]:
    """What the page tells of several runs together."""
    rows = summary_rows(report)
    common = common_columns(rows)
    told = [f"{name} {value}" for name, value in common.items() if value != "-"]
    statistics = report.statistics
    return {
        "common": ", ".join([*_data_set(statistics), *told]),
        "rows": [
            _row(row, of, [name for name in _MADE_WITH if name not in common])
            for row, of in zip(rows, statistics, strict=True)
        ],
        "grid": grid(rows),
        "pairs": [_pair(comparison) for comparison in report.comparisons],
        "counts": [
            _counts("Why repairs stopped", "samples", rows, [of.stops for of in statistics]),
            _counts("What the model replied", "replies", rows, [_replies(of) for of in statistics]),
        ],
    }


def _data_set(statistics: Sequence[RunStatistics]) -> list[str]:
    names = {setup.dataset for of in statistics for setup in of.setups}
    return [f"data set {visible_line(name, 60)}" for name in names] if len(names) == 1 else []


def _row(row: SummaryRow, statistics: RunStatistics, shown: Sequence[str]) -> dict[str, Any]:
    fixed, spent = statistics.rates.get("fixed"), statistics.costs
    words = {name: getattr(row, name) for name in shown if getattr(row, name) != "-"}
    if "iterations" in words:
        words["iterations"] = f"{words['iterations']} iterations"
    return {
        "name": row.run,
        "made_with": ", ".join(words.values()).replace(" %", "\N{NO-BREAK SPACE}%"),
        "credit": formatting.credit_text(statistics),
        "pass_1": pass_1(fixed) if fixed else None,
        "decided": row.decided,
        "errors": f"{statistics.outcomes[Result.ERROR]:,}",
        "tokens": row.tokens,
        "money": formatting.money_text(spent, statistics.samples),
        "time": "unknown" if spent.seconds_median is None else formatting.duration_text(spent.seconds),
    }


def _replies(statistics: RunStatistics) -> dict[str, int]:
    found = statistics.replies
    usable = {"usable": found.replies - sum(found.faults.values())} if found.replies else {}
    return usable | {fault.replace("_", " "): count for fault, count in found.faults.items()}


def _counts(
    heading: str, unit: str, rows: Sequence[SummaryRow], counts: Sequence[Mapping[str, int]]
) -> dict[str, Any] | None:
    """How often each run had each of some kinds, the commonest first; None where there is nothing to count."""
    total = sum((Counter(of) for of in counts), Counter[str]())
    kinds = [kind for kind, _ in total.most_common()]
    if not kinds:
        return None
    shown, rest = kinds[:_MAX_COLUMNS], kinds[_MAX_COLUMNS:]
    cells = [
        [*(of.get(kind, 0) for kind in shown), *([sum(of.get(k, 0) for k in rest)] if rest else [])] for of in counts
    ]
    return {
        "heading": heading,
        "unit": unit,
        "kinds": [visible_line(kind.replace("_", " "), 60) for kind in shown] + (["others"] if rest else []),
        "rows": [(row.run, [f"{count:,}" for count in line]) for row, line in zip(rows, cells, strict=True)],
    }


def fact(name: str, value: str, note: str = "") -> dict[str, str]:
    """A figure with its name, and a remark below it."""
    return {"name": name, "value": value, "note": note}


def pass_1(rate: Rate) -> dict[str, str]:
    """pass@1 with its 95 % interval; its bounds in an unfinished run."""
    value, interval = formatting.rate_parts(rate)
    kind = formatting.INTERVALS.get(rate.interval)
    return {
        "value": value.removesuffix(" %"),
        "bar": charts.interval_bar(rate.value, rate.low, rate.high) if kind else charts.bounds_bar(rate.low, rate.high),
        "interval": f"95 % interval {interval} ({kind})" if kind else f"unfinished: {interval}",
        "short": f"{interval} ({kind})" if kind else f"unfinished: {interval}",
    }


def _pair(comparison: RunComparison) -> dict[str, Any]:
    found = comparison.difference
    test = "" if comparison.p is None else f"McNemar's exact test: {formatting.p_value_text(comparison.p)}"
    return {
        "title": f"{visible_line(comparison.second, 80)} against {visible_line(comparison.first, 80)}",
        "difference": found
        and {
            "value": formatting.points(found.value),
            "bar": charts.difference_bar(found),
            "interval": _difference_interval(found),
            "short": formatting.difference_interval_text(found),
        },
        "test": f"{test}, taking samples of one task to be independent" if comparison.several else test,
        "p": "" if comparison.p is None else formatting.p_value_text(comparison.p),
        "gained": f"{len(comparison.pairing.gained):,}",
        "lost": f"{len(comparison.pairing.lost):,}",
        "facts": [fact(name, value) for name, value in count_rows(comparison)],
        "remarks": [visible_line(remark, 500) for remark in comparison.remarks],
        "pairs": comparison.pairing.pairs,
        "first": visible_line(comparison.first, 60),
        "second": visible_line(comparison.second, 60),
        "prices": [asdict(price) for price in cost_rows(comparison)],
        "groups": list(_groups(comparison)),
    }


def _difference_interval(found: PassRateDifference) -> str:
    told = formatting.difference_interval_text(found)
    return told.capitalize() if found.low is None else f"95 % interval {told} ({formatting.interval_method(found)})"


def _groups(comparison: RunComparison) -> Iterator[dict[str, Any]]:
    pairing, several = comparison.pairing, comparison.several
    yield _group("Gained", pairing.gained, several=several)
    yield _group("Lost", pairing.lost, several=several)
    for name, keys in ((comparison.first, pairing.only_first), (comparison.second, pairing.only_second)):
        if keys:
            yield _group(f"Only in {visible_line(name, 60)}", keys, several=True)


def _group(name: str, keys: Sequence[SampleKey], *, several: bool) -> dict[str, Any]:
    entries = [
        {"name": visible_line(sample_name(key, several=several)), "link": _link(key)} for key in keys[:_MAX_NAMES]
    ]
    more = f"{len(keys) - _MAX_NAMES:,}" if len(keys) > _MAX_NAMES else ""
    return {"name": f"{name}: {len(keys):,}", "entries": entries, "more": more}


def _link(key: SampleKey) -> str:
    # An address cannot hold half a surrogate pair: the page's script puts the same mark in its place.
    task = "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= c <= "\udfff" else c for c in key[0])
    return "#" + urlencode({"task": task, "sample": key[1]})
