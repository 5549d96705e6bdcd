"""Programs that hang are repaired in the same way each time: by one worker or several, with or without other work."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from regreen.config import load_settings
from regreen.sandbox.kept_pools import lend_pool
from regreen.strategies.resources import Resources
from regreen.strategies.search import Search
from regreen.types import Budget, Limits, Repair, Stop, Task
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = pytest.mark.sandbox

BUDGET = Budget(candidates=3_000, seconds=300.0)
LIMITS = Limits(seconds=0.5)

HANGING = {
    "a binary search that does not get past the middle": (
        "def find(row, wanted):\n    low, high = 0, len(row)\n    while low < high:\n"
        "        middle = (low + high) // 2\n"
        "        if row[middle] == wanted:\n            return middle\n        if row[middle] < wanted:\n"
        "            low = middle\n        else:\n            high = middle\n    return -1\n",
        "assert find([1, 3, 5, 7], 1) == 0\nassert find([1, 3, 5, 7], 5) == 2\nassert find([1, 3, 5, 7], 7) == 3\n"
        "assert find([1, 3, 5, 7], 8) == -1\nassert find([1, 3, 5, 7], 4) == -1\nassert find([], 1) == -1\n",
    ),
    "a gcd that takes from the smaller": (
        "def gcd(a, b):\n    while a != b:\n        if a < b:\n            a -= b\n        else:\n            b -= a\n"
        "    return a\n",
        "assert gcd(12, 18) == 6\nassert gcd(18, 12) == 6\nassert gcd(7, 3) == 1\nassert gcd(5, 5) == 5\n",
    ),
    "collatz on the wrong branch": (
        "def steps(n):\n    count = 0\n    while n != 1:\n        if n % 2 == 1:\n            n = n // 2\n"
        "        else:\n"
        "            n = 3 * n + 1\n        count += 1\n    return count\n",
        "assert steps(1) == 0\nassert steps(2) == 1\nassert steps(3) == 7\nassert steps(8) == 3\n"
        "assert steps(6) == 8\n",
    ),
    "a counter that goes the wrong way": (
        "def evens(limit):\n    found = []\n    n = 0\n    while n <= limit:\n        found.append(n)\n        n -= 2\n"
        "    return found\n",
        "assert evens(-1) == []\nassert evens(0) == [0]\nassert evens(5) == [0, 2, 4]\n"
        "assert evens(6) == [0, 2, 4, 6]\n",
    ),
    "a walk along a list that stands still": (
        "class Node:\n    def __init__(self, value, after=None):\n        self.value = value\n"
        "        self.after = after\n\n\n"
        "def chained(values):\n    head = None\n    for value in reversed(values):\n        head = Node(value, head)\n"
        "    return head\n\n\ndef total(values):\n    node = head = chained(values)\n    result = 0\n"
        "    while node is not None:\n        result += node.value\n        node = head.after\n    return result\n",
        "assert total([]) == 0\nassert total([4]) == 4\nassert total([1, 2, 3]) == 6\n"
        "assert total([5, 5, 5, 5]) == 20\n",
    ),
    "a generator that never ends": (
        "def doubled(limit):\n    n = 1\n    while True:\n        if n == limit:\n            return\n        yield n\n"
        "        n *= 2\n",
        "assert list(doubled(1)) == []\nassert list(doubled(8)) == [1, 2, 4]\nassert list(doubled(9)) == [1, 2, 4, 8]\n"
        "assert list(doubled(20)) == [1, 2, 4, 8, 16]\n",
    ),
    "a recursion that branches and has no base": (
        "def ways(n):\n    if n == 0:\n        return 1\n    try:\n        return ways(n - 1) + ways(n - 2)\n"
        "    except RecursionError:\n        return 0\n",
        "assert ways(0) == 1\nassert ways(1) == 1\nassert ways(2) == 2\nassert ways(3) == 3\nassert ways(6) == 13\n",
    ),
    "a scan of a text that skips nothing": (
        "def words(text):\n    found = []\n    at = 0\n    while at < len(text):\n        start = at\n"
        "        while at < len(text) and text[at] != ' ':\n            at += 1\n        if at > start:\n"
        "            found.append(text[start:at])\n        at += 0\n    return found\n",
        "assert words('') == []\nassert words('one') == ['one']\nassert words('a b') == ['a', 'b']\n"
        "assert words('  two  words ') == ['two', 'words']\n",
    ),
    "a queue that is never emptied": (
        "def reached(links, start):\n    seen = {start}\n    queue = [start]\n    while queue:\n"
        "        place = queue.pop(0)\n        for other in links.get(place, []):\n            if other not in seen:\n"
        "                seen.add(place)\n                queue.append(other)\n    return sorted(seen)\n",
        "assert reached({}, 1) == [1]\nassert reached({1: [2], 2: [3], 3: [2]}, 1) == [1, 2, 3]\n"
        "assert reached({1: [2], 2: [1], 3: [4]}, 1) == [1, 2]\nassert reached({1: [1, 3], 3: [4]}, 1) == [1, 3, 4]\n",
    ),
    "two pointers of which one stays": (
        "def pair(row, wanted):\n    left, right = 0, len(row) - 1\n    while left < right:\n"
        "        both = row[left] + row[right]\n        if both == wanted:\n            return (left, right)\n"
        "        if both < wanted:\n            left += 1\n        else:\n            right -= 0\n    return None\n",
        "assert pair([1, 2, 4, 9], 13) == (2, 3)\nassert pair([1, 2, 4, 9], 3) == (0, 1)\n"
        "assert pair([1, 2, 4, 9], 5) == (0, 2)\nassert pair([1, 2], 9) is None\nassert pair([], 1) is None\n",
    ),
}


@contextlib.contextmanager
def searching(screeners: int) -> Iterator[Search]:
    """A search with so many workers."""
    with lend_pool(load_settings(environ={}).confinement) as pool:
        yield Search(Resources(pool, SandboxJudge(pool), LIMITS, BUDGET, screeners))


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    """Processes beside us, one for each core, that want all of the machine."""
    cores = os.cpu_count() or 1
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def repaired(search: Search, name: str) -> Repair:
    """What the search makes of one of the programs."""
    source, tests = HANGING[name]
    entry = tests.partition("assert ")[2].partition("(")[0].removeprefix("list(")
    suite = read_suite(tests, program=source, module="program", entry_point=None)
    return search.repair(Task(f"hanging/{name}", source, entry if f"def {entry}" in source else None, suite))


def story(repair: Repair) -> tuple[object, ...]:
    """All that must not depend on the machine."""
    chosen = repair.chosen.candidate.source if repair.chosen else ""
    attempts = [attempt.candidate.id for attempt in repair.attempts]
    return repair.stop, repair.cost.candidates, repair.cost.duplicates, attempts, repair.sites, chosen


QUICK = 1
"""Programs of the ordinary run; the others are marked slow."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (number >= QUICK)) for number, name in enumerate(HANGING)]
)
def test_a_program_that_hangs_is_repaired_alike_by_any_number_of_workers_under_any_load(name: str) -> None:
    """The same candidates, the same proofs, the same repair."""
    with searching(1) as search:
        first = repaired(search, name)
    assert first.stop is Stop.FIXED, first.explanation
    with searching(2) as search:
        shared = repaired(search, name)
    with busy_machine(), searching(4) as search:
        hindered = repaired(search, name)
    assert story(first) == story(shared) == story(hindered)
