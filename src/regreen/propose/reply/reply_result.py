"""The result of reading a reply: a program, or the reason why there is none."""

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
    """The reply ends in the middle of the function."""
    ELIDED = "elided"
    """A part of the function is left out with a remark such as "rest unchanged"."""
    SIGNATURE = "signature"
    AMBIGUOUS = "ambiguous"
    """The reply fits several places of the program."""
    MISFIT = "misfit"
    """A diff, a search-and-replace block or an edit does not fit the program."""
    UNCHANGED = "unchanged"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class ReplyProgram:
    """A whole program, made from a reply."""

    source: str
    notes: tuple[str, ...] = ()
    """What was repaired or left out, in words."""
    block: int = 0
    """Number of the fenced block that it comes from, from 1; 0 where it comes from none."""
    names: tuple[str, ...] = ()
    """The functions and classes of the program that were replaced, methods as "Class.method"."""


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """Why there is no program, in words that may be shown to the model."""

    kind: ReplyFaultKind
    detail: str
    line: int | None = None
    """The line of the code to blame, from 1; None where there is no single one."""


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Where (line from 1) and why a text does not parse."""

    line: int
    message: str
    text: str = ""
    """Text of that line; "" where there is none."""

    def __str__(self) -> str:
        shown = f": `{self.text.strip()[:120]}`" if self.text.strip() else ""
        return f"Line {self.line} of the code: {self.message}{shown}"
