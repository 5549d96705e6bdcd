"""Keys in the place of what they stand for, tables that are begun anew, and orders by another field."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, is_attribute_of


def value_behind_key(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"#" * size` becomes `"#" * counts[size]` in `for size in sorted(counts)`, where the loop never reads what
    `counts` holds."""
    if not isinstance(node.ctx, ast.Load):
        return
    for around in context.around(node):
        loops = [around] if isinstance(around, ast.For) else getattr(around, "generators", [])
        for loop in loops:
            if isinstance(loop.target, ast.Name) and loop.target.id == node.id:
                table = loop.iter
                while isinstance(table, ast.Call) and len(table.args) == 1:
                    table = table.args[0]
                if isinstance(table, ast.Name | ast.Attribute) and context.kind(table) in ("dict", ""):
                    held = f"{context.text(table)}[{node.id}]"
                    if held not in context.program.text(around):
                        yield context.put(node, held)
                return


def extreme_of_asked(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(depth.values())` becomes `max(depth[one] for one in marks)`: not of all, of those that were asked for."""
    if callee_name(node) not in ("max", "min", "sum") or len(node.args) != 1:
        return
    match node.args[0]:
        case ast.Call(func=ast.Attribute(value=ast.Name() as table, attr="values"), args=[]):
            each = context.new_name("one", "key")
            for name in context.scope.of_kind("list", "set", "tuple"):
                asked = f"{table.id}[{each}] for {each} in {name}"
                yield context.put(node.args[0], f"({asked})" if node.keywords else asked)


def sort_by_further_field(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`offers.sort()` becomes `offers.sort(key=lambda item: item[2])`, where `for a, b, cost in offers` goes through
    them: the last field first, then those before it."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name() as held, attr="sort"), args=[], keywords=[]):
            loops = (part for part in context.scope.nodes if isinstance(part, ast.For))
            for loop in loops:
                if isinstance(loop.target, ast.Tuple) and context.text(loop.iter) == held.id:
                    for place in range(len(loop.target.elts) - 1, 0, -1):
                        is_last = place == len(loop.target.elts) - 1
                        key = f"key=lambda item: item[{place}]"
                        yield from context.with_keyword(node.value, key, 1.0 if is_last else HALF)
                    return


def entry_for_table(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.accounts = {name: amount}` becomes `self.accounts[name] = amount`, and `self.items = [item]` becomes
    `self.items.append(item)`, where another method begins it: all that was there would be gone."""
    if len(node.targets) != 1 or not is_attribute_of(node.targets[0], "self"):
        return
    function, target = context.scope.function, context.text(node.targets[0])
    if function is None or function.name == "__init__":
        return
    begun = context.cached_of_program("attributes that begin empty", lambda: _begun_empty(context))
    match node.value:
        case ast.Dict(keys=[ast.expr() as key], values=[value]) if target in begun:
            yield from context.restate(node, (f"{target}[{context.text(key)}] = {context.text(value)}",))
        case ast.List(elts=[item]) if target in begun:
            yield from context.restate(node, (f"{target}.append({context.text(item)})",))
        case ast.Set(elts=[item]) if target in begun:
            yield from context.restate(node, (f"{target}.add({context.text(item)})",))


def _begun_empty(context: TemplateContext) -> frozenset[str]:
    """The attributes that are set to an empty list, dict or set somewhere."""
    return frozenset(
        context.text(part.targets[0])
        for part in context.program.nodes
        if isinstance(part, ast.Assign)
        and is_attribute_of(part.targets[0], "self")
        and context.text(part.value) in ("[]", "{}", "set()", "dict()", "list()")
    )


TEMPLATES = (
    Template("value_behind_key", (ast.Name,), value_behind_key, ("content",)),
    Template("extreme_of_asked", (ast.Call,), extreme_of_asked, ("content", "off_by_one")),
    Template("sort_by_further_field", (ast.Expr,), sort_by_further_field, ("content",)),
    Template("entry_for_table", (ast.Assign,), entry_for_table, ("key", "shorter", "content")),
)
