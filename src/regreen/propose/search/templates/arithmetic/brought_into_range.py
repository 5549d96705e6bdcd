"""Values that leave their range: remainders below 0, what is not over a limit, steps that go too far."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, PROBABLE
from regreen.propose.search.expressions import ATOM, COMPARISON, TERM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name, names_within, variables_given


def remainder_of_result(node: ast.Return | ast.Call | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`print(a - 2 * b)` becomes `print((a - 2 * b) % M)`, where the function reduces by `M` elsewhere: what is taken
    off a remainder may leave less than 0."""
    if isinstance(node, ast.Call):
        values = node.args if callee_name(node) in ("print", "append", "str") else []
    else:
        values = [node.value] if node.value is not None else []
    for value in values:
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub | ast.Mult):
            share = 1.0 if any(isinstance(part, ast.Sub) for part in ast.walk(value)) else HALF
            for modulus in context.cached("moduli of a function", lambda: _moduli(context)):
                if modulus not in names_within(value):
                    whole = context.expression(value).at(TERM)
                    yield context.put(value, Expression(f"{whole} % {modulus}", TERM), share)


def _moduli(context: TemplateContext) -> tuple[str, ...]:
    """The names by which a program takes remainders, or powers."""
    found = [
        part.right for part in context.program.nodes if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod)
    ]
    powers = [part for part in context.program.nodes if isinstance(part, ast.Call) and callee_name(part) == "pow"]
    found += [part.args[2] for part in powers if len(part.args) == _WITH_MODULUS]
    return tuple(dict.fromkeys(one.id for one in found if isinstance(one, ast.Name)))


_WITH_MODULUS: Final = 3
"""Arguments of `pow` of which the last one is the modulus."""


def only_what_is_over(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`fine += late * rate` becomes `if late > 0:` and then that, where `late = day - due` may be less than 0."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return
    differences = context.cached("differences kept", lambda: _differences(context))
    for name in dict.fromkeys(names_within(node.value)):
        if name in differences and not any(name in names_within(part) for part in _questions(node, context)):
            yield from context.below([f"if {name} > 0:"], [node])


def _differences(context: TemplateContext) -> frozenset[str]:
    """The variables that are given a difference."""
    return frozenset(
        variables_given(context.scope.nodes, lambda v: isinstance(v, ast.BinOp) and isinstance(v.op, ast.Sub))
    )


def _questions(node: ast.stmt, context: TemplateContext) -> Iterator[ast.expr]:
    """What is asked around a statement."""
    return (part.test for part in context.around(node) if isinstance(part, ast.If | ast.While))


def undo_the_step(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pos += roll` and `if pos > size: pos = size` becomes `pos -= roll` there: who would go too far stays."""
    block = context.program.block(node)
    place = block.index(node)
    step = block[place - 1] if place else None
    if not isinstance(step, ast.AugAssign) or not isinstance(step.op, ast.Add | ast.Sub) or len(node.body) != 1:
        return
    moved, bounded = context.text(step.target), node.body[0]
    is_asked = isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ORDERS)
    if not is_asked or moved not in (context.text(node.test.left), *map(context.text, node.test.comparators)):  # type: ignore[attr-defined]
        return
    sign, length = "-" if isinstance(step.op, ast.Add) else "+", context.expression(step.value).at(TERM)
    if isinstance(bounded, ast.Assign) and context.text(bounded.targets[0]) == moved:
        yield from context.restate(bounded, (f"{moved} {sign}= {length}",))
        # As far beyond the end, one goes back.
        end = context.expression(bounded.value).at(ATOM)
        yield from context.restate(bounded, (f"{moved} = 2 * {end} - {moved}",), PROBABLE)
    elif isinstance(bounded, ast.Continue | ast.Break | ast.Pass):
        yield from context.before(bounded, (f"{moved} {sign}= {length}",), LIKELY)


def last_place_for_the_end(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts[place] += 1` under `if low <= x < high:` becomes `counts[min(place, len(counts) - 1)] += 1` under `if low
    <= x <= high:`: the end belongs to the last one."""
    if not isinstance(node.slice, ast.Name) or not isinstance(context.parent(node), ast.AugAssign):
        return
    capped = f"min({node.slice.id}, len({context.text(node.value)}) - 1)"
    put = context.edit(node.slice, Expression(capped))
    yield WeightedEdits((put,), HALF)
    for around in context.around(node):
        match around:
            case ast.If(
                test=ast.Compare(left=low, ops=[ast.LtE() | ast.Lt() as first, ast.Lt()], comparators=[x, high])
            ):
                sign = "<=" if isinstance(first, ast.LtE) else "<"
                wider = f"{context.text(low)} {sign} {context.text(x)} <= {context.text(high)}"
                yield WeightedEdits((context.edit(around.test, Expression(wider, COMPARISON)), put))


def in_either_direction(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(a + 1, b)` becomes `range(min(a, b) + 1, max(a, b))`: of two places either may come first."""
    match node:
        case ast.Call(
            func=ast.Name(id="range"), args=[ast.BinOp(left=one, op=ast.Add(), right=ast.Constant(value=1)), other]
        ):
            start = " + 1"
        case ast.Call(func=ast.Name(id="range"), args=[one, other]):
            start = ""
        case _:
            return
    end = ""
    match other:
        case ast.BinOp(left=last, op=ast.Add(), right=ast.Constant(value=1)):
            other, end = last, " + 1"
    if isinstance(one, ast.Constant) or isinstance(other, ast.Call | ast.Constant):
        return
    both = f"{context.text(one)}, {context.text(other)}"
    yield context.put(node, f"range(min({both}){start}, max({both}){end})")


TEMPLATES = (
    Template(
        "remainder_of_result", (ast.Return, ast.Call, ast.Assign), remainder_of_result, ("negative", "sign", "content")
    ),
    Template("only_what_is_over", (ast.Assign, ast.AugAssign), only_what_is_over, ("negative", "content", "longer")),
    Template("undo_the_step", (ast.If,), undo_the_step, ("off_by_one", "content")),
    Template("last_place_for_the_end", (ast.Subscript,), last_place_for_the_end, ("smaller", "index", "content")),
    Template("in_either_direction", (ast.Call,), in_either_direction, ("negated", "smaller", "shorter", "empty")),
)
