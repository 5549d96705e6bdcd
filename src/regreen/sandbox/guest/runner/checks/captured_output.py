"""A program's printed text, kept up to a limit."""

from __future__ import annotations

import io

VERDICT_CHARACTERS = 1 << 16
"""Characters of printed text that go into a verdict."""

FLOOD_DETAIL = "the program printed more than it may"


class OutputFlood(BaseException):
    """The program printed more than the limit. No `except Exception` of its own stops this."""


class CappedText(io.TextIOBase):
    """A text stream that remembers what is written, and raises OutputFlood past `limit` characters."""

    __slots__ = ("flooded", "limit", "parts", "room")

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, limit: int) -> None:
        self.limit = self.room = limit
        self.parts: list[str] = []
        self.flooded = False
        """Whether more was printed than may be since this was last set to False: whoever printed may have swallowed
        the exception."""

    def write(self, text: str) -> int:
        """Keep the text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.room -= len(text)
        if self.room < 0:
            # Nothing is kept, so that the next check has the whole limit again.
            self.parts.clear()
            self.room = self.limit
            self.flooded = True
            raise OutputFlood(FLOOD_DETAIL)
        if text:
            self.parts.append(text)
        return len(text)

    def writable(self) -> bool:
        """Always true."""
        return True

    def take(self) -> str:
        """All text written since the last call."""
        if not self.parts:
            return ""
        text = "".join(self.parts)
        self.parts.clear()
        return text


class DroppedText(CappedText):
    """A text stream of the same form that keeps nothing and has no limit: for output that nobody reads."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(0)

    def write(self, text: str) -> int:
        """Take the text, and forget it."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        return len(text)
