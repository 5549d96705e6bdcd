"""What a search may spend."""

from __future__ import annotations

import pytest

from regreen.strategies.searching.search_pace import is_spent
from regreen.types import Budget

_BUDGET = Budget(candidates=1_000)


@pytest.mark.parametrize(
    ("tried", "ticks", "spent"),
    [
        (999, 999, False),
        (1_000, 1_000, True),
        (500, 1_000_000_000, True),
        (50, 1_000_000_000, False),
    ],
    ids=["some are left", "all are tried", "dear ones", "too few dear ones to tell"],
)
def test_a_budget_is_spent_by_number_or_by_cost(tried: int, ticks: int, *, spent: bool) -> None:
    """Dear candidates end a search earlier, but never at the first few."""
    assert is_spent(_BUDGET, tried, ticks) is spent
