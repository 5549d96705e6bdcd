"""The server in a container: its first process, which forks children as any server does, and passes on their bytes.

Where it can connect to its host, descriptors pass, and it serves as in the jail. Otherwise the container's streams are
its link, and what passes through goes through memory that no child has (`private_buffer`): a server that forks must not
hold checks, expected values or anything of an earlier candidate. The link's descriptors are closed in each child before
it reads anything.
"""

from __future__ import annotations

import _socket
import fcntl
import json
import os
import select
import struct
import sys
from typing import Any

from regreen.sandbox.guest.enclosure import enclose
from regreen.sandbox.guest.fork_server import ForkServer, serve_orders
from regreen.sandbox.guest.forking import FORKS_BEFORE_REHEARSAL, load_common_modules, make_forks_cheap
from regreen.sandbox.guest.link import frames
from regreen.sandbox.guest.link.frames import CHUNK, FRAME_BYTES, FRAME_HEADER, MAIN, PAGE_MILLISECONDS
from regreen.sandbox.guest.link.lane import Lane, Lanes, SharedPage, private_buffer
from regreen.sandbox.guest.roles import ROLES, PrepareRole
from regreen.sandbox.guest.server_orders import CPU_TIME, IMPORT, SPAWN

_IN, _OUT, _NEAR = 200, 201, 202
"""Where the link and the server's end of the child's connection lie: the same places for every child, which closes them
by their numbers."""
_GREETING_BYTES, _WORD_BYTES = 16, 64
_GIVEN = struct.Struct("2i")
"""Two descriptors, as they are passed (SCM_RIGHTS of unix(7))."""
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_SYSTEM_FOLDERS = (
    *("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/local/lib"),
    *("/etc/ld.so.cache", "/usr/share/zoneinfo"),
)


def main() -> None:
    """Take the link away from the standard streams, be enclosed, and serve until the host hangs up."""
    link = InnerLink()
    plan = json.loads(link.first())
    control, no_socket = connect_to_host(plan["socket"])
    tell = link.tell if control is None else lambda answer: control.send(json.dumps(answer).encode())
    roles = ROLES[plan["kind"]]()
    sys.dont_write_bytecode = True
    try:
        report = enclose.enclose_server({**plan, "layers": "container", "readable": readable_here()})
    except OSError as error:
        tell({"refused": str(error)})
        return
    if plan["cheap_forks"]:
        load_common_modules()
    tell({"ready": {**report, "python": list(sys.version_info[:3]), "no_socket": no_socket}})
    served = roles, report["scratch"], plan["kind"] if plan["cheap_forks"] else ""
    if control is None:
        ContainerForkServer(link, *served).carry()
    else:
        link.close()
        serve_orders(control, *served)


def connect_to_host(path: str | None) -> tuple[_socket.socket | None, str]:
    """The connection to a socket of the host's that is mounted there, and why there is none.

    The host sends a file and a socket along with its greeting, and wants the file's content back by the socket: so it
    is known of both sides whether descriptors pass. Nothing but this server was started in the container yet.
    """
    if path is None:
        return None, ""
    try:
        control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    except OSError as error:
        return None, str(error)
    try:
        control.connect(path)
        return_word(control)
    except OSError as error:
        control.close()
        return None, str(error)
    return control, ""


def return_word(control: _socket.socket) -> None:
    """Take what comes along with the greeting: a file, and the socket by which its content goes back."""
    greeting, rights, _, _ = control.recvmsg(_GREETING_BYTES, _socket.CMSG_SPACE(_GIVEN.size))
    if not rights:
        raise OSError("descriptors do not pass" if greeting else "the host has hung up")
    file, back = _GIVEN.unpack(rights[0][2])
    try:
        os.write(back, os.pread(file, _WORD_BYTES, 0))
    finally:
        os.close(file)
        os.close(back)


def readable_here() -> list[str]:
    """What a program in this container may read: its Python, the packages there, and the system's libraries."""
    roots = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable))}  # noqa: PTH120
    wanted = [*_SYSTEM_FOLDERS, *sys.path, sys.executable]
    wanted += [f"{root}/{part}" for root in sorted(roots) for part in ("lib", "lib64", "bin", "pyvenv.cfg")]
    there = [path for path in wanted if path.startswith("/") and os.path.exists(path)]  # noqa: PTH110
    return sorted({os.path.realpath(path) for path in there} | {os.path.normpath(path) for path in there})


class InnerLink:
    """The inner end of the link, over the streams that the container was started with."""

    def __init__(self) -> None:
        for old, new in ((0, _IN), (1, _OUT)):
            os.dup2(old, new, inheritable=False)
        null = os.open("/dev/null", os.O_RDWR)
        for standard in (0, 1):
            os.dup2(null, standard)
        os.close(null)
        self.incoming = private_buffer(2 * FRAME_BYTES)
        self.view = memoryview(self.incoming)
        self.have = 0
        """Bytes in `incoming`, from its beginning; `used` of them were read as frames."""
        self.used = 0
        self.outgoing = private_buffer(FRAME_HEADER.size + CHUNK)
        self.room = memoryview(self.outgoing)[FRAME_HEADER.size :]

    def first(self) -> bytes:
        """The first order."""
        while True:
            found = self.receive()
            content = bytes(found[0][2]) if found else b""
            self.forget()
            if content:
                return content

    def close(self) -> None:
        """Hang up: nothing more comes by the streams."""
        self.view.release()
        self.room.release()
        for part in (self.incoming, self.outgoing):
            part.close()
        os.close(_IN)
        os.close(_OUT)

    def receive(self) -> list[tuple[int, int, memoryview]]:
        """Read once; the frames that are whole, as kind, lane and content. They last until `forget`.

        When the host has hung up, nobody needs this container any more: it ends.
        """
        count = os.readv(_IN, [self.view[self.have :]])
        if not count:
            os._exit(0)
        self.have += count
        found, at = [], 0
        while self.have - at >= FRAME_HEADER.size:
            kind, lane, length = FRAME_HEADER.unpack_from(self.incoming, at)
            begin = at + FRAME_HEADER.size
            if begin + length > self.have:
                break
            found.append((kind, lane, self.view[begin : begin + length]))
            at = begin + length
        self.used = at
        return found

    def forget(self) -> None:
        """Make room for the next frames."""
        left = self.have - self.used
        if left and self.used:
            self.incoming.move(0, self.used, left)
        self.have, self.used = left, 0

    def send(self, kind: int, lane: int, content: bytes) -> None:
        """Send a frame whose content is no secret."""
        _write_all(memoryview(frames.frame(kind, lane, content)))

    def tell(self, answer: dict[str, Any]) -> None:
        """Answer an order."""
        self.send(frames.CONTROL, MAIN, json.dumps(answer).encode())

    def pass_on(self, lane: int, length: int) -> None:
        """Send the bytes of a lane that lie in `room`."""
        FRAME_HEADER.pack_into(self.outgoing, 0, frames.LANE_BYTES, lane, length)
        with memoryview(self.outgoing)[: FRAME_HEADER.size + length] as whole:
            _write_all(whole)


def _write_all(content: memoryview) -> None:
    try:
        while content:
            content = content[os.write(_OUT, content) :]
    except OSError:
        # The host is gone.
        os._exit(0)


class ContainerForkServer(ForkServer):
    """Forks one child at a time, as its base does, and carries the child's connections over the link."""

    def __init__(self, link: InnerLink, roles: dict[str, PrepareRole], scratch: str | None, rehearsal: str) -> None:
        super().__init__([_IN, _OUT, _NEAR], roles, scratch, settles=bool(rehearsal))
        self.rehearsal = rehearsal
        """What is rehearsed to make forks cheap; empty where they are not to be."""
        self.children_to_rehearsal = FORKS_BEFORE_REHEARSAL if rehearsal else 0
        self.link = link
        self.poll = select.poll()
        self.poll.register(_IN, select.POLLIN)
        self.lanes = Lanes(self.poll, link.send)
        self.page: SharedPage | None = None
        self.file: int | None = None
        """The memory file that is on its way."""
        self.is_naming = False
        """Whether the next order names modules to import."""

    def carry(self) -> None:
        """Serve until the host hangs up."""
        while True:
            for fd, events in self.poll.poll(PAGE_MILLISECONDS if self.page else None):
                if fd == _IN:
                    for kind, lane, content in self.link.receive():
                        self.obey(kind, lane, content)
                    self.link.forget()
                elif found := self.lanes.ready(fd, events):
                    self.read(*found)
            self.tell_page()

    def obey(self, kind: int, number: int, content: memoryview) -> None:
        """Do what a frame asks."""
        if kind == frames.CONTROL:
            self.answer(bytes(content))
        elif kind == frames.LANE:
            near, far = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
            self.lanes.add(number, near)
            self.lanes.open[MAIN].attach(far.detach())
        elif kind in (frames.FILE, frames.FILE_END, frames.PAGE):
            self.take_file(kind, content)
        elif kind == frames.PAGE_BYTES:
            if self.page is not None:
                self.page.change(bytes(content))
        else:
            self.lanes.obey(kind, number, content)

    def answer(self, order: bytes) -> None:
        """Obey an order of the host's, and answer it."""
        what = order[0]
        if self.is_naming:
            self.is_naming = False
            self.link.tell({"missing": self.import_modules(json.loads(order))})
        elif what == SPAWN:
            self.spawn(order)
        elif what == CPU_TIME:
            self.link.tell({"cpu": self.cpu_seconds()})
        elif what == IMPORT:
            self.is_naming = True
        else:
            told = self.reap(what)
            for number in list(self.lanes.open):
                self.end(number)
            self.forget_page()
            self.link.send(frames.CONTROL, MAIN, told)
            if self.children_to_rehearsal:
                self.count_child()

    def count_child(self) -> None:
        """Make forks cheap when so many children have ended that it will pay, and prepare what they need anew."""
        self.children_to_rehearsal -= 1
        if not self.children_to_rehearsal:
            make_forks_cheap(self.rehearsal)
            self.specs.clear()

    def spawn(self, order: bytes) -> None:
        """Fork a child."""
        spec = self.specs[order] if order in self.specs else self.spec_for(order)
        near, far = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        os.dup2(near.fileno(), _NEAR, inheritable=False)
        near.close()
        pid = spec.start(far.fileno())
        self.child = pid if pid > 0 else 0
        far.close()
        self.lanes.add(MAIN, _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, _NEAR))

    def read(self, number: int, lane: Lane) -> None:
        """Pass on what came from a lane's socket."""
        try:
            length = lane.sock.recv_into(self.link.room[: min(CHUNK, lane.window)], 0, _socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            length = 0
        if not length:
            self.end(number)
            return
        self.link.pass_on(number, length)
        self.lanes.count(lane, length)

    def end(self, number: int) -> None:
        """Tell the host that a lane has ended, and before that what its process has said by the page."""
        self.tell_page()
        self.lanes.end(number)

    def take_file(self, kind: int, content: memoryview) -> None:
        """Take a part of a file, or hand the whole of it over with the next bytes; or make a page that both see."""
        if kind == frames.FILE:
            self.file = os.memfd_create("regreen", os.MFD_ALLOW_SEALING) if self.file is None else self.file
            while content:
                content = content[os.write(self.file, content) :]
            return
        if kind == frames.FILE_END:
            fd, self.file = self.file, None
            fd = os.memfd_create("regreen", os.MFD_ALLOW_SEALING) if fd is None else fd
            fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS)
        else:
            self.forget_page()
            fd = os.memfd_create("regreen")
            os.ftruncate(fd, frames.PAGE_LENGTH)
            self.page = SharedPage(fd)
            self.page.change(bytes(content))
        self.lanes.open[MAIN].attach(fd)

    def tell_page(self) -> None:
        """Tell the host what has changed in the shared page."""
        if self.page is not None and (changes := self.page.changes()):
            self.link.send(frames.PAGE_BYTES, MAIN, changes)

    def forget_page(self) -> None:
        """Forget the page of a child that has ended."""
        if self.page is not None:
            self.page.close()
            self.page = None
