"""The outcome of the repair of a whole project: which files are changed, and what each test says before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from regreen.types.candidate_types import Question
from regreen.types.repair_types import Cost, Stop, Turn
from regreen.types.verdict_types import CheckResult, Outcome


class ProjectOutcome(StrEnum):
    """What a repair of a project came to."""

    NOTHING_RED = "nothing_red"
    """No test that can be relied upon is red."""
    FIXED = "fixed"
    """With the changes, every test that can be relied upon passes."""
    PARTLY_FIXED = "partly_fixed"
    """With the changes, some red tests pass and no green one fails."""
    NOT_FIXED = "not_fixed"
    TESTS_LOOK_WRONG = "tests_look_wrong"
    """Red tests contradict themselves or green ones: no program could pass them all."""
    OUT_OF_REACH = "out_of_reach"
    """Every red test was set aside: none of them depends on the project's own modules."""


class AsideKind(StrEnum):
    """Why tests are set aside: they decide nothing about a repair."""

    FLAKY = "flaky"
    """They pass in one run and fail in another, with nothing changed."""
    ORDER = "order"
    """They fail after other tests, and pass by themselves."""
    COLLECTION = "collection"
    """Their file cannot be loaded, for a reason that lies in no module of the project."""
    MODULE = "module"
    """A package is not installed."""
    FIXTURE = "fixture"
    """No plugin and no conftest.py defines a fixture of that name."""
    NETWORK = "network"
    """They ask for the network, which the sandbox refuses."""
    PROCESSES = "processes"
    """They start processes, which the sandbox refuses unless it is told to allow them."""
    OUTSIDE = "outside"
    """They need a file or a variable that is not shown to the sandbox."""
    CONTRADICTION = "contradiction"
    """They look wrong: other tests, or they themselves, say the opposite."""


@dataclass(frozen=True, slots=True)
class TestsAside:
    """Tests that were set aside for one reason."""

    __test__ = False

    kind: AsideKind
    tests: tuple[str, ...]
    """Ids as pytest writes them, seen from the project's top folder."""
    reason: str
    """A clause, e.g. "there is no module yaml for /usr/bin/python3"."""
    remedy: str
    """What to do about it, in sentences; may be empty."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One changed file."""

    path: str
    """Below the project's top folder."""
    before: str
    """Its text, with "\\n" line ends."""
    after: str
    before_bytes: bytes
    """Its content as it was read: a file that holds anything else by now is not to be written."""
    after_bytes: bytes
    """Its new content, encoded and with line ends as before."""
    note: str = ""
    """The change in words, e.g. "`<` became `<=`"."""
    is_allowed: bool = False
    """Whether it is a test, configuration or the like, which is only changed because the user has allowed it."""

    @property
    def first_line(self) -> int:
        """The line of the first difference, from 1."""
        pairs = zip(self.before.split("\n"), self.after.split("\n"), strict=False)
        return next((number for number, (old, new) in enumerate(pairs, 1) if old != new), 1)


@dataclass(frozen=True, slots=True)
class ProjectAlternative:
    """Other changes of a project with which every reliable test passes as well, and which do something else."""

    changes: tuple[FileChange, ...]
    diff: str
    """All of them as one patch."""
    likelihood: float
    """That they are right, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class SuspectFunction:
    """A function that may hold the fault."""

    path: str
    """Of its file, below the project's top folder."""
    name: str
    """As Python qualifies it, e.g. "Cart.total"; "<module>" for statements outside of functions."""
    line: int
    suspicion: float
    """In [0, 1]."""
    reason: str = ""
    """The evidence in words."""


@dataclass(frozen=True, slots=True)
class ProjectAttempt:
    """Changes that were judged while a model was asked."""

    candidate_id: str
    origin: str
    """Who made them, as "model:NODE" or "search:project"."""
    diff: str
    tests_passed: int
    tests_total: int
    """Tests that had to pass and were run: the red ones, and those that the changes break."""
    passed: bool
    """Whether the whole suite proves them."""
    broken: tuple[str, ...] = ()
    """Green tests that fail with them."""
    turn: int | None = None
    """`number` of the `Turn` that they came from; None for those of a search."""


@dataclass(frozen=True, slots=True)
class ProjectRepair:
    """The outcome of the repair of a whole project."""

    root: str
    """Absolute path of the project's top folder."""
    outcome: ProjectOutcome
    before: Mapping[str, CheckResult]
    """Result of every test by its id, as pytest writes it, before anything is changed."""
    after: Mapping[str, CheckResult]
    """The same with the changes, from one run of the whole suite; empty where nothing is changed."""
    changes: tuple[FileChange, ...] = ()
    diff: str = ""
    """All changes as one patch that `git apply` takes in the project's top folder; empty where there is none."""
    explanation: str = ""
    """From the failing test to the line to the cause, in sentences."""
    aside: tuple[TestsAside, ...] = ()
    """Tests that decide nothing, with the reason and the remedy."""
    suspects: tuple[SuspectFunction, ...] = ()
    """The most suspicious first."""
    cost: Cost = field(default_factory=Cost)
    stop: Stop = Stop.EXHAUSTED
    likelihood: float | None = None
    """How likely the changes are to be right, in [0, 1]: all of them together; None where there are none, or a model
    wrote them."""
    alternatives: tuple[ProjectAlternative, ...] = ()
    """What passes as well, the likeliest first; as many as were asked for, and proven by the whole suite."""
    questions: tuple[Question, ...] = ()
    """Where likely changes of the repaired module differ: a test for the right answer decides."""
    strategy: str = "search"
    model: str | None = None
    """The model that was asked, as it was named; None for none."""
    turns: tuple[Turn, ...] = ()
    """Requests to the model, in order."""
    attempts: tuple[ProjectAttempt, ...] = ()
    """Changes that were judged while a model was asked, in order."""

    @property
    def fixed(self) -> bool:
        """Whether there are changes with which every reliable test passes."""
        return self.outcome is ProjectOutcome.FIXED

    @property
    def is_doubtful(self) -> bool:
        """Whether the changes are more likely wrong than right."""
        return self.likelihood is not None and self.likelihood < 0.5

    @property
    def red(self) -> tuple[str, ...]:
        """Ids of the reliable tests that failed before anything was changed."""
        aside = {test for each in self.aside for test in each.tests}
        red = (test for test, result in self.before.items() if not _is_settled(result))
        return tuple(test for test in red if test not in aside)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Ids of the tests that stay red for a reason outside of the project's modules, flaky ones not counted."""
        unsteady = (AsideKind.FLAKY, AsideKind.ORDER)
        return tuple(test for each in self.aside if each.kind not in unsteady for test in each.tests)

    @property
    def turned_green(self) -> tuple[str, ...]:
        """Ids of the tests that failed before and pass with the changes."""
        return tuple(t for t in self.before if t in self.after and self._turned(t))

    def _turned(self, test: str) -> bool:
        return self.before[test].outcome is not Outcome.PASSED and self.after[test].outcome is Outcome.PASSED


def _is_settled(result: CheckResult) -> bool:
    """Whether a test passed, or skipped itself."""
    return result.outcome is Outcome.PASSED or (
        result.outcome is Outcome.UNJUDGEABLE and result.detail.startswith("skipped")
    )
