"""What one program has more of than another: signs of an odd change count only where the given program has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from regreen.syntax import UNPARSABLE

_SignT = TypeVar("_SignT", bound=Hashable)


def count_in(program: str, count: Callable[[str], int]) -> int:
    """A count of what a program has; 0 where it is none."""
    try:
        return count(program)
    except UNPARSABLE:
        return 0


def signs_gained(before: str, after: str, signs_in: Callable[[str], Iterable[_SignT] | Mapping[_SignT, int]]) -> int:
    """How many signs `after` has and `before` has not, each as often as it stands; 0 where one is no program."""
    try:
        found = Counter(signs_in(after))
        # Most programs have none, and most signs are dear to look for.
        return (found - Counter(signs_in(before))).total() if found else 0
    except UNPARSABLE:
        return 0


def count_gained(before: str, after: str, count_in: Callable[[str], int]) -> int:
    """By how much a count is higher in `after`, at least 0; 0 where one is no program."""
    try:
        found = count_in(after)
        return max(found - count_in(before), 0) if found else 0
    except UNPARSABLE:
        return 0
