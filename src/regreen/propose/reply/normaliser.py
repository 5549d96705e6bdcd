"""Normalises code in replies: undoes prompts, line numbers, HTML entities, typographic quotes, lost indentation."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from regreen.propose.edits.quoted_lines import without_line_numbers
from regreen.propose.reply.name_analysis import defined_names
from regreen.propose.reply.parsing import BudgetedParser, ParsedCode, code_fragments
from regreen.propose.reply.reply_result import SyntaxProblem
from regreen.syntax import indent_of

_ENTITY: Final = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4});")
_LITERAL: Final = re.compile(
    r"\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|\"(?:[^\"\\\n]|\\[^\n])*\"|'(?:[^'\\\n]|\\[^\n])*'|#[^\n]*"
)
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED: Final = {"n": "\n", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
_PROMPT: Final = re.compile(r"[ \t]*(?:(?:>>>|\.\.\.)(?: |$)|In \[\d{1,4}\]: ?|\.{3,8}: ?)")
_PROMPTED: Final = re.compile(
    r"^[ \t]*(?:>>>|In \[\d{1,4}\]:)[ \t]*(?:def|class|async)[ \t]|^[ \t]*>>>[ \t]*@", re.MULTILINE
)
_INVISIBLE: Final = {ord(c): None for c in "\u200b\u200c\u200d\u2060\ufeff\u00ad"} | {
    ord(c): " " for c in "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"
}
_TYPOGRAPHIC: Final = {ord(c): '"' for c in "\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02"} | {
    **{ord(c): "'" for c in "\u2018\u2019\u201a\u201b\u2032\uff07"},
    **{ord(c): "-" for c in "\u2010\u2011\u2012\u2013\u2014\u2212"},
    **{0x2264: "<=", 0x2265: ">=", 0x2260: "!=", 0x00D7: "*", 0x2026: "...", 0xFF08: "(", 0xFF09: ")", 0xFF1A: ":"},
    **{0xFF0C: ",", 0xFF1D: "="},
}


def normalise_code(
    text: str, wanted: Collection[str] | None, parser: BudgetedParser
) -> tuple[ParsedCode | SyntaxProblem, tuple[str, ...]]:
    """The code in a piece of a reply, with notes on what was undone.

    A text that parses as it stands is left alone. Any other is normalised step by step until it parses, or until one
    of the `wanted` names (any name when None) is defined in the part of it that does.
    """
    first = parser.code(text)
    if isinstance(first, ParsedCode) and not _shows_entities(text):
        return first, ()
    if isinstance(first, SyntaxProblem) and (found := _fragments_defining(text, wanted, parser)):
        return found, _fragment_notes(found)
    notes: list[str] = []
    for note, normalised in _NORMALISERS:
        versions = [version for version in normalised(text) if version != text]
        for version in versions:
            if isinstance(whole := parser.code(version), ParsedCode):
                return whole, (*notes, note)
            if found := _fragments_defining(version, wanted, parser):
                return found, (*notes, note, *_fragment_notes(found))
        text = next(iter(versions), text)
        notes.extend([note] if versions else [])
    return (first if isinstance(first, ParsedCode) else _best_reading(code_fragments(text, parser), first)), ()


def _fragments_defining(text: str, wanted: Collection[str] | None, parser: BudgetedParser) -> ParsedCode | None:
    """The code among other text, where it defines one of the wanted names (any name when None)."""
    found = code_fragments(text, parser)
    names = defined_names(found.tree) if isinstance(found, ParsedCode) else set()
    return found if isinstance(found, ParsedCode) and names and (wanted is None or names & set(wanted)) else None


def _fragment_notes(code: ParsedCode) -> tuple[str, ...]:
    return ("text that is no code was left out",) if code.partial else ()


def _best_reading(found: ParsedCode | SyntaxProblem, first: SyntaxProblem) -> ParsedCode | SyntaxProblem:
    """The code found at last, or the first syntax problem where there is none."""
    if isinstance(found, ParsedCode) and (found.tree.body or found.broken):
        return found
    return first


def _shows_entities(text: str) -> bool:
    """Whether HTML entities stand outside of strings and comments."""
    return "&" in text and bool(_ENTITY.search(_LITERAL.sub("", text)))


def _unescaped(text: str) -> Iterator[str]:
    """Code in one line whose line breaks are written as backslash and n, with real line breaks."""
    line = text.strip()
    if "\n" not in line and "\\n" in line:
        yield _ESCAPE.sub(lambda found: _ESCAPED.get(found.group(1), found.group()), line.strip("\"'`")) + "\n"


def _without_entities(text: str) -> Iterator[str]:
    if _ENTITY.search(text):
        yield html.unescape(text)


def _unquoted(text: str) -> Iterator[str]:
    """Lines quoted as in a mail, without the quote marks."""
    lines = text.split("\n")
    if all(line.startswith(">") and not line.startswith(">>>") for line in lines if line.strip()):
        yield "\n".join(line[1:].removeprefix(" ") for line in lines)


def _without_prompts(text: str) -> Iterator[str]:
    """The lines behind an interpreter's prompts, without its output, where a definition is among them."""
    if _PROMPTED.search(text):
        lines = [(found, line) for line in text.split("\n") if (found := _PROMPT.match(line))]
        yield "\n".join(line[found.end() :] for found, line in lines) + "\n"


def _without_numbers(text: str) -> Iterator[str]:
    if (version := without_line_numbers(text)) is not None:
        yield version


def _without_invisible(text: str) -> Iterator[str]:
    yield text.translate(_INVISIBLE)


def _dedented(text: str) -> Iterator[str]:
    """The text without the indentation of its first line."""
    if margin := indent_of(next((line for line in text.split("\n") if line.strip()), "")):
        yield "\n".join(line.removeprefix(margin) for line in text.split("\n"))


def _with_spaces(text: str) -> Iterator[str]:
    """Tabs become spaces, as editors show them: four columns wide, or eight."""
    for width in (4, 8) if "\t" in text else ():
        yield "\n".join(indent_of(line).expandtabs(width) + line.lstrip(" \t") for line in text.split("\n"))


def _without_typography(text: str) -> Iterator[str]:
    yield text.translate(_TYPOGRAPHIC)


_NORMALISERS: Final[tuple[tuple[str, Callable[[str], Iterator[str]]], ...]] = (
    ("line breaks that were written as \\n were put in", _unescaped),
    ("HTML's spelling of characters was undone", _without_entities),
    ("quote marks before the lines were dropped", _unquoted),
    ("an interpreter's prompts were dropped", _without_prompts),
    ("line numbers were dropped", _without_numbers),
    ("invisible characters and odd blanks were mended", _without_invisible),
    ("the indentation of the whole was dropped", _dedented),
    ("tabs became spaces", _with_spaces),
    ("typographic characters became plain ones", _without_typography),
)
"""The steps, outermost first: a note on what is undone, and the texts that may come of it."""
