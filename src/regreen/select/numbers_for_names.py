"""Numbers where a variable would do: `range(0, n, 2)` passes like `range(0, n, size)` where every check asks with 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from keyword import iskeyword

from regreen.select.tokens import edit_spans, significant_tokens

_ANYWHERE = frozenset(("0", "1"))
"""Numbers that stand for themselves more often than for what a variable happens to hold."""
_Around = tuple[tuple[str, ...], tuple[str, ...]]


def numbers_for_names(before: str, sources: Sequence[str]) -> list[int]:
    """For each program, how many of its new numbers are a variable in another one that is the same but for that."""
    old = significant_tokens(before)
    found = [list(_new_places(old, significant_tokens(source))) for source in sources]
    named = {around for places in found for text, around in places if text.isidentifier() and not iskeyword(text)}
    return [sum(_is_number(text) and around in named for text, around in places) for places in found]


def _new_places(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, _Around]]:
    """Each new number or name, with what stands before and behind it."""
    for span in edit_spans(old, new):
        for place in range(span.new_start, span.new_end):
            if _is_number(new[place]) or new[place].isidentifier():
                yield new[place], (tuple(new[:place]), tuple(new[place + 1 :]))


def _is_number(text: str) -> bool:
    return text[:1].isdigit() and text not in _ANYWHERE
