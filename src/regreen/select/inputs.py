"""Further inputs of a program, made from those of its checks: changed a little, mixed, in another order of calls."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from regreen.select.call_sequences import call_sequences
from regreen.select.scenarios import Scenario
from regreen.syntax import is_written_number, parsed_or_none

MOST_INPUTS = 64
_MOST_SEQUENCES = 48
"""Sequences of calls on an object, where the checks make any, beside those."""
_TRIES = 12
"""Values that are made of one input, at most, for each scenario."""
_LONG_SEQUENCE = 13
"""Items of a long list: more than a dozen, as there are months, and divisible by little."""
_LONGEST = 800
"""Characters of a scenario in words."""
_NUMBER = re.compile("[0-9]{1,9}")
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER_LIMIT = 10_000
"""Numbers above it, and not above those of the checks, are left out: a program may count up to them."""


@dataclass(frozen=True)
class MadeInput:
    """A scenario with an input that no check has."""

    scenario: Scenario
    is_edge: bool = False
    """Whether the input is empty, zero or negative where those of the checks are not: it may not be meant at all."""


def make_inputs(scenarios: Sequence[Scenario], program: str, seed: int = 0) -> list[MadeInput]:
    """Sequences of calls, and at most `MOST_INPUTS` others, by turns from each scenario; the same for the same seed."""
    known = {scenario.words for scenario in scenarios}
    rng = random.Random(seed)
    pools = _Pools(scenarios, _program_constants(program), rng)
    sequences = islice(call_sequences(scenarios, rng), _MOST_SEQUENCES)
    reordered = (pools.changed(made) if n % 2 else MadeInput(made) for n, made in enumerate(sequences))
    found = list(_new(reordered, known))
    variants = _by_turns([_variants(scenario, pools) for scenario in scenarios])
    return [*found, *islice(_new(variants, known), MOST_INPUTS)]


def _new(made: Iterable[MadeInput], known: set[str]) -> Iterator[MadeInput]:
    """Those that are not known yet, and can be read at a glance; from then on, they are known."""
    for each in made:
        words = each.scenario.words
        if words not in known and len(words) <= _LONGEST:
            known.add(words)
            yield each


class _Pools:
    """The values of the checks, by the place at which they stand and by type."""

    def __init__(self, scenarios: Sequence[Scenario], constants: Sequence[Any], rng: random.Random) -> None:
        self.rng = rng
        self.constants = constants
        self.by_place: dict[tuple[str, int], list[Any]] = {}
        for scenario in scenarios:
            for place, value in enumerate(scenario.inputs):
                pool = self.by_place.setdefault((shape_of(scenario), place), [])
                if not any(_same(value, other) for other in pool):
                    pool.append(value)
        everything = [value for pool in self.by_place.values() for value in pool]
        self.leaves = [leaf for value in everything for leaf in _leaves(value)]
        self.largest = max((abs(leaf) for leaf in self.leaves if _is_number(leaf)), default=0)

    def seen_at(self, scenario: Scenario, place: int) -> list[Any]:
        return self.by_place.get((shape_of(scenario), place), [])

    def changed(self, scenario: Scenario) -> MadeInput:
        """The scenario with another value in one place, where it has any."""
        inputs = scenario.inputs
        place = self.rng.randrange(len(inputs)) if inputs else 0
        new = [change for value in inputs[place : place + 1] for change in _changes(value, self)][:_TRIES]
        fitting = [(value, is_edge) for value, is_edge in new if not _is_too_large(value, self)]
        if not fitting:
            return MadeInput(scenario)
        value, is_edge = self.rng.choice(fitting)
        return MadeInput(scenario.with_inputs([*inputs[:place], value, *inputs[place + 1 :]]), is_edge)

    def leaf_like(self, value: Any) -> Any:
        """A leaf of the checks of the same type, or a small change of the value."""
        same = [leaf for leaf in self.leaves if type(leaf) is type(value)]
        return self.rng.choice(same) if same else value


def shape_of(scenario: Scenario) -> str:
    """Its words without its inputs: scenarios of one shape do the same with different inputs."""
    inputs = [None] * len(scenario.inputs)
    return scenario.with_inputs(inputs).words


def _by_turns(sources: Sequence[Iterator[MadeInput]]) -> Iterator[MadeInput]:
    for row in zip_longest(*sources):
        yield from (made for made in row if made is not None)


def _variants(scenario: Scenario, pools: _Pools) -> Iterator[MadeInput]:
    """A scenario with one input replaced, each of the inputs by turns; and with all of them mixed."""
    inputs = scenario.inputs
    yield from _by_turns([_replaced(scenario, inputs, place, pools) for place in range(len(inputs))])
    for _ in range(_TRIES if len(inputs) > 1 else 0):
        values = [pools.rng.choice([v, *pools.seen_at(scenario, place)]) for place, v in enumerate(inputs)]
        yield MadeInput(scenario.with_inputs(values))


def _replaced(scenario: Scenario, inputs: Sequence[Any], place: int, pools: _Pools) -> Iterator[MadeInput]:
    seen = pools.seen_at(scenario, place)
    others = [value for value in seen if not _same(value, inputs[place])]
    made = 0
    for value, is_edge in _changes(inputs[place], pools):
        if _is_too_large(value, pools) or any(_same(value, other) for other in seen):
            continue
        yield MadeInput(
            scenario.with_inputs([*inputs[:place], value, *inputs[place + 1 :]]), is_edge and _is_new(value, seen)
        )
        made += 1
        if made >= _TRIES:
            break
    for value in others if len(inputs) > 1 else ():
        yield MadeInput(scenario.with_inputs([*inputs[:place], value, *inputs[place + 1 :]]))


def _is_new(value: Any, seen: Sequence[Any]) -> bool:
    """Whether no check has an input that is empty, or zero or negative, as this one is."""
    if _is_number(value):
        return not any(_is_number(other) and other <= 0 for other in seen)
    return not any(not other and other is not None for other in seen)


def _is_too_large(value: Any, pools: _Pools) -> bool:
    most = max(_NUMBER_LIMIT, pools.largest)
    return any(_is_number(leaf) and abs(leaf) > most for leaf in _leaves(value))


def _changes(value: Any, pools: _Pools) -> Iterator[tuple[Any, bool]]:
    """Values near one, telling ones first, and whether each is an edge."""
    if isinstance(value, bool):
        yield not value, False
    elif isinstance(value, int | float):
        yield from _numbers(value, pools)
    elif isinstance(value, str):
        yield from _texts(value, pools)
    elif isinstance(value, bytes):
        yield from ((new, not new) for new in (value[1:], value + value, value[::-1], b""))
    elif isinstance(value, list | tuple):
        yield from ((type(value)(new), is_edge) for new, is_edge in _sequences(list(value), pools))
    elif isinstance(value, set):
        yield from ((set(new), is_edge) for new, is_edge in _sequences(sorted(value, key=repr), pools))
    elif isinstance(value, dict):
        yield from _mappings(value, pools)


def _numbers(value: float, pools: _Pools) -> Iterator[tuple[Any, bool]]:
    kind = type(value)
    near = [n for n in pools.constants if _is_number(n)]
    yield from ((kind(n), n <= 0) for n in (value + 1, value - 1))
    for boundary in near:
        yield from ((kind(n), n <= 0) for n in (boundary, boundary + 1, boundary - 1))
    if kind is float:
        yield from ((n, n <= 0) for n in (value + 0.5, value / 2, round(value * 1.5, 3)))
    yield from ((kind(n), n <= 0) for n in (value + 2, value * 2, value * 2 + 1, value // 2, 1, 0, 10, -1, -value))


def _texts(value: str, pools: _Pools) -> Iterator[tuple[Any, bool]]:
    half = len(value) // 2
    letters = sorted({letter for leaf in pools.leaves if isinstance(leaf, str) for letter in leaf})
    drawn = "".join(pools.rng.choice(letters) for _ in range(max(3, min(len(value), 8)))) if letters else "ab"
    numbers = [_NUMBER.sub(lambda found: _other_number(found[0], pools.rng), value) for _ in range(3)]
    made = [*numbers, value[:-1], value[1:], value + value, value[::-1], drawn, value[:half] + " " + value[half:]]
    made += [value.swapcase(), value[:1], value[:1] + value, value + value[-1:]]
    made += [c for c in pools.constants if isinstance(c, str)][:4]
    yield from ((new, not new or _is_misshapen(new, value)) for new in [*made[:6], "", *made[6:]])
    yield from ((pools.leaf_like(value) + pools.leaf_like(value), False) for _ in range(2))


def _is_misshapen(text: str, like: str) -> bool:
    """Whether a text has lost the form of another one that has numbers in it, `1.2.3` or `12:30`."""
    return bool(_NUMBER.search(like)) and _form(text) != _form(like)


def _form(text: str) -> str:
    return _WORD.sub("a", _NUMBER.sub("0", text))


def _other_number(digits: str, rng: random.Random) -> str:
    """A number of as many digits."""
    return f"{rng.randrange(10 ** len(digits)):0{len(digits)}d}"


def _sequences(items: list[Any], pools: _Pools) -> Iterator[tuple[list[Any], bool]]:
    yield items[:-1], len(items) < 2
    yield items[1:], len(items) < 2
    yield [], True
    if items:
        yield [*items, items[0]], False
        yield items[::-1], False
        yield [*items[1:], items[0]], False
        yield [pools.leaf_like(item) if _is_leaf(item) else item for item in items], False
        longer = (items * _LONG_SEQUENCE)[:_LONG_SEQUENCE]
        yield [pools.leaf_like(item) if _is_leaf(item) else item for item in longer], False
        yield [*items, pools.leaf_like(items[-1]) if _is_leaf(items[-1]) else items[-1]], False
        if _is_leaf(items[-1]) and items[-1]:
            yield [*items[:-1], type(items[-1])()], isinstance(items[-1], str)
    for place in range(min(len(items), 3)):
        for new, is_edge in list(_changes(items[place], pools))[:3]:
            yield [*items[:place], new, *items[place + 1 :]], is_edge and isinstance(items[place], str)
    yield items[:1], not items
    yield [*items, *items], not items
    yield from (([item] * 3, False) for item in items[:1])


def _mappings(value: dict[Any, Any], pools: _Pools) -> Iterator[tuple[Any, bool]]:
    items = list(value.items())
    yield dict(items[1:]), len(items) < 2
    yield dict(items[::-1]), False
    for key, old in items[:3]:
        yield from (({**value, key: new}, False) for new, _ in list(_changes(old, pools))[:3])
    for key, old in items[:2]:
        yield from (({**value, new: old}, False) for new, _ in list(_changes(key, pools))[:2])
    yield {}, True


def _program_constants(program: str) -> list[Any]:
    """The numbers and short texts that a program holds, in order."""
    module = parsed_or_none(program)
    nodes = ast.walk(module) if module else ()
    found = [node.value for node in nodes if isinstance(node, ast.Constant)]
    plain = [c for c in found if (is_written_number(c) and c not in (0, 1)) or (isinstance(c, str) and 0 < len(c) < 20)]
    return list(dict.fromkeys(plain))[:8]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from (leaf for item in value.items() for part in item for leaf in _leaves(part))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (leaf for item in value for leaf in _leaves(item))
    else:
        yield value


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, dict | list | tuple | set | frozenset)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    try:
        return repr(one) == repr(other)
    except ValueError:
        # A whole number of thousands of digits, which Python does not write.
        return bool(one == other)
