"""Strategies as LangGraph graphs: how nodes are wired, compiled and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from regreen.strategies.agent_context import AgentContext, Schedule
from regreen.strategies.state import State, updated

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

__all__ = ["END", "START", "Plan", "Wiring", "compile_graph", "dot", "mermaid"]

Node = Callable[[State, AgentContext], State]
Route = Callable[[State], str]
SPARE_STEPS = 12
"""Steps of a graph beside those of its iterations: what comes before the draft and after the last one."""


class Wiring:
    """A graph in the making: nodes get the state and the context, and return what they add to the state."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.ways: dict[str, Route] = {}
        """Where the graph goes from each node."""
        self.ends: dict[str, tuple[str, ...]] = {}
        """Where it may go from those that leave a choice."""

    def node(self, name: str, node: Node) -> None:
        """Add a node."""
        self.nodes[name] = node

    def edge(self, before: str, after: str) -> None:
        """Go from one node to another, always."""
        self.ways[before] = lambda state: after

    def choice(self, before: str, route: Route, ways: Sequence[str]) -> None:
        """Go from a node where `route` says: to one of `ways`."""
        self.ways[before] = route
        self.ends[before] = tuple(ways)

    def wired(self, *, anywhere: bool) -> StateGraph[State, AgentContext, State, State]:
        """The graph, entered before its first node or, `anywhere`, behind the node that the state has left last."""
        graph: StateGraph[State, AgentContext, State, State] = StateGraph(State, context_schema=AgentContext)
        for name in self.nodes:
            if name in self.ends:
                self._add_chooser(graph, name)
            else:
                self._add_plain(graph, name)
        if anywhere:
            graph.add_conditional_edges(START, self._behind, [*self.nodes, END])
        else:
            graph.add_edge(START, self.ways[START](State()))
        return graph

    def _add_plain(self, graph: StateGraph[State, AgentContext, State, State], name: str) -> None:
        node = self.nodes[name]

        def run(state: State, runtime: Runtime[AgentContext]) -> State:
            return State(**{**node(state, runtime.context), "left": name})

        graph.add_node(name, run)
        graph.add_edge(name, self.ways[name](State()))

    def _add_chooser(self, graph: StateGraph[State, AgentContext, State, State], name: str) -> None:
        """Add a node that names the next one itself: for a conditional edge each step would copy every channel."""
        node, way = self.nodes[name], self.ways[name]

        def run(state: State, runtime: Runtime[AgentContext]) -> Command[str]:
            more = State(**{**node(state, runtime.context), "left": name})
            return Command(update=more, goto=way(updated(state, more)))

        graph.add_node(name, run, destinations=self.ends[name])

    def _behind(self, state: State) -> str:
        return self.ways[state["left"] or START](state)


@dataclass(frozen=True)
class Plan:
    """A strategy: its name, its graph, and how it samples its model."""

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
    return wiring.wired(anywhere=anywhere).compile(name=plan.name)


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
