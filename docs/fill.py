"""Fills the blocks of the documentation that show what a command prints, by running the command: `make docs`.

A block is written in Markdown as a comment `printed by: regreen ...`, a fence of kind `text`, and a comment `end`.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path
from unittest.mock import patch

from regreen.cli import run

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/cli.md")
BLOCK = re.compile(r"(<!-- printed by: regreen (?P<args>.+?) -->\n```text\n).*?(```\n<!-- end -->)", re.DOTALL)
WIDTH = "100"


def filled(page: str) -> str:
    """The page with every block as its command prints it now."""
    return BLOCK.sub(lambda block: block[1] + printed(block["args"]) + block[3], page)


def printed(args: str) -> str:
    """What `regreen ARGS` prints on stdout, run from the top of the repository. Raises RuntimeError where it fails."""
    environment = patch.dict(os.environ, COLUMNS=WIDTH, NO_COLOR="1")
    with environment, contextlib.chdir(ROOT), contextlib.redirect_stdout(io.StringIO()) as out:
        status = run(shlex.split(args))
    if status:
        raise RuntimeError(f"`regreen {args}` ended with status {status}")
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().rstrip("\n").split("\n"))


if __name__ == "__main__":
    for name in PAGES:
        page = ROOT / name
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
