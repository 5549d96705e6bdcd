"""Finds statements in test text that are cut off or no Python, to report each by its line and run none."""

from __future__ import annotations

from dataclasses import dataclass

from regreen import syntax

_SHOWN_CHARACTERS = 60
_CONTINUATIONS = (")", "]", "}", "else:", "else ", "elif ", "except", "finally", "#")
"""Beginnings of lines that belong to the statement before them."""


@dataclass(frozen=True, slots=True)
class BrokenStatement:
    """One statement that does not parse, and why."""

    line: int
    """Line at which the statement fails to parse, from 1."""
    text: str
    """Text of that line."""
    why: str

    def __str__(self) -> str:
        kind = "an incomplete assert" if self.text.startswith("assert") else "no Python"
        return f"line {self.line} is {kind}: `{self.text[:_SHOWN_CHARACTERS]}` ({self.why})"


def broken_statements(text: str) -> tuple[BrokenStatement, ...]:
    """The top-level statements of a text that do not parse; none where all of it parses."""
    whole = _problem(text)
    if whole is None:
        return ()
    found = tuple(
        _broken_statement(text, line + problem[0], problem[1])
        for line, statement in _statements(text)
        if (problem := _problem(statement)) is not None
    )
    # Parts that parse by themselves may not parse together, e.g. an `else` at the margin.
    return found or (_broken_statement(text, 1 + whole[0], whole[1]),)


def _broken_statement(text: str, line: int, why: str) -> BrokenStatement:
    lines = text.split("\n")
    return BrokenStatement(line, lines[min(line, len(lines)) - 1].strip(), why)


def _problem(text: str) -> tuple[int, str] | None:
    """Line, from 0, at which the text stops to be Python, and why; None where it is Python."""
    try:
        syntax.parse(text)
    except SyntaxError as error:
        return max((error.lineno or 1) - 1, 0), error.msg or "not valid"
    except (ValueError, RecursionError, MemoryError) as error:
        return 0, str(error) or "nested too deeply"
    return None


def _statements(text: str) -> list[tuple[int, str]]:
    """The text cut where a line begins at the margin, with the number of each part's first line."""
    parts: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        begins = line[:1].strip() and not line.startswith(_CONTINUATIONS) and not _is_decorator(parts)
        if begins or not parts:
            parts.append((number, []))
        parts[-1][1].append(line)
    return [(number, "\n".join(lines)) for number, lines in parts if any(line.strip() for line in lines)]


def _is_decorator(parts: list[tuple[int, list[str]]]) -> bool:
    """Whether the last part is nothing but decorators, whose function is yet to come."""
    return bool(parts) and all(line.startswith(("@", "#")) or not line.strip() for line in parts[-1][1])
