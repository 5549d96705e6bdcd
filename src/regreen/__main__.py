"""`python -m regreen` is the `regreen` command."""

from __future__ import annotations

from regreen.cli import main

main()
