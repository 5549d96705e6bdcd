"""Which behaviour to hand over: candidates that answer alike are one, however they are written."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from regreen.select.answer_texts import agrees, rounded
from regreen.select.prose.stated_examples import DocumentedExample
from regreen.select.rank import RankedCandidate
from regreen.select.relations import NO_RELATIONS, Relations
from regreen.syntax import UNPARSABLE
from regreen.types import Answers

_NEW_KIND_WEIGHT = 8.0
"""Cost, in changed tokens, of results of a kind that neither the checks expect nor the program gives: None among texts,
say. A lost `return` costs less than it in any other way."""
_NEW_FRACTION_WEIGHT = 2.5
"""Cost, in changed tokens, of fractions where there were whole numbers: a check that expects 5 takes 5.0, too, and
halves are what most divisions are for."""
_FRACTIONS = frozenset({"float"})
_NEW_ERROR_WEIGHT = 6.5
"""Cost, in changed tokens, of an exception where the program raises none, and of a kind that it raises nowhere, unless
the checks expect exceptions."""
_EDGE_ERROR_WEIGHT = 2.0
"""Cost, in changed tokens, of such an exception for an input that may not be meant at all, and was answered before."""
_LEFT_ERROR_WEIGHT = 3.0
"""Cost, in changed tokens, of an exception of the kind that failing checks end with: what mends one case alone leaves
others."""
_CONTRADICTION_WEIGHT = 20.0
"""Cost, in changed tokens, of an answer that an example in the prose contradicts: examples are as good as checks, but
nobody runs them, so some are out of date."""
_DOUBT_WEIGHT = 5.0
"""Cost, in changed tokens, of an answer that a sentence contradicts, which may have been misread."""
NOTHING_DOCUMENTED: Mapping[int, DocumentedExample] = {}
TOKENS_PER_NAT = 2.0
"""The difference in cost that makes one behaviour 2.7 times as likely as another one."""
_ERROR, _UNKNOWN = "raises", "object"
_RAISES = "raises "
"""How an answer begins that is an exception."""


@dataclass(frozen=True)
class Behaviour:
    """Candidates that gave the same answers."""

    members: tuple[RankedCandidate, ...]
    """The best first."""
    answers: Answers
    cost: float
    """In changed tokens; only the differences between behaviours count."""
    share: float = 1.0
    """How likely it is beside the others, in (0, 1]: together they make 1."""

    @property
    def best(self) -> RankedCandidate:
        """The candidate that is handed over, if any of them is."""
        return self.members[0]


def rank_behaviours(
    priced: Sequence[tuple[RankedCandidate, float]],
    answers: Sequence[Answers],
    given: Answers,
    edges: Collection[int],
    expected: Sequence[str],
    documented: Mapping[int, DocumentedExample] = NOTHING_DOCUMENTED,
    *,
    failed_with: Collection[str] = (),
    relations: Relations = NO_RELATIONS,
    unmoved: Answers = (),
    excused: Sequence[frozenset[str]] = (),
) -> list[Behaviour]:
    """The behaviours of candidates, the best one first; `priced` are candidates with their costs, best first.

    `answers` are those of each candidate, to the checks' own questions in the end, `given` those of the program as it
    is, `edges` the questions that may not be meant at all, `expected` the values that the checks expect, as text,
    `documented` the answers that prose gives, by the place of the question, `failed_with` the exceptions with which
    checks fail at first, as answers, and `relations` what answers seldom break. `unmoved` is what the program as it is
    answers to all of them, those of the checks included: whoever answers just that is a behaviour of its own. `excused`
    are the answers to each question that nothing is held against, such as taking too long. A behaviour costs
    what its best candidate does, more where it gives what nothing suggests, and most where it contradicts the prose."""
    shown = [said.answer for said in documented.values() if not said.answer.startswith(_RAISES)]
    known = kinds_of([*expected, *shown])
    groups: dict[tuple[Answers, str], tuple[Answers, list[tuple[RankedCandidate, float]]]] = {}
    for pair, answer in zip(priced, answers, strict=True):
        # What turns red checks green does something else than the program as it is. Where no question shows that, none
        # can show that two of them do the same.
        alone = pair[0].candidate.id if answer in ((), unmoved) else ""
        _, pairs = groups.setdefault((tuple(map(rounded, answer)), alone), (answer, []))
        pairs.append(pair)
    found = []
    for answer, pairs in groups.values():
        cost = (
            pairs[0][1]
            + _strangeness(_without_excused(answer, given, excused), given, edges, known, failed_with)
            + _contradiction(answer, documented)
            + relations.cost(answer)
        )
        if any(one in failed_with for number, one in enumerate(answer) if number not in edges):
            cost += _LEFT_ERROR_WEIGHT
        found.append(Behaviour(tuple(ranked for ranked, _ in pairs), answer, cost))
    return _with_shares(sorted(found, key=lambda behaviour: behaviour.cost))


def _without_excused(answers: Answers, given: Answers, excused: Sequence[frozenset[str]]) -> Answers:
    """The answers, with the given program's in the place of those that are excused."""
    found = list(answers)
    for place, (answer, before, ways) in enumerate(zip(answers, given, excused, strict=False)):
        if answer in ways:
            found[place] = before
    return tuple(found)


def _contradiction(answers: Answers, documented: Mapping[int, DocumentedExample]) -> float:
    """The cost of answers that prose contradicts, in changed tokens: that of the surest contradiction."""
    weights = (
        _CONTRADICTION_WEIGHT if said.is_certain else _DOUBT_WEIGHT
        for place, said in documented.items()
        if place < len(answers) and not agrees(answers[place], said.answer)
    )
    return max(weights, default=0.0)


def _with_shares(behaviours: Sequence[Behaviour]) -> list[Behaviour]:
    least = min((behaviour.cost for behaviour in behaviours), default=0.0)
    weights = [exp((least - behaviour.cost) / TOKENS_PER_NAT) for behaviour in behaviours]
    return [
        Behaviour(b.members, b.answers, b.cost, weight / sum(weights))
        for b, weight in zip(behaviours, weights, strict=True)
    ]


def _strangeness(
    answers: Answers, given: Answers, edges: Collection[int], known: frozenset[str], failed_with: Collection[str]
) -> float:
    """The cost of answers that neither the checks nor the program suggest, in changed tokens."""
    pairs = list(zip(answers, given, strict=False))
    cost = 0.0
    # What the program raises for other inputs is meant, unless it is what checks fail with.
    raised = {before for _, before in pairs if before.startswith(_RAISES)}.difference(failed_with)
    meant = [pair for place, pair in enumerate(pairs) if place not in edges and pair[0] not in raised]
    at_edges = [pair for place, pair in enumerate(pairs) if place in edges and pair[0] not in raised]
    if _ERROR not in known and _has_new(meant, lambda found: _ERROR in found):
        cost += _NEW_ERROR_WEIGHT
    elif _ERROR not in known and _has_new(at_edges, lambda found: _ERROR in found):
        cost += _EDGE_ERROR_WEIGHT
    expected = known - {_ERROR}
    # What one expression gives is no measure of another: a check of each is not always there.
    usual = expected | kinds_of(given)
    if expected and _has_new(pairs, lambda found: _is_odd(found, usual)):
        numbers = usual | _FRACTIONS if "int" in usual else usual
        is_strange = _has_new(pairs, lambda found: _is_odd(found, numbers))
        cost += _NEW_KIND_WEIGHT if is_strange else _NEW_FRACTION_WEIGHT
    return cost


def _has_new(pairs: Iterable[tuple[str, str]], is_strange: Callable[[frozenset[str]], bool]) -> bool:
    """Whether the kinds in an answer are strange where those in the program's are not; pairs of both."""
    return any(is_strange(kinds_in(now)) and not is_strange(kinds_in(before)) for now, before in pairs)


def _is_odd(kinds: frozenset[str], usual: frozenset[str]) -> bool:
    return not kinds & {_ERROR, _UNKNOWN} and not kinds <= usual


def kinds_of(texts: Sequence[str]) -> frozenset[str]:
    """The kinds of all these values together."""
    return frozenset().union(*map(kinds_in, texts))


@lru_cache(maxsize=4096)
def kinds_in(answer: str) -> frozenset[str]:
    """The types in a value that is given as text, the outermost told from those inside; or that it is an exception."""
    if answer.startswith(_RAISES) or answer == "hangs":
        return frozenset({_ERROR})
    try:
        value = ast.literal_eval(answer)
    except (*UNPARSABLE, TypeError):
        return frozenset({_UNKNOWN})
    return frozenset({type(value).__name__, *(f"in it: {name}" for name in _inside(value))})


def _inside(value: object) -> frozenset[str]:
    if isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = list(value)
    else:
        return frozenset()
    return frozenset(type(part).__name__ for part in parts).union(*map(_inside, parts))
