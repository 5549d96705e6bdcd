"""Completions of a line that ends in the middle of its statement, from the words of the program around it."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.constants import (
    COMPLETED_WORDS,
    COMPLETING_NAMES,
    COMPLETING_TAILS,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    SELDOM,
    UNLIKELY,
)
from regreen.propose.search.line_repairs import LineRepair, is_header, unclosed_brackets
from regreen.syntax import indent_of

_NAME: Final = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*")
_LAST_WORD: Final = re.compile(r"[A-Za-z_]\w*$")
_LAST_TOKEN: Final = re.compile(r"(\w+|[^\w\s])$")
_WANTS_VALUE: Final = re.compile(r"([-+*/%=<>&|^~,:(\[{]|\b(not|and|or|in|is|if|else|return|yield|elif|while|lambda))$")
"""The end of a text after which a value has to come."""
_COMPARISONS: Final = ("in", "==", "<", ">", "<=", ">=", "!=", "not in")
_BUILTINS: Final = tuple(name for name in dir(builtins) if name.islower() and not name.startswith("_"))


def completions(lines: Sequence[str], index: int) -> Iterator[LineRepair]:
    """Completions of the line at this index, likely ones first, with their weights."""
    line = lines[index].rstrip()
    if not line or line.endswith((":", "\\")) or line.lstrip().startswith("#"):
        return
    names = _names_around(lines, index)
    for stem, weight in _with_last_word(line, names):
        yield stem + _tail(stem), weight
        for more in _with_value(stem, names):
            yield more + _tail(more), weight * UNLIKELY
    for tail in _tails_of_other_lines(lines, index, line):
        more = line + tail
        yield more + _tail(more), SELDOM


def _with_last_word(line: str, names: Sequence[str]) -> Iterator[LineRepair]:
    """The line as it is, and with its last word, which may be cut, as each known word that begins so."""
    yield line, POSSIBLE
    found = _LAST_WORD.search(line)
    if found is None:
        return
    known = dict.fromkeys((*names, *_BUILTINS, *keyword.kwlist))
    longer = [word for word in known if word.startswith(found.group()) and word != found.group()]
    for word in longer[:COMPLETED_WORDS]:
        yield line[: found.start()] + word, POSSIBLE


def _with_value(stem: str, names: Sequence[str]) -> Iterator[str]:
    """The text with the value that it still wants: a name, a comparison with one, or what a loop runs over."""
    names = names[:COMPLETING_NAMES]
    head = stem.lstrip()
    if _WANTS_VALUE.search(stem):
        yield from (f"{stem} {name}" if stem[-1].isalnum() or stem[-1] in "=<>,:" else stem + name for name in names)
    elif re.match(r"for\s+[\w, ()]+$", head) and " in " not in head:
        yield from (f"{stem} in {name}" for name in names)
    elif re.search(r"\bfor\s+[\w, ]+$", head) and unclosed_brackets(stem):
        for name in names:
            yield from (f"{stem} in {name}", f"{stem} in sorted({name})", f"{stem} in range({name})")
    elif re.match(r"(if|elif|while|assert)\b", head):
        yield from (f"{stem} {sign} {name}" for sign in _COMPARISONS for name in names)


def _tail(text: str) -> str:
    """What closes the text's brackets, and its statement's head."""
    return unclosed_brackets(text) + (":" if is_header(text) and not text.endswith(":") else "")


def _tails_of_other_lines(lines: Sequence[str], index: int, line: str) -> Iterator[str]:
    """What other lines say after the last word or sign of this one."""
    found = _LAST_TOKEN.search(line)
    if found is None:
        return
    tails: dict[str, None] = {}
    for at in sorted(range(len(lines)), key=lambda at: abs(at - index)):
        _, sign, rest = lines[at].partition(found.group())
        if at != index and sign and rest.strip() and len(tails) < COMPLETING_TAILS:
            tails[rest.rstrip()] = None
    yield from tails


def _names_around(lines: Sequence[str], index: int) -> list[str]:
    """The names of the function around a line, then those of the program, each nearest first."""
    start = next((at for at in range(index, -1, -1) if re.match(r"\s*(async\s+)?def\b", lines[at])), 0)
    depth = len(indent_of(lines[start]))
    end = next(
        (at for at in range(index + 1, len(lines)) if lines[at].strip() and len(indent_of(lines[at])) <= depth),
        len(lines),
    )
    inside = [at for at in range(start, end) if at != index]
    outside = [at for at in range(len(lines)) if not start <= at < end]
    order = sorted(inside, key=lambda at: abs(at - index)) + sorted(outside, key=lambda at: abs(at - index))
    found = dict.fromkeys(name for at in order for name in _NAME.findall(lines[at]))
    own = dict.fromkeys(_NAME.findall(lines[index]))
    return [n for n in (*found, *(n for n in own if n not in found)) if not keyword.iskeyword(n)]


def separations(lines: Sequence[str], index: int) -> Iterator[LineRepair]:
    """The line with two words set apart that stand together as one: with a lost bracket, dot or blank between them."""
    line = lines[index]
    known = frozenset((*re.findall(r"[A-Za-z_]\w*", "\n".join([*lines[:index], *lines[index + 1 :]])), *_BUILTINS))
    for found in re.finditer(r"[A-Za-z_]\w*", line):
        word = found.group()
        for cut in range(1, len(word)) if word not in known else ():
            sure = (word[:cut] in known) + (word[cut:] in known or word[cut:].isdigit())
            for between in "([{. " if sure else "":
                new = line[: found.start()] + word[:cut] + between + word[cut:] + line[found.end() :]
                yield new, (PROBABLE if sure == 2 else REMOTE)
