"""Progress of `eval`, `replay` and `judge`: a bar on a terminal; elsewhere a line a sample when more was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic

from rich.console import Console
from rich.progress import Progress as Bar
from rich.progress import ProgressColumn

from regreen.evaluate.run_loop import LineT, OutcomeT, Progress
from regreen.report.safe_text import visible_line


@dataclass(frozen=True, slots=True)
class SampleLines(Generic[OutcomeT, LineT]):
    """Prints a line for the start, and one for each sample."""

    stream: Console | None
    """None to print nothing."""
    opening: str
    """The line for the start, with places for `total` and `done`."""
    describe: Callable[[LineT], str]
    """The line for a sample."""

    def begin(self, total: int, done: Mapping[OutcomeT, int]) -> None:
        """Say how many samples there are, and how many an earlier start decided."""
        self._print(self.opening.format(total=total, done=sum(done.values())))

    def finished(self, line: LineT) -> None:
        """Say how one sample ended."""
        self._print(self.describe(line))

    def _print(self, text: str) -> None:
        if self.stream is not None:
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
) -> Iterator[Progress[OutcomeT, LineT]]:
    """Progress of the block on `stream`: `SampleLines` with `verbose` or off a terminal, else a bar of `columns`."""
    if verbose or not stream.is_terminal:
        yield SampleLines(stream if verbose else None, opening, describe)
    else:
        with Bar(*columns, console=stream) as bar:
            yield progress_of(bar)
