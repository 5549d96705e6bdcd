"""Stacks: pairs that are taken off and counted with the one that is put on, and operators that wait."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.expressions import OR, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import whole_number


def count_those_taken_off(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while stack and ...: y, k = stack.pop()` before `stack.append((x, count))` gains `count += k`: the new one
    stands for all that it took off."""
    block = context.program.block(node)
    for step in node.body:
        if not isinstance(step, ast.Assign) or not isinstance(step.targets[0], ast.Tuple):
            continue
        stack = context.text(step.value).removesuffix(".pop()")
        names = [context.text(part) for part in step.targets[0].elts]
        for put in _put_on(block[block.index(node) + 1 :], stack, context):
            pairs = zip(names, map(context.text, put.elts), strict=False)
            for taken, count in pairs if len(put.elts) == len(names) else ():
                if count.isidentifier() and _stays(count, node, context) and taken.isidentifier():
                    yield from context.after(node.body[-1], (f"{count} += {taken}",))


def _put_on(statements: list[ast.stmt], stack: str, context: TemplateContext) -> Iterator[ast.Tuple]:
    for part in (part for statement in statements for part in ast.walk(statement)):
        is_put = isinstance(part, ast.Call) and context.text(part.func) == f"{stack}.append"
        given = part.args[0] if is_put and isinstance(part, ast.Call) and part.args else None
        if isinstance(given, ast.Tuple):
            yield given


def _stays(name: str, loop: ast.While, context: TemplateContext) -> bool:
    """Whether a variable is a constant before a loop, which leaves it as it is."""
    block = context.program.block(loop)
    before = (step for step in block[: block.index(loop)] if isinstance(step, ast.Assign))
    begun = [step for step in before if isinstance(step.value, ast.Constant) and context.text(step.targets[0]) == name]
    stored = (part.id for part in ast.walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return bool(begun) and name not in set(stored)


_FROM_THE_RIGHT = ("^", "**")


def group_from_the_right(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rank[top] >= rank[token]` becomes `rank[top] > rank[token] or (rank[top] == rank[token] and token != "^")`:
    powers are taken from the right."""
    one, other = node.left, node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.GtE | ast.Gt):
        return
    if not isinstance(one, ast.Subscript) or not isinstance(other, ast.Subscript):
        return
    if context.text(one.value) != context.text(other.value) or context.text(one.slice) == context.text(other.slice):
        return
    written = {part.value for part in context.program.nodes if isinstance(part, ast.Constant)}
    token = context.text(other.slice)
    for sign in _FROM_THE_RIGHT:
        if sign in written:
            ranks = context.text(one), context.text(other)
            text = f'{ranks[0]} > {ranks[1]} or ({ranks[0]} == {ranks[1]} and {token} != "{sign}")'
            yield context.put(node, Expression(text, OR))


def take_what_ended_it(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while stack[-1] != "(": out.append(stack.pop())` is followed by `stack.pop()`: what ended the loop is taken,
    too."""
    match node.test:
        case ast.Compare(left=ast.Subscript(value=ast.Name(id=stack)) as last, ops=[ast.NotEq()], comparators=[_]):
            pass
        case ast.BoolOp(
            values=[*_, ast.Compare(left=ast.Subscript(value=ast.Name(id=stack)) as last, ops=[ast.NotEq()])]
        ):
            pass
        case _:
            return
    taken = any(
        isinstance(part, ast.Call) and context.text(part) == f"{stack}.pop()" for part in context.program.below(node)
    )
    if taken and whole_number(last.slice) == -1:
        yield from context.after(node, (f"{stack}.pop()",))


def end_like_a_sign(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for ch in text`, where `elif ch in "+-*/"` does what comes before a sign, becomes `for ch in text + "+"`: what
    stands behind the last sign is done, too."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Name):
        return
    for part in context.program.below(node):
        match part:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.In()], comparators=[ast.Constant(value=str(signs))])
            ):
                if name == node.target.id and signs and not any(sign.isalnum() for sign in signs):
                    ending = quoted(signs[0], '"')
                    yield context.put(node.iter, Expression(f"{node.iter.id} + {ending}", SUM))


def put_into_the_top(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stack.append(done)` becomes `stack[-1].append(done)`, as elsewhere: what is complete belongs to what holds
    it."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as held, attr="append")):
            top = f"{context.text(held)}[-1].append("
            if top in context.program.source:
                yield context.put(held, Expression(f"{context.text(held)}[-1]"))


def take_off_the_equal(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `stack.append(x)`, behind `while stack and stack[-1] < x: stack.pop()`, comes `if stack and stack[-1] ==
    x: stack.pop()`: one of two equal ones hides the other."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=stack), attr="append"), args=[item]):
            block, value = context.program.block(node), context.text(item)
            for step in block[: block.index(node)]:
                if isinstance(step, ast.While) and context.text(step.body[0]) == f"{stack}.pop()":
                    test = context.text(step.test)
                    if re.search(rf"\b{stack}\[-1\] [<>] {re.escape(value)}", test):
                        lines = (f"if {stack} and {stack}[-1] == {value}:", f"\t{stack}.pop()")
                        yield from context.before(node, lines)


TEMPLATES = (
    Template("take_off_the_equal", (ast.Expr,), take_off_the_equal, ("larger", "content")),
    Template("put_into_the_top", (ast.Call,), put_into_the_top, ("shorter", "content", "attribute")),
    Template("end_like_a_sign", (ast.For,), end_like_a_sign, ("content", "smaller", "shorter")),
    Template("take_what_ended_it", (ast.While,), take_what_ended_it, ("content", "longer", "hang")),
    Template("group_from_the_right", (ast.Compare,), group_from_the_right, ("order", "content")),
    Template("count_those_taken_off", (ast.While,), count_those_taken_off, ("content", "smaller")),
)
