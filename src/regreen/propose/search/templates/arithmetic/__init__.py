"""Slips of numbers, operators, formulas and units."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.arithmetic import (
    bounds,
    brought_into_range,
    calendars,
    clocks,
    divisors,
    formulas,
    fractions_and_vectors,
    further_operands,
    known_tables,
    lost_terms,
    means_and_rates,
    numbers,
    operators,
    residues,
    rounding,
    shares,
    stated_formulas,
    steps_of_sums,
    sums_of_terms,
    units,
    whole_numbers,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *numbers.TEMPLATES,
    *whole_numbers.TEMPLATES,
    *divisors.TEMPLATES,
    *sums_of_terms.TEMPLATES,
    *formulas.TEMPLATES,
    *known_tables.TEMPLATES,
    *lost_terms.TEMPLATES,
    *bounds.TEMPLATES,
    *brought_into_range.TEMPLATES,
    *operators.TEMPLATES,
    *residues.TEMPLATES,
    *rounding.TEMPLATES,
    *shares.TEMPLATES,
    *stated_formulas.TEMPLATES,
    *units.TEMPLATES,
    *clocks.TEMPLATES,
    *calendars.TEMPLATES,
    *fractions_and_vectors.TEMPLATES,
    *further_operands.TEMPLATES,
    *means_and_rates.TEMPLATES,
    *steps_of_sums.TEMPLATES,
)

__all__ = ["TEMPLATES"]
