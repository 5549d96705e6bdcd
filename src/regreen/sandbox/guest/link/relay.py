"""The host's end of a link: a process of its own that looks to its host like a server of the jail.

It passes on what the container sends, reads none of it, and believes none of it: frames of another form end it. It is a
process and no thread because a verdict waits for it some ten times, and a busy interpreter hands over a thread's turn
only every few milliseconds.
"""

from __future__ import annotations

import fcntl
import os
import select
import socket
import stat
import sys

from regreen.sandbox.guest.link import frames
from regreen.sandbox.guest.link.engine_frames import STDERR, STDOUT, take_whole_frames
from regreen.sandbox.guest.link.frames import CHUNK, FRAME_BYTES, FRAME_HEADER, MAIN, PAGE_MILLISECONDS
from regreen.sandbox.guest.link.lane import Lane, Lanes, SharedPage
from regreen.sandbox.guest.server_orders import SPAWN
from regreen.sandbox.guest.wire.connection import Connection, ConnectionClosed

_READ_BYTES = 1 << 18
_MOST_LAST_WORDS = 1 << 14
_FD_BYTES = 4
_RIGHTS_BYTES = socket.CMSG_SPACE(8 * _FD_BYTES)
_NO_SERVER = "the container sends what no server does"


class BrokenLink(Exception):
    """The container is gone, or sends what no server does."""


def main(control_fd: str, stream_fd: str) -> None:
    """Carry everything between the host's socket and the container's streams, until either hangs up."""
    control = Connection.from_fd(int(control_fd))
    stream = socket.socket(fileno=int(stream_fd))
    try:
        Relay(control, stream).run()
    except ConnectionClosed:
        pass
    except BrokenLink as error:
        sys.stderr.write(f"{error}\n")
    finally:
        # The container sees its input end, and ends.
        stream.close()


class Relay:
    """Both ends of everything: orders, lanes, files and the shared page."""

    def __init__(self, control: Connection, stream: socket.socket) -> None:
        self.control = control
        self.stream = stream
        self.stream.setblocking(False)
        self.unsent = bytearray()
        self.raw, self.linked = bytearray(), bytearray()
        """What came from the engine, and what of it the container wrote to its link."""
        self.said = 0
        self.next_lane = 1
        self.page: SharedPage | None = None
        self.poll = select.poll()
        self.poll.register(control.sock.fileno(), select.POLLIN)
        self.poll.register(stream.fileno(), select.POLLIN)
        self.lanes = Lanes(self.poll, self.send)

    def run(self) -> None:
        """Carry until somebody hangs up. Raises ConnectionClosed or BrokenLink."""
        while True:
            for fd, events in self.poll.poll(PAGE_MILLISECONDS if self.page else None):
                if fd == self.stream.fileno():
                    if events & select.POLLOUT:
                        self.send_unsent()
                    if events & ~select.POLLOUT:
                        self.read_stream()
                elif fd == self.control.sock.fileno():
                    self.take_order()
                elif found := self.lanes.ready(fd, events):
                    self.read(*found)
            self.tell_page()

    def take_order(self) -> None:
        """Pass on orders; one to fork comes with the child's end of its connection."""
        waiting = True
        while waiting:
            order = self.control.receive(with_fds=True)
            if order[:1] == bytes([SPAWN]):
                for number in list(self.lanes.open):
                    self.lanes.drop(number)
                self.forget_page()
                self.lanes.add(MAIN, _as_socket(self.control.take_fd()))
            self.send(frames.CONTROL, MAIN, order)
            waiting = bool(self.control.buffer)

    def read(self, number: int, lane: Lane) -> None:
        """Pass on what came from a lane's socket, and what came along with it."""
        try:
            content, rights, _, _ = lane.sock.recvmsg(min(CHUNK, lane.window), _RIGHTS_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            content, rights = b"", []
        for _, _, raw in rights:
            for place in range(0, len(raw) - len(raw) % _FD_BYTES, _FD_BYTES):
                self.pass_descriptor(int.from_bytes(raw[place : place + _FD_BYTES], sys.byteorder))
        if not content:
            self.lanes.end(number)
            return
        self.tell_page()
        self.send(frames.LANE_BYTES, number, content)
        self.lanes.count(lane, len(content))

    def pass_descriptor(self, fd: int) -> None:
        """Have the container make the like of a descriptor that comes with the next bytes."""
        if stat.S_ISSOCK(os.fstat(fd).st_mode):
            self.send(frames.LANE, self.free_lane(), b"")
            self.lanes.add(self.next_lane, _as_socket(fd))
            return
        if fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY or _is_sealed(fd):
            place = 0
            while part := os.pread(fd, CHUNK, place):
                self.send(frames.FILE, MAIN, part)
                place += len(part)
            self.send(frames.FILE_END, MAIN, b"")
        else:
            self.forget_page()
            self.page = SharedPage(fd)
            self.send(frames.PAGE, MAIN, bytes(2) + self.page.known)
        os.close(fd)

    def free_lane(self) -> int:
        """A number that no lane has."""
        for _ in range(frames.LANES):
            self.next_lane = self.next_lane % (frames.LANES - 1) + 1
            if self.next_lane not in self.lanes.open:
                return self.next_lane
        raise BrokenLink("more connections than a link has lanes")

    def read_stream(self) -> None:
        """Read what the engine passes on, and do what it says."""
        try:
            content = self.stream.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            raise BrokenLink(f"the connection to the engine failed: {error}") from error
        if not content:
            raise BrokenLink("the container ended, or the engine did")
        self.raw += content
        self.unpack_engine()
        self.unpack_link()

    def unpack_engine(self) -> None:
        """Sort what came by the stream that the container wrote it to."""
        try:
            found = take_whole_frames(self.raw)
        except ValueError as error:
            raise BrokenLink(str(error)) from error
        for which, content in found:
            if which == STDOUT:
                self.linked += content
            elif which == STDERR:
                self.say(content)

    def unpack_link(self) -> None:
        """Do what the whole frames say."""
        linked, at = self.linked, 0
        while len(linked) - at >= FRAME_HEADER.size:
            kind, number, length = FRAME_HEADER.unpack_from(linked, at)
            begin = at + FRAME_HEADER.size
            if length > FRAME_BYTES:
                raise BrokenLink(_NO_SERVER)
            if begin + length > len(linked):
                break
            self.obey(kind, number, bytes(linked[begin : begin + length]))
            at = begin + length
        del linked[:at]

    def say(self, text: bytes) -> None:
        """Keep the beginning of what the container says of itself for its host."""
        room = _MOST_LAST_WORDS - self.said
        self.said += len(text)
        if room > 0:
            os.write(2, text[:room])

    def obey(self, kind: int, number: int, content: bytes) -> None:
        """Do what a frame says."""
        try:
            if kind == frames.CONTROL:
                self.control.send(content)
            elif kind in (frames.LANE_BYTES, frames.HUNG_UP, frames.DELIVERED):
                self.lanes.obey(kind, number, content)
            elif kind == frames.PAGE_BYTES and self.page is not None:
                self.page.change(content)
            elif kind != frames.PAGE_BYTES:
                raise BrokenLink(_NO_SERVER)
        except ValueError as error:
            raise BrokenLink(_NO_SERVER) from error

    def tell_page(self) -> None:
        """Tell the container what has changed in the shared page."""
        if self.page is not None and (changes := self.page.changes()):
            self.send(frames.PAGE_BYTES, MAIN, changes)

    def forget_page(self) -> None:
        """Forget the page of a child that has ended."""
        if self.page is not None:
            self.page.close()
            self.page = None

    def send(self, kind: int, lane: int, content: bytes) -> None:
        """Send a frame."""
        self.queue(frames.frame(kind, lane, content))

    def queue(self, content: bytes) -> None:
        """Send to the container, at once or as soon as it takes more: reading must never wait for writing."""
        if not self.unsent:
            try:
                content = content[self.stream.send(content) :]
            except BlockingIOError:
                pass
            except OSError as error:
                raise BrokenLink(f"the container is gone: {error}") from error
        if content:
            self.unsent += content
            self.poll.modify(self.stream.fileno(), select.POLLIN | select.POLLOUT)

    def send_unsent(self) -> None:
        """Send more of what waits."""
        try:
            del self.unsent[: self.stream.send(self.unsent)]
        except BlockingIOError:
            return
        except OSError as error:
            raise BrokenLink(f"the container is gone: {error}") from error
        if not self.unsent:
            self.poll.modify(self.stream.fileno(), select.POLLIN)


def _as_socket(fd: int) -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fd)


def _is_sealed(fd: int) -> bool:
    """Whether nobody can write to a memory file any more (F_GET_SEALS of fcntl(2))."""
    if not hasattr(fcntl, "F_GET_SEALS"):
        return False
    try:
        return bool(fcntl.fcntl(fd, fcntl.F_GET_SEALS) & fcntl.F_SEAL_WRITE)
    except OSError:
        return False
