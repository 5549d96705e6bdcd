"""JSON of requests, replies and errors on a tape, written and read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from regreen.errors import BudgetSpent, ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models.contract import Reply, Request, ToolCall, Usage

_ERRORS: Mapping[str, type[ModelError]] = {
    "ModelUnavailable": ModelUnavailable,
    # An open circuit ended the recorded run; a replay, in which no service can fail, goes past it.
    "CircuitOpen": ModelUnavailable,
    "ToolsUnsupported": ToolsUnsupported,
    "ContextTooLong": ContextTooLong,
}
"""The class as which a replay raises an error, by recorded name; any other is a plain ModelError."""


@dataclass(frozen=True, slots=True)
class EncodedRequest:
    """A request to a model as one JSON text, and the digest of it."""

    text: str
    key: str
    """Equal to `Request.key` of the model."""


def encode_request(request: Request, model: str) -> EncodedRequest:
    """The JSON of a request and its key, from one encoding."""
    text = json.dumps([model, request.content()], sort_keys=True, ensure_ascii=True)
    return EncodedRequest(text, hashlib.sha256(text.encode("ascii")).hexdigest())


def decode_content(text: str) -> dict[str, Any]:
    """The content of a recorded request, as `Request.content`. Raises ValueError, TypeError or KeyError."""
    values = json.loads(text)
    content = values[1] if isinstance(values, list) and len(values) == 2 else None
    if not isinstance(content, dict) or not all(map(_is_message, content["messages"])):
        raise ValueError("no request")
    return content


def _is_message(message: object) -> bool:
    return isinstance(message, dict) and all(isinstance(message.get(name), str) for name in ("role", "content"))


def encode_reply(reply: Reply) -> str:
    """A reply as JSON."""
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    usage = reply.usage
    values = {
        "text": reply.text,
        "tool_calls": calls,
        "usage": [usage.prompt, usage.completion, usage.reasoning, usage.cached],
        "finish": reply.finish,
        "reasoning": reply.reasoning,
        "model": reply.model,
        "seconds": reply.seconds,
        "waited": reply.waited,
        "usd": reply.usd,
        "extra": dict(reply.extra),
    }
    return json.dumps(values, default=str)


def decode_reply(text: str) -> Reply:
    """The reply in a JSON text. Raises ValueError or TypeError for a text that holds none."""
    values = json.loads(text)
    if not isinstance(values, dict):
        raise TypeError("no reply")
    calls = tuple(ToolCall(**call) for call in values.pop("tool_calls", ()))
    return Reply(tool_calls=calls, usage=Usage(*values.pop("usage", ())), **values)


def encode_error(error: ModelError) -> str:
    """An error as JSON."""
    values = {"name": type(error).__name__, "message": str(error.args[0]), "remedy": error.remedy}
    if isinstance(error, BudgetSpent):
        values["kind"] = error.kind
    return json.dumps(values)


def decode_error(text: str) -> ModelError:
    """The error in a JSON text. Raises ValueError, TypeError or KeyError for a text that holds none."""
    values = json.loads(text)
    message, remedy = str(values["message"]), str(values["remedy"])
    if values["name"] == "BudgetSpent":
        return BudgetSpent(message, kind=str(values["kind"]), remedy=remedy)
    return _ERRORS.get(values["name"], ModelError)(message, remedy=remedy)
