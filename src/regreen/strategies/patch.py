"""Two roles: one explains the cause and plans, the other writes edits, checked before all or none are made."""

from __future__ import annotations

from typing import Any

from regreen.errors import BudgetSpent, ContextTooLong
from regreen.models import Finish, Message, Reply
from regreen.propose.edits import EDITS_SCHEMA, EditRefusal, apply_edits, read_edits
from regreen.propose.edits.loose_json import read_json
from regreen.propose.prompts import render
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.feedback import report
from regreen.strategies.graph import END, START, Plan, Wiring
from regreen.strategies.nodes import (
    CONTEXT,
    REFUSED,
    budget_stop,
    candidate_or_fault,
    choose,
    common_values,
    consult,
    given_program,
    inspect,
    iterate,
    make_turn,
    verify,
)
from regreen.strategies.prompt_values import WHOLE, definition_line, definition_text, first_failure, shown_checks
from regreen.strategies.routes import choose_or, on_to
from regreen.strategies.state import State, attempts_of, pack, stopped, turns_of, unpack_candidate
from regreen.syntax import tree
from regreen.types import Attempt, Candidate, Stop, Task
from regreen.unified_diff import unified_diff

HISTORY = 6
"""Earlier patches that both roles are shown, the last ones."""
REJECTED = "rejected"
"""The fault of a patch that the critic would not have run."""
VERDICT_SCHEMA = {
    "type": "object",
    "properties": {
        "accept": {"type": "boolean", "description": "whether the patch should be run"},
        "reason": {"type": "string", "description": "what is wrong with it, in a sentence or two; empty if nothing"},
    },
    "required": ["accept", "reason"],
    "additionalProperties": False,
}


def thought(state: State, context: AgentContext) -> State:
    """Explain the cause, and plan what to change."""
    reply, update = _consult(state, context, "thought", "patch_thought", _values(state, context))
    if reply is not None:
        update["plan"] = reply.text.strip() or state["plan"]
    return update


def patch(state: State, context: AgentContext) -> State:
    """Write the edits that the plan asks for."""
    values = _values(state, context) | {"plan": state["plan"]}
    messages = _messages("patch_edits", values)
    try:
        request, reply = consult(state, context, "patch", messages, json_schema=EDITS_SCHEMA)
    except (BudgetSpent, ContextTooLong) as problem:
        return _ended(problem)
    candidate, fault, complaint = _read(state, context, reply)
    turn = make_turn(state, request, reply, candidate=candidate, fault=fault)
    return State(
        turns=[pack(turn)],
        pending=pack(candidate) if candidate and not fault else "",
        fault=fault,
        complaint=complaint,
        seconds={"reflect": reply.seconds},
    )


def critic(state: State, context: AgentContext) -> State:
    """Read the patch before it is run; one that is rejected goes back with the reason."""
    if not context.sampling.critic or not state["pending"]:
        return State()
    base = _base(state, context).candidate.source
    diff = unified_diff(base, unpack_candidate(state["pending"]).source, "program.py")
    values = _values(state, context) | {"plan": state["plan"], "diff": diff}
    reply, update = _consult(state, context, "critic", "patch_critic", values, json_schema=VERDICT_SCHEMA)
    reason = _rejection(reply.text) if reply is not None else ""
    if reason:
        update |= State(pending="", fault=REJECTED, complaint=f"the critic would not have it run: {reason}")
    return update


def _consult(
    state: State, context: AgentContext, node: str, prompt: str, values: dict[str, Any], *, json_schema: Any = None
) -> tuple[Reply | None, State]:
    """Ask for words rather than for a program; None with the update that ends the repair."""
    try:
        request, reply = consult(state, context, node, _messages(prompt, values), json_schema=json_schema)
    except (BudgetSpent, ContextTooLong) as problem:
        return None, _ended(problem)
    fault = REFUSED if reply.finish == Finish.REFUSED else ""
    turn = make_turn(state, request, reply, fault=fault)
    return reply, State(turns=[pack(turn)], seconds={"reflect": reply.seconds})


def _messages(prompt: str, values: dict[str, Any]) -> list[Message]:
    return [Message("system", render(f"{prompt}_system", **values)), Message("user", render(prompt, **values))]


def _ended(problem: BudgetSpent | ContextTooLong) -> State:
    if isinstance(problem, BudgetSpent):
        return stopped(budget_stop(problem))
    return State(**stopped(Stop.EXHAUSTED), fault=CONTEXT, complaint=str(problem), pending="")


def _read(state: State, context: AgentContext, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The program with the reply's edits made, or what is wrong with them."""
    if reply.finish == Finish.REFUSED:
        return None, REFUSED, "you declined to answer."
    return candidate_or_fault(
        state, context, "patch", _edited(_base(state, context).candidate.source, reply.text), reply
    )


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
        "outcome": report(task, base.verdict),
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
    return [*faults[-2:], *tried][-HISTORY:]


def shown_numbered(task: Task, source: str) -> str:
    """A program with the number of each line before it; of a long one, the definition in question."""
    if len(source) <= WHOLE:
        return numbered(source.rstrip("\n"))
    shown = definition_text(source, task.entry_point)
    return numbered(shown.rstrip("\n"), definition_line(source, task.entry_point))


def numbered(text: str, first: int = 1) -> str:
    """A text with the number of each line before it."""
    lines = text.split("\n")
    width = len(str(first + len(lines) - 1))
    return "\n".join(f"{number:>{width}}| {line}".rstrip() for number, line in enumerate(lines, first))


def after_iterate(state: State) -> str:
    """A patch that could not be run is written anew; one that was run and failed is thought about."""
    if state["stop"]:
        return END
    return "patch" if state["fault"] and state["fault"] != REJECTED else "thought"


def wire(wiring: Wiring) -> None:
    """inspect -> thought -> patch -> critic -> verify -> iterate -> thought ..., until it passes."""
    for node in (inspect, thought, patch, critic, verify, iterate, choose):
        wiring.node(node.__name__, node)
    wiring.edge(START, "inspect")
    wiring.choice("inspect", on_to("thought"), ["thought", END])
    wiring.choice("thought", on_to("patch"), ["patch", END])
    wiring.choice("patch", on_to("critic"), ["critic", END])
    wiring.edge("critic", "verify")
    wiring.choice("verify", choose_or("iterate"), ["choose", "iterate", END])
    wiring.choice("iterate", after_iterate, ["thought", "patch", END])
    wiring.edge("choose", END)


PLAN = Plan("patch", wire, temperature=0.2, schedule="rising", nodes_an_iteration=5)
