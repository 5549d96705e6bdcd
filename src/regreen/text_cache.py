"""A cache of what a function works out of texts, bounded by their characters: programs are short or long."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


def cached_by_text(characters: int) -> Callable[[Callable[[str], _Value]], TextCache[_Value]]:
    """Decorate a function of one text: its values for the texts used last are kept.

    `characters`: the most that all texts kept may have together.
    """
    return functools.partial(TextCache, characters)


class TextCache(Generic[_Value]):
    """A function of one text with a cache, least recently used texts dropped first; safe to call from several threads.

    Not cached: a text longer than the whole cache, and one for which the function raises. All callers share the
    values, which must not be changed.
    """

    def __init__(self, characters: int, function: Callable[[str], _Value]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._capacity = self._left = characters
        self._values: OrderedDict[str, _Value] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str) -> _Value:
        """What the function returns; raises what it raises."""
        with self._lock:
            if text in self._values:
                self._values.move_to_end(text)
                return self._values[text]
        value = self._function(text)
        if len(text) <= self._capacity:
            self._keep(text, value)
        return value

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()
            self._left = self._capacity

    def _keep(self, text: str, value: _Value) -> None:
        """Put a value in the place of those whose texts were used the longest ago."""
        with self._lock:
            if text not in self._values:
                self._values[text] = value
                self._left -= len(text)
            while self._left < 0:
                dropped, _ = self._values.popitem(last=False)
                self._left += len(dropped)
