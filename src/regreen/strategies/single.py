"""One reply, no test result shown: OctoPack's protocol (Muennighoff et al. 2023), with its two ways to put the task."""

from __future__ import annotations

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.models import Finish, Message, Reply
from regreen.propose.prompts import render
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply, standalone_program
from regreen.strategies.agents.agent_context import AgentContext
from regreen.strategies.agents.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.agents.model_turn import (
    Unanswered,
    ask_model,
    candidate_or_fault,
    candidate_update,
    common_values,
    read_candidate,
)
from regreen.strategies.agents.nodes import choose, inspect, unless_stopped, verify
from regreen.strategies.agents.program_view import definitions
from regreen.strategies.agents.prompt_fit import shortened_values
from regreen.strategies.agents.prompt_values import shown_checks, shown_program
from regreen.strategies.agents.state import State, last_attempt, pack, stopped, unpack_candidate
from regreen.syntax import first_line
from regreen.types import Attempt, Candidate, Stop, Verdict

_OTHERS_ACCEPT = (ReplyFaultKind.SIGNATURE, ReplyFaultKind.NO_FUNCTION, ReplyFaultKind.AMBIGUOUS)
"""Faults of replies that are right programs nonetheless, where nothing but the checks calls them."""
_AS_IT_IS = "taken as it is, as the published protocol does"


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

    try:
        exchange = ask_model(state, context, "draft", prompt)
    except Unanswered as end:
        return end.update
    return candidate_update(state, exchange, *_read(state, context, exchange.reply))


def _read(state: State, context: AgentContext, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The candidate in the reply; what the published protocol runs as it is counts, whoever calls it otherwise.

    That protocol has one caller, the checks: a parameter may have another name there, the function may be a lambda.
    """
    found, task = read_reply(reply.text, context.session.task), context.session.task
    if (
        isinstance(found, ReplyFault)
        and found.kind in _OTHERS_ACCEPT
        and task.entry_point
        and reply.finish != Finish.REFUSED
    ):
        taken = standalone_program(reply.text, task.entry_point)
        if isinstance(taken, str):
            found = ReplyProgram(with_definition(task.source, task.entry_point, taken), (_AS_IT_IS,))
    if isinstance(found, ReplyFault):
        return read_candidate(state, context, "draft", reply)
    return candidate_or_fault(state, context, "draft", found, reply)


def with_definition(program: str, name: str, text: str) -> str:
    """The program with a text in the place of its function or class of this name, or at its end where it has none."""
    node, lines = definitions(program).get(name), program.split("\n")
    if node is None:
        return f"{program.rstrip()}\n\n\n{text}"
    return "\n".join([*lines[: first_line(node) - 1], text.rstrip("\n"), *lines[node.end_lineno :]])


def verify_if_allowed(state: State, runtime: Runtime[AgentContext]) -> State:
    """Judge the reply, where checks may be run."""
    return verify(state, runtime) if runtime.context.session.is_examined else State()


def conclude(state: State, runtime: Runtime[AgentContext]) -> State:
    """Hand over a reply that passes; one that no check may judge, as it is."""
    if not runtime.context.session.is_examined:
        return answer_unverified(state)
    last = last_attempt(state)
    if last is not None and last.verdict.passed and _AS_IT_IS in last.candidate.note:
        # A program of another shape has nothing in common with the given one that could be kept.
        return State(**stopped(Stop.FIXED), chosen=pack(last))
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
