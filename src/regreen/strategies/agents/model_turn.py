"""One request to the model, and what is taken from its reply: a candidate, or a fault that it can act on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from regreen.errors import BudgetSpent, ContextTooLong
from regreen.models import Finish, Message, Reply, Request, Tool, ToolCall
from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_programs, read_reply, same_code
from regreen.strategies.agents.agent_context import AgentContext, ModelContext
from regreen.strategies.agents.prompt_fit import SHORTEST, WHOLE, Prompt, was_cut_by_context
from regreen.strategies.agents.prompt_values import unit
from regreen.strategies.agents.state import State, attempts_of, pack, stopped, turns_of
from regreen.types import REFUSAL, TOO_LONG, Attempt, Candidate, Stop, Turn

_LOG = logging.getLogger(__name__)
REPEAT = "repeat"
"""The fault of a reply that gives the same program as before."""
ANSWERS = 3
"""The most code blocks of a reply that may answer: models correct themselves, or offer several ways."""
_RAMBLING = {
    "loop": "your reply repeated itself, and was stopped.",
    "prose": "your reply went on and on without code, and was stopped.",
}
"""Faults of replies without a candidate that were stopped, by what ended them, in words for the model."""
_SHORTENED = (
    "The model's context is too small for all that it would have been shown: earlier attempts, tests, the statement "
    "and what a long program holds beside the definition in question were shortened."
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that was answered."""

    request: Request
    reply: Reply
    refused: tuple[str, ...] = ()
    """The turns, packed, of the longer requests before it that did not fit into the model's context."""
    shortening: int = WHOLE
    """How much of the prompt was left out, or has to be the next time."""


class Unanswered(Exception):
    """There is no reply: a limit is reached, or the prompt does not fit however short it is. Carries the update."""

    def __init__(self, update: State) -> None:
        super().__init__()
        self.update = update


def ask_for_candidate(
    state: State,
    context: AgentContext,
    node: str,
    prompt: Prompt,
    *,
    temperature: float | None = None,
    stop: tuple[str, ...] = (),
    answers: int = ANSWERS,
) -> State:
    """Ask the model and take candidates from its reply; a fault of the reply is part of the update."""
    try:
        exchange = ask_model(state, context, node, prompt, temperature=temperature, stop=stop, answers=answers)
    except Unanswered as end:
        return end.update
    return reply_update(state, context, node, exchange)


def ask_model(
    state: State,
    context: ModelContext,
    node: str,
    prompt: Prompt,
    *,
    temperature: float | None = None,
    tools: tuple[Tool, ...] = (),
    json_schema: Mapping[str, Any] | None = None,
    stop: tuple[str, ...] = (),
    answers: int = 1,
) -> Exchange:
    """One request and its reply; what does not fit into the model's context is asked again in fewer words.

    Raises Unanswered with the update that ends the repair, and what else `ChatModel.ask` raises.
    """
    refused, excuse = list[str](), ""
    known: Sequence[Message] = ()
    for shortening in range(state.get("shortening", WHOLE), SHORTEST + 1):
        messages = prompt(shortening)
        if refused and messages == known:
            # Nothing more could be left out: it would be refused again.
            continue
        known = messages
        number = len(state["turns"]) + len(refused)
        request = Request(
            tuple(messages),
            temperature=context.sampling.temperature_at(state["iteration"]) if temperature is None else temperature,
            max_tokens=context.sampling.max_reply_tokens,
            seed=context.session.seed + number,
            tools=tools,
            stop=stop,
            json_schema=json_schema,
            answers=answers,
            node=node,
            scope=context.session.scope,
            turn=number,
        )
        try:
            reply = _answer(request, context)
        except BudgetSpent as problem:
            end = stopped(Stop.MONEY if problem.kind == "usd" else Stop.TOKENS)
            raise Unanswered(State(**end, turns=refused)) from None
        except ContextTooLong as problem:
            excuse = str(problem)
            refused.append(pack(make_turn(state, request, Reply("", usd=0.0), fault=TOO_LONG, complaint=excuse)))
            context.session.notify("asking", f"{excuse} What can be left out is left out.")
        else:
            needed = min(shortening + was_cut_by_context(request, reply), SHORTEST)
            return Exchange(request, reply, tuple(refused), needed)
    raise Unanswered(_does_not_fit(refused, excuse))


class _Told:
    """A conversation as text, made only where it is shown."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages

    def __str__(self) -> str:
        return conversation_text(self.messages)


def _answer(request: Request, context: ModelContext) -> Reply:
    """The reply, with its time and its tokens counted."""
    session = context.session
    session.notify("asking")
    # The first prompt of a repair tells what the model is given; those after it differ by what was tried.
    level = logging.DEBUG if request.turn else logging.INFO
    _LOG.log(level, "%s: %s asks %s:\n%s", session.scope, request.node, context.model.name, _Told(request.messages))
    began = session.clock()
    with session.without_core():
        reply = context.model.ask(request)
    _LOG.debug("%s: %s answers:\n%s", session.scope, context.model.name, _message_text(reply.text, reply.tool_calls))
    took = max(0.0, session.clock() - began)
    # A reply from a tape bears the wait of its day, which is not spent again.
    waited = min(reply.waited, took)
    session.waited += waited
    session.asked += took - waited
    session.progress.model_calls += 1
    session.progress.tokens += reply.usage.prompt + reply.usage.completion
    return reply


def _does_not_fit(refused: list[str], excuse: str) -> State:
    """The update that ends a repair whose prompt does not fit even when all that can be left out is."""
    note = f"The prompt does not fit into the model's context, whatever is left out of it: {excuse}"
    return State(**stopped(Stop.CONTEXT), turns=refused, fault=TOO_LONG, complaint=excuse, pending="", notes=[note])


def exchange_update(
    state: State, exchange: Exchange, *, candidate: Candidate | None = None, fault: str = "", complaint: str = ""
) -> State:
    """The update after any reply: its turn, its time, and how much the next prompt has to leave out."""
    turn = make_turn(state, exchange.request, exchange.reply, candidate=candidate, fault=fault, complaint=complaint)
    update = State(turns=[*exchange.refused, pack(turn)], seconds={"reflect": exchange.reply.seconds})
    if exchange.shortening > state.get("shortening", WHOLE):
        update["shortening"] = exchange.shortening
        update["notes"] = [_SHORTENED]
    return update


def candidate_update(
    state: State, exchange: Exchange, candidate: Candidate | None, fault: str, complaint: str
) -> State:
    """The update after a reply: the candidate to be judged, or the fault and words about it."""
    if fault:
        _LOG.info("%s: the reply holds no new candidate (%s): %s", exchange.request.scope, fault, complaint)
    update = exchange_update(state, exchange, candidate=candidate, fault=fault, complaint=complaint)
    update["pending"] = pack(candidate) if candidate and not fault else ""
    update["fault"], update["complaint"] = fault, complaint
    return update


def reply_update(state: State, context: AgentContext, node: str, exchange: Exchange) -> State:
    """The update after a reply in text: the candidates of its blocks, the last one first, or the fault of that one."""
    reply = exchange.reply
    found = read_programs(reply.text, context.session.task)
    if isinstance(found, ReplyFault) or reply.finish == Finish.REFUSED:
        return candidate_update(state, exchange, *read_candidate(state, context, node, reply))
    readings = [candidate_or_fault(state, context, node, program, reply) for program in _told_apart(found)]
    # Of blocks that are new, the last one counts until they are judged: it is the model's last word.
    fresh = [candidate for candidate, fault, _ in readings if candidate is not None and not fault]
    update = candidate_update(state, exchange, *((fresh[0], "", "") if fresh else readings[0]))
    update["beside"] = [pack(candidate) for candidate in fresh[1:]]
    return update


def _told_apart(programs: Sequence[ReplyProgram]) -> list[ReplyProgram]:
    """The programs that differ; where there are several, each with a note on the block that it comes from."""
    different: list[ReplyProgram] = []
    for program in programs:
        if not any(same_code(program.source, other.source) for other in different):
            different.append(program)
    if len(different) < 2:
        return different
    count = len(different)
    return [
        replace(program, notes=(f"block {program.block} of the reply, one of {count} with a program", *program.notes))
        for program in different
    ]


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
        if words := _RAMBLING.get(str(reply.extra.get("ended"))):
            return None, str(reply.extra["ended"]), f"{words} Give the code, and nothing else."
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
        ended=str(reply.extra.get("ended", "")),
    )


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
