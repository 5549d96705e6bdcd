"""The seccomp profile of a container: what its first process needs until our own filters are in place."""

from __future__ import annotations

import json

from regreen.sandbox.guest.enclosure.filter_policies import server_policy

_TO_BEGIN = """
capset prctl seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self get_robust_list openat2
get_mempolicy kcmp
"""
"""Calls beyond those of an enclosed server: of the engine's runtime before Python starts, and of our enclosure."""
_EPERM, _ENOSYS = 1, 38
"""Linux's numbers: this may be made on a system that has others."""
_NAMESPACE_FLAGS = 0x7E02_0000
"""All CLONE_NEW* flags that clone(2) takes, or-ed (linux/sched.h)."""


def container_profile() -> str:
    """The profile as JSON, as Docker and Podman read it: an allow-list of names, the rest answered with EPERM."""
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
        ],
    }
    return json.dumps(profile)
