"""The connections of the clients' own libraries: one pool for all keys and threads, bounded in time and in size."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from regreen.models.http import bounded, without_socks

if TYPE_CHECKING:
    import httpx2

KEPT_OPEN = 60.0
"""Seconds that an idle connection is kept: the next iteration of a repair often comes that late."""


def open_connections(*, timeout: float, connections: int, clock: Callable[[], float] = time.monotonic) -> httpx2.Client:
    """A client that reads no answer for longer than `timeout` seconds, drop by drop or not.

    Raises ConfigError for a proxy that takes a library more.
    """
    import httpx2
    import openai

    class Bounded(httpx2.SyncByteStream):
        """An answer that has to be over in time."""

        def __init__(self, answer: httpx2.SyncByteStream) -> None:
            self._answer = answer

        def __iter__(self) -> Iterator[bytes]:
            try:
                yield from bounded(self._answer, timeout, clock)
            except TimeoutError as error:
                raise httpx2.ReadTimeout(str(error)) from None
            except OSError as error:
                raise httpx2.ReadError(str(error)) from None

        def close(self) -> None:
            self._answer.close()

    def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream)

    limits = httpx2.Limits(
        max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=KEPT_OPEN
    )
    try:
        return openai.DefaultHttpxClient(timeout=timeout, limits=limits, event_hooks={"response": [bound]})
    except ImportError:
        raise without_socks() from None
