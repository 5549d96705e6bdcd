"""What a candidate costs whose tests run in their project, compared with a flat program and its pytest tests.

Where a project's tests do more than call the program (fixtures, files that are read and written), the flat program's
are the same tests in one text: what is compared is the layout.

    python benchmarks/layouts.py [ROUNDS]

A pair judges (or screens) both in turn; the ratio of a pair is free of what else the machine does, its median is shown.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from regreen.tasks.local_task import CheckReaders, UserPlace, build_task, read_chosen_tests, read_program_file
from regreen.types import Edit, Limits, Task
from regreen.verify.bindings import guess_entry_point
from regreen.verify.doctests import read_doctests
from regreen.verify.io_cases import read_io_cases
from regreen.verify.judge import open_judge
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits, TraceOrder
from regreen.verify.suites import read_project_suite, read_suite

PROJECTS = Path(__file__).parent.parent / "tests" / "projects"
READERS = CheckReaders(read_suite, read_project_suite, read_io_cases, read_doctests, guess_entry_point)
LAYOUTS = {
    "two_files": ("ledger.py", ["test_balance.py", "test_largest.py"]),
    "data_files": ("rates.py", ["tests"]),
    "conftests": ("lib/discount.py", ["checks/deep/test_discount.py"]),
    "reexports": ("shop/pricing.py", ["tests"]),
    "src_layout": ("src/clock/times.py", ["tests"]),
    "hyphen": ("word-count.py", ["test_word_count.py"]),
}
FLAT_PROGRAM = (
    "def total(lines):\n    net = 0\n    for count, price in lines:\n        net += count + price\n    return net\n"
)
FLAT_TESTS = (
    "import pytest\nfrom flat import total\n\n\n"
    "@pytest.mark.parametrize(('lines', 'sum'), [([(3, 100)], 300), ([(1, 100), (2, 50)], 200), ([], 0)])\n"
    "def test_total(lines, sum):\n    assert total(lines) == sum\n"
)
MUTATIONS = 64
LIMITS = Limits(seconds=5.0, total_seconds=60.0)
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15


def flat_task(name: str) -> Task:
    """A program and its pytest tests with nothing around them, read as text: of a project that has them, its own."""
    module, program, tests = FLATTENED.get(name, lambda: ("flat", FLAT_PROGRAM, FLAT_TESTS))()
    suite = read_suite(tests, program=program, module=module, entry_point=None, origin="test_flat.py")
    return Task(f"{module}.py", program, None, suite, module=module)


def flattened_data_files() -> tuple[str, str, str]:
    """The program and the tests of `data_files` on files in the working folder, which the tests lay down."""
    folder = PROJECTS / "data_files"
    program, tests = ((folder / name).read_text() for name in ("rates.py", "tests/test_rates.py"))
    files = {name: (folder / name).read_text() for name in ("rates.csv", "tests/expected.json")}
    laid_down = f"import os, pathlib\nos.makedirs('tests', exist_ok=True)\nfor name, text in {files!r}.items():\n"
    inside = tests.replace("Path(__file__).parent", "Path('tests')")
    tests = f"import pytest\n{laid_down}    pathlib.Path(name).write_text(text)\n{inside}"
    return "rates", program.replace("Path(__file__).parent", "Path()"), tests


def flattened_conftests() -> tuple[str, str, str]:
    """The program of `conftests`, and its tests with all their fixtures in one text."""
    folder = PROJECTS / "conftests"
    places = ("conftest.py", "checks/conftest.py", "checks/deep/conftest.py", "checks/deep/test_discount.py")
    return "discount", (folder / "lib/discount.py").read_text(), "\n".join((folder / p).read_text() for p in places)


def flattened_src_layout() -> tuple[str, str, str]:
    """The program of `src_layout`, and its tests in one text with the module by which they reach it."""
    folder = PROJECTS / "src_layout"
    places = ("src/clock/api.py", "tests/unit/test_times.py", "tests/unit/other/test_times.py")
    lines = [line for path in places for line in (folder / path).read_text().splitlines()]
    inside = "\n".join(line for line in lines if not line.startswith("from clock"))
    tests = f"import pytest\nimport times\nfrom times import minutes\n{inside}\n"
    return "times", (folder / "src/clock/times.py").read_text(), tests


FLATTENED = {
    "data_files": flattened_data_files,
    "conftests": flattened_conftests,
    "src_layout": flattened_src_layout,
}
"""Project -> its module, program and tests without the project."""


def project_task(folder: Path, target: str, tests: list[str]) -> Task:
    """The task of a project on disk."""
    chosen = read_chosen_tests([str(folder / path) for path in tests])
    program = read_program_file(folder / target)
    return build_task(program, chosen, None, readers=READERS, user_place=UserPlace(folder))


def seconds(action: Callable[[], object]) -> float:
    """Wall time of an action."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def mutations(task: Task) -> list[list[Edit]]:
    """Changes that leave the program as it is, at its end: each is compiled and run with all checks."""
    end = len(task.source)
    return [[Edit(end, end, f"\n# {number}\n")] for number in range(MUTATIONS)]


def main() -> None:
    """Print a line for each project: the median ratio of its pairs, for verdicts and for screened mutations."""
    with tempfile.TemporaryDirectory() as scratch, open_judge() as judge:
        print(f"{'project':12} {'verdict':>8} {'screened':>9}   (times a flat module's; medians of {ROUNDS} pairs)")
        for name, (target, tests) in LAYOUTS.items():
            folder = Path(scratch) / name
            shutil.copytree(PROJECTS / name, folder)
            task, flat = project_task(folder, target, tests), flat_task(name)
            for each in (flat, task):
                judge.judge(each.source, each.suite, LIMITS)
            verdicts = [
                seconds(lambda task=task: judge.judge(task.source, task.suite, LIMITS))  # type: ignore[misc]
                / seconds(lambda flat=flat: judge.judge(flat.source, flat.suite, LIMITS))  # type: ignore[misc]
                for _ in range(ROUNDS)
            ]
            print(f"{name:12} {statistics.median(verdicts):8.2f} {screened(judge.pool, task, flat):9.2f}", flush=True)


def screened(pool: object, task: Task, flat: Task) -> float:
    """The median ratio of what screening a batch of mutations costs."""
    allowed = ScreeningLimits(1 << 20, 10.0)
    with (
        open_screeners(pool, task.source, task.suite, LIMITS, {}, size=1) as ours,  # type: ignore[arg-type]
        open_screeners(pool, flat.source, flat.suite, LIMITS, {}, size=1) as theirs,  # type: ignore[arg-type]
    ):
        ours.trace(TraceOrder(LIMITS.seconds))
        theirs.trace(TraceOrder(LIMITS.seconds))
        ratios = [
            seconds(lambda: ours.screen(mutations(task), frozenset(), allowed))
            / seconds(lambda: theirs.screen(mutations(flat), frozenset(), allowed))
            for _ in range(ROUNDS)
        ]
    return statistics.median(ratios)


if __name__ == "__main__":
    main()
