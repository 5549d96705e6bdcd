"""What is taken once, and may be there several times: frames of a buffer, messages of a queue."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def as_long_as_there_is(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`frame = self.next()`, then `if frame is not None: out.append(frame)` becomes
    `while (frame := self.next()) is not None: out.append(frame)`."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    match before:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if not node.orelse:
            taken = f"{name} := {context.text(call)}"
            asked = {name: f"while {taken}", f"{name} is not None": f"while ({taken}) is not None"}
            test = asked.get(context.text(node.test))
            if test and context.program.alone(before) and context.program.alone(node):
                start, end = context.program.spans[node][0], context.program.spans[node.test][1]
                asking = context.replace(start, end, test).edits
                yield WeightedEdits((*context.delete(before).edits, *asking))


TEMPLATES = (Template("as_long_as_there_is", (ast.If,), as_long_as_there_is, ("shorter", "content")),)
