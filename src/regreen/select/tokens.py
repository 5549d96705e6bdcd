"""Program text as tokens; no text fails and nothing is lost, so that broken programs can be compared too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain

_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\n]* )
  | (?P<string> (?i:[rbuft]|br|rb|fr|rf|tr|rt)? (?:
        '''(?:[^\\]|\\.)*?''' | \"""(?:[^\\]|\\.)*?\""" | '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" ) )
  | (?P<number> (?:\d|\.\d)(?:[\w.]|(?<=[eE])[+-])* )
  | (?P<name> \w+ )
  | (?P<newline> \n )
  | (?P<space> (?:[ \t\f\r]|\\\r?\n)+ )
  | (?P<operator> \*\*=|//=|>>=|<<=|\.\.\.|!=|==|<=|>=|->|:=|\*\*|//|>>|<<|[-+*/%@&|^]= | [\s\S] )
    """,
    re.VERBOSE | re.DOTALL,
)

_FSTRING = re.compile(r"(?i:f|t|rf|fr|rt|tr)(?:\'{3}|\"{3}|\'|\")")
"""With what an f-string, or a t-string, begins."""
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_UNSEEN = frozenset({"comment", "space", "newline"})


@dataclass(frozen=True, slots=True)
class EditSpan:
    """One difference of two sequences: `before[start:end]` became `after[new_start:new_end]`."""

    start: int
    end: int
    new_start: int
    new_end: int

    @property
    def size(self) -> int:
        """Items of the longer side."""
        return max(self.end - self.start, self.new_end - self.new_start)


def lines_of(source: str) -> list[str]:
    """The lines of `source` with their ends; only "\\n" ends a line, as in patches."""
    return re.findall(r"[^\n]*\n|[^\n]+", source)


@dataclass(frozen=True, slots=True)
class SpacedToken:
    """One token that matters, with the spaces, comments and line ends in front of it."""

    gap: str
    text: str
    """The token; empty for the last item, whose gap is the text after the last token."""
    indent: str | None = None
    """The indentation of the logical line that it begins; None inside of one."""

    @property
    def key(self) -> str:
        """The token and, at the start of a logical line, its indentation: what Python distinguishes."""
        return self.text if self.indent is None else f"\n{self.indent}{self.text}"


@lru_cache(maxsize=64)
def significant_tokens(source: str) -> tuple[str, ...]:
    """The tokens that matter: no comments, no blank lines, no spaces but those that indent a statement.

    An f-string counts as several: see `opened_fstring`.
    """
    split = (
        opened_fstring(unit.text) if unit.indent is None else (f"\n{unit.indent}", *opened_fstring(unit.text))
        for unit in spaced_tokens(source)[:-1]
    )
    return tuple(chain.from_iterable(split))


def opened_fstring(token: str) -> tuple[str, ...]:
    """The tokens of `f"{n + 1} of {m}"` as those of `f"{} of {}" % (n + 1, m)`: what stands in it is no text.

    Any other token stands for itself, and so does an f-string without fields, or with a brace that nothing closes.
    """
    begins = _FSTRING.match(token)
    spans = _fields(token, begins.end()) if begins is not None else []
    if not spans:
        return (token,)
    starts, ends = zip(*spans, strict=True)
    text = "".join(token[end:start] for end, start in zip((0, *ends), (*starts, len(token)), strict=True))
    tokens = [text, "%", "("]
    for number, span in enumerate(spans):
        tokens += [","] * (number > 0)
        for kind, part in _scan(token[slice(*span)]):
            tokens += () if kind in _UNSEEN else opened_fstring(part)
    return (*tokens, ")")


def _fields(token: str, begin: int) -> list[tuple[int, int]]:
    """Where the expressions of an f-string begin and end, without `!r` and `:.2f`; none where one is not closed."""
    spans: list[tuple[int, int]] = []
    depth, start, end, at = 0, 0, 0, begin
    while at < len(token):
        sign = token[at]
        if depth == 0 and token.startswith("{{", at):
            at += 1
        elif depth == 0 and sign == "{":
            depth, start, end = 1, at + 1, 0
        elif depth and (quoted := _QUOTED.match(token, at)):
            at = quoted.end() - 1
        elif depth and sign in _OPENING:
            depth += 1
        elif depth and sign in _CLOSING:
            depth -= 1
            if depth == 0:
                spans.append((start, end or at))
        elif depth == 1 and (sign == ":" or (sign == "!" and token[at + 1 : at + 2] != "=")):
            end = end or at
        at += 1
    return [] if depth else spans


def spaced_tokens(source: str) -> list[SpacedToken]:
    """Every token that matters, in order, with the text between them: joined, they are the source again."""
    found: list[SpacedToken] = []
    depth, gap, indent = 0, "", ""
    fresh = True
    for kind, text in _scan(source):
        if kind in _UNSEEN:
            gap += text
            if kind == "newline" and depth == 0:
                fresh, indent = True, ""
            elif kind == "space" and fresh:
                indent += text
            continue
        found.append(SpacedToken(gap, text, indent if fresh else None))
        depth = max(0, depth + (text in _OPENING) - (text in _CLOSING))
        gap, fresh = "", False
    return [*found, SpacedToken(gap, "")]


@lru_cache(maxsize=64)
def uneven_depths(source: str) -> int:
    """How many blocks are indented by more or less than most blocks of the text are."""
    steps: list[str] = []
    depths = [""]
    for indent in (unit.indent for unit in spaced_tokens(source) if unit.indent is not None):
        while len(indent) < len(depths[-1]):
            depths.pop()
        if len(indent) > len(depths[-1]):
            steps.append(indent[len(depths[-1]) :])
            depths.append(indent)
    return len(steps) - max(Counter(steps).values(), default=0)


def literal_texts(source: str) -> Iterator[str]:
    """Every number and string written in a text, as it is written."""
    return (text for kind, text in _scan(source) if kind in {"number", "string"})


def edit_spans(before: Sequence[str], after: Sequence[str]) -> list[EditSpan]:
    """The differences of two sequences, item by item: each span replaces, removes or inserts a single one."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    found: list[EditSpan] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            found.extend(_split(EditSpan(start + head, end + head, new_start + head, new_end + head)))
    return min(found, _place_by_place(old, new, head), key=len) if len(old) == len(new) else found


def _place_by_place(old: Sequence[str], new: Sequence[str], head: int) -> list[EditSpan]:
    """The differences of two sequences of one length as replacements: two items that changed places are two of them,
    where what is common to both in order leaves more."""
    places = (at for at, (ours, theirs) in enumerate(zip(old, new, strict=True), head) if ours != theirs)
    return [EditSpan(at, at + 1, at, at + 1) for at in places]


def _scan(source: str) -> Iterator[tuple[str, str]]:
    return ((match.lastgroup or "", match.group()) for match in _TOKEN.finditer(source))


def _split(span: EditSpan) -> Iterator[EditSpan]:
    """The span as replacements of single items, then what is left over on the longer side."""
    for offset in range(span.size):
        start, end = min(span.start + offset, span.end), min(span.start + offset + 1, span.end)
        new_start = min(span.new_start + offset, span.new_end)
        yield EditSpan(start, end, new_start, min(span.new_start + offset + 1, span.new_end))


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """Number of items that two sequences share at their start."""
    at = 0
    for ours, theirs in zip(left, right, strict=False):
        if ours != theirs:
            break
        at += 1
    return at
