"""The first lines that run in a container: they take the code of the sandbox from their standard input."""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Mapping
from pathlib import Path

from regreen.sandbox.guest.boot import GUEST_FOLDER

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
