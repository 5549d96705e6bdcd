"""The guest's end of its connection: a bare descriptor, for a child that waits for ever and touches little memory.

A message is its length (four bytes, the lowest first) and then that many bytes.
"""

from __future__ import annotations

from os import read, write

HEADER_BYTES = 4
CHUNK = 4000
"""What is read in one go unless a message is known to be longer: a bigger buffer would reach over one page more."""
LONGEST_CHUNK = 1 << 20


class Closed(Exception):
    """The other end is gone."""


class Line:
    """Messages over a descriptor."""

    __slots__ = ("buffer", "fd")

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.buffer = b""

    def send(self, payload: bytes) -> None:
        """Send one message. Raises Closed when nobody reads it."""
        data = len(payload).to_bytes(HEADER_BYTES, "little") + payload
        try:
            while (sent := write(self.fd, data)) != len(data):
                data = data[sent:]
        except OSError as error:
            raise Closed(str(error)) from error

    def receive(self) -> bytes:
        """The next message. Raises Closed when there is none."""
        buffer, wanted = self.buffer, HEADER_BYTES
        while True:
            if len(buffer) >= wanted:
                end = HEADER_BYTES + (buffer[0] | buffer[1] << 8 | buffer[2] << 16 | buffer[3] << 24)
                if len(buffer) >= end:
                    self.buffer = buffer[end:]
                    return buffer[HEADER_BYTES:end]
                wanted = end
            try:
                chunk = read(self.fd, CHUNK if wanted <= CHUNK else min(wanted - len(buffer), LONGEST_CHUNK))
            except OSError as error:
                raise Closed(str(error)) from error
            if not chunk:
                raise Closed("the other end closed the connection")
            buffer = buffer + chunk if buffer else chunk
