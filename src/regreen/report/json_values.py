"""A report as plain data, as `--json` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from regreen.evaluate.records import Result, SampleKey
from regreen.report.costs import CostSummary
from regreen.report.gather import RunReport
from regreen.report.run_comparison import RunComparison
from regreen.report.run_reader import ReplyCounts, Run
from regreen.report.run_statistics import BOUNDS, LabelGroup, Rate, RunStatistics
from regreen.report.summary import HEADINGS, summary_rows


def report_values(report: RunReport) -> dict[str, Any]:
    """Every number of a report, with its interval and its denominator."""
    return {
        "runs": [run_values(run, statistics) for run, statistics in report.with_statistics],
        "summary": [dict(zip(HEADINGS, row.cells(), strict=True)) for row in summary_rows(report)],
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
    }


def run_values(run: Run, statistics: RunStatistics) -> dict[str, Any]:
    """Every number of one run."""
    return {
        "name": run.name,
        "planned": statistics.planned,
        "unfinished": statistics.missing > 0 if statistics.planned is not None else None,
        "results": str(run.path),
        "setups": [asdict(setup) | {"samples": count} for setup, count in statistics.setups.items()],
        "remarks": list(run.remarks),
        "tasks": statistics.tasks,
        "samples": statistics.samples,
        "decided": statistics.decided,
        "outcomes": {result.value: statistics.outcomes[result] for result in Result},
        "rates": {name: _rate(rate) for name, rate in statistics.rates.items()},
        "fixed_by": {origin or "unknown": count for origin, count in statistics.origins.items()},
        "model_asked": statistics.asked,
        "replies": _replies(statistics.replies),
        "pass_at": {str(one.k): asdict(one) for one in statistics.passes},
        "pass_1_after_iteration": [_rate(rate) for rate in statistics.iterations],
        "iteration_unknown": statistics.iteration_unknown,
        "stops": dict(statistics.stops),
        "by_label": {name: [_label_group(group) for group in groups] for name, groups in statistics.groups.items()},
        "spending": _spending(statistics.costs, statistics.samples),
        "stages_sec": dict(statistics.stages),
    }


def _rate(rate: Rate) -> dict[str, Any]:
    """The fields of a rate; `value` is null where the run is unfinished, and only bounds are known."""
    return asdict(rate) | ({"value": None} if rate.interval == BOUNDS else {})


def _label_group(group: LabelGroup) -> dict[str, Any]:
    return {
        "value": group.value,
        "outcomes": {result.value: group.outcomes.get(result, 0) for result in Result},
        "fixed": _rate(group.fixed) if group.fixed else None,
    }


def _spending(spent: CostSummary, samples: int) -> dict[str, Any]:
    """The fields of a cost; null where no sample says it."""
    told = asdict(spent)
    if samples and spent.usd_unknown == samples:
        told["usd"] = None
    if samples and spent.tokens_unknown == samples:
        told |= {"prompt_tokens": None, "completion_tokens": None}
    return told | ({"seconds": None} if samples and spent.seconds_median is None else {})


def _comparison(comparison: RunComparison) -> dict[str, Any]:
    pairing, pairs = comparison.pairing, comparison.pairing.pairs
    found = comparison.difference
    return {
        "first": comparison.first,
        "second": comparison.second,
        "comparable": not comparison.mismatches,
        "mismatches": list(comparison.mismatches),
        "remarks": list(comparison.remarks),
        "pairs": pairs,
        "both": len(pairing.both),
        "neither": len(pairing.neither),
        "gained": _named(pairing.gained),
        "lost": _named(pairing.lost),
        "undecided": _named(pairing.undecided),
        "only_first": _named(pairing.only_first),
        "only_second": _named(pairing.only_second),
        "mcnemar_p": comparison.p,
        "pass_at_1": asdict(found) | {"difference": found.value} if found else None,
        "first_spending": _spending(comparison.first_costs, pairs),
        "second_spending": _spending(comparison.second_costs, pairs),
    }


def _named(keys: Sequence[SampleKey]) -> list[dict[str, Any]]:
    return [{"task_id": task, "sample": sample} for task, sample in keys]


def _replies(of: ReplyCounts) -> dict[str, Any]:
    """Sums of fractions are rounded: what is beyond is noise of adding them up."""
    values = asdict(of)
    for spent in values["by_iteration"].values():
        spent["seconds"] = round(spent["seconds"], 3)
        spent["usd"] = None if spent["usd"] is None else round(spent["usd"], 8)
    return values
