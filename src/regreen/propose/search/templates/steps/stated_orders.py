"""Orders that the prose names and the program leaves out: by what is sorted, how ties are settled, days of texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import Final

from regreen.propose.search.constants import DECLINE, POSSIBLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_PARTS: Final = r"(?:character|letter|item|element|digit|value|number|word|member|symbol|one)s?"
_DIFFERENT: Final = r"(?:unique|distinct|different)"
_MEASURES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), measure)
    for pattern, measure in (
        (r"\babsolute|\bmagnitude|\b(?:closest|nearest) to (?:zero|0)\b|distance from (?:zero|0)\b", "abs({x})"),
        (rf"\b(?:number|count) of (?:its |their |the )?{_DIFFERENT}|\b(?:most|fewest) {_DIFFERENT}", "len(set({x}))"),
        (r"\b(?:number of|many|most|fewest) (?:ones|1s|1'?s|set bits|1[- ]bits|one[- ]bits)\b", 'bin({x}).count("1")'),
        (r"\bsums? of (?:the |its |their |all )*(?:decimal )?digits|\bdigit[- ]sums?", "sum(map(int, str(abs({x}))))"),
        (r"\bnumber of (?:the |its |their )?(?:decimal )?digits", "len(str(abs({x})))"),
        (r"\b(?:number of|many|most|fewest) vowels", 'sum(c in "aeiou" for c in {x}.lower())'),
        (r"\b(?:number of|many|most|fewest) words", "len({x}.split())"),
        (r"\blength|\blong(?:er|est)\b|\bshort(?:er|est)\b|\bnumber of (?:characters|letters|items)", "len({x})"),
        (r"\bby (?:the |their |its )?(?:sum|total)s?\b|\b(?:largest|smallest|greatest) (?:sum|total)", "sum({x})"),
        (rf"\blast {_PARTS}", "{x}[-1]"),
        (rf"\bfirst {_PARTS}", "{x}[0]"),
        (rf"\bsecond {_PARTS}", "{x}[1]"),
        (r"\b(?:read|spelt|written) backwards?|\bfrom (?:the )?(?:end|back) to|\brevers(?:ed|al)s?\b", "{x}[::-1]"),
        (r"\bcase\b", "{x}.lower()"),
        (r"\bfrequenc|\boccur|\bhow often|\bmost common|\bnumber of times|\bmost often", "{xs}.count({x})"),
        (r"\beven\b.*\bodd\b|\bodd\b.*\beven\b", "{x} % 2"),
        (r"\bas (?:a )?numbers?\b|\bnumeric(?:al)?(?:ly)? (?:value|order|part)?|\bby number", "int({x})"),
    )
)
"""By what prose has things compared, and how that is computed of `x`, one of `xs`."""
_SORTERS: Final = frozenset({"sorted", "sort", "min", "max"})
_KEYS: Final = ("(-{}, x)", "({}, x)", "{}", "-{}")
_MOST_PAIRED: Final = 3
"""Measures of which one may settle the ties of another."""


def stated_key(node: ast.Call | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(words)` becomes `min(words, key=lambda x: (-len(x), x))`, for the measure that prose names."""
    call, index = (node.value, context.text(node.slice)) if isinstance(node, ast.Subscript) else (node, "")
    if not isinstance(call, ast.Call) or callee_name(call) not in _SORTERS or len(call.args) > 1:
        return
    is_sort = isinstance(call.func, ast.Attribute)
    if is_sort != (callee_name(call) == "sort") or (not call.args and not is_sort):
        return
    items = [] if is_sort else [context.text(call.args[0])]
    for rank, key in enumerate(_stated_keys(_unsorted(call), context)):
        weight = max(1.0 - DECLINE / 2 * rank, POSSIBLE)
        made = f"key=lambda x: {key}"
        if isinstance(node, ast.Subscript):
            if index in ("0", "-1") and callee_name(call) == "sorted":
                yield context.put(node, f"sorted({', '.join([*items, made])})[0]", weight)
        elif callee_name(node) in ("min", "max"):
            # The largest has the smallest negative key: so the first of equals in order is meant.
            least = "min" if key.startswith(("(", "-")) else callee_name(node)
            yield context.put(node, f"{least}({', '.join([*items, made])})", weight)
        else:
            yield context.put(node, f"{context.text(node.func)}({', '.join([*items, made])})", weight)


def _unsorted(call: ast.Call) -> ast.expr | None:
    """What a call puts in order, or finds the least of; None for what is no variable."""
    given = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0]
    while isinstance(given, ast.Call) and callee_name(given) in ("sorted", "list", "set") and given.args:
        given = given.args[0]
    return given if isinstance(given, ast.Name | ast.Attribute) else None


def _stated_keys(items: ast.expr | None, context: TemplateContext) -> list[str]:
    """What keys of `x` prose may mean: each measure with the item itself to settle ties, alone, and one behind
    another."""
    prose, text = " ".join(context.clues.prose.lower().split()), context.text(items) if items is not None else ""
    found = [measure for pattern, measure in _MEASURES if pattern.search(prose)]
    measures = [measure.format(x="x", xs=text) for measure in found if text or "{xs}" not in measure]
    alone = [key.format(measure) for measure, key in product(measures, _KEYS)]
    paired = permutations(measures[:_MOST_PAIRED], 2)
    return alone + [f"({sign}{first}, {second})" for first, second in paired for sign in ("", "-")]


def order_of_dates(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(dates)` of texts such as "24/12/2024" becomes `sorted(dates, key=lambda d: d.split("/")[::-1])`: the year
    comes first."""
    if callee_name(node) not in _SORTERS or any(keyword.arg == "key" for keyword in node.keywords):
        return
    said = [found[1] for found in _DAY_FIRST.finditer(context.clues.prose)]
    given = [found[1] for text in context.clues.input_strings if (found := _DATE.fullmatch(text))]
    for sign in dict.fromkeys((*said, *given)):
        end = context.program.spans[node][1] - 1
        lead = ", " if node.args or node.keywords else ""
        yield context.replace(end, end, f'{lead}key=lambda d: d.split("{sign}")[::-1]')


_DAY_FIRST: Final = re.compile(r"\bdd?([/.-])mm?\1yyyy\b", re.IGNORECASE)
_DATE: Final = re.compile(r"\d{2}([/.-])\d{2}\1\d{4}")

TEMPLATES: Final = (
    Template("order_of_dates", (ast.Call,), order_of_dates, ("order", "content")),
    Template("stated_key", (ast.Call, ast.Subscript), stated_key, ("order",)),
)
