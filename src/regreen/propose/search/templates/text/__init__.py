"""Slips of texts: words, digits, formats, patterns, conversions."""

from __future__ import annotations

from typing import Final

from regreen.propose.search.template import Template
from regreen.propose.search.templates.text import (
    beginnings,
    conversions,
    expected_texts,
    fstrings,
    nesting,
    one_alone,
    regexes,
    strings,
    text_and_bytes,
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
)

__all__ = ["TEMPLATES"]
