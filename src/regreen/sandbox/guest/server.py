"""The server: a small, clean process that forks the ones which hold hostile text.

It never reads what its children are sent: descriptors are passed on unread, so that its memory, which every child
starts with, holds no checks, no expected values and nothing of an earlier candidate.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest import enclosure, warm

Plain = dict[str, Any]
Roles = dict[str, Callable[[int, Plain], None]]
MESSAGE_BYTES = 1 << 20
DYING_MILLISECONDS = 100
KEPT_BYTES = 1 << 14
"""Bytes of a child's raw output that are told to the host."""

fork = ctypes.PyDLL(None).fork
"""The C library's own: os.fork would run Python's hooks for forks in the child, which touch a hundred pages to re-seed
`random` and to clean up after threads. A server has one thread, and children seed `random` when their text asks for it.
Answers -1 where it fails."""


def main(fd: str) -> None:
    """Enclose this process, warm it up, and serve orders until the host hangs up."""
    control = socket.socket(fileno=int(fd))
    plan = json.loads(control.recv(MESSAGE_BYTES))
    sys.path[:] = plan["path"]
    roles = ROLES[plan["kind"]]()
    warm.load_modules(plan["kind"])
    try:
        report = enclosure.enclose_server(plan)
    except OSError as error:
        control.send(json.dumps({"refused": str(error)}).encode())
        return
    if report["scratch"]:
        os.environ.update(HOME=report["scratch"], TMPDIR=report["scratch"])
    warm.exercise(plan["kind"])
    gc.collect()
    gc.freeze()
    gc.disable()
    control.send(json.dumps({"ready": report}).encode())
    Server(control, roles, report["scratch"]).serve()


def guest_roles() -> Roles:
    """What a server for guests becomes: it stays small, since each candidate pays for a copy of it."""
    from regreen.sandbox.guest import serve

    return {"guest": serve.main}


def check_roles() -> Roles:
    """What a server becomes whose children run checks."""
    from regreen.sandbox.guest import judge, screen, shared

    return {"judge": judge.main, "shared": shared.main, "screener": screen.main}


ROLES = {"guests": guest_roles, "checks": check_roles}


def load(modules: list[str]) -> Plain:
    """Import modules that the children will need (pytest, say); tells which could not be."""
    missing = {}
    for name in modules:
        try:
            __import__(name)
        except ImportError as error:
            missing[name] = str(error)
    gc.collect()
    gc.freeze()
    return {"missing": missing}


def wait_for_end(pid: int, milliseconds: int) -> None:
    """Wait until a child has ended, or the time is over."""
    fd = os.pidfd_open(pid)
    watch = select.poll()
    watch.register(fd, select.POLLIN)
    watch.poll(milliseconds)
    os.close(fd)


class Server:
    """Forks one child at a time and reaps all that came of it."""

    def __init__(self, control: socket.socket, roles: Roles, scratch: str | None) -> None:
        self.control = control
        self.roles = roles
        self.scratch = scratch
        self.child = 0
        self.output = os.memfd_create("output")
        """What the child prints past its own streams; it is emptied after each."""
        os.dup2(self.output, 1)
        os.dup2(self.output, 2)

    def serve(self) -> None:
        """Obey until the host is gone."""
        while True:
            data, fds, _, _ = socket.recv_fds(self.control, MESSAGE_BYTES, 4)
            if not data:
                return
            order = json.loads(data)
            if order["do"] == "spawn":
                self.spawn(order, fds)
            elif order["do"] == "clock":
                self.reply({"cpu": self.cpu_seconds()})
            elif order["do"] == "import":
                self.reply(load(order["modules"]))
            else:
                self.reply(self.reap(gone=order["gone"]))

    def reply(self, message: Plain) -> None:
        """Answer the host."""
        self.control.send(json.dumps(message).encode())

    def spawn(self, order: Plain, fds: list[int]) -> None:
        """Fork a child in a role; its only descriptors are its connection and a capped file for what it prints."""
        pid = fork()
        if pid == 0:
            self.become(order, fds[0])
        self.child = max(pid, 0)
        for fd in fds:
            os.close(fd)

    def become(self, order: Plain, fd: int) -> None:
        """Be the child: enclosed further, in its role, and gone when the role ends."""
        status = 70
        try:
            os.close(self.control.fileno())
            os.close(self.output)
            enclosure.enclose_child(order["limits"])
            gc.enable()
            self.roles[order["role"]](fd, order["limits"])
            status = 0
        except BaseException:  # noqa: BLE001  a fault of ours: the host reads it from the child's output
            os.write(2, traceback.format_exc()[-KEPT_BYTES:].encode("utf-8", "replace"))
        finally:
            os._exit(status)

    def cpu_seconds(self) -> float:
        """CPU time of the child so far, by its own clock; none where there is no child."""
        if not self.child:
            return 0.0
        try:
            return time.clock_gettime((~self.child << 3) | 2)
        except OSError:
            return 0.0

    def reap(self, *, gone: bool) -> Plain:
        """End the child and everything that came of it, and tell how the child had ended by itself, if it had.

        A process that dies closes its connection a little before it can be waited for: where that was seen, it gets the
        time to be gone.
        """
        if not self.child:
            return {"failed": "the child could not be forked"}
        if gone:
            wait_for_end(self.child, DYING_MILLISECONDS)
        ended = os.waitid(os.P_PID, self.child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        os.kill(self.child, signal.SIGKILL)
        _, status, usage = os.wait4(self.child, 0)
        enclosure.end_all_others()
        if self.scratch:
            enclosure.clear_folder(self.scratch)
        size = os.fstat(self.output).st_size
        report = {
            "status": status if ended is not None else None,
            "cpu": usage.ru_utime + usage.ru_stime,
            "memory": usage.ru_maxrss << 10,
            "printed": size,
            "text": os.pread(self.output, KEPT_BYTES, 0).decode("utf-8", "replace") if size else "",
        }
        if size:
            os.ftruncate(self.output, 0)
        os.lseek(self.output, 0, os.SEEK_SET)
        self.child = 0
        return report
