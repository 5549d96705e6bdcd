"""Room 5: ranks the candidates that pass, the best one first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import Final

from regreen.select.by_chance import SYNTHESISED_ORIGIN, chance_nats
from regreen.select.cost import COST_WEIGHTS, CostParts, parts_of_change
from regreen.select.prose.prose_agreement import NO_PROSE, Prose, prose_cost
from regreen.select.signs.gains import signs_gained
from regreen.select.signs.group_counts import overcounted_groups
from regreen.select.signs.odd_boundaries import numbers_for_names, odd_boundaries, turned_steps
from regreen.select.tokens import significant_tokens
from regreen.syntax import constant_text, nodes_of, tree
from regreen.types import Candidate, ProgramScorer

_LEAST_PRIOR: Final = 1e-9
MOST_SCORED: Final = 60
"""How many candidates are compared by their probability: those with the lowest cost."""


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate that passes, with the search's estimate of it."""

    candidate: Candidate
    prior: float = 0.0
    """How often the template that made it is right, in [0, 1]."""
    line: int = 0
    """The first line that it changes."""


@dataclass(frozen=True, slots=True)
class PricedCandidate:
    """A candidate with what it costs to choose it."""

    ranked: RankedCandidate
    parts: CostParts
    """What its cost is made of."""
    cost: float
    """In changed tokens: only the differences between candidates count."""


def rank_candidates(
    plausible: Sequence[RankedCandidate],
    before: str,
    checks_text: str = "",
    scorer: ProgramScorer | None = None,
    prose: Prose = NO_PROSE,
) -> list[RankedCandidate]:
    """The candidates, the best one first, as `priced_candidates` has them; the order of `plausible` does not matter."""
    return [priced.ranked for priced in priced_candidates(plausible, before, checks_text, scorer, prose)]


def priced_candidates(
    plausible: Sequence[RankedCandidate],
    before: str,
    checks_text: str = "",
    scorer: ProgramScorer | None = None,
    prose: Prose = NO_PROSE,
) -> list[PricedCandidate]:
    """The candidates with their costs, the cheapest first.

    `CostParts` says what they cost, beside the program as it was (`before`), the text of its checks, what its prose
    says, and one another. Among equals, the better prior comes first, then fewer new constants, then the earlier line,
    then the text itself. With a `scorer`, those of lowest cost are ranked once more, by how probable it finds them.
    """
    priced = [
        PricedCandidate(ranked, parts, round(parts.weighed(COST_WEIGHTS), 3))
        for ranked, parts in zip(plausible, _parts(plausible, before, checks_text, prose), strict=True)
    ]
    priced.sort(key=lambda one: _place(one, before))
    if scorer is None or len(priced) < 2:
        return priced
    read = _read(priced[:MOST_SCORED], scorer)
    worst = max(one.cost for one in read)
    return [*read, *(replace(one, cost=max(one.cost, worst)) for one in priced[MOST_SCORED:])]


def lone_cost(
    ranked: RankedCandidate, before: str, checks_text: str, scorer: ProgramScorer, prose: Prose = NO_PROSE
) -> float:
    """What a candidate costs beside the program as it was, in changed tokens.

    Nothing else that passes counts here, so that candidates of two programs can be set beside one another.
    """
    after = ranked.candidate.source
    (parts,) = _parts([ranked], before, checks_text, prose)
    first, last = scorer.log_probabilities([before, after])
    words = len(significant_tokens(after)) - len(significant_tokens(before))
    halvings = -log2(max(ranked.prior, _LEAST_PRIOR))
    return replace(parts, unlikely=halvings, nats=last - first, words=words).weighed(COST_WEIGHTS)


def _parts(plausible: Sequence[RankedCandidate], before: str, checks_text: str, prose: Prose) -> Iterator[CostParts]:
    """All parts of each candidate's cost but how probable its text is."""
    best = max((ranked.prior for ranked in plausible), default=0.0)
    texts = [ranked.candidate.source for ranked in plausible]
    beside = zip(
        odd_boundaries(texts),
        numbers_for_names(before, texts),
        turned_steps(before, texts),
        overcounted_groups(before, texts),
        strict=True,
    )
    for ranked, (odd, numbers, turned, overcounted) in zip(plausible, beside, strict=True):
        candidate = ranked.candidate
        yield replace(
            parts_of_change(before, candidate.source, checks_text),
            prose=prose_cost(prose, before, candidate.source),
            unlikely=log2(max(best, _LEAST_PRIOR) / max(ranked.prior, _LEAST_PRIOR)),
            together=candidate.changes - 1,
            synthesised=candidate.origin.count(SYNTHESISED_ORIGIN),
            odd_boundaries=odd,
            numbers_for_names=numbers,
            turned_steps=turned,
            overcounted_groups=overcounted,
            by_chance=chance_nats(candidate.origin),
        )


def _place(priced: PricedCandidate, before: str) -> tuple[float, float, int, int, str]:
    """By what candidates are sorted before their texts are read."""
    after = priced.ranked.candidate.source
    return priced.cost, -priced.ranked.prior, _new_constants(before, after), priced.ranked.line, after


def _read(priced: Sequence[PricedCandidate], scorer: ProgramScorer) -> list[PricedCandidate]:
    """Candidates with how probable their texts are, in a new order; equals keep theirs."""
    sources = [one.ranked.candidate.source for one in priced]
    read = [
        replace(one.parts, nats=nats, words=len(significant_tokens(source)))
        for one, nats, source in zip(priced, scorer.log_probabilities(sources), sources, strict=True)
    ]
    added = [CostParts(nats=parts.nats, words=parts.words).weighed(COST_WEIGHTS) for parts in read]
    # The most natural one costs what it did.
    least = min(added)
    costs = [one.cost + more - least for one, more in zip(priced, added, strict=True)]
    found = [replace(one, parts=parts, cost=cost) for one, parts, cost in zip(priced, read, costs, strict=True)]
    return sorted(found, key=lambda one: one.cost)


def _new_constants(before: str, after: str) -> int:
    """Number of constants that `after` has more than `before`; 0 where one of them does not parse."""
    return signs_gained(before, after, _constants)


def _constants(source: str) -> Iterator[str]:
    return (constant_text(node.value) for node in nodes_of(tree(source), ast.Constant))
