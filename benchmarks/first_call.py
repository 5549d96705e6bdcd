"""What the first `regreen.judge` of a process costs, its import included, and the second; beside a run of pytest."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = "def add(a, b):\n    return a + b\n"
CHECKS = "assert add(1, 2) == 3\n"
TWO_CALLS = f"""
import time
begin = time.perf_counter()
import regreen
regreen.judge({PROGRAM!r}, {CHECKS!r}, entry_point="add")
between = time.perf_counter()
assert not regreen.judge({PROGRAM.replace("+", "-")!r}, {CHECKS!r}, entry_point="add").passed
print(between - begin, time.perf_counter() - between)
"""


def judged() -> list[float]:
    """Seconds of the first and of the second call, in a process of their own."""
    done = subprocess.run([sys.executable, "-P", "-c", TWO_CALLS], capture_output=True, text=True, check=True)
    return [float(part) for part in done.stdout.split()]


def tested(folder: Path) -> float:
    """Seconds of one run of pytest without plugins over the same check, as a test."""
    begin = time.perf_counter()
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run([sys.executable, "-m", "pytest", "-q", folder], capture_output=True, check=True, env=bare)
    return time.perf_counter() - begin


def main() -> None:
    """Time both in turn, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="fresh processes of each [15]")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
        test = "from program import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"
        (folder / "test_program.py").write_text(test, encoding="utf-8")
        found = [(*judged(), tested(folder)) for _ in range(rounds)]
    first, second, pytests = (statistics.median(column) for column in zip(*found, strict=True))
    print(f"the first call, with its import: {first:.3f} s in the median of {rounds} fresh processes")
    print(f"the second call, another program: {second * 1000:.1f} ms")
    print(f"pytest on the same check: {pytests:.3f} s, {pytests / first:.1f} times the first call")


if __name__ == "__main__":
    main()
