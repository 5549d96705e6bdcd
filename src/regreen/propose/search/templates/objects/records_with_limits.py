"""Records of which only so many are kept: noted before it is decided whether they count, or not noted any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import COMPARISON, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def record_after_refusal(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`times.append(now)` before `if len(times) > limit: return False` comes behind it, as `>= limit`: what is refused
    does not count."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=items, attr="append" | "appendleft" | "add")):
            pass
        case _:
            return
    block = context.program.block(node)
    for guard in block[block.index(node) + 1 :][:1]:
        match guard:
            case ast.If(
                test=ast.Compare(
                    left=ast.Call(func=ast.Name(id="len"), args=[held]),
                    ops=[ast.Gt() | ast.GtE() as op],
                    comparators=[most],
                ) as test,
                orelse=[],
            ) if context.text(held) == context.text(items) and isinstance(guard.body[-1], ast.Return | ast.Raise):
                strict = ">=" if isinstance(op, ast.Gt) else ">"
                asked = Expression(f"len({context.text(held)}) {strict} {context.text(most)}", COMPARISON)
                taken_out = context.delete(node).edits
                for moved in context.after(guard, (context.text(node),)):
                    yield WeightedEdits((*taken_out, context.edit(test, asked), *moved.edits))


def forget_the_oldest(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(done) < limit: done.append(edit)` becomes `done.append(edit)` and `if len(done) > limit: del done[0]`:
    the oldest one goes, and not the new one."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=ast.Call(func=ast.Name(id="len"), args=[held]), ops=[ast.Lt() | ast.LtE()], comparators=[most]
            ),
            body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=items, attr="append"))) as kept],
            orelse=[],
        ) if context.text(held) == context.text(items):
            many = context.text(held)
            lines = (context.text(kept), f"if len({many}) > {context.text(most)}:", f"\tdel {many}[0]")
            yield from context.restate(node, lines)


TEMPLATES: Final = (
    Template(
        "record_after_refusal",
        (ast.Expr,),
        record_after_refusal,
        ("negated", "off_by_one", "smaller", "larger", "content"),
    ),
    Template("forget_the_oldest", (ast.If,), forget_the_oldest, ("content", "shorter", "order")),
)
