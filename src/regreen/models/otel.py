"""OpenTelemetry: the tracer of this process, and spans around blocks of code."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from regreen.environment import Tracing
from regreen.extras import optional_module
from regreen.models.completions import encodable

_EXPORTERS = {
    "http/protobuf": "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "grpc": "opentelemetry.exporter.otlp.proto.grpc.trace_exporter",
}
"""Module of the exporter, by protocol."""
_UNNAMED = "unknown_service"
"""OpenTelemetry's name for a program that the environment does not name."""
_opening_lock = threading.Lock()


def open_tracer(asked: Tracing) -> Any:
    """OpenTelemetry's tracer; None where no spans are asked for, or its packages are not installed.

    A program that has set a tracer provider, as one that embeds Regreen may do, gets the spans there. Otherwise they
    go where OpenTelemetry's environment variables say.
    """
    if not asked.spans:
        return None
    try:
        trace = optional_module("opentelemetry.trace")
        provider = trace.get_tracer_provider()
        if isinstance(provider, trace.ProxyTracerProvider):
            with _opening_lock:
                provider = _own_provider(asked.spans)
    except ImportError:
        return None
    return provider.get_tracer("regreen", _version())


@contextlib.contextmanager
def open_span(tracer: Any, name: str, attributes: Mapping[str, Any], *, kind: str = "INTERNAL") -> Iterator[Any]:
    """A span around the block; of an error it holds the type alone, since the message may quote the program."""
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
    """Attributes fit to be sent: without None, and with lone surrogates in text replaced."""
    return {
        name: encodable(value) if isinstance(value, str) else value
        for name, value in attributes.items()
        if value is not None
    }


@functools.cache
def _own_provider(way: str) -> Any:
    """The process's tracer provider, made once; at exit it sends the remaining spans."""
    sdk = optional_module("opentelemetry.sdk.trace")
    provider = sdk.TracerProvider(resource=_resource())
    provider.add_span_processor(_processor(way))
    return provider


def _processor(way: str) -> Any:
    export = optional_module("opentelemetry.sdk.trace.export")
    if way == "console":
        # Standard output is for the results of a command.
        return export.SimpleSpanProcessor(export.ConsoleSpanExporter(out=sys.stderr))
    exporter = optional_module(_EXPORTERS.get(way, _EXPORTERS["http/protobuf"]))
    return export.BatchSpanProcessor(exporter.OTLPSpanExporter())


def _resource() -> Any:
    """The resource that the environment describes, named "regreen" where it has no name."""
    resources = optional_module("opentelemetry.sdk.resources")
    resource = resources.Resource.create()
    if str(resource.attributes.get("service.name", _UNNAMED)).startswith(_UNNAMED):
        resource = resource.merge(resources.Resource({"service.name": "regreen", "service.version": _version()}))
    return resource


def _version() -> str:
    from importlib.metadata import version

    return version("regreen")
