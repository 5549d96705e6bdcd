"""How a strategy asks its model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.config import load_settings
from regreen.strategies.agents.agent_context import SamplingParameters, Schedule, sampling_parameters

TEMPERATURES = st.floats(0, 2)


@pytest.mark.parametrize(
    ("schedule", "first", "expected"),
    [
        ("constant", 0.4, [0.4, 0.4, 0.4]),
        ("rising", 0.0, [0.0, 0.2, 0.4]),
        ("falling", 0.7, [0.7, 0.5, 0.3]),
    ],
)
def test_each_schedule_has_its_way(schedule: Schedule, first: float, expected: list[float]) -> None:
    """By iteration, 0 being the draft."""
    sampling = SamplingParameters(first, schedule)
    assert [sampling.temperature_at(iteration) for iteration in range(3)] == expected


@given(TEMPERATURES, st.integers(0, 1000), st.sampled_from(["constant", "rising", "falling"]))
def test_no_schedule_leaves_what_services_take(first: float, iteration: int, schedule: Schedule) -> None:
    """From 0 to 2, and neither beyond the first one in the wrong direction."""
    now = SamplingParameters(first, schedule).temperature_at(iteration)
    assert 0 <= now <= 2
    assert now >= round(first, 4) - 1e-4 if schedule == "rising" else now <= first + 1e-4


def test_settings_go_before_the_strategys_own_manner() -> None:
    """And leave it where they say nothing."""
    own = sampling_parameters(load_settings(environ={}), temperature=0.7, schedule="falling")
    assert (own.temperature, own.schedule) == (0.7, "falling")
    flags = {"temperature": 0.1, "temperature_schedule": "constant", "prompt_style": "docstring", "critic": True}
    asked = sampling_parameters(load_settings(flags, environ={}), temperature=0.7, schedule="falling")
    assert (asked.temperature, asked.schedule, asked.prompt_style, asked.critic) == (0.1, "constant", "docstring", True)
