"""Further inputs of a program, made from those of its checks: changed a little, mixed, in another order of calls."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, islice, zip_longest
from typing import Any

from regreen.select.inputs.call_sequences import call_sequences
from regreen.select.inputs.console_inputs import texts_like
from regreen.select.inputs.console_scenarios import ConsoleScenario
from regreen.select.inputs.nearby_values import (
    MOST_TRIES,
    NearbyValues,
    is_number,
    is_same,
    leaves_of,
    rows_with_ties,
)
from regreen.select.inputs.scenarios import Scenario, looks_elsewhere

MOST_INPUTS = 64
_MOST_SEQUENCES = 72
"""Sequences of calls on an object, where the checks make any, beside those."""
_KNOWN_TEXT = 0.75
"""How often another text in a sequence is one of the checks': of names and keys, an object knows no others."""
_MOST_DRAWN = 64
"""Inputs of which every part may have changed, beside those."""
_DRAWS = 4
"""Times as many are drawn at most, since some are known already."""
_FEWEST_TIED = 3
"""Numbers of which several may be equal."""
_SLOW, _DIVIDED = frozenset({"hangs"}), frozenset({"raises ZeroDivisionError"})
_LONGEST = 800
"""Characters of a scenario in words."""


@dataclass(frozen=True)
class MadeInput:
    """A scenario with an input that no check has."""

    scenario: Scenario
    is_edge: bool = False
    """Whether the input is empty, zero, negative or a ragged grid where those of the checks are not: it may not be
    meant at all."""
    excused: frozenset[str] = frozenset()
    """Answers that say nothing against who gives them: that it does not end where the input is more than twice as large
    as any of the checks, and that it divides by 0 where none of theirs is 0."""


def make_inputs(scenarios: Sequence[Scenario], program: str, seed: int = 0) -> list[MadeInput]:
    """What else may be looked at, sequences of calls, and at most `MOST_INPUTS` others, by turns from each scenario;
    the same for the same seed.

    Then some of which every part may have changed.
    """
    known = {scenario.words for scenario in scenarios}
    rng = random.Random(seed)
    consoles = [scenario for scenario in scenarios if isinstance(scenario, ConsoleScenario)]
    scenarios = [scenario for scenario in scenarios if not isinstance(scenario, ConsoleScenario)]
    read = _by_turns([_other_texts(console, rng) for console in consoles])
    pools = _Pools(scenarios, program, rng)
    sequences = islice(call_sequences(scenarios, rng, pools.varied), _MOST_SEQUENCES)
    reordered = (
        pools.redrawn(made, pools.like_those_known) if n % 2 else MadeInput(made) for n, made in enumerate(sequences)
    )
    found = list(islice(_new(read, known), MOST_INPUTS))
    found += _new(map(MadeInput, chain.from_iterable(map(looks_elsewhere, scenarios))), known)
    found += _new(reordered, known)
    variants = _by_turns([_variants(scenario, pools) for scenario in scenarios])
    found += islice(_new(variants, known), MOST_INPUTS)
    drawn = (pools.redrawn(scenario) for scenario in islice(cycle(scenarios), _DRAWS * _MOST_DRAWN))
    found += islice(_new(drawn, known), _MOST_DRAWN)
    largest = max(map(_size, scenarios), default=0)
    has_zero = any(map(_has_zero, scenarios))
    return [replace(made, excused=_excused(made.scenario, largest, has_zero)) for made in found]


def _excused(scenario: Scenario, largest: int, has_zero: bool) -> frozenset[str]:
    """The excused answers, where those of the checks are as large as that, and hold a 0 or none."""
    slow = _SLOW if _size(scenario) > 2 * largest else frozenset[str]()
    divided = _DIVIDED if not has_zero and _has_zero(scenario) else frozenset[str]()
    return slow | divided


def _size(scenario: Scenario) -> int:
    """How many values the inputs hold in all, each character of a text being one."""
    return sum(len(leaf) if isinstance(leaf, str) else 1 for value in scenario.inputs for leaf in leaves_of(value))


def _has_zero(scenario: Scenario) -> bool:
    return any(is_number(leaf) and leaf == 0 for value in scenario.inputs for leaf in leaves_of(value))


def _other_texts(console: ConsoleScenario, rng: random.Random) -> Iterator[MadeInput]:
    """The call with texts like the one that it reads."""
    for text in islice(texts_like(console.given, rng), _DRAWS * MOST_INPUTS):
        yield MadeInput(console.with_inputs([text]))


def _new(made: Iterable[MadeInput], known: set[str]) -> Iterator[MadeInput]:
    """Those that are not known yet, and can be read at a glance; from then on, they are known."""
    for each in made:
        words = each.scenario.words
        if words not in known and len(words) <= _LONGEST:
            known.add(words)
            yield each


class _Pools:
    """The values of the checks by the place at which they stand, and values like them."""

    def __init__(self, scenarios: Sequence[Scenario], program: str, rng: random.Random) -> None:
        self.rng = rng
        self._by_place: dict[tuple[str, int], list[Any]] = {}
        for scenario in scenarios:
            for place, value in enumerate(scenario.inputs):
                pool = self._by_place.setdefault((scenario.shape, place), [])
                if not any(is_same(value, other) for other in pool):
                    pool.append(value)
        self.values = NearbyValues([value for pool in self._by_place.values() for value in pool], program, rng)

    def seen_at(self, scenario: Scenario, place: int) -> list[Any]:
        return self._by_place.get((scenario.shape, place), [])

    def varied(self, statement: ast.stmt) -> ast.stmt:
        """The statement with other inputs."""
        scenario = Scenario((statement,), ast.Constant(None))
        return scenario.with_inputs([self.like_those_known(value) for value in scenario.inputs]).setup[0]

    def like_those_known(self, value: Any) -> Any:
        """Another text of the checks, for the most part; of what is no text, any other value."""
        if isinstance(value, str) and self.rng.random() < _KNOWN_TEXT:
            return self.values.leaf_like(value)
        return self.values.drawn(value)

    def redrawn(self, scenario: Scenario, draw: Callable[[Any], Any] | None = None) -> MadeInput:
        """The scenario with some of its inputs drawn anew; a text that occurs twice stays the same in both places."""
        texts: dict[str, Any] = {}
        values = []
        for value in scenario.inputs:
            new = value if self.rng.random() < 0.5 else (draw or self.values.drawn)(value)
            values.append(texts.setdefault(value, new) if isinstance(value, str) else new)
        return MadeInput(scenario.with_inputs(values))


def _by_turns(sources: Sequence[Iterator[MadeInput]]) -> Iterator[MadeInput]:
    for row in zip_longest(*sources):
        yield from (made for made in row if made is not None)


def _variants(scenario: Scenario, pools: _Pools) -> Iterator[MadeInput]:
    """A scenario with one input replaced, each of the inputs by turns; and with all of them mixed."""
    inputs = scenario.inputs
    yield from (MadeInput(scenario.with_inputs(values)) for values in _with_ties(inputs))
    yield from _by_turns([_replaced(scenario, inputs, place, pools) for place in range(len(inputs))])
    for _ in range(MOST_TRIES if len(inputs) > 1 else 0):
        values = [pools.rng.choice([v, *pools.seen_at(scenario, place)]) for place, v in enumerate(inputs)]
        yield MadeInput(scenario.with_inputs(values))


def _with_ties(inputs: Sequence[Any]) -> Iterator[list[Any]]:
    """All numbers the same, and all but the first: who comes first of those that are equal? And rows alike."""
    places = [place for place, value in enumerate(inputs) if is_number(value)]
    for tied in (places, places[1:]) if len(places) >= _FEWEST_TIED else ():
        yield [inputs[tied[0]] if place in tied else value for place, value in enumerate(inputs)]
    for place, value in enumerate(inputs):
        for rows in rows_with_ties(value):
            yield [*inputs[:place], rows, *inputs[place + 1 :]]


def _replaced(scenario: Scenario, inputs: Sequence[Any], place: int, pools: _Pools) -> Iterator[MadeInput]:
    seen = pools.seen_at(scenario, place)
    others = [value for value in seen if not is_same(value, inputs[place])]
    near = ((v, is_edge) for v, is_edge in pools.values.near(inputs[place]) if not any(is_same(v, o) for o in seen))
    for value, is_edge in islice(near, MOST_TRIES):
        may_be_meant = not is_edge or not _is_new(value, seen)
        yield MadeInput(scenario.with_inputs([*inputs[:place], value, *inputs[place + 1 :]]), not may_be_meant)
    for value in others if len(inputs) > 1 else ():
        yield MadeInput(scenario.with_inputs([*inputs[:place], value, *inputs[place + 1 :]]))


def _is_new(value: Any, seen: Sequence[Any]) -> bool:
    """Whether no check has an input that is empty, or zero or negative, as this one is; what else is odd is new."""
    if is_number(value):
        return not any(is_number(other) and other <= 0 for other in seen)
    return bool(value) or not any(not other and other is not None for other in seen)
