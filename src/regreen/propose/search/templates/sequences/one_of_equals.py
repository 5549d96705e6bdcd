"""One of several equal items, and places for items: what is struck out once, what is told apart by its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def strike_out_once(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[m for m in marks if m != best and m != worst]` becomes `sorted(marks)[1:-1]`: one of the largest and one of the
    smallest go, and no more. So it is with one of the two alone: `sorted(marks)[1:]`."""
    if len(node.generators) != 1:
        return
    (part,) = node.generators
    tests = [value for test in part.ifs for value in _all_of(test)]
    is_plain = isinstance(node.elt, ast.Name) and context.text(part.target) == node.elt.id
    cut = _cut(tests, node.elt.id, context) if is_plain else ""  # type: ignore[attr-defined]
    if cut:
        yield context.put(node, f"sorted({context.text(part.iter)}){cut}")


def strike_out_once_in_loop(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for m in marks: if m != best and m != worst: total += m` becomes `for m in sorted(marks)[1:-1]: total += m`."""
    match node:
        case ast.For(target=ast.Name(id=name), body=[ast.If(test=test, body=steps, orelse=[])], orelse=[]):
            pass
        case _:
            return
    cut = _cut(_all_of(test), name, context)
    if cut and all(isinstance(step, ast.Assign | ast.AugAssign | ast.Expr) for step in steps):
        lines = (f"\t{context.text(step)}" for step in steps)
        yield from context.restate(node, (f"for {name} in sorted({context.text(node.iter)}){cut}:", *lines))


def _all_of(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


_CUTS: Final = {("max", "min"): "[1:-1]", ("min",): "[1:]", ("max",): "[:-1]"}
"""The extremes that are left out -> what is left of the items in order."""


def _cut(tests: Sequence[ast.expr], name: str, context: TemplateContext) -> str:
    """What is left of the items in order, where each condition is `name != x` for an extreme of them; empty where one
    is anything else."""
    return _CUTS.get(tuple(sorted(_extreme_denied(test, name, context) for test in tests)), "")


def _extreme_denied(test: ast.expr, name: str, context: TemplateContext) -> str:
    """`max` or `min` where a condition is `name != x` for the largest or the smallest of something; else empty."""
    match test:
        case ast.Compare(left=ast.Name(id=left), ops=[ast.NotEq()], comparators=[bound]) if left == name:
            given = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
            known = {text: extreme for part in given for text, extreme in _extremes(part, context)}
            return known.get(context.text(bound)) or _extreme(bound)
    return ""


def _extremes(step: ast.Assign, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The variables that an assignment gives the largest or the smallest of something, and which of the two."""
    target = step.targets[0]
    pairs = [(target, step.value)]
    if isinstance(target, ast.Tuple) and isinstance(step.value, ast.Tuple):
        pairs = list(zip(target.elts, step.value.elts, strict=False))
    yield from ((context.text(name), _extreme(value)) for name, value in pairs if _extreme(value))


def _extreme(value: ast.expr) -> str:
    """`max` or `min` where an expression is a call of it; else empty."""
    name = callee_name(value) if isinstance(value, ast.Call) else ""
    return name if name in ("max", "min") else ""


def numbers_by_item(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`dict(enumerate(xs))` becomes `{x: i for i, x in enumerate(xs)}`: the place of each, not what stands there."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Call(func=ast.Name(id="enumerate")) as numbered]):
            i, x = context.new_name("i", "k", "place"), context.new_name("x", "item", "each")
            yield context.put(node, f"{{{x}: {i} for {i}, {x} in {context.text(numbered)}}}")


def place_for_what_stands_there(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if board[at] in seen` with `seen.append(board[at])` becomes `if at in seen` with `seen.append(at)`: equal items
    stand in several places."""
    match node:
        case ast.Compare(left=ast.Subscript(slice=ast.Name(id=at)) as item, ops=[ast.In() | ast.NotIn()]):
            pass
        case _:
            return
    seen, text = context.text(node.comparators[0]), context.text(item)
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and context.text(part.func) in (f"{seen}.append", f"{seen}.add"):
            (given, *others) = part.args or (None,)
            if given is not None and not others and context.text(given) == text:
                edits = (context.edit(item, Expression(at)), context.edit(given, Expression(at)))
                yield WeightedEdits(edits)


def first_of_most_counted(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(counts)` of a table becomes `min(counts, key=lambda x: (-counts[x], x))`: the one that was counted most, of
    equals the first in order."""
    match node:
        case ast.Call(func=ast.Name(id="max" | "min"), args=[ast.Name(id=table), *_]):
            pass
        case _:
            return
    is_table = context.scope.kinds.get(table) == "dict"
    if is_table and all(keyword.arg == "key" for keyword in node.keywords) and len(node.args) == 1:
        yield context.put(node, f"min({table}, key=lambda x: (-{table}[x], x))")
        yield context.put(node, f"max({table}, key=lambda x: ({table}[x], x))", HALF)


def largest_and_not_last(node: ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end[order[-1]] + days[order[-1]] if order else 0` becomes `max((end[x] + days[x] for x in order), default=0)`:
    what comes last need not end last."""
    if not isinstance(node.test, ast.Name) or not isinstance(node.orelse, ast.Constant):
        return
    last = f"{node.test.id}[-1]"
    text = context.text(node.body)
    if last in text:
        x = context.new_name("x", "item", "each")
        made = f"({text.replace(last, x)} for {x} in {node.test.id})"
        yield context.put(node, f"max({made}, default={context.text(node.orelse)})")


def move_to_the_front(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[0], xs[at] = xs[at], xs[0]` becomes `xs.insert(0, xs.pop(at))`: the others keep their order."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Subscript(value=owner, slice=one), ast.Subscript(slice=two)])],
            value=ast.Tuple(elts=[ast.Subscript(slice=three), ast.Subscript(slice=four)]),
        ):
            pass
        case _:
            return
    places = [context.text(part) for part in (one, two, three, four)]
    if places[:2] == places[:1:-1]:
        items = context.text(owner)
        for front, back in (places[:2], places[1::-1]):
            yield from context.restate(node, (f"{items}.insert({front}, {items}.pop({back}))",))


def insert_in_order(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`free.append(item)`, where `bisect` searches `free`, becomes `bisect.insort(free, item)`: all stay in order."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=items, attr="append"), args=[item]):
            pass
        case _:
            return
    searches = (part for part in context.scope.nodes if isinstance(part, ast.Call) and part.args)
    if any(callee_name(s).startswith("bisect") and context.text(s.args[0]) == context.text(items) for s in searches):
        insort, imported = context.member_of("bisect", "insort", by_itself=True)
        for made in context.restate(node, (f"{insort}({context.text(items)}, {context.text(item)})",)):
            yield WeightedEdits((*imported, *made.edits))


TEMPLATES: Final = (
    Template("strike_out_once", (ast.ListComp,), strike_out_once, ("longer", "shorter", "zero", "content")),
    Template("strike_out_once_in_loop", (ast.For,), strike_out_once_in_loop, ("larger", "smaller", "zero")),
    Template("numbers_by_item", (ast.Call,), numbers_by_item, ("content", "key", "larger")),
    Template("place_for_what_stands_there", (ast.Compare,), place_for_what_stands_there, ("content", "negated")),
    Template("first_of_most_counted", (ast.Call,), first_of_most_counted, ("content", "order")),
    Template("largest_and_not_last", (ast.IfExp,), largest_and_not_last, ("larger", "smaller")),
    Template("move_to_the_front", (ast.Assign,), move_to_the_front, ("content", "order", "one_item")),
    Template("insert_in_order", (ast.Expr,), insert_in_order, ("content", "order", "index")),
)
