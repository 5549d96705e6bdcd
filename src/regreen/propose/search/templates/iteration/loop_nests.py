"""Loops that go the wrong way: nested in the wrong order, overtaking what they change, their end not asked again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, MAX_STATEMENTS_WRAPPED, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import SUM, TEST, Expression, binary_operation, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import at_depth
from regreen.syntax import callee_name, names_within, whole_number
from regreen.types import Edit


def swap_loops(node: ast.For | ast.AsyncFor, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for a in xs: for b in ys: ...` becomes `for b in ys: for a in xs: ...`, where neither needs the other."""
    inner = node.body[0]
    if len(node.body) > 1 or type(inner) is not type(node) or node.orelse or not isinstance(inner, ast.For):
        return
    if names_within(node.target) & names_within(inner.iter) or names_within(inner.target) & names_within(node.iter):
        return
    yield _exchanged([(node.target, inner.target), (node.iter, inner.iter)], context)


def innermost_first(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i: for j: for k:` becomes `for k: for i: for j:`, as where all ways through `k` are tried, and the other way
    round."""
    second = node.body[0]
    third = second.body[0] if isinstance(second, ast.For) else None
    if not isinstance(second, ast.For) or not isinstance(third, ast.For) or node.body[1:] or second.body[1:]:
        return
    loops = (node, second, third)
    if any(names_within(one.target) & names_within(other.iter) for one in loops for other in loops):
        return
    for order in ((third, node, second), (second, third, node)):
        edits = (
            context.edit(old, context.expression(new))
            for one, other in zip(loops, order, strict=True)
            for old, new in ((one.target, other.target), (one.iter, other.iter))
        )
        yield WeightedEdits(tuple(edits))


def swap_ranges(node: ast.For | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(len(m)): ... for j in range(len(m[0])): ...` exchanges its ranges, rows become columns; those of
    a comprehension within another one, too."""
    if isinstance(node, ast.ListComp):
        within = node.elt.generators[0] if isinstance(node.elt, ast.ListComp) else None
        pairs = [(node.generators[0], within)] if within is not None else []
    else:
        pairs = [(node, inner) for inner in node.body if isinstance(inner, ast.For)]  # type: ignore[misc]
    for outer, inner in pairs:
        ranges = (outer.iter, inner.iter)
        are_ranges = all(isinstance(part, ast.Call) and callee_name(part) == "range" for part in ranges)
        are_apart = not names_within(outer.target) & names_within(inner.iter)
        if are_ranges and are_apart and context.text(outer.iter) != context.text(inner.iter):
            yield context.swap(outer.iter, inner.iter)


def count_down(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(len(s), 0, -1)` becomes `range(len(s) - 1, -1, -1)`: from the last place to the first."""
    if callee_name(node) != "range" or len(node.args) != _WITH_STEP or context.text(node.args[2]) != "-1":
        return
    start, end = node.args[0], whole_number(node.args[1])
    if end is not None and whole_number(start) is None:
        last = binary_operation(context.expression(start), "-", Expression("1"))
        yield WeightedEdits((context.edit(start, last), context.edit(node.args[1], Expression(str(end - 1)))))


_WITH_STEP = 3


def nest_comprehension(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[row[i] for i in places for row in rows]` becomes `[[row[i] for row in rows] for i in places]`."""
    if len(node.generators) != _NESTED or any(loop.ifs for loop in node.generators):
        return
    item, (outer, inner) = (
        context.text(node.elt),
        (f"for {context.text(loop.target)} in {context.text(loop.iter)}" for loop in node.generators),
    )
    yield context.put(node, f"[[{item} {inner}] {outer}]")
    if not names_within(node.generators[0].target) & names_within(node.generators[1].iter):
        yield context.put(node, f"[[{item} {outer}] {inner}]")


_NESTED = 2


def previous_row(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows[i][j - 1] + rows[i][j]` becomes `rows[i - 1][j - 1] + rows[i - 1][j]`: what is made of the row before."""
    if isinstance(context.parent(node), ast.BinOp):
        return
    found: dict[str, list[ast.Subscript]] = {}
    for part in context.program.below(node):
        row = part.value if isinstance(part, ast.Subscript) else None
        if isinstance(row, ast.Subscript) and isinstance(row.slice, ast.Name) and isinstance(row.value, ast.Name):
            found.setdefault(context.text(row), []).append(row)
    for rows in found.values():
        if len(rows) > 1:
            before = [binary_operation(context.expression(row.slice), "-", Expression("1")) for row in rows]
            edits = [context.edit(row.slice, place) for row, place in zip(rows, before, strict=True)]
            yield WeightedEdits(tuple(edits))


def swap_generators(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for a in xs for b in ys` of a comprehension becomes `for b in ys for a in xs`."""
    generators: list[ast.comprehension] = getattr(context.parent(node), "generators", [])
    if node not in generators[:-1]:
        return
    inner = generators[generators.index(node) + 1]
    if names_within(node.target) & names_within(inner.iter) or names_within(inner.target) & names_within(node.iter):
        # Each is read by the other's line: the order of the words, not of the loops, was wrong.
        if not names_within(inner.target) & names_within(node.iter):
            return
    elif node.ifs or inner.ifs:
        return
    yield _exchanged([(node.target, inner.target), (node.iter, inner.iter)], context)


def _exchanged(pairs: list[tuple[ast.expr, ast.expr]], context: TemplateContext) -> WeightedEdits:
    edits: list[Edit] = []
    for one, two in pairs:
        edits += context.swap(one, two).edits
    return WeightedEdits(tuple(edits), 1.0)


def turn_back(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(a, b)` becomes `range(b - 1, a - 1, -1)` for a loop that changes places which it looks at later on.

    As `best[i] = best[i - w] + v`, which reads what it has just written, and `del xs[i]`, which moves all others.
    """
    call = node.iter
    if not isinstance(call, ast.Call) or callee_name(call) != "range" or call.keywords or not call.args:
        return
    if not isinstance(node.target, ast.Name) or not _overtakes(node, node.target.id, context):
        return
    codes = [context.expression(argument) for argument in call.args]
    if len(codes) == 3 and codes[2].text == "-1":
        yield context.put(call, f"range({_moved(codes[1], '+')}, {_moved(codes[0], '+')})")
    elif len(codes) < 3:
        start, stop = (Expression("0"), codes[0]) if len(codes) == 1 else (codes[0], codes[1])
        yield context.put(call, f"range({_moved(stop, '-')}, {_moved(start, '-')}, -1)")


def _moved(bound: Expression, symbol: str) -> str:
    """A bound one further, without a needless `+ 1 - 1`."""
    undone = f" {'+' if symbol == '-' else '-'} 1"
    if bound.text.endswith(undone) and bound.level == SUM:
        return bound.text.removesuffix(undone)
    if bound.text.isdecimal():
        return str(int(bound.text) + (1 if symbol == "+" else -1))
    return binary_operation(bound, symbol, Expression("1")).text


def _overtakes(loop: ast.For, name: str, context: TemplateContext) -> bool:
    """Whether a round changes what the next ones read: an item by its neighbours, or the places of all that follow."""
    stored: set[str] = set()
    read: dict[str, set[str]] = {}
    for part in context.program.below(loop):
        if isinstance(part, ast.Call) and callee_name(part) in ("pop", "insert") and part.args:
            if name in names_within(part.args[0]):
                return True
        elif isinstance(part, ast.Subscript) and name in names_within(part.slice):
            owner, index = context.text(part.value), context.text(part.slice)
            if isinstance(part.ctx, ast.Del):
                return True
            if isinstance(part.ctx, ast.Store):
                stored.add(owner)
            if index != name:
                read.setdefault(owner, set()).add(index)
    return any(owner in read for owner in stored)


def ask_loop_again(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In a round that changes what `while low <= high and ...` asks, a part of it is asked again: `if low <= high:`.

    Around a few statements, or as `if not low <= high: break`.
    """
    parts = [node.test, *(node.test.values if isinstance(node.test, ast.BoolOp) else ())]
    tests = [part for part in parts if isinstance(part, ast.Compare | ast.Name | ast.BoolOp)]
    bound = {n.id for n in context.program.below(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for test in tests:
        if not names_within(test) & bound:
            continue
        code = context.expression(test)
        share = 1.0 if test is not node.test or len(tests) == 1 else HALF
        for first in range(1, len(node.body)):
            negated = unary_operation("not", code).text
            yield from context.before(node.body[first], (f"if {negated}:", "\tbreak"), share * PROBABLE)
            for last in range(first, min(first + MAX_STATEMENTS_WRAPPED, len(node.body))):
                yield from _wrapped(node.body[first : last + 1], code.text, share, context)


def _wrapped(
    statements: list[ast.stmt], condition: str, weight: float, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """The statements under a condition."""
    if not all(context.program.alone(statement) for statement in statements):
        return
    start, end = context.program.lines(statements[0])[0], context.program.lines(statements[-1])[1]
    indent = context.program.indent(statements[0])
    moved = at_depth((start, end), context, indent, indent + context.program.unit)
    lead = f"{indent}if {condition}:\n"
    share = VERY_LIKELY if isinstance(statements[0], ast.For | ast.While | ast.Assign | ast.AugAssign) else POSSIBLE
    yield context.replace(start, end, lead + moved, weight * share)


def begin_each_round(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """First values before a loop move into it, all at once: `total = 0` and `best = None` begin each round anew."""
    block = context.program.block(node)
    at = block.index(node)
    first = at
    while first and _is_first_value(block[first - 1], node, context):
        first -= 1
    inside = node.body[0]
    if at - first < _LEAST_MOVED or not all(context.program.alone(part) for part in (*block[first:at], inside)):
        return
    end, place = context.program.lines(block[at - 1])[1], context.program.lines(inside)[0]
    for begin in range(first, at - 1):
        start = context.program.lines(block[begin])[0]
        text = at_depth((start, end), context, context.program.indent(node), context.program.indent(inside))
        yield WeightedEdits((Edit(start, end, ""), Edit(place, place, text)), 1.0)


_LEAST_MOVED = 2
"""One alone is moved by `move_in`."""


def _is_first_value(statement: ast.stmt, loop: ast.stmt, context: TemplateContext) -> bool:
    """Whether a statement gives a plain first value to a variable that the loop changes."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    if isinstance(statement.value, ast.Name | ast.Attribute | ast.BinOp):
        return False
    name = statement.targets[0].id
    return any(_changes(part, name) for part in context.program.below(loop))


def _changes(part: ast.AST, name: str) -> bool:
    """Whether a node binds a variable anew or calls a method of what it holds."""
    if isinstance(part, ast.Name):
        return part.id == name and isinstance(part.ctx, ast.Store)
    owner = part.value if isinstance(part, ast.Attribute | ast.Subscript) else None
    return isinstance(owner, ast.Name) and owner.id == name


def both_centres(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left, right = i, i`, from where a loop goes outwards, becomes a loop over `(i, i)` and `(i, i + 1)`: a
    palindrome of an even number of letters has its centre between two."""
    target, value = node.targets[0], node.value
    block = context.program.block(node)
    rest = block[block.index(node) + 1 :]
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(value.elts) != len(_BOTH):
        return
    names = {context.text(part) for part in value.elts}
    is_outwards = any(isinstance(part, ast.While) for part in rest) and all(context.program.alone(one) for one in rest)
    if len(names) == 1 and isinstance(value.elts[0], ast.Name) and is_outwards and any(context.loops_around(node)):
        centre, indent = names.pop(), context.program.indent(node)
        head = f"{indent}for {context.text(target)} in (({centre}, {centre}), ({centre}, {centre} + 1)):\n"
        start, end = context.program.lines(rest[0])[0], context.program.lines(rest[-1])[1]
        body = at_depth((start, end), context, indent, indent + context.program.unit)
        yield context.replace(context.program.lines(node)[0], end, head + body)


_BOTH = ("left", "right")


def side_by_side(node: ast.ListComp | ast.GeneratorExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x + y for x in a for y in b` becomes `x + y for x, y in zip(a, b)`: each with its own, not with all."""
    if len(node.generators) != len(_BOTH):
        return
    one, two = node.generators
    are_plain = all(isinstance(part.target, ast.Name) and not part.ifs for part in (one, two))
    if are_plain and not names_within(one.target) & names_within(two.iter):
        start, end = context.program.spans[one.target][0], context.outer(two.iter)[1]
        targets = f"{context.text(one.target)}, {context.text(two.target)}"
        yield context.replace(start, end, f"{targets} in zip({context.text(one.iter)}, {context.text(two.iter)})")


def both_centres_of_call(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`widest(s, i, i)` becomes the longer one of it and of `widest(s, i, i + 1)`, and `total += grown(s, i, i)` adds
    both: a palindrome of an even number of letters has its centre between two."""
    places = [part for part in node.args if isinstance(part, ast.Name)]
    names = [part.id for part in places]
    if len(places) < len(_BOTH) or names[-1] != names[-2] or places[-1] is not node.args[-1]:
        return
    parent, start = context.parent(node), context.program.spans[node][0]
    begin, end = (offset - start for offset in context.program.spans[places[-1]])
    text = context.text(node)
    other = f"{text[:begin]}{names[-1]} + 1{text[end:]}"
    if isinstance(parent, ast.AugAssign):
        yield context.put(node, binary_operation(Expression(text), "+", Expression(other)))
    elif isinstance(parent, ast.Assign):
        yield context.put(node, f"max({text}, {other}, key=len)")
        yield context.put(node, f"max({text}, {other})", LIKELY)


def either_way(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`step = 1` becomes `step = 1 if end >= start else -1` for the step of `range(start, end + step, step)`."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or whole_number(node.value) != 1:
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.Call) or callee_name(part) != "range" or len(part.args) != len(("a", "b", "step")):
            continue
        first, end, step = part.args
        last = end.left if isinstance(end, ast.BinOp) else end
        if context.text(step) == target.id and isinstance(first, ast.Name) and isinstance(last, ast.Name):
            yield context.put(node.value, Expression(f"1 if {last.id} >= {first.id} else -1", TEST))


def backwards_too(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(a, b + 1)` becomes `range(a, b + 1) if a <= b else range(a, b - 1, -1)` where prose says so."""
    if callee_name(node) != "range" or len(node.args) != len(("a", "b")) or not _BACKWARDS & context.clues.words:
        return
    first, end = node.args
    is_closed = isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add) and whole_number(end.right) == 1
    last = end.left if is_closed else end  # type: ignore[attr-defined]
    if isinstance(first, ast.Name) and isinstance(last, ast.Name) and isinstance(first.ctx, ast.Load):
        down = f"range({first.id}, {last.id}{' - 1' if is_closed else ''}, -1)"
        yield context.put(node, Expression(f"{context.text(node)} if {first.id} <= {last.id} else {down}", TEST))


_BACKWARDS: Final = frozenset(
    {"backward", "backwards", "descending", "downwards", "down", "reverse", "reversed", "falling"}
)


def turn_product(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for mask, bit in product(masks, bits)` becomes `for bit, mask in product(bits, masks)`: which one changes in the
    inner loop matters where the rounds build on one another."""
    match node:
        case ast.For(target=ast.Tuple(elts=[one, two]), iter=ast.Call(args=[first, second]) as nest):
            if callee_name(nest) == "product" and not nest.keywords:
                turned = (*context.swap(one, two).edits, *context.swap(first, second).edits)
                yield WeightedEdits(turned)


TEMPLATES = (
    Template("either_way", (ast.Assign,), either_way, ("empty", "shorter")),
    Template("backwards_too", (ast.Call,), backwards_too, ("empty", "shorter")),
    Template("innermost_first", (ast.For,), innermost_first, ("content",)),
    Template("side_by_side", (ast.ListComp, ast.GeneratorExp), side_by_side, ("longer", "content")),
    Template("both_centres_of_call", (ast.Call,), both_centres_of_call, ("content", "shorter")),
    Template("both_centres", (ast.Assign,), both_centres),
    Template("begin_each_round", (ast.For, ast.While), begin_each_round, ("longer", "repeats")),
    Template("swap_ranges", (ast.For, ast.ListComp), swap_ranges, ("index", "content")),
    Template("count_down", (ast.Call,), count_down, ("index", "off_by_one", "shorter")),
    Template("nest_comprehension", (ast.ListComp,), nest_comprehension, ("content", "longer")),
    Template("previous_row", (ast.BinOp, ast.Call), previous_row, ("index", "content")),
    Template("swap_loops", (ast.For,), swap_loops, ("order", "longer", "reversed")),
    Template("swap_generators", (ast.comprehension,), swap_generators, ("order",)),
    Template("turn_back", (ast.For,), turn_back, ("repeats", "longer", "index")),
    Template("ask_loop_again", (ast.While,), ask_loop_again, ("longer", "index", "repeats")),
    Template("turn_product", (ast.For,), turn_product, ("content", "larger", "smaller")),
)
