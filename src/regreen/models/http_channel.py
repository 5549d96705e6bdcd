"""A service over HTTP, through openai's client: answers as plain JSON, whole or in chunks, and errors told apart."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from regreen.models.http_client import open_http_client
from regreen.models.providers import Endpoint
from regreen.models.service_errors import (
    ErrorResponse,
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

_NO_KEY = "none"
"""openai's client wants a key even where the service does not."""
_DATA = b"data:"
_EVENTS = "text/event-stream"
_END_OF_STREAM = b"[DONE]"
_READ_CHARACTERS, _QUOTED_CHARACTERS = 4_000, 80
"""Characters of an answer that is no JSON: of those that are looked at, and of those that a message quotes."""


class HttpChannel:
    """The `Channel` to one service on the network, or to a server on this machine."""

    def __init__(self, endpoint: Endpoint, *, timeout: float, connections: int) -> None:
        """`timeout` in seconds for one answer; at most so many connections at once."""
        self._endpoint = endpoint
        self._timeout = timeout
        self._http = open_http_client(endpoint.base_url, timeout=timeout, connections=connections)
        self._lock = threading.Lock()
        self._clients: dict[str, OpenAI] = {}

    def json_of(self, path: str, key: str, body: Mapping[str, Any] | None = None) -> object:
        """The JSON that the service answers to a POST of `body`, or to a GET; raises ModelError for anything else.

        It is read as plain data, since services add fields to OpenAI's form and deviate from it.
        """
        import httpx2

        with self._explained(with_tools=body is not None and "tools" in body):
            client = self._client(key)
            if body is None:
                answer = client.get(path, cast_to=httpx2.Response)
            else:
                answer = client.post(path, cast_to=httpx2.Response, body=body)
        return self._checked(self._loaded(answer.content), body)

    def stream(self, path: str, key: str, body: Mapping[str, Any], feed: Callable[[object], bool]) -> object:
        """Hand each chunk of the answer to `feed` until it returns True, as `Channel.stream`."""
        import httpx2
        import openai

        with_tools = "tools" in body
        with self._explained(with_tools=with_tools):
            # Asked for as a response, it is one, and no stream of the client's: its chunks are read here.
            opened = self._client(key).post(
                path, cast_to=httpx2.Response, body=body, stream=True, stream_cls=openai.Stream[object]
            )
        with contextlib.closing(cast("httpx2.Response", opened)) as response:
            if not response.headers.get("content-type", "").startswith(_EVENTS):
                with self._explained(with_tools=with_tools):
                    content = response.read()
                return self._checked(self._loaded(content), body)
            for chunk in self._chunks(response, with_tools=with_tools):
                if feed(self._checked(self._loaded(chunk), body)):
                    break
        return None

    def open_responses(self, key: str) -> ChatOpenAI:
        """LangChain's model for OpenAI's Responses API, over the same connections."""
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

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _chunks(self, response: httpx2.Response, *, with_tools: bool) -> Iterator[bytes]:
        """The data of each event of a stream; what whoever takes them raises is not explained."""
        with self._explained(with_tools=with_tools):
            yield from _chunks(response)

    @contextlib.contextmanager
    def _explained(self, *, with_tools: bool) -> Iterator[None]:
        """Turn what the libraries raise into errors of ours."""
        import httpx2
        import openai

        try:
            yield
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise TransientError(f"{self._endpoint.name} did not answer within {self._timeout:g} s.") from None
        except openai.APIStatusError as error:
            refusal = error_response_in(
                error.status_code, error.body or error.response.reason_phrase, error.response.headers
            )
            raise error_for(refusal, self._endpoint, with_tools=with_tools) from None
        # A RuntimeError: the connections were closed meanwhile.
        except (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, RuntimeError) as error:
            raise unreachable(error, self._endpoint, proxy_of(self._endpoint.base_url)) from None

    def _checked(self, content: object, body: Mapping[str, Any] | None) -> object:
        """The content of an answer, unless it is an error that came with status 200, as proxies send them."""
        if isinstance(content, dict) and content.get("error") and not content.get("choices"):
            with_tools = body is not None and "tools" in body
            raise error_for(_inner_error(content), self._endpoint, with_tools=with_tools)
        return content

    def _loaded(self, content: bytes) -> object:
        """An answer as data; it may be JSON even where it does not say so."""
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            # Masked before it is cut: half a key is a secret, too.
            said = redacted(content[:_READ_CHARACTERS].decode("utf-8", "replace"), self._endpoint)
            beginning = said[:_QUOTED_CHARACTERS] or "nothing"
            raise TransientError(
                f"{self._endpoint.name} at {self._endpoint.display_url} sent no JSON but {beginning!r}.",
                remedy="If it always does, the address is wrong: most end in /v1.",
            ) from None

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


def _chunks(response: httpx2.Response) -> Iterator[bytes]:
    """The data of each event of a stream, up to its end."""
    for line in _lines(response.iter_bytes()):
        data = line.removeprefix(_DATA).strip() if line.startswith(_DATA) else b""
        if data == _END_OF_STREAM:
            return
        if data:
            yield data


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream of events, cut at CR and LF alone: a text in JSON may hold what else Unicode breaks at."""
    begun: list[bytes] = []
    for piece in pieces:
        first, *others = piece.replace(b"\r", b"\n").split(b"\n")
        begun.append(first)
        for other in others:
            yield b"".join(begun)
            begun = [other]
    yield b"".join(begun)


def _inner_error(content: Mapping[str, Any]) -> ErrorResponse:
    """An error that came with status 200, as proxies send them."""
    code = content["error"].get("code") if isinstance(content["error"], dict) else None
    return error_response_in(code if isinstance(code, int) and 400 <= code < 600 else 0, content, {})


def _forget_account(client: OpenAI, endpoint: Endpoint) -> None:
    """Keep from others what the client reads from the environment for OpenAI: organisation, project and headers."""
    if endpoint.provider.name != "openai":
        client.organization = client.project = None
        # OPENAI_CUSTOM_HEADERS, which may hold a key; no argument of the client leaves them out.
        client._custom_headers = {}
