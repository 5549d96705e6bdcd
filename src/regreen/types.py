"""The nouns that every room shares: frozen values, built once, passed along, never edited."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Outcome(StrEnum):
    """What one check says of one candidate. A fault of ours is an exception, never an outcome."""

    PASSED = "passed"
    FAILED = "failed"
    """The check ran to its end and the candidate's answer was wrong."""
    RAISED = "raised"
    """The candidate raised (or the check did, on what the candidate returned)."""
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_FLOOD = "output_flood"
    CRASHED = "crashed"
    """The candidate's process ended before it answered: a signal, or an exit of its own."""
    UNJUDGEABLE = "unjudgeable"
    """The check decided nothing: it skipped itself, or handed a live object across the wall."""


class Isolation(StrEnum):
    """Where checks run: behind the wall, or in the candidate's own process."""

    SEPARATE = "separate"
    SHARED = "shared"


class SuiteKind(StrEnum):
    """How the text of a suite is run."""

    SCRIPT = "script"
    """`steps`, one after the other in one namespace (assert scripts, check(candidate), doctests, I/O cases)."""
    MODULE = "module"
    """A test module whose `def test_*` functions and unittest methods are called one by one."""
    PYTEST = "pytest"
    """A test module that needs pytest's own runner (fixtures, parametrize, raises, approx)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One expected behaviour, so that fitness can be counted."""

    id: str
    code: str
    """The check's own text: what messages quote, and what the search and the negative controls read."""
    line: int = 0
    """First line in the test text, from 1; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Step:
    """One statement (or doctest example) of a SCRIPT suite."""

    code: str
    check: str | None = None
    """The id of the check that this step decides; None for preparation."""
    line: int = 1
    """Line of the step's first statement in the suite's text, from 1."""
    want: str | None = None
    """A doctest's expected output; None for plain statements."""
    flags: int = 0
    """A doctest's option flags."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the checks touch of the program, and so what must stand in for it behind the wall."""

    functions: tuple[str, ...] = ()
    coroutines: tuple[str, ...] = ()
    """Names of `async def` functions."""
    constants: tuple[str, ...] = ()
    """Module-level variables whose plain value is fetched from the candidate."""
    exceptions: tuple[tuple[str, str], ...] = ()
    """(name, name of its base): exception classes of the program, mirrored on the judge's side."""
    imports: tuple[str, ...] = ()
    """Import statements of the program that the checks rely on, run on the judge's own side."""


@dataclass(frozen=True)
class Suite:
    """Checks that run together, in order."""

    kind: SuiteKind
    source: str
    """The test text as it was given (for messages and for MODULE and PYTEST suites, what is run)."""
    checks: tuple[Check, ...]
    """In the order in which they run. Empty for a PYTEST suite until the sandbox has collected it."""
    steps: tuple[Step, ...] = ()
    """SCRIPT only."""
    module: str | None = None
    """The module name under which the tests import the program; None when they stand alone."""
    origin: str = "<tests>"
    """File name shown in messages."""
    isolation: Isolation = Isolation.SEPARATE
    reason: str = ""
    """Why the suite is shared; empty when it is separate."""
    surface: Surface = Surface()

    def __len__(self) -> int:
        return len(self.checks)

    @functools.cached_property
    def digest(self) -> str:
        """A hash of the whole content: equal suites have the same one, in every process."""
        return hashlib.sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Task:
    """All that a strategy may see of one repair problem."""

    id: str
    """e.g. "humanevalfix/Python/0", "bundled/median" or a file name."""
    source: str
    """The whole buggy module, with "\\n" line ends."""
    entry_point: str | None
    """The function to repair; None when the whole module is in question."""
    suite: Suite
    """The visible checks."""
    statement: str = ""
    """What the program should do, in words."""
    module: str = "program"
    """The name under which the program is imported."""
    companions: Mapping[str, str] = field(default_factory=dict)
    """Other modules of the user's that the program imports: relative path -> text."""


@dataclass(frozen=True, slots=True)
class Case:
    """A task with its answers: only `tasks` builds it, only `evaluate` opens it."""

    task: Task
    hidden: Suite
    reference: str
    extra: Suite | None = None
    """Checks kept apart that decide `robust`."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """e.g. {"bug_type": "operator misuse"}"""


@dataclass(frozen=True, slots=True)
class Site:
    """Lines to suspect: from 1, inclusive; suspicion in [0, 1]."""

    first_line: int
    last_line: int
    suspicion: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `source[start:end]` (character offsets) by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed text for the whole buggy module."""

    source: str
    origin: str
    """Who proposed it, as "room:detail", e.g. "search:comparison"."""
    parent: str | None = None
    """`id` of the candidate it came from; None for a first guess."""
    note: str = ""
    """What was changed, in words, e.g. "`<` became `<=`"."""

    @property
    def id(self) -> str:
        return hashlib.sha256(self.source.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def is_searched(self) -> bool:
        """Whether templates made it of its parent, which a model may have written."""
        return self.origin.startswith("search:")

    @property
    def changes(self) -> int:
        """How many changes templates put together for it; 1 for what was written as a whole."""
        return self.origin.count("+") + 1 if self.is_searched else 1


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check said: its outcome and the evidence, as text that is safe to show after escaping."""

    outcome: Outcome
    expected: str = ""
    actual: str = ""
    detail: str = ""
    """E.g. "ValueError: negative input (line 7)"."""
    seconds: float = 0.0
    """Wall time."""
    cpu_seconds: float = 0.0
    """CPU time of the process that held the program; what a judge apart from it took to compare is not in it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks say of one candidate. No checks at all means *not* passed."""

    results: Mapping[str, CheckResult]
    isolation: Isolation = Isolation.SEPARATE
    seconds: float = 0.0
    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None
    """Of the program's process where it ended by itself, minus the number of a signal; None when we ended it."""
    detail: str = ""
    """Anything that concerns the candidate as a whole, e.g. a syntax error or a tampering that was found."""

    @property
    def passed(self) -> bool:
        return bool(self.results) and all(r.outcome is Outcome.PASSED for r in self.results.values())

    @property
    def checks_passed(self) -> int:
        return sum(r.outcome is Outcome.PASSED for r in self.results.values())


@dataclass(frozen=True, slots=True)
class Attempt:
    """One line of history."""

    candidate: Candidate
    verdict: Verdict
    turn: int | None = None
    """The number of the turn that it came from; None where no model was asked for it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to a model and what came of it."""

    number: int
    """Within its repair, from 0."""
    node: str
    iteration: int
    """0 for the draft."""
    temperature: float
    prompt: str
    """The messages as text."""
    reply: str
    reasoning: str = ""
    candidate_id: str | None = None
    """What was taken from the reply; None when nothing could be, or nothing was asked for."""
    fault: str = ""
    """Why no candidate could be taken from the reply; empty when one was."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    usd: float | None = None
    """None where no price is known."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one candidate may use."""

    seconds: float = 2.0
    """CPU seconds a check; wall time is capped at a multiple of it."""
    total_seconds: float = 30.0
    """Wall seconds for all checks of one candidate."""
    memory_bytes: int = 1 << 30
    output_bytes: int = 1 << 20
    processes: bool = False
    """Whether the program may start processes of its own."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a strategy may spend on one task."""

    candidates: int = 50_000
    seconds: float = 60.0
    """Wall time; waiting for a service that is busy is not counted."""
    iterations: int = 5
    """Times that a model is asked to do better after its draft; 0 means the draft alone."""


STAGES = ("localise", "propose", "execute", "reflect", "select")
"""The stages of a repair by which seconds are counted; "reflect" is the model's share."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What was spent; costs add up."""

    candidates: int = 0
    """Candidates that were run, screened or judged."""
    duplicates: int = 0
    """Candidates dropped because an equal one had been run."""
    seconds: float = 0.0
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, one of `STAGES`."""
    model_calls: int = 0
    usd: float | None = 0.0
    """None where a model was asked whose price is not known."""


class Stop(StrEnum):
    """Why a strategy ended."""

    NOTHING_RED = "nothing_red"
    FIXED = "fixed"
    CANDIDATES = "candidates"
    """The budget of candidates is spent."""
    SECONDS = "seconds"
    """The time is spent."""
    EXHAUSTED = "exhausted"
    """There was nothing more to try."""
    ITERATIONS = "iterations"
    """The model was asked as often as it may be."""
    ANSWERED = "answered"
    """The one reply that was asked for is there; whether it is right is for others to say."""
    TOKENS = "tokens"
    """The run's tokens are spent."""
    MONEY = "money"
    """The run's money is spent."""
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Repair:
    """The outcome of a strategy on a task."""

    task_id: str
    chosen: Attempt | None
    """The hand-over; None is a result, not an error."""
    before: Verdict
    """What the checks said of the buggy program."""
    attempts: tuple[Attempt, ...]
    """Judged candidates, in order (screened ones are only counted)."""
    cost: Cost
    stop: Stop
    sites: tuple[Site, ...] = ()
    best: Attempt | None = None
    """The best partial result when nothing passes."""
    flaky: tuple[str, ...] = ()
    """Ids of checks that were set aside because they disagree with themselves."""
    explanation: str = ""
    turns: tuple[Turn, ...] = ()
    """Requests to models, in order."""

    @property
    def fixed(self) -> bool:
        return self.chosen is not None


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How one judgement is run."""

    fail_fast: bool = False
    """Stop at the first check that does not pass; checks after it have no result."""
    shorten_after_timeout: bool = False
    """Once a check has timed out, give those after it a fraction of their time: the program is known to be wrong."""
    seed: int = 0
    """The random numbers of the program and of the checks start from it."""


class Judge(Protocol):
    """Anything that can run the checks of a suite against a program."""

    def judge(
        self,
        source: str,
        suite: Suite,
        limits: Limits,
        *,
        companions: Mapping[str, str] | None = None,
        options: JudgeOptions = JudgeOptions(),
    ) -> Verdict:
        """Run the checks of the suite against `source`.

        `companions` are other modules that the program imports: relative path -> text.
        Raises SandboxError when the sandbox fails, which says nothing about the program, and TaskError when the
        checks cannot be run at all.
        """
        ...
