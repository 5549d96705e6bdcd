"""The errors that Regreen raises on purpose.

    RegreenError              the base of all of them
    ├── ConfigError           a setting is wrong; nothing has run yet
    ├── TaskError             a program, a test file or a data set cannot be used
    │   └── OutOfReach        no change of the program can turn its red checks green; `obstacles` says why
    ├── RunError              a run folder cannot be used as asked
    │   └── RunStorageError   the disk did not take a record; the run can be resumed
    ├── ModelError            no usable answer
    │   ├── ModelUnavailable  the service is down or busy: a later request may work
    │   │   └── CircuitOpen   it failed too often in a row: the run ends early
    │   ├── BudgetSpent       the run's limit of tokens or money is reached
    │   ├── ToolsUnsupported  the model takes no tools
    │   ├── ContextTooLong    the request does not fit into the model's context
    │   └── TapeDrift         the request differs from the recorded one at this point
    └── SandboxError          the sandbox failed; says nothing about the candidate, which may be run again
        ├── SandboxUnavailable  this machine lacks a needed layer; `remedy` says how to get it
        ├── SandboxEnded      all of it ended from within, while it held a program
        └── SandboxRefusal    the red checks need what the sandbox refuses; `obstacles` says what

A fault of a *candidate* is never an exception: it is an `Outcome` in a `Verdict`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regreen.types import Obstacle, ProjectRepair, Repair

INTERRUPTED_STATUS = 130
"""Exit status of the command line after Ctrl-C."""


class RegreenError(Exception):
    """Base of every error that Regreen raises on purpose.

    `remedy` is one plain sentence on how to mend it; it may be empty.
    """

    exit_status = 2
    """Exit status of the command line that ends with this error."""
    repair: Repair | None = None
    """The partial result of the repair that this error cut short; None where no repair had begun."""
    project_repair: ProjectRepair | None = None
    """The same for the repair of a whole project."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy

    def add_repair(self, repair: Repair) -> None:
        """Attach the partial result of the repair that this error cuts short."""
        self.repair = repair

    def add_project_repair(self, repair: ProjectRepair) -> None:
        """The same for the repair of a whole project."""
        self.project_repair = repair

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} {self.remedy}".rstrip()


class ConfigError(RegreenError):
    """A setting is wrong; nothing has run yet."""


class TaskError(RegreenError):
    """A program, a test file or a data set cannot be used as it is."""


class OutOfReach(TaskError):
    """No change of the program can turn its red checks green; `obstacles` are the causes."""

    def __init__(self, message: str, *, obstacles: tuple[Obstacle, ...], remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.obstacles = obstacles


class RunError(RegreenError):
    """A run folder cannot be used as asked: locked, unreadable, or begun with other settings."""


class RunStorageError(RunError):
    """A record could not be written to disk; the run can be resumed."""

    exit_status = 3


class ModelError(RegreenError):
    """A model gave no usable answer."""

    exit_status = 3


class ModelUnavailable(ModelError):
    """The model's service is down or busy; the same request may work later."""


class CircuitOpen(ModelUnavailable):
    """The service failed too often in a row: no more requests are sent, and finished work is kept."""


class BudgetSpent(ModelError):
    """The limit of tokens or money for the whole run is reached; `kind` is "tokens" or "usd"."""

    def __init__(self, message: str, *, kind: str, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.kind = kind


class ToolsUnsupported(ModelError):
    """The model, or its service, does not support tools."""


class ContextTooLong(ModelError):
    """The request does not fit into the model's context."""


class TapeDrift(ModelError):
    """The request differs from the recorded one at this point; `diff` shows how the prompts differ."""

    def __init__(self, message: str, *, diff: str = "", remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.diff = diff


class SandboxError(RegreenError):
    """The sandbox failed, which says nothing about the candidate: it may be judged again."""

    exit_status = 3


class SandboxUnavailable(SandboxError):
    """This machine lacks a layer of isolation that the sandbox's promise needs."""


class SandboxEnded(SandboxError):
    """All of a sandbox ended, by its engine's word and with a status of its own; `kind` is what it held.

    Once, that may be anybody's doing. A program that does it twice to two of them does it by itself.
    """

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class SandboxRefusal(SandboxError):
    """The red checks need what the sandbox refuses, the network say; `obstacles` are the causes."""

    def __init__(self, message: str, *, obstacles: tuple[Obstacle, ...], remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.obstacles = obstacles
