"""`regreen ci`: what it leaves behind, and that a red build stays red."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import SandboxError
from regreen.types import CheckResult, FileChange, Outcome, ProjectOutcome, ProjectRepair, Stop

DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2  # ::error::forged\n"
FIXED = ProjectRepair(
    root="/p",
    outcome=ProjectOutcome.FIXED,
    before={"test_x.py::test_x": CheckResult(Outcome.FAILED)},
    after={"test_x.py::test_x": CheckResult(Outcome.PASSED)},
    changes=(FileChange("x.py", "x = 1\n", "x = 2\n", b"x = 1\n", b"x = 2\n"),),
    diff=DIFF,
    explanation="test_x expected 2, got 1.",
    stop=Stop.FIXED,
)


@dataclass
class Project:
    """Stands in for the repair of a project."""

    answer: ProjectRepair | Exception = FIXED
    arguments: tuple[str, ...] = ()

    def __call__(self, folder: Path, pytest_args: tuple[str, ...], **more: Any) -> ProjectRepair:
        self.arguments = pytest_args
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Project:
    """In a folder of its own, and in no CI job."""
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    made = Project()
    monkeypatch.setattr("regreen.api.repair_project", made)
    return made


def test_outside_of_a_ci_job_it_only_prints(regreen: Callable[..., Any], project: Project) -> None:
    """And is red, as the tests are: only they can turn a build green."""
    ran = regreen("ci", "--", "tests", "-k", "name")
    assert (ran.status, project.arguments) == (1, ("tests", "-k", "name"))
    assert "+x = 2" in ran.out
    assert "::stop-commands" not in ran.out
    assert list(Path().iterdir()) == []


def test_in_a_job_of_githubs_it_leaves_patch_summary_and_annotations(
    regreen: Callable[..., Any], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line of the project's is taken for a command: they are stopped, by a word that it cannot know."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("summary.md").write_text("before\n", encoding="utf-8")
    words = set()
    for _ in range(2):
        lines = regreen("ci").out.splitlines()
        word = lines[0].removeprefix("::stop-commands::")
        shown = lines[1 : lines.index(f"::{word}::")]
        assert any("::error::forged" in line for line in shown)
        assert not any(word in line for line in shown)
        assert [line for line in lines[len(shown) + 2 :] if not line.startswith("::notice file=x.py,line=1,")] == []
        words.add(word)
    assert len(words) == 2
    assert Path("regreen.patch").read_text(encoding="utf-8") == DIFF
    assert Path("summary.md").read_text(encoding="utf-8").startswith("before\n## Regreen: A proven patch")


def test_elsewhere_files_are_named(
    regreen: Callable[..., Any], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be written is said."""
    monkeypatch.setenv("CI", "true")
    regreen("ci", "--patch", "my.patch", "--summary", "my.md")
    assert sorted(path.name for path in Path().iterdir()) == ["my.md", "my.patch"]
    ran = regreen("ci", "--patch", "no/such/folder.patch")
    assert (ran.status, "Give --patch another file" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (replace(FIXED, outcome=ProjectOutcome.NOTHING_RED, diff="", changes=()), 0),
        (replace(FIXED, outcome=ProjectOutcome.NOT_FIXED, diff="", changes=()), 1),
        (replace(FIXED, outcome=ProjectOutcome.OUT_OF_REACH, diff="", changes=()), 1),
        (replace(FIXED, outcome=ProjectOutcome.NOT_FIXED, stop=Stop.INTERRUPTED), 130),
        (SandboxError("it broke"), 3),
    ],
)
def test_the_exit_status_says_whether_something_is_red(
    regreen: Callable[..., Any], project: Project, answer: ProjectRepair | Exception, status: int
) -> None:
    """Green, red, interrupted, or the machine's fault."""
    project.answer = answer
    assert regreen("ci").status == status
    assert not Path("regreen.patch").exists()
