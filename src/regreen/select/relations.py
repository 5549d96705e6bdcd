"""Relations between inputs and answers that checks, or the program as it is, suggest, and that a repair seldom breaks.

What holds in every example of the checks is likely meant: the answer has the items of the argument, in order (Ernst,
Cockrell, Griswold, Notkin: Dynamically discovering likely program invariants, IEEE TSE 2001). What holds of a program
for all its faults is likely none of them: the order of a list makes no difference, and nothing comes of nothing.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from regreen.select.inputs.further_inputs import MadeInput
from regreen.syntax import UNPARSABLE
from regreen.types import Answers

_NOTHING_WEIGHT = 5.0
"""Cost, in changed tokens, of something that comes of nothing: `['']` of the empty text, where it was `[]`."""
_ORDER_WEIGHT = 4.0
"""Cost, in changed tokens, of answers that depend on the order of a list and did not before."""
_CHECKED_WEIGHT = 5.0
"""Cost, in changed tokens, of a relation that holds in all examples of the checks, and not of the answers."""
_KIND_WEIGHT = 8.0
"""Cost, in changed tokens, of False where a check expects 0, or of 1 where it expects True: they are equal, and nobody
writes the one for the other."""
_FEWEST_PAIRS = 2
_FEWEST_ITEMS = 3
"""Fewer items are in order by chance."""
_NOTHING: Final = frozenset({"[]", "()", "{}", "''", "set()"})
_NO_VALUE: Final = object()

RelationRule = Callable[[Answers], bool]
"""Whether answers keep to something."""


@dataclass(frozen=True)
class Relations:
    """What the answers of candidates are held against."""

    rules: tuple[tuple[float, RelationRule], ...] = ()
    """Each with what it costs to break it, in changed tokens."""

    def cost(self, answers: Answers) -> float:
        """What a candidate with these answers costs, in changed tokens."""
        return sum(weight for weight, holds in self.rules if not holds(answers))


NO_RELATIONS: Final = Relations()


def read_relations(inputs: Sequence[MadeInput], given: Answers, *, ties_by_value: bool = False) -> Relations:
    """The relations that the checks among the inputs suggest, and those that the answers of the given program keep.

    `ties_by_value`: whether prose says which of several equal ones counts ("the smallest of them"), so that the order
    of a list makes no difference, even if it does to the given program.
    """
    found = [(_CHECKED_WEIGHT, rule) for rule in _kept_by_checks(inputs)]
    found += [(_ORDER_WEIGHT, rule) for rule in _kept_in_any_order(inputs, given, is_stated=ties_by_value)]
    found += [(_NOTHING_WEIGHT, rule) for rule in _kept_empty(inputs, given)]
    found += [(_KIND_WEIGHT, rule) for rule in _kept_kinds(inputs)]
    return Relations(tuple(found))


def _kept_kinds(inputs: Sequence[MadeInput]) -> Iterator[RelationRule]:
    """That what the checks ask gives a truth value where they expect one, and a number where they expect that."""
    expected = ((place, _value(made.scenario.expected)) for place, made in enumerate(inputs))
    told = [(place, type(value)) for place, value in expected if type(value) in (bool, int)]
    if told:
        yield lambda answers: all(
            {type(_value(answers[place])), kind} != {bool, int} for place, kind in told if place < len(answers)
        )


def _kept_empty(inputs: Sequence[MadeInput], given: Answers) -> Iterator[RelationRule]:
    """That nothing comes of an input with nothing in it, where nothing did; an object may remember more than that."""
    places = [
        place
        for place, (made, answer) in enumerate(zip(inputs, given, strict=False))
        if answer in _NOTHING and not made.scenario.setup and _asks_with_nothing(made.scenario.inputs)
    ]
    if places:
        yield lambda answers: all(_is_nothing(answers[place]) for place in places if place < len(answers))


def _asks_with_nothing(values: Sequence[Any]) -> bool:
    """Whether the first value is empty, or each that could hold something. An empty table beside a text says little."""
    held = [value for value in values if isinstance(value, str | list | tuple | dict)]
    return bool(held) and (not values[0] if values[0] is held[0] else not any(held))


def _is_nothing(answer: str) -> bool:
    return answer in _NOTHING or _value(answer) is _NO_VALUE


def _kept_in_any_order(inputs: Sequence[MadeInput], given: Answers, *, is_stated: bool) -> Iterator[RelationRule]:
    """That the order of a plain list makes no difference, where it never did, and there were different answers."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, made in enumerate(inputs[: len(given)]):
        unordered = [_unordered(value, has_rows=is_stated) for value in made.scenario.inputs]
        groups[f"{made.scenario.shape} {unordered}"].append(place)
    pairs = [pair for places in groups.values() for pair in combinations(places, 2)]
    is_kept = len(pairs) >= _FEWEST_PAIRS and len(set(given)) > 1 and _agree(pairs, given)
    if is_kept or (pairs and is_stated):
        yield lambda answers: _agree(pairs, answers)


def _unordered(value: Any, *, has_rows: bool) -> str:
    """A list as it is in any order; rows of rows have places, and keep theirs, unless these may come in any order."""
    if isinstance(value, dict) and has_rows:
        return repr(sorted(map(repr, value.items())))
    is_plain = isinstance(value, list | tuple) and not any(
        isinstance(item, list) or (isinstance(item, tuple | dict) and not has_rows) for item in value
    )
    return repr(sorted(map(repr, value)) if is_plain else value)


def _agree(pairs: Sequence[tuple[int, int]], answers: Answers) -> bool:
    """Whether both questions of each pair have one answer."""
    return all(answers[one] == answers[other] for one, other in pairs if other < len(answers))


def _kept_by_checks(inputs: Sequence[MadeInput]) -> Iterator[RelationRule]:
    """The relations of an argument and the answer that hold in all examples of checks that ask alike."""
    shapes: defaultdict[str, list[int]] = defaultdict(list)
    for place, made in enumerate(inputs):
        if isinstance(made.scenario.observed, ast.Call):
            shapes[made.scenario.shape].append(place)
    for places in shapes.values():
        examples = [(made.scenario.inputs, _value(made.scenario.expected)) for made in (inputs[p] for p in places)]
        known = [(values, answer) for values, answer in examples if answer is not _NO_VALUE]
        asked = {place: inputs[place].scenario.inputs for place in places if not inputs[place].is_edge}
        for at in range(len(known[0][0]) if known else 0):
            pairs = [(values[at], answer) for values, answer in known]
            for relation, tells in _RELATIONS:
                if any(tells(*pair) for pair in pairs) and all(relation(*pair) for pair in pairs):
                    yield _rule(relation, {place: values[at] for place, values in asked.items()})


def _rule(relation: Callable[[Any, Any], bool], arguments: Mapping[int, Any]) -> RelationRule:
    def holds(answers: Answers) -> bool:
        found = [(value, _value(answers[place])) for place, value in arguments.items() if place < len(answers)]
        return all(answer is _NO_VALUE or relation(value, answer) for value, answer in found)

    return holds


def _has_same_items(argument: Any, answer: Any) -> bool:
    return _are_lists(argument, answer) and Counter(map(repr, argument)) == Counter(map(repr, answer))


def _is_in_order(_: Any, answer: Any) -> bool:
    try:
        return isinstance(answer, list | tuple) and list(answer) == sorted(answer)
    except TypeError:
        return False


def _was_rearranged(argument: Any, answer: Any) -> bool:
    """Whether an example of items in another order is one of several."""
    return _are_lists(argument, answer) and len(answer) >= _FEWEST_ITEMS and list(argument) != list(answer)


def _was_put_in_order(argument: Any, answer: Any) -> bool:
    return _was_rearranged(argument, answer) and _has_same_items(argument, answer)


def _are_lists(argument: Any, answer: Any) -> bool:
    return isinstance(argument, list | tuple) and isinstance(answer, list | tuple)


_RELATIONS: Final = ((_has_same_items, _was_rearranged), (_is_in_order, _was_put_in_order))
"""Each with what an example must be like to tell something of it."""


@lru_cache(maxsize=4096)
def _value(answer: str | None) -> Any:
    """The value of an answer; `_NO_VALUE` for an exception, and for an object of the program."""
    try:
        return _NO_VALUE if answer is None else ast.literal_eval(answer)
    except (*UNPARSABLE, TypeError):
        return _NO_VALUE
