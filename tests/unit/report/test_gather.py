"""Runs read and counted: with their samples for a page, without them for a table."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from regreen.report.gather import RunReport, gather, gather_statistics
from regreen.report.run_reader import read_run
from regreen.report.sample import Sample
from regreen.report.sample_counts import SampleCounts
from regreen.report.tables import report_table

LineOf = Callable[..., dict[str, Any]]
FolderOf = Callable[..., Path]


def table_of(report: RunReport) -> str:
    console = Console(width=120)
    with console.capture() as captured:
        console.print(report_table(report))
    return captured.get()


def test_a_table_needs_no_sample(folder_of: FolderOf, line_of: LineOf) -> None:
    """TaskCounts as they are read, samples come to the same numbers."""
    outcomes = ("fixed", "unfixed", "overfitted", "error")
    lines = [
        line_of(f"t{n % 5}", outcomes[n % 4], sample=n, iteration=n % 3, plausible=n % 2 == 0, cost_usd=0.1, iters=1)
        | {"labels": {"bug_type": f"b{n % 2}"} if n % 3 else {}, "runtime_sec": n / 7, "stop": f"s{n % 2}"}
        for n in range(60)
    ]
    folder = folder_of(lines)
    whole, numbers = gather([folder]), gather_statistics(folder)
    assert numbers.statistics == whole.statistics
    assert (len(whole.runs[0].samples), numbers.runs[0].samples) == (60, ())
    assert table_of(numbers) == table_of(whole)


def test_what_is_kept_grows_with_tasks_and_not_with_samples(folder_of: FolderOf, line_of: LineOf) -> None:
    """Each sample is let go as soon as it is counted."""
    folder, tally, before = (
        folder_of([line_of(f"t{n % 3}", sample=n) for n in range(90)]),
        SampleCounts(),
        samples_alive(),
    )
    counted = read_run(folder, each=tally.add)
    assert samples_alive() - before < 2
    whole = read_run(folder)
    assert samples_alive() - before >= 90
    assert (len(whole.samples), counted.samples, len(tally.counted)) == (90, (), 3)


def samples_alive() -> int:
    return sum(type(thing) is Sample for thing in gc.get_objects())
