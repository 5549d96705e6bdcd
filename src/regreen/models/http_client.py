"""The HTTP client below openai's own: proxies and certificates of the environment, answers bounded in time and size."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from regreen.errors import ConfigError
from regreen.network import proxy_of

if TYPE_CHECKING:
    import httpx2

_MAX_BODY_BYTES: Final = 64 << 20
"""More than this is no reply of a chat model."""
_PLAIN: Final = "identity"
"""HTTP's name for a body that is not compressed."""
_MAX_REDIRECTS: Final = 5
_SAME_METHOD: Final = {301: 308, 302: 307}
"""Redirects after which a client may send a POST again as it is (RFC 9110, 15.4): as a GET it would ask for nothing."""
_KEEPALIVE_SECONDS: Final = 60.0
"""How long an idle connection is kept: the next iteration of a repair often comes that late."""
_PROBE_SECONDS: Final = 30
"""Silence after which TCP probes the other side: firewalls forget a connection on which a model thinks for minutes."""


def open_http_client(
    base_url: str,
    *,
    timeout: float,
    connections: int,
    most_bytes: int | None = None,
    most_seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> httpx2.Client:
    """A client for requests to one address from any thread; it has to be closed.

    No step of a request takes longer than `timeout` seconds. The body of an answer has at most `most_bytes` (None: as
    many as a reply of a chat model) and takes at most `most_seconds` in all (None: `timeout`). Redirects are followed,
    without the key where they lead to another host. Raises ConfigError for a proxy that cannot be used.
    """
    import httpx2
    import openai

    bytes_bound = _MAX_BODY_BYTES if most_bytes is None else most_bytes
    seconds_bound = timeout if most_seconds is None else most_seconds

    class BoundedStream(httpx2.SyncByteStream):
        """The body of an answer, as long as it keeps to the bounds."""

        def __init__(self, body: httpx2.SyncByteStream) -> None:
            self._body = body

        def __iter__(self) -> Iterator[bytes]:
            try:
                yield from _bounded(self._body, bytes_bound, seconds_bound, clock)
            except TimeoutError as error:
                raise httpx2.ReadTimeout(str(error)) from None
            except OverflowError as error:
                raise httpx2.ReadError(str(error)) from None

        def close(self) -> None:
            self._body.close()

    def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", _PLAIN) != _PLAIN:
            # A small body may unpack to one without end.
            raise httpx2.ReadError("the answer is compressed, which was not asked for", request=response.request)
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = BoundedStream(response.stream)
        if response.status_code in _SAME_METHOD and response.request.method == "POST":
            response.status_code = _SAME_METHOD[response.status_code]

    return openai.DefaultHttpxClient(
        headers={"Accept-Encoding": _PLAIN},
        timeout=timeout,
        transport=_transport(base_url, connections),
        max_redirects=_MAX_REDIRECTS,
        event_hooks={"response": [bound]},
    )


def _transport(base_url: str, connections: int) -> httpx2.HTTPTransport:
    """Connections straight to an address, or through the proxy that the environment names for it."""
    import httpx2

    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    if hasattr(socket, "TCP_KEEPIDLE"):
        options.append((socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _PROBE_SECONDS))
    limits = httpx2.Limits(
        max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=_KEEPALIVE_SECONDS
    )
    variables = "the proxy that the environment names (ALL_PROXY, HTTPS_PROXY or HTTP_PROXY)"
    try:
        return httpx2.HTTPTransport(limits=limits, proxy=proxy_of(base_url), socket_options=options)
    except ImportError:
        raise ConfigError(
            f"{variables} speaks SOCKS, and what speaks it here is not installed.",
            remedy="Install the extra with: pip install 'regreen[socks]'",
        ) from None
    except (ValueError, httpx2.InvalidURL):
        raise ConfigError(
            f"{variables} has an address that cannot be used.", remedy="Mend it, or name the host in NO_PROXY."
        ) from None


def _bounded(chunks: Iterable[bytes], most: int, seconds: float, clock: Callable[[], float]) -> Iterator[bytes]:
    """The parts of an answer's body; raises TimeoutError, and OverflowError where it has no end."""
    began, size = clock(), 0
    for chunk in chunks:
        size += len(chunk)
        if size > most:
            raise OverflowError("the answer has no end")
        if clock() - began > seconds:
            raise TimeoutError("the answer does not come to an end")
        yield chunk
