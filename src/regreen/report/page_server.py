"""Serves the pages over a folder of runs to a browser on this machine, and to nobody else."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from regreen.errors import ConfigError, RegreenError
from regreen.report.run_pages import RunPages
from regreen.report.safe_text import visible_line

_ADDRESS = "127.0.0.1"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Of the overview, which has no script; a run's page brings its own."""
_REFRESH_SECONDS = 5
_RUNS = "/runs/"


class PageServer(ThreadingHTTPServer):
    """Answers requests for the overview and for the page of each run."""

    daemon_threads = True

    def __init__(self, pages: RunPages, port: int) -> None:
        """Listen on this machine alone; port 0 is any that is free. Raises ConfigError where the port is taken."""
        self.pages = pages
        self.reading = threading.Lock()
        try:
            super().__init__((_ADDRESS, port), _Handler)
        except OSError as error:
            raise ConfigError(f"port {port} cannot be used: {error.strerror}.", remedy="Give another --port.") from None

    @property
    def hosts(self) -> tuple[str, str]:
        """Names by which a browser on this machine asks for it."""
        return f"{_ADDRESS}:{self.server_port}", f"localhost:{self.server_port}"

    @property
    def url(self) -> str:
        """The address of the overview."""
        return f"http://{self.hosts[0]}/"


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        """Answer one request."""
        if self.headers.get("Host") not in self.server.hosts:
            # A page of elsewhere may have its name point at this machine.
            return self._answer(403, b"This page is for a browser on this machine.", kind="text/plain")
        path = urlsplit(self.path).path
        try:
            with self.server.reading:
                return self._told(path)
        except RegreenError as error:
            return self._answer(500, visible_line(str(error), 500).encode("utf-8"), kind="text/plain")

    def _told(self, path: str) -> None:
        if path == "/":
            text, goes_on = self.server.pages.overview()
            return self._answer(200, text.encode("utf-8"), goes_on=goes_on, policy=_POLICY)
        found = self.server.pages.page(unquote(path[len(_RUNS) :])) if path.startswith(_RUNS) else None
        if found is None:
            return self._answer(404, b"There is no such run.", kind="text/plain")
        file, goes_on = found
        return self._answer(200, file.read_bytes(), goes_on=goes_on)

    def _answer(
        self, status: int, content: bytes, *, kind: str = "text/html", goes_on: bool = False, policy: str = ""
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        if policy:
            self.send_header("Content-Security-Policy", policy)
        if goes_on:
            self.send_header("Refresh", str(_REFRESH_SECONDS))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""
