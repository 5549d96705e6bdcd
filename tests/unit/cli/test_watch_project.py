"""`regreen fix --watch` repairs after each change, never after its own, and ends with Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import SandboxError, TaskError
from regreen.strategies.events import Event
from regreen.tasks.file_stamps import Stamps, file_stamps
from regreen.types import CheckResult, FileChange, Outcome, ProjectOutcome, ProjectRepair, Stop

BEFORE, AFTER = "x = 1\n", "x = 2\n"
TEST = "t.py::test_x"


class Desk:
    """A user who changes files whenever the command waits, and presses Ctrl-C when nothing is left to change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps: list[Callable[[], object]] = []
        self.during: Callable[[], object] = lambda: None
        self.answers: list[Any] = []
        self.waits: list[bool] = []
        self.runs = 0

    def edit(self, text: str = BEFORE, name: str = "a.py") -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def repaired(self, _folder: Path, _arguments: object, *, on_event: Callable[[Event], None], **_: object) -> Any:
        self.runs += 1
        during, self.during = self.during, lambda: None
        during()
        on_event(Event("searching"))
        answer = self.answers.pop(0) if self.answers else self.repair()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def repair(self, stop: Stop = Stop.FIXED) -> ProjectRepair:
        """One change of a.py as it is, or that nothing is red."""
        text = (self.folder / "a.py").read_text(encoding="utf-8")
        red, green = CheckResult(Outcome.FAILED), CheckResult(Outcome.PASSED)
        if text == AFTER:
            return ProjectRepair(str(self.folder), ProjectOutcome.NOTHING_RED, {TEST: green}, {})
        change = FileChange("a.py", text, AFTER, text.encode(), AFTER.encode(), "`1` became `2`")
        outcome = ProjectOutcome.FIXED if stop is Stop.FIXED else ProjectOutcome.NOT_FIXED
        changes = (change,) if stop is Stop.FIXED else ()
        return ProjectRepair(
            str(self.folder), outcome, {TEST: red}, {TEST: green}, changes, diff="+x = 2\n", stop=stop, likelihood=0.9
        )

    def wait(self, root: Path, seen: Stamps) -> Stamps:
        """What `wait_for_change` does, with a user at hand."""
        self.waits.append(file_stamps(root) != seen)
        if not self.waits[-1]:
            if not self.steps:
                raise KeyboardInterrupt
            self.steps.pop(0)()
        return file_stamps(root)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    made = Desk(folder)
    made.edit()
    monkeypatch.setattr("regreen.api.repair_project", made.repaired)
    monkeypatch.setattr("regreen.cli.watch_project.wait_for_change", made.wait)
    monkeypatch.setattr("regreen.cli.watch_project._LOOK_SECONDS", 0.0)
    return made


def test_each_change_is_followed_by_one_block(desk: Desk, regreen: Callable[..., Any]) -> None:
    """A patch that has just been shown is not shown again; Ctrl-C is the end that was asked for."""
    desk.steps = [lambda: desk.edit("x = 1 \n"), lambda: desk.edit(AFTER)]
    ran = regreen("fix", desk.folder, "--watch")
    assert (ran.status, desk.runs) == (130, 3)
    assert ran.out.count("Fixed in a.py") == 2
    assert ran.out.count("+x = 2") == 1
    assert "The same patch as before." in ran.out
    assert "Nothing is red: 1 test run." in ran.out
    assert ran.err.rstrip().endswith("Ended.")


@pytest.mark.parametrize("flags", [("--apply",), ("--out", "fix.patch"), ("--apply", "--out", "fix.patch")])
def test_what_the_command_writes_itself_starts_nothing(
    desk: Desk, regreen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    """It would repair its own repairs without end."""
    monkeypatch.chdir(desk.folder)
    ran = regreen("fix", "--watch", *flags)
    assert (ran.status, desk.runs, desk.waits) == (130, 1, [False])
    assert ("Wrote a.py." in ran.out) is ("--apply" in flags)


def test_a_change_during_a_repair_is_not_lost(desk: Desk, regreen: Callable[..., Any]) -> None:
    """The repair under way is about what the files no longer say: it ends, and begins anew."""
    desk.during = lambda: desk.edit("y = 1\n", "b.py")
    ran = regreen("fix", desk.folder, "--watch", "--apply")
    assert (desk.runs, desk.waits) == (2, [True, False])
    assert "Files have changed meanwhile" in ran.err


def test_what_can_be_mended_by_a_change_is_waited_for(desk: Desk, regreen: Callable[..., Any]) -> None:
    """A file that cannot be read, say; but not at the start, where the command line may be wrong."""
    desk.answers = [desk.repair(), TaskError("there is no test.")]
    desk.steps = [lambda: desk.edit("x = 3\n"), lambda: desk.edit("x = 4\n")]
    ran = regreen("fix", desk.folder, "--watch")
    assert (ran.status, desk.runs) == (130, 3)
    assert "error: there is no test." in ran.err
    desk.answers = [TaskError("there is no test.")]
    assert regreen("fix", desk.folder, "--watch").status == 2


def test_a_machine_that_fails_ends_the_watch(desk: Desk, regreen: Callable[..., Any]) -> None:
    """No change of the project mends it."""
    desk.answers = [desk.repair(), SandboxError("no namespaces.")]
    desk.steps = [lambda: desk.edit("x = 3\n")]
    assert regreen("fix", desk.folder, "--watch").status == 3


def test_ctrl_c_during_a_repair_ends_the_watch(desk: Desk, regreen: Callable[..., Any]) -> None:
    """The repair tells so by its stop."""
    desk.answers = [desk.repair(Stop.INTERRUPTED)]
    ran = regreen("fix", desk.folder, "--watch")
    assert (ran.status, desk.waits) == (130, [])


def test_json_is_one_object_a_line(desk: Desk, regreen: Callable[..., Any]) -> None:
    """For editors."""
    desk.steps = [lambda: desk.edit(AFTER)]
    lines = regreen("fix", desk.folder, "--watch", "--json").out.splitlines()
    assert [json.loads(line)["outcome"] for line in lines] == ["fixed", "nothing_red"]


def test_one_file_is_not_watched(desk: Desk, regreen: Callable[..., Any]) -> None:
    """Its tests may be anywhere."""
    ran = regreen("fix", desk.folder / "a.py", "--watch")
    assert ran.status == 2
    assert "--watch is for the repair of a project" in ran.err
