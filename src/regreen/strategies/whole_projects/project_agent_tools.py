"""A model with tools on a copy of a project: it lists, searches, views, edits and runs tests until all pass."""

from __future__ import annotations

from langgraph.graph import END
from langgraph.runtime import Runtime

from regreen.errors import ToolsUnsupported
from regreen.models import Finish, Message, ToolCall
from regreen.propose.prompts import fenced_whole
from regreen.strategies.agents.model_turn import Unanswered, ask_model, exchange_update
from regreen.strategies.agents.prompt_fit import WHOLE
from regreen.strategies.agents.state import (
    RESTART,
    State,
    add_seconds,
    attempts_of,
    pack,
    stopped,
    unpack_candidate,
)
from regreen.strategies.whole_projects.project_nodes import continued_prompt, judged_update
from regreen.strategies.whole_projects.project_session import (
    ProjectContext,
    ProjectSession,
    changed_texts,
    changes_candidate,
)
from regreen.strategies.whole_projects.project_tools import TOOLS, ToolResults
from regreen.strategies.whole_projects.project_turns import attempt_report, project_prompt
from regreen.types import REFUSAL, Stop

REQUESTS_PER_ITERATION = 6
"""Requests of the tool loop for each draft or correction that the budget allows: most only look at the project."""
_MOST_CALLS = 8
"""Calls of one reply that are carried out."""
_REPORT_CHARACTERS = 6_000
_NO_TOOLS = "tools"
"""The fault of a model that takes no tools: from there on, it is asked in plain text."""
_NO_CALL = "no_call"
"""The fault of a reply without a call while nothing is left to be tried."""
_GO_ON = "Go on with the tools, until every test passes."
_TOO_MANY = "This call was not carried out: make fewer calls in one reply."


def open_project_tools(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Begin the conversation: the tools, the red tests, and the code that they run."""
    prompt = project_prompt(state, runtime.context, "tools", system="project_tools")
    return State(messages=[pack(message) for message in prompt(WHOLE)])


def call_project_tools(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask the model for its next calls."""
    context = runtime.context
    prompt = continued_prompt(state, context, "tools", system="project_tools")
    try:
        exchange = ask_model(state, context, "call", prompt, tools=TOOLS)
    except ToolsUnsupported as problem:
        return State(fault=_NO_TOOLS, pending="", notes=[f"{problem} The strategy react took over."])
    except Unanswered as end:
        return end.update
    reply = exchange.reply
    update = State(messages=[pack(Message("assistant", reply.text, reply.tool_calls))])
    fault = ("", "")
    if reply.finish == Finish.REFUSED:
        fault = (REFUSAL, "you declined to answer.")
        update["tool_answers"] = [["", f"{fault[1]} {_GO_ON}", ""]]
    elif reply.tool_calls:
        fault = _carry_out(state, context.session, reply.tool_calls, update)
    elif untested := _untested(state):
        update["tool_answers"] = [["", "", untested]]
    else:
        fault = (_NO_CALL, "you made no call, and nothing is left to be tried.")
        update["tool_answers"] = [["", f"{fault[1]} {_GO_ON}", ""]]
    update |= exchange_update(state, exchange, fault=fault[0], complaint=fault[1])
    return update | State(fault=fault[0], complaint=fault[1])


def _carry_out(state: State, session: ProjectSession, calls: tuple[ToolCall, ...], update: State) -> tuple[str, str]:
    """Carry out the calls of a reply on the copy, but for tests; returns the first fault among them."""
    texts = changed_texts(unpack_candidate(state["edited"])) if state["edited"] else {}
    results = ToolResults(session, texts)
    answers: list[list[str]] = []
    for call in calls[:_MOST_CALLS]:
        told = results.answer(call)
        answers.append([call.id, fenced_whole(told, ""), ""] if told else [call.id, "", _copy(session, results.texts)])
    answers += [[call.id, _TOO_MANY, ""] for call in calls[_MOST_CALLS:]]
    update |= State(tool_answers=answers, edited=_copy(session, results.texts))
    return results.faults[0] if results.faults else ("", "")


def _copy(session: ProjectSession, texts: dict[str, str]) -> str:
    return pack(changes_candidate(session, texts, "model:call"))


def _untested(state: State) -> str:
    """The copy as it is, where it has not been judged; "" where it has, or is as it was given."""
    if not state["edited"]:
        return ""
    candidate = unpack_candidate(state["edited"])
    known = {attempt.candidate.id for attempt in attempts_of(state)}
    return state["edited"] if changed_texts(candidate) and candidate.id not in known else ""


def answer_project_tools(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Run the tests that the calls ask for, and answer each of them."""
    session, update = runtime.context.session, State(attempts=[], messages=[], seconds={})
    known = {attempt.candidate.id: attempt for attempt in attempts_of(state)}
    for call, told, copy in state["tool_answers"]:
        candidate = unpack_candidate(copy) if copy else None
        if candidate is not None and changed_texts(candidate) and candidate.id not in known:
            more = judged_update(state, session, candidate)
            known[candidate.id] = attempts_of(more)[-1]
            update["attempts"] += more["attempts"]
            update["seconds"] = add_seconds(update["seconds"], more["seconds"])
        if candidate is not None:
            report = attempt_report(session, known.get(candidate.id), _REPORT_CHARACTERS)
            told = fenced_whole(report, "") if call else f"The tests were run:\n{fenced_whole(report, '')}"
        role = Message("tool", told, tool_call_id=call) if call else Message("user", told)
        update["messages"].append(pack(role))
    return update | State(tool_answers=[])


def count_requests(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Go on within the budget of requests, time and candidates."""
    session = runtime.context.session
    if len(state["turns"]) >= REQUESTS_PER_ITERATION * (session.budget.iterations + 1):
        return stopped(Stop.ITERATIONS)
    if not session.may_ask:
        return stopped(Stop.MODEL_SECONDS)
    if len(state["attempts"]) >= session.budget.candidates:
        return stopped(Stop.CANDIDATES)
    return State(iteration=min(len(state["attempts"]), session.budget.iterations))


def restart_in_rounds(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Begin the conversation again, for a model that takes no tools."""
    opening = project_prompt(state, runtime.context, "react")(WHOLE)
    return State(messages=[RESTART, *(pack(message) for message in opening)], fault="", complaint="")


def after_tools_call(state: State) -> str:
    """Answer the calls, or go over to plain text."""
    if state["stop"]:
        return END
    return "restart" if state["fault"] == _NO_TOOLS else "answer"
