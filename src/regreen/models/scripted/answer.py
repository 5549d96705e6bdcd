"""From a script's reply to the one that a service would give: cut at a stop, counted, with its faults worked in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from regreen.models.contract import Message, Request, ToolCall, Usage
from regreen.models.scripted.conversation import texts_of
from regreen.models.scripted.script import Body, ReplySpec

CHARACTERS_A_TOKEN = 4


def body_of(request: Request, model: str) -> Body:
    """A request as the body that would go over the wire."""
    body = {"model": model, "messages": [_message(m) for m in request.messages], "temperature": request.temperature}
    optional = {"max_tokens": request.max_tokens, "seed": request.seed, "stop": list(request.stop) or None}
    body |= {name: value for name, value in optional.items() if value is not None}
    if request.tools:
        functions = [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in request.tools]
        body["tools"] = [{"type": "function", "function": function} for function in functions]
    if request.json_schema is not None:
        form = {"name": "reply", "schema": request.json_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def completed(reply: ReplySpec, body: Body) -> ReplySpec:
    """The reply with all that the request and its own fault make of it: nothing in it is left open."""
    if reply.fault is not None and reply.fault.kind in SPOILERS:
        reply = SPOILERS[reply.fault.kind](reply, body)
    text, cut = _cut(reply.text, body)
    usage = reply.usage or _counted(replace(reply, text=text), body)
    finish = reply.finish or ("length" if cut else "tool_calls" if reply.tool_calls else "stop")
    return replace(reply, text=text, tool_calls=_named(reply, body), usage=usage, finish=finish)


def _message(message: Message) -> Mapping[str, object]:
    plain: dict[str, object] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        plain["tool_calls"] = [call_on_the_wire(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    return plain


def call_on_the_wire(call: ToolCall) -> dict[str, object]:
    """A call of a tool as the services write it."""
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _cut(text: str, body: Body) -> tuple[str, bool]:
    """The text up to the first stop, and to the length that was asked for; the latter is told."""
    stop = body.get("stop") or ()
    ends = [at for mark in ([stop] if isinstance(stop, str) else stop) if (at := text.find(mark)) >= 0]
    text = text[: min(ends, default=len(text))]
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is None or _tokens(text) <= limit:
        return text, False
    return text[: limit * CHARACTERS_A_TOKEN], True


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_A_TOKEN)


def _counted(reply: ReplySpec, body: Body) -> Usage:
    prompt = sum(_tokens(text) for message in body["messages"] for text in texts_of(message))
    if body.get("tools"):
        prompt += _tokens(json.dumps(body["tools"]))
    reasoning = _tokens(reply.reasoning)
    said = (reply.text, reply.refusal, *(call.arguments for call in reply.tool_calls))
    return Usage(prompt, sum(map(_tokens, said)) + reasoning, reasoning)


def _named(reply: ReplySpec, body: Body) -> tuple[ToolCall, ...]:
    """Calls with ids: the same for the same request, others for the next turn."""
    if all(call.id for call in reply.tool_calls):
        return reply.tool_calls
    text = json.dumps([body["messages"], [call.arguments for call in reply.tool_calls]], sort_keys=True)
    digest = hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
    calls = enumerate(reply.tool_calls)
    return tuple(call if call.id else replace(call, id=f"call_{digest}{number}") for number, call in calls)


def _filtered(reply: ReplySpec, body: Body) -> ReplySpec:
    return replace(reply, text="", tool_calls=(), finish="content_filter")


def _with_bad_arguments(reply: ReplySpec, body: Body) -> ReplySpec:
    calls = _calls(reply, body)
    return replace(reply, tool_calls=tuple(replace(call, arguments=call.arguments.rstrip()[:-1]) for call in calls))


def _with_an_unknown_tool(reply: ReplySpec, body: Body) -> ReplySpec:
    return replace(reply, tool_calls=tuple(replace(call, name="no_such_tool") for call in _calls(reply, body)))


def _calls(reply: ReplySpec, body: Body) -> tuple[ToolCall, ...]:
    """The reply's calls; where it has none, one of the first tool on offer."""
    tools = body.get("tools") or ()
    return reply.tool_calls or tuple(ToolCall("", tool["function"]["name"], "{}") for tool in tools[:1])


SPOILERS: Mapping[str, Callable[[ReplySpec, Body], ReplySpec]] = {
    "filtered": _filtered,
    "bad_arguments": _with_bad_arguments,
    "unknown_tool": _with_an_unknown_tool,
}
"""Faults that are replies."""
