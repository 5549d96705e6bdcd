"""Which examples does prose give?"""

from __future__ import annotations

import pytest

from regreen.select.prose.stated_examples import documented_examples


def examples(text: str) -> list[tuple[str, str]]:
    """The calls and answers in a statement about `f`."""
    return [(e.scenario.words, e.answer) for e in documented_examples("def f(x):\n    pass\n", text, {"f"})]


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("f(3) -> 9", ("f(3)", "9")),
        ("For example, f([1, (2)]) => [2,3].", ("f([1, 2])", "[2, 3]")),
        ("f('a)') == 'b'  # the first", ("f('a)')", "'b'")),
        ("f(5) returns None", ("f(5)", "None")),
        ("f([1, 2], 5) ➞ False", ("f([1, 2], 5)", "False")),
        ("f(-1) -> ValueError", ("f(-1)", "raises ValueError")),
        ("f(x=1) raises nothing; f(0) -> raises KeyError", ("f(0)", "raises KeyError")),
        ("so f(1) is (0, 1).", ("f(1)", "(0, 1)")),
        ("f(2) = 4", ("f(2)", "4")),
        ("f('') should be ''", ("f('')", "''")),
        (">>> f('a')\n'b'", ("f('a')", "'b'")),
        ("f(7) is 4.", ("f(7)", "4")),
        ("f(7) is 4 (0111 becomes 1111)", ("f(7)", "4")),
    ],
)
def test_a_call_and_what_it_gives(text: str, example: tuple[str, str]) -> None:
    """With an arrow, an equals sign, a word, or at a prompt."""
    assert examples(text) == [example]


@pytest.mark.parametrize("between", ["; ", ", ", " and ", ", and ", ". "])
def test_several_stand_in_one_line(between: str) -> None:
    """One behind the other, as a sentence has them."""
    assert examples(f"Examples: f(1) is [2, 3]{between}f(4) is 5.") == [("f(1)", "[2, 3]"), ("f(4)", "5")]


@pytest.mark.parametrize(
    ("begin", "words"),
    [("", ["Solver().f(3)"]), ("    def __init__(self, size=3):\n        self.size = size\n", ["Solver().f(3)"])],
    ids=["as it is", "by defaults"],
)
def test_a_method_is_asked_of_a_new_object(begin: str, words: list[str]) -> None:
    """Where prose calls it by its name alone, as the statements of such classes do."""
    program = f"class Solver:\n{begin}    def f(self, x):\n        return x\n"
    assert [e.scenario.words for e in documented_examples(program, "f(3) is 9", {"f", "Solver"})] == words


def test_a_method_whose_object_nobody_can_make_is_not_asked() -> None:
    """What it is made of, prose does not say."""
    program = "class Solver:\n    def __init__(self, size):\n        pass\n    def f(self, x):\n        return x\n"
    assert documented_examples(program, "f(3) is 9", {"f", "Solver"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "f(n) -> n * 2",
        "g(1) -> 2",
        "f(1)",
        "f(1) -> the next one",
        "f( -> 2",
        "call f(1), then 2",
        "f(1) is called",
        "f(f(1)) -> 2",
    ],
)
def test_what_is_no_example_gives_none(text: str) -> None:
    """Rules with variables, other functions, and calls without an answer that can be compared."""
    assert examples(text) == []


def test_docstrings_are_read_and_quoted() -> None:
    """The words stand as they were written."""
    program = 'def f(x):\n    """Doubles.\n\n    Thus f(2) -> 4\n    """\n    return x\n'
    (found,) = documented_examples(program, "", {"f"})
    assert (found.scenario.words, found.answer, found.quote) == ("f(2)", "4", "Thus f(2) -> 4")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('(1, 10, 0) for "1.10.0"; a leading "v" is ignored.', [("f('1.10.0')", "(1, 10, 0)")]),
        ("Makes slugs: \"A b\" becomes 'a-b', once.", [("f('A b')", "'a-b'")]),
        ('"1h" -> 1, "90m" gives 1.5.', [("f('1h')", "1"), ("f('90m')", "1.5")]),
        ("Values, e.g. `[1]` for `[1, 2]`.", [("f([1, 2])", "[1]")]),
        ("Pays 3 for 2.", []),  # may be anything
        ("Looks for 'a'.", []),
        ("'b' for every 'a'.", []),
        ("", []),
    ],
)
def test_a_docstring_says_what_is_given_for_which(text: str, found: list[tuple[str, str]]) -> None:
    """Of a function that needs one argument, which then is the one that is meant."""
    program = "def f({}):\n    {!r}\n"
    given = documented_examples(program.format("x, sep='-'", text), "", {"f"})
    assert [(e.scenario.words, e.answer) for e in given] == found
    assert not any(e.is_certain for e in given)
    assert documented_examples(program.format("x, y", text), "", {"f"}) == []
