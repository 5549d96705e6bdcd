"""Which boundaries does prose state, and does a program draw them so?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.prose.stated_boundaries import Stand, moved_cuts, stands, stated_boundaries

PROGRAM = "def f(x, width=9):\n    return x {} {}\n"


def cuts(text: str, program: str = PROGRAM.format("<", "1")) -> set[tuple[str, float]]:
    """What a statement says, as anchors and cuts."""
    return {(boundary.anchor, boundary.cut) for boundary in stated_boundaries(program, text)}


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("at least 18", 17.5),
        ("18 years or older", 17.5),
        ("18 or more", 17.5),
        ("from 18 on", 17.5),
        ("no less than 18", 17.5),
        ("not less than 18", 17.5),
        ("younger than 18", 17.5),
        ("under 18", 17.5),
        ("greater than or equal to 18", 17.5),
        ("a minimum of 18", 17.5),
        ("up to but not including 18", 17.5),
        ("x >= 18", 17.5),
        ("x < 18", 17.5),
        ("before 18 o'clock", 17.5),
        ("more than 18", 18.5),
        ("No more than 18", 18.5),
        ("up to and including 18", 18.5),
        ("at most 18", 18.5),
        ("exceeds 18", 18.5),
        ("18 or fewer", 18.5),
        ("above 18", 18.5),
        ("less than or equal to 18", 18.5),
        ("x <= 18", 18.5),
        ("at most 1,800 cents", 1800.5),
        ("more than twelve", 12.5),
        ("over $18", 18.5),
        ("more than 2.5", 3.0),
    ],
)
def test_a_comparative_cuts_on_one_side_of_its_number(text: str, cut: float) -> None:
    """Whether the sentence negates or not, and whichever side it then speaks of."""
    assert cuts(f"Parcels {text} cost nothing.") == {("", cut)}


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("between 1 and 6, inclusive", {("", 0.5), ("", 6.5)}),
        ("strictly between 1 and 6", {("", 1.5), ("", 5.5)}),
        ("1 <= x <= 6", {("", 0.5), ("", 6.5)}),
        ("between 1 and 6", set()),
    ],
)
def test_a_range_has_two_cuts_where_it_says_which(text: str, both: set[tuple[str, float]]) -> None:
    """A plain "between" does not."""
    assert cuts(text) == both


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Texts of at most `width` characters.", {("width", 0.5)}),
        ("Texts no longer than width.", {("width", 0.5)}),
        ("Texts of at least the width.", {("width", -0.5)}),
        ("Texts that are longer than their own width.", {("width", 0.5)}),
        ("Ends when x reaches the width.", {("width", -0.5)}),
        ("Nothing above the width counts.", {("width", 0.5)}),
        ("Goes over width, from x to the end.", set()),
        ("At least one more than anybody.", {("", 0.5)}),
        ("Is tried up to `width` times.", set()),
        ("f(3) -> 4", set()),
    ],
)
def test_names_count_where_they_are_meant(text: str, found: set[tuple[str, float]]) -> None:
    """A name of the program after a comparative; after words with many meanings only in backticks."""
    assert cuts(text) == found


@pytest.mark.parametrize(
    ("operator", "number", "stand"),
    [
        (">=", "18", Stand.AGREES),
        ("<", "18", Stand.AGREES),
        (">", "17", Stand.AGREES),
        (">", "18", Stand.CONTRADICTS),
        ("<=", "18", Stand.CONTRADICTS),
        (">=", "17", Stand.CONTRADICTS),
        ("==", "18", Stand.OPEN),
        (">", "20", Stand.OPEN),
    ],
)
def test_a_comparison_agrees_where_it_cuts_at_the_same_place(operator: str, number: str, stand: Stand) -> None:
    """One step beside it contradicts; further off, it speaks of something else."""
    program = PROGRAM.format(operator, number)
    assert stands(stated_boundaries(program, "Adults are at least 18."), program) == [stand]
    mirrored = f"def f(x):\n    return {number} {operator.translate(str.maketrans('<>', '><'))} x\n"
    assert stands(stated_boundaries(mirrored, "Adults are at least 18."), mirrored) == [stand]


@pytest.mark.parametrize(
    ("program", "stand"),
    [
        ("ADULT = 18\ndef f(x):\n    return x >= ADULT\n", Stand.AGREES),
        ("def f(x, adult=18):\n    return x > adult\n", Stand.CONTRADICTS),
        ("def f(n):\n    return range(2, 18)\n", Stand.AGREES),
        ("def f(n):\n    return range(2, 19)\n", Stand.CONTRADICTS),
        ("ADULT = 18\nADULT = 19\ndef f(x):\n    return x > ADULT\n", Stand.OPEN),
        ("def f(:", Stand.OPEN),
    ],
)
def test_a_number_is_followed_to_its_name(program: str, stand: Stand) -> None:
    """Where the name holds it throughout, and into ranges."""
    boundaries = stated_boundaries("def f(x):\n    return x\n", "Children are younger than 18.")
    assert stands(boundaries, program) == [stand]


def test_names_that_begin_with_min_and_max_are_prose_too() -> None:
    """What is as large as the largest is allowed; a comparison of the name itself with a number says nothing of it."""
    program = "MAX_SIZE = 5\ndef f(x, min_size):\n    return min_size <= x {} MAX_SIZE and min_size >= 0\n"
    for operator, stand in (("<=", Stand.AGREES), ("<", Stand.CONTRADICTS)):
        text = program.format(operator)
        boundaries = stated_boundaries(text)
        assert [boundary.anchor for boundary in boundaries] == ["MAX_SIZE", "min_size"]
        assert stands(boundaries, text) == [stand, Stand.AGREES]


@pytest.mark.parametrize(
    ("guard", "stand"),
    [
        ("if len(self.calls) >= self.limit:\n            return False", Stand.AGREES),
        ("if len(self.calls) > self.limit:\n            return False", Stand.CONTRADICTS),
        ("while len(self.calls) > self.limit:\n            self.drop()", Stand.AGREES),
    ],
)
def test_what_is_asked_before_one_is_added_leaves_room_for_it(guard: str, stand: Stand) -> None:
    """At most so many are there afterwards; a loop that drops what is too much asks again."""
    program = (
        "class A:\n    def allow(self, now):\n"
        f'        """At most `limit` calls."""\n        {guard}\n        self.calls.append(now)\n        return True\n'
    )
    assert stands(stated_boundaries(program), program) == [stand]


def test_a_sentence_speaks_of_its_own_function_first() -> None:
    """Another function may draw another boundary at the same number."""
    program = (
        'def f(x):\n    """More than 5."""\n    return x > 5\n\n\ndef g(x):\n    """At least 5."""\n    return x > 5\n'
    )
    assert stands(stated_boundaries(program), program) == [Stand.AGREES, Stand.CONTRADICTS]


MONTHS = 'def f(day, month):\n    """Months are not less than 1."""\n    return day < 1 or month < 1\n'


@pytest.mark.parametrize(
    ("right", "wrong", "moved"),
    [
        ("month < 1", "month <= 1", 1),
        ("month < 1", "month < 2", 1),
        ("day < 1", "day < 9", 0),
        (" or month < 1", "", 0),
    ],
)
def test_a_boundary_that_was_as_stated_is_not_moved(right: str, wrong: str, moved: int) -> None:
    """Though another comparison still draws it."""
    boundaries = stated_boundaries(MONTHS)
    assert moved_cuts(boundaries, MONTHS, MONTHS.replace(right, wrong)) == moved
    assert moved_cuts(boundaries, MONTHS.replace(right, wrong), MONTHS) == 0


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    """Whatever people write: each boundary quotes a sentence, and each gets an opinion."""
    program = PROGRAM.format("<", "1")
    found = stated_boundaries(program, text)
    assert len(stands(found, program)) == len(found)


def test_a_count_of_what_is_never_compared_is_no_boundary() -> None:
    """ "Fewer than two words" says nothing about how many letters differ."""
    said = "With fewer than 2 words it holds."
    program = "def f(words):\n    return all(a {} b for a, b in zip(words, words[1:]))\n"
    assert cuts(said, program.format("+")) == set()
    assert cuts(said, program.format("+") + "    return len(words) < 2\n") == {("", 1.5)}
    assert cuts("With fewer than 2 letters it holds.", program.format("+")) == {("", 1.5)}


def test_a_statement_that_repeats_a_docstring_is_one_voice() -> None:
    """That of the definition."""
    said = "At least 18 years."
    program = f'def f(x):\n    """{said}"""\n    return x > 1\n'
    assert [boundary.scope for boundary in stated_boundaries(program, said)] == ["f"]


@pytest.mark.parametrize(
    ("sentence", "cuts"),
    [
        ("Count the pairs of the list (1 <= n <= 60).", set()),
        ("There are n towns, 1 <= n <= 10^5, and up to 10^5 roads.", set()),
        ("0 <= budget <= 500, 0 <= limit <= 20.", set()),
        ("The windows have k neighbours (k >= 1).", set()),
        ("A day from lo to hi (0 <= lo < hi <= 1440).", set()),
        ("Raises an error unless 0 <= n <= 23 (1 <= k <= 5).", {-0.5, 23.5, 0.5, 5.5}),
        ("A child (n < 12) pays half.", {11.5}),
    ],
)
def test_what_may_be_given_is_no_boundary(sentence: str, cuts: set[float]) -> None:
    """As contests state it, unless a sentence says what becomes of the rest."""
    assert {boundary.cut for boundary in stated_boundaries("def f(n, k):\n    return n < k\n", sentence)} == cuts
