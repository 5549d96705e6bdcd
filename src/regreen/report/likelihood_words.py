"""How likely a repair is to be right, in words: the same ones wherever a repair is shown."""

from __future__ import annotations

_LEAST_BELIEVED = 0.5


def likelihood_sentence(likelihood: float | None) -> str:
    """A sentence for a likelihood in [0, 1]: a guess is said to be one; empty where none is known."""
    if likelihood is None:
        return ""
    if likelihood < _LEAST_BELIEVED:
        return f"This is a guess, more likely wrong than right ({rounded_percent(likelihood)} likely right)."
    return f"Likely right: {rounded_percent(likelihood)}."


def rounded_percent(likelihood: float | None) -> str:
    """E.g. "84 %"; never 0 or 100, which nobody can know."""
    return f"{min(max(round(100 * (likelihood or 0.0)), 1), 99)} %"
