"""Every way of judging says the same of the same program: behind the wall or beside it, on any set of layers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from regreen.types import CheckResult, Isolation, JudgeOptions, Limits, Outcome, Verdict

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

Conduct = Callable[..., Verdict]

QUICK = Limits(seconds=0.3, total_seconds=10.0, memory_bytes=256 << 20, output_bytes=1 << 16)
DOUBLE = "def double(n):\n    return n * 2\n"


def outcomes(verdict: Verdict) -> list[str]:
    """The outcomes in the order of the checks."""
    return [result.outcome.value for result in verdict.results.values()]


def only(verdict: Verdict) -> CheckResult:
    """The one result of a verdict on one check."""
    (result,) = verdict.results.values()
    return result


def test_right_answers_pass(trial: Conduct, isolation: Isolation) -> None:
    """A program that answers rightly passes every check, and the verdict says where it was judged."""
    verdict = trial(DOUBLE, "assert double(2) == 4\nassert double('ab') == 'abab'\n")
    assert verdict.passed
    assert verdict.isolation is isolation


def test_a_name_that_is_imported_and_not_used_harms_nothing(trial: Conduct) -> None:
    """As in plain Python."""
    program = "LIMIT = object()\n\n\ndef add(a, b):\n    return a + b\n\n\ndef other():\n    return 1\n"
    assert trial(program, "from program import LIMIT, add, other\nassert add(1, 2) == 3\n").passed


def test_a_wrong_answer_is_told_with_what_was_expected(trial: Conduct) -> None:
    """A failed check shows both sides."""
    result = only(trial(DOUBLE, "assert double(2) == 5\n"))
    assert (result.outcome, result.expected, result.actual) == (Outcome.FAILED, "5", "4")


def test_the_line_of_the_tests_at_which_a_check_ended_is_told(trial: Conduct) -> None:
    """Of a test function the statement that failed, also where the program raised; nothing for one that passed."""
    program = DOUBLE + "\ndef risky(n):\n    raise ValueError(n)\n"
    functions = "def test_a():\n    x = 2\n    assert double(x) == 5\ndef test_b():\n    assert double(1) == 2\n"
    verdict = trial(program, f"{functions}def test_c():\n    risky(3)\n")
    assert [result.test_line for result in verdict.results.values()] == [3, None, 7]
    script = trial(program, "assert double(1) == 2\nfor n in (1, 2):\n    x = n\n    assert double(x) == 2\n")
    assert [result.test_line for result in script.results.values()] == [None, 4]


def test_where_an_object_lies_is_not_told(trial: Conduct) -> None:
    """Addresses differ from run to run: whatever quotes a verdict would differ, too."""
    program = "def make():\n    thing = lambda: 1\n    print(thing)\n    raise ValueError(thing)\n"
    verdict = trial(program, "assert make() == 1\n")
    said = only(verdict).detail + verdict.stdout
    assert said.count("<function make.<locals>.<lambda> at 0x...>") == 2
    assert not re.search(r"0x[0-9a-f]", said)


def test_an_exception_is_told_with_type_message_and_line(trial: Conduct) -> None:
    """A check whose call raises tells where in the program that was."""
    program = "def risky(n):\n    if n > 2:\n        raise ValueError('too big')\n    return n\n"
    result = only(trial(program, "assert risky(3) == 3\n"))
    assert result.outcome is Outcome.RAISED
    assert result.detail == "ValueError: too big (line 3)"


def test_an_exception_of_the_check_itself_names_no_line_of_the_program(trial: Conduct) -> None:
    """What a check does with an answer may raise, too."""
    result = only(trial("def none():\n    return None\n", "assert none().upper() == 'A'\n"))
    assert result.outcome is Outcome.RAISED
    assert result.detail.startswith("AttributeError")
    assert "(line" not in result.detail


ENDINGS = {
    "spins": ("while True:\n        pass", Outcome.TIMED_OUT),
    "sleeps": ("import time\n    time.sleep(60)", Outcome.TIMED_OUT),
    "is deaf in C code": ("return sum(range(10 ** 12))", Outcome.TIMED_OUT),
    "swallows every exception": (
        "while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass",
        Outcome.TIMED_OUT,
    ),
    "hoards": ("return len(bytearray(1 << 40))", Outcome.OUT_OF_MEMORY),
    "hoards bit by bit": (
        "hoard = []\n    while True:\n        hoard.append(bytes(1 << 20))",
        Outcome.OUT_OF_MEMORY,
    ),
    "prints without end": ("while True:\n        print('x' * 1000)", Outcome.OUTPUT_FLOOD),
    "leaves": ("import os\n    os._exit(0)", Outcome.CRASHED),
    "kills itself": ("import os\n    os.kill(os.getpid(), 11)", Outcome.CRASHED),
    "exits": ("raise SystemExit(0)", Outcome.RAISED),
    "interrupts": ("raise KeyboardInterrupt", Outcome.RAISED),
    "ends like a generator": ("raise GeneratorExit", Outcome.RAISED),
    "recurses": ("return trick()", Outcome.RAISED),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_ending_is_told_and_spoils_no_other_check(trial: Conduct, ending: str) -> None:
    """Whatever one check brings about, the checks before and after it say what they would say alone."""
    body, expected = ENDINGS[ending]
    program = f"{DOUBLE}def trick():\n    {body}\n"
    verdict = trial(
        program, "assert double(1) == 2\nassert trick() == 1\nassert double(2) == 4\nassert double(3) == 7\n"
    )
    assert outcomes(verdict) == ["passed", expected, "passed", "failed"], verdict


def test_a_check_of_many_calls_has_the_time_that_they_need(trial: Conduct) -> None:
    """Plain Python takes a thousandth of a second for these."""
    checks = "for n in range(4000):\n    assert double(n) == n + n\n"
    assert trial(DOUBLE, checks, limits=replace(QUICK, seconds=0.15)).passed


def test_state_is_kept_between_checks(trial: Conduct) -> None:
    """Checks share one program, as lines of one script do."""
    program = "calls = []\ndef count():\n    calls.append(1)\n    return len(calls)\n"
    assert trial(program, "assert count() == 1\nx = count()\nassert x == 2\nassert count() == 3\n").passed


def test_preparation_that_raises_leaves_the_checks_to_fail_by_themselves(trial: Conduct) -> None:
    """A statement that has nothing to do with the program decides nothing."""
    verdict = trial(DOUBLE, "y = int('no')\nassert double(1) == 2\nassert double(y) == 1\n")
    assert outcomes(verdict) == ["passed", "raised"]


RAISES = {
    "KeyError('k')": "KeyError",
    "OSError(2, 'gone', 'file')": "FileNotFoundError",
    "UnicodeDecodeError('utf-8', b'a', 0, 1, 'bad')": "UnicodeDecodeError",
    "StopIteration(3)": "StopIteration",
    "ZeroDivisionError()": "ZeroDivisionError",
    "Custom('own', 5)": "Custom",
    "Below('own')": "Custom",
}


@pytest.mark.parametrize("raised", RAISES)
def test_exceptions_cross_by_type_and_with_their_arguments(trial: Conduct, raised: str) -> None:
    """`except` and `args` work on the checks' side for what the program raises."""
    program = (
        f"class Custom(ValueError):\n    pass\nclass Below(Custom):\n    pass\ndef raiser():\n    raise {raised}\n"
    )
    tests = (
        "from program import raiser, Custom, Below\n"
        "def caught():\n    try:\n        raiser()\n"
        f"    except {RAISES[raised]} as error:\n        return error.args\n"
        f"assert caught() == {raised}.args\n"
    )
    verdict = trial(program, tests)
    assert verdict.passed, verdict


def test_constants_and_coroutines_are_at_hand(trial: Conduct) -> None:
    """Module-level values and `async def` functions can be used by the checks."""
    program = "LIMIT = {'a': [1, 2]}\nasync def later(n):\n    return n + 1\n"
    tests = (
        "import asyncio\nfrom program import LIMIT, later\n"
        "assert LIMIT['a'] == [1, 2]\nassert asyncio.run(later(1)) == 2\n"
    )
    verdict = trial(program, tests)
    assert verdict.passed, verdict


def test_companions_are_imported_by_the_program(trial: Conduct) -> None:
    """The user's other modules come along."""
    program = "import helper\nfrom package.inner import THREE\ndef f():\n    return helper.TWO + THREE\n"
    companions = {"helper.py": "TWO = 2\n", "package/inner.py": "THREE = 3\n"}
    verdict = trial(program, "assert f() == 5\n", companions=companions)
    assert verdict.passed, verdict


ALIASING = {
    "a list changed in place": ("xs.append(1)", "a = [3]\nf(a)\nassert a == [3, 1]\n"),
    "a dict changed in place": ("xs['k'] = 1", "a = {}\nf(a)\nassert a == {'k': 1}\n"),
    "a set changed in place": ("xs.clear()", "a = {3}\nf(a)\nassert a == set()\n"),
    "a change before a raise": (
        "xs.pop()\n    xs[5]",
        "a = [1]\ntry:\n    f(a)\nexcept IndexError:\n    pass\nassert a == []\n",
    ),
    "the answer is the argument": ("return xs", "a = [3]\nassert f(a) is a\n"),
    "the answer holds the argument": ("return [xs, xs]", "a = [3]\nassert f(a)[0] is a and f(a)[1] is a\n"),
    "the answer holds a part of the argument": (
        "return xs[:]",
        "a = [[3]]\nb = f(a)\nb[0][0] = 4\nassert a == [[4]]\n",
    ),
    "a copy is a copy": (
        "import copy\n    return copy.deepcopy(xs)",
        "a = [[3]]\nb = f(a)\nb[0][0] = 4\nassert a == [[3]]\n",
    ),
    "rows are moved, not rewritten": (
        "xs.reverse()",
        "p, q = [3], [1]\na = [p, q]\nf(a)\nassert a[0] is q and (p, q) == ([3], [1])\n",
    ),
    "a part is replaced by a new object": ("xs[0] = [5]", "p = [3]\na = [p]\nf(a)\nassert a == [[5]] and p == [3]\n"),
    "a part put into another part": ("xs[0].append(xs[1])", "p, q = [], [1]\na = [p, q]\nf(a)\nassert p[0] is q\n"),
    "a list inside a tuple": ("xs[0].append(2)", "p = [1]\nf((p,))\nassert p == [1, 2]\n"),
    "a value of a dict": ("xs['k'].append(2)", "p = [1]\nf({'k': p})\nassert p == [1, 2]\n"),
    "an argument that ends up in itself": ("xs.append(xs)", "a = []\nf(a)\nassert a[0] is a\n"),
}


@pytest.mark.parametrize("how", ALIASING)
def test_arguments_are_what_the_call_made_of_them(trial: Conduct, how: str) -> None:
    """Changes in place, and who is whom, are the same on both sides of the wall."""
    body, tests = ALIASING[how]
    verdict = trial(f"def f(xs):\n    {body}\n", tests)
    assert verdict.passed, verdict


def test_what_a_program_prints_is_kept(trial: Conduct) -> None:
    """The verdict carries what was printed."""
    verdict = trial("def f():\n    print('hello')\n    return 1\n", "assert f() == 1\n")
    assert verdict.passed
    assert "hello" in verdict.stdout


RESULTS = {
    "100 MB": ("'x' * (100 << 20)", "len(f()) == 100"),
    "a cycle": ("ring", "f() == []"),
    "nan": ("float('nan')", "f() == 1.0"),
    "a deep nest": ("deep", "f() == 1"),
    "a huge integer": ("7 ** 100000", "f() == 1"),
    "invalid text": ("'\\ud800'", "f() == 'a'"),
    "bytes": ("b'\\xff\\x00'", "f() == b''"),
}


@pytest.mark.parametrize("what", RESULTS)
def test_odd_results_are_wrong_answers_and_nothing_else(trial: Conduct, what: str) -> None:
    """No value that a program returns harms whoever looks at it."""
    value, check = RESULTS[what]
    program = (
        f"ring = []\nring.append(ring)\ndeep = []\nfor _ in range(5000):\n"
        f"    deep = [deep]\ndef f():\n    return {value}\n{DOUBLE}"
    )
    verdict = trial(program, f"assert {check}\nassert double(2) == 4\n", limits=replace(QUICK, seconds=2.0))
    first, second = verdict.results.values()
    assert first.outcome in (Outcome.FAILED, Outcome.RAISED, Outcome.UNJUDGEABLE, Outcome.OUT_OF_MEMORY), verdict
    assert second.outcome is Outcome.PASSED, verdict


LOADING = {
    "raises": ("import nowhere_to_be_found\n", Outcome.RAISED, "ModuleNotFoundError"),
    "is no Python": ("def double(n)\n    return n\n", Outcome.RAISED, "SyntaxError"),
    "hangs": ("while True:\n    pass\n", Outcome.TIMED_OUT, ""),
    "hangs in C code": ("x = sum(range(10 ** 12))\n", Outcome.TIMED_OUT, ""),
    "leaves": ("import os\nos._exit(3)\n", Outcome.CRASHED, "program"),
    "exits": ("raise SystemExit\n", Outcome.RAISED, "SystemExit"),
    "prints without end": ("while True:\n    print('x' * 1000)\n", Outcome.OUTPUT_FLOOD, ""),
}


@pytest.mark.parametrize("how", LOADING)
def test_a_program_that_does_not_load_fails_every_check_with_the_reason(trial: Conduct, how: str) -> None:
    """The end that loading came to is what each check says."""
    text, expected, detail = LOADING[how]
    verdict = trial(text + "def double(n):\n    return n * 2\n", "assert double(1) == 2\nassert double(2) == 4\n")
    assert outcomes(verdict) == [expected, expected], verdict
    assert all(detail in result.detail for result in verdict.results.values()), verdict


UNITTEST = """
import unittest
from program import double

class TestDouble(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.two = 2

    def setUp(self):
        self.one = 1

    def test_right(self):
        self.assertEqual(double(self.one), self.two)

    def test_wrong(self):
        self.assertEqual(double(2), 5)

    @unittest.skip("not now")
    def test_skipped(self):
        self.assertEqual(double(2), 5)

    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(double(2), 5)

    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(double(n), 2)

class TestHelper(unittest.IsolatedAsyncioTestCase):
    async def test_async(self):
        self.assertEqual(double(1), 2)
"""


def test_unittest_cases_run_with_their_fixtures(trial: Conduct) -> None:
    """Methods are judged one by one; a skip proves nothing."""
    verdict = trial(DOUBLE, UNITTEST)
    assert {check: result.outcome.value for check, result in verdict.results.items()} == {
        "TestDouble.test_right": "passed",
        "TestDouble.test_wrong": "failed",
        "TestDouble.test_skipped": "unjudgeable",
        "TestDouble.test_expected": "passed",
        "TestDouble.test_parts": "failed",
        "TestHelper.test_async": "passed",
    }


def test_test_functions_and_classes_are_judged_one_by_one(trial: Conduct) -> None:
    """Plain `test_*` functions need no runner."""
    tests = (
        "from program import double\ndef helper(n):\n    return double(n)\n"
        "def test_one():\n    assert helper(1) == 2\ndef test_two():\n    assert helper(2) == 5\n"
        "class TestMore:\n    def test_three(self):\n        assert double(3) == 6\n"
        "async def test_four():\n    assert double(4) == 8\n"
    )
    verdict = trial(DOUBLE, tests)
    assert outcomes(verdict) == ["passed", "failed", "passed", "passed"], verdict


def test_a_fast_verdict_ends_at_the_first_failure(trial: Conduct) -> None:
    """Whoever asks only whether all is well is told no at once."""
    verdict = trial(
        DOUBLE,
        "assert double(1) == 2\nassert double(2) == 5\nassert double(3) == 6\n",
        options=JudgeOptions(fail_fast=True),
    )
    assert outcomes(verdict) == ["passed", "failed"]
    assert not verdict.passed


def test_time_for_all_checks_together_is_bounded(trial: Conduct) -> None:
    """Many checks that hang do not add up beyond the limit for all."""
    tests = "".join(f"assert double({n}) == {n}\n" for n in range(40))
    limits = Limits(seconds=0.2, total_seconds=1.0)
    verdict = trial("import time\ndef double(n):\n    while True:\n        time.sleep(1)\n", tests, limits=limits)
    assert set(outcomes(verdict)) == {"timed_out"}
    assert len(verdict.results) == 40
    assert verdict.seconds < 4.0


BURNS = """
import time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds
def leave(seconds):
    burn(seconds)
    __import__("os")._exit(0)
"""


def test_each_check_is_charged_what_the_program_took_for_it(trial: Conduct) -> None:
    """CPU time is told check by check, however one ends: sleep costs none, nor is what an earlier one took counted."""
    tests = (
        "import time\nassert burn(0.1) == 0.1\nassert burn(0) == 1\nassert burn(60) == 60\n"
        "assert time.sleep(0.1) is None\nassert leave(0.1)\nassert burn(0.01) == 0.01\n"
    )
    verdict = trial(BURNS, tests, limits=replace(QUICK, seconds=0.5, total_seconds=60.0))
    assert outcomes(verdict) == ["passed", "failed", "timed_out", "passed", "crashed", "passed"]
    spent = [result.cpu_seconds for result in verdict.results.values()]
    assert [seconds > 0.09 for seconds in spent] == [True, False, True, False, True, False], spent


SWALLOWED: Sequence[tuple[str, Outcome]] = (
    ("while True: pass", Outcome.TIMED_OUT),
    ("import os; os._exit(0)", Outcome.CRASHED),
)


@pytest.mark.parametrize(("body", "expected"), SWALLOWED)
def test_a_check_that_swallows_everything_does_not_hide_an_end(
    trial: Conduct, isolation: Isolation, body: str, expected: Outcome
) -> None:
    """A bare `except` around a call that never came back is no pass, and the next check gets a sound program."""
    if isolation is Isolation.SHARED and expected is Outcome.TIMED_OUT:
        pytest.skip("in one process the exception that ends the time is the check's to catch")
    program = f"def f(n):\n    if n == 1:\n        {body}\n    return n\n"
    tests = (
        "def g(n):\n    try:\n        return f(n)\n    except:\n"
        "        return n\nassert g(1) == 1\nassert g(2) == 2\nassert f(3) == 3\n"
    )
    verdict = trial(program, tests)
    assert outcomes(verdict) == [expected, "passed", "passed"], verdict


def test_a_check_whose_own_loop_ends_in_the_middle_of_a_call_does_not_mix_up_answers(trial: Conduct) -> None:
    """After a check ran out of time between question and answer, the next question gets its own answer."""
    tests = (
        "def spin():\n    while True:\n        double(1)\n"
        + "assert spin() is None\nassert double(5) == 10\nassert double(6) == 12\n" * 2
    )
    verdict = trial(DOUBLE, tests, limits=replace(QUICK, total_seconds=60.0))
    assert outcomes(verdict) == ["timed_out", "passed", "passed"] * 2, verdict
