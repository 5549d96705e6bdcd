"""Is a program repaired whose test asks with many inputs, and ends with the first of them before it is?"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from small_searches import run_of

from regreen.config import load_settings
from regreen.strategies.resources import Resources, borrow_resources
from regreen.types import Stop

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
RIGHT = (
    "def longest_rise(xs):\n    best = run = 0\n    last = None\n    for x in xs:\n"
    "        run = run + 1 if last is not None and x > last else 1\n        best = max(best, run)\n"
    "        last = x\n    return best\n"
)
SLIPS = {"an operator": ("run + 1", "run - 1"), "the wrong extreme": ("max(", "min("), "a bound": ("else 1", "else 0")}
TESTS = {
    "a slow way to the same answer": (
        "from itertools import product\n\ndef slow(xs):\n    return max([j - i for i in range(len(xs)) "
        "for j in range(i + 1, len(xs) + 1) if all(a < b for a, b in zip(xs[i:j], xs[i + 1:j]))], default=0)\n\n"
        "def test_all():\n    for size in (1, 2, 6):\n        for xs in product(range(4), repeat=size):\n"
        "            assert longest_rise(xs) == slow(xs)\n"
    ),
    "a slow way that calls itself": (
        "from itertools import product\n\ndef slow(xs):\n    if len(xs) < 2:\n        return len(xs)\n"
        "    rest = slow(xs[1:])\n    here = next((i for i in range(1, len(xs)) if xs[i - 1] >= xs[i]), len(xs))\n"
        "    return max(rest, here)\n\ndef test_all():\n    for size in (1, 2, 6):\n"
        "        for xs in product(range(4), repeat=size):\n            assert longest_rise(xs) == slow(xs)\n"
    ),
    "one assertion after a loop": (
        "def test_all():\n    found = [longest_rise(range(n)) for n in range(1, 200)]\n    assert found == "
        "[*range(1, 200)]\n"
    ),
    "many assertions of unittest": "import unittest\n\nclass TestAll(unittest.TestCase):\n    def test_all(self):\n"
    + "".join(f"        self.assertEqual(longest_rise(range({n})), {n})\n" for n in range(1, 150)),
    "many assertions": "def test_all():\n"
    + "".join(f"    assert longest_rise(range({n})) == {n}\n" for n in range(1, 150)),
}


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for a search of so many candidates as a single slip may take."""
    with borrow_resources(load_settings({"max_candidates": 600, "workers": 1})) as opened:
        yield opened


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
@pytest.mark.parametrize("tests", TESTS.values(), ids=TESTS)
def test_the_right_change_is_not_taken_to_hang(resources: Resources, tests: str, slip: tuple[str, str]) -> None:
    """It takes thousands of times as many ticks as the wrong program."""
    _, run = run_of(resources, RIGHT.replace(*slip), tests)
    assert run.run() is Stop.FIXED
    assert RIGHT in {ranked.candidate.source for ranked in run.plausible_candidates()}
