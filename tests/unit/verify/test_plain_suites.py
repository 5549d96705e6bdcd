"""Which suites can leave no trace in the judge that runs them?"""

from __future__ import annotations

import pytest

from regreen.types import Suite
from regreen.verify.plain_suites import is_plain_suite
from regreen.verify.suites import read_suite

PROGRAM = "def f(x):\n    return x\n"

PLAIN = (
    "assert f(1) == 1",
    "assert f([1, 2])[0] == 1 and not f(None)",
    "assert abs(f(1.5) - 1.5) < 1e-6",
    "for n in range(3):\n    assert f(n) == n, f'n is {n}'",
    "import math\nassert math.isclose(f(2.0), math.sqrt(4))",
    "assert sorted(f({'a': 1}).items()) == [('a', 1)]",
    "import random\nassert f(random.randint(0, 9)) < 10",
    "import random\ndice = random.Random(7)\nassert f(dice.choice([1])) == 1",
    "from random import randint, choice\nfor _ in range(9):\n    n = randint(0, 9)\n    assert f(n) == n",
    "from math import pi\nprint('pi')\nassert f(pi) == pi",
    "xs = [3, 1]\nassert f(xs) == xs and all(x in xs for x in f(xs))",
)
LIVELY = (
    "import os\nassert f(1) == 1",
    "import math\nmath.pi = 3\nassert f(1) == 1",
    "import math as m\nassert f(1) == 1",
    "math = f\nassert math.pi == 1",
    "assert f(eval('1')) == 1",
    "assert f(getattr(f, 'x', 1)) == 1",
    "assert f.__globals__ and f(1) == 1",
    "assert f(().__class__) == 1",
    "exec('import os')\nassert f(1) == 1",
    "def same(x):\n    return x\nassert same(f(1)) == 1",
    "key = lambda x: x\nassert f(key(1)) == 1",
    "class A: pass\nassert f(1) == 1",
    "from random import seed\nseed(1)\nassert f(1) == 1",
    "with open('x') as h:\n    assert f(1) == 1",
    "del f\nassert f(1) == 1",
    "try:\n    f(1)\nexcept Exception:\n    pass\nassert f(1) == 1",
    "import random\nrandom.seed(1)\nassert f(1) == 1",
    "from random import _os\nassert f(_os) == 1",
    "from random import choice as pick\nassert f(pick([1])) == 1",
    "from math import *\nassert f(1) == 1",
    "from sys import stdout\nassert f(1) == 1",
    "open = 1\nassert f(1) == 1",
    "assert '{0.__class__}'.format(f(1)) == ''",
)


def suite(text: str) -> Suite:
    """The suite of a test text."""
    return read_suite(text, program=PROGRAM, module="program", entry_point="f")


@pytest.mark.parametrize("text", PLAIN)
def test_assertions_about_calls_are_plain(text: str) -> None:
    """Nothing in them can change anything but names of their own."""
    assert is_plain_suite(suite(text))


@pytest.mark.parametrize("text", LIVELY)
def test_whatever_could_reach_the_interpreter_is_not_plain(text: str) -> None:
    """Attributes that are not known to be harmless, definitions, other imports and built-ins that reach further."""
    assert not is_plain_suite(suite(text))


def test_a_test_module_is_never_plain() -> None:
    """Its functions are code of its own."""
    assert not is_plain_suite(suite("def test_f():\n    assert f(1) == 1\n"))
