"""`regreen judge`: judge programs that others generated for the tasks of a data set."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags
from regreen.errors import ConfigError

if TYPE_CHECKING:
    from rich.console import Console

    from regreen.config import Settings
    from regreen.evaluate.judge_samples import JudgingSummary, Progress, Record
    from regreen.evaluate.judged_log import JudgedLine, JudgedStates
    from regreen.evaluate.prelude import Prelude
    from regreen.report.judged import JudgedReport
    from regreen.tasks.sample_rows import SampleFormat
    from regreen.tasks.samples import Samples
    from regreen.types import Case

RECORDED_SETTINGS = frozenset(flags.SANDBOX)
"""Those that say how programs are judged."""


@flags.with_settings(*flags.SANDBOX, *flags.COMMON)
def judge_command(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="A name that `regreen datasets` lists.")],
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
    from regreen.evaluate.judge_samples import Record
    from regreen.tasks.catalogue import Origin, load_dataset
    from regreen.tasks.samples import read_samples
    from regreen.verify.suites import read_suite

    settings = flags.resolve(context)
    wanted = _format(form)
    _refuse_unknown_prelude(prelude)
    if resume and run_dir is None:
        raise ConfigError("--resume says to go on, and not with what.", remedy="Name the run's folder with --out.")
    cases = load_dataset(dataset, read_suite, origin=Origin(dataset_path))
    found = read_samples(samples, dataset, cases, form=wanted, raw=raw)
    preludes = _preludes(prelude, found.format, settings)
    options = settings.model_dump(mode="json", include=set(RECORDED_SETTINGS))
    told = {"command": "judge", "format": found.format.value, "options": options}
    record = Record(run_dir, told, resume) if run_dir else None
    judging = _judge(dataset, cases, found, preludes, record, settings)
    report = _report(dataset, cases, judging)
    _print_json(report, judging, run_dir) if as_json else _print(report, judging, run_dir, settings)
    return judging.exit_status


def _judge(
    dataset: str,
    cases: tuple[Case, ...],
    samples: Samples,
    preludes: tuple[Prelude, ...],
    record: Record | None,
    settings: Settings,
) -> JudgingSummary:
    from regreen.cli.console import notices
    from regreen.cli.interrupts import draining
    from regreen.evaluate import judge_samples
    from regreen.evaluate.sample_suites import SampleSuites
    from regreen.verify import judge as verify
    from regreen.verify.suites import read_suite

    workers = min(settings.workers, len(samples) * len(preludes))
    suites = SampleSuites(cases, preludes, read_suite)
    with (
        verify.open_judge(layers=settings.layers, workers=workers, python=settings.python) as judge,
        _progress(notices(settings), verbose=settings.verbose) as progress,
        draining(notices(settings)) as drain,
    ):
        sample_judge = judge_samples.SampleJudge(dataset, samples, suites, judge, settings.limits)
        return judge_samples.judge_samples(sample_judge, workers=workers, record=record, progress=progress, drain=drain)


def _report(dataset: str, cases: tuple[Case, ...], judging: JudgingSummary) -> JudgedReport:
    from regreen.evaluate.scores import prelude_disagreements, score
    from regreen.report.judged import JudgedReport

    tally = judging.tally
    scores = tuple(score(tally, prelude, cases) for prelude in tally.preludes)
    return JudgedReport(dataset, tally.samples, scores, prelude_disagreements(tally))


@contextmanager
def _progress(stream: Console, *, verbose: bool) -> Iterator[Progress]:
    """A bar on a terminal; elsewhere a line a sample when more was asked for."""
    from rich.progress import Progress as Bar

    from regreen.report.judged import JudgingProgress, columns

    if verbose or not stream.is_terminal:
        yield _Lines(stream if verbose else None)
    else:
        with Bar(*columns(), console=stream) as bar:
            yield JudgingProgress(bar)


class _Lines:
    """Says of each sample how it ended."""

    def __init__(self, stream: Console | None) -> None:
        self.stream = stream

    def begin(self, total: int, tally: JudgedStates) -> None:
        from regreen.evaluate.judged_log import JudgedState

        self._say(f"{total} verdicts to give, {total - tally.count(JudgedState.PENDING)} of them given before")

    def finished(self, line: JudgedLine) -> None:
        why = f" ({line.error.kind}: {line.error.message})" if line.error else ""
        self._say(f"{line.task_id} sample {line.sample}: {line.outcome}{why}, {line.seconds:.2f} s")

    def _say(self, text: str) -> None:
        from regreen.report.safe_text import visible_line

        if self.stream is not None:
            self.stream.print(visible_line(text), soft_wrap=True)


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

    told: dict[str, Any] = {
        "run": None if run_dir is None else str(run_dir),
        **report.values(),
        "resumed": judging.resumed,
        "interrupted": judging.interrupted,
        "failure": judging.failure,
        "notes": list(judging.notes),
    }
    sys.stdout.write(jsonl.encode_line(told).decode("ascii"))


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
