"""What Python offers on Linux alone is taken away, before anything of ours is imported: this process is as on macOS.

`python as_macos.py WORDS...` runs `regreen` so. The processes that it starts are ordinary ones.
"""

from __future__ import annotations

import asyncio
import ctypes.util
import fcntl
import importlib.abc
import mmap
import multiprocessing
import os
import platform
import resource
import select
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import types
import webbrowser
from collections.abc import Sequence
from typing import Any

LOADED = (asyncio, ctypes.util, multiprocessing, subprocess, webbrowser)
"""The standard library's own modules look at the system when they are imported, and are to find the true one."""
GONE: dict[Any, tuple[str, ...]] = {
    fcntl: ("F_SEAL", "F_ADD_SEALS", "F_GET_SEALS", "F_SETPIPE", "F_GETPIPE", "F_OFD", "F_NOTIFY", "DN_"),
    mmap: ("MADV_DONTFORK", "MADV_DOFORK", "MADV_REMOVE", "MADV_HUGEPAGE", "MADV_NOHUGEPAGE", "MADV_HWPOISON"),
    os: (
        *("memfd_create", "MFD_", "pidfd_open", "P_PIDFD", "waitid", "sched_", "SCHED_", "eventfd", "EFD_", "splice"),
        *(
            "getrandom",
            "GRND_",
            "posix_fadvise",
            "setresuid",
            "setresgid",
            "getresuid",
            "getresgid",
            "unshare",
            "setns",
        ),
        *("getxattr", "setxattr", "listxattr", "removexattr", "XATTR_", "O_PATH", "O_DIRECT", "pipe2"),
    ),
    resource: ("RLIMIT_MSGQUEUE", "RLIMIT_NICE", "RLIMIT_RT", "RLIMIT_SIGPENDING", "RUSAGE_THREAD", "prlimit"),
    select: ("epoll", "EPOLL"),
    signal: ("SIGPWR", "SIGRT", "SIGSTKFLT", "SIGPOLL", "sigtimedwait", "sigwaitinfo", "pidfd_send_signal"),
    socket: (
        "SO_PEERCRED",
        "SO_PASSCRED",
        "SOCK_CLOEXEC",
        "SOCK_NONBLOCK",
        "MSG_CMSG_CLOEXEC",
        "AF_NETLINK",
        "AF_PACKET",
    ),
    time: ("CLOCK_BOOTTIME", "CLOCK_TAI", "pthread_getcpuclockid"),
}
"""Modules, and how the names begin that they have on Linux alone."""
LINUX_LIBRARY = "regreen.sandbox.guest.enclosure.system_calls"
"""Looks up functions of Linux's C library as it is imported, which would fail on macOS."""


class NoLinuxLibrary(importlib.abc.MetaPathFinder):
    """Fails as that module would."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> None:
        """Raise for the module that needs Linux; say nothing of others."""
        if name == LINUX_LIBRARY:
            raise AttributeError("dlsym: symbol not found: prctl")


def become_macos() -> None:
    """Take away what macOS lacks."""
    sysconfig.get_config_vars()
    sysconfig.get_platform()
    platform.uname()
    for module, beginnings in GONE.items():
        for name in [name for name in dir(module) if name.startswith(beginnings)]:
            delattr(module, name)
    proxies: Any = types.ModuleType("_scproxy")
    proxies._get_proxies = proxies._get_proxy_settings = dict
    sys.modules["_scproxy"] = proxies
    sys.meta_path.insert(0, NoLinuxLibrary())
    sys.platform = "darwin"


if __name__ == "__main__":
    become_macos()
    from regreen.__main__ import main

    main()
