"""What is proposed, from suspected line to program, and in what the programs that pass differ."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Site:
    """Lines that may hold the fault."""

    first_line: int
    """From 1."""
    last_line: int
    """Inclusive."""
    suspicion: float
    """In [0, 1]."""
    reason: str = ""
    """The evidence against these lines, in words."""


@dataclass(frozen=True, slots=True)
class AssertionRun:
    """One assertion of a test, as far as it was watched."""

    held: bool
    lines: frozenset[int]
    """The lines of the program that ran since the assertion before it."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What the program's variables held when a check came to a line."""

    check: str
    is_red: bool
    """Whether the check fails."""
    line: int
    """From 1."""
    call: int
    """Which call of a function it was in, numbered within the check."""
    values: Mapping[str, Any]
    """Plain data by name: "x", and "self.x" for attributes."""
    should_return: tuple[Any, ...] = ()
    """What this call has to return, where the check tells: one value, or none."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a source text: `text` for `source[start:end]`, in characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed text for the whole buggy module."""

    source: str
    origin: str
    """Its proposer, as "room:detail", e.g. "search:comparison"; templates used together are joined by "+"."""
    parent: str | None = None
    """`id` of the candidate that was changed; None when it was written from the task alone."""
    note: str = ""
    """The change in words, e.g. "`<` became `<=`"."""

    @property
    def id(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of its text: equal texts are one candidate."""
        return hashlib.sha256(self.source.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def is_searched(self) -> bool:
        """Whether templates made it from its parent, which may itself come from a model."""
        return self.origin.startswith("search:")

    @property
    def changes(self) -> int:
        """Number of template changes that it combines; 1 for a program that was written as a whole."""
        return self.origin.count("+") + 1 if self.is_searched else 1


Answers = tuple[str, ...]
"""What one program answered to each question: a value's `repr`, "raises NAME" or "hangs"."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another program that passes, and that does otherwise on some input."""

    candidate: Candidate
    likelihood: float
    """How likely it is to be right, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """What some of the programs that pass answer to a question."""

    value: str
    """The value's `repr`, "raises NAME" or "hangs"."""
    check: str
    """The statements that claim this answer, to be added to the tests."""
    likelihood: float
    """The share of the programs that give it, each by how likely it is, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Question:
    """An input on which programs that pass do not agree, and that no check has."""

    input: str
    """The expression that is looked at, after the statements that it needs, on one line."""
    answers: tuple[PossibleAnswer, ...]
    """The likeliest first; at least two."""
    answered: int | None = None
    """The place in `answers` of the one that the user chose or typed; None where nobody was asked, or could say."""


class ProgramScorer(Protocol):
    """Anything that can say how probable programs are, as text."""

    def log_probabilities(self, programs: Sequence[str], statement: str = "") -> Sequence[float]:
        """Nats of each program, up to a summand that is the same for all: only the differences count.

        `statement` is what the programs are to do, in prose, for those that can read it. Raises ModelError when a model
        behind it gives no answer.
        """
        ...
