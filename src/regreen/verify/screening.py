"""The questions to a screener and its answers, as values and as messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regreen.types import CheckResult, Edit, Outcome, Suite
from regreen.verify.raised_errors import RaisedError, raised_errors_from
from regreen.verify.sandbox_messages import result_from, results_from

Edits = Sequence[Edit]


@dataclass(frozen=True, slots=True)
class ScreeningLimits:
    """Limits of one mutation, for all checks together."""

    ticks: int
    """Turns of loops and calls of functions: the same on every machine, however busy it is."""
    seconds: float
    """CPU time: a backstop for work inside C code, which no tick counts."""


@dataclass(frozen=True, slots=True)
class ScreeningResult:
    """The outcome of one quickly run mutation: a hint, never a verdict."""

    status: str
    """"passed", "failed", "hung", "broken" (no Python), "memory" or "crashed"."""
    passed: frozenset[str] = frozenset()
    """Ids of the checks that passed before the run was stopped."""
    distance: float = 1.0
    """Mean distance of the checks from passing, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class ProgramTrace:
    """Results and executed lines of the unchanged program, check by check."""

    results: Mapping[str, CheckResult]
    coverage: Mapping[str, frozenset[int]]
    """Check id -> lines of the program that it ran."""
    raised: Mapping[str, tuple[int, ...]]
    """Check id -> program lines of its traceback, innermost last."""
    hung: Mapping[str, tuple[int, ...]]
    """Check id -> the program line that was running when its time ended."""
    distances: Mapping[str, float] = field(default_factory=dict)
    """Check id -> its distance from passing, in [0, 1]."""
    ticks: int = 0
    """Ticks of all checks that came to an end."""
    loading: frozenset[int] = frozenset()
    """Program lines that loading and preparing the tests ran."""
    errors: Mapping[str, tuple[RaisedError, ...]] = field(default_factory=dict)
    """Check id -> what it raised and what had led to it, outermost first; "" for the loading of program and tests."""

    @property
    def green_seconds(self) -> float:
        """CPU seconds of all checks that came to an end, tracing included."""
        return sum(r.cpu_seconds for r in self.results.values() if r.outcome is not Outcome.TIMED_OUT)


def trace_message(seconds: float, hanging: Sequence[str], skip: Sequence[str]) -> dict[str, Any]:
    """The order to trace the program, `seconds` a check; checks of `hanging` get a short look, those of `skip` none."""
    return {"do": "trace", "seconds": seconds, "hung": list(hanging), "skip": list(skip)}


def screening_message(
    mutations: Sequence[Edits],
    green: Collection[str],
    limits: ScreeningLimits,
    *,
    first: int,
    seconds_left: float,
    stop_flag: int,
) -> dict[str, Any]:
    """The order to try `mutations`, numbered from `first`; `stop_flag` is the place of the flag in the shared page."""
    return {
        "do": "screen",
        "mutations": [[[e.start, e.end, e.text] for e in edits] for edits in mutations],
        "green": sorted(green),
        "ticks": limits.ticks,
        "seconds": limits.seconds,
        "first": first,
        "left": seconds_left,
        "stop_flag": stop_flag,
    }


def screening_result_from(answer: Sequence[Any]) -> ScreeningResult:
    """One answer of a screener as a value."""
    status, passed, distance = answer
    return ScreeningResult(str(status), frozenset(map(str, passed)), float(distance))


def trace_from(answer: Mapping[str, Any], suite: Suite) -> ProgramTrace:
    """The answer to `trace_message` as a value; a program that did not load has the same result for every check."""
    if "every" in answer:
        result = result_from(answer["every"])
        lines = tuple(int(n) for n in answer["every"].get("lines", ()))
        ids = [check.id for check in suite.checks]
        reached = frozenset(int(n) for n in answer["lines"])
        hung = {} if answer["hung"] is None else dict.fromkeys(ids, (int(answer["hung"]),))
        errors = {"": raised_errors_from(answer["error"])}
        everything = (dict.fromkeys(ids, result), dict.fromkeys(ids, reached), dict.fromkeys(ids, lines), hung)
        return ProgramTrace(*everything, errors=errors)
    plain = answer["results"]
    return ProgramTrace(
        results=results_from(plain),
        coverage={check: frozenset(lines) for check, lines in answer["lines"].items() if check},
        raised={check: tuple(result["lines"]) for check, result in plain.items() if result.get("lines")},
        hung={check: (line,) for check, line in answer["hung"].items() if check and line is not None},
        distances=answer["distances"],
        ticks=int(answer["ticks"]),
        loading=frozenset(answer["lines"].get("", ())),
        errors={check: raised_errors_from(chain) for check, chain in answer["errors"].items()},
    )
