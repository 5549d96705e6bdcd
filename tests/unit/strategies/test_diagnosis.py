"""Which red checks are looked into, and in what words they are told."""

from __future__ import annotations

import pytest

from regreen.errors import OutOfReach, SandboxRefusal
from regreen.strategies.diagnosis import describe_obstacle, out_of_reach, suspects
from regreen.types import CheckResult, Obstacle, ObstacleKind, Outcome, Task, Verdict
from regreen.verify.baseline import Baseline
from regreen.verify.suites import read_suite

PROGRAM = "def total(xs):\n    return 0\n"
NETWORK = Obstacle(ObstacleKind.NETWORK, ("a",), "the network", "the sandbox refuses the network", "Do without it.")
MODULE = Obstacle(ObstacleKind.MODULE, ("b", "c"), "yaml", "there is no module yaml", "Install it.")


@pytest.mark.parametrize(
    ("tests", "outcome", "expected"),
    [
        ("from prices import total\nassert total([1]) == 1", Outcome.FAILED, False),
        ("from prices import total\nassert total([1]) == 1", Outcome.RAISED, True),
        ("from prices import total\nassert 1 == 2", Outcome.FAILED, True),
        ("from prices import total\ndef test_a():\n    assert total([1]) == 1", Outcome.FAILED, True),
    ],
)
def test_a_check_that_evidently_asked_the_program_is_not_looked_into(
    tests: str, outcome: Outcome, expected: bool
) -> None:
    """Most red checks are wrong answers, and a look costs a run of all checks."""
    suite = read_suite(tests, program=PROGRAM, module="prices", entry_point=None)
    red = Baseline(suite, Verdict({check.id: CheckResult(outcome) for check in suite.checks}))
    assert bool(suspects(red)) is expected


@pytest.mark.parametrize(
    ("obstacles", "kind", "status"),
    [((NETWORK,), SandboxRefusal, 3), ((MODULE,), OutOfReach, 2), ((MODULE, NETWORK), OutOfReach, 2)],
)
def test_the_error_names_every_cause_and_remedy(
    obstacles: tuple[Obstacle, ...], kind: type[Exception], status: int
) -> None:
    """The sandbox is to blame only where nothing else is in the way."""
    task = Task(
        "prices.py", PROGRAM, None, read_suite("assert 1 == 2", program=PROGRAM, module="prices", entry_point=None)
    )
    error = out_of_reach(task, obstacles)
    assert (type(error), error.exit_status, error.obstacles) == (kind, status, obstacles)
    assert all(obstacle.cause in str(error) and obstacle.remedy in error.remedy for obstacle in obstacles)


def test_many_checks_are_counted() -> None:
    """A suite of hundreds does not fill the screen."""
    task = Task(
        "prices.py", PROGRAM, None, read_suite("assert 1 == 2", program=PROGRAM, module="prices", entry_point=None)
    )
    many = Obstacle(ObstacleKind.MODULE, tuple(f"t{n}" for n in range(9)), "yaml", "there is no module yaml", "")
    assert describe_obstacle(task, many).startswith("t0, t1, t2, t3, t4 and 4 more stay red whatever prices.py says")


def test_statements_are_named_by_their_lines() -> None:
    """A statement has no name of its own."""
    suite = read_suite("import x\n\nassert 1 == 2", program=PROGRAM, module="prices", entry_point=None, origin="t.py")
    obstacle = Obstacle(ObstacleKind.MODULE, (suite.checks[0].id,), "x", "there is no module x", "")
    said = describe_obstacle(Task("prices.py", PROGRAM, None, suite), obstacle)
    assert said == "t.py:3 stays red whatever prices.py says: there is no module x."
