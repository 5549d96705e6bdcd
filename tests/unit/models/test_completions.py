"""Requests as they are sent, and replies as they come back, whatever comes back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.models.completions import Dialect, Malformed, parse_completion, request_body, response_format
from regreen.models.contract import Finish, Message, Reply, Request, Tool, ToolCall, Usage

ASKED = Request((Message("user", "Hello."),))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
FIELDS = st.sampled_from(
    "choices message content tool_calls function arguments name id finish_reason usage prompt_tokens refusal "
    "reasoning_content reasoning completion_tokens_details type text thinking".split()
)
NESTED = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=6), max_leaves=15
)


def body(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": "Hi."} | message, "finish_reason": "stop"}]}


def read(**message: Any) -> Reply:
    return parse_completion(body(**message), ASKED)


@given(st.dictionaries(FIELDS, NESTED) | NESTED)
def test_any_json_is_a_reply_or_malformed(answer: Any) -> None:
    """Nothing that a service sends breaks the reading of it, and what is read can be stored."""
    try:
        reply = parse_completion(answer, ASKED)
    except Malformed:
        return
    reply.text.encode()
    assert reply.finish in (Finish.STOP, Finish.LENGTH, Finish.TOOL_CALLS, Finish.REFUSED)


@given(st.dictionaries(FIELDS, NESTED))
def test_any_message_is_read(message: dict[str, Any]) -> None:
    """The form around it is right, and what is inside is anything."""
    reply = parse_completion({"choices": [{"message": message}], "usage": message}, ASKED)
    for text in (reply.text, reply.reasoning, *(call.arguments for call in reply.tool_calls)):
        text.encode()
    assert min(reply.usage.prompt, reply.usage.completion) >= 0


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", Finish.STOP),
        ("eos", Finish.STOP),
        ("end_turn", Finish.STOP),
        ("length", Finish.LENGTH),
        ("MAX_TOKENS", Finish.LENGTH),
        ("tool_calls", Finish.TOOL_CALLS),
        ("content_filter", Finish.REFUSED),
        ("SAFETY", Finish.REFUSED),
        ("something new", Finish.STOP),
        (None, Finish.STOP),
        (7, Finish.STOP),
    ],
)
def test_every_service_says_in_its_own_words_why_it_ended(reason: object, finish: str) -> None:
    """They become ours."""
    answer = body()
    answer["choices"][0]["finish_reason"] = reason
    assert parse_completion(answer, ASKED).finish == finish


def test_a_reply_with_calls_ended_for_them() -> None:
    """Some services say "stop" all the same; a reply that was cut stays cut."""
    call = {"function": {"name": "f", "arguments": "{}"}}
    assert read(tool_calls=[call]).finish == Finish.TOOL_CALLS
    answer = body(tool_calls=[call])
    answer["choices"][0]["finish_reason"] = "length"
    assert parse_completion(answer, ASKED).finish == Finish.LENGTH


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ({"reasoning_content": "Hm."}, "Hm."),
        ({"reasoning": "Hm."}, "Hm."),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"text": "Hi."}]}, "Hm."),
        ({"reasoning": {"odd": 1}}, ""),
    ],
)
def test_thoughts_are_told_apart_from_the_answer(message: dict[str, Any], thought: str) -> None:
    """In the fields that the services use for them."""
    reply = read(**message)
    assert (reply.text, reply.reasoning) == ("Hi.", thought)


@pytest.mark.parametrize(
    ("arguments", "text"), [('{"a": ', '{"a": '), ({"a": 1}, '{"a": 1}'), (None, ""), ("x\ud800", "x?"), ([1], "[1]")]
)
def test_arguments_are_kept_as_the_model_wrote_them(arguments: object, text: str) -> None:
    """Also where a service sends them as an object, or as nothing."""
    assert read(tool_calls=[{"id": "a", "function": {"name": "f", "arguments": arguments}}]).tool_calls == (
        ToolCall("a", "f", text),
    )


def test_calls_without_an_id_get_one_each() -> None:
    """The history needs them to tell answers apart; the old form of a call is read, too."""
    call = {"function": {"name": "f", "arguments": "{}"}}
    assert [c.id for c in read(tool_calls=[call, "noise", call]).tool_calls] == ["call_0", "call_2"]
    assert read(function_call={"name": "g", "arguments": "1"}).tool_calls == (ToolCall("call_0", "g", "1"),)


def test_tokens_are_counted_as_the_services_count_them() -> None:
    """Reasoning is part of the completion, also where a service leaves it out."""
    details = {"prompt_tokens_details": {"cached_tokens": 3}, "completion_tokens_details": {"reasoning_tokens": 4}}
    counts = {"prompt_tokens": 10, "completion_tokens": 6}
    assert parse_completion(body() | {"usage": counts | details}, ASKED).usage == Usage(10, 6, 4, 3)
    assert parse_completion(body() | {"usage": counts | {"prompt_cache_hit_tokens": 5}}, ASKED).usage == Usage(
        10, 6, 0, 5
    )
    few = {"prompt_tokens": 1, "completion_tokens": 2} | details
    assert parse_completion(body() | {"usage": few}, ASKED).usage.completion == 4


@pytest.mark.parametrize(
    "usage", [None, {}, [], {"prompt_tokens": None}, {"prompt_tokens": True}, {"prompt_tokens": -1}]
)
def test_tokens_that_nobody_counted_are_estimated(usage: object) -> None:
    """And it is said."""
    reply = parse_completion(body() | {"usage": usage}, ASKED)
    assert reply.extra["usage"] == "estimated"
    assert reply.usage.prompt > 0 < reply.usage.completion


@pytest.mark.parametrize(
    "answer",
    [None, "text", [], {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": None}]}, {"choices": "x"}],
)
def test_an_answer_without_a_message_is_malformed(answer: object) -> None:
    """It is no empty reply: the request is worth another try."""
    with pytest.raises(Malformed):
        parse_completion(answer, ASKED)


def test_a_choice_that_ended_in_an_error_is_malformed() -> None:
    """OpenRouter says so when the service behind it broke off."""
    answer = body()
    answer["choices"][0]["finish_reason"] = "error"
    with pytest.raises(Malformed):
        parse_completion(answer, ASKED)


def test_what_was_not_asked_for_is_not_sent() -> None:
    """A plain request holds the model, the messages and the temperature."""
    assert request_body(ASKED, "m", Dialect()) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello."}],
        "temperature": 0.0,
    }


def test_a_request_is_said_in_the_dialect_of_the_model() -> None:
    """Other names, and without what it refused."""
    request = Request(ASKED.messages, temperature=0.5, max_tokens=9, seed=1, stop=("x",), tools=(Tool("f", "d", {}),))
    said = request_body(
        request, "m", Dialect("max_completion_tokens", "random_seed", frozenset({"temperature", "stop"}))
    )
    assert set(said) == {"model", "messages", "max_completion_tokens", "random_seed", "tools"}
    assert said["tools"][0]["function"] == {"name": "f", "description": "d", "parameters": {}}


CLOSED = {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        (CLOSED | {"required": []}, False),
        ({"type": "object", "properties": {}}, False),
        (CLOSED | {"properties": {"a": {"type": "array", "items": {"type": "object"}}}}, False),
        (CLOSED | {"properties": {"a": {"anyOf": [CLOSED, {"type": "null"}]}}}, True),
    ],
)
def test_a_form_is_strict_where_a_service_would_take_it_so(schema: dict[str, Any], strict: bool) -> None:
    """Services refuse strict forms with open objects or optional fields."""
    assert response_format(schema)["json_schema"]["strict"] is strict
