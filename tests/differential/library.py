"""Programs and checks that nobody wrote for us: modules of Python's own library, with their doctests and their tests.

Each module that is written in Python alone is a program; its checks are the examples in its docstrings, and its test
module of the `test` package, which imports it as `program` instead.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from corpus import Honest

LIBRARY = Path(sysconfig.get_path("stdlib"))
EXAMPLES = (
    "_threading_local collections/__init__ datetime difflib enum fractions heapq ipaddress pickletools statistics "
    "tempfile uuid zipfile"
).split()
"""Modules with examples that need neither a network nor files."""
TESTED = (
    "base64 bisect cmd codeop colorsys copy difflib filecmp fnmatch fractions getopt heapq hmac ipaddress "
    "keyword netrc operator optparse pprint quopri sched shlex string stringprep symtable textwrap"
).split()
"""Modules with a test module of their own that stands in one file. Not among them: those whose tests skip themselves on
most machines, since a test that was skipped proves nothing here and passes in plain Python; nor those that
start another Python which imports the module, since a program that stands alone has no file here."""


def library() -> Iterator[Honest]:
    """All of them that this Python ships."""
    for name in EXAMPLES:
        if (path := LIBRARY / f"{name}.py").is_file():
            yield Honest(f"examples of {name.partition('/')[0]}", "doctest", path.read_text("utf-8"), "")
    for name in TESTED:
        source, tests = LIBRARY / f"{name}.py", LIBRARY / "test" / f"test_{name}.py"
        if source.is_file() and tests.is_file():
            text = importing_program(name, tests.read_text("utf-8"))
            yield Honest(f"tests of {name}", "tests", source.read_text("utf-8"), text)


def missing() -> list[str]:
    """What this Python does not ship of them, one a line."""
    wanted = [*(f"{name}.py" for name in (*EXAMPLES, *TESTED)), *(f"test/test_{name}.py" for name in TESTED)]
    return [path for path in wanted if not (LIBRARY / path).is_file()]


def importing_program(name: str, tests: str) -> str:
    """The text of a test module, with `program` wherever it imports the module of this name."""
    tests = re.sub(rf"^(\s*)import {name}$", rf"\1import program as {name}", tests, flags=re.MULTILINE)
    tests = re.sub(rf"^(\s*)from {name} import", r"\1from program import", tests, flags=re.MULTILINE)
    return re.sub(rf"import_fresh_module\((['\"]){name}\1", r'import_fresh_module("program"', tests)
