"""The state of a graph between its nodes: plain data alone, so that a checkpoint holds nothing that could run."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from typing_extensions import TypedDict

from regreen.models import Message, ToolCall
from regreen.types import Attempt, Candidate, CheckResult, Isolation, Outcome, Stop, Turn, Verdict


def add_seconds(before: Mapping[str, float], more: Mapping[str, float]) -> dict[str, float]:
    """Seconds by stage, added up."""
    return {stage: before.get(stage, 0.0) + more.get(stage, 0.0) for stage in {**before, **more}}


RESTART = ""
"""As the first message of an update: it drops the conversation so far."""


def extend_messages(before: list[str], more: list[str]) -> list[str]:
    """The conversation with the new messages after it; with `RESTART` in front of them, those alone."""
    return more[1:] if more[:1] == [RESTART] else before + more


class State(TypedDict, total=False):
    """LangGraph's state of a repair. A node returns its update; the texts in lists are values that `pack` made."""

    iteration: int
    """Corrections begun so far: 0 during the draft."""
    turns: Annotated[list[str], operator.add]
    """Requests to the model, in order."""
    attempts: Annotated[list[str], operator.add]
    """Candidates that were judged, in order."""
    messages: Annotated[list[str], extend_messages]
    """The conversation, for strategies that continue one."""
    plan: str
    """The plan of the thinking role, for the role that writes patches."""
    edited: str
    """The copy of a project as tools have left it, as a candidate; "" while they have changed nothing."""
    tool_answers: list[list[str]]
    """Answers to the calls of the last reply: id of the call, text, and the candidate whose tests it asks for."""
    pending: str
    """The candidate to be judged next; "" when there is none."""
    beside: list[str]
    """Candidates of the other blocks in the same reply, judged where that one does not pass."""
    fault: str
    """The kind of fault of the last reply; "" when it held a candidate."""
    complaint: str
    """The fault in words that the model can act on."""
    shortening: int
    """How much prompts leave out, since they did not fit into the model's context: 0 for nothing."""
    stop: str
    """Why the repair ended, as a `Stop`; "" while it is under way."""
    seconds: Annotated[dict[str, float], add_seconds]
    """Seconds spent so far, by stage."""
    screened: Annotated[int, operator.add]
    """Candidates that searches screened."""
    searches: Annotated[list[int], operator.add]
    """Candidates that each search screened, in order."""
    duplicates: Annotated[int, operator.add]
    """Candidates that searches dropped because an equal one had been screened."""
    chosen: str
    """The attempt that is handed over; "" when there is none."""
    sites: list[list[Any]]
    """Sites that the last search suspected: first line, last line, suspicion, reason."""
    notes: Annotated[list[str], operator.add]
    """Sentences for the explanation, such as that one strategy took over from another."""


def initial_state() -> State:
    """The state before the first node."""
    return State(
        iteration=0,
        turns=[],
        attempts=[],
        messages=[],
        plan="",
        edited="",
        tool_answers=[],
        pending="",
        beside=[],
        fault="",
        complaint="",
        shortening=0,
        stop="",
        seconds={},
        screened=0,
        searches=[],
        duplicates=0,
        chosen="",
        sites=[],
        notes=[],
    )


def pack(noun: Attempt | Candidate | Turn | Message) -> str:
    """A value as text. JSON's escapes carry what UTF-8 cannot, such as half a surrogate pair in a reply."""
    return json.dumps(noun, default=_fields)


def _fields(noun: Any) -> dict[str, Any]:
    return {name: getattr(noun, name) for name in noun.__dataclass_fields__}


def unpack_candidate(text: str) -> Candidate:
    """The candidate that `pack` turned into this text."""
    return Candidate(**json.loads(text))


def unpack_turn(text: str) -> Turn:
    """The turn that `pack` turned into this text."""
    return Turn(**json.loads(text))


def unpack_message(text: str) -> Message:
    """The message that `pack` turned into this text."""
    fields = json.loads(text)
    fields["tool_calls"] = tuple(ToolCall(**call) for call in fields["tool_calls"])
    return Message(**fields)


@lru_cache(maxsize=256)
def unpack_attempt(text: str) -> Attempt:
    """The attempt that `pack` turned into this text; cached, since nodes and routes unpack the same ones repeatedly."""
    fields = json.loads(text)
    return Attempt(Candidate(**fields["candidate"]), _verdict(fields["verdict"]), fields["turn"])


def attempts_of(state: State) -> list[Attempt]:
    """The attempts so far."""
    return [unpack_attempt(text) for text in state.get("attempts", [])]


def turns_of(state: State) -> tuple[Turn, ...]:
    """The turns so far."""
    return tuple(unpack_turn(text) for text in state.get("turns", []))


def last_attempt(state: State) -> Attempt | None:
    """The latest attempt; None before the first."""
    attempts: Sequence[str] = state.get("attempts", [])
    return unpack_attempt(attempts[-1]) if attempts else None


def stopped(stop: Stop) -> State:
    """The update that ends a repair."""
    return State(stop=stop.value)


def _verdict(fields: dict[str, Any]) -> Verdict:
    results = {
        check: CheckResult(**{**result, "outcome": Outcome(result["outcome"])})
        for check, result in fields["results"].items()
    }
    return Verdict(**{**fields, "results": results, "isolation": Isolation(fields["isolation"])})
