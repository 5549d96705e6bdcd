"""Ctrl-C and SIGTERM while a command works."""

from __future__ import annotations

import io
import signal

import pytest
from rich.console import Console

from regreen.cli.interrupts import draining, ending_on_sigterm


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "Interrupted"), (signal.SIGTERM, "SIGTERM")])
def test_the_first_signal_ends_a_run_in_order_and_the_second_at_once(number: signal.Signals, word: str) -> None:
    """Either of the two, each with a word."""
    stream = io.StringIO()
    before = signal.getsignal(number)
    with draining(Console(file=stream)) as drain:
        signal.raise_signal(number)
        assert drain.is_set()
        assert word in stream.getvalue()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(number) is before


def test_sigterm_ends_any_command_as_ctrl_c_does() -> None:
    """So that it has its word, and leaves nothing behind."""
    with pytest.raises(KeyboardInterrupt), ending_on_sigterm():
        signal.raise_signal(signal.SIGTERM)
