"""What all repairs of a run share: the sandboxes, the judge, the limits and the clock."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from regreen.config import Settings
from regreen.sandbox.pool import Pool, open_pool
from regreen.types import Budget, Limits
from regreen.verify.judge import SandboxJudge


@dataclass(frozen=True)
class Resources:
    """Where repairs are worked on; may be used from several threads."""

    pool: Pool
    judge: SandboxJudge
    limits: Limits
    budget: Budget
    screeners: int = 1
    """Processes that screen the mutations of one program side by side."""
    clock: Callable[[], float] = time.monotonic
    cores: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1_000))
    """One for each repair that may be at work: those that wait for a model are none of them.

    Where many repairs took turns at few cores, all would be ready at about the same time, and then all would wait for
    the model at about the same time. So each goes on until it has to wait.
    """


@contextlib.contextmanager
def open_resources(settings: Settings, *, tasks_at_once: int = 1) -> Iterator[Resources]:
    """Resources with sandboxes of their own, for the block.

    `tasks_at_once` repairs share the workers; where they mostly wait for a model there may be more of them than cores.
    """
    seats = min(tasks_at_once, settings.workers)
    with open_pool(workers=seats, layers=settings.layers, python=settings.python) as pool:
        screeners = max(1, settings.workers // tasks_at_once)
        cores = threading.Semaphore(max(seats, settings.workers))
        yield Resources(pool, SandboxJudge(pool), settings.limits, settings.budget, screeners, cores=cores)
