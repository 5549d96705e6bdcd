"""Parses the pieces of a reply within a budget, and finds the code in text that is not all code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from regreen.propose.reply.reply_result import SyntaxProblem
from regreen.syntax import tree

_PARSES_PER_CHARACTER: Final = 6
"""How often each character of a text may be parsed, on average."""
_MIN_CHARACTERS: Final = 300_000
_CHARACTERS_PER_PARSE: Final = 200
"""Characters that each parse costs, besides those of its text."""
_STARTS: Final = re.compile(
    r"(?:(?:async[ \t]+)?def|class)[ \t]+\w|@[\w.]+|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b"
    r"|(?:if|for|while|with|try)\b[^\n]*:|[\w.\[\], \t]{1,80}(?::[^=\n]{1,80})?[-+*/%|&^]?=(?!=)"
)
_DEFINES: Final = re.compile(r"[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)")
_MARGIN: Final = re.compile(
    r"([ \t]*)(?:(?:(?:async[ \t]+)?def|class)[ \t]+\w+[ \t]*[(:]|@[\w.]+[ \t]*(?:\(|$)"
    r"|import[ \t]+\w+|from[ \t]+[\w.]+[ \t]+import\b)"
)
_JOINED: Final = re.compile(r"[\s)\]}#]|(?:else|elif|except|finally)\b|$")
_OPEN: Final = ("never closed", "unterminated triple", "EOF", "expected an indented block", "unterminated f-string")
_MAX_EXTENSIONS: Final = 8
"""Chunks that one piece of code is extended by, where its end seems missing."""


@dataclass(frozen=True, slots=True)
class ParsedCode:
    """Text that parses, and its tree."""

    text: str
    tree: ast.Module
    broken: Mapping[str, SyntaxProblem] = field(default_factory=dict)
    """Functions and classes beside it that do not parse."""
    partial: bool = False
    """Whether other text was left out."""


class BudgetedParser:
    """Parses until its characters are spent, so that the time for a reply is bounded by its length."""

    def __init__(self, length: int) -> None:
        self._left = _MIN_CHARACTERS + _PARSES_PER_CHARACTER * length
        self._last: tuple[str, ast.Module | SyntaxProblem] = "", ast.Module([], [])

    def tree(self, text: str) -> ast.Module | SyntaxProblem:
        """The tree of a text, or why it does not parse; the same tree for the text parsed last."""
        if text != self._last[0]:
            self._last = text, self._parsed(text)
        return self._last[1]

    def _parsed(self, text: str) -> ast.Module | SyntaxProblem:
        self._left -= len(text) + _CHARACTERS_PER_PARSE
        if self._left < 0:
            return SyntaxProblem(1, "there is too much text to look for code in")
        try:
            return tree(text)
        except SyntaxError as error:
            return _problem_of(text, error)
        except (ValueError, RecursionError, MemoryError):
            return SyntaxProblem(1, "the code is nested too deeply, or holds characters that no program can hold")

    def code(self, text: str) -> ParsedCode | SyntaxProblem:
        """The text as code."""
        tree = self.tree(text)
        return tree if isinstance(tree, SyntaxProblem) else ParsedCode(text, tree)


def _problem_of(text: str, error: SyntaxError) -> SyntaxProblem:
    line = max(1, error.lineno or 1)
    lines = text.split("\n")
    return SyntaxProblem(line, error.msg or "invalid syntax", lines[line - 1] if line <= len(lines) else "")


def code_fragments(text: str, parser: BudgetedParser) -> ParsedCode | SyntaxProblem:
    """The definitions, imports and assignments in a text that as a whole is no Python: prose, cut ends, outputs."""
    lines = _without_margin(text.split("\n"))
    chunks = list(_chunks(lines))
    kept: list[str] = []
    broken: dict[str, SyntaxProblem] = {}
    index = 0
    while index < len(chunks):
        first, last = chunks[index]
        index += 1
        if not _STARTS.match(lines[first]):
            continue
        found = parser.tree("\n".join(lines[first:last]))
        extended = index
        while (
            isinstance(found, SyntaxProblem)
            and _seems_open(found)
            and extended < min(index + _MAX_EXTENSIONS, len(chunks))
        ):
            last = chunks[extended][1]
            extended += 1
            found = parser.tree("\n".join(lines[first:last]))
        if not isinstance(found, SyntaxProblem):
            kept.extend(lines[first:last])
            index = extended
        elif name := _DEFINES.match(next((x for x in lines[first:last] if _DEFINES.match(x)), "")):
            broken[name.group(1)] = SyntaxProblem(first + found.line, found.message, found.text)
    whole = parser.code("\n".join(kept) + "\n")
    return (
        whole
        if isinstance(whole, SyntaxProblem)
        else ParsedCode(whole.text, whole.tree, broken, _filled_lines(kept) < _filled_lines(lines))
    )


def _filled_lines(lines: list[str]) -> int:
    return sum(bool(line.strip()) for line in lines)


def _seems_open(problem: SyntaxProblem) -> bool:
    return any(word in problem.message for word in _OPEN)


def _without_margin(lines: list[str]) -> list[str]:
    """The lines moved to the left, where all definitions and imports among them are indented."""
    margins = [found.group(1) for line in lines if (found := _MARGIN.match(line))]
    margin = min(margins, key=len, default="")
    return [line.removeprefix(margin) for line in lines] if margin else lines


def _chunks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Runs of lines that belong together by their indentation: half open, from 0."""
    first, decorates = 0, False
    for at, line in enumerate(lines):
        if at > first and not decorates and not _JOINED.match(line):
            yield first, at
            first = at
        decorates = line.startswith("@") or (decorates and _JOINED.match(line) is not None)
    if lines:
        yield first, len(lines)
