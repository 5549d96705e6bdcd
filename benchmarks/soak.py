"""Many mixed verdicts, one in ten on a hostile program: none may be wrong, and nothing may be left behind.

`python benchmarks/soak.py --verdicts 100000` counts verdicts, and says which were wrong; it ends with status 1 if any
was, if the sandbox failed, or if processes, files, mounts or shared memory are left; with `--sandbox docker`,
containers or volumes. While one waits for a limit others are judged (`--lanes`). With `--record FILE` runs add up: each
goes on where those before it stopped, also where one was killed, and `--verdicts` counts them all. README.md beside
this file says what was found.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from regreen.config import load_settings
from regreen.errors import SandboxError
from regreen.sandbox.attacks import FAMILIES, Attack
from regreen.sandbox.attacks.leak_monitor import LeakMonitor, open_leak_monitor
from regreen.sandbox.container_engine import LABEL
from regreen.sandbox.engine_client import connect_engine
from regreen.types import Confinement, Isolation, Limits, Suite
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

LIMITS = Limits(seconds=5.0, total_seconds=60.0, memory_bytes=512 << 20, output_bytes=1 << 20)
"""Those of honest programs, none of which needs them: on a machine that is starved, a second is little."""
SLOW = frozenset({"stalling", "spending"})
"""Families that mostly wait for a limit: they would take the time of all others."""
HOSTILE_SHARE = 0.1
BATCH = 50
"""Verdicts of one seed; so many at most for each lane are lost where a run is killed."""
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


@dataclass(frozen=True, slots=True)
class Ring:
    """What is judged, and by whom; for several threads."""

    judge: SandboxJudge
    pytest_judge: SandboxJudge
    """For programs that import pytest, which is in memory there already: it would take most of their time."""
    attacks: list[Attack]
    monitor: LeakMonitor

    def hostile_verdict(self, rng: random.Random) -> str:
        """Judge a hostile program; returns what was wrong with the verdict, if anything.

        An attack on shared mode is tried there, or where its checks are judged unless anybody says otherwise.
        """
        attack = rng.choice(self.attacks)
        suite = read_suite(attack.checks, program=attack.honest, module="program", entry_point="answer")
        if attack.isolation is Isolation.SHARED and rng.random() < 0.5:
            suite = replace(suite, isolation=Isolation.SHARED)
        judge = self.pytest_judge if "pytest" in attack.source else self.judge
        verdict = judge.judge(self.monitor.arm(attack.source), suite, attack.limits)
        wrong = verdict.passed or "BREACH" in repr(verdict)
        return f"{attack.name} passed ({verdict.isolation}): {verdict}" if wrong else ""

    def batch(self, seed: int, size: int, end: float) -> Lap:
        """So many verdicts, or as many as there is time for."""
        rng, lap = random.Random(seed), Lap(seed)
        while lap.verdicts < size and time.monotonic() < end:
            is_hostile = rng.random() < HOSTILE_SHARE
            try:
                told = self.hostile_verdict(rng) if is_hostile else honest_verdict(self.judge, rng)
            except SandboxError as error:
                # No verdict: on a starved machine a server may not start in time.
                lap.faults.append(str(error))
                continue
            lap.verdicts += 1
            lap.hostile += is_hostile
            if told:
                lap.wrong.append(told)
                print(f"seed {seed}, verdict {lap.verdicts}: {told}", flush=True)
        return lap


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
    parser.add_argument("--lanes", type=int, default=2, help="how many are judged at a time")
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
    print(*(f"no verdict ({count} times): {fault}" for fault, count in Counter(tally.faults).items()), sep="\n")
    if arguments.record:
        print(f"{tally.count:,} verdicts in all runs, {tally.hostile:,} of them hostile, {tally.all_wrong} wrong")
    return 1 if tally.all_wrong or tally.faults or left else 0


@dataclass(slots=True)
class Lap:
    """What was counted under one seed."""

    seed: int
    verdicts: int = 0
    hostile: int = 0
    wrong: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What the sandbox failed at, so that there was no verdict."""


@dataclass
class Tally:
    """What was counted, in this run and in those before it."""

    record: Path | None
    seed: int
    """The next one that was not used."""
    count: int = 0
    hostile: int = 0
    all_wrong: int = 0
    new: int = 0
    """Verdicts of this run."""
    wrong: list[str] = field(default_factory=list)
    """What was wrong in this run."""
    faults: list[str] = field(default_factory=list)
    """What the sandbox failed at in this run."""

    @classmethod
    def read(cls, record: Path | None, seed: int) -> Tally:
        """What a record tells; a run has the seeds after those of the runs before, so that no verdict counts twice."""
        tally = cls(record, seed)
        for line in record.read_text().splitlines() if record is not None and record.is_file() else ():
            tally._count(Lap(**json.loads(line)))
        return tally

    def add(self, lap: Lap) -> None:
        """Count some more, and write them down."""
        self._count(lap)
        self.new += lap.verdicts
        self.wrong += lap.wrong
        self.faults += lap.faults
        if self.record is not None:
            with self.record.open("a") as file:
                file.write(json.dumps(asdict(lap)) + "\n")

    def _count(self, lap: Lap) -> None:
        self.seed = max(self.seed, lap.seed + 1)
        self.count, self.hostile = self.count + lap.verdicts, self.hostile + lap.hostile
        self.all_wrong += len(lap.wrong)


@contextmanager
def open_ring(arguments: argparse.Namespace, confinement: Confinement, attacks: list[Attack]) -> Iterator[Ring]:
    """Judges for as many lanes, ended after the block."""
    with ExitStack() as stack:
        judge, pytest_judge = (
            stack.enter_context(open_judge(confinement, workers=arguments.lanes, preload=preload))
            for preload in ((), ("pytest",))
        )
        yield Ring(judge, pytest_judge, attacks, stack.enter_context(open_leak_monitor()))


def judge_many(arguments: argparse.Namespace, confinement: Confinement, attacks: list[Attack], tally: Tally) -> None:
    """Judge in batches, each with a seed of its own, as many at a time as there are lanes."""
    end = time.monotonic() + arguments.seconds
    with open_ring(arguments, confinement, attacks) as ring, ThreadPoolExecutor(arguments.lanes) as lanes:
        running: dict[Future[Lap], int] = {}
        seed = tally.seed
        while True:
            planned = tally.count + sum(running.values())
            while len(running) < arguments.lanes and planned < arguments.verdicts and time.monotonic() < end:
                size = min(BATCH, arguments.verdicts - planned)
                running[lanes.submit(ring.batch, seed, size, end)] = size
                seed, planned = seed + 1, planned + size
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                del running[done]
                tally.add(done.result())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
