"""What checks touch of a program, and when they must share its process."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from regreen.types import Isolation, Surface
from regreen.verify import shared_world_needs, sharing_reasons
from regreen.verify.program_facts import read_program_facts
from regreen.verify.surface import surface_of, surface_of_statements

PROGRAM = '''
import math
import re as regex
from collections import Counter
from functools import lru_cache, partial

LIMIT = 10
TABLE = {"a": 1}
CACHE = {}
COUNT = 0
PATTERN = regex.compile("a")
twice = lambda x: 2 * x
thrice = partial(pow, 3)


class Problem(ValueError):
    """Raised for bad input."""


class Worse(Problem):
    pass


class Coded(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Stack:
    def push(self, x):
        pass


def f(x, key=None):
    if x is None:
        raise Problem("no")
    CACHE[x] = x
    return x


@lru_cache
def g(x):
    return [i for i in x]


def gen(x):
    yield x


def make(x):
    def inner(y):
        return x + y
    return inner


def compose(x):
    return lambda y: x


def lazy(xs):
    return map(str, xs)


def build():
    stack = Stack()
    stack.push(1)
    return stack


def rebuilt():
    return [build()]


def bump():
    global COUNT
    COUNT += 1


async def later(x):
    return x
'''


def touched(tests: str, program: str = PROGRAM) -> tuple[Surface, Isolation, str]:
    """The surface, isolation and reason of a test text whose program is the module `prog`."""
    return surface_of(program, tests, "prog")


@pytest.mark.parametrize(
    "tests",
    [
        "assert f(1) == 1",
        "from prog import f\nassert f(1, key=2) == 1",
        "from prog import *\nassert f([1, (2,)]) == 1",
        "import prog\nassert prog.f(1) == 1",
        "import prog as p\nassert p.f(1) == 1 and p.f.__name__ == 'f'",
        "from prog import f as candidate\nassert sorted([1], key=candidate) == [1]",
        "candidate = f\nassert list(map(candidate, [1])) == [1]",
        "import copy\nassert f(copy.deepcopy({'a': [1]})) == {'a': [1]}",
        "import math\nassert math.fabs(f(1) - math.pi) > 1 and f(math.inf)",
        "import random\nrandom.seed(3)\nassert f(random.random()) > 0",
        "assert f(1) is None or f(1) is True or type(f(1)) is int",
        "words = [len(w) for w in 'a b'.split()]\nassert f(words) == sorted(words, key=lambda w: w)",
        "assert f('a').upper() == 'A' and f([1]).count(1)",
        "def helper(f, x):\n    return f(x)\nassert helper(f, 1) == 1",
        "from unittest import *\nclass T(TestCase):\n    def test_a(self):\n        self.assertRaises(ValueError, f)",
        "result = f(1)\nassert isinstance(result, (int, float))",
    ],
)
def test_checks_that_exchange_plain_data_stay_behind_the_wall(tests: str) -> None:
    """Calls with plain arguments, and functions handed to the tests' own code, need no live object."""
    surface, isolation, reason = touched(tests)
    assert (isolation, reason) == (Isolation.SEPARATE, "")
    assert surface.functions == ("f",)


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        ("assert Stack().push(1) is None", "`Stack`"),
        ("assert isinstance(f(1), Stack)", "`Stack`"),
        ("try:\n    f(1)\nexcept Coded as e:\n    assert e.code", "`Coded`"),
        ("assert list(gen(1)) == [1]", "generator"),
        ("assert make(1)(2) == 3", "a function"),
        ("assert compose(1)", "a function"),
        ("assert lazy([1])", "`map`"),
        ("assert build()", "an instance of `Stack`"),
        ("assert rebuilt()", "live"),
        ("assert f(1).name == 'a'", "live object"),
        ("r = f(1)\nassert next(r)", "live object"),
        ("assert g([1]) and g.cache_info()", "`g.cache_info`"),
        ("c = g\nassert c([1])\nc.cache_clear()", "`c.cache_clear`"),
        ("assert f.__doc__", "`f.__doc__`"),
        ("assert f(lambda x: x)", "a function"),
        ("assert f(1, key=len)", "`len`"),
        ("cb = lambda: 1\nassert f(cb)", "a function"),
        ("def cb():\n    pass\nassert f(cb)", "`cb`"),
        ("assert f([str.upper])", "`str.upper`"),
        ("import operator\nassert f(operator.add)", "`operator.add`"),
        ("assert f(g) == 1", "of its own"),
        ("assert f(x for x in [1])", "generator"),
        ("assert f(iter([1]))", "`iter`"),
        ("assert f(open('x'))", "open"),
        ("class P:\n    pass\nassert f(P())", "`P`"),
        ("for a, b in [(lambda: 1, 2)]:\n    assert f(a) == b", "a function"),
        ("x = [1]\nassert f(x) is x", "identity"),
        ("import prog\nprog.LIMIT = 3\nassert prog.f(1)", "change `prog.LIMIT`"),
        ("import prog, importlib\nimportlib.reload(prog)\nassert prog.f(1)", "importlib"),
        ("import prog\nassert getattr(prog, 'f')(1)", "`prog` itself"),
        ("from unittest.mock import patch\nwith patch('prog.f'):\n    assert f(1)", "mock"),
        ("from unittest.mock import patch\nwith patch('time.time'):\n    assert f(1)", "mock"),
        ("from unittest import mock\nwith mock.patch.dict('os.environ'):\n    assert f(1)", "mock"),
        ("import mock\nassert f(1)", "mock"),
        ("import inspect\nassert 'for' in inspect.getsource(f)", "source"),
        ("import sys\nassert sys.modules['prog'].f(1)", "sys.modules"),
        ("import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n    f(1)\nassert f(1)", "prints"),
        ("import sys\nsys.stdin = None\nassert f(1)", "sys.stdin"),
        ("assert eval('f(1)') == 1", "eval"),
        ("bump()\nassert COUNT == 1", "`COUNT` changes"),
        ("f(1)\nassert CACHE == {1: 1}", "`CACHE` changes"),
        ("TABLE['b'] = 2\nassert f(1)", "`TABLE` changes"),
        ("assert PATTERN.match('a')", "`PATTERN`"),
        ("@f\ndef own(x):\n    return x\nassert own", "decorate"),
        ("import asyncio\nassert asyncio.run(asyncio.wait_for(later(1), 1))", "`later`"),
        ("assert Missing(1)", "`Missing`"),
    ],
)
def test_checks_that_need_more_than_calls_get_it(tests: str, words: str) -> None:
    """Each reason is said in words that name what cannot cross."""
    surface, isolation, reason = touched(tests)
    assert surface.by_handles is (isolation is Isolation.SEPARATE)
    assert words in reason


def test_a_program_that_reads_its_input_is_run_beside_its_tests() -> None:
    """Tests of such programs replace the input."""
    _, isolation, reason = touched("assert f() == 1", "def f():\n    return int(input())\n")
    assert isolation is Isolation.SHARED
    assert "standard input" in reason
    quiet = "def f():\n    return 1\n\nif __name__ == '__main__':\n    print(input())\n"
    assert touched("assert f() == 1", quiet)[1] is Isolation.SEPARATE


def test_random_draws_of_the_program_are_seeded_in_its_process() -> None:
    """A seed set by the checks counts only where the program draws."""
    program = "import random\n\ndef f(x):\n    random.shuffle(x)\n    return x\n"
    assert touched("import random\nrandom.seed(1)\nassert f([1]) == [1]", program)[1] is Isolation.SHARED


def test_constants_exceptions_and_imports_are_named() -> None:
    """Whatever the checks use of the program besides functions is stood in for."""
    tests = "assert math.floor(f(LIMIT)) == TABLE['a'] and Counter('a') and regex.sub('a', 'b', 'c')\n"
    surface, isolation, _ = touched(tests + "try:\n    f(None)\nexcept Worse:\n    pass\n")
    assert isolation is Isolation.SEPARATE
    assert surface.constants == ("LIMIT", "TABLE")
    assert set(surface.imports) == {"import math", "from collections import Counter", "import re as regex"}
    assert surface.exceptions == (("Problem", "ValueError"), ("Worse", "Problem"), ("Coded", "Exception"))


def test_coroutines_are_told_from_functions() -> None:
    """`asyncio.run(later(1))` and `await later(1)` can be stood in for."""
    surface, isolation, _ = touched("import asyncio\nassert asyncio.run(later(1)) == 1")
    assert (surface.functions, surface.coroutines, isolation) == ((), ("later",), Isolation.SEPARATE)
    assert touched("async def test_a():\n    assert await later(1) == 1")[0].coroutines == ("later",)


def test_functions_by_assignment_are_functions() -> None:
    """`twice = lambda` and `thrice = partial(...)` are called like any other."""
    surface, isolation, _ = touched("assert twice(1) == 2 and thrice(2) == 9")
    assert (surface.functions, isolation) == (("twice", "thrice"), Isolation.SEPARATE)


def test_a_name_that_the_program_lacks_is_still_stood_in_for() -> None:
    """A misspelt function fails when it is called; the import of one that is never called fails by itself."""
    assert touched("assert dubble(1) == 2")[0].functions == ("dubble",)
    assert touched("from prog import dubble\nassert True or dubble")[0].constants == ("dubble",)
    starred = "from math import *\n\ndef f(x):\n    return x\n"
    assert touched("assert floor(f(1)) == 1", starred)[0].imports == ("from math import *",)


def test_names_that_the_tests_define_shadow_the_program() -> None:
    """The tests' own helper is no function of the program."""
    surface, _, _ = touched("def f(x):\n    return x\nassert f(1) == g([1])")
    assert surface.functions == ("g",)


def test_a_program_with_a_syntax_error_is_read_by_its_lines() -> None:
    """What is to be repaired may be the syntax itself."""
    broken = "import math\n\ndef f(x)\n    return x\n\nasync def later(x):\n    return x\n\nclass Stack:\n    pass\n"
    surface, isolation, _ = touched("assert f(1) == math.floor(1.5)", broken)
    assert (surface.functions, surface.imports, isolation) == (("f",), ("import math",), Isolation.SEPARATE)
    assert touched("assert Stack()", broken)[0].by_handles


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("def f(x) -> Iterator[int]:\n    return helper(x)\n", "a live object"),
        ("def f(x) -> 'list[Node]':\n    return helper(x)\n", "an instance of `Node`"),
        ("def f(x):\n    out = []\n    out.append(Node())\n    return out\n", "an instance of `Node`"),
        ("def f(x):\n    found: dict = {}\n    found[x] = Node()\n    return found\n", "an instance of `Node`"),
        ("def f(x):\n    return [Node() for _ in x] or {x: Node()}\n", "an instance of `Node`"),
        ("def f(x):\n    return {x: Node() for x in x} if x else {Node()}\n", "an instance of `Node`"),
        ("def f(x):\n    return {1: (x for x in x)}\n", "a generator"),
        ("def f(x):\n    return partial(f, x)\n", "`partial`"),
        ("def f(x):\n    class Local:\n        pass\n    return Local()\n", "`Local`"),
        ("def g(x):\n    return Node()\n\ndef f(x):\n    return g(x)\n", "what `g` returns"),
        ("def f(x):\n    return Node\n", "a function or class"),
        ("async def f(x):\n    yield x\n", "a generator"),
    ],
)
def test_functions_that_hand_out_live_objects_are_found(body: str, words: str) -> None:
    """By what they return, directly or through a local or another function, or by what they say they return."""
    program = f"class Node:\n    pass\n\n{body}"
    surface, isolation, reason = touched("assert f([1]) == 1", program)
    assert surface.by_handles is (isolation is Isolation.SEPARATE)
    assert words in reason


@pytest.mark.parametrize(
    "body",
    [
        "def f(x):\n    node = Node()\n    return node.value\n",
        "def f(x):\n    return sorted(zip(x, x))\n",
        "def f(x):\n    return list(y for y in x)\n",
        "def f(x):\n    def inner(y):\n        return Node()\n    return len(inner(x).value)\n",
        "def f(x):\n    raise Problem('no')\n",
        "def f(x) -> Iterable[int]:\n    return [x]\n",
    ],
)
def test_functions_that_use_live_objects_only_inside_stay_separate(body: str) -> None:
    """What never leaves the function needs no sharing."""
    program = f"class Node:\n    pass\n\nclass Problem(Exception):\n    pass\n\n{body}"
    assert touched("assert f([1]) == 1", program)[1:] == (Isolation.SEPARATE, "")


def test_names_bound_in_any_way_are_seen() -> None:
    """Loops, `with`, unpacking and branches bind module-level names as well."""
    program = (
        "try:\n    import json\nexcept ImportError:\n    json = None\n"
        "for last in range(3):\n    pass\nwith open('x') as handle:\n    pass\n"
        "a, (b, c) = 1, (2, 3)\nTOTAL = 1\nTOTAL += 2\n"
        "def f(x):\n    return x\n\nalias = f\n\nasync def g(x):\n    return x\n\nother = g\n"
    )
    surface, _, _ = touched("assert alias(last) == a + b + c + TOTAL and json.dumps(1)", program)
    assert surface.functions == ("alias",)
    assert surface.constants == ("last", "a", "b", "c", "TOTAL")
    assert surface.imports == ("import json",)
    assert touched("import asyncio\nassert asyncio.run(other(1))", program)[0].coroutines == ("other",)


@pytest.mark.parametrize("name", ["f", "LIMIT", "Problem", "Stack", "regex", "later"])
def test_a_name_that_the_tests_import_and_never_read_is_there_to_import(name: str) -> None:
    """Plain Python imports it, so its import may not fail behind the wall, nor cost the wall."""
    surface, isolation, _ = touched(f"from prog import f, {name}\nassert f(1) == 1")
    exceptions = [exception for exception, _ in surface.exceptions]
    assert (name in (*surface.functions, *exceptions), isolation) == (True, Isolation.SEPARATE)


def test_every_reason_for_shared_mode_is_in_the_page() -> None:
    """A reader finds there what Regreen has said."""
    page = (Path(__file__).parents[3] / "docs" / "security.md").read_text()
    tables = (sharing_reasons._MODULES, sharing_reasons._ATTRIBUTES, sharing_reasons._NAMES)
    world = (shared_world_needs._MODULES, shared_world_needs._NAMES)
    said = {f"the checks {words}" for table in tables for words in table.values()}
    said |= {f"the checks {words.partition(' (')[0]}" for table in world for _, words in table.values()}
    assert {words for words in said if words not in page} == set()


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        ("import os\nassert f(1) == os.getpid()", "the checks use their process or its files (`os`: `getpid`)"),
        ("from os.path import islink\nf(1)\nassert islink('x')", "the checks use their process or its files"),
        ("assert id(f(1)) == 1", "the checks compare identity (`id`)"),
        ("f = max\nassert f(1, 2) == 2", "the checks define `f` anew"),
        ("import traceback\nassert f(1)", "the checks look at tracebacks"),
        ("import prog\nassert prog.__doc__ is None", "the checks look at `prog.__doc__`"),
        ("assert g.__name__ == 'g'", "the checks look at `g.__name__`"),
    ],
)
def test_what_separate_processes_cannot_share_is_a_reason(tests: str, reason: str) -> None:
    """Seen in the text of the tests."""
    surface, isolation, said = touched(tests)
    assert surface.by_handles is (isolation is Isolation.SEPARATE)
    assert said.startswith(reason)


@pytest.mark.parametrize(
    "tests", ["import os\nassert f(os.path.join('a', 'b')) and f.__name__", "import math\nassert f(math.nan)"]
)
def test_what_says_the_same_in_every_process_is_none(tests: str) -> None:
    """Such checks stay behind the wall."""
    assert touched(tests)[1] is Isolation.SEPARATE


STATEFUL = [
    ("import random\ndef f(): random.random()", "import random\ns = random.seed\ns(1)\nassert f()", "random numbers"),
    ("import random\ndef f(): random.seed(1)", "import random\nf()\nassert random.random()", "random numbers"),
    ("from decimal import *\ndef f(): getcontext()", "from decimal import Decimal\nassert f()", "decimal context"),
    ("import helper\ndef f(): helper.X.append(1)", "import helper\nf()\nassert helper.X", "the module `helper`"),
    (
        "import asyncio\nL = asyncio.Lock()\nasync def f(): 1",
        "import asyncio\nassert asyncio.run(f())",
        "one event loop",
    ),
]


@pytest.mark.parametrize(("program", "tests", "words"), STATEFUL)
def test_state_outside_of_the_program_is_shared(program: str, tests: str, words: str) -> None:
    """One side would not see what the other did to it."""
    _, isolation, said = surface_of(program, tests, None)
    assert isolation is Isolation.SHARED
    assert words in said


def test_checks_that_import_see_what_they_import() -> None:
    """And the built-in functions, not those of the program that bear their names."""
    program = "__all__ = ['f']\ndef f(): pass\ndef sum(xs): pass\ndef g(): pass"
    tests = "from {}\nassert sum([f()]) == 0 and g() == 1"
    facts = read_program_facts(program)
    for what, functions in (("prog import f", {"f"}), ("prog import *", {"f"}), ("prog import f, sum", {"f", "sum"})):
        body = ast.parse(tests.format(what)).body
        surface, _, _ = surface_of_statements(facts, body, "prog", one_namespace=False)
        assert {*surface.functions} == functions
