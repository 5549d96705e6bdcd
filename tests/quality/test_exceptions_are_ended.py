"""Are faults that raise mended one after the other, so that what they hide is found behind them?"""

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
    "def shelf_label(number, letters):\n    size = len(letters)\n    label = ''\n    while number > 0:\n"
    "        number -= 1\n        label = letters[number % size].upper() + label\n        number //= size\n"
    "    return label\n"
)
SLIPS = {
    "a fraction for an index, a method of no text and a bound": ("//=", "/=", ".upper()", ".toUpper()", "> 0", "> 1"),
    "one of syntax among them": ("> 0:", "> 0", "//=", "/=", ".upper()", ".to_upper()"),
    "a call with too much": ("len(letters)", "len(letters, 1)", "//=", "/=", "-= 1", "-= 2"),
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
def test_three_faults_of_which_two_raise_are_mended(resources: Resources, slips: tuple[str, ...]) -> None:
    """No two of them are tried together before the first alone has shown its worth."""
    source = RIGHT
    for right, wrong in zip(slips[::2], slips[1::2], strict=True):
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    _, run = run_of(resources, source, CHECKS)
    assert run.run() is Stop.FIXED
    assert RIGHT in {ranked.candidate.source for ranked in run.plausible_candidates()}
