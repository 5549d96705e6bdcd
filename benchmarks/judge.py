"""How many verdicts a second one core gives: Regreen behind its wall, a bare interpreter a program, and EvalPlus.

Every side judges the same programs (HumanEvalFix, canonical and buggy) in turns, round after round, on one core.
README.md beside this file says what the figures mean and where the sides differ.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regreen.evaluate.prelude import official_prelude

HERE = Path(__file__).parent
NAMES = {
    "regreen": "Regreen, separate mode",
    "before": "Regreen of another checkout",
    "docker": "Regreen, in warm containers",
    "docker_run": "docker run, one a program",
    "docker_exec": "docker exec, one a program",
    "bare": "python -I -S, one a program",
    "evalplus": "EvalPlus untrusted_check",
    "reenacted": "EvalPlus's method, re-enacted",
}
TOLERANCES = {"find_zero": 1e-4}
"""EvalPlus's data set gives this one task an absolute tolerance; all others have none."""

RECORDER = """
import copy, json, sys
order = json.load(sys.stdin)
names, calls, depth = {}, [], 0
exec(order["program"], names)
inner = names[order["entry_point"]]
def recorded(*arguments):
    global depth
    given, depth = repr(arguments), depth + 1
    try:
        answer = inner(*arguments)
    finally:
        depth -= 1
    if not depth:
        calls.append(f"({given}, {answer!r})")
    return answer
names[order["entry_point"]] = recorded
exec(order["test"], names)
sys.stdout.write(json.dumps(calls))
"""
"""Run with a canonical program by a bare interpreter: writes each call that the tests make, and its answer."""


@dataclass
class Tally:
    """What one side did: seconds of wall and CPU, round by round; True is for the programs that hang."""

    name: str
    version: str = ""
    wall: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    cpu: dict[bool, list[float]] = field(default_factory=lambda: {False: [], True: []})
    slowest: float = 0.0
    wrong: set[str] = field(default_factory=set)
    errors: set[str] = field(default_factory=set)

    def each(self, seconds: dict[bool, list[float]], counts: dict[bool, int], *, hanging: bool) -> float:
        """Seconds a verdict in the median round."""
        rounds = zip(seconds[False], seconds[True], strict=True)
        total = statistics.median(ends + (hangs if hanging else 0.0) for ends, hangs in rounds)
        return total / (counts[False] + (counts[True] if hanging else 0))


class Racer:
    """One side's process, and what it costs."""

    def __init__(self, side: str, python: str, checkout: Path | None = None) -> None:
        self.side = side
        script, name = (checkout / "benchmarks", "regreen") if checkout else (HERE, side)
        self.process = subprocess.Popen(
            [python, str(script / "rivals.py"), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Racer:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def ask(self, message: Any) -> Any:
        """One line there, one line back."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"The side {self.side!r} ended early; its own message is above.")
        return json.loads(line)

    def cpu_seconds(self) -> float:
        """CPU time of the process and of all below it, dead ones included."""
        children: dict[int, list[int]] = {}
        spent: dict[int, int] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            pid = int(stat.parent.name)
            children.setdefault(int(fields[1]), []).append(pid)
            spent[pid] = sum(map(int, fields[11:15]))
        return sum(spent.get(pid, 0) for pid in _below(self.process.pid, children)) / os.sysconf("SC_CLK_TCK")


def _below(pid: int, children: dict[int, list[int]]) -> Iterator[int]:
    yield pid
    for child in children.get(pid, ()):
        yield from _below(child, children)


def read_jobs(path: Path, tasks: int | None) -> list[dict[str, Any]]:
    """Two jobs a task: the canonical program, which must pass, and the buggy one, which must fail."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    jobs = []
    for row in rows[:tasks]:
        canonical = row["declaration"] + row["canonical_solution"]
        calls = recorded_calls(canonical, row["test"], row["entry_point"])
        for passes, program in ((True, canonical), (False, row["declaration"] + row["buggy_solution"])):
            jobs.append(
                {
                    "task": row["task_id"],
                    "passes": passes,
                    "program": program,
                    "test": row["test"],
                    "entry_point": row["entry_point"],
                    "calls": calls,
                    "tolerance": TOLERANCES.get(row["entry_point"], 0),
                }
            )
    return jobs


def with_samples(jobs: list[dict[str, Any]], path: Path) -> list[dict[str, Any]]:
    """In place of the canonical and buggy programs, those of a file, with the verdicts recorded for them.

    Each line holds `task_id`, `code` and `recorded_passed`; the imports of the official evaluation stand before each,
    since the recorded verdicts were given so.
    """
    known = {job["task"]: job for job in jobs if job["passes"]}
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    prelude = official_prelude([]).text
    return [
        {**known[row["task_id"]], "program": f"{prelude}\n{row['code']}", "passes": bool(row["recorded_passed"])}
        for row in rows
        if row["task_id"] in known
    ]


def recorded_calls(program: str, test: str, entry_point: str) -> list[str]:
    """The calls that the tests make of the canonical program, with its answers, as Python literals."""
    order = json.dumps({"program": program, "test": test, "entry_point": entry_point})
    command = [sys.executable, "-I", "-S", "-c", RECORDER]
    done = subprocess.run(command, input=order, capture_output=True, text=True, timeout=60, check=True)
    calls: list[str] = json.loads(done.stdout)
    return calls


def race(
    racers: dict[str, Racer], jobs: list[dict[str, Any]], settings: dict[str, Any], rounds: int, turn: int
) -> Result:
    """Warm every side up, find out which programs hang, then let the sides take turns of so many programs."""
    tallies = {side: Tally(NAMES[side]) for side in racers}
    hangs: set[int] = set()
    for side, racer in racers.items():
        tallies[side].version = racer.ask({"jobs": jobs, "settings": settings})
        answers = racer.ask([*range(len(jobs))])
        hangs.update(number for number, (said, _) in enumerate(answers) if said == "timeout")
        _say(f"  {NAMES[side]} is warm")
    batches = {False: [n for n in range(len(jobs)) if n not in hangs], True: sorted(hangs)}
    for lap in range(rounds):
        for hanging, batch in batches.items():
            for tally in tallies.values():
                tally.wall[hanging].append(0.0)
                tally.cpu[hanging].append(0.0)
            for begin in range(0, len(batch), turn):
                for side, racer in racers.items():
                    _run(racer, tallies[side], jobs, batch[begin : begin + turn], hanging)
        _say(f"  round {lap + 1} of {rounds} is done")
    return Result(tallies, {hanging: len(batch) for hanging, batch in batches.items()})


@dataclass
class Result:
    """All that a race gave."""

    tallies: dict[str, Tally]
    counts: dict[bool, int]
    """Programs, by whether they hang."""


def _run(racer: Racer, tally: Tally, jobs: list[dict[str, Any]], batch: list[int], hanging: bool) -> None:
    before = racer.cpu_seconds()
    answers = racer.ask(batch)
    tally.cpu[hanging][-1] += racer.cpu_seconds() - before
    tally.wall[hanging][-1] += sum(seconds for _, seconds in answers)
    tally.slowest = max([tally.slowest, *(seconds for _, seconds in answers)])
    for number, (said, _) in zip(batch, answers, strict=True):
        job = jobs[number]
        if said.startswith("error"):
            tally.errors.add(f"{job['task']} {said}")
        elif (said == "passed") is not job["passes"]:
            tally.wrong.add(f"{job['task']} {'should pass' if job['passes'] else 'should fail'}, {said}")


def table(result: Result, *, hanging: bool) -> Iterator[str]:
    """One line a side: verdicts a second, milliseconds a verdict, and how many times Regreen's."""
    heads = ("", "verdicts/s", "wall ms", "CPU ms", "wall ratio", "CPU ratio")
    yield f"{heads[0]:32}" + "".join(f"{head:>12}" for head in heads[1:])
    costs = {
        side: [tally.each(seconds, result.counts, hanging=hanging) for seconds in (tally.wall, tally.cpu)]
        for side, tally in result.tallies.items()
    }
    base = costs.get("regreen") or next(iter(costs.values()))
    for side, (wall, cpu) in costs.items():
        ratios = [wall / base[0], cpu / base[1] if base[1] else 0.0]
        figures = (f"{1 / wall:.1f}", f"{wall * 1e3:.2f}", f"{cpu * 1e3:.2f}", *(f"{ratio:.2f} x" for ratio in ratios))
        yield f"{NAMES[side]:32}" + "".join(f"{figure:>12}" for figure in figures)


def report(result: Result, arguments: argparse.Namespace) -> Iterator[str]:
    """The whole report as lines of plain text."""
    ends, hangs = result.counts[False], result.counts[True]
    yield f"{platform.system()} {platform.release()}, {_processor()}, Python {platform.python_version()}, 1 core"
    yield f"{ends + hangs} programs, {arguments.rounds} rounds, {arguments.limit:g} s a check; the median round counts"
    yield ""
    yield f"All {ends + hangs} programs, {hangs} of which hang until the limit:"
    yield from table(result, hanging=True)
    yield ""
    yield f"The {ends} programs that end:"
    yield from table(result, hanging=False)
    yield ""
    for tally in result.tallies.values():
        verdict = f"{len(tally.wrong)} wrong, {len(tally.errors)} unjudged, slowest {tally.slowest:.2f} s"
        yield f"{tally.name} ({tally.version}): {verdict}"
        yield from (f"    {line}" for line in sorted(tally.wrong | tally.errors))


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: Sequence[str] | None = None) -> None:
    """Run the race that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, required=True, help="HumanEvalFix's Python tasks, the published JSON lines"
    )
    parser.add_argument("--samples", type=Path, help="judge these programs instead, against their recorded verdicts")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that are measured, after one to warm up")
    parser.add_argument(
        "--limit", type=float, default=2.0, metavar="SECONDS", help="time limit, the same for all sides"
    )
    parser.add_argument("--tasks", type=int, help="only the first so many tasks")
    parser.add_argument("--evalplus", metavar="PYTHON", help="an interpreter that has the package evalplus")
    parser.add_argument("--sides", default="regreen,bare,evalplus", help="which sides take part, by comma")
    parser.add_argument(
        "--against", type=Path, metavar="CHECKOUT", help="another checkout with its own .venv, as one more side"
    )
    parser.add_argument("--turn", type=int, help="programs that a side judges before it is the next one's turn [all]")
    parser.add_argument("--core", type=int, help="the core to run on; the last one unless said otherwise")
    parser.add_argument(
        "--every-check", action="store_true", help="go on after the first check that fails, where possible"
    )
    parser.add_argument("--allow-shared", action="store_true", help="count shared-mode verdicts as Regreen's too")
    arguments = parser.parse_args(words)
    if not arguments.data.is_file():
        raise SystemExit(
            f"There is no data set at {arguments.data}. It is humanevalpack.jsonl in data/python/data of "
            "bigcode/humanevalpack on the Hugging Face hub: fetch it and name it with --data."
        )
    os.sched_setaffinity(0, {arguments.core if arguments.core is not None else max(os.sched_getaffinity(0))})
    pythons = dict.fromkeys(NAMES, sys.executable)
    sides = [side.strip() for side in arguments.sides.split(",")]
    offered = [name for name in NAMES if name != "before"]
    if unknown := set(sides) - set(offered):
        raise SystemExit(f"There is no side {', '.join(sorted(unknown))}; there are {', '.join(offered)}.")
    if arguments.against:
        sides.append("before")
        pythons["before"] = str(arguments.against / ".venv" / "bin" / "python")
        if not Path(pythons["before"]).exists():
            raise SystemExit(f"{pythons['before']} is not there: the checkout needs a virtual environment of its own.")
    if "evalplus" in sides:
        pythons["evalplus"] = arguments.evalplus or sys.executable
        if not _has_evalplus(pythons["evalplus"]):
            _say("The package evalplus is not there (--evalplus PYTHON names an interpreter that has it):")
            _say("its method is re-enacted instead, which is NOT EvalPlus itself.")
            sides[sides.index("evalplus")] = "reenacted"
    settings = {
        "seconds": arguments.limit,
        "every_check": arguments.every_check,
        "isolation": ["separate", "shared"] if arguments.allow_shared else ["separate"],
    }
    jobs = read_jobs(arguments.data, arguments.tasks)
    jobs = with_samples(jobs, arguments.samples) if arguments.samples else jobs
    with ExitStack() as stack:
        checkouts = {"before": arguments.against}
        racers = {side: stack.enter_context(Racer(side, pythons[side], checkouts.get(side))) for side in sides}
        result = race(racers, jobs, settings, arguments.rounds, arguments.turn or len(jobs))
    _say("")
    for line in report(result, arguments):
        _say(line)


def _has_evalplus(python: str) -> bool:
    try:
        return subprocess.run([python, "-c", "import evalplus.eval"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    main()
