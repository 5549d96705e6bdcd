"""The seccomp profile of a container: what its first process needs until our own filters are in place."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from regreen.sandbox.guest.enclosure.filter_policies import server_policy
from regreen.sandbox.memory_file import memory_file

_TO_BEGIN = """
capset prctl seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self get_robust_list openat2
get_mempolicy kcmp
"""
"""Calls beyond those of an enclosed server: of the engine's runtime before Python starts, and of our enclosure."""
_EPERM, _ENOSYS = 1, 38
"""Linux's numbers: this may be made on a system that has others."""
_NAMESPACE_FLAGS = 0x7E02_0000
"""All CLONE_NEW* flags that clone(2) takes, or-ed (linux/sched.h)."""
_AF_UNIX, _SEQPACKET_CLOSED_ON_EXEC = 1, 0x80005
_CONNECTING: tuple[dict[str, Any], ...] = (
    {
        "names": ["socket"],
        "action": "SCMP_ACT_ALLOW",
        "args": [
            {"index": 0, "value": _AF_UNIX, "op": "SCMP_CMP_EQ"},
            {"index": 1, "value": _SEQPACKET_CLOSED_ON_EXEC, "op": "SCMP_CMP_EQ"},
        ],
    },
    {"names": ["connect"], "action": "SCMP_ACT_ALLOW"},
)
"""What the server needs to connect to its host, as Python asks for it."""


def container_profile(*, connects: bool = False) -> str:
    """The profile as JSON, as Docker and Podman read it: an allow-list of names, the rest answered with EPERM.

    With `connects`, one kind of socket can be made and connected, until our own filters hold.
    """
    names = {*server_policy(), *_TO_BEGIN.split()} - {"clone"}
    no_namespaces = {"index": 0, "value": _NAMESPACE_FLAGS, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
    profile = {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": _EPERM,
        # A second set of calls on the same processor is answered by our own filters, which say that there is none.
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X32"]},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            {"names": sorted(names), "action": "SCMP_ACT_ALLOW"},
            {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [no_namespaces]},
            # The C library falls back to clone, whose flags a filter can read.
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
            *(_CONNECTING if connects else ()),
        ],
    }
    return json.dumps(profile)


class ProfileGiver(Protocol):
    """Gives the security option that brings an engine the profile, for the block."""

    def __call__(self, *, connects: bool) -> AbstractContextManager[list[str]]:
        """See `container_profile`."""


@contextlib.contextmanager
def as_text(*, connects: bool) -> Iterator[list[str]]:
    """As Docker takes it."""
    yield [f"seccomp={container_profile(connects=connects)}"]


@contextlib.contextmanager
def as_memory_file(*, connects: bool) -> Iterator[list[str]]:
    """As Podman takes it, by a path: that of a file which is never left behind."""
    with memory_file(container_profile(connects=connects).encode("ascii")) as fd:
        yield [f"seccomp=/proc/{os.getpid()}/fd/{fd}"]


@contextlib.contextmanager
def as_named_file(*, connects: bool) -> Iterator[list[str]]:
    """For a service of the same user in a user namespace of its own: it may not look into our process."""
    with tempfile.NamedTemporaryFile(prefix="regreen-", suffix=".json") as file:
        file.write(container_profile(connects=connects).encode("ascii"))
        file.flush()
        yield [f"seccomp={file.name}"]


@contextlib.contextmanager
def not_at_all(*, connects: bool) -> Iterator[list[str]]:
    """For a service that sees other files than this process: its own profile holds until our filters do."""
    yield []
