"""Shutting a server in, and then each of its children once more, before any hostile byte is read.

`enclose_server` splits the process in two. The outer half becomes a *guard*: it does nothing but wait, takes the inner
half down when the host dies, and ends as the inner half ends. The inner half returns from the call, enclosed:

 - with *namespaces* it is PID 1 of its own pid namespace on a read-only root: its end is the end of everything in it;
 - with *landlock* alone it and its children are one Landlock domain, whose signal scope lets `end_others` (and the
   guard) kill exactly what lives in there.

In a *container*, which an engine made, there is no guard: this process is the container's first, and its end is the end
of everything in it.

`enclose_child` adds what is due to the child alone: limits, and a narrower filter.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import getpid
from typing import Any

from regreen.sandbox.guest.enclosure import guard, landlock, mounts, system_calls
from regreen.sandbox.guest.enclosure.filter_policies import child_policy, server_policy
from regreen.sandbox.guest.enclosure.identity import Identity
from regreen.sandbox.guest.enclosure.scratch import clear_folder
from regreen.sandbox.guest.enclosure.seccomp import Filter
from regreen.sandbox.guest.enclosure.system_calls import EnclosureError

__all__ = ["EnclosureError", "clear_folder", "enclose_child", "enclose_server"]

NAMESPACES = {
    "mount": system_calls.CLONE_NEWNS,
    "pid": system_calls.CLONE_NEWPID,
    "net": system_calls.CLONE_NEWNET,
    "ipc": system_calls.CLONE_NEWIPC,
    "uts": system_calls.CLONE_NEWUTS,
}
_SCRATCH_BYTES = 64 << 20
_STACK_BYTES = 8 << 20
_SIGKILL = int(signal.SIGKILL)
_SERVER_LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_STACK, _STACK_BYTES),
    (resource.RLIMIT_MEMLOCK, 64 << 10),
    (resource.RLIMIT_MSGQUEUE, 0),
)
_CHILD_LIMITS = (
    (resource.RLIMIT_AS, "memory_bytes"),
    (resource.RLIMIT_FSIZE, "output_bytes"),
    (resource.RLIMIT_CPU, "cpu_seconds"),
    (resource.RLIMIT_NOFILE, "open_files"),
)
_THREADS_AND_PROCESSES = 64 + 2
"""RLIMIT_NPROC: 64 of a program, its server and one to spare."""
_NOT_IN_GVISOR = {
    resource.RLIMIT_MSGQUEUE: "",
    resource.RLIMIT_NPROC: "no limit of threads but the engine's, for the whole container",
}
"""Limits that gVisor's kernel does not know. Message queues cannot be made at all."""
_ROOM_ON_A_SHARED_UID = 1024
"""RLIMIT_NPROC counts all threads of a user id (setrlimit(2)): where it is shared, the limit is this
many above the count at the start."""


class _Ready:
    """What the server prepares once, so that a child only makes the system calls."""

    def __init__(self, child_domain: int | None, *, metadata: bool) -> None:
        self.filters = {
            (processes, links): Filter(
                child_policy(processes=processes, links=links or child_domain is None, metadata=metadata), closed=False
            )
            for processes in (False, True)
            for links in (False, True)
        }
        self.child_steps = [] if child_domain is None else _domain_steps(child_domain)
        self.ceilings = {which: resource.getrlimit(which)[1] for which, _ in _CHILD_LIMITS}


def _domain_steps(domain: int) -> list[system_calls.Step]:
    """What a pid namespace would do by itself: a child dies with its server and is out of its siblings' reach."""
    return [
        system_calls.prctl_step("process", system_calls.PR_SET_PDEATHSIG, _SIGKILL),
        landlock.restrict_step(domain),
        system_calls.close_step(domain),
    ]


_ready: _Ready | None = None


def enclose_server(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Shut this process in as `plan` says, and tell which layers hold.

    `layers`: "namespaces", "landlock" or "container"; `readable`: absolute paths that stay visible, read-only;
    `listed`: folders whose names stay visible (absent: none); `scratch`: the
    writable folder (landlock only; None for none), which is made here and which the guard removes in the end, or (in a
    container) the tmpfs that its engine has mounted;
    `scratch_bytes`: size of the writable tmpfs (namespaces only); `keep_fds`: the descriptors besides 0, 1 and 2 that
    stay open (absent: all do); `host_pid`: the process that must outlive this one.

    The process must have one thread. Returns in the inner half only (in a container there is but one): `layers`
    (names), `scratch`, `pid1`, `abi` (Landlock's version, 0 for none), `uid` (as the host counts) and `notes` (what is
    weaker, in words). Raises EnclosureError when a layer cannot be put in place; SIGTERM to the guard ends everything
    in the enclosure.
    """
    kind = plan["layers"]
    plan = {**plan, "readable": mounts.outermost(plan["readable"])}
    enclose = _BUILDS.get(kind)
    if enclose is None:
        raise EnclosureError("plan", 0, f"unknown layers {kind!r}")
    with suppress(PermissionError):
        os.setsid()
    os.umask(0o022)
    system_calls.prctl("process", system_calls.PR_SET_DUMPABLE, 1)
    abi = landlock.landlock_version()
    return enclose(plan, abi)


def _with_namespaces(plan: Mapping[str, Any], abi: int) -> dict[str, Any]:
    identity = Identity()
    identity.enter_user_namespace()
    layers = ["user namespace", *_leave_namespaces()]
    guard.split_off_server(plan, domain=None)
    system_calls.set_host_name(b"regreen")
    size = plan.get("scratch_bytes", _SCRATCH_BYTES)
    scratch = mounts.enter_new_root(plan["readable"], scratch_bytes=size, owner=identity.inner)
    notes = identity.become_inner(plan["readable"])
    os.chdir(scratch)
    limits = ServerLimits(may_lack={})
    _close_in(plan, scratch, abi, identity, limits)
    guard.die_with_parent()
    _prepare(limits, metadata=True, child_domain=None, processes=_THREADS_AND_PROCESSES)
    return _report([*layers, *(["landlock"] if abi else [])], scratch, abi, identity, notes)


def _leave_namespaces() -> list[str]:
    for name, flag in NAMESPACES.items():
        system_calls.unshare(flag, f"{name} namespace")
    layers = [f"{name} namespace" for name in NAMESPACES]
    with suppress(EnclosureError):
        system_calls.unshare(system_calls.CLONE_NEWCGROUP, "cgroup namespace")
        layers.append("cgroup namespace")
    return layers


def _with_landlock(plan: Mapping[str, Any], abi: int) -> dict[str, Any]:
    if abi < landlock.SCOPES_ABI:
        need = f"version {landlock.SCOPES_ABI} (Linux 6.12) is needed to confine signals"
        raise EnclosureError("landlock", 0, f"{need}, this kernel has {abi}")
    scratch = plan.get("scratch")
    identity = Identity()
    busy = guard.tasks_of(os.getuid())
    guard.split_off_server(plan, domain=landlock.scopes_only())
    system_calls.prctl("process", system_calls.PR_SET_CHILD_SUBREAPER, 1)
    notes = identity.become_unprivileged(plan["readable"], scratch)
    limits = ServerLimits(may_lack={})
    _close_in(plan, scratch, abi, identity, limits)
    guard.die_with_parent()
    if scratch is not None:
        os.chdir(scratch)
    landlock.make_sure_of_scopes(os.getppid())
    processes = _THREADS_AND_PROCESSES if identity.alone else busy + _ROOM_ON_A_SHARED_UID
    child_domain = landlock.scopes_only()
    _prepare(limits, metadata=identity.alone, child_domain=child_domain, processes=processes)
    return _report(["landlock"], scratch, abi, identity, notes)


def _with_container(plan: Mapping[str, Any], abi: int) -> dict[str, Any]:
    """The namespaces are those of a container that an engine made; this process is to be its first."""
    identity = Identity()
    scratch = plan["scratch"]
    make_sure_of_container(scratch)
    os.chdir(scratch)
    limits = ServerLimits(may_lack=_NOT_IN_GVISOR)
    _close_in(plan, scratch, abi, identity, limits)
    _prepare(limits, metadata=True, child_domain=None, processes=_THREADS_AND_PROCESSES)
    notes = [] if abi else ["no Landlock: the programs see the file tree of the container's image, and its /proc"]
    notes += limits.notes
    return _report(["container", *(["landlock"] if abi else [])], scratch, abi, identity, notes)


def make_sure_of_container(scratch: str) -> None:
    """Verify what an engine was asked for, from within: an engine may ignore what it does not know.

    Raises EnclosureError that names what is missing.
    """
    lacking = {
        "a process namespace of its own": os.getpid() != 1,
        "a user that is not root": os.getuid() == 0 or os.getgid() == 0,
        "dropped capabilities": system_calls.capabilities() != 0,
        "a read-only root": not _is_read_only("/"),
        "a scratch folder of its own": os.stat(scratch).st_dev == os.stat("/").st_dev,  # noqa: PTH116
        "no network": _has_routes(),
    }
    missing = [what for what, lacks in lacking.items() if lacks]
    if missing:
        raise EnclosureError("container", 0, f"the engine did not give {', '.join(missing)}")


def _is_read_only(place: str) -> bool:
    """Whether what is mounted there is read-only (proc(5)); statvfs(3) does not tell it under every runtime."""
    handle = os.open("/proc/self/mounts", os.O_RDONLY)
    with os.fdopen(handle, "rb") as table:
        found = [line.split() for line in table]
    options = [fields[3].split(b",") for fields in found if len(fields) > 3 and fields[1] == os.fsencode(place)]
    return bool(options) and b"ro" in options[-1]


def _has_routes() -> bool:
    """Whether packets could go anywhere: each line of that file but its heading is a route (proc(5))."""
    try:
        handle = os.open("/proc/net/route", os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        return os.read(handle, 4096).count(b"\n") > 1
    finally:
        os.close(handle)


_BUILDS = {"namespaces": _with_namespaces, "landlock": _with_landlock, "container": _with_container}


def _close_in(plan: Mapping[str, Any], scratch: str | None, abi: int, identity: Identity, limits: ServerLimits) -> None:
    """The layers that both ways share, but for the filter."""
    system_calls.set_capabilities(identity.kept)
    system_calls.prctl("no_new_privs", system_calls.PR_SET_NO_NEW_PRIVS, 1)
    if abi:
        ruleset = landlock.files_and_scopes(
            plan["readable"], mounts.DEVICE_FILES, scratch, abi, listed=plan.get("listed", ())
        )
        landlock.restrict(ruleset)
        os.close(ruleset)
    for which, most in _SERVER_LIMITS:
        limits.set(which, most)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    # PID 1 ignores signals of its namespace that it has no handler for (pid_namespaces(7)), so that its children cannot
    # end it: Python's own handler for SIGINT must go.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    system_calls.prctl("process", system_calls.PR_SET_DUMPABLE, 0)


def _prepare(limits: ServerLimits, *, metadata: bool, child_domain: int | None, processes: int) -> None:
    """Prepare what children need, then install the server's own filter."""
    global _ready
    limits.set(resource.RLIMIT_NPROC, processes)
    _ready = _Ready(child_domain, metadata=metadata)
    Filter(server_policy(), closed=True).install()


def _report(layers: list[str], scratch: str | None, abi: int, identity: Identity, notes: list[str]) -> dict[str, Any]:
    return {
        "layers": [*layers, "no_new_privs", "capabilities", "seccomp"],
        "scratch": scratch,
        "pid1": os.getpid() == 1,
        "abi": abi,
        "uid": identity.outer,
        "notes": notes,
    }


class ChildEnclosure:
    """The steps that enclose a child with these limits further, prepared by its server.

    `memory_bytes`, `output_bytes`, `cpu_seconds` and `open_files` are limits (None or absent: none of our own);
    `processes`: whether it may start processes; `links`: whether it may ask where links lead, the host's where it sees
    any (absent: yes). It closes the descriptors of the server in `closing`.

    All that can be inherited was set in the server: in a fresh child every page that is written costs a fault.
    """

    __slots__ = ("own_pid", "steps", "words")

    def __init__(self, limits: Mapping[str, Any], closing: Sequence[int] = ()) -> None:
        if _ready is None:
            raise EnclosureError("plan", 0, "the server was not enclosed")
        wanted = ((which, limits.get(name)) for which, name in _CHILD_LIMITS)
        narrower = _ready.filters[bool(limits.get("processes")), bool(limits.get("links", True))]
        self.own_pid, self.words = narrower.own_pid, narrower.words
        self.steps = [
            *map(system_calls.close_step, closing),
            *(
                system_calls.limit_step(which, *_pair(which, most, _ready.ceilings[which]))
                for which, most in wanted
                if most is not None
            ),
            *_ready.child_steps,
            narrower.step,
        ]

    def enclose(self) -> None:
        """Enclose this process, a forked child of the server, before it reads anything hostile."""
        pid, words = getpid(), self.words
        for place in self.own_pid:
            words[place] = pid
        for step in self.steps:
            # By index: unpacking would write to the reference count of the layer's name, which is on a shared page.
            if step[0](*step[1]) < 0:
                raise EnclosureError(step[2], 0, "it could not be put in place")


def enclose_child(limits: Mapping[str, Any]) -> None:
    """Enclose a forked child of an enclosed server, before it reads anything hostile; see `ChildEnclosure`."""
    ChildEnclosure(limits).enclose()


class ServerLimits:
    """Sets the limits of a server, which its children inherit."""

    def __init__(self, *, may_lack: Mapping[int, str]) -> None:
        self.may_lack = may_lack
        """Limits that the kernel here need not know, and what is weaker without each."""
        self.notes: list[str] = []
        """What is weaker here."""

    def set(self, which: int, most: int) -> None:
        """Set both limits to `most`, or to what they may be at most where that is less."""
        try:
            resource.setrlimit(which, _pair(which, most, resource.getrlimit(which)[1]))
        except ValueError:
            if which not in self.may_lack:
                raise
            self.notes += filter(None, [self.may_lack[which]])


def _pair(which: int, most: int, ceiling: int) -> tuple[int, int]:
    """The soft and the hard limit; of RLIMIT_CPU, SIGXCPU comes at the soft one, SIGKILL at the hard (setrlimit(2))."""
    hard = most + 1 if which == resource.RLIMIT_CPU else most
    if ceiling != resource.RLIM_INFINITY and ceiling < hard:
        hard = ceiling
    return min(most, hard), hard
