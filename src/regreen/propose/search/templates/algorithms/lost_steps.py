"""Steps of well-known algorithms that were left out: of fast powers, of counting round a circle, of gaps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import LIKELY, PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, walk_in_order

_HALVED: Final = re.compile(r"(\w+) (?:>>= 1|//= 2)|(\w+) = \2 (?:>> 1|// 2)")
_MOST_NAMES: Final = 4


def multiply_when_odd(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base = base * base % m` in a loop that halves `n` comes behind `if n & 1: result = result * base % m`: each bit
    of the exponent that is set counts (square and multiply)."""
    loop, name = context.parent(node), context.text(node.target if isinstance(node, ast.AugAssign) else node.targets[0])
    if not isinstance(loop, ast.While) or not name.isidentifier():
        return
    halved = next((found for part in loop.body if (found := _HALVED.fullmatch(context.text(part)))), None)
    text = context.text(node)
    squared = text.count(name) > _TWICE or (isinstance(node, ast.AugAssign) and text.count(name) == _TWICE)
    if halved is None or not squared:
        return
    number = halved.group(1) or halved.group(2)
    for result in _idle_results(name, number, context):
        if isinstance(node, ast.AugAssign):
            line = f"{result} *= {name}"
        else:
            product = re.sub(rf"\b{name}\b", result, context.text(node.value), count=1)
            line = f"{result} = {product}"
        for question, weight in ((f"{number} & 1", 1.0), (f"{number} % 2 == 1", 1.0), (f"{number} % 2", LIKELY)):
            yield from context.before(node, (f"if {question}:", f"\t{line}"), weight)


_TWICE = 2


def _idle_results(name: str, number: str, context: TemplateContext) -> list[str]:
    """The variables that the function gives back, besides what is squared and what is halved."""
    given = (part.value for part in context.scope.nodes if isinstance(part, ast.Return) and part.value is not None)
    names = dict.fromkeys(part.id for value in given for part in walk_in_order(value) if isinstance(part, ast.Name))
    return [one for one in names if one not in (name, number) and one in context.scope.locals][:_MOST_NAMES]


def turn_the_queue(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.append(circle.popleft())` in a loop comes behind `circle.rotate(1 - step)`, or `-step`, where nothing reads
    `step`: so many are passed over in a circle."""
    if not any(context.loops_around(node)) or not isinstance(node, ast.Expr | ast.Assign):
        return
    taken = re.search(r"\b([\w.]+)\.(popleft|pop)\(\)", context.text(node))
    unread = [name for name in context.scope.locals if name in context.scope.unused]
    if taken is None or "deque" not in context.program.source:
        return
    queue, takes_first = taken.group(1), taken.group(2) == "popleft"
    for step in unread[:_MOST_NAMES]:
        ways = (f"1 - {step}", f"-{step}", f"-({step} - 1)", f"{step}") if takes_first else (f"-{step}", f"{step}")
        for way in ways:
            yield from context.before(node, (f"{queue}.rotate({way})",))


def guard_in_loop_as_behind(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if end - at >= length: gaps.append((at, end))` behind a loop stands within it, too, with what each round takes
    for `end`."""
    block = context.program.block(node)
    behind = next((part for part in block[block.index(node) + 1 :] if isinstance(part, ast.If)), None)
    if behind is None or behind.orelse or len(behind.body) != 1 or not isinstance(node, ast.For):
        return
    lines = (f"if {context.text(behind.test)}:", f"\t{context.text(behind.body[0])}")
    items = [part.id for part in walk_in_order(node.target) if isinstance(part, ast.Name)]
    named = dict.fromkeys(part.id for part in ast.walk(behind) if isinstance(part, ast.Name))
    if any("\n" in line for line in lines) or set(items) & set(named):
        return
    for name in named:
        for item in items:
            changed = tuple(re.sub(rf"\b{name}\b", item, line) for line in lines)
            yield from context.before(node.body[0], changed)
            yield from context.after(node.body[-1], changed, PROBABLE)


def with_sentinel(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i, height in enumerate(heights)` becomes `enumerate(list(heights) + [0])`, where a stack is emptied as the
    heights go down: a last one takes all off."""
    call = node.iter
    items = call.args[0] if isinstance(call, ast.Call) and callee_name(call) == "enumerate" and call.args else call
    taken = any(isinstance(p, ast.Call) and context.text(p.func).endswith(".pop") for p in context.program.below(node))
    if taken and isinstance(items, ast.Name):
        for last, weight in (("0", 1.0), ("float('-inf')", PROBABLE), ("-1", PROBABLE)):
            yield context.put(items, f"list({items.id}) + [{last}]", weight)
            yield context.put(items, f"{items.id} + [{last}]", weight)


def back_through_the_order(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for name in order`, where `order` was filled on the way there, becomes `for name in reversed(order)`: what comes
    last is known first on the way back."""
    match node:
        case ast.For(target=ast.Name(id=item), iter=ast.Name(id=order)):
            pass
        case _:
            return
    filled = (part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) == "append")
    is_filled = any(isinstance(part.func, ast.Attribute) and context.text(part.func.value) == order for part in filled)
    steps = [part for step in node.body for part in ast.walk(step)]
    given = [p for p in steps if isinstance(p, ast.Subscript) and isinstance(p.ctx, ast.Store)]
    if is_filled and any(context.text(entry.slice) != item for entry in given):
        yield context.put(node.iter, f"reversed({order})")


def moved_by_then(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`place += step`, and behind it `tree[place + step]`, becomes `tree[place]`: it has been moved by then."""
    match node:
        case ast.BinOp(left=ast.Name(id=name), op=ast.Add() | ast.Sub() as op, right=ast.Name(id=step)):
            pass
        case _:
            return
    statement = next((part for part in context.around(node) if isinstance(part, ast.stmt)), None)
    if statement is None:
        return
    block = context.program.block(statement)
    for before in block[: block.index(statement)]:
        match before:
            case ast.AugAssign(target=ast.Name(id=moved), op=moving, value=ast.Name(id=by)):
                if moved == name and by == step and type(moving) is type(op):
                    yield context.put(node, name)


def only_what_is_open(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if v not in order: ... else: low[u] = min(low[u], order[v])` asks `if v in stack:` there, where the program puts
    on a stack: what is finished is no way back."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=name)),
            orelse=[ast.Assign(value=ast.Call(func=ast.Name(id="min"))) as step],
        ) if name in names_within(step):
            for stack in _stacks(context):
                line = f"if {name} in {stack}:"
                yield from context.restate(step, (line, f"\t{context.text(step)}"))


def _stacks(context: TemplateContext) -> Iterator[str]:
    """The lists that items are put on or taken from."""
    calls = (part.func for part in context.program.nodes if isinstance(part, ast.Call))
    owners = [call.value for call in calls if isinstance(call, ast.Attribute) and call.attr in ("pop", "append", "add")]
    yield from dict.fromkeys(owner.id for owner in owners if isinstance(owner, ast.Name))


TEMPLATES = (
    Template("with_sentinel", (ast.For,), with_sentinel, ("smaller", "content", "shorter")),
    Template("multiply_when_odd", (ast.Assign, ast.AugAssign), multiply_when_odd, ("smaller", "content")),
    Template("turn_the_queue", (ast.Expr, ast.Assign), turn_the_queue, ("order", "content")),
    Template("guard_in_loop_as_behind", (ast.For, ast.While), guard_in_loop_as_behind, ("shorter", "content")),
    Template("back_through_the_order", (ast.For,), back_through_the_order, ("content", "smaller", "larger")),
    Template("moved_by_then", (ast.BinOp,), moved_by_then, ("content", "index", "larger", "off_by_one", "close")),
    Template("only_what_is_open", (ast.If,), only_what_is_open, ("shorter", "longer", "content")),
)
