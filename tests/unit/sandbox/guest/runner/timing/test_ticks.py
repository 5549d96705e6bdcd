"""Work is counted, whatever its form, and counting changes nothing else."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Any

import pytest

from regreen.sandbox.guest.runner.timing.ticks import (
    TICK,
    TURN,
    OutOfTicks,
    Ticks,
    add_ticks,
    counted_suite,
    counted_text,
)
from regreen.sandbox.guest.runner.timing.time_limits import OutOfTime


@pytest.fixture(autouse=True)
def _no_builtin_is_left() -> Iterator[None]:
    yield
    for name in (TICK, TURN):
        vars(builtins).pop(name, None)


def names_after(text: str, ticks: int = 1_000) -> tuple[dict[str, Any], Ticks]:
    """What the counted text binds, and its ticks."""
    names: dict[str, Any] = {}
    counter = Ticks(ticks)
    exec(compile(add_ticks(ast.parse(text), text), "<p>", "exec"), names)
    return names, counter


COSTS = {
    "a loop": ("for n in range(7):\n    pass\n", 7),
    "a while loop": ("n = 7\nwhile n:\n    n -= 1\nelse:\n    n = 1\n", 7),
    "a loop on one line": ("for n in range(7): pass\n", 7),
    "a loop that goes on early": ("for n in range(7):\n    if n:\n        continue\n    n += 1\n", 7),
    "loops in one another": ("for n in range(3):\n    for m in range(4):\n        pass\n", 3 + 12),
    "a list": ("x = [n for n in range(7) if n > 3]\n", 7),
    "a dict of sets": ("x = {n: {m for m in range(2)} for n in range(3)}\n", 3 + 6),
    "a generator": ("x = sum(n for n in range(7) for m in range(2))\n", 7 + 14),
    "a call": ("def f():\n    '''Docs.'''\nf(); f()\n", 2),
    "a recursion": ("def f(n):\n    return n and f(n - 1)\nf(6)\n", 7),
    "a lambda": ("x = sorted(range(7), key=lambda n: -n)\n", 7),
    "a method": ("class A:\n    def g(self):\n        return 1\nA().g()\n", 1),
    "a generator function": ("def f():\n    while True:\n        yield 1\nx = f(); next(x); next(x)\n", 1 + 2),
    "a coroutine": (
        "import asyncio\nasync def f():\n    return [n async for n in g()]\nasync def g():\n    yield 1\n"
        "c = f()\ntry:\n    c.send(None)\nexcept StopIteration:\n    pass\n",
        3,
    ),
    "what stands in try, with, if and match": (
        "import contextlib\ntry:\n    for n in range(2): 1 // n\nexcept ZeroDivisionError:\n"
        "    for n in range(3): pass\n"
        "finally:\n    for n in range(4): pass\nwith contextlib.nullcontext():\n    for n in range(5): pass\n"
        "if n:\n    for n in range(6): pass\nmatch n:\n    case 5:\n        for n in range(7): pass\n",
        1 + 3 + 4 + 5 + 6 + 7,
    ),
    "nothing that is repeated": ("x = 1\nif x:\n    x += 1\n", 0),
}


@pytest.mark.parametrize("form", COSTS)
def test_each_turn_and_each_call_costs_a_tick(form: str) -> None:
    """However the repetition is written."""
    text, cost = COSTS[form]
    assert names_after(text)[1].used == cost


@pytest.mark.parametrize("form", [form for form, (_, cost) in COSTS.items() if cost])
def test_the_first_tick_too_many_ends_it(form: str) -> None:
    """And exactly what is needed is enough."""
    text, cost = COSTS[form]
    assert not names_after(text, cost)[1].spent
    with pytest.raises(OutOfTicks):
        names_after(text, cost - 1)


def test_every_further_tick_raises_again() -> None:
    """A program that swallows the first exception does not get on."""
    counter = Ticks(10)
    text = "caught = 0\nwhile caught < 5:\n    pass\n"
    code = compile(add_ticks(ast.parse(text), text), "<p>", "exec")
    for _ in range(3):
        with pytest.raises(OutOfTime):
            exec(code, {})
    assert counter.spent
    assert counter.used == 10


def test_counting_changes_neither_lines_nor_docstrings() -> None:
    """Tracebacks and coverage stay those of the text as it was written."""
    text = "def f(n):\n    '''Docs.'''\n    for m in [n]:\n        1 // m\ng = lambda n: n\n"
    names, _ = names_after(text)
    assert names["f"].__doc__ == "Docs."
    lines = {line for _, _, line in names["f"].__code__.co_lines()}
    plain: dict[str, Any] = {}
    exec(text, plain)
    assert lines == {line for _, _, line in plain["f"].__code__.co_lines()}
    assert names["g"](3) == 3


def test_texts_that_cannot_be_parsed_stay_as_they_are() -> None:
    """What is wrong with them is for others to say."""
    assert counted_text("for x in") == "for x in"
    assert counted_text("x = 1  # nothing to add_ticks") == "x = 1  # nothing to add_ticks"


def test_checks_are_counted_as_text() -> None:
    """Steps and test modules; what goes through items and what asserts is counted as a turn."""
    loop, waiting = "for n in range(3):\n    pass", "while f():\n    pass"
    steps = [{"code": loop, "check": "a"}, {"code": "f()", "check": None}, {"code": waiting, "check": None}]
    suite = counted_suite({"source": f"{loop}\nassert [f(n) for n in xs]", "steps": steps})
    assert suite["source"].count(TURN) == len(("the loop", "the assertion", "the comprehension"))
    assert [TURN in step["code"] for step in suite["steps"]] == [True, False, False]
    assert [TICK in step["code"] for step in suite["steps"]] == [False, False, True]
    assert suite["steps"][0]["check"] == "a"


def take(name: str, number: int) -> None:
    """Take ticks, or turns."""
    for _ in range(number):
        vars(builtins)[name]()


def test_what_begins_its_first_turn_gets_no_more_ticks() -> None:
    """It may hang in it."""
    counter = Ticks(3)
    counter.begin(3, 100)
    take(TURN, 1)
    with pytest.raises(OutOfTicks):
        take(TICK, 4)


def test_what_comes_further_gets_more_ticks() -> None:
    """At least 1,024 for each time, as long as there are further ones; what turns no more is ended."""
    counter = Ticks(3)
    counter.begin(3, 5)
    take(TURN, 2)
    take(TICK, 9)
    assert not counter.spent
    take(TURN, 2)
    with pytest.raises(OutOfTicks):
        take(TICK, 1)
    counter.begin(3, 2_000)
    take(TURN, 2)
    take(TICK, 4 + 1_024)
    take(TURN, 1)
    take(TICK, 900)
    with pytest.raises(OutOfTicks):
        take(TICK, 1_000)
    assert counter.spent
    take(TURN, 1)
    with pytest.raises(OutOfTicks):
        take(TICK, 1)


def test_counting_starts_anew_with_another_number() -> None:
    """For the next check; what the one before has spent is forgotten."""
    _, counter = names_after("for n in range(7):\n    pass\n", 7)
    tick = vars(builtins)[TICK]
    with pytest.raises(OutOfTicks):
        tick()
    counter.begin(3)
    assert (counter.used, counter.spent) == (0, False)
    for _ in range(3):
        vars(builtins)[TICK]()
    assert (counter.used, counter.spent) == (3, False)
    with pytest.raises(OutOfTicks):
        vars(builtins)[TICK]()
    assert counter.spent
