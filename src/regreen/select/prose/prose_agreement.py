"""How well a candidate agrees with the prose about it: boundaries that sentences and names state, and numbers."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from regreen.prose_requirements import CERTAIN, requirements_in
from regreen.select.prose.sentences import EVERYWHERE, sentences_of
from regreen.select.prose.stated_boundaries import (
    NUMBER_WORDS,
    Stand,
    StatedBoundary,
    moved_cuts,
    stands,
    stated_boundaries,
)
from regreen.select.prose.stated_extremes import extremes_spoken_of, turned_extremes
from regreen.select.prose.stated_steps import (
    done_otherwise,
    forbidden_gained,
    forbidden_names,
    lost_texts,
    misplaced,
    quoted_texts,
    speaks_of_rounds,
    unanswered,
    wrapped_places,
)
from regreen.select.prose.stated_ties import TieRule, tie_rule
from regreen.select.prose.stated_values import (
    departures,
    lost_comparisons,
    stated_comparisons,
    stated_divisors,
    stated_rows,
    undivided,
)
from regreen.syntax import UNPARSABLE, nearest_float, nodes_of, tree
from regreen.text_cache import cached_by_text
from regreen.well_known import well_known_constants

_CONTRADICTED_WEIGHT, _OPEN_WEIGHT = 3.0, 2.0
"""Cost, in changed tokens, of a boundary that is drawn otherwise than prose says, and of one that is not drawn."""
_UNSUPPORTED_WEIGHT = 1.0
"""Cost, in changed tokens, of a new number that no prose mentions, nor a unit that it speaks of."""
_UNANSWERED_WEIGHT = 10.0
"""Cost, in changed tokens, of a step that prose asks for and nothing in the program does: it may take a line."""
_LIKELY_ASKED_WEIGHT = 8.0
"""The same of a step that may be done in other ways, or be spoken of in what is given."""
_MISPLACED_WEIGHT = 4.0
"""The same of one that is done in another definition than the one whose prose asks for it."""
_LOST_TEXT_WEIGHT = 4.0
"""Cost, in changed tokens, of a text that prose quotes and that the program had and has no more."""
_MOVED_WEIGHT = 3.0
"""Cost, in changed tokens, of a boundary that was drawn as prose says and is drawn beside it since."""
_LOST_COMPARISON_WEIGHT = 4.0
"""Cost, in changed tokens, of a comparison that prose writes in symbols and that the program had and has no more."""
_UNDIVIDED_WEIGHT = 3.0
"""Cost, in changed tokens, of a multiple that prose speaks of, in a program that looks for others."""
_DEPARTURE_WEIGHT = 3.0
"""Cost, in changed tokens, of a collection that is one value off the row that prose writes out."""
_FORBIDDEN_WEIGHT = 6.0
"""Cost, in changed tokens, of a function or module that prose forbids and that is new in the program."""
_WRAPPED_WEIGHT = 3.0
"""Cost, in changed tokens, of a place that goes on at the beginning where nothing speaks of a ring."""
_MISSING_NUMBER_WEIGHT, _MOST_MISSING = 0.5, 2
"""Cost, in changed tokens, of a number that prose writes in digits and the program has not, up to so many of them."""
_LOST_NUMBER_WEIGHT = 3.0
"""Cost, in changed tokens, of a number that prose writes, in digits or in words, and that the program had and has no
more: `[:3]` of "the three best", now `[:-1]`."""
_TURNED_WEIGHT = 4.0
"""Cost, in changed tokens, of the smallest where prose speaks of the largest, or the other way round."""
_ANYWHERE: Final = frozenset({-1.0, 0.0, 1.0, 2.0})
"""Numbers that any program may need, and that no prose explains."""
_DIGITS = re.compile(r"\d+(?:[,_]\d{3})*(?:\.\d+)?")
_UNITS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("second", (60, 3600)),
    ("minute", (60, 3600)),
    ("hour", (24, 60, 3600)),
    ("day", (7, 24, 86400)),
    ("week", (7, 52)),
    ("month", (12,)),
    ("year", (12, 365)),
    ("percent", (100,)),
    ("per cent", (100,)),
    ("%", (100,)),
    ("cent", (100,)),
    ("kilo", (1000,)),
    ("milli", (1000,)),
    ("thousand", (1000,)),
    ("million", (1_000_000,)),
    ("byte", (8, 1024)),
    ("dozen", (12,)),
    ("digit", (10,)),
    ("decimal", (10,)),
    ("angle", (90, 180, 360)),
    ("degree", (90, 180, 360)),
    ("quarter", (4,)),
    ("third", (3,)),
    ("cube", (3,)),
    ("triple", (3,)),
)
"""Numbers that come with a unit or an amount that a sentence names."""


@dataclass(frozen=True, slots=True)
class Prose:
    """What the prose of a program and its statement says of it."""

    boundaries: tuple[StatedBoundary, ...] = ()
    numbers: frozenset[float] = frozenset()
    """Numbers that it mentions, and those of the units that it speaks of."""
    digits: frozenset[float] = frozenset()
    """Numbers that it writes in digits, but for the smallest."""
    requirements: frozenset[str] = frozenset()
    """Steps that it asks for."""
    steps_within: frozenset[tuple[str, str]] = frozenset()
    """Those of the steps that surely are meant which one definition is asked for, with its dotted name before each."""
    texts: frozenset[str] = frozenset()
    """Texts that it quotes."""
    comparisons: frozenset[str] = frozenset()
    """Comparisons with numbers that it writes in symbols."""
    divisors: frozenset[int] = frozenset()
    """Numbers whose multiples it speaks of."""
    rows: frozenset[frozenset[object]] = frozenset()
    """Values that it writes out in a row."""
    tie: TieRule | None = None
    """What it says of ties between two arguments."""
    goes_round: bool = False
    """Whether it speaks of something that goes on at its beginning, as a ring does."""
    forbidden: frozenset[str] = frozenset()
    """Functions and modules that it says are not to be used."""
    extremes: frozenset[str] = frozenset()
    """`max` where it speaks of the largest of some things, and `min` where of the smallest."""


NO_PROSE: Final = Prose()


@lru_cache(maxsize=16)
def read_prose(program: str, statement: str = "") -> Prose:
    """What docstrings, comments, names and the statement say; nothing of a program that does not parse."""
    numbers: set[float] = set()
    digits: set[float] = set()
    requirements: set[str] = set()
    within: set[tuple[str, str]] = set()
    texts: set[str] = set()
    said: list[str] = []
    for sentence in sentences_of(program, statement):
        said.append(sentence.text)
        text = said[-1].lower()
        digits |= {float(re.sub("[,_]", "", found)) for found in _DIGITS.findall(text)}
        requirements |= requirements_in(text)
        within |= {(sentence.scope, step) for step in requirements_in(text) & CERTAIN if sentence.scope != EVERYWHERE}
        texts |= quoted_texts(said[-1])
        numbers |= {float(NUMBER_WORDS.index(word)) for word in re.findall(r"[a-z]+", text) if word in NUMBER_WORDS}
        numbers |= {float(number) for unit, known in _UNITS if unit in text for number in known}
    forbidden = frozenset().union(*map(forbidden_names, said))
    return Prose(
        stated_boundaries(program, statement),
        frozenset(numbers | digits),
        frozenset(digits - _ANYWHERE),
        frozenset(requirements - done_otherwise(forbidden)),
        frozenset(within),
        frozenset(texts),
        frozenset().union(*map(stated_comparisons, said)),
        frozenset().union(*map(stated_divisors, said)),
        frozenset().union(*map(stated_rows, said)),
        tie_rule(said),
        any(map(speaks_of_rounds, (*said, program))),
        forbidden,
        frozenset().union(*map(extremes_spoken_of, said)),
    )


def prose_cost(prose: Prose, before: str, after: str) -> float:
    """What a candidate costs for disagreeing with the prose, in changed tokens: only the differences count."""
    if prose is NO_PROSE:
        return 0.0
    opinions = Counter(stands(prose.boundaries, after))
    cost = _CONTRADICTED_WEIGHT * opinions[Stand.CONTRADICTS] + _OPEN_WEIGHT * opinions[Stand.OPEN]
    cost += _UNANSWERED_WEIGHT * unanswered(prose.requirements & CERTAIN, after)
    cost += _MISPLACED_WEIGHT * misplaced(prose.steps_within, after)
    cost += _LIKELY_ASKED_WEIGHT * unanswered(prose.requirements - CERTAIN, after)
    cost += _LOST_TEXT_WEIGHT * lost_texts(prose.texts, before, after)
    cost += _MOVED_WEIGHT * moved_cuts(prose.boundaries, before, after)
    cost += _LOST_COMPARISON_WEIGHT * lost_comparisons(prose.comparisons, before, after)
    cost += _UNDIVIDED_WEIGHT * undivided(prose.divisors, after) + _DEPARTURE_WEIGHT * departures(prose.rows, after)
    cost += 0.0 if prose.goes_round else _WRAPPED_WEIGHT * wrapped_places(before, after)
    cost += _FORBIDDEN_WEIGHT * forbidden_gained(prose.forbidden, before, after)
    cost += _TURNED_WEIGHT * turned_extremes(prose.extremes, before, after)
    cost += _LOST_NUMBER_WEIGHT * _lost_numbers(prose, before, after)
    cost += _MISSING_NUMBER_WEIGHT * min(_missing_numbers(prose, after), _MOST_MISSING)
    return cost + _UNSUPPORTED_WEIGHT * _unsupported_numbers(prose, before, after)


def decisive_quotes(prose: Prose, chosen: str, others: Sequence[str]) -> Iterator[str]:
    """The sentences and names with whose boundaries the chosen program agrees, and one of the others does not."""
    rivals = [stands(prose.boundaries, other) for other in others]
    for place, stand in enumerate(stands(prose.boundaries, chosen)):
        if stand is Stand.AGREES and any(rival[place] is not Stand.AGREES for rival in rivals):
            yield prose.boundaries[place].quote


def _missing_numbers(prose: Prose, after: str) -> int:
    """How many numbers that prose writes stand nowhere in a program."""
    try:
        return len(prose.digits - frozenset(_numbers(after)))
    except UNPARSABLE:
        return 0


def _lost_numbers(prose: Prose, before: str, after: str) -> int:
    """How many numbers that prose writes stood in a program and stand there no more."""
    try:
        lost = frozenset(_numbers(before)) - frozenset(_numbers(after))
    except UNPARSABLE:
        return 0
    return len(lost & prose.numbers - _ANYWHERE)


def _unsupported_numbers(prose: Prose, before: str, after: str) -> int:
    """How many numbers are new in a program that the prose does not mention."""
    try:
        new = Counter(_numbers(after)) - Counter(_numbers(before))
    except UNPARSABLE:
        return 0
    return sum(count for number, count in new.items() if number not in prose.numbers | _ANYWHERE)


@cached_by_text(1 << 17)
def _numbers(source: str) -> tuple[float, ...]:
    known = well_known_constants(tree(source))
    values = (node.value for node in nodes_of(tree(source), ast.Constant) if id(node) not in known)
    return tuple(nearest_float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool))
