"""Restricted syntax: the fields of f-strings and the patterns of `match`, where not every expression may stand."""

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
    """The span of an f-string or a pattern, as offsets in the program."""

    start: int
    end: int
    quote: str
    """The quotes that the f-string begins with; empty for a pattern."""


def fstring_quote(text: str) -> str:
    """The quotes of a single f-string without backslashes; empty for any other text."""
    opened = _OPENING.match(text)
    if opened is None:
        return ""
    quote = opened.group(1)
    body = text[opened.end() : -len(quote)]
    whole = text.endswith(quote) and len(text) >= opened.end() + len(quote)
    return quote if whole and quote not in body and "\\" not in body else ""


def fstring_fields(text: str) -> Iterator[FStringField]:
    """The fields of a single f-string without backslashes; none for any other text."""
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


def fit_restricted(source: str, spans: list[RestrictedSpan], edits: tuple[Edit, ...]) -> tuple[Edit, ...] | None:
    """The edits with quotes that are allowed where they stand; None if one of them would not parse there."""
    fitted = []
    for edit in edits:
        new: Edit | None = edit
        for span in spans:
            if span.start <= edit.start and edit.end <= span.end and (edit.start, edit.end) != span[:2]:
                new = _fit_one(source, span, edit)
        if new is None:
            return None
        fitted.append(new)
    return tuple(fitted)


def _fit_one(source: str, span: RestrictedSpan, edit: Edit) -> Edit | None:
    text = edit.text
    if span.quote:
        other = "'" if span.quote[0] == '"' else '"'
        if span.quote[0] in text and other not in text:
            text = text.replace(span.quote[0], other)
        if span.quote in text or "\\" in text or "\n" in text or "#" in text:
            return None
    whole = source[span.start : edit.start] + text + source[edit.end : span.end]
    try:
        parse(whole if span.quote else f"match _:\n case {whole}: pass")
    except (SyntaxError, ValueError):
        return None
    return Edit(edit.start, edit.end, text)
