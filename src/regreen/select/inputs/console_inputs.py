"""Texts like those that the checks hand a program on its standard input: other numbers, other rows, other orders.

What such a text means is not known, but much of it can be seen: a number that counts the rest of its line, the line
below or the lines below stays what it counts, so that most of the new texts are read as the old ones were.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

_INTEGER = re.compile(r"-?\d{1,12}")
_MOST_STEPS = 3
"""Changes in one new text."""
_Lines = list[list[str]]
"""The words of each line."""


def texts_like(text: str, rng: random.Random) -> Iterator[str]:
    """Endless texts like this one, some of them the same; none where it holds no word to change."""
    lines = [line.split() for line in text.rstrip("\n").split("\n")]
    if not any(lines):
        return
    while True:
        changed = [list(line) for line in lines]
        for _ in range(rng.randint(1, _MOST_STEPS)):
            rng.choice(_CHANGES)(changed, rng)
        yield "\n".join(map(" ".join, changed)) + "\n"


def _other_number(lines: _Lines, rng: random.Random) -> None:
    """Another number near one of the text, or one of its others."""
    numbers = [int(word) for line in lines for word in line if _INTEGER.fullmatch(word)]
    place = _place(lines, rng, _is_number)
    if place is None:
        return
    old = int(lines[place[0]][place[1]])
    least = min(1, min(numbers))
    new = rng.choice([old - 1, old + 1, old + 2, 2 * old, *numbers])
    lines[place[0]][place[1]] = str(max(least, new))


def _other_word(lines: _Lines, rng: random.Random) -> None:
    """Another word of the text in the place of one, or one with another of the text's characters in it.

    A word with digits stays whole: it may be a time or a date, and not every one is.
    """
    words = sorted({word for line in lines for word in line if not _is_number(word)})
    place = _place(lines, rng, lambda word: not _is_number(word))
    if place is None:
        return
    old = lines[place[0]][place[1]]
    alike = [word for word in words if len(word) == len(old)] if len(old) > 1 else words
    characters = sorted(set("".join(words)))
    at = rng.randrange(len(old))
    mixed = old[:at] + rng.choice(characters) + old[at + 1 :]
    is_whole = any(character.isdigit() for character in old)
    lines[place[0]][place[1]] = rng.choice(alike if is_whole else [*alike, mixed, mixed])


def _same_again(lines: _Lines, rng: random.Random) -> None:
    """A word that is the same as the one before it: who comes first of equals?"""
    place = _place(lines, rng, lambda word: True)
    if place is not None and place[1]:
        lines[place[0]][place[1]] = lines[place[0]][place[1] - 1]


def _other_order(lines: _Lines, rng: random.Random) -> None:
    """The words of a line, or the lines with as many words as another one has, in another order."""
    row = rng.randrange(len(lines))
    counts = _counts(lines)
    plain = [n for n, line in enumerate(lines) if not any((n, column) in counts for column in range(len(line)))]
    alike = [n for n in plain if len(lines[n]) == len(lines[row])]
    if len(alike) > 1 and rng.random() < 0.5:
        one, other = rng.sample(alike, 2)
        lines[one], lines[other] = lines[other], lines[one]
    elif row in alike:
        rng.shuffle(lines[row])


def _longer_or_shorter_line(lines: _Lines, rng: random.Random) -> None:
    """A word more or less in a line that a number before it counts."""
    counted = [place for place, what in _counts(lines).items() if what == "words"]
    if not counted:
        return
    row, column = rng.choice(counted)
    line = row + 1
    if rng.random() < 0.5 and len(lines[line]) > 1:
        del lines[line][rng.randrange(len(lines[line]))]
    else:
        lines[line].insert(rng.randrange(len(lines[line]) + 1), rng.choice(lines[line]))
    lines[row][column] = str(len(lines[line]))


def _more_or_fewer_lines(lines: _Lines, rng: random.Random) -> None:
    """A line more or less among those that a number above them counts."""
    counted = [place for place, what in _counts(lines).items() if what == "lines"]
    if not counted:
        return
    row, column = rng.choice(counted)
    size = int(lines[row][column])
    if rng.random() < 0.5 and size > 1:
        del lines[row + 1 + rng.randrange(size)]
        lines[row][column] = str(size - 1)
    else:
        lines.insert(row + 1 + rng.randrange(size + 1), list(lines[row + 1 + rng.randrange(size)]))
        lines[row][column] = str(size + 1)


_CHANGES: Sequence[Callable[[_Lines, random.Random], None]] = (
    _other_number,
    _other_number,
    _other_number,
    _other_word,
    _same_again,
    _other_order,
    _longer_or_shorter_line,
    _more_or_fewer_lines,
)


def _is_number(word: str) -> bool:
    return _INTEGER.fullmatch(word) is not None


def _place(lines: _Lines, rng: random.Random, wanted: Callable[[str], bool]) -> tuple[int, int] | None:
    """A word that is wanted and counts nothing, by its line and place; None where there is none."""
    counts = _counts(lines)
    places = [
        (row, column)
        for row, line in enumerate(lines)
        for column, word in enumerate(line)
        if wanted(word) and (row, column) not in counts
    ]
    return rng.choice(places) if places else None


def _counts(lines: _Lines) -> dict[tuple[int, int], str]:
    """The numbers that count something, by line and place: the "words" of the line below, the "lines" below, or how
    wide it is (the "width" of a grid, the length of a text)."""
    found: dict[tuple[int, int], str] = {}
    for row, line in enumerate(lines):
        below = lines[row + 1 :]
        for column, word in enumerate(line):
            number = int(word) if _is_number(word) else 0
            if not below or number < 1:
                continue
            if 1 < number <= len(below) and _is_block(below, number):
                found[row, column] = "lines"
            elif number == len(below[0]) and (number > 1 or len(line) == 1):
                found[row, column] = "words"
            elif number == len(below):
                found[row, column] = "lines"
            elif number > 1 and [number] == [len(each) for each in below[0]]:
                found[row, column] = "width"
    return found


def _is_block(lines: _Lines, size: int) -> bool:
    """Whether the first lines, so many, are the only ones with as many words as the first."""
    widths = [len(line) for line in lines[: size + 1]]
    return len(set(widths[:size])) == 1 and (size == len(lines) or widths[size] != widths[0])
