"""One conversation in three hands: our messages, LangChain's, and the plain turns that chat templates take."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

from regreen.models.contract import Message, Tool, ToolCall

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


def to_langchain(message: Message) -> BaseMessage:
    """Our message as LangChain's."""
    if message.role == "assistant":
        return assistant(message.content, message.tool_calls)
    if message.role == "tool":
        return ToolMessage(message.content, tool_call_id=message.tool_call_id or "")
    return (SystemMessage if message.role == "system" else HumanMessage)(message.content)


def assistant(text: str, calls: Sequence[ToolCall], **about: Any) -> AIMessage:
    """What a model said, with its calls: those whose arguments are no JSON object as LangChain's invalid ones."""
    good, bad = [], []
    for call in calls:
        arguments = _object(call.arguments)
        if arguments is None:
            bad.append(invalid_tool_call(name=call.name, args=call.arguments, id=call.id, error="no JSON object"))
        else:
            good.append(tool_call(name=call.name, args=arguments, id=call.id))
    return AIMessage(text, tool_calls=good, invalid_tool_calls=bad, **about)


def calls_of(message: BaseMessage) -> tuple[ToolCall, ...]:
    """The calls of LangChain's message as ours."""
    if not isinstance(message, AIMessage):
        return ()
    good = [ToolCall(call["id"] or "", call["name"], json.dumps(call["args"])) for call in message.tool_calls]
    bad = [ToolCall(call["id"] or "", call["name"] or "", call["args"] or "") for call in message.invalid_tool_calls]
    return (*good, *bad)


def to_turn(message: BaseMessage) -> dict[str, Any]:
    """LangChain's message as the turn that a chat template takes."""
    turn: dict[str, Any] = {"role": _ROLES.get(message.type, "user"), "content": str(message.text)}
    calls = calls_of(message)
    if calls:
        turn["tool_calls"] = [_called(call) for call in calls]
    if isinstance(message, ToolMessage):
        turn["tool_call_id"] = message.tool_call_id
    return turn


def tool_spec(tool: Tool) -> dict[str, Any]:
    """A tool, as chat templates and LangChain list it."""
    form = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": form}


def _called(call: ToolCall) -> Mapping[str, Any]:
    arguments = _object(call.arguments)
    function = {"name": call.name, "arguments": call.arguments if arguments is None else arguments}
    return {"type": "function", "id": call.id, "function": function}


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
