"""Finds what a real service would refuse in a request, so that a client tested here does not fail there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_FORMS = frozenset({"text", "json_object", "json_schema"})


def problem_with(body: Mapping[str, Any] | None) -> str:
    """The first problem in the body of a chat-completions request; "" for none."""
    return "The body is no JSON object." if body is None else next(_problems(body), "")


def _problems(body: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(body.get("model"), str):
        yield "model is missing, or no text."
    form = body.get("response_format")
    if form is not None and not (isinstance(form, dict) and _among(form.get("type"), _FORMS)):
        yield f"response_format needs a type of {', '.join(sorted(_FORMS))}."
    if form is not None and form.get("type") == "json_schema" and not _names_a_schema(form):
        yield "response_format needs json_schema with a name and a schema."
    yield from _limit_problems(body)
    yield from _tool_problems(body.get("tools"))
    yield from _message_problems(body.get("messages"))


def _names_a_schema(form: Mapping[str, Any]) -> bool:
    inner = form.get("json_schema")
    return isinstance(inner, dict) and isinstance(inner.get("name"), str) and isinstance(inner.get("schema"), dict)


def _limit_problems(body: Mapping[str, Any]) -> Iterator[str]:
    for name in ("max_tokens", "max_completion_tokens"):
        limit = body.get(name)
        if limit is not None and (type(limit) is not int or limit < 1):
            yield f"{name} is no whole number from 1."
    stop = body.get("stop") or []
    if not (isinstance(stop, str) or (isinstance(stop, list) and all(isinstance(mark, str) for mark in stop))):
        yield "stop is neither text nor a list of texts."


def _tool_problems(tools: object) -> Iterator[str]:
    if not (tools is None or (isinstance(tools, list) and tools and all(map(_is_tool, tools)))):
        yield "tools is no list of functions with names."


def _is_tool(tool: object) -> bool:
    function = tool.get("function") if isinstance(tool, dict) and tool.get("type") == "function" else None
    return isinstance(function, dict) and isinstance(function.get("name"), str)


def _message_problems(messages: object) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages is no list, or an empty one."
        return
    asked: set[str] = set()
    for number, message in enumerate(messages):
        what = _message_problem(message, asked)
        if what:
            yield f"messages[{number}] {what}."
            return
        asked |= {call["id"] for call in message.get("tool_calls") or ()}


def _message_problem(message: object, asked: set[str]) -> str:
    """The problem in one message, "" for none; `asked` holds the ids of the calls before it."""
    if not isinstance(message, dict) or not _among(message.get("role"), _ROLES):
        return f"has no role of {', '.join(sorted(_ROLES))}"
    if not isinstance(message.get("content"), str | list | None):
        return "has content that is neither text nor parts"
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(map(_is_call, calls)):
        return "has tool_calls that are no list of calls with ids, names and arguments"
    if message.get("content") is None and not calls and not message.get("refusal"):
        return "says nothing"
    if message["role"] == "tool" and not _among(message.get("tool_call_id"), asked):
        return "answers a call that no message before it made"
    return ""


def _is_call(call: object) -> bool:
    if not isinstance(call, dict) or not isinstance(call.get("id"), str):
        return False
    function = call.get("function")
    return isinstance(function, dict) and all(isinstance(function.get(name), str) for name in ("name", "arguments"))


def _among(value: object, known: Collection[str]) -> bool:
    return isinstance(value, str) and value in known
