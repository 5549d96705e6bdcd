"""How long a whole file of a model's programs takes: `regreen judge` as a user calls it, and EvalPlus's way beside it.

Both judge the same programs with the same imports before each, in one run, one after the other. What EvalPlus does is
one process a program, forked from a warm one; it judges every program, Regreen each distinct one once.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from judge import Racer, read_jobs, with_samples

from regreen.evaluate.prelude import official_prelude


def judged_by_regreen(data: Path, samples: Path) -> tuple[float, float, dict[str, Any]]:
    """Wall and CPU seconds of the command, and the scores that it prints."""
    with tempfile.TemporaryDirectory(prefix="regreen-benchmark-") as folder:
        command = [sys.executable, "-m", "regreen", "judge", "humanevalfix", str(samples)]
        command += ["--dataset-path", str(data), "-o", f"{folder}/run", "--json"]
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, json.loads(done.stdout)["scores"]["official"]


def judged_evalplus_style(data: Path, samples: Path, every: int) -> tuple[float, float, int]:
    """Wall and CPU seconds of every `every`-th program judged EvalPlus's way, and how many those are."""
    prelude = official_prelude(sys.path).text
    jobs = with_samples(read_jobs(data, None), samples)[::every]
    bare = official_prelude([]).text
    jobs = [{**job, "program": prelude + job["program"].removeprefix(bare)} for job in jobs]
    with Racer("reenacted", sys.executable) as racer:
        racer.ask({"jobs": jobs, "settings": {"seconds": 2.0, "every_check": False, "isolation": ["separate"]}})
        before, started = racer.cpu_seconds(), time.monotonic()
        racer.ask([*range(len(jobs))])
        return time.monotonic() - started, racer.cpu_seconds() - before, len(jobs)


def main() -> None:
    """Judge the file both ways and print the two times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="HumanEvalFix's Python tasks, JSON lines")
    parser.add_argument("--samples", type=Path, required=True, help="lines of task_id, sample, code, recorded_passed")
    parser.add_argument("--every", type=int, default=1, help="EvalPlus's way: only every so many-th program")
    arguments = parser.parse_args()
    wall, cpu, score = judged_by_regreen(arguments.data, arguments.samples)
    total = score["judged"] + score["errors"]
    disagree = len(score["disagreements"])
    other_wall, other_cpu, count = judged_evalplus_style(arguments.data, arguments.samples, arguments.every)
    scale = total / count
    cores = len(os.sched_getaffinity(0))
    rows = (
        f"{total} programs, {cores} cores, pass@1 {score['pass_at']['1']['value'] * 100:.2f} %",
        f"regreen judge:             {wall:8.1f} s wall {cpu:8.1f} s CPU, {disagree} recorded verdicts disagree",
        f"EvalPlus's way, one core:  {other_wall * scale:8.1f} s wall {other_cpu * scale:8.1f} s CPU ({count} judged)",
        f"ratio of the CPU seconds:  {other_cpu * scale / cpu:8.1f}",
    )
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
