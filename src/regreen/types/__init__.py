"""The values that all parts of the package share, and the protocol of a judge.

A `Task` is a program with the `Suite` of checks that it should pass. A `Candidate` is one proposed program; a `Judge`
runs checks against it and gives a `Verdict`, one `CheckResult` a check. A `Repair` is the outcome of a strategy on a
task, within a `Budget` and at a `Cost`. All values are frozen: built once, passed along, never edited.

All are imported from here, whichever module of this folder holds them.
"""

from __future__ import annotations

from regreen.types.candidate_types import (
    Alternative,
    Answers,
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
    ProjectOutcome,
    ProjectRepair,
    SuspectFunction,
    TestsAside,
)
from regreen.types.repair_types import (
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
from regreen.types.suite_types import JSON_VIEW, Case, Check, Isolation, Project, Step, Suite, SuiteKind, Surface, Task
from regreen.types.verdict_types import NO_EXAMPLES, CheckResult, Judge, JudgeOptions, Limits, Outcome, Verdict

__all__ = [
    "JSON_VIEW",
    "NO_EXAMPLES",
    "STAGES",
    "TOO_LONG",
    "Alternative",
    "Answers",
    "AsideKind",
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
