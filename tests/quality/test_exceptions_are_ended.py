"""Are faults that raise or hang mended one after the other, so that what they hide is found behind them?"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from small_searches import run_of, with_slips

from regreen.config import load_settings
from regreen.strategies.resources import Resources, borrow_resources
from regreen.types import Stop

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
RIGHT = (
    "def shelf_label(number, letters):\n    size = len(letters)\n    label = ''\n    while number > 0:\n"
    "        number -= 1\n        label = letters[number % size].upper() + label\n        number //= size\n"
    "    return label\n"
)
SLIPS = {
    "a fraction for an index, a method of no text and a bound": {"//=": "/=", ".upper()": ".toUpper()", "> 0": "> 1"},
    "one of syntax among them": {"> 0:": "> 0", "//=": "/=", ".upper()": ".to_upper()"},
    "a call with too much": {"len(letters)": "len(letters, 1)", "//=": "/=", "-= 1": "-= 2"},
}
CHECKS = (
    'def test_examples():\n    assert shelf_label(5, "abc") == "AB"\n    assert shelf_label(3, "abc") == "C"\n'
    '    assert shelf_label(13, "abc") == "AAA"\n'
)


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for a search of so many candidates as a single slip may take."""
    with borrow_resources(load_settings({"max_candidates": 4_000, "workers": 1})) as opened:
        yield opened


@pytest.mark.parametrize("slips", SLIPS.values(), ids=SLIPS)
def test_three_faults_of_which_two_raise_are_mended(resources: Resources, slips: dict[str, str]) -> None:
    """No two of them are tried together before the first alone has shown its worth."""
    _, run = run_of(resources, with_slips(RIGHT, slips), CHECKS)
    assert run.run() is Stop.FIXED
    assert RIGHT in {ranked.candidate.source for ranked in run.plausible_candidates()}


HEAP = (
    "class Heap:\n    def __init__(self):\n        self.data = []\n\n    def push(self, item):\n"
    "        self.data.append(item)\n        i = len(self.data) - 1\n        while i > 0:\n"
    "            above = (i - 1) // 2\n"
    "            if self.data[above] > self.data[i]:\n"
    "                self.data[above], self.data[i] = self.data[i], self.data[above]\n"
    "                i = above\n            else:\n                break\n\n"
    "    def least(self, count):\n        taken = []\n        for _ in range(count):\n"
    "            taken.append(min(self.data))\n            self.data.remove(taken[-1])\n"
    "        return taken\n"
)
HEAP_CHECKS = (
    "def test_heap():\n    heap = Heap()\n    for item in (5, 3, 8, 1):\n        heap.push(item)\n"
    "    assert heap.data[0] == 1\n    assert heap.least(3) == [1, 3, 5]\n"
)


def test_what_stands_behind_a_loop_without_end_is_mended_too(resources: Resources) -> None:
    """Nothing of `least` runs, nor is it suspected, before the loop in `push` ends."""
    source = HEAP.replace("            else:\n                break\n", "").replace("taken[-1]", "taken[count]")
    _, run = run_of(resources, source, HEAP_CHECKS)
    assert run.run() is Stop.FIXED
    assert HEAP in {ranked.candidate.source for ranked in run.plausible_candidates()}
