"""Completes a script's reply as a service would: cut at stops and limits, tokens counted, its fault applied."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from regreen.models.completions import CHARACTERS_A_TOKEN
from regreen.models.contract import ToolCall, Usage
from regreen.models.scripted.conversation import texts_of
from regreen.models.scripted.script import Body, ReplySpec


def complete_reply(reply: ReplySpec, body: Body) -> ReplySpec:
    """The reply with its fault applied, cut as the request asks, and every optional field filled in."""
    if reply.fault is not None and reply.fault.kind in REPLY_FAULTS:
        reply = REPLY_FAULTS[reply.fault.kind](reply, body)
    text, cut = _cut(reply.text, body)
    usage = reply.usage or _counted(replace(reply, text=text), body)
    finish = reply.finish or ("length" if cut else "tool_calls" if reply.tool_calls else "stop")
    return replace(reply, text=text, tool_calls=_with_ids(reply, body), usage=usage, finish=finish)


def _cut(text: str, body: Body) -> tuple[str, bool]:
    """The text up to the first stop and the limit of tokens; whether the limit cut it."""
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
    parts = (reply.text, reply.refusal, *(call.arguments for call in reply.tool_calls))
    return Usage(prompt, sum(map(_tokens, parts)) + reasoning, reasoning)


def _with_ids(reply: ReplySpec, body: Body) -> tuple[ToolCall, ...]:
    """The calls with ids filled in: equal for equal requests, different for the next turn."""
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
    """The reply's calls; where it has none, a call of the first tool on offer."""
    tools = body.get("tools") or ()
    return reply.tool_calls or tuple(ToolCall("", tool["function"]["name"], "{}") for tool in tools[:1])


REPLY_FAULTS: Mapping[str, Callable[[ReplySpec, Body], ReplySpec]] = {
    "filtered": _filtered,
    "bad_arguments": _with_bad_arguments,
    "unknown_tool": _with_an_unknown_tool,
}
"""Faults that change the reply itself, by their kind."""
