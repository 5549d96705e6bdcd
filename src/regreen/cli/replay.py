"""`regreen replay`: a recorded run once more, from its tape."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags
from regreen.errors import ConfigError, RunError

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.evaluate.agreement import Agreement
    from regreen.evaluate.provenance import Header
    from regreen.evaluate.records import ResultLine
    from regreen.evaluate.run import RunSummary
    from regreen.types import Case

_MAX_DIFFERENCES = 20
"""Differences that are printed; of the others only the number."""
_MAX_DIFFERENCE_CHARS = 4_000
"""Characters of one difference, which may hold the lines of a prompt."""


@flags.with_settings(*flags.SERVICE, "workers", "python", "layers", *flags.COMMON)
def replay_command(
    context: typer.Context,
    run_dir: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of the recorded run.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="RUN", help="Keep the replay there [compared, then dropped].")
    ] = None,
    from_turn: Annotated[
        int | None, typer.Option("--from", metavar="N", min=0, help="Go on live from each repair's turn N, from 0.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", metavar="PROVIDER:MODEL", help="With --from: the model to ask.")
    ] = None,
    dataset_path: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The data set's file, where it has moved.")
    ] = None,
    extra_checks: Annotated[Path | None, typer.Option(metavar="FILE", help="The further checks, likewise.")] = None,
    as_json: flags.Json = False,
) -> int:
    """Run a recorded run again from its replies: free, offline, the same candidates and verdicts.

    Exit status: 0 the same came of it (with --from: every case was decided); 1 something else did; 2 unusable input;
    3 some cases could not be decided; 130 interrupted.
    """
    from regreen.evaluate.provenance import read_header, refuse_other_command

    settings = flags.resolve(context)
    _refuse_loose_model(model, from_turn, out)
    header = read_header(run_dir)
    refuse_other_command(run_dir, header, "eval")
    if from_turn is None and next(_recorded(run_dir), None) is None:
        raise RunError(
            f"{run_dir} holds no decided sample to compare with.",
            remedy="Let the run come to an end: regreen eval ... --resume.",
        )
    cases = _cases(header, run_dir, dataset_path, extra_checks)
    with _folder(out) as place:
        summary = _run(run_dir, cases, place, settings, from_turn, model)
        if summary.interrupted:
            return summary.exit_status
        found = None if from_turn is not None else _compared(run_dir, place)
        _print_json(place, summary, found) if as_json else _print(place, summary, found, settings, kept=out is not None)
    return summary.exit_status if found is None else 0 if found.is_complete else 1


def _refuse_loose_model(model: str | None, from_turn: int | None, out: Path | None) -> None:
    if model is not None and from_turn is None:
        raise ConfigError("--model names who is asked live, and nothing is.", remedy="Add --from N.")
    if from_turn is not None and out is None:
        raise ConfigError("--from makes new results, and no folder is given for them.", remedy="Add -o RUN.")


def _cases(header: Header, run_dir: Path, path: Path | None, extra: Path | None) -> tuple[Case, ...]:
    """The cases of the recorded run; raises RunError where the data set is not what it was."""
    from regreen.evaluate.provenance import dataset_hash
    from regreen.tasks.catalogue import DatasetFiles, Selection, load_dataset
    from regreen.verify.suites import read_suite

    recorded = {name: run_dir / file for name, file in header.origin.items()}
    name, _, inside = header.dataset.partition(":")
    if inside:
        recorded.setdefault("path", Path(inside))
    files = DatasetFiles(path or recorded.get("path"), extra or recorded.get("extra"))
    loaded = load_dataset(name, read_suite, files=files, selection=Selection(ids=tuple(header.ids)))
    by_id = {case.task.id: case for case in loaded}
    cases = tuple(by_id[name] for name in header.ids if name in by_id)
    if dataset_hash(cases) != header.dataset_hash:
        raise RunError(
            f"{header.dataset} is not what it was when the run was recorded.",
            remedy="Give the same file by --dataset-path, and the same --extra-checks.",
        )
    return cases


@contextlib.contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="regreen-replay-") as place:
        yield Path(place)


def _run(
    run_dir: Path,
    cases: tuple[Case, ...],
    place: Path,
    settings: Settings,
    from_turn: int | None,
    model: str | None,
) -> RunSummary:
    from regreen import api
    from regreen.cli.console import notices
    from regreen.cli.eval import run_progress
    from regreen.cli.interrupts import draining

    with (
        run_progress(notices(settings), verbose=settings.verbose) as progress,
        draining(notices(settings)) as drain,
    ):
        return api.replay(
            run_dir,
            cases,
            place,
            from_turn=from_turn,
            model=model,
            settings=settings,
            progress=progress,
            drain=drain,
        )


def _recorded(run_dir: Path) -> Iterator[ResultLine]:
    """The decided samples of a run."""
    from regreen.evaluate.records import Result
    from regreen.evaluate.result_log import RESULTS, read_results

    return (line for line in read_results(run_dir / RESULTS) if line.outcome is not Result.ERROR)


def _compared(run_dir: Path, place: Path) -> Agreement:
    from regreen.evaluate.agreement import agreement
    from regreen.evaluate.result_log import RESULTS, read_results

    return agreement(_recorded(run_dir), read_results(place / RESULTS))


def _print(place: Path, summary: RunSummary, found: Agreement | None, settings: Settings, *, kept: bool) -> None:
    from regreen.cli.console import notices, results
    from regreen.report.gather import gather_statistics
    from regreen.report.safe_text import visible, visible_line
    from regreen.report.tables import report_table

    out, warnings = results(settings), notices(settings)
    if found is None or kept:
        out.print(report_table(gather_statistics(place)))
        for note in filter(None, (*summary.notes, summary.failure)):
            warnings.print(visible_line(note, 2000), style="yellow", soft_wrap=True)
    if found is None:
        return
    total = found.same + len(found.differences)
    out.print(f"{found.same} of {total} samples came out as they were recorded.")
    for difference in found.differences[:_MAX_DIFFERENCES]:
        text = (
            f"{visible_line(difference.task_id)}, sample {difference.sample}: {difference.what[:_MAX_DIFFERENCE_CHARS]}"
        )
        warnings.print(visible(text), style="yellow", soft_wrap=True)
    if (more := len(found.differences) - _MAX_DIFFERENCES) > 0:
        warnings.print(f"... and {more} more.", style="yellow")


def _print_json(place: Path, summary: RunSummary, found: Agreement | None) -> None:
    from regreen.evaluate import jsonl

    values = {
        "run": str(place),
        "total": summary.total,
        "outcomes": {outcome.value: count for outcome, count in summary.outcomes.items()},
        "same": None if found is None else found.same,
        "differences": None
        if found is None
        else [{"task_id": d.task_id, "sample": d.sample, "what": d.what} for d in found.differences],
    }
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))
