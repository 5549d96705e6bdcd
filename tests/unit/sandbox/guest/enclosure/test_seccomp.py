"""The filters, run by an interpreter of our own over every system call number."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.enclosure.filter_policies import (
    ALWAYS_REFUSED,
    Condition,
    Policy,
    child_policy,
    server_policy,
)
from regreen.sandbox.guest.enclosure.seccomp import Instruction, compile_policy
from regreen.sandbox.guest.enclosure.system_call_numbers import AUDIT_ARCHITECTURES, NEWEST, system_call_numbers

ALLOW, KILL = 0x7FFF_0000, 0x8000_0000
EPERM, ENOSYS = 0x0005_0000 | errno.EPERM, 0x0005_0000 | errno.ENOSYS
MACHINES = sorted(AUDIT_ARCHITECTURES)
OWN_PID = 4242


def run(program: list[Instruction], number: int, arguments: tuple[int, ...] = (), arch: int | None = None) -> int:
    """What the filter answers, as the kernel would run it; `-1` in it stands for our pid."""
    arguments = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    words = {0: number, 4: arch}
    for index, value in enumerate(arguments):
        words[16 + 8 * index] = value & 0xFFFF_FFFF
        words[20 + 8 * index] = value >> 32 & 0xFFFF_FFFF
    accumulator, position = 0, 0
    while True:
        code, if_true, if_false, constant = program[position]
        constant = OWN_PID if constant == -1 else constant
        position += 1
        if code == 0x20:
            accumulator = words[constant] or 0
        elif code == 0x54:
            accumulator &= constant
        elif code == 0x05:
            position += constant
        elif code == 0x15:
            position += if_true if accumulator == constant else if_false
        elif code == 0x35:
            position += if_true if accumulator >= constant else if_false
        elif code == 0x06:
            return constant
        else:
            pytest.fail(f"an instruction that the kernel does not take: {code:#x}")


def answer(policy: Policy, machine: str, name: str, *arguments: int, closed: bool = True) -> int:
    """What a policy answers to a call by name."""
    program = compile_policy(policy, machine, closed=closed)
    return run(program, system_call_numbers(machine)[name], arguments, AUDIT_ARCHITECTURES[machine])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("closed", [True, False])
def test_every_number_gets_the_answer_that_the_policy_gives(machine: str, closed: bool) -> None:
    """The tree of comparisons loses no call and mixes none up."""
    policy = server_policy() if closed else child_policy(processes=False, links=True, metadata=True)
    program = compile_policy(policy, machine, closed=closed)
    names = {number: name for name, number in system_call_numbers(machine).items()}
    for number in range(NEWEST + 50):
        rule = policy.get(names.get(number, ""))
        got = run(program, number, (), AUDIT_ARCHITECTURES[machine])
        if rule == ():
            assert got == ALLOW
        elif rule is None and closed:
            unknown = number > NEWEST or names.get(number) == "clone3"
            assert got == (ENOSYS if unknown else EPERM)
        elif rule is None:
            assert got == ALLOW
        else:
            assert got in (ALLOW, EPERM)


FOREIGN = {"i386": 0x4000_0003, "arm": 0x4000_0028, "riscv64": 0xC000_00F3, **AUDIT_ARCHITECTURES}
"""AUDIT_ARCH_* of linux/audit.h: the older set of each machine that we know, and of others."""


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("other", FOREIGN)
@pytest.mark.parametrize("closed", [True, False])
def test_another_architecture_ends_the_process(machine: str, other: str, closed: bool) -> None:
    """The numbers mean other calls there, by whatever number: in the server's filter and in the child's."""
    policy = server_policy() if closed else child_policy(processes=False, links=True, metadata=True)
    program = compile_policy(policy, machine, closed=closed)
    killed = {run(program, number, (), FOREIGN[other]) == KILL for number in (0, 1, 57, 220, NEWEST, 0x4000_0000)}
    assert killed == {other != machine}


HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}
"""Where the kernel's own numbers lie, where its headers are installed."""


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_the_kernels(machine: str) -> None:
    """Each of the table, against the headers of the kernel itself."""
    found = next((path for path in map(Path, HEADERS[machine]) if path.exists()), None)
    if found is None:
        pytest.skip("the kernel's headers are not installed")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", found.read_text())
    numbers = {name: int(number) for name, number in reversed(defined)}
    # asm-generic names these two after what 32-bit machines call them.
    numbers |= {"newfstatat": numbers.get("newfstatat", numbers.get("fstatat", 0))}
    wrong = {name: (number, numbers.get(name)) for name, number in system_call_numbers(machine).items()}
    assert {name: pair for name, pair in wrong.items() if pair[0] != pair[1]} == {}


def test_the_x32_numbers_are_refused() -> None:
    """They reach the same kernel by another door."""
    program = compile_policy(server_policy(), "x86_64", closed=True)
    assert all(run(program, 0x4000_0000 | n, (), AUDIT_ARCHITECTURES["x86_64"]) == ENOSYS for n in range(600))


@pytest.mark.parametrize("machine", MACHINES)
def test_a_child_may_signal_only_itself(machine: str) -> None:
    """By every call that sends signals."""
    policy = child_policy(processes=False, links=True, metadata=True)
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert answer(policy, machine, name, OWN_PID, 9, closed=False) == ALLOW
        for target in (0, 1, OWN_PID + 1, 0xFFFF_FFFF, (1 << 32) - OWN_PID):
            assert answer(policy, machine, name, target, 9, closed=False) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_a_child_may_start_threads_but_no_processes(machine: str) -> None:
    """The flag decides, whatever else is asked for."""
    threads = 0x003D_0F00
    assert (
        answer(child_policy(processes=False, links=True, metadata=True), machine, "clone", threads, closed=False)
        == ALLOW
    )
    assert answer(child_policy(processes=False, links=True, metadata=True), machine, "clone", 17, closed=False) == EPERM
    assert answer(child_policy(processes=True, links=True, metadata=True), machine, "clone", 17, closed=False) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("flag", [1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30])
def test_nothing_inside_makes_namespaces(machine: str, flag: int) -> None:
    """Not even together with a thread."""
    assert answer(server_policy(), machine, "clone", flag | 17) == EPERM
    assert answer(server_policy(), machine, "clone", flag | 0x003D_0F00) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_socket_pairs_are_only_given_connected(machine: str) -> None:
    """A datagram pair could be addressed to any socket; so could a raw one, which is the same."""
    policy = server_policy()
    for kind in range(16):
        for flags in (0, 0o4000, 0o2000000):
            expected = ALLOW if kind in (1, 5) else EPERM
            assert answer(policy, machine, "socketpair", 1, kind | flags) == expected
    assert answer(policy, machine, "socketpair", 2, 1) == EPERM


@given(
    st.dictionaries(
        st.sampled_from(sorted(system_call_numbers("x86_64"))),
        st.one_of(
            st.just(()),
            st.just(ALWAYS_REFUSED),
            st.builds(
                lambda argument, values, mask, wanted: (Condition(argument, tuple(values), mask, wanted),),
                st.integers(0, 5),
                st.lists(st.integers(0, 7), min_size=1, max_size=4, unique=True),
                st.sampled_from([0xFFFF_FFFF, 7, 1]),
                st.booleans(),
            ),
        ),
        max_size=60,
    ),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
)
def test_any_policy_is_compiled_to_what_it_says(policy: Policy, arguments: list[int]) -> None:
    """Conditions included, for policies nobody wrote."""
    program = compile_policy(policy, "x86_64", closed=True)
    assert len(program) < 4096
    for name, rule in policy.items():
        if name == "clone3":
            continue
        passes = all(((arguments[c.argument] & c.mask) in c.values) is c.wanted for c in rule)
        got = run(program, system_call_numbers("x86_64")[name], tuple(arguments), AUDIT_ARCHITECTURES["x86_64"])
        assert got == (ALLOW if passes else EPERM)


@pytest.mark.parametrize("machine", MACHINES)
def test_files_can_be_made_and_devices_cannot(machine: str) -> None:
    """Whatever a kernel thinks of who asks: gVisor's lets anybody make devices."""
    numbers, architecture = system_call_numbers(machine), AUDIT_ARCHITECTURES[machine]
    program = compile_policy(server_policy(), machine, closed=True)
    for name, place in (("mknod", 1), ("mknodat", 2)):
        for kind in (0, stat.S_IFREG, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFBLK, stat.S_IFCHR):
            arguments = [0] * 6
            arguments[place] = kind | 0o666
            if name in numbers:
                answer = EPERM if kind in (stat.S_IFBLK, stat.S_IFCHR) else ALLOW
                assert run(program, numbers[name], tuple(arguments), architecture) == answer


@pytest.mark.parametrize("machine", MACHINES)
def test_no_two_calls_share_a_number(machine: str) -> None:
    """A slip in the table would open the wrong door."""
    table = system_call_numbers(machine)
    assert len(set(table.values())) == len(table)
    assert max(table.values()) <= NEWEST


def test_an_unknown_machine_has_no_numbers() -> None:
    """So that nothing is guessed there."""
    assert system_call_numbers("vax") == {}


@pytest.mark.skipif(os.uname().machine not in MACHINES, reason="no table for this machine")
def test_what_leads_out_is_in_no_list() -> None:
    """The calls that must never be let pass, by name."""
    never = {"socket", "connect", "bind", "ptrace", "mount", "unshare", "setns", "bpf", "keyctl", "open_by_handle_at"}
    never |= {"process_vm_readv", "perf_event_open", "userfaultfd", "io_uring_setup", "init_module", "personality"}
    assert never.isdisjoint(server_policy())


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_guest_without_a_file_tree_of_its_own_is_not_told_of_the_hosts(machine: str) -> None:
    """Landlock governs neither links nor extended attributes nor modes; libraries take the answers for "none here"."""
    policy = child_policy(processes=False, links=False, metadata=False)
    assert answer(policy, machine, "readlinkat", closed=False) == 0x5_0000 | errno.EINVAL
    assert answer(policy, machine, "getxattr", closed=False) == 0x5_0000 | errno.EOPNOTSUPP
    assert answer(policy, machine, "fchmodat", closed=False) == EPERM
    started = child_policy(processes=True, links=False, metadata=False)
    assert answer(started, machine, "readlinkat", closed=False) == ALLOW


@pytest.mark.parametrize(("processes", "expected"), [(False, "EPERM"), (True, "ALLOW")])
def test_descriptors_in_messages_are_for_tasks_with_processes(processes: bool, expected: str) -> None:
    """Nobody would close them when their sender is gone."""
    policy = child_policy(processes=processes, links=True, metadata=True)
    assert answer(policy, "x86_64", "sendmsg", closed=False) == {"EPERM": EPERM, "ALLOW": ALLOW}[expected]
