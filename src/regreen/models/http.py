"""Plain HTTP for model calls: an answer in whole, within a time and a size, over connections that stay open."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from regreen.errors import ConfigError
from regreen.network import proxy_of

if TYPE_CHECKING:
    from urllib3 import PoolManager

LONGEST_BODY: Final = 64 << 20
"""Bytes of an answer; more is no reply of a chat model."""
CHUNK: Final = 1 << 16
REDIRECTS: Final = 5
"""Other addresses that a request may be sent on to."""
IDLE: Final = 30
"""Seconds after which the other side of an idle connection is asked whether it is still there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered."""

    status: int
    reason: str
    headers: Mapping[str, str]
    """By names in any case."""
    content: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status says so."""
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The content as text, whatever it is."""
        return self.content.decode("utf-8", "replace")


class Http:
    """Sends requests from any thread; the environment names proxies, and certificates that are trusted."""

    def __init__(self, *, timeout: float, connections: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._timeout = timeout
        self._connections = connections
        self._clock = clock
        self._managers: dict[str, PoolManager] = {}

    def request(self, method: str, url: str, *, headers: Mapping[str, str], content: bytes | None = None) -> Answer:
        """The answer to one request; no part of it is waited for longer than the time, nor all of its content.

        Raises TimeoutError, and OSError or ValueError where it cannot be had, is cut or has no end.
        """
        from urllib3.exceptions import HTTPError

        try:
            return self._answered(method, url, headers, content)
        except HTTPError as error:
            problem = _root_of(error)
        # Out here, where it is not taken for something that came of its own consequences.
        raise problem

    def close(self) -> None:
        """Close the connections."""
        for manager in self._managers.values():
            manager.clear()

    def _answered(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> Answer:
        import urllib3

        # An address that has moved is followed; what else fails is for the caller to try again.
        retries = urllib3.Retry(None, connect=0, read=0, redirect=REDIRECTS, status=0, other=0, raise_on_redirect=False)
        manager = self._manager(url)
        response = manager.urlopen(method, url, body=content, headers=headers, retries=retries, preload_content=False)
        chunks = iter(partial(response.read1, CHUNK), b"")
        try:
            whole = b"".join(bounded(chunks, self._timeout, self._clock))
        except BaseException:
            # What is left of it must not be taken for the next answer's beginning.
            response.close()
            raise
        finally:
            response.release_conn()
        return Answer(response.status, response.reason or "", response.headers, whole)

    def _manager(self, url: str) -> PoolManager:
        """The connections that lead to an address: straight, or through the environment's proxy."""
        place = urlsplit(url).netloc
        manager = self._managers.get(place)
        if manager is None:
            manager = self._managers.setdefault(place, self._opened(url))
        return manager

    def _opened(self, url: str) -> PoolManager:
        import httpx2
        import urllib3

        proxy = proxy_of(url)
        alive = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
        if hasattr(socket, "TCP_KEEPIDLE"):
            alive.append((socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, IDLE))
        options: dict[str, Any] = {
            "maxsize": self._connections,
            "timeout": self._timeout,
            "socket_options": [*urllib3.connection.HTTPConnection.default_socket_options, *alive],
        }
        if "https" in {urlsplit(url).scheme, urlsplit(proxy or "").scheme}:
            options["ssl_context"] = httpx2.create_ssl_context()
        return _through(proxy, options) if proxy else urllib3.PoolManager(**options)


def bounded(chunks: Iterable[bytes], seconds: float, clock: Callable[[], float]) -> Iterator[bytes]:
    """The parts of an answer that has to be over in time; raises TimeoutError, and OSError where it has no end."""
    began, size = clock(), 0
    for chunk in chunks:
        size += len(chunk)
        if size > LONGEST_BODY:
            raise OSError("the answer has no end")
        if clock() - began > seconds:
            raise TimeoutError("the answer does not come to an end")
        yield chunk


def without_socks() -> ConfigError:
    """What is wrong where a proxy needs a library that is not installed."""
    return ConfigError(
        "the proxy that the environment names (ALL_PROXY, HTTPS_PROXY or HTTP_PROXY) speaks SOCKS, "
        "and what speaks it here is not installed.",
        remedy="Install the extra with: pip install 'regreen[socks]'",
    )


def _through(proxy: str, options: dict[str, Any]) -> PoolManager:
    """Connections that lead through a proxy; raises ConfigError where that takes a library more."""
    import urllib3

    if urlsplit(proxy).scheme.startswith("socks"):
        try:
            from urllib3.contrib.socks import SOCKSProxyManager
        except ImportError:
            raise without_socks() from None
        manager: PoolManager = SOCKSProxyManager(proxy, **options)
        return manager
    known = urlsplit(proxy)
    if known.username:
        credentials = f"{unquote(known.username)}:{unquote(known.password or '')}"
        options["proxy_headers"] = urllib3.make_headers(proxy_basic_auth=credentials)
    return urllib3.ProxyManager(proxy, **options)


def _root_of(error: BaseException) -> OSError | ValueError:
    """What a library's error goes back to: mostly what the system said of the connection, or that time ran out."""
    from urllib3.exceptions import LocationValueError

    if isinstance(error, LocationValueError):
        return ValueError(str(error))
    while link := error.__cause__ or error.__context__:
        error = link
    return error if isinstance(error, OSError) else OSError(str(error) or type(error).__name__)
