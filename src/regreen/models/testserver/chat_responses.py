"""Replies in the form of OpenAI's chat-completions API."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regreen.models.completions import call_dict
from regreen.models.contract import Usage
from regreen.models.scripted import ReplySpec
from regreen.models.testserver.http_protocol import HttpResponse, chunked

_CHUNK_CHARACTERS = 64
"""Characters of one chunk of a stream."""
_JSON = {"Content-Type": "application/json"}
_EVENTS = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}


@dataclass(frozen=True, slots=True)
class Envelope:
    """The fields around every reply."""

    id: str
    model: str
    usage_in_stream: bool = False

    def wrapped(self, kind: str, choices: Sequence[Mapping[str, Any]], usage: object) -> dict[str, Any]:
        """The JSON of a reply, or of a chunk of one, with these choices."""
        head = {"id": f"chatcmpl-{self.id}", "object": kind, "created": int(time.time()), "model": self.model}
        return {**head, "choices": choices, "usage": usage}


def completion(reply: ReplySpec, envelope: Envelope) -> dict[str, Any]:
    """The JSON of a whole reply."""
    message: dict[str, Any] = {"role": "assistant", "content": _content(reply), "refusal": reply.refusal or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = [call_dict(call) for call in reply.tool_calls]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish, "logprobs": None}
    return envelope.wrapped("chat.completion", [choice], _usage(reply.usage or Usage()))


def json_response(value: object) -> HttpResponse:
    """A JSON answer in one piece."""
    return HttpResponse(200, json.dumps(value).encode("ascii"), _JSON)


def stream_response(reply: ReplySpec, envelope: Envelope) -> HttpResponse:
    """A reply as server-sent events."""
    events = [*(json.dumps(part) for part in _parts(reply, envelope)), "[DONE]"]
    return HttpResponse(200, chunked(f"data: {event}\n\n".encode("ascii") for event in events), _EVENTS)


def error_response(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """An error in the form of OpenAI's API."""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    error = {"message": message, "type": kind, "param": None, "code": code}
    return HttpResponse(status, json.dumps({"error": error}).encode("ascii"), {**_JSON, **(headers or {})})


def models_response(names: Sequence[str]) -> HttpResponse:
    """The list of models."""
    data = [{"id": name, "object": "model", "created": 0, "owned_by": "script"} for name in names]
    return json_response({"object": "list", "data": data})


def _content(reply: ReplySpec) -> str | None:
    """The text; null where calls or a refusal stand in its place."""
    return reply.text or (None if reply.tool_calls or reply.refusal else "")


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _parts(reply: ReplySpec, envelope: Envelope) -> Iterator[dict[str, Any]]:
    deltas = [({"role": "assistant", "content": _content(reply) and ""}, None)]
    deltas += [(delta, None) for delta in _deltas(reply)]
    for delta, finish in (*deltas, ({}, reply.finish)):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        yield envelope.wrapped("chat.completion.chunk", [choice], None)
    if envelope.usage_in_stream:
        yield envelope.wrapped("chat.completion.chunk", [], _usage(reply.usage or Usage()))


def _deltas(reply: ReplySpec) -> Iterator[dict[str, Any]]:
    for name, text in (
        ("reasoning_content", reply.reasoning),
        ("content", reply.text),
        ("refusal", reply.refusal),
    ):
        yield from ({name: piece} for piece in _cut(text))
    for index, call in enumerate(reply.tool_calls):
        head = call_dict(call) | {"function": {"name": call.name, "arguments": ""}}
        yield {"tool_calls": [{"index": index, **head}]}
        for piece in _cut(call.arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _cut(text: str) -> Iterator[str]:
    return (text[start : start + _CHUNK_CHARACTERS] for start in range(0, len(text), _CHUNK_CHARACTERS))
