"""What samples cost: tokens, money and time, as far as they are known."""

from __future__ import annotations

import math
import statistics
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from regreen.evaluate.metrics import quantile
from regreen.report.sample import Sample


@dataclass(frozen=True, slots=True)
class CostSummary:
    """The cost of some samples, added up; money is the sum of the known prices."""

    prompt_tokens: int
    completion_tokens: int
    tokens_unknown: int
    """Samples whose tokens are not known: in no sum of them."""
    usd: float
    usd_unknown: int
    """Samples whose price is not known: in no sum of money."""
    model_calls: int
    candidates: int
    seconds: float
    seconds_median: float | None
    seconds_p95: float | None

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(slots=True)
class CostCounter:
    """Adds up the cost of samples, one after the other."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    tokens_unknown: int = 0
    usd_unknown: int = 0
    model_calls: int = 0
    candidates: int = 0
    usd: array[float] = field(default_factory=lambda: array("d"))
    """The price of each sample: only an exact sum is the same in every order."""
    seconds: array[float] = field(default_factory=lambda: array("d"))

    def add(self, sample: Sample) -> None:
        """Add the cost of one sample."""
        self.prompt_tokens += sample.prompt_tokens or 0
        self.completion_tokens += sample.completion_tokens
        self.tokens_unknown += sample.prompt_tokens is None
        self.usd_unknown += sample.usd is None
        self.model_calls += sample.model_calls
        self.candidates += sample.candidates
        if sample.usd is not None:
            self.usd.append(sample.usd)
        if sample.seconds is not None:
            self.seconds.append(sample.seconds)

    def summary(self) -> CostSummary:
        """The cost of all samples added so far."""
        seconds = self.seconds
        return CostSummary(
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            tokens_unknown=self.tokens_unknown,
            usd=math.fsum(self.usd),
            usd_unknown=self.usd_unknown,
            model_calls=self.model_calls,
            candidates=self.candidates,
            seconds=math.fsum(seconds),
            seconds_median=statistics.median(seconds) if seconds else None,
            seconds_p95=quantile(seconds, 0.95) if seconds else None,
        )


def total_costs(samples: Iterable[Sample]) -> CostSummary:
    """The cost of some samples, added up."""
    spent = CostCounter()
    for sample in samples:
        spent.add(sample)
    return spent.summary()
