"""The server: a small, clean process that forks the ones which hold hostile text.

It never reads what its children are sent: descriptors are passed on unread, so that its memory, which every child
starts with, holds no checks, no expected values and nothing of an earlier candidate.

After each fork(2) the first write to a page costs a fault, here as in the child, and using an object writes to its
reference count. So what happens between two forks is kept short, and works with few objects that are ready.
"""

from __future__ import annotations

import _socket
import json
import os
import signal
import sys
import time
from os import close

from regreen.sandbox.guest.enclosure import enclose
from regreen.sandbox.guest.enclosure.raw_output import RawOutput
from regreen.sandbox.guest.enclosure.scratch import ScratchFolder
from regreen.sandbox.guest.enclosure.system_calls import end_child, fork, last_usage, unlock
from regreen.sandbox.guest.forking import FORKS_BEFORE_REHEARSAL, load_common_modules, make_forks_cheap
from regreen.sandbox.guest.roles import ROLES, PrepareRole
from regreen.sandbox.guest.server_orders import (
    CPU_TIME,
    IMPORT,
    INTERNAL_ERROR_STATUS,
    ORDER_BYTES,
    REAP_BRIEFLY,
    REAP_GONE,
    SPAWN,
)

_PLAN_BYTES = 1 << 20
_RIGHTS_BYTES = _socket.CMSG_SPACE(4)
"""Room for one descriptor, passed by SCM_RIGHTS (unix(7), cmsg(3))."""
_LOW = 0 if sys.byteorder == "little" else 3
"""Which byte of a passed descriptor's number is read: it is below 256, since a server has few."""
_KEPT_SPECS = 16
"""Child specifications that are kept: a host sends few different orders."""
_EXIT_MILLISECONDS = 100
_SIGKILL = int(signal.SIGKILL)
_KEPT_BYTES = 1 << 14
"""Bytes of a traceback of ours that are sent to the host."""
_KILLED = b'{"status": null, "cpu": 0, "memory": 0, "text": "", "spoilt": false}'
"""The answer for a child that was still running, and had written nothing to its raw descriptors."""


def main(fd: str, kind: str) -> None:
    """Enclose this process, and serve orders until the host hangs up.

    What its children need (those of "guests", "checks" or "screens") is loaded before the host has said how it is to
    be enclosed.
    """
    control = _socket.socket(fileno=int(fd))
    roles = ROLES[kind]()
    order = control.recv(_PLAN_BYTES)
    if not order:
        return
    plan = json.loads(order)
    sys.path[:] = plan["path"]
    # From here on, imports are of modules that are not ours, or are made in children, which may not write bytecode.
    sys.dont_write_bytecode = True
    try:
        report = enclose.enclose_server(plan)
    except OSError as error:
        control.send(json.dumps({"refused": str(error)}).encode())
        return
    if report["scratch"]:
        os.environ.update(HOME=report["scratch"], TMPDIR=report["scratch"])
    if plan["cheap_forks"]:
        load_common_modules()
    control.send(json.dumps({"ready": report}).encode())
    serve_orders(control, roles, report["scratch"], kind if plan["cheap_forks"] else "")


def serve_orders(control: _socket.socket, roles: dict[str, PrepareRole], scratch: str | None, rehearsal: str) -> None:
    """Serve the orders that come from a socket until the host hangs up.

    `rehearsal`: the kind of server whose rehearsal makes later forks cheap; empty where they are not to be.
    """
    kept = [control.fileno()]
    if not rehearsal:
        ForkServer(kept, roles, scratch).serve(control)
    elif ForkServer(kept, roles, scratch, settles=True).serve(control, FORKS_BEFORE_REHEARSAL):
        make_forks_cheap(rehearsal)
        # A new one: what it touches between two forks then lies side by side, in the memory that was just arranged.
        ForkServer(kept, roles, scratch, settles=True).serve(control)


def wait_for_end(pid: int, milliseconds: int) -> bool:
    """Wait until a child has ended or the time is over; returns whether it has ended (pidfd_open(2))."""
    import select

    watch = select.poll()
    try:
        fd = os.pidfd_open(pid)
    except OSError:
        # gVisor has no such descriptors: look every millisecond.
        return any(_has_ended(pid) or watch.poll(1) for _ in range(milliseconds))
    watch.register(fd, select.POLLIN)
    ended = bool(watch.poll(milliseconds))
    os.close(fd)
    return ended


def _has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class ChildSpec:
    """What a child is to be, worked out before it is forked: its role, and the limits that enclose it."""

    __slots__ = ("enclosure", "perform")

    def __init__(self, order: bytes, roles: dict[str, PrepareRole], closing: list[int]) -> None:
        request = json.loads(order[1:])
        self.perform = roles[request["role"]](request["limits"])
        self.enclosure = enclose.ChildEnclosure(request["limits"], closing)

    def start(self, fd: int) -> int:
        """Fork the child, and return its pid; in the child, be enclosed further, play the role, and exit."""
        pid: int = fork()
        if pid:
            return pid
        status = INTERNAL_ERROR_STATUS
        try:
            self.enclosure.enclose()
            self.perform(fd)
            status = 0
        except BaseException:  # noqa: BLE001  a fault of ours: the host reads it from the child's output
            import traceback

            os.write(2, traceback.format_exc()[-_KEPT_BYTES:].encode("utf-8", "replace"))
        finally:
            os._exit(status)


class ForkServer:
    """Forks one child at a time and reaps all that came of it."""

    def __init__(
        self, kept_fds: list[int], roles: dict[str, PrepareRole], scratch: str | None, *, settles: bool = False
    ) -> None:
        self.kept_fds = kept_fds
        """Descriptors of the server's own, which its children close."""
        self.roles = roles
        self.scratch = ScratchFolder(scratch) if scratch else None
        self.settles = settles
        """Whether memory is arranged for forks whenever more was imported."""
        self.child = 0
        self.specs: dict[bytes, ChildSpec] = {}
        """Child specifications by the order that asks for them."""
        self.output = RawOutput()

    def serve(self, control: _socket.socket, children: int = 0) -> bool:
        """Serve the orders that come from a socket until the host hangs up, or until so many children have ended.

        Returns whether the host is still there. Without a number, only the host ends it.
        """
        while True:
            order, rights, _, _ = control.recvmsg(ORDER_BYTES, _RIGHTS_BYTES)
            if not order:
                return False
            what = order[0]
            if what == SPAWN:
                spec = self.specs[order] if order in self.specs else self.spec_for(order)
                fd = rights[0][2][_LOW]
                pid = spec.start(fd)
                self.child = pid if pid > 0 else 0
                close(fd)
            elif what == CPU_TIME:
                control.send(json.dumps({"cpu": self.cpu_seconds(), "child": self.child}).encode())
            elif what == IMPORT:
                names = json.loads(control.recv(_PLAN_BYTES))
                control.send(json.dumps({"missing": self.import_modules(names)}).encode())
            else:
                control.send(self.reap(what))
                if children == 1:
                    self.output.close()
                    return True
                children -= children > 0

    def spec_for(self, order: bytes) -> ChildSpec:
        """Prepare a child specification for a new order, and keep it."""
        if len(self.specs) == _KEPT_SPECS:
            self.specs.clear()
        spec = self.specs[order] = ChildSpec(order, self.roles, [*self.kept_fds, self.output.fd])
        return spec

    def import_modules(self, names: list[str]) -> dict[str, str]:
        """Import modules for all later children; returns why each failed that did."""
        missing = {}
        for name in names:
            try:
                __import__(name)
            except Exception as error:  # noqa: BLE001  whatever a module of the environment raises, it cannot be had
                missing[name] = str(error) or type(error).__name__
        if self.settles:
            make_forks_cheap()
        return missing

    def cpu_seconds(self) -> float:
        """CPU seconds of the child so far, by its own clock; none where there is no child."""
        if not self.child:
            return 0.0
        try:
            # The CPU clock of another process by its pid, as clock_getcpuclockid(3) makes it: MAKE_PROCESS_CPUCLOCK
            # with CPUCLOCK_SCHED of the kernel's linux/posix-timers.h.
            return time.clock_gettime((~self.child << 3) | 2)
        except OSError:
            return 0.0

    def reap(self, how: int) -> bytes:
        """End the child and all its descendants, and tell how the child had ended by itself, if it had.

        A process that dies closes its connection a little before it can be waited for: with REAP_GONE, it
        gets the time for that. With REAP_BRIEFLY, the usage of a child that was still running is left out.
        """
        pid, self.child = self.child, 0
        if not pid:
            return b'{"failed": "the child could not be forked"}'
        ended = how == REAP_GONE and wait_for_end(pid, _EXIT_MILLISECONDS)
        status = end_child(pid)
        # The standard input is the server's own: a lock on it, or a flag, would outlive the child that set it.
        unlock(0, self.output.fd)
        text, spoilt = self.output.take(), False
        if self.scratch is not None:
            try:
                self.scratch.tidy()
            except OSError:
                spoilt = True
        if how == REAP_BRIEFLY and status == _SIGKILL and not text and not spoilt:
            return _KILLED
        spent, kibibytes = last_usage()
        end = {"status": status if ended or status != _SIGKILL else None, "cpu": spent, "memory": kibibytes << 10}
        return json.dumps({**end, "text": text, "spoilt": spoilt}).encode()
