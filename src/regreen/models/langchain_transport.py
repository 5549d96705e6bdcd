"""Services asked through their LangChain classes: Anthropic, Google, and OpenAI's Responses API."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from regreen.errors import ModelError
from regreen.models import completions
from regreen.models.contract import Finish, Message, Reply, Request, ToolCall, Usage
from regreen.models.providers import Endpoint, require_modules
from regreen.models.request_tracing import langsmith_traces
from regreen.models.service_errors import (
    ErrorResponse,
    RejectedRequest,
    TransientError,
    error_for,
    error_response_of,
    redacted,
)

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable

_LANGCHAIN_NAMES = {"google": "google_genai"}
"""Providers that init_chat_model knows under another name."""


def open_langchain(endpoint: Endpoint, *, timeout: float) -> LangChainTransport:
    """The transport to a provider that has its own LangChain class; raises ConfigError where its extra is missing."""
    require_modules(endpoint.provider)

    def build(key: str) -> BaseChatModel:
        from langchain.chat_models import init_chat_model

        options: dict[str, Any] = {"api_key": key or "none", "timeout": timeout, "max_retries": 0}
        if endpoint.base_url:
            options["base_url"] = endpoint.base_url
        provider = _LANGCHAIN_NAMES.get(endpoint.provider.name, endpoint.provider.name)
        chat: BaseChatModel = init_chat_model(endpoint.model, model_provider=provider, **options)
        return chat

    return LangChainTransport(endpoint, build)


class LangChainTransport:
    """One model, asked through its LangChain class from any thread; parameters that it refuses are remembered."""

    def __init__(self, endpoint: Endpoint, build: Callable[[str], BaseChatModel]) -> None:
        """`build` makes the LangChain model for a key."""
        self._endpoint = endpoint
        self._build = build
        self._lock = threading.Lock()
        self._chats: dict[str, BaseChatModel] = {}
        self._dropped: frozenset[str] = frozenset()

    def ask(self, request: Request, key: str) -> Reply:
        """The reply to one try, as `Transport.ask`."""
        while True:
            options = _options(request, self._endpoint.provider.limit, self._dropped)
            try:
                return parse_message(self._answer(request, key, options), request)
            except RejectedRequest as error:
                self._dropped |= {refused_option(error, options)}

    def models(self, key: str) -> tuple[str, ...]:
        """Raises ModelError: LangChain's classes list no models."""
        raise ModelError(f"{self._endpoint.provider.title} does not tell which models there are.")

    def close(self) -> None:
        """Nothing to release: LangChain's classes close their own connections."""

    def _answer(self, request: Request, key: str, options: Mapping[str, Any]) -> AIMessage:
        messages = list(langchain_messages(request.messages))
        try:
            # Requests are traced in one form for all models, around the transport.
            with langsmith_traces(False):
                return self._chat(key, request).invoke(messages, **options)
        except Exception as error:  # noqa: BLE001  (each provider's library raises its own)
            raise self._error(error, request) from None

    def _error(self, error: Exception, request: Request) -> ModelError:
        response = error_response_of(error) or _by_langchain_class(error)
        if response:
            return error_for(response, self._endpoint, with_tools=bool(request.tools))
        said = redacted(str(error), self._endpoint)
        return TransientError(f"{self._endpoint.name} gave no reply: {type(error).__name__}: {said}.")

    def _chat(self, key: str, request: Request) -> Runnable[LanguageModelInput, AIMessage]:
        chat = self._chats.get(key)
        if chat is None:
            with self._lock:
                chat = self._chats.setdefault(key, self._build(key))
        return chat.bind_tools([completions.tool_spec(tool) for tool in request.tools]) if request.tools else chat


def langchain_messages(messages: Sequence[Message]) -> Iterator[BaseMessage]:
    """Our messages as LangChain's."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    for message in messages:
        text = completions.encodable(message.content)
        if message.role == "assistant":
            calls = [{"name": call.name, "args": _arguments(call), "id": call.id} for call in message.tool_calls]
            yield AIMessage(text, tool_calls=calls)
        elif message.role == "tool":
            yield ToolMessage(text, tool_call_id=message.tool_call_id or "")
        else:
            yield SystemMessage(text) if message.role == "system" else HumanMessage(text)


def parse_message(message: AIMessage, request: Request) -> Reply:
    """The reply in a message of LangChain's."""
    metadata = message.response_metadata
    calls = tuple(_calls(message))
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("status")
    reply = Reply(
        text=completions.encodable(str(message.text)),
        tool_calls=calls,
        finish=Finish.REFUSED if _refusal(message) else completions.finish_of(reason, calls),
        reasoning=completions.encodable(_thoughts(message)),
        model=str(metadata.get("model_name") or metadata.get("model") or ""),
    )
    refusal = _refusal(message)
    return completions.with_usage(replace(reply, text=refusal) if refusal else reply, request, _usage(message))


def refused_option(error: RejectedRequest, options: Mapping[str, Any]) -> str:
    """The option that a refusal names; raises ModelError when it names none."""
    for name in options:
        if error.response.names(name):
            return name
    raise ModelError(error.args[0])


def _options(request: Request, limit: str, dropped: frozenset[str]) -> dict[str, Any]:
    options = {
        "temperature": request.temperature,
        limit: request.max_tokens,
        "stop": list(request.stop) or None,
    }
    return {name: value for name, value in options.items() if value is not None and name not in dropped}


def _by_langchain_class(error: Exception) -> ErrorResponse | None:
    """The response that an error of LangChain's own classes stands for, where the library gives no status."""
    from langchain_core import exceptions as known

    table = (
        (known.ModelAuthenticationError, 401),
        (known.ModelPermissionDeniedError, 403),
        (known.ModelNotFoundError, 404),
        (known.ModelRateLimitError, 429),
        (known.ContextOverflowError, 413),
        (known.ModelInvalidRequestError, 400),
    )
    status = next((status for kind, status in table if isinstance(error, kind)), None)
    return None if status is None else ErrorResponse(status, str(error))


def _arguments(call: ToolCall) -> dict[str, Any]:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = None
    return arguments if isinstance(arguments, dict) else {"arguments": completions.encodable(call.arguments)}


def _calls(message: AIMessage) -> Iterator[ToolCall]:
    for number, call in enumerate(message.tool_calls):
        arguments = completions.encodable(json.dumps(call["args"], ensure_ascii=False))
        yield ToolCall(call["id"] or f"call_{number}", call["name"], arguments)
    for number, invalid in enumerate(message.invalid_tool_calls, len(message.tool_calls)):
        arguments = completions.encodable(invalid["args"] or "")
        yield ToolCall(invalid["id"] or f"call_{number}", invalid["name"] or "", arguments)


def _thoughts(message: AIMessage) -> str:
    blocks = (block for block in message.content_blocks if block["type"] == "reasoning")
    return "\n".join(str(block.get("reasoning", "")) for block in blocks)


def _refusal(message: AIMessage) -> str:
    refusal = message.additional_kwargs.get("refusal")
    return completions.encodable(refusal) if isinstance(refusal, str) else ""


def _usage(message: AIMessage) -> Usage | None:
    counts = message.usage_metadata
    if not counts:
        return None
    return Usage(
        prompt=counts["input_tokens"],
        completion=counts["output_tokens"],
        reasoning=counts.get("output_token_details", {}).get("reasoning", 0),
        cached=counts.get("input_token_details", {}).get("cache_read", 0),
    )
