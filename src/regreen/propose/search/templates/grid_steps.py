"""The steps to the neighbours of a place on a grid: the place itself among them, the diagonal ones or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import whole_number

_DIMENSIONS = 2
_STRAIGHT = frozenset({(0, 1), (1, 0), (0, -1), (-1, 0)})
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


def choose_steps(node: ast.expr | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for y in (-1, 0, 1) for x in (-1, 0, 1)` gains `if (y, x) != (0, 0)`, or `if abs(y) + abs(x) == 1`.

    A place is no neighbour of its own, and often only those straight beside it are meant.
    """
    loops = list(node.generators) if isinstance(node, _COMPREHENSIONS) else []
    inner: ast.For | None = None
    if isinstance(node, ast.For) and len(node.body) == 1 and isinstance(node.body[0], ast.For):
        inner = node.body[0]
    targets = [node.target, inner.target] if isinstance(node, ast.For) and inner else [loop.target for loop in loops]
    iterables = [node.iter, inner.iter] if isinstance(node, ast.For) and inner else [loop.iter for loop in loops]
    steps = [
        target.id
        for target, iterable in zip(targets, iterables, strict=True)
        if isinstance(target, ast.Name) and "-1" in context.text(iterable)
    ]
    if len(steps) != _DIMENSIONS:
        return
    names, distance = f"({', '.join(steps)})", " + ".join(f"abs({step})" for step in steps)
    if inner is not None:
        yield from context.before(inner.body[0], (f"if {names} == (0, 0):", "\tcontinue"))
        yield from context.before(inner.body[0], (f"if {distance} != 1:", "\tcontinue"), LIKELY)
    elif not loops[-1].ifs:
        end = context.outer(loops[-1].iter)[1]
        yield context.replace(end, end, f" if {names} != (0, 0)")
        yield context.replace(end, end, f" if {distance} == 1", LIKELY)
    else:
        (test, *more) = loops[-1].ifs
        for other in () if more else (f"{names} != (0, 0)", f"{distance} == 1"):
            if other != context.text(test):
                yield context.put(test, other)


def other_steps(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`((0, 1), (1, 0), (0, -1), (-1, 0))` gains the diagonal steps, or loses them."""
    steps = [_step(part) for part in node.elts]
    if len(steps) <= _DIMENSIONS or None in steps or not set(steps) >= _STRAIGHT:
        return
    texts = [context.text(part) for part in node.elts]
    if set(steps) == _STRAIGHT:
        kept = [*texts, *map(repr, _DIAGONAL)]
    else:
        kept = [text for text, step in zip(texts, steps, strict=True) if step in _STRAIGHT]
    inside = ", ".join(kept)
    yield context.put(node, f"[{inside}]" if isinstance(node, ast.List) else f"({inside})")


def _step(node: ast.expr) -> tuple[int, int] | None:
    if not isinstance(node, ast.Tuple | ast.List) or len(node.elts) != _DIMENSIONS:
        return None
    first, second = map(whole_number, node.elts)
    return None if first is None or second is None else (first, second)


TEMPLATES = (
    Template("choose_steps", (*_COMPREHENSIONS, ast.For), choose_steps, ("longer", "off_by_one")),
    Template("other_steps", (ast.Tuple, ast.List), other_steps, ("longer", "shorter", "off_by_one")),
)
