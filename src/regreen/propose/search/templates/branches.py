"""Branches that are missing or in the wrong order: a tie, an `else`, two links of a chain, the parts of a date."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.code import COMPARISONS, Code, both, compare
from regreen.propose.search.place import Place
from regreen.propose.search.template import Draft, Drafts, Template
from regreen.types import Edit

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def tie_branch(node: ast.If, place: Place) -> Drafts:
    """`if a > best: best, names = a, [x]` gains `elif a == best: names.append(x)`."""
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    if not isinstance(test.ops[0], _ORDERS):
        return
    head = f"elif {place.text(test.left)} == {place.text(test.comparators[0])}:"
    for target, value in _assigned(node.body):
        old = place.text(target)
        if old in (place.text(test.left), place.text(test.comparators[0])):
            continue
        whole, one = _as_many(value, place), place.text(value)
        for line in (f"{old}.append({whole[1]})", f"{old}.extend({whole[0]})", f"{old} += {whole[0]}"):
            yield from place.after(node, (head, f"\t{line}"))
        for line in (f"{old} += 1", f"{old} = min({old}, {one})", f"{old} = max({old}, {one})", f"{old} = None"):
            yield from place.after(node, (head, f"\t{line}"), 0.6)


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets and values of the assignments of a block, tuples taken apart."""
    for statement in body:
        if not isinstance(statement, ast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
        else:
            yield target, value


def _as_many(value: ast.expr, place: Place) -> tuple[str, str]:
    """A value as several items, and as one."""
    if isinstance(value, ast.List | ast.Tuple | ast.Set) and len(value.elts) == 1:
        return place.text(value), place.text(value.elts[0])
    if isinstance(value, ast.Call) and len(value.args) == 1:
        return place.text(value.args[0]), place.text(value.args[0])
    return place.text(value), place.text(value)


def swap_links(node: ast.If, place: Place) -> Drafts:
    """`if a: x elif b: y` becomes `if b: y elif a: x`: the narrower question comes first."""
    if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
        return
    other = node.orelse[0]
    if not place.program.source.startswith("elif", place.program.spans[other][0]):
        return
    if not all(place.program.alone(s) for s in (*node.body, *other.body)):
        return
    spans = [(place.program.lines(body[0])[0], place.program.lines(body[-1])[1]) for body in (node.body, other.body)]
    texts = [place.program.source[start:end] for start, end in spans]
    if not texts[1].endswith("\n"):
        return
    heads = place.swap(node.test, other.test).edits
    edits = (heads[0], Edit(*spans[0], texts[1]), heads[1], Edit(*spans[1], texts[0]))
    yield Draft(edits)


def add_else(node: ast.If, place: Place) -> Drafts:
    """`if c: n += 1` gains `else: n = 0`, `else: n -= 1`, `else: break`, ..."""
    last = node.body[-1]
    if node.orelse or isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return
    for line, weight in dict.fromkeys(_otherwise(node, place)):
        yield from place.after(node, ("else:", f"\t{line}"), weight)


def _otherwise(node: ast.If, place: Place) -> Iterator[tuple[str, float]]:
    for statement in node.body:
        if isinstance(statement, ast.AugAssign):
            target, value = place.text(statement.target), place.text(statement.value)
            other = "-" if isinstance(statement.op, ast.Add) else "+"
            yield from ((f"{target} {other}= {value}", 1.0), (f"{target} = 0", 1.0), (f"{target} = 1", 0.8))
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name | ast.Attribute):
            target = place.text(statement.targets[0])
            yield from ((f"{target} = {value}", 0.5) for value in ("0", "None", "1", "False", "[]", "''", "True"))
            yield from ((f"{target} = {name}", 0.4) for name in place.scope.locals if name != target)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args:
            function = place.text(statement.value.func)
            for name in place.scope.locals:
                yield f"{function}({name})", 0.5
            yield from ((f"{function}({value})", 0.3) for value in ("0", "None", "''", "[]", "1"))
    yield from (("break", 0.5), ("continue", 0.3), ("return False", 0.4), ("return None", 0.3))


def compare_in_order(node: ast.BoolOp, place: Place) -> Drafts:
    """`a.x < b.x or a.y < b.y` becomes `(a.x, a.y) < (b.x, b.y)`: the second counts where the first are equal."""
    links = [v for v in node.values if isinstance(v, ast.Compare) and len(v.ops) == 1]
    if len(links) != len(node.values) or not all(isinstance(link.ops[0], _ORDERS) for link in links):
        return
    symbol = COMPARISONS[type(links[-1].ops[0])]
    left = ", ".join(place.text(link.left) for link in links)
    right = ", ".join(place.text(link.comparators[0]) for link in links)
    yield place.put(node, compare(Code(f"({left})"), symbol, Code(f"({right})")))
    first = links[0]
    same = compare(place.code(first.left), "==", place.code(first.comparators[0]))
    if len(links) == 2:
        yield place.put(node, both(place.code(first), "or", both(same, "and", place.code(links[1]))))


TEMPLATES = (
    Template("tie_branch", (ast.If,), 0.03, tie_branch, 5, ("shorter", "content")),
    Template("swap_links", (ast.If,), 0.04, swap_links, 1),
    Template("add_else", (ast.If,), 0.02, add_else, 8),
    Template("compare_in_order", (ast.BoolOp,), 0.05, compare_in_order, 1.5, ("order",)),
)
