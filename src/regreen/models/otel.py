"""OpenTelemetry's spans: who takes them in, and how one is opened and closed."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from regreen.config import Tracing
from regreen.extras import optional_module
from regreen.models.completions import encodable

EXPORTERS = {
    "http/protobuf": "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "grpc": "opentelemetry.exporter.otlp.proto.grpc.trace_exporter",
}
"""The module that sends spans by a protocol."""
UNNAMED = "unknown_service"
"""How OpenTelemetry calls a program for which the environment has no name."""
_opening = threading.Lock()


def open_tracer(asked: Tracing) -> Any:
    """OpenTelemetry's tracer; None where no spans are asked for, or what writes or sends them is not installed.

    A program that has a provider of its own, as one that embeds Regreen may have, gets the spans there. Otherwise they
    go where the variables of OpenTelemetry say.
    """
    if not asked.spans:
        return None
    try:
        trace = optional_module("opentelemetry.trace")
        provider = trace.get_tracer_provider()
        if isinstance(provider, trace.ProxyTracerProvider):
            with _opening:
                provider = _own_provider(asked.spans)
    except ImportError:
        return None
    return provider.get_tracer("regreen", _version())


@contextlib.contextmanager
def open_span(tracer: Any, name: str, attributes: Mapping[str, Any], *, kind: str = "INTERNAL") -> Iterator[Any]:
    """A span around the block; of an error it tells the type alone, since its words may quote the program."""
    trace = optional_module("opentelemetry.trace")
    with tracer.start_as_current_span(
        name,
        kind=trace.SpanKind[kind],
        attributes=span_attributes(attributes),
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except BaseException as error:
            current.set_attribute("error.type", type(error).__qualname__)
            current.set_status(trace.StatusCode.ERROR)
            raise


def span_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes as they can be sent: none that is None, and no text that UTF-8 cannot hold."""
    return {
        name: encodable(value) if isinstance(value, str) else value
        for name, value in attributes.items()
        if value is not None
    }


@functools.cache
def _own_provider(way: str) -> Any:
    """A provider of this process, made once; it sends what is left when the process ends."""
    sdk = optional_module("opentelemetry.sdk.trace")
    provider = sdk.TracerProvider(resource=_resource())
    provider.add_span_processor(_processor(way))
    return provider


def _processor(way: str) -> Any:
    export = optional_module("opentelemetry.sdk.trace.export")
    if way == "console":
        # What a command prints on stdout is its result.
        return export.SimpleSpanProcessor(export.ConsoleSpanExporter(out=sys.stderr))
    exporter = optional_module(EXPORTERS.get(way, EXPORTERS["http/protobuf"]))
    return export.BatchSpanProcessor(exporter.OTLPSpanExporter())


def _resource() -> Any:
    """What the environment says of this program, and its name where it says none."""
    resources = optional_module("opentelemetry.sdk.resources")
    redacted = resources.Resource.create()
    if str(redacted.attributes.get("service.name", UNNAMED)).startswith(UNNAMED):
        redacted = redacted.merge(resources.Resource({"service.name": "regreen", "service.version": _version()}))
    return redacted


def _version() -> str:
    from importlib.metadata import version

    return version("regreen")
