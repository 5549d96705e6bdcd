"""Objects and rows that are put in order: by no field at all, or by too few of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, PROBABLE, VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import fields_of_all
from regreen.syntax import callee_name

_SORTERS = ("sorted", "sort", "min", "max")
_MOST_FIELDS = 10
_MOST_IN_PAIRS = 5


def sort_by_field(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(jobs)` becomes `sorted(jobs, key=lambda job: job.number)`, or by two fields, of which one may fall."""
    if callee_name(node) not in _SORTERS or any(keyword.arg == "key" for keyword in node.keywords):
        return
    fields = _known_fields("x", context)
    keys = [(code, 1.0) for code in fields] + [(f"-{code}", HALF) for code in fields]
    for one in fields[:_MOST_IN_PAIRS]:
        for other in fields[:_MOST_IN_PAIRS]:
            if one != other:
                keys += [(f"({one}, {other})", HALF), (f"(-{one}, {other})", HALF)]
    for key, weight in keys:
        yield from context.with_keyword(node, f"key=lambda x: {key}", weight)


def settle_by_field(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=lambda job: -job.rank` becomes `key=lambda job: (-job.rank, job.number)`: what settles ties is left out."""
    around = context.parent(node)
    if not isinstance(around, ast.keyword) or around.arg != "key" or len(node.args.args) != 1:
        return
    key = node.body
    parts = [context.text(part) for part in (key.elts if isinstance(key, ast.Tuple) else [key])]
    for code in _known_fields(node.args.args[0].arg, context):
        if any(code in part for part in parts):
            continue
        for further, share in ((code, 1.0), (f"-{code}", PROBABLE)):
            for at in range(len(parts), -1, -1):
                weight = share * (1.0 if at == len(parts) else VERY_LIKELY if at else HALF)
                yield context.put(key, f"({', '.join((*parts[:at], further, *parts[at:]))})", weight)


def empty_comes_last(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return numbers, tuple(self.pre)` becomes `return numbers, not self.pre, tuple(self.pre)` where things are put in
    order by it: what has none comes behind what has some, as a release behind its previews."""
    function = context.scope.function
    is_key = isinstance(context.parent(node), ast.Lambda) or (
        isinstance(context.parent(node), ast.Return) and function is not None and "key" in function.name
    )
    for part in node.elts[1:] if is_key else ():
        held = dict.fromkeys(context.text(name) for name in ast.walk(part) if isinstance(name, ast.Attribute))
        names = dict.fromkeys(name.id for name in ast.walk(part) if isinstance(name, ast.Name))
        for text in held or names:
            if not context.scope.receiver or text != context.scope.receiver:
                start = context.outer(part)[0]
                yield context.replace(start, start, f"not {text}, ")


def _known_fields(item: str, context: TemplateContext) -> list[str]:
    """How the fields of the program's classes, and the keys of its rows, are read from an item."""
    fields = fields_of_all(context)
    keys = context.cached_of_program("keys of rows", lambda: _keys_of_rows(context))
    read = {part.attr for part in context.program.nodes if isinstance(part, ast.Attribute)}
    known = sorted((name for name in fields if not name.startswith("_")), key=lambda name: (name not in read, name))
    return [*(f"{item}.{name}" for name in known), *(f'{item}["{name}"]' for name in keys)][:_MOST_FIELDS]


def _keys_of_rows(context: TemplateContext) -> list[str]:
    """The texts by which the program takes entries, each once."""
    parts = (part.slice for part in context.program.nodes if isinstance(part, ast.Subscript))
    texts = (part.value for part in parts if isinstance(part, ast.Constant))
    return list(dict.fromkeys(text for text in texts if isinstance(text, str) and text.isidentifier()))


TEMPLATES = (
    Template("sort_by_field", (ast.Call,), sort_by_field, ("type", "order", "content")),
    Template("empty_comes_last", (ast.Tuple,), empty_comes_last, ("order", "content")),
    Template("settle_by_field", (ast.Lambda,), settle_by_field, ("order", "content")),
)
