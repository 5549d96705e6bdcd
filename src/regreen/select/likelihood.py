"""How likely a behaviour is to be right: a logistic model of a handful of features, fitted on repairs of known end.

`training/fit_likelihood.py` fits the weights and shows how well what is said agrees with what came true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from regreen.select.behaviour import Behaviour
from regreen.select.edit_extent import edit_size
from regreen.select.naturalness import NgramScorer
from regreen.select.overfitting import overfitting_score

WEIGHTS: Final = (4.344, 0.275, 0.757, 0.0, -0.263, -0.391, 0.034, -0.548, -0.712, 0.251)
"""Of a constant and the features. As fitted, but for the constant, which was 0.5 less: the order of what passes has
become better since then, so that what was said came true more often."""
_LEAST_SHARE: Final = 0.01
_MOST_FURTHER_CHANGES: Final = 3
_MOST_NATS: Final = 10.0
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


def likelihood_of(behaviour: Behaviour, evidence: RepairEvidence) -> float:
    """How likely the best candidate of a behaviour is right, in (0, 1)."""
    return likelihood_from(likelihood_features(behaviour, evidence))


def likelihood_features(behaviour: Behaviour, evidence: RepairEvidence) -> tuple[float, ...]:
    """What the model goes by, one number for each weight but the first.

    The log odds of its share among those that pass; the logarithm of the number of checks; further changes; how much it
    looks made for the checks; the logarithm of its size in tokens; how much more natural than before it reads, in nats;
    the logarithms of how many candidates pass, of the lines of the program, and of how often its template is right.
    """
    before, checks = evidence.before, evidence.checks
    candidate = behaviour.best.candidate
    share = min(max(behaviour.share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return (
        log(share / (1 - share)),
        log(max(checks, 1)),
        float(min(candidate.changes - 1, _MOST_FURTHER_CHANGES)),
        overfitting_score(before, candidate.source, evidence.checks_text),
        log(1 + edit_size(before, candidate.source).tokens),
        _gain(before, candidate.source),
        log(max(evidence.plausible, 1)),
        log(1 + before.count("\n")),
        log(max(behaviour.best.prior, _LEAST_PRIOR)),
    )


def _gain(before: str, after: str) -> float:
    """How much more probable the shipped n-grams find a text than the one before, in nats, within bounds."""
    old, new = NgramScorer().log_probabilities([before, after])
    return min(max(new - old, -_MOST_NATS), _MOST_NATS)


def likelihood_from(features: Sequence[float], weights: Sequence[float] = WEIGHTS) -> float:
    """The probability that the model gives."""
    odds = weights[0] + sum(weight * value for weight, value in zip(weights[1:], features, strict=True))
    return 1 / (1 + exp(-odds))
