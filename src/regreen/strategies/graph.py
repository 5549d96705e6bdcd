"""Strategies as LangGraph graphs: how nodes are wired, compiled and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.strategies.desk import Desk, Schedule
from regreen.strategies.state import State

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

__all__ = ["END", "START", "Plan", "Wiring", "compile_graph", "dot", "mermaid"]

Node = Callable[[State, Desk], State]
SPARE_STEPS = 12
"""Steps of a graph beside those of its iterations: what comes before the draft and after the last one."""


class Wiring:
    """A graph in the making: nodes get the state and the desk, and return what they add to the state."""

    def __init__(self) -> None:
        self.graph: StateGraph[State, Desk, State, State] = StateGraph(State, context_schema=Desk)
        self.ways: dict[str, Callable[[State], str]] = {}
        """Where the graph goes from each node."""

    def node(self, name: str, node: Node) -> None:
        """Add a node."""

        def run(state: State, runtime: Runtime[Desk]) -> State:
            return State(**{**node(state, runtime.context), "left": name})

        self.graph.add_node(name, run)

    def edge(self, before: str, after: str) -> None:
        """Go from one node to another, always."""
        self.ways[before] = lambda state: after
        if before != START:
            self.graph.add_edge(before, after)

    def choice(self, before: str, route: Callable[[State], str], ways: Sequence[str]) -> None:
        """Go from a node where `route` says: to one of `ways`."""
        self.ways[before] = route
        self.graph.add_conditional_edges(before, route, list(ways))

    def begin(self, *, anywhere: bool) -> None:
        """Wire the entrance: before the first node or, `anywhere`, behind the node that the state has left last."""
        if anywhere:
            self.graph.add_conditional_edges(START, self._behind, [*self.graph.nodes, END])
        else:
            self.graph.add_edge(START, self.ways[START](State()))

    def _behind(self, state: State) -> str:
        return self.ways[state["left"] or START](state)


@dataclass(frozen=True)
class Plan:
    """A strategy: its name, its graph, and its own manner of asking."""

    name: str
    wire: Callable[[Wiring], None]
    temperature: float
    schedule: Schedule
    nodes_an_iteration: int = 1
    """How many nodes one iteration passes at most: what bounds a graph that would go round for ever."""

    def steps(self, iterations: int) -> int:
        """The most steps that the graph may take."""
        return SPARE_STEPS + self.nodes_an_iteration * (iterations + 1)


def compile_graph(plan: Plan, *, anywhere: bool = False) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The plan's graph, ready to run; with `anywhere`, on from wherever the state that it is given stands."""
    wiring = Wiring()
    plan.wire(wiring)
    wiring.begin(anywhere=anywhere)
    return wiring.graph.compile(name=plan.name)


def mermaid(plan: Plan) -> str:
    """The plan's graph as Mermaid text."""
    return compile_graph(plan).get_graph().draw_mermaid()


def dot(plan: Plan) -> str:
    """The plan's graph in Graphviz' language."""
    drawn = compile_graph(plan).get_graph()
    nodes = [f'  "{name}" [label="{name.strip("_")}"];' for name in drawn.nodes]
    edges = [
        f'  "{edge.source}" -> "{edge.target}"{" [style=dashed]" if edge.conditional else ""};' for edge in drawn.edges
    ]
    return "\n".join([f"digraph {plan.name} {{", "  node [shape=box, style=rounded];", *nodes, *edges, "}"]) + "\n"
