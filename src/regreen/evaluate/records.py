"""The schema of one line of results.jsonl, and the configuration of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from regreen.types import Isolation, ObstacleKind, Outcome, Stop

RESULT_SCHEMA = 1
"""Version of the lines of results.jsonl and of run.json."""

SampleKey = tuple[str, int]
"""Task id and number of the sample: no two lines of a run share it."""


class Feedback(StrEnum):
    """Feedback protocol: what a strategy may learn from checks. Rates under different protocols are not comparable."""

    NONE = "none"
    """No check may be run: one shot."""
    EXAMPLES = "examples"
    """The visible checks may be run; the hidden ones decide at the end."""
    ALL = "all"
    """The hidden checks are shown and may be run."""


class Result(StrEnum):
    """How one sample of one case ended."""

    FIXED = "fixed"
    """The patch passes the hidden checks, and the extra ones where there are any."""
    OVERFITTED = "overfitted"
    """The patch passes the hidden checks and fails an extra one."""
    UNFIXED = "unfixed"
    """No patch, or one that fails a hidden check."""
    ERROR = "error"
    """A fault of the machine or a service: it says nothing about the strategy, and is tried again on resuming."""


class RepairOrigin(StrEnum):
    """To whom a program that is handed over is owed."""

    SEARCH = "search"
    """Templates alone made it of the program as it was."""
    MODEL = "model"
    """A model wrote it."""
    AROUND = "around_model"
    """Templates made it of a model's candidate."""


@dataclass(frozen=True, slots=True)
class RunConfiguration:
    """All that decides about the results of a run, apart from its cases."""

    dataset: str
    strategy: str
    feedback: Feedback
    model: str | None = None
    seed: int = 0
    """Sample n of a case runs with seed + n."""
    samples: int = 1
    """How often each case is repaired."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The resolved settings, as plain data."""


def _text(value: Any) -> str:
    """Any string at all: pydantic's own check refuses lone surrogates, which programs may print."""
    if not isinstance(value, str):
        raise ValueError("is not text")
    return value


AnyText = Annotated[str, PlainValidator(_text)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class TokenUsage(_Record):
    """Tokens of model calls."""

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0
    """Reasoning tokens, which `completion` includes."""
    by_node: dict[str, dict[str, int]] = {}


class CheckLine(_Record):
    """Result of one deciding check."""

    id: AnyText
    outcome: Outcome
    code: AnyText = ""
    """The text of the check; empty where `id` is it, or it is not known, as of tests that pytest collects."""
    expected: AnyText = ""
    actual: AnyText = ""
    detail: AnyText = ""
    unproven: AnyText = ""
    """Why a check that passed rests on the program's word."""


class AttemptLine(_Record):
    """One candidate, judged by the checks that the strategy could see."""

    candidate_id: AnyText
    origin: AnyText
    outcome: Outcome | None
    """Outcome of the first check that did not pass; None when no check was run."""
    checks_passed: int
    checks_total: int
    failed_check: CheckLine | None = None
    """The first check that did not pass, with what it expected and got; None where all did, or none was run."""
    detail: AnyText = ""
    temperature: float | None = None
    seconds: float = 0.0
    note: AnyText = ""
    turn: int | None = None
    """Number of the turn that proposed it; None where no model did."""
    source: AnyText | None = None
    """The whole program, kept only where a model was asked: a search can be run again, a model cannot."""


class TurnLine(_Record):
    """One request to a model, its reply and its cost."""

    number: int
    node: AnyText
    iteration: int
    temperature: float
    prompt: AnyText
    reply: AnyText
    reasoning: AnyText = ""
    candidate_id: AnyText | None = None
    fault: AnyText = ""
    """Kind of the reason why no candidate could be taken from the reply; empty where one could."""
    fault_detail: AnyText = ""
    """That reason in words."""
    finish: AnyText = ""
    """Why the reply ended, as the service named it: "length" for one that was cut off."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    usd: float | None = None
    seconds: float = 0.0
    ended: AnyText = ""
    """What ended the reply before the model did: "stop", "code", "loop" or "prose"."""


class ObstacleLine(_Record):
    """A cause of red checks outside the program."""

    kind: ObstacleKind
    checks: list[AnyText]
    subject: AnyText
    cause: AnyText
    remedy: AnyText
    certain: bool
    """Whether no change of the program can turn the checks green: they were set aside."""


class AlternativeLine(_Record):
    """A program that passes and does otherwise than the patch."""

    source: AnyText
    likelihood: float
    """How likely it is to be right, in [0, 1]."""
    note: AnyText = ""


class AnswerLine(_Record):
    """What some of the programs that pass answer to a question."""

    value: AnyText
    check: AnyText
    """The check that claims this answer."""
    likelihood: float


class QuestionLine(_Record):
    """An input on which programs that pass do not agree."""

    input: AnyText
    answers: list[AnswerLine]
    answered: int | None = None
    """The place of the answer that the user chose."""


class ErrorLine(_Record):
    """A fault of the machine or a service."""

    kind: AnyText
    message: AnyText


class ResultLine(_Record):
    """One sample of one case: a line of results.jsonl. Long texts are cut, and say so."""

    schema_version: int = Field(default=RESULT_SCHEMA, alias="schema")
    task_id: AnyText
    sample: int
    dataset: AnyText
    strategy: AnyText
    model: AnyText | None
    feedback: Feedback
    seed: int
    outcome: Result
    passed: bool
    """Whether the patched program, or the original where nothing was tried, passes the deciding checks."""
    plausible: bool
    """Whether it passes the checks that the strategy could see."""
    robust: bool | None
    """Whether it passes the extra checks too; None where there are none."""
    stop: Stop
    iters: int
    """Replies of a model that the strategy asked for; 0 of a search. `turns` holds the first 1,000 of them."""
    attempts_total: int | None = None
    """Candidates that were judged; `attempts` holds the last 200 of them. In older records `iters` counts them."""
    origin: RepairOrigin | None = None
    """To whom the patch is owed; None where there is none."""
    judged_candidate: AnyText | None = None
    """The candidate that `checks`, their counts, the output and the exit code are of: the patch, else the best attempt.

    None where they are of the program as it was, because nothing was tried.
    """
    iteration: int | None = None
    """Iteration that proposed the patch, 0 for the draft; None where no model did."""
    model_calls: int = 0
    candidates: int = 0
    """Candidates that were run, those that were only screened included."""
    duplicates: int = 0
    searches: tuple[int, ...] | None = None
    """Candidates of each search beside a model, in order; None in older records."""
    checks_passed: int = 0
    checks_total: int = 0
    extra_passed: int | None = None
    extra_total: int | None = None
    isolation: Isolation | None = None
    no_wall: AnyText = ""
    """What the sandbox did not promise, where it was no wall (`--sandbox restricted`)."""
    exit_code: int | None = None
    stdout: AnyText = ""
    stderr: AnyText = ""
    detail: AnyText = ""
    """The verdict on the program as a whole, e.g. a syntax error."""
    runtime_sec: float
    timings_sec: dict[str, float] = {}
    token_usage: TokenUsage = TokenUsage()
    cost_usd: float | None = None
    """None where no price is known; 0 where no model was asked."""
    buggy_source: AnyText
    final_source: AnyText | None = None
    diff: AnyText = ""
    explanation: AnyText = ""
    flaky: list[AnyText] = []
    obstacles: list[ObstacleLine] = []
    labels: dict[AnyText, AnyText] = {}
    checks: list[CheckLine] = []
    attempts: list[AttemptLine] = []
    turns: list[TurnLine] = []
    likelihood: float | None = None
    """How likely the patch is to be right, in [0, 1]; None where nobody can tell."""
    alternatives: list[AlternativeLine] = []
    questions: list[QuestionLine] = []
    error: ErrorLine | None = None

    @property
    def key(self) -> SampleKey:
        """Task and sample of the line."""
        return self.task_id, self.sample

    def values(self) -> dict[str, Any]:
        """The line as plain data, under the names that the file has."""
        return self.model_dump(by_alias=True)


def capped(text: str, limit_bytes: int) -> str:
    """The text, cut to at most `limit_bytes` of UTF-8 with a note of its full size."""
    if len(text) * 4 <= limit_bytes:
        return text
    content = text.encode("utf-8", "surrogatepass")
    if len(content) <= limit_bytes:
        return text
    note = f"\n[{len(content)} bytes, cut]"
    end = max(limit_bytes - len(note), 0)
    while end and content[end] & 0xC0 == 0x80:
        end -= 1
    return content[:end].decode("utf-8", "surrogatepass") + note


def first_field_error(error: ValidationError) -> str:
    """The first field of a record that is not what it should be, and why, e.g. "sample: Field required"."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
