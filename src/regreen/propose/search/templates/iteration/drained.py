"""What is taken and stays where it was: frames of a buffer, the first of a queue, a part of what a lot holds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.types import Edit


def as_long_as_there_is(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`frame = self.next()`, then `if frame is not None: out.append(frame)` becomes
    `while (frame := self.next()) is not None: out.append(frame)`."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    match before:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if not node.orelse:
            taken = f"{name} := {context.text(call)}"
            asked = {name: f"while {taken}", f"{name} is not None": f"while ({taken}) is not None"}
            test = asked.get(context.text(node.test))
            if test and context.program.alone(before) and context.program.alone(node):
                start, end = context.program.spans[node][0], context.program.spans[node.test][1]
                asking = context.replace(start, end, test).edits
                yield WeightedEdits((*context.delete(before).edits, *asking))


def lessen_both(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`wanted -= taken` after `taken = min(wanted, lot.left)` is followed by `lot.left -= taken`, at once or at the end
    of the round, or where a condition compares the two: what is taken is missing on both sides."""
    sides = _shared(node, context)
    if not isinstance(node.op, ast.Sub) or context.text(node.target) not in sides:
        return
    other = next(side for side in sides if side != context.text(node.target))
    if any(context.text(getattr(part, "target", node)) == other for part in context.scope.nodes):
        return
    line = f"{other} -= {context.text(node.value)}"
    last = context.program.block(node)[-1]
    yield from context.after(last, (line,))
    if last is not node:
        yield from context.after(node, (line,), LIKELY)
    for part in context.program.block(node):
        if isinstance(part, ast.If) and {context.text(node.value), other} <= _compared(part.test, context):
            yield from context.before(part.body[0], (line,))


def _compared(test: ast.expr, context: TemplateContext) -> set[str]:
    """What a condition compares, as text."""
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
    return set(map(context.text, sides))


def _shared(node: ast.AugAssign, context: TemplateContext) -> tuple[str, ...]:
    """The two amounts of which the smaller one is taken off, where they can both be lessened."""
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name() as name], value=ast.Call(func=ast.Name(id="min"), args=[one, other])):
                sides = (one, other)
                can_change = all(isinstance(side, ast.Name | ast.Attribute | ast.Subscript) for side in sides)
                if can_change and context.text(name) == context.text(node.value):
                    return (context.text(one), context.text(other))
    return ()


def take_the_turn(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if queue[0] != member: raise ...` is followed by `queue.popleft()`: whose turn it was has had it."""
    test = node.test
    if node.orelse or not isinstance(node.body[-1], ast.Raise | ast.Return) or not isinstance(test, ast.Compare):
        return
    for side in (test.left, *test.comparators):
        if isinstance(side, ast.Subscript) and context.text(side.slice) == "0" and isinstance(test.ops[0], ast.NotEq):
            queue = context.text(side.value)
            is_deque = context.kind(side.value) == "deque" or "deque" in context.program.source
            yield from context.after(node, (f"{queue}.popleft()" if is_deque else f"{queue}.pop(0)",))


def take_out_what_is_read(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out += digits[k // f]` in a loop becomes `out += digits.pop(k // f)`: what was chosen is not there for the
    next."""
    if not isinstance(node.ctx, ast.Load) or not isinstance(node.value, ast.Name) or isinstance(node.slice, ast.Slice):
        return
    made = any(
        isinstance(part, ast.Assign)
        and context.text(part.targets[0]) == node.value.id
        and isinstance(part.value, ast.List | ast.ListComp | ast.Call)
        for part in context.scope.nodes
    )
    if made and isinstance(node.slice, ast.BinOp) and next(context.loops_around(node), None) is not None:
        yield context.put(node, f"{node.value.id}.pop({context.text(node.slice)})")


def put_back_for_later(node: ast.Continue, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`continue` behind `one = waiting.pop()` comes after `waiting.append(one)`: it has its turn again."""
    loop = next(context.loops_around(node), None)
    for step in loop.body if isinstance(loop, ast.While) else ():
        match step:
            case ast.Assign(
                targets=[target], value=ast.Call(func=ast.Attribute(value=queue, attr="pop" | "popleft"), args=[*_])
            ):
                text = context.text(target)
                given = f"({text})" if isinstance(target, ast.Tuple) and not text.startswith("(") else text
                yield from context.before(node, (f"{context.text(queue)}.append({given})",))


def take_when_read(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`minute - since[name]` under `elif name in since:` becomes `minute - since.pop(name)`, where nothing takes from
    `since`: what is settled is open no more."""
    if not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    held, key = node.value.id, context.text(node.slice)
    is_filled = any(f"{held}{way}" in context.program.source for way in (f"[{key}] = ", f".setdefault({key}, "))
    if not is_filled or re.search(rf"\b{held}\.pop\(|\bdel {held}\[", context.program.source):
        return
    asked = (part.test for part in context.around(node) if isinstance(part, ast.If))
    if any(f"{key} in {held}" in context.text(test) for test in asked):
        yield context.put(node, f"{held}.pop({key})")


def take_in_any_case(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if stack[-1] == 0: stack.pop(); jump()` becomes `if stack.pop() == 0: jump()`: what is asked for goes, whatever
    it was."""
    for held, place, taken in (
        (found[1], found[0], way)
        for found in re.finditer(r"\b([A-Za-z_][\w.]*)\[(?:-1|0)\]", context.text(node.test))
        for way in (f"{found[1]}.pop()", f"{found[1]}.pop(0)", f"{found[1]}.popleft()")
    ):
        for step in node.body:
            if context.text(step) == taken and len(node.body) > 1 and context.program.alone(step):
                at = context.program.spans[node.test][0] + context.text(node.test).index(place)
                if context.text(node.test).count(held) == 1:
                    yield WeightedEdits((Edit(at, at + len(place), taken), context.delete(step).edits[0]))


def take_off_when_used_up(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lots.popleft()` behind `used = min(needed, lot[0])` becomes `lot[0] -= used` and `if lot[0] == 0:
    lots.popleft()`: what is left of it stays."""
    taken = re.fullmatch(r"([\w.]+)\.(?:popleft\(\)|pop\(0\)|pop\(\))", context.text(node))
    if taken is None:
        return
    block = context.program.block(node)
    for step in block[: block.index(node)]:
        match step:
            case ast.Assign(targets=[ast.Name(id=used)], value=ast.Call(func=ast.Name(id="min"), args=[one, other])):
                for part in (one, other):
                    if isinstance(part, ast.Subscript | ast.Attribute):
                        rest = context.text(part)
                        lines = (f"{rest} -= {used}", f"if {rest} == 0:", f"\t{context.text(node)}")
                        yield from context.restate(node, lines)


TEMPLATES = (
    Template("take_when_read", (ast.Subscript,), take_when_read, ("larger", "content")),
    Template("take_in_any_case", (ast.If,), take_in_any_case, ("content", "index")),
    Template("take_off_when_used_up", (ast.Expr,), take_off_when_used_up, ("shorter", "content")),
    Template("put_back_for_later", (ast.Continue,), put_back_for_later, ("shorter", "smaller", "none")),
    Template("take_out_what_is_read", (ast.Subscript,), take_out_what_is_read, ("repeats", "content")),
    Template("as_long_as_there_is", (ast.If,), as_long_as_there_is, ("shorter", "content")),
    Template("lessen_both", (ast.AugAssign,), lessen_both, ("content", "repeats")),
    Template("take_the_turn", (ast.If,), take_the_turn, ("content", "longer", "repeats")),
)
