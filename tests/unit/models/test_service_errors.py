"""What a service's complaint amounts to, in the words that services use."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import ContextTooLong, ModelError, ToolsUnsupported
from regreen.models.providers import NAMELESS, PROVIDERS, Endpoint, Provider
from regreen.models.service_errors import (
    ErrorResponse,
    FilterRefusal,
    KeyRefused,
    RejectedRequest,
    ResponsesApiOnly,
    TransientError,
    UnknownModel,
    error_for,
    error_response_in,
    error_response_of,
    masked,
    redacted,
    seconds_to_wait,
    unreachable,
)

SERVICE = Endpoint(PROVIDERS["openai"], "small", "https://api.openai.com/v1", ("sk-own-secret-key-1",))
NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        (401, "Incorrect API key provided", KeyRefused),
        (403, "Country not supported", KeyRefused),
        (402, "Insufficient Balance", KeyRefused),
        (400, "API key not valid. Please pass a valid API key.", KeyRefused),
        (429, "You exceeded your current quota, please check your plan and billing details.", KeyRefused),
        (429, "Rate limit reached for requests", TransientError),
        (403, "Your chosen model requires moderation and your input was flagged", FilterRefusal),
        (400, "The response was filtered due to the content_filter", FilterRefusal),
        (400, "This model's maximum context length is 4096 tokens. However, you requested 5000", ContextTooLong),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", ContextTooLong),
        (400, "the request exceeds the available context size. try increasing the context size", ContextTooLong),
        (413, "Payload too large", ContextTooLong),
        (429, "Request too large for gpt-4o on tokens per min (TPM): Limit 10000, Requested 12000.", ContextTooLong),
        (404, "The model `gpt-9` does not exist or you do not have access to it.", UnknownModel),
        (400, "model_not_found", UnknownModel),
        (404, "This model is only supported in v1/responses and not in v1/chat/completions.", ResponsesApiOnly),
        (400, "registry.ollama.ai/library/x does not support tools", ToolsUnsupported),
        (404, "No endpoints found that support tool use", ToolsUnsupported),
        (400, "Unsupported value: 'temperature' does not support 0.2 with this model.", RejectedRequest),
        (422, "seed: Extra inputs are not permitted", RejectedRequest),
        (500, "Internal error", TransientError),
        (503, "Model is loading", TransientError),
        (529, "Overloaded", TransientError),
        (408, "Timeout", TransientError),
        (0, "The provider broke off", TransientError),
    ],
)
def test_complaints_are_told_apart(status: int, text: str, kind: type[ModelError]) -> None:
    """By status where that says it, else by the words."""
    error = error_for(ErrorResponse(status, text), SERVICE, with_tools=True)
    assert type(error) is kind
    assert isinstance(error, FilterRefusal) or "openai:small at https://api.openai.com/v1" in str(error)


def test_words_about_tools_matter_only_where_tools_were_offered() -> None:
    """Else they are some other refusal."""
    complaint = ErrorResponse(400, "tools are not supported")
    assert type(error_for(complaint, SERVICE, with_tools=False)) is RejectedRequest


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_every_form_of_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds or a date; nonsense is none."""
    assert seconds_to_wait(headers, now=NOW) == seconds


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), st.text(max_size=40)))
def test_any_header_is_survived(headers: dict[str, str]) -> None:
    """A wait is never negative and never without end."""
    seconds = seconds_to_wait(headers)
    assert seconds is None or 0 <= seconds < float("inf")


@pytest.mark.parametrize(
    ("body", "text", "code", "param"),
    [
        ({"error": {"message": "No.", "code": "x", "type": "y", "param": "seed"}}, "No.", "x y", "seed"),
        ({"message": "No.", "param": None}, "No.", "", ""),
        ({"error": "No."}, "No.", "", ""),
        ({"detail": [{"loc": ["body", "seed"]}]}, '[{"loc": ["body", "seed"]}]', "", ""),
        ("No.", "No.", "", ""),
        ([1], "[1]", "", ""),
        (None, "null", "", ""),
    ],
)
def test_errors_are_read_in_every_shape(body: object, text: str, code: str, param: str) -> None:
    """As OpenAI, FastAPI, proxies and plain servers write them."""
    complaint = error_response_in(400, body, {})
    assert (complaint.text, complaint.code, complaint.param) == (text, code, param)


def test_the_status_is_found_behind_other_errors() -> None:
    """Libraries wrap each other's."""

    class Wrapped(Exception):
        code = 429

    try:
        try:
            raise Wrapped("slow down")
        except Wrapped as inner:
            raise ValueError("outer") from inner
    except ValueError as error:
        complaint = error_response_of(error)
    assert complaint is not None
    assert (complaint.status, complaint.text) == (429, "slow down")
    assert error_response_of(ValueError("x")) is None


@pytest.mark.parametrize(
    "key", ["sk-own-secret-key-1", "sk-proj-0123456789abcdef", "gsk_0123456789abcdef", "hf_abcdefghijklmnop"]
)
def test_keys_are_masked_in_the_words_of_a_service(key: str) -> None:
    """Our own, and what looks like one."""
    said = redacted(f"Incorrect API key provided: {key}.", SERVICE)
    assert key not in said
    assert key[4:-3] not in said


@given(st.text(max_size=60))
def test_a_mask_shows_at_most_five_characters(key: str) -> None:
    """The first three and the last two, of a key that is long enough."""
    shown = masked(key).replace("...", "", 1)
    assert len(shown) <= 5
    assert not shown or len(key) >= 12


@given(st.text(max_size=3000))
def test_the_words_of_a_service_fit_into_a_message(text: str) -> None:
    """One line of bounded length, without control characters."""
    said = redacted(text, SERVICE)
    assert len(said) <= 404
    assert all(character.isprintable() or ord(character) >= 160 for character in said)


def refused() -> OSError:
    """What a library raises where nobody listens: its own error, with the system's behind it."""
    error = OSError("Connection error.")
    error.__cause__ = OSError("[Errno 111] Connection refused")
    error.__cause__.__cause__ = ConnectionRefusedError(111, "Connection refused")
    return error


@pytest.mark.parametrize(
    ("provider", "remedy"),
    [
        (PROVIDERS["ollama"], "Start it with `ollama serve`, or"),
        (PROVIDERS["vllm"], "Start it with `vllm serve qwen/small`, or"),
        (PROVIDERS["lmstudio"], "Start it with `lms server start`, or"),
        (PROVIDERS["llamacpp"], "Start it with `llama-server -m FILE.gguf`, or"),
        (NAMELESS, "Start it, or"),
        (PROVIDERS["openai"], ""),
    ],
)
def test_a_server_of_the_user_s_own_that_is_not_running_is_told_how_to_start(provider: Provider, remedy: str) -> None:
    """Nothing listens: that is no matter of "later", and for what one starts by hand no matter of waiting."""
    failure = unreachable(refused(), Endpoint(provider, "qwen/small", "http://127.0.0.1:4000/v1"))
    assert "at http://127.0.0.1:4000/v1 cannot be reached: nothing listens there." in failure.args[0]
    assert failure.remedy.startswith(remedy)
    assert bool(failure.remedy) is bool(remedy)
    assert failure.not_running is (provider.free and provider.name != "")


def test_a_connection_that_breaks_is_not_taken_for_a_server_that_is_not_there() -> None:
    """Only a refused connection says that nothing listens."""
    failure = unreachable(
        ConnectionResetError("reset by peer"), Endpoint(PROVIDERS["ollama"], "small", "http://here/v1")
    )
    assert "or broke off: reset by peer" in failure.args[0]
    assert (failure.not_running, failure.remedy) == (False, "")
