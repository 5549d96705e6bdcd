"""The checks on the unchanged program: which fail, and which are unreliable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from regreen.errors import SandboxRefusal
from regreen.types import Check, CheckResult, Isolation, Judge, JudgeOptions, Limits, Outcome, Suite, SuiteKind, Verdict

_RUNS = 3
"""Judgements of the unchanged program, each with another seed."""


class Reach(Enum):
    """How much of a program its checks reach, from the least."""

    CALLS = "calls"
    """Calls and plain data."""
    STAND_INS = "stand-ins"
    """Its live objects, which stay behind the wall."""
    SHARED = "shared"
    """All of it, in one process."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The reliable checks of a suite, and their verdict on the unchanged program."""

    suite: Suite
    """The suite without flaky and skipped checks."""
    verdict: Verdict
    """The results of these checks in the first run."""
    flaky: tuple[str, ...] = ()
    """Ids of checks whose runs disagree."""
    skipped: tuple[str, ...] = ()
    """Ids of checks that skip themselves, which decides nothing."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The examples on which property tests failed."""

    @property
    def red(self) -> tuple[str, ...]:
        """Ids of the checks that fail."""
        return tuple(c for c, r in self.verdict.results.items() if r.outcome is not Outcome.PASSED)

    @property
    def hanging(self) -> tuple[str, ...]:
        """Ids of the checks that time out."""
        return tuple(c for c in self.verdict.results if _hung(self.verdict, c))

    @property
    def deadly(self) -> tuple[str, ...]:
        """Ids of the checks that end or exhaust the program's process."""
        ends = (Outcome.CRASHED, Outcome.OUT_OF_MEMORY)
        return tuple(check for check, result in self.verdict.results.items() if result.outcome in ends)

    @property
    def green(self) -> frozenset[str]:
        """Ids of the checks that pass."""
        return frozenset(self.verdict.results) - frozenset(self.red)

    def without(self, checks: Collection[str]) -> Baseline:
        """The baseline without these checks; their preparation still runs."""
        kept = {check: result for check, result in self.verdict.results.items() if check not in checks}
        suite = subset(self.suite, [check.id for check in self.suite.checks if check.id not in checks])
        return replace(self, suite=suite, verdict=replace(self.verdict, results=kept))


def take_baseline(judge: Judge, source: str, suite: Suite, limits: Limits, companions: Mapping[str, str]) -> Baseline:
    """Judge the unchanged program three times, and set aside checks whose runs disagree or that skip themselves.

    A suite that needs live objects is judged in shared mode. Raises what `Judge.judge` raises.
    """
    options = JudgeOptions(shorten_after_timeout=True)
    verdict, suite = judge_given(judge, source, suite, limits, companions, options)
    suite = _with_collected(suite, verdict)
    runs = [verdict]
    for seed in range(1, _RUNS):
        # A check that hangs is red already: further runs of it would only cost time.
        hanging = {c.id for c in suite.checks if _hung(verdict, c.id)}
        again = subset(suite, [c.id for c in suite.checks if c.id not in hanging], hanging=hanging)
        if not again.checks:
            break
        seeded = replace(options, seed=seed, examples=verdict.examples)
        runs.append(judge.judge(source, again, limits, companions=companions, options=seeded))
    flaky = tuple(c.id for c in suite.checks if _disagrees(runs, c.id))
    skipped = tuple(c.id for c in suite.checks if _skips(verdict, c.id))
    kept = [c.id for c in suite.checks if c.id not in flaky and c.id not in skipped]
    results = {check: verdict.results[check] for check in kept if check in verdict.results}
    return Baseline(subset(suite, kept), replace(verdict, results=results), flaky, skipped, verdict.examples)


def judge_given(
    judge: Judge,
    source: str,
    suite: Suite,
    limits: Limits,
    companions: Mapping[str, str],
    options: JudgeOptions = JudgeOptions(),
) -> tuple[Verdict, Suite]:
    """As `judge_by_need`, for a program as it was given: nobody wrote it to cheat.

    Raises SandboxRefusal where the sandbox does not run it.
    """
    verdict, suite = judge_by_need(judge, source, suite, limits, companions, options, reach=lambda: Reach.SHARED)
    return decided(verdict), suite


def decided(verdict: Verdict) -> Verdict:
    """The verdict, where the sandbox runs such a program. Raises SandboxRefusal where it does not: nothing is known."""
    if verdict.refused:
        raise SandboxRefusal(
            f"the program cannot be judged by this sandbox, which does not run {verdict.refused}.",
            obstacles=(),
            remedy="Choose --sandbox jail or docker.",
        )
    return verdict


def judge_by_need(
    judge: Judge,
    source: str,
    suite: Suite,
    limits: Limits,
    companions: Mapping[str, str],
    options: JudgeOptions = JudgeOptions(),
    *,
    reach: Callable[[], Reach],
) -> tuple[Verdict, Suite]:
    """The verdict on a program, and the suite by which it was judged: as far apart from the checks as these allow.

    Where a check turns out to need more than calls and plain data, all are judged anew with stand-ins for live objects,
    which stay behind the wall; then in shared mode, if `reach()` goes so far. What a model proposes gets no further
    than the program that was given: it cannot choose to have its checks run where it can reach them, nor to have them
    rest on its own word (`x - 3 == 0`, where `x` is an object of its own).
    """
    verdict = judge.judge(source, suite, limits, companions=companions, options=options)
    while _wants_more(verdict):
        nearer = _less_apart(suite, _reason(verdict))
        if reach_of(nearer) is Reach.SHARED and reach() is not Reach.SHARED:
            break
        found = judge.judge(source, nearer, limits, companions=companions, options=options)
        if _rests_on_its_word(found) and reach() is Reach.CALLS:
            break
        verdict, suite = found, nearer
    return verdict, suite


def reach_of(suite: Suite) -> Reach:
    """How much of a program the checks of a suite reach."""
    if suite.isolation is Isolation.SHARED:
        return Reach.SHARED
    return Reach.STAND_INS if suite.surface.by_handles else Reach.CALLS


def _rests_on_its_word(verdict: Verdict) -> bool:
    """Whether a check behind the wall passed by what a live object of the program says of itself."""
    is_apart = verdict.isolation is Isolation.SEPARATE
    return is_apart and any(r.unproven for r in verdict.results.values() if r.outcome is Outcome.PASSED)


def _less_apart(suite: Suite, reason: str) -> Suite:
    """The suite with stand-ins for live objects, where they have not been tried; else in shared mode."""
    surface = suite.surface
    if surface.live and not surface.by_handles:
        return replace(suite, surface=replace(surface, by_handles=True))
    return replace(suite, isolation=Isolation.SHARED, reason=reason)


def subset(suite: Suite, ids: list[str], *, hanging: Collection[str] = ()) -> Suite:
    """The suite with only the checks of `ids`; the preparation of the others still runs, but for those of `hanging`."""
    kept = frozenset(ids)
    if len(kept) == len(suite.checks):
        return suite
    return replace(
        suite,
        checks=tuple(check for check in suite.checks if check.id in kept),
        steps=tuple(
            step if step.check in kept else replace(step, check=None)
            for step in suite.steps
            if step.check in kept or step.check not in hanging
        ),
    )


def _with_collected(suite: Suite, verdict: Verdict) -> Suite:
    """The suite with the checks that pytest collected, which are not known before."""
    if suite.kind is not SuiteKind.PYTEST or suite.checks:
        return suite
    return replace(suite, checks=tuple(Check(check, check) for check in verdict.results))


def _wants_more(verdict: Verdict) -> bool:
    """Whether a check failed to be judged for want of a live object."""
    unjudgeable = [r for r in verdict.results.values() if r.outcome is Outcome.UNJUDGEABLE and not verdict.refused]
    return verdict.isolation is Isolation.SEPARATE and any(not _is_skip(r) for r in unjudgeable)


def _reason(verdict: Verdict) -> str:
    details = [r.detail for r in verdict.results.values() if r.outcome is Outcome.UNJUDGEABLE and not _is_skip(r)]
    return details[0]


def _skips(verdict: Verdict, check: str) -> bool:
    result = verdict.results.get(check)
    return result is not None and _is_skip(result)


def _is_skip(result: CheckResult) -> bool:
    return result.outcome is Outcome.UNJUDGEABLE and result.detail.startswith("skipped")


def _hung(verdict: Verdict, check: str) -> bool:
    result = verdict.results.get(check)
    return result is not None and result.outcome is Outcome.TIMED_OUT


def _disagrees(runs: list[Verdict], check: str) -> bool:
    said = {run.results[check].outcome is Outcome.PASSED for run in runs if check in run.results}
    return len(said) > 1
