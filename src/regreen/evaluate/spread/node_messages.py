"""What crosses between the driver, which keeps a run, and the nodes that work for it: plain data, and no key."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen import errors
from regreen.config import Settings
from regreen.errors import RegreenError
from regreen.evaluate.records import ResultLine, RunConfiguration
from regreen.evaluate.run_loop import CompletedJob
from regreen.evaluate.sample_runner import CompletedSample, SampleJob
from regreen.models import Reply, Request

_DRIVER_SETTINGS = frozenset({"spread", "cache", "base_url"})
"""Settings that no node is given: models are asked by the driver."""

_OWN_ERRORS = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, RegreenError)
}
"""The classes of `regreen.errors`, by name."""


@dataclass(frozen=True, slots=True)
class PackedError:
    """An exception as plain data: some of ours cannot be pickled, and those of libraries may not be known elsewhere."""

    name: str
    """Of its class."""
    base: str
    """The nearest of its classes that is one of `regreen.errors`; empty where it has none."""
    message: str
    fields: Mapping[str, str]
    """Its attributes that are text, e.g. the remedy."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an actor has to know of its run."""

    settings: Mapping[str, Any]
    """The resolved settings as plain data, without those that stay with the driver."""
    configuration: RunConfiguration
    model: str | None
    """The name of the model; None where none is asked."""
    cores: int
    slots: int
    """Jobs that the actor may have under way."""
    version: str
    """Of Regreen in the driver."""

    def settings_on_node(self) -> Settings:
        """The settings on the node that this is called on, with its cores and an interpreter that it has."""
        python = str(self.settings["python"])
        of_node = {"workers": self.cores, "python": python if _is_executable(python) else sys.executable}
        return Settings.model_validate({**self.settings, **of_node})


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A job's request to the model, which the driver answers."""

    request: Request


@dataclass(frozen=True, slots=True)
class JobReport:
    """The result of a job, ready to travel."""

    line: ResultLine
    error: PackedError | None
    trace: str


ModelAnswer = Reply | PackedError
"""The model's reply, or what asking it raised."""


def assignment_of(
    settings: Settings, configuration: RunConfiguration, *, model: str | None, version: str
) -> Assignment:
    """What any actor of the run has to know; its cores and slots are still to be set."""
    values = {name: value for name, value in settings.model_dump(mode="json").items() if name not in _DRIVER_SETTINGS}
    return Assignment(values, configuration, model, cores=1, slots=1, version=version)


def job_scope(job: SampleJob, configuration: RunConfiguration) -> str:
    """The name of a job's repair within the run, which its model requests bear."""
    return f"{job.case.task.id}#{job.seed(configuration)}"


def report_of(completed: CompletedSample) -> JobReport:
    """The result of a job, packed on the node."""
    error = None if completed.error is None else pack_error(completed.error)
    return JobReport(completed.line, error, completed.trace)


def completed_sample(job: SampleJob, report: JobReport) -> CompletedSample:
    """The result of a job, unpacked in the driver."""
    error = None if report.error is None else unpack_error(report.error)
    return CompletedJob(job, report.line, error, report.trace)


def pack_error(error: Exception) -> PackedError:
    """An exception as plain data."""
    own = (kind.__name__ for kind in type(error).__mro__ if _OWN_ERRORS.get(kind.__name__) is kind)
    message = str(error.args[0]) if error.args else ""
    fields = {name: value for name, value in vars(error).items() if isinstance(value, str)}
    return PackedError(type(error).__name__, next(own, ""), message, fields)


def unpack_error(packed: PackedError) -> Exception:
    """An exception of the same name, of the same class of `regreen.errors` where it had one, else a RuntimeError."""
    base = _OWN_ERRORS.get(packed.base, RuntimeError)
    kind: type[Exception] = base if packed.name == packed.base else type(packed.name, (base,), {})
    error = kind.__new__(kind, packed.message)
    for name, value in packed.fields.items():
        setattr(error, name, value)
    return error


def _is_executable(python: str) -> bool:
    return Path(python).is_file() and os.access(python, os.X_OK)
