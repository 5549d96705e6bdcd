"""What it costs to choose a candidate, in changed tokens: what the cost is made of, and how much each part weighs."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import log1p
from operator import mul
from typing import Final

from regreen.select.edit_extent import edit_size, moved_tokens, repeated_tokens
from regreen.select.overfitting import overfitting_score
from regreen.select.signs import signs_cost
from regreen.select.signs.lost_values import spared_tokens
from regreen.select.signs.vain_work import cut_fractions


@dataclass(frozen=True, slots=True)
class CostParts:
    """The parts of a cost, each before its weight; or their weights."""

    size: float = 0.0
    """Natural logarithm of one more than the tokens that the edit changes, at least 0: a further token of a long line
    that was lost says little, and how much the line says about itself is counted by how natural it reads."""
    overfitting: float = 0.0
    """How much the change looks made for the checks, in [0, 1]."""
    cut_fractions: float = 0.0
    """Divisions that round down and did not before, where the checks have fractions."""
    signs: float = 0.0
    """What odd signs of the change cost, in changed tokens."""
    prose: float = 0.0
    """What contradictions to the prose cost, in changed tokens."""
    unlikely: float = 0.0
    """How often the search's estimate is halved from that of the likeliest candidate to this one's, at least 0."""
    together: float = 0.0
    """Further changes that the search put together with the first."""
    synthesised: float = 0.0
    """Expressions that were made of values seen in the checks."""
    odd_boundaries: float = 0.0
    """`49 < x` where another candidate has `50 <= x`."""
    numbers_for_names: float = 0.0
    """Numbers where another candidate has a variable."""
    turned_steps: float = 0.0
    """`n + 1` where the program says `n - 1` and another candidate `n`."""
    overcounted_groups: float = 0.0
    """`n // m + 1` where another candidate rounds up."""
    by_chance: float = 0.0
    """How much oftener than others changes of its families pass by chance, in nats; below 0 where more seldom."""
    nats: float = 0.0
    """Logarithm of the probability of its text, from where the texts of the candidates first differ; at most 0, and 0
    where it was not asked for."""
    words: float = 0.0
    """Tokens of the program; 0 where `nats` was not asked for. Their weight is what a token is thought to cost in
    probability: without it, dropping code would read better than any other change."""

    def weighed(self, weights: CostParts) -> float:
        """The sum of all parts, each times its weight."""
        return sum(map(mul, astuple(self), astuple(weights)), 0.0)


COST_WEIGHTS: Final = CostParts(
    size=0.7,
    overfitting=8.0,
    # Dividing by what is right takes three tokens more.
    cut_fractions=4.0,
    signs=1.0,
    prose=1.0,
    unlikely=0.9,
    # A single change that suffices is less likely to pass by chance.
    together=2.5,
    # Of all that passes, these are most often there by chance.
    synthesised=6.0,
    # More than two nudges differ in their priors, as much as a further change.
    odd_boundaries=3.0,
    # Checks seldom ask with many different ones, and a name has a lower prior and reads less probable than 2.
    numbers_for_names=2.0,
    # One symbol is changed where two are dropped, yet the program is two off then, and people are off by one.
    turned_steps=2.5,
    # Rounding up takes more tokens to write.
    overcounted_groups=3.0,
    # Two tokens are a nat wherever shares are made of costs.
    by_chance=2.0,
    # 5.5 nats make up for a changed token, and a token is expected to cost 2.4 nats.
    nats=-1 / 5.5,
    words=-2.4 / 5.5,
)
"""In changed tokens for each unit of a part. `training/fit_ranking.py` fits them; these are rounded."""


def parts_of_change(before: str, after: str, checks_text: str = "") -> CostParts:
    """The parts that a change has by itself, whatever else passes: size, overfitting, cut fractions and signs."""
    if before == after:
        return CostParts()
    spared = moved_tokens(before, after) + repeated_tokens(before, after) + spared_tokens(before, after)
    return CostParts(
        size=log1p(max(edit_size(before, after).tokens - spared, 0)),
        overfitting=overfitting_score(before, after, checks_text),
        cut_fractions=cut_fractions(before, after, checks_text),
        signs=signs_cost(before, after),
    )


def ranking_cost(before: str, after: str, checks_text: str = "") -> float:
    """The cost of choosing `after`, in changed tokens: at least 0, and 0 for no change at all."""
    return parts_of_change(before, after, checks_text).weighed(COST_WEIGHTS)
