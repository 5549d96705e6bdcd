"""The policies of `filter_policies` as seccomp filters, in the kernel's own instructions.

The filters are trees of comparisons rather than lists, and the child's is short: when a filter is installed, the kernel
translates it and runs it once for every system call number (`seccomp_cache_prepare` in kernel/seccomp.c, since Linux
5.11), which is most of what enclosing a child costs.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from regreen.sandbox.guest.enclosure.filter_policies import ALWAYS_REFUSED, OWN_PID, Policy, Rule
from regreen.sandbox.guest.enclosure.system_call_numbers import AUDIT_ARCHITECTURES, NEWEST, system_call_numbers
from regreen.sandbox.guest.enclosure.system_calls import (
    EnclosureError,
    FilterProgram,
    Step,
    filter_step,
    install_filter,
)

# Codes of classic BPF (linux/bpf_common.h): LD|W|ABS, ALU|AND|K, RET|K, JMP|JA, JMP|JEQ|K, JMP|JGE|K.
_LOAD, _AND, _RETURN, _JUMP, _IF_EQUAL, _IF_AT_LEAST = 0x20, 0x54, 0x06, 0x05, 0x15, 0x35
# SECCOMP_RET_ALLOW, _KILL_PROCESS and _ERRNO (linux/seccomp.h).
_ALLOW, _KILL = 0x7FFF_0000, 0x8000_0000
_REFUSE = 0x0005_0000 | errno.EPERM
_UNKNOWN = 0x0005_0000 | errno.ENOSYS
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
"""Where `struct seccomp_data` (linux/seccomp.h) holds the call's number, the architecture and six arguments of 8 bytes.
A filter loads 4 bytes: the low half of an argument, on machines with the low byte first, as all in our table are."""
_MAX_SHORT_JUMP = 255
"""Conditional jumps have 8 bits (`struct sock_filter`, linux/filter.h)."""


class Instruction(NamedTuple):
    """One instruction of classic BPF (`struct sock_filter`, linux/filter.h); `constant` may be `OWN_PID`."""

    code: int
    if_true: int
    if_false: int
    constant: int


def compile_policy(policy: Policy, machine: str, *, closed: bool) -> list[Instruction]:
    """The filter program for `policy` on `machine`; calls that it does not name are refused if `closed`, else pass."""
    table = system_call_numbers(machine)
    answers: dict[int, int | Rule] = {table[name]: _answer(rule) for name, rule in policy.items() if name in table}
    if closed:
        answers[table["clone3"]] = _UNKNOWN
    starts, leaves = _ranges(answers, _REFUSE if closed else _ALLOW, _UNKNOWN if closed else _ALLOW)
    program = _Backwards()
    return program.begun_with(AUDIT_ARCHITECTURES[machine], program.tree(starts, leaves))


def _answer(rule: Rule | int) -> int | Rule:
    return _REFUSE if rule == ALWAYS_REFUSED else rule or _ALLOW


def _ranges(answers: Mapping[int, int | Rule], otherwise: int, beyond: int) -> tuple[list[int], list[int | Rule]]:
    """All call numbers as ranges with one answer each: the first number of every range, and its answer.

    Numbers beyond the table include those with __X32_SYSCALL_BIT, x86-64's second set of calls (seccomp(2), CAVEATS).
    """
    starts: list[int] = []
    pieces: list[int | Rule] = []
    for number in range(NEWEST + 2):
        answer = answers.get(number, otherwise) if number <= NEWEST else beyond
        if not pieces or pieces[-1] != answer:
            starts.append(number)
            pieces.append(answer)
    return starts, pieces


class _Backwards:
    """A filter program, assembled from its end: jumps only go forwards, and many lead to the same few answers.

    Methods return positions of instructions, counted from the end.
    """

    def __init__(self) -> None:
        self.steps: list[Instruction] = []
        self.known: dict[int | Rule, int] = {}
        """The position of each answer."""

    def tree(self, starts: list[int], answers: list[int | Rule]) -> int:
        """Add a binary search for the call's number among the ranges, ending in the range's answer."""
        if len(starts) == 1:
            return self.answer(answers[0])
        middle = len(starts) // 2
        high, low = self.tree(starts[middle:], answers[middle:]), self.tree(starts[:middle], answers[:middle])
        return self._if(_IF_AT_LEAST, starts[middle], high, low)

    def answer(self, answer: int | Rule) -> int:
        """Add an answer: a return, or checks of the arguments."""
        if answer not in self.known:
            plain = isinstance(answer, int)
            self.known[answer] = self._put(_RETURN, answer) if plain else self._checks(answer)  # type: ignore[arg-type]
        return self.known[answer]

    def begun_with(self, architecture: int, tree: int) -> list[Instruction]:
        """The whole program: it kills for another architecture, else goes to the tree (seccomp(2), CAVEATS)."""
        self._put(_JUMP, len(self.steps) - tree - 1)
        number = self._put(_LOAD, _NUMBER_OFFSET)
        other = self._put(_RETURN, _KILL)
        self._if(_IF_EQUAL, architecture, number, other)
        self._put(_LOAD, _ARCHITECTURE_OFFSET)
        return self.steps[::-1]

    def _checks(self, rule: Rule) -> int:
        refused, follows = self.answer(_REFUSE), self.answer(_ALLOW)
        for condition in reversed(rule):
            matched, missed = (follows, refused) if condition.wanted else (refused, follows)
            for value in reversed(condition.values):
                missed = self._if(_IF_EQUAL, value, matched, missed)
            if condition.mask != 0xFFFF_FFFF:
                self._put(_AND, condition.mask)
            follows = self._put(_LOAD, _ARGUMENTS_OFFSET + 8 * condition.argument)
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
        """Installs the filter on the calling process and its future children; valid while this object lives."""
        self.words = memoryview(self._text).cast("I")
        self.own_pid = tuple(2 * i + 1 for i, step in enumerate(program) if step.constant == OWN_PID)
        """Indices of the words that must hold the installing process's pid: an instruction is two words, the second its
        constant."""

    def install(self) -> None:
        """Install the filter on this process."""
        for place in self.own_pid:
            self.words[place] = os.getpid()
        install_filter(self._program)


def _pack(program: Iterable[Instruction]) -> bytes:
    steps = ((s.code, s.if_true, s.if_false, max(s.constant, 0)) for s in program)
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
