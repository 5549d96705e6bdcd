"""One request to the model, and what is taken from its reply: a candidate, or a fault that it can act on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from regreen.errors import BudgetSpent, ContextTooLong
from regreen.models import Finish, Message, Reply, Request, Tool, ToolCall
from regreen.propose.prompts import render
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply, same_code
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.prompt_values import unit
from regreen.strategies.state import State, attempts_of, pack, stopped, turns_of
from regreen.types import Attempt, Candidate, Stop, Turn

REPEAT = "repeat"
"""The fault of a reply that gives the same program as before."""
REFUSAL = "refused"
"""The fault of a reply in which the model, or a filter of its service, declined."""
TOO_LONG = "context"
"""The fault of a request that does not fit into the model's context."""


def ask_for_candidate(
    state: State, context: AgentContext, node: str, messages: Sequence[Message], *, temperature: float | None = None
) -> State:
    """Ask the model and take a candidate from its reply; a fault of the reply is part of the update."""
    try:
        request, reply = ask_model(state, context, node, messages, temperature=temperature)
    except (BudgetSpent, ContextTooLong) as problem:
        return unasked(problem)
    return candidate_update(state, request, reply, *read_candidate(state, context, node, reply))


def ask_model(
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
    session, number = context.session, len(state["turns"])
    request = Request(
        tuple(messages),
        temperature=context.sampling.temperature_at(state["iteration"]) if temperature is None else temperature,
        max_tokens=context.sampling.max_reply_tokens,
        seed=session.seed + number,
        tools=tools,
        json_schema=json_schema,
        node=node,
        scope=session.scope,
        turn=number,
    )
    session.notify("asking")
    asked = session.clock()
    with session.without_core():
        reply = context.model.ask(request)
    # A reply from a tape bears the wait of its day, which is not spent again.
    session.waited += min(reply.waited, max(0.0, session.clock() - asked))
    session.progress.model_calls += 1
    session.progress.tokens += reply.usage.prompt + reply.usage.completion
    return request, reply


def unasked(problem: BudgetSpent | ContextTooLong) -> State:
    """The update that ends a repair whose request was not sent: over a limit of the run, or too long for the model."""
    if isinstance(problem, BudgetSpent):
        return stopped(Stop.MONEY if problem.kind == "usd" else Stop.TOKENS)
    return State(**stopped(Stop.EXHAUSTED), fault=TOO_LONG, complaint=str(problem), pending="")


def candidate_update(
    state: State, request: Request, reply: Reply, candidate: Candidate | None, fault: str, complaint: str
) -> State:
    """The update after a reply: the candidate to be judged, or the fault and words about it."""
    return State(
        turns=[pack(make_turn(state, request, reply, candidate=candidate, fault=fault, complaint=complaint))],
        pending=pack(candidate) if candidate and not fault else "",
        fault=fault,
        complaint=complaint,
        seconds={"reflect": reply.seconds},
    )


def read_candidate(state: State, context: AgentContext, node: str, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The candidate in a reply, and the fault's kind and words about it; both are "" for a usable candidate."""
    if reply.finish == Finish.REFUSED:
        return None, REFUSAL, "you declined to answer."
    return candidate_or_fault(state, context, node, read_reply(reply.text, context.session.task), reply)


def candidate_or_fault(
    state: State, context: AgentContext, node: str, answer: ReplyProgram | ReplyFault, reply: Reply
) -> tuple[Candidate | None, str, str]:
    """The candidate of a program that was read from a reply, unless the same code was given before."""
    task = context.session.task
    if isinstance(answer, ReplyFault):
        if answer.kind is ReplyFaultKind.UNCHANGED:
            return None, REPEAT, answer.detail
        cut = " It was cut off: the reply is too long." if reply.finish == Finish.LENGTH else ""
        return None, str(answer.kind), f"{answer.detail}{cut}"
    attempts = attempts_of(state)
    if same_code(answer.source, task.source):
        return given_program(context).candidate, REPEAT, "it is the program as it was."
    for earlier in attempts:
        if same_code(answer.source, earlier.candidate.source):
            return earlier.candidate, REPEAT, "you have given this version before."
    parent = attempts[-1].candidate if attempts else Candidate(task.source, "given")
    candidate = Candidate(answer.source, f"model:{node}", parent=parent.id, note="; ".join(answer.notes))
    return candidate, "", ""


def given_program(context: AgentContext) -> Attempt:
    """The program as it was given, with the verdict of the baseline."""
    return Attempt(Candidate(context.session.task.source, "given"), context.session.baseline.verdict)


def repeated_attempt(state: State, context: AgentContext) -> Attempt:
    """The earlier attempt that the last reply has repeated; the program as it was, where it repeated that."""
    name = turns_of(state)[-1].candidate_id
    return next((attempt for attempt in attempts_of(state) if attempt.candidate.id == name), given_program(context))


def make_turn(
    state: State,
    request: Request,
    reply: Reply,
    *,
    candidate: Candidate | None = None,
    fault: str = "",
    complaint: str = "",
) -> Turn:
    """The record of one request and its reply."""
    return Turn(
        number=request.turn,
        node=request.node,
        iteration=state["iteration"],
        temperature=request.temperature,
        prompt=conversation_text(request.messages),
        reply=_message_text(reply.text, reply.tool_calls),
        reasoning=reply.reasoning,
        candidate_id=candidate.id if candidate else None,
        fault=fault,
        fault_detail=complaint,
        finish=str(reply.finish),
        prompt_tokens=reply.usage.prompt,
        completion_tokens=reply.usage.completion,
        reasoning_tokens=reply.usage.reasoning,
        usd=reply.usd,
        seconds=reply.seconds,
    )


def conversation(system: str, user: str, **values: Any) -> list[Message]:
    """A system message and a user's message, rendered from the prompts of these names."""
    return [Message("system", render(system, **values)), Message("user", render(user, **values))]


def conversation_text(messages: Sequence[Message]) -> str:
    """A conversation as one text, each message under its role."""
    return "\n\n".join(f"[{m.role}]\n{_message_text(m.content, m.tool_calls)}" for m in messages)


def common_values(context: AgentContext) -> dict[str, Any]:
    """Values that every prompt may show."""
    task = context.session.task
    return {"statement": task.statement, "entry_point": task.entry_point, "unit": unit(task)}


def _message_text(text: str, calls: Sequence[ToolCall]) -> str:
    """A message's text, and after it its tool calls."""
    return "\n".join([*([text] if text else []), *(f"{call.name}({call.arguments})" for call in calls)])
