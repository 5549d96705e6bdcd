"""The test server's sockets, on one event loop in a thread, so that hundreds of clients cost little."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from http import HTTPStatus

from regreen.errors import ConfigError
from regreen.models.scripted import Fault, Responder, Script
from regreen.models.scripted.script import as_script
from regreen.models.testserver.chat_responses import error_response
from regreen.models.testserver.fault_injection import RANDOM_FAULTS, FaultInjector
from regreen.models.testserver.http_protocol import MAX_HEAD_BYTES, UnreadableRequest, read_request
from regreen.models.testserver.scripted_service import LoggedRequest, PlannedReply, ScriptedService, ServerCounters

_HOST = "127.0.0.1"
_BACKLOG = 1024
_LINGER_SECONDS = 2.0
"""Seconds to read on from a client whose request cannot be understood."""
_SCRAP = 16
"""Bytes of one piece of a dripping reply."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A running server: its address, its log and its counters."""

    base_url: str
    """The address for clients, e.g. "http://127.0.0.1:40123/v1"."""
    service: ScriptedService

    @property
    def requests(self) -> list[LoggedRequest]:
        """Every request so far, in order."""
        return list(self.service.requests)

    @property
    def counters(self) -> ServerCounters:
        """The counters, up to now."""
        return self.service.counters


@contextlib.contextmanager
def serve(
    script: Script | Responder,
    *,
    latency: float = 0.0,
    faults: float = 0.0,
    mix: Sequence[Fault] = RANDOM_FAULTS,
    seed: int = 0,
    keys: Sequence[str] | None = None,
    port: int = 0,
) -> Iterator[RunningServer]:
    """Serve a script on this machine until the block ends.

    `latency` is in seconds a reply; `faults` is the share of requests, 0 to 1, that meet a random fault of `mix`;
    `keys` are the accepted API keys (None: any, or no key); `port` 0 takes a free one. Raises ConfigError for a port
    that is taken.
    """
    script = as_script(script)
    service = ScriptedService(script, FaultInjector(script.faults, faults, mix, seed), latency=latency, keys=keys)
    listener = ChatSocketServer(service)
    started: Future[int] = Future()
    thread = threading.Thread(target=lambda: asyncio.run(listener.run(port, started)), name="test server", daemon=True)
    thread.start()
    try:
        yield RunningServer(f"http://{_HOST}:{started.result()}/v1", service)
    finally:
        listener.stop()
        thread.join()


class ChatSocketServer:
    """Accepts connections and sends the planned replies, with their faults."""

    def __init__(self, service: ScriptedService) -> None:
        self._service = service
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._connections: set[asyncio.Task[None]] = set()

    async def run(self, port: int, started: Future[int]) -> None:
        """Listen until `stop`; `started` gets the port, or a ConfigError."""
        try:
            server = await asyncio.start_server(
                self._serve_connection, _HOST, port, limit=MAX_HEAD_BYTES, backlog=_BACKLOG
            )
        except (OSError, OverflowError) as error:
            remedy = "Choose another port, or 0 for any that is free."
            why = getattr(error, "strerror", None) or "there is no such port"
            started.set_exception(ConfigError(f"Port {port} cannot be had: {why}.", remedy=remedy))
            return
        self._loop = asyncio.get_running_loop()
        started.set_result(server.sockets[0].getsockname()[1])
        await self._stopping.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await server.wait_closed()

    def stop(self) -> None:
        """End `run`, from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self._service.counters.connections += 1
        try:
            await self._replies(reader, writer)
        except UnreadableRequest as error:
            await _reject(error.status, reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            self._connections.discard(task)
            writer.close()

    async def _replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (request := await read_request(reader)) is not None:
            planned = self._service.plan(request)
            with self._counted():
                is_usable = await _send(planned, reader, writer)
            if request.last or not is_usable:
                return

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        counters = self._service.counters
        counters.at_once += 1
        counters.most_at_once = max(counters.most_at_once, counters.at_once)
        try:
            yield
        finally:
            counters.at_once -= 1


async def _send(planned: PlannedReply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Send a planned reply; returns whether the connection can be used again."""
    kind = planned.fault.kind if planned.fault is not None else ""
    if kind == "silent":
        await reader.read()
        return False
    if planned.seconds:
        await asyncio.sleep(planned.seconds)
    if planned.fault is not None and kind == "drip":
        await _drip(planned, planned.fault.seconds, writer)
        return True
    body = planned.response.body
    writer.write(planned.response.head + (body[: len(body) // 2] if kind == "cut" else body))
    await writer.drain()
    return kind != "cut"


async def _drip(planned: PlannedReply, pause: float, writer: asyncio.StreamWriter) -> None:
    writer.write(planned.response.head)
    body = planned.response.body
    for start in range(0, len(body), _SCRAP):
        writer.write(body[start : start + _SCRAP])
        await writer.drain()
        await asyncio.sleep(pause)


async def _reject(status: HTTPStatus, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    response = error_response(status.value, "unreadable", status.phrase).as_the_last()
    writer.write(response.head + response.body)
    writer.write_eof()
    # Closing with bytes unread would reset the connection, and the client would lose the reply.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_SECONDS):
            while await reader.read(MAX_HEAD_BYTES):
                pass
