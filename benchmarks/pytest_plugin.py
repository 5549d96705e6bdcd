"""What the pytest plugin costs a run that does not ask for it: processor time of one empty test, with and without.

python benchmarks/pytest_plugin.py [--runs N]
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


def seconds_of(folder: Path, *arguments: str) -> float:
    """Processor seconds of one run of pytest in a folder, with no plugin but those that are named."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def import_seconds() -> float:
    """Seconds to import the plugin in a process that has pytest, as a run of it does."""
    text = "import pytest, time; t = time.perf_counter(); import regreen.pytest_plugin; print(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the medians and their difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30, help="pairs of runs")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")
        seconds_of(folder, "-p", "regreen.pytest_plugin")
        pairs = [(seconds_of(folder, "-p", "regreen.pytest_plugin"), seconds_of(folder)) for _ in range(runs)]
    with_it, without = (statistics.median(column) for column in zip(*pairs, strict=True))
    differences = statistics.median(first - second for first, second in pairs)
    imports = statistics.median(import_seconds() for _ in range(runs))
    print(f"with the plugin      {with_it * 1e3:8.1f} ms")
    print(f"without              {without * 1e3:8.1f} ms")
    print(f"difference by pair   {differences * 1e3:8.1f} ms")
    print(f"import of the plugin {imports * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
