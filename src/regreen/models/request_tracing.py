"""Traces of model requests for LangSmith and OpenTelemetry, where the environment asks for them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from regreen.environment import Tracing, name_revision
from regreen.models import completions
from regreen.models.contract import ChatModel, Message, Reply, Request
from regreen.models.otel import open_span, open_tracer, span_attributes
from regreen.models.providers import PROVIDERS

__all__ = ["TracedModel", "langsmith_traces", "open_tracer", "with_tracing"]

ReplyListener = Callable[[Reply], object]
RequestObserver = Callable[[str, Request], AbstractContextManager[ReplyListener]]
"""A context manager around a request to the model of that name; the function that it yields takes the reply."""


def with_tracing(model: ChatModel, asked: Tracing) -> ChatModel:
    """The model with the traces that the environment asks for; the same object where it asks for none."""
    observers: list[RequestObserver] = []
    if asked.langsmith:
        observers.append(_langsmith_run)
    if (tracer := open_tracer(asked)) is not None:
        observers.append(partial(_model_span, tracer, content=asked.content))
    return TracedModel(model, tuple(observers)) if observers else model


def langsmith_traces(enabled: bool) -> AbstractContextManager[None]:
    """Turns LangSmith's tracing on or off for the block, whatever the environment says."""
    from langsmith.run_helpers import get_tracing_context, tracing_context

    if enabled:
        name_revision("regreen")
    return tracing_context(**{**get_tracing_context(), "enabled": enabled})


class TracedModel:
    """A chat model with observers of each request and its reply."""

    def __init__(self, model: ChatModel, observers: tuple[RequestObserver, ...]) -> None:
        self._model = model
        self._observers = observers

    @property
    def name(self) -> str:
        """The full name of the model that is asked."""
        return self._model.name

    def ask(self, request: Request) -> Reply:
        """The model's reply."""
        with contextlib.ExitStack() as stack:
            listeners = [stack.enter_context(observer(self.name, request)) for observer in self._observers]
            reply = self._model.ask(request)
            for listener in listeners:
                listener(reply)
        return reply

    def close(self) -> None:
        """Close the model."""
        self._model.close()


@contextlib.contextmanager
def _langsmith_run(name: str, request: Request) -> Iterator[ReplyListener]:
    """A request as a run of LangSmith, below the run of the asking node."""
    from langsmith import trace

    failure: Exception | None = None
    inputs = {"messages": [completions.message_dict(message) for message in request.messages]}
    with (
        langsmith_traces(True),
        trace(f"chat {name}", "llm", inputs=inputs, metadata=_request_metadata(name, request)) as run,
    ):
        try:
            yield lambda reply: run.end(outputs=_outputs(reply))
        except Exception as error:  # noqa: BLE001  (raised again below, so that the run does not quote its traceback)
            run.end(error=f"{type(error).__name__}: {error}")
            failure = error
    if failure is not None:
        raise failure


def _request_metadata(name: str, request: Request) -> dict[str, Any]:
    provider, model = _split_name(name)
    return {
        "ls_provider": provider,
        "ls_model_name": model,
        "ls_model_type": "chat",
        "ls_temperature": request.temperature,
        "ls_max_tokens": request.max_tokens,
        "regreen_node": request.node,
    }


def _split_name(name: str) -> tuple[str, str]:
    """The provider and the model of a full name; "custom" for a service of the user's own."""
    provider, _, model = name.partition(":")
    return (provider, model) if provider in PROVIDERS else ("custom", name)


def _outputs(reply: Reply) -> dict[str, Any]:
    usage = reply.usage
    return {
        "messages": [completions.message_dict(Message("assistant", reply.text, reply.tool_calls))],
        "finish_reason": reply.finish,
        "usage_metadata": {
            "input_tokens": usage.prompt,
            "output_tokens": usage.completion,
            "total_tokens": usage.prompt + usage.completion,
            "input_token_details": {"cache_read": usage.cached},
            "output_token_details": {"reasoning": usage.reasoning},
        },
    }


@contextlib.contextmanager
def _model_span(tracer: Any, name: str, request: Request, *, content: bool) -> Iterator[ReplyListener]:
    """A request as a span, named by OpenTelemetry's conventions for generative models."""
    provider, model = _split_name(name)
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.request.max_tokens": request.max_tokens,
        "gen_ai.request.seed": request.seed,
        "regreen.node": request.node,
    }
    if content:
        attributes["gen_ai.input.messages"] = _in_parts(*request.messages)
    with open_span(tracer, f"chat {model}", attributes, kind="CLIENT") as current:
        yield lambda reply: current.set_attributes(span_attributes(_reply_attributes(reply, content=content)))


def _reply_attributes(reply: Reply, *, content: bool) -> Mapping[str, Any]:
    attributes = {
        "gen_ai.response.model": reply.model or None,
        "gen_ai.response.finish_reasons": (reply.finish,),
        "gen_ai.usage.input_tokens": reply.usage.prompt,
        "gen_ai.usage.output_tokens": reply.usage.completion,
        "gen_ai.usage.cache_read.input_tokens": reply.usage.cached or None,
        "gen_ai.usage.reasoning.output_tokens": reply.usage.reasoning or None,
        "regreen.usd": reply.usd,
        "regreen.waited_seconds": reply.waited or None,
    }
    if content:
        attributes["gen_ai.output.messages"] = _in_parts(Message("assistant", reply.text, reply.tool_calls))
    return attributes


def _in_parts(*messages: Message) -> str:
    """Messages in the form of the conventions: a role, and parts that name their type."""
    return json.dumps([{"role": message.role, "parts": list(_parts(message))} for message in messages])


def _parts(message: Message) -> Iterator[dict[str, Any]]:
    if message.tool_call_id is not None:
        yield {"type": "tool_call_response", "id": message.tool_call_id, "response": message.content}
    elif message.content:
        yield {"type": "text", "content": message.content}
    for call in message.tool_calls:
        yield {"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments}
