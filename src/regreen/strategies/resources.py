"""The resources that all repairs of a run share: sandboxes, judge, limits, budget and clock."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from regreen.config import Settings
from regreen.sandbox.interpreter import Interpreter
from regreen.sandbox.kept_pools import lend_pool
from regreen.sandbox.pool import Pool, open_pool
from regreen.types import Budget, Limits, ProgramScorer, Question
from regreen.verify.judge import SandboxJudge


@dataclass(frozen=True)
class Resources:
    """Shared by the repairs of a run; may be used from several threads."""

    pool: Pool
    judge: SandboxJudge
    limits: Limits
    budget: Budget
    screeners: int = 1
    """How many processes screen the mutations of one program in parallel."""
    scorer: ProgramScorer | None = None
    """Says, beside the shipped n-grams, how natural the candidates read among which a search chooses."""
    alternatives: int = 0
    """How many further behaviours a search proves and hands over beside its repair."""
    ask: Callable[[Question], int | str | None] | None = None
    """Shows the user a question about behaviours and gives the place of the answer, or another value; None where nobody
    is asked."""
    clock: Callable[[], float] = time.monotonic
    cores: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(1_000))
    """Held by each repair that computes, and released while it waits for a model.

    A repair keeps its core until it has to wait. If many repairs took turns on few cores, all would be ready for the
    model at about the same time, and the cores would be idle while all wait.
    """


@contextlib.contextmanager
def open_resources(
    settings: Settings,
    *,
    tasks_at_once: int = 1,
    ask: Callable[[Question], int | str | None] | None = None,
) -> Iterator[Resources]:
    """Resources with newly opened sandboxes, which end with the block.

    `tasks_at_once` repairs share the workers; there may be more repairs than cores where most wait for a model. `ask`
    is as in Resources.
    """
    pool = open_pool(settings.confinement, workers=min(tasks_at_once, settings.workers))
    with _around(pool, settings, tasks_at_once, ask) as resources:
        yield resources


@contextlib.contextmanager
def borrow_resources(
    settings: Settings,
    *,
    ask: Callable[[Question], int | str | None] | None = None,
    interpreter: Interpreter | None = None,
    preload: tuple[str, ...] = (),
) -> Iterator[Resources]:
    """Resources for one repair, with sandboxes that repairs of this process leave to one another.

    `interpreter` takes the place of the one that the settings name; `preload` is as in `lend_pool`.
    """
    pool = lend_pool(settings.confinement, interpreter=interpreter, preload=preload)
    with _around(pool, settings, 1, ask) as resources:
        yield resources


@contextlib.contextmanager
def _around(
    opening: contextlib.AbstractContextManager[Pool],
    settings: Settings,
    tasks_at_once: int,
    ask: Callable[[Question], int | str | None] | None,
) -> Iterator[Resources]:
    """Resources with these sandboxes."""
    with _open_scorer(settings) as scorer, opening as pool:
        screeners = max(1, settings.workers // tasks_at_once)
        cores = threading.Semaphore(settings.workers)
        yield Resources(
            pool,
            SandboxJudge(pool),
            settings.limits,
            settings.budget,
            screeners,
            scorer=scorer,
            alternatives=settings.alternatives,
            ask=ask,
            cores=cores,
        )


@contextlib.contextmanager
def _open_scorer(settings: Settings) -> Iterator[ProgramScorer | None]:
    """The scorer by the model that the settings name; None where they name none."""
    if settings.rank_model is None:
        yield None
        return
    from regreen.models.program_likelihood import open_program_scorer

    with open_program_scorer(settings, settings.rank_model) as scorer:
        yield scorer
