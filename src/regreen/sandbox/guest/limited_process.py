"""One process of `--sandbox restricted`: limits, no new rights, a filter of system calls where there is one, no wall.

Started anew for each guest, judge or screener. No other process is ever signalled from here: without a process
namespace, the jail's way to end what a child left would reach everything of this user.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import Any

from regreen.sandbox.guest.roles import ROLES
from regreen.sandbox.guest.server_orders import INTERNAL_ERROR_STATUS

_STACK_BYTES = 8 << 20
_KEPT_BYTES = 1 << 14
_LIMITS = (
    (resource.RLIMIT_AS, "memory_bytes"),
    (resource.RLIMIT_FSIZE, "output_bytes"),
    (resource.RLIMIT_CPU, "cpu_seconds"),
    (resource.RLIMIT_NOFILE, "open_files"),
)


def main(order: str) -> None:
    """Play the role that the order names, on the connection that it names, and exit."""
    plan = json.loads(order)
    sys.path[:] = plan["path"]
    sys.dont_write_bytecode = True
    status = INTERNAL_ERROR_STATUS
    try:
        perform = ROLES[plan["kind"]]()[plan["role"]](plan["limits"])
        limit_process(plan["limits"], plan["host_pid"])
        perform(plan["connection"])
        status = 0
    except BaseException:  # noqa: BLE001  a fault of ours: the host reads it from this process's output
        import traceback

        os.write(2, traceback.format_exc()[-_KEPT_BYTES:].encode("utf-8", "replace"))
    finally:
        os._exit(status)


def limit_process(limits: dict[str, Any], host_pid: int) -> None:
    """Set the limits on this process, and what else needs no rights. Raises OSError for a limit that fails."""
    os.umask(0o077)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for which, most in ((resource.RLIMIT_STACK, _STACK_BYTES), *((which, limits[name]) for which, name in _LIMITS)):
        hard = resource.getrlimit(which)[1]
        # SIGXCPU comes at the soft limit of time, SIGKILL at the hard one (setrlimit(2)).
        above = most + 1 if which == resource.RLIMIT_CPU else most
        above = above if hard == resource.RLIM_INFINITY else min(above, hard)
        with suppress(ValueError):
            # macOS takes no limit of address space that is below what is in use.
            resource.setrlimit(which, (min(most, above), above))
    if sys.platform == "linux":
        _by_linux(host_pid)


def _by_linux(host_pid: int) -> None:
    from regreen.sandbox.guest.enclosure import filter_policies, seccomp, system_calls

    with suppress(OSError):
        system_calls.prctl("process", system_calls.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != host_pid:
            os._exit(0)
        system_calls.prctl("no_new_privs", system_calls.PR_SET_NO_NEW_PRIVS, 1)
        system_calls.prctl("process", system_calls.PR_SET_DUMPABLE, 0)
        seccomp.Filter(filter_policies.server_policy(), closed=True).install()
        narrow = filter_policies.child_policy(processes=False, links=True, metadata=False)
        seccomp.Filter(narrow, closed=False).install()
