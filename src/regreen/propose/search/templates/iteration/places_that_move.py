"""Places that move while a loop takes items out, or that come one after the last."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import OR, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def places_from_the_end(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for p in places: taken.append(xs[p]); del xs[p]` takes out nothing before it is through: behind it comes `for
    p in sorted(places, reverse=True): del xs[p]`. Where that is all that it does, it goes through the places so."""
    if not isinstance(node.target, ast.Name) or node.orelse:
        return
    name, places = node.target.id, context.text(node.iter)
    backward = f"for {name} in sorted({places}, reverse=True):"
    for step in node.body:
        if not _takes_out(step, name):
            continue
        if len(node.body) == 1:
            yield context.put(node.iter, f"sorted({places}, reverse=True)")
            continue
        for later in context.after(node, (backward, f"\t{context.text(step)}")):
            yield WeightedEdits((*context.delete(step).edits, *later.edits))


def _takes_out(step: ast.stmt, place: str) -> bool:
    """Whether a statement is `del xs[place]` or `xs.pop(place)`."""
    match step:
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(), slice=ast.Name(id=name))]):
            return name == place
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="pop"), args=[ast.Name(id=name)])):
            return name == place
    return False


def count_on_where_one_went(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`place = (place + k) % len(ring)`, with `ring.pop(place)`, becomes `place = (place + k - 1) % len(ring)`, and
    begins with 0: the next one stands where the last one went."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=place)],
            value=ast.BinOp(
                left=ast.BinOp(left=ast.Name(id=before), op=ast.Add(), right=step) as sum_,
                op=ast.Mod(),
                right=ast.Call(func=ast.Name(id="len"), args=[ring]),
            ),
        ) if place == before and _goes(f"{context.text(ring)}.pop({place})", context):
            pass
        case _:
            return
    on = context.edit(sum_, Expression(f"({place} + {context.text(step)} - 1)"))
    yield WeightedEdits((on,))
    for first in context.scope.nodes:
        match first:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as start) if (
                name == place and first is not node
            ):
                if context.text(start) != "0":
                    yield WeightedEdits((context.edit(start, Expression("0")), on))


def _goes(text: str, context: TemplateContext) -> bool:
    return any(isinstance(part, ast.Call) and context.text(part) == text for part in context.scope.nodes)


def round_past_the_end(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(1, len(xs)): if xs[i] != xs[start]: ...` becomes `for i in range(1, len(xs) + 1): if i ==
    len(xs) or xs[i] != xs[start]: ...`: the last run ends, too."""
    match node:
        case ast.For(
            target=ast.Name(id=place),
            iter=ast.Call(func=ast.Name(id="range"), args=[*_, ast.Call(func=ast.Name(id="len"), args=[items]) as end]),
            orelse=[],
        ):
            pass
        case _:
            return
    item, length = f"{context.text(items)}[{place}]", context.text(end)
    reads = [part for part in ast.walk(node) if isinstance(part, ast.Subscript) and context.text(part) == item]
    for step in node.body:
        if isinstance(step, ast.If) and not step.orelse and place in names_within(ast.Module(step.body, [])):
            within = {part for part in ast.walk(step.test) if isinstance(part, ast.Subscript)}
            if reads and within.issuperset(reads):
                test = bool_operation(Expression(f"{place} == {length}", OR + 1), "or", context.expression(step.test))
                longer = context.edit(end, Expression(f"{length} + 1"))
                yield WeightedEdits((longer, context.edit(step.test, test)))


TEMPLATES: Final = (
    Template("places_from_the_end", (ast.For,), places_from_the_end, ("index", "content", "longer")),
    Template("count_on_where_one_went", (ast.Assign,), count_on_where_one_went, ("order", "content")),
    Template("round_past_the_end", (ast.For,), round_past_the_end, ("shorter", "smaller", "empty")),
)
