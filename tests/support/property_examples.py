"""How many examples a property is asked, as a share of what the chosen Hypothesis profile asks: few in a hurry."""

from __future__ import annotations

from hypothesis import settings


def examples(share: float) -> settings:
    """A decorator for a property: so many times the examples of the profile, and at least two."""
    return settings(max_examples=max(2, round(settings.default.max_examples * share)))
