"""Function calling: the model runs its code through one tool and sees what each check expected and got."""

from __future__ import annotations

import json

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.errors import ToolsUnsupported
from regreen.models import Message, Reply, Tool, ToolCall
from regreen.propose.edits.loose_json import read_json
from regreen.propose.prompts import fenced_whole
from regreen.propose.reply import ReplyFault, ReplyFaultKind, read_reply
from regreen.strategies import react
from regreen.strategies.agents.agent_context import AgentContext
from regreen.strategies.agents.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.agents.model_turn import (
    Unanswered,
    ask_model,
    candidate_or_fault,
    candidate_update,
    reply_update,
)
from regreen.strategies.agents.nodes import choose, choose_or, inspect, iterate, unless_stopped, verify
from regreen.strategies.agents.state import RESTART, State, pack, unpack_message
from regreen.strategies.react import continued, observation, opening_messages, stuck_temperature
from regreen.types import REFUSAL, Candidate

RUN_CODE = Tool(
    "run_code",
    "Run a version of the code against the checks. Returns for each failing check what was expected and what came.",
    {
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": "the complete corrected definition or program, as Python"},
            "explanation": {"type": "string", "description": "the cause that this version removes, in a sentence"},
        },
        "required": ["code", "explanation"],
        "additionalProperties": False,
    },
)
_TOOL_FAULT = "tool_call"
"""The fault of a call that cannot be understood."""
_NO_TOOLS = "tools"
"""The fault of a model that takes no tools: from there on, it is asked in plain text."""
_ONE_AT_A_TIME = "This call was not run: make one call at a time, and wait for its result."
_NO_CALL = f"You made no call. Call {RUN_CODE.name} with the complete corrected code."


def open_with_tools(state: State, runtime: Runtime[AgentContext]) -> State:
    """Begin the conversation: what the tool does, what bugs are often like, and the task."""
    return State(messages=opening_messages("tools", runtime.context))


def call(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask the model for its next call."""
    context = runtime.context
    prompt, temperature = continued("tools", state, context), stuck_temperature(state, context)
    try:
        exchange = ask_model(state, context, "call", prompt, temperature=temperature, tools=(RUN_CODE,))
    except ToolsUnsupported as problem:
        return State(fault=_NO_TOOLS, pending="", notes=[f"{problem} The strategy react took over."])
    except Unanswered as end:
        return end.update
    reply = exchange.reply
    if reply.tool_calls and reply.finish != REFUSAL:
        update = candidate_update(state, exchange, *_read_call(state, context, reply))
    else:
        update = reply_update(state, context, "call", exchange)
    update["messages"] = [pack(Message("assistant", reply.text, reply.tool_calls))]
    return update


def answer(state: State, runtime: Runtime[AgentContext]) -> State:
    """Answer each call: the first with the result of its run, further ones with the reason why they were not run."""
    calls = unpack_message(state["messages"][-1]).tool_calls
    result = observation(state, runtime.context)
    if not calls:
        return State(messages=[pack(Message("user", result if not state["fault"] else f"{result} {_NO_CALL}"))])
    answers = [Message("tool", result, tool_call_id=calls[0].id)]
    answers += [Message("tool", _ONE_AT_A_TIME, tool_call_id=further.id) for further in calls[1:]]
    return State(messages=[pack(message) for message in answers])


def restart_plainly(state: State, runtime: Runtime[AgentContext]) -> State:
    """Begin the conversation again, for a model that takes no tools."""
    return State(messages=[RESTART, *react.open_plainly(state, runtime)["messages"]], fault="")


def _read_call(state: State, context: AgentContext, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The candidate of the first call."""
    code = _code(reply.tool_calls[0])
    if isinstance(code, str):
        taken = read_reply(fenced_whole(code), context.session.task)
        return candidate_or_fault(state, context, "call", taken, reply)
    return None, _TOOL_FAULT, code.detail


def _code(call: ToolCall) -> str | ReplyFault:
    """The code of a call, or what is wrong with the call."""
    if call.name != RUN_CODE.name:
        return ReplyFault(ReplyFaultKind.NO_CODE, f"there is no tool {call.name!r}; the one tool is {RUN_CODE.name}.")
    arguments = read_json(call.arguments)
    code = arguments.get("code") if isinstance(arguments, dict) else None
    if isinstance(code, str) and code.strip():
        return code
    shown = json.dumps(call.arguments[:200])
    return ReplyFault(ReplyFaultKind.NO_CODE, f"the arguments {shown} are not JSON with the code as text in `code`.")


def after_call(state: State) -> str:
    """Judge the code, or go over to plain text."""
    if state["stop"]:
        return END
    return "restart" if state["fault"] == _NO_TOOLS else "verify"


def build_graph() -> AgentGraph:
    """inspect -> open -> call -> verify -> answer -> iterate -> call ...; without tools, as `react` does."""
    graph = StateGraph(State, context_schema=AgentContext)
    graph.add_node("inspect", inspect)
    graph.add_node("open", open_with_tools)
    graph.add_node("call", call)
    graph.add_node("verify", verify)
    graph.add_node("answer", answer)
    graph.add_node("iterate", iterate)
    graph.add_node("choose", choose)
    graph.add_edge(START, "inspect")
    graph.add_conditional_edges("inspect", unless_stopped("open"), ["open", END])
    graph.add_edge("open", "call")
    graph.add_conditional_edges("call", after_call, ["verify", "restart", END])
    graph.add_conditional_edges("verify", choose_or("answer"), ["choose", "answer", END])
    graph.add_edge("answer", "iterate")
    graph.add_conditional_edges("iterate", unless_stopped("call"), ["call", END])
    graph.add_edge("choose", END)
    _add_plain_text_nodes(graph)
    return graph


def _add_plain_text_nodes(graph: AgentGraph) -> None:
    """Add the nodes of `react`, under names of their own."""
    graph.add_node("restart", restart_plainly)
    graph.add_node("think", react.think)
    graph.add_node("verify_thought", verify)
    graph.add_node("observe", react.observe)
    graph.add_node("iterate_thought", iterate)
    graph.add_edge("restart", "think")
    graph.add_edge("think", "verify_thought")
    graph.add_conditional_edges("verify_thought", choose_or("observe"), ["choose", "observe", END])
    graph.add_edge("observe", "iterate_thought")
    graph.add_conditional_edges("iterate_thought", unless_stopped("think"), ["think", END])


AGENT = AgentSpec("tools", build_graph, temperature=0.7, schedule="falling", steps_per_iteration=4)
