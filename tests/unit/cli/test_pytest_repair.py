"""`pytest --regreen`: which tests are asked for, what is printed, and that nothing of it ends the run otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regreen import pytest_plugin
from regreen.cli import pytest_repair
from regreen.errors import TaskError
from regreen.types import CheckResult, FileChange, Outcome, ProjectOutcome, ProjectRepair, Stop

BEFORE, AFTER = b"x = 1\n", b"x = 2\n"


@dataclass
class Reporter:
    """pytest's reporter, as far as it is written to."""

    stats: dict[str, list[object]] = field(default_factory=lambda: {"failed": [object()]})
    hasmarkup: bool = False
    text: str = ""

    def section(self, title: str) -> None:
        self.write_line(f"= {title} =")

    def write(self, text: str) -> None:
        self.text += text

    def write_line(self, text: str, **markup: bool) -> None:
        self.text += f"{text}\n"


@pytest.fixture
def repair(tmp_path: Path) -> ProjectRepair:
    (tmp_path / "x.py").write_bytes(BEFORE)
    return ProjectRepair(
        root=str(tmp_path),
        outcome=ProjectOutcome.FIXED,
        before={"test_x.py::test_x": CheckResult(Outcome.FAILED)},
        after={"test_x.py::test_x": CheckResult(Outcome.PASSED)},
        changes=(FileChange("x.py", BEFORE.decode(), AFTER.decode(), BEFORE, AFTER),),
        diff="--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
        stop=Stop.FIXED,
        likelihood=0.9,
    )


def config(folder: Path, *, apply: bool = False, asked: bool = True, **options: Any) -> Any:
    """pytest's configuration, as far as it is read."""
    unset = {"keyword": "", "markexpr": "", "inifilename": None, "override_ini": None, "deselect": None, "plugins": []}
    return SimpleNamespace(
        option=SimpleNamespace(**{**unset, **options}),
        args=["tests/test_x.py::test_x"],
        args_source=pytest.Config.ArgsSource.ARGS,
        invocation_params=SimpleNamespace(dir=folder),
        getoption={"regreen": asked, "regreen_apply": apply}.get,
    )


def ran(monkeypatch: pytest.MonkeyPatch, folder: Path, answer: Any, **options: Any) -> str:
    """What a run prints whose repair comes to `answer`."""

    def project(*given: Any, **more: Any) -> ProjectRepair:
        if isinstance(answer, BaseException):
            raise answer
        found: ProjectRepair = answer
        return found

    monkeypatch.setattr("regreen.api.repair_project", project)
    reporter = Reporter()
    pytest_plugin.pytest_terminal_summary(reporter, config(folder, **options))  # type: ignore[arg-type]
    return reporter.text


def test_a_patch_is_printed_and_not_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repair: ProjectRepair
) -> None:
    """Unless that is asked for."""
    text = ran(monkeypatch, tmp_path, repair)
    assert text.startswith("= regreen =\n")
    assert "+x = 2\n" in text
    assert "--regreen-apply writes it" in text
    assert (tmp_path / "x.py").read_bytes() == BEFORE
    assert "Wrote x.py" in ran(monkeypatch, tmp_path, repair, apply=True)
    assert (tmp_path / "x.py").read_bytes() == AFTER


def test_only_what_is_sure_and_turns_everything_green_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repair: ProjectRepair
) -> None:
    """All else is for a person to decide; nor is a file written over that has changed meanwhile."""
    doubtful, partly = replace(repair, likelihood=0.2), replace(repair, outcome=ProjectOutcome.PARTLY_FIXED)
    assert "more likely wrong than right" in ran(monkeypatch, tmp_path, doubtful, apply=True)
    assert "only what turns every test green" in ran(monkeypatch, tmp_path, partly, apply=True)
    green = replace(repair, outcome=ProjectOutcome.NOTHING_RED, changes=(), diff="")
    assert "passes in the sandbox" in ran(monkeypatch, tmp_path, green, apply=True)
    assert (tmp_path / "x.py").read_bytes() == BEFORE
    (tmp_path / "x.py").write_bytes(b"x = 7\n")
    assert "error: " in ran(monkeypatch, tmp_path, repair, apply=True)
    assert (tmp_path / "x.py").read_bytes() == b"x = 7\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "Interrupted: nothing was written."),
        (TaskError("no \x1b[2Jtests.", remedy="Write some."), "error: no \\x1b[2Jtests. Write some."),
        (ZeroDivisionError("oh"), "a fault of regreen: ZeroDivisionError: oh"),
    ],
)
def test_what_goes_wrong_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException, said: str
) -> None:
    """The run's own results stay."""
    assert said in ran(monkeypatch, tmp_path, error)


def test_nothing_is_done_where_nothing_failed_or_nobody_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, repair: ProjectRepair
) -> None:
    """As ever."""
    assert ran(monkeypatch, tmp_path, repair, asked=False) == ""
    reporter = Reporter(stats={"passed": [object()]})
    pytest_plugin.pytest_terminal_summary(reporter, config(tmp_path))  # type: ignore[arg-type]
    assert reporter.text == ""


def test_the_same_tests_are_chosen_however_they_were_run(tmp_path: Path) -> None:
    """What ends a run early, or spreads it, is left out."""
    given = config(
        tmp_path, keyword="a and b", markexpr="not slow", override_ini=["x=1"], plugins=["no:cov"], maxfail=1
    )
    assert pytest_repair.pytest_selection(given) == (
        *("-k", "a and b", "-m", "not slow", "-o", "x=1", "-p", "no:cov"),
        "tests/test_x.py::test_x",
    )
    given.args_source = pytest.Config.ArgsSource.TESTPATHS
    assert pytest_repair.pytest_selection(given)[-1] == "no:cov"
