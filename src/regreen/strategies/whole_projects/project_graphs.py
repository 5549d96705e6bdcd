"""The graphs of the strategies that ask a model about a whole project, by the names of the strategies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from langgraph.graph import END, START, StateGraph

from regreen.strategies.agents.agent_context import Schedule
from regreen.strategies.agents.nodes import choose_or, iterate, unless_stopped
from regreen.strategies.agents.state import State
from regreen.strategies.whole_projects.project_agent_tools import (
    REQUESTS_PER_ITERATION,
    after_tools_call,
    answer_project_tools,
    call_project_tools,
    count_requests,
    open_project_tools,
    restart_in_rounds,
)
from regreen.strategies.whole_projects.project_hybrid import (
    MODEL_STOPS,
    UNAVAILABLE,
    consult_on_project,
    correct_after_search,
    search_around,
    search_project,
    search_rest,
)
from regreen.strategies.whole_projects.project_nodes import (
    conclude_changes,
    correct_changes,
    draft_changes,
    edit_by_plan,
    observe_changes,
    open_project_rounds,
    plan_changes,
    think_on_project,
    try_changes,
)
from regreen.strategies.whole_projects.project_session import ProjectContext

ProjectGraph = StateGraph[State, ProjectContext, State, State]
_SPARE_STEPS = 12


@dataclass(frozen=True)
class ProjectSpec:
    """One strategy's graph for projects, and how it samples its model unless settings say so."""

    build: Callable[[], ProjectGraph]
    temperature: float
    schedule: Schedule
    steps_per_iteration: int = 4
    """Nodes that one iteration passes at most."""

    def most_steps(self, iterations: int) -> int:
        """LangGraph's bound on a graph that would never end."""
        return _SPARE_STEPS + self.steps_per_iteration * (iterations + 1)


def _graph() -> ProjectGraph:
    """A graph with the node that every one of them ends in."""
    graph: ProjectGraph = StateGraph(State, context_schema=ProjectContext)
    graph.add_node("conclude", conclude_changes)
    graph.add_edge("conclude", END)
    return graph


def single_project_graph() -> ProjectGraph:
    """draft -> verify -> conclude."""
    graph = _graph()
    graph.add_node("draft", draft_changes)
    graph.add_node("verify", try_changes)
    graph.add_edge(START, "draft")
    graph.add_conditional_edges("draft", unless_stopped("verify"), ["verify", END])
    graph.add_edge("verify", "conclude")
    return graph


def reflect_project_graph() -> ProjectGraph:
    """draft -> verify -> iterate -> correct -> verify ..., until it passes."""
    graph = _graph()
    graph.add_node("draft", draft_changes)
    graph.add_node("correct", correct_changes)
    graph.add_node("verify", try_changes)
    graph.add_node("iterate", iterate)
    graph.add_edge(START, "draft")
    graph.add_edge("draft", "verify")
    graph.add_conditional_edges("verify", _conclude_or("iterate"), ["conclude", "iterate", END])
    graph.add_conditional_edges("iterate", unless_stopped("correct"), ["correct", END])
    graph.add_edge("correct", "verify")
    return graph


def react_project_graph() -> ProjectGraph:
    """open -> think -> verify -> observe -> iterate -> think ..., until it passes."""
    graph = _graph()
    graph.add_node("open", open_project_rounds)
    graph.add_edge(START, "open")
    graph.add_edge("open", "think")
    _add_rounds(graph)
    return graph


def patch_project_graph() -> ProjectGraph:
    """plan -> edits -> verify -> iterate -> plan ..., until it passes."""
    graph = _graph()
    graph.add_node("plan", plan_changes)
    graph.add_node("edits", edit_by_plan)
    graph.add_node("verify", try_changes)
    graph.add_node("iterate", iterate)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", unless_stopped("edits"), ["edits", END])
    graph.add_edge("edits", "verify")
    graph.add_conditional_edges("verify", _conclude_or("iterate"), ["conclude", "iterate", END])
    graph.add_conditional_edges("iterate", _plan_or_edits, ["plan", "edits", END])
    return graph


def tools_project_graph() -> ProjectGraph:
    """open -> call -> answer -> count -> call ..., until it passes; without tools, as `react` does."""
    graph = _graph()
    graph.add_node("open", open_project_tools)
    graph.add_node("call", call_project_tools)
    graph.add_node("answer", answer_project_tools)
    graph.add_node("count", count_requests)
    graph.add_node("restart", restart_in_rounds)
    graph.add_edge(START, "open")
    graph.add_edge("open", "call")
    graph.add_conditional_edges("call", after_tools_call, ["answer", "restart", END])
    graph.add_conditional_edges("answer", _conclude_or("count"), ["conclude", "count", END])
    graph.add_conditional_edges("count", unless_stopped("call"), ["call", END])
    graph.add_edge("restart", "think")
    _add_rounds(graph)
    return graph


def hybrid_project_graph() -> ProjectGraph:
    """search -> consult -> verify -> around -> iterate -> correct -> verify ..., then what is left of the search."""
    graph = _graph()
    graph.add_node("search", search_project)
    graph.add_node("consult", consult_on_project)
    graph.add_node("verify", try_changes)
    graph.add_node("around", search_around)
    graph.add_node("iterate", iterate)
    graph.add_node("correct", correct_after_search)
    graph.add_node("search_on", search_rest)
    graph.add_edge(START, "search")
    graph.add_conditional_edges("search", _unless_over("consult"), ["consult", "conclude"])
    graph.add_conditional_edges("consult", _unless_over("verify"), ["verify", "search_on", "conclude"])
    graph.add_conditional_edges("verify", _conclude_unless_fault("around"), ["conclude", "around", END])
    graph.add_conditional_edges("around", _conclude_unless_fault("iterate"), ["conclude", "iterate", END])
    graph.add_conditional_edges("iterate", _unless_over("correct"), ["correct", "search_on", "conclude"])
    graph.add_conditional_edges("correct", _unless_over("verify"), ["verify", "search_on", "conclude"])
    graph.add_edge("search_on", "conclude")
    return graph


def _add_rounds(graph: ProjectGraph) -> None:
    """Add the nodes of thought, action and observation."""
    graph.add_node("think", think_on_project)
    graph.add_node("verify", try_changes)
    graph.add_node("observe", observe_changes)
    graph.add_node("iterate", iterate)
    graph.add_edge("think", "verify")
    graph.add_conditional_edges("verify", _conclude_or("observe"), ["conclude", "observe", END])
    graph.add_edge("observe", "iterate")
    graph.add_conditional_edges("iterate", unless_stopped("think"), ["think", END])


def _conclude_or(node: str) -> Callable[[State], str]:
    """Route to `conclude` if the last changes pass; else to a node, unless the repair has ended."""
    route = choose_or(node)

    def named(state: State) -> str:
        return "conclude" if (chosen := route(state)) == "choose" else chosen

    return named


def _conclude_unless_fault(node: str) -> Callable[[State], str]:
    """The same after a search: with a fault, what was judged last is the search's own, and doubtful at the best."""
    route = _conclude_or(node)

    def named(state: State) -> str:
        return node if state["fault"] and not state["stop"] else route(state)

    return named


def _unless_over(node: str) -> Callable[[State], str]:
    """Route to a node; to the rest of the search once the model may not be asked; to the end where all is over."""

    def route(state: State) -> str:
        if state["stop"] in MODEL_STOPS:
            return "search_on"
        return "conclude" if state["stop"] or state["fault"] == UNAVAILABLE else node

    return route


def _plan_or_edits(state: State) -> str:
    """Ask for other edits after some that could not be made; plan anew after some that failed."""
    if state["stop"]:
        return END
    return "edits" if state["fault"] else "plan"


PROJECT_SPECS: Mapping[str, ProjectSpec] = {
    "single": ProjectSpec(single_project_graph, 0.0, "constant"),
    "reflect": ProjectSpec(reflect_project_graph, 0.0, "rising"),
    "tools": ProjectSpec(tools_project_graph, 0.2, "constant", steps_per_iteration=4 * REQUESTS_PER_ITERATION),
    "react": ProjectSpec(react_project_graph, 0.7, "falling"),
    "patch": ProjectSpec(patch_project_graph, 0.2, "rising", steps_per_iteration=5),
    "hybrid": ProjectSpec(hybrid_project_graph, 0.0, "rising", steps_per_iteration=5),
}
"""Strategy -> its graph for projects."""
