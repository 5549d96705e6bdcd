"""Texts of the checks and of the prose that have the shape of one in the program: `https://` beside `http://`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from regreen.propose.search.clues import Clues

MOST_ALIKE: Final = 8
_RUN: Final = re.compile(r"\w+|\s|[^\w\s]")
_MOST_RUNS: Final = 8
"""Of which the shape is kept: a text of more is a sentence."""
_TOKEN: Final = re.compile(r"[^\s/,;:=&?\"'()\[\]{}]+")
"""Pieces of paths, addresses and lists."""


def alike_texts(clues: Clues, like: Sequence[str]) -> list[str]:
    """At most eight texts of the shape of one of these, those of the prose first; in the case that all of them have.

    They are whole words: `jpg` of "b.x.jpg" beside `png`, `.venv` of ".venv/bin" beside `.git`. Whole pieces of paths
    and addresses follow. What the program has already is among them no more.
    """
    return list(_alike(clues.strings, clues.input_strings, tuple(like)))


@lru_cache(maxsize=256)
def _alike(quoted: tuple[str, ...], inputs: tuple[str, ...], like: tuple[str, ...]) -> tuple[str, ...]:
    same_case = str.lower if all(text == text.lower() for text in like) and any(map(str.islower, like)) else str
    found: dict[str, None] = {}
    shapes = list(dict.fromkeys(shape for text in like if (shape := pattern_of_shape(text))))
    for texts in (quoted, inputs):
        for shape in shapes:
            found |= dict.fromkeys(same_case(piece) for text in texts for piece in shape.findall(text))
    found |= dict.fromkeys(same_case(piece) for text in inputs for piece in _TOKEN.findall(text))
    return tuple(text for text in found if text not in like and text)[:MOST_ALIKE]


@lru_cache(maxsize=256)
def pattern_of_shape(text: str) -> re.Pattern[str] | None:
    """A pattern for texts of the same shape: words for words, other signs for signs; None for a long text.

    Where there are words, the signs between them are the same: `.git` is like `.tox`, and not like `-git`.
    """
    runs = _RUN.findall(text)
    if not runs or len(runs) > _MOST_RUNS:
        return None
    has_words = any(run[0].isalnum() or run[0] == "_" for run in runs)
    body = "".join(_pattern_of(run, keeps_signs=has_words) for run in runs)
    return re.compile(f"{_edge(runs[0], '(?<!', has_words)}{body}{_edge(runs[-1], '(?!', has_words)}")


def _pattern_of(run: str, *, keeps_signs: bool) -> str:
    if run.isspace():
        return r"\s"
    if run.isdigit():
        return r"\d+"
    if run[0].isalnum() or run[0] == "_":
        return r"\w+"
    return re.escape(run) if keeps_signs else r"[^\w\s]"


def _edge(run: str, opening: str, has_words: bool) -> str:
    """At a word's end no further letter may stand."""
    return rf"{opening}\w)" if has_words and (run[0].isalnum() or run[0] == "_") else ""


def pairs_of(found: Sequence[str], most: int) -> Iterator[tuple[str, str]]:
    """Two of the first texts each, those of the likeliest first."""
    yield from ((one, other) for at, other in enumerate(found[:most]) for one in found[:at])
