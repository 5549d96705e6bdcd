"""Are three faults mended of which the second shows only when the third is mended as well?"""

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
    "def minutes_by_day(events):\n    days = {}\n    for event in events:\n"
    '        day = event["at"].split(" ")[0]\n        total, longest = days.get(day, (0, 0))\n'
    '        total += event["minutes"]\n        if event["minutes"] > longest:\n'
    '            longest = event["minutes"]\n        days[day] = (total, longest)\n    return days\n'
)
SLIPS = {'(" ")[0]': '(" ")[1]', "total += ": "total = ", 'longest = event["minutes"]': "longest = total"}
CHECKS = (
    'def test_two_on_a_day():\n    events = [{"at": "2024-05-01 09:00", "minutes": 30},\n'
    '        {"at": "2024-05-01 11:00", "minutes": 45}, {"at": "2024-05-02 10:00", "minutes": 20}]\n'
    '    assert minutes_by_day(events) == {"2024-05-01": (75, 45), "2024-05-02": (20, 20)}\n\n\n'
    "def test_none():\n    assert minutes_by_day([]) == {}\n"
)


@pytest.fixture(scope="module")
def resources() -> Iterator[Resources]:
    """Sandboxes for a search of half as many candidates as are tried where nobody says otherwise."""
    with borrow_resources(load_settings({"max_candidates": 25_000, "workers": 1})) as opened:
        yield opened


def test_one_that_shows_nothing_is_gone_on_from_where_another_has_helped(resources: Resources) -> None:
    """With the first one mended, what is added up and what is kept are still both wrong, whichever is mended alone."""
    _, run = run_of(resources, with_slips(RIGHT, SLIPS), CHECKS)
    assert run.run() is Stop.FIXED
    assert RIGHT in {ranked.candidate.source for ranked in run.plausible_candidates()}
