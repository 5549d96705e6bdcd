"""Where the texts that failing checks got differ from those that they wanted, word by word."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any, Final

from regreen.syntax import UNPARSABLE
from regreen.types import CheckResult

_PIECE: Final = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_TEXTS: Final = 8
"""Texts of one value that are compared."""
_MOST_CHARACTERS: Final = 400
_MOST_CHANGES: Final = 6
"""Changes in one text: one that differs more is another text."""


def differing_texts(failures: Iterable[CheckResult]) -> tuple[tuple[str, str], ...]:
    """Each piece of text that came, and what was wanted in its place, the first ones first.

    What was wanted in addition comes with the piece before it, or after it, and so does what was too much.
    """
    found = (pair for failure in failures for texts in _texts_of(failure) for pair in _changes(*texts))
    return tuple(dict.fromkeys(found))[:_MOST_CHANGES]


def _texts_of(failure: CheckResult) -> Iterator[tuple[str, str]]:
    try:
        came, wanted = ast.literal_eval(failure.actual), ast.literal_eval(failure.expected)
    except (*UNPARSABLE, TypeError):
        return
    yield from list(_pairs(came, wanted))[:_MOST_TEXTS]


def _pairs(came: Any, wanted: Any) -> Iterator[tuple[str, str]]:
    """Texts at the same place of two values that differ there."""
    if type(came) is not type(wanted) or came == wanted:
        return
    if isinstance(came, str):
        yield came, wanted
    elif isinstance(came, list | tuple) and len(came) == len(wanted):
        for one, other in zip(came, wanted, strict=True):
            yield from _pairs(one, other)
    elif isinstance(came, dict):
        for key in (key for key in came if key in wanted):
            yield from _pairs(came[key], wanted[key])


def _changes(came: str, wanted: str) -> Iterator[tuple[str, str]]:
    if max(len(came), len(wanted)) > _MOST_CHARACTERS:
        return
    old, new = _PIECE.findall(came), _PIECE.findall(wanted)
    spans = [span for span in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if span[0] != "equal"]
    for _, start, end, new_start, new_end in spans if len(spans) <= _MOST_CHANGES else []:
        gone, put = "".join(old[start:end]), "".join(new[new_start:new_end])
        if gone and put:
            yield gone, put
            continue
        if start:
            yield old[start - 1] + gone, old[start - 1] + put
        if end < len(old):
            yield gone + old[end], put + old[end]
