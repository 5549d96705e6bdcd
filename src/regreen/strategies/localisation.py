"""Which checks are red and which lines to suspect, with nothing changed: the first half of a repair by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from regreen.config import Settings
from regreen.localise import localise, ochiai
from regreen.strategies.events import Listener, ignore
from regreen.strategies.resources import borrow_resources
from regreen.strategies.session import RepairSession
from regreen.types import Obstacle, Outcome, Site, Task, Verdict
from regreen.verify.baseline import Baseline
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ProgramTrace, TraceOrder


@dataclass(frozen=True, slots=True)
class Localisation:
    """The baseline of a task, and how suspicious the lines of its program are."""

    task: Task
    """The task with its reliable checks only."""
    verdict: Verdict
    """On the program as it is."""
    flaky: tuple[str, ...] = ()
    """Ids of checks that were set aside because repeated runs disagree."""
    obstacles: tuple[Obstacle, ...] = ()
    """Causes of red checks outside the program."""
    sites: tuple[Site, ...] = ()
    """Suspected lines, most suspicious first, by all evidence together; empty where nothing is red."""
    suspiciousness: Mapping[int, float] = field(default_factory=dict)
    """Line -> Ochiai suspiciousness in [0, 1], for each line that a check ran; empty where nothing is red."""
    seconds: float = 0.0


def localise_task(task: Task, *, settings: Settings, on_event: Listener = ignore) -> Localisation:
    """Run the checks of a task, and once more line by line, in sandboxes that the next one may use after it.

    Raises what `Strategy.repair` raises.
    """
    with borrow_resources(settings) as resources:
        session = RepairSession(resources, task, seed=settings.seed, on_event=on_event)
        with session.holding_core():
            return _localised(session)


def _traced(session: RepairSession, baseline: Baseline) -> ProgramTrace:
    task, pool = session.task, session.resources.pool
    with open_screeners(pool, task.source, baseline.suite, session.limits, task.companions, size=1) as screeners:
        return screeners.trace(TraceOrder(session.limits.seconds, baseline.hanging, baseline.deadly))


def _localised(session: RepairSession) -> Localisation:
    baseline = session.examine()
    sites: tuple[Site, ...] = ()
    suspiciousness: Mapping[int, float] = {}
    if baseline.red:
        task = session.task
        session.notify("localising")
        traced = session.traced or _traced(session, baseline)
        evidence = (traced.coverage, traced.results, traced.raised, traced.hung)
        sites = localise(task.source, *evidence, task.entry_point, traced.assertions)
        passed = {check for check, result in traced.results.items() if result.outcome is Outcome.PASSED}
        suspiciousness = ochiai(traced.coverage, frozenset(passed))
    return Localisation(
        session.reliable_task,
        baseline.verdict,
        baseline.flaky,
        tuple(session.obstacles),
        sites,
        suspiciousness,
        session.seconds,
    )
