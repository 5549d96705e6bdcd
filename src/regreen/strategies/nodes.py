"""Nodes that several graphs share: each calls a room and returns what it adds to the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from regreen.errors import BudgetSpent, ContextTooLong
from regreen.models import Finish, Message, Reply, Request, Tool, ToolCall
from regreen.propose.prompts import render
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply, same_code
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.patch_selection import minimise_patch
from regreen.strategies.prompt_values import unit
from regreen.strategies.state import State, attempts_of, pack, stopped, turns_of, unpack_candidate
from regreen.types import Attempt, Candidate, Stop, Turn, Verdict

REPEAT = "repeat"
"""The fault of a reply that gives what was given before."""
REFUSED = "refused"
"""The fault of a reply in which the model, or a filter of its service, declined."""
CONTEXT = "context"
"""The fault of a request that does not fit into the model's context."""


def inspect(state: State, context: AgentContext) -> State:
    """Run the checks on the program as it is; where none is red there is nothing to do."""
    return State() if context.session.baseline.red else stopped(Stop.NOTHING_RED)


def ask(
    state: State, context: AgentContext, node: str, messages: Sequence[Message], *, temperature: float | None = None
) -> State:
    """Ask the model and take a candidate from its reply; a fault of the reply is part of the state."""
    try:
        request, reply = consult(state, context, node, messages, temperature=temperature)
    except BudgetSpent as spent:
        return stopped(budget_stop(spent))
    except ContextTooLong as problem:
        return State(**stopped(Stop.EXHAUSTED), fault=CONTEXT, complaint=str(problem), pending="")
    return taken(state, context, request, reply)


def consult(
    state: State,
    context: AgentContext,
    node: str,
    messages: Sequence[Message],
    *,
    temperature: float | None = None,
    tools: tuple[Tool, ...] = (),
    json_schema: Mapping[str, Any] | None = None,
) -> tuple[Request, Reply]:
    """One request and its reply; raises what `ChatModel.ask` raises."""
    session, number = context.session, len(state.get("turns", []))
    request = Request(
        tuple(messages),
        temperature=context.sampling.temperature_at(state.get("iteration", 0)) if temperature is None else temperature,
        max_tokens=context.sampling.max_reply_tokens,
        seed=session.seed + number,
        tools=tools,
        json_schema=json_schema,
        node=node,
        scope=session.scope,
        turn=number,
    )
    session.notify("asking")
    with session.without_core():
        reply = context.model.ask(request)
    session.waited += reply.waited
    session.progress.model_calls += 1
    session.progress.tokens += reply.usage.prompt + reply.usage.completion
    return request, reply


def taken(state: State, context: AgentContext, request: Request, reply: Reply) -> State:
    """What a reply comes to: a candidate that waits to be judged, or the fault and words about it."""
    candidate, fault, complaint = read(state, context, request.node, reply)
    turn = make_turn(state, request, reply, candidate=candidate, fault=fault)
    return State(
        turns=[pack(turn)],
        pending=pack(candidate) if candidate and not fault else "",
        fault=fault,
        complaint=complaint,
        seconds={"reflect": reply.seconds},
    )


def read(state: State, context: AgentContext, node: str, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The candidate in a reply, and what is wrong with it: the fault's kind, and words that the model can act on."""
    if reply.finish == Finish.REFUSED:
        return None, REFUSED, "you declined to answer."
    answer = read_reply(reply.text, context.session.task)
    return candidate_or_fault(state, context, node, answer, reply)


def candidate_or_fault(
    state: State, context: AgentContext, node: str, answer: ReplyProgram | ReplyFault, reply: Reply
) -> tuple[Candidate | None, str, str]:
    """What was taken, unless the like of it was given before, with the fault's kind and words about it."""
    task = context.session.task
    if isinstance(answer, ReplyFault):
        if answer.kind is ReplyFaultKind.UNCHANGED:
            return None, REPEAT, answer.detail
        cut = " It was cut off: the reply is too long." if reply.finish == Finish.LENGTH else ""
        return None, str(answer.kind), f"{answer.detail}{cut}"
    candidate = candidate_of(state, context, node, answer)
    if same_code(candidate.source, task.source):
        return given_program(context).candidate, REPEAT, "it is the program as it was."
    for earlier in attempts_of(state):
        if same_code(candidate.source, earlier.candidate.source):
            return earlier.candidate, REPEAT, "you have given this version before."
    return candidate, "", ""


def given_program(context: AgentContext) -> Attempt:
    """The program as it was, and what the checks say of it."""
    return Attempt(Candidate(context.session.task.source, "given"), context.session.baseline.verdict)


def repeated_attempt(state: State, context: AgentContext) -> Attempt:
    """What the last reply has given again: an earlier candidate, or the program as it was."""
    name = turns_of(state)[-1].candidate_id
    return next((attempt for attempt in attempts_of(state) if attempt.candidate.id == name), given_program(context))


def candidate_of(state: State, context: AgentContext, node: str, answer: ReplyProgram) -> Candidate:
    """A candidate from what was taken of a reply."""
    attempts = attempts_of(state)
    parent = attempts[-1].candidate.id if attempts else Candidate(context.session.task.source, "given").id
    origin = f"model:{node}"
    return Candidate(answer.source, origin, parent=parent, note="; ".join(answer.notes))


def make_turn(
    state: State, request: Request, reply: Reply, *, candidate: Candidate | None = None, fault: str = ""
) -> Turn:
    """The record of one request and what came of it."""
    return Turn(
        number=request.turn,
        node=request.node,
        iteration=state.get("iteration", 0),
        temperature=request.temperature,
        prompt=conversation_text(request.messages),
        reply=_said(reply.text, reply.tool_calls),
        reasoning=reply.reasoning,
        candidate_id=candidate.id if candidate else None,
        fault=fault,
        prompt_tokens=reply.usage.prompt,
        completion_tokens=reply.usage.completion,
        reasoning_tokens=reply.usage.reasoning,
        usd=reply.usd,
        seconds=reply.seconds,
    )


def conversation_text(messages: Sequence[Message]) -> str:
    """A conversation as one text, each message under its role."""
    return "\n\n".join(f"[{m.role}]\n{_said(m.content, m.tool_calls)}" for m in messages)


def verify(state: State, context: AgentContext) -> State:
    """Judge the candidate that waits."""
    if not state.get("pending"):
        return State()
    session = context.session
    started = session.clock()
    candidate = unpack_candidate(state["pending"])
    attempt = Attempt(candidate, session.prove(candidate), turn=len(state.get("turns", [])) - 1)
    session.progress.candidates += 1
    session.progress.best_passed = max(session.progress.best_passed, attempt.verdict.checks_passed)
    return State(attempts=[pack(attempt)], pending="", seconds={"execute": session.clock() - started})


def iterate(state: State, context: AgentContext) -> State:
    """Begin another iteration, within the budget."""
    session, iteration = context.session, state.get("iteration", 0)
    if iteration >= session.budget.iterations:
        return stopped(Stop.ITERATIONS)
    if session.clock() >= session.deadline:
        return stopped(Stop.SECONDS)
    if len(state.get("attempts", [])) >= session.budget.candidates:
        return stopped(Stop.CANDIDATES)
    return State(iteration=iteration + 1)


def choose(state: State, context: AgentContext) -> State:
    """Hand over the first candidate that passes, with every change undone that it does not need."""
    passing = next((attempt for attempt in attempts_of(state) if attempt.verdict.passed), None)
    if passing is None:
        return State()
    session = context.session
    started = session.clock()
    session.notify("minimising")
    chosen = replace(minimise_patch(session.task.source, passing, session.prove), turn=passing.turn)
    return State(**stopped(Stop.FIXED), chosen=pack(chosen), seconds={"select": session.clock() - started})


def answer_unverified(state: State, context: AgentContext) -> State:
    """Hand over the one reply where no check may be run."""
    if not state.get("pending"):
        return stopped(Stop.ANSWERED)
    attempt = Attempt(unpack_candidate(state["pending"]), Verdict({}), turn=len(state["turns"]) - 1)
    return State(**stopped(Stop.ANSWERED), chosen=pack(attempt), pending="")


def conversation(system: str, user: str, **values: Any) -> list[Message]:
    """A system message and one of the user, from two prompts."""
    return [Message("system", render(system, **values)), Message("user", render(user, **values))]


def common_values(context: AgentContext) -> dict[str, Any]:
    """What every prompt may show."""
    task = context.session.task
    return {"statement": task.statement, "entry_point": task.entry_point, "unit": unit(task)}


def budget_stop(spent: BudgetSpent) -> Stop:
    """The stop that a limit of the run means for a repair."""
    return Stop.MONEY if spent.kind == "usd" else Stop.TOKENS


def _said(text: str, calls: Sequence[ToolCall]) -> str:
    """What was said, and after it the calls that were made."""
    return "\n".join([*([text] if text else []), *(f"{call.name}({call.arguments})" for call in calls)])
