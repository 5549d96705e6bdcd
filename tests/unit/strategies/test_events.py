"""What a repair says of its progress."""

from __future__ import annotations

from regreen.strategies.events import Event, line_of


def test_a_line_says_what_is_waited_for() -> None:
    """A model, say, and how long; the counters where there are any."""
    assert line_of(Event("asking", seconds=3.21)) == "asking the model: 3.2 s"
    searching = Event("searching", candidates=1_240, best_passed=5, total=6, seconds=3.2)
    assert line_of(searching) == "searching: 1,240 candidates, best so far 5/6 checks, 3.2 s"
