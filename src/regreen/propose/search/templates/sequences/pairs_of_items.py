"""Pairs of items of one list: an item beside itself, and as many pairs as there are items."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import ATOM, SUM, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def pair_but_itself(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts[x] * counts[n - x]` becomes `counts[x] * (counts[n - x] - (n - x == x))`: x is no pair with itself."""
    match node:
        case ast.BinOp(
            left=ast.Subscript(value=counts, slice=ast.Name(id=one)),
            op=ast.Mult(),
            right=ast.Subscript(value=others, slice=ast.BinOp() as other) as factor,
        ) if context.text(counts) == context.text(others) and one in names_within(other):
            itself = f"{context.text(factor)} - ({context.text(other)} == {one})"
            yield context.put(factor, Expression(itself, SUM))


def among_the_others(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for word in words: if word[::-1] in words:` becomes `for i, word in enumerate(words): if word[::-1] in
    words[:i] + words[i + 1:]:`: a word is no other one."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name) or node.orelse:
        return
    name, items = node.target.id, node.iter.id
    place = context.new_name("i", "place", "index")
    numbered = (
        context.edit(node.target, Expression(f"{place}, {name}", ATOM)),
        context.edit(node.iter, Expression(f"enumerate({items})", ATOM)),
    )
    for part in ast.walk(ast.Module(node.body, [])):
        match part:
            case ast.Compare(left=asked, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=held) as where]) if (
                held == items and name in names_within(asked) and not isinstance(asked, ast.Name)
            ):
                others = Expression(f"{items}[:{place}] + {items}[{place} + 1:]", SUM)
                yield WeightedEdits((*numbered, context.edit(where, others)))


def as_many_pairs(node: ast.GeneratorExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(1 for x in counts if x + k in counts)` becomes `sum(counts[x] * counts[x + k] for x in counts if x + k in
    counts)`: each of those that are alike makes pairs of its own."""
    match node:
        case ast.GeneratorExp(
            elt=ast.Constant(value=1) as each,
            generators=[
                ast.comprehension(
                    target=ast.Name(id=one),
                    iter=ast.Name(id=counts),
                    ifs=[ast.Compare(left=other, ops=[ast.In()], comparators=[ast.Name(id=asked)])],
                )
            ],
        ) if counts == asked and one in names_within(other) and not isinstance(other, ast.Name):
            yield context.put(each, Expression(f"{counts}[{one}] * {counts}[{context.text(other)}]", TERM))


def as_many_pairs_in_loop(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pairs += 1` under `if x + k in counts:`, in `for x in counts:`, becomes `pairs += counts[x] * counts[x + k]`."""
    loop = next(context.loops_around(node), None)
    match loop, context.parent(node), node:
        case (
            ast.For(target=ast.Name(id=one), iter=ast.Name(id=counts)),
            ast.If(test=ast.Compare(left=other, ops=[ast.In()], comparators=[ast.Name(id=asked)])),
            ast.AugAssign(op=ast.Add(), value=ast.Constant(value=1) as each),
        ) if counts == asked and one in names_within(other) and not isinstance(other, ast.Name):
            yield context.put(each, Expression(f"{counts}[{one}] * {counts}[{context.text(other)}]", TERM))


def middle_once(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i] + xs[-1 - i]` becomes `xs[i] if i == len(xs) - 1 - i else xs[i] + xs[-1 - i]`: the one in the middle is no
    pair with itself."""
    match node:
        case ast.BinOp(
            left=ast.Subscript(value=items, slice=ast.Name(id=place)) as first,
            right=ast.Subscript(value=others, slice=ast.BinOp(op=ast.Sub(), right=ast.Name(id=back))),
        ) if context.text(items) == context.text(others) and place == back:
            alone = f"{context.text(first)} if {place} == len({context.text(items)}) - 1 - {place}"
            yield context.put(node, Expression(f"{alone} else {context.text(node)}", TEST))


TEMPLATES: Final = (
    Template("pair_but_itself", (ast.BinOp,), pair_but_itself, ("larger", "off_by_one", "close")),
    Template("among_the_others", (ast.For,), among_the_others, ("larger", "longer", "off_by_one", "content")),
    Template("as_many_pairs", (ast.GeneratorExp,), as_many_pairs, ("smaller", "off_by_one", "close")),
    Template("as_many_pairs_in_loop", (ast.AugAssign,), as_many_pairs_in_loop, ("smaller", "off_by_one", "close")),
    Template("middle_once", (ast.BinOp,), middle_once, ("larger", "content")),
)
