"""What a search has tried and found, as plain values that its loop fills in and the choice of a patch reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from regreen.propose.search.mutation import Mutation, ScreenedMutation
from regreen.strategies.searching.search_pace import KEPT_AS_GOOD, KEPT_IMPROVEMENTS, KEPT_NEAR_MISSES
from regreen.strategies.searching.searched_program import SearchedProgram
from regreen.types import STAGES, Attempt


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A screened mutation, and how close it came."""

    passed: frozenset[str]
    """Ids of the checks that it passes."""
    distance: float
    """Mean distance between actual and expected over the failing checks, in [0, 1]."""
    mutation: Mutation
    """Of the given program."""

    @property
    def rank(self) -> tuple[int, float]:
        """Passed checks, then nearness: the greatest is the nearest."""
        return len(self.passed), -self.distance


@dataclass(slots=True)
class SearchFindings:
    """The counters and finds of one search, up to date after each batch."""

    tried: int = 0
    """Mutations that were screened."""
    ticks: int = 0
    """That their checks took together."""
    duplicates: int = 0
    """Mutations that were dropped because an equal one had been proposed."""
    plausible: list[Mutation] = field(default_factory=list)
    """Mutations of the given program that passed the screening; the first of them has been proven, too."""
    attempts: list[Attempt] = field(default_factory=list)
    """Candidates that were put before the judge, in order."""
    near_misses: Sequence[NearMiss] = ()
    """The mutations that came closest, the closest first, no two of which pass the same checks."""
    improvements: dict[frozenset[str], list[Mutation]] = field(default_factory=dict)
    """The likeliest mutations of the given program that win checks and lose none, by the checks that they pass."""
    as_good: dict[frozenset[str], list[Mutation]] = field(default_factory=dict)
    """Beside these, others that pass the same checks, in whatever line: which of them is meant shows in the end."""
    cut_short: bool = False
    """Whether the time ended the search before its budget of candidates did: on another day it might find more."""
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    """By stage."""

    def add_near_miss(self, program: SearchedProgram, screened: ScreenedMutation) -> None:
        """Keep a mutation if it came close: of those that pass the same checks the closest, the earliest of equals."""
        rank = len(screened.passed), -screened.distance
        rival = next((near for near in self.near_misses if near.passed == screened.passed), None)
        if rival is not None and rank <= rival.rank:
            return
        others = [near for near in self.near_misses if near is not rival]
        new = NearMiss(screened.passed, screened.distance, program.whole(screened.mutation))
        self.near_misses = sorted([*others, new], key=lambda near: near.rank, reverse=True)[:KEPT_NEAR_MISSES]

    def add_improvement(self, program: SearchedProgram, screened: ScreenedMutation) -> None:
        """Keep a mutation that wins checks and loses none, unless enough are kept that pass the same ones."""
        kept = self.improvements.setdefault(screened.passed, [])
        as_good = self.as_good.setdefault(screened.passed, [])
        if len(as_good) < KEPT_AS_GOOD:
            whole = program.whole(screened.mutation)
            as_good.append(whole)
            if len(kept) < KEPT_IMPROVEMENTS and all(whole.line != other.line for other in kept):
                kept.append(whole)

    def add_effort(self, other: SearchFindings) -> None:
        """Count what another search has tried, which was for this one."""
        self.tried += other.tried
        self.duplicates += other.duplicates
        for stage, seconds in other.seconds.items():
            self.seconds[stage] += seconds
