"""A command line in this process, and a strategy that answers at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from regreen.cli import run
from regreen.config import Settings
from regreen.errors import RegreenError
from regreen.strategies.events import Event
from regreen.types import (
    Alternative,
    Attempt,
    Candidate,
    CheckResult,
    Cost,
    Outcome,
    Question,
    Repair,
    Stop,
    Task,
    Verdict,
)

BUGGY = "def add(a, b):\n    return a - b  # the sum\n"
RIGHT = "def add(a, b):\n    return a + b  # the sum\n"
TESTS = "from adding import add\n\nassert add(1, 2) == 3\nassert add(0, 0) == 0\n"


@dataclass(frozen=True)
class Ran:
    """What a command line left: its exit status and what it printed."""

    status: int
    out: str
    err: str


@pytest.fixture
def regreen(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs one command line, as the `regreen` command does."""

    def call(*args: str | Path) -> Ran:
        status = run([str(arg) for arg in args])
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    return call


@dataclass
class FakeSearch:
    """Stands in for the search: hands over what the test wants, or raises it."""

    stop: Stop = Stop.FIXED
    source: str | None = RIGHT
    raises: BaseException | None = None
    fails: RegreenError | None = None
    """Raised with the repair that it ends."""
    proven: bool | None = None
    """Whether `source` is handed over; by the stop when None."""
    partial: bool = False
    """Whether `source` turns but one of two red checks green, and is not handed over."""
    likelihood: float | None = 0.9
    questions: tuple[Question, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    asked: list[int | None] = field(default_factory=list)
    """What the user answers to the questions; nothing where nobody is asked."""
    cost: Cost = field(default_factory=lambda: Cost(7, 1, 0.5))
    tasks: list[Task] = field(default_factory=list)
    settings: list[Settings] = field(default_factory=list)

    def __call__(
        self,
        task: Task,
        *,
        settings: Settings,
        on_event: Callable[[Event], None],
        ask: Callable[[Question], int | None] | None = None,
    ) -> Repair:
        self.asked += [ask(question) for question in self.questions] if ask else []
        self.tasks.append(task)
        self.settings.append(settings)
        on_event(Event("searching", 7, 1, 2, 0.5))
        if self.raises is not None:
            raise self.raises
        ids = [check.id for check in task.suite.checks]
        passed = Verdict(dict.fromkeys(ids, CheckResult(Outcome.PASSED)))
        red = Verdict({**passed.results, ids[0]: CheckResult(Outcome.FAILED, "3", "-1")})
        if self.partial:
            red, passed = Verdict(dict.fromkeys(ids, red.results[ids[0]])), red
        attempt = Attempt(Candidate(self.source, "search:operator"), passed) if self.source else None
        fixed = self.stop not in (Stop.NOTHING_RED, Stop.INTERRUPTED) if self.proven is None else self.proven
        repair = Repair(
            task.id,
            chosen=attempt if fixed and not self.partial else None,
            before=passed if self.stop is Stop.NOTHING_RED else red,
            attempts=(attempt,) if attempt else (),
            cost=self.cost,
            stop=self.stop,
            best=attempt,
            explanation="`-` became `+`.",
            likelihood=self.likelihood,
            questions=self.questions,
            alternatives=self.alternatives,
        )
        if self.fails is not None:
            self.fails.repair = repair
            raise self.fails
        return repair


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> FakeSearch:
    """The strategy that the commands find in place of the real one."""
    fake = FakeSearch()
    monkeypatch.setattr("regreen.strategies.repair_task", fake)
    return fake


@dataclass(frozen=True)
class Files:
    """A buggy program and its tests."""

    program: Path
    tests: Path


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """A buggy program and its tests, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adding.py").write_text(BUGGY, encoding="utf-8")
    (tmp_path / "tests.py").write_text(TESTS, encoding="utf-8")
    return Files(Path("adding.py"), Path("tests.py"))
