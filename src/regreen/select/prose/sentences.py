"""The sentences that a program and its statement say in prose, and which definition each speaks of."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from regreen.syntax import DEFINITIONS, UNPARSABLE, Definition, parsed_or_none
from regreen.worked_examples import without_examples

EVERYWHERE: Final = ""
"""The scope of what speaks of a program as a whole."""
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(\[0-9-])|\n\s*\n|\n\s*(?=[-*:>]|[A-Z][a-z]+:)")
_HEADER = re.compile(r"\s*\**([A-Z][\w ]{0,30})\**:")
_MOST_CHARACTERS = 20_000
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose."""

    text: str
    """On one line."""
    scope: str
    """The dotted name of the definition that it speaks of; `EVERYWHERE` for the whole program."""


@lru_cache(maxsize=16)
def sentences_of(program: str, statement: str = "") -> tuple[Sentence, ...]:
    """The sentences of the statement, of the docstrings and of the comments, in this order; none is given twice.

    Worked examples are no sentences."""
    module = parsed_or_none(program)
    texts = [(statement, EVERYWHERE)]
    if module is not None:
        texts.append((ast.get_docstring(module) or "", EVERYWHERE))
        texts += [(ast.get_docstring(node) or "", name) for name, node in dotted_definitions(module)]
        texts += _comments(program, module)
    found = [Sentence(text, scope) for prose, scope in texts for text in _sentences(prose)]
    return tuple(dict.fromkeys(found))


def dotted_definitions(module: ast.Module) -> Iterator[tuple[str, Definition]]:
    """Every function and class with its dotted name, the outer ones before the inner."""

    def inside(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, DEFINITIONS):
                yield prefix + child.name, child
                yield from inside(child, f"{prefix}{child.name}.")
            else:
                yield from inside(child, prefix)

    return inside(module, "")


def _comments(program: str, module: ast.Module) -> list[tuple[str, str]]:
    """Each comment with the innermost definition around it; comments on lines that follow one another are one text."""
    spans = [(node.lineno, node.end_lineno or node.lineno, name) for name, node in dotted_definitions(module)]
    found: list[tuple[int, str]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(program).readline):
            if token.type == tokenize.COMMENT:
                text = token.string.lstrip("#").strip()
                line = token.start[0]
                if found and found[-1][0] == line - 1 and not token.line[: token.start[1]].strip():
                    text = f"{found.pop()[1]} {text}"
                found.append((line, text))
    except (*UNPARSABLE, tokenize.TokenError):
        return []
    return [
        (text, next((name for first, last, name in reversed(spans) if first <= line <= last), EVERYWHERE))
        for line, text in found
    ]


def _without_constraints(prose: str) -> str:
    """The prose without what stands below "Constraints:": it tells of what is given, and of nothing to be done."""
    kept: list[str] = []
    is_given = False
    for line in prose.split("\n"):
        if (header := _HEADER.match(line)) is not None:
            is_given = header[1].lower().startswith("constraint")
        if not is_given:
            kept.append(line)
    return "\n".join(kept)


def _sentences(prose: str) -> Iterator[str]:
    # Examples are left out line by line: joined, they would take the words after them along.
    for part in _END.split(without_examples(_without_constraints(prose[:_MOST_CHARACTERS]))):
        text = " ".join(part.split())
        if text and len(text) <= _LONGEST:
            yield text
