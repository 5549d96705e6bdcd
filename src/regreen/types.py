"""The values that all parts of the package share, and the protocol of a judge.

A `Task` is a program with the `Suite` of checks that it should pass. A `Candidate` is one proposed program; a `Judge`
runs checks against it and gives a `Verdict`, one `CheckResult` a check. A `Repair` is the outcome of a strategy on a
task, within a `Budget` and at a `Cost`. All values are frozen: built once, passed along, never edited.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Outcome(StrEnum):
    """How one check of one candidate ended. A fault of the sandbox or a service is an exception, never an outcome."""

    PASSED = "passed"
    FAILED = "failed"
    """The check came to a decision: the candidate's answer is wrong."""
    RAISED = "raised"
    """The candidate raised, or the check did with what the candidate had returned."""
    TIMED_OUT = "timed_out"
    """The check, or all checks together, reached the limit of time."""
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_FLOOD = "output_flood"
    """The candidate printed more than `Limits.output_bytes`."""
    CRASHED = "crashed"
    """The candidate's process ended before it answered: by a signal, or by its own exit."""
    UNJUDGEABLE = "unjudgeable"
    """The check decided nothing: it skipped itself, or needed a live object of the other process."""


class Isolation(StrEnum):
    """Which process runs the checks."""

    SEPARATE = "separate"
    """Another one than the candidate's: only plain data crosses between the two."""
    SHARED = "shared"
    """The candidate's own, for checks that need its live objects."""


class SuiteKind(StrEnum):
    """How a suite is run."""

    SCRIPT = "script"
    """Its steps one after the other in one namespace: assert scripts, `check(candidate)`, doctests, I/O cases."""
    MODULE = "module"
    """A test module whose `def test_*` functions and unittest methods are called one by one."""
    PYTEST = "pytest"
    """A test module that needs pytest's own runner (fixtures, parametrize, raises, approx)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One expected behaviour of a program: one assert, I/O pair, doctest example or test function."""

    id: str
    code: str
    """The check's own text, quoted in messages and read by the search and the negative controls."""
    line: int = 0
    """First line of the check in the test text, from 1; 0 when unknown."""


JSON_VIEW = "_json_view"
"""What the code of `.jsonl` cases calls for a result as JSON would carry it; the runner of the checks defines it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One statement (or doctest example) of a SCRIPT suite."""

    code: str
    check: str | None = None
    """Id of the check that this step decides; None for preparation."""
    line: int = 1
    """Line of the step's first statement in the suite's text, from 1."""
    want: str | None = None
    """Expected output of a doctest example; None for plain statements."""
    flags: int = 0
    """Option flags of a doctest example, as in `doctest`."""
    scope: str = ""
    """The docstring that an example stands in: each has names of its own; empty for plain statements."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The names of the program that the checks use; the judge's process has stand-ins for them in separate mode."""

    functions: tuple[str, ...] = ()
    """Names of functions that are called in the candidate's process."""
    coroutines: tuple[str, ...] = ()
    """Names of `async def` functions, which the checks await."""
    constants: tuple[str, ...] = ()
    """Names of module-level variables whose plain value is copied from the candidate's process."""
    exceptions: tuple[tuple[str, str], ...] = ()
    """(name, name of the base) of exception classes of the program, which are defined on the judge's side as well."""
    imports: tuple[str, ...] = ()
    """Import statements of the program that the checks rely on, run on the judge's side as well."""
    live: tuple[str, ...] = ()
    """Names of the program that the checks use, where stand-ins for its live objects could serve them."""
    by_handles: bool = False
    """Whether stand-ins for live objects do serve them: then no name is of use but those of `live` and `imports`."""


@dataclass(frozen=True, repr=False)
class Project:
    """The part of the user's project that pytest is shown, a copy of its files, and how pytest is run in it."""

    root: str
    """Absolute path of the top folder on the user's machine; nothing is read from there any more."""
    files: Mapping[str, bytes]
    """Path below the root -> content, in order; the path of an empty folder ends in "/". The program is left out."""
    target: str
    """Path below the root of the program under repair: each candidate's text is put there."""
    encoding: str = "utf-8"
    """Encoding of the program's file."""
    folder: str = "."
    """Path below the root of the working folder."""
    arguments: tuple[str, ...] = ()
    """Command line of pytest, its paths as seen from the working folder."""
    import_folders: tuple[str, ...] = ()
    """Folders below the root that imports are looked up in after all others."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that the tests may see."""
    short_ids: bool = False
    """Whether ids of checks leave out the file, since all are in one."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Path below the root -> why it is not shown, e.g. "larger than 1 MiB"; for the user alone."""
    withheld: frozenset[str] = frozenset()
    """Names of the variables that the user has and the tests may not see; for the user alone."""

    @functools.cached_property
    def archive(self) -> bytes:
        """All files in one piece: the length of an index (8 bytes, little-endian), the index, [[path, bytes], ...] as
        JSON, and the contents one after the other."""
        index = json.dumps([[path, len(content)] for path, content in self.files.items()]).encode("ascii")
        return b"".join([len(index).to_bytes(8, "little"), index, *self.files.values()])

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of all that a run depends on, in hexadecimal."""
        where = (self.root, self.target, self.encoding, self.folder, self.arguments, self.import_folders)
        settings = repr((where, sorted(self.environment.items()), self.short_ids))
        return hashlib.sha256(settings.encode("utf-8", "surrogatepass") + self.archive).hexdigest()

    def __repr__(self) -> str:
        return f"Project({self.digest})"


@dataclass(frozen=True)
class Suite:
    """Checks that run together, in one order, against one program at a time."""

    kind: SuiteKind
    source: str
    """The test text as it was given; MODULE and PYTEST suites are run from it."""
    checks: tuple[Check, ...]
    """In the order in which they run; empty for a PYTEST suite that has not been collected in the sandbox yet."""
    steps: tuple[Step, ...] = ()
    """The statements of a SCRIPT suite; empty for other kinds."""
    module: str | None = None
    """Name under which the tests import the program; None when they use its names without an import."""
    origin: str = "<tests>"
    """Name of the test file, for messages."""
    isolation: Isolation = Isolation.SEPARATE
    reason: str = ""
    """Why the checks need more than calls and plain data, in words; empty where they do not."""
    surface: Surface = Surface()
    project: Project | None = None
    """The project that a PYTEST suite is run in; None where the suite's own text is all there is."""
    one_namespace: bool = True
    """Whether the checks see the program's names without an import, as if they had been written below it."""

    def __len__(self) -> int:
        return len(self.checks)

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the whole content, in hexadecimal: the same for equal suites, in every process."""
        return hashlib.sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Task:
    """One repair problem, as far as a strategy may see it."""

    id: str
    """E.g. "humanevalfix/Python/0", "bundled/median" or a file name."""
    source: str
    """Text of the whole buggy module, with "\\n" line ends."""
    entry_point: str | None
    """Name of the function to repair; None when the fault may be anywhere in the module."""
    suite: Suite
    """The visible checks."""
    statement: str = ""
    """The specification in words; empty when there is none."""
    module: str = "program"
    """Name under which the program is imported."""
    companions: Mapping[str, str] = field(default_factory=dict)
    """Other modules that the program imports: relative path -> text."""
    known_wrong: bool = False
    """Whether the program is wrong even where no visible check shows it, as a benchmark's is."""


@dataclass(frozen=True, slots=True)
class Case:
    """A task with its answers. Only `tasks` builds cases and only `evaluate` reads their answers."""

    task: Task
    hidden: Suite
    """The checks that decide whether a repair counts as fixed."""
    reference: str
    """A correct program; empty when none is known."""
    extra: Suite | None = None
    """Further checks, never shown, that decide whether a fixed program counts as robust."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the data set says of the case, e.g. {"bug_type": "operator misuse"}."""


@dataclass(frozen=True, slots=True)
class Site:
    """Lines that may hold the fault."""

    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    suspicion: float
    """In [0, 1]."""
    reason: str = ""
    """The evidence against these lines, in words."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a source text: `text` for `source[start:end]`, in characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed text for the whole buggy module."""

    source: str
    origin: str
    """Its proposer, as "room:detail", e.g. "search:comparison"; templates used together are joined by "+"."""
    parent: str | None = None
    """`id` of the candidate that was changed; None when it was written from the task alone."""
    note: str = ""
    """The change in words, e.g. "`<` became `<=`"."""

    @property
    def id(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of its text: equal texts are one candidate."""
        return hashlib.sha256(self.source.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def is_searched(self) -> bool:
        """Whether templates made it from its parent, which may itself come from a model."""
        return self.origin.startswith("search:")

    @property
    def changes(self) -> int:
        """Number of template changes that it combines; 1 for a program that was written as a whole."""
        return self.origin.count("+") + 1 if self.is_searched else 1


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check, and the evidence as text, which must be escaped before it is shown."""

    outcome: Outcome
    expected: str = ""
    """`repr` of the expected value of a failed comparison; empty when there is none."""
    actual: str = ""
    """`repr` of the program's value in a failed comparison; empty when there is none."""
    detail: str = ""
    """The reason in words, e.g. "ValueError: negative input (line 7)"."""
    test_line: int | None = None
    """Line of the suite's text at which it ended, from 1; None when it passed, or the line is unknown."""
    seconds: float = 0.0
    """Wall time of the check."""
    cpu_seconds: float = 0.0
    """CPU time of the program's process during the check, without that of a separate judge's process."""
    unproven: str = ""
    """Why a check that passed rests on the program's word, e.g. that two of its objects are equal; usually empty."""


NO_EXAMPLES: Mapping[str, tuple[str, ...]] = {}
"""What a suite without property tests fails on."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The results of a suite on one candidate."""

    results: Mapping[str, CheckResult]
    """Check id -> result, in the order of the suite."""
    isolation: Isolation = Isolation.SEPARATE
    seconds: float = 0.0
    """Wall time of the whole judgement, the start of processes included."""
    stdout: str = ""
    """Output of the program and of the checks, cut to length."""
    stderr: str = ""
    """Standard error of the program's process, e.g. the interpreter's words when it crashed."""
    exit_code: int | None = None
    """Exit status of the program's process when it ended by itself, negative for a signal; None when it was ended."""
    detail: str = ""
    """A finding about the candidate as a whole, e.g. tampering with the checks; usually empty."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Failing examples of property tests, by test, as Hypothesis writes them, in hexadecimal: the sandbox's word."""

    @property
    def passed(self) -> bool:
        """Whether all checks passed; False where there is none."""
        return bool(self.results) and all(r.outcome is Outcome.PASSED for r in self.results.values())

    @property
    def unproven(self) -> tuple[str, ...]:
        """Ids of the checks that passed on the program's word."""
        return tuple(check for check, result in self.results.items() if result.unproven)

    @property
    def checks_passed(self) -> int:
        """Number of checks that passed."""
        return sum(r.outcome is Outcome.PASSED for r in self.results.values())

    @property
    def green(self) -> frozenset[str]:
        """Ids of the checks that passed."""
        return frozenset(check for check, result in self.results.items() if result.outcome is Outcome.PASSED)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A judged candidate."""

    candidate: Candidate
    verdict: Verdict
    turn: int | None = None
    """`number` of the `Turn` that it came from; None when no model wrote it."""


TOO_LONG = "context"
"""The fault of a request that does not fit into the model's context."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to a model and its reply."""

    number: int
    """Position within its repair, from 0."""
    node: str
    """Node of the strategy's graph that sent the request."""
    iteration: int
    """Round of improvement, from 1; 0 for the draft."""
    temperature: float
    prompt: str
    """The messages that were sent, as one text."""
    reply: str
    reasoning: str = ""
    """The model's reasoning, where the service returns it apart from the reply."""
    candidate_id: str | None = None
    """`id` of the candidate that the reply held; None when it held none."""
    fault: str = ""
    """Kind of the reason why the reply held no usable candidate; empty when it held one."""
    fault_detail: str = ""
    """That reason in words, as the model is told it."""
    finish: str = ""
    """Why the reply ended, as the services name it: "stop", "length" for one that was cut off, and so on."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    usd: float | None = None
    """Price of the request; None when the model's price is unknown."""
    seconds: float = 0.0
    ended: str = ""
    """What ended the reply before the model did: "stop", "code" (the answering block was over), "loop" or "prose"."""

    @property
    def was_refused(self) -> bool:
        """Whether the request did not fit into the model's context, so that there was no reply."""
        return self.fault == TOO_LONG


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that one candidate may use while it is judged."""

    seconds: float = 2.0
    """CPU seconds a check; wall time is limited to a multiple of it."""
    total_seconds: float = 30.0
    """Wall seconds for all checks together."""
    memory_bytes: int = 1 << 30
    output_bytes: int = 8 << 20
    processes: bool = False
    """Whether the program may start further processes."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The effort that a strategy may spend on one task."""

    candidates: int = 50_000
    """Candidates run, whether screened or judged."""
    seconds: float = 60.0
    """Wall time of searching and judging: none of it passes while a model is asked."""
    iterations: int = 5
    """Requests to a model for an improvement of its draft; 0 means the draft alone."""
    model_seconds: float | None = None
    """Wall time of asking a model, without waits for a busy service; None for no limit."""


STAGES = ("localise", "propose", "execute", "reflect", "select")
"""The stages of a repair by which seconds are counted; "reflect" is the model's share."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The effort that was spent on one task."""

    candidates: int = 0
    """Candidates run, whether screened or judged."""
    duplicates: int = 0
    """Candidates dropped because an equal one had been run before."""
    seconds: float = 0.0
    """Wall time, that of waiting left out."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage, one of `STAGES`."""
    model_calls: int = 0
    usd: float | None = 0.0
    """Price of all requests; None when one of them went to a model whose price is unknown."""
    waited: float = 0.0
    """Seconds lost to a busy service or to the wait for a core."""


class Stop(StrEnum):
    """Why a strategy ended."""

    NOTHING_RED = "nothing_red"
    """No check failed before anything was changed."""
    FIXED = "fixed"
    """A candidate passes all visible checks."""
    CANDIDATES = "candidates"
    """The budget of candidates is spent."""
    SECONDS = "seconds"
    """The budget of time is spent."""
    EXHAUSTED = "exhausted"
    """No untried candidate is left."""
    ITERATIONS = "iterations"
    """The budget of iterations is spent."""
    ANSWERED = "answered"
    """The model has replied, and no check may be run to decide whether the reply is right."""
    TOKENS = "tokens"
    """The limit of tokens for the whole run is reached."""
    MONEY = "money"
    """The limit of money for the whole run is reached."""
    MODEL_SECONDS = "model_seconds"
    """The time that a model may take is spent."""
    CONTEXT = "context"
    """The prompt does not fit into the model's context, whatever is left out of it."""
    INTERRUPTED = "interrupted"
    """Ctrl-C."""
    ERROR = "error"
    """The sandbox or the model failed."""


class ObstacleKind(StrEnum):
    """What keeps a check red whatever the program says."""

    MODULE = "module"
    """A module is not installed."""
    FIXTURE = "fixture"
    """pytest knows no fixture of that name."""
    ASYNC = "async"
    """An `async def` test without a plugin that awaits it."""
    FILE = "file"
    """A file is not there in the sandbox."""
    VARIABLE = "variable"
    """A variable of the environment is not set in the sandbox."""
    NETWORK = "network"
    """The sandbox refuses the network."""
    PROCESSES = "processes"
    """The sandbox refuses further processes."""
    TESTS = "tests"
    """The test file itself does not load."""
    OTHER_FILE = "other_file"
    """Another file of the project raises."""
    UNREACHED = "unreached"
    """The check fails before it uses the program."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One cause of red checks that lies outside the program under repair."""

    kind: ObstacleKind
    checks: tuple[str, ...]
    """Ids of the checks that it keeps red."""
    subject: str
    """What is missing, refused or broken, e.g. the module's name or "helpers.py, line 12"."""
    cause: str
    """The cause as a clause, e.g. "there is no module yaml for /usr/bin/python3"."""
    remedy: str
    """What to do about it, in sentences."""
    certain: bool = True
    """Whether no change of the program can turn these checks green; if not, they are repaired like all others."""

    @property
    def is_refusal(self) -> bool:
        """Whether the sandbox itself is the cause."""
        return self.kind in (ObstacleKind.NETWORK, ObstacleKind.PROCESSES)


Answers = tuple[str, ...]
"""What one program answered to each question: a value's `repr`, "raises NAME" or "hangs"."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another program that passes, and that does otherwise on some input."""

    candidate: Candidate
    likelihood: float
    """How likely it is to be right, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """What some of the programs that pass answer to a question."""

    value: str
    """The value's `repr`, "raises NAME" or "hangs"."""
    check: str
    """The statements that claim this answer, to be added to the tests."""
    likelihood: float
    """The share of the programs that give it, each by how likely it is, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Question:
    """An input on which programs that pass do not agree, and that no check has."""

    input: str
    """The expression that is looked at, after the statements that it needs, on one line."""
    answers: tuple[PossibleAnswer, ...]
    """The likeliest first; at least two."""
    answered: int | None = None
    """The place in `answers` of the one that the user chose; None where nobody was asked, or none of them is right."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The outcome of a strategy on a task."""

    task_id: str
    chosen: Attempt | None
    """The repair that is handed to the user; None when no candidate may be, which is a result and not an error."""
    before: Verdict
    """The verdict on the buggy program."""
    attempts: tuple[Attempt, ...]
    """Judged candidates in order; those that were only screened are counted in `cost`."""
    cost: Cost
    stop: Stop
    sites: tuple[Site, ...] = ()
    """Suspected lines, most suspicious first."""
    best: Attempt | None = None
    """The attempt that passes the most checks, when none passes all."""
    flaky: tuple[str, ...] = ()
    """Ids of checks that were set aside because repeated runs disagree."""
    obstacles: tuple[Obstacle, ...] = ()
    """Causes of red checks outside the program; the checks of those that are certain were set aside."""
    explanation: str = ""
    """What was changed and why, in words."""
    turns: tuple[Turn, ...] = ()
    """Requests to models, in order."""
    likelihood: float | None = None
    """How likely `chosen` is to be right, in [0, 1]; None where it is not a search's choice, and nobody can tell."""
    alternatives: tuple[Alternative, ...] = ()
    """Programs that pass and do otherwise than `chosen`, the likeliest first; as many as were asked for."""
    questions: tuple[Question, ...] = ()
    """Where likely behaviours differ, the most telling first: their answers decide which repair is right."""

    @property
    def is_doubtful(self) -> bool:
        """Whether the repair is more likely wrong than right."""
        return self.likelihood is not None and self.likelihood < 0.5

    @property
    def fixed(self) -> bool:
        """Whether there is a repair to hand to the user."""
        return self.chosen is not None

    @property
    def partial(self) -> Attempt | None:
        """The best attempt, where there is no repair and it turns red checks green and none red; else None."""
        if self.best is None or self.chosen is not None:
            return None
        is_better = self.before.green < self.best.verdict.green
        return self.best if is_better else None

    @property
    def set_aside(self) -> tuple[Obstacle, ...]:
        """The obstacles whose checks stay red whatever the program says: a repair leaves these checks undecided."""
        return tuple(obstacle for obstacle in self.obstacles if obstacle.certain)


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How one judgement is run."""

    fail_fast: bool = False
    """Stop at the first check that does not pass; checks after it have no result."""
    shorten_after_timeout: bool = False
    """Once a check has timed out, give those after it a fraction of their time: the program is known to be wrong."""
    seed: int = 0
    """The random numbers of the program and of the checks start from it."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`Verdict.examples` of the program as it is: property tests try them first."""


class ProgramScorer(Protocol):
    """Anything that can say how probable programs are, as text."""

    def log_probabilities(self, programs: Sequence[str]) -> Sequence[float]:
        """Nats of each program, up to a summand that is the same for all: only the differences count.

        Raises ModelError when a model behind it gives no answer.
        """
        ...


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
