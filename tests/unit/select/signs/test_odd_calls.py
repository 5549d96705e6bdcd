"""Calls that have lost what makes them work, half means, and calls that were alike."""

from __future__ import annotations

import pytest

from regreen.select.signs.odd_calls import (
    half_means,
    idle_calls,
    iterated_extremes,
    lost_keys,
    lost_orders,
    means_of_others,
    one_sided_cases,
    places_in_sets,
    resorted_ranks,
    sorted_again,
    uneven_calls,
)

WORKERS = """\
import asyncio


async def step(queue):
    await asyncio.sleep(0)
    await queue.put(1)


async def run(queue, found):
    await step(queue)
    found.setdefault(queue, []).append(1)
"""


@pytest.mark.parametrize(
    ("right", "wrong", "idle"),
    [
        ("await asyncio.sleep(0)", "asyncio.sleep(0)", 1),
        ("await step(queue)", "step(queue)", 1),
        ("await queue.put(1)", "queue.put(1)", 0),
        ("await step(queue)", "task = step(queue)", 0),
        ("setdefault(queue, [])", "setdefault(queue)", 1),
        ("await step(queue)", "await step(", 0),
    ],
)
def test_what_makes_a_call_work_is_kept(right: str, wrong: str, idle: int) -> None:
    """A coroutine that is known to be one runs only where it is awaited; None is no entry to begin with."""
    assert idle_calls(WORKERS, WORKERS.replace(right, wrong)) == idle
    assert idle_calls(WORKERS.replace(right, wrong), WORKERS) == 0


@pytest.mark.parametrize(
    ("line", "halves"),
    [
        ("low + high / 2", 1),
        ("low + high // 2", 1),
        ("xs[at - 1] + xs[at] / 2", 1),
        ("low + mid + high / 3", 1),
        ("xs[0][1] + xs[-1][1] / 2", 1),
        ("at.low + at.high / 2", 1),
        ("(low + high) / 2", 0),
        ("low + high / 3", 0),
        ("xs[at] + ys[at] / 2", 0),
        ("low + 1 / 2", 0),
        ("low - high / 2", 0),
        ("low +", 0),
    ],
)
def test_half_of_a_mean(line: str, halves: int) -> None:
    """As many alike as the last one is divided by."""
    assert half_means(f"def f(low, mid, high, xs, ys, at):\n    return {line}\n") == halves


DEEP = "def f(node, depth):\n    return f(node.left) + f(node.right) if node else g(node)\n"


@pytest.mark.parametrize(
    ("right", "wrong", "uneven"),
    [
        ("f(node.left)", "f(node.left, depth)", 1),
        ("f(node.right)", "f(node.right, depth=2)", 1),
        ("f(node.left) + f(node.right)", "f(node.left, depth) + f(node.right, depth)", 0),
        ("g(node)", "g(node, depth)", 0),
        ("f(node.left) + ", "", 0),
        ("f(node.left) +", "f(node.left", 0),
    ],
)
def test_calls_that_were_alike_stay_alike(right: str, wrong: str, uneven: int) -> None:
    """Both branches of a tree are handed as much."""
    assert uneven_calls(DEEP, DEEP.replace(right, wrong, 1)) == uneven
    assert uneven_calls(DEEP.replace(right, wrong, 1), DEEP) == 0


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("name in text.lower()", 1),
        ("text.title() == name", 1),
        ("name.lower() in text.lower()", 0),
        ("name in text", 0),
        ("'x' in text.lower()", 0),
        ("LOWER == text.lower()", 0),
        ("name in (", 0),
    ],
)
def test_the_case_of_both_texts_is_set_or_of_none(test: str, found: int) -> None:
    """Of two parameters; a constant may well be in the case that it needs."""
    assert one_sided_cases(f"def f(name, text):\n    return {test}\n") == found


@pytest.mark.parametrize(
    ("iterable", "count"),
    [
        ("max(rows)", 1),
        ("min(rows)", 1),
        ("max(rows, key=len)", 0),
        ("sorted(rows)", 0),
        ("rows[max(rows)]", 0),
        ("(", 0),
    ],
)
def test_nobody_goes_through_the_largest_of_rows(iterable: str, count: int) -> None:
    """Unless it is the longest."""
    before = "widths = [len(cell) for cell in rows[0]]\n"
    assert iterated_extremes(before, before.replace("rows[0]", iterable)) == count
    after = before.replace("rows[0]", "max(rows)")
    assert iterated_extremes(after, after) == 0


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ("list(set(xs))[1:]", 1),
        ("tuple({x for x in xs})[0]", 1),
        ("sorted(set(xs))[0]", 0),
        ("list(xs)[0]", 0),
        ("list(set(xs))", 0),
        ("(", 0),
    ],
)
def test_a_set_has_no_first_item(value: str, count: int) -> None:
    """Nor one that the next run would give again."""
    assert places_in_sets("y = xs[1:]\n", f"y = {value}\n") == count
    assert places_in_sets(f"y = {value}\n", f"y = {value}\n") == 0


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("towns = {t for t in roads}\n", 1),
        ("towns = list({t for t in roads})\n", 1),
        ("towns = sorted({t for t in ways})\n", 0),
        ("towns = sorted({t for t in roads}, reverse=True)\n", 0),
        ("towns = list(roads)\n", 0),
        ("towns = (\n", 0),
    ],
)
def test_a_set_that_was_sorted_and_is_not(after: str, count: int) -> None:
    """Checks may pass by the order in which it happens to come."""
    assert lost_orders("towns = sorted({t for t in roads})\n", after) == count
    assert lost_orders("towns = sorted(set(roads))\n", "towns = set(roads)\n") == 1


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("best = max(set(items))\n", 1),
        ("best = max(items, key=items.count)\n", 0),
        ("best = max(set(items), key=len)\n", 0),
        ("best = items[0]\n", 0),
        ("best = max(\n", 0),
    ],
)
def test_a_key_that_is_lost_was_written_for_a_purpose(after: str, count: int) -> None:
    """What the items are, or what they are compared by, may be wrong; that they are compared by something is meant."""
    assert lost_keys("best = max(set(items), key=items.count)\n", after) == count


def test_a_list_that_was_sorted_and_is_a_set() -> None:
    """A set comes in no order at all, unless it is sorted itself."""
    assert lost_orders("for x in sorted(xs):\n    f(x)\n", "for x in set(xs):\n    f(x)\n") == 1
    assert lost_orders("for x in sorted(xs):\n    f(x)\n", "for x in list(xs):\n    f(x)\n") == 0
    assert lost_orders("for x in sorted(xs):\n    f(x)\n", "for x in sorted(set(xs)):\n    f(x)\n") == 0


@pytest.mark.parametrize(
    ("after", "lost"), [("ordered = xs\n", 1), ("ordered = sorted(xs)\n", 0), ("xs.sort()\nordered = xs\n", 0)]
)
def test_what_sort_gives_was_meant_to_be_sorted(after: str, lost: int) -> None:
    """`xs.sort()` gives None."""
    assert lost_orders("ordered = xs.sort()\n", after) == lost


def test_what_was_sorted_is_not_turned_round_in_its_place() -> None:
    """To sort it and turn it round then is another thing."""
    assert lost_orders("xs.sort()\n", "xs.reverse()\n") == 1
    assert lost_orders("xs.sort()\n", "xs.sort()\nxs.reverse()\n") == 0
    assert lost_orders("xs.sort()\n", "xs.reverse(\n") == 0


def test_the_most_common_come_in_their_order() -> None:
    """Sorted by a key that is named, they may well be."""
    before = "top = [word for word, _ in counts.most_common(k)]\n"
    assert resorted_ranks(before, before.replace("counts.most_common(k)", "sorted(counts.most_common(k))")) == 1
    assert resorted_ranks(before, before.replace("counts.most_common(k)", "sorted(counts.most_common(k), key=f)")) == 0
    assert resorted_ranks(before, "top = [") == 0


@pytest.mark.parametrize(
    ("after", "again"),
    [
        ("for x in sorted(xs):\n    out.append(x)\nout.sort()\n", 1),
        ("for x in xs:\n    out.append(x)\nout = sorted(out)\n", 0),
        ("for x in sorted(xs:\n", 0),
    ],
)
def test_who_sorts_a_result_seldom_sorts_what_it_is_made_of(after: str, again: int) -> None:
    """The first sort of a program says nothing."""
    assert sorted_again("for x in xs:\n    out.append(x)\nout.sort()\n", after) == again
    assert sorted_again("for x in xs:\n    out.append(x)\n", after) == 0


@pytest.mark.parametrize(("grown", "again"), [("append(piles.pop() + x)", 0), ("remove(x)", 1)])
def test_what_has_got_one_more_is_sorted_again(grown: str, again: int) -> None:
    """It was in order before."""
    before = f"piles.sort()\nfor x in xs:\n    piles.{grown}\n"
    assert sorted_again(before, f"{before}    piles.sort()\n") == again


@pytest.mark.parametrize(
    ("made", "odd"), [("{int(x) for x in b}", 1), ("set(b)", 1), ("[int(x) for x in b]", 0), ("sorted(set(b))", 0)]
)
def test_a_set_is_not_paired_by_places(made: str, odd: int) -> None:
    """Whether it is written there or held by a variable."""
    before = "ys = [int(x) for x in b]\nfor x, y in zip(xs, ys):\n    f(x, y)\n"
    assert places_in_sets(before, before.replace("[int(x) for x in b]", made)) == odd
    assert places_in_sets(before, before.replace("zip(xs, ys)", f"zip(xs, {made})")) == odd


BESIDE = """\
def changed(old, new, name):
    before = old.get(name)
    after = new.get(name)
    return before != after
"""


@pytest.mark.parametrize(
    ("right", "uneven"),
    [
        ({"old.get(name)": "old.get(name, ABSENT)"}, 1),
        ({"old.get(name)": "old.get(name, ABSENT)", "new.get(name)": "new.get(name, ABSENT)"}, 0),
        ({"old.get(name)": "old.pop(name, ABSENT)"}, 0),
        ({"old.get(name)": "old.get(name.lower())"}, 0),
        ({"old.get(name)": "old.get("}, 0),
    ],
)
def test_what_two_objects_are_asked_alike_stays_alike(right: dict[str, str], uneven: int) -> None:
    """One line behind the other: who thought of one thought of both."""
    changed = BESIDE
    for old, new in right.items():
        changed = changed.replace(old, new)
    assert uneven_calls(BESIDE, changed) == uneven


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("sum(d[k]) / len(d)", 1),
        ("sum(d[k]) / (len(d) + 1)", 1),
        ("sum(xs) // len(ys)", 1),
        ("sum(d[k]) / len(d[k])", 0),
        ("sum(xs) / (len(xs) - 1)", 0),
        ("sum(xs[1:]) / len(xs)", 0),
        ("sum(x * x for x in xs) / len(xs)", 0),
        ("sum(xs) / 2", 0),
    ],
)
def test_a_mean_is_of_as_many_as_are_summed(line: str, found: int) -> None:
    """What is summed is what is counted."""
    assert means_of_others(f"def f(xs, ys, d, k):\n    return {line}\n") == found
