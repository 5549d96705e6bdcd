"""Where nothing is red, is the likely slip guessed, and is a guess called one?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from small_searches import run_of

from regreen.config import load_settings
from regreen.strategies.resources import Resources, borrow_resources
from regreen.strategies.search import Search
from regreen.strategies.searching.guesses import guess_changes
from regreen.types import Stop, Task
from regreen.verify.suites import read_suite

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
QUOTE = "Orders of at least 5000 cents ship free, others cost 490 cents."
PROGRAM = f'def cost(total):\n    """{QUOTE}"""\n    if total > 5000:\n        return 0\n    return 490\n'
RIGHT = PROGRAM.replace("> 5000", ">= 5000")


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for small searches."""
    with borrow_resources(load_settings({"max_candidates": 300, "workers": 1})) as opened:
        yield opened


def task(checks: str) -> Task:
    """The program, and what the user checks of it."""
    suite = read_suite(checks, program=PROGRAM, module="program", entry_point="cost", origin="checks")
    return Task("cost", PROGRAM, "cost", suite)


def test_the_first_guess_is_what_the_prose_says(resources: Resources) -> None:
    """With the sentence, and the input on which it makes a difference; no two guesses are about one line."""
    guesses = guess_changes(*run_of(resources, PROGRAM, "assert cost(9000) == 0\nassert cost(100) == 490\n"))
    assert guesses[0].attempt.candidate.source == RIGHT
    assert guesses[0].quotes == (QUOTE,)
    assert (guesses[0].question, guesses[0].now, guesses[0].then) == ("cost(5000)", "490", "0")
    assert all(guess.attempt.verdict.passed for guess in guesses)
    assert len({guess.line for guess in guesses}) == len(guesses)


def test_nothing_is_guessed_where_a_check_is_red(resources: Resources) -> None:
    """There is a repair to look for."""
    session, run = run_of(resources, PROGRAM, "assert cost(5000) == 0\n")
    assert guess_changes(session, run) == []
    assert run.findings.tried == 0


def test_a_benchmark_is_handed_a_guess_that_is_called_one(resources: Resources) -> None:
    """Where the program is known to be wrong; a user's program with nothing red is left alone."""
    green = task("assert cost(9000) == 0\nassert cost(100) == 490\n")
    left = Search(resources).repair(green)
    assert (left.stop, left.chosen) == (Stop.NOTHING_RED, None)
    guessed = Search(resources).repair(replace(green, known_wrong=True))
    assert guessed.chosen is not None
    assert (guessed.stop, guessed.chosen.candidate.source, guessed.likelihood) == (Stop.GUESSED, RIGHT, None)
