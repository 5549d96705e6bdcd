"""Slips of whole statements: missing, twice, in the wrong place, or unlike their twins elsewhere."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.steps import (
    all_or_nothing,
    as_elsewhere,
    as_stated,
    assigned_at_once,
    borrowed_code,
    calls_elsewhere,
    changes_in_order,
    copied_statements,
    donor_statements,
    further_moves,
    insertions,
    last_groups,
    left_early,
    like_parts,
    lost_returns,
    missing_steps,
    repeated_slips,
    stated_limits,
    stated_orders,
    statement_moves,
    twins,
    unfinished,
    unreached_steps,
    written_elsewhere,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *unfinished.TEMPLATES,
    *statement_moves.TEMPLATES,
    *unreached_steps.TEMPLATES,
    *further_moves.TEMPLATES,
    *assigned_at_once.TEMPLATES,
    *insertions.TEMPLATES,
    *left_early.TEMPLATES,
    *all_or_nothing.TEMPLATES,
    *copied_statements.TEMPLATES,
    *donor_statements.TEMPLATES,
    *missing_steps.TEMPLATES,
    *last_groups.TEMPLATES,
    *as_elsewhere.TEMPLATES,
    *written_elsewhere.TEMPLATES,
    *calls_elsewhere.TEMPLATES,
    *as_stated.TEMPLATES,
    *stated_orders.TEMPLATES,
    *stated_limits.TEMPLATES,
    *repeated_slips.TEMPLATES,
    *twins.TEMPLATES,
    *like_parts.TEMPLATES,
    *borrowed_code.TEMPLATES,
    *lost_returns.TEMPLATES,
    *changes_in_order.TEMPLATES,
)

__all__ = ["TEMPLATES"]
