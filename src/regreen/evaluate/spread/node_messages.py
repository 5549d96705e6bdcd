"""What crosses between the process that keeps a run and the nodes that work for it: plain data, and no key."""

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
from regreen.evaluate.sample_runner import CompletedSample, SampleJob
from regreen.models import Reply, Request

_DRIVER_SETTINGS = frozenset({"spread", "cache", "base_url"})
"""Settings of the process that keeps the run: what is asked of a model is asked from there."""

_OWN_ERRORS = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, RegreenError)
}
"""The errors that we raise on purpose."""


@dataclass(frozen=True, slots=True)
class PackedError:
    """An exception as plain data: some of ours cannot be pickled, and those of libraries may not be known elsewhere."""

    name: str
    base: str
    """The nearest of its classes that is one of `regreen.errors`; empty where it has none."""
    message: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an actor has to know of the run that it works for."""

    settings: Mapping[str, Any]
    configuration: RunConfiguration
    model: str | None
    """The name of the model; None where none is asked."""
    cores: int
    slots: int
    """Jobs that the actor may have under way."""
    version: str
    """Of Regreen, where the run is kept."""

    def settings_there(self) -> Settings:
        """The settings as they hold on the node that this is called on."""
        python = str(self.settings["python"])
        here = {"workers": self.cores, "python": python if _is_executable(python) else sys.executable}
        return Settings.model_validate({**self.settings, **here})


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """A job wants to know something of the model."""

    request: Request


@dataclass(frozen=True, slots=True)
class JobReport:
    """How a job ended on a node."""

    line: ResultLine
    fault: PackedError | None
    trace: str


ModelAnswer = Reply | PackedError
"""What the model answered."""


def assignment_of(
    settings: Settings, configuration: RunConfiguration, *, model: str | None, version: str
) -> Assignment:
    """What any actor has to know; its cores and slots are still to be given."""
    values = {name: value for name, value in settings.model_dump(mode="json").items() if name not in _DRIVER_SETTINGS}
    return Assignment(values, configuration, model, cores=1, slots=1, version=version)


def job_scope(job: SampleJob, configuration: RunConfiguration) -> str:
    """The name of a job's repair within the run, by which its requests are told apart."""
    return f"{job.case.task.id}#{job.seed(configuration)}"


def report_of(ended: CompletedSample) -> JobReport:
    """How a job ended, ready to travel."""
    return JobReport(ended.line, None if ended.error is None else pack_error(ended.error), ended.trace)


def completed_sample(report: JobReport) -> CompletedSample:
    """How a job ended, as if it had done so here."""
    return CompletedSample(report.line, None if report.fault is None else unpack_error(report.fault), report.trace)


def pack_error(error: Exception) -> PackedError:
    """An exception as plain data."""
    known = (kind.__name__ for kind in type(error).__mro__ if _OWN_ERRORS.get(kind.__name__) is kind)
    message = str(error.args[0]) if error.args else ""
    fields = {name: value for name, value in vars(error).items() if isinstance(value, str)}
    return PackedError(type(error).__name__, next(known, ""), message, fields)


def unpack_error(fault: PackedError) -> Exception:
    """The exception again: of the same name, and one of ours where it was."""
    base = _OWN_ERRORS.get(fault.base, RuntimeError)
    kind: type[Exception] = base if fault.name == fault.base else type(fault.name, (base,), {})
    error = kind.__new__(kind, fault.message)
    for name, value in fault.fields.items():
        setattr(error, name, value)
    return error


def _is_executable(python: str) -> bool:
    return Path(python).is_file() and os.access(python, os.X_OK)
