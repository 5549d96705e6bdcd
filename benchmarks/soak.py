"""Many mixed verdicts, one in ten on a hostile program: none may be wrong, and nothing may be left behind.

`python benchmarks/soak.py --verdicts 100000` counts verdicts, and says which were wrong; it ends with status 1 if any
was, or if processes, files, mounts or shared memory are left; with `--sandbox docker`, containers or volumes. With
`--record FILE` runs add up: each goes on where those before it stopped, also where one was killed, and `--verdicts`
counts them all. README.md beside this file says what was found.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from regreen.config import load_settings
from regreen.sandbox.attacks import FAMILIES, Attack
from regreen.sandbox.attacks.leak_monitor import open_leak_monitor
from regreen.sandbox.container_engine import LABEL
from regreen.sandbox.engine_client import connect_engine
from regreen.types import Confinement, Limits, Suite
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

LIMITS = Limits(seconds=1.0, total_seconds=10.0, memory_bytes=512 << 20, output_bytes=1 << 20)
SLOW = frozenset({"stalling", "spending"})
"""Families that mostly wait for a limit: they would take the time of all others."""
HOSTILE_SHARE = 0.1
BATCH = 200
"""Verdicts of one seed; so many at most are lost where a run is killed."""
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


def left_behind(before: Mapping[str, int], confinement: Confinement) -> list[str]:
    """What there is more of than before."""
    now = traces(confinement)
    return [f"{name}: {before[name]} before, {now[name]} now" for name in before if now[name] > before[name]]


def traces(confinement: Confinement) -> dict[str, int]:
    """Counts of what a sandbox could leave."""
    processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    counts = _engine_traces(confinement) if confinement.kind == "docker" else {}
    return {
        **counts,
        "child processes": sum(map(_is_child, processes)),
        "processes in containers": sum(map(_is_contained, processes)),
        "temporary folders": len(list(Path(tempfile.gettempdir()).glob("regreen-*"))),
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "shared memory": len(list(Path("/dev/shm").iterdir())),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
    }


def _engine_traces(confinement: Confinement) -> dict[str, int]:
    api = connect_engine(confinement.container)
    try:
        containers = api.containers(all=True, filters={"label": LABEL})
        return {"containers": len(containers), "volumes": len(api.volumes()["Volumes"] or ())}
    finally:
        api.close()


def _is_contained(entry: Path) -> bool:
    """Whether a process of this machine is an engine's, by the name that it gave to its control group."""
    try:
        groups = (entry / "cgroup").read_text()
    except OSError:
        return False
    return "docker" in groups or "libpod" in groups


def _is_child(entry: Path) -> bool:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == os.getpid()
    except (OSError, IndexError, ValueError):
        return False


def hostile_verdict(judge: SandboxJudge, rng: random.Random, attacks: list[Attack], arm: Callable[[str], str]) -> str:
    """Judge a hostile program; returns what was wrong with the verdict, if anything."""
    attack = rng.choice(attacks)
    suite = read_suite(attack.checks, program=attack.honest, module="program", entry_point="answer")
    verdict = judge.judge(arm(attack.source), suite, attack.limits)
    return f"{attack.name} passed" if verdict.passed or "BREACH" in repr(verdict) else ""


def honest_verdict(judge: SandboxJudge, rng: random.Random) -> str:
    """Judge an honest program, right or wrong; returns what was wrong with the verdict, if anything."""
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
    parser.add_argument(
        "--sandbox", default="jail", help="jail, docker (as DOCKER_HOST and REGREEN_DOCKER_* say) or restricted"
    )
    parser.add_argument("--layers", help="namespaces or landlock; the best there is unless said otherwise")
    parser.add_argument("--seed", type=int, default=0, help="which verdicts; with --record, of the first run")
    parser.add_argument("--record", type=Path, help="a file of JSON lines with what was counted before, and is now")
    arguments = parser.parse_args(words)
    confinement = load_settings({"sandbox": arguments.sandbox, "layers": arguments.layers}).confinement
    started = time.monotonic()
    tally = Tally.read(arguments.record, arguments.seed)
    attacks = [attack for family, rows in FAMILIES.items() if family not in SLOW for attack in rows]
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        before = traces(confinement)
        judge_many(arguments, confinement, attacks, tally)
        left = left_behind(before, confinement)
    seconds = time.monotonic() - started
    print(f"{tally.new:,} verdicts in {seconds:.0f} s, {len(tally.wrong)} wrong; left: {left or 'nothing'}")
    if arguments.record:
        print(f"{tally.count:,} verdicts in all runs, {tally.hostile:,} of them hostile, {tally.all_wrong} wrong")
    return 1 if tally.all_wrong or left else 0


@dataclass
class Tally:
    """What was counted, in this run and in those before it."""

    record: Path | None
    seed: int
    count: int = 0
    hostile: int = 0
    all_wrong: int = 0
    new: int = 0
    """Verdicts of this run."""
    wrong: list[str] = field(default_factory=list)
    """What was wrong in this run."""

    @classmethod
    def read(cls, record: Path | None, seed: int) -> Tally:
        """What a record tells; a run has the seed after those of the runs before, so that no verdict counts twice."""
        tally = cls(record, seed)
        for line in record.read_text().splitlines() if record is not None and record.is_file() else ():
            lap = json.loads(line)
            tally.seed = max(tally.seed, lap["seed"] + 1)
            tally.count, tally.hostile = tally.count + lap["verdicts"], tally.hostile + lap["hostile"]
            tally.all_wrong += len(lap["wrong"])
        return tally

    def add(self, verdicts: int, hostile: int, wrong: list[str]) -> None:
        """Count some more, and write them down."""
        self.count, self.hostile, self.new = self.count + verdicts, self.hostile + hostile, self.new + verdicts
        self.all_wrong += len(wrong)
        self.wrong += wrong
        if self.record is not None:
            line = {"seed": self.seed, "verdicts": verdicts, "hostile": hostile, "wrong": wrong}
            with self.record.open("a") as file:
                file.write(json.dumps(line) + "\n")
        self.seed += 1


def judge_many(arguments: argparse.Namespace, confinement: Confinement, attacks: list[Attack], tally: Tally) -> None:
    """Judge in batches, each with a seed of its own."""
    started = time.monotonic()
    with open_judge(confinement) as judge, open_leak_monitor() as monitor:
        while tally.count < arguments.verdicts and time.monotonic() - started < arguments.seconds:
            rng, wrong, hostile = random.Random(tally.seed), [], 0
            size = min(BATCH, arguments.verdicts - tally.count)
            for done in range(1, size + 1):
                is_hostile = rng.random() < HOSTILE_SHARE
                hostile += is_hostile
                told = hostile_verdict(judge, rng, attacks, monitor.arm) if is_hostile else honest_verdict(judge, rng)
                if told:
                    wrong.append(told)
                    print(f"seed {tally.seed}, verdict {done}: {told}", flush=True)
                if time.monotonic() - started >= arguments.seconds:
                    break
            tally.add(done, hostile, wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
