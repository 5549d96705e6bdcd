"""Texts that are put together and lack what belongs at an end, or between the parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import ATOM, SUM, TEST, Expression, added_terms, attribute_of
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted

_MOST_CHARACTERS: Final = 4
_MADE: Final = (ast.BinOp, ast.JoinedStr, ast.Call)
_QUERIES: Final = {"?": "&"}
"""What begins something, and what stands there when it has begun."""


def complete_text(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"| " + " | ".join(row)` becomes `... + " |"` where a check came by `| a | b` and wanted `| a | b |`."""
    if context.kind(node) != "str" or not context.is_read(node) or isinstance(context.parent(node), ast.BinOp):
        return
    code = context.expression(node)
    for before, behind in context.cached_of_program("lacking ends", lambda: _lacking_ends(context)):
        parts = [quoted(before, '"')] * bool(before) + [code.at(SUM)] + [quoted(behind, '"')] * bool(behind)
        yield context.put(node, Expression(" + ".join(parts), SUM))


def _lacking_ends(context: TemplateContext) -> list[tuple[str, str]]:
    """What texts that failing checks got lack before and behind them, where that is short and no word."""
    found: dict[tuple[str, str], None] = {}
    for came, wanted in context.clues.differing_texts:
        if came and came in wanted:
            before, behind = wanted[: wanted.index(came)], wanted[wanted.index(came) + len(came) :]
            if len(before + behind) <= _MOST_CHARACTERS and not any(sign.isalnum() for sign in before + behind):
                found[before, behind] = None
    return list(found)


def cut_as_wanted(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value.strip()` becomes `value.partition("#")[0].strip()` where a check came by `1 # one` and wanted `1`."""
    marks = context.cached_of_program("marks to cut at", lambda: _marks_to_cut_at(context))
    if not marks or context.kind(node) not in ("str", "") or not context.is_read(node) or isinstance(node, ast.BinOp):
        return
    is_receiver = isinstance(context.parent(node), ast.Attribute)
    for mark, is_first in marks:
        cut = attribute_of(context.expression(node), f"partition({quoted(mark, chr(34))})[{0 if is_first else 2}]")
        yield context.put(node, cut)
        if not is_receiver:
            yield context.put(node, attribute_of(cut, "strip()"), LIKELY)


def _marks_to_cut_at(context: TemplateContext) -> list[tuple[str, bool]]:
    """The sign with which what is too much begins, behind what was wanted; or ends, before it.

    One that the checks wrote themselves: of what a program made of it, `%23` for `#`, the beginning is no mark.
    """
    found: dict[tuple[str, bool], None] = {}
    for came, wanted in context.clues.differing_texts:
        if came.startswith(wanted) and (rest := came[len(wanted) :].strip()) and not rest[0].isalnum():
            found[rest[0], True] = None
        elif came.endswith(wanted) and (lead := came[: -len(wanted) or None].strip()) and not lead[-1].isalnum():
            found[lead[-1], False] = None
    written = (*context.clues.strings, *context.clues.input_strings)
    return [(mark, is_first) for mark, is_first in found if any(mark in text for text in written)]


def only_if_any(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base + "?" + urlencode(params)` becomes `... if params else base`: behind nothing stands no mark."""
    first, *rest = added_terms(node)
    if isinstance(context.parent(node), ast.BinOp) or len(rest) < 2 or not isinstance(rest[0], ast.Constant):
        return
    whole = context.expression(node).at(TEST)
    named = (part for part in ast.walk(rest[-1]) if isinstance(part, ast.Name) and context.is_read(part))
    for asked in dict.fromkeys(map(context.text, named)):
        yield context.put(node, Expression(f"{whole} if {asked} else {context.text(first)}", TEST))


def only_where_any(node: ast.BinOp | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[prefix + line for line in lines]` becomes `[prefix + line if line else line for ...]`: not before nothing."""
    around = context.parent(node)
    if not isinstance(around, ast.ListComp | ast.GeneratorExp | ast.SetComp) or around.elt is not node:
        return
    target = around.generators[0].target
    if isinstance(target, ast.Name) and context.kind(node) == "str":
        code, line = context.expression(node).at(TEST), target.id
        for asked, weight in ((line, 1.0), (f"{line}.strip()", LIKELY)):
            yield context.put(node, Expression(f"{code} if {asked} else {line}", TEST), weight)


def only_with_values(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`message % args` becomes `message % args if args else message`: without values a `%` stands for itself."""
    values = node.right.id if isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Name) else ""
    if values and context.kind(node.right) in ("tuple", "dict"):
        left, whole = context.text(node.left), context.text(node)
        yield context.put(node, Expression(f"{whole} if {values} else {left}", TEST))


def further_query(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`address + "?" + query` becomes `address + ("&" if "?" in address else "?") + query`."""
    around = context.parent(node)
    if node.value not in _QUERIES or not isinstance(around, ast.BinOp) or around.right is not node:
        return
    before = context.expression(around.left)
    mark, other = context.text(node), quoted(_QUERIES[str(node.value)], context.text(node))
    yield context.put(node, Expression(f"{other} if {mark} in {before.at(ATOM)} else {mark}", TEST))


_CUT: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
TEMPLATES = (
    Template("complete_text", _MADE, complete_text, ("shorter", "end", "start", "content")),
    Template("cut_as_wanted", _CUT, cut_as_wanted, ("longer", "content")),
    Template("only_if_any", (ast.BinOp,), only_if_any, ("longer", "content")),
    Template("only_where_any", (ast.BinOp, ast.JoinedStr), only_where_any, ("content", "longer")),
    Template("only_with_values", (ast.BinOp,), only_with_values, ("type", "value", "raises")),
    Template("further_query", (ast.Constant,), further_query, ("content",)),
)
