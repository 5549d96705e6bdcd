"""Wrong orders: a sort with no key or a wrong one, ascending for descending."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import FACTOR, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_SORTERS = frozenset(("sorted", "sort", "min", "max", "groupby", "nlargest", "nsmallest"))


def sort_key(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(xs)` becomes `sorted(xs, reverse=True)`, `sorted(xs, key=len)`, `sorted(xs, key=lambda x: x[1])`, ..."""
    name = callee_name(node)
    if name not in _SORTERS or any(isinstance(a, ast.GeneratorExp) for a in node.args):
        return
    end = context.program.spans[node][1] - 1
    lead = ", " if node.args or node.keywords else ""
    given = {keyword.arg for keyword in node.keywords}
    if "reverse" not in given and name in ("sorted", "sort"):
        yield context.replace(end, end, f"{lead}reverse=True")
    if "key" not in given:
        for key, weight in _KEYS:
            yield context.replace(end, end, f"{lead}key={key}", weight)


_KEYS = (
    ("len", 0.5),
    ("lambda x: x[1]", 0.6),
    ("lambda x: x[0]", 0.5),
    ("lambda x: -x", 0.3),
    ("lambda x: (len(x), x)", 0.3),
    ("lambda x: (-x[1], x[0])", 0.3),
    ("lambda x: x[-1]", 0.2),
    ("str.lower", 0.3),
    ("abs", 0.3),
    ("int", 0.3),
    ("str", 0.2),
)

_TIE_BREAKS = (
    "({}, {name})",
    "({}, {name}[0])",
    "(-{}, {name})",
    "({}, {name}[1])",
    "(-{}, {name}[0])",
    "({name}, {})",
)


def tweak_key(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lambda x: x[1]` becomes `lambda x: (x[1], x)`, `(-x[1], x[0])`, `x`, ...; one of several keys is negated."""
    names = [a.arg for a in node.args.args]
    if len(names) != 1 or not isinstance(context.parent(node), ast.keyword):
        return
    name, body = names[0], context.expression(node.body)
    if isinstance(node.body, ast.Tuple):
        for key in node.body.elts:
            yield context.put(key, unary_operation("-", context.expression(key)))
    else:
        yield context.put(node.body, unary_operation("-", body))
        for shape in _TIE_BREAKS:
            yield context.put(node.body, shape.format(body.at(FACTOR), name=name), HALF)
    yield context.put(node.body, name, HALF)
    yield context.put(node.body, f"{name}[0]", HALF)
    yield context.put(node.body, f"{name}[1]", HALF)


def flip_keyword(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=x` becomes another key."""
    if node.arg == "key" and not isinstance(node.value, ast.Lambda):
        for key, weight in _KEYS:
            yield context.put(node.value, key, weight)


TEMPLATES = (
    Template("sort_key", (ast.Call,), sort_key, ("order", "reversed", "descending")),
    Template("tweak_key", (ast.Lambda,), tweak_key, ("order", "reversed")),
    Template("flip_keyword", (ast.keyword,), flip_keyword, ("order",)),
)
