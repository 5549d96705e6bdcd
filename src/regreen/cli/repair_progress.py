"""Progress of a repair: one live line on a terminal, elsewhere a line every few seconds, and one a phase if asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rich.console import Console
from rich.live import Live
from rich.text import Text

from regreen.cli.console import LINE_SECONDS, lines_every
from regreen.report.safe_text import visible_line
from regreen.strategies.events import Event, Listener, line_of

_REFRESHES_PER_SECOND = 4
_STARTING = "starting"
"""Before the first event, with which the seconds of the repair begin."""


@contextmanager
def repair_progress(stream: Console, *, verbose: bool, line_seconds: float = LINE_SECONDS) -> Iterator[Listener]:
    """A listener for a strategy's events, shown on `stream` until the block ends."""
    latest = _LatestEvent()
    if stream.is_terminal and not stream.is_dumb_terminal:
        with Live(
            console=stream,
            transient=True,
            refresh_per_second=_REFRESHES_PER_SECOND,
            get_renderable=lambda: Text(latest.line(), style="cyan", no_wrap=True, overflow="ellipsis"),
        ) as live:
            yield _live_listener(live, latest, stream if verbose else None)
    else:
        with lines_every(line_seconds, stream, latest.line):
            yield _phase_listener(stream, latest, verbose=verbose)


@dataclass(slots=True)
class _LatestEvent:
    """The last event, whose seconds go on: a phase may last long without another one."""

    event: Event = field(default_factory=lambda: Event(_STARTING))
    when: float = field(default_factory=time.monotonic)

    def put(self, event: Event) -> None:
        self.event, self.when = event, time.monotonic()

    def line(self) -> str:
        if self.event.phase == _STARTING:
            return _STARTING
        return line_of(replace(self.event, seconds=self.event.seconds + time.monotonic() - self.when))


def _live_listener(live: Live, latest: _LatestEvent, notes: Console | None) -> Listener:
    def listen(event: Event) -> None:
        if notes and event.note:
            notes.print(Text(visible_line(event.note), style="dim"))
        is_new = event.phase != latest.event.phase
        latest.put(event)
        if is_new:
            live.refresh()

    return listen


def _phase_listener(stream: Console, latest: _LatestEvent, *, verbose: bool) -> Listener:
    def listen(event: Event) -> None:
        is_new = event.phase != latest.event.phase
        # First of all, since another thread prints the latest one meanwhile.
        latest.put(event)
        if verbose and (is_new or event.note):
            note = f" ({visible_line(event.note)})" if event.note else ""
            stream.print(Text(line_of(event) + note), soft_wrap=True)

    return listen
