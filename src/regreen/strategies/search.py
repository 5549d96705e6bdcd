"""The strategy that needs no model: generate and validate over the program's own text."""

from __future__ import annotations

from dataclasses import dataclass

from regreen.strategies.bench import Bench
from regreen.strategies.events import Listener, ignore
from regreen.strategies.explain import explain
from regreen.strategies.handover import best_of
from regreen.strategies.quest import Quest
from regreen.strategies.workshop import Workshop
from regreen.types import Attempt, Cost, Repair, Stop, Task, Verdict


class Search:
    """Repairs tasks by search; may be used from several threads."""

    name = "search"

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget. The same task and seed give the same candidates in the same order."""
        return self._repaired(Bench(self.workshop, task, seed=seed, on_event=on_event))

    def _repaired(self, bench: Bench) -> Repair:
        with bench.at_work():
            return _Work(bench).run()


@dataclass
class _Work:
    """One repair from the first run of the checks to the hand-over."""

    bench: Bench
    quest: Quest | None = None

    def run(self) -> Repair:
        """Do all of it; an interrupt ends it early, with what there is."""
        chosen: Attempt | None = None
        try:
            stop = self._find()
            if stop is Stop.FIXED and self.quest:
                chosen = self.quest.choose()
        except KeyboardInterrupt:
            if not self.bench.is_examined:
                # Nothing is known of the program yet, so there is no result to hand back.
                raise
            stop = Stop.INTERRUPTED
            chosen = best_of(self.bench.relied_on, self.quest.attempts) if self.quest else None
        return self._repair(chosen, stop)

    def _find(self) -> Stop:
        bench = self.bench
        if not bench.baseline.red:
            return Stop.NOTHING_RED
        self.quest = Quest(bench, bench.task.source, bench.baseline, budget=bench.budget)
        return self.quest.run()

    def _repair(self, chosen: Attempt | None, stop: Stop) -> Repair:
        bench, quest = self.bench, self.quest
        before = bench.baseline.verdict if bench.is_examined else Verdict({})
        best = quest.nearest() if quest and not chosen and stop is not Stop.NOTHING_RED else None
        sites = quest.sites if quest else ()
        cost = self._cost()
        return Repair(
            task_id=bench.task.id,
            chosen=chosen,
            before=before,
            attempts=quest.attempts if quest else (),
            cost=cost,
            stop=stop,
            sites=sites,
            best=best,
            flaky=bench.baseline.flaky if bench.is_examined else (),
            explanation=explain(bench.relied_on, before, chosen, best, sites, cost, stop),
        )

    def _cost(self) -> Cost:
        bench, quest = self.bench, self.quest
        hunt = quest.hunt if quest else None
        timings = {"localise": 0.0, "propose": 0.0, "execute": 0.0, "reflect": 0.0, "select": 0.0}
        timings |= quest.spent if quest else {}
        timings["execute"] += bench.baseline_seconds
        return Cost(
            candidates=hunt.tried if hunt else 0,
            duplicates=hunt.engine.duplicates if hunt else 0,
            seconds=bench.seconds,
            timings=timings,
        )
