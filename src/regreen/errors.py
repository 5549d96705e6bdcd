"""What Regreen raises on purpose.

    RegreenError              catch this to catch all that we raise on purpose
    ├── ConfigError           a setting is wrong; nothing has run yet
    ├── TaskError             a program, a test file or a data set is unusable
    ├── RunError              a run folder does not fit what was asked of it
    │   └── RunStorageError   the disk did not take a record; the run can be resumed
    ├── ModelError            no usable answer
    │   ├── ModelUnavailable  the service is down or busy: worth another try
    │   │   └── CircuitOpen   it failed so often in a row that the run ends early
    │   ├── BudgetSpent       a limit of tokens or money that holds over the run is reached
    │   ├── ToolsUnsupported  the model takes no tools
    │   ├── ContextTooLong    the request does not fit into the model's context
    │   └── TapeDrift         a recorded run asked something else at this point
    └── SandboxError          the sandbox failed; says nothing about the candidate, which may be run again
        └── SandboxUnavailable  this machine lacks a layer that a promise needs; `remedy` says how to get it

What a *candidate* does wrong is never an exception: it is an `Outcome` in a `Verdict`.
"""

from __future__ import annotations

from regreen.types import Repair

INTERRUPTED_STATUS = 130
"""The exit status after Ctrl-C, beside those of the errors here."""


class RegreenError(Exception):
    """Base of every error that Regreen raises on purpose.

    `remedy` is one plain sentence that tells the reader what to do; it may be empty.
    """

    exit_status = 2
    repair: Repair | None = None
    """The partial result of the repair that this error cut short; None where no repair had begun."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy

    def add_repair(self, repair: Repair) -> None:
        """Attach the partial result of the repair that this error cuts short."""
        self.repair = repair

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} {self.remedy}".rstrip()


class ConfigError(RegreenError):
    """A setting is wrong; nothing has run yet."""


class TaskError(RegreenError):
    """A program, a test file or a data set cannot be used as it is."""


class RunError(RegreenError):
    """A run folder does not fit what was asked of it (locked, other settings, unreadable)."""


class RunStorageError(RunError):
    """The disk did not take a record; the run can be resumed once it does."""

    exit_status = 3


class ModelError(RegreenError):
    """A model gave no usable answer."""

    exit_status = 3


class ModelUnavailable(ModelError):
    """The model's service is down or busy; the same request may work later."""


class CircuitOpen(ModelUnavailable):
    """The service failed so often in a row that nothing more is asked of it; what is done is kept."""


class BudgetSpent(ModelError):
    """A limit that holds over the whole run is reached; `kind` is "tokens" or "usd"."""

    def __init__(self, message: str, *, kind: str, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.kind = kind


class ToolsUnsupported(ModelError):
    """The model, or its service, takes no tools."""


class ContextTooLong(ModelError):
    """The request does not fit into the model's context."""


class TapeDrift(ModelError):
    """What is asked is not what the recorded run asked at this point; `diff` shows how the prompts differ."""

    def __init__(self, message: str, *, diff: str = "", remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.diff = diff


class SandboxError(RegreenError):
    """The sandbox failed. It says nothing about the candidate, which may be judged again."""

    exit_status = 3


class SandboxUnavailable(SandboxError):
    """This machine lacks a layer that the sandbox's promise needs."""
