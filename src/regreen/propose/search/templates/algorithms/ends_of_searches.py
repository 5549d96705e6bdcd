"""Where searches and scans end: the half that is in order, what is left on a stack, ends that two halves share."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import AND, COMPARISON, SUM, TERM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def half_in_order(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if wanted < marks[mid]` where `marks[low] <= marks[mid]` was asked becomes `if marks[low] <= wanted <
    marks[mid]`: the other half of a rotated list has smaller ones as well."""
    match node:
        case ast.Compare(left=ast.Name(), ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[bound]):
            pass
        case _:
            return
    rises = isinstance(node.ops[0], ast.Lt | ast.LtE)
    for around in context.around(node):
        match around:
            case ast.If(test=ast.Compare(left=low, ops=[ast.LtE() | ast.Lt()], comparators=[high])):
                ends = (low, high) if rises else (high, low)
                if context.text(bound) == context.text(ends[1]):
                    sign = "<=" if rises else ">="
                    text = f"{context.expression(ends[0]).at(SUM)} {sign} {context.text(node)}"
                    yield context.put(node, Expression(text, COMPARISON))


def behind_what_is_left(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left = top if stack else 0`, where `top = stack.pop()`, becomes `left = stack[-1] + 1 if stack else 0`: the
    one below on the stack is the last that is lower."""
    around = context.parent(node)
    if not isinstance(around, ast.IfExp) or around.body is not node or not isinstance(around.test, ast.Name):
        return
    stack = around.test.id
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="pop") as popped)):
                if name == node.id and context.text(popped.value) == stack:
                    yield context.put(node, Expression(f"{stack}[-1] + 1", SUM))
                    yield context.put(node, f"{stack}[-1]", HALF)


def chains_without_shared_ends(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`there + back[1:]` becomes `there[:-1] + back[:-1]`, and `there + back[1:-1]`: each begins where the other
    ends."""
    if not isinstance(node.op, ast.Add):
        return
    names = [_whole(part) for part in (node.left, node.right)]
    if any(name is None for name in names) or "list" not in {*map(context.kind, names), context.kind(node)}:
        return
    one, other = (context.text(name) for name in names if name is not None)
    for text in (f"{one}[:-1] + {other}[:-1]", f"{one} + {other}[1:-1]", f"{one}[:-1] + {other}"):
        yield context.put(node, Expression(text, SUM))


def _whole(node: ast.expr) -> ast.Name | None:
    """The variable of `xs`, and of `xs[1:]`; None for anything else."""
    part = node.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) else node
    return part if isinstance(part, ast.Name) else None


def no_further_than_the_rest(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if i < right: arm[i] = arm[mirror]` becomes `if i < right: arm[i] = min(arm[mirror], right - i)`: behind the end
    nothing is known."""
    match node:
        case ast.If(test=ast.Compare(left=near, ops=[ast.Lt() | ast.LtE()], comparators=[far])):
            pass
        case _:
            return
    for step in node.body:
        if isinstance(step, ast.Assign) and isinstance(step.value, ast.Subscript):
            rest = f"{context.text(far)} - {context.expression(near).at(TERM)}"
            yield context.put(step.value, f"min({context.text(step.value)}, {rest})")


def far_enough_from_the_start(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a[i - 2] == b[j - 1]` in loops from 1 on becomes `i > 1 and j > 1 and a[i - 2] == ...`: there is none before the
    first one."""
    whole: ast.expr = node
    around = context.parent(node)
    if isinstance(around, ast.BoolOp) and isinstance(around.op, ast.And):
        if around.values[0] is not node:
            return
        whole = around
    back: dict[str, int] = {}
    for part in ast.walk(whole):
        match part:
            case ast.Subscript(slice=ast.BinOp(left=ast.Name(id=name), op=ast.Sub(), right=ast.Constant(value=int(n)))):
                back[name] = max(back.get(name, 0), n)
    beyond = {name: n for name, n in back.items() if n > 1}
    if beyond:
        needed = " and ".join(f"{name} > {n - 1}" for name, n in beyond.items())
        yield context.put(whole, Expression(f"{needed} and {context.expression(whole).at(AND)}", AND))


def way_that_led_here(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if other == parent[place]` becomes `if index == via[place]`, where `parent[other], via[other] = place, index`:
    two places may be joined more than once."""
    match node:
        case ast.Compare(
            left=ast.Name(id=met), ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Subscript(slice=place) as at]
        ):
            pass
        case _:
            return
    sign = "==" if isinstance(op, ast.Eq) else "!="
    for part in context.scope.nodes:
        match part:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Subscript() as one, ast.Subscript() as other])],
                value=ast.Tuple(elts=[_, ast.Name(id=way)]),
            ) if context.text(one.value) == context.text(at.value) and way != met:
                yield context.put(node, Expression(f"{way} {sign} {context.text(other.value)}[{context.text(place)}]"))


def turn_sign_with_swap(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`m[k], m[p] = m[p], m[k]` is followed by `sign = -sign`, where `sign` is 1 throughout and a factor of the
    result."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=[one, other])], value=ast.Tuple(elts=[second, first])):
            is_swap = (context.text(one), context.text(other)) == (context.text(first), context.text(second))
        case _:
            return
    if is_swap:
        for name in context.cached("signs that stay", lambda: _signs_that_stay(context)):
            yield from context.after(node, (f"{name} = -{name}",))


def _signs_that_stay(context: TemplateContext) -> tuple[str, ...]:
    """The variables that are given 1 once, nothing else, and are a factor of what is returned."""
    stored = [p.id for p in context.scope.nodes if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)]
    given = [part for part in context.scope.nodes if isinstance(part, ast.Return) and part.value is not None]
    factors = (
        operand.id
        for part in given
        for product in ast.walk(part)
        if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult)
        for operand in (product.left, product.right)
        if isinstance(operand, ast.Name)
    )
    return tuple(name for name in dict.fromkeys(factors) if stored.count(name) == 1)


def clear_what_was_handed_on(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if self.late[node]: ... += self.late[node]` ends with `self.late[node] = 0`: it is handed on once."""
    asked = node.test
    if not isinstance(asked, ast.Subscript | ast.Attribute) or node.orelse:
        return
    text = context.text(asked)
    added = [p for step in node.body for p in ast.walk(step) if isinstance(p, ast.AugAssign | ast.Assign)]
    reads = any(context.text(part.value) == text for part in added if isinstance(part, ast.AugAssign))
    targets = [part.target if isinstance(part, ast.AugAssign) else part.targets[0] for part in added]
    if reads and text not in map(context.text, targets):
        yield from context.after(node.body[-1], (f"{text} = 0",))


def less_than_all(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`NONE = 0` of a class or a module that takes the greatest of several becomes `NONE = float("-inf")`."""
    target, value = node.targets[0], node.value
    is_named = isinstance(target, ast.Name) and target.id.isupper()
    if is_named and isinstance(value, ast.Constant) and value.value == 0 and type(value.value) is int:
        for word, least in (("max(", '"-inf"'), ("min(", '"inf"')):
            if word in context.program.source:
                yield context.put(value, f"float({least})")


TEMPLATES: Final = (
    Template("half_in_order", (ast.Compare,), half_in_order, ("larger", "content", "none")),
    Template("behind_what_is_left", (ast.Name,), behind_what_is_left, ("larger", "smaller", "content")),
    Template("chains_without_shared_ends", (ast.BinOp,), chains_without_shared_ends, ("longer", "shorter", "content")),
    Template("no_further_than_the_rest", (ast.If,), no_further_than_the_rest, ("content", "larger", "longer")),
    Template("far_enough_from_the_start", (ast.Compare,), far_enough_from_the_start, ("smaller", "content", "index")),
    Template("way_that_led_here", (ast.Compare,), way_that_led_here, ("content", "larger")),
    Template("turn_sign_with_swap", (ast.Assign,), turn_sign_with_swap, ("negated", "sign")),
    Template("clear_what_was_handed_on", (ast.If,), clear_what_was_handed_on, ("larger", "smaller", "content")),
    Template("less_than_all", (ast.Assign,), less_than_all, ("larger", "smaller")),
)
