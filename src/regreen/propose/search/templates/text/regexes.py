"""Wrong regular expressions: quantifiers, anchors, an unescaped dot, classes, the order of alternatives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.constants import (
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_PATTERN_CHARACTERS,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import ATOM, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit

_TAKERS: Final = frozenset(("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split"))
_LITERAL: Final = re.compile(r"([rR]?)('''|\"\"\"|'|\")(.*)\2", re.DOTALL)
_PIECE: Final = re.compile(
    r"(?P<atom>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\)|[^\\\[\](){}*+?|^$])?(?P<repeat>(?:[*+?]|\{\d*,?\d*\})\??)?", re.DOTALL
)
_PLAIN: Final = r"[^()\[\]{}|*+?\\^$.]+"
_ALTERNATIVES: Final = re.compile(rf"(?:\((?:\?:|\?P<\w+>)?|^)({_PLAIN}(?:\|{_PLAIN})+)(?=\)|$)")
"""Alternatives that are plain texts: in a group, or the whole pattern."""
_COUNT: Final = re.compile(r"\{(\d*)(?:,(\d*))?\}")
_CAPITAL: Final = re.compile(r"(?:\(\?<!\^\))?\(\[A-Z\]\+?\)")
"""A capital that begins a word."""
_RANGE: Final = re.compile(r"\w-\w")
_OTHER_REPEATS: Final = {"+": ("*", "", "+?"), "*": ("+", "", "*?"), "?": ("", "*"), "*?": ("*",), "+?": ("+",)}
_OTHER_CLASSES: Final = {"\\d": "\\w", "\\w": "\\S", "\\s": "\\W", "\\S": "\\w", "\\D": "\\W", "\\W": "\\s"}


class PatternPiece(NamedTuple):
    """One atom of a pattern with its quantifier; offsets are in the pattern."""

    start: int
    end: int
    """Where the atom ends and its quantifier begins."""
    atom: str
    repeat: str


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


def tweak_pattern(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[^a-z]` becomes `[^a-z]+`, `.*` becomes `.*?`, `a.b` becomes `a\\.b`, and a pattern is anchored."""
    written = _LITERAL.fullmatch(context.text(node)) if isinstance(node.value, str) else None
    if written is None or not _is_pattern(node, context):
        return
    pattern, begin = written[3], context.program.spans[node][0] + written.start(3)
    # Without the r prefix a backslash may be an escape; a quote inside means two literals side by side.
    if len(pattern) > MAX_PATTERN_CHARACTERS or written[2] in pattern or (not written[1] and "\\" in pattern):
        return
    for start, end, text, weight in sorted(_changes(pattern, raw=bool(written[1])), key=lambda change: -change[3]):
        if written[2] not in text:
            yield context.replace(begin + start, begin + end, text, weight)
    for told in context.cached("classes told", lambda: _classes_told(context.clues.prose)):
        if written[2] in told:
            continue
        for piece in pattern_pieces(pattern):
            if piece.atom != told and (piece.atom in _OTHER_CLASSES or piece.atom.startswith("[") or piece.atom == "."):
                yield context.replace(begin + piece.start, begin + piece.end, told)
                yield context.replace(begin, begin + len(pattern), f"{told}{piece.repeat}", PROBABLE)


_RUN: Final = re.compile(
    r"\b(?:runs? of|consists? of|made (?:up )?of|sequences? of|contains? only|only)\b([^.;:]*)", re.IGNORECASE
)
"""Of what a sentence says that something is made of."""
_MEMBERS: Final = (
    (r"\bdigits?\b", "0-9"),
    (r"\bunderscores?\b", "_"),
    (r"\b(?:dots?|periods?)\b", "."),
    (r"\bapostrophes?\b", "'"),
    (r"\bhyphens?\b", "-"),
)
"""Words for characters, and how a class of a pattern spells them; a hyphen stands last."""


def _is_pattern(node: ast.Constant, context: TemplateContext) -> bool:
    """Whether a text is handed to a function of `re`, by itself or as a variable that nothing else is handed to."""
    call = context.parent(node)
    if isinstance(call, ast.Assign) and isinstance(call.targets[0], ast.Name):
        name = call.targets[0].id
        return name in context.cached_of_program("names of patterns", lambda: _names_of_patterns(context))
    return isinstance(call, ast.Call) and node in call.args[:1] and _takes_pattern(call, context)


def _takes_pattern(call: ast.Call, context: TemplateContext) -> bool:
    return callee_name(call) in _TAKERS and context.text(call.func).startswith("re.")


def _names_of_patterns(context: TemplateContext) -> frozenset[str]:
    calls = (part for part in context.program.nodes if isinstance(part, ast.Call) and _takes_pattern(part, context))
    return frozenset(call.args[0].id for call in calls if call.args and isinstance(call.args[0], ast.Name))


def _classes_told(prose: str) -> list[str]:
    """The classes of characters that prose speaks of: `[a-z']` for "a run of letters a-z and apostrophes"."""
    found: dict[str, None] = {}
    for run in _RUN.finditer(prose):
        what = run[1].lower()
        letters = (
            ("a-z" if "a-z" in what or "small" in what or "lower" in what else "A-Za-z") if "letter" in what else ""
        )
        members = letters + "".join(spelt for word, spelt in _MEMBERS if re.search(word, what))
        if members:
            found.setdefault(f"[{members}]")
    return list(found)


def _changes(pattern: str, *, raw: bool) -> Iterator[tuple[int, int, str, float]]:
    """Changes of a pattern: start, end, replacement and weight."""
    for piece in pattern_pieces(pattern):
        after = piece.end + len(piece.repeat)
        many = piece.atom.startswith(("[", "\\", ")", "."))
        if not piece.repeat:
            yield piece.end, after, "+", 1.0 if many else IMPROBABLE
            yield piece.end, after, "*", HALF if many else REMOTE
            yield piece.end, after, "?", POSSIBLE
        for other in _OTHER_REPEATS.get(piece.repeat, ()):
            yield piece.end, after, other, VERY_LIKELY
        for other, weight in _other_counts(piece.repeat):
            yield piece.end, after, other, weight
        yield from _around_number(piece, raw=raw)
        if piece.atom == "." and not piece.repeat:
            yield piece.start, piece.end, "\\." if raw else "[.]", VERY_LIKELY
        if piece.atom in _OTHER_CLASSES:
            yield piece.start, piece.end, _OTHER_CLASSES[piece.atom], UNLIKELY
        if piece.atom == "\\s":
            yield piece.start, piece.end, "[ \\t]", POSSIBLE
            yield piece.start, piece.end, " ", UNLIKELY
        if piece.atom == "\\w":
            yield from ((piece.start, piece.end, f"[\\w{more}]", IMPROBABLE) for more in "'-.")
        if piece.atom.startswith("[^"):
            yield piece.start, piece.start + 2, "[", HALF
        elif piece.atom.startswith("["):
            yield piece.start, piece.start + 1, "[^", UNLIKELY
            yield from _other_members(piece)
    for group in _ALTERNATIVES.finditer(pattern):
        words = group[1].split("|")
        ordered = sorted(words, key=len, reverse=True)
        if ordered != words:
            # The first alternative that matches wins, even if a longer one would match too.
            yield *group.span(1), "|".join(ordered), VERY_LIKELY
    if raw and (capital := _CAPITAL.search(pattern)):
        # Of a run of capitals only the last one begins a word, and only before a small letter.
        yield *capital.span(), "((?<=[a-z0-9])[A-Z]|(?<!^)[A-Z](?=[a-z]))", POSSIBLE
    if raw:
        yield from _two_digits(pattern)
    for anchor, at in (("^", 0), ("$", len(pattern))):
        there = slice(at, at + 1) if anchor == "^" else slice(at - 1, at)
        if pattern[there] == anchor:
            yield there.start, there.stop, "", UNLIKELY
        else:
            yield at, at, anchor, PROBABLE


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


def _two_digits(pattern: str) -> Iterator[tuple[int, int, str, float]]:
    """Hours to 23, minutes to 59, months to 12, days to 31, and bytes to 255."""
    for wide, narrower in _NARROWER:
        for found in wide.finditer(pattern):
            yield from ((*found.span(), narrow, LIKELY) for narrow in narrower)


def _other_members(piece: PatternPiece) -> Iterator[tuple[int, int, str, float]]:
    """A class with one range or character more, or without one of its ranges."""
    members = piece.atom[1:-1]
    for more in ("A-Z", "0-9", "_", "a-z", ".", "+", " "):
        if more not in members:
            # A hyphen stays the last, where it is no range.
            at = piece.end - 1 - members.endswith("-")
            yield at, at, more, IMPROBABLE
    if "-" not in _RANGE.sub("", members):
        yield piece.end - 1, piece.end - 1, "-", IMPROBABLE
    for found in _RANGE.finditer(members):
        if found[0] != members:
            yield piece.start + 1 + found.start(), piece.start + 1 + found.end(), "", IMPROBABLE


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


def _around_number(piece: PatternPiece, *, raw: bool) -> Iterator[tuple[int, int, str, float]]:
    """A sign before digits, a fraction after them, and more blanks for one."""
    after = piece.end + len(piece.repeat)
    dot, digit, blank = ("\\.", "\\d", "\\s") if raw else ("[.]", "[0-9]", " ")
    if piece.atom in ("\\d", "[0-9]"):
        yield piece.start, piece.start, "-?", UNLIKELY
        yield after, after, f"(?:{dot}{digit}+)?", UNLIKELY
        yield after, after, f"{dot}?{digit}*", IMPROBABLE
    elif piece.atom == " ":
        yield piece.start, after, f"{blank}*", HALF
        yield piece.start, after, f"{blank}+", HALF


def raw_pattern(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"\\bcat"`, where Python reads a backspace, becomes `r"\\bcat"`."""
    call, text = context.parent(node), context.text(node)
    if isinstance(call, ast.Call) and callee_name(call) in _TAKERS and text[:1] in "'\"" and "\\" in text:
        start = context.program.spans[node][0]
        yield context.replace(start, start, "r")


def ignore_case(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`re.search(pattern, text)` gets a flag: IGNORECASE, MULTILINE or DOTALL."""
    text = context.text(node.func)
    if not text.startswith("re.") or callee_name(node) not in _TAKERS or any(k.arg == "flags" for k in node.keywords):
        return
    end = context.program.spans[node][1] - 1
    for flag, weight in (("re.IGNORECASE", 1.0), ("re.MULTILINE", PROBABLE), ("re.DOTALL", PROBABLE)):
        yield context.replace(end, end, f", flags={flag}", weight)


def whole_words(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`re.escape(word)` becomes `r"\\b" + re.escape(word) + r"\\b"`: no part of a longer word."""
    if context.text(node.func) in ("re.escape", "escape") and len(node.args) == 1:
        escaped = context.text(node)
        yield context.put(node, Expression(f'r"\\b" + {escaped} + r"\\b"', SUM))
        yield context.put(node, Expression(f'"^" + {escaped} + "$"', SUM), UNLIKELY)


def escape_text(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`re.sub("<" + word, ...)` becomes `re.sub("<" + re.escape(word), ...)`: a variable stands for itself.

    So it does in a variable that holds the pattern. And `pattern.replace("*", ".*")` becomes
    `re.escape(pattern).replace(r"\\*", ".*")`: all else does.
    """
    if "re" not in context.scope.globals:
        return
    if context.text(node.func).startswith("re.") and callee_name(node) in _TAKERS and node.args:
        made = _made_of(node.args[0], context)
        for part in context.program.below(made):
            if isinstance(part, ast.Name) and isinstance(context.parent(part), ast.BinOp | ast.FormattedValue):
                yield context.put(part, Expression(f"re.escape({part.id})", ATOM))
    yield from _escaped_first(node, context)


def _made_of(pattern: ast.expr, context: TemplateContext) -> ast.expr:
    """What a variable was given, where it is given a value once; anything else as it is."""
    if not isinstance(pattern, ast.Name):
        return pattern
    given = [part for part in context.scope.nodes if isinstance(part, ast.Assign)]
    values = [part.value for part in given if context.text(part.targets[0]) == pattern.id]
    return values[0] if len(values) == 1 else pattern


def _escaped_first(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of a chain of `replace` on a variable, the variable escaped first, and what is replaced as that spells it."""
    edits: list[Edit] = []
    inner: ast.expr = node
    is_last = not isinstance(context.parent(node), ast.Attribute)
    while is_last and isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
        old = inner.args[0] if inner.func.attr == "replace" and len(inner.args) > 1 else None
        if not isinstance(old, ast.Constant) or not isinstance(old.value, str) or re.escape(old.value) == old.value:
            return
        edits.append(context.edit(old, Expression(f"r{re.escape(old.value)!r}".replace("\\\\", "\\"))))
        inner = inner.func.value
    if edits and isinstance(inner, ast.Name):
        yield WeightedEdits((context.edit(inner, Expression(f"re.escape({inner.id})", ATOM)), *edits))


def longest_first(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[<>=]|<=|>=` becomes `<=|>=|[<>=]`: of alternatives the first that fits is taken."""
    if not isinstance(node.value, str):
        return
    found = _CLASS_FIRST.fullmatch(context.text(node))
    if found is not None and "(" not in found["rest"].replace("\\(", ""):
        start = context.program.spans[node][0]
        inside = f"{found['rest']}|{found['class']}"
        yield context.replace(start + found.start("class"), start + found.end("rest"), inside)


_CLASS_FIRST: Final = re.compile(
    r"""[rR]?(?P<quote>["'])(?P<class>\[(?:\\.|[^\]\\])+\])\|(?P<rest>[^"'|]+(?:\|[^"'|]+)*)(?P=quote)"""
)


def split_unescaped(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    r"""`line.split(",")` becomes `re.split(r"(?<!\\),", line)`: a separator behind a backslash is text."""
    separator = node.args[0] if callee_name(node) == "split" and len(node.args) == 1 and not node.keywords else None
    if not isinstance(separator, ast.Constant) or not isinstance(separator.value, str) or len(separator.value) != 1:
        return
    if "\\" in context.program.source and isinstance(node.func, ast.Attribute) and separator.value not in _IN_PATTERNS:
        split, imports = context.member_of("re", "split")
        pattern = rf'r"(?<!\\){separator.value}"'
        parted = f"{split}({pattern}, {context.text(node.func.value)})"
        yield WeightedEdits((*imports, context.edit(node, Expression(parted))))


_IN_PATTERNS: Final = frozenset('|.*+?()[]{}^$"\\\n\r')


TEMPLATES = (
    Template("split_unescaped", (ast.Call,), split_unescaped, ("longer", "content")),
    Template("longest_first", (ast.Constant,), longest_first, ("content", "longer")),
    Template("escape_text", (ast.Call,), escape_text, ("content", "longer")),
    Template("whole_words", (ast.Call,), whole_words, ("content",)),
    Template("tweak_pattern", (ast.Constant,), tweak_pattern, ("content", "none", "attribute")),
    Template("raw_pattern", (ast.Constant,), raw_pattern, ("content", "none", "attribute")),
    Template("ignore_case", (ast.Call,), ignore_case, ("content", "none", "case")),
)
