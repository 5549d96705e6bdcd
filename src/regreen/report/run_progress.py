"""The progress bar of a run: done, pass rate, time left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TaskID, TimeRemainingColumn
from rich.text import Text

from regreen.evaluate.metrics import wilson
from regreen.evaluate.records import Result, ResultLine
from regreen.report.safe_text import visible_line


class PassRateColumn(ProgressColumn):
    """Fixed and decided samples: a rate only once all are in, for those that end quickly come first."""

    def render(self, task: Task) -> Text:
        fixed, decided, errors = (task.fields.get(name, 0) for name in ("fixed", "decided", "errors"))
        rate = f"{fixed} of {decided} fixed" if decided else "none fixed"
        if decided and decided + errors == task.total:
            low, high = wilson(fixed, decided)
            rate = f"{fixed / decided * 100:.0f} % fixed ({low * 100:.0f}-{high * 100:.0f})"
        return Text(f"{rate}, errors: {errors}" if errors else rate)


class PaceColumn(ProgressColumn):
    """Samples a minute."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed * 60:.0f}/min" if task.speed else "")


class CostColumn(ProgressColumn):
    """Tokens and money, where a model is asked."""

    def render(self, task: Task) -> Text:
        tokens, usd = task.fields.get("tokens", 0), task.fields.get("usd", 0.0)
        if not tokens:
            return Text("")
        money = "price unknown" if usd is None else f"${usd:.2f}"
        return Text(f"{tokens:,} tokens" + (f", {money}" if usd != 0 else ""))


class DoingColumn(ProgressColumn):
    """What is under way."""

    def __init__(self, doing: Callable[[], str]) -> None:
        super().__init__()
        self._doing = doing

    def render(self, task: Task) -> Text:
        return Text(self._doing(), style="dim")


class LastColumn(ProgressColumn):
    """The sample that ended last."""

    def render(self, task: Task) -> Text:
        return Text(task.fields.get("last", ""), style="dim", overflow="ellipsis", no_wrap=True)


def run_columns(doing: Callable[[], str] = str) -> tuple[ProgressColumn, ...]:
    """Columns for a `rich.progress.Progress` that a `RunProgress` keeps up to date; `doing` says what is under way."""
    return (
        BarColumn(),
        MofNCompleteColumn(),
        PassRateColumn(),
        PaceColumn(),
        CostColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        DoingColumn(doing),
        LastColumn(),
    )


class RunProgress:
    """Updates a progress bar with each result; its creator starts and stops the bar."""

    def __init__(self, bar: Progress) -> None:
        """`bar` is best made with `run_columns()`."""
        self._bar = bar
        self._row: TaskID | None = None
        self._tally: Counter[Result] = Counter()
        self._tokens = 0
        self._usd: float | None = 0.0

    def begin(self, total: int, done: Mapping[Result, int]) -> None:
        """Show a bar of `total` samples, those of `done` behind it."""
        self._tally = Counter(done)
        self._row = self._bar.add_task("", total=total, completed=self._tally.total(), **self._fields())

    def finished(self, line: ResultLine) -> None:
        """Count one result."""
        self._tally[line.outcome] += 1
        self._tokens += line.token_usage.prompt + line.token_usage.completion
        self._usd = None if self._usd is None or line.cost_usd is None else self._usd + line.cost_usd
        if self._row is not None:
            last = visible_line(f"{line.task_id} {line.outcome}", 60)
            self._bar.update(self._row, advance=1, last=last, **self._fields())

    def _fields(self) -> dict[str, Any]:
        errors = self._tally[Result.ERROR]
        return {
            "fixed": self._tally[Result.FIXED],
            "decided": self._tally.total() - errors,
            "errors": errors,
            "tokens": self._tokens,
            "usd": self._usd,
        }
