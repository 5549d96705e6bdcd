"""The guard: the outer half of an enclosed server, which holds nothing and only waits.

It ends the inner half when the host dies or on SIGTERM, makes the scratch folder if that lies on the host, removes it
afterwards, and ends as the inner half ended, so that the host can wait for it as if it were the server. If the guard
itself is killed, the kernel kills the inner half (PR_SET_PDEATHSIG of prctl(2); a pid namespace's first process takes
all others with it, pid_namespaces(7)).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from regreen.sandbox.guest.enclosure import landlock, system_calls
from regreen.sandbox.guest.enclosure.scratch import clear_folder

_HIGHEST_FD = 1 << 20
"""The default of fs.nr_open, the most descriptors that a process may have (proc(5))."""

_lifeline: int | None = None
"""In the inner half: the reading end of a pipe whose only writer is the guard."""


def split_off_server(plan: Mapping[str, Any], *, domain: int | None) -> None:
    """Fork: the parent stays behind as the guard, the child returns as the server.

    `domain`: a Landlock ruleset that the guard first applies to itself, so that it can kill its descendants and nothing
    else.
    """
    global _lifeline
    parent = os.getppid()
    if parent != plan.get("host_pid", parent):
        os._exit(0)
    host = os.pidfd_open(parent)
    if domain is not None:
        system_calls.prctl("process", system_calls.PR_SET_CHILD_SUBREAPER, 1)
        system_calls.prctl("no_new_privs", system_calls.PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict(domain)
        landlock.make_sure_of_scopes(parent)
        os.close(domain)
    scratch = plan.get("scratch")
    reader, writer = os.pipe()
    if scratch is not None:
        # Made no earlier: until here nobody would remove it if the host died.
        os.mkdir(scratch, 0o700)  # noqa: PTH102
    server = os.fork()
    if server:
        _guard(server, host, writer, owns_all=domain is not None, scratch=scratch)
    os.close(writer)
    os.close(host)
    # A process group shared with the guard would let the program signal it (pid 0 of kill(2)), even from a pid
    # namespace.
    os.setsid()
    _lifeline = reader
    system_calls.set_name(b"regreen-server")
    keep = plan.get("keep_fds")
    if keep is not None:
        close_all_but({0, 1, 2, reader, *keep})


def die_with_parent() -> None:
    """Have the kernel kill this process when the guard ends (PR_SET_PDEATHSIG), and exit if it has ended already.

    The signal is only sent for an end that comes after the call: the pipe shows one before it.
    """
    system_calls.prctl("process", system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)
    if _lifeline is not None:
        os.set_blocking(_lifeline, False)
        # Nothing is ever written there: what can be read is the end, and while the guard lives there is nothing.
        with suppress(BlockingIOError):
            os.read(_lifeline, 1)
            os._exit(0)
        os.close(_lifeline)


def close_all_but(keep: set[int]) -> None:
    """Close every descriptor that is not in `keep`."""
    start = 0
    for descriptor in sorted(keep):
        # CPython 3.11 takes the empty range at 0 for all descriptors.
        if descriptor > start:
            os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, _HIGHEST_FD)


def tasks_of(uid: int) -> int:
    """Number of threads of `uid` on this machine now; 0 where /proc cannot be read."""
    count = 0
    with suppress(OSError):
        for entry in os.scandir("/proc"):
            with suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))  # noqa: PTH208 - half the cost of a Path, for every process
    return count


class _EndRequested(Exception):
    """SIGTERM arrived: the enclosure is to be ended."""


def _stop_waiting(_number: int, _frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _EndRequested


def _guard(server: int, host: int, lifeline: int, *, owns_all: bool, scratch: str | None) -> NoReturn:
    """Wait for the server and the host; never returns to the caller's code."""
    status = 0
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        system_calls.set_name(b"regreen-guard")
        inner = os.pidfd_open(server)
        close_all_but({0, 1, 2, inner, lifeline, host})
        with suppress(_EndRequested):
            signal.signal(signal.SIGTERM, _stop_waiting)
            _wait(inner, host)
        with suppress(ProcessLookupError):
            os.kill(server, signal.SIGKILL)
        status = os.waitpid(server, 0)[1]
        if owns_all:
            _end_the_rest()
        if scratch is not None:
            with suppress(OSError):
                clear_folder(scratch)
                os.rmdir(scratch)  # noqa: PTH106
        _end_like(status)
    finally:
        os._exit(1)


def _wait(*handles: int) -> None:
    # Loaded late: the server and all its children would carry it along.
    import select

    poll = select.poll()
    for handle in handles:
        poll.register(handle, select.POLLIN)
    poll.poll()


def _end_the_rest() -> None:
    with suppress(ChildProcessError):
        while True:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(-1, signal.SIGKILL)
            os.waitpid(-1, 0)


def _end_like(status: int) -> None:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    if -code not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
