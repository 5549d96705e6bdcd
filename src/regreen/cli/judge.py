"""`regreen judge`: judge programs that others generated for the tasks of a data set."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags
from regreen.errors import ConfigError

if TYPE_CHECKING:
    from rich.console import Console

    from regreen.config import Settings
    from regreen.evaluate.judge_samples import JudgingSummary
    from regreen.evaluate.judged_log import JudgedLine, JudgedOutcome
    from regreen.evaluate.prelude import Prelude
    from regreen.evaluate.run_loop import Progress
    from regreen.report.judged_report import JudgedReport
    from regreen.tasks.sample_rows import SampleFormat
    from regreen.tasks.samples import Samples
    from regreen.types import Case

_RECORDED_SETTINGS = frozenset(flags.SANDBOX)
"""Settings that decide how programs are judged."""


@flags.with_settings(*flags.SANDBOX, *flags.COMMON)
def judge_command(
    context: typer.Context,
    dataset: flags.Dataset,
    samples: Annotated[Path, typer.Argument(metavar="SAMPLES", help="The programs, patches or replies: one file.")],
    run_dir: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="RUN", help="Keep every verdict in this folder.")
    ] = None,
    dataset_path: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The data set's file or folder, where it needs one.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help="evalplus, rows, results, bigcode, preds, replies [told by the content]."
        ),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Take each program from the model's reply that the file holds.")
    ] = False,
    prelude: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Imports before each program: official, none, both [by the format]."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in this folder.")] = False,
    as_json: flags.Json = False,
) -> int:
    """Judge programs that others generated.

    Exit status: 0 every sample was decided; 2 unusable input; 3 some could not be decided; 130 interrupted.
    """
    from regreen.tasks.catalogue import DatasetFiles, load_dataset, split_dataset
    from regreen.tasks.samples import read_samples
    from regreen.verify.suites import read_suite

    settings = flags.resolve(context)
    wanted = _format(form)
    _refuse_unknown_prelude(prelude)
    if resume and run_dir is None:
        raise ConfigError("--resume says to go on, and not with what.", remedy="Name the run's folder with --out.")
    dataset, path = split_dataset(dataset, DatasetFiles(dataset_path))
    cases = load_dataset(dataset, read_suite, files=DatasetFiles(path))
    found = read_samples(samples, dataset, cases, form=wanted, raw=raw)
    preludes = _preludes(prelude, found.format, settings)
    judging = _judge(dataset, cases, found, preludes, run_dir, settings, resume=resume)
    report = _report(dataset, cases, judging)
    _print_json(report, judging, run_dir) if as_json else _print(report, judging, run_dir, settings)
    return judging.exit_status


def _judge(
    dataset: str,
    cases: tuple[Case, ...],
    samples: Samples,
    preludes: tuple[Prelude, ...],
    run_dir: Path | None,
    settings: Settings,
    *,
    resume: bool,
) -> JudgingSummary:
    from regreen.cli.console import notices
    from regreen.cli.interrupts import draining
    from regreen.evaluate.judge_samples import SampleJudge, judge_samples, open_judged_log
    from regreen.evaluate.sample_suites import SampleSuites
    from regreen.sandbox.restricted_text import NO_WALL
    from regreen.verify.judge import open_judge
    from regreen.verify.suites import read_suite

    no_wall = NO_WALL if settings.sandbox == "restricted" else ""
    workers = min(settings.workers, len(samples) * len(preludes))
    suites = SampleSuites(cases, preludes, read_suite)
    options = settings.model_dump(mode="json", include=set(_RECORDED_SETTINGS))
    recorded = {"command": "judge", "format": samples.format.value, "options": options}
    with (
        open_judge(
            settings.confinement,
            workers=workers,
            preload=[name for prelude in preludes for name in prelude.modules],
        ) as judge,
        _progress(notices(settings), verbose=settings.verbose) as progress,
        draining(notices(settings)) as drain,
    ):
        sample_judge = SampleJudge(dataset, samples, suites, judge, settings.limits, workers)
        with open_judged_log(sample_judge, run_dir, recorded, resume=resume) as log:
            return judge_samples(sample_judge, log, progress=progress, drain=drain, no_wall=no_wall)


def _report(dataset: str, cases: tuple[Case, ...], judging: JudgingSummary) -> JudgedReport:
    from regreen.evaluate.scores import prelude_disagreements, score
    from regreen.report.judged_report import JudgedReport

    states = judging.states
    scores = tuple(score(states, prelude, cases) for prelude in states.preludes)
    return JudgedReport(dataset, states.samples, scores, prelude_disagreements(states))


def _progress(stream: Console, *, verbose: bool) -> AbstractContextManager[Progress[JudgedOutcome, JudgedLine]]:
    from regreen.cli.sample_progress import sample_progress
    from regreen.report.judged_report import JudgingProgress, judging_columns

    opening = "{total} verdicts to give, {done} of them given before"
    return sample_progress(
        stream,
        verbose=verbose,
        opening=opening,
        describe=_verdict_text,
        columns=judging_columns(),
        progress_of=JudgingProgress,
    )


def _verdict_text(line: JudgedLine) -> str:
    why = f" ({line.error.kind}: {line.error.message})" if line.error else ""
    return f"{line.task_id} sample {line.sample}: {line.outcome}{why}, {line.seconds:.2f} s"


def _print(report: JudgedReport, judging: JudgingSummary, run_dir: Path | None, settings: Settings) -> None:
    from regreen.cli.console import notices, results
    from regreen.report.safe_text import visible_line

    results(settings).print(report.table(), soft_wrap=False)
    warnings = notices(settings)
    for note in (*judging.notes, judging.failure):
        if note:
            warnings.print(visible_line(note, 2000), style="yellow", soft_wrap=True)
    if judging.exit_status and run_dir is not None:
        warnings.print(f"The run can be resumed: --resume -o {visible_line(str(run_dir))}", soft_wrap=True)


def _print_json(report: JudgedReport, judging: JudgingSummary, run_dir: Path | None) -> None:
    from regreen.evaluate import jsonl

    values: dict[str, Any] = {
        "run": None if run_dir is None else str(run_dir),
        **report.values(),
        "resumed": judging.resumed,
        "interrupted": judging.interrupted,
        "failure": judging.failure,
        "notes": list(judging.notes),
    }
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))


def _preludes(name: str | None, form: SampleFormat, settings: Settings) -> tuple[Prelude, ...]:
    from regreen.evaluate.prelude import NO_PRELUDE, official_prelude
    from regreen.sandbox.interpreter import inspect_interpreter
    from regreen.tasks.sample_rows import SampleFormat

    name = name or ("official" if form in (SampleFormat.BIGCODE, SampleFormat.ROWS) else "none")
    if name == "none":
        return (NO_PRELUDE,)
    with_imports = official_prelude(inspect_interpreter(settings.python).path)
    return (with_imports, NO_PRELUDE) if name == "both" else (with_imports,)


def _refuse_unknown_prelude(name: str | None) -> None:
    if name not in (None, "official", "none", "both"):
        raise ConfigError(f"--prelude is {name!r}.", remedy="It has to be official, none or both.")


def _format(name: str | None) -> SampleFormat | None:
    from regreen.tasks.sample_rows import SampleFormat

    try:
        return None if name is None else SampleFormat(name)
    except ValueError:
        raise ConfigError(f"--format is {name!r}.", remedy=f"It has to be {', '.join(SampleFormat)}.") from None
