"""Why tests of a project are red whatever its modules say: told apart from those that a repair can turn green."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from regreen.types import AsideKind, Obstacle, ObstacleKind, Suite, TestsAside
from regreen.verify.check_causes import CheckCause
from regreen.verify.obstacles import (
    ObstacleRule,
    Surroundings,
    async_test,
    broken_tests,
    find_obstacles,
    missing_file,
    missing_fixture,
    missing_module,
    missing_variable,
    printed_too_much,
    refused_network,
    refused_processes,
    unreached,
)
from regreen.verify.project_survey import ProjectSurvey
from regreen.verify.raised_errors import RaisedError

_KINDS = {
    ObstacleKind.MODULE: AsideKind.MODULE,
    ObstacleKind.FIXTURE: AsideKind.FIXTURE,
    ObstacleKind.ASYNC: AsideKind.MODULE,
    ObstacleKind.FILE: AsideKind.OUTSIDE,
    ObstacleKind.VARIABLE: AsideKind.OUTSIDE,
    ObstacleKind.NETWORK: AsideKind.NETWORK,
    ObstacleKind.PROCESSES: AsideKind.PROCESSES,
    ObstacleKind.TESTS: AsideKind.COLLECTION,
    ObstacleKind.UNREACHED: AsideKind.CONTRADICTION,
}
_RULES: tuple[ObstacleRule, ...] = (
    missing_fixture,
    async_test,
    missing_module,
    refused_network,
    refused_processes,
    missing_variable,
    missing_file,
    broken_tests,
    printed_too_much,
    unreached,
)
"""The rules for single programs, but for the one that names another file as the culprit: here it may be repaired."""


def tests_out_of_reach(
    survey: ProjectSurvey,
    suite: Suite,
    red: Iterable[str],
    *,
    programs: Collection[str],
    independent: Collection[str],
    python: str,
    allows_processes: bool,
) -> tuple[TestsAside, ...]:
    """The red tests that no change of `programs` can turn green, by cause.

    `independent` are the files of tests that import none of the programs.
    """
    around = Surroundings("the project's modules", "", suite, frozenset(programs), python, allows_processes)
    causes = (_cause(survey, suite, check, programs, independent) for check in red)
    obstacles = find_obstacles(causes, around, _RULES)
    return tuple(_aside(obstacle) for obstacle in obstacles if obstacle.certain)


def _cause(
    survey: ProjectSurvey, suite: Suite, check: str, programs: Collection[str], independent: Collection[str]
) -> CheckCause:
    files = suite.project.files if suite.project is not None else {}
    errors = tuple(_from_project_on(error, files) for error in survey.errors.get(check, ()))
    ran = any(survey.functions[number].path in programs for number in survey.ran.get(check, ()))
    passed_through = any(frame.file in programs for error in errors for frame in error.frames)
    file = check.partition("::")[0]
    is_independent = file in independent and not ran and not passed_through
    return CheckCause(check, survey.verdict.results[check], errors, suite, frozenset(programs), is_independent)


def _from_project_on(error: RaisedError, files: Collection[str]) -> RaisedError:
    """The error with its frames from the first of the project's own on: those before it are pytest's."""
    place = next((number for number, frame in enumerate(error.frames) if frame.file in files), 0)
    return replace(error, frames=error.frames[place:])


def _aside(obstacle: Obstacle) -> TestsAside:
    is_wrong = obstacle.kind is ObstacleKind.UNREACHED
    remedy = "No change of the project can turn it green: correct the test." if is_wrong else obstacle.remedy
    return TestsAside(_KINDS[obstacle.kind], obstacle.checks, obstacle.cause, remedy)


def own_modules(programs: Iterable[str]) -> frozenset[str]:
    """The names under which a project's own modules may be imported, each part by itself."""
    return frozenset(part.removesuffix(".py") for path in programs for part in PurePosixPath(path).parts)
