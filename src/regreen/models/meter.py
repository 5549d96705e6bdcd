"""Tokens and money that a run has spent, by node and in all, and the limits on them."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from regreen.config import Settings
from regreen.errors import BudgetSpent
from regreen.models import completions
from regreen.models.contract import ChatModel, Reply, Request, Usage
from regreen.models.prices import Price

_FIRST_GUESS = 1024
"""Expected tokens of a reply, before any reply has been counted."""


@dataclass(slots=True)
class UsageTotals:
    """Totals of calls, tokens and money."""

    calls: int = 0
    """Requests that the model answered; replies from a tape are in `replayed`."""
    prompt: int = 0
    completion: int = 0
    """Reasoning tokens included."""
    reasoning: int = 0
    cached: int = 0
    usd: float = 0.0
    """US dollars of the calls whose price is known."""
    unpriced: int = 0
    """Calls whose price is not known."""
    replayed: int = 0
    """Replies from a tape or a cache, which cost nothing."""

    @property
    def tokens(self) -> int:
        """The tokens that count against a limit."""
        return self.prompt + self.completion

    def add(self, reply: Reply) -> None:
        """Count one reply."""
        if is_replayed(reply):
            self.replayed += 1
            return
        self.calls += 1
        self.prompt += reply.usage.prompt
        self.completion += reply.usage.completion
        self.reasoning += reply.usage.reasoning
        self.cached += reply.usage.cached
        self.usd += reply.usd or 0.0
        self.unpriced += reply.usd is None

    def as_data(self) -> dict[str, Any]:
        """The totals as plain data; `usd` is None where the price of a call is unknown."""
        counts = {field.name: getattr(self, field.name) for field in fields(self)}
        return counts | {"usd": None if self.unpriced else round(self.usd, 9)}


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The expected tokens and US dollars of a request."""

    tokens: int
    usd: float = 0.0


class Meter:
    """Counts the spending of all threads of a run; near a limit a request waits or is refused."""

    def __init__(
        self,
        *,
        max_tokens: int | None = None,
        max_usd: float | None = None,
        spent_tokens: int = 0,
        spent_usd: float = 0.0,
    ) -> None:
        self._max_tokens = max_tokens
        self._max_usd = max_usd
        self._before = CostEstimate(spent_tokens, spent_usd)
        self._all = UsageTotals()
        self._by_node: dict[str, UsageTotals] = defaultdict(UsageTotals)
        self._in_flight: dict[int, CostEstimate] = {}
        self._changed = threading.Condition()

    @classmethod
    def of(cls, settings: Settings, *, spent_tokens: int = 0, spent_usd: float = 0.0) -> Meter:
        """A meter with the limits of the settings."""
        return cls(
            max_tokens=settings.max_tokens,
            max_usd=settings.max_usd,
            spent_tokens=spent_tokens,
            spent_usd=spent_usd,
        )

    @property
    def spent_tokens(self) -> int:
        """Tokens of the whole run, including those before it was resumed."""
        return self._before.tokens + self._all.tokens

    @property
    def spent_usd(self) -> float:
        """US dollars of the whole run, of the calls whose price is known."""
        return self._before.usd + self._all.usd

    def typical_completion(self, request: Request) -> int:
        """Expected tokens of the reply: the average so far, up to the limit of the request."""
        with self._changed:
            seen = self._all.calls
            likely = self._all.completion // seen if seen else _FIRST_GUESS
        return likely if request.max_tokens is None else min(likely, request.max_tokens)

    @contextmanager
    def reserved(self, estimate: CostEstimate) -> Iterator[None]:
        """Hold an estimate back while a request is under way.

        Near a limit it waits until other requests have ended, so that all together overshoot by at most one request
        that costs more than estimated. Raises BudgetSpent when a limit is reached.
        """
        ticket = self._admit(estimate)
        try:
            yield
        finally:
            with self._changed:
                del self._in_flight[ticket]
                self._changed.notify_all()

    def count(self, reply: Reply, node: str) -> None:
        """Add the cost of a reply."""
        with self._changed:
            self._all.add(reply)
            self._by_node[node].add(reply)

    def totals(self) -> dict[str, Any]:
        """Everything counted since the meter was made, as plain data: in all and by node."""
        with self._changed:
            nodes = {node: totals.as_data() for node, totals in sorted(self._by_node.items())}
            return self._all.as_data() | {"by_node": nodes}

    def _admit(self, estimate: CostEstimate) -> int:
        with self._changed:
            while True:
                self._refuse_when_spent()
                if not self._in_flight or self._fits(estimate):
                    break
                self._changed.wait()
            ticket = max(self._in_flight, default=0) + 1
            self._in_flight[ticket] = estimate
            return ticket

    def _refuse_when_spent(self) -> None:
        if self._max_tokens is not None and self.spent_tokens >= self._max_tokens:
            raise BudgetSpent(
                f"The run's {self._max_tokens} tokens are spent ({self.spent_tokens}).",
                kind="tokens",
                remedy="What is done is kept: resume with a higher --max-tokens.",
            )
        if self._max_usd is not None and self.spent_usd >= self._max_usd:
            raise BudgetSpent(
                f"The run's {self._max_usd:g} US dollars are spent ({self.spent_usd:.4f}).",
                kind="usd",
                remedy="What is done is kept: resume with a higher --max-usd.",
            )

    def _fits(self, estimate: CostEstimate) -> bool:
        tokens = self.spent_tokens + estimate.tokens + sum(other.tokens for other in self._in_flight.values())
        usd = self.spent_usd + estimate.usd + sum(other.usd for other in self._in_flight.values())
        return (self._max_tokens is None or tokens <= self._max_tokens) and (
            self._max_usd is None or usd <= self._max_usd
        )


class MeteredModel:
    """A chat model with a meter: its requests are counted, priced and held to limits."""

    def __init__(self, model: ChatModel, meter: Meter, price: Price) -> None:
        self._model = model
        self._meter = meter
        self._price = price

    @property
    def name(self) -> str:
        """The full name of the model that is asked."""
        return self._model.name

    def ask(self, request: Request) -> Reply:
        """The reply with its price; raises BudgetSpent, before asking, when a limit is reached."""
        with self._meter.reserved(self._estimate(request)):
            reply = self._model.ask(request)
            usd = 0.0 if is_replayed(reply) else self._price(reply.usage)
            reply = replace(reply, usd=usd)
            self._meter.count(reply, request.node)
        return reply

    def close(self) -> None:
        """Close the model."""
        self._model.close()

    def _estimate(self, request: Request) -> CostEstimate:
        usage = Usage(completions.estimated_prompt(request), self._meter.typical_completion(request))
        return CostEstimate(usage.prompt + usage.completion, self._price(usage) or 0.0)


def is_replayed(reply: Reply) -> bool:
    """Whether a reply came from a tape or a cache, which costs nothing."""
    return bool(reply.extra.get("from_tape") or reply.extra.get("from_cache"))
