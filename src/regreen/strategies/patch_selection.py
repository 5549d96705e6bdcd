"""Which of the plausible candidates is handed over: ranked, proven, and made as small as it can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from regreen.propose.search.mutation import Mutation
from regreen.select import Ranked, change_in_words, edit_size, minimise, order
from regreen.strategies.confidence import is_robust
from regreen.strategies.session import checks_text
from regreen.types import Attempt, Candidate, Isolation, Task, Verdict

MANY_TRIES, FEW_TRIES = 60, 20
"""Programs that are judged to make a patch smaller; few where each takes long, as with pytest."""
QUICK = 1.0
"""Seconds that a quick suite takes at most."""
PROOFS = 5
"""How many of the plausible are put before the judge, in order, before the first proven one is taken."""

LEAST_SECONDS, PATIENCE = 0.2, 10.0
"""CPU seconds that a check gets while changes are undone, and how many times what it took before: some undone changes
make a program hang."""


class Prove(Protocol):
    """The judge's word on one candidate."""

    def __call__(self, candidate: Candidate, *, fail_fast: bool = False, seconds: float | None = None) -> Verdict:
        """Judge it; with `fail_fast`, up to the first check that fails; `seconds` of CPU a check, if that is less."""
        ...


class Finds(Protocol):
    """What a search has found."""

    plausible: list[Mutation]
    attempts: list[Attempt]

    def candidate(self, mutation: Mutation) -> Candidate:
        """The whole program with a mutation done."""
        ...


def select_patch(task: Task, finds: Finds, prove: Prove) -> Attempt:
    """The best of the plausible that the judge confirms, with every change undone that it does not need.

    At least one attempt of `finds` must have passed; further proofs are added to its attempts.
    """
    proven = {attempt.candidate.id: attempt for attempt in finds.attempts if attempt.verdict.passed}
    ranked = order(
        [Ranked(finds.candidate(m), min(max(m.score, 0.0), 1.0), m.line) for m in finds.plausible],
        task.source,
        checks_text(task),
    )
    best = _first_proven([r.candidate for r in ranked][:PROOFS], proven, finds.attempts, prove)
    return minimise_patch(task.source, best or next(iter(proven.values())), prove)


def best_passing(task: Task, attempts: Sequence[Attempt]) -> Attempt | None:
    """The smallest change of those that pass, doubtful ones only where there is no other; None where none passes."""
    passing = {attempt.candidate.id: attempt for attempt in attempts if attempt.verdict.passed}
    robust = {name: attempt for name, attempt in passing.items() if is_robust(task, attempt)}
    ranked = order([Ranked(a.candidate) for a in (robust or passing).values()], task.source, checks_text(task))
    return passing[ranked[0].candidate.id] if ranked else None


def _first_proven(
    candidates: Sequence[Candidate], proven: Mapping[str, Attempt], attempts: list[Attempt], prove: Prove
) -> Attempt | None:
    for candidate in candidates:
        if candidate.id in proven:
            return proven[candidate.id]
        attempt = Attempt(candidate, prove(candidate))
        attempts.append(attempt)
        if attempt.verdict.passed:
            return attempt
    return None


def minimise_patch(before: str, attempt: Attempt, prove: Prove) -> Attempt:
    """A passing attempt with every change undone that it does not need, proven again; itself where there is none."""
    after = attempt.candidate.source

    seconds = LEAST_SECONDS + PATIENCE * max((r.cpu_seconds for r in attempt.verdict.results.values()), default=0.0)

    def still_passes(source: str) -> bool:
        return prove(replace(attempt.candidate, source=source), fail_fast=True, seconds=seconds).passed

    smaller = minimise(before, after, still_passes, tries=_tries(attempt.verdict), within_lines=False)
    if smaller == after or edit_size(before, smaller) == edit_size(before, after):
        return attempt
    note = change_in_words(before, smaller)
    candidate = Candidate(smaller, attempt.candidate.origin, parent=attempt.candidate.id, note=note)
    verdict = prove(candidate)
    return Attempt(candidate, verdict) if verdict.passed else attempt


def _tries(verdict: Verdict) -> int:
    is_quick = verdict.isolation is Isolation.SEPARATE and verdict.seconds <= QUICK
    return MANY_TRIES if is_quick else FEW_TRIES
