"""Are slips that are plain from the text undone beside others, and where no check shows them?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from small_searches import run_of

from regreen.config import load_settings
from regreen.strategies.resources import Resources, borrow_resources
from regreen.strategies.searching.guesses import guess_changes
from regreen.strategies.searching.search_run import SearchRun
from regreen.types import Stop

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
RING = (
    "class Ring:\n    def __init__(self, size):\n        self.items = [None] * size\n"
    "        self.head = self.count = 0\n\n"
    "    def is_full(self):\n        return self.count == len(self.items)\n\n"
    "    def put(self, item):\n        if self.is_full:\n            return False\n"
    "        self.items[(self.head + self.count) % len(self.items)] = item\n"
    "        self.count += 1\n        return True\n\n"
    "    def take(self):\n        item = self.items[self.head]\n        self.head = self.head + 1 % len(self.items)\n"
    "        self.count -= 1\n        return item\n"
)
RING_CHECKS = (
    "def test_ring():\n    ring = Ring(2)\n    assert [ring.put(1), ring.put(2), ring.put(3)] == [True, True, False]\n"
    "    assert ring.take() == 1\n"
)
RIGHT_RING = RING.replace("self.is_full:", "self.is_full():").replace("self.head + 1 %", "(self.head + 1) %")
MOULD = (
    "def spread(grid, y, x):\n    grid[y][x] = 2\n    reached = 0\n"
    "    for dy, dx in ((0, 1), (1, 0), (0, -1), (1, 0)):\n        j, i = y + dy, x + dx\n"
    "        if 0 <= j < len(grid) and 0 <= i < len(grid[0]) and grid[j][i] == 1:\n"
    "            reached += spread(grid, j, i)\n    return reached\n"
)
MOULD_CHECKS = (
    "assert spread([[1, 1], [1, 0]], 1, 0) == 3\nassert spread([[1]], 0, 0) == 1\n"
    "assert spread([[0, 1], [1, 1]], 1, 1) == 3\n"
)
RIGHT_MOULD = MOULD.replace("(0, -1), (1, 0))", "(0, -1), (-1, 0))").replace("reached = 0", "reached = 1")


CART = (
    "class Cart:\n    def __init__(self):\n        self.items = []\n        self.prices = {}\n\n"
    "    def add(self, name, price, count)\n        self.items.push((name, count))\n"
    "        self.prices.put(name, price)\n\n"
    "    def total(self):\n        let sum = 0\n        for name, count in self.items:\n"
    "            sum += self.prices(name) * count\n        return sum\n\n"
    "    def cheapest(self):\n        if this.items.length === 0:\n            return null\n"
    "        return Math.min(self.prices.values())\n"
)
CART_CHECKS = (
    'def test_total():\n    cart = Cart()\n    cart.add("tea", 3, 2)\n    cart.add("cup", 5, 1)\n'
    "    assert cart.total() == 11\n\n\n"
    "def test_cheapest():\n    cart = Cart()\n    assert cart.cheapest() is None\n"
    '    cart.add("cup", 5, 1)\n    assert cart.cheapest() == 5\n'
)
RIGHT_CART = (
    CART.replace("count)\n        self.items.push(", "count):\n        self.items.append(")
    .replace("self.prices.put(name, price)", "self.prices[name] = price")
    .replace("let sum", "sum")
    .replace("self.prices(name)", "self.prices[name]")
    .replace("this.items.length === 0", "len(self.items) == 0")
    .replace("null", "None")
    .replace("Math.min", "min")
)


SPREAD = '    if cells[r][c] != "~":\n        return 0\n'
BOUNDS = "    if r < 0 or r >= len(cells) or c < 0 or c >= len(cells[0]):\n        return 0\n"
PONDS = (
    "import heapq\n\n\ndef ponds(land):\n    rows = len(land[0])\n    cols = len(land)\n"
    "    cells = [list(line) for line in land]\n    sizes = []\n"
    "    for r in range(rows):\n        for c in range(cols):\n            size = spread(cells, r, c)\n"
    "            if size:\n                heapq.push(sizes, size)\n"
    "    return [heapq.heappop(sizes) for _ in range(len(sizes))]\n\n\n"
    "def spread(cells, r, c):\n" + SPREAD + BOUNDS + '    cells[r][c] = "x"\n    size = 1\n'
    "    spread(cells, r - 1, c)\n    spread(cells, r + 1, c)\n    spread(cells, r, c - 1)\n"
    "    spread(cells, r, c + 1)\n"
    "    return size\n"
)
PONDS_CHECKS = (
    'def test_ponds():\n    assert ponds(["~~.", "..~"]) == [1, 2]\n\n\ndef test_none():\n'
    '    assert ponds([".."]) == []\n'
)
RIGHT_PONDS = (
    PONDS.replace("rows = len(land[0])\n    cols = len(land)", "rows = len(land)\n    cols = len(land[0])")
    .replace("heapq.push", "heapq.heappush")
    .replace(SPREAD + BOUNDS, BOUNDS + SPREAD)
    .replace("    spread(", "    size += spread(")
)


MARSH = (
    "def flooded(ground, days):\n    rows, cols = len(ground), len(ground[0])\n    for _ in range(days):\n"
    "        after = ground[:]\n        for r in range(rows):\n            for c in range(1, cols):\n"
    "                if ground[r][c - 1] == 1:\n                    after[r][c] = 1\n        ground = after\n"
    "    return ground\n\n\n"
    "def is_dry(ground):\n    dry = True\n    for row in ground:\n        if 1 not in row:\n            dry = True\n"
    "        else:\n            dry = False\n    return dry\n\n\n"
    "def crosses(one, other, level):\n    return one > level != other > level\n"
)
MARSH_CHECKS = (
    "def test_marsh():\n    assert flooded([[1, 0, 0]], 1) == [[1, 1, 0]]\n"
    "    assert not is_dry([[1, 0], [0, 0]])\n\n\n"
    "def test_dry():\n    assert is_dry([[0]])\n"
)
RIGHT_MARSH = (
    MARSH.replace("ground[:]", "[row[:] for row in ground]")
    .replace("        if 1 not in row:\n            dry = True\n        else:\n", "        if 1 in row:\n")
    .replace("one > level != other > level", "(one > level) != (other > level)")
)
GAP = (
    "def gap(shelf):\n    rows = len(shelf[0])\n    cols = len(shelf)\n    for r in range(rows):\n"
    "        for c in range(cols):\n            if not shelf[r][c]:\n                return r\n    return None\n"
)
GAP_CHECKS = 'def test_gap():\n    assert gap([["a", "b", "c"], ["d", "e", "f"]]) is None\n'
RIGHT_GAP = GAP.replace("rows = len(shelf[0])\n    cols = len(shelf)", "rows = len(shelf)\n    cols = len(shelf[0])")


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for small searches."""
    with borrow_resources(load_settings({"max_candidates": 300, "workers": 1})) as opened:
        yield opened


@pytest.mark.parametrize(
    ("source", "checks", "right"),
    [
        (RING, RING_CHECKS, RIGHT_RING),
        (MOULD, MOULD_CHECKS, RIGHT_MOULD),
        (RING.replace("take(self):", "take(self)"), RING_CHECKS, RIGHT_RING),
        (CART, CART_CHECKS, RIGHT_CART),
        (PONDS, PONDS_CHECKS, RIGHT_PONDS),
        (GAP, GAP_CHECKS, RIGHT_GAP),
        (MARSH, MARSH_CHECKS, RIGHT_MARSH),
    ],
    ids=[
        "one that no check shows",
        "beside another bug",
        "behind a slip of syntax",
        "in another language",
        "at once",
        "of which half would do",
        "of three kinds",
    ],
)
def test_what_is_plain_is_undone(resources: Resources, source: str, checks: str, right: str) -> None:
    """And stays undone in the smallest patch."""
    _, run = run_of(resources, source, checks)
    assert run.run() is Stop.FIXED
    assert run.select_patch().chosen.candidate.source == right


def test_a_search_that_was_cut_short_goes_on_from_the_mended_program(resources: Resources) -> None:
    """With what it is granted."""
    session, _ = run_of(resources, MOULD, MOULD_CHECKS)
    run = SearchRun(session, MOULD, session.baseline, budget=replace(session.budget, candidates=2))
    assert run.run() is Stop.CANDIDATES
    run.grant(300)
    assert run.run() is Stop.FIXED
    assert run.select_patch().chosen.candidate.source == RIGHT_MOULD


def test_what_is_plain_is_the_first_guess(resources: Resources) -> None:
    """Where nothing is red."""
    checks = "def test_take():\n    ring = Ring(2)\n    ring.count = 1\n    assert ring.take() is None\n"
    guesses = guess_changes(*run_of(resources, RING.replace("self.is_full:", "self.is_full():"), checks))
    assert guesses[0].attempt.candidate.source == RIGHT_RING
