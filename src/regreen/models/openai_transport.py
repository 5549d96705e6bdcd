"""Services that speak OpenAI's chat completions, asked over a channel: HTTP, or a server in this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from regreen.errors import ContextTooLong, ModelError
from regreen.models import completions
from regreen.models.contract import Reply, Request
from regreen.models.http_channel import HttpChannel
from regreen.models.providers import Endpoint
from regreen.models.service_errors import (
    ErrorResponse,
    RejectedRequest,
    ResponsesApiOnly,
    TransientError,
    redacted,
)
from regreen.models.streaming import StreamedCompletion

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

    from regreen.models.langchain_transport import LangChainTransport

_OTHER_LIMIT = {"max_tokens": "max_completion_tokens"}
"""What else a service may call the largest number of tokens of a reply."""
_OPTIONAL = ("response_format", "max_tokens", "max_completion_tokens", "temperature", "seed", "random_seed", "stop")
"""Parameters that are dropped, or renamed, when a service does not take them."""


_CHAT = "/chat/completions"


class Channel(Protocol):
    """One way to reach a service that speaks OpenAI's protocol; may be used from several threads."""

    def json_of(self, path: str, key: str, body: Mapping[str, Any] | None = None) -> object:
        """The JSON that the service answers to a POST of `body`, or to a GET; raises ModelError for anything else."""
        ...

    def stream(self, path: str, key: str, body: Mapping[str, Any], feed: Callable[[object], bool]) -> object:
        """Hand each chunk of the answer to `feed` until it returns True, which stops the service.

        Returns the whole answer where the service sends no chunks; None otherwise. Raises ModelError.
        """
        ...

    def open_responses(self, key: str) -> ChatOpenAI:
        """LangChain's model for OpenAI's Responses API."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class OpenAITransport:
    """One model of one service, from any thread; what the model refuses of a request is remembered."""

    def __init__(
        self, endpoint: Endpoint, *, timeout: float, connections: int = 64, channel: Channel | None = None
    ) -> None:
        """`channel` is HTTP, with these limits, where it is None; it is closed with the transport."""
        provider = endpoint.provider
        self._endpoint = endpoint
        self._channel = channel or HttpChannel(endpoint, timeout=timeout, connections=connections)
        self._dialect = completions.Dialect(provider.limit, provider.seed, streamed=provider.streamed)
        self._lock = threading.Lock()
        self._responses: LangChainTransport | None = None

    def ask(self, request: Request, key: str) -> Reply:
        """The reply to the request in a form that the service takes, found by asking; raises as `Transport.ask`."""
        if self._responses is not None:
            return self._responses.ask(request, key)
        for _ in range(len(_OPTIONAL) + 1):
            dialect = self._dialect
            body = completions.request_body(request, self._endpoint.model, dialect)
            try:
                return self._completion(body, request, key)
            except ContextTooLong:
                # A reply as long as we allow may be what does not fit beside the prompt.
                if body.pop(dialect.limit, None) is None:
                    raise
                return self._completion(body, request, key)
            except ResponsesApiOnly:
                return self._over_responses(request, key)
            except RejectedRequest as error:
                self._adapt(dialect, error, body)
        raise ModelError(f"{self._endpoint.name} refuses every form of the request.")

    def models(self, key: str) -> tuple[str, ...]:
        """The models that the service offers, in its order."""
        body = self._channel.json_of("/models", key)
        rows = body.get("data") if isinstance(body, dict) else body
        ids = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return tuple(dict.fromkeys(redacted(name, self._endpoint) for name in ids if isinstance(name, str)))

    def close(self) -> None:
        """Close the connections."""
        self._channel.close()

    def _completion(self, body: Mapping[str, Any], request: Request, key: str) -> Reply:
        answer = self._answer(body, request, key)
        try:
            return completions.parse_completion(answer, request)
        except completions.Malformed as error:
            where = f"{self._endpoint.name} at {self._endpoint.display_url}"
            raise TransientError(f"{where} sent no reply: {error}.") from None

    def _answer(self, body: Mapping[str, Any], request: Request, key: str) -> object:
        """The body of the answer; a reply that is streamed is stopped at its end."""
        if "stream" not in body:
            return self.json_of(_CHAT, key, body)
        streamed = StreamedCompletion(request)
        whole = self._channel.stream(_CHAT, key, body, streamed.feed)
        return streamed.body if whole is None else whole

    def json_of(self, path: str, key: str, body: Mapping[str, Any] | None = None) -> object:
        """The JSON that the service answers to a POST of `body`, or to a GET, as `Channel.json_of`."""
        return self._channel.json_of(path, key, body)

    def _adapt(self, used: completions.Dialect, error: RejectedRequest, body: Mapping[str, Any]) -> None:
        """Use another dialect from now on; raises ModelError where nothing is left to be changed."""
        with self._lock:
            if self._dialect == used:
                self._dialect = adapt_dialect(used, error, body)

    def _over_responses(self, request: Request, key: str) -> Reply:
        """The reply of one of OpenAI's models that answer its Responses API only, whose form LangChain knows."""
        if self._responses is None:
            from regreen.models.langchain_transport import LangChainTransport

            with self._lock:
                self._responses = self._responses or LangChainTransport(self._endpoint, self._channel.open_responses)
        return self._responses.ask(request, key)


def adapt_dialect(used: completions.Dialect, error: RejectedRequest, body: Mapping[str, Any]) -> completions.Dialect:
    """The dialect after a refusal; raises ModelError where the refusal names no parameter that can be left out."""
    if used.streamed and any(error.response.names(name) for name in used.streamed):
        return replace(used, streamed={})
    for name in _OPTIONAL:
        if name not in body or not _is_about(error.response, name):
            continue
        if name == used.limit and name in _OTHER_LIMIT:
            return replace(used, limit=_OTHER_LIMIT[name])
        return replace(used, dropped=used.dropped | {name})
    raise ModelError(error.args[0])


def _is_about(response: ErrorResponse, name: str) -> bool:
    if name == "response_format":
        return any(
            word in response.words for word in ("response_format", "json_schema", "structured output", "grammar")
        )
    return response.names(name)
