"""Attacks on what the checks decide by: equality, functions, and the runners of tests; in shared mode, and apart."""

from __future__ import annotations

from textwrap import dedent, indent

from regreen.sandbox.attacks.attack import EXPECTED_PREFIX, Attack, attack

_EQUALS_ALL = "A value that equals everything proves nothing, wherever it is compared."
_DECIDERS = "What the checks decide by is what it was before the program was loaded."
_RUN = "A test that was not run to its end has not passed."
_WANTED = f"{EXPECTED_PREFIX}4b1f-c7e2"

_ALWAYS = """
class Always:
    __hash__ = None

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __contains__ = __lt__

class Box:
    def __init__(self, value):
        pass

    def answer(self):
        return Always()

    def number(self):
        return Always()

    def check(self):
        pass
"""
_WRONG = """
class Box:
    def __init__(self, value):
        pass

    def answer(self):
        return "wrong"

    def number(self):
        return 7.0

    def check(self):
        pass
"""

_COMPARISONS = {
    "in": f"assert Box(20).answer() in ('a', '{_WANTED}')",
    "in, the other way round": f"assert '{_WANTED}' in [Box(20).answer()]",
    "chained": f"assert '{_WANTED}' == Box(20).answer() == '{_WANTED}'",
    "and": f"assert Box(20).answer() == '{_WANTED}' and 1 == 1",
    "not unequal": f"assert not Box(20).answer() != '{_WANTED}'",
    "all": f"assert all(Box(n).answer() == '{_WANTED}' for n in range(3))",
    "a loop": f"for number in [20, 21]:\n    assert Box(number).answer() == '{_WANTED}'",
    "a variable": f"same = Box(20).answer() == '{_WANTED}'\nassert same",
    "an order": "assert Box(20).number() < 20",
    "inside a dict": f"assert {{'a': Box(20).answer()}} == {{'a': '{_WANTED}'}}",
}


def _unittest(body: str) -> str:
    test = indent(dedent(body).strip("\n"), " " * 8)
    head = (
        "import math, unittest\nfrom program import Box\n\nclass TestBox(unittest.TestCase):\n    def test_box(self):\n"
    )
    return f"{head}{test}\n"


def _pytest(body: str, mark: str = "") -> str:
    test = indent(dedent(body).strip("\n"), " " * 4)
    head = "import math\nimport pytest\nfrom program import *\n\n@pytest.mark.parametrize('n', [20])\n"
    return f"{head}def test_box(n):{mark}\n{test}\n"


_EQUAL_METHOD = f"self.assertEqual(Box(20).answer(), '{_WANTED}')"
_EQUAL = f"assert Box(n).answer() == '{_WANTED}'"
_RAISES = "with pytest.raises(ValueError):\n    Box(-1).check()"
_CLOSE = "assert math.isclose(Box(20).number(), 20.5)"


_FOR_A_MOMENT = """
import contextlib, {0}
real = {1}
def once(*a, **k):
    {1} = real
    return True
{1} = once
"""

_STEERING = """
import pytest

pytest.raises = pytest.approx = pytest.Function.runtest = lambda *a, **k: None

def answer(x):
    raise {}
"""
_APART = (
    "import pytest\nfrom program import answer\n\n@pytest.mark.parametrize('n', [20])\n"
    f"def test_answer(n):\n    assert answer(n) == '{_WANTED}'\n"
)

_SHADOWS = """
import sys, types
yes = lambda *a: True
recorder = types.SimpleNamespace(compare=yes, truth=yes, vet=lambda v, *a: v, deny=yes, end=lambda v: v)
globals().update(__all__=["__regreen__", "AssertionError", "Box"], __regreen__=recorder, AssertionError=SystemExit)
if "__checks__" in sys.modules:
    sys.modules["__checks__"].AssertionError = SystemExit
"""


def _patch(name: str, promise: str, deed: str, checks: str) -> tuple[Attack, Attack]:
    """A deed done when the program is loaded, and the same done when it is first asked."""
    deed = dedent(deed).strip("\n")
    late = f"def deed():\n{indent(deed, '    ')}\n" + _WRONG.replace(
        "pass\n\n    def answer", "deed()\n\n    def answer"
    )
    return (
        attack(f"shared mode: {name}", promise, f"{deed}\n{_WRONG}", checks=checks),
        attack(f"shared mode: {name}, late", promise, late, checks=checks),
    )


DECIDERS: tuple[Attack, ...] = (
    *(
        attack(f"shared mode: always equal, {where}", _EQUALS_ALL, _ALWAYS, checks=f"{text}\n")
        for where, text in _COMPARISONS.items()
    ),
    *(
        attack(
            f"shared mode: always equal, {method}",
            _EQUALS_ALL,
            _ALWAYS,
            checks=_unittest(f"self.{method}({arguments})"),
        )
        for method, arguments in (
            ("assertEqual", f"Box(20).answer(), '{_WANTED}'"),
            ("assertIn", f"Box(20).answer(), ['{_WANTED}']"),
            ("assertCountEqual", f"[Box(20).answer()], ['{_WANTED}']"),
            ("assertLess", "Box(20).number(), 20"),
        )
    ),
    *(
        attack(f"pytest behind the wall: {name}", _RUN, _STEERING.format(raised), checks=_APART)
        for name, raised in (
            ("skipped", "pytest.skip.Exception('not now')"),
            ("expected to fail", "pytest.xfail.Exception('so it goes')"),
            ("ended", "pytest.exit.Exception('done', returncode=0)"),
        )
    ),
    attack(
        "pytest behind the wall: always equal",
        _EQUALS_ALL,
        _ALWAYS.partition("class Box")[0] + "def answer(x):\n    return Always()\n",
        checks=_APART,
    ),
    attack(
        "shared mode: always equal, in a test of pytest's",
        _EQUALS_ALL,
        _ALWAYS,
        checks=_pytest(f"for number in (n, n + 1):\n    assert Box(number).answer() in ['{_WANTED}']"),
    ),
    *_patch("math.isclose replaced", _DECIDERS, "import math\nmath.isclose = lambda *a, **k: True", _pytest(_CLOSE)),
    *_patch(
        "math.isclose replaced for a moment",
        _DECIDERS,
        _FOR_A_MOMENT.format("math", "math.isclose"),
        _pytest("box = Box(n)\nassert math.isclose(box.number(), 20.5)"),
    ),
    *_patch(
        "an assertion method replaced for a moment",
        _DECIDERS,
        _FOR_A_MOMENT.format("unittest", "unittest.TestCase.assertEqual"),
        _unittest(f"box = Box(20)\nself.assertEqual(box.answer(), '{_WANTED}')"),
    ),
    *_patch(
        "pytest.raises replaced for a moment",
        _DECIDERS,
        _FOR_A_MOMENT.format("pytest", "pytest.raises").replace("return True", "return contextlib.nullcontext()"),
        _pytest("box = Box(-1)\nwith pytest.raises(ValueError):\n    box.check()"),
    ),
    *_patch(
        "pytest.raises made to swallow, once",
        _DECIDERS,
        _FOR_A_MOMENT.format("pytest", "type(pytest.raises(ValueError)).__exit__"),
        _pytest("box = Box(-1)\nwith pytest.raises(ValueError):\n    box.check()"),
    ),
    *_patch(
        "assertRaises made to swallow, once",
        _DECIDERS,
        _FOR_A_MOMENT.format("unittest.case", "unittest.case._AssertRaisesContext.__exit__"),
        _unittest("box = Box(-1)\nwith self.assertRaises(ValueError):\n    box.check()"),
    ),
    *_patch(
        "math.isclose replaced, in unittest",
        _DECIDERS,
        "import math\nmath.isclose = lambda *a, **k: True",
        _unittest("self.assertTrue(math.isclose(Box(20).number(), 20.5))"),
    ),
    *_patch(
        "abs replaced",
        _DECIDERS,
        "import builtins\nbuiltins.abs = lambda n: 0",
        "assert abs(Box(20).number() - 20.5) < 1e-6\n",
    ),
    *_patch(
        "round replaced",
        _DECIDERS,
        "import builtins\nbuiltins.round = lambda *a: 20.5",
        "assert round(Box(20).number(), 1) == 20.5\n",
    ),
    *_patch(
        "range replaced",
        _DECIDERS,
        "import builtins\nbuiltins.range = lambda *a: ()",
        f"box = Box(20)\nfor n in range(3):\n    assert box.answer() == '{_WANTED}'\n",
    ),
    *_patch(
        "all, len, isinstance and sorted replaced",
        _DECIDERS,
        """
        import builtins
        for name in ("all", "len", "isinstance", "sorted"):
            setattr(builtins, name, lambda *a: True)
        """,
        _pytest("assert all(Box(k).number() == 20.5 for k in [n])"),
    ),
    *_patch(
        "pytest.raises replaced",
        _DECIDERS,
        "import contextlib, pytest\npytest.raises = lambda *a, **k: contextlib.nullcontext()",
        _pytest(_RAISES),
    ),
    *_patch(
        "pytest.raises made to swallow",
        _DECIDERS,
        """
        import sys
        for module in list(sys.modules.values()):
            for name in ("RaisesContext", "RaisesExc"):
                if hasattr(module, name):
                    getattr(module, name).__exit__ = lambda *a: True
        """,
        _pytest(_RAISES),
    ),
    *_patch(
        "pytest's test function made to do nothing",
        _RUN,
        "import pytest\npytest.Function.runtest = lambda self: None",
        _pytest(_EQUAL),
    ),
    *_patch(
        "pytest's reports made to say that all is well",
        _RUN,
        """
        import pytest
        pytest.TestReport.failed = property(lambda self: False)
        pytest.TestReport.passed = property(lambda self: True)
        """,
        _pytest(_EQUAL),
    ),
    *_patch(
        "pytest's calls made to swallow what is raised",
        _RUN,
        """
        import pytest
        real = pytest.CallInfo.from_call.__func__
        def from_call(cls, func, when, reraise=None):
            def quiet():
                try:
                    func()
                except Exception:
                    pass
            return real(cls, quiet, when, reraise)
        pytest.CallInfo.from_call = classmethod(from_call)
        """,
        _pytest(_EQUAL),
    ),
    *_patch(
        "a failure that is said to be expected", _RUN, "import pytest\npytest.xfail('so it goes')", _pytest(_EQUAL)
    ),
    *_patch(
        "a failure said to be expected, where a comment has the word",
        _RUN,
        "import pytest\npytest.Function.runtest = lambda self: pytest.xfail('so it goes')",
        _pytest(_EQUAL, mark="  # not an xfail"),
    ),
    *_patch(
        "the test marked as one that fails",
        _RUN,
        """
        import gc, pytest
        for thing in gc.get_objects():
            if isinstance(thing, pytest.Function):
                thing.add_marker(pytest.mark.xfail)
        """,
        _pytest(_EQUAL),
    ),
    *_patch(
        "assertion methods that do nothing",
        _DECIDERS,
        """
        import unittest
        for name in dir(unittest.TestCase):
            if name.startswith("assert"):
                setattr(unittest.TestCase, name, lambda *a, **k: None)
        """,
        _unittest(_EQUAL_METHOD),
    ),
    *_patch(
        "one assertion method that does nothing, a comment with the word xfail",
        _DECIDERS,
        "import unittest\nunittest.TestCase.assertEqual.__code__ = (lambda *a, **k: None).__code__",
        _unittest(f"# xfail\n{_EQUAL_METHOD}"),
    ),
    *_patch(
        "the test's own methods replaced through its frame",
        _DECIDERS,
        """
        import sys
        frame = sys._getframe()
        while frame is not None:
            me = frame.f_locals.get("self")
            if hasattr(me, "assertEqual"):
                me.assertEqual = me.assertNotEqual = lambda *a: None
            frame = frame.f_back
        """,
        _unittest(f"value = Box(20).answer()\nself.assertEqual(value, '{_WANTED}')"),
    ),
    *_patch(
        "unittest's own exception, which ends a test and tells nobody",
        _RUN,
        "import unittest.case\nraise unittest.case._ShouldStop",
        _unittest(_EQUAL_METHOD),
    ),
    *_patch(
        "a name that rewritten assertions might look up",
        _DECIDERS,
        _SHADOWS,
        _pytest(_EQUAL),
    ),
)
