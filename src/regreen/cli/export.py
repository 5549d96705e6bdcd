"""`regreen export`: write the programs of a run in a format that others read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags
from regreen.errors import ConfigError

if TYPE_CHECKING:
    from regreen.evaluate.export_formats import ExportFormat


@flags.with_settings("debug")
def export_command(
    context: typer.Context,
    run_dir: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run of `regreen eval`.")],
    form: Annotated[str, typer.Option("--format", metavar="NAME", help="evalplus, bigcode, preds, inspect or harbor.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="What to write; for harbor, a folder.")],
    dataset_path: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The data set's file or folder: for bigcode, where it needs one."),
    ] = None,
    as_json: flags.Json = False,
) -> int:
    """Write the programs of a run in a format that others read.

    Exit status: 0 written; 2 unusable input.
    """
    from regreen.cli.console import results
    from regreen.evaluate.export_formats import export_run
    from regreen.report.safe_text import visible_line
    from regreen.tasks.catalogue import DatasetFiles, task_ids

    settings = flags.resolve(context)
    done = export_run(run_dir, _format(form), out, ids=lambda name: task_ids(name, DatasetFiles(dataset_path)))
    if as_json:
        values = {
            "out": str(out),
            "format": form,
            "planned": done.planned,
            "samples": done.samples,
            "left_out": done.left_out,
        }
        sys.stdout.write(json.dumps(values) + "\n")
        return 0
    faults = f"; {done.left_out} that were not decided have no program" if done.left_out else ""
    unfinished = "The run is UNFINISHED. " if done.samples + done.left_out < done.planned else ""
    line = f"{unfinished}{done.samples:,} of {done.planned:,} planned samples written to {out}{faults}."
    results(settings).print(visible_line(line), soft_wrap=True)
    return 0


def _format(name: str) -> ExportFormat:
    from regreen.evaluate.export_formats import ExportFormat

    try:
        return ExportFormat(name)
    except ValueError:
        raise ConfigError(f"--format is {name!r}.", remedy=f"It has to be {', '.join(ExportFormat)}.") from None
