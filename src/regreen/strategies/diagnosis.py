"""Which red checks are beyond any change of the program, found before anything is changed."""

from __future__ import annotations

from collections.abc import Sequence

from regreen.errors import OutOfReach, SandboxRefusal
from regreen.strategies.resources import Resources
from regreen.types import Check, Obstacle, Outcome, Suite, SuiteKind, Task
from regreen.verify.baseline import Baseline
from regreen.verify.check_causes import check_causes, neighbours, runs_nothing
from regreen.verify.hollow_program import hollow_program
from regreen.verify.obstacles import Surroundings, find_obstacles
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ProgramTrace, TraceOrder

_NAMED_CHECKS = 5
"""How many checks a sentence names."""
_MOST_REMEDIES = 5
_CANDIDATE = "candidate"
"""What checks call the program's function that they are handed as an argument."""


def suspects(baseline: Baseline) -> tuple[str, ...]:
    """Ids of the red checks that may have failed without the program, as far as their verdict and their text tell."""
    results = baseline.verdict.results
    evident = {check.id for check in baseline.suite.checks if _calls_program(baseline.suite, check)}
    return tuple(
        check for check in baseline.red if results[check].outcome is not Outcome.FAILED or check not in evident
    )


def _calls_program(suite: Suite, check: Check) -> bool:
    """Whether a check is one statement with a call of the program: one that came to a decision has asked it."""
    return suite.kind is SuiteKind.SCRIPT and any(f"{name}(" in check.code for name in _callable_names(suite))


def _callable_names(suite: Suite) -> tuple[str, ...]:
    return (*suite.surface.functions, *suite.surface.coroutines, _CANDIDATE)


def diagnose(resources: Resources, task: Task, baseline: Baseline) -> tuple[tuple[Obstacle, ...], ProgramTrace]:
    """The causes of red checks that lie outside the program, and the trace of the program that shows them."""
    traced = _trace(resources, task, task.source, baseline)
    unreached = [check for check in baseline.red if runs_nothing(traced, check)]
    hollow = _trace(resources, task, hollow_program(task.source), baseline) if unreached else None
    around = Surroundings(
        name=task.id,
        source=task.source,
        suite=baseline.suite,
        companions=neighbours(baseline.suite, task.companions),
        python=resources.pool.wall.python,
        allows_processes=resources.limits.processes,
    )
    causes = check_causes(baseline.suite, baseline.verdict.results, task.companions, traced, hollow)
    return find_obstacles(causes, around), traced


def _trace(resources: Resources, task: Task, source: str, baseline: Baseline) -> ProgramTrace:
    """The trace of a program under the checks of the baseline, whose text keeps its line numbers."""
    opened = open_screeners(
        resources.pool,
        source,
        baseline.suite,
        resources.limits,
        task.companions,
        size=1,
        counted=False,
        examples=baseline.examples,
    )
    with opened as screeners:
        return screeners.trace(TraceOrder(resources.limits.seconds, baseline.hanging, baseline.deadly))


def out_of_reach(task: Task, obstacles: Sequence[Obstacle]) -> OutOfReach | SandboxRefusal:
    """The error for a task of which these certain obstacles keep every red check red."""
    message = "\n".join(describe_obstacle(task, obstacle) for obstacle in obstacles)
    remedy = "\n".join(dict.fromkeys(obstacle.remedy for obstacle in obstacles[:_MOST_REMEDIES]))
    kind = SandboxRefusal if all(obstacle.is_refusal for obstacle in obstacles) else OutOfReach
    return kind(message, obstacles=tuple(obstacles), remedy=remedy)


def describe_obstacle(task: Task, obstacle: Obstacle) -> str:
    """A sentence: which checks stay red, and why."""
    checks = _named_checks(task.suite, obstacle.checks)
    if not obstacle.certain:
        return f"{checks}: perhaps {task.id} is not at fault, for {obstacle.cause}."
    verb = "stays" if len(obstacle.checks) == 1 else "stay"
    return f"{checks} {verb} red whatever {task.id} says: {obstacle.cause}."


def _named_checks(suite: Suite, checks: Sequence[str]) -> str:
    """The first five of them: functions by their names, statements by their lines."""
    lines = {check.id: f"{suite.origin}:{check.line}" for check in suite.checks if check.line}
    names = [lines.get(check, check) if suite.kind is SuiteKind.SCRIPT else check for check in checks[:_NAMED_CHECKS]]
    more = len(checks) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
