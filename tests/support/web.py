"""A server over loopback whose every answer is made up by the test."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Reply = tuple[int, Mapping[str, str], bytes]
"""Status, headers beside the length, and content."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A request."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case names."""
    content: bytes
    line: tuple[str, int]
    """The other end of the connection that it came over."""


@contextmanager
def answering_by(
    answer: Callable[[Heard], Reply], context: ssl.SSLContext | None = None
) -> Iterator[tuple[str, list[Heard]]]:
    """A server for the block, encrypted with a context: its host and port, and what it heard."""
    heard: list[Heard] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            content = self.rfile.read(int(headers.get("content-length", 0)))
            heard.append(Heard(self.command, self.path, headers, content, self.client_address))
            status, more, body = answer(heard[-1])
            self.send_response(status)
            for name, value in {"content-length": str(len(body)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"localhost:{server.server_address[1]}", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
