"""What the checks say before anything is changed: which are red, and which cannot be relied upon."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from regreen.types import Check, CheckResult, Isolation, Judge, JudgeOptions, Limits, Outcome, Suite, SuiteKind, Verdict

_RUNS = 3


@dataclass(frozen=True, slots=True)
class Baseline:
    """The suite as it can be relied upon, and its verdict on the program as it is."""

    suite: Suite
    verdict: Verdict
    flaky: tuple[str, ...] = ()
    """Ids of checks that disagree with themselves."""
    skipped: tuple[str, ...] = ()
    """Ids of checks that skip themselves, and so prove nothing."""

    @property
    def red(self) -> tuple[str, ...]:
        """Ids of the checks that fail."""
        return tuple(c for c, r in self.verdict.results.items() if r.outcome is not Outcome.PASSED)

    @property
    def hanging(self) -> tuple[str, ...]:
        """Ids of the checks that do not end."""
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


def take_baseline(judge: Judge, source: str, suite: Suite, limits: Limits, companions: Mapping[str, str]) -> Baseline:
    """Judge the program three times; checks that disagree with themselves are named and set aside."""
    options = JudgeOptions(shorten_after_timeout=True)
    verdict = judge.judge(source, suite, limits, companions=companions, options=options)
    if needs_sharing(verdict):
        suite = replace(suite, isolation=Isolation.SHARED, reason=_reason(verdict))
        verdict = judge.judge(source, suite, limits, companions=companions, options=options)
    suite = _with_collected(suite, verdict)
    runs = [verdict]
    for seed in range(1, _RUNS):
        # A check that hangs is red already; waiting for it again and again would only cost time.
        hanging = {c.id for c in suite.checks if _hung(verdict, c.id)}
        again = subset(suite, [c.id for c in suite.checks if c.id not in hanging], hanging=hanging)
        if not again.checks:
            break
        runs.append(judge.judge(source, again, limits, companions=companions, options=replace(options, seed=seed)))
    flaky = tuple(c.id for c in suite.checks if _disagrees(runs, c.id))
    skipped = tuple(c.id for c in suite.checks if _skips(verdict, c.id))
    kept = [c.id for c in suite.checks if c.id not in flaky and c.id not in skipped]
    results = {check: verdict.results[check] for check in kept if check in verdict.results}
    return Baseline(subset(suite, kept), replace(verdict, results=results), flaky, skipped)


def subset(suite: Suite, ids: list[str], *, hanging: Collection[str] = ()) -> Suite:
    """The suite with some of its checks only; what the others set up is still done, unless they hang in it."""
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
    """Pytest knows its checks only once it has collected them."""
    if suite.kind is not SuiteKind.PYTEST or suite.checks:
        return suite
    return replace(suite, checks=tuple(Check(check, check) for check in verdict.results))


def needs_sharing(verdict: Verdict) -> bool:
    """Whether a live object had to cross the wall: then the checks can only be run in the program's own process."""
    unjudgeable = [r for r in verdict.results.values() if r.outcome is Outcome.UNJUDGEABLE]
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
