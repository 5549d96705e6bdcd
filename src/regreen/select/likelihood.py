"""How likely a behaviour is to be right: a logistic model of a handful of features, fitted on repairs of known end.

`training/fit_likelihood.py` fits the weights and shows how well what is said agrees with what came true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log1p
from typing import Final

from regreen.select.behaviour import Behaviour
from regreen.select.by_chance import SYNTHESISED_ORIGIN, chance_nats
from regreen.select.overfitting import overfitting_score
from regreen.select.prose import NO_PROSE, Prose, prose_cost
from regreen.select.signs import signs_cost

WEIGHTS: Final = (2.43, 0.445, 0.395, -0.551, 0.0, -0.64, 0.19, -1.425, -0.046, -0.48, -1.13)
"""Of a constant and the features. As fitted, but for the constant, which was 0.2 more: a warning too many is forgiven
sooner than one too few."""
_LEAST_SHARE: Final = 0.01
_LEAST_PRIOR: Final = 1e-6


@dataclass(frozen=True, slots=True)
class RepairEvidence:
    """What a repair is judged by, beside its own text."""

    before: str
    """The program as it was."""
    checks_text: str
    checks: int
    """How many pass."""
    plausible: int
    """How many candidates passed them, of those that were compared."""
    prose: Prose = NO_PROSE


def likelihood_of(behaviour: Behaviour, evidence: RepairEvidence) -> float:
    """How likely the best candidate of a behaviour is right, in (0, 1)."""
    return likelihood_from(likelihood_features(behaviour, evidence))


def likelihood_features(behaviour: Behaviour, evidence: RepairEvidence) -> tuple[float, ...]:
    """What the model goes by, one number for each weight but the first.

    The log odds of its share among those that pass; the logarithm of the number of checks; how much it looks made for
    the checks; the logarithms of how many candidates pass, of the lines of the program, and of how often its template
    is right; those of what odd signs of its change and contradictions to the prose cost it; how much oftener than
    others changes of its families pass by chance, in nats; and how many expressions were made of values that checks
    show.
    """
    before, after, origin = evidence.before, behaviour.best.candidate.source, behaviour.best.candidate.origin
    share = min(max(behaviour.share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return (
        log(share / (1 - share)),
        log(max(evidence.checks, 1)),
        overfitting_score(before, after, evidence.checks_text),
        log(max(evidence.plausible, 1)),
        log(1 + before.count("\n")),
        log(max(behaviour.best.prior, _LEAST_PRIOR)),
        log1p(max(signs_cost(before, after), 0.0)),
        log1p(max(prose_cost(evidence.prose, before, after), 0.0)),
        chance_nats(origin),
        float(origin.count(SYNTHESISED_ORIGIN)),
    )


def likelihood_from(features: Sequence[float], weights: Sequence[float] = WEIGHTS) -> float:
    """The probability that the model gives."""
    odds = weights[0] + sum(weight * value for weight, value in zip(weights[1:], features, strict=True))
    return 1 / (1 + exp(-odds))
