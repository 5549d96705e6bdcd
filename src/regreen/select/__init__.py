"""Room 5: which passing candidate to hand over, and how small it can be made."""

from __future__ import annotations

from regreen.select.diff import EditSize, changed_lines, edit_size, unified_diff
from regreen.select.minimise import minimise
from regreen.select.overfit import specialness
from regreen.select.rank import Ranked, demerit, order

__all__ = [
    "EditSize",
    "Ranked",
    "changed_lines",
    "demerit",
    "edit_size",
    "minimise",
    "order",
    "specialness",
    "unified_diff",
]
