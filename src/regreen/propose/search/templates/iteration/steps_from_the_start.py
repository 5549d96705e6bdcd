"""Steps that are taken one from the other, each of which may lose something: all of them begin at the start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import ATOM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def step_from_start(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`due = add_months(due, step)` becomes `count += 1` and `due = add_months(start, count * step)`: what a step cuts
    off, as a month that is too short does, is not lost to all that follow. In a loop over `range(n)` nothing more has
    to be counted."""
    target, call = node.targets[0], node.value
    loop = context.parent(node)
    counter = _turns_before(loop)
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call) or not isinstance(loop, ast.While | ast.For):
        return
    block = context.program.block(loop)
    first = block[block.index(loop) - 1] if block.index(loop) else None
    is_begun = isinstance(first, ast.Assign) and context.text(first.targets[0]) == target.id
    arguments = [*call.args, *(option.value for option in call.keywords)]
    stepped = [argument for argument in arguments if context.text(argument) == target.id]
    steps = [argument for argument in arguments if argument not in stepped]
    if not is_begun or len(stepped) != 1 or len(steps) != 1:
        return
    assert isinstance(first, ast.Assign)
    if counter:
        times = binary_operation(Expression(counter, ATOM), "*", context.expression(steps[0]))
        yield WeightedEdits((context.edit(stepped[0], context.expression(first.value)), context.edit(steps[0], times)))
    if isinstance(loop, ast.For) or "count" in context.scope.visible:
        return
    multiple = binary_operation(Expression("count"), "*", context.expression(steps[0]))
    changed = [context.edit(stepped[0], context.expression(first.value)), context.edit(steps[0], multiple)]
    for begun in context.before(loop, ("count = 0",)):
        for counted in context.before(node, ("count += 1",)):
            yield WeightedEdits((*begun.edits, *counted.edits, *changed))


def _turns_before(loop: ast.AST) -> str:
    """How many turns a loop over a range has begun, as text; empty where it is no such loop."""
    match loop:
        case ast.For(target=ast.Name(id=turn), iter=ast.Call(func=ast.Name(id="range"), args=[_])):
            return f"({turn} + 1)"
    return ""


def each_from_the_start(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for _ in range(n): days.append(day); day = add_months(day, step)` becomes `for i in range(n):
    days.append(add_months(day, i * step))`: the 31st is no 30th from the first short month on."""
    last, kept = node.body[-1], node.body[:-1]
    match node.iter, last:
        case (
            ast.Call(func=ast.Name(id="range"), args=[_]),
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=stepped), step]) as call),
        ) if stepped == name and kept:
            pass
        case _:
            return
    reads = [part for one in kept for part in ast.walk(one) if isinstance(part, ast.Name) and part.id == name]
    if not isinstance(node.target, ast.Name) or not reads or not all(isinstance(read.ctx, ast.Load) for read in reads):
        return
    turn = node.target.id if node.target.id != "_" else context.new_name("i", "turn", "number")
    times = binary_operation(Expression(turn, ATOM), "*", context.expression(step)).text
    made = Expression(f"{context.text(call.func)}({name}, {times})", ATOM)
    edits = [*(context.edit(read, made) for read in reads), context.delete(last).edits[0]]
    if node.target.id == "_":
        edits.append(context.edit(node.target, Expression(turn)))
    yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


TEMPLATES = (
    Template("each_from_the_start", (ast.For,), each_from_the_start, ("content", "off_by_one")),
    Template("step_from_start", (ast.Assign,), step_from_start, ("content",)),
)
