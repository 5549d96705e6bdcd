"""One result line as a report needs it: the facts that are counted, and the place of the whole line in its file."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from regreen.evaluate.records import RESULT_SCHEMA, RepairOrigin, Result
from regreen.report.record_fields import count_field, object_list_field, text_field, text_map_field, truth_field
from regreen.types import Stop

_JUDGED_WORDS = {"passed": Result.FIXED, "failed": Result.UNFIXED}
"""The outcomes of judged samples."""
MAX_ID = 500
_MAX_LABELS = 20
_MAX_LABEL = 200
UNKNOWN = "unknown"
PLAUSIBLE = "plausible, hidden checks failed"
"""How a repair ended that passes what the strategy could see, and no more."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Data set, strategy, model and feedback protocol of a sample: rates over different ones are not comparable."""

    dataset: str
    strategy: str
    model: str | None
    feedback: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One repair, without its texts."""

    task_id: str
    number: int
    setup: Setup
    outcome: Result
    plausible: bool | None
    robust: bool | None
    stop: str
    origin: str
    """To whom the patch is owed, as a `RepairOrigin`; "" where there is none, or it is not known."""
    iteration: int | None
    """The iteration of the patch selected, 0 for the first draft; None where it is not known, or nothing was fixed."""
    judged: int
    """Number of candidates that were judged."""
    candidates: int
    model_calls: int
    prompt_tokens: int | None
    """None where the line has no token counts."""
    completion_tokens: int
    usd: float | None
    """Price in US dollars; None where it is not known."""
    seconds: float | None
    labels: Mapping[str, str]
    program: int | None
    """A checksum of the buggy program; None where the line has none."""
    start: int = 0
    """The line's first byte in its file."""
    size: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """Task and number: unique in a run."""
        return self.task_id, self.number

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return (self.prompt_tokens or 0) + self.completion_tokens


def in_order(samples: Iterable[Sample]) -> list[Sample]:
    """Samples sorted by task and number, 2 before 10: numbers must not depend on the order in which samples ended."""
    return sorted(samples, key=lambda sample: (order_of(sample.task_id), sample.number))


def order_of(name: str) -> list[tuple[int, int, str]]:
    """The sort key of a task's name: digits as numbers."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", name)]


def why_foreign(values: Mapping[str, Any]) -> str:
    """Why an object is no result of the schema; "" when it is one."""
    if values.get("schema", RESULT_SCHEMA) != RESULT_SCHEMA:
        return "it is of another schema"
    if not text_field(values, "task_id"):
        return "it names no task_id"
    if outcome_of(values) is None:
        word = text_field(values, "outcome")
        return f"its outcome {word[:40]!r} is not known" if word else "it has no outcome"
    return ""


def outcome_of(values: Mapping[str, Any]) -> Result | None:
    """How the sample ended; None where the line does not say. HumanEval's own results say only whether it `passed`."""
    word = text_field(values, "outcome")
    if not word and (passed := truth_field(values, "passed")) is not None:
        return Result.FIXED if passed else Result.UNFIXED
    return Result(word) if word in set(Result) else _JUDGED_WORDS.get(word)


def stop_of(values: Mapping[str, Any]) -> str:
    """Why the repair ended, in a word or two: one that looked like a fix and was none is told as such."""
    return stop_text(outcome_of(values), text_field(values, "stop", UNKNOWN)[:MAX_ID])


def stop_text(outcome: Result | None, stop: str) -> str:
    """A stop beside its outcome: "fixed" is what the strategy could see, and the hidden checks may say otherwise."""
    return PLAUSIBLE if outcome is Result.UNFIXED and stop in (Stop.FIXED, PLAUSIBLE) else stop


def origin_of_line(values: Mapping[str, Any]) -> str:
    """To whom the patch of a fix is owed; told by other fields where an older record does not say."""
    if outcome_of(values) not in (Result.FIXED, Result.OVERFITTED):
        return ""
    if (recorded := text_field(values, "origin")) in set(RepairOrigin):
        return recorded
    if text_field(values, "strategy") == "search":
        return RepairOrigin.SEARCH
    return RepairOrigin.MODEL if count_field(values, "iteration") is not None else ""


def judged_of(values: Mapping[str, Any]) -> int:
    """Number of candidates that were judged; older records have it as `iters`."""
    recorded = count_field(values, "attempts_total")
    return (count_field(values, "iters") or 0) if recorded is None else recorded


def setup_of(values: Mapping[str, Any]) -> Setup:
    """Data set, strategy, model and feedback protocol of the sample."""
    prelude = text_field(values, "prelude")
    strategy = f"judged only, prelude {prelude}" if prelude else UNKNOWN
    return Setup(
        text_field(values, "dataset", UNKNOWN)[:_MAX_LABEL],
        text_field(values, "strategy", strategy)[:_MAX_LABEL],
        text_field(values, "model")[:_MAX_LABEL] or None,
        text_field(values, "feedback", UNKNOWN)[:_MAX_LABEL],
    )


def labels_of(values: Mapping[str, Any]) -> dict[str, str]:
    """The sample's labels, each cut to a length that can be shown."""
    found = list(text_map_field(values, "labels").items())[:_MAX_LABELS]
    return {name[:_MAX_LABEL]: value[:_MAX_LABEL] for name, value in found}


def iteration_of(values: Mapping[str, Any]) -> int | None:
    """The iteration of a fix: as recorded, else that of the first attempt that passed what was visible."""
    if outcome_of(values) is not Result.FIXED:
        return None
    if (recorded := count_field(values, "iteration")) is not None:
        return recorded
    attempts = object_list_field(values, "attempts")
    if len(attempts) < judged_of(values):
        return None
    passing = (place for place, attempt in enumerate(attempts) if attempt.get("outcome") == "passed")
    if (place := next(passing, None)) is None:
        return None
    turns = {count_field(turn, "number"): count_field(turn, "iteration") for turn in object_list_field(values, "turns")}
    if not turns:
        return place
    # A search's candidate came no earlier than the last turn before it.
    told = (turns.get(count_field(attempt, "turn")) for attempt in reversed(attempts[: place + 1]))
    return next((iteration for iteration in told if iteration is not None), 0)


def program_checksum(values: Mapping[str, Any]) -> int | None:
    """A checksum by which to notice that two runs began with different programs."""
    source = text_field(values, "buggy_source")
    return zlib.crc32(source.encode("utf-8", "surrogatepass")) if source else None
