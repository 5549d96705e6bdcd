"""Many mixed verdicts, one in ten on a hostile program: none may be wrong, and nothing may be left behind.

`python benchmarks/soak.py --verdicts 100000` counts verdicts, and says which were wrong; it ends with status 1 if any
was, or if processes, files, mounts or shared memory are left. README.md beside this file says what was found.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from regreen.sandbox.attacks import FAMILIES, Attack
from regreen.sandbox.attacks.leak_monitor import open_leak_monitor
from regreen.types import Limits, Suite
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

LIMITS = Limits(seconds=1.0, total_seconds=10.0, memory_bytes=512 << 20, output_bytes=1 << 20)
SLOW = frozenset({"stalling", "spending"})
"""Families that mostly wait for a limit: they would take the time of all others."""
HONEST = {
    "def f(n):\n    return n * 2\n": "assert f({n}) == {double}\n",
    "def f(n):\n    return [n, str(n)]\n": "assert f({n}) == [{n}, '{n}']\n",
    "def f(n):\n    if n < 0:\n        raise ValueError(n)\n    return n\n": (
        "try:\n    f(-1)\nexcept ValueError:\n    pass\nelse:\n    assert False\nassert f({n}) == {n}\n"
    ),
    "class F:\n    def __init__(self, n):\n        self.n = n\n    def double(self):\n        return 2 * self.n\n": (
        "box = F({n})\nassert box.double() == {double}\n"
    ),
}
"""Right programs, and checks that they pass."""


def read(program: str, checks: str) -> Suite:
    """The checks as a suite."""
    return read_suite(checks, program=program, module="program", entry_point=None)


def left_behind(before: Mapping[str, int]) -> list[str]:
    """What there is more of than before."""
    now = traces()
    return [f"{name}: {before[name]} before, {now[name]} now" for name in before if now[name] > before[name]]


def traces() -> dict[str, int]:
    """Counts of what a sandbox could leave."""
    children = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and _is_child(entry)]
    return {
        "child processes": len(children),
        "temporary folders": len(list(Path(tempfile.gettempdir()).glob("regreen-*"))),
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "shared memory": len(list(Path("/dev/shm").iterdir())),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
    }


def _is_child(entry: Path) -> bool:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == os.getpid()
    except (OSError, IndexError, ValueError):
        return False


def judge_one(judge: SandboxJudge, rng: random.Random, attacks: list[Attack], arm: Callable[[str], str]) -> str:
    """Judge one program; returns what was wrong with the verdict, if anything."""
    if rng.random() < 0.1:
        attack = rng.choice(attacks)
        suite = read_suite(attack.checks, program=attack.honest, module="program", entry_point="answer")
        verdict = judge.judge(arm(attack.source), suite, attack.limits)
        return f"{attack.name} passed" if verdict.passed or "BREACH" in repr(verdict) else ""
    program, checks = rng.choice([*HONEST.items()])
    number, slip = rng.randrange(1000), rng.random() < 0.3
    text = checks.format(n=number, double=2 * number + slip) if "{double}" in checks else checks.format(n=number)
    expected = not (slip and "{double}" in checks)
    verdict = judge.judge(program, read(program, text), LIMITS)
    return "" if verdict.passed is expected else f"{text!r} of {program!r}: {verdict}"


def main(words: list[str]) -> int:
    """Count until the number of verdicts or the time is reached; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verdicts", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--layers", help="namespaces or landlock; the best there is unless said otherwise")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    started = time.monotonic()
    attacks = [attack for family, rows in FAMILIES.items() if family not in SLOW for attack in rows]
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        before = traces()
        count, wrong = judge_many(arguments, attacks)
        left = left_behind(before)
    print(f"{count:,} verdicts in {time.monotonic() - started:.0f} s, {len(wrong)} wrong; left: {left or 'nothing'}")
    return 1 if wrong or left else 0


def judge_many(arguments: argparse.Namespace, attacks: list[Attack]) -> tuple[int, list[str]]:
    """The number of verdicts, and what was wrong with some."""
    rng, started, wrong, count = random.Random(arguments.seed), time.monotonic(), [], 0
    with open_judge(layers=arguments.layers) as judge, open_leak_monitor() as monitor:
        while count < arguments.verdicts and time.monotonic() - started < arguments.seconds:
            told = judge_one(judge, rng, attacks, monitor.arm)
            count += 1
            if told:
                wrong.append(told)
                print(f"verdict {count}: {told}", flush=True)
    return count, wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
