"""Limits that prose gives a value: the least, the most, or both."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import MAX_REPLACING_NUMBERS
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def stated_limits(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += value` becomes `total += max(0, min(4, value))`, where prose has it never exceed 4 or fall below 0."""
    parent = context.parent(node)
    if context.kind(node) not in ("int", "float", ""):
        return
    is_kept = isinstance(parent, ast.Return | ast.Assign | ast.AugAssign) and parent.value is node
    is_given = (
        isinstance(parent, ast.Call) and callee_name(parent) in ("append", "round", "int") and node in parent.args
    )
    if (is_kept or is_given) and (limits := context.cached("stated limits", lambda: _limits(context.clues.prose))):
        least, most = limits
        yield context.put(node, f"max({least}, min({most}, {context.text(node)}))")


def _limits(prose: str) -> tuple[str, str] | None:
    """The least and the most that prose allows; None where it says nothing of both."""
    found = _LIMITS.search(" ".join(prose.split()))
    if found is None:
        return None
    one, other = (number for number in found.groups() if number is not None)
    least, most = sorted((one, other), key=float)
    return (least, most) if float(least) < float(most) else None


_LIMITS: Final = re.compile(
    r"\b(?:never|not|nor|neither|cannot|can't|at most|at least)\b[^.]{0,40}?\b(?:more|greater|higher|larger|above|over)"
    r"(?: than)? (-?\d+(?:\.\d+)?)\b[^.]{0,30}\b(?:less|lower|smaller|below|under)(?: than)? (-?\d+(?:\.\d+)?)"
    r"|\b(?:never|not|nor|neither|cannot|can't)\b[^.]{0,40}?\b(?:less|lower|smaller|below|under)(?: than)? "
    r"(-?\d+(?:\.\d+)?)\b[^.]{0,30}\b(?:more|greater|higher|larger|above|over)(?: than)? (-?\d+(?:\.\d+)?)"
    r"|\b(?:clamp|limit|restrict|capp?|kept|keep|stays?|lies?)\w*\b[^.]{0,30}?\b(?:between|from|to|within) "
    r"(-?\d+(?:\.\d+)?) (?:and|to) (-?\d+(?:\.\d+)?)"
)


def stated_least(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return pages` becomes `return max(1, pages)`, where "there is always at least one"; with `min`, "at most 10"."""
    around = context.parent(node)
    if not isinstance(around, ast.Return) or context.kind(node) not in ("int", "float", ""):
        return
    for function, number in context.cached("stated least", lambda: _one_sided(context.clues.prose)):
        yield context.put(node, f"{function}({number}, {context.text(node)})")


def _one_sided(prose: str) -> list[tuple[str, str]]:
    """`("max", "1")` for each "at least one", `("min", "10")` for each "at most 10" or "never more than 10"."""
    found = dict.fromkeys(
        ("max" if least else "min", _SPELT.get((least or most).lower(), least or most))
        for least, most in _ONE_SIDED.findall(" ".join(prose.split()))
    )
    return [(function, number) for function, number in found if number.lstrip("-").replace(".", "", 1).isdigit()]


_SPELT: Final = {"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "ten": "10", "a": "1"}
_ONE_SIDED: Final = re.compile(
    r"\b(?:(?:is|are|always|be|has|have|gives?|returns?) (?:always )?at least"
    r"|(?:never|not) (?:less|fewer|smaller|lower) than|(?:never|not) below|nothing less than) (-?\w+(?:\.\d+)?)"
    r"|\b(?:(?:is|are|always|be|has|have|gives?|returns?) (?:always )?at most"
    r"|(?:never|not) (?:more|greater|higher|larger) than|(?:never|not) (?:above|over)|capped at|limited to)"
    r" (-?\w+(?:\.\d+)?)",
    re.IGNORECASE,
)


def rounds_as_stated(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while n:` becomes `for _ in range(32):`, for "the 32 bits of n": so many rounds, however soon nothing is
    left."""
    asked = node.test.left if isinstance(node.test, ast.Compare) else node.test
    if not isinstance(asked, ast.Name) or node.orelse:
        return
    start, end = context.program.first(node), context.program.spans[node.test][1]
    for number in context.clues.numbers[:MAX_REPLACING_NUMBERS]:
        if number.isdigit() and int(number) > 1:
            yield context.replace(start, end, f"for _ in range({number})")


TEMPLATES = (
    Template("rounds_as_stated", (ast.While,), rounds_as_stated, ("smaller", "shorter", "content")),
    Template("stated_limits", (ast.Name, ast.BinOp, ast.Call), stated_limits, ("larger", "smaller")),
    Template(
        "stated_least",
        (ast.Name, ast.BinOp, ast.Call, ast.Attribute),
        stated_least,
        ("zero", "larger", "smaller", "raises"),
    ),
)
