"""What gives way in a prompt where a model's context is small."""

from __future__ import annotations

import pytest

from regreen.models import Finish, Reply, Request, Usage
from regreen.strategies.agents.program_view import ShownProgram
from regreen.strategies.agents.prompt_fit import SHORTEST, WHOLE, conversation, shortened_values, was_cut_by_context

VALUES = {
    "statement": "Add. " * 1_000,
    "checks": "assert add(1, 2) == 3\n" * 500,
    "failure": "add(1, 2) gave -1",
    "program": "def add(a, b):\n    return a - b\n",
    "unit": "the complete definition of `add`",
    "entry_point": "add",
    "passed": 0,
    "total": 1,
    "sites": "line 2",
    "near_misses": [{"diff": "-a\n+b", "passed": 0, "total": 1, "failure": "x"}],
    "passing": [],
    "last": {"program": "def add(a, b): pass", "passed": 0, "total": 1},
}


def length(shortening: int) -> int:
    prompt = conversation("system", "correct", VALUES)
    return sum(len(message.content) for message in prompt(shortening))


def test_each_shortening_makes_the_prompt_shorter() -> None:
    """Down to what fits into a thousand tokens."""
    lengths = [length(shortening) for shortening in range(WHOLE, SHORTEST + 1)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[1] > lengths[-1]
    assert lengths[-1] < 4_000


@pytest.mark.parametrize("shortening", range(WHOLE, SHORTEST + 1))
def test_the_program_and_the_failing_check_stay(shortening: int) -> None:
    """They are what the prompt is about."""
    shown = shortened_values(VALUES, shortening)
    assert (shown["program"], shown["failure"]) == (VALUES["program"], VALUES["failure"])


def test_a_long_program_gives_way_last_but_for_the_definition_in_question() -> None:
    """With its docstring, which the statement repeats: a file of thousands of lines fits into a small context."""
    docstring = '    """Add.\n\n' + "    It adds, as everybody knows.\n" * 200 + '    """\n'
    source = f"A = 1\n\n\ndef add(a, b):\n{docstring}    return a - b\n\n\n" + "def other(): pass\n" * 300
    for numbered in (False, True):
        values = VALUES | {"program": ShownProgram(source, "add", 16_000, numbered=numbered)}
        shown = [shortened_values(values, shortening)["program"] for shortening in range(WHOLE, SHORTEST + 1)]
        assert shown[WHOLE] == shown[1] == values["program"]
        assert len(shown[0]) > 10_000
        assert len(shown[-2]) <= 4_000
        assert len(shown[-1]) <= 2_000
        assert all("def add(a, b):\n" in text and "    return a - b" in text for text in shown)


def test_a_whole_prompt_lacks_nothing() -> None:
    """What fits is not shortened."""
    assert shortened_values(VALUES, WHOLE) == VALUES


@pytest.mark.parametrize(
    ("reply", "cut"),
    [
        (Reply("x", usage=Usage(1_900, 100), finish=Finish.LENGTH), True),
        (Reply("x", usage=Usage(1_900, 500), finish=Finish.LENGTH), False),
        (Reply("x", usage=Usage(1_900, 100)), False),
        (Reply("x", usage=Usage(1_900, 100), finish=Finish.LENGTH, extra={"ended": "loop"}), False),
        (Reply("x", usage=Usage(1_900, 100), finish=Finish.LENGTH, extra={"usage": "estimated"}), False),
    ],
)
def test_a_reply_that_its_context_cut_off_is_known(reply: Reply, cut: bool) -> None:
    """By its length, which is below what was allowed; a loop and a guessed count say nothing."""
    assert was_cut_by_context(Request((), max_tokens=500), reply) is cut
