"""Windows that move over a row: what leaves them at the other end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE
from regreen.propose.search.expressions import COMPARISON, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import bound_by
from regreen.syntax import callee_name, names_within, whole_number


def take_one_off(node: ast.Expr | ast.Delete, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts.pop(x)` becomes `counts[x] -= 1`, and an entry that has come to 0 is deleted: others of its kind are
    still there, where each was counted."""
    table, key = _taken_out(node, context)
    counted = context.cached("tables of counts", lambda: _counted(context))
    if not table or table not in counted:
        return
    lines = (f"{table}[{key}] -= 1", f"if {table}[{key}] == 0:", f"\tdel {table}[{key}]")
    yield from context.restate(node, lines)
    yield from context.restate(node, lines[:1], POSSIBLE)


def _taken_out(node: ast.Expr | ast.Delete, context: TemplateContext) -> tuple[str, str]:
    """The table and the key of `del table[key]` and `table.pop(key, None)`; empty texts for anything else."""
    if isinstance(node, ast.Delete):
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            return context.text(target.value), context.text(target.slice)
        return "", ""
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "pop" and call.args:
        return context.text(call.func.value), context.text(call.args[0])
    return "", ""


def _counted(context: TemplateContext) -> frozenset[str]:
    """The tables of whose entries the function counts one up: `counts[x] += 1`, `counts[x] = counts.get(x, 0) + 1`."""
    found = set()
    for part in context.scope.nodes:
        if isinstance(part, ast.AugAssign | ast.Assign) and _counts_up(part):
            target = part.target if isinstance(part, ast.AugAssign) else part.targets[0]
            if isinstance(target, ast.Subscript):
                found.add(context.text(target.value))
    return frozenset(found)


def _counts_up(node: ast.AugAssign | ast.Assign) -> bool:
    """Whether a statement adds one to something."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and whole_number(node.value) == 1
    value = node.value
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and whole_number(value.right) == 1


def end_the_reach(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reach += more`, beside `reach += changes[i]`, gains `changes[i + width] -= more`: what begins at a place ends
    behind it (an array of differences)."""
    loop = next(context.loops_around(node), None)
    if (
        not isinstance(node.op, ast.Add)
        or not isinstance(node.target, ast.Name)
        or not isinstance(node.value, ast.Name)
    ):
        return
    for part in ast.walk(loop) if loop is not None else ():
        taken = part.value if isinstance(part, ast.AugAssign) and context.text(part.target) == node.target.id else None
        if not isinstance(taken, ast.Subscript) or not isinstance(taken.slice, ast.Name):
            continue
        changes, place = context.text(taken.value), taken.slice.id
        if any(_stores_in(other, changes, context) for other in context.scope.nodes):
            continue
        for width in _widths(changes, context):
            yield from context.after(node, (f"{changes}[{place} + {width}] -= {node.value.id}",))
            guarded = (f"if {place} + {width} < len({changes}):", f"\t{changes}[{place} + {width}] -= {node.value.id}")
            yield from context.after(node, guarded, LIKELY)


def _stores_in(node: ast.AST, table: str, context: TemplateContext) -> bool:
    is_stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    return is_stored and context.text(node.value) == table  # type: ignore[attr-defined]


def _widths(changes: str, context: TemplateContext) -> list[str]:
    """The names of numbers in the length of a list, `[0] * (n + width)`, and parameters that are numbers."""
    lengths = (
        part.value.right
        for part in context.scope.nodes
        if isinstance(part, ast.Assign)
        and context.text(part.targets[0]) == changes
        and isinstance(part.value, ast.BinOp)
    )
    named = {name.id for length in lengths for name in ast.walk(length) if isinstance(name, ast.Name)}
    return sorted(name for name in named | set(context.scope.unused) if name not in ("len", changes))


def drop_what_left(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A round begins with `if i >= width and begun[i - width]: active -= 1`, where another step of it is `active += 1`
    together with `begun[i] = True`: what began so many places ago is over."""
    loop = next(context.loops_around(node), None)
    if not _counts_up(node) or not isinstance(loop, ast.For):
        return
    if not isinstance(loop.target, ast.Name) or not isinstance(node.target, ast.Name):
        return
    place, active = loop.target.id, node.target.id
    lessened = any(
        isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Sub) and context.text(part.target) == active
        for part in ast.walk(loop)
    )
    begun = [
        context.text(step.targets[0].value)
        for step in context.program.block(node)
        if isinstance(step, ast.Assign)
        and isinstance(step.targets[0], ast.Subscript)
        and context.text(step.targets[0].slice) == place
    ]
    if lessened or not begun:
        return
    numbers = [name for name in context.scope.parameters if context.scope.kinds.get(name, "") in ("int", "")]
    for width in numbers:
        lines = (f"if {place} >= {width} and {begun[0]}[{place} - {width}]:", f"\t{active} -= 1")
        yield from context.before(loop.body[0], lines, 1.0 if width in context.scope.unused else HALF)


def compare_in_other_table(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while queue and cost[queue[-1]] >= cost[i]` becomes `total[queue[-1]] >= total[i]`: both sides are of the table
    that is filled."""
    right = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.left, ast.Subscript) or not isinstance(right, ast.Subscript):
        return
    table = context.text(node.left.value)
    if context.text(right.value) != table or not isinstance(node.left.value, ast.Name):
        return
    for other in context.cached("tables stored in", lambda: _tables_stored_in(context)):
        if other != table:
            name = Expression(other)
            yield WeightedEdits((context.edit(node.left.value, name), context.edit(right.value, name)))


def _tables_stored_in(context: TemplateContext) -> list[str]:
    """The variables of whose entries the function sets one."""
    stored = [
        part.value.id
        for part in context.scope.nodes
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name)
    ]
    return list(dict.fromkeys(stored))


def take_off_what_left(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`window.pop(0)`, where `insort(window, x)` keeps it in order, becomes `window.remove(xs[i - k])`, or pops the
    place that `bisect_left` finds: what leaves a window is the oldest, and not the least."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=window), attr="pop")):
            pass
        case _:
            return
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    kept = any(
        isinstance(part, ast.Call) and callee_name(part) in ("insort", "insort_left", "insort_right")
        for part in context.scope.nodes
    )
    if loop is None or not kept:
        return
    match loop:
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=place), _]), iter=ast.Call(args=[items])):
            pass
        case ast.For(target=ast.Name(id=place), iter=ast.Call(args=[*_, ast.Call(args=[items])])):
            pass
        case _:
            return
    numbers = [name for name in context.scope.parameters if context.scope.kinds.get(name, "") in ("int", "")]
    for width in (name for name in numbers if name not in (context.text(items), context.scope.receiver)):
        left = f"{context.text(items)}[{place} - {width}]"
        yield from context.restate(node, (f"{window}.remove({left})",))
        if "bisect_left" in context.scope.visible:
            yield from context.restate(node, (f"{window}.pop(bisect_left({window}, {left}))",))


def leave_at_front(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`queue.append(i)` in a loop over places, where `xs[queue[0]]` is read, is followed by `if queue[0] <= i - k:
    queue.popleft()`: what begins the queue leaves the window."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=queue), attr="append"), args=[item]):
            pass
        case _:
            return
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    place = context.text(item.elts[-1]) if isinstance(item, ast.Tuple) else context.text(item)
    if loop is None or place not in bound_by(loop.target):
        return
    text = context.text(loop)
    first = f"{queue}[0]" if not isinstance(item, ast.Tuple) else f"{queue}[0][{len(item.elts) - 1}]"
    if f"{queue}[0]" not in text or re.search(rf"\b{queue}\.(?:popleft\(\)|pop\(0\))", text):
        return
    is_deque = "deque(" in context.program.source
    for width in (name for name in context.scope.parameters if context.scope.kinds.get(name, "") in ("int", "")):
        if width != context.scope.receiver:
            leaving = f"{queue}.popleft()" if is_deque else f"{queue}.pop(0)"
            yield from context.after(node, (f"if {first} <= {place} - {width}:", f"\t{leaving}"))


def while_the_first_is_there_again(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while items[first] == item and ...: count[items[first]] -= 1; first += 1` becomes `while count[items[first]] >
    1:`: whatever is first leaves the window where there is another of it."""
    for step in node.body:
        match step:
            case ast.AugAssign(
                target=ast.Subscript(slice=ast.Subscript(slice=ast.Name(id=first))) as count,
                op=ast.Sub(),
                value=ast.Constant(value=1),
            ) if first in names_within(node.test):
                yield context.put(node.test, Expression(f"{context.text(count)} > 1", COMPARISON))


TEMPLATES = (
    Template("leave_at_front", (ast.Expr,), leave_at_front, ("content", "larger")),
    Template("take_off_what_left", (ast.Expr,), take_off_what_left, ("content",)),
    Template("compare_in_other_table", (ast.Compare,), compare_in_other_table, ("content", "larger", "smaller")),
    Template("take_one_off", (ast.Expr, ast.Delete), take_one_off, ("longer", "key")),
    Template("end_the_reach", (ast.AugAssign,), end_the_reach, ("content",)),
    Template("drop_what_left", (ast.AugAssign,), drop_what_left, ("content",)),
    Template(
        "while_the_first_is_there_again",
        (ast.While,),
        while_the_first_is_there_again,
        ("larger", "smaller", "content", "longer"),
    ),
)
