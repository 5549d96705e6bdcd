"""Projects as people lay them out are judged as plain pytest judges them in their own folder, and can be searched."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from plain_outcomes import plain_outcomes

from regreen.config import load_settings
from regreen.sandbox.kept_pools import lend_pool
from regreen.strategies import repair_task
from regreen.tasks.local_task import CheckReaders, UserPlace, build_task, read_chosen_tests, read_program_file
from regreen.types import Check, Edit, Limits, Outcome, Stop, Task, Verdict
from regreen.verify.bindings import guess_entry_point
from regreen.verify.doctests import read_doctests
from regreen.verify.io_cases import read_io_cases
from regreen.verify.judge import SandboxJudge
from regreen.verify.screener_pool import open_screeners
from regreen.verify.screening import ScreeningLimits, TraceOrder
from regreen.verify.suites import read_project_suite, read_suite

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
PROJECTS = Path(__file__).parent.parent / "projects"
READERS = CheckReaders(read_suite, read_project_suite, read_io_cases, read_doctests, guess_entry_point)
LIMITS = Limits(seconds=5.0, total_seconds=60.0)


@dataclass(frozen=True)
class Layout:
    """A project with one honest bug, and how it is undone."""

    target: str
    tests: tuple[str, ...]
    wrong: str
    right: str
    environment: tuple[str, ...] = ()


LAYOUTS = {
    "two_files": Layout("ledger.py", ("test_balance.py", "test_largest.py"), "-=", "+="),
    "data_files": Layout("rates.py", ("tests",), "amount / ", "amount * "),
    "conftests": Layout("lib/discount.py", ("checks/deep/test_discount.py",), "> 3", ">= 3"),
    "reexports": Layout("shop/pricing.py", ("tests",), "count + price", "count * price"),
    "src_layout": Layout("src/clock/times.py", ("tests",), "* 24", "* 60"),
    "hyphen": Layout("word-count.py", ("test_word_count.py",), "(word, 1)", "(word, 0)"),
    "subclasses": Layout("shapes.py", ("test_squares.py",), "width + self", "width * self", ("SHAPES=square",)),
    "run_by_path": Layout("best_pair.py", ("test_best_pair.py",), "numbers[i] - ", "numbers[i] + "),
    "asynchronous": Layout("queue_of_jobs.py", ("test_queue.py",), "insert(0, job)", "append(job)"),
}


def variables(layout: Layout) -> dict[str, str]:
    """The variables that its tests need."""
    return dict(item.split("=") for item in layout.environment)


def task_of(name: str, folder: Path) -> Task:
    layout = LAYOUTS[name]
    chosen = read_chosen_tests([str(folder / path) for path in layout.tests])
    program = read_program_file(folder / layout.target)
    return build_task(program, chosen, None, readers=READERS, user_place=UserPlace(folder, variables(layout)))


def passed(verdict: Verdict, task: Task) -> dict[str, bool]:
    """Whether each check passed, by pytest's own id for it."""
    project = task.suite.project
    assert project is not None
    file = f"{project.arguments[0].partition('::')[0]}::" if project.short_ids else ""
    return {f"{file}{check}": result.outcome is Outcome.PASSED for check, result in verdict.results.items()}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The projects in a folder of their own, above which there is no configuration."""
    return shutil.copytree(PROJECTS, tmp_path_factory.mktemp("desk") / "projects")


@pytest.fixture(scope="module")
def warm_judge() -> Iterator[SandboxJudge]:
    """One judge for all projects, on the best layers of this machine."""
    with lend_pool(load_settings(environ={}).confinement) as pool:
        yield SandboxJudge(pool)


@pytest.fixture(scope="module")
def plain(projects: Path) -> dict[str, dict[str, bool]]:
    """How each test of each project ends under plain pytest."""
    asked = [(str(projects / name), layout.tests, variables(layout)) for name, layout in LAYOUTS.items()]
    return dict(zip(LAYOUTS, plain_outcomes(asked), strict=True))


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_test_ends_as_it_does_under_plain_pytest(
    name: str, projects: Path, warm_judge: SandboxJudge, plain: dict[str, dict[str, bool]]
) -> None:
    """The bug turns the same tests red, and the honest repair turns all of them green."""
    task, layout = task_of(name, projects / name), LAYOUTS[name]
    assert passed(warm_judge.judge(task.source, task.suite, LIMITS), task) == plain[name]
    repaired = warm_judge.judge(task.source.replace(layout.wrong, layout.right), task.suite, LIMITS)
    assert passed(repaired, task) == dict.fromkeys(plain[name], True)
    assert repaired.passed


@pytest.mark.parametrize("name", LAYOUTS)
def test_screening_tells_the_repair_from_another_change(name: str, projects: Path, warm_judge: SandboxJudge) -> None:
    """However the tests reach the program: what they hold of the last version is replaced, or they are loaded anew."""
    task, layout = task_of(name, projects / name), LAYOUTS[name]
    start = task.source.index(layout.wrong)
    texts = ("%%", layout.right, layout.wrong, layout.right)
    edits = [[Edit(start, start + len(layout.wrong), text)] for text in texts]
    with open_screeners(warm_judge.pool, task.source, task.suite, LIMITS, {}, size=1) as screeners:
        traced = screeners.trace(TraceOrder(LIMITS.seconds))
        assert any(result.outcome is not Outcome.PASSED for result in traced.results.values())
        found = screeners.screen(edits, frozenset(), ScreeningLimits(1 << 20, 10.0))
    assert [result.status for result in found] == ["broken", "passed", "failed", "passed"]


COMPUTED_CASES = """
import pytest
import shop
from shop import DOUBLED

@pytest.mark.parametrize("value", DOUBLED)
def test_even(value):
    assert value % 2 == 0

@pytest.mark.parametrize("n", range(shop.LEAST, 3))
def test_double(n):
    assert shop.double(n) == 2 * n
"""


def test_cases_that_the_program_computes_change_with_it(tmp_path: Path, warm_judge: SandboxJudge) -> None:
    """Their ids do, too ("test_even[5]"): the second case of a test is still the second, for judge and screener."""
    source = "LEAST = 2\n\ndef double(n):\n    return n + 2\n\nDOUBLED = [double(n) for n in (2, 3)]\n"
    (tmp_path / "shop.py").write_text(source)
    (tmp_path / "test_shop.py").write_text(COMPUTED_CASES)
    chosen = read_chosen_tests([str(tmp_path / "test_shop.py")])
    task = build_task(read_program_file(tmp_path / "shop.py"), chosen, None, readers=READERS)
    before = warm_judge.judge(task.source, task.suite, LIMITS)
    assert [check for check, each in before.results.items() if each.outcome is not Outcome.PASSED] == ["test_even[5]"]
    known = replace(task.suite, checks=tuple(Check(check, "") for check in before.results))
    assert warm_judge.judge(task.source.replace("+", "*"), known, LIMITS).passed
    start = source.index("+")
    with open_screeners(warm_judge.pool, task.source, known, LIMITS, {}, size=1) as screeners:
        found = screeners.screen(
            [[Edit(start, start + 1, sign)] for sign in "-*+*"], frozenset(), ScreeningLimits(1 << 20, 10.0)
        )
    assert [result.status for result in found] == ["failed", "passed", "failed", "passed"]


def test_nothing_that_one_candidate_writes_reaches_its_own_tests_or_the_next_candidate(
    projects: Path, warm_judge: SandboxJudge
) -> None:
    """Test files count as they were, and each candidate has a copy of its own."""
    task = task_of("two_files", projects / "two_files")
    hostile = (
        f"{task.source}\nimport pathlib\nfor path in pathlib.Path(__file__).parent.glob('*.py'):\n"
        "    path.write_text('def test_balance_adds_up(): ...\\ndef test_the_largest_entry(): ...\\n')\n"
    )
    before = warm_judge.judge(task.source, task.suite, LIMITS)
    spoilt = warm_judge.judge(hostile, task.suite, LIMITS)
    assert {k: r.outcome for k, r in spoilt.results.items()} == {k: r.outcome for k, r in before.results.items()}
    after = warm_judge.judge(task.source, task.suite, LIMITS)
    assert {k: r.outcome for k, r in after.results.items()} == {k: r.outcome for k, r in before.results.items()}


def test_tests_see_the_variables_that_were_named_and_nothing_else(
    projects: Path, warm_judge: SandboxJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key in the user's environment stays there."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-real")
    task = task_of("subclasses", projects / "subclasses")
    peeking = f"{task.source}\nimport os\nif 'OPENAI_API_KEY' in os.environ:\n    raise SystemExit\n"
    results = warm_judge.judge(peeking, task.suite, LIMITS).results
    assert results["test_the_table_of_shapes"].outcome is Outcome.PASSED


def test_the_checks_of_a_program_that_does_not_load_are_known(projects: Path, warm_judge: SandboxJudge) -> None:
    """With the reason for each of them, its paths as seen from the project's top folder."""
    task = task_of("src_layout", projects / "src_layout")
    renamed = warm_judge.judge(task.source.replace("def minutes", "def minute"), task.suite, LIMITS)
    assert "tests/unit/test_times.py::test_an_hour_has_sixty_minutes" in renamed.results
    assert {result.detail for result in renamed.results.values()} == {
        "ImportError: cannot import name 'minutes' from 'clock.times' (src/clock/times.py)"
    }


SCRIPT = """
import json
from pathlib import Path

from api import lasts
from tests.helpers import DAY

(Path(__file__).parent / "seen.txt").open("x").write("once")
assert lasts("8:00", "9:00") == json.loads(Path(__file__).with_name("hour.json").read_text())
assert lasts("0:00", "24:00") == DAY
"""


def test_a_script_runs_as_python_runs_it_in_its_place(tmp_path: Path, warm_judge: SandboxJudge) -> None:
    """It reads data beside itself, imports helpers of tests, reaches the program through a sibling, and writes anew."""
    texts = {
        "times.py": "def minutes(text):\n    hours, rest = text.split(':')\n    return int(hours) * 24 + int(rest)\n",
        "api.py": "from times import minutes\n\ndef lasts(a, b):\n    return minutes(b) - minutes(a)\n",
        "tests/helpers.py": "DAY = 24 * 60\n",
        "hour.json": "60",
        "checks.py": SCRIPT,
    }
    (tmp_path / "tests").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    chosen = read_chosen_tests([str(tmp_path / "checks.py")])
    task = build_task(read_program_file(tmp_path / "times.py"), chosen, None, readers=READERS)
    wrong, right = "* 24", "* 60"
    verdicts = [warm_judge.judge(text, task.suite, LIMITS) for text in (task.source, task.source.replace(wrong, right))]
    assert [verdict.passed for verdict in verdicts] == [False, True]
    start = task.source.index(wrong)
    edits = [[Edit(start, start + len(wrong), text)] for text in (right, wrong, right)]
    with open_screeners(warm_judge.pool, task.source, task.suite, LIMITS, {}, size=1) as screeners:
        found = screeners.screen(edits, frozenset(), ScreeningLimits(1 << 20, 10.0))
    assert [result.status for result in found] == ["passed", "failed", "passed"]


def test_the_first_candidate_that_gets_as_far_as_the_programs_file_finds_itself_there(
    tmp_path: Path, warm_judge: SandboxJudge
) -> None:
    """What raises before has nobody read the file: it still holds the program as it was."""
    (tmp_path / "two.py").write_text("def f():\n    raise OSError\n\n\nif __name__ == '__main__':\n    print(0)\n")
    (tmp_path / "test_two.py").write_text(
        "import pathlib, runpy, two\n\n\ndef test_both(capsys):\n    assert two.f() == 1\n"
        "    runpy.run_path(str(pathlib.Path(__file__).parent / 'two.py'), run_name='__main__')\n"
        "    assert capsys.readouterr().out == '1\\n'\n"
    )
    chosen = read_chosen_tests([str(tmp_path / "test_two.py")])
    task = build_task(read_program_file(tmp_path / "two.py"), chosen, None, readers=READERS)
    raising, printing = task.source.index("raise OSError"), task.source.index("0)")
    edits = [Edit(raising, raising + len("raise OSError"), "return 1"), Edit(printing, printing + 1, "1")]
    with open_screeners(warm_judge.pool, task.source, task.suite, LIMITS, {}, size=1) as screeners:
        screeners.trace(TraceOrder(LIMITS.seconds))
        found = screeners.screen([edits, edits[:1]], frozenset(), ScreeningLimits(1 << 20, 10.0))
    assert [result.status for result in found] == ["passed", "failed"]


BY_PATH = """
import contextlib
import io
import pathlib
import runpy
import sys

FILE = pathlib.Path(__file__).parent / "total.py"


def run(text):
    sys.stdin, out = io.StringIO(text), io.StringIO()
    with contextlib.redirect_stdout(out):
        runpy.run_path(str(FILE), run_name="__main__")
    return out.getvalue()


assert run("1 2") == "3\\n"
assert run("4") == "4\\n"
"""


def test_a_script_that_runs_the_program_by_its_path_is_the_first_to_do_so(
    tmp_path: Path, warm_judge: SandboxJudge
) -> None:
    """Nothing loads the program before: alone, it would wait for an input that is not there."""
    (tmp_path / "total.py").write_text("print(sum(map(int, input().split())) + 1)\n")
    (tmp_path / "checks.py").write_text(BY_PATH)
    chosen = read_chosen_tests([str(tmp_path / "checks.py")])
    task = build_task(read_program_file(tmp_path / "total.py"), chosen, None, readers=READERS)
    verdicts = [warm_judge.judge(text, task.suite, LIMITS) for text in (task.source, task.source.replace(" + 1", ""))]
    assert [verdict.passed for verdict in verdicts] == [False, True]
    assert {result.outcome for result in verdicts[0].results.values()} == {Outcome.FAILED}
    start = task.source.index(" + 1")
    edits = [[Edit(start, start + 4, text)] for text in ("", " + 2", "")]
    with open_screeners(warm_judge.pool, task.source, task.suite, LIMITS, {}, size=1) as screeners:
        screeners.trace(TraceOrder(LIMITS.seconds))
        found = screeners.screen(edits, frozenset(), ScreeningLimits(1 << 20, 10.0))
    assert [result.status for result in found] == ["passed", "failed", "passed"]


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_search_repairs_it(name: str, projects: Path) -> None:
    """The whole way, from the files to a proven patch."""
    task = task_of(name, projects / name)
    repair = repair_task(task, settings=load_settings({"workers": 1, "max_seconds": 120}, environ={}))
    assert repair.stop is Stop.FIXED
