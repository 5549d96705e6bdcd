"""Services that speak OpenAI's chat completions, asked through openai's client."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from regreen.errors import ContextTooLong, ModelError
from regreen.models import completions
from regreen.models.contract import Reply, Request
from regreen.models.http_client import open_http_client
from regreen.models.providers import Endpoint
from regreen.models.service_errors import (
    ErrorResponse,
    RejectedRequest,
    ResponsesApiOnly,
    TransientError,
    error_for,
    error_response_in,
    redacted,
    unreachable,
)
from regreen.network import proxy_of

if TYPE_CHECKING:
    import httpx2
    from langchain_openai import ChatOpenAI
    from openai import OpenAI

    from regreen.models.langchain_transport import LangChainTransport

_OTHER_LIMIT = {"max_tokens": "max_completion_tokens"}
"""What else a service may call the largest number of tokens of a reply."""
_OPTIONAL = ("response_format", "max_tokens", "max_completion_tokens", "temperature", "seed", "random_seed", "stop")
"""Parameters that are dropped, or renamed, when a service does not take them."""
_SCHEMA_WORDS = ("response_format", "json_schema", "structured output", "grammar")
_NO_KEY = "none"
"""openai's client wants a key even where the service does not."""


class OpenAITransport:
    """One model of one service, from any thread; what the model refuses of a request is remembered."""

    def __init__(self, endpoint: Endpoint, *, timeout: float, connections: int = 64) -> None:
        self._endpoint = endpoint
        self._timeout = timeout
        self._http = open_http_client(endpoint.base_url, timeout=timeout, connections=connections)
        self._dialect = completions.Dialect(endpoint.provider.limit, endpoint.provider.seed)
        self._lock = threading.Lock()
        self._clients: dict[str, OpenAI] = {}
        self._responses: LangChainTransport | None = None

    def ask(self, request: Request, key: str) -> Reply:
        """The reply to the request in a form that the service takes, found by asking; raises as `Transport.ask`."""
        if self._responses is not None:
            return self._responses.ask(request, key)
        for _ in range(len(_OPTIONAL) + 1):
            dialect = self._dialect
            body = completions.request_body(request, self._endpoint.model, dialect)
            try:
                return self._completion(body, request, key, dialect)
            except ContextTooLong:
                # A reply as long as we allow may be what does not fit beside the prompt.
                if body.pop(dialect.limit, None) is None:
                    raise
                return self._completion(body, request, key, dialect)
            except ResponsesApiOnly:
                return self._over_responses(request, key)
            except RejectedRequest as error:
                self._adapt(dialect, error, body)
        raise ModelError(f"{self._endpoint.name} refuses every form of the request.")

    def models(self, key: str) -> tuple[str, ...]:
        """The models that the service offers, in its order."""
        body = self.json_of("/models", key)
        rows = body.get("data") if isinstance(body, dict) else body
        ids = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return tuple(dict.fromkeys(redacted(name, self._endpoint) for name in ids if isinstance(name, str)))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _completion(self, body: dict[str, Any], request: Request, key: str, dialect: completions.Dialect) -> Reply:
        answer = self.json_of("/chat/completions", key, body)
        try:
            return completions.parse_completion(answer, request, cut="stop" in dialect.dropped)
        except completions.Malformed as error:
            where = f"{self._endpoint.name} at {self._endpoint.display_url}"
            raise TransientError(f"{where} sent no reply: {error}.") from None

    def json_of(self, path: str, key: str, body: Mapping[str, Any] | None = None) -> object:
        """The JSON that the service answers to a POST of `body`, or to a GET; raises ModelError for anything else.

        It is read as plain data, since services add fields to OpenAI's form and deviate from it.
        """
        import httpx2
        import openai

        with_tools = body is not None and "tools" in body
        try:
            client = self._client(key)
            if body is None:
                answer = client.get(path, cast_to=httpx2.Response)
            else:
                answer = client.post(path, cast_to=httpx2.Response, body=body)
        except openai.APITimeoutError:
            raise TransientError(f"{self._endpoint.name} did not answer within {self._timeout:g} s.") from None
        except openai.APIStatusError as error:
            refusal = error_response_in(
                error.status_code, error.body or error.response.reason_phrase, error.response.headers
            )
            raise error_for(refusal, self._endpoint, with_tools=with_tools) from None
        # A RuntimeError: the connections were closed meanwhile.
        except (openai.APIConnectionError, httpx2.InvalidURL, ValueError, RuntimeError) as error:
            raise unreachable(error, self._endpoint, proxy_of(self._endpoint.base_url)) from None
        content = self._loaded(answer)
        if isinstance(content, dict) and content.get("error") and not content.get("choices"):
            raise error_for(_inner_error(content), self._endpoint, with_tools=with_tools)
        return content

    def _loaded(self, answer: httpx2.Response) -> object:
        """The content of an answer, which may be JSON even where it does not say so."""
        try:
            return json.loads(answer.content)
        except (ValueError, RecursionError):
            beginning = redacted(answer.content[:80].decode("utf-8", "replace"), self._endpoint) or "nothing"
            raise TransientError(
                f"{self._endpoint.name} at {self._endpoint.display_url} sent no JSON but {beginning!r}.",
                remedy="If it always does, the address is wrong: most end in /v1.",
            ) from None

    def _adapt(self, used: completions.Dialect, error: RejectedRequest, body: Mapping[str, Any]) -> None:
        """Use another dialect from now on; raises ModelError where nothing is left to be changed."""
        with self._lock:
            if self._dialect == used:
                self._dialect = adapt_dialect(used, error, body)

    def _client(self, key: str) -> OpenAI:
        client = self._clients.get(key)
        if client is None:
            with self._lock:
                client = self._clients.setdefault(key, self._open_client(key))
        return client

    def _open_client(self, key: str) -> OpenAI:
        import openai

        client = openai.OpenAI(
            base_url=self._endpoint.base_url,
            api_key=key or _NO_KEY,
            timeout=self._timeout,
            max_retries=0,
            http_client=self._http,
        )
        _forget_account(client, self._endpoint)
        return client

    def _over_responses(self, request: Request, key: str) -> Reply:
        """The reply of one of OpenAI's models that answer its Responses API only, whose form LangChain knows."""
        if self._responses is None:
            from regreen.models.langchain_transport import LangChainTransport

            with self._lock:
                self._responses = self._responses or LangChainTransport(self._endpoint, self._open_responses)
        return self._responses.ask(request, key)

    def _open_responses(self, key: str) -> ChatOpenAI:
        from langchain_openai import ChatOpenAI
        from pydantic import SecretStr

        chat = ChatOpenAI(
            model=self._endpoint.model,
            base_url=self._endpoint.base_url,
            api_key=SecretStr(key or _NO_KEY),
            timeout=self._timeout,
            max_retries=0,
            http_client=self._http,
            # Connections of its own would never be used, but complain of a proxy in the environment.
            http_socket_options=(),
            openai_proxy=None,
            use_responses_api=True,
        )
        _forget_account(chat.root_client, self._endpoint)
        return chat


def adapt_dialect(used: completions.Dialect, error: RejectedRequest, body: Mapping[str, Any]) -> completions.Dialect:
    """The dialect after a refusal; raises ModelError where the refusal names no parameter that can be left out."""
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


def _inner_error(content: Mapping[str, Any]) -> ErrorResponse:
    """An error that came with status 200, as proxies send them."""
    code = content["error"].get("code") if isinstance(content["error"], dict) else None
    return error_response_in(code if isinstance(code, int) and 400 <= code < 600 else 0, content, {})


def _forget_account(client: OpenAI, endpoint: Endpoint) -> None:
    """Keep the user's organisation and project at OpenAI, which the client reads from the environment, from others."""
    if endpoint.provider.name != "openai":
        client.organization = client.project = None
