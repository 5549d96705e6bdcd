"""Kills a run again and again at random moments, resumes it each time, and compares what it ends with.

    python benchmarks/kills.py [--kills 100] [--cases 12] [--seed 0] [--way search|reflect] [--spread none|ray]

`search` repairs cases of `bundled` without a model, `reflect` with a scripted one that needs two tries. A kill is
SIGKILL to the command's process, at a moment drawn evenly from the time that an undisturbed run takes; a folder is
begun anew whenever a run has come to its end, until there have been so many kills. The records of each folder have to
be those of the undisturbed run, measured times aside, and nothing that a killed run had started may be left after 15 s.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regreen.evaluate.agreement import untimed
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.tasks.catalogue import DatasetFiles, load_dataset
from regreen.types import Case
from regreen.verify.suites import read_suite

PATIENCE = 15.0


@dataclass
class Field:
    """Where the runs are, and how they are begun."""

    folder: Path
    options: argparse.Namespace
    ids: list[str]
    left: Counter[str] = field(default_factory=Counter)
    """What was still there after a kill."""

    def command(self, run: Path) -> list[str]:
        """The command line that begins a run, or goes on with it."""
        told = ["--ids", ",".join(self.ids), "--max-candidates", "2000", "--resume", "--json"]
        told += ["--spread", self.options.spread]
        if self.options.way == "reflect":
            told += ["-s", "reflect", "-m", f"scripted:{self.folder / 'script.json'}"]
        return [sys.executable, "-m", "regreen", "eval", "bundled", "-o", str(run), *told]

    def start(self, run: Path) -> subprocess.Popen[bytes]:
        """Begin a run, or go on with it."""
        scratch = self.folder / "tmp"
        scratch.mkdir(exist_ok=True)
        return subprocess.Popen(
            self.command(run),
            env={**os.environ, "TMPDIR": str(scratch)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self, run: Path, delay: float) -> bool:
        """Go on with a run for so long; whether it was killed, and had not ended by itself."""
        with self.start(run) as process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(delay)
            was_there, started = process.poll() is None, descendants(process.pid)
            process.kill()
        if was_there:
            self._look_for(started)
        elif process.returncode:
            raise SystemExit(f"a run ended with status {process.returncode}: {' '.join(self.command(run))}")
        return was_there

    def _look_for(self, started: set[int]) -> None:
        deadline = time.monotonic() + PATIENCE
        while any(map(alive, started)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.left["processes"] += sum(map(alive, started))
        self.left["temporary files"] += len(list((self.folder / "tmp").iterdir()))


def descendants(pid: int) -> set[int]:
    """Processes that came of another."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        children = {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
        found = children.union(*map(descendants, children))
    return found


def alive(pid: int) -> bool:
    """Whether a process is there, and not only its exit status."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def records(run: Path) -> dict[tuple[str, int], Any]:
    """What a run found; a repeated line is refused by whoever reads it."""
    return {line.key: untimed(line.values()) for line in read_results(run / RESULTS)}


def prepare(folder: Path, options: argparse.Namespace) -> Field:
    """The cases, and what a model says to each."""
    cases = load_dataset("bundled", read_suite, files=DatasetFiles())[: options.cases]
    rules = [
        {
            "contains": case.task.statement[:60],
            "replies": [{"text": text, "latency": 0.1} for text in said(case)],
        }
        for case in cases
    ]
    (folder / "script.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")
    return Field(folder, options, [case.task.id for case in cases])


def said(case: Case) -> list[str]:
    """What is written otherwise and does the same, and then the program as it should be."""
    same = case.task.source.replace("return ", "return None or ", 1)
    return [f"```python\n{source}\n```\n" for source in (same, case.reference)]


def main() -> int:
    """Kill as often as asked for, and tell what came of it."""
    parser = argparse.ArgumentParser(description="Kills runs and compares what they end with.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--way", choices=["search", "reflect"], default="search")
    parser.add_argument("--spread", choices=["none", "ray"], default="none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        return carry_out(prepare(Path(place), options), options)


def carry_out(ground: Field, options: argparse.Namespace) -> int:
    """The kills, run after run."""
    began = time.monotonic()
    with ground.start(ground.folder / "calm") as process:
        process.wait()
    seconds, wanted = time.monotonic() - began, records(ground.folder / "calm")
    print(f"undisturbed: {len(wanted)} records, {Counter(r['outcome'] for r in wanted.values())}, {seconds:.1f} s")
    rng, kills, runs, differing = random.Random(options.seed), 0, 0, 0
    while kills < options.kills:
        run, runs = ground.folder / f"killed-{runs}", runs + 1
        while kills < options.kills and ground.kill(run, rng.uniform(0.0, seconds)):
            kills += 1
        with ground.start(run) as process:
            process.wait()
        differing += records(run) != wanted
    print(f"{kills} kills in {runs} runs: {runs - differing} runs ended with the same records, {differing} with others")
    print(f"left behind: {dict(+ground.left) or 'nothing'}")
    return 1 if differing or +ground.left else 0


if __name__ == "__main__":
    raise SystemExit(main())
