"""How a regular expression may be off by one piece: quantifiers, classes, anchors, groups, alternatives.

Everything here is about the text of a pattern; `regexes.py` finds patterns in programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from regreen.propose.search.constants import (
    HALF,
    IMPROBABLE,
    LIKELY,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    UNLIKELY,
    VERY_LIKELY,
)

_PIECE: Final = re.compile(
    r"(?P<atom>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\)|[^\\\[\](){}*+?|^$])?(?P<repeat>(?:[*+?]|\{\d*,?\d*\})\??)?", re.DOTALL
)
_PLAIN: Final = r"[^()\[\]{}|*+?\\^$.]+"
_SIGN_OR_WORD: Final = re.compile(rf"(?<=[(:>])(?P<sign>\[\^?[^\]\\]+\])\|(?P<words>{_PLAIN}(?:\|{_PLAIN})*)(?=\))")
"""One sign of several, or else a word that may begin with it."""
_ALTERNATIVES: Final = re.compile(rf"(?:\((?:\?:|\?P<\w+>)?|^)({_PLAIN}(?:\|{_PLAIN})+)(?=\)|$)")
"""Alternatives that are plain texts: in a group, or the whole pattern."""
_COUNT: Final = re.compile(r"\{(\d*)(?:,(\d*))?\}")
_CAPITAL: Final = re.compile(r"(?:\(\?<!\^\))?\(\[A-Z\]\+?\)")
"""A capital that begins a word."""
_RANGE: Final = re.compile(r"\w-\w")
_OTHER_REPEATS: Final = {"+": ("*", "", "+?"), "*": ("+", "", "*?"), "?": ("", "*"), "*?": ("*",), "+?": ("+",)}
_OTHER_CLASSES: Final = {"\\d": "\\w", "\\w": "\\S", "\\s": "\\W", "\\S": "\\w", "\\D": "\\W", "\\W": "\\s"}
_WORDS: Final = ("\\w", "[a-zA-Z_]\\w*", "[a-zA-Z]", "[a-z0-9_]", "[A-Za-z0-9_-]")
"""What letters alone are taken for, where names are meant."""
_LETTERS: Final = ("[a-z]", "[A-Z]", "[a-zA-Z]", "[A-Za-z]")
_IN_CLASSES: Final = frozenset("\\]^-")
"""What is written with a backslash in a class."""
_MOST_SIGNS: Final = 8

Change = tuple[int, int, str, float]
"""Start, end, replacement and weight."""


class PatternPiece(NamedTuple):
    """One atom of a pattern with its quantifier; offsets are in the pattern."""

    start: int
    end: int
    """Where the atom ends and its quantifier begins."""
    atom: str
    repeat: str

    @property
    def after(self) -> int:
        """Where its quantifier ends."""
        return self.end + len(self.repeat)

    @property
    def is_class(self) -> bool:
        """Whether it stands for one of several characters."""
        return self.atom in _OTHER_CLASSES or self.atom.startswith("[") or self.atom == "."


@dataclass(frozen=True, slots=True)
class PatternUse:
    """What is known of a pattern besides its text."""

    raw: bool
    """Whether backslashes stand for themselves where it is written."""
    parts: bool = False
    """Whether its groups are handed out with what lies between, as `re.split` does."""
    signs: Sequence[str] = ()
    """Signs, such as `-`, that texts of the checks hold."""
    words: Sequence[str] = ()
    """Words that may stand beside its plain alternatives."""
    is_address: bool = False
    """Whether an @ stands in it: names before that have dots, signs of plus and hyphens as well."""


def pattern_pieces(pattern: str) -> Iterator[PatternPiece]:
    """The atoms of a pattern, left to right; a group counts as its closing bracket."""
    at = 0
    while at < len(pattern):
        found = _PIECE.match(pattern, at)
        if found is None or found.end() == at:
            at += 1
            continue
        atom = found["atom"] or ""
        if atom:
            yield PatternPiece(at, at + len(atom), atom, found["repeat"] or "")
        at = found.end()


def pattern_groups(pattern: str) -> list[tuple[int, int]]:
    """Where each group begins, and where its closing bracket stands; brackets that do not match are left out."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    taken = {at for piece in pattern_pieces(pattern) if piece.atom != ")" for at in range(piece.start, piece.end)}
    for at, sign in enumerate(pattern):
        if at in taken:
            continue
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            found.append((opened.pop(), at))
    return sorted(found)


def pattern_changes(pattern: str, use: PatternUse) -> Iterator[Change]:
    """Changes of a pattern."""
    pieces = list(pattern_pieces(pattern))
    for piece in pieces:
        yield from _of_quantifier(piece)
        yield from _around_number(piece, raw=use.raw)
        yield from _of_class(piece, use)
    for piece, behind in pairwise(pieces):
        yield from _up_to(piece, behind)
    greedy = [piece for piece in pieces if piece.repeat in ("+", "*")]
    if len(greedy) > 1 and sum(piece.atom == "." for piece in greedy) > 1:
        # Of two that take as much as they can, both take too much.
        text, start = pattern, len(pattern)
        for piece in (piece for piece in reversed(greedy) if piece.atom == "."):
            text, start = f"{text[: piece.after]}?{text[piece.after :]}", piece.start
        yield start, len(pattern), text[start:], LIKELY
    yield from _of_groups(pattern, use)
    yield from _of_alternatives(pattern, use)
    if use.raw and (capital := _CAPITAL.search(pattern)):
        # Of a run of capitals only the last one begins a word, and only before a small letter.
        yield *capital.span(), "((?<=[a-z0-9])[A-Z]|(?<!^)[A-Z](?=[a-z]))", POSSIBLE
    if use.raw:
        yield from _two_digits(pattern)
        yield from _ends_of_lines(pieces)
    yield from _of_anchors(pattern, use)


def _of_quantifier(piece: PatternPiece) -> Iterator[Change]:
    many = piece.atom.startswith(("[", "\\", ")", "."))
    if not piece.repeat:
        yield piece.end, piece.after, "+", 1.0 if many else IMPROBABLE
        yield piece.end, piece.after, "*", HALF if many else REMOTE
        yield piece.end, piece.after, "?", POSSIBLE
    for other in _OTHER_REPEATS.get(piece.repeat, ()):
        yield piece.end, piece.after, other, VERY_LIKELY
    for other, weight in _other_counts(piece.repeat):
        yield piece.end, piece.after, other, weight


def _other_counts(repeat: str) -> Iterator[tuple[str, float]]:
    """`{3}` as `{4}`, `{2}`, `{3,}`, `{1,3}` or `+`; `{1,2}` with another bound."""
    found = _COUNT.fullmatch(repeat)
    if found is None or not found[1]:
        return
    least = int(found[1])
    if found[2] is None:
        shapes = [f"{{{least + 1}}}", f"{{{least - 1}}}", f"{{{least},}}", f"{{1,{least}}}", "+"]
    elif not found[2]:
        shapes = [f"{{{least}}}", f"{{{least + 1},}}", f"{{{least - 1},}}"]
    else:
        most = int(found[2])
        shapes = [f"{{{least},{most + 1}}}", f"{{{least},{most - 1}}}", f"{{{least - 1},{most}}}", f"{{{most}}}"]
        shapes += [f"{{{least + 1},{most}}}", f"{{{least},}}"]
    yield from ((shape, VERY_LIKELY) for shape in shapes if "-" not in shape and shape != repeat)


def _around_number(piece: PatternPiece, *, raw: bool) -> Iterator[Change]:
    """A sign before digits, a fraction after them, and more blanks for one."""
    dot, digit, blank = ("\\.", "\\d", "\\s") if raw else ("[.]", "[0-9]", " ")
    if piece.atom in ("\\d", "[0-9]"):
        yield piece.start, piece.start, "-?", UNLIKELY
        yield piece.after, piece.after, f"(?:{dot}{digit}+)?", UNLIKELY
        yield piece.after, piece.after, f"{dot}?{digit}*", IMPROBABLE
    elif piece.atom == " ":
        yield piece.start, piece.after, f"{blank}*", HALF
        yield piece.start, piece.after, f"{blank}+", HALF


def _of_class(piece: PatternPiece, use: PatternUse) -> Iterator[Change]:
    """Another class of characters, or the same one with a member more or less."""
    start, end = piece.start, piece.end
    if piece.atom == "." and not piece.repeat:
        yield start, end, "\\." if use.raw else "[.]", VERY_LIKELY
    if piece.atom in _OTHER_CLASSES:
        yield start, end, _OTHER_CLASSES[piece.atom], UNLIKELY
    if piece.atom == "\\s":
        yield start, end, "[ \\t]", POSSIBLE
        yield start, end, " ", UNLIKELY
    if piece.atom == "\\w":
        signs = dict.fromkeys((*use.signs, "'", "-", "."))
        yield from ((start, end, f"[\\w{_last_member(sign)}]", IMPROBABLE) for sign in list(signs)[:_MOST_SIGNS])
        if use.is_address:
            yield start, end, "[\\w.+-]", POSSIBLE
    if piece.atom == "\\d":
        yield from ((start, end, f"[\\d{_last_member(sign)}]", IMPROBABLE) for sign in use.signs[:_MOST_SIGNS])
    if piece.atom in _LETTERS and use.raw:
        yield from ((start, end, word, UNLIKELY) for word in _WORDS if word != piece.atom and "*" not in word)
        if piece.repeat == "+":
            yield from ((start, piece.after, word, POSSIBLE) for word in _WORDS if "*" in word)
    if piece.atom.startswith("[^"):
        yield start, start + 2, "[", HALF
        yield from ((end - 1, end - 1, _member(sign), IMPROBABLE) for sign in use.signs if sign not in piece.atom)
    elif piece.atom.startswith("["):
        yield start, start + 1, "[^", UNLIKELY
        yield from _other_members(piece, use)


def _member(sign: str) -> str:
    """A character as a class spells it."""
    return f"\\{sign}" if sign in _IN_CLASSES else sign


def _last_member(sign: str) -> str:
    """The last character of a class, where a hyphen is no range."""
    return sign if sign == "-" else _member(sign)


def _other_members(piece: PatternPiece, use: PatternUse) -> Iterator[Change]:
    """A class with one range or character more, or without one of its ranges."""
    members = piece.atom[1:-1]
    for more in dict.fromkeys(("A-Z", "0-9", "_", "a-z", ".", "+", " ", "_-", *use.signs[:_MOST_SIGNS])):
        if more not in members and more not in _IN_CLASSES:
            # A hyphen stays the last, where it is no range.
            at = piece.end - 1 - members.endswith("-")
            yield at, at, more, IMPROBABLE
    if "-" not in _RANGE.sub("", members):
        yield piece.end - 1, piece.end - 1, "-", IMPROBABLE
    for found in _RANGE.finditer(members):
        if found[0] != members:
            yield piece.start + 1 + found.start(), piece.start + 1 + found.end(), "", IMPROBABLE


def _up_to(piece: PatternPiece, behind: PatternPiece) -> Iterator[Change]:
    """`"(\\w+)"` as `"([^"]+)"`: whatever comes before the sign that ends it."""
    if not piece.is_class or not piece.repeat or behind.repeat in ("*", "?") or behind.atom == piece.atom:
        return
    closing = behind.atom
    if closing == ")":
        return
    yield from _anything_but(piece, closing)


def _anything_but(piece: PatternPiece, closing: str) -> Iterator[Change]:
    sign = closing[1:] if closing.startswith("\\") else closing
    if len(sign) == 1 and not sign.isalnum() and not sign.isspace():
        yield piece.start, piece.end, f"[^{_member(sign)}]", LIKELY
        if piece.repeat.startswith("+"):
            yield piece.start, piece.after, f"[^{_member(sign)}]*", POSSIBLE


def _of_groups(pattern: str, use: PatternUse) -> Iterator[Change]:
    """Groups that are kept and should not be, or that may be missing with the sign before them."""
    pieces = {piece.start: piece for piece in pattern_pieces(pattern)}
    ends = {piece.after: piece for piece in pieces.values()}
    for opening, closing in pattern_groups(pattern):
        quantifier = pieces[closing].repeat if closing in pieces else ""
        after = closing + 1 + len(quantifier)
        if pattern.startswith("(?:", opening):
            yield opening, opening + 3, "(", UNLIKELY
            continue
        if not pattern.startswith("(?", opening):
            yield opening, opening + 1, "(?:", VERY_LIKELY if use.parts else IMPROBABLE
        last, behind = ends.get(closing), pieces.get(after)
        if last is not None and behind is not None and last.is_class and last.repeat:
            yield from _anything_but(last, behind.atom)
        if not quantifier:
            yield from _left_out_with_sign(pattern, ends, opening, after)


def _left_out_with_sign(pattern: str, ends: dict[int, PatternPiece], opening: int, after: int) -> Iterator[Change]:
    """`(\\d+):(\\d+)` as `(\\d+)(?::(\\d+))?`: a part may be missing with the one or two signs before it."""
    begin = opening
    for _ in range(2):
        sign = ends.get(begin)
        if sign is None or sign.atom == ")" or sign.atom == "." or sign.atom.startswith("["):
            return
        begin = sign.start
        yield begin, after, f"(?:{pattern[begin:after]})?", HALF


def _of_alternatives(pattern: str, use: PatternUse) -> Iterator[Change]:
    """Another order of plain alternatives, and one more of them."""
    for group in _ALTERNATIVES.finditer(pattern):
        words = group[1].split("|")
        ordered = sorted(words, key=len, reverse=True)
        if ordered != words:
            # The first alternative that matches wins, even if a longer one would match too.
            yield *group.span(1), "|".join(ordered), VERY_LIKELY
        for word in use.words:
            if word not in words and re.fullmatch(_PLAIN, word):
                yield group.end(1), group.end(1), f"|{word}", HALF
    for group in _SIGN_OR_WORD.finditer(pattern):
        yield *group.span(), f"{group['words']}|{group['sign']}", VERY_LIKELY


def plain_alternatives(pattern: str) -> list[str]:
    """The plain texts of which a pattern takes one."""
    return [word for group in _ALTERNATIVES.finditer(pattern) for word in group[1].split("|")]


_HOURS, _MONTHS, _DAYS = r"(?:[01]\d|2[0-3])", r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_NARROWER: Final = (
    (re.compile(r"\[0-2\](?:\\d|\[0-9\])"), (_HOURS,)),
    (re.compile(r"\[0-1\](?:\\d|\[0-9\])|\[01\](?:\\d|\[0-9\])"), (_MONTHS,)),
    (re.compile(r"\[0-3\](?:\\d|\[0-9\])"), (_DAYS,)),
    (re.compile(r"(?:\\d|\[0-9\])(?:\{2\}|\\d(?![{\\])|\[0-9\](?!\[))"), (_HOURS, r"[0-5]\d", _MONTHS, _DAYS)),
    (re.compile(r"(?:\\d|\[0-9\])\{1,3\}"), (r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)",)),
)
"""Pairs of digits that let through more than hours, months and days, and up to three that let through more than bytes;
and what does not."""


def _two_digits(pattern: str) -> Iterator[Change]:
    """Hours to 23, minutes to 59, months to 12, days to 31, and bytes to 255."""
    for wide, narrower in _NARROWER:
        for found in wide.finditer(pattern):
            yield from ((*found.span(), narrow, LIKELY) for narrow in narrower)


def _ends_of_lines(pieces: Sequence[PatternPiece]) -> Iterator[Change]:
    """`\\n` as `\\r?\\n`, each by itself or all of a run: `\\n\\n+` as `(?:\\r?\\n){2,}`."""
    for is_end, group in groupby(pieces, key=lambda piece: piece.atom == "\\n"):
        run = list(group)
        if not is_end or any(one.after != other.start for one, other in pairwise(run)):
            continue
        yield from ((piece.start, piece.start, "\\r?", LIKELY) for piece in run if not piece.repeat)
        more = "," if any(piece.repeat for piece in run) else ""
        if more or len(run) > 1:
            least = sum(piece.repeat not in ("*", "?") for piece in run)
            yield run[0].start, run[-1].after, f"(?:\\r?\\n){{{least}{more}}}", LIKELY


_EDGE: Final = "\\b"
"""The edge of a word."""


def _of_anchors(pattern: str, use: PatternUse) -> Iterator[Change]:
    """Anchors at both ends, and the edges of words in their place or beside them."""
    for anchor, at in (("^", 0), ("$", len(pattern))):
        there = slice(at, at + 1) if anchor == "^" else slice(at - 1, at)
        if pattern[there] == anchor:
            yield there.start, there.stop, "", UNLIKELY
            if use.raw:
                yield there.start, there.stop, _EDGE, UNLIKELY
        else:
            yield at, at, anchor, PROBABLE
            if use.raw and _EDGE not in (pattern[:2] if anchor == "^" else pattern[-2:]):
                yield at, at, _EDGE, POSSIBLE
    if use.raw and pattern and _EDGE not in (pattern[:2], pattern[-2:]):
        yield 0, len(pattern), f"{_EDGE}{pattern}{_EDGE}", POSSIBLE
    for piece in pattern_pieces(pattern):
        if piece.atom == _EDGE:
            yield piece.start, piece.after, "", UNLIKELY
