"""What the checks say of one candidate, within which limits, and who says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from regreen.types.suite_types import Isolation, Suite


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
    refused: str = ""
    """What of the program this sandbox does not run, so that nothing was decided; empty where it runs all of it."""
    no_wall: str = ""
    """What the sandbox does not promise, as a clause, where it is no wall; empty behind one."""

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
