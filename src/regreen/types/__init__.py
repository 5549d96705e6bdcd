"""The values that all parts of the package share, and the protocol of a judge.

A `Task` is a program with the `Suite` of checks that it should pass. A `Candidate` is one proposed program; a `Judge`
runs checks against it and gives a `Verdict`, one `CheckResult` a check. A `Repair` is the outcome of a strategy on a
task, within a `Budget` and at a `Cost`. All values are frozen: built once, passed along, never edited.

All are imported from here, whichever module of this folder holds them; each module is loaded when it is first used,
since a verdict needs few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regreen.types.candidate_types import (
        Alternative,
        Answers,
        AssertionRun,
        Candidate,
        Edit,
        PossibleAnswer,
        ProgramScorer,
        Question,
        Site,
        Visit,
    )
    from regreen.types.confinement_types import Confinement, ContainerOptions
    from regreen.types.project_types import (
        AsideKind,
        FileChange,
        ProjectAlternative,
        ProjectAttempt,
        ProjectOutcome,
        ProjectRepair,
        SuspectFunction,
        TestsAside,
    )
    from regreen.types.repair_types import (
        REFUSAL,
        STAGES,
        TOO_LONG,
        Attempt,
        Budget,
        Cost,
        Obstacle,
        ObstacleKind,
        Repair,
        Stop,
        Turn,
    )
    from regreen.types.suite_types import (
        JSON_VIEW,
        Case,
        Check,
        Isolation,
        Project,
        Step,
        Suite,
        SuiteKind,
        Surface,
        Task,
    )
    from regreen.types.verdict_types import NO_EXAMPLES, CheckResult, Judge, JudgeOptions, Limits, Outcome, Verdict

_HOMES = {
    "regreen.types.candidate_types": (
        "Alternative",
        "Answers",
        "AssertionRun",
        "Candidate",
        "Edit",
        "PossibleAnswer",
        "ProgramScorer",
        "Question",
        "Site",
        "Visit",
    ),
    "regreen.types.confinement_types": (
        "Confinement",
        "ContainerOptions",
    ),
    "regreen.types.project_types": (
        "AsideKind",
        "FileChange",
        "ProjectAlternative",
        "ProjectAttempt",
        "ProjectOutcome",
        "ProjectRepair",
        "SuspectFunction",
        "TestsAside",
    ),
    "regreen.types.repair_types": (
        "REFUSAL",
        "STAGES",
        "TOO_LONG",
        "Attempt",
        "Budget",
        "Cost",
        "Obstacle",
        "ObstacleKind",
        "Repair",
        "Stop",
        "Turn",
    ),
    "regreen.types.suite_types": (
        "JSON_VIEW",
        "Case",
        "Check",
        "Isolation",
        "Project",
        "Step",
        "Suite",
        "SuiteKind",
        "Surface",
        "Task",
    ),
    "regreen.types.verdict_types": (
        "NO_EXAMPLES",
        "CheckResult",
        "Judge",
        "JudgeOptions",
        "Limits",
        "Outcome",
        "Verdict",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "JSON_VIEW",
    "NO_EXAMPLES",
    "REFUSAL",
    "STAGES",
    "TOO_LONG",
    "Alternative",
    "Answers",
    "AsideKind",
    "AssertionRun",
    "Attempt",
    "Budget",
    "Candidate",
    "Case",
    "Check",
    "CheckResult",
    "Confinement",
    "ContainerOptions",
    "Cost",
    "Edit",
    "FileChange",
    "Isolation",
    "Judge",
    "JudgeOptions",
    "Limits",
    "Obstacle",
    "ObstacleKind",
    "Outcome",
    "PossibleAnswer",
    "ProgramScorer",
    "Project",
    "ProjectAlternative",
    "ProjectAttempt",
    "ProjectOutcome",
    "ProjectRepair",
    "Question",
    "Repair",
    "Site",
    "Step",
    "Stop",
    "Suite",
    "SuiteKind",
    "Surface",
    "SuspectFunction",
    "Task",
    "TestsAside",
    "Turn",
    "Verdict",
    "Visit",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'regreen.types' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value
