"""How likely a behaviour is to be right: a logistic model of a handful of features, fitted on repairs of known end.

`training/fit_likelihood.py` fits the weights and shows how well what is said agrees with what came true.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from regreen.select.behaviour import Behaviour
from regreen.select.edit_extent import edit_size
from regreen.select.overfitting import overfitting_score

WEIGHTS: Final = (-0.129, 0.354, 0.748, -0.909, -0.277, -0.413)
"""Of a constant and the features."""
_LEAST_SHARE: Final = 0.01
_MOST_FURTHER_CHANGES: Final = 3


def likelihood_of(behaviour: Behaviour, before: str, checks_text: str, checks: int) -> float:
    """How likely the best candidate of a behaviour is right, in (0, 1); so many checks pass, of this text."""
    return likelihood_from(likelihood_features(behaviour, before, checks_text, checks))


def likelihood_features(behaviour: Behaviour, before: str, checks_text: str, checks: int) -> tuple[float, ...]:
    """The log odds of its share among those that pass; the logarithm of the number of checks; further changes; how much
    it looks made for the checks; the logarithm of its size in tokens."""
    candidate = behaviour.best.candidate
    share = min(max(behaviour.share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return (
        log(share / (1 - share)),
        log(max(checks, 1)),
        float(min(candidate.changes - 1, _MOST_FURTHER_CHANGES)),
        overfitting_score(before, candidate.source, checks_text),
        log(1 + edit_size(before, candidate.source).tokens),
    )


def likelihood_from(features: Sequence[float], weights: Sequence[float] = WEIGHTS) -> float:
    """The probability that the model gives."""
    odds = weights[0] + sum(weight * value for weight, value in zip(weights[1:], features, strict=True))
    return 1 / (1 + exp(-odds))
