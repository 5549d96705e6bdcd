"""Which passing candidate is handed over: ranked, proven, and made as small as it can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from regreen.plain_slips import may_leave_slips, plain_slips
from regreen.select import RankedCandidate, change_in_words, changed_lines, edit_size, minimise, rank_candidates
from regreen.select.behaviour import Behaviour
from regreen.select.prose.prose_agreement import read_prose
from regreen.strategies.choosing.behaviours import Observer
from regreen.strategies.choosing.choice import Ask, RankedChoice, rank_by_behaviour
from regreen.strategies.choosing.confidence import changed_places, is_robust
from regreen.strategies.session import RepairSession, checks_text
from regreen.syntax import parsed_or_none, unbound_names
from regreen.types import Alternative, Attempt, Candidate, Isolation, Question, Stop, Task, Verdict

MANY_TRIES, FEW_TRIES = 60, 20
"""Programs that are judged to make a patch smaller: few where each takes long, as with pytest."""
QUICK_SECONDS = 1.0
"""Wall time of a suite up to which many tries are affordable."""
MOST_PROOFS = 5
"""How many plausible candidates are put before the judge, in order, until one is proven."""

_LEAST_CHECK_SECONDS, _CHECK_SECONDS_FACTOR = 0.2, 10.0
"""CPU limit of a check while changes are undone: 0.2 s, and 10 times what the slowest check took, since an undone
change may make the program hang."""


@dataclass(frozen=True, slots=True)
class PatchStanding:
    """How a repair stands among all that passes, so that it can be set beside what passes in another module."""

    share: float
    """Among what passes in its own module, in (0, 1]."""
    cost: float
    """Beside the program as it is, in changed tokens."""
    likelihood: Callable[[float], float]
    """How likely it is to be right, in [0, 1], by its share among all that passes."""


@dataclass(frozen=True)
class SelectedPatch:
    """The repair that a search hands over, and how it stands beside others that pass."""

    chosen: Attempt
    likelihood: float | None = None
    standing: PatchStanding | None = None
    """How it stands beside others; None where nobody knows how likely it is."""
    alternatives: tuple[Alternative, ...] = ()
    questions: tuple[Question, ...] = ()
    quotes: tuple[str, ...] = ()
    """Words of the prose that decided."""
    unmet: tuple[str, ...] = ()
    """Checks for what the user answered, where nothing that passes gives all of it."""


def select_patch(
    session: RepairSession,
    plausible: Sequence[RankedCandidate],
    attempts: list[Attempt],
    observer: Observer,
    *,
    alternatives: int = 0,
    ask: Ask | None = None,
) -> SelectedPatch:
    """The best of the plausible candidates that the judge confirms, with every unneeded change undone.

    At least one of `attempts` must have passed; further proofs are added to them. `alternatives` is how many others
    are proven, too; `ask` is asked where likely ones do not agree.
    """
    choice = rank_by_behaviour(session, plausible, observer, ask)
    proven = {attempt.candidate.id: attempt for attempt in attempts if attempt.verdict.passed}
    ranked = [ranked.candidate for ranked in choice.candidates][:MOST_PROOFS]
    best = _first_proven(session, ranked, proven, attempts)
    if best is None:
        return SelectedPatch(minimise_patch(session, next(iter(proven.values()))))
    place = next(n for n, behaviour in enumerate(choice.behaviours) if _holds(behaviour, best.candidate))
    others = _proven_others(session, choice, place, alternatives, attempts) if alternatives else ()
    likely = partial(choice.likelihood, session.task, place, len(best.verdict.results))
    likelihood = likely()
    standing = PatchStanding(choice.behaviours[place].share, choice.lone_cost(session.task, place), likely)
    others = share_what_is_left(others, 1 - likelihood)
    if choice.unmet:
        return SelectedPatch(best, questions=choice.questions, unmet=choice.unmet)
    return SelectedPatch(minimise_patch(session, best), likelihood, standing, others, choice.questions, choice.quotes)


def share_what_is_left(others: Sequence[Alternative], left: float) -> tuple[Alternative, ...]:
    """The alternatives with likelihoods that make no more than `left` together: only one behaviour can be right."""
    shared = no_more_than(left, [other.likelihood for other in others])
    return tuple(replace(other, likelihood=likely) for other, likely in zip(others, shared, strict=True))


def no_more_than(most: float, likelihoods: Sequence[float]) -> list[float]:
    """The likelihoods, made smaller alike where they are more than `most` together."""
    total = sum(likelihoods)
    factor = min(1.0, most / total) if total else 1.0
    return [factor * likelihood for likelihood in likelihoods]


def _holds(behaviour: Behaviour, candidate: Candidate) -> bool:
    return any(ranked.candidate.id == candidate.id for ranked in behaviour.members)


def _proven_others(
    session: RepairSession, choice: RankedChoice, chosen: int, most: int, attempts: list[Attempt]
) -> tuple[Alternative, ...]:
    """The best of each other behaviour that the judge confirms, up to `most`."""
    found: list[Alternative] = []
    for place, behaviour in enumerate(choice.behaviours):
        if place == chosen or len(found) == most:
            continue
        attempt = Attempt(behaviour.best.candidate, session.prove(behaviour.best.candidate))
        attempts.append(attempt)
        if attempt.verdict.passed:
            likelihood = choice.likelihood(session.task, place, len(attempt.verdict.results))
            found.append(Alternative(attempt.candidate, likelihood))
    return tuple(found)


def best_passing(task: Task, attempts: Sequence[Attempt]) -> Attempt | None:
    """The smallest change of those that pass, a doubtful one only where there is no other; None where none passes."""
    passing = {attempt.candidate.id: attempt for attempt in attempts if attempt.verdict.passed}
    robust = {name: attempt for name, attempt in passing.items() if is_robust(task, attempt)}
    ranked = rank_candidates(
        [RankedCandidate(a.candidate) for a in (robust or passing).values()],
        task.source,
        checks_text(task),
        prose=read_prose(task.source, task.statement),
    )
    return passing[ranked[0].candidate.id] if ranked else None


def _first_proven(
    session: RepairSession,
    candidates: Sequence[Candidate],
    proven: Mapping[str, Attempt],
    attempts: list[Attempt],
) -> Attempt | None:
    for candidate in candidates:
        if candidate.id in proven:
            return proven[candidate.id]
        attempt = Attempt(candidate, session.prove(candidate))
        attempts.append(attempt)
        if attempt.verdict.passed:
            return attempt
    return None


def minimise_partial(session: RepairSession, best: Attempt | None, stop: Stop) -> Attempt | None:
    """The best partial result without the changes that turn no check green; as it is after an interrupt or an error."""
    if best is None or stop in (Stop.INTERRUPTED, Stop.ERROR) or changed_places(session.task, best) < 2:
        return best
    return minimise_patch(session, best)


def minimise_patch(session: RepairSession, attempt: Attempt) -> Attempt:
    """An attempt with every change undone that none of its green checks needs, proven again; else as it is.

    Where the program is wrong though no check is red, none needs any change, and the attempt stays as it is.
    """
    if session.task.known_wrong and not session.baseline.red:
        return attempt
    before, after = session.task.source, attempt.candidate.source
    passes, green = attempt.verdict.passed, attempt.verdict.green
    longest = max((result.cpu_seconds for result in attempt.verdict.results.values()), default=0.0)
    seconds = _LEAST_CHECK_SECONDS + _CHECK_SECONDS_FACTOR * longest

    known, has_slips, left = _unbound(after), may_leave_slips(before), len(plain_slips(after))
    undone = _lines_of_slips(before, after)

    def still_passes(source: str) -> bool:
        if not _unbound(source) <= known or (has_slips and len(plain_slips(source)) > left):
            # Half of a renaming, or a slip that came back: the other half, or what shows it, is where no check looks.
            return False
        if any(0 < len(lines.intersection(changed_lines(before, source))) < len(lines) for lines in undone):
            # A slip is undone as a whole: half of it may be another one.
            return False
        proof = session.prove(replace(attempt.candidate, source=source), fail_fast=passes, seconds=seconds)
        return green <= proof.green

    smaller = minimise(before, after, still_passes, tries=_tries(attempt.verdict), within_lines=False)
    if smaller == after or edit_size(before, smaller) == edit_size(before, after):
        return attempt
    note = change_in_words(before, smaller)
    candidate = Candidate(smaller, attempt.candidate.origin, parent=attempt.candidate.id, note=note)
    verdict = session.prove(candidate)
    return replace(attempt, candidate=candidate, verdict=verdict) if green <= verdict.green else attempt


def _lines_of_slips(before: str, after: str) -> list[frozenset[int]]:
    """The lines, from 1, of each plain slip of a program, where there are several and another one changes them all."""
    changed = frozenset(changed_lines(before, after))
    slips = (frozenset(before.count("\n", 0, edit.start) + 1 for edit in slip.edits) for slip in plain_slips(before))
    return [lines for lines in slips if len(lines) > 1 and lines <= changed]


def _unbound(source: str) -> frozenset[str]:
    """The names that a program reads and binds nowhere; of one that does not parse, none."""
    tree = parsed_or_none(source)
    return frozenset() if tree is None else frozenset(unbound_names(tree))


def _tries(verdict: Verdict) -> int:
    is_quick = verdict.isolation is Isolation.SEPARATE and verdict.seconds <= QUICK_SECONDS
    return MANY_TRIES if is_quick else FEW_TRIES
