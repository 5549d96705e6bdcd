"""How likely a behaviour is to be right: a logistic model of a handful of features, fitted on repairs of known end.

`training/fit_likelihood.py` fits the weights and shows how well what is said agrees with what came true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log, log1p, log2
from typing import Final

from regreen.select.behaviour import Behaviour
from regreen.select.by_chance import SYNTHESISED_ORIGIN, chance_nats
from regreen.select.overfitting import overfitting_score
from regreen.select.prose.prose_agreement import NO_PROSE, Prose, prose_cost
from regreen.select.signs import signs_cost
from regreen.types import CheckResult, Outcome

WEIGHTS: Final = (2.933, 0.428, 0.168, -0.502, -0.126, -0.571, 0.302, -0.797, -0.15, -0.169, -1.169, 0.0, 1.2)
"""Of a constant, a tenth below what was fitted, and the features, as fitted, but for that of the prose (0.0)."""
_LEAST_SHARE: Final = 0.01
_LEAST_PRIOR: Final = 1e-6
_FEW_FUNCTIONS: Final = 5
_MOST_LINES: Final = 400
"""Nothing was learnt of longer programs."""
_PLAIN_STEPS: Final = frozenset(("syntax", "plain_slips"))
"""What the text of a program says alone, before any check does."""
_ONE_OF_TWO: Final = frozenset(("True", "False", "None", "0", "[]", "()", "{}", "''", "set()"))
"""Answers that any other behaviour may come upon."""
_UNEQUAL: Final = re.compile(r"(?:\w+ differ: )?(?P<one>.+?) != (?P<other>.+)")
"""What unittest says of two values: which of them was expected, it does not say."""
_MOST_BITS: Final = 6.0
"""Of one answer: a long text is mostly what the program gave already."""


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
    asked: float = 1.0
    """How many bits the checks ask for that were red, see `asked_bits`."""


def likelihood_of(behaviour: Behaviour, evidence: RepairEvidence) -> float:
    """How likely the best candidate of a behaviour is right, in (0, 1)."""
    return likelihood_from(likelihood_features(behaviour, evidence))


def likelihood_features(behaviour: Behaviour, evidence: RepairEvidence) -> tuple[float, ...]:
    """What the model goes by, one number for each weight but the first.

    The log odds of its share among those that pass; the logarithm of the number of checks; how much it looks made for
    the checks; the logarithms of how many candidates pass, of the lines of the program, and of how often its template
    is right; those of what odd signs of its change and contradictions to the prose cost it; how much oftener than
    others changes of its families pass by chance, in nats; how many expressions were made of values that checks show;
    the logarithm of how many bits the checks ask for that were red; and how many of its steps are plain, beside
    others: who made such slips has made others, and that they are undone is no choice.
    """
    before, after, origin = evidence.before, behaviour.best.candidate.source, behaviour.best.candidate.origin
    share = min(max(behaviour.share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return (
        log(share / (1 - share)),
        log(max(evidence.checks, 1)),
        overfitting_score(before, after, evidence.checks_text),
        log(max(evidence.plausible, 1)),
        log(1 + min(before.count("\n"), _MOST_LINES)),
        log(max(behaviour.best.prior, _LEAST_PRIOR)),
        log1p(max(_beside_what_was(before, after, signs_cost), 0.0)),
        log1p(max(_beside_what_was(before, after, partial(prose_cost, evidence.prose)), 0.0)),
        chance_nats(origin),
        float(origin.count(SYNTHESISED_ORIGIN)),
        log(evidence.asked),
        _plain_steps_beside_others(origin),
    )


def _plain_steps_beside_others(origin: str) -> float:
    """How many steps of an origin (`search:syntax+other_name`) are plain; 0 where all of them are."""
    steps = origin.partition(":")[2].split("+")
    plain = sum(map(_PLAIN_STEPS.__contains__, steps))
    return float(plain) if plain < len(steps) else 0.0


def _beside_what_was(before: str, after: str, cost: Callable[[str, str], float]) -> float:
    """What a change costs; of what the program costs as it was, that of a long module counts less.

    That a small program reads one of its parameters nowhere, or does not do what its docstring says, tells that it is
    not repaired yet. Of a module of twenty functions one that does so is as it was meant.
    """
    functions = before.count("def ")
    share = min(1.0, _FEW_FUNCTIONS / max(functions, 1))
    return cost(before, after) - (1 - share) * cost(before, before)


def likelihood_from(features: Sequence[float], weights: Sequence[float] = WEIGHTS) -> float:
    """The probability that the model gives."""
    odds = weights[0] + sum(weight * value for weight, value in zip(weights[1:], features, strict=True))
    return 1 / (1 + exp(-odds))


def asked_bits(results: Iterable[CheckResult]) -> float:
    """About how many bits of answers these red checks ask for together, at least 1.

    An exception, a truth value or an empty answer counts as 1, another answer as 1 more than the logarithm, to the
    base 2, of the length of its text, and as 6 at most.
    """
    return max(1.0, sum(map(_bits, results)))


def _bits(result: CheckResult) -> float:
    asked = result.expected if result.outcome is Outcome.FAILED else ""
    if result.outcome is Outcome.FAILED and not asked and (said := _UNEQUAL.match(result.detail)):
        asked = min(said["one"], said["other"], key=len)
    if not asked or asked in _ONE_OF_TWO:
        return 1.0
    return min(_MOST_BITS, 1 + log2(1 + len(asked)))
