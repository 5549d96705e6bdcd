"""Groups in a table: values that are kept together under their key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import POSSIBLE
from regreen.propose.search.expressions import ATOM, attribute_of
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def gather_values(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`groups[k] = [x]`, which forgets the ones before, becomes `groups.setdefault(k, []).append(x)`."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
        return
    table, key = context.expression(target.value).at(ATOM), context.text(target.slice)
    if isinstance(value, ast.List) and len(value.elts) == 1:
        yield from context.restate(node, (f"{table}.setdefault({key}, []).append({context.text(value.elts[0])})",))
    elif isinstance(value, ast.Set) and len(value.elts) == 1:
        yield from context.restate(node, (f"{table}.setdefault({key}, set()).add({context.text(value.elts[0])})",))
    else:
        given = context.text(value)
        yield from context.restate(node, (f"{table}.setdefault({key}, []).append({given})",), POSSIBLE)
        if context.kind(value) in ("list", ""):
            yield from context.restate(node, (f"{table}.setdefault({key}, []).extend({given})",), POSSIBLE)
        yield from context.restate(node, (f"{table}.setdefault({key}, {given})",), POSSIBLE)


def entry_of_many(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`groups[k] = x` beside `groups[k].append(x)` becomes `groups[k] = [x]`, and `marks[k] = x`, where `marks[k]` is
    summed up or gone through elsewhere, `marks.setdefault(k, []).append(x)`."""
    target, given = node.targets[0], context.text(node.value)
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice) or "\n" in given:
        return
    entry = context.text(target)
    elsewhere = {context.text(part) for part in context.scope.nodes if isinstance(part, ast.Attribute)}
    for method, begun in (("append", f"[{given}]"), ("add", f"{{{given}}}")):
        if f"{entry}.{method}" in elsewhere and not isinstance(node.value, _MANY):
            yield context.put(node.value, begun)
    if _is_summed_up(context.text(target.value), context) and not isinstance(node.value, _MANY):
        table, key = context.expression(target.value).at(ATOM), context.text(target.slice)
        yield from context.restate(node, (f"{table}.setdefault({key}, []).append({given})",))


_MANY: Final = ast.List | ast.Set | ast.ListComp | ast.SetComp | ast.Dict | ast.DictComp


def _is_summed_up(table: str, context: TemplateContext) -> bool:
    """Whether an entry of a table is asked for its sum, its length and the like: `sum(marks[name])`."""
    return any(
        callee_name(part) in _OF_MANY and len(part.args) == 1 and context.text(part.args[0]).startswith(f"{table}[")
        for part in context.scope.nodes
        if isinstance(part, ast.Call)
    )


_OF_MANY = frozenset({"sum", "len", "max", "min", "sorted", "mean", "median"})


def as_many_of_each(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(missing)` of `missing = Counter(a) - Counter(b)` becomes `sorted(missing.elements())`: each as often as
    it is counted."""
    counted = context.cached("counters", lambda: _counters(context))
    if not counted:
        return
    found = {
        part: context.edit(part.args[0], attribute_of(context.expression(part.args[0]), "elements()"))
        for part in context.scope.nodes
        if isinstance(part, ast.Call) and callee_name(part) in ("sorted", "list", "tuple", "join") and part.args
        if isinstance(part.args[0], ast.Name) and part.args[0].id in counted
    }
    yield from here_or_everywhere(node, found)


def _counters(context: TemplateContext) -> frozenset[str]:
    """The variables that hold counts by `Counter`, or a sum or a difference of such."""
    found: set[str] = set()
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            value = part.value
            sides = [value.left, value.right] if isinstance(value, ast.BinOp) else [value]
            if all(
                (isinstance(side, ast.Call) and callee_name(side) == "Counter") or context.text(side) in found
                for side in sides
            ):
                found.add(part.targets[0].id)
    return frozenset(found)


def gather_all_values(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`needs[k] = set(xs)`, which forgets the ones before, becomes `needs.setdefault(k, set()).update(xs)`; so it is
    with lists and dicts."""
    match node:
        case ast.Assign(
            targets=[ast.Subscript(value=table, slice=key)],
            value=ast.Call(func=ast.Name(id="set" | "list" | "dict" as kind), args=[given], keywords=[]),
        ) if not isinstance(key, ast.Slice):
            begun, method = {"set": ("set()", "update"), "list": ("[]", "extend"), "dict": ("{}", "update")}[kind]
            owner = context.expression(table).at(ATOM)
            entry = f"{owner}.setdefault({context.text(key)}, {begun})"
            yield from context.restate(node, (f"{entry}.{method}({context.text(given)})",))


TEMPLATES = (
    Template("as_many_of_each", (ast.Call,), as_many_of_each, ("shorter", "content")),
    Template("gather_values", (ast.Assign,), gather_values, ("shorter", "kind")),
    Template("entry_of_many", (ast.Assign,), entry_of_many, ("type", "content", "attribute")),
    Template("gather_all_values", (ast.Assign,), gather_all_values, ("shorter", "content")),
)
