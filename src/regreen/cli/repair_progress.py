"""Progress of a repair: one live line on a terminal; elsewhere a line a phase with --verbose."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from regreen.report.safe_text import visible_line
from regreen.strategies.events import Event, Listener, ignore

_REFRESH_SECONDS = 0.1


@contextmanager
def repair_progress(stream: Console, *, verbose: bool) -> Iterator[Listener]:
    """A listener for a strategy's events, shown on `stream` until the block ends."""
    if stream.is_terminal and not stream.is_dumb_terminal:
        # No refreshing thread: the sandbox starts processes, and a lock that a thread holds is copied into them.
        with Live(console=stream, transient=True, auto_refresh=False) as live:
            yield _live_line(live, stream if verbose else None)
    else:
        yield _phase_lines(stream) if verbose else ignore


def line_of(event: Event) -> str:
    """One event as text, e.g. "searching: 1,240 candidates, best so far 5/6 checks, 3.2 s"."""
    parts = [f"{event.candidates:,} candidate{'' if event.candidates == 1 else 's'}"] if event.candidates else []
    parts += [f"best so far {event.best_passed}/{event.total} checks"] if event.candidates and event.total else []
    return f"{event.phase}: {', '.join([*parts, f'{event.seconds:.1f} s'])}"


def _live_line(live: Live, notes: Console | None) -> Listener:
    shown = ("", float("-inf"))

    def listen(event: Event) -> None:
        nonlocal shown
        if notes and event.note:
            notes.print(Text(visible_line(event.note), style="dim"))
        phase, when = shown
        if event.phase != phase or time.monotonic() - when >= _REFRESH_SECONDS:
            live.update(Text(line_of(event), style="cyan", no_wrap=True, overflow="ellipsis"), refresh=True)
            shown = (event.phase, time.monotonic())

    return listen


def _phase_lines(stream: Console) -> Listener:
    phase = ""

    def listen(event: Event) -> None:
        nonlocal phase
        if event.phase != phase or event.note:
            note = f" ({visible_line(event.note)})" if event.note else ""
            stream.print(Text(line_of(event) + note), soft_wrap=True)
            phase = event.phase

    return listen
