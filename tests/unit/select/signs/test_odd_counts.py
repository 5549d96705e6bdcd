"""Counts that nobody keeps."""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_counts import (
    lost_lengths,
    never_begun_anew,
    odd_first_counts,
    sinking_counts,
    uneven_restarts,
)

RUN = "def f(xs):\n    best = run = 1\n    for x in xs:\n        run += 1\n        if x:\n            run = {}\n"
STEP = "def f(xs, k):\n    used = 0\n    for x in xs:\n        if x:\n            xs[used % 3] = x\n        used {}\n"


@pytest.mark.parametrize(("before", "after", "count"), [("1", "2", 1), ("0", "1", 0), ("1", "0", 0), ("3", "2", 0)])
def test_a_run_begins_anew_as_it_began(before: str, after: str, count: int) -> None:
    """With nothing, or with the item at hand; what was uneven before is none of the change's."""
    assert uneven_restarts(RUN.format(before), RUN.format(after)) == count
    assert uneven_restarts("def f(:", RUN.format(after)) == 0


ROUNDS = """
def f(n, limit):
    steps = 0
    product = 1
    while n < limit:
        {}for d in str(n):
            {}
        n = n + product
        steps += 1
    return steps{}
"""


@pytest.mark.parametrize("grows", ["product *= int(d)", "product = product * int(d)", "product += 1"])
def test_a_total_of_an_inner_loop_begins_in_the_outer_one(grows: str) -> None:
    """Unless it goes on from round to round for what is read behind them."""
    assert never_begun_anew(ROUNDS.format("", grows, "")) == 1
    assert never_begun_anew(ROUNDS.format("product = 1\n        ", grows, "")) == 0
    assert never_begun_anew(ROUNDS.format("", grows, " + product")) == 0
    assert never_begun_anew(ROUNDS.format("", "product = int(d)", "")) == 0
    assert never_begun_anew("def f(:") == 0


def test_a_way_begins_at_the_root_in_each_round() -> None:
    """Unless what stands behind the loop reads where it ended."""
    walked = "    for word in words:\n{}        for c in word:\n            node = node[c]\n"
    assert never_begun_anew("def f(words, root):\n    node = root\n" + walked.format("")) == 1
    assert never_begun_anew("def f(words, root):\n" + walked.format("        node = root\n")) == 0
    assert never_begun_anew("def f(words, root):\n    node = root\n" + walked.format("") + "    return node\n") == 0


@pytest.mark.parametrize(
    ("before", "after", "count"), [("+= 1", "-= 1", 1), ("+= 1", "+= 2", 0), ("-= 2", "-= 1", 0), ("+= 1", "-= k", 0)]
)
def test_what_counts_up_from_nothing_does_not_sink(before: str, after: str, count: int) -> None:
    """A balance may: it is made smaller by amounts."""
    assert sinking_counts(STEP.format(before), STEP.format(after)) == count
    assert sinking_counts("def f(:", STEP.format(after)) == 0


@pytest.mark.parametrize(("after", "lost"), [("min(x)", 1), ("len(y)", 0), ("min(y)", 0), ("x", 0), ("(", 0)])
def test_a_length_that_is_compared_is_meant(after: str, lost: int) -> None:
    """What becomes the smallest of the same items is no length any more."""
    program = "def f(x, y):\n    return len(x) == 3\n"
    assert lost_lengths(program, program.replace("len(x)", after)) == lost


@pytest.mark.parametrize(("first", "count"), [("-1", 1), ("1", 1), ("0", 0)])
def test_what_was_not_there_counts_as_nothing(first: str, count: int) -> None:
    """Before the one that is counted."""
    counts = "def f(xs, n):\n    for x in xs:\n        n[x] = n.get(x, {}) + 1\n"
    assert odd_first_counts(counts.format(0), counts.format(first)) == count
    assert odd_first_counts(counts.format(first), counts.format(first)) == 0
    assert odd_first_counts("def f(:", counts.format(first)) == 0
