"""Progress of `eval`, `replay` and `judge`: a bar at a terminal, elsewhere a line every few seconds or each sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic

from rich.console import Console
from rich.progress import Progress as Bar
from rich.progress import ProgressColumn

from regreen.cli.console import LINE_SECONDS, lines_every
from regreen.evaluate.run_loop import LineT, OutcomeT, Progress
from regreen.report.safe_text import visible_line


@dataclass(slots=True)
class SampleLines(Generic[OutcomeT, LineT]):
    """Keeps count of the samples, and prints a line for the start and for each of them if asked."""

    stream: Console
    verbose: bool
    opening: str
    """The line for the start, with places for `total` and `done`."""
    describe: Callable[[LineT], str]
    """The line for a sample."""
    doing: Callable[[], str] = str
    """What is under way, in words."""
    started: float = field(default_factory=time.monotonic)
    total: int = 0
    ended: int = 0
    """Samples that have ended, those of an earlier start included."""

    def begin(self, total: int, done: Mapping[OutcomeT, int]) -> None:
        """Say how many samples there are, and how many an earlier start decided."""
        self.total, self.ended = total, sum(done.values())
        self._print(self.opening.format(total=total, done=self.ended))

    def finished(self, line: LineT) -> None:
        """Say how one sample ended."""
        self.ended += 1
        self._print(self.describe(line))

    def count(self) -> str:
        """How far it has come, e.g. "12 of 164 done, 31.0 s"."""
        seconds = time.monotonic() - self.started
        if not self.total:
            return f"starting, {seconds:.1f} s"
        doing = self.doing()
        return f"{self.ended:,} of {self.total:,} done, {doing + ', ' if doing else ''}{seconds:.1f} s"

    def _print(self, text: str) -> None:
        if self.verbose:
            self.stream.print(visible_line(text), soft_wrap=True)


@contextmanager
def sample_progress(
    stream: Console,
    *,
    verbose: bool,
    opening: str,
    describe: Callable[[LineT], str],
    columns: Sequence[ProgressColumn],
    progress_of: Callable[[Bar], Progress[OutcomeT, LineT]],
    doing: Callable[[], str] = str,
    line_seconds: float = LINE_SECONDS,
) -> Iterator[Progress[OutcomeT, LineT]]:
    """Progress of the block on `stream`: `SampleLines` with `verbose` or off a terminal, else a bar of `columns`."""
    if verbose or not stream.is_terminal:
        lines: SampleLines[OutcomeT, LineT] = SampleLines(stream, verbose, opening, describe, doing)
        with lines_every(line_seconds, stream, lines.count):
            yield lines
    else:
        with Bar(*columns, console=stream) as bar:
            yield progress_of(bar)
