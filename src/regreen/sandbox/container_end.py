"""How a container ended, by the events of its engine."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from regreen.errors import SandboxError
from regreen.extras import optional_module
from regreen.sandbox.engine_client import asking_engine

GONE_SECONDS = 10
"""What an engine gets to remove a container."""


@dataclass(frozen=True, slots=True)
class ContainerEnd:
    """How a container ended, by its engine's word."""

    status: int | None
    """What its first process ended with; None where it goes on, or nothing is known."""
    words: str = ""

    @property
    def from_within(self) -> bool:
        """Whether what is inside brought it about: our server ends with 0, and only when we have hung up."""
        return self.status not in (None, 0)


def how_it_ended(api: Any, ident: str, name: str, memory_bytes: int) -> ContainerEnd:
    """What an engine knows of the end of a container that has hung up; nothing where it cannot be asked.

    The container is gone by then, or soon: only its events tell. `memory_bytes` is what it had.
    """
    errors = optional_module("docker.errors")
    with contextlib.suppress(SandboxError, KeyError, ValueError), asking_engine("tell of a container's end"):
        with contextlib.suppress(errors.APIError):
            api.wait(ident, timeout=GONE_SECONDS, condition="removed")
        filters = {"container": [ident], "event": ["die", "died", "oom"]}
        # By the engine's clock; it would wait for events of the time to come.
        now = int(datetime.fromisoformat(api.info()["SystemTime"]).timestamp()) + 1
        return _end_told_by([*api.events(since=0, until=now, filters=filters, decode=True)], name, memory_bytes)
    return ContainerEnd(None)


def _end_told_by(events: Sequence[Mapping[str, Any]], name: str, memory_bytes: int) -> ContainerEnd:
    told = {each["Action"]: each["Actor"]["Attributes"] for each in events}
    died = told.get("die") or told.get("died")
    if died is None:
        return ContainerEnd(None)
    status = int(died["exitCode"] if "exitCode" in died else died["containerExitCode"])
    spent = f"{name} ran out of its {memory_bytes >> 20} MiB" if "oom" in told else ""
    return ContainerEnd(status, spent or f"{name} ended with status {status}")
