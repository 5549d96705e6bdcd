"""Room 5: which passing candidate to choose, and how small its edit can be made."""

from __future__ import annotations

from regreen.select.cost import ranking_cost
from regreen.select.edit_extent import EditSize, changed_lines, edit_size
from regreen.select.edit_wording import change_in_words
from regreen.select.minimise import minimise
from regreen.select.ngrams.naturalness import NgramScorer
from regreen.select.overfitting import overfitting_score
from regreen.select.rank import RankedCandidate, rank_candidates

__all__ = [
    "EditSize",
    "NgramScorer",
    "RankedCandidate",
    "change_in_words",
    "changed_lines",
    "edit_size",
    "minimise",
    "overfitting_score",
    "rank_candidates",
    "ranking_cost",
]
