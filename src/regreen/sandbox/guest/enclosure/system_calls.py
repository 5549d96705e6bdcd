"""The few calls of the Linux kernel that the standard library does not offer, by ctypes.

Only what the enclosure needs; every failure is an `EnclosureError` that names the layer which failed. Constants carry
the kernel's names; the manual page or header that defines them stands at each group.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

from regreen.sandbox.guest.enclosure.system_call_numbers import system_call_numbers

# unshare(2), namespaces(7); values of linux/sched.h.
CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

# prctl(2); values of linux/prctl.h.
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_NAME = 15
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

_PR_CAP_AMBIENT_RAISE = 2
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_SIGKILL = 9
_WNOHANG = 1
_LOCK_UN, _F_SETFL = 8, 4
_SECURE_BITS = 0b1110_0011
"""SECBIT_NOROOT and SECBIT_NO_CAP_AMBIENT_RAISE, set and locked; SECBIT_KEEP_CAPS, locked as it is (capabilities(7),
bits of linux/securebits.h): root gains nothing by being root, and no ambient capabilities can be raised, for good."""
_CAPABILITY_VERSION_3 = 0x2008_0522
"""capget(2): the form in which three sets of 64 bits are passed as six words of 32."""
_MOST_CAPABILITIES = 64

# mount(2), umount2(2); values of linux/mount.h.
MS_REC = 0x4000
MS_PRIVATE = 1 << 18
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MNT_DETACH = 2
# mount_setattr(2), open_tree(2), move_mount(2); values of linux/mount.h and linux/fcntl.h. The newest of them,
# mount_setattr, came with Linux 5.12.
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC = 1, 2, 4, 8
_AT_FDCWD = -100
_AT_EMPTY_PATH = 0x1000
_AT_RECURSIVE = 0x8000
_OPEN_TREE_CLONE = 1
_MOVE_MOUNT_F_EMPTY_PATH = 4

_LIBC = ctypes.CDLL(None, use_errno=True)
_QUICK = ctypes.PyDLL(None)
"""Calls through `ctypes.PyDLL` keep the interpreter's lock: with one thread, releasing it only writes to memory."""
_SYSCALLS = system_call_numbers()
_syscall = _LIBC.syscall
_syscall.restype = ctypes.c_long
_prctl = _LIBC.prctl
_prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
_LIBC.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]


fork = _QUICK.fork
"""The C library's own fork(3): os.fork would run `PyOS_AfterFork_Child` in the child, which touches a hundred pages to
re-seed `random` and to clean up after threads. A server has one thread, and children seed `random` when their text asks
for it. Returns -1 where it fails."""


_kill, _wait4, _flock, _fcntl = _QUICK.kill, _QUICK.wait4, _QUICK.flock, _QUICK.fcntl
_status = (ctypes.c_int * 1)()
"""An array: reading `c_int.value` would make two objects more."""
_status_at = ctypes.byref(_status)
_usage = (ctypes.c_long * 18)()
"""struct rusage of getrusage(2): seconds and microseconds in user mode, the same in the kernel, peak resident KiB,
and fields that are not used."""

Step = tuple[Any, tuple[Any, ...], str]
"""A function of the C library, its arguments (small integers and pointers), and the layer that it belongs to."""


class EnclosureError(OSError):
    """A layer of the enclosure could not be put in place; `layer` names it."""

    def __init__(self, layer: str, errno: int, what: str) -> None:
        super().__init__(errno, f"{layer}: {what}: {os.strerror(errno)}" if errno else f"{layer}: {what}")
        self.layer = layer


class MountAttributes(ctypes.Structure):
    """struct mount_attr of linux/mount.h."""

    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    )


class FilterProgram(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def system_call(layer: str, name: str, *arguments: object) -> int:
    """Make the system call `name`; integers are passed as C longs."""
    number = _SYSCALLS.get(name)
    if number is None:
        raise EnclosureError(layer, 0, f"{name} is not known on this kind of machine")
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(layer, name, _syscall(ctypes.c_long(number), *passed))


def prctl(layer: str, option: int, second: int = 0, third: int = 0) -> int:
    """Set or read an attribute of this process (prctl(2))."""
    return _checked(layer, f"prctl({option})", _prctl(option, second, third, 0, 0))


def _checked(layer: str, what: str, result: int) -> int:
    if result < 0:
        raise EnclosureError(layer, ctypes.get_errno(), what)
    return int(result)


def end_child(pid: int) -> int:
    """Kill and reap a child and all its descendants; returns its wait status. What it used is in `last_usage`.

    `kill(-1)` reaches every process that this one may signal, except itself and PID 1 (kill(2)); all are killed at
    once, since a thousand others would keep both from the processor until the child had ended. wait4(2) is called
    directly: `os.wait4` would import `resource` and make an object of 16 numbers.
    """
    _kill(-1, _SIGKILL)
    if _wait4(pid, _status_at, 0, _usage) != pid:
        raise EnclosureError("process", 0, "a child could not be reaped")
    if _wait4(-1, None, _WNOHANG, None) >= 0:
        end_others()
    return int(_status[0])


def last_usage() -> tuple[int, int]:
    """What the child that was ended last had used: microseconds of CPU time, and peak resident KiB."""
    user_seconds, user, system_seconds, system, memory = _usage[:5]
    return (user_seconds + system_seconds) * 1_000_000 + user + system, memory


def end_others() -> None:
    """Kill and reap all processes in the enclosure but its server.

    `kill(-1)` is bounded by the pid namespace (pid_namespaces(7)) or, without one, by Landlock's signal scope
    (landlock(7)). `os.waitpid` would raise ChildProcessError at the usual end, "there is none".
    """
    while True:
        _kill(-1, _SIGKILL)
        if _wait4(-1, None, 0, None) < 0:
            return
        while _wait4(-1, None, _WNOHANG, None) > 0:
            pass


def unlock(*descriptors: int) -> None:
    """Take locks and flags away from descriptors that children inherited: both belong to what is open (flock(2))."""
    for descriptor in descriptors:
        _flock(descriptor, _LOCK_UN)
        _fcntl(descriptor, _F_SETFL, 0)


def unshare(flags: int, layer: str) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    _checked(layer, f"unshare({flags:#x})", _LIBC.unshare(ctypes.c_int(flags)))


def set_name(name: bytes) -> None:
    """Name this process as `ps` shows it: at most 15 bytes (PR_SET_NAME of prctl(2))."""
    text = ctypes.create_string_buffer(name)
    prctl("process", PR_SET_NAME, ctypes.addressof(text))


def set_host_name(name: bytes) -> None:
    """Name the machine, within this UTS namespace."""
    _checked("uts namespace", "sethostname", _LIBC.sethostname(name, ctypes.c_size_t(len(name))))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system, or change how mounts spread when `kind` is empty."""
    result = _LIBC.mount(source.encode(), os.fsencode(target), kind.encode() or None, flags, options.encode() or None)
    _checked("mount namespace", f"mount {kind or 'propagation'} on {target}", result)


def clone_tree(path: str) -> int:
    """A descriptor of a detached copy of the mounts at `path` and below, unseen until attached (open_tree(2))."""
    flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_RECURSIVE
    return system_call("mount namespace", "open_tree", _AT_FDCWD, ctypes.c_char_p(os.fsencode(path)), flags)


def restrict_mount(mount_fd: int, attributes: int, *, recursive: bool) -> None:
    """Set mount attributes (read-only, nosuid, ...) on the mount behind `mount_fd` (mount_setattr(2))."""
    wanted = MountAttributes(set=attributes)
    flags = _AT_EMPTY_PATH | (_AT_RECURSIVE if recursive else 0)
    size = ctypes.sizeof(wanted)
    system_call("mount namespace", "mount_setattr", mount_fd, ctypes.c_char_p(b""), flags, ctypes.byref(wanted), size)


def attach_tree(mount_fd: int, target: str) -> None:
    """Attach a mount that `clone_tree` returned at `target` (move_mount(2))."""
    there = ctypes.c_char_p(os.fsencode(target))
    nowhere = ctypes.c_char_p(b"")
    system_call("mount namespace", "move_mount", mount_fd, nowhere, _AT_FDCWD, there, _MOVE_MOUNT_F_EMPTY_PATH)


def swap_root() -> None:
    """Make the current folder the root, and detach the old one with all that is mounted in it.

    Both arguments may be the same folder: the old root is then stacked below and unmounted next (pivot_root(2), NOTES).
    """
    here = ctypes.c_char_p(b".")
    system_call("mount namespace", "pivot_root", here, here)
    _checked("mount namespace", "umount2", _LIBC.umount2(b".", ctypes.c_int(MNT_DETACH)))
    os.chdir("/")


def close_bounding_set(keep: int = 0) -> None:
    """Drop all capabilities but the mask `keep` from the bounding set, and lock every way back; needs CAP_SETPCAP.

    PR_CAPBSET_DROP fails with EINVAL past the last capability that the kernel knows (capabilities(7)).
    """
    if not keep:
        prctl("capabilities", PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
        prctl("capabilities", PR_SET_SECUREBITS, _SECURE_BITS)
    for capability in range(_MOST_CAPABILITIES):
        if not keep >> capability & 1 and _prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break


def capabilities() -> int:
    """The mask of effective capabilities."""
    low, _, _, high, _, _ = struct.unpack("=6I", _capability_words("capget", b""))
    return int(low | high << 32)


def set_capabilities(mask: int) -> None:
    """Keep exactly the capabilities of `mask`, over execve(2) too (as ambient ones), and verify it."""
    low, high = mask & 0xFFFF_FFFF, mask >> 32
    words = struct.pack("=6I", low, low, low, high, high, high)
    _capability_words("capset", words)
    if _capability_words("capget", b"") != words:
        raise EnclosureError("capabilities", 0, "some could not be dropped")
    for capability in range(_MOST_CAPABILITIES):
        if mask >> capability & 1:
            prctl("capabilities", PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability)


def _capability_words(name: str, words: bytes) -> bytes:
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    body = ctypes.create_string_buffer(words, 24)
    system_call("capabilities", name, header, body)
    return body.raw


def limit_step(which: int, soft: int, hard: int) -> Step:
    """Set a resource limit of this process (prlimit(2))."""
    pair = (ctypes.c_ulong * 2)(soft, hard)
    return _QUICK.prlimit, (0, which, pair, None), "limits"


def prctl_step(layer: str, option: int, second: int, third: Any = 0) -> Step:
    """Set an attribute of this process (prctl(2))."""
    return _QUICK.prctl, (option, second, third, 0, 0), layer


def install_filter(program: FilterProgram) -> None:
    """Put one more seccomp filter on this process; needs no_new_privs (seccomp(2))."""
    prctl("seccomp", PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program))


def filter_step(program: FilterProgram) -> Step:
    """The step that does what `install_filter` does."""
    return prctl_step("seccomp", PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program))


def system_call_step(layer: str, name: str, *arguments: int) -> Step:
    """Make a system call that the C library has no function for."""
    return _QUICK.syscall, (_SYSCALLS[name], *arguments), layer


def close_step(descriptor: int) -> Step:
    """Close a descriptor."""
    return _QUICK.close, (descriptor,), "process"
