"""An agent that writes spans: of a repair, of each node of its graph and of each candidate that is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from regreen.models import ChatModel
from regreen.models.otel import open_span
from regreen.strategies.agent import Agent
from regreen.strategies.agent_context import AgentContext, SamplingParameters
from regreen.strategies.events import Listener, ignore
from regreen.strategies.graph import Node, Plan, Wiring
from regreen.strategies.resources import Resources
from regreen.strategies.state import State
from regreen.strategies.traced_search import TracedSession, traced_repair
from regreen.types import Repair, Task


class TracedAgent(Agent):
    """An agent each of whose repairs is a span, with those of its nodes and candidates below it."""

    def __init__(
        self, tracer: Any, plan: Plan, resources: Resources, model: ChatModel, sampling: SamplingParameters, **more: Any
    ) -> None:
        super().__init__(traced_plan(plan, tracer), resources, model, sampling, **more)
        self._tracer = tracer

    def repair(self, task: Task, seed: int = 0, on_event: Listener = ignore) -> Repair:
        """Repair one task within the budget; the same task, seed and replies give the same candidates."""
        session = TracedSession(self._tracer, self.resources, task, seed=seed, on_event=on_event)
        return traced_repair(self.name, session, self._repaired, model=self.model.name)


class TracedWiring(Wiring):
    """A graph in the making each of whose nodes is a span."""

    def __init__(self, wiring: Wiring, tracer: Any) -> None:
        self.nodes, self.ways, self.ends = wiring.nodes, wiring.ways, wiring.ends
        self._tracer = tracer

    def node(self, name: str, node: Node) -> None:
        """Add a node."""

        def run(state: State, context: AgentContext) -> State:
            with open_span(self._tracer, f"node {name}", {"regreen.iteration": state.get("iteration", 0)}):
                return node(state, context)

        super().node(name, run)


def traced_plan(plan: Plan, tracer: Any) -> Plan:
    """The plan with a span around each node."""
    return replace(plan, wire=lambda wiring: plan.wire(TracedWiring(wiring, tracer)))
