"""Which further sequences of calls are made of those of the checks?"""

from __future__ import annotations

import ast
import random
from itertools import islice

from regreen.select.inputs.call_sequences import call_sequences
from regreen.select.inputs.scenarios import Scenario, read_scenarios
from regreen.types import Suite, SuiteKind

TESTS = (
    "def test_size():\n    stack = Stack(3)\n    stack.push(1)\n    assert stack.size == 1\n"
    "def test_top():\n    s = Stack(2)\n    s.push(4)\n    s.limit = 1\n    assert s.pop() == 4\n"
)


def scenarios_of(text: str) -> list[Scenario]:
    """The scenarios of a module of tests."""
    return read_scenarios(Suite(SuiteKind.PYTEST, text, ()), {"Stack", "push", "pop", "f"})


def unchanged(step: ast.stmt) -> ast.stmt:
    """A step as it is."""
    return step


def sequences(text: str, count: int = 200) -> list[str]:
    """So many sequences, in words."""
    return [made.words for made in islice(call_sequences(scenarios_of(text), random.Random(0), unchanged), count)]


def test_a_check_s_calls_are_gone_on_with_by_those_of_others() -> None:
    """On an object of the same class, whatever it is called; then comes what one of them looks at."""
    made = sequences(TESTS)
    steps = {"stack.push(1)", "stack.push(4)", "stack.limit = 1", "stack.pop()"}
    begun = ("stack = Stack(3); stack.push(1); ", "stack = Stack(2); stack.push(4); stack.limit = 1; ")
    for words in made:
        assert words.startswith(begun)
        further = words.removeprefix(next(start for start in begun if words.startswith(start))).split("; ")
        assert set(further[:-1]) <= steps
        assert len(further[:-1]) <= 4
        assert further[-1] in {"stack.size", "stack.pop()"}
    assert any(words.endswith("stack.pop(); stack.size") for words in made)


def test_an_object_without_a_name_gets_one() -> None:
    """So that something can be done with it twice."""
    text = "def test():\n    assert Stack(1).pop() is None\n    assert Stack(1).size == 0\n"
    assert "stack = Stack(1); stack.pop(); stack.pop()" in sequences(text)


def test_functions_alone_give_none() -> None:
    """Nor does an object of which nothing but one thing is known."""
    assert sequences("def test():\n    assert f(1) == 2\n    assert f(2) == 3\n") == []
    assert sequences("def test():\n    s = Stack(1)\n    assert s.size == 0\n") == []


def test_scenarios_stay_as_they_were_and_the_same_seed_gives_the_same() -> None:
    """Names are changed in copies."""
    scenarios = scenarios_of(TESTS + "def test_new():\n    assert Stack(9).pop() == 1\n")
    before = [ast.dump(scenario.observed) for scenario in scenarios]
    once, again = ([*islice(call_sequences(scenarios, random.Random(3), unchanged), 50)] for _ in range(2))
    assert [made.words for made in once] == [made.words for made in again]
    assert [ast.dump(scenario.observed) for scenario in scenarios] == before


def test_a_call_that_is_to_raise_begins_no_sequence_and_is_varied_or_passed_over() -> None:
    """What is looked at in it is looked at nowhere else."""
    text = TESTS + "def test_bad():\n    with pytest.raises(ValueError):\n        Stack(9).push('no')\n"
    varied = ast.parse("stack.push('yes')").body[0]
    made = [s.words for s in islice(call_sequences(scenarios_of(text), random.Random(0), lambda _: varied), 200)]
    assert not any("Stack(9)" in words for words in made)
    assert all("try:" in words for words in made if "'no'" in words)
    assert any("stack.push('yes')" in words for words in made)


def test_what_checks_do_comes_more_often_than_what_they_look_at() -> None:
    """A look seldom changes an object."""
    further = [words.split("; ")[1:-1] for words in sequences(TESTS)]
    looks = sum(steps.count("stack.pop()") for steps in further)
    assert 0 < looks < sum(map(len, further)) / 3


def test_what_one_check_does_is_first_looked_at_as_others_look() -> None:
    """With no further step: such sequences seldom end with an exception."""
    first = sequences(TESTS, 2)
    assert sorted(first) == [
        "stack = Stack(2); stack.push(4); stack.limit = 1; stack.size",
        "stack = Stack(3); stack.push(1); stack.pop()",
    ]


def test_what_stands_beside_an_object_is_changed_where_it_is_there() -> None:
    """A clock that was handed to it, say, moves on; where no check makes one, nothing does."""
    clocked = (
        "def test_old():\n    clock = f()\n    stack = Stack(clock)\n    stack.push(1)\n    clock.tick(5)\n"
        "    assert stack.pop() == 1\n"
    )
    made = sequences(TESTS + clocked)
    assert any(words.count("clock.tick(5)") > 1 for words in made)
    assert not any("clock" in words for words in made if not words.startswith("clock = f()"))


def test_where_nothing_can_be_done_nothing_is() -> None:
    """What others do with a clock is not done where there is none."""
    text = (
        "def test_new():\n    s = Stack(1)\n    assert s.size == 0\n"
        "def test_old():\n    clock = f()\n    s = Stack(clock)\n    clock.tick(5)\n    assert s.limit == 1\n"
    )
    made = sequences(text, 50)
    assert {words for words in made if words.startswith("s = Stack(1)")} == {
        "s = Stack(1); s.size",
        "s = Stack(1); s.limit",
    }


def test_what_was_done_already_is_done_with_other_values_at_times() -> None:
    """A value that is set twice in a row says nothing; a call that is made twice may."""
    varied = ast.parse("clock[0] = 9").body[0]
    text = (
        "def test_old():\n    clock = [0]\n    s = Stack(clock)\n    s.push(1)\n    clock[0] = 5\n"
        "    assert s.pop() == 1\n"
        "def test_new():\n    clock = [0]\n    s = Stack(clock)\n    s.push(2)\n    assert s.pop() == 2\n"
    )
    made = [m.words for m in islice(call_sequences(scenarios_of(text), random.Random(0), lambda _: varied), 300)]
    assert not any("clock[0] = 5; clock[0] = 5" in words for words in made)
    assert any("clock[0] = 5; clock[0] = 9" in words for words in made)
    assert any("s.push(1); s.push(1)" in words for words in made)
