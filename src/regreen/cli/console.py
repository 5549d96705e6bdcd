"""The two streams of a command: results on one, progress and warnings on the other."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from rich.console import Console
from rich.text import Text

from regreen.config import Settings

_PIPE_SIZE = (120, 40)
"""Columns and lines of a stream that is no terminal, where COLUMNS does not say."""
_LEAST_TEXT = 20
LINE_SECONDS = 5.0
"""A stream that is no terminal gets a line of progress this often."""


class PipeSafeConsole(Console):
    """A console that falls silent, instead of ending the command, once its reader has gone (`regreen ... | head`)."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        # Buffered output must not raise again when Python flushes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())


def results(settings: Settings) -> PipeSafeConsole:
    """The console for results: standard output."""
    return _stream(sys.stdout, settings)


def notices(settings: Settings) -> PipeSafeConsole:
    """The console for progress and warnings: standard error."""
    return _stream(sys.stderr, settings)


def _stream(file: IO[str], settings: Settings) -> PipeSafeConsole:
    forced = settings.color == "always"
    plain = settings.color == "never" or not (forced or file.isatty())
    # Highlighting would colour numbers inside untrusted text; markup and emoji codes in it are never wanted.
    return PipeSafeConsole(
        file=file,
        no_color=plain,
        force_terminal=True if forced else None,
        color_system=None if plain else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        width=None if file.isatty() else shutil.get_terminal_size(_PIPE_SIZE).columns,
    )


def print_wrapped(out: Console, text: Text, *, label: str = "") -> None:
    """Print a text wrapped between words to the console's width, its lines indented by the width of the label."""
    lead = f"{label} " if label else ""
    for line in text.wrap(out, max(out.width - len(lead), _LEAST_TEXT)):
        line.rstrip()
        out.print(Text(lead).append_text(line), soft_wrap=True)
        lead = " " * len(lead)


@contextmanager
def lines_every(seconds: float, stream: Console, line: Callable[[], str]) -> Iterator[None]:
    """Print the line as it is then, every so many seconds until the block ends."""
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(seconds):
            stream.print(Text(line()), soft_wrap=True)

    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
