from datetime import date

import pytest

from planner.model import Plan, Task
from planner.report import lines


@pytest.fixture
def plan():
    plan = Plan()
    plan.add(Task(date(2024, 3, 9), "paint", days=2))
    plan.add(Task(date(2024, 3, 1), "plaster"))
    plan.add(Task(date(2024, 3, 20), "move in"))
    return plan


def test_plans_share_no_tasks(plan):
    assert Plan().tasks == []


def test_next(plan):
    assert plan.next().name == "plaster"


def test_next_of_nothing():
    assert Plan().next() is None


def test_begins(plan):
    assert plan.tasks[0].begins == date(2024, 3, 8)


def test_lines(plan):
    assert list(lines(plan, date(2024, 3, 9))) == ["! 2024-03-01 plaster", "  2024-03-09 paint", "  2024-03-20 move in"]
