"""Landlock: what the kernel lets this process reach by path, by TCP and by signal, whatever its user id allows.

Rights, scopes and versions are those of landlock(7) and linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

from regreen.sandbox.guest.enclosure.system_calls import EnclosureError, Step, system_call, system_call_step

_LAYER = "landlock"
_CREATE_RULESET_VERSION = 1
"""The flag with which landlock_create_ruleset(2) returns the version."""
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = (1 << bit for bit in range(4))
_MAKE_DEVICES_AND_SOCKETS = 1 << 6 | 1 << 9 | 1 << 11
"""LANDLOCK_ACCESS_FS_MAKE_CHAR, _MAKE_SOCK and _MAKE_BLOCK."""
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_IOCTL_DEVICE = 1 << 15
_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
"""Version 2 added REFER, 3 TRUNCATE, 5 IOCTL_DEV: the rights on files that each version knows."""
_ALL_RIGHTS = (1 << 16) - 1
_TCP = 0b11
"""LANDLOCK_ACCESS_NET_BIND_TCP and _CONNECT_TCP."""
_SCOPES = 0b11
"""LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and _SIGNAL."""
_FIRST_WITH_TCP = 4
SCOPES_ABI = 6
"""The first version that confines signals and abstract UNIX sockets."""

_READ = _READ_FILE | _READ_DIR | _EXECUTE
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """The version of Landlock that this kernel supports; 0 for none."""
    try:
        return system_call(_LAYER, "landlock_create_ruleset", None, 0, _CREATE_RULESET_VERSION)
    except EnclosureError:
        return 0


def files_and_scopes(
    readable: Iterable[str], devices: Iterable[str], scratch: str | None, abi: int, *, listed: Iterable[str] = ()
) -> int:
    """A ruleset, as a descriptor: read and run `readable`, read and write `devices`, anything but run in `scratch`.

    The names of what is in the folders `listed` can be read, too.
    """
    handled = _RIGHTS_BY_ABI.get(abi, _ALL_RIGHTS)
    ruleset = _create(handled, _TCP if abi >= _FIRST_WITH_TCP else 0, _SCOPES if abi >= SCOPES_ABI else 0)
    for path in readable:
        _allow(ruleset, path, handled & _READ)
    for path in listed:
        _allow(ruleset, path, handled & _READ_DIR)
    for path in devices:
        _allow(ruleset, path, handled & (_READ_FILE | _WRITE_FILE))
    if scratch is not None:
        _allow(ruleset, scratch, handled & ~(_EXECUTE | _MAKE_DEVICES_AND_SOCKETS | _IOCTL_DEVICE))
    return ruleset


def scopes_only() -> int:
    """A ruleset that only confines signals and abstract sockets to this process and its children."""
    # Every domain denies moving files between folders (REFER) unless it grants that.
    ruleset = _create(_REFER, 0, _SCOPES)
    _allow(ruleset, "/", _REFER)
    return ruleset


def restrict(ruleset: int) -> None:
    """Apply the ruleset to this process and its future children; needs no_new_privs (landlock_restrict_self(2))."""
    system_call(_LAYER, "landlock_restrict_self", ruleset, 0)


def restrict_step(ruleset: int) -> Step:
    """The step that does what `restrict` does."""
    return system_call_step(_LAYER, "landlock_restrict_self", ruleset, 0)


def make_sure_of_scopes(outsider: int) -> None:
    """Verify that `outsider`, a process of another domain, cannot be signalled: `kill(-1)` will rely on it."""
    try:
        os.kill(outsider, 0)
    except PermissionError:
        return
    raise EnclosureError(_LAYER, 0, "signals are not confined")


def _create(files: int, tcp: int, scopes: int) -> int:
    wanted = _Ruleset(files, tcp, scopes)
    # Older kernels know a shorter structure, and refuse a longer one only when the rest is not zero.
    ruleset = system_call(_LAYER, "landlock_create_ruleset", ctypes.byref(wanted), ctypes.sizeof(wanted), 0)
    os.set_inheritable(ruleset, False)
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= _FILE_RIGHTS
        rule = _PathBeneath(rights, folder)
        system_call(_LAYER, "landlock_add_rule", ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(folder)
