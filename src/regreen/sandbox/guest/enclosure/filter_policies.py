"""Which system calls pass, and with which arguments: tables that name no kernel's numbers but Linux's, and run nowhere.

The *server's* policy holds for everything in the enclosure. It is an allow-list: what it does not name fails with
EPERM, and calls newer than our table (and clone3, whose flags a filter cannot read) with ENOSYS, so that the C library
falls back to older ones. An allow-list was chosen over a deny-list because the kernel grows calls every year, and
because what a Python program needs is a short list: files, memory, threads, timers, polling, its own signals.

The *child's* policy comes on top of it, just before hostile data is read, and takes away what only the server needs:
forking, signals to others, new filters, memory files, most of prctl. The kernel obeys the stricter of the two
(seccomp(2)), so it names only those.

Reasons that are not plain from the tables:
 - no socket(), connect() or bind(), and socketpair() only of connected kinds: a datagram pair could be addressed to any
   socket file or abstract name with sendmsg() (unix(7)), whose address a filter cannot see;
 - no memfd_create() for children: memory files escape RLIMIT_AS (setrlimit(2));
 - no F_SETOWN and similar: they make the kernel send signals for us; no F_SETLEASE: it stalls others who open the file
   (fcntl(2));
 - no descriptors in messages (sendmsg) from children: one that nobody took would keep its file, its space and its
   locks after the child's end (unix(7), flock(2));
 - no F_OFD_SETLK: such a lock on an inherited descriptor would outlive the child as well (fcntl(2));
 - where there is no mount namespace, no chmod, chown or utime; and in guests no extended attributes by path, and no
   readlink unless they may start processes: Landlock does not govern them (landlock(7)). Libraries take the answers
   for "none here".
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import NamedTuple

# SECCOMP_RET_ERRNO (linux/seccomp.h).
_NO_LINK = 0x0005_0000 | errno.EINVAL
_NOT_SUPPORTED = 0x0005_0000 | errno.EOPNOTSUPP
OWN_PID = -1
"""Stands in a filter for the pid of the process that will install it."""

_CLONE_THREAD = 0x0001_0000
_CLONE_ANY_NAMESPACE = 0x7E02_0000
"""All CLONE_NEW* flags that clone(2) takes, or-ed (linux/sched.h)."""
_AF_UNIX = 1
_CONNECTED_KINDS = (1, 5)
"""SOCK_STREAM and SOCK_SEQPACKET (socket(2))."""
_FILE_KIND = 0o170000
_NO_DEVICES = (0, 0o100000, 0o010000, 0o140000)
"""Kinds of files that may be made (mknod(2)): none named, regular, FIFO, socket. gVisor lets anybody make devices."""
_IOCTLS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX (ioctl_tty(2), asm-generic/ioctls.h): is this a
terminal, how wide is it, bytes waiting, (non-)blocking, (not) closed on exec."""
_FCNTLS_REFUSED = (8, 10, 15, 37, 38, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY (fcntl(2))."""
_PRCTLS = (3, 15, 16, 39, 0x53564D41)
"""PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_NO_NEW_PRIVS, PR_SET_VMA (prctl(2))."""


class Condition(NamedTuple):
    """What must hold of one argument: `(argument & mask)` is, or is not, one of `values`."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFF_FFFF
    wanted: bool = True


Rule = tuple[Condition, ...]
"""Conditions that must all hold, else the call is refused; without conditions it passes."""
ALWAYS_REFUSED: Rule = (Condition(0, ()),)
"""The rule of a call that is refused whatever its arguments: no value of the first is allowed."""
Policy = Mapping[str, Rule | int]
"""What becomes of a call by its name: it passes by a rule, or is answered with an error."""

_FILES = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3 pipe
pipe2 flock open openat creat stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink
readlinkat getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr getdents getdents64 getcwd chdir fchdir umask
mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat mknod mknodat truncate
ftruncate fallocate fsync fdatasync fadvise64 sendfile copy_file_range
"""
_LINKS = "readlink readlinkat"
_ATTRIBUTES = "getxattr lgetxattr listxattr llistxattr"
_METADATA = "chmod fchmod fchmodat utime utimes utimensat futimesat"
_MEMORY_AND_THREADS = """
mmap munmap mprotect mremap madvise brk msync membarrier futex futex_waitv set_robust_list rseq
set_tid_address arch_prctl gettid getcpu sched_yield sched_getaffinity sched_getparam sched_getscheduler
sched_get_priority_max sched_get_priority_min exit exit_group wait4 waitid restart_syscall pause
"""
_SIGNALS_AND_TIME = """
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigpending sigaltstack nanosleep
clock_nanosleep clock_gettime clock_getres gettimeofday time times getrusage getitimer setitimer alarm timer_create
timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime
"""
_WAITING_AND_TALKING = """
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
signalfd signalfd4 recvfrom sendmsg recvmsg shutdown getsockname getpeername getsockopt
"""
_QUESTIONS = """
getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp getsid getpriority capget
uname sysinfo getrandom getrlimit
"""
_SERVER_ONLY = """
clone fork vfork execve execveat kill tgkill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal
setsid setpgid memfd_create setsockopt prctl prlimit64 setrlimit landlock_restrict_self
"""
_STARTING_PROCESSES = "clone fork vfork execve execveat setsid setpgid kill tgkill tkill pidfd_open pidfd_send_signal"

_CONNECTED_PAIR = (Condition(0, (_AF_UNIX,)), Condition(1, _CONNECTED_KINDS, mask=0xF))
"""The kind without its flags SOCK_NONBLOCK and SOCK_CLOEXEC (SOCK_TYPE_MASK of linux/net.h)."""
_OF_A_PAIR = (Condition(1, (1,)), Condition(2, (7, 8, 20)))
"""SOL_SOCKET with SO_SNDBUF, SO_RCVBUF and SO_RCVTIMEO (socket(7)): how much a socket holds, within the bounds of the
system, and how long to wait for a message. Event loops make the pair by which they are woken as small as it goes."""
_NO_ADDRESS = (Condition(4, (0,)),)
_TO_ITSELF = (Condition(0, (OWN_PID,)),)
_NO_NAMESPACES = Condition(0, (0,), mask=_CLONE_ANY_NAMESPACE)
_A_THREAD = Condition(0, (_CLONE_THREAD,), mask=_CLONE_THREAD)


def server_policy() -> Policy:
    """The calls that may pass anywhere in the enclosure."""
    names = _FILES + _MEMORY_AND_THREADS + _SIGNALS_AND_TIME + _WAITING_AND_TALKING + _QUESTIONS
    rules: dict[str, Rule | int] = dict.fromkeys((names + _METADATA).split(), ())
    rules |= dict.fromkeys(_SERVER_ONLY.split(), ())
    rules["clone"] = (_NO_NAMESPACES,)
    rules["socketpair"] = _CONNECTED_PAIR
    rules["mknod"] = (Condition(1, _NO_DEVICES, mask=_FILE_KIND),)
    rules["mknodat"] = (Condition(2, _NO_DEVICES, mask=_FILE_KIND),)
    rules["sendto"] = _NO_ADDRESS
    rules["ioctl"] = (Condition(1, _IOCTLS),)
    rules["fcntl"] = (Condition(1, _FCNTLS_REFUSED, wanted=False),)
    return rules


def child_policy(*, processes: bool, links: bool, metadata: bool) -> Policy:
    """Stricter rules for calls of the server in a child that runs hostile code.

    `processes`: may it start some? `links`: may it ask where links lead? `metadata`: may it change modes and times?
    """
    rules: dict[str, Rule | int] = dict.fromkeys(_SERVER_ONLY.split(), ALWAYS_REFUSED)
    rules["prctl"] = (Condition(0, _PRCTLS),)
    rules["prlimit64"] = (Condition(0, (0, OWN_PID)),)
    rules["setrlimit"] = ()
    rules["setsockopt"] = _OF_A_PAIR
    rules |= dict.fromkeys(("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"), _TO_ITSELF)
    rules["clone"] = (_A_THREAD,)
    if not metadata:
        rules |= dict.fromkeys(_METADATA.split(), ALWAYS_REFUSED)
    if not links:
        rules |= dict.fromkeys(_ATTRIBUTES.split(), _NOT_SUPPORTED)
    if processes:
        rules |= dict.fromkeys(_STARTING_PROCESSES.split(), ())
        return rules
    if not links:
        rules |= dict.fromkeys(_LINKS.split(), _NO_LINK)
    rules["sendmsg"] = ALWAYS_REFUSED
    return rules
