"""Which further inputs are made of those of the checks?"""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regreen.select.inputs.further_inputs import make_inputs
from regreen.select.inputs.scenarios import Scenario, read_scenarios
from regreen.types import Check, Step, Suite, SuiteKind

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-50, 50) | st.text("abc 12", max_size=5) | st.floats(-9, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=2), inner, max_size=2),
    max_leaves=5,
)


def scenarios_of(*calls: str) -> list[Scenario]:
    """The scenarios of asserts about these calls of `f`."""
    codes = [f"assert {call} == 0" for call in calls]
    steps = tuple(Step(code, code) for code in codes)
    return read_scenarios(Suite(SuiteKind.SCRIPT, "", tuple(Check(c, c) for c in codes), steps), {"f"})


def words_of(*calls: str, program: str = "") -> list[str]:
    """The made inputs, in words."""
    return [made.scenario.words for made in make_inputs(scenarios_of(*calls), program)]


@settings(max_examples=30)
@given(PLAIN, PLAIN)
def test_inputs_are_new_readable_few_and_the_same_again(one: object, other: object) -> None:
    """Whatever the checks hand over."""
    calls = [f"f({one!r})", f"f({other!r})"]
    made = words_of(*calls)
    assert made == words_of(*calls)
    assert len(made) == len(set(made)) <= 160
    assert not set(made) & {scenario.words for scenario in scenarios_of(*calls)}
    assert all(ast.parse(words) for words in made)


def test_multiples_of_what_the_program_divides_by_are_among_them() -> None:
    """Whole centuries, where years are asked about."""
    made = words_of("f(2023)", program="def f(y):\n    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)\n")
    assert {"f(2000)", "f(2100)", "f(2020)", "f(2024)"} <= set(made)


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ("f(7)", {"f(8)", "f(6)", "f(0)", "f(-7)"}),
        ("f('ab')", {"f('')", "f('ba')", "f('a')"}),
        ("f([3, 1])", {"f([])", "f([1])", "f([1, 3])", "f([3, 1, 3])"}),
        ("f({'a': 1})", {"f({})", "f({'a': 2})"}),
        ("f(True)", {"f(False)"}),
    ],
)
def test_neighbours_and_edges_are_among_them(call: str, made: set[str]) -> None:
    """One more, one less, none at all, the other way round."""
    assert made <= set(words_of(call))


def test_inputs_of_several_checks_are_mixed() -> None:
    """Each argument of one with the others of another."""
    assert {"f('a', 2)", "f('b', 1)"} <= set(words_of("f('a', 1)", "f('b', 2)"))


def test_the_program_s_own_numbers_are_boundaries() -> None:
    """Where a program compares with 50, 49, 50 and 51 tell most."""
    made = words_of("f(7)", program="def f(km):\n    return km < 50\n")
    assert {"f(49)", "f(50)", "f(51)"} <= set(made)


def test_numbers_that_python_refuses_to_write_are_no_inputs() -> None:
    """Neither those of a check nor those of the program; other checks are read all the same."""
    long = "0x" + "f" * 6_000
    assert [scenario.words for scenario in scenarios_of(f"f({long})", "f(3)")] == ["f(3)"]
    assert words_of("f(3)", program=f"def f(x):\n    return x < {long}\n") == words_of("f(3)")


def test_numbers_in_texts_change_too() -> None:
    """A date as text stays one in form."""
    shapes = {"".join("9" if c.isdigit() else c for c in words) for words in words_of("f('03-11-2000')")}
    assert "f('99-99-9999')" in shapes


def test_a_number_in_a_text_may_have_more_digits() -> None:
    """Who compares it as a text puts it elsewhere then."""
    assert "f('Ann;950')" in words_of("f('Ann;95')")
    assert "f(['Ann;950', 'Bea;9'])" in words_of("f(['Ann;95', 'Bea;9'])")


def test_what_no_check_comes_near_is_an_edge() -> None:
    """An empty list is none where a check has one."""
    edges = {made.scenario.words for made in make_inputs(scenarios_of("f([1])"), "") if made.is_edge}
    assert "f([])" in edges
    assert not any(
        made.is_edge for made in make_inputs(scenarios_of("f([])", "f([1])"), "") if made.scenario.inputs == [[]]
    )


def test_what_is_more_than_twice_as_large_as_the_checks_may_take_long() -> None:
    """In all that it holds: a text counts by its characters, and a number once."""
    made = make_inputs(scenarios_of("f([1, 2, 3], 'ab')", "f([1], 'abc')"), "")
    for one in made:
        items, text = one.scenario.inputs
        assert ("hangs" in one.excused) == (len(items) + len(text) > 2 * 5)
    assert any("hangs" in one.excused for one in made)


@pytest.mark.parametrize(("calls", "excused"), [(["f([3, 1])"], True), (["f([3, 1])", "f([0])"], False)])
def test_who_divides_by_a_zero_that_no_check_has_is_excused(calls: list[str], excused: bool) -> None:
    """It may not be meant; and only where there is one."""
    for one in make_inputs(scenarios_of(*calls), ""):
        assert ("raises ZeroDivisionError" in one.excused) == (excused and 0 in one.scenario.inputs[0])


def test_a_list_may_end_with_nothing() -> None:
    """An item that counts as false is often taken for none."""
    assert "f([3, 0])" in words_of("f([3, 1])")


def test_a_list_of_one_item_comes_early() -> None:
    """What is both the first and the last tells more than another order."""
    made = words_of("f([5, -3, 5])")
    assert made.index("f([5])") < made.index("f([5, -3, 5, 5])") < made.index("f([-3, 5, 5])")


def test_an_object_is_asked_after_other_calls() -> None:
    """Calls of several checks, and such with other values."""
    text = (
        "def test_one():\n    s = Stack(1)\n    s.push('a')\n    assert s.pop() == 'a'\n"
        "def test_none():\n    assert Stack(0).size == 0\n"
    )
    scenarios = read_scenarios(Suite(SuiteKind.PYTEST, text, ()), {"Stack", "push"})
    made = [made.scenario.words for made in make_inputs(scenarios, "")]
    assert any(words.startswith("s = Stack(1); s.push('a'); s.") and words.endswith("; s.size") for words in made)
    assert any("push('aa')" in words for words in made)


def test_what_is_to_raise_an_exception_is_asked_with_other_values() -> None:
    """A sequence of calls would end there."""
    text = (
        "def test_one():\n    s = Stack(3)\n    assert s.size == 0\n"
        "def test_bad():\n    with pytest.raises(ValueError):\n        Stack(5).push(7, 7)\n"
    )
    scenarios = read_scenarios(Suite(SuiteKind.PYTEST, text, ()), {"Stack", "push"})
    made = [made.scenario.words for made in make_inputs(scenarios, "") if made.scenario.words.startswith("s = ")]
    pushed = {call for words in made for call in words.split("; ") if call.startswith("s.push")}
    assert len(pushed) > 5
    assert any(call != "s.push(7, 7)" for call in pushed)


def test_values_deep_inside_change_too() -> None:
    """One of a pair in a list, say."""
    made = words_of("f([(5, 7), (1, 3)])")
    assert any(words.startswith("f([(5, 7), (1, ") and words != "f([(5, 7), (1, 3)])" for words in made)


def test_single_characters_of_a_text_change() -> None:
    """Its case, whether it stands twice, whether it is there."""
    made = words_of("f('abba')")
    assert any(words.lower() == "f('abba')" and words != "f('ABBA')" for words in made)
    assert any(len(words) == len("f('abbba')") for words in made)


def test_grids_keep_their_shape_or_may_not_be_meant() -> None:
    """Rows of unlike length are an edge, unless a check has them."""

    def ragged(*calls: str) -> list[bool]:
        made = make_inputs(scenarios_of(*calls), "")
        return [m.is_edge for m in made for value in m.scenario.inputs if len({len(row) for row in value}) > 1]

    assert ragged("f([[1, 2], [3, 4]])")
    assert all(ragged("f([[1, 2], [3, 4]])"))
    assert not all(ragged("f([[1, 2], [3, 4]])", "f([[1], [3, 4]])"))


def test_one_text_in_two_places_stays_one() -> None:
    """What is opened under a name is asked for under it."""
    pairs = [m.scenario.inputs for m in make_inputs(scenarios_of("f('ann', 'ann')"), "")]
    assert sum(one == other != "ann" for one, other in pairs) > 10


@pytest.mark.parametrize(
    ("call", "words", "is_edge"),
    [
        ("f('1.25')", "f('1.2')", False),
        ("f('1.25')", "f('1.')", True),
        ("f('ab')", "f('a')", False),
        ("f(['ab', 'c'])", "f(['ab', ''])", True),
        ("f([3, 1])", "f([3, 0])", False),
        ("f(['1:30', '2:05'])", "f([':30', '2:05'])", True),
    ],
)
def test_texts_that_have_lost_their_form_may_not_be_meant(call: str, words: str, is_edge: bool) -> None:
    """A text with numbers in it has one; and no item was empty."""
    edges = {made.scenario.words: made.is_edge for made in make_inputs(scenarios_of(call), "")}
    assert edges.get(words, is_edge) is is_edge
    assert is_edge in edges.values()


def test_other_variables_of_a_check_are_asked_for_first() -> None:
    """With what the check itself hands over."""
    code = "xs = [[1]]\nys = f(xs)\nys[0].append(2)\nassert xs == [[1]]"
    suite = Suite(SuiteKind.SCRIPT, "", (Check(code, code),), (Step(code, code),))
    made = make_inputs(read_scenarios(suite, {"f"}), "")
    assert made[0].scenario.words == "xs = [[1]]; ys = f(xs); ys[0].append(2); ys"
    assert not made[0].is_edge


def test_values_may_be_missing_and_texts_hold_anything() -> None:
    """None for a value may not be meant; a digit among letters, and the fraction of a number, may well be."""
    known = {made.scenario.words: made.is_edge for made in make_inputs(scenarios_of("f({'a': 1, 'b': ''})"), "")}
    assert known["f({'a': 1, 'b': None})"]
    texts = {made.scenario.words: made.is_edge for made in make_inputs(scenarios_of("f('abc')"), "")}
    assert not texts["f('ab7')"]
    assert not {made.scenario.words: made.is_edge for made in make_inputs(scenarios_of("f(3.25)"), "")}["f(0.25)"]


def test_words_and_numbers_of_a_text_give_way_to_those_that_the_program_knows() -> None:
    """So that a parser is asked for more than its complaint."""
    program = "DAYS = ['mon', 'tue', 'wed', 'thu', 'fri']\n"
    made = words_of("f('mon-wed 08:30')", "f('tue 09:45')", program=program)
    days = {"mon", "tue", "wed", "thu", "fri"}
    texts = [ast.literal_eval(words[2:-1]) for words in made]
    known = [text for text in texts if set(re.findall("[a-z]+", text)) <= days and text.count(":") == 1]
    assert len(known) > len(texts) / 2
    assert any("fri" in text for text in known)


def test_several_numbers_may_be_equal() -> None:
    """All of them, and all but the first: who comes first of those?"""
    assert words_of("f(ann=5, bob=3, cy=1)")[:2] == ["f(ann=5, bob=5, cy=5)", "f(ann=5, bob=3, cy=3)"]


@pytest.mark.parametrize(
    ("call", "tied"),
    [
        ("f([('ann', 1), ('bob', 3)])", ["f([('ann', 1), ('bob', 1)])", "f([('bob', 1), ('ann', 1)])"]),
        ("f({'ann': 1, 'bob': 3})", ["f({'ann': 1, 'bob': 1})", "f({'bob': 1, 'ann': 1})"]),
        ("f([{'n': 'a', 'x': 2}, {'n': 'b', 'x': 3}])", ["f([{'n': 'a', 'x': 2}, {'n': 'b', 'x': 2}])"]),
    ],
)
def test_rows_may_tie_in_any_order(call: str, tied: list[str]) -> None:
    """In each number that they have, as they stand and turned round."""
    assert words_of(call)[: len(tied)] == tied


def test_rows_without_a_number_in_common_and_grids_do_not_tie() -> None:
    """What stands in a grid has its place."""
    for call in ("f([('ann', 1), ('bob',)])", "f([('ann', 'x'), ('bob', 'y')])", "f([[1, 2], [3, 4]])"):
        assert not any(words.count("1") > 1 and "ann" in words for words in words_of(call)[:2])
    assert "f([[1, 2], [1, 4]])" not in words_of("f([[1, 2], [3, 4]])")[:2]


def test_a_row_may_have_a_key_of_another_row() -> None:
    """With its own value."""
    assert "f([{'a': 1, 'b': 1}, {'b': 'x'}])" in words_of("f([{'a': 1}, {'b': 'x'}])")
