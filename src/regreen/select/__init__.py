"""Room 5: which passing candidate to hand over, and how small it can be made."""

from __future__ import annotations

from regreen.select.diff import EditSize, changed_lines, edit_size, unified_diff
from regreen.select.minimise import minimise
from regreen.select.overfit import specialness
from regreen.select.rank import Ranked, demerit, order
from regreen.select.words import change_in_words

__all__ = [
    "EditSize",
    "Ranked",
    "change_in_words",
    "changed_lines",
    "demerit",
    "edit_size",
    "minimise",
    "order",
    "specialness",
    "unified_diff",
]
