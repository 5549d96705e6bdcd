"""Guesses where nothing is red: small changes that keep every check green and do otherwise elsewhere.

The same search, with nothing to repair: what passes is ranked as repairs are, and what answers as the program does on
all inputs that could be made is left out. Nothing confirms a guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from regreen.select import RankedCandidate, changed_lines
from regreen.select.answer_texts import agrees
from regreen.select.prose.prose_agreement import decisive_quotes
from regreen.strategies.choosing.behaviours import Observer, open_observer
from regreen.strategies.choosing.choice import rank_by_behaviour
from regreen.strategies.searching.search_run import SearchRun
from regreen.strategies.session import RepairSession
from regreen.types import Answers, Attempt, Stop

MOST_TRIED = 1_500
"""Changes that are tried: the likeliest ones come first, and nothing tells when to stop."""
MOST_GUESSES = 5
_MOST_PROOFS = 10


@dataclass(frozen=True, slots=True)
class Guess:
    """A change that keeps every check green."""

    attempt: Attempt
    line: int
    """The first line that it changes, from 1."""
    question: str = ""
    """An expression that gives something else with it; empty where no input was found."""
    now: str = ""
    """What that gives: a value's `repr`, "raises NAME" or "hangs"."""
    then: str = ""
    """What it gives with the change."""
    quotes: tuple[str, ...] = ()
    """Sentences with which the changed program agrees, and the given one does not."""


def guess_changes(session: RepairSession, run: SearchRun, most: int = MOST_GUESSES) -> list[Guess]:
    """The most suspicious changes, one for each place; none where a check is red, or where nothing passes.

    `run` is a search that has not run yet; it gets no more than `MOST_TRIED` candidates. Each guess was proven: the
    judge says that every check passes with it.
    """
    if session.baseline.red:
        return []
    run.budget = replace(run.budget, candidates=min(run.budget.candidates, MOST_TRIED))
    plausible = run.plausible_candidates() if run.run() is Stop.FIXED else []
    if not plausible:
        return []
    with open_observer(session, session.task.source) as observer:
        differing = differing_candidates(observer, session.task.source, plausible)
        choice = rank_by_behaviour(session, differing, observer) if differing else None
        found = list(_guesses(session, observer, choice.candidates if choice else [], most))
    run.findings.attempts += [guess.attempt for guess in found]
    return found


def differing_candidates(
    observer: Observer, source: str, plausible: Sequence[RankedCandidate]
) -> Sequence[RankedCandidate]:
    """Those that answer an input as the given program does not; all of them where there is no input to ask with.

    They are the smaller part, and only so many are compared: the others must not take their places.
    """
    if not observer.inputs:
        return plausible
    given, *answers = observer.answers([source, *(ranked.candidate.source for ranked in plausible)])
    return [
        ranked for ranked, found in zip(plausible, answers, strict=True) if _first_difference(given, found) is not None
    ]


def _first_difference(given: Answers, found: Answers) -> int | None:
    """The place of the first answer that is another one; None where none is."""
    return next((n for n, (now, then) in enumerate(zip(given, found, strict=False)) if not agrees(now, then)), None)


def _guesses(
    session: RepairSession, observer: Observer, candidates: Sequence[RankedCandidate], most: int
) -> Iterator[Guess]:
    """Of candidates, best first: what the judge confirms, one for each place."""
    source = session.task.source
    given, *answers = observer.answers([source, *(ranked.candidate.source for ranked in candidates)])
    lines: set[int] = set()
    proofs = 0
    for candidate, found in zip([ranked.candidate for ranked in candidates], answers, strict=True):
        line = next(iter(changed_lines(source, candidate.source)), 1)
        differ = _first_difference(given, found)
        if line in lines or proofs == _MOST_PROOFS:
            continue
        proofs += 1
        attempt = Attempt(candidate, session.prove(candidate))
        if not attempt.verdict.passed:
            continue
        lines.add(line)
        quotes = tuple(dict.fromkeys(decisive_quotes(observer.prose, candidate.source, [source])))
        if differ is None:
            yield Guess(attempt, line, quotes=quotes)
        else:
            yield Guess(attempt, line, observer.words_at(differ), given[differ], found[differ], quotes)
        if len(lines) == most:
            return
