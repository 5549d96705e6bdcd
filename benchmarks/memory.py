"""What the process that keeps a run holds in memory, over 100,000 samples: it has to stay flat.

    python benchmarks/memory.py {eval,judge} [--samples 100000] [--source-bytes 2000]

A strategy and a judge that answer at once take the places of the real ones, so that what is measured is the harness:
cases, jobs, threads, log, states, lines on disk. Each line says the resident size after so many samples.

eval   as many cases, each with a text of its own, repaired by `evaluate`
judge  as many programs of 100 tasks, judged as `regreen judge` does
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from regreen.evaluate.judge_samples import SampleJudge, judge_samples, open_judged_log
from regreen.evaluate.prelude import NO_PRELUDE
from regreen.evaluate.records import Feedback, RunConfiguration
from regreen.evaluate.run import RunOptions, evaluate_cases, open_results
from regreen.evaluate.sample_runner import LocalExecutor, SampleRunner
from regreen.evaluate.sample_suites import SampleSuites
from regreen.tasks.samples import read_samples
from regreen.types import (
    Attempt,
    Candidate,
    Case,
    Check,
    CheckResult,
    Cost,
    Limits,
    Outcome,
    Repair,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Verdict,
)
from regreen.verify.suites import read_suite

STEPS = 10


class Scales:
    """Tells the resident size as a run goes on."""

    def __init__(self, total: int) -> None:
        self.step = max(1, total // STEPS)
        self.count = 0
        self.sizes: list[float] = []

    def begin(self, total: int, _: Any) -> None:
        """Weigh once before anything has ended."""
        self._weigh()

    def finished(self, _: Any) -> None:
        """Weigh after every so many."""
        self.count += 1
        if self.count % self.step == 0:
            self._weigh()

    def _weigh(self) -> None:
        gc.collect()
        self.sizes.append(resident())
        print(f"{self.count:>8,} samples: {self.sizes[-1]:7.1f} MiB", flush=True)


class Yes:
    """A judge that passes everything."""

    def judge(self, source: str, suite: Suite, limits: Limits, **_: Any) -> Verdict:
        """Every check passed."""
        return Verdict({check.id: CheckResult(Outcome.PASSED) for check in suite.checks})


def resident() -> float:
    """MiB of memory that this process holds."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def case(number: int, source_bytes: int) -> Case:
    """A case with texts of its own."""
    source = f"def f_{number}(a):\n    return a\n".ljust(source_bytes, "#")
    suite = Suite(SuiteKind.SCRIPT, f"assert f_{number}(1) == 1", (Check("only", f"assert f_{number}(1) == 1"),))
    return Case(Task(f"memory/{number}", source, f"f_{number}", suite), suite, source)


class Unchanged:
    """A strategy whose patch is a comment."""

    name = "search"

    def repair(self, task: Task, seed: int = 0, on_event: Any = None) -> Repair:
        """The program as it is, with a comment behind it."""
        verdict = Yes().judge(task.source, task.suite, Limits())
        attempt = Attempt(Candidate(f"{task.source}# {seed}", "memory:stub"), verdict)
        return Repair(task.id, attempt, Verdict({}), (attempt,), Cost(1, 0, 0.001), Stop.FIXED)


def through_evaluate(options: argparse.Namespace, folder: Path) -> Scales:
    """All samples as cases of one run."""
    cases = [case(number, options.source_bytes) for number in range(options.samples)]
    scales = Scales(options.samples)
    configuration = RunConfiguration("memory", "search", Feedback.ALL)
    executor = LocalExecutor(SampleRunner(Unchanged(), Yes(), Limits(), configuration), 4)
    with open_results(folder / "run", configuration, cases) as results:
        summary = evaluate_cases(cases, executor, configuration, RunOptions(results, scales))
    assert sum(summary.outcomes.values()) == options.samples
    return scales


def through_judge(options: argparse.Namespace, folder: Path) -> Scales:
    """All samples as programs of a hundred tasks."""
    cases = [case(number, options.source_bytes) for number in range(100)]
    file = folder / "samples.jsonl"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(f"{json.dumps(row)}\n" for row in rows(options.samples, options.source_bytes))
    samples = read_samples(file, "memory", cases)
    sample_judge = SampleJudge("memory", samples, SampleSuites(cases, (NO_PRELUDE,), read_suite), Yes(), Limits(), 4)
    scales = Scales(options.samples)
    with open_judged_log(sample_judge, folder / "run", {"command": "judge"}) as log:
        judging = judge_samples(sample_judge, log, progress=scales)
    assert judging.exit_status == 0
    return scales


def rows(count: int, source_bytes: int) -> Iterator[Mapping[str, str]]:
    """Samples in EvalPlus's form."""
    for number in range(count):
        yield {"task_id": f"memory/{number % 100}", "solution": f"x = {number}\n".ljust(source_bytes, "#")}


def main() -> None:
    """Weigh, and tell by how much it grew."""
    parser = argparse.ArgumentParser(description="Resident memory over many samples.")
    parser.add_argument("way", choices=["eval", "judge"])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--source-bytes", type=int, default=2_000)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        scales = {"eval": through_evaluate, "judge": through_judge}[options.way](options, Path(place))
    grown = scales.sizes[-1] - scales.sizes[1]
    each = grown * 2**20 / (options.samples * (1 - 1 / STEPS))
    print(f"from the first tenth to the end: {grown:+.1f} MiB, {each:.0f} bytes a sample")
    print(f"in {time.monotonic() - began:.0f} s, each line synced to the disk")


if __name__ == "__main__":
    main()
