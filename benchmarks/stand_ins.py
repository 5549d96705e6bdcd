"""What a verdict costs by how near the checks come to the program: calls, stand-ins, shared mode, and pytest.

Each task is written twice, with functions and plain data and with a class or a generator, and has as many checks either
way. The ways take turns, round after round; README.md beside this file says what the figures mean. Beside the time by
the clock stands that of the processor, of this process and of all below it: on a busy machine it is the steadier one.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from regreen.types import Isolation, Limits, Suite
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

LIMITS = Limits(seconds=2.0, total_seconds=20.0)
_STACK_CALLS = """
def push(items, x):
    return [*items, x]


def pop(items):
    return items[-1], items[:-1]


def total(items):
    return sum(items)
"""
_STACK_CLASS = """
class Stack:
    def __init__(self, items=()):
        self.items = list(items)

    def push(self, x):
        self.items.append(x)
        return len(self.items)

    def pop(self):
        return self.items.pop()

    def total(self):
        return sum(self.items)
"""
_STEPS_CALLS = "def steps(n):\n    return [i * i for i in range(n)]\n"
_STEPS_GENERATOR = "def steps(n):\n    for i in range(n):\n        yield i * i\n"


class Pair(NamedTuple):
    """One task in both forms."""

    name: str
    calls: tuple[str, str]
    """A program of functions, and its checks."""
    live: tuple[str, str]
    """The same as a class or a generator."""


PAIRS = (
    Pair(
        "a stack",
        (
            _STACK_CALLS,
            "assert push([1], 2) == [1, 2]\nassert push([], 'a') == ['a']\nassert pop([1, 2])[0] == 2\n"
            "assert pop([3])[1] == []\nassert total([1, 2, 3]) == 6\nassert total([]) == 0\n",
        ),
        (
            _STACK_CLASS,
            "assert Stack([1]).push(2) == 2\nassert Stack().push('a') == 1\nassert Stack([1, 2]).pop() == 2\n"
            "assert Stack([3]).items == [3]\nassert Stack([1, 2, 3]).total() == 6\nassert Stack().total() == 0\n",
        ),
    ),
    Pair(
        "steps",
        (
            _STEPS_CALLS,
            "assert steps(3) == [0, 1, 4]\nassert steps(0) == []\nassert sum(steps(4)) == 14\n"
            "assert steps(5)[0] == 0\n",
        ),
        (
            _STEPS_GENERATOR,
            "assert list(steps(3)) == [0, 1, 4]\nassert list(steps(0)) == []\nassert sum(steps(4)) == 14\n"
            "assert next(steps(5)) == 0\n",
        ),
    ),
)
FAST = ("by calls", "with stand-ins")
UNDER_PYTEST = "import pytest\nfrom program import *\n\n\ndef test_all():\n"


def ways(pair: Pair) -> dict[str, tuple[str, Suite]]:
    """Way -> a program, and the suite by which it is judged."""
    found = {}
    for way, (program, checks) in (("by calls", pair.calls), ("with stand-ins", pair.live)):
        found[way] = program, _read(program, checks)
        assert found[way][1].surface.by_handles is (way == "with stand-ins")
    program, suite = found["with stand-ins"]
    found["in shared mode"] = program, replace(suite, isolation=Isolation.SHARED)
    tests = UNDER_PYTEST + "".join(f"    {line}\n" for line in pair.live[1].splitlines())
    found["pytest, behind the wall"] = program, _read(program, tests)
    assert found["pytest, behind the wall"][1].isolation is Isolation.SEPARATE
    found["pytest, in shared mode"] = program, replace(_read(program, tests), isolation=Isolation.SHARED)
    return found


def _read(program: str, checks: str) -> Suite:
    return read_suite(checks, program=program, module="program", entry_point=None)


class Lap(NamedTuple):
    """Milliseconds a verdict, in one round."""

    clock: float
    processor: float


def measured(judge: SandboxJudge, chosen: dict[str, tuple[str, Suite]], rounds: int, each: int) -> dict[str, list[Lap]]:
    """Way -> what a verdict takes, round by round."""
    found: dict[str, list[Lap]] = {way: [] for way in chosen}
    for lap in range(rounds + 1):
        for way, (program, suite) in chosen.items():
            started, spent = time.perf_counter(), processor_seconds()
            for _ in range(each):
                verdict = judge.judge(program, suite, LIMITS)
                assert verdict.passed, verdict
            times = time.perf_counter() - started, processor_seconds() - spent
            if lap:
                found[way].append(Lap(*(seconds / each * 1e3 for seconds in times)))
    return found


def processor_seconds() -> float:
    """CPU seconds so far of this process and all below it, those that have ended included (proc(5): stat).

    The kernel counts in hundredths: a round has to take much longer than that.
    """
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit():
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
                ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    below = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return sum(ticks[pid] for pid in below) / os.sysconf("SC_CLK_TCK")


def shown(laps: Sequence[Lap], bases: Sequence[Lap]) -> str:
    """Medians by the clock and of the processor's time, each with the median ratio to the base of the same round."""
    parts = []
    for kind in Lap._fields:
        times = [getattr(lap, kind) for lap in laps]
        ratios = [time / getattr(base, kind) for time, base in zip(times, bases, strict=True)]
        parts.append(f"{statistics.median(times):8.2f} ms{statistics.median(ratios):8.2f} x by the {kind}")
    return ",".join(parts)


def main(words: Sequence[str] | None = None) -> None:
    """Print milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds that are measured, after one to warm up")
    parser.add_argument("--each", type=int, default=40, help="verdicts of each way in a round")
    parser.add_argument("--core", type=int, help="the core to run on; the last one unless said otherwise")
    parser.add_argument("--fast", action="store_true", help="by calls and with stand-ins alone")
    arguments = parser.parse_args(words)
    os.sched_setaffinity(0, {arguments.core if arguments.core is not None else max(os.sched_getaffinity(0))})
    with open_judge() as judge:
        for pair in PAIRS:
            chosen = {way: what for way, what in ways(pair).items() if not arguments.fast or way in FAST}
            found = measured(judge, chosen, arguments.rounds, arguments.each)
            sys.stdout.write(f"{pair.name}: {arguments.rounds} rounds of {arguments.each} verdicts\n")
            for way, laps in found.items():
                sys.stdout.write(f"  {way:26}{shown(laps, found['by calls'])}\n")


if __name__ == "__main__":
    main()
