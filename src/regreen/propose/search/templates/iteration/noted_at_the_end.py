"""What a loop does and that is noted only once all is done: a round that fails leaves what came before it unnoted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit

_ONE_BY_ONE = {"extend": "append", "update": "add"}


def note_each(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`done.extend(names)` behind `for name in names:` becomes `done.append(name)` at the end of each round."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    match node.value, before:
        case (
            ast.Call(func=ast.Attribute(value=held, attr=("extend" | "update") as method), args=[given]),
            ast.For(target=ast.Name(id=item), iter=items, orelse=[]) as loop,
        ) if context.text(given) == context.text(items):
            line = f"{context.text(held)}.{_ONE_BY_ONE[method]}({item})"
            start, end = context.program.lines(node)
            for noted in context.after(loop.body[-1], (line,)):
                yield WeightedEdits((*noted.edits, Edit(start, end, "")))


TEMPLATES = (Template("note_each", (ast.Expr,), note_each, ("shorter", "content")),)
