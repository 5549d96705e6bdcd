"""Places that move while a loop takes items out, or that come one after the last."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
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


def flag_past_the_end(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(n): high = xs[i] > limit` becomes `for i in range(n + 1): high = i < n and xs[i] > limit`, where
    nothing else reads `xs[i]`: what lasts until the end ends there, too."""
    match node:
        case ast.For(
            target=ast.Name(id=place),
            iter=ast.Call(func=ast.Name(id="range"), args=[*_, end]),
            body=[ast.Assign(value=ast.Compare() as asked), *rest],
            orelse=[],
        ) if rest:
            pass
        case _:
            return
    within = [part for part in ast.walk(asked) if isinstance(part, ast.Subscript)]
    later = [part for step in rest for part in ast.walk(step) if isinstance(part, ast.Subscript)]
    if len(within) == 1 and context.text(within[0].slice) == place and place not in map(context.text, _indices(later)):
        size = context.text(end)
        in_range = Expression(f"{place} < {size} and {context.text(asked)}", OR + 1)
        longer = context.edit(end, Expression(f"{size} + 1"))
        yield WeightedEdits((longer, context.edit(asked, in_range)))


def _indices(parts: Iterable[ast.Subscript]) -> Iterator[ast.expr]:
    return (part.slice for part in parts)


def all_at_once(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(n): xs[i] = xs[i - 1] != xs[i + 1]` becomes `xs = [xs[i - 1] != xs[i + 1] for i in range(n)]`:
    what was changed already is read as it was."""
    match node:
        case ast.For(
            target=ast.Name(id=place),
            iter=rounds,
            body=[
                ast.Assign(targets=[ast.Subscript(value=ast.Name(id=items), slice=ast.Name(id=written))], value=value)
            ],
            orelse=[],
        ) if place == written and items in names_within(value):
            made = f"[{context.text(value)} for {place} in {context.text(rounds)}]"
            target = f"{items}[:]" if items in context.scope.parameters else items
            yield from context.restate(node, (f"{target} = {made}",))


TEMPLATES: Final = (
    Template("places_from_the_end", (ast.For,), places_from_the_end, ("index", "content", "longer")),
    Template("count_on_where_one_went", (ast.Assign,), count_on_where_one_went, ("order", "content")),
    Template("round_past_the_end", (ast.For,), round_past_the_end, ("shorter", "smaller", "empty")),
    Template("flag_past_the_end", (ast.For,), flag_past_the_end, ("shorter", "smaller", "empty")),
    Template("all_at_once", (ast.For,), all_at_once, ("content", "negated", "larger")),
)
