"""`regreen datasets`: which data sets there are, and whether one proves what it is there to prove."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags

if TYPE_CHECKING:
    from rich.console import Console

    from regreen.config import Settings
    from regreen.evaluate.dataset_check import Finding, Proof
    from regreen.tasks.catalogue import LoadedDataset
    from regreen.types import Case

_SHOWN = 50
"""Bad cases and skipped tasks shown by name; --json has all."""

datasets_app = typer.Typer(
    help="List the data sets, or check one.", invoke_without_command=True, add_completion=False, rich_markup_mode=None
)


@datasets_app.callback(invoke_without_command=True)
@flags.with_settings("debug")
def datasets_command(context: typer.Context, as_json: flags.Json = False) -> int:
    """List the data sets: what each is, where it comes from, and how many cases it has here."""
    if context.invoked_subcommand is not None:
        return 0
    settings = flags.resolve(context)
    listed = list(_listed())
    _print_lines([json.dumps({"datasets": listed})]) if as_json else _print_list(listed, settings)
    return 0


@datasets_app.command("check")
@flags.with_settings(*flags.SANDBOX, *flags.COMMON)
def check_command(
    context: typer.Context,
    dataset: flags.Dataset,
    dataset_path: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The data set's file or folder, where it needs one.")
    ] = None,
    extra_checks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Further checks, which references have to pass too.")
    ] = None,
    ids: flags.Ids = None,
    filter: flags.Filter = None,
    offset: flags.Offset = 0,
    limit: flags.Limit = None,
    as_json: flags.Json = False,
) -> int:
    """Prove that every reference passes and that every program with a bug fails.

    Exit status: 0 all is as it should be; 1 a case is not; 2 unusable input; 3 some could not be decided; 130
    interrupted.
    """
    from regreen.tasks.catalogue import DatasetFiles, Selection, read_dataset
    from regreen.verify.suites import read_suite

    settings = flags.resolve(context)
    names = tuple(name.strip() for name in (ids or "").split(",") if name.strip())
    chosen = Selection(names, tuple(filter or ()), offset, limit)
    loaded = read_dataset(dataset, read_suite, files=DatasetFiles(dataset_path, extra_checks), selection=chosen)
    proof = _prove(loaded.cases, settings)
    if as_json:
        skipped = [{"name": task.name, "why": task.why} for task in loaded.skipped]
        _print_lines([json.dumps({"dataset": dataset, **proof.values(), "skipped": skipped})])
    else:
        _print(dataset, loaded, proof, settings)
    return proof.exit_status


@datasets_app.command("harbor")
@flags.with_settings(*flags.COMMON)
def harbor_command(
    context: typer.Context,
    dataset: flags.Dataset,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="The new folder to write.")],
    dataset_path: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The data set's file or folder, where it needs one.")
    ] = None,
    ids: flags.Ids = None,
    filter: flags.Filter = None,
    offset: flags.Offset = 0,
    limit: flags.Limit = None,
) -> int:
    """Write a data set as Harbor tasks: the program and its tests in a container, the same tests as the verifier.

    Exit status: 0 written; 2 unusable input.
    """
    from regreen.cli.console import notices, results
    from regreen.report.safe_text import visible_line
    from regreen.tasks.catalogue import DatasetFiles, Selection, load_dataset
    from regreen.tasks.harbor_tasks import write_harbor_tasks
    from regreen.verify.suites import read_suite

    settings = flags.resolve(context)
    names = tuple(name.strip() for name in (ids or "").split(",") if name.strip())
    chosen = Selection(names, tuple(filter or ()), offset, limit)
    cases = load_dataset(dataset, read_suite, files=DatasetFiles(dataset_path), selection=chosen)
    written, skipped = write_harbor_tasks(cases, out)
    results(settings).print(f"Wrote {len(written)} tasks into {visible_line(str(out))}.", soft_wrap=True)
    for task in skipped[:_SHOWN]:
        line = visible_line(f"skipped {task.name}: {task.why}", 600)
        notices(settings).print(line, style="yellow", soft_wrap=True)
    return 0


@datasets_app.command("schema")
def schema_command() -> int:
    """Print the JSON Schema of a row of your own tasks, for `samples:FILE`."""
    from regreen.tasks.task_file import task_row_schema

    _print_lines([json.dumps(task_row_schema(), indent=2)])
    return 0


def _listed() -> Iterator[dict[str, Any]]:
    from regreen.tasks.catalogue import DATASETS, DatasetFiles, available_case_count

    for name, entry in DATASETS.items():
        copy = entry.cached()
        yield {
            "name": name,
            "about": entry.about,
            "source": entry.source,
            "cached": None if copy is None else str(copy),
            "cases": available_case_count(name, DatasetFiles(copy)),
        }


def _print_list(listed: list[dict[str, Any]], settings: Settings) -> None:
    from rich.table import Table
    from rich.text import Text

    from regreen.cli.console import results

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("name", "cases", "what it is", "where it comes from"):
        is_short = title in ("name", "cases")
        table.add_column(title, justify="right" if title == "cases" else "left", no_wrap=is_short, overflow="fold")
    for row in listed:
        cases = "-" if row["cases"] is None else str(row["cases"])
        where = f"{row['source']} (a copy is here)" if row["cached"] else row["source"]
        table.add_row(row["name"], cases, Text(row["about"]), Text(where))
    results(settings).print(table)


def _prove(cases: tuple[Case, ...], settings: Settings) -> Proof:
    from regreen.cli.console import notices
    from regreen.cli.interrupts import draining
    from regreen.evaluate.dataset_check import prove
    from regreen.verify import judge as verify

    workers = max(1, min(settings.workers, len(cases)))
    with (
        verify.open_judge(settings.confinement, workers=workers) as judge,
        _progress(notices(settings), len(cases), verbose=settings.verbose) as finished,
        draining(notices(settings)) as drain,
    ):
        return prove(cases, judge, settings.limits, workers=workers, finished=finished, drain=drain)


@contextmanager
def _progress(stream: Console, total: int, *, verbose: bool) -> Iterator[Callable[[Finding], None]]:
    """A bar on a terminal; elsewhere a line a case with --verbose."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from regreen.report.safe_text import visible_line

    def say(finding: Finding) -> None:
        if verbose:
            told = "; ".join(finding.problems) or finding.error or "as it should be"
            stream.print(visible_line(f"{finding.task_id}: {told}"), soft_wrap=True)

    if verbose or not stream.is_terminal:
        yield say
        return
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=stream) as bar:
        row = bar.add_task("", total=total)
        yield lambda finding: bar.advance(row)


def _print(dataset: str, loaded: LoadedDataset, proof: Proof, settings: Settings) -> None:
    from regreen.cli.console import notices, results
    from regreen.report.safe_text import visible_line

    stream, values = results(settings), proof.values()
    told = f"{values['good']} of {values['cases']} cases of {dataset} are as they should be"
    notes = [f"{values[key]} {what}" for key, what in _REMARKS.items() if values[key]]
    stream.print(
        visible_line(f"{told}{' (' if notes else ''}{'; '.join(notes)}{')' if notes else ''}."), soft_wrap=True
    )
    for finding in (*proof.bad, *proof.errors)[:_SHOWN]:
        why = "; ".join(finding.problems) or f"could not be checked: {finding.error}"
        stream.print(visible_line(f"{finding.task_id}: {why}", 600), style="red", soft_wrap=True)
    warnings = notices(settings)
    for finding in [finding for finding in proof.findings if finding.warnings][:_SHOWN]:
        words = f"{finding.task_id}: {'; '.join(finding.warnings)}: a slower machine may end it. Raise --timeout."
        warnings.print(visible_line(words, 600), style="yellow", soft_wrap=True)
    for task in loaded.skipped[:_SHOWN]:
        warnings.print(visible_line(f"skipped {task.name}: {task.why}", 600), style="yellow", soft_wrap=True)
    if proof.interrupted:
        warnings.print("Interrupted: the other cases were not checked.", style="yellow", soft_wrap=True)


_REMARKS = {"shared": "run in the program's own process", "without_reference": "without a reference"}


def _print_lines(lines: list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
