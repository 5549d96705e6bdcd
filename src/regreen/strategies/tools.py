"""Function calling: the model runs its code through one tool and sees what each check expected and got."""

from __future__ import annotations

import json

from regreen.errors import BudgetSpent, ContextTooLong, ToolsUnsupported
from regreen.models import Message, Reply, Tool, ToolCall
from regreen.propose.edits.loose_json import read_json
from regreen.propose.prompts import fenced_whole, render
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply
from regreen.strategies import react
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.graph import END, START, Plan, Wiring
from regreen.strategies.nodes import (
    CONTEXT,
    REFUSED,
    budget_stop,
    candidate_or_fault,
    choose,
    consult,
    inspect,
    iterate,
    make_turn,
    read,
    verify,
)
from regreen.strategies.react import observation, recent, task_values, temperature
from regreen.strategies.routes import choose_or, on_to
from regreen.strategies.state import RESTART, State, pack, stopped, unpack_message
from regreen.types import Candidate, Stop

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
TOOL_FAULT = "tool_call"
"""The fault of a call that cannot be understood."""
TOOLLESS = "tools"
"""The fault of a model that takes no tools: it is asked in plain text from there on."""
ONE_AT_A_TIME = "This call was not run: make one call at a time, and wait for its result."
NO_CALL = f"You made no call. Call {RUN_CODE.name} with the complete corrected code."


def open_with_tools(state: State, context: AgentContext) -> State:
    """Begin the conversation: what the tool does, what bugs are often like, and the task."""
    values = task_values(context)
    return State(
        messages=[
            pack(Message("system", render("tools", **values))),
            pack(Message("user", render("tools_task", **values))),
        ]
    )


def call(state: State, context: AgentContext) -> State:
    """Ask the model for its next call."""
    try:
        request, reply = consult(
            state,
            context,
            "call",
            recent(state["messages"]),
            temperature=temperature(state, context),
            tools=(RUN_CODE,),
        )
    except ToolsUnsupported as problem:
        return State(fault=TOOLLESS, pending="", notes=[f"{problem} The strategy react took over."])
    except BudgetSpent as spent:
        return stopped(budget_stop(spent))
    except ContextTooLong as problem:
        return State(**stopped(Stop.EXHAUSTED), fault=CONTEXT, complaint=str(problem), pending="")
    candidate, fault, complaint = _read_call(state, context, reply)
    turn = make_turn(state, request, reply, candidate=candidate, fault=fault)
    return State(
        turns=[pack(turn)],
        messages=[pack(Message("assistant", reply.text, reply.tool_calls))],
        pending=pack(candidate) if candidate and not fault else "",
        fault=fault,
        complaint=complaint,
        seconds={"reflect": reply.seconds},
    )


def answer(state: State, context: AgentContext) -> State:
    """Give each call its result, expected against actual; the first was run, further ones were not."""
    calls = unpack_message(state["messages"][-1]).tool_calls
    told = observation(state, context)
    if not calls:
        return State(messages=[pack(Message("user", told if not state["fault"] else f"{told} {NO_CALL}"))])
    results = [Message("tool", told, tool_call_id=calls[0].id)]
    results += [Message("tool", ONE_AT_A_TIME, tool_call_id=further.id) for further in calls[1:]]
    return State(messages=[pack(result) for result in results])


def restart_plainly(state: State, context: AgentContext) -> State:
    """Put the task anew, for a model that takes no tools."""
    return State(messages=[RESTART, *react.open_plainly(state, context)["messages"]], fault="")


def _read_call(state: State, context: AgentContext, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The candidate of the first call; of the text, where there is no call."""
    if not reply.tool_calls or reply.finish == REFUSED:
        return read(state, context, "call", reply)
    code = _code(reply.tool_calls[0])
    if isinstance(code, str):
        return candidate_or_fault(state, context, "call", _taken(code, context), reply)
    return None, TOOL_FAULT, code.detail


def _taken(code: str, context: AgentContext) -> ReplyProgram | ReplyFault:
    return read_reply(fenced_whole(code), context.session.task)


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
    return "restart" if state["fault"] == TOOLLESS else "verify"


def wire(wiring: Wiring) -> None:
    """inspect -> open -> call -> verify -> answer -> iterate -> call ...; without tools, as react does."""
    wiring.node("inspect", inspect)
    wiring.node("open", open_with_tools)
    wiring.node("call", call)
    wiring.node("verify", verify)
    wiring.node("answer", answer)
    wiring.node("iterate", iterate)
    wiring.node("choose", choose)
    wiring.edge(START, "inspect")
    wiring.choice("inspect", on_to("open"), ["open", END])
    wiring.edge("open", "call")
    wiring.choice("call", after_call, ["verify", "restart", END])
    wiring.choice("verify", choose_or("answer"), ["choose", "answer", END])
    wiring.edge("answer", "iterate")
    wiring.choice("iterate", on_to("call"), ["call", END])
    wiring.edge("choose", END)
    _wire_fall_back(wiring)


def _wire_fall_back(wiring: Wiring) -> None:
    """The nodes of react, under names of their own."""
    wiring.node("restart", restart_plainly)
    wiring.node("think", react.think)
    wiring.node("verify_thought", verify)
    wiring.node("observe", react.observe)
    wiring.node("iterate_thought", iterate)
    wiring.edge("restart", "think")
    wiring.edge("think", "verify_thought")
    wiring.choice("verify_thought", choose_or("observe"), ["choose", "observe", END])
    wiring.edge("observe", "iterate_thought")
    wiring.choice("iterate_thought", on_to("think"), ["think", END])


PLAN = Plan("tools", wire, temperature=0.7, schedule="falling", nodes_an_iteration=4)
