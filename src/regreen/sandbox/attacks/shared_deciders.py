"""Attacks on what the checks decide by: equality, functions, and the runners of tests; in shared mode, and apart."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import Attack, attack
from regreen.sandbox.attacks.decider_attack import (
    CLOSE,
    DECIDERS_PROMISE,
    EQUAL,
    EQUAL_METHOD,
    RAISES,
    RUN_PROMISE,
    WANTED,
    pytest_checks,
    soon_and_late,
    unittest_checks,
)

_EQUALS_ALL = "A value that equals everything proves nothing, wherever it is compared."


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
_COMPARISONS = {
    "in": f"assert Box(20).answer() in ('a', '{WANTED}')",
    "in, the other way round": f"assert '{WANTED}' in [Box(20).answer()]",
    "chained": f"assert '{WANTED}' == Box(20).answer() == '{WANTED}'",
    "and": f"assert Box(20).answer() == '{WANTED}' and 1 == 1",
    "not unequal": f"assert not Box(20).answer() != '{WANTED}'",
    "all": f"assert all(Box(n).answer() == '{WANTED}' for n in range(3))",
    "a loop": f"for number in [20, 21]:\n    assert Box(number).answer() == '{WANTED}'",
    "a variable": f"same = Box(20).answer() == '{WANTED}'\nassert same",
    "an order": "assert Box(20).number() < 20",
    "inside a dict": f"assert {{'a': Box(20).answer()}} == {{'a': '{WANTED}'}}",
}


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
    f"def test_answer(n):\n    assert answer(n) == '{WANTED}'\n"
)

_SHADOWS = """
import sys, types
yes = lambda *a: True
recorder = types.SimpleNamespace(compare=yes, truth=yes, vet=lambda v, *a: v, deny=yes, end=lambda v: v)
globals().update(__all__=["__regreen__", "AssertionError", "Box"], __regreen__=recorder, AssertionError=SystemExit)
if "__checks__" in sys.modules:
    sys.modules["__checks__"].AssertionError = SystemExit
"""


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
            checks=unittest_checks(f"self.{method}({arguments})"),
        )
        for method, arguments in (
            ("assertEqual", f"Box(20).answer(), '{WANTED}'"),
            ("assertIn", f"Box(20).answer(), ['{WANTED}']"),
            ("assertCountEqual", f"[Box(20).answer()], ['{WANTED}']"),
            ("assertLess", "Box(20).number(), 20"),
        )
    ),
    *(
        attack(f"pytest behind the wall: {name}", RUN_PROMISE, _STEERING.format(raised), checks=_APART)
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
        checks=pytest_checks(f"for number in (n, n + 1):\n    assert Box(number).answer() in ['{WANTED}']"),
    ),
    *soon_and_late(
        "math.isclose replaced",
        DECIDERS_PROMISE,
        "import math\nmath.isclose = lambda *a, **k: True",
        pytest_checks(CLOSE),
    ),
    *soon_and_late(
        "math.isclose replaced for a moment",
        DECIDERS_PROMISE,
        _FOR_A_MOMENT.format("math", "math.isclose"),
        pytest_checks("box = Box(n)\nassert math.isclose(box.number(), 20.5)"),
    ),
    *soon_and_late(
        "an assertion method replaced for a moment",
        DECIDERS_PROMISE,
        _FOR_A_MOMENT.format("unittest", "unittest.TestCase.assertEqual"),
        unittest_checks(f"box = Box(20)\nself.assertEqual(box.answer(), '{WANTED}')"),
    ),
    *soon_and_late(
        "pytest.raises replaced for a moment",
        DECIDERS_PROMISE,
        _FOR_A_MOMENT.format("pytest", "pytest.raises").replace("return True", "return contextlib.nullcontext()"),
        pytest_checks("box = Box(-1)\nwith pytest.raises(ValueError):\n    box.check()"),
    ),
    *soon_and_late(
        "pytest.raises made to swallow, once",
        DECIDERS_PROMISE,
        _FOR_A_MOMENT.format("pytest", "type(pytest.raises(ValueError)).__exit__"),
        pytest_checks("box = Box(-1)\nwith pytest.raises(ValueError):\n    box.check()"),
    ),
    *soon_and_late(
        "assertRaises made to swallow, once",
        DECIDERS_PROMISE,
        _FOR_A_MOMENT.format("unittest.case", "unittest.case._AssertRaisesContext.__exit__"),
        unittest_checks("box = Box(-1)\nwith self.assertRaises(ValueError):\n    box.check()"),
    ),
    *soon_and_late(
        "math.isclose replaced, in unittest",
        DECIDERS_PROMISE,
        "import math\nmath.isclose = lambda *a, **k: True",
        unittest_checks("self.assertTrue(math.isclose(Box(20).number(), 20.5))"),
    ),
    *soon_and_late(
        "abs replaced",
        DECIDERS_PROMISE,
        "import builtins\nbuiltins.abs = lambda n: 0",
        "assert abs(Box(20).number() - 20.5) < 1e-6\n",
    ),
    *soon_and_late(
        "round replaced",
        DECIDERS_PROMISE,
        "import builtins\nbuiltins.round = lambda *a: 20.5",
        "assert round(Box(20).number(), 1) == 20.5\n",
    ),
    *soon_and_late(
        "range replaced",
        DECIDERS_PROMISE,
        "import builtins\nbuiltins.range = lambda *a: ()",
        f"box = Box(20)\nfor n in range(3):\n    assert box.answer() == '{WANTED}'\n",
    ),
    *soon_and_late(
        "all, len, isinstance and sorted replaced",
        DECIDERS_PROMISE,
        """
        import builtins
        for name in ("all", "len", "isinstance", "sorted"):
            setattr(builtins, name, lambda *a: True)
        """,
        pytest_checks("assert all(Box(k).number() == 20.5 for k in [n])"),
    ),
    *soon_and_late(
        "pytest.raises replaced",
        DECIDERS_PROMISE,
        "import contextlib, pytest\npytest.raises = lambda *a, **k: contextlib.nullcontext()",
        pytest_checks(RAISES),
    ),
    *soon_and_late(
        "pytest.raises made to swallow",
        DECIDERS_PROMISE,
        """
        import sys
        for module in list(sys.modules.values()):
            for name in ("RaisesContext", "RaisesExc"):
                if hasattr(module, name):
                    getattr(module, name).__exit__ = lambda *a: True
        """,
        pytest_checks(RAISES),
    ),
    *soon_and_late(
        "pytest's test function made to do nothing",
        RUN_PROMISE,
        "import pytest\npytest.Function.runtest = lambda self: None",
        pytest_checks(EQUAL),
    ),
    *soon_and_late(
        "pytest's reports made to say that all is well",
        RUN_PROMISE,
        """
        import pytest
        pytest.TestReport.failed = property(lambda self: False)
        pytest.TestReport.passed = property(lambda self: True)
        """,
        pytest_checks(EQUAL),
    ),
    *soon_and_late(
        "pytest's calls made to swallow what is raised",
        RUN_PROMISE,
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
        pytest_checks(EQUAL),
    ),
    *soon_and_late(
        "a failure that is said to be expected",
        RUN_PROMISE,
        "import pytest\npytest.xfail('so it goes')",
        pytest_checks(EQUAL),
    ),
    *soon_and_late(
        "a failure said to be expected, where a comment has the word",
        RUN_PROMISE,
        "import pytest\npytest.Function.runtest = lambda self: pytest.xfail('so it goes')",
        pytest_checks(EQUAL, mark="  # not an xfail"),
    ),
    *soon_and_late(
        "the test marked as one that fails",
        RUN_PROMISE,
        """
        import gc, pytest
        for thing in gc.get_objects():
            if isinstance(thing, pytest.Function):
                thing.add_marker(pytest.mark.xfail)
        """,
        pytest_checks(EQUAL),
    ),
    *soon_and_late(
        "assertion methods that do nothing",
        DECIDERS_PROMISE,
        """
        import unittest
        for name in dir(unittest.TestCase):
            if name.startswith("assert"):
                setattr(unittest.TestCase, name, lambda *a, **k: None)
        """,
        unittest_checks(EQUAL_METHOD),
    ),
    *soon_and_late(
        "one assertion method that does nothing, a comment with the word xfail",
        DECIDERS_PROMISE,
        "import unittest\nunittest.TestCase.assertEqual.__code__ = (lambda *a, **k: None).__code__",
        unittest_checks(f"# xfail\n{EQUAL_METHOD}"),
    ),
    *soon_and_late(
        "the test's own methods replaced through its frame",
        DECIDERS_PROMISE,
        """
        import sys
        frame = sys._getframe()
        while frame is not None:
            me = frame.f_locals.get("self")
            if hasattr(me, "assertEqual"):
                me.assertEqual = me.assertNotEqual = lambda *a: None
            frame = frame.f_back
        """,
        unittest_checks(f"value = Box(20).answer()\nself.assertEqual(value, '{WANTED}')"),
    ),
    *soon_and_late(
        "unittest's own exception, which ends a test and tells nobody",
        RUN_PROMISE,
        "import unittest.case\nraise unittest.case._ShouldStop",
        unittest_checks(EQUAL_METHOD),
    ),
    *soon_and_late(
        "a name that rewritten assertions might look up",
        DECIDERS_PROMISE,
        _SHADOWS,
        pytest_checks(EQUAL),
    ),
)
