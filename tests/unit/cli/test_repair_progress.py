"""What is seen of a repair while it works."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from waiting import wait_for

from regreen.cli.repair_progress import repair_progress
from regreen.strategies.events import Event, line_of

SEARCHING = Event("searching", 1240, 5, 6, 3.21)


def shown(*events: Event, verbose: bool, terminal: bool) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=100, color_system=None, _environ={"TERM": "xterm"})
    with repair_progress(console, verbose=verbose) as listen:
        for event in events:
            listen(event)
    return file.getvalue()


def test_one_line_holds_phase_candidates_best_and_seconds() -> None:
    """All that a waiting person wants to know."""
    assert line_of(SEARCHING) == "searching: 1,240 candidates, best so far 5/6 checks, 3.2 s"
    assert line_of(Event("checking")) == "checking: 0.0 s"
    assert line_of(Event("proving", candidates=1)).startswith("judging: 1 candidate, ")
    assert line_of(Event("asking", seconds=3.21)) == "asking the model: 3.2 s"


def test_a_terminal_shows_the_latest_phase_and_then_clears_it() -> None:
    """The live line is gone when the result is printed."""
    text = shown(Event("checking"), SEARCHING, verbose=False, terminal=True)
    assert "checking" in text
    assert "1,240 candidates" in text
    assert text.endswith("\x1b[2K")


def test_without_a_terminal_a_quick_repair_leaves_no_line_unless_asked_for() -> None:
    """A log file gets nothing of a repair that takes no time; with --verbose it gets a line a phase."""
    events = (Event("checking"), SEARCHING, SEARCHING, Event("proving", note="judged again"))
    assert shown(*events, verbose=False, terminal=False) == ""
    assert shown(*events, verbose=True, terminal=False).splitlines() == [
        "checking: 0.0 s",
        "searching: 1,240 candidates, best so far 5/6 checks, 3.2 s",
        "judging: 0.0 s (judged again)",
    ]


@pytest.mark.parametrize("terminal", [True, False])
def test_whoever_waits_sees_the_seconds_go_on(terminal: bool) -> None:
    """A phase without events is no standstill: a line comes every few seconds, and the live one counts."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=100, color_system=None, _environ={"TERM": "xterm"})

    def told() -> set[str]:
        return set(re.findall(r"checking: (4[1-9]\.\d) s", file.getvalue()))

    with repair_progress(console, verbose=False, line_seconds=0.01) as listen:
        listen(Event("checking", seconds=41.0))
        wait_for(lambda: len(told()) >= 2, what="a second number of seconds")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_note_cannot_move_the_cursor(terminal: bool) -> None:
    """Names of checks come from the tests, which nobody vouches for."""
    assert "\x1b]0" not in shown(Event("checking", note="\x1b]0;x\x07"), verbose=True, terminal=terminal)
