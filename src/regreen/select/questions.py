"""Which input to ask about: the one whose answer tells most about which behaviour is right."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import log2

from regreen.select.answer_texts import agrees, rounded
from regreen.select.behaviour import Behaviour
from regreen.select.inputs.further_inputs import MadeInput
from regreen.syntax import UNPARSABLE, names_within
from regreen.types import PossibleAnswer, Question

MOST_QUESTIONS = 3
_LEAST_SHARE = 0.1
"""A behaviour less likely than that is not worth a question."""
_MOST_ANSWERS = 3
_LONG = 80
_LONG_COST = 0.2
"""What a question loses, in bits, for each 80 characters of its input and answers."""
_EDGE_COST = 0.1
"""What a question loses, in bits, for an input that may not be meant at all."""


def best_questions(behaviours: Sequence[Behaviour], inputs: Sequence[MadeInput]) -> list[Question]:
    """At most three questions, the most telling first; each tells apart behaviours that those before it do not."""
    likely = [behaviour for behaviour in behaviours if behaviour.share >= _LEAST_SHARE]
    found: list[Question] = []
    while len(found) < MOST_QUESTIONS and (question := next_question(likely, inputs)) is not None:
        found.append(question)
        likely = keep_agreeing(likely, inputs, question, question.answers[0].value)
    return found


def next_question(behaviours: Sequence[Behaviour], inputs: Sequence[MadeInput]) -> Question | None:
    """The question that tells most about which of the likely behaviours is right; None where none tells anything."""
    likely = [behaviour for behaviour in behaviours if behaviour.share >= _LEAST_SHARE]
    if len(likely) < 2:
        return None
    asked = [(_worth(likely, number, made), -number) for number, made in enumerate(inputs)]
    best, place = max(asked, default=(0.0, 0))
    return _question(likely, -place, inputs[-place]) if best > 0 else None


def keep_agreeing(
    behaviours: Sequence[Behaviour], inputs: Sequence[MadeInput], question: Question, value: str
) -> list[Behaviour]:
    """The behaviours that give this answer to a question."""
    place = _place(inputs, question)
    alike = [b for b in behaviours if place < len(b.answers) and agrees(b.answers[place], value)]
    return [b for b in alike if rounded(b.answers[place]) == rounded(value)] or alike


def with_answer(question: Question, inputs: Sequence[MadeInput], value: str) -> Question:
    """The question, answered with this value: one of its answers, or one that it did not have.

    As it was where no check can claim the value.
    """
    for same in (str.__eq__, agrees):
        for place, answer in enumerate(question.answers):
            if same(answer.value, value):
                return replace(question, answered=place)
    check = _claim(inputs[_place(inputs, question)], value, [answer.value for answer in question.answers])
    if not check:
        return question
    return replace(
        question, answers=(*question.answers, PossibleAnswer(value, check, 0.0)), answered=len(question.answers)
    )


def said_value(text: str) -> str | None:
    """The value that somebody typed, as answers have it: a literal, or the name of an exception; None for neither."""
    error = getattr(builtins, text, None)
    if isinstance(error, type) and issubclass(error, Exception):
        return f"raises {text}"
    try:
        return repr(ast.literal_eval(text))
    except (*UNPARSABLE, TypeError):
        return None


def _place(inputs: Sequence[MadeInput], question: Question) -> int:
    return next(n for n, made in enumerate(inputs) if made.scenario.words == question.input)


def _shares(behaviours: Sequence[Behaviour], place: int) -> dict[str, float]:
    """Each answer to one question with its share, the rounded ones together; empty where a behaviour has none."""
    shares: defaultdict[str, float] = defaultdict(float)
    answers: dict[str, str] = {}
    for behaviour in behaviours:
        if place >= len(behaviour.answers):
            return {}
        answer = behaviour.answers[place]
        shares[answers.setdefault(rounded(answer), answer)] += behaviour.share
    total = sum(shares.values())
    return {value: share / total for value, share in shares.items()}


def _claim(made: MadeInput, value: str, answers: Collection[str]) -> str:
    """The check that this answer is right, and none of the others; "" where none can say so."""
    alike = any(value != other and agrees(value, other) for other in answers)
    # The text of a set is another one in each process.
    return made.scenario.claim(value, to_the_letter=alike and "{" not in value)


def _worth(behaviours: Sequence[Behaviour], place: int, made: MadeInput) -> float:
    """The bits that an answer gives, less what the question costs who reads it; 0 where it cannot be asked."""
    shares = _shares(behaviours, place)
    if not 2 <= len(shares) <= _MOST_ANSWERS or not all(_claim(made, value, shares) for value in shares):
        return 0.0
    length = len(made.scenario.words) + sum(map(len, shares))
    bits = -sum(share * log2(share) for share in shares.values())
    return max(0.001, bits - _LONG_COST * length / _LONG - _EDGE_COST * made.is_edge)


def _question(behaviours: Sequence[Behaviour], place: int, made: MadeInput) -> Question:
    shares = sorted(_shares(behaviours, place).items(), key=lambda pair: (-pair[1], pair[0]))
    answers = [PossibleAnswer(value, _claim(made, value, dict(shares)), share) for value, share in shares]
    return Question(made.scenario.words, tuple(answers))


def with_import(check: str, module: str | None, names: Collection[str]) -> str:
    """The check with an import of those of a module's names that it uses; as it is where it uses none of them."""
    used = sorted(names_within(ast.parse(check)) & set(names))
    return f"from {module} import {', '.join(used)}\n{check}" if module and used else check
