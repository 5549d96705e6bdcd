"""The `regreen` command, and what `python -m regreen` runs."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from regreen.errors import INTERRUPTED_STATUS

_WINDOWS = "error: Regreen does not run on Windows itself. Run it in WSL 2 (`wsl --install`), which is Linux.\n"


def main() -> NoReturn:
    """Run the command line; an interrupt is answered even while most of it is being imported."""
    if sys.platform == "win32":
        sys.stderr.write(_WINDOWS)
        sys.exit(3)
    usual = signal.getsignal(signal.SIGINT)
    try:
        if usual is signal.default_int_handler:
            # An exception raised inside an import hook could be swallowed.
            signal.signal(signal.SIGINT, _leave)
        try:
            from regreen.cli import main as command
        finally:
            signal.signal(signal.SIGINT, usual)
        command()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted.\n")
        sys.exit(INTERRUPTED_STATUS)


def _leave(*_: object) -> NoReturn:
    """Exit at once: there is nothing to clean up yet."""
    os.write(2, b"error: interrupted.\n")
    os._exit(INTERRUPTED_STATUS)


if __name__ == "__main__":
    main()
