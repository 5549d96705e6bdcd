"""One reply, no test result shown: OctoPack's protocol (Muennighoff et al. 2023), with its two ways to put the task."""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.models import Message
from regreen.propose.prompts import render
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.model_turn import ask_for_candidate, common_values
from regreen.strategies.nodes import choose, inspect, unless_stopped, verify
from regreen.strategies.prompt_fit import shortened_values
from regreen.strategies.prompt_values import shown_checks, shown_program
from regreen.strategies.state import State, pack, stopped, unpack_candidate
from regreen.types import Attempt, Stop, Verdict


def begin(state: State, runtime: Runtime[AgentContext]) -> State:
    """Run the checks on the program, where checks may be run at all."""
    return inspect(state, runtime) if runtime.context.session.may_run_checks else State()


def draft(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask once."""
    context = runtime.context
    task, style = context.session.task, context.sampling.prompt_style
    checks = shown_checks(task) if style == "tests" else ""
    program = shown_program(task, task.source)
    values = common_values(context) | {"program": program, "checks": checks}

    def prompt(shortening: int) -> list[Message]:
        return [Message("user", render(f"single_{style}", **shortened_values(values, shortening)))]

    return ask_for_candidate(state, context, "draft", prompt)


def verify_if_allowed(state: State, runtime: Runtime[AgentContext]) -> State:
    """Judge the reply, where checks may be run."""
    return verify(state, runtime) if runtime.context.session.is_examined else State()


def conclude(state: State, runtime: Runtime[AgentContext]) -> State:
    """Hand over a reply that passes; one that no check may judge, as it is."""
    if not runtime.context.session.is_examined:
        return answer_unverified(state)
    return choose(state, runtime) or State(stop=state["stop"] or Stop.ANSWERED.value)


def answer_unverified(state: State) -> State:
    """The update that hands over the reply without a verdict."""
    if not state["pending"]:
        return stopped(Stop.ANSWERED)
    attempt = Attempt(unpack_candidate(state["pending"]), Verdict({}), turn=len(state["turns"]) - 1)
    return State(**stopped(Stop.ANSWERED), chosen=pack(attempt), pending="")


def build_graph() -> AgentGraph:
    """begin -> draft -> verify -> conclude."""
    graph = StateGraph(State, context_schema=AgentContext)
    graph.add_node("begin", begin)
    graph.add_node("draft", draft)
    graph.add_node("verify", verify_if_allowed)
    graph.add_node("conclude", conclude)
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", unless_stopped("draft"), ["draft", END])
    graph.add_conditional_edges("draft", unless_stopped("verify"), ["verify", END])
    graph.add_edge("verify", "conclude")
    graph.add_edge("conclude", END)
    return graph


AGENT = AgentSpec("single", build_graph, temperature=0.0, schedule="constant")
