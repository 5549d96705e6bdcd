"""The verdicts of plain Python and of a judge on the programs of the corpus, and where they differ.

Run as `python verdicts.py SOURCE PART WHOLE`, it prints the differences of every WHOLE-th program as JSON, and how many
were judged; `SOURCE` is the folder that holds the package. So an ordinary user can run it. Run as
`python verdicts.py shares`, it prints how many programs are judged in which way, and why.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus import Honest

    from regreen.types import Suite, Verdict
    from regreen.verify.judge import SandboxJudge

HERE = Path(__file__).parent
SHORT = {"seconds": 5.0, "total_seconds": 60.0}
"""Limits of programs that were written for this."""
LONG = {"seconds": 30.0, "total_seconds": 240.0, "processes": True}
"""Limits of programs with hundreds of tests, some of which start Python anew."""


def plain_verdicts(programs: Sequence[Honest]) -> list[bool]:
    """Whether each program passes its checks in plain Python."""
    orders = json.dumps([program[1:] for program in programs])
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TZ": "UTC"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", str(HERE / "plain.py"), folder]
        done = subprocess.run(command, input=orders, capture_output=True, text=True, check=True, env=environment)
    return [bool(passed) for passed in json.loads(done.stdout)]


def differences(judge: SandboxJudge, programs: Sequence[Honest], allowed: Mapping[str, Any] = SHORT) -> Iterator[str]:
    """A sentence for each program whose verdict is not plain Python's, in the mode that it gets, and in shared mode.

    `allowed` are the limits of each.
    """
    from regreen.types import Isolation, Limits
    from regreen.verify.baseline import judge_given

    limits = Limits(**allowed)
    for program, expected in zip(programs, plain_verdicts(programs), strict=True):
        suite = suite_of(program)
        found, used = judge_given(judge, program.program, suite, limits, {})
        verdicts = {used.isolation: found}
        if used.isolation is Isolation.SEPARATE:
            shared = replace(suite, isolation=Isolation.SHARED)
            verdicts[Isolation.SHARED] = judge.judge(program.program, shared, limits)
        for isolation, verdict in verdicts.items():
            if verdict.passed != expected:
                yield f"{program.name}: {isolation}, {'passed' if verdict.passed else _why(verdict)}"


def shares(judge: SandboxJudge, programs: Sequence[Honest]) -> Counter[str]:
    """How many programs are judged by calls alone, with stand-ins, and in shared mode, by the reason."""
    from regreen.types import Isolation, Limits
    from regreen.verify.baseline import judge_given

    found: Counter[str] = Counter()
    for program in programs:
        _, used = judge_given(judge, program.program, suite_of(program), Limits(seconds=5.0, total_seconds=60.0), {})
        shared, live = used.isolation is Isolation.SHARED, used.surface.by_handles
        found["shared" if shared else "separate, with stand-ins" if live else "separate, by calls"] += 1
        found.update([f"shared: {_kind_of(used.reason)}"] if shared else ())
    found.update(_bundled(judge))
    return found


def _kind_of(reason: str) -> str:
    """A reason without what it names: `x`, (modules) and the types of objects."""
    return re.sub(r" \([^)]*\)", "", re.sub(r"`[^`]*`", "`x`", reason)).partition(": ")[0]


def _bundled(judge: SandboxJudge) -> Iterator[str]:
    """How the suites of the bundled tasks are judged, one line a task."""
    from regreen.tasks.shipped import load_bundled
    from regreen.types import Isolation, Limits
    from regreen.verify.baseline import judge_given
    from regreen.verify.suites import read_suite

    for case in load_bundled(read_suite):
        _, used = judge_given(judge, case.reference or "", case.hidden, Limits(), case.task.companions)
        yield f"bundled: {'shared' if used.isolation is Isolation.SHARED else 'separate'}"


def suite_of(program: Honest) -> Suite:
    """The checks of a program as a suite."""
    from regreen.verify.doctests import read_doctests
    from regreen.verify.suites import read_suite

    if program.style != "doctest":
        return read_suite(program.checks, program=program.program, module="program", entry_point=None)
    suite = read_doctests(program.program, module="program", entry_point=None)
    assert suite is not None
    return suite


def _why(verdict: Verdict) -> str:
    results = [(check, r) for check, r in verdict.results.items() if r.outcome.value != "passed"]
    return "; ".join(f"{check} {r.outcome.value} {r.detail} {r.actual} {r.expected}"[:300] for check, r in results[:2])


def tell_shares() -> None:
    """Print how all programs of the corpus are judged."""
    from corpus import CLASHES, corpus

    from regreen.verify.judge import open_judge

    with open_judge() as judge:
        found = shares(judge, [program for program in corpus() if program.name not in CLASHES])
    sys.stdout.writelines(f"{count:5} {words}\n" for words, count in found.most_common())


def main(source: str, part: str, whole: str) -> None:
    """Print the differences of a part of the corpus; of tests of pytest's, only where this Python has it."""
    sys.path[:0] = [source, str(HERE)]
    from corpus import CLASHES, corpus

    from regreen.verify.judge import open_judge

    programs = [program for program in corpus() if program.name not in CLASHES][int(part) :: int(whole)]
    has_pytest = importlib.util.find_spec("pytest") is not None
    judged = [program for program in programs if has_pytest or program.style != "tests"]
    with open_judge() as judge:
        found = [*differences(judge, judged)]
    told = {"judged": len(judged), "left_out": len(programs) - len(judged), "differences": found}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    tell_shares() if sys.argv[1:] == ["shares"] else main(*sys.argv[1:])
