"""Reads JSON as models write it: fenced, with comments, trailing commas, single quotes or real line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_MAX_CHARACTERS: Final = 400_000
"""Characters of a text that are read at most."""
_MAX_DEPTH: Final = 60
_MAX_DIGITS: Final = 1_000
"""Digits of a whole number; Python refuses to read far longer ones."""
_MAX_STARTS: Final = 12
"""Opening brackets at which reading a value is tried."""
_BLANKS_AND_COMMENTS: Final = re.compile(r"(?:\s|//[^\n]*|\#[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_NUMBER_TOKEN: Final = re.compile(r"[-+]?(?:\d[\d_]*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD_TOKEN: Final = re.compile(r"[A-Za-z_$][\w$-]*")
_LITERAL_WORDS: Final = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_UNESCAPED: Final = {quote: re.compile(rf"[^\\{quote}]+") for quote in "\"'`"}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_HEX: Final = re.compile(r"u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?")
_OPENING_BRACKET: Final = re.compile(r"[{\[]")


class _NotJson(Exception):
    """The text holds no value at this place."""


def read_json(text: str) -> Any | None:
    """The first object or list in the text that is not empty; None where there is none.

    Nothing is run, and nothing is raised whatever the text.
    """
    return next(json_values(text), None)


def json_values(text: str) -> Iterator[Any]:
    """The objects and lists in a text that are not empty, one after the other."""
    text = text[:_MAX_CHARACTERS]
    at = 0
    for _ in range(_MAX_STARTS):
        opening = _OPENING_BRACKET.search(text, at)
        if opening is None:
            return
        try:
            value, at = _LooseJsonReader(text).value(opening.start(), 0)
        except _NotJson:
            value, at = None, opening.end()
        if value:
            yield value


def begins_with_json(text: str) -> bool:
    """Whether a text looks like JSON from its first character on."""
    return text.lstrip()[:1] in ("{", "[")


class _LooseJsonReader:
    """Reads one text; each method takes an offset, and gives a value and the offset after it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        at = self._skip(at)
        character = self._text[at : at + 1]
        if depth > _MAX_DEPTH or not character:
            raise _NotJson
        if character in "{[":
            return self._container(at, depth)
        if character in "\"'`":
            return self._string(at)
        if number := _NUMBER_TOKEN.match(self._text, at):
            return _number(number.group()), number.end()
        if word := _WORD_TOKEN.match(self._text, at):
            if word.group() in _LITERAL_WORDS:
                return _LITERAL_WORDS[word.group()], word.end()
            if word.group() in ("r", "b", "u", "f") and self._text[word.end() : word.end() + 1] in ("'", '"'):
                return self._string(word.end())
        raise _NotJson

    def _container(self, at: int, depth: int) -> tuple[Any, int]:
        closing = "}" if self._text[at] == "{" else "]"
        items: list[Any] = []
        pairs: dict[str, Any] = {}
        at = self._skip(at + 1)
        while self._text[at : at + 1] != closing:
            if at >= len(self._text):
                break
            if closing == "]":
                value, at = self.value(at, depth + 1)
                items.append(value)
            else:
                key, at = self._key(at)
                pairs[key], at = self.value(at, depth + 1)
            at = self._skip(at)
            if self._text[at : at + 1] == ",":
                at = self._skip(at + 1)
            elif self._text[at : at + 1] not in (closing, "", '"', "'", "{"):
                raise _NotJson
        return (items if closing == "]" else pairs), min(at + 1, len(self._text))

    def _key(self, at: int) -> tuple[str, int]:
        if self._text[at] in "\"'`":
            key, at = self._string(at)
        elif word := _WORD_TOKEN.match(self._text, at):
            key, at = word.group(), word.end()
        else:
            raise _NotJson
        at = self._skip(at)
        if self._text[at : at + 1] not in (":", "="):
            raise _NotJson
        return key, at + 1

    def _string(self, at: int) -> tuple[str, int]:
        quote = self._text[at]
        if self._text.startswith(quote * 3, at):
            end = self._text.find(quote * 3, at + 3)
            if end < 0:
                raise _NotJson
            return self._text[at + 3 : end], end + 3
        parts: list[str] = []
        at += 1
        while (character := self._text[at : at + 1]) != quote:
            if not character:
                raise _NotJson
            if character == "\\":
                piece, at = self._escape(at + 1)
            else:
                plain = _UNESCAPED[quote].match(self._text, at)
                piece, at = (plain.group(), plain.end()) if plain else (character, at + 1)
            parts.append(piece)
        return "".join(parts), at + 1

    def _escape(self, at: int) -> tuple[str, int]:
        character = self._text[at : at + 1]
        if found := _HEX.match(self._text, at):
            high, low = int(found.group(1), 16), found.group(2)
            if low and 0xD800 <= high < 0xDC00:
                return chr(0x10000 + ((high - 0xD800) << 10) + int(low, 16) - 0xDC00), found.end()
            return chr(high), at + 5
        if character in _ESCAPES:
            return _ESCAPES[character], at + 1
        return (character if character in "\"'`\\/" else "\\" + character), at + 1

    def _skip(self, at: int) -> int:
        blank = _BLANKS_AND_COMMENTS.match(self._text, at)
        return blank.end() if blank else at


def _number(text: str) -> int | float:
    text = text.replace("_", "")
    return int(text) if text.lstrip("+-").isdigit() and len(text) < _MAX_DIGITS else float(text)
