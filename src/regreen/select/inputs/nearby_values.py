"""Values near those of the checks: a little more or less, other texts, lists with another item, and of their form."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from regreen.syntax import is_written_number, parsed_or_none, walk, whole_number

MOST_TRIES: Final = 12
"""Values that are made of one, at most."""
_LONG_SEQUENCE: Final = 13
"""Items of a long list: more than a dozen, as there are months, and divisible by little."""
_NUMBER = re.compile("[0-9]{1,9}")
_WORD = re.compile(r"[^\W\d_]+")
_FIRST_LETTER = re.compile(r"[^\W\d_](?=[^\W\d_])")
_PATTERN_USE = re.compile(r"\bre\.\w+\(|\bimport re\b|\bfrom re import\b")
_PARTS = re.compile(r"([^\W\d_]+|[0-9]{1,9})")
_ONE_WORD: Final = 3
"""Parts of a text that is one word: nothing, the word, and nothing."""
_ANOTHER_WORD, _TWICE = 0.6, 0.8
"""How often a word of a text gives way to another one, and how often it is there twice, beside those."""
_KNOWN_NUMBER, _NEXT_NUMBER = 0.4, 0.7
"""How often a number in a text gives way to another one of the checks, and how often to the next one, beside those."""
_NUMBER_LIMIT: Final = 10_000
"""Numbers above it, and not above those of the checks, are left out: a program may count up to them."""


class NearbyValues:
    """Makes values like those that the checks hand over, `seen`, and the constants of the program."""

    def __init__(self, seen: Sequence[Any], program: str, rng: random.Random) -> None:
        self.rng = rng
        self.constants = _program_constants(program)
        self.divisors = _divisors(program)
        self.leaves = [leaf for value in seen for leaf in leaves_of(value)]
        self.has_patterns = bool(_PATTERN_USE.search(program))
        """Whether the program may look for patterns, which signs within words tell apart."""
        self.letters = sorted({letter for leaf in self.leaves if isinstance(leaf, str) for letter in leaf})
        texts = [leaf for leaf in (*self.leaves, *self.constants) if isinstance(leaf, str)]
        self.words: list[str] = sorted({word for text in texts for word in _WORD.findall(text)})
        """Those of the checks' texts, and of the program's short ones."""
        self.numerals: list[str] = sorted({number for text in texts for number in _NUMBER.findall(text)})
        self.keys = list(dict.fromkeys(key for value in seen for key in _keys(value)))
        """Of the mappings, in order."""
        self._has_ragged = any(map(_is_ragged, seen))
        """Whether a check asks with rows of unlike length."""
        self._largest = max((abs(leaf) for leaf in self.leaves if is_number(leaf)), default=0)

    def near(self, value: Any) -> Iterator[tuple[Any, bool]]:
        """Values near one, telling ones first, and whether each may not be meant: empty, negative, a ragged grid."""
        for new, is_edge in _changes(value, self):
            if not self._is_too_large(new):
                yield new, is_edge or (_is_ragged(new) and not self._has_ragged)

    def drawn(self, value: Any) -> Any:
        """Another value of the same form: one part or all of them changed, within what the checks ask with."""
        if isinstance(value, dict) and value:
            key, old = self.rng.choice(list(value.items()))
            return {**value, key: self.drawn(old)} if self.rng.random() < 0.7 else {**value, self.drawn(key): old}
        if isinstance(value, tuple) and value:
            return tuple(self._redrawn_items(list(value)))
        if isinstance(value, list | set) and value:
            return type(value)(self._drawn_items(sorted(value, key=repr) if isinstance(value, set) else list(value)))
        return self._drawn_leaf(value)

    def _drawn_items(self, items: list[Any]) -> list[Any]:
        """Items of a list: one more, one less, or as many; the rows of a grid stay as long as each other."""
        if _is_grid(items):
            return [[self.drawn(cell) for cell in row] for row in items]
        place, way = self.rng.randrange(len(items)), self.rng.random()
        if way < 0.25:
            return [*items[:place], self.drawn(items[place]), *items[place:]]
        if way < 0.4 and len(items) > 1:
            return [*items[:place], *items[place + 1 :]]
        return self._redrawn_items(items)

    def _redrawn_items(self, items: list[Any]) -> list[Any]:
        place = self.rng.randrange(len(items))
        if self.rng.random() < 0.5:
            return [*items[:place], self.drawn(items[place]), *items[place + 1 :]]
        return [self.drawn(item) for item in items]

    def _drawn_leaf(self, value: Any) -> Any:
        """A leaf of the checks of the same type, or one near the value that is no edge."""
        like = self.leaf_like(value)
        if isinstance(value, str) and len(value) > 1:
            return self._respelt(value if self.rng.random() < 0.7 else like or value)
        near = [new for new, is_edge in islice(self.near(value), MOST_TRIES) if not is_edge]
        return self.rng.choice(near) if near and self.rng.random() < 0.5 else like

    def _respelt(self, text: str) -> str:
        """A text of the same form with other words or numbers; of one word, with one to three characters changed.

        Words are those of the checks and of the program, which may know no others, or are left out or there twice.
        Characters stand in the other case, or twice, or are left out, or others take their place.
        """
        parts = _PARTS.split(text)
        if len(parts) > _ONE_WORD or _NUMBER.search(text):
            for _ in range(self.rng.randint(1, 2)):
                self._change_part(parts)
            return "".join(parts)
        for _ in range(self.rng.randint(1, 3)):
            place = self.rng.randrange(len(text))
            old = text[place]
            new = self.rng.choice([old.swapcase(), old + old, "", self.rng.choice(self.letters or [old])])
            text = text[:place] + new + text[place + 1 :] or text
        return text

    def _change_part(self, parts: list[str]) -> None:
        """Put another word or number in the place of one of these, which stand between what separates them."""
        place = self.rng.randrange(1, len(parts), 2)
        old, way = parts[place], self.rng.random()
        if old.isdigit():
            parts[place] = self.other_number(old)
        elif way < _ANOTHER_WORD:
            parts[place] = self.rng.choice([*self.words, old.swapcase()])
        elif len(parts) > _ONE_WORD:
            again = [old, parts[place + 1] or parts[place - 1] or " ", old, parts[place + 1]]
            parts[place : place + 2] = again if way < _TWICE else ["", ""]

    def other_number(self, digits: str) -> str:
        """A number of as many digits: another one of the checks' texts, one more or less, or any."""
        width, way = len(digits), self.rng.random()
        known = [number for number in self.numerals if len(number) == width and number != digits]
        if known and way < _KNOWN_NUMBER:
            return self.rng.choice(known)
        if way < _NEXT_NUMBER:
            return f"{(int(digits) + self.rng.choice((-1, 1))) % 10**width:0{width}d}"
        return f"{self.rng.randrange(10**width):0{width}d}"

    def leaf_like(self, value: Any) -> Any:
        """A leaf of the checks of the same type, or a small change of the value."""
        same = [leaf for leaf in self.leaves if type(leaf) is type(value)]
        return self.rng.choice(same) if same else value

    def _is_too_large(self, value: Any) -> bool:
        most = max(_NUMBER_LIMIT, self._largest)
        return any(is_number(leaf) and abs(leaf) > most for leaf in leaves_of(value))


def rows_with_ties(value: Any) -> Iterator[Any]:
    """Rows, or entries of a mapping, that have one number in common, as they stand and turned round: `[("ann", 1),
    ("bob", 1)]` of `[("ann", 1), ("bob", 3)]`."""
    if isinstance(value, dict):
        numbers = [number for number in value.values() if is_number(number)]
        tied = dict.fromkeys(value, numbers[0]) if len(numbers) == len(value) > 1 else {}
        if tied:
            yield tied
            yield dict(reversed(tied.items()))
    elif isinstance(value, list | tuple) and len(value) > 1:
        rows = [list(row.items()) if isinstance(row, dict) else list(row) for row in value if _is_row(row)]
        if len(rows) == len(value) and len({len(row) for row in rows}) == 1 and not _is_grid(value):
            for column in range(len(rows[0])):
                if all(is_number(_field(row[column])) for row in rows):
                    tied_rows = [_with_field(row, column, rows[0][column]) for row in rows]
                    kind = type(value[0])
                    yield type(value)(kind(row) for row in tied_rows)
                    yield type(value)(kind(row) for row in reversed(tied_rows))


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple | list | dict) and bool(value)


def _field(part: Any) -> Any:
    """What stands in a column: of a pair of key and value, the value."""
    return part[1] if isinstance(part, tuple) and len(part) == len(("key", "value")) else part


def _with_field(row: list[Any], column: int, part: Any) -> list[Any]:
    return [*row[:column], part, *row[column + 1 :]]


def _changes(value: Any, values: NearbyValues) -> Iterator[tuple[Any, bool]]:
    """Values near one, telling ones first, and whether each is an edge."""
    if isinstance(value, bool):
        yield not value, False
    elif isinstance(value, int | float):
        yield from _numbers(value, values)
    elif isinstance(value, str):
        yield from _texts(value, values)
    elif isinstance(value, bytes):
        yield from ((new, not new) for new in (value[1:], value + value, value[::-1], b""))
    elif isinstance(value, list | tuple):
        yield from ((type(value)(new), is_edge) for new, is_edge in _sequences(list(value), values))
    elif isinstance(value, set):
        yield from ((set(new), is_edge) for new, is_edge in _sequences(sorted(value, key=repr), values))
    elif isinstance(value, dict):
        yield from _mappings(value, values)


def _numbers(value: float, values: NearbyValues) -> Iterator[tuple[Any, bool]]:
    kind = type(value)
    near = [n for n in values.constants if is_number(n)]
    yield from ((kind(n), n <= 0) for n in (value + 1, value - 1))
    # What a program divides by is told by multiples: of 4, of 100, of 400.
    for divisor in values.divisors:
        below = (value // divisor) * divisor
        yield from ((kind(n), False) for n in (below, below + divisor) if 0 < n != value)
    for boundary in near:
        yield from ((kind(n), n <= 0) for n in (boundary, boundary + 1, boundary - 1))
    if kind is float:
        yield from ((n, n <= 0) for n in (value + 0.5, value / 2, value % 1, round(value * 1.5, 3)))
    yield from ((kind(n), n <= 0) for n in (value + 2, value * 2, value * 2 + 1, value // 2, 1, 0, 10, -1, -value))


def _texts(value: str, values: NearbyValues) -> Iterator[tuple[Any, bool]]:
    half = len(value) // 2
    length = max(3, min(len(value), 8))
    drawn = "".join(values.rng.choice(values.letters) for _ in range(length)) if values.letters else "ab"
    numbers = [_NUMBER.sub(lambda found: values.other_number(found[0]), value) for _ in range(3)]
    nothing = _NUMBER.sub(lambda found: "0" * len(found[0]), value, count=1)
    made = [
        *numbers,
        nothing,
        _with_longer_number(value),
        value[:-1],
        value[1:],
        value + value,
        value[::-1],
        drawn,
        value[:half] + " " + value[half:],
    ]
    made += [value.swapcase(), value[:1], value[:1] + value, value + value[-1:]]
    made += [c for c in values.constants if isinstance(c, str)][:4]
    made += [value[:-1] + sign for sign in ("7", "!") if value and sign not in values.letters]
    if values.has_patterns:
        made += [re.sub(_FIRST_LETTER, rf"\g<0>{sign}", value, count=1) for sign in "-+'"]
    yield from ((new, not new or _is_misshapen(new, value)) for new in [*made[:8], "", *made[8:]])
    yield from ((values.leaf_like(value) + values.leaf_like(value), False) for _ in range(2))


def _with_longer_number(text: str) -> str:
    """A text whose first number has one digit more: numbers that are compared as texts stand in another order then."""
    return _NUMBER.sub(r"\g<0>0", text, count=1)


def _is_misshapen(text: str, like: str) -> bool:
    """Whether a text has lost the form of another one that has numbers in it, `1.2.3` or `12:30`."""
    return bool(_NUMBER.search(like)) and _form(text) != _form(like)


def _form(text: str) -> str:
    return _WORD.sub("a", _NUMBER.sub("0", text))


def _sequences(items: list[Any], values: NearbyValues) -> Iterator[tuple[list[Any], bool]]:
    yield items[:-1], len(items) < 2
    yield items[1:], len(items) < 2
    yield [], True
    if len(items) > 1:
        # One item is both the first and the last, and has no neighbour.
        yield items[:1], False
    if items:
        yield [*items, items[0]], False
        yield items[::-1], False
        yield [*items[1:], items[0]], False
        yield [values.leaf_like(item) if _is_leaf(item) else item for item in items], False
        longer = (items * _LONG_SEQUENCE)[:_LONG_SEQUENCE]
        yield [values.leaf_like(item) if _is_leaf(item) else item for item in longer], False
        yield [*items, values.leaf_like(items[-1]) if _is_leaf(items[-1]) else items[-1]], False
        if _is_leaf(items[-1]) and items[-1]:
            yield [*items[:-1], type(items[-1])()], isinstance(items[-1], str)
        if isinstance(items[0], str) and _NUMBER.search(items[0]):
            yield [_with_longer_number(items[0]), *items[1:]], False
    for place in range(min(len(items), 3)):
        for new, is_edge in list(_changes(items[place], values))[:3]:
            yield [*items[:place], new, *items[place + 1 :]], is_edge and isinstance(items[place], str)
    yield [*items, *items], not items
    yield from (([item] * 3, False) for item in items[:1])


def _mappings(value: dict[Any, Any], values: NearbyValues) -> Iterator[tuple[Any, bool]]:
    items = list(value.items())
    yield dict(items[1:]), len(items) < 2
    others = [key for key in values.keys if key not in value]
    yield from (({**value, other: old}, False) for _, old in items[:1] for other in others[:2])
    for key, old in items[:3]:
        near = list(_changes(old, values))[:3]
        yield from (({**value, key: new}, is_edge and isinstance(old, str | list)) for new, is_edge in near)
    yield dict(items[::-1]), False
    for key, old in items[:2]:
        yield from (({**value, new: old}, False) for new, _ in list(_changes(key, values))[:2])
    yield {}, True
    # What is there and stands for nothing is no number, text or list that a program can be told by.
    yield from (({**value, key: None}, True) for key in list(value)[-1:])


def _is_grid(value: Any) -> bool:
    """Whether a value is a list of lists, several and all of one length."""
    rows = value if isinstance(value, list) else []
    return len(rows) > 1 and all(isinstance(row, list) for row in rows) and len({len(row) for row in rows}) == 1


def _is_ragged(value: Any) -> bool:
    """Whether a value is a list of lists of unlike length."""
    rows = value if isinstance(value, list) else []
    return len(rows) > 1 and all(isinstance(row, list) for row in rows) and len({len(row) for row in rows}) > 1


def _program_constants(program: str) -> list[Any]:
    """The numbers and short texts that a program holds, in order."""
    module = parsed_or_none(program)
    nodes = walk(module) if module else ()
    found = [node.value for node in nodes if isinstance(node, ast.Constant)]
    plain = [c for c in found if (is_written_number(c) and c not in (0, 1)) or (isinstance(c, str) and 0 < len(c) < 20)]
    return list(dict.fromkeys(plain))[:8]


def _divisors(program: str) -> list[int]:
    """The numbers that a program divides by to see what is left, greatest first."""
    module = parsed_or_none(program)
    rests = (node for node in (walk(module) if module else ()) if isinstance(node, ast.BinOp))
    found = {whole_number(rest.right) for rest in rests if isinstance(rest.op, ast.Mod)}
    return sorted((number for number in found if number is not None and number > 2), reverse=True)[:3]


def leaves_of(value: Any) -> Iterator[Any]:
    """The values in collections of any depth, keys among them; of anything else itself."""
    if isinstance(value, dict):
        yield from (leaf for item in value.items() for part in item for leaf in leaves_of(part))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (leaf for item in value for leaf in leaves_of(item))
    else:
        yield value


def _keys(value: Any) -> Iterator[Any]:
    inner = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    yield from value if isinstance(value, dict) else ()
    yield from (key for part in inner for key in _keys(part))


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, dict | list | tuple | set | frozenset)


def is_number(value: Any) -> bool:
    """Whether a value is a number, truth values aside."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are written alike: 1 and 1.0 are not."""
    try:
        return repr(one) == repr(other)
    except ValueError:
        # A whole number of thousands of digits, which Python does not write.
        return bool(one == other)
