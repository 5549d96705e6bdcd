"""A repair becomes a commit on a branch of its own, and nothing else of the repository changes, nor is anything run."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from regreen.cli import run
from regreen.errors import TaskError
from regreen.sandbox.git_branch import (
    BranchCommit,
    FileVersion,
    commit_on_branch,
    refuse_without_commit,
    unlike_committed,
)
from regreen.types import CheckResult, FileChange, Outcome, ProjectOutcome, ProjectRepair

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
BEFORE, AFTER = b"x = 1\ny = 1\n", b"x = 1\ny = 2\n"
HOOKS = ("reference-transaction", "post-index-change", "pre-commit", "commit-msg", "post-commit", "post-checkout")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, of a user without a name; the project is a folder in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "repository"
    (folder / "project/deep").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "trunk")
    (folder / "project/deep/a.py").write_bytes(BEFORE)
    (folder / "project/run.sh").write_bytes(b"echo\n")
    (folder / "project/run.sh").chmod(0o755)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """What git says, asked by a user with a name."""
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def committed(
    repository: Path, *, path: str = "deep/a.py", before: bytes = BEFORE, after: bytes = AFTER
) -> BranchCommit:
    """The commit of one changed file."""
    return commit_on_branch(repository / "project", [FileVersion(path, before, after)], "regreen/fix-a", "Fix a\n")


def test_only_the_changed_file_differs_and_the_users_files_stay(repository: Path) -> None:
    """The parent is HEAD; branch, index and files are as they were, another file's uncommitted change included."""
    (repository / "project/run.sh").write_bytes(b"echo more\n")
    head, status = git(repository, "rev-parse", "HEAD"), git(repository, "status", "--porcelain")
    made = committed(repository)
    assert (made.branch, made.onto) == ("regreen/fix-a", "trunk")
    assert git(repository, "rev-parse", "HEAD", "regreen/fix-a^") == head * 2
    assert git(repository, "status", "--porcelain", "-b") == f"## trunk\n{status}"
    assert git(repository, "show", f"{made.branch}:project/deep/a.py").encode() == AFTER
    changed = git(repository, "diff", "--raw", "--no-renames", "HEAD", made.commit)
    assert changed.split()[0::5][0] == ":100644"
    assert changed.splitlines()[0].endswith("\tproject/deep/a.py")
    assert len(changed.splitlines()) == 1
    assert git(repository, "log", "-1", "--format=%an %B", made.branch) == "Regreen Fix a\n\n"


def test_the_commit_is_the_users_own(repository: Path) -> None:
    """Name and address are those that git is configured with."""
    git(repository, "config", "user.name", "Ada")
    git(repository, "config", "user.email", "ada@example.org")
    made = committed(repository)
    assert git(repository, "log", "-1", "--format=%an %ae %cn", made.branch) == "Ada ada@example.org Ada\n"


def test_the_same_change_has_one_branch_and_another_one_its_own(repository: Path) -> None:
    """Nothing piles up where a repair is run again, and no branch is moved."""
    first = committed(repository)
    assert committed(repository) == first
    assert committed(repository, after=b"x = 3\n").branch == "regreen/fix-a-2"
    assert git(repository, "rev-parse", "regreen/fix-a").strip() == first.commit


def test_a_branch_called_as_our_folder_is_in_nobodys_way(repository: Path) -> None:
    """Git keeps no branch below another."""
    git(repository, "branch", "regreen")
    assert committed(repository).branch == "regreen-fix-a"


def test_a_detached_head_is_gone_on_from(repository: Path) -> None:
    """The commit that is checked out is the parent, and no branch is named."""
    git(repository, "checkout", "-q", "--detach")
    assert committed(repository).onto == ""


def test_line_ends_are_those_that_git_keeps(repository: Path) -> None:
    """A folder with "\\r\\n" for the "\\n" of the repository is not a changed one."""
    made = committed(repository, before=BEFORE.replace(b"\n", b"\r\n"), after=AFTER.replace(b"\n", b"\r\n"))
    assert git(repository, "show", f"{made.branch}:project/deep/a.py").encode() == AFTER


@pytest.mark.parametrize(
    ("path", "before", "words"),
    [
        ("deep/a.py", b"x = 0\n", "deep/a.py has changes that are not committed"),
        ("new.py", BEFORE, "new.py is in no commit yet"),
    ],
)
def test_what_is_not_committed_is_not_taken_in(repository: Path, path: str, before: bytes, words: str) -> None:
    """The user's own unfinished work gets into no commit of ours, and no branch is left."""
    with pytest.raises(TaskError, match=words):
        committed(repository, path=path, before=before)
    assert "regreen" not in git(repository, "branch", "--list")


def test_a_link_that_git_keeps_is_no_file(repository: Path) -> None:
    """What it leads to is another path's content."""
    (repository / "project/link.py").symlink_to("deep/a.py")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "link")
    with pytest.raises(TaskError, match=r"link\.py"):
        committed(repository, path="link.py", before=b"deep/a.py")


def test_a_hostile_repository_runs_nothing(repository: Path, tmp_path: Path) -> None:
    """Hooks, filters, monitors, signing programs and aliases are not started."""
    marker = tmp_path / "marker"
    evil = f"touch {marker}; cat"
    for hook in HOOKS:
        file = repository / ".git/hooks" / hook
        file.write_text(f"#!/bin/sh\ntouch {marker}\n", encoding="utf-8")
        file.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "filter.evil.clean", "filter.evil.smudge", "gpg.program"):
        git(repository, "config", name, evil)
    for name in ("alias.commit-tree", "alias.mktree", "alias.update-ref"):
        git(repository, "config", name, f"!{evil}")
    git(repository, "config", "commit.gpgSign", "true")
    git(repository, "config", "core.hooksPath", str(repository / ".git/hooks"))
    (repository / "project/.gitattributes").write_text("* filter=evil\n", encoding="utf-8")
    made = committed(repository)
    assert not marker.exists()
    assert (repository / ".git/refs/heads" / made.branch).read_text().strip() == made.commit


@pytest.mark.parametrize("place", ["refs/heads/regreen", "logs/refs/heads/regreen", "objects"])
def test_git_does_not_write_through_a_link(repository: Path, tmp_path: Path, place: str) -> None:
    """A repository that came as an archive may have its own folders lead anywhere."""
    target = tmp_path / "elsewhere"
    target.mkdir()
    link = repository / ".git" / place
    if place == "objects":
        # One of those that objects are spread over, in which there is none yet.
        link = next(folder for n in range(256) if not (folder := link / f"{n:02x}").exists())
    elif link.exists():
        shutil.rmtree(link)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(target)
    with pytest.raises(TaskError, match="is a link"):
        committed(repository)
    assert list(target.iterdir()) == []


def test_what_can_not_be_committed_in_is_refused_before_anything_runs(tmp_path: Path, repository: Path) -> None:
    """No repository, and one without a commit."""
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "-q")
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(TaskError, match="no commit"):
        refuse_without_commit(tmp_path / "empty")
    with pytest.raises(TaskError, match="no git repository"):
        refuse_without_commit(plain)
    refuse_without_commit(repository / "project")


def test_files_that_are_not_committed_as_they_lie_are_named(repository: Path) -> None:
    """New ones and changed ones; line ends do not count."""
    project = repository / "project"
    (project / "new.py").write_bytes(b"")
    (project / "run.sh").write_bytes(b"echo\r\n")
    assert unlike_committed(project, ["deep/a.py", "new.py", "run.sh"]) == ("new.py",)
    (project / "deep/a.py").write_bytes(AFTER)
    assert unlike_committed(project, ["deep/a.py"]) == ("deep/a.py",)


@pytest.mark.parametrize(("likelihood", "status"), [(0.9, 0), (0.2, 1)])
def test_the_command_commits_what_is_likely_and_says_how_to_merge_it(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    likelihood: float,
    status: int,
) -> None:
    """With `--json` the branch is a field; what is doubtful is not committed, and that is no success."""
    project = repository / "project"
    change = FileChange("deep/a.py", BEFORE.decode(), AFTER.decode(), BEFORE, AFTER, "`1` became `2`")
    before, after = {"t.py::t": CheckResult(Outcome.FAILED)}, {"t.py::t": CheckResult(Outcome.PASSED)}
    repair = ProjectRepair(
        str(project), ProjectOutcome.FIXED, before, after, (change,), explanation="Why.", likelihood=likelihood
    )
    monkeypatch.setattr("regreen.api.repair_project", lambda *_, **__: repair)
    assert run(["fix", str(project), "--commit"]) == status
    said = capsys.readouterr().out
    assert ("git merge regreen/fix-a" in said) is (status == 0)
    assert ("Not written, since it is more likely wrong" in said) is (status == 1)
    assert run(["fix", str(project), "--commit", "--json"]) == status
    branch = json.loads(capsys.readouterr().out)["commit"]
    assert (branch and branch["branch"]) == ("regreen/fix-a" if status == 0 else None)
    assert run(["fix", str(project), "--commit", "--apply"]) == 2
