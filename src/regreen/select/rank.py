"""Room 5: ranks the candidates that pass, the best one first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log1p, log2

from regreen.select.boundaries import numbers_for_names, odd_boundaries, turned_steps
from regreen.select.edit_extent import edit_size, moved_tokens, repeated_tokens
from regreen.select.gains import signs_gained
from regreen.select.group_counts import overcounted_groups
from regreen.select.lost_values import spared_tokens
from regreen.select.overfitting import overfitting_score
from regreen.select.prose import NO_PROSE, Prose, prose_cost
from regreen.select.signs import signs_cost
from regreen.select.tokens import significant_tokens
from regreen.select.vain_work import cut_fractions
from regreen.syntax import constant_text, tree, walk
from regreen.types import Candidate, ProgramScorer

_SIZE_WEIGHT = 1.4
"""Cost of an edit of n tokens, for each nat of 1 + n: about one for the first token, and less for each further one. A
long line that was lost is one slip, and how much it says about itself is counted by how natural it reads."""

_OVERFITTING_WEIGHT = 8.0
"""Cost of an overfitting score of 1, in changed tokens."""

_CUT_WEIGHT = 4.0
"""Cost, in changed tokens, of a division that rounds down and did not before, where the checks have fractions: dividing
by what is right takes three tokens more."""

_PRIOR_WEIGHT = 0.9
"""Cost, in changed tokens, of each halving of the prior below the best one."""

_LEAST_PRIOR = 1e-9
_SYNTHESISED = "synthesised"
"""What the search calls such an expression in the origin of a candidate."""

_TOGETHER_WEIGHT = 3.0
"""Cost, in changed tokens, of each further change that search combined with the first: a single change that suffices is
less likely to pass by chance."""

_SYNTHESISED_WEIGHT = 3.0
"""Cost, in changed tokens, of an expression that was made of values seen in the checks: of all that passes, these are
most often there by chance."""

_ODD_BOUNDARY_WEIGHT = 3.0
"""Cost, in changed tokens, of a boundary such as `49 < x` where `50 <= x` passes as well: more than two nudges differ
in their priors, as much as a further change."""

_NUMBER_FOR_NAME_WEIGHT = 2.0
"""Cost, in changed tokens, of a number where a variable passes as well: checks seldom ask with many different ones, and
a name has a lower prior and reads less probable than 2."""

_TURNED_STEP_WEIGHT = 2.5
"""Cost, in changed tokens, of `n + 1` where the program says `n - 1` and `n` passes as well: one symbol is changed
where two are dropped, yet the program is two off then, and people are off by one."""

_OVERCOUNT_WEIGHT = 3.0
"""Cost, in changed tokens, of `n // m + 1` where rounding up passes as well, which takes more tokens to write."""

_NATS_PER_TOKEN = 5.5
"""How much more probable a program must read to make up for one more changed token."""

_NATS_OF_A_TOKEN = 2.4
"""What a word of a program is thought to cost in probability, in nats: without it, dropping code would read better than
any other change."""

MOST_SCORED = 60
"""How many candidates are compared by their probability: those with the lowest cost."""


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate that passes, with the search's estimate of it."""

    candidate: Candidate
    prior: float = 0.0
    """How often the template that made it is right, in [0, 1]."""
    line: int = 0
    """The first line that it changes."""


def rank_candidates(
    plausible: Sequence[RankedCandidate],
    before: str,
    checks_text: str = "",
    scorer: ProgramScorer | None = None,
    prose: Prose = NO_PROSE,
) -> list[RankedCandidate]:
    """The candidates, the best one first; the order of `plausible` does not matter.

    Ranked by cost: the size of the edit of `before`, to which special cases for literals of `checks_text`, unused
    variables, values read astray or gathered in vain, fractions cut off, statements out of reach, answers of an odd
    kind, equality loosened, chains that turn round, copies for the sake of a default, operations without effect,
    arguments changed in place, combined changes, odd boundaries, numbers for names, turned steps, what contradicts
    `prose` and a prior below the best one add. Among equals, the better prior comes first, then fewer new constants,
    then the earlier line, then the text itself.
    With a `scorer`, those of lowest cost are ranked once more, by cost and by how probable it finds their text, for its
    length.
    """
    return [ranked for ranked, _ in priced_candidates(plausible, before, checks_text, scorer, prose)]


def priced_candidates(
    plausible: Sequence[RankedCandidate],
    before: str,
    checks_text: str = "",
    scorer: ProgramScorer | None = None,
    prose: Prose = NO_PROSE,
) -> list[tuple[RankedCandidate, float]]:
    """As `rank_candidates`, each with its cost in changed tokens: only the differences count."""
    best = max((ranked.prior for ranked in plausible), default=0.0)
    texts = [ranked.candidate.source for ranked in plausible]
    counted = (
        (_ODD_BOUNDARY_WEIGHT, odd_boundaries(texts)),
        (_NUMBER_FOR_NAME_WEIGHT, numbers_for_names(before, texts)),
        (_TURNED_STEP_WEIGHT, turned_steps(before, texts)),
        (_OVERCOUNT_WEIGHT, overcounted_groups(before, texts)),
    )
    beside = [sum(weight * counts[n] for weight, counts in counted) for n in range(len(texts))]
    keyed = sorted((_key(ranked, before, checks_text, best, beside[n], prose), n) for n, ranked in enumerate(plausible))
    ordered = [(plausible[n], key[0]) for key, n in keyed]
    if scorer is None or len(ordered) < 2:
        return ordered
    scored = ordered[:MOST_SCORED]
    sources = [ranked.candidate.source for ranked, _ in scored]
    nats = [
        likely + _NATS_OF_A_TOKEN * len(significant_tokens(source))
        for likely, source in zip(scorer.log_probabilities(sources), sources, strict=True)
    ]
    costs = [cost + (max(nats) - likely) / _NATS_PER_TOKEN for (_, cost), likely in zip(scored, nats, strict=True)]
    again = sorted(range(len(scored)), key=lambda place: (costs[place], place))
    worst = max(costs)
    rest = [(ranked, max(cost, worst)) for ranked, cost in ordered[MOST_SCORED:]]
    return [*((scored[place][0], costs[place]) for place in again), *rest]


def ranking_cost(before: str, after: str, checks_text: str = "") -> float:
    """The cost of choosing `after`, in changed tokens: at least 0, and 0 for no change at all."""
    if before == after:
        return 0.0
    spared = moved_tokens(before, after) + repeated_tokens(before, after) + spared_tokens(before, after)
    size = _SIZE_WEIGHT * log1p(max(edit_size(before, after).tokens - spared, 0))
    overfitting = _OVERFITTING_WEIGHT * overfitting_score(before, after, checks_text)
    return size + overfitting + signs_cost(before, after) + _CUT_WEIGHT * cut_fractions(before, after, checks_text)


def _key(
    ranked: RankedCandidate, before: str, checks_text: str, best: float, beside: float, prose: Prose
) -> tuple[float, float, int, int, str]:
    after = ranked.candidate.source
    unlikely = _PRIOR_WEIGHT * log2(max(best, _LEAST_PRIOR) / max(ranked.prior, _LEAST_PRIOR))
    together = _TOGETHER_WEIGHT * (ranked.candidate.changes - 1)
    cost = ranking_cost(before, after, checks_text) + prose_cost(prose, before, after)
    made = _SYNTHESISED_WEIGHT * ranked.candidate.origin.count(_SYNTHESISED)
    cost = round(cost + unlikely + together + made + beside, 3)
    return cost, -ranked.prior, _new_constants(before, after), ranked.line, after


def _new_constants(before: str, after: str) -> int:
    """Number of constants that `after` has more than `before`; 0 where one of them does not parse."""
    return signs_gained(before, after, _constants)


def _constants(source: str) -> Iterator[str]:
    return (constant_text(node.value) for node in walk(tree(source)) if isinstance(node, ast.Constant))
