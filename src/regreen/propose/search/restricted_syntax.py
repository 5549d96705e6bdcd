"""Places where not every expression may stand: the fields of f-strings and the patterns of `match`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.syntax import parse
from regreen.types import Edit

_OPENING: Final = re.compile(r"(?:[fF][rR]?|[rR][fF])('''|\"\"\"|'|\")")
_CLOSERS: Final = {"(": ")", "[": "]", "{": "}"}


class FStringField(NamedTuple):
    """One `{value!r:spec}` of an f-string, as offsets in its text."""

    start: int
    """Where the value begins, after the bracket."""
    end: int
    """Where the value ends: at `!`, `:` or the closing bracket."""
    close: int
    """Where the closing bracket stands."""


class RestrictedSpan(NamedTuple):
    """A stretch of text with rules of its own."""

    start: int
    end: int
    quote: str
    """The quotes of an f-string; empty for a pattern."""


def fstring_quote(text: str) -> str:
    """The quotes of an f-string that is one piece; empty for anything else."""
    opened = _OPENING.match(text)
    if opened is None:
        return ""
    quote = opened.group(1)
    body = text[opened.end() : -len(quote)]
    whole = text.endswith(quote) and len(text) >= opened.end() + len(quote)
    return quote if whole and quote not in body and "\\" not in body else ""


def fstring_fields(text: str) -> Iterator[FStringField]:
    """The fields of an f-string that is one piece, as long as they are simple."""
    quote = fstring_quote(text)
    at, end = (text.index(quote) + len(quote), len(text) - len(quote)) if quote else (0, 0)
    while at < end:
        if text.startswith(("{{", "}}"), at):
            at += 2
        elif text[at] == "{":
            stop = _value_end(text, at + 1, end)
            close = _close(text, stop, end)
            yield FStringField(at + 1, stop, close)
            at = close + 1
        else:
            at += 1


def _value_end(text: str, at: int, end: int) -> int:
    """Where the value of a field ends: at the first `!`, `:` or `}` outside brackets and strings."""
    stack: list[str] = []
    inside = ""
    while at < end:
        character = text[at]
        if inside:
            inside = "" if character == inside else inside
        elif character in "'\"":
            inside = character
        elif character in _CLOSERS:
            stack.append(_CLOSERS[character])
        elif stack and character == stack[-1]:
            stack.pop()
        elif not stack and (character in ":}" or (character == "!" and text[at + 1 : at + 2] != "=")):
            return at
        at += 1
    return end


def _close(text: str, at: int, end: int) -> int:
    depth = 0
    while at < end:
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            if not depth:
                return at
            depth -= 1
        at += 1
    return end


def fit_restricted(source: str, places: list[RestrictedSpan], edits: tuple[Edit, ...]) -> tuple[Edit, ...] | None:
    """The edits as they may stand where they are, with other quotes if need be; None where they may not."""
    found = []
    for edit in edits:
        mended: Edit | None = edit
        for place in places:
            if place.start <= edit.start and edit.end <= place.end and (edit.start, edit.end) != place[:2]:
                mended = _fitted_one(source, place, edit)
        if mended is None:
            return None
        found.append(mended)
    return tuple(found)


def _fitted_one(source: str, place: RestrictedSpan, edit: Edit) -> Edit | None:
    text = edit.text
    if place.quote:
        other = "'" if place.quote[0] == '"' else '"'
        if place.quote[0] in text and other not in text:
            text = text.replace(place.quote[0], other)
        if place.quote in text or "\\" in text or "\n" in text or "#" in text:
            return None
    whole = source[place.start : edit.start] + text + source[edit.end : place.end]
    try:
        parse(whole if place.quote else f"match _:\n case {whole}: pass")
    except (SyntaxError, ValueError):
        return None
    return Edit(edit.start, edit.end, text)
