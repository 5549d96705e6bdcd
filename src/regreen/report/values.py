"""A report as plain data, as `--json` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from regreen.evaluate.records import Result, SampleKey
from regreen.report.compare import Comparison
from regreen.report.gather import Report
from regreen.report.read import Run
from regreen.report.spending import Spending
from regreen.report.summary import Kind, Summary


def report_values(report: Report) -> dict[str, Any]:
    """Every number of a report with its interval and what it is counted over."""
    return {
        "runs": [run_values(run, summary) for run, summary in report.told],
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
    }


def run_values(run: Run, summary: Summary) -> dict[str, Any]:
    """Every number of one run."""
    return {
        "name": run.name,
        "results": str(run.path),
        "setups": [asdict(setup) | {"samples": count} for setup, count in summary.setups.items()],
        "remarks": list(run.remarks),
        "tasks": summary.tasks,
        "samples": summary.samples,
        "decided": summary.decided,
        "outcomes": {result.value: summary.outcomes[result] for result in Result},
        "rates": {name: asdict(rate) for name, rate in summary.rates.items()},
        "pass_at": {str(one.k): asdict(one) for one in summary.passes},
        "pass_1_after_iteration": [asdict(rate) for rate in summary.iterations],
        "iteration_unknown": summary.iteration_unknown,
        "stops": dict(summary.stops),
        "by_label": {name: [_kind(kind) for kind in kinds] for name, kinds in summary.kinds.items()},
        "spending": _spending(summary.spending, summary.samples),
        "stages_sec": dict(summary.stages),
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        "value": kind.value,
        "outcomes": {result.value: kind.outcomes.get(result, 0) for result in Result},
        "fixed": asdict(kind.fixed) if kind.fixed else None,
    }


def _spending(spent: Spending, samples: int) -> dict[str, Any]:
    """Money is null where it is known of no sample."""
    known = spent.usd_unknown < samples or not samples
    return asdict(spent) | {"usd": spent.usd if known else None}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    pairing, pairs = comparison.pairing, comparison.pairing.pairs
    found = comparison.difference
    return {
        "first": comparison.first,
        "second": comparison.second,
        "comparable": not comparison.mismatches,
        "mismatches": list(comparison.mismatches),
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
        "first_spending": _spending(comparison.first_spending, pairs),
        "second_spending": _spending(comparison.second_spending, pairs),
    }


def _named(keys: Sequence[SampleKey]) -> list[dict[str, Any]]:
    return [{"task_id": task, "sample": sample} for task, sample in keys]
