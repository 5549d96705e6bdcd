"""A search that writes spans, of a repair and of each candidate that is judged; and what such agents share with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regreen.models.otel import open_span, span_attributes
from regreen.strategies.events import Listener, ignore
from regreen.strategies.resources import Resources
from regreen.strategies.search import Search
from regreen.strategies.session import RepairSession
from regreen.types import Candidate, Repair, Task, Verdict


class TracedSearch(Search):
    """A search each of whose repairs is a span, with those of the candidates that are judged below it."""

    def __init__(self, tracer: Any, resources: Resources) -> None:
        super().__init__(resources)
        self._tracer = tracer

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget. The same task and seed give the same candidates in the same order."""
        session = TracedSession(self._tracer, self.resources, task, seed=seed, on_event=on_event)
        return traced_repair(self.name, session, self._repaired)


class TracedSession(RepairSession):
    """A session on which each proof is a span."""

    def __init__(self, tracer: Any, resources: Resources, task: Task, **more: Any) -> None:
        super().__init__(resources, task, **more)
        self.tracer = tracer

    def prove(self, candidate: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        """The judge's verdict."""
        attributes = {"regreen.candidate": candidate.id, "regreen.origin": candidate.origin}
        with open_span(self.tracer, "judge", attributes) as current:
            verdict = super().prove(candidate, fail_fast=fail_fast, seconds=seconds)
            current.set_attributes(_judged(verdict))
        return verdict


def traced_repair(
    strategy: str, session: TracedSession, run: Callable[[RepairSession], Repair], *, model: str | None = None
) -> Repair:
    """What `run` makes of the session's task, in a span."""
    attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": f"regreen {strategy}",
        "regreen.strategy": strategy,
        "regreen.task": session.task.id,
        "regreen.model": model,
        "regreen.seed": session.seed,
    }
    with open_span(session.tracer, f"repair {strategy}", attributes) as current:
        repair = run(session)
        current.set_attributes(span_attributes(_told_of(repair)))
    return repair


def _judged(verdict: Verdict) -> dict[str, Any]:
    return {
        "regreen.passed": verdict.passed,
        "regreen.checks_passed": verdict.checks_passed,
        "regreen.checks": len(verdict.results),
        "regreen.isolation": verdict.isolation.value,
    }


def _told_of(repair: Repair) -> dict[str, Any]:
    return {
        "regreen.fixed": repair.fixed,
        "regreen.stop": repair.stop.value,
        "regreen.candidates": repair.cost.candidates,
        "regreen.model_calls": repair.cost.model_calls,
        "regreen.usd": repair.cost.usd,
    }
