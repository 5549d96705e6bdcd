"""The first lines that a sandbox process runs; sent as text with `python -c`.

The package's folder may lie in a site-packages that a bare interpreter does not look into, and importing `regreen`
itself would run more than the sandbox needs. So the parent packages are made here as empty ones that only know their
folder.
"""

from __future__ import annotations

import os
import sys

_BOOT_SCRIPT = """
import sys, types
here, entry, *rest = sys.argv[1:]
sys.argv = ["regreen-sandbox"]
for name in ("regreen", "regreen.sandbox", "regreen.sandbox.guest"):
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = [here + "/.." * (2 - name.count("."))]
from importlib import import_module
import_module("regreen.sandbox.guest." + entry).main(*rest)
"""


GUEST_FOLDER = os.path.dirname(__file__)  # noqa: PTH120 - pathlib would stay in the server, and be copied for every child


def command(python: str, entry: str, *arguments: str) -> list[str]:
    """The command line that starts `entry` (a module of this package with a `main`) in a bare interpreter.

    Not all installers compile what they install: bytecode of what is imported before the process is enclosed is kept
    for the next one, unless this interpreter writes none either.
    """
    keep = ["-B"] if sys.dont_write_bytecode else []
    return [python, "-s", "-S", "-P", *keep, "-X", "utf8", "-c", _BOOT_SCRIPT, GUEST_FOLDER, entry, *arguments]
