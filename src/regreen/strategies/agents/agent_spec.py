"""What a strategy that asks a model consists of: its graph, and how it samples its model unless settings say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langgraph.graph import StateGraph

from regreen.strategies.agents.agent_context import AgentContext, Schedule
from regreen.strategies.agents.state import State

AgentGraph = StateGraph[State, AgentContext, State, State]
_SPARE_STEPS = 12
"""Steps of a graph outside its iterations: before the draft and after the last correction."""


@dataclass(frozen=True)
class AgentSpec:
    """One strategy's graph and defaults."""

    name: str
    build_graph: Callable[[], AgentGraph]
    temperature: float
    """Of the draft."""
    schedule: Schedule
    """How the temperature changes with the iterations."""
    steps_per_iteration: int = 1
    """Nodes that one iteration passes at most."""

    def recursion_limit(self, iterations: int) -> int:
        """The most steps that the graph takes: LangGraph's bound on a graph that would never end."""
        return _SPARE_STEPS + self.steps_per_iteration * (iterations + 1)


def mermaid(graph: StateGraph[State, Any, State, State], name: str) -> str:
    """A strategy's graph as Mermaid text."""
    return graph.compile(name=name).get_graph().draw_mermaid()


def steps(graph: StateGraph[State, Any, State, State], name: str) -> tuple[list[str], list[tuple[str, str, bool]]]:
    """The graph's nodes, its start first, and its steps: from, to, and whether a route chooses it."""
    drawn = graph.compile(name=name).get_graph()
    return list(drawn.nodes), [(edge.source, edge.target, edge.conditional) for edge in drawn.edges]
