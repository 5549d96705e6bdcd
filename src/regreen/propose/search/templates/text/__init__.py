"""Slips of texts: words, digits, formats, patterns, conversions."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.text import (
    beginnings,
    cleaned_texts,
    conversions,
    escapes,
    expected_texts,
    fixed_places,
    found_places,
    fstrings,
    known_conversions,
    leading_zeros,
    literal_texts,
    nesting,
    one_alone,
    parts_as_wanted,
    parts_first,
    regexes,
    spelt_numbers,
    strings,
    text_and_bytes,
    versions,
    wildcards,
    words_and_digits,
)

TEMPLATES: Final[tuple[Template, ...]] = (
    *nesting.TEMPLATES,
    *words_and_digits.TEMPLATES,
    *strings.TEMPLATES,
    *beginnings.TEMPLATES,
    *expected_texts.TEMPLATES,
    *fstrings.TEMPLATES,
    *one_alone.TEMPLATES,
    *regexes.TEMPLATES,
    *wildcards.TEMPLATES,
    *text_and_bytes.TEMPLATES,
    *conversions.TEMPLATES,
    *cleaned_texts.TEMPLATES,
    *fixed_places.TEMPLATES,
    *leading_zeros.TEMPLATES,
    *found_places.TEMPLATES,
    *spelt_numbers.TEMPLATES,
    *known_conversions.TEMPLATES,
    *parts_as_wanted.TEMPLATES,
    *parts_first.TEMPLATES,
    *versions.TEMPLATES,
    *escapes.TEMPLATES,
    *literal_texts.TEMPLATES,
)

__all__ = ["TEMPLATES"]
