"""What the agents' harness costs, what faults do to it, and what the hybrid gains: against a server of our own.

    python benchmarks/agents.py {overhead,faults,replay,hybrid} [--tasks N] [--strategy NAME] [--latency S] [--turn K]

The model is an oracle behind the shipped test server, over real HTTP in a process of its own: it knows the references
of the bundled benchmark (or of the file named by --data), and is wrong before turn K in a new way each time.

overhead  wall time against the ideal (a schedule of the latencies alone), with the judge's work and without, and CPU a
          model call beside the judge
faults    the same run with and without a share of faulty replies: what was lost, and whether the records are equal
replay    a recorded run once more from its tape: the same candidates and verdicts, and how much faster
hybrid    search alone, a model that knows half of the tasks, and both together: fixed, and model calls
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import heapq
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regreen import api
from regreen.config import Settings, load_settings
from regreen.evaluate.agreement import agreement
from regreen.evaluate.records import Result, ResultLine
from regreen.evaluate.result_log import RESULTS, read_results
from regreen.models.scripted import ReplySpec
from regreen.models.testserver import serve
from regreen.tasks.catalogue import DatasetFiles, load_dataset
from regreen.tasks.shipped import load_bundled
from regreen.text_cache import TextCache
from regreen.types import Case, JudgeOptions, Limits, Outcome, Suite, Verdict
from regreen.verify.judge import SandboxJudge, open_judge
from regreen.verify.suites import read_suite

MARK = re.compile(r"attempt_(\d+)")
RECOGNISED = 60
"""Characters of a statement by which the oracle knows a task."""


def cases(count: int, data: Path | None = None) -> list[Case]:
    """So many cases of the bundled benchmark, or of a file; beyond its length they begin again under other names."""
    return repeated(everything(data), count)


def ending(count: int, data: Path | None = None) -> list[Case]:
    """Likewise, without the programs that hang: they cost what the time limit is, whoever waits for them."""
    quick = Limits(seconds=0.2)
    with open_judge() as judge:
        verdicts = [
            (case, judge.judge(case.task.source, case.hidden, quick, options=JudgeOptions(shorten_after_timeout=True)))
            for case in everything(data)
        ]
    known = [
        case
        for case, verdict in verdicts
        if all(result.outcome is not Outcome.TIMED_OUT for result in verdict.results.values())
    ]
    return repeated(known, count)


def repeated(known: Sequence[Case], count: int) -> list[Case]:
    """The first so many, begun again under other names where there are fewer."""
    return [named(known[i % len(known)], i // len(known)) for i in range(count)]


def everything(data: Path | None) -> Sequence[Case]:
    """All cases of the bundled benchmark, or of the published HumanEvalFix JSONL."""
    return load_dataset("humanevalfix", read_suite, files=DatasetFiles(data)) if data else load_bundled(read_suite)


def named(case: Case, again: int) -> Case:
    """The case under a name of its own."""
    return case if not again else replace(case, task=replace(case.task, id=f"{case.task.id}~{again}"))


@dataclass(frozen=True)
class Oracle:
    """Gives the reference of the tasks that it knows at turn `turn`, from 1, and a version that is wrong before."""

    known: Sequence[Case]
    turn: int

    def __call__(self, body: Any) -> ReplySpec:
        """The reply to one request."""
        text = "\n".join(str(message.get("content")) for message in body["messages"])
        case = next((case for case in self.known if recognised(case, text)), None)
        if case is None:
            return ReplySpec("I do not know this one.")
        attempt = 1 + max((int(number) for number in MARK.findall(text)), default=0)
        source = case.reference if attempt >= self.turn else marked(case, attempt)
        return ReplySpec(f"The cause is plain.\n\n```python\n{source}\n```\n")


def recognised(case: Case, text: str) -> bool:
    """Whether a conversation is about a case: prompts say what they ask for."""
    return f"complete definition of `{case.task.entry_point}`" in text and case.task.statement[:RECOGNISED] in text


def marked(case: Case, attempt: int) -> str:
    """The buggy program with a trace of the attempt in the function in question, or the class's first one."""
    lines = case.task.source.split("\n")
    begin = re.compile(rf"(?:async def|def|class) {case.task.entry_point}\b")
    top = next(i for i, line in enumerate(lines) if begin.match(line))
    at = next(i for i in range(top, len(lines)) if lines[i].lstrip().startswith(("def ", "async def ")))
    end = next(i for i in range(at, len(lines)) if lines[i].rstrip().endswith(":"))
    indent = " " * (len(lines[at]) - len(lines[at].lstrip()) + 4)
    return "\n".join([*lines[: end + 1], f"{indent}attempt_{attempt} = {attempt}", *lines[end + 1 :]])


@contextlib.contextmanager
def server(
    *, latency: float = 0.0, faults: float = 0.0, turn: int = 1, every: int = 1, data: Path | None = None
) -> Iterator[str]:
    """The address of an oracle in a process of its own, which knows each `every`-th task."""
    order = ["serve", "--latency", str(latency), "--faults", str(faults), "--turn", str(turn), "--every", str(every)]
    order += ["--data", str(data)] if data else []
    command = [sys.executable, __file__, *order]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def serve_until_told(options: argparse.Namespace) -> None:
    """Serve until standard input ends."""
    known = everything(options.data)[:: options.every]
    with serve(Oracle(known, options.turn), latency=options.latency, faults=options.faults) as served:
        print(served.base_url, flush=True)
        sys.stdin.read()


def settings(address: str, options: argparse.Namespace, **more: object) -> Settings:
    """The settings of one run; nothing of the environment counts."""
    flags: dict[str, object] = {"model": "vllm:oracle", "base_url": address, "strategy": options.strategy, "iters": 10}
    flags |= {"concurrency": options.concurrency, "timeout": options.timeout, **more}
    return load_settings(flags, environ={}, near=Path("/"))


@dataclass(frozen=True)
class Ran:
    """One run and what it took."""

    lines: dict[tuple[str, int], ResultLine]
    seconds: float
    cpu_seconds: float
    """Of this process."""

    @property
    def fixed(self) -> int:
        """How many were fixed."""
        return sum(line.outcome is Result.FIXED for line in self.lines.values())

    @property
    def calls(self) -> int:
        """Model calls that were answered."""
        return sum(line.model_calls for line in self.lines.values())


def run(todo: Sequence[Case], place: Path, chosen: Settings) -> Ran:
    """Evaluate into a folder."""
    started, cpu = time.perf_counter(), time.process_time()
    summary = api.evaluate(todo, place, dataset="bundled", settings=chosen)
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    if summary.failure:
        raise SystemExit(f"the run was given up: {summary.failure}")
    return Ran({line.key: line for line in read_results(place / RESULTS)}, seconds, cpu)


@contextlib.contextmanager
def judge_that_remembers() -> Iterator[None]:
    """For the block, each verdict is given once and remembered: a second run has the harness's work alone."""
    plain, known = SandboxJudge.judge, dict[Any, Verdict]()

    def remembered(self: SandboxJudge, source: str, suite: Suite, *args: Any, **more: Any) -> Verdict:
        # A suite that is tried again nearer to the program has another verdict.
        how = (suite.isolation, suite.surface.by_handles, repr(more.get("options")))
        key = (source, suite.source, len(suite), *how)
        if key not in known:
            known[key] = plain(self, source, suite, *args, **more)
        return known[key]

    SandboxJudge.judge = remembered  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        SandboxJudge.judge = plain  # type: ignore[method-assign]


def say(what: str) -> None:
    """Tell what is being done, beside the figures."""
    sys.stderr.write(f"-- {what}\n")


def forget() -> None:
    """Drop what was worked out of texts: what a run knows of the very replies of the one before is work elsewhere."""
    for kept in gc.get_objects():
        if type(kept) is TextCache:
            kept.clear()


def ideal(ran: Ran, latency: float, at_once: int) -> float:
    """Seconds that the latencies alone take, each task after the other in the first free place."""
    places = [0.0] * at_once
    for line in ran.lines.values():
        heapq.heapreplace(places, places[0] + line.model_calls * latency)
    return max(places)


def bound(ran: Ran, latency: float, at_once: int) -> float:
    """Seconds below which no schedule of the calls can be, however many tasks are begun."""
    return max(ran.calls / at_once, max(line.model_calls for line in ran.lines.values())) * latency


def overhead(options: argparse.Namespace, folder: Path) -> None:
    """Wall time against the ideal, and CPU a call at no latency."""
    say("choosing the tasks whose programs end")
    todo = ending(options.tasks, options.data)
    say("a small run, for the imports")
    run_warm(options, folder)
    say(f"{len(todo)} tasks of a model that takes {options.latency:g} s to answer")
    with server(latency=options.latency, turn=options.turn, data=options.data) as address:
        slow = run(todo, folder / "slow", settings(address, options))
    with server(turn=options.turn, data=options.data) as address, judge_that_remembers():
        say("the same at no latency, for the verdicts")
        run(todo, folder / "first", settings(address, options))
        forget()
        say("the same once more, with the verdicts remembered")
        quick = run(todo, folder / "quick", settings(address, options))
    with server(latency=options.latency, turn=options.turn, data=options.data) as address, judge_that_remembers():
        say("with the latency, for the verdicts")
        run(todo, folder / "known", settings(address, options))
        forget()
        say("with the latency, and the verdicts remembered")
        alone = run(todo, folder / "alone", settings(address, options))
    best, least = ideal(slow, options.latency, options.concurrency), bound(slow, options.latency, options.concurrency)
    print(f"{options.strategy}, {options.tasks} tasks, {options.concurrency} at once, latency {options.latency:g} s:")
    print(f"  fixed {slow.fixed}, model calls {slow.calls}")
    print(f"  wall {slow.seconds:.2f} s, ideal {best:.2f} s: {slow.seconds / best:.2f} x")
    print(f"  no schedule of the calls is shorter than {least:.2f} s: {slow.seconds / least:.2f} x")
    print(f"  the harness alone, the verdicts remembered: wall {alone.seconds:.2f} s, {alone.seconds / best:.2f} x")
    print(f"  at no latency: {1000 * quick.cpu_seconds / quick.calls:.2f} ms of CPU a model call beside the judge")


def run_warm(options: argparse.Namespace, folder: Path) -> None:
    """One small run first, so that imports are not counted."""
    with server(data=options.data) as address:
        run(cases(4, options.data), folder / "warm", settings(address, options))


def faults(options: argparse.Namespace, folder: Path) -> None:
    """Runs with and without faults, compared."""
    todo = cases(options.tasks, options.data)
    more = {"retries": 20}
    with server(turn=options.turn, data=options.data) as address:
        calm = run(todo, folder / "calm", settings(address, options, **more))
    with server(turn=options.turn, faults=options.faults, data=options.data) as address:
        rough = run(todo, folder / "rough", settings(address, options, **more))
    found = agreement(calm.lines.values(), rough.lines.values())
    lost = len(calm.lines) - len(rough.lines)
    errors = sum(line.outcome is Result.ERROR for line in rough.lines.values())
    print(f"{options.strategy}, {options.tasks} tasks, {100 * options.faults:g} % faults:")
    print(f"  lost {lost}, errors {errors}, equal records {found.same} of {len(calm.lines)}")
    print(f"  fixed {calm.fixed} without and {rough.fixed} with; {calm.seconds:.1f} s and {rough.seconds:.1f} s")
    for difference in found.differences[:5]:
        print(f"  {difference.task_id}: {difference.what}")


def replay(options: argparse.Namespace, folder: Path) -> None:
    """A recorded run from its tape, of programs that end."""
    todo = ending(options.tasks, options.data)
    run_warm(options, folder)
    with server(latency=options.latency, turn=options.turn, data=options.data) as address:
        recorded = run(todo, folder / "recorded", settings(address, options))
    started = time.perf_counter()
    api.replay(folder / "recorded", todo, folder / "again")
    seconds = time.perf_counter() - started
    found = agreement(recorded.lines.values(), read_results(folder / "again" / RESULTS))
    one_by_one = recorded.calls * options.latency
    print(f"{options.strategy}, {options.tasks} tasks, latency {options.latency:g} s, {options.concurrency} at once:")
    print(f"  recorded in {recorded.seconds:.1f} s ({recorded.calls} calls, {one_by_one:.0f} s one after the other)")
    print(f"  replayed in {seconds:.2f} s: {recorded.seconds / seconds:.1f} x, {one_by_one / seconds:.1f} x one by one")
    print(f"  the same: {found.same} of {len(recorded.lines)}")


def hybrid(options: argparse.Namespace, folder: Path) -> None:
    """Search, a model that knows half of the tasks, and both together."""
    todo = cases(options.tasks, options.data)
    rows = []
    with server(turn=options.turn, every=2, data=options.data) as address:
        for name in ("search", "reflect", "hybrid"):
            chosen = settings(address, options, strategy=name, iters=3, max_candidates=options.candidates)
            rows.append((name, run(todo, folder / name, chosen)))
    print(f"{options.tasks} tasks, a model that knows every other one, {options.candidates} candidates of search:")
    for name, ran in rows:
        print(f"  {name:8} fixed {ran.fixed:4}, model calls {ran.calls:4}, {ran.seconds:.0f} s")


BENCHMARKS = {"overhead": overhead, "faults": faults, "replay": replay, "hybrid": hybrid}


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*BENCHMARKS, "serve"])
    parser.add_argument("--data", type=Path, help="the published HumanEvalFix JSONL, in place of `bundled`")
    parser.add_argument("--tasks", type=int, default=164)
    parser.add_argument("--strategy", default="reflect")
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--faults", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--turn", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=0.2, help="CPU seconds a check: programs that hang take it")
    parser.add_argument("--candidates", type=int, default=50_000)
    options = parser.parse_args()
    if options.what == "serve":
        serve_until_told(options)
        return
    with tempfile.TemporaryDirectory() as folder:
        BENCHMARKS[options.what](options, Path(folder))


if __name__ == "__main__":
    main()
