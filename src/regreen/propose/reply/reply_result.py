"""What comes of reading a reply: a program, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_CHARACTERS: Final = 200_000
"""Characters of a reply, and of a program, that are read."""


class ReplyFaultKind(StrEnum):
    """Why no program could be taken from a reply."""

    EMPTY = "empty"
    REFUSED = "refused"
    """There is no code, and the text declines."""
    NO_CODE = "no_code"
    NO_FUNCTION = "no_function"
    """There is code, but not the function that was asked for."""
    SYNTAX = "syntax"
    CUT = "cut"
    """The reply ended in the midst of the function."""
    ELIDED = "elided"
    """A part of the function was left out with a remark such as "rest unchanged"."""
    SIGNATURE = "signature"
    AMBIGUOUS = "ambiguous"
    """The reply fits in more than one place of the program."""
    MISFIT = "misfit"
    """A diff, a search-and-replace block or an edit does not fit the program."""
    UNCHANGED = "unchanged"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class ReplyProgram:
    """A whole program, made from a reply."""

    source: str
    notes: tuple[str, ...] = ()
    """What was mended or left aside, in words."""
    block: int = 0
    """The fenced block that it comes from, from 1; 0 where it did not come from a fenced block."""
    names: tuple[str, ...] = ()
    """The functions and classes of the program that were replaced, methods as "Class.method"."""


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """Why there is no program, in words that may be shown to the model."""

    kind: ReplyFaultKind
    detail: str
    line: int | None = None
    """The line of the code in question, from 1, where one is to blame."""


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Where and why a text does not parse; the line from 1."""

    line: int
    message: str
    text: str = ""
    """The line itself."""

    def __str__(self) -> str:
        shown = f": `{self.text.strip()[:120]}`" if self.text.strip() else ""
        return f"Line {self.line} of the code: {self.message}{shown}"
