"""The guest's end of its connection: a bare descriptor, for a child that waits without limit and touches little memory.

A message is its length (four bytes, the lowest first) and then that many bytes.
"""

from __future__ import annotations

from os import read, write

_HEADER_BYTES = 4
_CHUNK_BYTES = 4000
"""What is read in one go unless a message is known to be longer: a bigger buffer would reach over one page more."""
_LONGEST_CHUNK_BYTES = 1 << 20


class HangUp(Exception):
    """The other end is gone."""


class GuestConnection:
    """Messages over a descriptor."""

    __slots__ = ("buffer", "fd")

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.buffer = b""

    def send(self, payload: bytes) -> None:
        """Send one message. Raises HangUp when nobody reads it."""
        data = len(payload).to_bytes(_HEADER_BYTES, "little") + payload
        try:
            while (sent := write(self.fd, data)) != len(data):
                data = data[sent:]
        except OSError as error:
            raise HangUp(str(error)) from error

    def receive(self) -> bytes:
        """The next message. Raises HangUp when there is none."""
        buffer, wanted = self.buffer, _HEADER_BYTES
        while True:
            if len(buffer) >= wanted:
                end = _HEADER_BYTES + (buffer[0] | buffer[1] << 8 | buffer[2] << 16 | buffer[3] << 24)
                if len(buffer) >= end:
                    self.buffer = buffer[end:]
                    return buffer[_HEADER_BYTES:end]
                wanted = end
            try:
                chunk = read(
                    self.fd, _CHUNK_BYTES if wanted <= _CHUNK_BYTES else min(wanted - len(buffer), _LONGEST_CHUNK_BYTES)
                )
            except OSError as error:
                raise HangUp(str(error)) from error
            if not chunk:
                raise HangUp("the other end closed the connection")
            buffer = buffer + chunk if buffer else chunk
