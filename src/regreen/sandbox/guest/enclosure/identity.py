"""The user and group ids and the capabilities of the enclosed processes: ids that own nothing.

See user_namespaces(7) for the mappings and capabilities(7) for what is kept and dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from regreen.sandbox.guest.enclosure import system_calls
from regreen.sandbox.guest.enclosure.system_calls import EnclosureError

_INNER = 1000
"""The user and group id that a program sees as its own inside a user namespace."""
_FIRST_UNUSED = 2_000_000_000
"""From here on no distribution or container tool gives out ids."""
_NOBODY = 65_534

# Bits of linux/capability.h.
_CAP_CHOWN, _CAP_DAC_READ_SEARCH, _CAP_SETGID, _CAP_SETUID, _CAP_SETPCAP = (1 << bit for bit in (0, 2, 6, 7, 8))
_TO_CHANGE_IDS = _CAP_CHOWN | _CAP_SETGID | _CAP_SETUID | _CAP_SETPCAP


class Identity:
    """The ids of the enclosed processes.

    `outer`: the user id in the host's numbering; `inner`: as the program sees it; `alone`: nobody else has that user
    id; `kept`: the mask of capabilities that stay.
    """

    def __init__(self) -> None:
        self.outer = self.inner = os.getuid()
        self.alone = False
        self.kept = 0
        self._can_change = system_calls.capabilities() & _TO_CHANGE_IDS == _TO_CHANGE_IDS
        self._candidates = (_FIRST_UNUSED + os.getpid(), _NOBODY)

    def enter_user_namespace(self) -> None:
        """Enter a new user namespace, with all capabilities in it."""
        self.inner = _INNER
        if self._can_change:
            self._enter_helped()
        else:
            self._enter_alone()

    def become_inner(self, readable: Iterable[str]) -> list[str]:
        """Inside a user namespace, on its new root: stop being its root; returns notes on what could not be done."""
        if not self._can_change:
            system_calls.close_bounding_set()
            return []
        unreachable = _first_unreachable(readable, _INNER)
        self._take(_INNER, _CAP_DAC_READ_SEARCH if unreachable else 0)
        return _kept_for(unreachable)

    def become_unprivileged(self, readable: Iterable[str], scratch: str | None) -> list[str]:
        """Without a user namespace: as root, take an unused user id; returns notes on what could not be done."""
        if os.getuid() and not self._can_change:
            return ["runs as the user who started it"]
        uid = next(filter(_can_take, self._candidates), None) if self._can_change else None
        if uid is None:
            return ["runs as root, without capabilities"]
        if scratch is not None:
            os.chown(scratch, uid, uid)
        unreachable = _first_unreachable([*readable, *([scratch] if scratch is not None else [])], uid)
        if unreachable and not system_calls.capabilities() & _CAP_DAC_READ_SEARCH:
            if scratch is not None:
                os.chown(scratch, 0, 0)
            return [f"runs as root, without capabilities: others may not read {unreachable}"]
        self._take(uid, _CAP_DAC_READ_SEARCH if unreachable else 0)
        self.outer = self.inner = uid
        self.alone = uid != _NOBODY
        return _kept_for(unreachable)

    def _take(self, uid: int, kept: int) -> None:
        """Become `uid` for good, with no capability but the mask `kept`."""
        system_calls.close_bounding_set(kept)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        if kept:
            system_calls.prctl("capabilities", system_calls.PR_SET_KEEPCAPS, 1)
        os.setresuid(uid, uid, uid)
        self.kept = kept

    def _enter_alone(self) -> None:
        uid, gid = os.geteuid(), os.getegid()
        system_calls.unshare(system_calls.CLONE_NEWUSER, "user namespace")
        self._map_own(uid, gid)

    def _map_own(self, uid: int, gid: int) -> None:
        """Map one's own ids, as an ordinary user may once setgroups(2) is denied (user_namespaces(7))."""
        try:
            _write("/proc/self/setgroups", "deny")
            _write("/proc/self/uid_map", f"{_INNER} {uid} 1")
            _write("/proc/self/gid_map", f"{_INNER} {gid} 1")
        except OSError as error:
            raise EnclosureError("user namespace", error.errno or 0, "the ids could not be mapped") from error

    def _enter_helped(self) -> None:
        """As root: a helper that stays outside maps root, to build the file tree with, and an id that owns nothing."""
        reader, writer = os.pipe()
        helper = os.fork()
        if not helper:
            os.close(writer)
            _map_ids(reader, os.getppid(), self._candidates)
        os.close(reader)
        try:
            system_calls.unshare(system_calls.CLONE_NEWUSER, "user namespace")
        finally:
            os.close(writer)
            chosen = os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])
        if not 0 <= chosen < len(self._candidates):
            # Root of a user namespace already, with no other ids to give.
            self._can_change = False
            self._map_own(0, 0)
            return
        self.outer = self._candidates[chosen]
        self.alone = self.outer != _NOBODY


def _kept_for(unreachable: str) -> list[str]:
    return [f"keeps CAP_DAC_READ_SEARCH: others may not read {unreachable}"] if unreachable else []


def _map_ids(start: int, pid: int, candidates: tuple[int, ...]) -> None:
    """In the helper: wait until `pid` is in its namespace, map its ids, exit with the index of the candidate taken."""
    chosen = len(candidates)
    try:
        os.read(start, 1)
        for place, outer in enumerate(candidates):
            with suppress(OSError):
                for kind in ("gid", "uid"):
                    _write(f"/proc/{pid}/{kind}_map", f"0 0 1\n{_INNER} {outer} 1\n")
                chosen = place
                break
    finally:
        os._exit(chosen)


def _write(path: str, text: str) -> None:
    """Write to a file of proc(5), in one write(2) as id maps demand; pathlib would stay in the server's memory."""
    handle = os.open(path, os.O_WRONLY)
    try:
        os.write(handle, text.encode("ascii"))
    finally:
        os.close(handle)


def _can_take(uid: int) -> bool:
    """Whether a process here can have this id: a user namespace may not map it."""
    try:
        os.seteuid(uid)
    except OSError:
        return False
    os.seteuid(0)
    return True


def _first_unreachable(paths: Iterable[str], uid: int) -> str:
    """The first path that `uid` could not read, or nothing."""
    os.setegid(uid)
    os.seteuid(uid)
    try:
        return next((path for path in paths if not _can_read(path)), "")
    finally:
        os.seteuid(0)
        os.setegid(0)


def _can_read(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except FileNotFoundError:
        return True
    except PermissionError:
        return False
    return True
