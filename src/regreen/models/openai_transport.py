"""The client of every service that speaks OpenAI's chat completions, by langchain-openai's settings."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from regreen.errors import ContextTooLong, ModelError
from regreen.models import completions
from regreen.models.contract import Finish, Reply, Request
from regreen.models.http import Answer, Http
from regreen.models.providers import Endpoint
from regreen.models.service_errors import (
    ErrorResponse,
    FilterRefusal,
    RejectedRequest,
    ResponsesApiOnly,
    TransientError,
    UnknownModel,
    error_for,
    error_response_in,
    redacted,
    unreachable,
)
from regreen.models.unknown import remedy_for_unknown_model
from regreen.network import proxy_of

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

    from regreen.models.retrying import Transport

OTHER_LIMIT = {"max_tokens": "max_completion_tokens"}
"""What else a service may call the largest number of tokens of a reply."""
OPTIONAL = ("response_format", "max_tokens", "max_completion_tokens", "temperature", "seed", "random_seed", "stop")
"""What may be left out of a request, or said otherwise, when a service does not take it."""
CHAT = "/chat/completions"
NO_KEY = "none"
"""The client library asks for a key even where the service does not."""


class OpenAITransport:
    """Asks one model of one service: a try a call, from any thread; what the model refuses is remembered."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout: float,
        connections: int = 64,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        from regreen.models.http_client import open_connections

        self._endpoint = endpoint
        self._timeout = timeout
        self._clock = clock
        self._http = Http(timeout=timeout, connections=connections)
        self._layers = open_connections(timeout=timeout, connections=connections)
        """The client library's own way to the service: for what goes through its layers."""
        self._dialect = completions.Dialect(endpoint.provider.limit, endpoint.provider.seed)
        self._lock = threading.RLock()
        self._chats: dict[str, ChatOpenAI] = {}
        self._doors: dict[str, tuple[str, dict[str, str]]] = {}
        self._responses: Transport | None = None
        self._unknown = ""

    def ask(self, request: Request, key: str) -> Reply:
        """The reply of one try; raises TransientError for what may pass, KeyRefused, and other ModelErrors for good."""
        began = self._clock()
        try:
            reply = self._understood(request, key)
        except FilterRefusal as declined:
            reply = completions.with_usage(Reply(declined.args[0], finish=Finish.REFUSED), request, None)
        except UnknownModel as error:
            raise self._explained(error, key) from None
        return replace(reply, seconds=self._clock() - began)

    def models(self, key: str) -> tuple[str, ...]:
        """The models that the service offers, in its order."""
        body = self._answer("GET", "/models", key)
        rows = body.get("data") if isinstance(body, dict) else body
        ids = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return tuple(dict.fromkeys(redacted(name, self._endpoint) for name in ids if isinstance(name, str)))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()
        self._layers.close()
        if self._responses is not None:
            self._responses.close()

    def _understood(self, request: Request, key: str) -> Reply:
        """The reply to the request in a form that the service takes; found by asking."""
        if self._responses is not None or self._chat(key).use_responses_api:
            return self._over_responses(request, key)
        for _ in range(len(OPTIONAL) + 1):
            dialect = self._dialect
            body = completions.request_body(request, self._endpoint.model, dialect)
            try:
                return self._asked(body, request, key, cut="stop" in dialect.dropped)
            except ContextTooLong:
                # A reply as long as we allow may be what does not fit beside the prompt.
                if body.pop(dialect.limit, None) is None:
                    raise
                return self._asked(body, request, key, cut="stop" in dialect.dropped)
            except ResponsesApiOnly:
                return self._over_responses(request, key)
            except RejectedRequest as error:
                self._learn(dialect, error, body)
        raise ModelError(f"{self._endpoint.name} refuses every form of the request.")

    def _asked(self, body: dict[str, Any], request: Request, key: str, *, cut: bool) -> Reply:
        """What came back for one body."""
        answer = self._answer("POST", CHAT, key, body)
        try:
            return completions.parse_completion(answer, request, cut=cut)
        except completions.Malformed as error:
            raise TransientError(f"{self._endpoint.name} at {self._endpoint.place} sent no reply: {error}.") from None

    def _answer(self, method: str, path: str, key: str, body: Mapping[str, Any] | None = None) -> object:
        """The JSON that the service answers; raises what it amounts to where it answers none.

        The request goes to the client library's address and with its headers, but past its layers: for each request
        they build and check several objects, at the price of all that the connection does.
        """
        base, headers = self._door(key)
        sent = None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        try:
            response = self._http.request(method, base + path, content=sent, headers=headers)
        except TimeoutError:
            raise TransientError(f"{self._endpoint.name} did not answer within {self._timeout:g} s.") from None
        except (OSError, ValueError) as error:
            raise unreachable(error, self._endpoint, proxy_of(base)) from None
        with_tools = body is not None and "tools" in body
        if not response.is_success:
            complaint = error_response_in(response.status, _said_in(response), response.headers)
            raise error_for(complaint, self._endpoint, with_tools=with_tools)
        answer = self._loaded(response)
        if isinstance(answer, dict) and answer.get("error") and not answer.get("choices"):
            raise error_for(_inner(answer), self._endpoint, with_tools=with_tools)
        return answer

    def _door(self, key: str) -> tuple[str, dict[str, str]]:
        """Where a key's requests go, and what is said at the door."""
        door = self._doors.get(key)
        if door is None:
            client = self._chat(key).root_client
            given = {**client.auth_headers, **client.default_headers}
            headers = {name: value for name, value in given.items() if isinstance(value, str)}
            door = self._doors[key] = str(client.base_url).rstrip("/"), headers
        return door

    def _loaded(self, response: Answer) -> object:
        """An answer that does not call itself JSON may be it all the same."""
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError):
            beginning = redacted(response.text[:80], self._endpoint) or "nothing"
            raise TransientError(
                f"{self._endpoint.name} at {self._endpoint.place} sent no JSON but {beginning!r}.",
                remedy="If it always does, the address is wrong: most end in /v1.",
            ) from None

    def _learn(self, used: completions.Dialect, error: RejectedRequest, body: Mapping[str, Any]) -> None:
        """Speak otherwise from now on; raise the error where nothing is left to be changed."""
        with self._lock:
            if self._dialect == used:
                self._dialect = adapted(used, error, body)

    def _explained(self, error: UnknownModel, key: str) -> UnknownModel:
        """The error with what the service offers instead; looked up once."""
        with self._lock:
            self._unknown = self._unknown or remedy_for_unknown_model(self._endpoint, lambda: self.models(key))
        return UnknownModel(error.args[0], remedy=self._unknown)

    def _over_responses(self, request: Request, key: str) -> Reply:
        """Some of OpenAI's models answer on another address only, whose form LangChain knows."""
        if self._responses is None:
            from regreen.models.langchain_transport import LangChainTransport

            with self._lock:
                self._responses = self._responses or LangChainTransport(self._endpoint, self._build_for_responses)
        return self._responses.ask(request, key)

    def _build_for_responses(self, key: str) -> ChatOpenAI:
        return self._build(key, use_responses_api=True)

    def _chat(self, key: str) -> ChatOpenAI:
        chat = self._chats.get(key)
        if chat is None:
            with self._lock:
                chat = self._chats.setdefault(key, self._build(key))
        return chat

    def _build(self, key: str, **more: Any) -> ChatOpenAI:
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        if "http_socket_options" in ChatOpenAI.model_fields:
            # Its own connections, which are never used, would complain of a proxy in the environment.
            more = {"http_socket_options": (), **more}
        chat = ChatOpenAI(
            model=self._endpoint.model,
            base_url=self._endpoint.base_url,
            api_key=SecretStr(key or NO_KEY),
            timeout=self._timeout,
            max_retries=0,
            http_client=self._layers,
            openai_proxy=None,
            **more,
        )
        if self._endpoint.provider.name != "openai":
            # Read from the environment for OpenAI alone.
            chat.root_client.organization = chat.root_client.project = None
        return chat


def adapted(used: completions.Dialect, error: RejectedRequest, body: Mapping[str, Any]) -> completions.Dialect:
    """How to speak after a refusal; raises it where it names nothing that can be left out."""
    for name in OPTIONAL:
        if name not in body or not _complains_of(error.complaint, name):
            continue
        if name == used.limit and name in OTHER_LIMIT:
            return replace(used, limit=OTHER_LIMIT[name])
        return replace(used, dropped=used.dropped | {name})
    raise ModelError(error.args[0])


def _complains_of(complaint: ErrorResponse, name: str) -> bool:
    if name == "response_format":
        return any(
            word in complaint.words for word in ("response_format", "json_schema", "structured output", "grammar")
        )
    return complaint.names(name)


def _said_in(response: Answer) -> object:
    """What a service says, as JSON where it is some."""
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return response.text or response.reason


def _inner(answer: Mapping[str, Any]) -> ErrorResponse:
    """An error that came with status 200, as proxies send them."""
    code = answer["error"].get("code") if isinstance(answer["error"], dict) else None
    return error_response_in(code if isinstance(code, int) and 400 <= code < 600 else 0, answer, {})
