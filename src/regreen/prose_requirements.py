"""Steps that prose asks a program for in so many words: what does not count, what counts once, what has no sign."""

from __future__ import annotations

import re
from typing import Final

from regreen.text_cache import cached_by_text

_NO_MATTER: Final = (
    r"(?:ignor\w+|not (?:count|matter)\w*|(?:does|do)n't (?:count|matter)|makes? no difference|insensitive|disregard\w*"
    r"|left out|except\w*)"
)


def _left_out(what: str) -> str:
    """A sentence by which something does not count, before or after it is named."""
    return rf"\b{what}\b[^.;]*\b{_NO_MATTER}|(?:{_NO_MATTER}|regard(?:less)?|without)\b[^.;]*\b{what}\b"


_SUPERIOR: Final = (
    r"(?:smaller|smallest|larger|largest|lower(?!-? ?case)|lowest|higher|highest|greater|greatest|shorter|shortest"
    r"|longer|longest)"
)
_REQUIREMENTS: Final = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        (
            "case",
            rf"{_left_out('case')}|case[- ]insensitive|(?:upper|lower)(?: ?case)? or (?:upper|lower)|in lower ?case"
            r"|\bcapital or not\b"
            r"|\bupper and lower ?(?:case )?(?:letters )?(?:are|count as|mean) (?:the same|equal|alike)",
        ),
        ("blanks", _left_out(r"(?:blanks?|spaces?|white ?space)")),
        ("punctuation", _left_out("punctuation")),
        (
            "letters",
            # That only letters occur is said of what is given.
            r"\bonly (?:the )?(?:\w+ )?letters\b(?! (?:and|or) digits)(?!.{0,24}\b(?:occur|appear|come up))"
            r"|\bnon-?letters? \w+ ignored"
            r"|\b(?:everything|anything|all|characters?) (?:else )?(?:(?:that|which) )?(?:(?:is|are) )?"
            r"(?:not|no|but|except) (?:an? )?letters?\b(?! (?:and|or|nor) )",
        ),
        ("digits", r"\bonly (?:the )?(?:\w+ )?digits\b"),
        ("alphanumeric", r"\bonly (?:the )?(?:\w+ )?(?:letters (?:and|or) digits|alphanumeric)|\balphanumeric"),
        # A list of distinct numbers is what is given, not what is asked for.
        (
            "distinct",
            r"(?<!of )(?<!are )\b(?:unique|distinct)\b|\bnumber of (?:unique|distinct|different)|\bduplicate"
            r"|\b(?:highest|lowest|largest|smallest|greatest|longest|shortest) (?:unique|distinct|different) ",
        ),
        ("order", r"\bsorted|\b(?:ascending|increasing|descending|decreasing|alphabetical|lexicographic\w*)\b"),
        (
            "absolute",
            r"\babsolute|\bmagnitude|\bclose(?:r|st)? to (?:each other|one another|zero|0)\b|\bnearest to (?:zero|0)\b"
            r"|\bsigns? (?:does|do|is|are) |\b(?:matter|whether)\b[^.;]*\bup or down\b|\bin either direction\b",
        ),
        (
            "unchanged",
            r"\b(?:not|never|n't|without) (?:be )?(?:chang|modif|mutat|alter)\w*|\bunchanged|\bstays? as (?:it|they) ",
        ),
        (
            "straight",
            r"^(?!.*\bdiagonal)(?=.*\bup\b)(?=.*\bdown\b)(?=.*\bleft\b).*\bright\b|\bfour (?:\w+ )?neighbou?r",
        ),
        ("truncation", r"\btowards? (?:zero|0)\b|\btruncat|\bdrops? the fraction"),
        ("copy", r"\b(?:a|an|own|new|shallow|deep) cop(?:y|ies) of\b|\b(?:is|are|be) copied\b"),
        ("empties", r"\bempty \w+ (?:are|is) (?:left out|ignored|skipped|dropped|removed)"),
        ("negatives", r"\bnegative \w+ (?:are|is) (?:left out|ignored|skipped|dropped|removed)"),
        ("zeros", r"\bzero(?:e?s)? (?:are|is) (?:left out|ignored|skipped|dropped|removed)"),
        ("product", r"\bproducts? of\b|\bmultipli(?:ed|es) (?:by|with)\b|\bmultiply (?:all|its|the|every|each)\b"),
        ("remainder", r"\bmultiples? of\b|\bdivisible by\b|\bremainder\b"),
        (
            "ties",
            # Who is the first of those that are gone through in order need not be asked for.
            rf"\b(?:equal|equally|same|ties?|tied)\b[^.;]{{0,80}}\b(?:{_SUPERIOR}\b"
            r"(?! (?:\w+ )?(?:number|index|indices|position)\b)"
            r"|(?:alphabetical|alphabetically|lexicographically)\b)"
            r"|\b(?:smaller|smallest|larger|largest|lower|lowest|higher|highest|greater|greatest|shorter|shortest|longer|longest"
            r"|alphabet|alphabetical|alphabetically|lexicographically)\b[^.;]{0,30}\b(?:ties?|tied)\b"
            r"|\b(?:ties?|tied|equal(?: ones)?)\b[^.;]{0,30}\b(?:by|alphabet)\b",
        ),
        ("rounding", r"\brounded\b|\bround(?:s|ing)? (?:to|up|down|the|it)\b|\bdecimal places"),
    )
)

CERTAIN: Final = frozenset(
    {"case", "blanks", "punctuation", "letters", "digits", "alphanumeric", "empties", "negatives", "zeros", "unchanged"}
)
"""Steps that are asked for where these words stand; others may speak of what is given, or be done in other ways."""


@cached_by_text(1 << 17)
def requirements_in(prose: str) -> frozenset[str]:
    """The names of the steps that a text asks for."""
    lower = " ".join(prose.lower().split())
    return frozenset(name for name, pattern in _REQUIREMENTS if pattern.search(lower))
