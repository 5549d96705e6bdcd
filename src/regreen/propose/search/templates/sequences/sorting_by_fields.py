"""Objects and rows that are put in order: by no field at all, or by too few of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import SUM, Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import fields_of_all
from regreen.syntax import ORDERS, callee_name, names_within

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
        isinstance(context.parent(node), ast.Return) and function is not None and _puts_in_order(function.name, context)
    )
    for part in node.elts[1:] if is_key else ():
        held = dict.fromkeys(context.text(name) for name in ast.walk(part) if isinstance(name, ast.Attribute))
        names = dict.fromkeys(name.id for name in ast.walk(part) if isinstance(name, ast.Name))
        for text in held or names:
            if not context.scope.receiver or text != context.scope.receiver:
                start = context.outer(part)[0]
                yield context.replace(start, start, f"not {text}, ")


def _puts_in_order(name: str, context: TemplateContext) -> bool:
    """Whether a function makes what things are put in order by: it is called so, or handed to a sort."""
    return "key" in name or re.search(rf"key={name}\b|key=self\.{name}\b", context.program.source) is not None


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


def fall_but_last(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows.sort(reverse=True)`, where rows are made as `(points, goals, name)`, becomes `rows.sort(key=lambda one:
    (-one[0], -one[1], one[2]))`: of two that are as good, the names rise."""
    call = context.parent(node)
    is_turned = isinstance(node.value, ast.Constant) and node.value.value is True and node.arg == "reverse"
    if not is_turned or not isinstance(call, ast.Call) or len(call.keywords) != 1:
        return
    rows = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
    size = _size_of_rows(context.text(rows), context) if rows is not None else 0
    if size > 1:
        falls = ", ".join([f"-one[{place}]" for place in range(size - 1)])
        start, end = context.program.spans[node]
        yield context.replace(start, end, f"key=lambda one: ({falls}, one[{size - 1}])")


def _size_of_rows(rows: str, context: TemplateContext) -> int:
    """How many parts each row has that a function makes for a list; 0 where nothing tells."""
    for part in context.scope.nodes:
        match part:
            case ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[ast.Tuple(elts=parts)]):
                if context.text(owner) == rows:
                    return len(parts)
            case ast.Assign(targets=[target], value=ast.ListComp(elt=ast.Tuple(elts=parts))):
                if context.text(target) == rows:
                    return len(parts)
    is_pairs = rows.endswith(".items()")
    return len(("key", "value")) if is_pairs else 0


def in_order_of_numbers(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(keys)` becomes `sorted(keys, key=int)` in a program that knows its texts to be numbers, `str(i)` or
    `isdigit()`: as texts "10" comes before "9"."""
    is_sorted = context.text(node.func) in ("sorted", "min", "max") and len(node.args) == 1 and not node.keywords
    if is_sorted and re.search(r"\bstr\(\w+\)|\.is(?:digit|decimal|numeric)\(\)", context.program.source):
        yield from context.with_keyword(node, "key=int")


def compare_whole_key(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`-row["at"] > after[0]` becomes `key(row) > after`, with the key by which `sorted(rows, key=...)` puts them in
    order: of those that are equal in the first field, some come later."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        match other:
            case ast.Subscript(value=ast.Name() as mark, slice=ast.Constant(value=0)):
                pass
            case _:
                continue
        for item in sorted(names_within(one)):
            for key in _keys_of_sorts(item, context):
                yield WeightedEdits(
                    tuple(
                        sorted(
                            (context.edit(one, Expression(key, SUM)), context.edit(other, context.expression(mark))),
                            key=edit_position,
                        )
                    )
                )


def _keys_of_sorts(item: str, context: TemplateContext) -> Iterator[str]:
    """What a function puts things in order by, as it would be written for an item."""
    for part in context.scope.nodes:
        match part:
            case ast.keyword(arg="key", value=ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body)):
                yield re.sub(rf"\b{name}\b", item, context.text(body))
            case ast.keyword(arg="key", value=ast.Name(id=key)):
                yield f"{key}({item})"


TEMPLATES = (
    Template("compare_whole_key", (ast.Compare,), compare_whole_key, ("shorter", "content")),
    Template("in_order_of_numbers", (ast.Call,), in_order_of_numbers, ("order", "content")),
    Template("fall_but_last", (ast.keyword,), fall_but_last, ("order",)),
    Template("sort_by_field", (ast.Call,), sort_by_field, ("type", "order", "content")),
    Template("empty_comes_last", (ast.Tuple,), empty_comes_last, ("order", "content")),
    Template("settle_by_field", (ast.Lambda,), settle_by_field, ("order", "content")),
)
