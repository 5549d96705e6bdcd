"""`regreen import`: make a run of the results of another tool."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from regreen.cli import flags


@flags.with_settings("debug")
def import_command(
    context: typer.Context,
    source: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="A log, a file of results, or the folder of a Harbor job.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="RUN", help="The folder of the run to make.")],
    dataset: Annotated[
        str | None, typer.Option("--dataset", metavar="NAME", help="The data set's name [told by the results].")
    ] = None,
    score: Annotated[
        str | None, typer.Option("--score", metavar="NAME", help="The score or reward that decides, of several.")
    ] = None,
    as_json: flags.Json = False,
) -> int:
    """Make a run of the results of another tool, for `regreen report` and `regreen serve`.

    Logs of Inspect (.eval, .json), EvalPlus's *_eval_results.json, HumanEval's *_results.jsonl, folders of Harbor jobs.

    Exit status: 0 made; 2 unusable input.
    """
    from regreen.cli.console import notices, results
    from regreen.evaluate.import_results import import_results
    from regreen.report.formatting import quantity
    from regreen.report.safe_text import visible_line

    settings = flags.resolve(context)
    done = import_results(source, out, dataset=dataset, score=score)
    if as_json:
        sys.stdout.write(json.dumps({"run": str(out), **asdict(done)}) + "\n")
        return 0
    for note in done.notes:
        notices(settings).print(visible_line(note), style="yellow", soft_wrap=True)
    of = "" if done.planned in (None, done.samples) else f" of {done.planned:,} planned"
    told = f"{quantity(done.samples, 'sample')}{of} of {quantity(done.tasks, 'task')} by {done.tool}, in {out}."
    results(settings).print(visible_line(told), soft_wrap=True)
    return 0
