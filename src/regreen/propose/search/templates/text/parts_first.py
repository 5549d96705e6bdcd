"""Texts that are read as a whole before they are parted: what was written otherwise then parts them, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_PARTING: Final = ("split", "rsplit", "partition", "rpartition", "splitlines")


def part_before_reading(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for pair in unquote(query).split("&"):` becomes `for pair in query.split("&"):`, and `name, value` are read
    behind `pair.partition("=")`: `name, value = unquote(name), unquote(value)`."""
    match node.iter:
        case ast.Call(func=ast.Attribute(value=ast.Call(args=[whole], keywords=[]) as reading, attr=way)):
            pass
        case _:
            return
    if way not in _PARTING or not isinstance(node.target, ast.Name):
        return
    reader, part = context.text(reading.func), node.target.id
    first = next((step for step in node.body if _names_of_parts(step, part)), node.body[0])
    unread = context.edit(reading, context.expression(whole))
    names = _names_of_parts(first, part)
    if names:
        read = ", ".join(f"{reader}({name})" for name in names)
        lines = context.after(first, (f"{', '.join(names)} = {read}",))
    else:
        lines = context.before(first, (f"{part} = {reader}({part})",))
    for added in lines:
        yield WeightedEdits(tuple(sorted((unread, *added.edits), key=edit_position)))


def _names_of_parts(step: ast.stmt, part: str) -> list[str]:
    """`name` and `value` of `name, _, value = part.partition("=")`; nothing for another statement."""
    match step:
        case ast.Assign(
            targets=[ast.Tuple(elts=names)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=parted))) as call
        ) if parted == part and callee_name(call) in _PARTING:
            found = [name.id for name in names if isinstance(name, ast.Name)]
            return [name for name in found if name.strip("_") and name not in ("sep", "separator", "sign")]
    return []


TEMPLATES = (Template("part_before_reading", (ast.For,), part_before_reading, ("content", "shorter", "longer")),)
