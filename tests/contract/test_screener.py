"""What a screener says of many small changes of one program, whatever some of them do to it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import pytest

from regreen.sandbox.pool import Pool
from regreen.select.inputs.scenarios import Scenario
from regreen.strategies.choosing.behaviours import questions_suite
from regreen.strategies.searching.search_pace import MutationLimits
from regreen.syntax import parse
from regreen.types import Check, Edit, Limits, Suite, SuiteKind
from regreen.verify.screener_pool import ScreenerPool, open_screeners
from regreen.verify.screening import ProgramTrace, ScreeningLimits, ScreeningResult, TraceOrder
from regreen.verify.suites import read_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=0.5, memory_bytes=256 << 20)
ALLOWANCE = ScreeningLimits(ticks=50_000, seconds=0.1)


def edits(source: str, *changes: tuple[str, str]) -> list[Edit]:
    """Each first text, which must occur once, replaced by the second."""
    assert all(source.count(old) == 1 for old, _ in changes)
    return sorted(
        (Edit(source.index(old), source.index(old) + len(old), new) for old, new in changes), key=lambda e: e.start
    )


def screened(
    pool: Pool, source: str, tests: str, *mutations: list[Edit], green: frozenset[str] = frozenset(), size: int = 1
) -> list[ScreeningResult]:
    """What is said of each mutation."""
    suite = read_suite(tests, program=source, module="program", entry_point=None)
    with open_screeners(pool, source, suite, LIMITS, {}, size=size) as team:
        return team.screen(mutations, green, ALLOWANCE)


def traced(
    pool: Pool, source: str, tests: str, companions: Mapping[str, str] | None = None, **known: tuple[str, ...]
) -> ProgramTrace:
    """What is seen of the program as it is."""
    suite = read_suite(tests, program=source, module="program", entry_point=None)
    with open_screeners(pool, source, suite, LIMITS, companions or {}, size=1) as team:
        return team.trace(TraceOrder(LIMITS.seconds, **known))


TOTAL = "def total(n):\n    return sum(add(i, 0) for i in range(n))\n"
ADD = "def add(a, b):\n    return a - b\n"
ADD_TESTS = "assert add(0, 0) == 0\nassert add(1, 2) == 3\n"
RIGHT = edits(ADD, ("a - b", "a + b"))
CULPRITS = {
    "leaves": ("__import__('os')._exit(0)", "crashed"),
    "kills itself": ("__import__('os').kill(__import__('os').getpid(), 9)", "crashed"),
    "is deaf in C code": ("sum(range(10 ** 12))", "hung"),
    "is nearly deaf": ("10 ** 10 ** 9", "hung"),
    "hoards": ("len(bytearray(1 << 40))", "memory"),
    "hoards bit by bit": ("[bytes(64 << 20) for _ in range(10 ** 6)]", "memory"),
    "sleeps": ("__import__('time').sleep(60)", "hung"),
    "spins": ("[0 for _ in iter(int, 1)]", "hung"),
    "prints without end": ("[print('x' * 1000) for _ in iter(int, 1)]", "hung"),
    "exits": ("exit()", "failed"),
    "interrupts": ("(_ for _ in ()).throw(KeyboardInterrupt)", "failed"),
    "is no Python": ("a -", "broken"),
    "is none in the compiler's eyes": ("(yield := 1)", "broken"),
}


@pytest.mark.parametrize("culprit", CULPRITS)
def test_a_bad_mutation_costs_only_itself(pool: Pool, culprit: str) -> None:
    """Answers come in the order of the questions, and those around a culprit are what they would be without it."""
    text, status = CULPRITS[culprit]
    bad, wrong = edits(ADD, ("a - b", text)), edits(ADD, ("a - b", "b - a"))
    said = screened(pool, ADD, ADD_TESTS, RIGHT, bad, wrong, RIGHT, bad, RIGHT)
    assert [tried.status for tried in said] == ["passed", status, "failed", "passed", status, "passed"]
    assert said[2].passed == {"check-1"}


SPINS = {
    "a loop": "while True:\n        pass",
    "a loop over an iterator": "for _ in iter(int, 1):\n        pass",
    "a comprehension": "[0 for _ in iter(int, 1) if False]",
    "an inner comprehension": "[0 for _ in iter(int, 1) for _ in ()]",
    "a generator": "return max(_ for _ in iter(int, 1) if _)",
    "a call that branches": "return add(a, b - 1) + add(a, b - 1) if b > -90 else 0",
    "a lambda": "return max(iter(lambda: 1, 0))",
    "what swallows the end": (
        "while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass"
    ),
    "what makes an answer of the end": (
        "try:\n        while True:\n            pass\n    except BaseException:\n        return a + b"
    ),
}


def test_the_values_at_a_line_are_told_with_what_the_call_should_return(pool: Pool) -> None:
    """Plain data and attributes that hold it; nothing of objects, whose methods are not called."""
    source = (
        "class A:\n    def __init__(self):\n        self.k = 1\n    def __repr__(self):\n        raise OSError\n"
        "    def f(self, x):\n        y = [x, self.k]\n        return sum(y)\n"
    )
    tests = "assert A().f(1) == 2\nassert A().f(3) == 7\n"
    suite = read_suite(tests, program=source, module="program", entry_point=None)
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        green, red = team.visits([8], frozenset({"check-1"}), ALLOWANCE)
    assert (green.check, green.is_red, green.line, green.should_return) == ("check-1", False, 8, (2,))
    assert (red.values, red.should_return) == ({"x": 3, "y": [3, 1], "self.k": 1}, (7,))


def test_questions_are_answered_by_each_mutation(pool: Pool) -> None:
    """A value as it is written, an exception by its name, and what does not end; each asked of the program anew.

    No check tells -0.0 from 0.0, so that they are one answer."""
    source = "seen = []\ndef f(x):\n    seen.append(x)\n    return [x, len(seen), object]\n"
    wrong, no_zero, endless = (
        edits(source, ("[x, len(seen), object]", "1 / x")),
        edits(source, ("[x, len(seen), object]", "[-0.0, '-0.0']")),
        edits(source, ("[x,", "[[0 for _ in iter(int, 1)],")),
    )
    scenarios = [Scenario((), parse(call).body[0].value) for call in ("f(2)", "f(0)")]  # type: ignore[attr-defined]
    suite = questions_suite(Suite(SuiteKind.SCRIPT, "", (), module="program"), scenarios)
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        said = team.screen([[Edit(0, 0, "")], wrong, no_zero, endless], frozenset(), replace(ALLOWANCE, observes=True))
    assert [result.observed for result in said] == [
        ("[2, 1, <class 'object'>]", "[0, 1, <class 'object'>]"),
        ("0.5", "raises ZeroDivisionError"),
        ("[0.0, '-0.0']", "[0.0, '-0.0']"),
        ("hangs", "hangs"),
    ]


def test_what_a_clock_cut_short_is_tried_again_by_itself(pool: Pool) -> None:
    """A busy machine may make it slow; with four times the CPU seconds it comes to its end, or hangs on any machine."""
    suite = read_suite(ADD_TESTS, program=ADD, module="program", entry_point=None)
    burn = "(lambda t: [0 for _ in iter(lambda: t() < 50_000_000 + now, False)] and a + b)(t)"
    slow = edits(ADD, ("    return a - b", f"    from time import process_time_ns as t; now = t()\n    return {burn}"))
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=1) as team:
        said = [team.screen([slow], frozenset(), ScreeningLimits(1 << 30, seconds))[0] for seconds in (0.06, 0.01)]
    assert [tried.status for tried in said] == ["passed", "hung"]


@pytest.mark.parametrize("spin", SPINS)
def test_what_goes_on_and_on_is_ended_by_its_ticks(pool: Pool, spin: str) -> None:
    """However it goes on, and whatever it makes of being stopped; its time is not needed."""
    suite = read_suite("assert add(1, 2) == 3\n", program=ADD, module="program", entry_point=None)
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=1) as team:
        started = time.monotonic()
        (said,) = team.screen([edits(ADD, ("return a - b", SPINS[spin]))], frozenset(), ScreeningLimits(5_000, 1e3))
    assert said.status == "hung"
    assert time.monotonic() - started < 100


def test_loops_of_the_checks_tick_too(pool: Pool) -> None:
    """A mutation that gives a test no end to find hangs as one that has none itself."""
    source = "def follow(n):\n    return n - 1\n"
    tests = "def test_it():\n    n = 3\n    while n:\n        n = follow(n)\n    assert n == 0\n"
    suite = read_suite(tests, program=source, module="program", entry_point=None)
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        changes = [edits(source, ("n - 1", text)) for text in ("n", "n - 2 + 1")]
        said = team.screen(changes, frozenset(), ScreeningLimits(5_000, 1e3))
    assert [tried.status for tried in said] == ["hung", "passed"]


def test_ticks_are_counted_alike_each_time(pool: Pool) -> None:
    """What needs exactly what it is given passes, and hangs with one less: with every run the same."""
    source = "def f(n):\n    return n\n"
    suite = read_suite("assert f(100) == 4950\n", program=source, module="program", entry_point=None)
    adds_up = edits(source, ("return n", "s = 0\n    for i in range(n):\n        s += i\n    return s"))
    with open_screeners(pool, source, suite, LIMITS, {}, size=2) as team:
        for ticks, status in ((101, "passed"), (100, "hung")):
            said = team.screen([adds_up] * 80, frozenset(), ScreeningLimits(ticks, 10.0))
            assert {tried.status for tried in said} == {status}


def test_after_its_end_nothing_more_is_tried(pool: Pool) -> None:
    """The answers are those of the first mutations, though several screeners shared the work."""
    suite = read_suite(ADD_TESTS, program=ADD, module="program", entry_point=None)
    slow = edits(ADD, ("a - b", "sum(range(3 * 10 ** 5)) * 0 + a + b"))
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=2) as team:
        said = team.screen([slow] * 2_000, frozenset(), ALLOWANCE, time.monotonic() + 0.5)
        assert 0 < len(said) < 2_000
        assert team.screen([slow] * 80, frozenset(), ALLOWANCE, time.monotonic() - 1) == []


def test_screeners_that_were_stopped_give_no_more_answers(pool: Pool) -> None:
    """Whoever interrupts a search does not wait for what is under way."""
    suite = read_suite(ADD_TESTS, program=ADD, module="program", entry_point=None)
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=2) as team:
        assert len(team.screen([RIGHT] * 80, frozenset(), ALLOWANCE)) == 80
        team.stop_after_current()
        assert team.screen([RIGHT] * 80, frozenset(), ALLOWANCE) == []


def test_a_check_that_hangs_is_seen_at_the_same_line_each_time(pool: Pool) -> None:
    """Where it was when its ticks were spent, not when a clock rang."""
    source = (
        "def f(n):\n    while n:\n        n += 1\n        n -= 1\n        n *= 1\n        n = abs(n)\n    return n\n"
    )
    seen = [traced(pool, source, "assert f(1) == 0\n", hanging=("check-1",)) for _ in range(4)]
    assert {s.hung["check-1"] for s in seen} == {(3,)}


def test_answers_of_several_screeners_come_in_order(pool: Pool) -> None:
    """The work is shared, the order kept."""
    wrong = edits(ADD, ("a - b", "7"))
    mutations = [RIGHT if n % 3 == 0 else wrong for n in range(80)]
    said = screened(pool, ADD, ADD_TESTS, *mutations, size=2)
    assert [tried.status == "passed" for tried in said] == [n % 3 == 0 for n in range(80)]


def test_a_mutation_that_breaks_a_green_check_is_left_at_once(pool: Pool) -> None:
    """What follows the broken check is not run, and counts as not passed."""
    tests = "assert add(0, 0) == 0\nassert add(1, 2) == 3\nassert add(1, 1) == 2\n"
    wrong = edits(ADD, ("a - b", "a + b + (a == b == 0)"))
    (left,) = screened(pool, ADD, tests, wrong, green=frozenset({"check-1"}))
    (whole,) = screened(pool, ADD, tests, wrong)
    assert left.passed == frozenset()
    assert whole.passed == {"check-2", "check-3"}


NOISY = "def add(a, b):\n    print('x' * 70_000)\n    return a - b\n"
LISTENING = (
    "import contextlib, io\nheard = io.StringIO()\nwith contextlib.redirect_stdout(heard):\n    add(1, 2)\n"
    "assert heard.getvalue().count('x') == 70_000\nassert add(1, 2) == 3\n"
)


@pytest.mark.parametrize("tests", [ADD_TESTS, LISTENING], ids=["nobody listens", "a check listens"])
def test_what_a_program_prints_does_not_hide_its_repair(pool: Pool, tests: str) -> None:
    """Output that nobody reads has no limit in screening; what a check reads is all there."""
    said = screened(pool, NOISY, tests, edits(NOISY, ("a - b", "a + b")), edits(NOISY, ("70_000", "7"), ("a - b", "5")))
    assert [tried.status for tried in said] == ["passed", "failed"]


def test_each_check_of_the_given_program_may_print_as_much_as_the_judge_allows(pool: Pool) -> None:
    """One after the other, not all together."""
    source = NOISY.replace("70_000", "700_000")
    seen = traced(pool, source, "assert add(0, 0) == 0\nassert add(2, 0) == 2\nassert add(1, 2) == 3\n")
    assert [seen.results[f"check-{n}"].outcome.value for n in (1, 2, 3)] == ["passed", "passed", "failed"]


def test_nearer_answers_have_smaller_distances(pool: Pool) -> None:
    """A mutation that is off by one is nearer than one that answers nonsense."""
    near, far, raises = (edits(ADD, ("a - b", text)) for text in ("a + b + 1", "'no'", "a[b]"))
    said = screened(pool, ADD, ADD_TESTS, near, far, raises)
    assert said[0].distance < said[1].distance <= said[2].distance


def test_a_test_that_gets_further_is_nearer(pool: Pool) -> None:
    """Who passes the first of three assertions is nearer, though the answer that fails is farther off than before."""
    tests = "def test_all():\n    assert add(0, 1) == 1\n    assert add(1, 1) == 2\n    assert add(2, 2) == 4\n"
    first, second = (edits(ADD, ("a - b", text)) for text in ("b", "a + b if a < 2 else 'no'"))
    said = screened(pool, ADD, tests, edits(ADD, ("a - b", "a * b")), first, second)
    assert said[2].distance < said[1].distance < said[0].distance


TWO_ERRORS = "def f(x):\n    if x:\n        y = xx\n        z = yy\n    return x\n"


@pytest.mark.parametrize(
    ("change", "gets_further"),
    [
        (("xx", "x"), True),
        (("y = xx\n", "pass\n        w = xx\n"), False),
        (("        z", "        pass\n        z"), False),
    ],
)
def test_an_error_in_a_line_that_no_check_reached_is_further(
    pool: Pool, change: tuple[str, str], gets_further: bool
) -> None:
    """The first of two errors is mended then; lines that a change only moves are the same lines."""
    suite = read_suite("assert f(1) == 1\n", program=TWO_ERRORS, module="program", entry_point=None)
    with open_screeners(pool, TWO_ERRORS, suite, LIMITS, {}, size=1) as team:
        limits = MutationLimits.of(team.trace(TraceOrder(LIMITS.seconds)), 1.0).first
        (told,) = team.screen([edits(TWO_ERRORS, change)], frozenset(), limits)
    assert (told.status, told.got_past > 0, told.distance < 1) == ("failed", gets_further, gets_further)


KEYED = "def f(x):\n    groups = {}\n    key = [x]\n    if key in groups:\n        return x\n    groups[key] = x\n"


def test_the_same_value_as_a_key_elsewhere_is_no_further(pool: Pool) -> None:
    """Whoever avoids the first line that cannot hash it meets it in the next one."""
    suite = read_suite("assert f(1) == 1\n", program=KEYED, module="program", entry_point=None)
    with open_screeners(pool, KEYED, suite, LIMITS, {}, size=1) as team:
        limits = MutationLimits.of(team.trace(TraceOrder(LIMITS.seconds)), 1.0).first
        avoided = edits(KEYED, ("key in groups", "key == groups"))
        other = edits(KEYED, ("key in groups", "key == groups or x[0]"))
        told = team.screen([avoided, other], frozenset(), limits)
    assert [one.got_past > 0 for one in told] == [False, True]


def test_dice_fall_the_same_for_each_mutation(pool: Pool) -> None:
    """`random` is seeded before each."""
    source = "import random\ndef roll():\n    return 0\n"
    seed = "import random\nrandom.seed(0)\n"
    right = edits(source, ("return 0", "return random.random()"))
    said = screened(
        pool, source, f"{seed}first = random.random()\nrandom.seed(0)\nassert roll() == first\n", right, right
    )
    assert [tried.status for tried in said] == ["passed", "passed"]


def test_state_of_one_mutation_does_not_reach_the_next(pool: Pool) -> None:
    """Each has a module of its own."""
    source = "seen = []\ndef count():\n    seen.append(1)\n    return 0\n"
    right = edits(source, ("return 0", "return len(seen)"))
    said = screened(pool, source, "assert count() == 1\n", right, right, right)
    assert [tried.status for tried in said] == ["passed"] * 3


PLACES = {
    "a decorated function": (
        "import functools\n@functools.cache\ndef f(n):\n    return n\n",
        ("return n", "return n + 1"),
    ),
    "a decorator": (
        "import functools\n@functools.wraps\ndef f(n):\n    return n\n",
        ("@functools.wraps", "@lambda g: lambda n: n + 1"),
    ),
    "a method": (
        "class A:\n    def g(self, n):\n        return n\ndef f(n):\n    return A().g(n)\n",
        ("        return n", "        return n + 1"),
    ),
    "a global": ("STEP = 0\ndef f(n):\n    return n + STEP\n", ("STEP = 0", "STEP = 1")),
    "two statements at once": (
        "A = 0\nB = 0\ndef f(n):\n    return n + A + B\n",
        ("A = 0", "A = 3"),
        ("B = 0", "B = -2"),
    ),
    "between statements": (
        "def f(n):\n    return n + g()\n\n\ndef g():\n    return 0\n",
        ("\n\n\n", "\n\ndef g(): return 1\n"),
        ("def g():\n    return 0\n", ""),
    ),
    "a line with semicolons": ("A = 0; B = 0; C = 0\ndef f(n):\n    return n + B\n", ("B = 0", "B = 1")),
    "after letters of several bytes": ("S = 'äöü€𝄞'; B = 0\ndef f(n):\n    return n + B\n", ("B = 0", "B = 1")),
    "inside letters of several bytes": ("def f(n):\n    s = 'ä€𝄞'; n = n + 0; return n  # ü\n", ("n + 0", "n + 1")),
    "under a future": (
        "from __future__ import annotations\ndef f(n: Missing) -> 'x':\n    return n\n",
        ("return n", "return n + 1"),
    ),
    "below a docstring": (
        '"""Docs."""\nfrom __future__ import annotations\ndef f(n: Missing):\n    return n\n',
        ("return n", "return n + 1"),
    ),
    "in a class body": ("class A:\n    STEP = 0\n\n\ndef f(n):\n    return n + A.STEP\n", ("STEP = 0", "STEP = 1")),
    "with tabs": (
        "def f(n):\n\tif n:\n\t\treturn n\n\treturn 0\n",
        ("return n\n", "return n + 1\n"),
        ("return 0", "return 1"),
    ),
    "with a form feed": ("A = 0\n\x0c\nB = 0\ndef f(n):\n    return n + B\n", ("B = 0", "B = 1")),
    "past a line separator in a string": ("S = 'a\u2028b'\nB = 0\ndef f(n):\n    return n + B\n", ("B = 0", "B = 1")),
    "at the very end": ("def f(n):\n    return n", ("return n", "return n + 1")),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_change_anywhere_in_the_text_is_what_runs(pool: Pool, place: str) -> None:
    """A mutation behaves as the whole changed text would, wherever the change is."""
    source, *changes = PLACES[place]
    right = edits(source, *changes)
    (said, again) = screened(pool, source, "assert f(1) == 2\nassert f(5) == 6\n", right, right)
    assert (said.status, again.status) == ("passed", "passed")


def test_a_program_that_is_no_python_is_screened_whole(pool: Pool) -> None:
    """A change that mends the syntax is found."""
    source = "def f(n)\n    return n\n"
    said = screened(
        pool, source, "assert f(1) == 1\n", edits(source, ("f(n)", "f(n):")), edits(source, ("f(n)", "g(n)"))
    )
    assert [tried.status for tried in said] == ["passed", "broken"]


PYTEST = (
    "import pytest\nfrom program import f\n@pytest.fixture\ndef one():\n    return 1\n"
    "def test_one(one):\n    assert f(one) == 2\n"
    "@pytest.mark.parametrize('n', [1, 2])\ndef test_many(n, tmp_path):\n    assert f(n) == n + 1\n"
    "def test_raises():\n    with pytest.raises(TypeError):\n        f('a')\n"
)


MADE_AT_IMPORT = PYTEST.replace("f(one)", "MADE[one]") + "MADE = {1: f(1)}\n"


@pytest.mark.parametrize("tests", [PYTEST, MADE_AT_IMPORT], ids=["names alone", "values made at import"])
def test_a_pytest_suite_is_screened_too(pool: Pool, tests: str) -> None:
    """Fixtures, parameters, `raises` and what the test module makes at import see each mutation in its turn."""
    source = "def f(n):\n    return n\n"
    suite = read_suite(tests, program=source, module="program", entry_point=None)
    ids = ("test_one", "test_many[1]", "test_many[2]", "test_raises")
    suite = replace(suite, checks=tuple(Check(check, check) for check in ids))
    right, wrong = edits(source, ("return n", "return n + 1")), edits(source, ("return n", "return n + 2 - n"))
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        seen = team.trace(TraceOrder(LIMITS.seconds))
        said = team.screen([right, wrong, right], frozenset(), ALLOWANCE)
    assert [seen.results[check].outcome.value for check in ids] == ["failed", "failed", "failed", "failed"]
    assert [tried.status for tried in said] == ["passed", "failed", "passed"]
    assert said[1].passed == {"test_one", "test_many[1]", "test_raises"}


LATE = {
    "no Python": ("def f(n)\n    return n + 1\n", ("f(n)", "f(n):")),
    "raises when it is loaded": ("def f(n):\n    return n + 1\n\n\nSTEP = f(stpe)\n", ("stpe", "1")),
    "lacks the name that the tests import": ("def g(n):\n    return n + 1\n", ("def g", "def f")),
}


@pytest.mark.parametrize("why", LATE)
def test_a_pytest_suite_is_collected_with_the_first_mutation_that_loads(pool: Pool, why: str) -> None:
    """The given program keeps pytest from collecting anything."""
    source, change = LATE[why]
    suite = read_suite(PYTEST, program=source, module="program", entry_point=None)
    ids = ("test_one", "test_many[1]", "test_many[2]", "test_raises")
    suite = replace(suite, checks=tuple(Check(check, check) for check in ids))
    right, wrong = edits(source, change), edits(source, change, ("n + 1", "2"))
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        seen = team.trace(TraceOrder(LIMITS.seconds))
        said = team.screen([edits(source, ("n + 1", "n")), right, wrong, right], frozenset(), ALLOWANCE)
    assert {seen.results[check].outcome.value for check in ids} == {"raised"}
    assert [tried.status for tried in said][1:] == ["passed", "failed", "passed"]
    assert said[2].passed == {"test_one", "test_many[1]"}


SEEN = (
    "def f(n):\n    if n > 1:\n        return 1 // 0\n    return n\n"
    "def g(n):\n    while n:\n        pass\n    return n\n"
)


def test_the_lines_of_each_check_are_seen(pool: Pool) -> None:
    """Coverage, tracebacks and the line of a loop without end, for each check by itself."""
    seen = traced(pool, SEEN, "assert f(1) == 1\nassert f(2) == 2\nassert g(1) == 1\nassert g(0) == 0\n")
    assert seen.coverage["check-1"] == {2, 4}
    assert seen.coverage["check-2"] == {2, 3}
    assert seen.raised == {"check-2": (3,)}
    assert list(seen.hung) == ["check-3"]
    assert seen.hung["check-3"][0] in (6, 7)
    assert [r.outcome.value for r in seen.results.values()] == ["passed", "raised", "timed_out", "passed"]


def test_checks_known_to_hang_get_only_a_glance(pool: Pool) -> None:
    """They need not run to the limit again to say where they hang."""
    seen = traced(pool, SEEN, "assert g(1) == 1\nassert g(0) == 0\n", hanging=("check-1",))
    assert seen.results["check-1"].seconds < 0.4
    assert seen.hung["check-1"][0] in (6, 7)


DEADLY = "def f(n):\n    if n:\n        BODY\n    return n\n"


@pytest.mark.parametrize(
    ("body", "known"),
    [("__import__('os')._exit(0)", {"deadly": ("check-1",)}), ("sum(range(10 ** 12))", {"hanging": ("check-1",)})],
)
def test_checks_that_would_end_the_process_do_not_keep_the_others_from_being_seen(
    pool: Pool, body: str, known: Mapping[str, tuple[str, ...]]
) -> None:
    """What is known of the program before it is traced is used to get round them."""
    seen = traced(pool, DEADLY.replace("BODY", body), "assert f(1) == 1\nassert f(0) == 0\n", **known)
    assert seen.coverage["check-2"] == {2, 4}
    assert "check-1" not in seen.results


def test_a_program_that_cannot_be_traced_gives_no_evidence(pool: Pool) -> None:
    """It is still searched, without any."""
    seen = traced(pool, "__import__('os')._exit(0)\ndef f(n):\n    return n\n", "assert f(1) == 1\n")
    assert (seen.results, seen.coverage) == ({}, {})


def test_a_program_that_hangs_while_it_loads_says_where(pool: Pool) -> None:
    """Every check carries the line of the loop."""
    seen = traced(pool, "def f(n):\n    return n\nwhile True:\n    pass\n", "assert f(1) == 1\n")
    assert seen.results["check-1"].outcome.value == "timed_out"
    assert seen.hung["check-1"][0] in (3, 4)


def test_companions_come_along(pool: Pool) -> None:
    """A program that imports the user's other modules is traced and screened."""
    seen = traced(
        pool, "from helper import TWO\ndef f():\n    return TWO\n", "assert f() == 2\n", {"helper.py": "TWO = 2\n"}
    )
    assert seen.results["check-1"].outcome.value == "passed"


@pytest.mark.parametrize(
    "hoard",
    ["keep = [bytes(150) for _ in range(20000)]; return [keep, add, a]", "add.keep = bytes(40 << 20); return a"],
)
def test_a_long_life_takes_no_more_memory(pool: Pool, hoard: str) -> None:
    """However much was made meanwhile, a screener still has room: what mutations made is let go."""
    said = screened(pool, ADD, ADD_TESTS, *[edits(ADD, ("return a - b", hoard))] * 150)
    assert {tried.status for tried in said} == {"failed"}


def test_the_team_is_usable_after_an_error_in_the_tests(pool: Pool) -> None:
    """A suite that does not compile raises, and leaves the server to the next one."""
    from dataclasses import replace

    from regreen.errors import TaskError
    from regreen.types import Step

    suite = read_suite(ADD_TESTS, program=ADD, module="program", entry_point=None)
    broken = replace(suite, steps=(Step("assert (", "check-1"),))

    def trace(team: ScreenerPool) -> ProgramTrace:
        return team.trace(TraceOrder(LIMITS.seconds))

    with pytest.raises(TaskError), open_screeners(pool, ADD, broken, LIMITS, {}, size=1) as team:
        trace(team)
    assert screened(pool, ADD, ADD_TESTS, RIGHT)[0].status == "passed"


def test_a_server_is_asked_once_for_each_module(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be imported is told every time, what can be is there for all children."""
    with pool.lease() as server:
        many = [f"no_such_module_{number}" for number in range(200)]
        assert sorted(server.ensure_imported(["colorsys", *many])) == sorted(many)
        first = server.ensure_imported(["fractions", "no_such_module"])
        assert [*first] == ["no_such_module"]
        assert "no_such_module" in first["no_such_module"]
        monkeypatch.setattr(server, "_ask", None)
        assert server.ensure_imported(["no_such_module", "fractions"]) == first
        monkeypatch.undo()


SLEEPS = {
    "time.sleep": "time.sleep(2)",
    "a name for it": "nap(2)",
    "asyncio": "asyncio.run(asyncio.sleep(2))",
    "an event that nobody sets": "threading.Event().wait(2)",
    "a queue that nobody fills": "fetch()",
}
SLEEPER = """import asyncio, queue, threading, time
from time import sleep as nap, monotonic

class Kept:
    sleep = time.sleep

def fetch():
    try:
        queue.Queue().get(timeout=2)
    except queue.Empty:
        pass

def f(n):
    before = time.time(), monotonic(), time.perf_counter_ns()
    WAIT
    Kept().sleep(0)
    after = time.time(), monotonic(), time.perf_counter_ns()
    return n + 1 if all(a > b + 1.9 for a, b in zip(after, before)) else 0
"""


@pytest.mark.parametrize("way", SLEEPS)
def test_sleep_is_skipped_and_the_clocks_move_on(pool: Pool, way: str) -> None:
    """A mutation that sleeps for seconds is screened in no time, and sees the time that it asked for."""
    source = SLEEPER.replace("WAIT", SLEEPS[way])
    right, wrong = edits(source, ("n + 1", "n + 2 - 1")), edits(source, ("n + 1", "n"))
    started = time.monotonic()
    said = screened(pool, source, "def test_f():\n    assert f(1) == 2\n", right, wrong, right)
    assert [tried.status for tried in said] == ["passed", "failed", "passed"]
    assert time.monotonic() - started < 6


def test_clocks_say_of_themselves_what_pythons_say(pool: Pool) -> None:
    """Plugins of pytest look a clock up by its name and its module."""
    source = (
        "import sys, time\n\ndef f(n):\n    clocks = time.sleep, time.monotonic, time.perf_counter_ns\n"
        "    found = [getattr(sys.modules[clock.__module__], clock.__name__) for clock in clocks]\n"
        "    return n + 1 if found == list(clocks) and 'monotonic' in repr(time.monotonic) else 0\n"
    )
    right, wrong = edits(source, ("n + 1", "n + 2 - 1")), edits(source, ("n + 1", "n"))
    said = screened(pool, source, "def test_f():\n    assert f(1) == 2\n", right, wrong)
    assert [tried.status for tried in said] == ["passed", "failed"]


def test_sleep_beside_another_thread_is_real(pool: Pool) -> None:
    """What the thread does meanwhile is done."""
    source = (
        "import threading, time\ndef f():\n    done = []\n"
        "    thread = threading.Thread(target=lambda: (time.sleep(0.02), done.append(1)))\n"
        "    thread.start()\n    time.sleep(0.1)\n    thread.join()\n    return 0\n"
    )
    (said,) = screened(pool, source, "assert f() == [1]\n", edits(source, ("return 0", "return done")))
    assert said.status == "passed"


ENDLESS_SLEEPS = {
    "long": "time.sleep(60)",
    "again and again": "[time.sleep(1) for _ in range(60)]",
    "hidden": "exec('try: time.sleep(60)\\nexcept BaseException: pass')",
}


@pytest.mark.parametrize("way", ENDLESS_SLEEPS)
def test_skipped_sleep_has_an_end_too(pool: Pool, way: str) -> None:
    """What would sleep longer than the judge lets it hangs, even where it hides that."""
    source = "import time\ndef f():\n    0\n    return 1\n"
    (said,) = screened(pool, source, "assert f() == 1\n", edits(source, ("    0\n", f"    {ENDLESS_SLEEPS[way]}\n")))
    assert said.status == "hung"


REAL_TIME = (
    "import time\nfrom datetime import datetime\ndef f(n):\n    before = datetime.now()\n    time.sleep(0.1)\n"
    "    return (datetime.now() - before).total_seconds() >= 0.1 and n\n"
)


def test_a_check_may_ask_for_real_time(pool: Pool) -> None:
    """Some clocks cannot be moved: the check is traced and screened with real sleep."""
    suite = read_suite("def test_f():\n    assert f(1) == 1\n", program=REAL_TIME, module="program", entry_point=None)
    both = edits(REAL_TIME, ("and n", "and n + 0"))
    real = replace(ALLOWANCE, real_time=frozenset({"test_f"}), idle_seconds=1.0)
    with open_screeners(pool, REAL_TIME, suite, LIMITS, {}, size=1) as team:
        seen = [team.trace(TraceOrder(LIMITS.seconds, real_time=ids)) for ids in ((), ("test_f",))]
        said = [team.screen([both], frozenset(), limits)[0] for limits in (ALLOWANCE, real)]
    assert [trace.results["test_f"].outcome.value for trace in seen] == ["failed", "passed"]
    assert seen[0].costs["test_f"].skipped_seconds == pytest.approx(0.1)
    assert seen[1].costs["test_f"].idle_seconds > 0.05
    assert [tried.status for tried in said] == ["failed", "passed"]


def test_the_first_check_may_take_more_as_it_comes_further(pool: Pool) -> None:
    """Of a program that takes no tick as it is loaded; the wrong one ended with the first of many inputs."""
    tests = "def test_many():\n    for n in range(3000):\n        assert add(n, n) == 2 * n\n"
    suite = read_suite(tests, program=ADD, module="program", entry_point=None)
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=1) as team:
        (told,) = team.screen([RIGHT], frozenset(), ScreeningLimits(50, 0.5))
    assert told.status == "passed"


LATE_TESTS = (
    "def test_a():\n    assert add(1, 2) == 3\ndef test_b():\n    assert sum(map(add, [0] * 300, [0] * 300)) == 0\n"
)


def test_late_checks_are_run_only_where_all_others_pass(pool: Pool) -> None:
    """They have limits of their own, and count as passed where they were not run."""
    suite = read_suite(LATE_TESTS, program=ADD, module="program", entry_point=None)
    wrong, breaks = edits(ADD, ("a - b", "a")), edits(ADD, ("a - b", "3"))
    limits = ScreeningLimits(50, 0.5, late=frozenset({"test_b"}), late_ticks=5_000, late_seconds=0.5)
    short = replace(limits, late_ticks=100)
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=1) as team:
        said = team.screen([RIGHT, wrong, breaks], frozenset({"test_b"}), limits)
        (cut,) = team.screen([RIGHT], frozenset({"test_b"}), short)
        trace = team.trace(TraceOrder(LIMITS.seconds))
    assert [tried.status for tried in said] == ["passed", "failed", "failed"]
    assert [sorted(tried.passed) for tried in said] == [["test_a", "test_b"], ["test_b"], ["test_a"]]
    assert cut.status == "hung"
    assert trace.costs["test_b"].ticks >= 300 > trace.costs["test_a"].ticks


def test_one_check_may_take_a_part_of_the_ticks(pool: Pool) -> None:
    """However many there are; loading the program may take all of them."""
    source = "for n in range(60):\n    pass\n" + ADD + TOTAL
    suite = read_suite(
        "\n".join(f"assert total({turns}) == {sum(range(turns))}" for turns in (8, 9, 10)),
        program=source,
        module="program",
        entry_point=None,
    )
    mending = edits(source, ("a - b", "a + b"))
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        (enough,) = team.screen([mending], frozenset(), ScreeningLimits(150, 0.5, check_ticks=25))
        (cut,) = team.screen([mending], frozenset(), ScreeningLimits(150, 0.5, check_ticks=19))
        (all_spent,) = team.screen([mending], frozenset(), ScreeningLimits(80, 0.5, check_ticks=25))
    assert (enough.status, cut.status, all_spent.status) == ("passed", "hung", "hung")
    assert len(cut.passed) == 2


FIXTURES = """
import pytest

PRICES = {"a": 1, "b": 2}

class Order:
    items = ["a", "b"]

@pytest.fixture
def order():
    return Order

@pytest.mark.parametrize("names", [["a"], ["b", "a"]])
def test_some(names):
    assert total(names, PRICES) == sum({"a": 1, "b": 2}[n] for n in "ab" if n in names or not names)

def test_all(order):
    assert total(order.items, PRICES) == 3
"""


@pytest.mark.parametrize("change", ["names.clear()", "names.append('a')", "prices.clear()", "prices.update(a=5)"])
def test_what_one_mutation_does_to_the_tests_data_no_later_one_sees(pool: Pool, change: str) -> None:
    """One session of pytest tests them all."""
    source = "def total(names, prices):\n    return sum(prices[n] for n in names) + 1\n"
    right = edits(source, (" + 1", ""))
    harm = edits(source, ("    return", f"    {change}\n    return"))
    suite = read_suite(FIXTURES, program=source, module="program", entry_point=None)
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        said = team.screen([harm, right, harm, right], frozenset(), ScreeningLimits(5_000, 0.5))
    assert [one.status for one in said] == ["failed", "passed", "failed", "passed"]


def test_a_check_that_asks_with_many_inputs_may_come_to_its_end(pool: Pool) -> None:
    """It fails with the first one in a wrong program, and takes many times as long in the right one."""
    source = ADD + TOTAL
    many = "def test_many():\n    for n in range(300):\n        assert total(n) == sum(range(n))\n"
    suite = read_suite(many, program=source, module="program", entry_point=None)
    hangs = edits(source, ("a - b", "a + b"), ("return sum", "while n == 200:\n        pass\n    return sum"))
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        right, hung = team.screen(
            [edits(source, ("a - b", "a + b")), hangs], frozenset(), ScreeningLimits(5_000, 0.02, check_ticks=1_024)
        )
    assert (right.status, hung.status) == ("passed", "hung")


def test_a_late_check_that_is_red_counts_as_failed_where_it_was_not_run(pool: Pool) -> None:
    """Only what the program passes as it is may be taken to pass."""
    suite = read_suite(LATE_TESTS, program=ADD, module="program", entry_point=None)
    limits = ScreeningLimits(50, 0.5, late=frozenset({"test_b"}), late_ticks=5_000, late_seconds=0.5)
    with open_screeners(pool, ADD, suite, LIMITS, {}, size=1) as team:
        said = team.screen([RIGHT, edits(ADD, ("a - b", "a"))], frozenset(), limits)
    assert [(tried.status, sorted(tried.passed)) for tried in said] == [
        ("passed", ["test_a", "test_b"]),
        ("failed", []),
    ]


def test_the_assertions_of_a_failing_test_are_told_apart(pool: Pool) -> None:
    """It goes on behind the one that fails: what only a later one runs is seen. Where the program raises, it ends."""
    source = (
        "def f(n):\n    if n < 0:\n        return 1\n    if n == 0:\n        return 0\n"
        "    if n > 90:\n        raise OSError\n    return n\n"
    )
    tests = (
        "def test_f():\n    assert f(0) == 0\n    assert f(5) == 6\n    assert f(-5) == 0\n    assert f(99)\n"
        "    assert f(5)\n\n\ndef test_green():\n    assert f(1) == 1\n    assert f(2) == 2\n"
    )
    seen = traced(pool, source, tests)
    assert {check: [run.held for run in runs] for check, runs in seen.assertions.items()} == {
        "test_f": [True, False, False, False]
    }
    assert [sorted(run.lines) for run in seen.assertions["test_f"]] == [[2, 4, 5], [2, 4, 6, 8], [2, 3], [2, 4, 6, 7]]
    assert seen.coverage["test_f"] == {2, 4, 5, 6, 8}


def test_a_test_that_would_go_on_for_ever_behind_a_failure_is_given_up(pool: Pool) -> None:
    """The other checks are told of as ever."""
    tests = (
        "def test_a():\n    left = 3\n    while True:\n        left -= 1\n        assert add(left, 0) == left\n"
        "        assert left\n\n\ndef test_b():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n"
    )
    seen = traced(pool, ADD, tests)
    assert {check: result.outcome.value for check, result in seen.results.items()} == {
        "test_a": "failed",
        "test_b": "failed",
    }
    assert [run.held for run in seen.assertions["test_a"][:6]] == [True, True, True, True, True, False]


def test_a_green_check_is_not_traced_to_its_end(pool: Pool) -> None:
    """Looking at every line of a long one would take longer than the check may."""
    source = "def f(n):\n    for i in range(n):\n        n = i\n    return n\n"
    suite = read_suite(
        "def test_f():\n    assert f(400_000) == 399_999\n", program=source, module="program", entry_point=None
    )
    with open_screeners(pool, source, suite, LIMITS, {}, size=1) as team:
        seen = team.trace(TraceOrder(0.2, green=("test_f",)))
    assert seen.results["test_f"].outcome.value == "passed"
    assert seen.costs["test_f"].ticks > 400_000
    assert seen.coverage["test_f"] >= {2, 3}
