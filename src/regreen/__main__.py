"""The `regreen` command, and what `python -m regreen` runs."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; an interrupt is answered even while most of it is being imported."""
    try:
        from regreen.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
