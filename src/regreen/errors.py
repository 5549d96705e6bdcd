"""What Regreen raises on purpose.

    RegreenError              catch this to catch all that we raise on purpose
    ├── ConfigError           a setting is wrong; nothing has run yet
    ├── TaskError             a program, a test file or a data set is unusable
    ├── RunError              a run folder does not fit what was asked of it
    │   └── RunStorageError   the disk did not take a record; the run can be resumed
    ├── ModelError            no usable answer
    │   └── ModelUnavailable  the service is down or busy: worth another try
    └── SandboxError          the sandbox failed; says nothing about the candidate, which may be run again
        └── SandboxUnavailable  this machine lacks a layer that a promise needs; `remedy` says how to get it

What a *candidate* does wrong is never an exception: it is an `Outcome` in a `Verdict`.
"""

from __future__ import annotations


class RegreenError(Exception):
    """Base of every error that Regreen raises on purpose.

    `remedy` is one plain sentence that tells the reader what to do; it may be empty.
    """

    exit_status = 2

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy

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


class SandboxError(RegreenError):
    """The sandbox failed. It says nothing about the candidate, which may be judged again."""

    exit_status = 3


class SandboxUnavailable(SandboxError):
    """This machine lacks a layer that the sandbox's promise needs."""
