"""Are scripts whose checks go on with one object searched through, where several functions are wrong?"""

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
PROGRAM = """\
class Garage:
    def __init__(self, spaces):
        self.free = list(range(spaces))
        self.cars = {}

    def park(self, plate):
        if not self.free:
            return None
        space = self.free.pop()
        self.cars[plate] = space
        return space

    def leave(self, plate):
        space = self.cars[plate]
        self.free.append(space)
        return space
"""
CHECKS = """\
garage = Garage(2)
assert garage.park("a") == 0
assert garage.park("a") is None
assert garage.park("b") == 1
assert garage.park("c") is None
assert garage.leave("a") == 0
assert garage.park("d") == 0
assert garage.park("a") is None
"""


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for a search that goes on to look for faults one by one."""
    with borrow_resources(load_settings({"max_candidates": 3_000, "workers": 1})) as opened:
        yield opened


def test_the_object_of_the_first_check_is_there_for_the_others(resources: Resources) -> None:
    """The first check is red, and the step that makes the object is its own; some of those behind it are green."""
    session, run = run_of(resources, PROGRAM, CHECKS, "Garage")
    assert session.baseline.red
    assert session.baseline.green
    assert run.run() in (Stop.FIXED, Stop.CANDIDATES, Stop.EXHAUSTED)
