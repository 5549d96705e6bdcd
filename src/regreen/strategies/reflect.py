"""A draft, then corrections: each sees its own last version and the first check that fails, and nothing else."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.strategies.agents.agent_context import AgentContext
from regreen.strategies.agents.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.agents.model_turn import (
    REPEAT,
    ask_for_candidate,
    common_values,
    given_program,
    repeated_attempt,
)
from regreen.strategies.agents.nodes import choose, choose_or, inspect, iterate, unless_stopped, verify
from regreen.strategies.agents.prompt_fit import conversation
from regreen.strategies.agents.prompt_values import (
    CORRECTED_PROGRAM_CHARACTERS,
    first_failure,
    shown_checks,
    shown_program,
)
from regreen.strategies.agents.state import State, last_attempt, turns_of
from regreen.types import Attempt

_CODE_CHARACTERS, _PROSE_CHARACTERS = 2_000, 400
"""How much of an unusable reply is shown again: of one that holds code, and of one that does not."""


def draft(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for a first version: the prompt shows the program, its statement, its tests, and the first that fails."""
    context = runtime.context
    task = context.session.reliable_task
    checks = shown_checks(task) if context.sampling.prompt_style == "tests" else ""
    values = common_values(context) | {
        "program": shown_program(task, task.source),
        "checks": checks,
        "failure": first_failure(task, context.session.baseline.verdict),
    }
    return ask_for_candidate(state, context, "draft", conversation("system", "draft", values))


def reflect(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for a correction: the prompt shows the last version, and the first check that it fails."""
    context = runtime.context
    shown = version_values(context, last_attempt(state) or given_program(context))
    return ask_for_candidate(state, context, "reflect", conversation("system", "reflect", shown))


def repeat(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for another cause, after a reply that gave an earlier version again."""
    context = runtime.context
    shown = version_values(context, repeated_attempt(state, context))
    return ask_for_candidate(state, context, "repeat", conversation("system", "repeat", shown))


def syntax(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask again, after a reply without a usable candidate: the prompt says why it was not usable."""
    context = runtime.context
    task = context.session.reliable_task
    values = common_values(context) | {
        "program": shown_program(task, task.source),
        "failure": first_failure(task, context.session.baseline.verdict),
        "complaint": state["complaint"],
        "reply": shown_reply(turns_of(state)[-1].reply),
    }
    return ask_for_candidate(state, context, "syntax", conversation("system", "syntax", values))


def shown_reply(reply: str) -> str:
    """The part of an unusable reply that is worth seeing again: of code most, of prose the beginning."""
    has_code = "```" in reply or "def " in reply or "class " in reply
    return reply[: _CODE_CHARACTERS if has_code else _PROSE_CHARACTERS]


def version_values(context: AgentContext, attempt: Attempt) -> dict[str, Any]:
    """One version as a correction shows it: with what it uses of its module, and the first check that it fails."""
    task, verdict = context.session.reliable_task, attempt.verdict
    return common_values(context) | {
        "program": shown_program(task, attempt.candidate.source, longest=CORRECTED_PROGRAM_CHARACTERS),
        "failure": first_failure(task, verdict),
        "passed": verdict.checks_passed,
        "total": len(verdict.results),
    }


def after_iterate(state: State) -> str:
    """Ask next by the fault of the last reply."""
    if state["stop"]:
        return END
    if state["fault"] == REPEAT:
        return "repeat"
    return "syntax" if state["fault"] else "reflect"


def build_graph() -> AgentGraph:
    """inspect -> draft -> verify -> iterate -> reflect, repeat or syntax -> verify, until it passes."""
    graph = StateGraph(State, context_schema=AgentContext)
    graph.add_node("inspect", inspect)
    graph.add_node("draft", draft)
    graph.add_node("reflect", reflect)
    graph.add_node("repeat", repeat)
    graph.add_node("syntax", syntax)
    graph.add_node("verify", verify)
    graph.add_node("iterate", iterate)
    graph.add_node("choose", choose)
    graph.add_edge(START, "inspect")
    graph.add_conditional_edges("inspect", unless_stopped("draft"), ["draft", END])
    graph.add_edge("draft", "verify")
    graph.add_conditional_edges("verify", choose_or("iterate"), ["choose", "iterate", END])
    graph.add_conditional_edges("iterate", after_iterate, ["reflect", "repeat", "syntax", END])
    graph.add_edge("reflect", "verify")
    graph.add_edge("repeat", "verify")
    graph.add_edge("syntax", "verify")
    graph.add_edge("choose", END)
    return graph


AGENT = AgentSpec("reflect", build_graph, temperature=0.0, schedule="rising", steps_per_iteration=3)
