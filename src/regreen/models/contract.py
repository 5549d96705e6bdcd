"""What a chat model is to the rest of Regreen: plain requests in, plain replies out, and one Protocol."""

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
    """The model's own text: JSON if it kept to the schema, anything if it did not."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: MessageRole
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an assistant."""
    tool_call_id: str | None = None
    """Of a tool's answer: the call that it belongs to."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON Schema of its arguments."""


@dataclass(frozen=True, slots=True)
class Request:
    """All that decides a reply, and who asks."""

    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int | None = None
    """Of the reply; None leaves it to the model."""
    seed: int | None = None
    tools: tuple[Tool, ...] = ()
    stop: tuple[str, ...] = ()
    """Texts at which a reply ends."""
    json_schema: Mapping[str, Any] | None = None
    """The form that the reply has to have, where the service can hold a model to one."""
    node: str = ""
    """The node of the strategy that asks: what tokens are counted by."""
    scope: str = ""
    """The repair that it belongs to, e.g. "bundled/median#0": what a tape is ordered by."""
    turn: int = 0
    """Which request of its scope this is, from 0."""

    def content(self) -> dict[str, Any]:
        """What the reply depends on, as plain data: all but who asks."""
        return {name: value for name, value in _fields(self).items() if name not in ("node", "scope", "turn")}

    def key(self, model: str) -> str:
        """A digest of what is asked of `model`: equal requests, equal keys."""
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
    """Tokens of one request and its reply."""

    prompt: int = 0
    completion: int = 0
    """Reasoning tokens included."""
    reasoning: int = 0
    cached: int = 0
    """Those of the prompt that the service had in its cache."""


class Finish:
    """Why a reply ended, as the services name it."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    REFUSED = "refused"
    """The model declined, or a filter of the service did."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    finish: str = Finish.STOP
    reasoning: str = ""
    """What the model thought aloud, where the service tells it apart from the answer."""
    model: str = ""
    """The model that answered, as the service names it."""
    seconds: float = 0.0
    """Of the request that succeeded."""
    waited: float = 0.0
    """Seconds lost to rests and retries before: the service's, and not to be counted against a repair's time."""
    usd: float | None = None
    """None where no price is known."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What else is worth a record, e.g. {"from_tape": True}."""


class ChatModel(Protocol):
    """Anything that answers requests; it may be asked from several threads at once."""

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
        """Give back what it holds: connections, files, memory."""
        ...
