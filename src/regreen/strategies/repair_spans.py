"""OpenTelemetry spans of a repair, of the nodes of its graph and of the candidates that are judged."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from regreen.types import Candidate, Repair, Verdict


class RepairSpans:
    """Opens the spans of repairs; without a tracer, none."""

    def __init__(self, tracer: Any = None) -> None:
        self._tracer = tracer

    @property
    def enabled(self) -> bool:
        """Whether spans are written at all."""
        return self._tracer is not None

    @contextlib.contextmanager
    def repair(
        self, strategy: str, task_id: str, seed: int, *, model: str | None = None
    ) -> Iterator[Callable[[Repair], None]]:
        """A span around one repair; call the result with the repair that came of it."""
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": f"regreen {strategy}",
            "regreen.strategy": strategy,
            "regreen.task": task_id,
            "regreen.model": model,
            "regreen.seed": seed,
        }
        with self._span(f"repair {strategy}", attributes) as set_attributes:
            yield lambda repair: set_attributes(_of_repair(repair))

    @contextlib.contextmanager
    def judgement(self, candidate: Candidate) -> Iterator[Callable[[Verdict], None]]:
        """A span around the judgement of one candidate; call the result with the verdict."""
        if self._tracer is None:
            yield _nothing
            return
        attributes = {"regreen.candidate": candidate.id, "regreen.origin": candidate.origin}
        with self._span("judge", attributes) as set_attributes:
            yield lambda verdict: set_attributes(_of_verdict(verdict))

    @contextlib.contextmanager
    def node(self, name: str, iteration: int) -> Iterator[None]:
        """A span around one run of a graph's node."""
        with self._span(f"node {name}", {"regreen.iteration": iteration}):
            yield

    @contextlib.contextmanager
    def _span(self, name: str, attributes: dict[str, Any]) -> Iterator[Callable[[dict[str, Any]], None]]:
        if self._tracer is None:
            yield _nothing
            return
        from regreen.models.otel import open_span, span_attributes

        with open_span(self._tracer, name, attributes) as current:
            yield lambda more: current.set_attributes(span_attributes(more))


NO_SPANS = RepairSpans()


def _nothing(result: object) -> None:
    """What becomes of a result where no span is open."""


def _of_repair(repair: Repair) -> dict[str, Any]:
    return {
        "regreen.fixed": repair.fixed,
        "regreen.stop": repair.stop.value,
        "regreen.candidates": repair.cost.candidates,
        "regreen.model_calls": repair.cost.model_calls,
        "regreen.usd": repair.cost.usd,
    }


def _of_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "regreen.passed": verdict.passed,
        "regreen.checks_passed": verdict.checks_passed,
        "regreen.checks": len(verdict.results),
        "regreen.isolation": verdict.isolation.value,
    }
