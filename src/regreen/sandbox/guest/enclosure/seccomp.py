"""Which system calls pass, as seccomp filters.

The *server's* filter holds for everything in the enclosure. It is an allow-list: what it does not name fails with
EPERM, and calls newer than our table (and clone3, whose flags a filter cannot read) with ENOSYS, so that the C library
falls back to older ones. An allow-list was chosen over a deny-list because the kernel grows calls every year, and
because what a Python program needs is a short list: files, memory, threads, timers, polling, its own signals.

The *child's* filter comes on top of it, just before hostile data is read, and takes away what only the server needs:
forking, signals to others, new filters, memory files, most of prctl. The kernel obeys the stricter of the two, so it
names only those.

Reasons that are not plain from the tables:
 - no socket(), connect() or bind(), and socketpair() only of connected kinds: a datagram pair could be addressed to any
   socket file or abstract name with sendmsg(), whose address a filter cannot see;
 - no memfd_create() for children: memory files escape RLIMIT_AS;
 - no F_SETOWN and kin: they make the kernel send signals for us; no F_SETLEASE: it stalls others who open the file;
 - where there is no mount namespace, no chmod, chown or utime: Landlock does not govern them.

The filters are trees of comparisons rather than lists, and the child's is short: the kernel translates a filter and
walks it once per system call number when it is installed, which is most of what a child pays.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from regreen.sandbox.guest.enclosure.system_call_numbers import AUDIT_ARCHITECTURES, NEWEST, system_call_numbers
from regreen.sandbox.guest.enclosure.system_calls import (
    EnclosureError,
    FilterProgram,
    Step,
    filter_step,
    install_filter,
)

_LOAD, _AND, _RETURN, _JUMP, _IF_EQUAL, _IF_AT_LEAST = 0x20, 0x54, 0x06, 0x05, 0x15, 0x35
_ALLOW, _KILL = 0x7FFF_0000, 0x8000_0000
_REFUSE = 0x0005_0000 | errno.EPERM
_UNKNOWN = 0x0005_0000 | errno.ENOSYS
_MAX_SHORT_JUMP = 255
_OWN_PID = -1
"""Stands in a filter for the pid of the process that will install it."""

_CLONE_THREAD = 0x0001_0000
_CLONE_ANY_NAMESPACE = 0x7E02_0000
_AF_UNIX = 1
_CONNECTED_KINDS = (1, 5)
"""SOCK_STREAM and SOCK_SEQPACKET."""
_IOCTLS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Is this a terminal, how wide is it, bytes waiting, (non-)blocking, (not) closed on exec."""
_FCNTLS_REFUSED = (8, 10, 15, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY."""
_PRCTLS = (3, 15, 16, 39, 0x53564D41)
"""Get dumpable, set and get name, get no_new_privs, name a memory area."""


class Condition(NamedTuple):
    """What must hold of one argument: `(argument & mask)` is, or is not, one of `values`."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFF_FFFF
    wanted: bool = True


Rule = tuple[Condition, ...]
"""All must hold, else the call is refused; no conditions: it passes."""
ALWAYS_REFUSED: Rule = (Condition(0, ()),)
"""No value of its first argument would do."""
Policy = Mapping[str, Rule]

_FILES = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3 pipe
pipe2 flock open openat creat stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink
readlinkat getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr getdents getdents64 getcwd chdir fchdir umask
mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat mknod mknodat truncate
ftruncate fallocate fsync fdatasync fadvise64 sendfile copy_file_range
"""
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
_PATIENCE = (Condition(1, (1,)), Condition(2, (20,)))
"""SOL_SOCKET, SO_RCVTIMEO: how long to wait for a message."""
_NO_ADDRESS = (Condition(4, (0,)),)
_TO_ITSELF = (Condition(0, (_OWN_PID,)),)
_NO_NAMESPACES = Condition(0, (0,), mask=_CLONE_ANY_NAMESPACE)
_A_THREAD = Condition(0, (_CLONE_THREAD,), mask=_CLONE_THREAD)


def server_policy(*, metadata: bool) -> Policy:
    """What may pass anywhere in the enclosure; `metadata`: whether file modes and times may be changed."""
    names = _FILES + _MEMORY_AND_THREADS + _SIGNALS_AND_TIME + _WAITING_AND_TALKING + _QUESTIONS
    rules: dict[str, Rule] = dict.fromkeys((names + (_METADATA if metadata else "")).split(), ())
    rules |= dict.fromkeys(_SERVER_ONLY.split(), ())
    rules["clone"] = (_NO_NAMESPACES,)
    rules["socketpair"] = _CONNECTED_PAIR
    rules["sendto"] = _NO_ADDRESS
    rules["ioctl"] = (Condition(1, _IOCTLS),)
    rules["fcntl"] = (Condition(1, _FCNTLS_REFUSED, wanted=False),)
    return rules


def child_policy(*, processes: bool) -> Policy:
    """What a child that runs hostile code loses of the server's calls; `processes`: may it start some itself?"""
    rules: dict[str, Rule] = dict.fromkeys(_SERVER_ONLY.split(), ALWAYS_REFUSED)
    rules["prctl"] = (Condition(0, _PRCTLS),)
    rules["prlimit64"] = (Condition(0, (0, _OWN_PID)),)
    rules["setrlimit"] = ()
    rules["setsockopt"] = _PATIENCE
    rules |= dict.fromkeys(("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"), _TO_ITSELF)
    rules["clone"] = (_A_THREAD,)
    if processes:
        rules |= dict.fromkeys(_STARTING_PROCESSES.split(), ())
    return rules


class Instruction(NamedTuple):
    """One instruction of classic BPF; `constant` may be `_OWN_PID`."""

    code: int
    if_true: int
    if_false: int
    constant: int


def compile_policy(policy: Policy, machine: str, *, closed: bool) -> list[Instruction]:
    """The filter program for `policy` on `machine`; `closed`: what it does not name is refused, else it passes."""
    table = system_call_numbers(machine)
    answers: dict[int, int | Rule] = {table[name]: _answer(rule) for name, rule in policy.items() if name in table}
    if closed:
        answers[table["clone3"]] = _UNKNOWN
    starts, leaves = _ranges(answers, _REFUSE if closed else _ALLOW, _UNKNOWN if closed else _ALLOW)
    program = _Backwards()
    return program.begun_with(AUDIT_ARCHITECTURES[machine], program.tree(starts, leaves))


def _answer(rule: Rule) -> int | Rule:
    if rule == ALWAYS_REFUSED:
        return _REFUSE
    return rule or _ALLOW


def _ranges(answers: Mapping[int, int | Rule], otherwise: int, beyond: int) -> tuple[list[int], list[int | Rule]]:
    """The line of call numbers cut where the answer changes: where each piece starts, and its answer."""
    starts: list[int] = []
    pieces: list[int | Rule] = []
    for number in range(NEWEST + 2):
        answer = answers.get(number, otherwise) if number <= NEWEST else beyond
        if not pieces or pieces[-1] != answer:
            starts.append(number)
            pieces.append(answer)
    return starts, pieces


class _Backwards:
    """A filter program, put together from its end: jumps go forwards alone, and many lead to the same few answers.

    Its steps are told by their number, counted from the end.
    """

    def __init__(self) -> None:
        self.steps: list[Instruction] = []
        self.known: dict[int | Rule, int] = {}
        """Where each answer begins."""

    def tree(self, starts: list[int], answers: list[int | Rule]) -> int:
        """Find the call's number among pieces of the line, and go on to the answer of that piece."""
        if len(starts) == 1:
            return self.answer(answers[0])
        middle = len(starts) // 2
        high, low = self.tree(starts[middle:], answers[middle:]), self.tree(starts[:middle], answers[:middle])
        return self._if(_IF_AT_LEAST, starts[middle], high, low)

    def answer(self, answer: int | Rule) -> int:
        """Give an answer, or look at the arguments first."""
        if answer not in self.known:
            plain = isinstance(answer, int)
            self.known[answer] = self._put(_RETURN, answer) if plain else self._checks(answer)  # type: ignore[arg-type]
        return self.known[answer]

    def begun_with(self, architecture: int, tree: int) -> list[Instruction]:
        """The whole program, which looks at the architecture before it goes on to the tree."""
        self._put(_JUMP, len(self.steps) - tree - 1)
        number = self._put(_LOAD, 0)
        other = self._put(_RETURN, _KILL)
        self._if(_IF_EQUAL, architecture, number, other)
        self._put(_LOAD, 4)
        return self.steps[::-1]

    def _checks(self, rule: Rule) -> int:
        refused, follows = self.answer(_REFUSE), self.answer(_ALLOW)
        for condition in reversed(rule):
            matched, missed = (follows, refused) if condition.wanted else (refused, follows)
            for value in reversed(condition.values):
                missed = self._if(_IF_EQUAL, value, matched, missed)
            if condition.mask != 0xFFFF_FFFF:
                self._put(_AND, condition.mask)
            follows = self._put(_LOAD, 16 + 8 * condition.argument)
        return follows

    def _if(self, code: int, constant: int, if_true: int, if_false: int) -> int:
        here = len(self.steps)
        return self._put(code, constant, here - if_true - 1, here - if_false - 1)

    def _put(self, code: int, constant: int, if_true: int = 0, if_false: int = 0) -> int:
        if max(if_true, if_false) > _MAX_SHORT_JUMP:
            raise ValueError("the filter is too long for its jumps")
        self.steps.append(Instruction(code, if_true, if_false, constant))
        return len(self.steps) - 1


class Filter:
    """A filter laid out in memory, so that installing it costs one system call."""

    def __init__(self, policy: Policy, *, closed: bool) -> None:
        machine = os.uname().machine
        if machine not in AUDIT_ARCHITECTURES:
            raise EnclosureError("seccomp", 0, f"no filter for the machine {machine!r}")
        program = compile_policy(policy, machine, closed=closed)
        self._text = bytearray(_pack(program))
        self._anchor = (ctypes.c_char * len(self._text)).from_buffer(self._text)
        self._program = FilterProgram(len(program), ctypes.addressof(self._anchor))
        self.step: Step = filter_step(self._program)
        """Binds the process that takes it, and all that come from it; good for as long as this filter is there."""
        self.words = memoryview(self._text).cast("I")
        self.own_pid = tuple(2 * i + 1 for i, step in enumerate(program) if step.constant == _OWN_PID)
        """Which words are to hold the pid of the process that takes the step: an instruction is two of them, and the
        second is its constant."""

    def install(self) -> None:
        """Bind this process by it, now."""
        for place in self.own_pid:
            self.words[place] = os.getpid()
        install_filter(self._program)


def _pack(program: Iterable[Instruction]) -> bytes:
    steps = ((s.code, s.if_true, s.if_false, max(s.constant, 0)) for s in program)
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
