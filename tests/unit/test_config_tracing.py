"""Who is told of repairs is said by the environment alone, in the variables that others have defined."""

from __future__ import annotations

import os

import pytest

from regreen.environment import Tracing, name_revision, tracing
from regreen.errors import ConfigError

COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, Tracing()),
        ({"LANGSMITH_API_KEY": "k", "LANGSMITH_ENDPOINT": "https://x", "OTEL_SERVICE_NAME": "mine"}, Tracing()),
        ({"LANGSMITH_TRACING": "true"}, Tracing(langsmith=True)),
        ({"LANGCHAIN_TRACING_V2": "true"}, Tracing(langsmith=True)),
        ({"LANGCHAIN_TRACING": "true"}, Tracing(langsmith=True)),
        ({"LANGSMITH_TRACING": "false"}, Tracing()),
        ({"LANGSMITH_TRACING_V2": "false", "LANGSMITH_TRACING": "true"}, Tracing()),
        ({"LANGSMITH_TRACING_V2": " ", "LANGSMITH_TRACING": "true"}, Tracing(langsmith=True)),
        (COLLECTOR, Tracing(spans="http/protobuf")),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c"}, Tracing(spans="http/protobuf")),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, Tracing(spans="http/protobuf")),
        ({"OTEL_TRACES_EXPORTER": "zipkin, OTLP"}, Tracing(spans="http/protobuf")),
        ({"OTEL_TRACES_EXPORTER": "console"}, Tracing(spans="console")),
        ({"OTEL_TRACES_EXPORTER": "none", **COLLECTOR}, Tracing()),
        ({"OTEL_SDK_DISABLED": "true", **COLLECTOR}, Tracing()),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", **COLLECTOR}, Tracing(spans="grpc")),
        ({"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "True"}, Tracing(content=True)),
        ({"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "span_only"}, Tracing(content=True)),
        ({"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "false"}, Tracing()),
    ],
)
def test_traces_are_asked_for_by_the_variables_that_their_makers_defined(
    environ: dict[str, str], expected: Tracing
) -> None:
    """A key or an address alone asks for nothing."""
    assert tracing(environ=environ) == expected


@pytest.mark.parametrize("name", ["LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"])
def test_a_switch_that_langchain_stops_at_is_named(name: str) -> None:
    """It would end a repair with a traceback."""
    with pytest.raises(ConfigError, match=f"{name} .*LANGSMITH_TRACING=true"):
        tracing(environ={name: "1"})
    assert tracing(environ={name: "0"}) == Tracing()


def test_a_revision_that_the_environment_names_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is none ours is told, so that git is asked nothing in the folder of a project under repair."""
    for names, expected in ((("LANGCHAIN", "theirs"),), "theirs"), ((("LANGSMITH", "mine"),), "mine"), ((), "ours"):
        with monkeypatch.context() as patch:
            for prefix in ("LANGSMITH", "LANGCHAIN"):
                patch.setenv(f"{prefix}_REVISION_ID", "")
                patch.delenv(f"{prefix}_REVISION_ID")
            for prefix, value in names:
                patch.setenv(f"{prefix}_REVISION_ID", value)
            name_revision("ours")
            assert os.environ["LANGSMITH_REVISION_ID"] == expected
