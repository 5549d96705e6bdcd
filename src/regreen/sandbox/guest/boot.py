"""The first lines that a sandbox process runs; sent as text with `python -c`, into a container as well.

The package's folder may lie in a site-packages that a bare interpreter does not look into, and importing `regreen`
itself would run more than the sandbox needs. So the parent packages are made here as empty ones that only know their
folder.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path

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


_CONTAINER_BOOT_SCRIPT = """
import json, os, sys, zlib
from importlib.machinery import ModuleSpec

def take(count):
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data

class Bundle:
    def __init__(self, sources):
        self.sources = sources
    def find_spec(self, name, path=None, target=None):
        if name in self.sources:
            return ModuleSpec(name, self, is_package=self.sources[name][0])
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__
        exec(compile(self.sources[name][1], "<regreen: " + name + ">", "exec", dont_inherit=True), module.__dict__)

if sys.version_info < (3, 11):
    sys.exit("the image's Python is " + sys.version.split()[0] + "; programs are run with 3.11 or newer")
sys.argv = ["regreen-sandbox"]
os.environ.clear()
os.environ.update(json.loads(ENVIRONMENT))
sys.meta_path.insert(0, Bundle(json.loads(zlib.decompress(take(int.from_bytes(take(4), "little"))))))
from regreen.sandbox.guest.link import inside
inside.main()
"""


GUEST_FOLDER = os.path.dirname(__file__)  # noqa: PTH120 - pathlib would stay in the server, and be copied for every child


def command(python: str, entry: str, *arguments: str) -> list[str]:
    """The command line that starts `entry` (a module of this package with a `main`) in a bare interpreter.

    Not all installers compile what they install: bytecode of what is imported before the process is enclosed is kept
    for the next one, unless this interpreter writes none either.
    """
    keep = ["-B"] if sys.dont_write_bytecode else []
    return [python, "-s", "-S", "-P", *keep, "-X", "utf8", "-c", _BOOT_SCRIPT, GUEST_FOLDER, entry, *arguments]


def container_command(environment: Mapping[str, str]) -> list[str]:
    """The command line for a container: its own Python takes our code from its standard input, and runs the server.

    Nothing of the host need be mounted, so that the engine may be on another machine; and nothing is written to a file
    that a later program could change.
    """
    settings = f"ENVIRONMENT = {json.dumps(json.dumps(dict(environment)))}\n"
    return ["python3", "-s", "-P", "-B", "-X", "utf8", "-c", settings + _CONTAINER_BOOT_SCRIPT]


@functools.cache
def container_bundle() -> bytes:
    """The code for inside a container: each module by its name, whether it is a package, and its text."""
    folder = Path(GUEST_FOLDER)
    modules: dict[str, tuple[bool, str]] = {"regreen": (True, ""), "regreen.sandbox": (True, "")}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(("regreen.sandbox.guest", *(parts[:-1] if is_package else parts)))
        modules[name] = is_package, path.read_text(encoding="utf-8")
    return zlib.compress(json.dumps(modules).encode())
