"""Repairs of one line that does not parse, by rules for common typing errors."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Final

from regreen.propose.search.constants import (
    ALMOST_SURE,
    DROPPED_TOKEN_REACH,
    FAR_TOKEN_WEIGHT,
    HALF,
    IMPROBABLE,
    INSERTED_TOKEN_REACH,
    KEYWORD_CUTOFF,
    KEYWORD_MATCHES,
    LIKELY,
    MISSPELT_WORDS,
    POSSIBLE,
    PROBABLE,
    QUOTE_REACH,
    UNLIKELY,
    VERY_LIKELY,
)

LineRepair = tuple[str, float]
"""The repaired line, and its weight in (0, 1]."""

_HEADER: Final = re.compile(r"\s*(async\s+)?(if|elif|else|for|while|def|class|try|except|finally|with|match|case)\b")
_KEYWORDS: Final = sorted({*keyword.kwlist, "print", "match"})
_TOKEN: Final = re.compile(r"\"[^\"]*\"|'[^']*'|\w+|\s+|==|!=|<=|>=|\*\*|//|.", re.DOTALL)
_SMART: Final = {
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0xFF02), '"'),
    **dict.fromkeys((0x2018, 0x2019, 0x00B4), "'"),
    **dict.fromkeys((0x2013, 0x2014, 0x2212), "-"),
    **dict.fromkeys((0x00A0, 0x2003, 0x3000), " "),
    **dict.fromkeys((0x200B, 0xFEFF, 0x2060), ""),
    **{0x00D7: "*", 0x2264: "<=", 0x2265: ">=", 0x2260: "!=", 0xFF0C: ",", 0xFF1A: ":", 0xFF08: "(", 0xFF09: ")"},
}
"""Typographic signs, by code point, and what a keyboard writes for them."""
_FOREIGN: Final = (
    ("&&", " and ", 1.0),
    ("||", " or ", 1.0),
    ("===", "==", 1.0),
    ("!==", "!=", 1.0),
    ("=<", "<=", 1.0),
    ("=>", ">=", 1.0),
    ("=>", ":", 0.3),
    ("<>", "!=", 1.0),
    ("=!", "!=", 1.0),
    ("=+", "+=", 0.5),
    ("::", ":", 0.9),
    (":=", "=", 0.9),
    ("->", ":", 0.3),
    (";", ":", 0.6),
    (";", "", 0.5),
    (",,", ",", 0.9),
    ("..", ".", 0.9),
    ("==", "=", 0.5),
    ("++", " += 1", 0.9),
    ("--", " -= 1", 0.9),
    ("not is ", "is not ", 1.0),
    ("in not ", "not in ", 1.0),
    ("else if", "elif", 1.0),
    ("elseif", "elif", 1.0),
    ("elsif", "elif", 1.0),
    ("function ", "def ", 1.0),
    ("func ", "def ", 1.0),
    ("new ", "", 0.8),
    ("var ", "", 1.0),
    ("let ", "", 1.0),
    ("const ", "", 1.0),
    ("//", "#", 0.5),
    (">>> ", "", 1.0),
    ("... ", "", 1.0),
    ("$", "", 0.9),
    ("?", "", 0.6),
    ("`", "'", 0.5),
    (" of ", " in ", 0.8),
    ("=>", "", 0.2),
)
_CHOICE: Final = re.compile(r"^(\s*(?:return\s+|[\w.\[\]]+\s*[-+*/]?=\s*)?)(\S.*?)\s*\?\s*(.+?)\s*:\s*(.+?);?$")
"""`return a < b ? a : b`: what stands before the question, the question, and both answers."""


def is_header(line: str) -> bool:
    """Whether a line begins a statement that holds others."""
    return _HEADER.match(line) is not None


def line_repairs(line: str, column: int) -> Iterator[LineRepair]:
    """Repairs of a line, which may equal it; `column` is where the parser stopped, from 0."""
    for rule in _RULES:
        yield from rule(line, column)


def _colon(line: str, _column: int) -> Iterator[LineRepair]:
    """A statement head without its colon, or with another character in its place."""
    if not is_header(line):
        return
    code, comment = _split_comment(line)
    bare = code.rstrip()
    if not bare.endswith(":"):
        yield f"{bare}:{comment}", 1.0
        yield f"{bare.rstrip('{;,.').rstrip()}:{comment}", ALMOST_SURE
        yield f"{bare}):{comment}", PROBABLE
        yield f"{bare}():{comment}", PROBABLE
    else:
        yield f"{bare[:-1]}):{comment}", ALMOST_SURE
        yield f"{bare[:-1]}]:{comment}", HALF


def _split_comment(line: str) -> tuple[str, str]:
    found = re.search(r"\s*#[^'\"]*$", line)
    return (line[: found.start()], line[found.start() :]) if found else (line, "")


def _equality(line: str, _column: int) -> Iterator[LineRepair]:
    """`if a = b` for `if a == b`; also an assignment as a condition."""
    if not re.match(r"\s*(if|elif|while|assert|return|and|or|not)\b|.*\b(if|and|or)\b", line):
        return
    for found in re.finditer(r"(?<![=!<>+\-*/%&|^:])=(?!=)", line):
        yield f"{line[: found.start()]}=={line[found.end() :]}", 1.0
        yield f"{line[: found.start()]}:={line[found.end() :]}", IMPROBABLE


def _foreign(line: str, _column: int) -> Iterator[LineRepair]:
    """Words and signs of other languages."""
    for wrong, right, weight in _FOREIGN:
        if wrong in line:
            # Blanks that stand around a sign already are those of the word.
            before, after = (" *" if blank else "" for blank in (right.startswith(" "), right.endswith(" ")))
            sign = re.compile(f"{before}{re.escape(wrong)}{after}")
            yield sign.sub(right, line), weight
            if line.count(wrong) > 1:
                yield sign.sub(right, line, count=1), weight * HALF
    yield re.sub(r"!(?!=)\s*", "not ", line), VERY_LIKELY
    yield re.sub(r"^(\s*)(?:\+\+|--)(\w+)\s*;?$", r"\1\2 += 1", line), VERY_LIKELY
    yield re.sub(r"^(\s*)(\w+)--;?$", r"\1\2 -= 1", line), ALMOST_SURE
    yield re.sub(r"^(\s*)(?:int|float|str|bool|double|string|char|list|dict)\s+(\w+\s*=)", r"\1\2", line), ALMOST_SURE
    yield re.sub(r"\s*\{\s*$", ":", line), ALMOST_SURE
    yield re.sub(r"^(\s*)\}\s*", r"\1", line), VERY_LIKELY
    yield re.sub(r"(\w+)\s*\?\s*(.+?)\s*:\s*(.+)$", r"\2 if \1 else \3", line), POSSIBLE
    yield _CHOICE.sub(r"\1\3 if \2 else \4", line), ALMOST_SURE
    yield line.translate(_SMART), 1.0
    yield re.sub(r"^(\s*)\d+[:.)]?\s+", r"\1", line), POSSIBLE
    yield re.sub(r"(\d)_?([A-Za-z]\w*)", r"\1*\2", line), IMPROBABLE


def _older_python(line: str, _column: int) -> Iterator[LineRepair]:
    """Python 2: `print x`, `raise E, "m"`, `except E, e:`."""
    yield re.sub(r"\bprint\s+(?!\()(.+?)\s*;?$", r"print(\1)", line), 1.0
    yield re.sub(r"\bprint\s*$", "print()", line), HALF
    yield re.sub(r"\bexcept\s+([\w.]+|\(.*\))\s*,\s*(\w+)\s*:", r"except \1 as \2:", line), 1.0
    yield re.sub(r"\bexcept\s+([\w.]+(?:\s*,\s*[\w.]+)+)\s*:", r"except (\1):", line), ALMOST_SURE
    yield re.sub(r"\braise\s+(\w+)\s*,\s*(.+)$", r"raise \1(\2)", line), 1.0
    yield re.sub(r"\b0(\d+)\b", r"\1", line), VERY_LIKELY
    yield re.sub(r"\b0(\d+)\b", r"0o\1", line), HALF
    yield re.sub(r"(\d)[lL]\b", r"\1", line), ALMOST_SURE
    yield re.sub(r"\bur?(['\"])", r"\1", line), UNLIKELY


def _spelling(line: str, _column: int) -> Iterator[LineRepair]:
    """A misspelt keyword, a missing `in`, a definition without its brackets."""
    words = list(re.finditer(r"[A-Za-z_]+", line))
    for index, word in enumerate(words[:MISSPELT_WORDS]):
        for right in get_close_matches(word.group().lower(), _KEYWORDS, n=KEYWORD_MATCHES, cutoff=KEYWORD_CUTOFF):
            if right != word.group():
                yield line[: word.start()] + right + line[word.end() :], ALMOST_SURE if index == 0 else HALF
        for right in ("return", "def", "if", "import", "for", "in", "not", "elif", "else", "while", "raise", "yield"):
            rest = word.group()[len(right) :]
            if word.group().startswith(right) and rest:
                yield line[: word.start()] + f"{right} {rest}" + line[word.end() :], VERY_LIKELY
    yield re.sub(r"\bfor\s+([\w, ()]+?)\s+(?!in\b)([\w.\[\]]+(?:\(.*\))?)\s*:", r"for \1 in \2:", line), VERY_LIKELY
    yield (
        re.sub(
            r"^(\s*)(?!def\b|class\b|if\b|for\b|while\b|with\b|elif\b|else\b)(\w+\s*\(.*\)\s*(?:->.*)?:)",
            r"\1def \2",
            line,
        ),
        LIKELY,
    )
    yield re.sub(r"^(\s*def\s+\w+)\s*:?\s*$", r"\1():", line), ALMOST_SURE
    yield re.sub(r"^(\s*def)\s+(\w+)\s+(\w+.*)\):", r"\1 \2(\3):", line), LIKELY
    yield re.sub(r"\b(.+ if .+?)([)\]}]*)$", r"\1 else None\2", line), HALF
    yield re.sub(r"\blambda\s+(\w+(?:\s*,\s*\w+)*)\s+(?!:)", r"lambda \1: ", line), PROBABLE
    yield re.sub(r"\belse\s+(\S.*):\s*$", r"elif \1:", line), ALMOST_SURE
    yield re.sub(r"(?<=\S)(\s+else)\s*:\s*(?=\S)", r"\1 ", line), ALMOST_SURE
    yield re.sub(r"\bimport\s+(\w+)\s+from\s+([\w.]+)", r"from \2 import \1", line), 1.0
    yield re.sub(r"\b(return|yield|raise)\s*=\s*", r"\1 ", line), VERY_LIKELY
    yield re.sub(r"\b(return|yield)\s*:\s*", r"\1 ", line), VERY_LIKELY


def _quotes(line: str, column: int) -> Iterator[LineRepair]:
    """A quote that is missing, superfluous or of the other kind."""
    code, comment = _split_comment(line)
    for quote in "'\"":
        places = [m.start() for m in re.finditer(re.escape(quote), line)]
        if not places:
            continue
        bare = code.rstrip()
        yield f"{bare}{quote}{comment}", ALMOST_SURE
        for tail in (")", "]", "}", ":", "):", "]:", ",", "))", "])"):
            if bare.endswith(tail):
                yield f"{bare[: -len(tail)]}{quote}{tail}{comment}", 1.0
        for place in places:
            yield line[:place] + line[place + 1 :], PROBABLE
            yield line[:place] + ("'" if quote == '"' else '"') + line[place + 1 :], PROBABLE
            yield line[:place] + "\\" + line[place:], PROBABLE
        for place in _boundaries(line):
            yield line[:place] + quote + line[place:], POSSIBLE if abs(place - column) > QUOTE_REACH else PROBABLE
        if len(places) % 2:
            # The tokens are not what was meant: the quote may have stood anywhere between words.
            yield from ((line[:place] + quote + line[place:], UNLIKELY) for place in _word_ends(line))


def _word_ends(line: str) -> Iterator[int]:
    """Columns that are not inside a word or a name, nor in the indent."""
    for place in range(len(line) - len(line.lstrip()), len(line) + 1):
        if not (line[place - 1 : place].isalnum() and line[place : place + 1].isalnum()):
            yield place


def _fstring_braces(line: str, _column: int) -> Iterator[LineRepair]:
    """A lost bracket of a value in an f-string."""
    for found in re.finditer(r"\b[fF][rR]?(\"[^\"]*\"|'[^']*')", line):
        opened, closed = found.group().count("{"), found.group().count("}")
        for place in _word_ends(line) if opened != closed else ():
            if found.start(1) < place < found.end():
                yield line[:place] + ("}" if opened > closed else "{") + line[place:], LIKELY
        for formatted in _FORMATTED.finditer(line, found.start(1), found.end()) if opened > closed else ():
            yield line[: formatted.end()] + "}" + line[formatted.end() :], VERY_LIKELY


_FORMATTED: Final = re.compile(r"\{[^{}:]+:[<>^]?[-+ ]?0?\d*,?(?:\.\d+)?[bdefgosxX%]?(?![^{}]*\})")
"""A value in an f-string with how it is written, `{rest:02d`, and nothing that closes it."""


def _brackets(line: str, column: int) -> Iterator[LineRepair]:
    """A bracket that is missing, superfluous, or of the wrong kind."""
    for found in re.finditer(r"[()\[\]{}]", line):
        at, near = found.start(), ALMOST_SURE if abs(found.start() - column) <= 1 else PROBABLE
        yield line[:at] + line[at + 1 :], near
        for other in "([{" if found.group() in "([{" else ")]}":
            if other != found.group():
                yield line[:at] + other + line[at + 1 :], near
    closing = unclosed_brackets(line)
    code, comment = _split_comment(line)
    bare = code.rstrip()
    if closing:
        yield f"{bare}{closing}{comment}", 1.0
        if bare.endswith(":"):
            yield f"{bare[:-1]}{closing}:{comment}", 1.0
        if bare.endswith(","):
            yield f"{bare[:-1]}{closing},{comment}", VERY_LIKELY
    for place in _boundaries(line):
        near = LIKELY if abs(place - column) <= 2 else POSSIBLE
        for bracket in dict.fromkeys((*(closing[:1] or ")"), ")", "(", "]", "[", "}", "{")):
            yield line[:place] + bracket + line[place:], near if bracket in closing or not closing else near * POSSIBLE


def unclosed_brackets(line: str) -> str:
    """The brackets that would close what the line leaves open."""
    stack: list[str] = []
    for token in _TOKEN.findall(line):
        if token in ("(", "[", "{"):
            stack.append({"(": ")", "[": "]", "{": "}"}[token])
        elif stack and token == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def _boundaries(line: str) -> Iterator[int]:
    """Columns where a token begins, without the first, and the end of the line."""
    at = 0
    for token in _TOKEN.findall(line):
        if at and not token.isspace():
            yield at
        at += len(token)
    if at:
        yield at


def _tokens(line: str, column: int) -> Iterator[LineRepair]:
    """A token near the error removed, or a short one inserted."""
    at = 0
    for token in _TOKEN.findall(line):
        distance = abs(at - column)
        if not token.isspace() and distance <= DROPPED_TOKEN_REACH:
            yield line[:at] + line[at + len(token) :], PROBABLE if distance <= 1 else FAR_TOKEN_WEIGHT
        if at and distance > INSERTED_TOKEN_REACH and not token.isspace():
            yield line[:at].rstrip(" ") + ", " + line[at:], UNLIKELY
        if at and distance <= INSERTED_TOKEN_REACH:
            for extra in (",", ":", ".", " and ", " in ", "=", "+", " else ", "*", " or "):
                yield (
                    line[:at].rstrip(" ") + extra + line[at:],
                    LIKELY if extra in ",:" and distance <= 2 else FAR_TOKEN_WEIGHT,
                )
        at += len(token)


_RULES: Final[tuple[Callable[[str, int], Iterator[LineRepair]], ...]] = (
    _colon,
    _equality,
    _foreign,
    _older_python,
    _spelling,
    _brackets,
    _quotes,
    _fstring_braces,
    _tokens,
)
