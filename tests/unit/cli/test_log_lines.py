"""What is logged reaches the user with -v and --debug; a warning always."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from regreen.cli.activity import Activity
from regreen.cli.log_lines import show_log
from regreen.config import Settings

LOGGER = logging.getLogger("regreen.models")


@pytest.fixture(autouse=True)
def silent_afterwards() -> Iterator[None]:
    """Later tests of this process see no log."""
    yield
    show_log(Settings())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(), "a wait\n"),
        (Settings(verbose=True), "a wait\na step\n"),
        (Settings(debug=True), "a wait\na step\na request\\x1b[2J\n"),
    ],
    ids=["as it is", "-v", "--debug"],
)
def test_a_setting_says_how_much_is_told(settings: Settings, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What a model or a service wrote moves no cursor."""
    show_log(Settings(debug=True))
    show_log(settings)
    LOGGER.warning("a wait")
    LOGGER.info("a step")
    LOGGER.debug("a request\x1b[2J")
    assert capsys.readouterr().err == told


def test_what_is_under_way_is_told_with_the_longest() -> None:
    """A service that does not answer is told from a run that stands still."""
    now = [100.0]
    activity = Activity(clock=lambda: now[0])
    activity.put("a", 0, "asking")
    activity.put("b", 0, "asking")
    activity.put("c", 0, "proving")
    now[0] += 45
    activity.put("b", 0, "asking")
    activity.put("c", 0, "asking")
    activity.put("a", 1, "searching")
    assert activity.text() == "3 asking the model (up to 45 s), 1 searching"
    for sample in ("a", "b", "c"):
        activity.put(sample, 0, "")
    assert activity.text() == "1 searching"
