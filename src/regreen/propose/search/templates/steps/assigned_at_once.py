"""Variables that are worked out of one another, one after the other, where each means what the others were before."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from regreen.propose.search.expressions import ATOM
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def assign_at_once(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a = b`, `b = c` and `c = a + b + c`, one after the other, become `a, b, c = b, c, a + b + c`: each is worked out
    of what they were before."""
    block = context.program.block(node)
    row = list(islice(_assignments(block[block.index(node) :]), _MOST_AT_ONCE))
    targets = [context.text(part.targets[0]) for part in row]
    for count in range(len(row), 1, -1):
        earlier = set(targets[: count - 1])
        reads = any(names_within(part.value) & set(targets[:at]) for at, part in enumerate(row[:count]))
        if reads and earlier and len(set(targets[:count])) == count:
            values = ", ".join(context.text(part.value) for part in row[:count])
            start, end = context.program.first(node), context.program.spans[row[count - 1]][1]
            yield context.replace(start, end, f"{', '.join(targets[:count])} = {values}")


_MOST_AT_ONCE: Final = 4


def _assignments(block: Sequence[ast.stmt]) -> Iterator[ast.Assign]:
    """The assignments to one variable each with which a block begins."""
    for part in block:
        if not isinstance(part, ast.Assign) or len(part.targets) > 1 or not isinstance(part.targets[0], ast.Name):
            return
        if isinstance(part.value, ast.Tuple):
            return
        yield part


def replace_at_once(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs = [b if x == a else x for x in xs]` and then `xs = [a if x == b else x for x in xs]` become one, and so do
    `s = s.replace(a, b)` and `s = s.replace(b, a)`: the second one undoes the first one."""
    block = context.program.block(node)
    following = block[block.index(node) + 1 :][:1]
    if not following or not isinstance(following[0], ast.Assign):
        return
    name, other = context.text(node.targets[0]), context.text(following[0].targets[0])
    start, end = context.program.first(node), context.program.spans[following[0]][1]
    match node.value, following[0].value:
        case (
            ast.ListComp(elt=ast.IfExp(test=one, body=new, orelse=kept), generators=[items]),
            ast.ListComp(elt=ast.IfExp(test=two, body=newer, orelse=last), generators=[again]),
        ) if name == other and all(
            context.text(a) == context.text(b) for a, b in ((kept, last), (items.target, again.target))
        ):
            chosen = f"{context.text(new)} if {context.text(one)} else {context.text(newer)} if {context.text(two)}"
            rounds = f"for {context.text(items.target)} in {context.text(items.iter)}"
            yield context.replace(start, end, f"{name} = [{chosen} else {context.text(kept)} {rounds}]")
        case (
            ast.Call(func=ast.Attribute(value=text, attr="replace"), args=[a, b]),
            ast.Call(func=ast.Attribute(value=ast.Name(id=same), attr="replace"), args=[c, d]),
        ) if name == other == same and context.text(b) == context.text(c):
            part = context.new_name("part", "piece")
            parts = f"{context.expression(text).at(ATOM)}.split({context.text(a)})"
            turned = f"{part}.replace({context.text(c)}, {context.text(d)}) for {part} in {parts}"
            yield context.replace(start, end, f"{name} = {context.expression(b).at(ATOM)}.join({turned})")


TEMPLATES: Final = (
    Template("assign_at_once", (ast.Assign,), assign_at_once, ("content",)),
    Template("replace_at_once", (ast.Assign,), replace_at_once, ("content",)),
)
