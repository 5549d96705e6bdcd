"""The smallest part of a change that still passes."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from regreen.select.diff import edit_size
from regreen.select.minimise import minimise
from regreen.select.tokens import meaning

BEFORE = """\
def area(w, h):  # of a rectangle
    size = w + h
    unit = "cm"
    return size
"""


class Predicate:
    """A judge that counts how often it is asked."""

    def __init__(self, passes: Callable[[str], bool]) -> None:
        self.passes, self.asked = passes, 0

    def __call__(self, source: str) -> bool:
        self.asked += 1
        return self.passes(source)


def test_only_the_change_that_matters_is_kept() -> None:
    """A rewrite of every line shrinks to its one operator, and formatting is as it was."""
    after = 'def area(w,h):\n    size=w*h\n\n    unit = "mm"\n    return (size)\n'
    assert minimise(BEFORE, after, lambda s: "w*h" in s.replace(" ", ""), tries=100) == BEFORE.replace("w + h", "w * h")


def test_two_changes_that_need_each_other_both_stay() -> None:
    """A name changed in two places stays changed in both."""
    after = BEFORE.replace("size", "area_").replace("cm", "mm")
    small = minimise(BEFORE, after, lambda s: s.count("area_") == 2, tries=100)
    assert small == BEFORE.replace("size", "area_")


def test_a_change_of_spaces_alone_is_undone_around_the_real_one() -> None:
    """Comments and spacing come back even when there is one change only."""
    after = BEFORE.replace("  # of a rectangle", "").replace("w + h", "w*h")
    assert minimise(BEFORE, after, lambda s: "*" in s, tries=9) == BEFORE.replace("w + h", "w * h")


def test_comments_at_the_top_stay_where_they_are() -> None:
    """A statement put in front of the first one comes after the file's own header, which is not repeated."""
    before = "# header\n\nx = 1  # one\n"
    after = "# header\n\nimport os\ny = 3\nx = 1\n"
    small = minimise(before, after, lambda s: "import os" in s and "x = 1" in s, tries=50)
    assert small == "# header\n\nimport os\nx = 1  # one\n"


def test_without_tries_the_candidate_comes_back() -> None:
    """No budget, no question, no change."""
    judge = Predicate(lambda s: True)
    assert minimise(BEFORE, "x = 1\n", judge, tries=0) == "x = 1\n"
    assert judge.asked == 0


def test_texts_that_cannot_be_programs_cost_no_try() -> None:
    """Half a change that does not parse is dismissed without asking the judge."""
    after = BEFORE.replace("    size = w + h\n", "    size = max(\n        w * h,\n        0)\n")
    asked: list[str] = []

    def judge(source: str) -> bool:
        asked.append(source)
        compile(source, "<t>", "exec", flags=0x400)
        return "w * h" in source and "max" in source

    assert "max" in minimise(BEFORE, after, judge, tries=200)
    assert BEFORE not in asked
    assert after not in asked


lines = st.lists(
    st.sampled_from(["a = 1", "b = a + 2", "c = [a, b]", "if a: b = 3", "", "# why", "d = 'x y'"]), max_size=8
)
programs = lines.map(lambda some: "".join(f"{line}\n" for line in some))


@given(programs, programs, st.frozensets(st.sampled_from(["1", "2", "[", "if", "'x"]), max_size=3), st.integers(0, 40))
def test_minimising_loses_no_passing_check(before: str, after: str, needed: frozenset[str], tries: int) -> None:
    """If `after` passes the result does, it is no larger an edit, and the tries are kept to."""
    judge = Predicate(lambda s: all(word in s for word in needed))
    small = minimise(before, after, judge, tries=tries)
    assert judge.asked <= tries
    assert edit_size(before, small) <= edit_size(before, after)
    if judge.passes(after):
        assert judge.passes(small)


@given(programs, programs, st.sampled_from(["1", "[", "if", "'x"]))
def test_with_enough_tries_one_needed_token_leaves_one_change(before: str, after: str, needed: str) -> None:
    """What is left is one change when one word is all that counts."""
    if needed not in after or needed in before or meaning(before) == meaning(after):
        return
    small = minimise(before, after, lambda s: needed in s, tries=10_000)
    assert edit_size(before, small).lines <= 1
