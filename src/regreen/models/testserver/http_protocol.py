"""The part of HTTP/1.1 that clients of a chat service use: requests with a length, replies whole or in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

MAX_HEAD_BYTES = 1 << 16
_MAX_BODY_BYTES = 64 << 20
_CLOSE = "close"


class UnreadableRequest(Exception):
    """A request that cannot be read to its end; `status` is the answer to it."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request."""

    method: str
    path: str
    """Without a query."""
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes = b""

    @property
    def key(self) -> str:
        """The bearer token; "" where none is given."""
        scheme, _, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() if scheme.lower() == "bearer" else ""

    @property
    def last(self) -> bool:
        """Whether the client wants the connection closed after the reply."""
        return self.headers.get("connection", "").lower() == _CLOSE


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One reply."""

    status: int
    body: bytes
    """The bytes sent, with the framing of chunks where there are any."""
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_the_last(self) -> HttpResponse:
        """The reply with the header that closes the connection after it."""
        return replace(self, headers={**self.headers, "Connection": _CLOSE})

    @property
    def head(self) -> bytes:
        """The status line and headers, encoded."""
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        if "Transfer-Encoding" not in self.headers:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode("latin-1")


def chunked(parts: Iterable[bytes]) -> bytes:
    """The parts as the chunks of a body of unknown length."""
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """The next request of a connection; None where the client has hung up. Raises Unreadable."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        request = _parse_head(head.decode("latin-1"))
        length = _content_length(request)
        return request if not length else _with_body(request, await reader.readexactly(length))
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise UnreadableRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from None


def _parse_head(head: str) -> HttpRequest:
    first, *rest = head.rstrip("\r\n").split("\r\n")
    words = first.split(" ")
    fields = [line.partition(":") for line in rest]
    if len(words) != 3 or not all(colon for _, colon, _ in fields):
        raise UnreadableRequest(HTTPStatus.BAD_REQUEST)
    headers = {name.lower(): value.strip() for name, _, value in fields}
    return HttpRequest(words[0], words[1].partition("?")[0], headers)


def _content_length(request: HttpRequest) -> int:
    if "transfer-encoding" in request.headers:
        raise UnreadableRequest(HTTPStatus.LENGTH_REQUIRED)
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()):
        raise UnreadableRequest(HTTPStatus.BAD_REQUEST)
    if len(length) > len(str(_MAX_BODY_BYTES)) or int(length) > _MAX_BODY_BYTES:
        raise UnreadableRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return int(length)


def _with_body(request: HttpRequest, body: bytes) -> HttpRequest:
    return HttpRequest(request.method, request.path, request.headers, body)
