"""What is left of lists once a loop is through: of the longer of two, of two that are emptied, of those to take off."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import blocks_in, callee_name, names_within, whole_number

_SIDE_BY_SIDE: Final = 2
_FILLING: Final = ("append", "add", "push", "appendleft")


def rest_of_longer(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop over two lists that ends with the shorter one, what is left of them: `out += a[i:] + b[j:]`."""
    rests = _rests(node, context)
    gathering = [
        part.func.value
        for part in context.program.below(node)
        if isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr in (*_FILLING, "extend")
    ]
    for out in dict.fromkeys(map(context.text, gathering)) if rests else ():
        yield from context.after(node, (f"{out} += {' + '.join(rests)}",))
        for rest, other in zip(rests, reversed(rests), strict=True):
            # One of the two alone is lost where the other one is there.
            if other in context.program.source:
                yield from context.after(node, (f"{out} += {rest}",))


def take_off_rest(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop that takes items off a list as long as `k > 0`, the last `k` are taken, too: `del kept[-k:]`."""
    for loop in (part for part in context.program.below(node) if isinstance(part, ast.While)):
        for left, kept in itertools.product(_counted_down(loop, context), _popped(loop, context)):
            if re.search(rf"\b{re.escape(left)}\b", context.text(loop.test)) and f"{kept}.append" in context.text(node):
                yield from context.after(node, (f"if {left} > 0:", f"\tdel {kept}[-{left}:]"))


def _counted_down(loop: ast.While, context: TemplateContext) -> list[str]:
    """The variables from which a loop takes one."""
    parts = [part for part in context.program.below(loop) if isinstance(part, ast.AugAssign)]
    return [
        context.text(part.target)
        for part in parts
        if isinstance(part.op, ast.Sub) and isinstance(part.target, ast.Name)
    ]


def _popped(loop: ast.While, context: TemplateContext) -> list[str]:
    """The lists from whose end a loop takes items."""
    calls = [part for part in context.program.below(loop) if isinstance(part, ast.Call) and not part.args]
    return [
        context.text(call.func.value)
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "pop"
    ]


def rest_of_emptied(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `while a and b`, which takes items off one or the other, what is left of them: `out += a + b`."""
    lists = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else []
    text = context.text(node)
    names = [name.id for name in lists if isinstance(name, ast.Name) and f"{name.id}.pop" in text]
    if len(names) != _SIDE_BY_SIDE or len(lists) != _SIDE_BY_SIDE:
        return
    calls = [part.func for part in context.program.below(node) if isinstance(part, ast.Call)]
    gathering = [part.value for part in calls if isinstance(part, ast.Attribute) and part.attr in _FILLING]
    for out in dict.fromkeys(map(context.text, gathering)):
        yield from context.after(node, (f"{out} += {names[0]} + {names[1]}",))


def mirror_rest(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `while i < len(a): out.append(a[i]); i += 1`, behind a loop over `a` and `b`, comes the same for `b`."""
    block = context.program.block(node)
    before = block[: block.index(node)]
    for loop in (part for part in before if isinstance(part, ast.While)):
        pairs = [re.fullmatch(r"([\w.]+)\[([\w.]+):\]", rest) for rest in _rests(loop, context)]
        if len(pairs) != _SIDE_BY_SIDE or None in pairs:
            continue
        names = [found.groups() for found in pairs if found is not None]
        for own, other in (names, names[::-1]):
            is_rest = f"{own[1]} < len({own[0]})" == context.text(node.test)
            is_lost = f"while {other[1]} < len({other[0]})" not in context.program.source
            if is_rest and is_lost and all(context.program.alone(part) for part in node.body):
                lines = [f"while {context.text(node.test)}:", *(f"\t{context.text(part)}" for part in node.body)]
                yield from context.after(node, [turned(line, own, other) for line in lines])


def turned(line: str, own: Sequence[str], other: Sequence[str]) -> str:
    """A line with each of some names replaced by the other one in its place."""
    by_name = dict(zip(own, other, strict=True))
    words = re.compile("|".join(rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in own))
    return words.sub(lambda found: by_name[found.group()], line)


def _rests(loop: ast.For | ast.While, context: TemplateContext) -> list[str]:
    """What is left of the two lists that a loop goes through side by side; empty where it does no such thing."""
    if isinstance(loop, ast.For):
        items = loop.iter.args if isinstance(loop.iter, ast.Call) and callee_name(loop.iter) == "zip" else []
        pair = [context.text(part) for part in items if isinstance(part, ast.Name | ast.Attribute)]
        return [f"{pair[0]}[len({pair[1]}):]", f"{pair[1]}[len({pair[0]}):]"] if len(pair) == _SIDE_BY_SIDE else []
    parts = loop.test.values if isinstance(loop.test, ast.BoolOp) and isinstance(loop.test.op, ast.And) else []
    ends = [(part.comparators[0], part.left) for part in parts if isinstance(part, ast.Compare)]
    lengths = [(end, place) for end, place in ends if isinstance(end, ast.Call) and callee_name(end) == "len"]
    pairs = [(items, place) for end, place in lengths for items in end.args[:1]]
    rests = [f"{context.text(items)}[{context.text(place)}:]" for items, place in pairs]
    return rests if len(rests) == _SIDE_BY_SIDE else []


def take_what_is_compared(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stack[-1] != opening` becomes `stack.pop() != opening`, where nothing is taken off `stack`."""
    source = context.program.source
    for side in (node.left, *node.comparators):
        if isinstance(side, ast.Subscript) and context.text(side.slice) == "-1":
            stack = context.text(side.value)
            if f"{stack}.append(" in source and f"{stack}.pop" not in source:
                yield context.put(side, f"{stack}.pop()")


def empty_from_the_top(node: ast.Call | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`output.extend(stack)`, where `stack.pop()` is taken elsewhere, becomes `output.extend(reversed(stack))`: what
    was put on last comes off first."""
    if isinstance(node, ast.AugAssign):
        given = node.value if isinstance(node.op, ast.Add) else None
    else:
        given = node.args[0] if callee_name(node) == "extend" and len(node.args) == 1 else None
    if not isinstance(given, ast.Name | ast.Attribute):
        return
    taken = f"{context.text(given)}.pop()"
    if any(isinstance(part, ast.Call) and context.text(part) == taken for part in context.scope.nodes):
        yield context.wrap(given, "reversed")


def first_one_as_the_others(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`merged = dict(layers[0])` before `for layer in layers[1:]` becomes `merged = {}` and `for layer in layers`: the
    first one is gone through as all others are, and not taken as it is."""
    rest, block = node.iter, context.program.block(node)
    match rest:
        case ast.Subscript(
            value=ast.Name(id=items), slice=ast.Slice(lower=ast.Constant(value=1), upper=None, step=None)
        ):
            pass
        case _:
            return
    for begun in block[: block.index(node)]:
        value = begun.value if isinstance(begun, ast.Assign | ast.AnnAssign) else None
        first = value.body if isinstance(value, ast.IfExp) else value
        if value is None or first is None or f"{items}[0]" not in context.text(first):
            continue
        for nothing in _nothing_like(first, context):
            yield WeightedEdits((context.edit(value, Expression(nothing)), context.edit(rest, Expression(items))))


def _nothing_like(first: ast.expr, context: TemplateContext) -> tuple[str, ...]:
    """What is begun with where the first one adds to it: an empty collection of its kind, or each kind of nothing."""
    made = callee_name(first) if isinstance(first, ast.Call) else ""
    kinds = {"dict": "{}", "list": "[]", "set": "set()", "Counter": "Counter()"}
    return (kinds[made],) if made in kinds else ("0", "{}", "[]", '""', "set()")


def rest_by_branch(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Behind `while i < n and j < m:` come `while i < n:` and `while j < m:`, each with what the branch does that moves
    its counter alone: what is left of either list is still to be told."""
    test = node.test
    if (
        not isinstance(test, ast.BoolOp)
        or not isinstance(test.op, ast.And)
        or node.orelse
        or not context.program.alone(node)
    ):
        return
    lines: list[str] = []
    for asked in test.values:
        counter = asked.left.id if isinstance(asked, ast.Compare) and isinstance(asked.left, ast.Name) else ""
        branch = next((steps for steps in blocks_in(context.program.below(node)) if _moves(steps) == {counter}), None)
        if branch is None or any("\n" in context.text(step) for step in branch):
            return
        lines += [f"while {context.text(asked)}:", *(f"\t{context.text(step)}" for step in branch)]
    yield from context.after(node, lines)


def _moves(steps: Sequence[ast.stmt]) -> set[str]:
    """The counters that steps of one line add to, where there is nothing but that and a call."""
    if not all(isinstance(step, ast.AugAssign | ast.Expr) for step in steps):
        return set()
    return {step.target.id for step in steps if isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Name)}


def look_past_the_first(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if ballot[0] in left: votes[ballot[0]] += 1` becomes `for item in ballot:` with that for `item` and a `break`:
    the first that counts need not be the first of all."""
    firsts = [part for part in ast.walk(node.test) if isinstance(part, ast.Subscript) and whole_number(part.slice) == 0]
    if node.orelse or not firsts or not isinstance(firsts[0].value, ast.Name) or not context.program.alone(node):
        return
    first, items = context.text(firsts[0]), firsts[0].value.id
    rest = context.text(node).replace(first, each := context.new_name("item", "each", "one"))
    if items in re.findall(r"\w+", rest):
        return
    indent, unit = context.program.indent(node), context.program.unit
    lines = rest.splitlines()
    body = "".join(f"\n{indent}{unit}{line.removeprefix(indent)}" for line in lines)
    left = "" if isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break) else f"\n{indent}{unit * 2}break"
    start, end = context.program.first(node), context.program.spans[node][1]
    yield context.replace(start, end, f"for {each} in {items}:{body}{left}")


def as_long_as_the_longer(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(0, len(first), step)`, whose rounds read `first` and `second` by place, becomes a loop over
    `max(len(first), len(second))`."""
    match node:
        case ast.For(target=ast.Name(id=place), iter=ast.Call(func=ast.Name(id="range"), args=bounds)):
            pass
        case _:
            return
    read = [part for step in node.body for part in ast.walk(step) if isinstance(part, ast.Subscript)]
    by_place = dict.fromkeys(context.text(part.value) for part in read if place in names_within(part.slice))
    for bound in bounds:
        match bound:
            case ast.Call(func=ast.Name(id="len"), args=[own]):
                for other in by_place:
                    if other != context.text(own):
                        yield context.put(bound, f"max({context.text(bound)}, len({other}))")


TEMPLATES = (
    Template("look_past_the_first", (ast.If,), look_past_the_first, ("content", "negated")),
    Template("rest_by_branch", (ast.While,), rest_by_branch, ("shorter",)),
    Template("first_one_as_the_others", (ast.For,), first_one_as_the_others, ("content", "empty", "index")),
    Template("empty_from_the_top", (ast.Call, ast.AugAssign), empty_from_the_top, ("order", "reversed")),
    Template("take_what_is_compared", (ast.Compare,), take_what_is_compared, ("negated",)),
    Template("take_off_rest", (ast.For, ast.While), take_off_rest, ("longer", "content")),
    Template("rest_of_emptied", (ast.While,), rest_of_emptied, ("shorter",)),
    Template("rest_of_longer", (ast.For, ast.While), rest_of_longer, ("shorter",)),
    Template("mirror_rest", (ast.While,), mirror_rest, ("shorter",)),
    Template("as_long_as_the_longer", (ast.For,), as_long_as_the_longer, ("shorter", "smaller", "content")),
)
