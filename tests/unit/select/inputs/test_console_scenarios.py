"""What do checks of a program hand it on its standard input, and which texts are like those?"""

from __future__ import annotations

import random
import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.inputs.console_inputs import texts_like
from regreen.select.inputs.console_scenarios import console_scenario, read_console_scenarios
from regreen.select.inputs.further_inputs import make_inputs
from regreen.types import Suite, SuiteKind

HELPER = """
import io, sys

def run(monkeypatch, capsys, text):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    main()
    return capsys.readouterr().out
"""
FORMS = {
    "in the test": (
        'def test_a(monkeypatch, capsys):\n    monkeypatch.setattr("sys.stdin", io.StringIO("3\\n1 2 3\\n"))\n'
        '    main()\n    assert capsys.readouterr().out == "6\\n"\n'
    ),
    "by a variable": (
        'def test_a(monkeypatch, capsys):\n    text = "3\\n" + "1 2 3\\n"\n    monkeypatch.setattr(sys, "stdin", '
        'StringIO(text))\n    main()\n    assert capsys.readouterr().out.strip() == "6"\n'
    ),
    "by a helper": HELPER
    + 'def test_a(monkeypatch, capsys):\n    assert run(monkeypatch, capsys, "3\\n1 2 3\\n") == "6\\n"\n',
    "by a keyword of a helper": HELPER
    + 'def test_a(monkeypatch, capsys):\n    assert run(monkeypatch, capsys, text="3\\n1 2 3\\n") == "6\\n"\n',
    "by a table": HELPER + '@pytest.mark.parametrize("text, want", [("3\\n1 2 3\\n", "6\\n")])\n'
    "def test_a(monkeypatch, capsys, text, want):\n    assert run(monkeypatch, capsys, text) == want\n",
    "line by line": (
        'def test_a(monkeypatch, capsys):\n    lines = iter(["3", "1 2 3"])\n    monkeypatch.setattr("builtins.input", '
        'lambda: next(lines))\n    main()\n    assert capsys.readouterr().out == "6\\n"\n'
    ),
    "by a mock": (
        'def test_a():\n    with patch("builtins.input", side_effect=["3", "1 2 3"]), patch("sys.stdout", '
        "new_callable=StringIO) as out:\n        main()\n    assert out.getvalue()\n"
    ),
    "dedented": (
        'def test_a(capsys):\n    sys.stdin = io.StringIO(textwrap.dedent("""\\\n        3\n        1 2 3\n    """))\n'
        "    main()\n    assert capsys.readouterr().out\n"
    ),
    "in a class": (
        'class TestA:\n    def test_a(self, capsys):\n        sys.stdin = io.StringIO("3\\n1 2 3\\n")\n        main()\n'
        "        assert capsys.readouterr().out\n"
    ),
}


def read(tests: str, program: str = "def main(): ...") -> list[str]:
    """The scenarios of a test module, in words."""
    return [s.words for s in read_console_scenarios(Suite(SuiteKind.PYTEST, tests, ()), program, {"main", "solve"})]


@pytest.mark.parametrize("form", FORMS)
def test_what_a_test_hands_over_is_found(form: str) -> None:
    """However it puts the text in the place of standard input."""
    assert read(FORMS[form]) == ["main() reading '3\\n1 2 3\\n'"]


def test_arguments_of_the_call_are_kept() -> None:
    """They are as much an input as the text."""
    tests = (
        'def test_a(capsys):\n    sys.stdin = StringIO("a")\n    solve(3, "x")\n    assert capsys.readouterr().out\n'
    )
    assert read(tests) == ["solve(3, 'x') reading 'a'"]


@pytest.mark.parametrize(
    "tests",
    [
        'def test_a():\n    assert main(StringIO("3")) == 3\n',
        'def test_a(capsys):\n    other(StringIO("3"))\n    assert capsys.readouterr().out\n',
        "def test_a(capsys, text):\n    sys.stdin = StringIO(text)\n    main()\n    assert capsys.readouterr().out\n",
        'def test_a(capsys):\n    sys.stdin = StringIO("")\n    main()\n    assert capsys.readouterr().out\n',
        '@pytest.mark.parametrize(5, [1])\ndef test_a(capsys):\n    sys.stdin = StringIO("".join(5))\n    main()\n',
        f"def test_a(capsys):\n    sys.stdin = StringIO({' + '.join(['t'] * 3000)})\n    main()\n",
        "def test_a(capsys):\n    n = n\n    n = n + n\n    sys.stdin = StringIO(n)\n    main()\n",
    ],
)
def test_what_is_no_text_on_standard_input_is_left_alone(tests: str) -> None:
    """A stream that is an argument, another function, a text that is not known, an empty one."""
    assert read(tests) == []


def test_a_text_that_doubles_line_by_line_is_given_up() -> None:
    """The tests may be hostile: nothing of them is worked out without bounds."""
    doubling = "    t = t + t\n" * 60
    tests = f'def test_a(capsys):\n    t = "ab"\n{doubling}    sys.stdin = StringIO(t)\n    main()\n    print(capsys)\n'
    assert read(tests) == []


def test_a_program_that_reads_bytes_is_given_bytes() -> None:
    """Standard input has a `buffer` then."""
    program = "def main():\n    sys.stdin.buffer.read()\n"
    (scenario,) = read_console_scenarios(Suite(SuiteKind.PYTEST, FORMS["in the test"], ()), program, {"main"})
    assert "io.TextIOWrapper(io.BytesIO(" in scenario.asked


def test_the_check_of_an_answer_runs_by_itself() -> None:
    """It brings what it imports, and leaves standard input as it was."""
    check = console_scenario("2\n3 4\n", "main()").claim("'7\\n'")
    names = {"main": lambda: sys.stdout.write(f"{sum(map(int, [input(), *input().split()][1:]))}\n")}
    exec(check, names)
    with pytest.raises(AssertionError):
        exec(console_scenario("2\n3 5\n", "main()").claim("'7\\n'"), names)


def test_counts_stay_what_they_count() -> None:
    """A program that reads the old text can read nearly all of the new ones."""

    def reads(text: str) -> bool:
        lines = text.splitlines()
        rounds = list(zip(lines[1::2], lines[2::2], strict=False))
        return all(count.isdigit() and int(count) == len(items.split()) for count, items in rounds)

    texts = list(islice(texts_like("2\n3\n4 5 6\n2\n7 8\n", random.Random(0)), 300))
    assert len(set(texts)) > 100
    assert sum(map(reads, texts)) > 0.8 * len(texts)


def test_rows_come_and_go_with_their_number() -> None:
    """Those of a grid, and the lines of a log."""
    texts = set(islice(texts_like("3\n+ a\n- b\n+ c\n", random.Random(0)), 300))
    assert all(int(text.split("\n")[0]) == text.count("\n") - 1 for text in texts)
    assert {int(text.split("\n")[0]) for text in texts} >= {2, 3, 4}


def test_the_same_seed_gives_the_same_inputs() -> None:
    """And other texts than that of the check, each once."""
    check = console_scenario("3\n1 2 3\n", "main()")
    words, again = ([made.scenario.words for made in make_inputs([check], "", seed=7)] for _ in range(2))
    assert words == again
    assert len(words) == len(set(words)) > 20
    assert "main() reading '3\\n1 2 3\\n'" not in words


@given(st.text(alphabet="12 0-9ab.#\n", max_size=40), st.integers(0, 9))
def test_any_text_may_be_changed(text: str, seed: int) -> None:
    """Whatever it looks like, or it is left alone."""
    for changed in islice(texts_like(text, random.Random(seed)), 20):
        assert changed.endswith("\n")
