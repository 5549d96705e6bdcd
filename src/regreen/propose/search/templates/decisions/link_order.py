"""Chains of `if` and `elif` whose links stand in the wrong order, or should not exclude one another."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit

_FEWEST = 3
"""Links of a chain that is turned: those of a shorter one are exchanged."""


def swap_links(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: x elif b: y` becomes `if b: y elif a: x`: the narrower condition comes first."""
    if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
        return
    other = node.orelse[0]
    if not context.program.source.startswith("elif", context.program.spans[other][0]):
        return
    if not all(context.program.alone(s) for s in (*node.body, *other.body)):
        return
    spans = [
        (context.program.lines(body[0])[0], context.program.lines(body[-1])[1]) for body in (node.body, other.body)
    ]
    texts = [context.program.source[start:end] for start, end in spans]
    if not texts[1].endswith("\n"):
        return
    heads = context.swap(node.test, other.test).edits
    edits = (heads[0], Edit(*spans[0], texts[1]), heads[1], Edit(*spans[1], texts[0]))
    yield WeightedEdits(edits)


def narrowest_first(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: x elif b: y elif a and b: z` becomes `if a and b: z elif a: x elif b: y`: the last link comes first."""
    links = _chain(node)
    if not context.program.source.startswith("elif", context.program.spans[node][0]):
        yield from _in_order(links, [links[-1], *links[:-1]], context)


def widest_last(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: x elif b: y elif c: z` becomes `if b: y elif c: z elif a: x`, from any link on: it comes last."""
    links = _chain(node)
    yield from _in_order(links, [*links[1:], links[0]], context)


def _chain(node: ast.If) -> list[ast.If]:
    """A link of a chain and those behind it."""
    links = [node]
    while len(links[-1].orelse) == 1 and isinstance(links[-1].orelse[0], ast.If):
        links.append(links[-1].orelse[0])
    return links


def _in_order(links: Sequence[ast.If], order: Sequence[ast.If], context: TemplateContext) -> Iterator[WeightedEdits]:
    """The conditions and the bodies of links in another order."""
    source = context.program.source
    is_chain = all(source.startswith("elif", context.program.spans[link][0]) for link in links[1:])
    if len(links) < _FEWEST or not is_chain or not all(context.program.alone(s) for link in links for s in link.body):
        return
    spans = {link: (context.program.lines(link.body[0])[0], context.program.lines(link.body[-1])[1]) for link in links}
    texts = {link: source[start:end] for link, (start, end) in spans.items()}
    if all(text.endswith("\n") for text in texts.values()):
        pairs = zip(links, order, strict=True)
        edits = ((context.edit(a.test, context.expression(b.test)), Edit(*spans[a], texts[b])) for a, b in pairs)
        yield WeightedEdits(tuple(itertools.chain.from_iterable(edits)))


def every_link(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: ... elif b: ... elif c: ...` becomes `if a: ... if b: ... if c: ...`, and the other way round."""
    spans, source, links = context.program.spans, context.program.source, _chain(node)
    starts = [spans[link][0] for link in links[1:]]
    if len(links) > 2 and not links[-1].orelse and all(source.startswith("elif", at) for at in starts):
        yield WeightedEdits(tuple(Edit(at, at + 2, "") for at in starts))
    beside = _conditions_from(node, context)
    alike = _about_the_same(beside, context)
    for row in (beside, alike) if len(alike) < len(beside) else (beside,):
        if len(row) > 2 and not any(link.orelse for link in row[:-1]):
            yield WeightedEdits(tuple(Edit(spans[link][0], spans[link][0], "el") for link in row[1:]))


def _about_the_same(row: Sequence[ast.If], context: TemplateContext) -> list[ast.If]:
    """The first conditions of a row that compare the same value, up to one with an `else`."""
    found: list[ast.If] = []
    for link in row:
        test, first = link.test, row[0].test
        if not isinstance(test, ast.Compare) or not isinstance(first, ast.Compare):
            break
        if context.text(test.left) != context.text(first.left):
            break
        found.append(link)
        if link.orelse:
            break
    return found


def _conditions_from(node: ast.If, context: TemplateContext) -> list[ast.If]:
    """The conditions that stand in a row, from the first one on; nothing where another one stands before it."""
    block = context.program.block(node)
    at = block.index(node)
    if at and isinstance(block[at - 1], ast.If):
        return []
    following = itertools.takewhile(lambda part: isinstance(part, ast.If), block[at:])
    return [link for link in following if isinstance(link, ast.If)]


def behind_dummy(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end.next = large`, where `large = Node()` only stands before the first node, becomes `end.next = large.next`."""
    parent = context.parent(node)
    is_value = isinstance(parent, ast.Assign | ast.Return) and parent.value is node
    if not is_value or not isinstance(node.ctx, ast.Load):
        return
    made = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call))
    calls = [part.value for part in made if node.id in map(context.text, part.targets)]
    if any(isinstance(call, ast.Call) and all(isinstance(arg, ast.Constant) for arg in call.args) for call in calls):
        stored = (part for part in context.scope.nodes if isinstance(part, ast.Attribute))
        for name in dict.fromkeys(part.attr for part in stored if isinstance(part.ctx, ast.Store)):
            yield context.put(node, f"{node.id}.{name}")


TEMPLATES = (
    Template("behind_dummy", (ast.Name,), behind_dummy, ("content", "hang", "attribute")),
    Template("swap_links", (ast.If,), swap_links),
    Template("every_link", (ast.If,), every_link, ("shorter", "longer", "content")),
    Template("narrowest_first", (ast.If,), narrowest_first, ("content", "one_item")),
    Template("widest_last", (ast.If,), widest_last, ("content", "one_item")),
)
