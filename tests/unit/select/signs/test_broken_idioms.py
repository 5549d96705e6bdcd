"""Which changes break an idiom that everybody knows?"""

from __future__ import annotations

import pytest

from regreen.select.signs.broken_idioms import (
    broken_digits,
    cut_rounds,
    dead_links,
    half_asked_keys,
    lost_wraps,
    queues_from_the_end,
    stopped_counts,
    torn_children,
    torn_steps,
    torn_updates,
    uncompared_bests,
)

DIGITS = "def f(text):\n    n = 0\n    for c in text:\n        n = n * 10 + int(c)\n    return n\n"
COUNTS = "def f(xs):\n    seen = {}\n    for x in xs:\n        seen[x] += 1\n    return seen\n"
ROUND = "def f(xs):\n    for i in range(len(xs)):\n        go(xs[i])\n"


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("n = int(c)", 1),
        ("n = n + int(c)", 1),
        ("n = n * 10 + int(c) + 1", 1),
        ("n = n * 10 + int(c)", 0),
    ],
)
def test_a_number_has_more_digits_than_one(after: str, count: int) -> None:
    """Each is put behind those before it."""
    assert broken_digits(DIGITS, DIGITS.replace("n = n * 10 + int(c)", after)) == count
    assert broken_digits(DIGITS.replace("* 10", "* 2"), DIGITS.replace("n * 10 + ", "")) == 0


def test_a_count_goes_on() -> None:
    """It is no count that is one again."""
    assert stopped_counts(COUNTS, COUNTS.replace("+= 1", "= 1")) == 1
    assert stopped_counts(COUNTS, COUNTS.replace("+= 1", "+= 2")) == 0
    assert stopped_counts(COUNTS, COUNTS) == 0


@pytest.mark.parametrize(
    ("bounds", "count"), [("len(xs) - 1", 1), ("1, len(xs)", 1), ("len(xs) + 1", 0), ("len(ys)", 0), ("len(xs)", 0)]
)
def test_a_round_over_all_places_leaves_none_out(bounds: str, count: int) -> None:
    """Unless the body reads what is beside a place."""
    assert cut_rounds(ROUND, ROUND.replace("len(xs)", bounds)) == count
    beside = ROUND.replace("xs[i]", "xs[i + 1]")
    assert cut_rounds(beside, beside.replace("len(xs)", bounds)) == 0


def test_keys_are_asked_for_alike() -> None:
    """A key with the value None is there in both tables."""
    source = "def f(a, b, k):\n    return a.get(k) is None, b.get(k) is None\n"
    half = source.replace("a.get(k) is None", "k not in a")
    assert half_asked_keys(source, half) == 1
    assert half_asked_keys(source, half.replace("b.get(k) is None", "k not in b")) == 0
    assert half_asked_keys(source, source) == 0


def test_a_link_that_nothing_comes_to_is_dead() -> None:
    """What 400 divides, 4 divides as well."""
    chain = (
        "def f(y):\n    if y % 4 == 0:\n        return 1\n"
        "    elif y % 100 == 0:\n        return 2\n    elif y % 7 == 0:\n"
    )
    assert dead_links(f"{chain}        return 3\n") == 1
    assert dead_links(f"{chain}        return 3\n".replace("% 4 ", "% 400 ")) == 0
    assert dead_links("def f(y):\n    if y:\n        return 1\n    elif y % 4 == 0:\n        return 2\n") == 0


def test_a_queue_gives_the_first_one() -> None:
    """What is called so, and is asked for any other end, is none."""
    assert queues_from_the_end("def f(queue):\n    return queue.pop(), queue.pop(-1)\n") == 2
    assert queues_from_the_end("def f(queue, stack):\n    return queue.pop(0), stack.pop(), queue.popleft()\n") == 0


def test_a_place_of_a_heap_has_two_children() -> None:
    """One that is found from another variable, or that another operator finds, is not torn off."""
    source = "def f(i):\n    left = 2 * i + 1\n    right = 2 * i + 2\n    return left, right\n"
    assert torn_children(source, source.replace("2 * i + 2", "2 * i")) == 1
    assert torn_children(source, source.replace("2 * i + 1", "2 * i + 2")) == 1
    assert torn_children(source, source.replace("2 * i", "2 * j")) == 0
    assert torn_children("def f(i):\n    return 2 * i + 1\n", "def f(i):\n    return 2 * i\n") == 0
    assert torn_children(source, "def f(:\n") == 0


def test_the_steps_beside_a_place_are_three() -> None:
    """In whatever order, and in whatever container."""
    source = "for d in (-1, 0, 1):\n    go(d)\n"
    assert torn_steps(source, source.replace("-1", "-2")) == 1
    assert torn_steps(source, source.replace("(-1, 0, 1)", "[1, 0, -1]")) == 0
    assert torn_steps(source, source.replace("(-1, 0, 1)", "range(-1, 2)")) == 0
    assert torn_steps(source.replace("-1", "-2"), source) == 0


@pytest.mark.parametrize(
    ("after", "count"), [("i - len(xs)", 1), ("i + len(xs)", 1), ("i // len(xs)", 0), ("i % len(xs)", 0), ("i - n", 0)]
)
def test_a_place_goes_round(after: str, count: int) -> None:
    """A difference is no place beyond the last one."""
    before = "def f(xs, i, n):\n    return xs[i % len(xs)]\n"
    assert lost_wraps(before, before.replace("i % len(xs)", after)) == count


@pytest.mark.parametrize(
    ("test", "count"),
    [("len(word) > 3", 1), ("len(word) > len(words)", 1), ("len(word) >= len(best)", 0), ("word and word > best", 0)],
)
def test_the_best_is_compared_with_the_best_so_far(test: str, count: int) -> None:
    """Or it is the last one."""
    before = "for word in words:\n    if len(word) > len(best):\n        best = word"
    assert uncompared_bests(before, before.replace("len(word) > len(best)", test)) == count


@pytest.mark.parametrize(
    ("new", "torn"), [("height -= 0", 1), ("height = 1", 1), ("pass", 1), ("height -= 2", 0), ("height += 1", 1)]
)
def test_what_goes_up_goes_down(new: str, torn: int) -> None:
    """The other branch has its step as well; where neither is left, all is something else."""
    source = "def f(log):\n    height = 0\n    for c in log:\n        if c:\n            height += 1\n        else:\n"
    source += "            height -= 1\n    return height\n"
    assert torn_updates(source, source.replace("height -= 1", new)) == torn
    assert torn_updates(source, source.replace("height += 1", "pass").replace("height -= 1", "pass")) == 0
