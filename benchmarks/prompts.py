"""Two versions of the prompts, asked of one model about the same tasks, and compared task by task.

    python benchmarks/prompts.py --data humanevalpack.jsonl --gguf FILE.gguf -o runs given=. changed=../changed
    python benchmarks/prompts.py --data humanevalpack.jsonl --model vllm:NAME -o runs given=. changed=../changed

Each version is a name and a checkout of this project, since prompts are templates and the code that fills them. Each is
a run of `regreen eval` in a folder of its own (`runs/NAME`), which is resumed where it was stopped. The second and all
further versions are compared with the first by McNemar's exact test, on `fixed` and on `usable`: the share of tasks
with a reply of which a candidate was made, since a small model seldom repairs. `NAME=CHECKOUT:STRATEGY:FEEDBACK` asks
in another way than `--strategy` and `--feedback` say. Tasks have even numbers: the odd ones are kept for results.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from results import served

from regreen.evaluate.paired import mcnemar
from regreen.evaluate.records import Result, ResultLine
from regreen.evaluate.result_log import RESULTS, read_results


@dataclass(frozen=True, slots=True)
class Version:
    """One way to ask."""

    name: str
    checkout: Path
    strategy: str
    feedback: str

    def command(self, model: str, address: str | None, options: argparse.Namespace) -> list[str]:
        """The command line of its run."""
        ids = ",".join(f"humanevalfix/Python/{number}" for number in range(0, 164, 2)[: options.tasks])
        told = ["--dataset-path", str(options.data), "--ids", ids, "-o", str(options.out / self.name), "--resume"]
        told += ["-s", self.strategy, "--feedback", self.feedback, "--iters", str(options.iters), "-m", model]
        told += ["--base-url", address] if address else []
        told += ["--max-reply-tokens", str(options.reply_tokens), "--temperature", "0", "--request-timeout", "900"]
        told += ["--concurrency", str(options.slots), "--timeout", "2"]
        return [sys.executable, "-m", "regreen", "eval", "humanevalfix", *told]

    def run(self, model: str, address: str | None, options: argparse.Namespace) -> None:
        """Begin the run, or go on with it; raises SystemExit where it cannot be used."""
        source = str((self.checkout / "src").resolve())
        environment = {**os.environ, "PYTHONPATH": source}
        command = self.command(model, address, options)
        done = subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=False)
        if done.returncode not in (0, 1, 3):
            raise SystemExit(done.returncode)


def read_version(text: str, options: argparse.Namespace) -> Version:
    """The version that NAME=CHECKOUT or NAME=CHECKOUT:STRATEGY:FEEDBACK stands for; raises SystemExit."""
    name, _, where = text.partition("=")
    checkout, *way = where.split(":")
    if not name or len(way) not in (0, 2) or not (Path(checkout) / "src" / "regreen").is_dir():
        raise SystemExit(f"{text!r} is not NAME=CHECKOUT or NAME=CHECKOUT:STRATEGY:FEEDBACK, with a checkout's folder.")
    return Version(name, Path(checkout), *(way or (options.strategy, options.feedback)))


def lines_of(version: Version, options: argparse.Namespace) -> dict[str, ResultLine]:
    """The decided records of a version's run, by task."""
    lines = read_results(options.out / version.name / RESULTS)
    return {line.task_id: line for line in lines if line.outcome is not Result.ERROR}


def is_usable(line: ResultLine) -> bool:
    """Whether a candidate was made of a reply: it parses and defines what was asked for."""
    return any(turn.candidate_id and not turn.fault for turn in line.turns)


def is_fixed(line: ResultLine) -> bool:
    """Whether the hidden checks pass."""
    return line.outcome is Result.FIXED


def compared(first: Mapping[str, ResultLine], second: Mapping[str, ResultLine]) -> list[str]:
    """Two versions over the tasks that both decided: counts, gained, lost and the p-value of McNemar's test."""
    both, told = sorted(first.keys() & second.keys()), []
    for word, holds in (("fixed", is_fixed), ("usable", is_usable)):
        before, after = ({task for task in both if holds(lines[task])} for lines in (first, second))
        gained, lost = len(after - before), len(before - after)
        counts = f"{len(before)} -> {len(after)} of {len(both)}"
        told.append(f"  {word}: {counts}, {gained} gained, {lost} lost, p = {mcnemar(gained, lost):.2g}")
    return told


def faults_of(lines: Mapping[str, ResultLine]) -> str:
    """How often each fault came, the most frequent first."""
    faults = [turn.fault for line in lines.values() for turn in line.turns if turn.fault]
    return ", ".join(f"{name} {faults.count(name)}" for name in sorted(set(faults), key=faults.count, reverse=True))


def main() -> None:
    """Ask in every version, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+", metavar="NAME=CHECKOUT")
    parser.add_argument("--data", type=Path, required=True, help="HumanEvalFix's Python tasks, JSON lines")
    parser.add_argument("--gguf", type=Path, help="a model to serve with llama.cpp")
    parser.add_argument("--model", default="", help="a model that is served already")
    parser.add_argument("--base-url")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the folder of the runs")
    parser.add_argument("--strategy", default="reflect")
    parser.add_argument("--feedback", default="all")
    parser.add_argument("--tasks", type=int, default=82)
    parser.add_argument("--iters", type=int, default=0)
    parser.add_argument("--slots", type=int, default=2, help="requests at once")
    parser.add_argument("--reply-tokens", type=int, default=512)
    options = parser.parse_args()
    if not (options.gguf or options.model):
        parser.error("name a model: --gguf FILE, or --model NAME")
    versions = [read_version(text, options) for text in options.versions]
    with served(options) as (model, address):
        for version in versions:
            version.run(model, address, options)
    first, *others = [(version, lines_of(version, options)) for version in versions]
    for version, lines in (first, *others):
        tokens = [sum(getattr(line.token_usage, kind) for line in lines.values()) for kind in ("prompt", "completion")]
        print(f"{version.name}: tokens {tokens[0]:,} and {tokens[1]:,}; faults {faults_of(lines) or 'none'}")
    for version, lines in others:
        print(f"{version.name} against {first[0].name}:", *compared(first[1], lines), sep="\n")


if __name__ == "__main__":
    main()
