"""Two roles: one explains the cause and plans, the other writes edits, checked before all or none are made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.models import Finish, Reply
from regreen.propose.edits import EDITS_SCHEMA, EditRefusal, Operation, apply_edits, read_edits
from regreen.propose.edits.loose_json import read_json
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram
from regreen.strategies.agents.agent_context import AgentContext
from regreen.strategies.agents.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.agents.model_turn import (
    Unanswered,
    ask_model,
    candidate_or_fault,
    candidate_update,
    common_values,
    exchange_update,
    given_program,
)
from regreen.strategies.agents.nodes import choose, choose_or, inspect, iterate, unless_stopped, verify
from regreen.strategies.agents.program_view import definitions
from regreen.strategies.agents.prompt_fit import Prompt, conversation
from regreen.strategies.agents.prompt_values import checks_report, first_failure, shown_checks, shown_numbered
from regreen.strategies.agents.state import State, attempts_of, turns_of, unpack_candidate
from regreen.syntax import tree
from regreen.types import REFUSAL, Attempt, Candidate
from regreen.unified_diff import unified_diff

_HISTORY_PATCHES = 6
"""How many earlier patches both roles are shown, the last ones."""
_HISTORY_FAULTS = 2
"""How many of them may be patches that could not be run."""
_REJECTED = "rejected"
"""The fault of a patch that the critic rejected."""
_UNREADABLE = "unreadable"
"""The fault of a critic that says neither yes nor no: the patch is run, and what came of it is on record."""
_VERDICT_SCHEMA = {
    "type": "object",
    "properties": {
        "accept": {"type": "boolean", "description": "whether the patch should be run"},
        "reason": {"type": "string", "description": "what is wrong with it, in a sentence or two; empty if nothing"},
    },
    "required": ["accept", "reason"],
    "additionalProperties": False,
}


def thought(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for the cause, and a plan of what to change."""
    values = _values(state, runtime.context)
    reply, update = _ask_for_words(state, runtime.context, "thought", "patch_thought", values)
    if reply is not None:
        update["plan"] = reply.text.strip() or state["plan"]
    return update


def patch(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for the edits of the plan."""
    context = runtime.context
    base = _base(state, context).candidate.source
    more = {"plan": state["plan"], "unchanging_edit": _unchanging_edit(base, context.session.task.entry_point)}
    prompt = _prompt("patch_edits", _values(state, context) | more)
    try:
        exchange = ask_model(state, context, "patch", prompt, json_schema=EDITS_SCHEMA)
    except Unanswered as end:
        return end.update
    return candidate_update(state, exchange, *_read_edited(state, context, exchange.reply))


def critic(state: State, runtime: Runtime[AgentContext]) -> State:
    """Have the patch read before it is run; a rejected one goes back with the reason."""
    context = runtime.context
    if not context.sampling.critic or not state["pending"]:
        return State()
    base = _base(state, context).candidate.source
    diff = unified_diff(base, unpack_candidate(state["pending"]).source, "program.py")
    values = _values(state, context) | {"plan": state["plan"], "diff": diff}
    reply, update = _ask_for_words(
        state, context, "critic", "patch_critic", values, json_schema=_VERDICT_SCHEMA, fault_of=_no_verdict
    )
    reason = _rejection(reply.text) if reply is not None else ""
    if reply is not None and _no_verdict(reply.text):
        update["notes"] = [*update.get("notes", []), "The critic did not say whether the patch should be run; it was."]
    if reason:
        update |= State(pending="", fault=_REJECTED, complaint=f"the critic would not have it run: {reason}")
    return update


def _ask_for_words(
    state: State,
    context: AgentContext,
    node: str,
    prompt: str,
    values: Mapping[str, Any],
    *,
    json_schema: Mapping[str, Any] | None = None,
    fault_of: Callable[[str], str] = lambda text: "",
) -> tuple[Reply | None, State]:
    """Ask for words rather than for a program: the reply and the update; no reply where the update ends the repair."""
    try:
        exchange = ask_model(state, context, node, _prompt(prompt, values), json_schema=json_schema)
    except Unanswered as end:
        return None, end.update
    fault = REFUSAL if exchange.reply.finish == Finish.REFUSED else fault_of(exchange.reply.text)
    return exchange.reply, exchange_update(state, exchange, fault=fault)


def _unchanging_edit(source: str, name: str | None) -> dict[str, Any] | None:
    """The form of an edit, shown at the last line of the definition in question; None for an empty program.

    A form with words in the place of code is copied by small models, words and all; this one fits the program.
    """
    definition = definitions(source).get(name or "")
    lines = source.split("\n")[: definition.end_lineno if definition else None]
    number = max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)
    if not number:
        return None
    line = lines[number - 1]
    edit = {"operation": Operation.REPLACE, "first_line": number, "last_line": number, "old": line, "new": line}
    return {"line": number, "json": json.dumps({"edits": [edit]}, ensure_ascii=False)}


def _prompt(name: str, values: Mapping[str, Any]) -> Prompt:
    # What all roles are shown stands first: services keep the beginning of a prompt that they have read before.
    return conversation("patch_system", name, values)


def _read_edited(state: State, context: AgentContext, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The program with the reply's edits made, or the fault's kind and words about it."""
    if reply.finish == Finish.REFUSED:
        return None, REFUSAL, "you declined to answer."
    edited = _edited(_base(state, context).candidate.source, reply.text)
    return candidate_or_fault(state, context, "patch", edited, reply)


def _edited(base: str, text: str) -> ReplyProgram | ReplyFault:
    edits = read_edits(text)
    if isinstance(edits, EditRefusal):
        return ReplyFault(ReplyFaultKind.NO_CODE, str(edits))
    made = apply_edits(base, edits)
    if isinstance(made, EditRefusal):
        return ReplyFault(ReplyFaultKind.MISFIT, str(made))
    try:
        tree(made.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        return ReplyFault(ReplyFaultKind.SYNTAX, f"with these edits it is no Python any more: {problem}.")
    return ReplyProgram(made.source, made.notes)


def _no_verdict(text: str) -> str:
    """The fault of a critic's reply that says neither yes nor no, which is no consent; "" for any other."""
    verdict = read_json(text)
    return "" if isinstance(verdict, dict) and isinstance(verdict.get("accept"), bool) else _UNREADABLE


def _rejection(text: str) -> str:
    """Why the critic rejects the patch; "" when it does not, or does not say so in the form that was asked for."""
    verdict = read_json(text)
    if isinstance(verdict, dict) and verdict.get("accept") is False:
        return str(verdict.get("reason") or "no reason was given.")[:1_000]
    return ""


def _base(state: State, context: AgentContext) -> Attempt:
    """What the next patch applies to: the version that passes most checks, the earliest of equals."""
    return max([given_program(context), *attempts_of(state)], key=lambda attempt: attempt.verdict.checks_passed)


def _values(state: State, context: AgentContext) -> dict[str, Any]:
    """What both roles are shown."""
    task = context.session.reliable_task
    base = _base(state, context)
    return common_values(context) | {
        "program": shown_numbered(task, base.candidate.source),
        "checks": shown_checks(task) if context.sampling.prompt_style == "tests" else "",
        "outcome": checks_report(task, base.verdict),
        "history": _history(state, context),
        "complaint": state["complaint"] if state["fault"] else "",
    }


def _history(state: State, context: AgentContext) -> list[dict[str, str]]:
    """Earlier patches and what came of them, so that none is made twice."""
    task = context.session.reliable_task
    tried = [
        {
            "diff": unified_diff(task.source, attempt.candidate.source, "program.py"),
            "outcome": first_failure(task, attempt.verdict),
        }
        for attempt in attempts_of(state)
    ]
    faults = [
        {"diff": turn.reply[:2_000], "outcome": f"not run ({turn.fault})"}
        for turn in turns_of(state)
        if turn.fault and turn.node == "patch"
    ]
    return [*faults[-_HISTORY_FAULTS:], *tried][-_HISTORY_PATCHES:]


def after_iterate(state: State) -> str:
    """Ask for other edits after a patch that could not be run; think again after one that failed or was rejected."""
    if state["stop"]:
        return END
    return "patch" if state["fault"] and state["fault"] != _REJECTED else "thought"


def build_graph() -> AgentGraph:
    """inspect -> thought -> patch -> critic -> verify -> iterate -> thought ..., until it passes."""
    graph = StateGraph(State, context_schema=AgentContext)
    graph.add_node("inspect", inspect)
    graph.add_node("thought", thought)
    graph.add_node("patch", patch)
    graph.add_node("critic", critic)
    graph.add_node("verify", verify)
    graph.add_node("iterate", iterate)
    graph.add_node("choose", choose)
    graph.add_edge(START, "inspect")
    graph.add_conditional_edges("inspect", unless_stopped("thought"), ["thought", END])
    graph.add_conditional_edges("thought", unless_stopped("patch"), ["patch", END])
    graph.add_conditional_edges("patch", unless_stopped("critic"), ["critic", END])
    graph.add_edge("critic", "verify")
    graph.add_conditional_edges("verify", choose_or("iterate"), ["choose", "iterate", END])
    graph.add_conditional_edges("iterate", after_iterate, ["thought", "patch", END])
    graph.add_edge("choose", END)
    return graph


AGENT = AgentSpec("patch", build_graph, temperature=0.2, schedule="rising", steps_per_iteration=5)
