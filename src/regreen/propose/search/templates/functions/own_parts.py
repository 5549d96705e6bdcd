"""Parts that are of the same kind as the whole: what a function does to the whole it should do to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.recursion import QUESTIONS, calls_itself
from regreen.syntax import callee_name, names_within


def part_as_the_whole(node: ast.If | ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if isinstance(part, list): total += sum(part)` becomes `total += f(part)`, in the function `f`: parts of parts
    are reached, too."""
    match node.test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=part), _]):
            pass
        case _:
            return
    function = context.scope.function
    if function is None:
        return
    parameters = [given.arg for given in function.args.args if given.arg != context.scope.receiver]
    if not parameters or part in parameters:
        return
    call = f"{context.own_call(function)}({', '.join((part, *parameters[1:]))})"
    taken = [node.body] if isinstance(node, ast.IfExp) else [one for step in node.body for one in _expressions(step)]
    for whole in taken:
        if part in names_within(whole) and not isinstance(whole, ast.Name) and call not in context.text(whole):
            yield context.put(whole, call)


def _expressions(step: ast.stmt) -> Iterator[ast.expr]:
    """What a statement is given, and what it hands to a method: `sum(part)` of `total += sum(part)` and of
    `found.append(sum(part))`."""
    match step:
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Return(value=ast.expr() as value):
            yield value
        case ast.Expr(value=ast.Call(func=ast.Attribute(), args=[value])):
            yield value


def carry_flag_on(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`fill(at + 1, digit == digits[at])`, in `fill(at, tight)`, becomes `fill(at + 1, tight and digit == digits[at])`:
    what has ended for the whole does not begin again for its parts."""
    function = context.scope.function
    if function is None or callee_name(node) != function.name:
        return
    parameters = [given.arg for given in function.args.args if given.arg != context.scope.receiver]
    for parameter, given in zip(parameters, node.args, strict=False):
        if isinstance(given, ast.Compare | ast.BoolOp) and parameter not in names_within(given):
            for word, weight in (("and", 1.0), ("or", HALF)):
                yield context.put(given, bool_operation(Expression(parameter), word, context.expression(given)), weight)


def own_call_on_part(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += sum(item)`, or `len(item)`, under `if isinstance(item, list)` becomes `total += nested_sum(item)`."""
    function = context.scope.function
    if function is None or calls_itself(context) or len(node.args) != 1:
        return
    given = context.text(node.args[0])
    asked = (part.test for part in context.around(node) if isinstance(part, ast.If | ast.IfExp))
    is_nested = any(context.text(test).startswith(f"isinstance({given}, ") for test in asked)
    if is_nested and callee_name(node) not in QUESTIONS - {"len"} and given.isidentifier():
        name = context.own_call(function)
        yield context.put(node.func, name)


def recursion_for_inner(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`inner = part[1]`, which a loop goes through, becomes `inner = unpack(part[1])` in a function that never calls
    itself."""
    function = context.scope.function
    if function is None or calls_itself(context):
        return
    needed = len(context.scope.parameters) - len(function.args.defaults) - bool(context.scope.receiver)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name()) as inner) if needed == 1:
            loops = (part.iter for part in context.scope.nodes if isinstance(part, ast.For))
            if any(isinstance(items, ast.Name) and items.id == name for items in loops):
                yield context.put(inner, f"{context.own_call(function)}({context.text(inner)})")


TEMPLATES: Final = (
    Template("part_as_the_whole", (ast.If, ast.IfExp), part_as_the_whole, ("larger", "smaller", "type", "content")),
    Template("carry_flag_on", (ast.Call,), carry_flag_on, ("larger", "smaller", "content")),
    Template("recursion_for_inner", (ast.Assign,), recursion_for_inner, ("content", "kind", "shorter")),
    Template("own_call_on_part", (ast.Call,), own_call_on_part, ("content", "type")),
)
