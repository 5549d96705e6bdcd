"""Regreen turns failing Python tests green: the smallest patch, proved in a sandbox.

    >>> import regreen
    >>> repair = regreen.repair(source, tests)
    >>> repair.fixed, repair.chosen.candidate.source, repair.explanation

Everything below is loaded when it is first used: importing this package does no work.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regreen.api import evaluate, repair, repair_project
    from regreen.config import Settings, load_settings
    from regreen.errors import (
        BudgetSpent,
        CircuitOpen,
        ConfigError,
        ContextTooLong,
        ModelError,
        ModelUnavailable,
        OutOfReach,
        RegreenError,
        RunError,
        RunStorageError,
        SandboxEnded,
        SandboxError,
        SandboxRefusal,
        SandboxUnavailable,
        TapeDrift,
        TaskError,
        ToolsUnsupported,
    )
    from regreen.judging import judge
    from regreen.strategies.events import Event
    from regreen.types import (
        AsideKind,
        Attempt,
        Budget,
        Candidate,
        Case,
        Check,
        CheckResult,
        Cost,
        FileChange,
        Isolation,
        Limits,
        Obstacle,
        ObstacleKind,
        Outcome,
        ProjectAttempt,
        ProjectOutcome,
        ProjectRepair,
        Repair,
        Site,
        Stop,
        Suite,
        SuiteKind,
        SuspectFunction,
        Task,
        TestsAside,
        Turn,
        Verdict,
    )

    __version__: str

_HOMES = {
    "regreen.api": ("evaluate", "repair", "repair_project"),
    "regreen.config": ("Settings", "load_settings"),
    "regreen.errors": (
        "BudgetSpent",
        "CircuitOpen",
        "ConfigError",
        "ContextTooLong",
        "ModelError",
        "ModelUnavailable",
        "OutOfReach",
        "RegreenError",
        "RunError",
        "RunStorageError",
        "SandboxEnded",
        "SandboxError",
        "SandboxRefusal",
        "SandboxUnavailable",
        "TapeDrift",
        "TaskError",
        "ToolsUnsupported",
    ),
    "regreen.judging": ("judge",),
    "regreen.strategies.events": ("Event",),
    "regreen.types": (
        "AsideKind",
        "Attempt",
        "Budget",
        "Candidate",
        "Case",
        "Check",
        "CheckResult",
        "Cost",
        "FileChange",
        "Isolation",
        "Limits",
        "Obstacle",
        "ObstacleKind",
        "Outcome",
        "ProjectAttempt",
        "ProjectOutcome",
        "ProjectRepair",
        "Repair",
        "Site",
        "Stop",
        "Suite",
        "SuiteKind",
        "SuspectFunction",
        "Task",
        "TestsAside",
        "Turn",
        "Verdict",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AsideKind",
    "Attempt",
    "Budget",
    "BudgetSpent",
    "Candidate",
    "Case",
    "Check",
    "CheckResult",
    "CircuitOpen",
    "ConfigError",
    "ContextTooLong",
    "Cost",
    "Event",
    "FileChange",
    "Isolation",
    "Limits",
    "ModelError",
    "ModelUnavailable",
    "Obstacle",
    "ObstacleKind",
    "OutOfReach",
    "Outcome",
    "ProjectAttempt",
    "ProjectOutcome",
    "ProjectRepair",
    "RegreenError",
    "Repair",
    "RunError",
    "RunStorageError",
    "SandboxEnded",
    "SandboxError",
    "SandboxRefusal",
    "SandboxUnavailable",
    "Settings",
    "Site",
    "Stop",
    "Suite",
    "SuiteKind",
    "SuspectFunction",
    "TapeDrift",
    "Task",
    "TaskError",
    "TestsAside",
    "ToolsUnsupported",
    "Turn",
    "Verdict",
    "__version__",
    "evaluate",
    "judge",
    "load_settings",
    "repair",
    "repair_project",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("regreen")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'regreen' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """This package: importing the room `evaluate/` does not put the room in the place of the function of that name."""

    @property
    def evaluate(self) -> Any:
        """The function."""
        return __getattr__("evaluate")

    @evaluate.setter
    def evaluate(self, room: ModuleType) -> None:
        """Leave the function in its place; `sys.modules` knows the room."""


sys.modules[__name__].__class__ = _Package
