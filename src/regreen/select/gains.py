"""What one program has more of than another: signs of an odd change count only where the given program has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from regreen.syntax import UNPARSABLE

_SignT = TypeVar("_SignT", bound=Hashable)
_MOST_COUNTED = 1_024
"""Some ten times the kinds of signs: every candidate is held against the same given program."""


def signs_gained(before: str, after: str, signs_in: Callable[[str], Iterable[_SignT] | Mapping[_SignT, int]]) -> int:
    """How many signs `after` has and `before` has not, each as often as it stands; 0 where one is no program."""
    try:
        return (_signs(signs_in, after) - _signs(signs_in, before)).total()
    except UNPARSABLE:
        return 0


def count_gained(before: str, after: str, count_in: Callable[[str], int]) -> int:
    """By how much a count is higher in `after`, at least 0; 0 where one is no program."""
    try:
        return max(_count(count_in, after) - _count(count_in, before), 0)
    except UNPARSABLE:
        return 0


@lru_cache(_MOST_COUNTED)
def _signs(signs_in: Callable[[str], Iterable[Any] | Mapping[Any, int]], source: str) -> Counter[Any]:
    return Counter(signs_in(source))


@lru_cache(_MOST_COUNTED)
def _count(count_in: Callable[[str], int], source: str) -> int:
    return count_in(source)
