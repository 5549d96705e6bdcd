"""Remembers what was worked out of texts, up to so many characters: programs are short or long."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Found = TypeVar("Found")


def by_text(characters: int) -> Callable[[Callable[[str], Found]], ByText[Found]]:
    """Remember what a function of one text returns, for the texts that were asked for last.

    All texts together have at most so many characters.
    """
    return functools.partial(ByText, characters)


class ByText(Generic[Found]):
    """A function of one text that remembers; may be called from several threads.

    A text that is too long is worked out each time, as is one for which the function raises. What is returned is
    shared by all who ask: it is to be read and never changed.
    """

    def __init__(self, characters: int, function: Callable[[str], Found]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._most = self._left = characters
        self._found: OrderedDict[str, Found] = OrderedDict()
        self._alone = threading.Lock()

    def __call__(self, text: str) -> Found:
        """What the function returns; raises what it raises."""
        with self._alone:
            if text in self._found:
                self._found.move_to_end(text)
                return self._found[text]
        found = self._function(text)
        if len(text) <= self._most:
            self._keep(text, found)
        return found

    def forget(self) -> None:
        """Drop all that is remembered."""
        with self._alone:
            self._found.clear()
            self._left = self._most

    def _keep(self, text: str, found: Found) -> None:
        """Put a value in the place of those that were not asked for the longest."""
        with self._alone:
            if text not in self._found:
                self._found[text] = found
                self._left -= len(text)
            while self._left < 0:
                forgotten, _ = self._found.popitem(last=False)
                self._left += len(forgotten)
