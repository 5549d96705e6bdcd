"""Chains of nodes: what is done where the one that goes ahead has come to the end, or two have met."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def first_one_goes(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while ahead.next:` comes after `if ahead is None: return head.next`: the one that is sought is the first, before
    which there is none."""
    match node.test:
        case ast.Attribute(value=ast.Name(id=ahead), attr=link):
            pass
        case _:
            return
    for head in (name for name in context.scope.parameters if name != context.scope.receiver):
        if context.scope.kinds.get(head, "") == "" and not re.search(rf"\b{head}\.{link}\b", context.text(node)):
            yield from context.before(node, (f"if {ahead} is None:", f"\treturn {head}.{link}"))
            yield from context.before(node, (f"if {ahead} is None:", f"\treturn {head}"), HALF)


def begin_from_the_head_again(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `while slow is not fast:`, where both go step by step, one of the two begins at the head again, `slow =
    head`: they meet where the cycle begins (Floyd)."""
    match node.test:
        case ast.Compare(left=ast.Name(id=one), ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Name(id=other)]):
            pass
        case _:
            return
    block = context.program.block(node)
    earlier = block[: block.index(node)]
    if not any(isinstance(part, ast.While | ast.For) for part in earlier):
        return
    starts = {
        context.text(part.value)
        for part in earlier
        if isinstance(part, ast.Assign)
        and {one, other} & {context.text(target) for target in part.targets}
        and isinstance(part.value, ast.Name | ast.Attribute | ast.Constant)
    }
    for start in sorted(starts):
        for name in (one, other):
            yield from context.before(node, (f"{name} = {start}",))


TEMPLATES = (
    Template("first_one_goes", (ast.While,), first_one_goes, ("none", "type", "attribute")),
    Template("begin_from_the_head_again", (ast.While,), begin_from_the_head_again, ("content", "wrong_type")),
)
