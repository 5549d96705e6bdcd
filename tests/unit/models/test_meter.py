"""What is counted, what it costs, and limits that hold over all threads."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.config import Settings
from regreen.errors import BudgetSpent, ModelUnavailable
from regreen.models.contract import Message, Reply, Request, Usage
from regreen.models.meter import CostEstimate, Meter, MeteredModel
from regreen.models.prices import free_of_charge, price_of, price_unknown
from regreen.models.providers import NAMELESS, PROVIDERS, Endpoint

ASKED = Request((Message("user", "Hello."),), max_tokens=50, node="draft")


class Fixed:
    """Answers everything with the same usage."""

    name = "fixed"

    def __init__(self, usage: Usage, extra: dict[str, object] | None = None) -> None:
        self.reply = Reply("Hi.", usage=usage, extra=extra or {})
        self.asked = 0

    def ask(self, request: Request) -> Reply:
        self.asked += 1
        return self.reply

    def close(self) -> None:
        """Nothing to close."""


def dollar_a_token(usage: Usage) -> float | None:
    return float(usage.prompt + usage.completion)


def test_tokens_and_money_are_counted_by_node_and_in_all() -> None:
    """As plain data that a record can hold."""
    meter = Meter()
    model = MeteredModel(Fixed(Usage(10, 5, 2, 1)), meter, dollar_a_token)
    model.ask(ASKED)
    model.ask(replace(ASKED, node="reflect"))
    reply = model.ask(replace(ASKED, node="reflect"))
    totals = json.loads(json.dumps(meter.totals()))
    assert reply.usd == 15
    assert (totals["calls"], totals["prompt"], totals["completion"], totals["reasoning"]) == (3, 30, 15, 6)
    assert (totals["cached"], totals["usd"], totals["unpriced"]) == (3, 45, 0)
    assert {node: totals["calls"] for node, totals in totals["by_node"].items()} == {"draft": 1, "reflect": 2}
    assert (meter.spent_tokens, meter.spent_usd) == (45, 45)


def test_an_unknown_price_is_none_and_never_zero() -> None:
    """A sum with an unknown part is unknown."""
    meter = Meter()
    priced, unpriced = (MeteredModel(Fixed(Usage(1, 1)), meter, price) for price in (dollar_a_token, price_unknown))
    assert priced.ask(ASKED).usd == 2
    assert meter.totals()["usd"] == 2
    assert unpriced.ask(ASKED).usd is None
    assert (meter.totals()["usd"], meter.totals()["unpriced"]) == (None, 1)


@pytest.mark.parametrize("mark", ["from_tape", "from_cache"])
def test_a_recorded_reply_costs_nothing(mark: str) -> None:
    """Neither money nor tokens; it is counted apart."""
    meter = Meter(max_tokens=20)
    model = MeteredModel(Fixed(Usage(10, 5), {mark: True}), meter, price_unknown)
    assert [model.ask(ASKED).usd for _ in range(5)] == [0.0] * 5
    totals = meter.totals()
    assert (totals["calls"], totals["replayed"], totals["usd"], meter.spent_tokens) == (0, 5, 0, 0)


@pytest.mark.parametrize(
    ("limits", "kind", "asked"),
    [
        ({"max_tokens": 30}, "tokens", 2),
        ({"max_tokens": 31}, "tokens", 3),
        ({"max_usd": 44.0}, "usd", 3),
        ({"max_tokens": 31, "spent_tokens": 10}, "tokens", 2),
        ({"max_usd": 31.0, "spent_usd": 31.0}, "usd", 0),
    ],
)
def test_a_limit_is_refused_before_asking(limits: dict[str, float], kind: str, asked: int) -> None:
    """What a resumed run had spent before counts, too."""
    fixed = Fixed(Usage(10, 5))
    model = MeteredModel(fixed, Meter(**limits), dollar_a_token)  # type: ignore[arg-type]
    for _ in range(asked):
        model.ask(ASKED)
    with pytest.raises(BudgetSpent) as raised:
        model.ask(ASKED)
    assert (raised.value.kind, fixed.asked) == (kind, asked)


def test_limits_come_from_the_settings() -> None:
    """And what was spent from whoever resumes."""
    meter = Meter.of(Settings(max_tokens=10), spent_tokens=10, spent_usd=0.5)
    assert (meter.spent_tokens, meter.spent_usd) == (10, 0.5)
    with pytest.raises(BudgetSpent), meter.reserved(CostEstimate(1)):
        raise AssertionError


def test_a_request_that_fails_gives_back_what_was_reserved() -> None:
    """Others near the limit can go on."""

    class Failing(Fixed):
        def ask(self, request: Request) -> Reply:
            raise ModelUnavailable("down")

    meter = Meter(max_tokens=100)
    for _ in range(50):
        with pytest.raises(ModelUnavailable):
            MeteredModel(Failing(Usage()), meter, free_of_charge).ask(ASKED)
    assert MeteredModel(Fixed(Usage(1, 1)), meter, free_of_charge).ask(ASKED).text == "Hi."
    assert meter.spent_tokens == 2


@given(st.integers(50, 2000), st.integers(1, 60), st.integers(2, 8))
def test_threads_do_not_overshoot_by_more_than_one_request(limit: int, size: int, count: int) -> None:
    """However many ask at once, when requests come to what was estimated at most."""
    meter = Meter(max_tokens=limit)
    refused = []

    def spend() -> None:
        try:
            while True:
                with meter.reserved(CostEstimate(size)):
                    meter.count(Reply("", usage=Usage(size - 1, 1)), "draft")
        except BudgetSpent as error:
            refused.append(error)

    threads = [threading.Thread(target=spend) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == count
    assert limit <= meter.spent_tokens < limit + size


def test_a_request_waits_for_others_near_the_limit() -> None:
    """It is neither sent, which might overshoot, nor refused, as there may be room yet."""
    meter = Meter(max_tokens=100)
    admitted = threading.Event()

    def second() -> None:
        with meter.reserved(CostEstimate(60)):
            admitted.set()

    thread = threading.Thread(target=second)
    with meter.reserved(CostEstimate(60)):
        thread.start()
        assert not admitted.wait(0.1)
    assert admitted.wait(5)
    thread.join()


@pytest.mark.parametrize(
    ("provider", "model", "usd"),
    [
        ("openai", "gpt-4o-mini", 0.15 + 0.6),
        ("openrouter", "openai/gpt-4o-mini", 0.15 + 0.6),
        ("ollama", "anything", 0.0),
        ("vllm", "anything", 0.0),
        ("lmstudio", "anything", 0.0),
        ("llamacpp", "anything", 0.0),
        ("local", "anything", 0.0),
        ("scripted", "anything", 0.0),
        ("openai", "no-such-model", None),
        ("huggingface", "Qwen/Qwen3-8B", None),
    ],
)
def test_prices_are_those_of_the_table_or_unknown(provider: str, model: str, usd: float | None) -> None:
    """US dollars for a million tokens each way; what runs at the user's own is free."""
    found = price_of(Endpoint(PROVIDERS[provider], model))(Usage(1_000_000, 1_000_000))
    assert found == (usd if usd is None else pytest.approx(usd))


def test_tokens_from_a_services_cache_are_cheaper() -> None:
    """As the service bills them."""
    price = price_of(Endpoint(PROVIDERS["openai"], "gpt-4o-mini"))
    assert price(Usage(1000, 0, 0, 900)) < price(Usage(1000))  # type: ignore[operator]


def test_nobody_knows_the_price_of_a_service_of_ones_own() -> None:
    """It is said to be unknown, and so a limit of money is refused."""
    assert price_of(Endpoint(NAMELESS, "gpt-4o-mini")) is price_unknown
