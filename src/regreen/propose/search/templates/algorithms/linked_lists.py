"""Chains of nodes: what is done where the one that goes ahead has come to the end, or two have met."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS


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


def insert_before_the_head(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node = self.head` before `while node.next and node.next.value < value:` comes after `if self.head is None or
    value <= self.head.value: self.head = Node(value, self.head); return`: what is to be put in may be the first, or the
    only one."""
    head, block = node.value, context.program.block(node)
    loop = block[block.index(node) + 1] if node is not block[-1] else None
    if (
        not isinstance(head, ast.Attribute)
        or not isinstance(node.targets[0], ast.Name)
        or not isinstance(loop, ast.While)
    ):
        return
    walked, first = node.targets[0].id, context.text(head)
    for asked in (
        part for part in ast.walk(loop.test) if isinstance(part, ast.Compare) and isinstance(part.ops[0], ORDERS)
    ):
        for step in block[block.index(loop) + 1 :]:
            match step:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=link)], value=ast.Call()) if (
                    owner == walked
                ):
                    behind = f"{walked}.{link}"
                    if behind in context.text(asked) and behind in context.text(step.value):
                        fits = context.text(asked).replace(behind, first)
                        made = context.text(step.value).replace(behind, first)
                        lines = (f"if {first} is None or not {fits}:", f"\t{first} = {made}", "\treturn")
                        yield from context.before(node, lines)


TEMPLATES = (
    Template("insert_before_the_head", (ast.Assign,), insert_before_the_head, ("attribute", "none")),
    Template("first_one_goes", (ast.While,), first_one_goes, ("none", "type", "attribute")),
    Template("begin_from_the_head_again", (ast.While,), begin_from_the_head_again, ("content", "type")),
)
