"""Programs as the words that the model of naturalness counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from regreen.select.tokens import opened_fstring, spaced_tokens

NEW_LINE: Final = "\n"
"""Ends a logical line."""
DEEPER: Final = "\n>"
"""Follows `NEW_LINE` where a block begins."""
SHALLOWER: Final = "\n<"
"""Follows `NEW_LINE`, once for each block that ends there."""
WORD_CLASSES: Final = ("<name>", "<Name>", "<NAME>", "<int>", "<float>", "<text>", "<f>", "<bytes>", "<other>")
"""What stands for a word outside the vocabulary, by its kind: see `word_class`."""

_STRING: Final = re.compile(r"(?s)([A-Za-z]{0,2})('''|\"\"\"|'|\")(.*)\2")


def code_words(source: str) -> list[str]:
    """The words of a program: its tokens without comments and docstrings, each line's end and changes of depth.

    Strings have no prefixes but f and b, and double quotes; numbers and names are as they are written. What stands in
    the fields of an f-string follows it, as where a text is filled in by `%`.
    """
    units = spaced_tokens(source)[:-1]
    words: list[str] = []
    depths = [""]
    for place, unit in enumerate(units):
        if unit.indent is not None:
            if place:
                words.append(NEW_LINE)
            words.extend(_steps(depths, unit.indent))
            if _is_alone(units[place + 1].indent if place + 1 < len(units) else "") and _STRING.fullmatch(unit.text):
                words.append('"""')
                continue
        words.extend(_plain_string(part) if part[-1] in "'\"" else part for part in opened_fstring(unit.text))
    return words


def word_class(word: str) -> str:
    """The kind of a word outside the vocabulary, one of `WORD_CLASSES`."""
    first = word[0]
    if first == '"':
        return "<text>"
    if word[-1] == '"':
        return "<f>" if first == "f" else "<bytes>"
    if first.isdigit() or (first == "." and len(word) > 1):
        return "<int>" if word.isdigit() or word[:2] in {"0x", "0b", "0o"} else "<float>"
    if not (first.isalpha() or first == "_"):
        return "<other>"
    bare = word.strip("_")
    if bare[:1].isupper():
        return "<NAME>" if bare.isupper() and len(bare) > 1 else "<Name>"
    return "<name>"


def _steps(depths: list[str], indent: str) -> Iterator[str]:
    """The changes of depth that an indentation makes; `depths` holds those of the open blocks, and is updated."""
    if len(indent) > len(depths[-1]):
        depths.append(indent)
        yield DEEPER
    while len(indent) < len(depths[-1]):
        depths.pop()
        yield SHALLOWER


def _is_alone(next_indent: str | None) -> bool:
    return next_indent is not None


def _plain_string(text: str) -> str:
    matched = _STRING.fullmatch(text)
    if matched is None:
        return text
    prefix = matched[1].lower()
    kind = "f" if "f" in prefix or "t" in prefix else "b" if "b" in prefix else ""
    return f'{kind}"{matched[3]}"'
