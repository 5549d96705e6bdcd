"""What those who trace are told of a request and its reply."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from regreen.environment import Tracing
from regreen.errors import ModelUnavailable
from regreen.models import Finish, Message, Reply, Request, ToolCall, Usage, otel
from regreen.models.otel import open_tracer
from regreen.models.request_tracing import with_tracing

ASKED = Request(
    (
        Message("system", "Be brief."),
        Message("assistant", "", (ToolCall("c1", "run_code", '{"code": "x"}'),)),
        Message("tool", "it says \ud800", tool_call_id="c1"),
    ),
    temperature=0.5,
    max_tokens=99,
    seed=7,
    node="draft",
)
REPLY = Reply("Sure.", usage=Usage(10, 4, 3, 2), finish=Finish.LENGTH, model="small-2026", usd=0.5)


class Says:
    """A model that gives its one reply, or raises."""

    def __init__(self, answer: Reply | Exception, name: str = "openai:small:free") -> None:
        self.answer = answer
        self.name = name
        self.closed = False

    def ask(self, request: Request) -> Reply:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Where the spans of this process go."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


def attributes(kept: InMemorySpanExporter) -> dict[str, Any]:
    (span,) = kept.get_finished_spans()
    return dict(span.attributes or {})


def test_where_nobody_asks_the_model_is_the_very_same() -> None:
    """Nothing is wrapped, so nothing is paid."""
    model = Says(REPLY)
    assert with_tracing(model, Tracing()) is model
    assert with_tracing(model, Tracing(content=True)) is model


def test_a_request_is_a_span_in_the_words_of_the_conventions(kept: InMemorySpanExporter) -> None:
    """Model, limits, tokens and why it ended; and no word of what was said."""
    model = Says(REPLY)
    watched = with_tracing(model, Tracing(spans="http/protobuf"))
    assert watched.ask(ASKED) is REPLY
    assert attributes(kept) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "small:free",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.max_tokens": 99,
        "gen_ai.request.seed": 7,
        "gen_ai.response.model": "small-2026",
        "gen_ai.response.finish_reasons": ("length",),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 4,
        "gen_ai.usage.cache_read.input_tokens": 2,
        "gen_ai.usage.reasoning.output_tokens": 3,
        "regreen.node": "draft",
        "regreen.usd": 0.5,
    }
    (span,) = kept.get_finished_spans()
    assert (span.name, span.kind) == ("chat small:free", trace.SpanKind.CLIENT)
    watched.close()
    assert (watched.name, model.closed) == (model.name, True)


def test_a_model_without_a_known_provider_keeps_its_whole_name(kept: InMemorySpanExporter) -> None:
    """A colon may be part of it."""
    with_tracing(Says(REPLY, "qwen3:8b"), Tracing(spans="http/protobuf")).ask(ASKED)
    assert attributes(kept)["gen_ai.request.model"] == "qwen3:8b"


def test_what_is_said_is_told_in_parts_where_that_is_asked(kept: InMemorySpanExporter) -> None:
    """Calls of tools and their answers among it; half a surrogate pair breaks nothing."""
    reply = replace(REPLY, tool_calls=(ToolCall("c2", "run_code", "{}"),))
    with_tracing(Says(reply), Tracing(spans="http/protobuf", content=True)).ask(ASKED)
    redacted = attributes(kept)
    call = {"type": "tool_call", "id": "c1", "name": "run_code", "arguments": '{"code": "x"}'}
    answer = {"type": "tool_call_response", "id": "c1", "response": "it says \ud800"}
    assert json.loads(redacted["gen_ai.input.messages"]) == [
        {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
        {"role": "assistant", "parts": [call]},
        {"role": "tool", "parts": [answer]},
    ]
    assert redacted["gen_ai.input.messages"].isascii()
    (said,) = json.loads(redacted["gen_ai.output.messages"])
    assert [part["type"] for part in said["parts"]] == ["text", "tool_call"]


def test_of_an_error_the_type_alone_is_told(kept: InMemorySpanExporter) -> None:
    """Its words may quote a program; the error goes on as it was."""
    error = ModelUnavailable("it quotes the program")
    with pytest.raises(ModelUnavailable) as raised:
        with_tracing(Says(error), Tracing(spans="http/protobuf")).ask(ASKED)
    assert raised.value is error
    (span,) = kept.get_finished_spans()
    assert attributes(kept)["error.type"] == "ModelUnavailable"
    assert span.status.status_code is trace.StatusCode.ERROR
    assert "quotes" not in span.to_json()


def test_without_the_library_there_are_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that lingers breaks no repair where the extra is not installed."""

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(otel, "optional_module", missing)
    assert open_tracer(Tracing(spans="http/protobuf")) is None


def test_spans_for_the_console_go_to_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a command prints on stdout is its result, and may be JSON."""
    monkeypatch.setattr(trace, "get_tracer_provider", trace.ProxyTracerProvider)
    otel._own_provider.cache_clear()
    try:
        tracer = open_tracer(Tracing(spans="console"))
        assert open_tracer(Tracing(spans="console")) is not None
        assert otel._own_provider.cache_info().misses == 1
        with otel.open_span(tracer, "work", {"some": "thing"}):
            pass
    finally:
        otel._own_provider("console").shutdown()
        otel._own_provider.cache_clear()
    said = capsys.readouterr()
    assert said.out == ""
    assert '"name": "work"' in said.err
    assert '"service.name": "regreen"' in said.err


def test_the_environment_may_name_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own name is only what stands where there is none."""
    monkeypatch.setenv("OTEL_SERVICE_NAME", "theirs")
    assert otel._resource().attributes["service.name"] == "theirs"
