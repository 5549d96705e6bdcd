"""The strategy that needs no model: generate and validate over the program's own text."""

from __future__ import annotations

from dataclasses import dataclass

from regreen.strategies.events import Listener, ignore
from regreen.strategies.explanation import explain_repair
from regreen.strategies.patch_selection import best_passing
from regreen.strategies.resources import Resources
from regreen.strategies.search_run import SearchRun
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Cost, Repair, Stop, Task, Verdict


class Search:
    """Repairs tasks by search; may be used from several threads."""

    name = "search"

    def __init__(self, resources: Resources) -> None:
        self.resources = resources

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget. The same task and seed give the same candidates in the same order."""
        return self._repaired(RepairSession(self.resources, task, seed=seed, on_event=on_event))

    def _repaired(self, session: RepairSession) -> Repair:
        with session.holding_core():
            return _Work(session).run()


@dataclass
class _Work:
    """One repair from the first run of the checks to the hand-over."""

    session: RepairSession
    search_run: SearchRun | None = None

    def run(self) -> Repair:
        """Do all of it; an interrupt ends it early, with what there is."""
        chosen: Attempt | None = None
        try:
            stop = self._find()
            if stop is Stop.FIXED and self.search_run:
                chosen = self.search_run.choose()
        except KeyboardInterrupt:
            if not self.session.is_examined:
                # Nothing is known of the program yet, so there is no result to hand back.
                raise
            stop = Stop.INTERRUPTED
            chosen = best_passing(self.session.reliable_task, self.search_run.attempts) if self.search_run else None
        return self._repair(chosen, stop)

    def _find(self) -> Stop:
        session = self.session
        if not session.baseline.red:
            return Stop.NOTHING_RED
        self.search_run = SearchRun(session, session.task.source, session.baseline, budget=session.budget)
        return self.search_run.run()

    def _repair(self, chosen: Attempt | None, stop: Stop) -> Repair:
        session, search_run = self.session, self.search_run
        before = session.baseline.verdict if session.is_examined else Verdict({})
        best = search_run.nearest() if search_run and not chosen and stop is not Stop.NOTHING_RED else None
        sites = search_run.sites if search_run else ()
        cost = self._cost()
        return Repair(
            task_id=session.task.id,
            chosen=chosen,
            before=before,
            attempts=search_run.attempts if search_run else (),
            cost=cost,
            stop=stop,
            sites=sites,
            best=best,
            flaky=session.baseline.flaky if session.is_examined else (),
            explanation=explain_repair(session.reliable_task, before, chosen, best, sites, cost, stop),
        )

    def _cost(self) -> Cost:
        session, search_run = self.session, self.search_run
        loop = search_run.loop if search_run else None
        timings = {"localise": 0.0, "propose": 0.0, "execute": 0.0, "reflect": 0.0, "select": 0.0}
        timings |= search_run.spent if search_run else {}
        timings["execute"] += session.baseline_seconds
        return Cost(
            candidates=loop.tried if loop else 0,
            duplicates=loop.engine.duplicates if loop else 0,
            seconds=session.seconds,
            timings=timings,
        )
