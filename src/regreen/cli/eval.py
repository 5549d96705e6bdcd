"""`regreen eval`: repair every case of a data set into a run folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags
from regreen.cli.model_fetching import fetch_missing_models

if TYPE_CHECKING:
    from rich.console import Console

    from regreen.config import Settings
    from regreen.evaluate.records import Result, ResultLine
    from regreen.evaluate.run import RunSummary
    from regreen.evaluate.run_loop import Progress
    from regreen.types import Case


@flags.with_settings(*flags.SANDBOX, *flags.REPAIR, *flags.MODEL, *flags.MACHINES, *flags.COMMON)
def eval_command(
    context: typer.Context,
    dataset: flags.Dataset,
    run_dir: Annotated[Path, typer.Option("--out", "-o", metavar="RUN", help="The run's folder.")],
    dataset_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The data set's file, where it does not come with the package.")
    ] = None,
    extra_checks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Further checks, which tell fixed from overfitted.")
    ] = None,
    ids: flags.Ids = None,
    filter: flags.Filter = None,
    offset: flags.Offset = 0,
    limit: flags.Limit = None,
    fraction: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Take this share of them, e.g. 0.35, the same on every machine."),
    ] = None,
    stratify: Annotated[
        str | None, typer.Option(metavar="LABEL", help="With --fraction: keep the share of each value of this label.")
    ] = None,
    samples: Annotated[int, typer.Option(metavar="N", min=1, help="Repair each case N times, each with a seed.")] = 1,
    feedback: Annotated[
        str, typer.Option(metavar="PROTOCOL", help="What may be run while repairing: none, examples, all.")
    ] = "all",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in this folder.")] = False,
    as_json: flags.Json = False,
) -> int:
    """Repair every case of a data set.

    Exit status: 0 every case was decided; 2 unusable input; 3 some could not be decided; 130 interrupted.
    """
    from regreen.tasks.catalogue import DatasetFiles, Selection, load_dataset, split_dataset
    from regreen.verify.suites import read_suite

    settings = flags.resolve(context)
    chosen = Selection(
        tuple(_split(ids)), tuple(filter or ()), offset, limit, fraction, stratify, settings.seed if fraction else 0
    )
    dataset, path = split_dataset(dataset, DatasetFiles(dataset_path))
    cases = load_dataset(dataset, read_suite, files=DatasetFiles(path, extra_checks), selection=chosen)
    fetch_missing_models(settings)
    _warn_of_equal_samples(settings, samples)
    files = {"path": path, "extra": extra_checks}
    summary = _run(
        cases,
        run_dir,
        settings,
        dataset=dataset,
        feedback=feedback,
        samples=samples,
        resume=resume,
        # As seen from the run's folder: it tells nothing of the machine, and holds where both are moved together.
        selection=chosen.as_values(),
        origin={name: os.path.relpath(file, run_dir) for name, file in files.items() if file},
    )
    _print_json(run_dir, summary) if as_json else print_run(run_dir, summary, settings)
    return summary.exit_status


def _warn_of_equal_samples(settings: Settings, samples: int) -> None:
    """Say that several samples of a model that draws nothing tell no more than one."""
    from regreen.cli.console import notices
    from regreen.strategies import chosen_name, load_agent_spec

    name = chosen_name(settings)
    if samples == 1 or name == "search":
        return
    from regreen.strategies.agents.agent_context import sampling_parameters

    spec = load_agent_spec(name)
    sampling = sampling_parameters(settings, temperature=spec.temperature, schedule=spec.schedule)
    if not sampling.temperature_at(0 if name == "single" else settings.iters):
        notices(settings).print(
            f"All {samples} samples of a case will be equal: the temperature is 0. "
            "--temperature 0.2 draws them, as the published pass@k figures of HumanEvalFix do.",
            style="yellow",
            soft_wrap=True,
        )


def _run(
    cases: tuple[Case, ...],
    run_dir: Path,
    settings: Settings,
    *,
    dataset: str,
    feedback: str,
    samples: int,
    resume: bool,
    origin: Mapping[str, str],
    selection: Mapping[str, Any],
) -> RunSummary:
    from regreen import api
    from regreen.cli.activity import Activity
    from regreen.cli.console import notices
    from regreen.cli.interrupts import draining
    from regreen.report.safe_text import visible_line

    activity = Activity()
    with (
        run_progress(notices(settings), verbose=settings.verbose, doing=activity.text) as progress,
        draining(notices(settings)) as drain,
        _own_output(settings),
    ):
        return api.evaluate(
            cases,
            run_dir,
            dataset=dataset,
            feedback=feedback,
            samples=samples,
            resume=resume,
            settings=settings,
            origin=origin,
            selection=selection,
            progress=progress,
            drain=drain,
            on_phase=activity.put,
            tell=lambda text: notices(settings).print(visible_line(text, 2000), soft_wrap=True),
        )


@contextmanager
def _own_output(settings: Settings) -> Iterator[None]:
    """Standard output for results alone: Ray writes there when a node is lost."""
    if settings.spread == "none":
        yield
        return
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        yield


def run_progress(
    stream: Console, *, verbose: bool, doing: Callable[[], str] = str
) -> AbstractContextManager[Progress[Result, ResultLine]]:
    """The progress of a run, for the block; `doing` says what is under way."""
    from regreen.cli.sample_progress import sample_progress
    from regreen.report.run_progress import RunProgress, run_columns

    opening = "{total} samples, {done} of them done before"
    return sample_progress(
        stream,
        verbose=verbose,
        opening=opening,
        describe=_result_text,
        columns=run_columns(doing),
        progress_of=RunProgress,
        doing=doing,
    )


def _result_text(line: ResultLine) -> str:
    from regreen.report.sample import stop_text

    why = f"{line.error.kind}: {line.error.message}" if line.error else stop_text(line.outcome, line.stop.value)
    return f"{line.task_id}: {line.outcome.value} ({why}), {line.runtime_sec:.1f} s"


def print_run(run_dir: Path, summary: RunSummary, settings: Settings) -> None:
    """Print the table of a run, its notes, and how to resume it."""
    from regreen.cli.console import notices, results
    from regreen.report.gather import gather_statistics
    from regreen.report.safe_text import visible_line
    from regreen.report.tables import report_table

    results(settings).print(report_table(gather_statistics(run_dir)))
    warnings = notices(settings)
    for note in (*summary.notes, summary.failure):
        if note:
            warnings.print(visible_line(note, 2000), style="yellow", soft_wrap=True)
    if summary.exit_status:
        warnings.print(f"The run can be resumed: --resume -o {visible_line(str(run_dir))}", soft_wrap=True)


def _print_json(run_dir: Path, summary: RunSummary) -> None:
    """Print how the run ended, and the values of `regreen report --json`."""
    from regreen.evaluate import jsonl
    from regreen.report.gather import gather_statistics
    from regreen.report.json_values import run_values

    ((run, numbers),) = gather_statistics(run_dir).with_statistics
    values = {
        "run": str(run_dir),
        "total": summary.total,
        "resumed": summary.resumed,
        "interrupted": summary.interrupted,
        "failure": summary.failure,
        "notes": list(summary.notes),
        **run_values(run, numbers),
    }
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))


def _split(ids: str | None) -> list[str]:
    return [name.strip() for name in (ids or "").split(",") if name.strip()]
