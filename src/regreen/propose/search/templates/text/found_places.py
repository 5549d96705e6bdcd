"""Places where a text was found: how far it is behind it, and one further."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import SUM, Expression, added_terms, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_FINDERS: Final = frozenset(("find", "index", "rfind", "rindex", "startswith", "endswith", "count"))


def step_over(node: ast.BinOp | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`at + 1` becomes `at + len(word)`, where the function looks for `word`: behind what was found."""
    step = node.right if isinstance(node, ast.BinOp) else node.value
    if isinstance(node.op, ast.Add) and isinstance(step, ast.Constant) and step.value == 1:
        for word in context.cached("sought", lambda: _sought(context)):
            yield context.put(step, f"len({word})")


def step_behind(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text[at:]` becomes `text[at + len(word):]`, where the function looks for `word`."""
    if isinstance(node.lower, ast.Name):
        for word in context.cached("sought", lambda: _sought(context)):
            yield context.put(node.lower, binary_operation(Expression(node.lower.id), "+", Expression(f"len({word})")))


def _sought(context: TemplateContext) -> tuple[str, ...]:
    """The variables and the longer literals that the function looks for in texts."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and part.args)
    finding = (call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in _FINDERS)
    return tuple(dict.fromkeys(context.text(call.args[0]) for call in finding if _may_be_long(call.args[0], context)))


def _may_be_long(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a text may have more than one character."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and len(node.value) > 1
    return isinstance(node, ast.Name | ast.Attribute) and context.kind(node) in ("str", "")


def step_by_one(node: ast.BinOp | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.find(part, at + len(part))` becomes `text.find(part, at + 1)`: what is found may overlap."""
    step = node.right if isinstance(node, ast.BinOp) else node.value
    is_length = isinstance(step, ast.Call) and callee_name(step) == "len"
    if isinstance(node.op, ast.Add) and is_length and next(context.loops_around(node), None) is not None:
        yield context.put(step, "1")


def split_at_unread(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"(" + digits + ")"` becomes `digits[:i] + "(" + digits[i:] + ")"` for a place `i` that nothing reads."""
    terms = added_terms(node)
    if len(terms) != len(("(", "digits", ")")) or not isinstance(terms[1], ast.Name):
        return
    if not all(isinstance(terms[end], ast.Constant) for end in (0, -1)):
        return
    text, before, behind = terms[1].id, context.text(terms[0]), context.text(terms[-1])
    for place in sorted(context.scope.unused):
        whole = f"{text}[:{place}] + {before} + {text}[{place}:] + {behind}"
        yield context.put(node, Expression(whole, SUM))


TEMPLATES = (
    Template("split_at_unread", (ast.BinOp,), split_at_unread, ("content",)),
    Template("step_over", (ast.BinOp, ast.AugAssign), step_over, ("longer", "repeats", "content")),
    Template("step_behind", (ast.Slice,), step_behind, ("longer", "start")),
    Template("step_by_one", (ast.BinOp, ast.AugAssign), step_by_one, ("shorter", "smaller")),
)
