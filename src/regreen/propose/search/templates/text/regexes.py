"""Wrong regular expressions, and what is put in the place of what they find; `pattern_changes.py` has their pieces."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from regreen.propose.search.alike_texts import alike_texts
from regreen.propose.search.clues import Clues
from regreen.propose.search.constants import HALF, MAX_PATTERN_CHARACTERS, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import ATOM, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.pattern_changes import (
    PatternUse,
    pattern_changes,
    pattern_pieces,
    plain_alternatives,
)
from regreen.syntax import callee_name
from regreen.types import Edit

_TAKERS: Final = frozenset(("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split"))
_LITERAL: Final = re.compile(r"(?:\s|\\\n|#[^\n]*\n)*([rRbB]{0,2})('''|\"\"\"|'|\")((?:\\.|(?!\2).)*)\2", re.DOTALL)
"""A literal, with what may stand between it and the one that it is put beside."""


def escape_each(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"|".join(words)` becomes `"|".join(map(re.escape, words))`: the words stand for themselves, the bar does not."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value="|"), attr="join"), args=[words]) if not isinstance(
            words, ast.GeneratorExp
        ):
            escape, imports = context.member_of("re", "escape")
            code = Expression(f"map({escape}, {context.text(words)})")
            yield WeightedEdits((*imports, context.edit(words, code)))


def tweak_pattern(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[^a-z]` becomes `[^a-z]+`, `.*` becomes `.*?`, `a.b` becomes `a\\.b`, and a pattern is anchored."""
    share = _share_of_pattern(node, context)
    if not share:
        return
    for begin, is_raw, quote, pattern in _written_patterns(node, context):
        words = plain_alternatives(pattern)
        use = PatternUse(
            raw=is_raw,
            parts=_hands_out_groups(node, context),
            signs=context.cached_of_program("signs of texts", lambda: _signs_of_texts(context.clues)),
            words=alike_texts(context.clues, words) if words else (),
            is_address="@" in pattern,
        )
        # However long a pattern is, its pieces share what one is likely by.
        part = share * min(1.0, _USUAL_LENGTH / len(pattern)) if pattern else share
        for start, end, text, weight in sorted(pattern_changes(pattern, use), key=lambda change: -change[3]):
            if quote not in text:
                yield context.replace(begin + start, begin + end, text, part * weight)
        for told in context.cached("classes told", lambda: _classes_told(context.clues.prose)):
            if quote in told:
                continue
            for piece in pattern_pieces(pattern):
                if piece.atom != told and piece.is_class:
                    yield context.replace(begin + piece.start, begin + piece.end, told, share)
                    yield context.replace(begin, begin + len(pattern), f"{told}{piece.repeat}", share * PROBABLE)


_USUAL_LENGTH: Final = 100


def _written_patterns(node: ast.Constant, context: TemplateContext) -> Iterator[tuple[int, bool, str, str]]:
    """Each literal of a pattern: where its text begins in the program, whether it is raw, its quotes and its text.

    Without the r prefix a backslash may be an escape, and what is very long is none that somebody changes by a piece.
    """
    text, start = context.text(node), context.program.spans[node][0]
    found = _LITERAL.match(text)
    while found is not None:
        is_raw = "r" in found[1].lower()
        if len(found[3]) <= MAX_PATTERN_CHARACTERS and (is_raw or "\\" not in found[3]):
            yield start + found.start(3), is_raw, found[2], found[3]
        found = _LITERAL.match(text, found.end())


def _share_of_pattern(node: ast.Constant, context: TemplateContext) -> float:
    """Whether a text is a pattern: 1 where it is handed to a function of `re`, less for a raw text in a table or a
    variable."""
    if not isinstance(node.value, str | bytes) or node not in context.program.spans:
        return 0.0
    if _is_pattern(node, context):
        return 1.0
    is_kept = isinstance(context.parent(node), ast.Tuple | ast.List | ast.Dict | ast.Assign | ast.AnnAssign)
    return HALF if is_kept and context.text(node)[:1] in ("r", "R") and "re" in context.scope.globals else 0.0


def _hands_out_groups(node: ast.Constant, context: TemplateContext) -> bool:
    call = context.parent(node)
    return isinstance(call, ast.Call) and callee_name(call) in ("split", "findall")


def _signs_of_texts(clues: Clues) -> tuple[str, ...]:
    """The signs in the texts that checks hand in, the most frequent first."""
    found = Counter(sign for text in clues.input_strings for sign in text if not sign.isalnum() and not sign.isspace())
    return tuple(sign for sign, _ in found.most_common() if sign.isascii())


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


_REFERENCE: Final = re.compile(r"\\(\d)|\\g<(\w+)>")
_MOST_REFERENCES: Final = 5
_PLACES_OF_NEW_TEXT: Final = ("sub", "subn", "expand")


def other_reference(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    r"""`r"\2-\1"` becomes `r"\1-\2"`: other groups in what comes in the place of what a pattern found."""
    call = context.parent(node)
    if (
        not isinstance(call, ast.Call)
        or callee_name(call) not in _PLACES_OF_NEW_TEXT
        or not isinstance(node.value, str)
    ):
        return
    text, start = context.text(node), context.program.spans[node][0]
    references = list(_REFERENCE.finditer(text))
    if text[:1] not in "rR" or len(references) > _MOST_REFERENCES:
        return
    for one, two in combinations(references, 2):
        if one[0] != two[0]:
            swapped = f"{text[: one.start()]}{two[0]}{text[one.end() : two.start()]}{one[0]}{text[two.end() :]}"
            yield context.put(node, swapped)
    for found in references:
        for number in (n for n in "123" if found[1] and n != found[1]):
            yield context.replace(start + found.start(1), start + found.end(1), number, HALF)


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


def turn_alternatives(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    r"""`\d+|\d+/\d+` becomes `\d+/\d+|\d+`: of alternatives the first that fits is taken, not the longest."""
    if not isinstance(node.value, str) or not _is_pattern(node, context):
        return
    at, end = context.program.spans[node]
    text = context.program.source[at:end]
    found = _ALTERNATIVES.fullmatch(text)
    parts = found.group(2).split("|") if found is not None else []
    if found is not None and len(parts) > 1 and all(_is_whole(part) for part in parts):
        turned = dict.fromkeys((tuple(parts[::-1]), (parts[-1], *parts[:-1]), (*parts[1:], parts[0])))
        for order in turned:
            if list(order) != parts:
                changed = f"{found.group(1)}{'|'.join(order)}{found.group(3)}"
                yield context.replace(at, end, changed)


def _is_whole(part: str) -> bool:
    """Whether an alternative stands by itself: its brackets are closed."""
    return all(part.count(one) == part.count(other) for one, other in ("()", "[]", "{}"))


_ALTERNATIVES: Final = re.compile(r"""([rRuU]?["'])([^"']*)(["'])""")


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


def keep_separators(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`re.split(r"\\d+", text)` becomes `re.split(r"(\\d+)", text)`: what stands between the parts is one of them."""
    pattern = node.args[0] if callee_name(node) == "split" and len(node.args) > 1 else None
    if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str) or "(" in pattern.value:
        return
    literal = _LITERAL.fullmatch(context.text(pattern))
    if literal is not None:
        start, end = (context.program.spans[pattern][0] + at for at in literal.span(3))
        yield WeightedEdits((Edit(start, start, "("), Edit(end, end, ")")))


def substitute_at_once(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for found in P.finditer(text): text = text.replace(found[0], fill(found))` becomes `text = P.sub(fill, text)`:
    what was put in is not looked through again."""
    match node:
        case ast.For(
            target=ast.Name(id=found),
            iter=ast.Call(func=ast.Attribute(value=pattern, attr="finditer"), args=[*before, _]),
            body=[
                ast.Assign(
                    targets=[ast.Name(id=text)],
                    value=ast.Call(func=ast.Attribute(attr="replace"), args=[_, put, *_]),
                )
            ],
        ):
            pass
        case _:
            return
    filled = context.text(put)
    is_call = isinstance(put, ast.Call) and [context.text(one) for one in put.args] == [found] and not put.keywords
    made = context.text(put.func) if is_call else f"lambda {found}: {filled}"  # type: ignore[attr-defined]
    given = ", ".join((*map(context.text, before), made, text))
    yield from context.restate(node, (f"{text} = {context.text(pattern)}.sub({given})",))


def unescape_at_once(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    r"""`text.replace("\\n", "\n").replace("\\\\", "\\")` becomes one `re.sub` of what stands behind a backslash: a
    backslash that came of one is none that begins another."""
    parent = context.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr == "replace":
        return
    signs: dict[str, str] = {}
    base: ast.expr = node
    while (step := _unescapes(base)) is not None:
        base, behind, sign = step
        signs[behind] = sign
    if len(signs) < _FEW_ESCAPES:
        return
    others = ", ".join(f"{behind!r}: {sign!r}" for behind, sign in reversed(signs.items()) if behind != sign)
    substitute, imports = context.member_of("re", "sub")
    made = f"{{{others}}}.get(found[1], found[1])" if others else "found[1]"
    code = f'{substitute}(r"(?s)\\\\(.)", lambda found: {made}, {context.text(base)})'
    yield WeightedEdits((*imports, context.edit(node, Expression(code, ATOM))))


_FEW_ESCAPES: Final = 2


def _unescapes(node: ast.expr) -> tuple[ast.expr, str, str] | None:
    """Of `text.replace("\\\\n", "\\n")` the text, the sign behind the backslash, and what takes their place."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=text, attr="replace"),
            args=[ast.Constant(value=str() as escaped), ast.Constant(value=str() as sign)],
        ) if len(escaped) == len("\\n") and escaped[0] == "\\":
            return text, escaped[1], sign
    return None


TEMPLATES = (
    Template("substitute_at_once", (ast.For,), substitute_at_once, ("content", "longer", "shorter")),
    Template("unescape_at_once", (ast.Call,), unescape_at_once, ("content", "longer", "shorter")),
    Template("keep_separators", (ast.Call,), keep_separators, ("shorter", "content")),
    Template("turn_alternatives", (ast.Constant,), turn_alternatives, ("shorter", "content")),
    Template("escape_each", (ast.Call,), escape_each, ("content",)),
    Template("split_unescaped", (ast.Call,), split_unescaped, ("longer", "content")),
    Template("longest_first", (ast.Constant,), longest_first, ("content", "longer")),
    Template("escape_text", (ast.Call,), escape_text, ("content", "longer")),
    Template("whole_words", (ast.Call,), whole_words, ("content",)),
    Template("other_reference", (ast.Constant,), other_reference, ("content", "order")),
    Template("tweak_pattern", (ast.Constant,), tweak_pattern, ("content", "none", "attribute")),
    Template("raw_pattern", (ast.Constant,), raw_pattern, ("content", "none", "attribute")),
    Template("ignore_case", (ast.Call,), ignore_case, ("content", "none", "case")),
)
