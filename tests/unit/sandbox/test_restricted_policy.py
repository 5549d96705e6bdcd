"""What the restricted sandbox lets a program say."""

from __future__ import annotations

import pytest

from regreen.sandbox.restricted_text import what_is_refused

ORDINARY = dict(
    block.split("\n", 1)
    for block in """
=== items
def f(xs):
    seen = {}
    for i, x in enumerate(xs):
        seen[x] = seen.get(x, 0)
        seen[x] += i
    return seen

=== attributes
class A:
    def __init__(self):
        self._n = 0

    def up(self):
        self._n += 1

=== unpacking
def f(p):
    a, (b, *c) = d = p
    return [x + y for x, y in zip(c, d)], {**a}, f(*b)

=== matching
def f(x):
    match x:
        case {'k': [v, *_]} if v > 0:
            return v
        case _:
            return None

=== closures
def f():
    n: int = 0

    def g():
        nonlocal n
        n += 1
        return n
    return g

=== classes
import abc

class P(abc.ABC, metaclass=abc.ABCMeta):
    def __eq__(self, o):
        return self.__class__ is o.__class__
    __rmul__ = __eq__

=== modules
from __future__ import annotations
import math, sys
from collections.abc import Iterable
BIG = sys.maxsize

=== names of its own
def _help(x):
    return x

def open(x):
    return _help(x)

def f(vars):
    return open(vars)

=== async
async def f(xs):
    async for x in xs:
        await x

=== getattr
def f(x):
    return getattr(x, 'real', None), hasattr(x, 'y')

=== printing
import sys

def f(x):
    print(x, file=sys.stderr)

=== main
if __name__ == '__main__':
    print('started')
""".split("=== ")[1:]
)
REFUSED = {
    "import os": "import os",
    "import os.path as p": "import os.path",
    "from os import remove": "from os import remove",
    "from . import a": "from . import a",
    "def f():\n    import subprocess": "Line 2: import subprocess",
    "open('x', 'w')": "open()",
    "g = eval\n": "eval()",
    "def f(x):\n    return x.__subclasses__()": "__subclasses__",
    "().__class__.__bases__": "__bases__",
    "import random\nrandom._os.remove('x')": "_os",
    "def f(x, n):\n    return getattr(x, n)": "getattr() with a name that is not written out",
    "def f(x):\n    return getattr(x, '__globals__')": "__globals__",
    "take = getattr": "getattr without a call",
    "import sys\nsys.modules['os']": "sys.modules",
    "import sys as s\nx = s": "the module sys as a value",
    "from sys import modules": "from sys import modules",
    "from io import open": "from io import open",
    "__builtins__": "__builtins__",
    "def f(g):\n    return g.gi_frame": "gi_frame",
    "class A:\n    def f(self, __import__):\n        pass": "__import__",
}


@pytest.mark.parametrize("kind", ORDINARY)
def test_ordinary_functions_are_run(kind: str) -> None:
    """What pure-Python programs say every day, what RestrictedPython by itself refuses of it included."""
    assert what_is_refused(ORDINARY[kind], {}) == ""


@pytest.mark.parametrize("text", REFUSED)
def test_what_leads_out_is_refused_by_name(text: str) -> None:
    """With the line, and in words that somebody can do something about."""
    told = what_is_refused(text, {})
    assert REFUSED[text] in told
    assert told.startswith("Line ")


def test_modules_beside_the_program_are_its_own_and_looked_at_too() -> None:
    """Each by itself; the one at fault is named."""
    program = "from helper import double\nfrom tools.more import half\n"
    beside = {"helper.py": "def double(x):\n    return 2 * x\n", "tools/more.py": "half = 2\n"}
    assert what_is_refused(program, beside) == ""
    assert what_is_refused(program, {**beside, "tools/more.py": "import shutil\n"}) == (
        "tools/more.py: Line 1: import shutil"
    )


def test_a_text_that_does_not_parse_is_left_to_its_verdict_where_the_grammar_is_ours() -> None:
    """A newer Python might parse it, and run what nobody has looked at."""
    assert what_is_refused("def f(:\n", {}) == ""
    assert "does not parse here" in what_is_refused("def f(:\n", {}, same_grammar=False)


def test_a_text_that_cannot_be_looked_at_is_not_run() -> None:
    """Nested too deep for the rules, which are recursive."""
    assert what_is_refused("x = " + "-" * 5_000 + "1", {}) != ""


def test_only_the_first_few_reasons_are_told() -> None:
    """The message is for reading."""
    told = what_is_refused("\n".join(f"import os{n}" for n in range(30)), {})
    assert told.count(";") == 3
    assert told.endswith("; ...")
