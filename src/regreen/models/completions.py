"""OpenAI's chat completions as data: the body of a request, and the reply in the body of an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from regreen.models.contract import Finish, Message, Reply, Request, Tool, ToolCall, Usage

CHARACTERS_A_TOKEN = 4
"""A rough average for code and English, for services that do not count tokens."""

_FINISHES = {
    **dict.fromkeys(("stop", "eos", "end_turn", "stop_sequence", "completed"), Finish.STOP),
    **dict.fromkeys(("length", "max_tokens", "model_length", "incomplete"), Finish.LENGTH),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), Finish.TOOL_CALLS),
    **dict.fromkeys(
        ("content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii"),
        Finish.REFUSED,
    ),
}


class Malformed(ValueError):
    """A body that is no reply."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The names of parameters that a model takes, and those that it refuses; learnt from its refusals."""

    limit: str = "max_tokens"
    """The parameter for the largest number of tokens of a reply."""
    seed: str = "seed"
    """The parameter for the seed."""
    dropped: frozenset[str] = frozenset()
    """Parameters that it refused, by these names."""
    streamed: Mapping[str, Any] = field(default_factory=dict)
    """Parameters by which it sends its reply piece by piece, so that it can be stopped; empty for one that is not."""


def request_body(request: Request, model: str, dialect: Dialect) -> dict[str, Any]:
    """The body of a request to `model`."""
    optional: dict[str, Any] = {
        "temperature": request.temperature,
        dialect.limit: request.max_tokens,
        dialect.seed: request.seed,
        "stop": list(request.stop) or None,
        "response_format": response_format(request.json_schema) if request.json_schema else None,
        "tools": [tool_spec(tool) for tool in request.tools] or None,
        **dialect.streamed,
    }
    body: dict[str, Any] = {"model": model, "messages": [message_dict(message) for message in request.messages]}
    body |= {k: value for k, value in optional.items() if value is not None and k not in dialect.dropped}
    return body


def message_dict(message: Message) -> dict[str, Any]:
    """One turn, as it is sent."""
    turn: dict[str, Any] = {"role": message.role, "content": encodable(message.content)}
    if message.tool_calls:
        turn["tool_calls"] = [call_dict(call) for call in message.tool_calls]
        turn["content"] = turn["content"] or None
    if message.tool_call_id is not None:
        turn["tool_call_id"] = message.tool_call_id
    return turn


def call_dict(call: ToolCall) -> dict[str, Any]:
    """A call of a tool, as it is sent."""
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": encodable(call.arguments)},
    }


def tool_spec(tool: Tool) -> dict[str, Any]:
    """A tool, as it is offered."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
    }


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema that a reply has to fit; strict where the schema allows it."""
    form = {"name": "reply", "schema": dict(schema), "strict": _is_closed(schema)}
    return {"type": "json_schema", "json_schema": form}


def _is_closed(schema: object) -> bool:
    """Whether every object in a schema requires all its fields and allows no other, as strict schemas have to."""
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        fields = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(fields):
            return False
    return all(map(_is_closed, schema.values()))


def parse_completion(body: object, request: Request) -> Reply:
    """The reply in the body of an answer; raises Malformed where there is none."""
    if not isinstance(body, dict):
        raise Malformed("no JSON object")
    choice = _first(body.get("choices"))
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Malformed("a choice without a message")
    if choice.get("finish_reason") == "error":
        raise Malformed("a choice that ended in an error")
    refusal = _text(message.get("refusal"))
    text, thoughts = _parts(message.get("content"))
    text = text or refusal
    calls = tuple(_calls(message))
    reply = Reply(
        text=text,
        tool_calls=calls,
        finish=Finish.REFUSED if refusal else finish_of(choice.get("finish_reason"), calls),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")) or thoughts,
        model=_text(body.get("model")),
        extra={"ended": _text(choice["ended"])} if choice.get("ended") else {},
    )
    return with_usage(reply, request, _usage(body.get("usage")))


def with_usage(reply: Reply, request: Request, usage: Usage | None) -> Reply:
    """The reply with its tokens: estimated where `usage` is None, which `extra` then says."""
    if usage is not None:
        return replace(reply, usage=usage)
    answer = reply.text + reply.reasoning + "".join(call.arguments for call in reply.tool_calls)
    usage = Usage(prompt=estimated_prompt(request), completion=len(answer) // CHARACTERS_A_TOKEN + 1)
    return replace(reply, usage=usage, extra={**reply.extra, "usage": "estimated"})


def estimated_prompt(request: Request) -> int:
    """About how many tokens a prompt has."""
    characters = sum(len(message.content) for message in request.messages)
    characters += sum(len(call.arguments) for message in request.messages for call in message.tool_calls)
    return characters // CHARACTERS_A_TOKEN + 4 * len(request.messages)


def finish_of(reason: object, calls: Sequence[ToolCall]) -> str:
    """Why a reply ended, as a `Finish`; one with calls ended for them unless the service gives another reason."""
    known = _FINISHES.get(reason.lower()) if isinstance(reason, str) else None
    if calls and known in (None, Finish.STOP):
        return Finish.TOOL_CALLS
    return known or Finish.STOP


def encodable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot encode, replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _first(choices: object) -> dict[str, Any]:
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Malformed("no choices")
    return choices[0]


def _parts(content: object) -> tuple[str, str]:
    """The answer and the reasoning in a message's content, which is a text or a list of parts."""
    if not isinstance(content, list):
        return _text(content), ""
    answer, reasoning = [], []
    for part in content:
        if not isinstance(part, dict):
            answer.append(_text(part))
        elif part.get("type") == "thinking":
            reasoning.append(_parts(part.get("thinking"))[0])
        else:
            answer.append(_text(part.get("text")))
    return "".join(answer), "".join(reasoning)


def _calls(message: Mapping[str, Any]) -> Iterator[ToolCall]:
    """The calls of tools, with their arguments as the model wrote them, valid or not."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        calls = [{"function": message["function_call"]}] if isinstance(message.get("function_call"), dict) else []
    for number, call in enumerate(calls):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield ToolCall(
                id=_text(call.get("id")) or f"call_{number}",
                name=_text(function.get("name")),
                arguments=_arguments(function.get("arguments")),
            )


def _arguments(arguments: object) -> str:
    if arguments is None or isinstance(arguments, str):
        return _text(arguments)
    return encodable(json.dumps(arguments, ensure_ascii=False))


def _usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict) or not (_count(usage, "prompt_tokens") or _count(usage, "completion_tokens")):
        return None
    reasoning = _count(usage.get("completion_tokens_details"), "reasoning_tokens")
    return Usage(
        prompt=_count(usage, "prompt_tokens"),
        completion=max(_count(usage, "completion_tokens"), reasoning),
        reasoning=reasoning,
        cached=_count(usage.get("prompt_tokens_details"), "cached_tokens") or _count(usage, "prompt_cache_hit_tokens"),
    )


def _count(counts: object, name: str) -> int:
    value = counts.get(name) if isinstance(counts, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _text(value: object) -> str:
    return encodable(value) if isinstance(value, str) else ""
