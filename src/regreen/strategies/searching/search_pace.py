"""How a search spends its budget: the constants of its loop in one table, and what they grant one mutation.

Where no other source is named, a number was chosen by hand; `benchmarks/search.py` shows what another one costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

from regreen.propose.search.raising_places import OF_WRONG_KINDS, raised_exceptions
from regreen.sandbox.guest.runner.mutation_runs.screening_run import UNHASHABLE
from regreen.types import Budget, CheckResult, Outcome, Suite, SuiteKind
from regreen.verify.screening import DEFAULT_SKIPPED_SECONDS, CheckCost, ProgramTrace, ScreeningLimits

BATCH_SIZES = (16, 32, 64, 128, 256)
"""Mutations screened at a time, the last size from then on: small at first, so that an easy repair is found at once;
large later, since each batch costs a round trip to the screeners."""


@dataclass(frozen=True, slots=True)
class LookAround:
    """How long mutations are tried after the first repair, for other behaviours."""

    least: int
    """So many at least."""
    most: int
    """So many at most."""
    halvings: float
    """As long as what is tried is not so many times half as likely, by its score, as the likeliest that passes."""

    def beside(self, ticks: int, given_ticks: int = 0) -> LookAround:
        """The same beside a repair whose checks take so many ticks: shorter where they are dear.

        A wrong program often ends a test with its first input, and what passes takes a thousand times as long. What the
        given program took is counted in these bounds already.
        """
        known = max(given_ticks, DEAR_TICKS)
        share = known / max(ticks, known)
        least, most = (min(bound, max(int(share * bound), LEAST_AROUND_DEAR)) for bound in (self.least, self.most))
        return replace(self, least=least, most=most)


FEW_CHECKS = 5
"""So many checks, or fewer, let several changes pass."""
LOOK_AROUND, LOOK_AROUND_FEW, LOOK_AROUND_PROJECT, LOOK_AROUND_SLOW = (
    LookAround(300, 1_500, 3.5),
    LookAround(600, 10_000, 5.5),
    LookAround(150, 1_000, 4.5),
    LookAround(60, 300, 3.5),
)
"""Where there are many checks, few of them, tests that run in their project, and tests of pytest that are too slow for
more. In a project one red test of many often asks for little, and the change that passes first is often not the one.

Of 427 repairs that were right and chosen, none was less than 1/2^5.3 as likely as the likeliest that passed, and one in
fifty less than 1/2^3.1: what comes later costs time, and could only mislead.
"""
HANGING, HANGING_FEW = LookAround(600, 600, 0.0), LookAround(3_000, 3_000, 0.0)
"""Where the program hangs, so do many changes of it, some of which a clock ends. What is learnt of them, and so the
score of later ones, may depend on the load; for how long they are tried must not.
"""
UNSOUND_HALVINGS = 1.5
"""Added where the first repair looks made for the checks: a better one may come late."""
DEAR_TICKS, LEAST_AROUND_DEAR = 100_000, 100
"""Where the checks of a repair take more ticks than these, some hundredths of a second, fewer mutations are tried."""
PYTEST_TICKS = 30_000
"""Tests of pytest that take more ticks than these are looked around for a shorter time."""
LOOK_AROUND_TIME_SHARE = 0.5
"""What is tried after the first repair may take half as long as the whole budget of time, even where that ends."""
LEAST_TICKS = 1 << 13
"""Ticks (turns of loops and calls of functions) that every mutation may take, for all checks together."""
TICKS_FACTOR, MANY_TICKS_FACTOR, MANY_TICKS = 10, 2, 30_000
"""A mutation may take ten times the ticks of the traced run; of those beyond the first 30,000 twice as many. What hangs
would cost far more than what does not, and a program that is slower still gets a second chance."""
LEAST_CPU_SECONDS = 0.01
CPU_SECONDS_FACTOR, MUCH_CPU_SECONDS_FACTOR, MUCH_CPU_SECONDS = 5.0, 2.0, 0.1
"""CPU backstop for code whose ticks are dear, or that spends none: 5 times the traced time, at least 0.01 s; of what is
beyond 0.1 s twice as much. To trace takes longer than to run, so what is dear is measured without.

What a clock cuts short is tried once more with three times as long, so a few such mutations cost more than thousands.
"""
PROPERTY_EXAMPLES = 100
"""Examples of a property that Hypothesis draws unless it is told otherwise; where one fails, it is the last."""
LATE_TICKS = 5_000
LATE_SECONDS = 0.1
"""A check that takes so many ticks or CPU seconds, that hangs, or that sleeps for real, is only run where all others
pass; unless it is red, and so is none that costs less."""
LEAST_IDLE_SECONDS = 0.05
IDLE_SECONDS_FACTOR = 3.0
"""A check sleeps for real that was idle for longer than 0.05 s; a mutation may sleep three times as long."""
SKIPPED_SECONDS_FACTOR = 3.0
"""How many times the sleep of the traced run is skipped, before a mutation counts as sleeping for ever."""
LEAST_CHECK_TICKS, CHECK_TICKS_FACTOR = 1 << 10, 16
"""At its first chance a mutation may take 16 times as many ticks in one check as the longest check that ended, and at
least 1,024: what hangs then costs little more than what does not."""
CHANCE_EVERY = (32, 1024)
"""One more chance with a larger allowance, for the mutation that passed the most checks before it hung, falls due with
so many mutations tried: with the ticks of all checks together in one, and then with `LAST_CHANCE_TICKS` times as many,
which costs as much as a hundred mutations that do not hang."""
LAST_SECOND_CHANCES = 200
"""Chances of each kind that are left for when there is nothing else to try."""
LOADED_ANEW_EVERY = 16
"""Where the program stays loaded: one mutation for which it has to be loaded anew falls due with so many that were
tried, since that takes up to fifteen times as long."""
MOST_WAITING = 4096
"""Mutations of each kind that wait for that, the first ones: their memory has a bound."""
LAST_CHANCE_TICKS = 16
LAST_CHANCE_CPU_SECONDS = 4.0
"""How many times the allowance before it a mutation's last chance is."""
LAST_CHANCE_LEAST_CPU_SECONDS = 0.4
"""The last chance has at least so long: a repair may be slow where the wrong program is not."""
KEPT_NEAR_MISSES = 4
"""Near misses that a search remembers: one is judged at its end, a model is shown three."""
LEAST_SHARE_GAINED = 0.01
"""How much further a failing test has to come, as a share of its assertions, to count as improved."""
KEPT_IMPROVEMENTS = 3
"""Mutations that pass the same further checks and that a search remembers, the first ones, each in another line: of two
in one line the one is as wrong as the other where the fault is elsewhere."""
KEPT_AS_GOOD = 40
"""Mutations that pass the same further checks, in whatever line: once one of them is a part of a repair, the others are
tried in its place."""
ALL_RAISE = 0.999
"""From this share of the failing checks on, all of them raise: shares are added up."""
AT_EXCEPTION = 4.0
"""How many times likelier to be meant a change of what the exception speaks of is than one that ends it from elsewhere,
beyond what their scores say."""
EXCEPTION_ENDED = 0.1
"""What it is worth that an exception is ended, beside how much nearer the checks come, in [0, 1]."""
ENDED_WHOLLY = 0.3
"""What it is worth at least, on the same scale, that nothing is raised any more."""
MOST_EXCEPTIONS = 5
"""Exceptions that are ended one after the other before the search goes on as without them."""
MENDED_PROGRAMS = 8
"""From how many mendings of a program's syntax the search goes on, where mending alone is not enough."""
ALONE_AT_FIRST = 1_024
"""Mutations of the given program before others are searched: most repairs are found by then."""
IMPROVED_PROGRAMS = 6
"""Of how many changed programs that win checks and lose none the mutations are tried, too; one that passes more checks
than all before it is always among them."""
MOST_PARTS = 5
"""Groups of red checks that are searched for by themselves, where they run different functions."""
PART_CANDIDATES, PART_LOOK_AROUND = 1_500, LookAround(400, 1_000, 3.5)
"""Mutations that are tried for one such group, and for how many of them it is looked around for another repair."""
REPAIRS_OF_A_PART = {2: 8, 3: 4, 4: 3}
"""How many repairs of each group are joined with those of the others, by the number of groups; two of more groups."""
RIVALS, RIVAL_TURN = 3, 256
"""Where a repair takes several changes: from how many other changes that win checks, and for how many mutations each,
it is searched for another one."""
FIRST_TURN, TURN_GROWTH = 256, 4
"""Mutations of the nearest of them in its first turn, and how many times as many in each further one; the second
nearest gets half as many, the third a third, and so on."""

MEAN_TICKS, LEAST_SHARE_TRIED = 1 << 11, 0.2
"""The checks of a candidate may take so many ticks on average, beyond the first fifth of the candidates: a search whose
candidates are dearer ends earlier. Of the 164 programs of HumanEvalFix that is one, for which nothing is found; of the
others the dearest takes a quarter of it."""


def is_spent(budget: Budget, tried: int, ticks: int) -> bool:
    """Whether so many candidates, whose checks took so many ticks, are all that a budget has, or as dear as all."""
    is_dear = tried >= budget.candidates * LEAST_SHARE_TRIED and ticks >= budget.candidates * MEAN_TICKS
    return is_dear or tried >= budget.candidates


def look_around_of(suite: Suite, ticks: int = 0, *, hangs: bool = False) -> LookAround:
    """How long to look around with these checks, which took so many ticks on the program as it is, or hang.

    The fewer there are, the more changes pass them; and what is slow costs more than it tells.
    """
    if suite.project is not None:
        return LOOK_AROUND_PROJECT
    is_pytest = suite.kind is SuiteKind.PYTEST
    if hangs:
        return HANGING_FEW if len(suite) <= FEW_CHECKS and not is_pytest else HANGING
    if is_pytest:
        share = PYTEST_TICKS / max(ticks, PYTEST_TICKS)
        least, most = (int(share * bound) for bound in (LOOK_AROUND.least, LOOK_AROUND.most))
        slow = LOOK_AROUND_SLOW
        return replace(LOOK_AROUND, least=max(least, slow.least), most=max(most, slow.most))
    return LOOK_AROUND_FEW if len(suite) <= FEW_CHECKS else LOOK_AROUND


@dataclass(frozen=True, slots=True)
class MutationLimits:
    """What one mutation may use, for all checks together."""

    chances: tuple[ScreeningLimits, ...]
    """The first ones, and those of each further chance after the limits before were used up. With the first ones a
    program that stays loaded is not loaded anew."""

    @property
    def first(self) -> ScreeningLimits:
        """The limits of a mutation that was not tried before."""
        return self.chances[0]

    @property
    def anew(self) -> ScreeningLimits:
        """The same for a mutation for which the program is to be loaded anew."""
        return replace(self.first, loads_anew=True)

    @classmethod
    def of(
        cls,
        traced: ProgramTrace,
        most_seconds: float,
        repeats: int = 1,
        *,
        late: Set[str] = frozenset(),
        real_time: Set[str] = frozenset(),
    ) -> MutationLimits:
        """Derived from what the program as it is used; `most_seconds` is the user's CPU limit of a check.

        A program that is right may run its checks `repeats` times where a wrong one ran them once. `late` are the
        checks to run after all others, `real_time` those in which no sleep is skipped.
        """
        costs = traced.costs.values()
        late_ticks = sum(traced.costs[check].ticks for check in late if check in traced.costs)
        early = [check for check in traced.results if check not in late]
        first = ScreeningLimits(
            _ticks(repeats * (traced.ticks - late_ticks)),
            min(_seconds(repeats * _untraced(traced, early)), most_seconds * max(1, len(early))),
            late=frozenset(late),
            late_ticks=_ticks(repeats * late_ticks),
            late_seconds=_seconds(repeats * _untraced(traced, late)),
            skipped_seconds=max(
                DEFAULT_SKIPPED_SECONDS, SKIPPED_SECONDS_FACTOR * sum(cost.skipped_seconds for cost in costs)
            ),
            idle_seconds=IDLE_SECONDS_FACTOR * max((cost.idle_seconds for cost in costs if _sleeps(cost)), default=0.0),
            real_time=frozenset(real_time),
            raising={c: _wrong_kind(r) for c in early if (r := traced.results[c]).outcome is Outcome.RAISED},
            reached=frozenset().union(*traced.coverage.values()),
        )
        check_ticks = _check_ticks(repeats * _longest(traced, early))
        last = _last_chance(first, most_seconds)
        if check_ticks >= first.ticks:
            return cls((replace(first, loads_anew=False), last))
        at_first = replace(first, check_ticks=check_ticks, loads_anew=False)
        return cls((at_first, replace(first, tries_slow_again=False), last))


def _wrong_kind(result: CheckResult) -> str:
    """The class of the exception with which a check ended, where it tells of a value of the wrong kind; or nothing."""
    if result.detail.startswith(UNHASHABLE):
        return UNHASHABLE
    return next((one.name for one in raised_exceptions([result]) if one.name in OF_WRONG_KINDS), "")


def late_checks(traced: ProgramTrace, green: Set[str]) -> frozenset[str]:
    """The checks that are worth running only where all others pass; a red one among them never decides alone."""
    dear = {check for check in traced.results if _is_dear(traced, check)}
    red = traced.results.keys() - green
    return frozenset(dear if red - dear else dear - red)


def _is_dear(traced: ProgramTrace, check: str) -> bool:
    if traced.results[check].outcome is Outcome.TIMED_OUT:
        return True
    cost = traced.costs.get(check)
    if cost is None:
        return False
    return cost.ticks >= LATE_TICKS or traced.seconds_of([check]) >= LATE_SECONDS or _sleeps(cost)


def _last_chance(before: ScreeningLimits, most_seconds: float) -> ScreeningLimits:
    return replace(
        before,
        ticks=before.ticks * LAST_CHANCE_TICKS,
        seconds=max(before.seconds, min(_last_seconds(before.seconds), most_seconds)),
        late_ticks=before.late_ticks * LAST_CHANCE_TICKS,
        late_seconds=_last_seconds(before.late_seconds),
        tries_slow_again=False,
    )


def _last_seconds(before: float) -> float:
    return max(before * LAST_CHANCE_CPU_SECONDS, LAST_CHANCE_LEAST_CPU_SECONDS)


def _longest(traced: ProgramTrace, checks: Iterable[str]) -> int:
    """Ticks of the longest of these checks that came to an end."""
    return max((traced.costs[check].ticks for check in checks if check in traced.costs), default=0)


def _check_ticks(used: int) -> int:
    return max(used * CHECK_TICKS_FACTOR, LEAST_CHECK_TICKS)


def _ticks(used: int) -> int:
    few = min(used, MANY_TICKS)
    return max(few * TICKS_FACTOR + (used - few) * MANY_TICKS_FACTOR, LEAST_TICKS)


def _untraced(traced: ProgramTrace, checks: Iterable[str]) -> float:
    """About the CPU seconds that checks take where nothing is traced; those of little are as good as any."""
    seconds, together = traced.seconds_of(checks), traced.seconds_of(traced.results)
    if traced.plain_seconds is None or seconds <= MUCH_CPU_SECONDS:
        return seconds
    return min(seconds, max(seconds * traced.plain_seconds / together, MUCH_CPU_SECONDS))


def _seconds(used: float) -> float:
    little = min(used, MUCH_CPU_SECONDS)
    return max(little * CPU_SECONDS_FACTOR + (used - little) * MUCH_CPU_SECONDS_FACTOR, LEAST_CPU_SECONDS)


def _sleeps(cost: CheckCost) -> bool:
    return cost.idle_seconds > LEAST_IDLE_SECONDS
