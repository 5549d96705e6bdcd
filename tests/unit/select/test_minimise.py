"""The smallest part of a change that still passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regreen.select.added_statements import count_unreachable
from regreen.select.edit_extent import edit_size
from regreen.select.minimise import minimise
from regreen.select.tokens import significant_tokens

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


def test_a_block_that_moved_is_indented_as_any_other() -> None:
    """Its lines would run where they were, too."""
    before = "def f(xs):\n    for x in xs:\n        x()\n        if x:\n            return x\n    return None\n"
    after = before.replace("        if x:\n            return x\n", "    if x:\n        return x\n")
    assert minimise(before, after, lambda s: "\n    if x" in s, tries=100) == after


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


UNREACHABLE = {
    "a return": """\
    return w * h
    # Both sides.
    w, h = h, w
    for side in (w, h):
        w += side
""",
    "a raise": """\
    if w < 0:
        raise ValueError
        w = 0
        h = 0
        w = h
    return w * h
""",
    "two ways out": """\
    if w:
        return w * h
    else:
        return 0
    w = 1
    h = 2
    h = 3
""",
    "a continue": """\
    for _ in (w,):
        continue
        w = 1
        h = 3
        h = 4
    return w * h
""",
}
USELESS = """\
    for side in (w,
                 h):
        pass
"""


@pytest.mark.parametrize("way_out", UNREACHABLE)
def test_what_no_run_can_reach_is_not_handed_over(way_out: str) -> None:
    """Statements behind a way out that the edit adds go at one question, comments before them included."""
    after = "def area(w, h):  # of a rectangle\n" + UNREACHABLE[way_out]
    small = minimise(BEFORE, after, lambda s: "w * h" in s, tries=1)
    assert "w * h" in small
    assert not any(" = " in line or "Both" in line or "side" in line for line in small.splitlines())


def test_what_was_unreachable_before_is_left_alone() -> None:
    """A patch does not tidy up what is not its own."""
    before = "def f(x):\n    return x\n    print(x)\n"
    assert minimise(before, before.replace("return x", "return -x"), lambda s: "-x" in s, tries=9).endswith(
        "print(x)\n"
    )


REWRITTEN = [
    ("    y = x + 2\n    return y - 1\n", "    return x + 1\n"),
    ("    for y in [x]:\n        x = y + 2\n    return x - 2\n", "    return x + 1\n    return x\n"),
    (
        "    if x:\n        x = x + 2\n        return x\n    return 1\n",
        "    if x:\n        return x + 1\n    return 1\n",
    ),
    (
        "    while x:\n        x -= 2\n        break\n    return x\n",
        "    while x:\n        return x + 1\n    return 1\n",
    ),
]


@pytest.mark.parametrize(("old", "new"), REWRITTEN)
def test_old_lines_do_not_come_back_behind_a_new_way_out(old: str, new: str) -> None:
    """A smaller edit would leave them there, for nobody to reach."""
    before, after = f"def f(x):\n{old}", f"def f(x):\n{new}"
    small = minimise(before, after, lambda s: "return x + 1" in s, tries=200)
    assert "return x + 1" in small
    assert count_unreachable(small) == 0, small


def test_statements_out_of_reach_are_counted_by_block() -> None:
    """What is inside of one that cannot be reached is not counted again."""
    assert count_unreachable("def f():\n    return 1\n    if x:\n        y\n    z\n") == 2
    assert count_unreachable("while x:\n    break\n    y\nelse:\n    raise E\n    z\n") == 2
    assert count_unreachable("if x:\n    return\nelse:\n    return\ny\n") == 1
    assert count_unreachable("return 1\n") == count_unreachable("x = 1\ny = 2\n") == count_unreachable("def f(:") == 0


def test_what_makes_a_generator_stays_though_it_is_never_reached() -> None:
    """Whether it can go is for the checks to say."""
    before = "def f(x):\n    return x\n"
    after = "def f(x):\n    return\n    yield x\n"
    assert minimise(before, after, lambda s: "yield" in s and "return\n" in s, tries=99) == after


def test_an_added_block_without_effect_goes_as_a_whole() -> None:
    """No line of it could go alone, or with its neighbour: what is left would be no program."""
    right = BEFORE.replace("w + h", "w * h").replace("cm", "mm")
    after = right.replace("    unit", f"{USELESS}    unit")
    assert minimise(BEFORE, after, lambda s: "w * h" in s and "mm" in s, tries=60, within_lines=False) == right


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
@example("if a: b = 3\n# why\n", "b = a + 2\nb = a + 2\nb = a + 2\n# why\na = 1\n# why\na = 1\na = 1\n", "1")
def test_with_enough_tries_one_needed_token_leaves_one_change(before: str, after: str, needed: str) -> None:
    """What is left is one change when one word is all that counts; blank lines before it are a part of it."""
    if needed not in after or needed in before or significant_tokens(before) == significant_tokens(after):
        return
    small = minimise(before, after, lambda s: needed in s, tries=10_000)
    assert edit_size(_dense(before), _dense(small)).lines <= 1


def _dense(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.strip())


def test_blank_lines_before_what_is_added_stay_with_it() -> None:
    """A method that is added stands apart from the one before; blank lines with nothing after them go."""
    before = "class A:\n    def f(self):\n        return 1\n"
    method = "\n    def g(self):\n        return 2\n"
    small = minimise(
        before, f"{before}{method}\n\n", lambda s: "def g" in s and "return 2" in s, tries=60, within_lines=False
    )
    assert small == before + method


def test_half_of_a_move_is_no_smaller_repair() -> None:
    """Without the line that moved, nothing is ever added to what is asked."""
    before = (
        "def f(graph, start, stack):\n    seen = {start}\n    while stack:\n        node = stack.pop()\n"
        "        for other in graph[node]:\n            if other not in seen:\n                seen.add(other)\n"
        "                stack.append(other)\n"
    )
    moved = before.replace("                seen.add(other)\n", "").replace(
        "pop()\n", "pop()\n        seen.add(node)\n"
    )
    assert minimise(before, moved, lambda s: "seen.add(other)" not in s, tries=50, within_lines=False) == moved


def test_a_flag_that_became_a_counter_begins_with_a_number() -> None:
    """Python counts on from False, so the checks do not need the 0; whoever reads the program does."""
    before = "def f(xs):\n    inside = False\n    for x in xs:\n        inside = True\n    return inside\n"
    after = before.replace("inside = False", "inside = 0").replace("inside = True", "inside += 1")
    assert minimise(before, after, lambda source: "inside += 1" in source, tries=50) == after
