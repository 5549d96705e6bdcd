"""Pairs that become a table and of which two may have one key: both count."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def add_up_pairs(node: ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`needed = dict(order)`, or `{name: count for name, count in order}`, becomes a loop with `needed[name] =
    needed.get(name, 0) + count`, or with lists of all that have a key: the last one of a key is not the only one."""
    found = _made_of_pairs(node.value, context) if node.value is not None else None
    if found is None:
        return
    heading, key, value, asked = found
    if isinstance(node, ast.Return):
        name, ending = context.new_name("totals", "sums", "result"), ["return"]
    elif isinstance(node.targets[0], ast.Name):
        name, ending = node.targets[0].id, []
    else:
        return
    indent = "\t\t" if asked else "\t"
    for step, weight in (
        (f"{name}[{key}] = {name}.get({key}, 0) + {value}", 1.0),
        (f"{name}.setdefault({key}, []).append({value})", HALF),
    ):
        lines = [f"{name} = {{}}", heading, *[f"\tif {asked}:"] * bool(asked), f"{indent}{step}"]
        yield from context.restate(node, (*lines, *(f"{word} {name}" for word in ending)), weight)


def _made_of_pairs(node: ast.expr, context: TemplateContext) -> tuple[str, str, str, str] | None:
    """The head of a loop over what a table is made of, the key, the value and the question; None for other values."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Name() | ast.Attribute() as pairs], keywords=[]):
            key, value = context.new_name("key", "name"), context.new_name("value", "amount")
            return f"for {key}, {value} in {context.text(pairs)}:", key, value, ""
        case ast.DictComp(key=key_part, value=value_part, generators=[generator]):
            parts = (generator.target, generator.iter, key_part, value_part)
            target, items, key, value = map(context.text, parts)
            if ".items()" not in items and not items.startswith(("range(", "enumerate(")):
                asked = " and ".join(map(context.text, generator.ifs))
                return f"for {target.removeprefix('(').removesuffix(')')} in {items}:", key, value, asked
    return None


TEMPLATES = (Template("add_up_pairs", (ast.Assign, ast.Return), add_up_pairs, ("content", "smaller", "repeats")),)
