"""Events by which a repair reports its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One report: the phase that the repair is in, and its counters so far."""

    phase: str
    """"checking", "localising", "searching", "asking", "proving" or "minimising"."""
    candidates: int = 0
    """Candidates tried so far."""
    best_passed: int = 0
    """Checks that the best candidate so far passes."""
    total: int = 0
    """Checks in all."""
    seconds: float = 0.0
    """Seconds since the repair began, those of waiting left out."""
    note: str = ""
    """A sentence to show, e.g. that a check is flaky; "" for none."""
    model_calls: int = 0
    """Replies that a model has given so far."""
    tokens: int = 0
    """Prompt and completion tokens so far."""


Listener = Callable[[Event], None]
PHASE_WORDS = {"asking": "asking the model", "proving": "judging"}
"""Phases whose names alone do not say what is waited for."""


def ignore(event: Event) -> None:
    """Drop the event: the listener of repairs that nobody watches."""


def line_of(event: Event) -> str:
    """One event as text, e.g. "searching: 1,240 candidates, best so far 5/6 checks, 3.2 s"."""
    parts = [f"{event.candidates:,} candidate{'' if event.candidates == 1 else 's'}"] if event.candidates else []
    parts += [f"best so far {event.best_passed}/{event.total} checks"] if event.candidates and event.total else []
    return f"{PHASE_WORDS.get(event.phase, event.phase)}: {', '.join([*parts, f'{event.seconds:.1f} s'])}"
