"""Building a task from the user's own files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regreen.errors import TaskError
from regreen.tasks.local_task import CheckReaders, build_task, read_chosen_tests, read_program_file
from regreen.types import Check, Isolation, Suite, SuiteKind, Task

PROGRAM = '''"""Statistics."""

def mean(xs):
    """The arithmetic mean."""
    return sum(xs) / len(xs)

async def fetch(): ...

class Shelf:
    def take(self): ...

try:
    import fast
except ImportError:
    def slow(): ...

alias = mean
'''


class RecordingReader:
    """Stands in for the room that reads checks, and remembers what it was asked."""

    def __init__(self, kind: SuiteKind) -> None:
        self.kind = kind
        self.asked: dict[str, Any] = {}

    def __call__(self, text: str, **asked: Any) -> Suite:
        self.asked = {"text": text, **asked}
        return Suite(self.kind, text, (Check("only", text),), origin=asked.get("origin", ""))


class Fakes:
    """Readers for one test."""

    def __init__(self, *, guess: str | None = None, examples: bool = True) -> None:
        self.suite = RecordingReader(SuiteKind.SCRIPT)
        self.io_cases = RecordingReader(SuiteKind.SCRIPT)
        self.doctests = RecordingReader(SuiteKind.SCRIPT)
        self.readers = CheckReaders(
            suite=self.suite,
            project_suite=lambda text, *, project, module, origin: Suite(
                SuiteKind.PYTEST, text, (), module=module, origin=origin, project=project
            ),
            io_cases=self.io_cases,
            doctests=self.doctests if examples else lambda program, *, module, entry_point: None,
            guess_entry_point=lambda program, tests: guess,
        )


def build(
    folder: Path,
    *,
    program: str = PROGRAM,
    tests: str | bytes | None = "assert mean([1]) == 1\n",
    name: str = "stats.py",
    tests_name: str = "test_stats.py",
    entry_point: str | None = None,
    fakes: Fakes | None = None,
) -> Task:
    path = folder / name
    path.write_text(program, encoding="utf-8")
    tests_path = None
    if tests is not None:
        tests_path = folder / tests_name
        tests_path.write_bytes(tests if isinstance(tests, bytes) else tests.encode())
    chosen = read_chosen_tests([] if tests_path is None else [str(tests_path)])
    return build_task(read_program_file(path), chosen, entry_point, readers=(fakes or Fakes()).readers)


def test_a_task_is_named_after_its_file_and_told_by_its_docstring(tmp_path: Path) -> None:
    """Id, module and statement come from the program itself."""
    task = build(tmp_path, entry_point="mean")
    assert (task.id, task.module, task.entry_point, task.statement) == (
        "stats.py",
        "stats",
        "mean",
        "The arithmetic mean.",
    )
    assert task.source == PROGRAM


def test_tests_are_read_with_all_that_is_known(tmp_path: Path) -> None:
    """The reader gets text with plain line ends, the program, its module and the entry point that was guessed."""
    fakes = Fakes(guess="mean")
    build(tmp_path, tests=b"\xef\xbb\xbfassert mean([1]) == 1\r\n", fakes=fakes)
    assert fakes.suite.asked == {
        "text": "assert mean([1]) == 1\n",
        "program": PROGRAM,
        "module": "stats",
        "entry_point": "mean",
        "origin": "test_stats.py",
    }


def test_json_lines_are_read_as_cases(tmp_path: Path) -> None:
    """The suffix decides who reads."""
    fakes = Fakes()
    build(tmp_path, tests='{"args": [[1]], "expected": 1}\n', tests_name="cases.JSONL", entry_point="mean", fakes=fakes)
    assert fakes.io_cases.asked["entry_point"] == "mean"
    assert not fakes.suite.asked


def test_cases_need_to_know_their_function(tmp_path: Path) -> None:
    """Where it cannot be guessed, the functions are listed."""
    with pytest.raises(TaskError, match=r"does not say which function.*--entry-point.*mean, fetch, Shelf, Shelf.take"):
        build(tmp_path, tests='{"args": [], "expected": 1}\n', tests_name="cases.jsonl")


def test_without_tests_the_examples_in_the_program_are_the_checks(tmp_path: Path) -> None:
    """Doctests stand in."""
    fakes = Fakes()
    build(tmp_path, tests=None, fakes=fakes)
    assert fakes.doctests.asked == {"text": PROGRAM, "module": "stats", "entry_point": None}


def test_a_program_without_examples_needs_tests(tmp_path: Path) -> None:
    """The refusal says how to give them."""
    with pytest.raises(TaskError, match=r"no doctest examples.*--tests"):
        build(tmp_path, tests=None, fakes=Fakes(examples=False))


@pytest.mark.parametrize(
    "tests", ["code/test_stats.py", "code/stats_test.py", "code/tests/test_stats.py", "tests/test_stats.py"]
)
def test_tests_that_bear_the_program_s_name_are_named_in_the_refusal(tmp_path: Path, tests: str) -> None:
    """Beside it, or in a folder of tests: nothing is run that was not asked for, but it can be."""
    for folder in ("code/tests", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / tests).touch()
    with pytest.raises(TaskError) as told:
        build(tmp_path / "code", tests=None, fakes=Fakes(examples=False))
    assert told.value.remedy == f"Give its tests: --tests {tmp_path / tests}"


def test_an_unknown_entry_point_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    """Functions, classes, methods, and those in try blocks too."""
    with pytest.raises(
        TaskError, match=r"no function maen\. Did you mean mean\? It has: mean, fetch, Shelf, Shelf\.take, slow\."
    ):
        build(tmp_path, entry_point="maen")


@pytest.mark.parametrize("name", ["mean", "fetch", "Shelf", "Shelf.take", "slow", "alias"])
def test_whatever_the_module_defines_can_be_the_entry_point(tmp_path: Path, name: str) -> None:
    """A name that is bound by assignment counts too."""
    assert build(tmp_path, entry_point=name).entry_point == name


def test_a_program_that_does_not_parse_still_has_functions(tmp_path: Path) -> None:
    """A syntax error is to be repaired, so it must not hide the function that has it."""
    broken = "def mean(xs)\n    return 1\n\nasync def other(): ...\n"
    assert build(tmp_path, program=broken, entry_point="mean").statement == ""
    with pytest.raises(TaskError, match="It has: mean, other"):
        build(tmp_path, program=broken, entry_point="gone")


def test_doubtful_escapes_in_the_program_raise_no_warning(tmp_path: Path) -> None:
    """Python warns of them while parsing; that is not our business."""
    assert build(tmp_path, program="def mean(xs):\n    return '\\d'\n", entry_point="mean").entry_point == "mean"


@pytest.mark.parametrize("name", ["my-script.py", "class.py", "2024.py"])
def test_a_file_that_cannot_be_imported_by_name_is_called_program(tmp_path: Path, name: str) -> None:
    """No import statement could name it."""
    assert build(tmp_path, name=name).module == "program"


UNUSABLE_TESTS = {
    "nothing": (b" \n", "test_stats.py", "is empty"),
    "binary": (b"\0", "test_stats.py", "binary"),
    "undecodable": (b"x = '\xff'", "test_stats.py", "not utf-8 text"),
    "undecodable cases": (b'{"a": "\xff"}', "cases.jsonl", "not utf-8 text"),
    "an unknown kind": (b"assert True", "tests.txt", "unknown kind"),
}


@pytest.mark.parametrize("kind", UNUSABLE_TESTS)
def test_tests_that_cannot_be_read_are_refused_with_the_reason(tmp_path: Path, kind: str) -> None:
    """As clearly as programs are."""
    content, name, reason = UNUSABLE_TESTS[kind]
    with pytest.raises(TaskError, match=f"the test file .*{name}.*{reason}") as refusal:
        build(tmp_path, tests=content, tests_name=name)
    assert refusal.value.remedy


def test_missing_tests_and_folders_without_any_are_refused(tmp_path: Path) -> None:
    """A path to nothing, and a path to a folder with no file that is named like tests."""
    (tmp_path / "stats.py").write_text(PROGRAM, encoding="utf-8")
    program = read_program_file(tmp_path / "stats.py")
    with pytest.raises(TaskError, match=r"the test file .* does not exist"):
        read_chosen_tests([str(tmp_path / "tests.py")])
    with pytest.raises(TaskError, match=r"holds no test file: none is named like test_\*\.py or \*_test\.py"):
        build_task(program, read_chosen_tests([str(tmp_path)]), None, readers=Fakes().readers)


def tree(folder: Path, **files: str) -> None:
    """Write files; `__` in a keyword stands for "/"."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_modules_that_the_program_imports_come_along(tmp_path: Path) -> None:
    """Directly, through one another, inside functions, and only those that are used."""
    tree(tmp_path, helper="import deeper\n", deeper="", unused="", lazy="import stats, os\n")
    task = build(tmp_path, program="import os\nfrom helper import x\ndef f():\n    import lazy\n")
    assert task.companions == {"deeper.py": "", "helper.py": "import deeper\n", "lazy.py": "import stats, os\n"}


def test_modules_that_only_the_tests_import_come_along(tmp_path: Path) -> None:
    """They are needed to run the tests."""
    tree(tmp_path, factory="")
    assert set(build(tmp_path, tests="from stats import mean\nfrom factory import make\n").companions) == {"factory.py"}


def test_packages_come_with_what_their_imports_run(tmp_path: Path) -> None:
    """`import a.b` runs `a`'s own module first, and relative imports are followed inside packages."""
    package = tmp_path / "pkg"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("from .one import x\n", encoding="utf-8")
    (package / "one.py").write_text("from .inner import two\n", encoding="utf-8")
    (package / "inner" / "__init__.py").write_text("", encoding="utf-8")
    (package / "inner" / "two.py").write_text("from .. import three\nfrom ..... import beyond\n", encoding="utf-8")
    (package / "three.py").write_text("", encoding="utf-8")
    (package / "unused.py").write_text("", encoding="utf-8")
    assert set(build(tmp_path, program="import pkg.one\n").companions) == {
        "pkg/__init__.py",
        "pkg/one.py",
        "pkg/inner/__init__.py",
        "pkg/inner/two.py",
        "pkg/three.py",
    }


def test_folders_without_an_init_are_packages_too(tmp_path: Path) -> None:
    """Namespace packages; and the program's own relative imports start at its folder."""
    tree(tmp_path, space__module="", sibling="")
    task = build(tmp_path, program="from space.module import x\nfrom .sibling import y\nfrom . import sibling\n")
    assert set(task.companions) == {"space/module.py", "sibling.py"}


def test_tests_and_the_program_are_no_companions(tmp_path: Path) -> None:
    """What checks the program must not travel with it."""
    tree(tmp_path, test_other="", conftest="", tests__helpers="", other_test="", fine="")
    task = build(tmp_path, program="import test_other, conftest, tests.helpers, other_test, test_stats, stats, fine\n")
    assert set(task.companions) == {"fine.py"}


def test_companions_keep_within_bounds(tmp_path: Path) -> None:
    """A program that drags half a project along is refused."""
    names = [f"m{number}" for number in range(501)]
    tree(tmp_path, **dict.fromkeys(names, ""))
    with pytest.raises(TaskError, match="imports more than 500 files"):
        build(tmp_path, program=f"import {', '.join(names)}\n")


def test_a_companion_that_is_no_text_is_named(tmp_path: Path) -> None:
    """The refusal says which module it is about."""
    (tmp_path / "helper.py").write_bytes(b"\0")
    with pytest.raises(TaskError, match=r"the imported module .*helper\.py is binary"):
        build(tmp_path, program="import helper\n")


def test_a_file_cannot_be_its_own_tests(tmp_path: Path) -> None:
    """Tests inside the program would carry their own copy of it: how to part them is said."""
    path = tmp_path / "both.py"
    path.write_text("def f(): ...\n\ndef test_f(): assert f()\n")
    with pytest.raises(TaskError, match="Move the tests into a file of their own"):
        build_task(read_program_file(path), read_chosen_tests([str(path)]), None, readers=Fakes().readers)


def task_of(program: Path, *tests: Path, fakes: Fakes | None = None) -> Task:
    chosen = read_chosen_tests([str(path) for path in tests])
    return build_task(read_program_file(program), chosen, None, readers=(fakes or Fakes()).readers)


def test_plain_tests_stay_behind_the_wall_until_something_of_the_project_may_change_them(tmp_path: Path) -> None:
    """By themselves they are read as before; not with helpers of their own, a deciding option or a file."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['slow']\n")
    (tmp_path / "prog.py").write_text("def f(): ...\n")
    (tmp_path / "tests").mkdir()
    tests = tmp_path / "tests" / "test_prog.py"
    tests.write_text("from prog import f\ndef test_f():\n    assert f() is None\n")
    assert task_of(tmp_path / "prog.py", tests).suite.project is None
    for name, text in {
        "pytest.ini": "[pytest]\nfilterwarnings = error\n",
        "prog.py": "def f():\n    return open('x')\n",
        "tests/helpers.py": "",
    }.items():
        path = tmp_path / name
        before = path.read_text() if path.exists() else None
        path.write_text(text)
        tests.write_text(
            f"{'from helpers import *' if 'helpers' in name else ''}\nfrom prog import f\ndef test_f(): ...\n"
        )
        project = task_of(tmp_path / "prog.py", tests).suite.project
        assert project is not None, name
        assert (project.target, project.arguments, project.short_ids) == ("prog.py", ("tests/test_prog.py",), True)
        if before is None:
            path.unlink()
        else:
            path.write_text(before)


def test_tests_that_reach_the_program_through_another_module_run_in_the_project(tmp_path: Path) -> None:
    """A stand-in for the program would never be called."""
    tree(tmp_path, core="def f(): ...\n", service="from core import f\n")
    (tmp_path / "test_service.py").write_text("from service import f\ndef test_f(): ...\n")
    project = task_of(tmp_path / "core.py", tmp_path / "test_service.py").suite.project
    assert project is not None
    assert set(project.files) == {"service.py", "test_service.py"}


@pytest.mark.parametrize(
    "tests",
    [
        "from service import f\nassert f()\n",
        "from core import f\nfrom tests.helpers import g\nassert f() == g()\n",
        "from core import f\nassert f() == open('data.txt').read()\n",
    ],
)
def test_a_script_that_uses_what_lies_around_it_runs_in_its_project(tmp_path: Path, tests: str) -> None:
    """As `python checks.py` in its place: data, helpers of tests, and modules that import the program are there."""
    tree(tmp_path, core="def f(): ...\n", service="from core import f\n", checks=tests)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "helpers.py").write_text("def g(): ...\n")
    suite = task_of(tmp_path / "core.py", tmp_path / "checks.py").suite
    assert suite.kind is SuiteKind.SCRIPT
    assert (suite.isolation, suite.module, suite.origin) == (Isolation.SHARED, "core", "checks.py")
    assert suite.project is not None
    assert {"service.py", "tests/helpers.py"} <= set(suite.project.files)


def test_several_files_are_one_suite_and_none_is_lost(tmp_path: Path) -> None:
    """Plain ones too: each of them reaches pytest, and their texts are evidence for the search."""
    tree(tmp_path, prog="def f(): ...\n", test_a="def test_a(): ...\n", test_b="def test_b(): ...\n")
    suite = task_of(tmp_path / "prog.py", tmp_path / "test_a.py", tmp_path / "test_b.py").suite
    assert suite.project is not None
    assert suite.project.arguments == ("test_a.py", "test_b.py")
    assert "test_a" in suite.source
    assert "test_b" in suite.source
    assert not suite.project.short_ids


def test_a_script_of_plain_asserts_cannot_be_one_of_several(tmp_path: Path) -> None:
    """pytest would find nothing in it, and call that green."""
    tree(tmp_path, prog="def f(): ...\n", one="assert True\n", two="assert True\n")
    with pytest.raises(TaskError, match="holds no test function") as refusal:
        task_of(tmp_path / "prog.py", tmp_path / "one.py", tmp_path / "two.py")
    assert "one file of plain asserts alone" in refusal.value.remedy
