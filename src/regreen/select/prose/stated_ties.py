"""What prose says of ties: "if both are of the same length, return the first" decides between two that differ there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from regreen.select.inputs.further_inputs import MadeInput
from regreen.select.prose.stated_examples import DocumentedExample
from regreen.types import Answers

_TIE: Final = r"\b(?:same|equal|equally|tie|ties|tied)\b"
_GIVEN: Final = (
    r"\b(?:returns?|keeps?|gives?|chooses?|prefers?|takes?) (?:the )?"
    r"(first|former|earliest|second|latter|last|latest)\b"
)
_RULES: Final = (
    re.compile(rf"{_TIE}[^.;]*?{_GIVEN}", re.I),
    re.compile(rf"{_GIVEN}[^.;]*?\b(?:in case of|if|when|where|among)\b[^.;]*?{_TIE}", re.I),
)
_LATER: Final = frozenset({"second", "latter", "last", "latest"})


@dataclass(frozen=True, slots=True)
class TieRule:
    """Which of two arguments, or of the items of one, a program gives back where they tie."""

    place: int
    """0 for the first, 1 for the second or the last."""
    quote: str
    """The sentence that says so."""


def tie_rule(sentences: Iterable[str]) -> TieRule | None:
    """The first rule that sentences state; None where they state none."""
    for text in sentences:
        for rule in _RULES:
            if found := rule.search(text):
                return TieRule(int(found[1].lower() in _LATER), text)
    return None


def tied_outcomes(
    rule: TieRule, answers: Answers, others: Answers, inputs: Sequence[MadeInput]
) -> Mapping[int, DocumentedExample]:
    """What a rule says of the inputs on which two behaviours differ, by their place.

    Nothing where they do anything else than to give one argument each, or one item of the only argument, always the
    earlier or always the later one: then they do not differ in ties alone.
    """
    found: dict[int, DocumentedExample] = {}
    earlier = set()
    for place, (answer, other, made) in enumerate(zip(answers, others, inputs, strict=False)):
        if answer == other:
            continue
        given = [repr(value) for value in _tied(made.scenario.inputs)]
        if answer not in given or other not in given:
            return {}
        either = sorted((answer, other), key=given.index)
        earlier.add(either.index(answer))
        found[place] = DocumentedExample(made.scenario, either[rule.place], rule.quote, is_certain=False)
    return found if len(earlier) == 1 else {}


def _tied(inputs: Sequence[Any]) -> Sequence[Any]:
    """The two arguments; the items of the only one, which are words where it is a text; nothing otherwise."""
    if len(inputs) == 2:
        return inputs
    whole = inputs[0] if len(inputs) == 1 else None
    if isinstance(whole, str):
        return [word.strip(".,;:!?") for word in whole.split()]
    return list(whole) if isinstance(whole, list | tuple | dict) else ()
