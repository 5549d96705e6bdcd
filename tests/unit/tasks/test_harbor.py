"""Harbor task folders: Python repairs become cases, and every other task is named with the reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from regreen.errors import TaskError
from regreen.tasks import harbor
from regreen.types import Suite, SuiteKind
from regreen.verify.suites import read_suite

PROGRAM = "def double(n):\n    return n + 2\n"
RIGHT = "def double(n):\n    return n * 2\n"
FILES = {
    "task.toml": 'version = "1.0"\n\n[metadata]\ndifficulty = "easy"\ntags = ["math"]\n',
    "instruction.md": "Mend `double`.\n",
    "environment/Dockerfile": "FROM python:3.12\nCOPY doubling.py /app/\n",
    "environment/doubling.py": PROGRAM,
    "tests/test.sh": "#!/bin/bash\npytest /tests\n",
    "tests/test_outputs.py": "import sys\n\nsys.path.insert(0, '/app')\n\nfrom doubling import double\n\n\n"
    "def test_double():\n    assert double(3) == 6\n",
    "solution/solve.sh": f"#!/bin/bash\ncat > /app/doubling.py << 'EOF'\n{RIGHT}EOF\necho done\n",
}
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a task, with files changed or (None) left out."""

    def written(name: str = "mend-double", **changed: str | None) -> Path:
        folder = tmp_path / "tasks" / name
        for path, text in (FILES | changed).items():
            if text is not None:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text, encoding="utf-8")
        return folder

    return written


def test_a_repair_of_one_module_becomes_a_case(make: Make) -> None:
    """Program, tests, instruction, labels, and the solution that the script would write."""
    (case,) = harbor.load(make().parent, read_suite).cases
    assert (case.task.id, case.task.module, case.task.statement) == ("harbor/mend-double", "doubling", "Mend `double`.")
    assert (case.task.source, case.reference) == (PROGRAM, RIGHT)
    assert [check.id for check in case.hidden.checks] == ["test_double"]
    assert len(case.task.suite) == 0
    assert case.labels == {"difficulty": "easy"}


def test_the_folder_of_one_task_will_do(make: Make) -> None:
    """As Harbor itself takes it."""
    assert harbor.load(make(), read_suite) == harbor.load(make().parent, read_suite)


SOLUTIONS = {
    "a file of the module's name": {"solution/doubling.py": RIGHT, "solution/solve.sh": None},
    "without quotes": {"solution/solve.sh": f"cat >/app/doubling.py <<EOF\n{RIGHT}EOF\n"},
    "behind another file": {
        "solution/solve.sh": f"cat > notes.txt << 'A'\ndoubling\nA\ncat > doubling.py << \"B\"\n{RIGHT}B\n"
    },
}


@pytest.mark.parametrize("kind", SOLUTIONS)
def test_the_solution_is_read_where_it_is_written_out(make: Make, kind: str) -> None:
    """From a file, or from a here-document; nothing is run."""
    (case,) = harbor.load(make(**SOLUTIONS[kind]), read_suite).cases
    assert case.reference == RIGHT


@pytest.mark.parametrize(
    "script", [None, "sed -i s/+/*/ /app/doubling.py\n", "cat > /app/doubling.py << 'EOF'\ncut off\n"]
)
def test_a_solution_that_only_a_shell_could_tell_is_none(make: Make, script: str | None) -> None:
    """The case has no reference then."""
    (case,) = harbor.load(make(**{"solution/solve.sh": script}), read_suite).cases
    assert case.reference == ""


UNSUITABLE = {
    "several steps": ({"task.toml": '[[steps]]\nname = "a"\n'}, "it has several steps"),
    "a config that is no TOML": ({"task.toml": "version = "}, "task.toml cannot be read"),
    "no instruction": ({"instruction.md": None}, "it has no instruction.md"),
    "no program": ({"environment/doubling.py": None}, "environment/ holds no Python file"),
    "two programs": ({"environment/more.py": ""}, "environment/ holds 2 Python files"),
    "a program without a name": (
        {"environment/doubling.py": None, "environment/my-code.py": PROGRAM},
        "holds my-code.py, which no test can import",
    ),
    "no test file": ({"tests/test_outputs.py": None}, "tests/ holds no Python file"),
    "two test files": ({"tests/helper.py": ""}, "tests/ holds helper.py, test_outputs.py"),
    "tests that are no Python": ({"tests/test_outputs.py": "def ("}, "test_outputs.py is not valid Python"),
    "tests of something else": ({"tests/test_outputs.py": "def test_a(): assert 1"}, "does not import doubling"),
    "tests that run commands": (
        {"tests/test_outputs.py": "import subprocess, doubling\ndef test_a(): assert doubling.double(1) == 2\n"},
        "uses subprocess: it may need the container",
    ),
    "tests without a test": ({"tests/test_outputs.py": "import doubling\n"}, "hold no check"),
    "a program that is binary": ({"environment/doubling.py": "\0"}, "is binary"),
}


@pytest.mark.parametrize("kind", UNSUITABLE)
def test_any_other_task_is_named_with_the_reason(make: Make, kind: str) -> None:
    """And the suitable ones beside it are taken; with none of them it is an error."""
    changed, reason = UNSUITABLE[kind]
    odd = make("odd", **changed)
    with pytest.raises(TaskError, match=r"none of the 1 tasks .* is a repair of one Python module") as caught:
        harbor.load(odd, read_suite)
    assert reason in str(caught.value)
    loaded = harbor.load(make().parent, read_suite)
    assert [case.task.id for case in loaded.cases] == ["harbor/mend-double"]
    assert [task.name for task in loaded.skipped] == ["odd"]
    assert reason in loaded.skipped[0].why


def test_links_are_not_followed(make: Make, tmp_path: Path) -> None:
    """They may lead out of the task."""
    outside = tmp_path / "outside.py"
    outside.write_text("secret = 1\n", encoding="utf-8")
    folder = make()
    (folder / "environment" / "more.py").symlink_to(outside)
    assert len(harbor.load(folder, read_suite).cases) == 1


def test_a_folder_without_tasks_is_refused(tmp_path: Path) -> None:
    """Or one that is not there."""
    for path, reason in ((tmp_path, "holds no Harbor task"), (tmp_path / "nowhere", "cannot be read")):
        with pytest.raises(TaskError, match=reason):
            harbor.load(path, reader)


def reader(text: str, **asked: object) -> Suite:
    return Suite(SuiteKind.SCRIPT, text, ())
