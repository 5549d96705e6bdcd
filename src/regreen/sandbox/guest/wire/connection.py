"""Messages over a stream socket: a length, then that many bytes. Nothing here trusts the other end."""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import time
from collections.abc import Sequence
from typing import Any

_HEADER = struct.Struct("<I")
MESSAGE_BYTES = 24 << 20
"""The longest message that is read; announcing a longer one is the sender's failure."""
_CHUNK_BYTES = 1 << 13
"""What is read in one go unless a message is known to be longer: most are far shorter."""
_LONGEST_CHUNK_BYTES = 1 << 20
_TIMEVAL = struct.Struct("ll")
"""struct timeval: seconds and microseconds."""
_FD_BYTES = 4
_FDS_BYTES = socket.CMSG_SPACE(8 * _FD_BYTES)


class WireError(Exception):
    """The other end did not keep to the form of messages."""


class ConnectionClosed(WireError):
    """The other end is gone."""


class Overdue(WireError):
    """No message, or only part of one, came within the timeout."""


class Oversize(WireError):
    """The message that was announced is longer than allowed."""


class Connection:
    """One end of a connection over a stream socket."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.buffer = b""
        self.fds: list[int] = []
        self.timeout_seconds = 0.0
        """Seconds that `receive` waits without receiving anything; 0 for ever."""

    @classmethod
    def from_fd(cls, fd: int) -> Connection:
        """Take over an inherited descriptor."""
        # With family and kind given, the library need not ask the kernel.
        return cls(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fd))

    def set_timeout(self, seconds: float) -> None:
        """Bound every wait that follows (SO_RCVTIMEO of socket(7)); 0 waits for ever."""
        if seconds != self.timeout_seconds:
            self.timeout_seconds = seconds
            whole = int(seconds)
            timeout = _TIMEVAL.pack(whole, max(1, int((seconds - whole) * 1e6)) if seconds else 0)
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeout)

    def send(self, payload: bytes, *fds: int) -> None:
        """Send one message. Raises ConnectionClosed when nobody reads it."""
        data = _HEADER.pack(len(payload)) + payload
        try:
            if fds:
                rights = b"".join(fd.to_bytes(_FD_BYTES, sys.byteorder) for fd in fds)
                sent = self.sock.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
                data = data[sent:]
            if data:
                self.sock.sendall(data)
        except OSError as error:
            raise ConnectionClosed(str(error)) from error

    def send_all(self, payloads: Sequence[bytes]) -> None:
        """Send several messages in one go. Raises ConnectionClosed when nobody reads them."""
        try:
            self.sock.sendall(b"".join(_HEADER.pack(len(payload)) + payload for payload in payloads))
        except OSError as error:
            raise ConnectionClosed(str(error)) from error

    def receive(self, *, limit: int = MESSAGE_BYTES, with_fds: bool = False) -> bytes:
        """The next message. Raises ConnectionClosed, Overdue or Oversize."""
        buffer = self.buffer
        if len(buffer) < _HEADER.size:
            buffer = self._fill(buffer, _HEADER.size, with_fds)
        (length,) = _HEADER.unpack_from(buffer)
        if length > limit:
            raise Oversize(f"a message of {length:,} bytes; at most {limit:,} are read")
        end = _HEADER.size + length
        if len(buffer) < end:
            buffer = self._fill(buffer, end, with_fds)
        self.buffer = buffer[end:]
        return buffer[_HEADER.size : end]

    def _fill(self, start: bytes, wanted: int, with_fds: bool) -> bytes:
        chunks, have = [start] if start else [], len(start)
        deadline = time.monotonic() + self.timeout_seconds if self.timeout_seconds else None
        while have < wanted:
            try:
                chunk = self._read(max(_CHUNK_BYTES, min(wanted - have, _LONGEST_CHUNK_BYTES)), with_fds)
            except Overdue:
                # What has come stays, so that the wait can be taken up again.
                self.buffer = b"".join(chunks)
                raise
            if not chunk:
                raise ConnectionClosed("the other end closed the connection")
            chunks.append(chunk)
            have += len(chunk)
            if deadline is not None and have < wanted and time.monotonic() > deadline:
                self.buffer = b"".join(chunks)
                raise Overdue("a message came only in part")
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def _read(self, size: int, with_fds: bool) -> bytes:
        try:
            if not with_fds:
                return self.sock.recv(size)
            data, rights, _, _ = self.sock.recvmsg(size, _FDS_BYTES)
            if rights:
                self._keep(rights)
            return data
        except BlockingIOError as error:
            raise Overdue("no message came in time") from error
        except OSError as error:
            raise ConnectionClosed(str(error)) from error

    def _keep(self, rights: list[tuple[int, int, bytes]]) -> None:
        """Keep the descriptors that came with a message (SCM_RIGHTS of unix(7))."""
        for level, kind, raw in rights:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                whole = len(raw) - len(raw) % _FD_BYTES
                parts = (raw[at : at + _FD_BYTES] for at in range(0, whole, _FD_BYTES))
                self.fds.extend(int.from_bytes(part, sys.byteorder) for part in parts)

    def take_fd(self) -> int:
        """The oldest descriptor received and not yet taken. Raises WireError when there is none."""
        if not self.fds:
            raise WireError("no descriptor came with the message")
        return self.fds.pop(0)

    def send_json(self, message: Any, *fds: int) -> None:
        """Send plain data as JSON."""
        self.send(json.dumps(message).encode("ascii"), *fds)

    def receive_json(self, *, limit: int = MESSAGE_BYTES, with_fds: bool = False) -> Any:
        """The next message as JSON. Raises WireError when it is none."""
        try:
            # As text: for bytes, json would first detect their encoding.
            return json.loads(self.receive(limit=limit, with_fds=with_fds).decode())
        except (ValueError, RecursionError) as error:
            raise WireError(f"not JSON: {error}") from error

    def close(self) -> None:
        """Close the socket and every descriptor that nobody took."""
        self.sock.close()
        while self.fds:
            os.close(self.fds.pop())
