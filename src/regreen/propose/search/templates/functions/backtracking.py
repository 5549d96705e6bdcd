"""What a function puts in place before it calls itself: what rules it out, and what takes it back afterwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import Expression, binary_operation, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within

_TAKEN_BACK: Final = {"append": ("pop()",), "add": ("remove({})", "discard({})"), "appendleft": ("popleft()",)}
"""Calls that put something in, each with those that take it out again."""
_OPPOSITES: Final = {ast.Add: "-=", ast.Sub: "+="}


def take_back(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`used[i] = True`, then a call of the function itself: `used[i] = False` after it, at the end of its block."""
    block = context.program.block(node)
    following = block[block.index(node) + 1 :]
    if not any(_calls_itself(statement, context) for statement in following):
        return
    after = {context.text(statement) for statement in following}
    for line in _opposites(node, context):
        if line in after:
            continue
        yield from context.after(following[-1], (line,))
        for statement in following[:-1]:
            if _calls_itself(statement, context):
                yield from context.after(statement, (line,), LIKELY)


def _calls_itself(statement: ast.stmt, context: TemplateContext) -> bool:
    """Whether a statement calls the function that it stands in."""
    function = context.scope.function
    calls = (part for part in ast.walk(statement) if isinstance(part, ast.Call))
    return function is not None and any(callee_name(call) == function.name for call in calls)


def _opposites(node: ast.stmt, context: TemplateContext) -> Iterator[str]:
    """The lines that may take back what a statement does."""
    if isinstance(node, ast.AugAssign) and type(node.op) in _OPPOSITES:
        yield f"{context.text(node.target)} {_OPPOSITES[type(node.op)]} {context.text(node.value)}"
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript | ast.Attribute):
        target = context.text(node.targets[0])
        if isinstance(node.value, ast.Constant) and type(node.value.value) is bool:
            yield f"{target} = {not node.value.value}"
        else:
            first, compared = _first_values(node.targets[0], context), _compared_with(target, context)
            yield from (f"{target} = {value}" for value in first or compared if value != context.text(node.value))
            if not first:
                yield from (f"{target} = {empty}" for empty in ("0", "None", "''", "False") if empty not in compared)
            if isinstance(node.targets[0], ast.Subscript):
                yield f"del {target}"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        call, owner = node.value, context.text(node.value.func.value)
        if len(call.args) == 1 and not call.keywords:
            undone = _TAKEN_BACK.get(node.value.func.attr, ())
            yield from (f"{owner}.{call_back.format(context.text(call.args[0]))}" for call_back in undone)


def _first_values(place: ast.expr, context: TemplateContext) -> list[str]:
    """The value with which all places of a list were begun: `None` of `colours = [None] * n`; nothing where none is
    found."""
    while isinstance(place, ast.Subscript):
        place = place.value
    found = []
    for part in context.program.nodes:
        match part:
            case ast.Assign(targets=[target], value=value) if context.text(target) == context.text(place):
                found += [context.text(item) for item in _repeated(value) if isinstance(item, ast.Constant)]
    return found


def _repeated(value: ast.expr) -> Iterator[ast.expr]:
    """What a list, or each of its rows, holds many times."""
    match value:
        case ast.BinOp(left=ast.List(elts=[item]), op=ast.Mult()):
            yield item
        case ast.ListComp(elt=inner):
            yield from _repeated(inner)
            yield inner


def _compared_with(target: str, context: TemplateContext) -> list[str]:
    """The constants with which the function compares something: `"."` of `grid[r][c] != "."`."""
    links = (n for n in context.scope.nodes if isinstance(n, ast.Compare) and context.text(n.left) == target)
    values = (value for link in links for value in link.comparators if isinstance(value, ast.Constant))
    return list(dict.fromkeys(map(context.text, values)))


_PUTTING: Final = (ast.Assign, ast.AugAssign, ast.Expr)


def not_on_diagonals(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`c not in columns`, where `place(row + 1, columns + [c])` goes on, asks for the diagonals of the rows before."""
    is_asked = len(node.ops) == 1 and isinstance(node.ops[0], ast.NotIn) and isinstance(node.left, ast.Name)
    if not is_asked or not isinstance(node.comparators[0], ast.Name):
        return
    place, kept = context.text(node.left), node.comparators[0].id
    rows = {
        context.text(argument.left)
        for call in context.scope.nodes
        if isinstance(call, ast.Call) and kept in map(_first_name, call.args)
        for argument in call.args
        if isinstance(argument, ast.BinOp) and isinstance(argument.right, ast.Constant) and argument.right.value == 1
    }
    for row in sorted(rows):
        beside = f"abs({place} - other) != {row} - before"
        asked = f"all({place} != other and {beside} for before, other in enumerate({kept}))"
        yield context.put(node, asked)
    if not rows and context.scope.kinds.get(kept) == "list":
        beside = f"abs({place} - other) != len({kept}) - before"
        yield context.put(node, f"all({place} != other and {beside} for before, other in enumerate({kept}))", LIKELY)


def _first_name(argument: ast.expr) -> str:
    """`columns` of `columns` and of `columns + [c]`."""
    first = argument.left if isinstance(argument, ast.BinOp) else argument
    return first.id if isinstance(first, ast.Name) else ""


def hand_down_own(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`above.add(name)` before `walk(part, above)` becomes `walk(part, above | {name})`, and `path.append(x)` before
    `walk(y, path)` becomes `walk(y, path + [x])`: what is above one part is not above those beside it."""
    match node.value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=held), attr="add" | "append" as way), args=[item], keywords=[]
        ):
            pass
        case _:
            return
    block = context.program.block(node)
    calls = [
        part
        for following in block[block.index(node) + 1 :]
        for part in (following, *context.program.below(following))
        if isinstance(part, ast.Call) and context.scope.function is not None
    ]
    own = [call for call in calls if callee_name(call) == getattr(context.scope.function, "name", "")]
    handed = [part for call in own for part in call.args if isinstance(part, ast.Name) and part.id == held]
    symbol, more = ("|", f"{{{context.text(item)}}}") if way == "add" else ("+", f"[{context.text(item)}]")
    if handed:
        grown = [context.edit(part, binary_operation(Expression(held), symbol, Expression(more))) for part in handed]
        yield WeightedEdits((*context.delete(node).edits, *grown))


def skip_equal_siblings(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if i > 0 and xs[i] == xs[i - 1]: continue` in `for i in range(start, len(xs))` asks `i > start`: the first one
    on each level is taken, also where it is equal to the one above."""
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    if loop is None or not isinstance(node.body[0], ast.Continue):
        return
    match loop, node.test:
        case (
            ast.For(target=ast.Name(id=place), iter=ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=start), _])),
            ast.BoolOp(op=ast.And(), values=[ast.Compare(left=ast.Name(id=asked), comparators=[bound]), *_]),
        ) if asked == place and context.text(bound) != start:
            yield context.put(bound, start)
        case (
            ast.For(target=ast.Name(id=place), iter=ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=start), _])),
            ast.Compare(ops=[ast.Eq()]),
        ):
            further = Expression(f"{place} > {start}")
            yield context.put(node.test, bool_operation(further, "and", context.expression(node.test)))


def remember_for_each_call(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`memo = {}` before `def count(limit):`, which has a function of its own that fills it, moves into `count`: what
    holds for one limit does not hold for another."""
    block = context.program.block(node)
    place = block.index(node) + 1
    inner = block[place] if place < len(block) else None
    is_memo = isinstance(node.value, ast.Dict) and not node.value.keys and isinstance(node.targets[0], ast.Name)
    if not is_memo or not isinstance(inner, ast.FunctionDef) or not context.program.alone(inner.body[0]):
        return
    own = [part for part in ast.walk(inner) if isinstance(part, ast.FunctionDef) and part is not inner]
    if any(context.text(node.targets[0]) in names_within(part) for part in own):
        for put in context.before(inner.body[0], (context.text(node),)):
            yield WeightedEdits((context.delete(node).edits[0], *put.edits))


TEMPLATES = (
    Template("remember_for_each_call", (ast.Assign,), remember_for_each_call, ("content", "larger", "smaller")),
    Template("skip_equal_siblings", (ast.If,), skip_equal_siblings, ("shorter", "index")),
    Template("hand_down_own", (ast.Expr,), hand_down_own, ("repeats", "longer", "content")),
    Template("not_on_diagonals", (ast.Compare,), not_on_diagonals),
    Template("take_back", _PUTTING, take_back, ("shorter", "longer")),
)
