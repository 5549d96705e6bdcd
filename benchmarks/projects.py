"""How fast whole projects are repaired, against the same tests under plain `pytest`, in the same run.

    python benchmarks/projects.py speed    candidates a second, 200 tests and 2 s of imports
    python benchmarks/projects.py large    the first candidate in 300,000 lines with 5,000 tests, and the memory used

The projects are made anew in a temporary folder. Figures of a busy machine are noisy: compare within one run.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import regreen
from regreen.config import load_settings
from regreen.strategies.events import Event

IMPORT_SECONDS = 2.0
PLAIN_RUNS = 3
CANDIDATES = 2_000
TESTS_A_FILE = 20


def write(folder: Path, name: str, text: str) -> None:
    """One file of a made project."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


HEAVY = """import time

until = time.process_time() + {seconds}
while time.process_time() < until:
    pass
"""
RULES = """import heavy


def grade(points, bonus):
    total = points + bonus
    if total > 90:
        return 'a'
    if total > 50:
        return 'b'
    return 'c'
"""
STEP = """def step_{n}(value, rate={rate}):
    total = value
    if value > {n}:
        total += rate
    for part in range(3):
        total += part
    if total < 0:
        return 0
    for part in (1, 2):
        if total > part * 1000:
            total -= part
    return total

"""
LIMITS = """from big.limits import is_full

def test_full():
    assert is_full(10)

def test_room():
    assert not is_full(9)
"""


def make_slow_imports(folder: Path, tests: int = 200) -> None:
    """A project whose tests import a module that takes 2 s, beside a small one with a fault that no change mends."""
    write(folder, "pytest.ini", "[pytest]\n")
    write(folder, "heavy.py", HEAVY.format(seconds=IMPORT_SECONDS))
    write(folder, "rules.py", RULES)
    checks = [(n % 90, "b" if n % 90 + 1 > 50 else "c") for n in range(tests - 1)]
    body = [
        f"def test_{n}():\n    assert grade({points}, 1) == {grade!r}\n\n" for n, (points, grade) in enumerate(checks)
    ]
    body.append("def test_impossible():\n    assert grade(13, 2) == 'x17'\n")
    write(folder, "test_rules.py", "from rules import grade\n\n" + "".join(body))


def make_large(folder: Path, modules: int = 1_000, tests: int = 5_000) -> None:
    """A project of some 300,000 lines, one function of which has an odd boundary."""
    write(folder, "pytest.ini", "[pytest]\n")
    write(folder, "big/__init__.py", "")
    write(folder, "big/limits.py", "def is_full(count):\n    return count > 10\n")
    write(folder, "tests/test_limits.py", LIMITS)
    text = "\n".join(STEP.format(n=n, rate=n % 7) for n in range(TESTS_A_FILE + 2))
    for module in range(modules):
        write(folder, f"big/module_{module}.py", text)
    files = tests // TESTS_A_FILE
    for file in range(files):
        used = [(file * 4 + part) % modules for part in range(4)]
        imports = "".join(f"from big import module_{n}\n" for n in used)
        body = [f"def test_{n}():\n    assert module_{used[n % 4]}.step_{n}({n}) >= 3\n\n" for n in range(TESTS_A_FILE)]
        write(folder, f"tests/test_{file}.py", f"{imports}\n\n{''.join(body)}")


def plain_seconds(folder: Path, runs: int) -> float:
    """The mean time of `pytest` started anew, its bytecode cached by a run before."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:langsmith_plugin", "-p", "no:anyio"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    started = time.perf_counter()
    for _ in range(runs):
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return (time.perf_counter() - started) / runs


def measure_speed() -> None:
    """Candidates a second."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "project")
        make_slow_imports(folder)
        plain = plain_seconds(folder, PLAIN_RUNS)
        settings = load_settings({"max_candidates": CANDIDATES, "workers": 1}, near=folder)
        seen: list[tuple[float, int]] = []
        repair = regreen.repair_project(folder, settings=settings, on_event=lambda event: note(seen, event))
        searching = repair.cost.timings["search"]
        print(f"pytest started anew: {plain:.2f} s a candidate")
        rate = repair.cost.candidates / searching
        print(f"search: {repair.cost.candidates:,} candidates in {searching:.1f} s, {rate:.1f} a second")
        print(f"that is {rate * plain:.0f} times as many")


def note(seen: list[tuple[float, int]], event: Event) -> None:
    """Keep when how many candidates had been tried."""
    if event.candidates and not seen:
        seen.append((time.perf_counter(), event.candidates))


def measure_large() -> None:
    """The first candidate, and memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "project")
        make_large(folder)
        lines = sum(path.read_text(encoding="utf-8").count("\n") for path in folder.rglob("*.py"))
        plain = plain_seconds(folder, 1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seen: list[tuple[float, int]] = []
        started = time.perf_counter()
        settings = load_settings({"max_candidates": 3_000, "workers": 1}, near=folder)
        repair = regreen.repair_project(folder, settings=settings, on_event=lambda event: note(seen, event))
        ended = time.perf_counter()
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        plain = (plain + plain_seconds(folder, 1)) / 2
        print(f"{lines:,} lines, {len(repair.before):,} tests: pytest takes {plain:.1f} s, before and after")
        first = seen[0][0] - started if seen else float("nan")
        print(f"first candidates after {first:.1f} s, {first / plain:.2f} times as long as pytest")
        print(f"{repair.outcome} after {ended - started:.1f} s")
        print(f"memory of this process: {before >> 10} MiB before, {after >> 10} MiB at its peak")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "large"))
    {"speed": measure_speed, "large": measure_large}[parser.parse_args().what]()


if __name__ == "__main__":
    main()
