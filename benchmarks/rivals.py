"""Ways to judge a program against tests, one process each: what `judge.py` starts, and races.

A side reads JSON lines and answers in JSON lines. The first line brings the jobs; each later one names jobs to judge.
It is run by the interpreter that has what the side needs, so nothing but the standard library is imported up here.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import math
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

Job = dict[str, Any]
Verdict = str
"""passed, failed, timeout, or "error: ..." when the side itself failed."""
Side = Callable[[list[Job], dict[str, Any]], tuple[str, Callable[[int], Verdict], Callable[[], None]]]
"""Takes jobs and settings; gives its version, what judges one job, and what cleans up."""

SAID = {"pass": "passed", "fail": "failed", "timeout": "timeout"}
TOLERANCE = 1e-6
GUARDED_BYTES = 4 << 30


def regreen(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """Regreen in separate mode: the checks in one enclosed process, the program in another."""
    from regreen.types import Confinement

    return _judged(jobs, settings, Confinement())


def docker(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """The same in warm containers: the engine and the image are those that REGREEN_DOCKER_* and DOCKER_HOST name."""
    from regreen.config import load_settings

    return _judged(jobs, settings, load_settings({"sandbox": "docker"}).confinement)


def _judged(
    jobs: list[Job], settings: dict[str, Any], confinement: Any
) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    from importlib.metadata import version

    from regreen.types import JudgeOptions, Limits, Outcome
    from regreen.verify.judge import open_judge
    from regreen.verify.suites import read_suite

    suites: dict[str, Any] = {}
    for job in jobs:
        if job["task"] not in suites:
            suites[job["task"]] = read_suite(
                job["test"], program=job["program"], module="program", entry_point=job["entry_point"]
            )
    stack = contextlib.ExitStack()
    judge = stack.enter_context(open_judge(confinement))
    limits = Limits(seconds=settings["seconds"])

    def run(number: int) -> Verdict:
        job = jobs[number]
        verdict = judge.judge(
            job["program"], suites[job["task"]], limits, options=JudgeOptions(fail_fast=not settings["every_check"])
        )
        if str(verdict.isolation) not in settings["isolation"]:
            return f"error: judged in {verdict.isolation} mode"
        if verdict.passed:
            return "passed"
        outcomes = {result.outcome for result in verdict.results.values()}
        return "timeout" if Outcome.TIMED_OUT in outcomes else "failed"

    return f"regreen {version('regreen')}", run, stack.close


def bare(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """One `python -I -S` a program, which runs it with its tests and whose exit status is believed."""

    def run(number: int) -> Verdict:
        text = jobs[number]["program"] + "\n" + jobs[number]["test"]
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-"],
                input=text.encode("utf-8"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=settings["seconds"],
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        return "failed" if done.returncode else "passed"

    return f"python {sys.version.split()[0]}", run, lambda: None


def docker_run(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """A new container a program, whose exit status is believed: what small agents do."""
    from regreen.config import load_settings

    image = load_settings({"sandbox": "docker"}).docker_image or ""
    start = ["docker", "run", "--rm", "-i", "--network=none", "--read-only", image, "python3", "-I", "-S", "-"]
    return _by_client(jobs, settings, start, lambda: None)


def docker_exec(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """One container for all programs, and a new process in it for each."""
    from regreen.config import load_settings

    image = load_settings({"sandbox": "docker"}).docker_image or ""
    # By Python, since an image need hold nothing else.
    asleep = ["python3", "-c", "import time\nwhile True: time.sleep(3600)"]
    kept = ["docker", "run", "--rm", "-d", "--network=none", "--read-only", image, *asleep]
    name = subprocess.run(kept, capture_output=True, text=True, check=True).stdout.strip()
    return _by_client(
        jobs,
        settings,
        ["docker", "exec", "-i", name, "python3", "-I", "-S", "-"],
        lambda: subprocess.run(["docker", "rm", "-f", name], capture_output=True, check=False),
    )


def _by_client(
    jobs: list[Job], settings: dict[str, Any], command: list[str], close: Callable[[], object]
) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    def run(number: int) -> Verdict:
        text = jobs[number]["program"] + "\n" + jobs[number]["test"]
        try:
            done = subprocess.run(
                command, input=text.encode("utf-8"), capture_output=True, timeout=settings["seconds"] + 5, check=False
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        return "failed" if done.returncode else "passed"

    said = subprocess.run(["docker", "--version"], capture_output=True, text=True, check=True).stdout
    return said.strip(), run, lambda: (close(), None)[1]


def evalplus(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """EvalPlus's own `untrusted_check`, on the calls that the tests make and the answers of the canonical program."""
    from importlib.metadata import version

    from evalplus.eval import untrusted_check  # type: ignore[import-not-found, import-untyped, unused-ignore]

    calls = [_calls(job) for job in jobs]

    def run(number: int) -> Verdict:
        job, (inputs, expected) = jobs[number], calls[number]
        said, _ = untrusted_check(
            "humaneval",
            job["program"],
            inputs,
            job["entry_point"],
            expected=expected,
            atol=job["tolerance"],
            ref_time=[0.0] * len(inputs),
            fast_check=not settings["every_check"],
            min_time_limit=settings["seconds"],
        )
        return SAID[said]

    return f"evalplus {version('evalplus')}", run, lambda: None


def reenacted(jobs: list[Job], settings: dict[str, Any]) -> tuple[str, Callable[[int], Verdict], Callable[[], None]]:
    """The same method in our own words, for machines without the package: fork, guard, call, compare in place."""
    calls = [_calls(job) for job in jobs]

    def run(number: int) -> Verdict:
        job, (inputs, expected) = jobs[number], calls[number]
        state = multiprocessing.Value("i", -1)
        correct = multiprocessing.Array("b", len(inputs))
        arguments = (job, inputs, expected, settings, state, correct)
        child = multiprocessing.get_context("fork").Process(target=_guarded, args=arguments)
        child.start()
        child.join(min(60.0, settings["seconds"] * len(inputs)) + 2)
        if child.is_alive():
            child.kill()
            child.join()
        if state.value < 0:
            return "timeout"
        return "passed" if all(correct[:]) else "failed"

    return "re-enacted", run, lambda: None


def _calls(job: Job) -> tuple[list[Any], list[Any]]:
    pairs = [ast.literal_eval(line) for line in job["calls"]]
    return [list(arguments) for arguments, _ in pairs], [answer for _, answer in pairs]


def _guarded(job: Job, inputs: list[Any], expected: list[Any], settings: dict[str, Any], state: Any, ok: Any) -> None:
    """The child's side of the re-enactment. It guards against accidents only, as the original says of itself."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        kept = _disarm()
        namespace: dict[str, Any] = {}
        try:
            with _silent():
                exec(job["program"], namespace)
            for place, (arguments, answer) in enumerate(zip(inputs, expected, strict=True)):
                try:
                    with _alarm(settings["seconds"]), _silent():
                        got = namespace[job["entry_point"]](*arguments)
                    ok[place] = got == answer or _close(got, answer, job["tolerance"] or TOLERANCE)
                except BaseException:  # noqa: BLE001  whatever the program raises is its own failure
                    ok[place] = False
                if not ok[place] and not settings["every_check"]:
                    break
        except BaseException:  # noqa: BLE001
            ok[0] = False
        state.value = 0
        for name, function in kept.items():
            setattr(os, name, function)


DISARMED = (
    "kill",
    "system",
    "remove",
    "rmdir",
    "fork",
    "killpg",
    "rename",
    "replace",
    "unlink",
    "chmod",
    "chown",
    "chdir",
)


def _disarm() -> dict[str, Any]:
    """Cap memory and take away what destroys; returns what the clean-up needs back."""
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        resource.setrlimit(limit, (GUARDED_BYTES, GUARDED_BYTES))
    kept = {name: getattr(os, name) for name in DISARMED}
    for name in DISARMED:
        setattr(os, name, None)
    subprocess.Popen = None  # type: ignore[assignment, misc]
    return kept


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    sink = io.StringIO()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
        yield


def _close(got: Any, answer: Any, tolerance: float) -> bool:
    if type(got) is not type(answer):
        return False
    if isinstance(answer, float):
        return math.isclose(got, answer, rel_tol=1e-7, abs_tol=tolerance)
    if isinstance(answer, (list, tuple)) and answer and all(isinstance(item, float) for item in answer):
        return len(got) == len(answer) and all(map(_close, got, answer, [tolerance] * len(answer)))
    return False


SIDES: dict[str, Side] = {
    **{"regreen": regreen, "docker": docker, "docker_run": docker_run, "docker_exec": docker_exec},
    **{"bare": bare, "evalplus": evalplus, "reenacted": reenacted},
}


def main(side: str) -> None:
    """Serve until the input ends."""
    # A program that prints must not speak to the race.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    order = json.loads(sys.stdin.readline())
    version, run, close = SIDES[side](order["jobs"], order["settings"])
    try:
        _answer(answers, version)
        for line in sys.stdin:
            _answer(answers, [_timed(run, number) for number in json.loads(line)])
    finally:
        close()


def _timed(run: Callable[[int], Verdict], number: int) -> tuple[Verdict, float]:
    started = time.perf_counter()
    try:
        said = run(number)
    except Exception as error:  # noqa: BLE001  a side that fails is a figure too
        said = f"error: {type(error).__name__}: {error}"
    return said, time.perf_counter() - started


def _answer(answers: Any, message: Any) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
