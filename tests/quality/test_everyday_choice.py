"""Of the repairs that pass a user's few tests, is the right one chosen, and is a wrong one warned of?"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from regreen.config import load_settings
from regreen.strategies.resources import Resources, borrow_resources
from regreen.strategies.search import Search
from regreen.tasks.shipped import read_shelf
from regreen.types import Case
from regreen.verify.suites import read_suite

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
RIGHT = 24
"""Of them, two fewer than measured; docs/search.md has the figures."""
WRONG_WITHOUT_WARNING = 1


@pytest.fixture(scope="module")
def everyday() -> tuple[Case, ...]:
    """Small tasks as users have them; reading them takes half a second, which collecting the tests does not."""
    return read_shelf(Path(__file__).parent / "everyday", "everyday", read_suite)


def is_right(resources: Resources, case: Case, source: str) -> bool:
    """Whether a program passes the hidden checks."""
    return resources.judge.judge(source, case.hidden, resources.limits).passed


def test_the_reference_passes_and_the_slip_shows(everyday: tuple[Case, ...]) -> None:
    """Each task says what it means, in its visible checks and in its hidden ones."""
    with borrow_resources(load_settings()) as resources:
        for case in everyday:
            assert resources.judge.judge(case.reference, case.task.suite, resources.limits).passed, case.task.id
            assert is_right(resources, case, case.reference), case.task.id
            assert not resources.judge.judge(case.task.source, case.task.suite, resources.limits).passed, case.task.id


def test_the_right_repair_is_chosen_or_the_wrong_one_is_doubted(everyday: tuple[Case, ...]) -> None:
    """Most are right, and next to none is wrong without being called doubtful."""
    right, silent = [], []
    with borrow_resources(load_settings()) as resources:
        for case in everyday:
            repair = Search(resources).repair(case.task)
            assert repair.chosen is not None, case.task.id
            if is_right(resources, case, repair.chosen.candidate.source):
                right.append(case.task.id)
            elif not repair.is_doubtful:
                silent.append(case.task.id)
    assert len(right) >= RIGHT, right
    assert len(silent) <= WRONG_WITHOUT_WARNING, silent
