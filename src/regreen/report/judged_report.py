"""The report on judged samples: scores in, renderables for a terminal or plain data out; nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group as Stack
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from regreen.evaluate.judged_log import JudgedLine, JudgedOutcome
from regreen.evaluate.metrics import PassAtK
from regreen.evaluate.scores import Disagreement, Score, TaskGroup
from regreen.report.formatting import INTERVALS, interval_text, shown_passes
from regreen.report.safe_text import visible_line
from regreen.report.tables import wrapping_table
from regreen.tasks.samples import Samples

_MAX_NAMES = 10
_MAX_ROWS = 40
_LOUD = "bold white on red"
_PRELUDES = {"none": "no prelude", "official": "the official prelude of imports"}


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """The scores of judged samples, and the remarks on them."""

    dataset: str
    samples: Samples
    scores: tuple[Score, ...]
    differences: tuple[Disagreement, ...] = ()
    """Samples whose verdict depends on the prelude."""

    def table(self) -> RenderableType:
        """The report as a terminal shows it; preludes with the same verdicts share a table."""
        together = len(self.scores) > 1 and not self.differences
        shown = self.scores[:1] if together else self.scores
        names = " or ".join(score.prelude for score in self.scores) if together else ""
        parts = [part for score in shown for part in _parts(self.dataset, score, names)]
        return Stack(*parts, *(Text(line) for line in self.remarks()))

    def remarks(self) -> Iterator[str]:
        """Remarks beside the rates, e.g. on tasks without a sample, a line each."""
        without, strangers = self.samples.without, self.samples.strangers
        if without:
            yield f"{_count(len(without), 'task')} without a sample, in no rate: {_names(without)}."
        if strangers:
            count = _count(sum(strangers.values()), "sample")
            yield f"{count} for tasks that {self.dataset} does not have: {_names(list(strangers))}."
        if self.samples.empty:
            yield f"{_count(self.samples.empty, 'row')} without a program, because the run failed there: not judged."
        for score in self.scores:
            yield from _judging_remarks(score)
        if self.differences:
            told = [f"{d.task_id} sample {d.sample}" for d in self.differences]
            yield f"{_count(len(told), 'sample')} with a verdict that depends on the prelude: {_names(told)}."
        elif len(self.scores) > 1:
            yield "Every sample has the same verdict with the official prelude and without it."

    def values(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "dataset": self.dataset,
            "samples_file": str(self.samples.path),
            "format": self.samples.format.value,
            "samples": len(self.samples),
            "tasks": len(self.samples.tasks),
            "tasks_without_samples": list(self.samples.without),
            "unknown_tasks": dict(self.samples.strangers),
            "rows_without_program": self.samples.empty,
            "scores": {score.prelude: _score_values(score) for score in self.scores},
            "prelude_differences": [asdict(difference) for difference in self.differences],
        }


class RateColumn(ProgressColumn):
    """Passed and decided samples: a rate only once all are in, for those that end quickly come first."""

    def render(self, task: Any) -> Text:
        passed, failed, errors = (task.fields.get(name, 0) for name in ("passed", "failed", "error"))
        decided = passed + failed
        rate = f"{passed} of {decided} passed" if decided else "none passed"
        if decided and decided + errors == task.total:
            rate = f"{passed / decided * 100:.0f} % passed"
        return Text(f"{rate}, errors: {errors}" if errors else rate)


def judging_columns() -> tuple[ProgressColumn, ...]:
    """Columns for a `rich.progress.Progress` that a `JudgingProgress` keeps up to date."""
    last = TextColumn("{task.fields[last]}", style="dim", markup=False)
    return BarColumn(), MofNCompleteColumn(), RateColumn(), TimeRemainingColumn(elapsed_when_finished=True), last


class JudgingProgress:
    """Updates a progress bar with each verdict; its creator starts and stops the bar."""

    def __init__(self, bar: Progress) -> None:
        """`bar` is best made with `judging_columns()`."""
        self._bar = bar
        self._counts: dict[str, Any] = {"passed": 0, "failed": 0, "error": 0}
        self._row = bar.add_task("", total=None, last="", **self._counts)

    def begin(self, total: int, done: Mapping[JudgedOutcome, int]) -> None:
        """Show a bar of `total` verdicts, those of `done` behind it."""
        self._counts |= {"passed": done.get("passed", 0), "failed": done.get("failed", 0)}
        self._bar.update(self._row, total=total, completed=sum(self._counts.values()), **self._counts)

    def finished(self, line: JudgedLine) -> None:
        """Count one verdict."""
        self._counts[line.outcome] += 1
        self._bar.update(self._row, advance=1, last=visible_line(line.task_id, 60), **self._counts)


def estimate_text(estimate: PassAtK) -> str:
    """A rate with its interval, e.g. "31.43 % (25.12 to 38.01)"."""
    value, low, high = (number * 100 for number in (estimate.value, estimate.low, estimate.high))
    return f"{value:.2f} % ({low:.2f} to {high:.2f})"


def _parts(dataset: str, score: Score, together: str) -> Iterator[RenderableType]:
    prelude = together or _PRELUDES.get(score.prelude, score.prelude)
    title = f"{dataset}: programs judged with {prelude}"
    if together:
        title = f"{dataset}: programs judged, the same with prelude {together}"
    # A title of the table's own would be broken to the table's width.
    yield Text(visible_line(title), style="bold")
    yield _overview(score)
    if score.by_label:
        yield _by_label(score.by_label)


def _overview(score: Score) -> Table:
    table = wrapping_table("", "")
    table.show_header = False
    whole = score.whole
    table.add_row("tasks", f"{whole.tasks:,}")
    judged = f"{whole.judged:,} of {whole.samples:,} planned"
    table.add_row("samples judged", Text(f"UNFINISHED: {judged}", style=_LOUD) if score.pending else judged)
    table.add_row(Text("passed", style="green"), f"{whole.passed:,}")
    table.add_row(Text("failed", style="red"), f"{whole.judged - whole.passed:,}")
    table.add_row(Text("errors, in no rate", style="magenta"), f"{score.errors:,}")
    if score.pending:
        table.add_row("not judged", f"{score.pending:,}")
    table.add_section()
    if whole.bounds:
        table.add_row("pass@1, once all are judged", f"{interval_text(*whole.bounds)} %")
    for estimate in shown_passes(whole.estimates):
        table.add_row(f"pass@{estimate.k} (95 %, {INTERVALS[estimate.interval]})", estimate_text(estimate))
    return table


def _by_label(groups: Sequence[TaskGroup]) -> Table:
    ks = [estimate.k for estimate in groups[0].estimates]
    common = [k for k in ks if all(k in _by_k(group) for group in groups)]
    shown = sorted({common[0], common[-1]}) if common else []
    table = wrapping_table("bug_type", "tasks", "samples", "passed", *(f"pass@{k} (95 %)" for k in shown))
    for group in sorted(groups, key=lambda group: (-group.tasks, group.name))[:_MAX_ROWS]:
        rates = (_short(_by_k(group)[k]) for k in shown)
        table.add_row(
            Text(visible_line(group.name, 60)), str(group.tasks), str(group.judged), str(group.passed), *rates
        )
    if len(groups) > _MAX_ROWS:
        table.caption = f"and {len(groups) - _MAX_ROWS} more"
    return table


def _by_k(group: TaskGroup) -> Mapping[int, PassAtK]:
    return {estimate.k: estimate for estimate in group.estimates}


def _short(estimate: PassAtK) -> str:
    value, low, high = (number * 100 for number in (estimate.value, estimate.low, estimate.high))
    return f"{value:.1f} % ({low:.0f} to {high:.0f})"


def _judging_remarks(score: Score) -> Iterator[str]:
    under = f" (prelude {score.prelude})"
    if score.errors:
        yield f"{_count(score.errors, 'sample')} could not be judged, because the sandbox failed{under}."
    if score.disagreements:
        names = [f"{d.task_id} sample {d.sample} (now {_word(d.passed)})" for d in score.disagreements]
        verb = "disagrees" if len(names) == 1 else "disagree"
        yield f"{len(names):,} of {score.recorded:,} recorded verdicts {verb}{under}: {_names(names)}."
    elif score.recorded:
        every = f"All {score.recorded:,} recorded verdicts agree"
        yield f"{every if score.recorded > 1 else 'The recorded verdict agrees'}{under}."


def _score_values(score: Score) -> dict[str, Any]:
    return {
        "planned": score.whole.samples,
        "unfinished": score.pending > 0,
        **_group_values(score.whole),
        "errors": score.errors,
        "not_judged": score.pending,
        "recorded": score.recorded,
        "disagreements": [asdict(disagreement) for disagreement in score.disagreements],
        "by_label": {"bug_type": {group.name: _group_values(group) for group in score.by_label}},
    }


def _group_values(group: TaskGroup) -> dict[str, Any]:
    rates = {
        str(e.k): {"value": e.value, "low": e.low, "high": e.high, "interval": e.interval} for e in group.estimates
    }
    return {
        "tasks": group.tasks,
        "judged": group.judged,
        "passed": group.passed,
        "pass_at": rates,
        "pass_1_bounds": list(group.bounds) if group.bounds else None,
    }


def _word(passed: bool) -> str:
    return "passed" if passed else "failed"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(visible_line(name, 80) for name in names[:_MAX_NAMES])
    return f"{shown} and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else shown
