"""The contract of chat models: the Protocol, and its requests and replies as plain values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Literal, Protocol

MessageRole = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool that a model asked for."""

    id: str
    name: str
    arguments: str
    """The model's own text: a JSON object if it kept to the tool's schema, any text if not."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: MessageRole
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """The calls that an assistant made; empty for other roles."""
    tool_call_id: str | None = None
    """The id of the call that a tool's message answers; None for other roles."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON Schema of its arguments."""


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides a reply, and where in a run it is asked."""

    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int | None = None
    """Limit of the reply's tokens; None leaves it to the model."""
    seed: int | None = None
    tools: tuple[Tool, ...] = ()
    stop: tuple[str, ...] = ()
    """Texts at which a reply ends."""
    json_schema: Mapping[str, Any] | None = None
    """JSON Schema of the reply, for services that can enforce one."""
    answers: int = 1
    """The most code blocks with an answer that a reply may hold: it is over with the last of them."""
    node: str = ""
    """The strategy's node that asks; tokens are counted by node."""
    scope: str = ""
    """The repair that the request belongs to, e.g. "bundled/median#0"; a tape is ordered by scope and turn."""
    turn: int = 0
    """The number of the request within its scope, from 0."""

    def content(self) -> dict[str, Any]:
        """The fields that decide the reply, as plain data: without node, scope and turn."""
        # One answer is what tapes mean that are older than the field.
        left_out = ("node", "scope", "turn", *(("answers",) if self.answers == 1 else ()))
        return {name: value for name, value in _fields(self).items() if name not in left_out}

    def key(self, model: str) -> str:
        """SHA-256 of the content and the model's name: equal requests have equal keys."""
        text = json.dumps([model, self.content()], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def _fields(noun: Any) -> dict[str, Any]:
    """The fields of a dataclass, and of those in it; unlike `asdict`, nothing is copied."""
    return {name: _plain(getattr(noun, name)) for name in noun.__dataclass_fields__}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return _fields(value) if is_dataclass(value) else value


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request and its reply; each from 0."""

    prompt: int = 0
    completion: int = 0
    """Reasoning tokens included."""
    reasoning: int = 0
    """Part of `completion`."""
    cached: int = 0
    """Part of `prompt` that the service had in its cache."""


class Finish:
    """Why a reply ended, as the services name it."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    REFUSED = "refused"
    """The model or a filter of the service declined."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer to one request."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    finish: str = Finish.STOP
    reasoning: str = ""
    """The reasoning text, where the service returns it apart from the answer."""
    model: str = ""
    """The model that answered, as the service names it."""
    seconds: float = 0.0
    """Seconds that the successful try took."""
    waited: float = 0.0
    """Seconds lost to rests and retries before that try; they do not count against a repair's time."""
    usd: float | None = None
    """Price in US dollars; None where no price is known."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further facts for the record, e.g. {"from_tape": True}."""


class ChatModel(Protocol):
    """A model that answers requests, from several threads at once."""

    @property
    def name(self) -> str:
        """Its full name, e.g. "openai:gpt-5-mini"."""
        ...

    def ask(self, request: Request) -> Reply:
        """The model's reply.

        Raises ModelUnavailable when the service stays down, BudgetSpent when a limit of the run is reached,
        ToolsUnsupported when the model takes no tools, ContextTooLong when the request does not fit, and
        ModelError for anything else that is not a reply.
        """
        ...

    def close(self) -> None:
        """Release connections, files and memory."""
        ...
