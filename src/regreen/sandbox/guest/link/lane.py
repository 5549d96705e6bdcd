"""One end of a lane: a local socket, what waits to be written to it, and how much the other end still takes."""

from __future__ import annotations

import _socket
import mmap
import os
import select
import sys
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.link.frames import DELIVERED, HUNG_UP, LANE_BYTES, PAGE_LENGTH, PAGE_USED, WINDOW

_BUFFER_BYTES = 2 * WINDOW
_HALF_WINDOW = WINDOW // 2
_FD_BYTES = 4
_ORDER: Any = sys.byteorder


def private_buffer(size: int) -> mmap.mmap:
    """Memory that no forked child has: what passes through a server must not be found by its children."""
    buffer = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_DONTFORK"):
        buffer.madvise(mmap.MADV_DONTFORK)
    return buffer


class Lane:
    """A local socket, and the bytes and descriptors on their way to it."""

    __slots__ = (
        "buffer",
        "end",
        "fd",
        "fds",
        "gone",
        "last",
        "sock",
        "start",
        "taken",
        "undelivered",
        "view",
        "watched",
        "window",
    )

    def __init__(self, sock: _socket.socket) -> None:
        self.sock = sock
        self.fd = sock.fileno()
        self.buffer = private_buffer(_BUFFER_BYTES)
        self.view = memoryview(self.buffer)
        self.start = self.end = 0
        """Where in the buffer the bytes lie that wait."""
        self.taken = 0
        """Bytes that were taken in since the lane began."""
        self.fds: list[tuple[int, int]] = []
        """Descriptors to be handed over, each with the number of the byte that it goes along with."""
        self.window = WINDOW
        """How many bytes the other end still takes."""
        self.undelivered = 0
        """Bytes that were delivered, which the other end has not been told."""
        self.last = False
        """Whether no more bytes will come in."""
        self.gone = False
        """Whether nobody reads what is written here."""
        self.watched = False
        """Whether the socket is waited for."""

    def take(self, content: memoryview) -> None:
        """Queue bytes. Raises ValueError for more than the window."""
        if self.end + len(content) > _BUFFER_BYTES:
            self.buffer.move(0, self.start, self.end - self.start)
            self.start, self.end = 0, self.end - self.start
        if self.end + len(content) > _BUFFER_BYTES:
            raise ValueError("more bytes than the window")
        self.view[self.end : self.end + len(content)] = content
        self.end += len(content)
        self.taken += len(content)

    def attach(self, fd: int) -> None:
        """Hand over a descriptor with the next byte that is taken."""
        self.fds.append((self.taken, fd))

    def flush(self) -> None:
        """Write what the socket takes now."""
        while self.start < self.end and not self.gone:
            try:
                sent = self._write()
            except BlockingIOError:
                return
            except OSError:
                self.gone = True
                break
            self.start += sent
            self.undelivered += sent
        if self.gone:
            # As with a socket whose other end has gone: it swallows the rest.
            self.undelivered += self.end - self.start
        self.start = self.end = 0

    def _write(self) -> int:
        position = self.taken - (self.end - self.start)
        here = [fd for place, fd in self.fds if place <= position]
        stop = next((place for place, _ in self.fds if place > position), self.taken)
        content = self.view[self.start : self.start + stop - position]
        if not here:
            return self.sock.send(content, _socket.MSG_DONTWAIT)
        rights = b"".join(fd.to_bytes(_FD_BYTES, _ORDER) for fd in here)
        ancillary = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)]
        sent = self.sock.sendmsg([content], ancillary, _socket.MSG_DONTWAIT)
        self.fds = self.fds[len(here) :]
        for fd in here:
            os.close(fd)
        return sent

    def told(self) -> int:
        """How many bytes the other end is to be told of as delivered; 0 while it can wait."""
        if self.undelivered < _HALF_WINDOW:
            return 0
        count, self.undelivered = self.undelivered, 0
        return count

    @property
    def events(self) -> int:
        """What of the socket to wait for (poll(2))."""
        return (select.POLLIN if self.window > 0 else 0) | (select.POLLOUT if self.start < self.end else 0)

    @property
    def over(self) -> bool:
        """Whether the other end has hung up, and all that it sent is delivered."""
        return self.last and self.start == self.end

    def close(self) -> None:
        """Close the socket, and the descriptors that were not handed over."""
        self.sock.close()
        self.view.release()
        self.buffer.close()
        for _, fd in self.fds:
            os.close(fd)
        self.fds.clear()


class Lanes:
    """The lanes of one end of a link, and what its poll object waits for on their behalf."""

    def __init__(self, poll: Any, send: Callable[[int, int, bytes], None]) -> None:
        self.poll = poll
        self.send = send
        """Sends a frame: its kind, its lane and its content."""
        self.open: dict[int, Lane] = {}
        self.by_fd: dict[int, int] = {}

    def add(self, number: int, sock: _socket.socket) -> None:
        """Carry what comes from a socket, and bring what is for it."""
        lane = self.open[number] = Lane(sock)
        self.by_fd[lane.fd] = number
        self.watch(lane)

    def obey(self, kind: int, number: int, content: memoryview | bytes) -> None:
        """Do what a frame about a lane asks. Raises ValueError for more bytes than the window."""
        lane = self.open.get(number)
        if lane is None:
            # Its end was told, and crossed this frame on its way.
            return
        if kind == LANE_BYTES:
            lane.take(memoryview(content))
            self.flush(number, lane)
        elif kind == DELIVERED:
            lane.window += int.from_bytes(content[:4], "little")
            self.watch(lane)
        elif kind == HUNG_UP:
            lane.last = True
            if lane.over:
                self.drop(number)

    def ready(self, fd: int, events: int) -> tuple[int, Lane] | None:
        """Write what a socket takes now; returns its lane where there is something to read as well."""
        number = self.by_fd.get(fd)
        if number is None:
            return None
        lane = self.open[number]
        if events & select.POLLOUT:
            self.flush(number, lane)
        readable = events & ~select.POLLOUT and lane.window > 0 and number in self.open
        return (number, lane) if readable else None

    def count(self, lane: Lane, length: int) -> None:
        """So many bytes of a lane are on their way to the other end."""
        lane.window -= length
        if lane.window <= 0:
            self.watch(lane)

    def flush(self, number: int, lane: Lane) -> None:
        """Write what waits, and say what was delivered."""
        lane.flush()
        if count := lane.told():
            self.send(DELIVERED, number, count.to_bytes(4, "little"))
        if lane.over:
            self.drop(number)
        else:
            self.watch(lane)

    def watch(self, lane: Lane) -> None:
        """Wait for what the lane waits for; for nothing where it waits for the other end."""
        if events := lane.events:
            self.poll.register(lane.fd, events)
        elif lane.watched:
            # A socket that was hung up on would be reported for ever.
            self.poll.unregister(lane.fd)
        lane.watched = bool(events)

    def end(self, number: int) -> None:
        """A lane's socket was hung up on: tell the other end, and forget it."""
        self.drop(number)
        self.send(HUNG_UP, number, b"")

    def drop(self, number: int) -> None:
        """Forget a lane."""
        lane = self.open.pop(number)
        del self.by_fd[lane.fd]
        if lane.watched:
            self.poll.unregister(lane.fd)
        lane.close()


class SharedPage:
    """One end of a page of memory: says what has changed in it, and changes what the other end says."""

    __slots__ = ("known", "memory")

    def __init__(self, fd: int) -> None:
        self.memory = mmap.mmap(fd, PAGE_LENGTH)
        self.known = self.memory[:PAGE_USED]

    def changes(self) -> bytes:
        """What has changed since the last look, as a place and the bytes there; empty where nothing has."""
        now = self.memory[:PAGE_USED]
        if now == self.known:
            return b""
        places = [place for place in range(PAGE_USED) if now[place] != self.known[place]]
        self.known = now
        return places[0].to_bytes(2, "little") + now[places[0] : places[-1] + 1]

    def change(self, told: bytes) -> None:
        """Take over what the other end says. Raises ValueError where it lies outside the page."""
        place, content = int.from_bytes(told[:2], "little"), told[2:]
        if place + len(content) > PAGE_USED:
            raise ValueError("outside what is used of the page")
        self.memory[place : place + len(content)] = content
        self.known = self.known[:place] + content + self.known[place + len(content) :]

    def close(self) -> None:
        """Forget the page."""
        self.memory.close()
