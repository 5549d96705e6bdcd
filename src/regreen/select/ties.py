"""What prose says of ties: "if both are of the same length, return the first" decides between two that differ there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from regreen.select.documented import DocumentedExample
from regreen.select.inputs import MadeInput
from regreen.types import Answers

_TIE: Final = r"\b(?:same|equal|equally|tie|ties|tied)\b"
_GIVEN: Final = r"\b(?:returns?|keeps?|gives?|chooses?|prefers?|takes?) (?:the )?(first|former|second|latter)\b"
_RULE: Final = re.compile(rf"{_TIE}[^.;]*?{_GIVEN}", re.I)


@dataclass(frozen=True, slots=True)
class TieRule:
    """Which of two arguments a program gives back where they tie."""

    place: int
    """0 for the first, 1 for the second."""
    quote: str
    """The sentence that says so."""


def tie_rule(sentences: Iterable[str]) -> TieRule | None:
    """The first rule that sentences state; None where they state none."""
    for text in sentences:
        if found := _RULE.search(text):
            return TieRule(int(found[1].lower() in ("second", "latter")), text)
    return None


def tied_outcomes(
    rule: TieRule, answers: Answers, others: Answers, inputs: Sequence[MadeInput]
) -> Mapping[int, DocumentedExample]:
    """What a rule says of the inputs on which two behaviours differ, by their place.

    Nothing where they do anything else than to give one argument each, always the same: then they do not differ in ties
    alone.
    """
    found: dict[int, DocumentedExample] = {}
    pairs = set()
    for place, (answer, other, made) in enumerate(zip(answers, others, inputs, strict=False)):
        if answer == other:
            continue
        given = [repr(value) for value in made.scenario.inputs]
        if len(given) != 2 or {answer, other} != {*given}:
            return {}
        pairs.add(given.index(answer))
        found[place] = DocumentedExample(made.scenario, given[rule.place], rule.quote, is_certain=False)
    return found if len(pairs) == 1 else {}
