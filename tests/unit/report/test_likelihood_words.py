"""How likely a repair is to be right, in words."""

from __future__ import annotations

import pytest

from regreen.report.likelihood_words import likelihood_sentence, rounded_percent


@pytest.mark.parametrize(
    ("likelihood", "sentence"),
    [
        (None, ""),
        (0.842, "Likely right: 84 %."),
        (0.5, "Likely right: 50 %."),
        (0.314, "This is a guess, more likely wrong than right (31 % likely right)."),
    ],
)
def test_a_guess_is_said_to_be_one(likelihood: float | None, sentence: str) -> None:
    """What is not known is not told."""
    assert likelihood_sentence(likelihood) == sentence


@pytest.mark.parametrize(("likelihood", "words"), [(0.0, "1 %"), (0.9999, "99 %"), (1.0, "99 %")])
def test_nobody_knows_for_sure(likelihood: float, words: str) -> None:
    """Neither 0 nor 100 %."""
    assert rounded_percent(likelihood) == words
