"""Prices of tokens, from genai-prices."""

from __future__ import annotations

from collections.abc import Callable

from regreen.models.contract import Usage
from regreen.models.providers import Endpoint

Price = Callable[[Usage], float | None]
"""US dollars for the tokens of one request; None where no price is known."""


def free_of_charge(usage: Usage) -> float | None:
    """The price of models on the user's own machine: nothing."""
    return 0.0


def price_unknown(usage: Usage) -> float | None:
    """The price of models that are not in the table: unknown, never taken for nothing."""
    return None


def price_of(endpoint: Endpoint) -> Price:
    """The price of a model's tokens."""
    if endpoint.provider.free:
        return free_of_charge
    seller, model = _listed(endpoint)
    if seller is None:
        return price_unknown

    def price(usage: Usage) -> float | None:
        from genai_prices import Usage as Counted
        from genai_prices import calc_price

        with_usage = Counted(
            input_tokens=usage.prompt, cache_read_tokens=min(usage.cached, usage.prompt), output_tokens=usage.completion
        )
        try:
            return float(calc_price(with_usage, model, provider_id=seller).total_price)
        except (LookupError, ValueError):
            return None

    return price if price(Usage(prompt=1, completion=1)) is not None else price_unknown


def _listed(endpoint: Endpoint) -> tuple[str | None, str]:
    """The seller and the model under the names of genai-prices; None where the seller is open."""
    if endpoint.provider.name != "huggingface":
        return endpoint.provider.prices, endpoint.model
    model, _, seller = endpoint.model.partition(":")
    # The router chooses the seller, and so the price, unless the name gives one after a colon.
    return (f"huggingface_{seller}" if seller else None), model
