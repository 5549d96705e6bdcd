"""Compares two runs: samples gained and lost, the difference in cost, and what makes the two not comparable."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regreen.evaluate.paired import Pairing, PassRateDifference, mcnemar, pair, pass_rate_difference
from regreen.evaluate.records import SampleKey
from regreen.report import formatting
from regreen.report.costs import CostSummary, total_costs
from regreen.report.record_fields import text_field, text_list_field
from regreen.report.run_reader import Run
from regreen.report.sample import Sample, Setup, in_order


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A run compared with the first one, over the samples that both decided."""

    first: str
    second: str
    pairing: Pairing
    p: float | None
    """The p-value of McNemar's exact test over the pairs; None where the runs are not comparable."""
    difference: PassRateDifference | None
    """The difference of pass@1; None where there are no pairs, or the runs are not comparable."""
    first_costs: CostSummary
    second_costs: CostSummary
    mismatches: tuple[str, ...]
    """Reasons why the numbers are not comparable; empty when they are."""
    remarks: tuple[str, ...]
    """What the comparison leaves out, in sentences."""
    several: bool
    """Whether tasks have several pairs: McNemar's test takes pairs to be independent, and these are not."""


@dataclass(frozen=True, slots=True)
class CostRow:
    """Tokens, money or time of the pairs in both runs, as text."""

    name: str
    before: str
    after: str
    difference: str
    """The second run's minus the first's; "unknown" where one of them is."""


def cost_rows(comparison: RunComparison) -> list[CostRow]:
    """The cost of the pairs in both runs: tokens where there were any, money, time."""
    before, after, pairs = comparison.first_costs, comparison.second_costs, comparison.pairing.pairs
    counted = not (before.tokens_unknown or after.tokens_unknown)
    more = formatting.signed(after.tokens - before.tokens, "{:,}") if counted else "unknown"
    told = [formatting.tokens_text(of, pairs).partition(" (")[0] for of in (before, after)]
    tokens = CostRow("tokens", told[0], told[1], more)
    whole = not (before.usd_unknown or after.usd_unknown)
    usd = (
        formatting.signed(after.usd - before.usd, "${:,.4f}" if after.usd != before.usd else "${:.2f}")
        if whole
        else "unknown"
    )
    time = formatting.signed(after.seconds - before.seconds, "{:,.1f} s")
    return [
        *([tokens] if before.tokens or after.tokens else []),
        CostRow("money", formatting.money_text(before, pairs), formatting.money_text(after, pairs), usd),
        CostRow("time", formatting.duration_text(before.seconds), formatting.duration_text(after.seconds), time),
    ]


def compare_runs(first: Run, second: Run) -> RunComparison:
    """Compare two runs, sample by sample."""
    before = {sample.key: sample for sample in in_order(first.samples)}
    after = {sample.key: sample for sample in in_order(second.samples)}
    pairing = pair(
        {key: sample.outcome for key, sample in before.items()}, {key: sample.outcome for key, sample in after.items()}
    )
    keys = (*pairing.both, *pairing.gained, *pairing.lost, *pairing.neither)
    mismatches = tuple(_mismatches(first, second, [(before[key], after[key]) for key in keys]))
    return RunComparison(
        first=first.name,
        second=second.name,
        pairing=pairing,
        p=None if mismatches else mcnemar(len(pairing.gained), len(pairing.lost)),
        difference=None if mismatches else pass_rate_difference(pairing, rng=random.Random(0)),
        first_costs=total_costs([before[key] for key in keys]),
        second_costs=total_costs([after[key] for key in keys]),
        mismatches=mismatches,
        remarks=tuple(_remarks(first, second, pairing)),
        several=len({task for task, _ in keys}) < len(keys),
    )


def sample_name(key: SampleKey, *, several: bool) -> str:
    """The name of a pair: its task, and the number of the sample where tasks have several."""
    return f"{key[0]} sample {key[1]}" if several else key[0]


def _mismatches(first: Run, second: Run, pairs: Sequence[tuple[Sample, Sample]]) -> Iterator[str]:
    for name, what in (("dataset", "data sets"), ("feedback", "feedback protocols")):
        found = [_listed({_bare(name, sample.setup) for sample in run.samples}) for run in (first, second)]
        if all(found) and found[0] != found[1]:
            yield f"They have different {what}: {found[0]} and {found[1]}."
    hashes = [text_field(run.header, "dataset_hash") for run in (first, second)]
    if all(hashes) and hashes[0] != hashes[1] and not _share_cases(first, second):
        yield "Their cases are not the same: the hashes over all programs and checks differ."
    changed = len({a.task_id for a, b in pairs if None not in (a.program, b.program) and a.program != b.program})
    if changed:
        yield f"In {changed:,} of their common tasks the program to repair is another one."
    if not pairs and first.samples and second.samples:
        yield "No sample was decided in both."


def _share_cases(first: Run, second: Run) -> bool:
    """Whether some cases are in both, all of them the same: parts of one data set, e.g. a fraction and a larger one."""
    before, after = (_case_hashes(run) for run in (first, second))
    common = before.keys() & after.keys()
    return bool(common) and all(before[name] == after[name] for name in common)


def _case_hashes(run: Run) -> dict[str, str]:
    names, hashes = (text_list_field(run.header, name) for name in ("ids", "case_hashes"))
    return dict(zip(names, hashes, strict=False))


def _bare(name: str, setup: Setup) -> str:
    """A field of a setup; of a data set the name without a file, since its content is compared by its hashes."""
    value: str = getattr(setup, name)
    return value.partition(":")[0] if name == "dataset" else value


def _remarks(first: Run, second: Run, pairing: Pairing) -> Iterator[str]:
    if pairing.only_first or pairing.only_second:
        yield f"Compared on the {formatting.quantity(pairing.pairs, 'sample')} that both decided."
    for run in (first, second):
        if run.planned is not None and len(run.samples) < run.planned:
            has = f"{len(run.samples):,} of {run.planned:,} planned samples"
            yield f"{run.name} is UNFINISHED ({has}): the pairs are those that ended first."


def _listed(names: set[str]) -> str:
    return " and ".join(sorted(names))
