"""Calls that have lost what makes them work, half means, and calls that were alike."""

from __future__ import annotations

import pytest

from regreen.select.odd_calls import half_means, idle_calls, one_sided_cases, uneven_calls

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
