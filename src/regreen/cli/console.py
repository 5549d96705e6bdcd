"""The two streams of a command: results on one, progress and warnings on the other."""

from __future__ import annotations

import os
import sys
from typing import IO

from rich.console import Console

from regreen.config import Settings

_PIPE_WIDTH = 120


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
        width=None if file.isatty() else _PIPE_WIDTH,
    )
