"""The questions to a screener and its answers, as values and as messages."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from regreen.syntax import UNPARSABLE, parse, walk
from regreen.types import AssertionRun, CheckResult, Edit, Outcome, Step, Suite, SuiteKind, Visit
from regreen.verify.raised_errors import RaisedError, raised_errors_from
from regreen.verify.sandbox_messages import result_from, results_from

Edits = Sequence[Edit]


SLOW = "slow"
"""The status of a mutation that a clock cut short: on another machine, or an idler one, it might come to its end."""
ANEW = "anew"
"""The status of a mutation that was not run: a program that stays loaded has to be loaded anew for it."""
STALE = "stale"
"""The status of one that was run in a program which stays loaded, where something may be as it was that this mutation
would have made otherwise while the program was loaded: whether it passes is not known."""
DEFAULT_SKIPPED_SECONDS = 6.0
"""What a sleep may take at least: three times the CPU seconds of a check, as it may before the judge."""


@dataclass(frozen=True, slots=True)
class ScreeningLimits:
    """Limits of one mutation, for all checks together."""

    ticks: int
    """Turns of loops and calls of functions: the same on every machine, however busy it is."""
    seconds: float
    """CPU time: a backstop for work inside C code, which no tick counts."""
    check_ticks: int | None = None
    """The most of the ticks that one check may take, the late ones aside; None where each may take all of them."""
    late: frozenset[str] = frozenset()
    """Ids of checks that cost much, run only where all others pass; the green ones count as passed elsewhere."""
    late_ticks: int = 0
    late_seconds: float = 0.0
    """As `ticks` and `seconds`, for the late checks together."""
    skipped_seconds: float = DEFAULT_SKIPPED_SECONDS
    """Sleep that is skipped: the clocks that the program sees move on by it."""
    idle_seconds: float = 0.0
    """Sleep that cannot be skipped, in one piece, beyond the 0.15 s after which a process is taken to wait for ever."""
    real_time: frozenset[str] = frozenset()
    """Ids of checks in which no sleep is skipped, since their result depends on it."""
    raising: Mapping[str, str] = field(default_factory=dict)
    """Check id -> the class of the exception with which the program as it is ends it, where that tells of a value of
    the wrong kind; empty for any other."""
    reached: frozenset[int] = frozenset()
    """Lines of the program that any check ran. A mutation with which a raising check ends in an exception in another
    line has come further, and a little further in one of another class than it is told."""
    tries_slow_again: bool = True
    """Whether what a clock cut short is tried once more, beside no other and for longer."""
    loads_anew: bool = True
    """Whether a program that stays loaded is loaded anew, by another process, for each mutation that asks for it.
    Otherwise such a one is told to be "anew" or "stale"."""
    observes: bool = False
    """Whether the checks only look: each runs by itself within the limits, and what it saw is told."""

    @property
    def longest_silence(self) -> float:
        """Seconds that one mutation may take on an idle machine."""
        return self.seconds + self.late_seconds + self.idle_seconds * (1 + len(self.late))


@dataclass(frozen=True, slots=True)
class ScreeningResult:
    """The outcome of one quickly run mutation: a hint, never a verdict."""

    status: str
    """"passed", "failed", "hung", "slow", "broken" (no Python), "memory", "crashed"; "observed" where that is asked;
    "anew" and "stale" where a program stays loaded."""
    passed: frozenset[str] = frozenset()
    """Ids of the checks that passed before the run was stopped."""
    distance: float = 1.0
    """Mean distance of the checks from passing, in [0, 1]."""
    got_past: float = 0.0
    """Assertions that the failed tests got past, for each test as a share of all of its own."""
    observed: tuple[str, ...] = ()
    """What each check saw, in the order of the suite, where the limits ask for it: a value's `repr`, "raises NAME" or
    "hangs"; shorter where memory ran out."""
    ticks: int = 0
    """That the checks took together."""


@dataclass(frozen=True, slots=True)
class CheckCost:
    """What one check of the unchanged program used."""

    ticks: int
    skipped_seconds: float
    """Sleep that was skipped."""
    idle_seconds: float
    """Sleep that was not; on a busy machine, waits for a processor beside it."""


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
    shares: Mapping[str, float] = field(default_factory=dict)
    """Check id -> the share of its assertions that it gets past before it fails."""
    assertions: Mapping[str, tuple[AssertionRun, ...]] = field(default_factory=dict)
    """Check id -> what its assertions did, of a check that failed and was then made to go on to its end."""
    ticks: int = 0
    """Ticks of all checks that came to an end."""
    loading: frozenset[int] = frozenset()
    """Program lines that loading and preparing the tests ran."""
    errors: Mapping[str, tuple[RaisedError, ...]] = field(default_factory=dict)
    """Check id -> what it raised and what had led to it, outermost first; "" for the loading of program and tests."""
    costs: Mapping[str, CheckCost] = field(default_factory=dict)
    """By check id, of those that came to an end."""
    plain_seconds: float | None = None
    """CPU seconds that the checks take together where nothing is traced; None where they do not come to an end."""

    @property
    def green_seconds(self) -> float:
        """CPU seconds of all checks that came to an end, tracing included."""
        return self.seconds_of(self.results)

    def seconds_of(self, checks: Iterable[str]) -> float:
        """CPU seconds of those of the checks that came to an end."""
        results = [self.results[check] for check in checks]
        return sum(r.cpu_seconds for r in results if r.outcome is not Outcome.TIMED_OUT)


@dataclass(frozen=True, slots=True)
class TraceOrder:
    """How to trace a program."""

    seconds: float
    """CPU seconds a check."""
    hanging: Sequence[str] = ()
    """Ids of checks that are known not to end: they run just long enough to see where."""
    deadly: Sequence[str] = ()
    """Ids of checks that would end the process, and are left out."""
    green: Sequence[str] = ()
    """Ids of checks that are known to pass: they may take longer, but are not traced to their end."""
    real_time: Sequence[str] = ()
    """Ids of checks in which no sleep is skipped."""


def may_be_reordered(suite: Suite) -> bool:
    """Whether some checks may be run without the others: those of a script may need what earlier ones have left.

    Not where each is an assertion by itself, and nothing but imports stands between them.
    """
    return suite.kind is not SuiteKind.SCRIPT or all(map(_prepares_nothing, suite.steps))


def may_be_left_out(suite: Suite, checks: Set[str]) -> bool:
    """Whether the others of a suite do without these checks: each of a script is an assertion by itself, and binds
    nothing that one behind it may need."""
    return suite.kind is not SuiteKind.SCRIPT or all(
        _prepares_nothing(step) for step in suite.steps if step.check in checks
    )


def _prepares_nothing(step: Step) -> bool:
    return all(map(_stands_alone, parse(step.code).body))


def _stands_alone(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Assert) and not any(isinstance(part, ast.NamedExpr) for part in walk(node))


def trace_message(order: TraceOrder, skip: Sequence[str]) -> dict[str, Any]:
    """The order to trace the program without the checks of `skip`."""
    return {
        "do": "trace",
        "seconds": order.seconds,
        "hung": list(order.hanging),
        "skip": list(skip),
        "green": list(order.green),
        "real_time": list(order.real_time),
        "skipped_seconds": DEFAULT_SKIPPED_SECONDS,
    }


def values_message(lines: Collection[int], limits: ScreeningLimits) -> dict[str, Any]:
    """The order to tell what the program's variables hold at these lines; the limits are those of one check."""
    return {"do": "values", "lines": sorted(lines), "ticks": limits.ticks, "seconds": limits.seconds}


def visits_from(answer: Mapping[str, Any], green: Collection[str]) -> tuple[Visit, ...]:
    """The answer to `values_message` as values; texts that are no literals are left out.

    A call that a green check made returns what it should, as do those of a red one before the last. The last of these
    should return what the check expected, where it is its result that was compared.
    """
    return tuple(
        visit for check, told in answer.items() for visit in _visits_of(str(check), told, is_red=check not in green)
    )


def _visits_of(check: str, told: Mapping[str, Any], *, is_red: bool) -> Iterator[Visit]:
    wanted = _wanted_results(told["calls"], told["compared"], is_red=is_red)
    for visit in told["visits"]:
        values = {str(name): _literal(text) for name, text in visit["values"].items()}
        known = {name: value[0] for name, value in values.items() if value}
        call = int(visit["call"])
        yield Visit(check, is_red, int(visit["line"]), call, known, wanted.get(call, ()))


def _wanted_results(
    calls: Sequence[Mapping[str, Any]], compared: Sequence[str | None], *, is_red: bool
) -> dict[int, tuple[Any, ...]]:
    outer = [number for number, call in enumerate(calls) if call["is_outer"] and call["returned"] is not None]
    wanted = {number: _literal(calls[number]["returned"]) for number in outer}
    if is_red and outer:
        last, returned = outer[-1], calls[outer[-1]]["returned"]
        expected = next((b for a, b in (compared, compared[::-1]) if a == returned and b != returned), None)
        if expected is None:
            return {}
        wanted[last] = _literal(expected)
    return wanted


def _literal(text: Any) -> tuple[Any, ...]:
    """The value of a text of plain data, in a tuple; empty where it is none, such as `inf`."""
    try:
        return (ast.literal_eval(str(text)),)
    except UNPARSABLE:
        return ()


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
        "check_ticks": limits.ticks if limits.check_ticks is None else limits.check_ticks,
        "seconds": limits.seconds,
        "late": sorted(limits.late),
        "late_ticks": limits.late_ticks,
        "late_check_ticks": limits.late_ticks,
        "late_seconds": limits.late_seconds,
        "skipped_seconds": limits.skipped_seconds,
        "idle_seconds": limits.idle_seconds,
        "real_time": sorted(limits.real_time),
        "raising": dict(sorted(limits.raising.items())),
        "reached": sorted(limits.reached),
        "observes": limits.observes,
        "first": first,
        "left": seconds_left,
        "stop_flag": stop_flag,
    }


def screening_result_from(answer: Sequence[Any]) -> ScreeningResult:
    """One answer of a screener as a value."""
    status, passed, distance, got_past, ticks, *seen = answer
    texts = tuple(map(str, seen[0])) if seen else ()
    found = frozenset(map(str, passed))
    return ScreeningResult(str(status), found, float(distance), float(got_past), texts, int(ticks))


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
        shares=answer["shares"],
        plain_seconds=answer["plain_seconds"],
        assertions={
            check: tuple(AssertionRun(bool(held), frozenset(map(int, lines))) for held, lines in parts)
            for check, parts in answer["assertions"].items()
        },
        costs={check: CheckCost(*cost) for check, cost in answer["costs"].items()},
        ticks=int(answer["ticks"]),
        loading=frozenset(answer["lines"].get("", ())),
        errors={check: raised_errors_from(chain) for check, chain in answer["errors"].items()},
    )
