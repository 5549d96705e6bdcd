"""Lengths left out of account: of what was found, of what a filling stands beside, of all rows but the first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Final

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    MAX_PART_DEPTH,
    MAX_SEQUENCES_COMPARED,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import ATOM, COMPARISON, Expression, binary_operation, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name, names_within, whole_number


def index_in_reach(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`c == s[i]`, where the loop moves `i` on, becomes `i < len(s) and c == s[i]`."""
    moved = context.cached("places moved on", lambda: _moved_on(context))
    for part in context.program.below(node):
        if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Name) and part.slice.id in moved:
            asked = Expression(f"{part.slice.id} < len({context.text(part.value)})", COMPARISON)
            if asked.text not in context.text(context.program.statement(node)):
                yield context.put(node, bool_operation(asked, "and", context.expression(node)))
            return


def _moved_on(context: TemplateContext) -> frozenset[str]:
    """The variables that loops count on by one."""
    steps = (part for part in context.scope.nodes if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add))
    return frozenset(context.text(step.target) for step in steps if whole_number(step.value) == 1)


def next_of_next(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while fast`, whose body goes on to `fast.next.next`, becomes `while fast and fast.next`; and `while fast.next`,
    `while fast and fast.next`."""
    asked = node.test
    if isinstance(asked, ast.Name):
        for part in context.program.below(node):
            inner = part.value if isinstance(part, ast.Attribute) else None
            if isinstance(inner, ast.Attribute) and inner.attr == part.attr and context.text(inner.value) == asked.id:  # type: ignore[attr-defined]
                yield context.put(asked, bool_operation(Expression(asked.id), "and", context.expression(inner)))
                return
    elif isinstance(asked, ast.Attribute) and isinstance(asked.value, ast.Name):
        link = context.expression(asked)
        yield context.put(asked, bool_operation(Expression(asked.value.id), "and", link))
        yield context.put(asked, bool_operation(link, "and", Expression(f"{link.text}.{asked.attr}")), HALF)


def room_for_ending(node: ast.BinOp | ast.JoinedStr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text[:limit] + "..."` becomes `text[:limit - 3] + "..."`: the limit is one of both together."""
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else node.values
    for part, ending in pairwise(parts):
        cut = part.value if isinstance(part, ast.FormattedValue) else part
        if not isinstance(ending, ast.Constant) or not isinstance(ending.value, str) or not ending.value:
            continue
        if not isinstance(cut, ast.Subscript) or not isinstance(cut.slice, ast.Slice) or cut.slice.lower is not None:
            continue
        end = cut.slice.upper
        if end is not None and end in context.program.spans and not isinstance(end, ast.UnaryOp):
            room = binary_operation(context.expression(end), "-", Expression(str(len(ending.value))))
            yield context.put(end, room)
            if isinstance(node, ast.BinOp):
                shorter = f"{context.text(cut.value)}[:{room.text}].rstrip()"
                yield context.put(cut, Expression(shorter), UNLIKELY)


def room_for_what_follows(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(line) > limit` becomes `if len(line) + 3 > limit` where the function adds "..." to what it gives back."""
    measured, limit = node.left, node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS) or not isinstance(limit, ast.Name | ast.Attribute):
        return
    if isinstance(measured, ast.Call) and callee_name(measured) == "len":
        for size in context.cached("lengths of endings", lambda: sorted(set(_lengths_of_endings(context)))):
            yield context.put(measured, binary_operation(context.expression(measured), "+", Expression(str(size))))


def _lengths_of_endings(context: TemplateContext) -> Iterator[int]:
    """How long the texts are that a `return` adds at the end."""
    for part in context.scope.nodes:
        value = part.value if isinstance(part, ast.Return) else None
        last = value.values[-1:] if isinstance(value, ast.JoinedStr) else []
        ending = value.right if isinstance(value, ast.BinOp) else next(iter(last), None)
        if isinstance(ending, ast.Constant) and isinstance(ending.value, str) and ending.value:
            yield len(ending.value)


def fill_rest(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"*" * width + text` becomes `"*" * (width - len(text)) + text`; `text[:n] + "*" * len(text)` loses `n`."""
    sides = (node.left, node.right)
    if not isinstance(node.op, ast.Mult) or not any(_is_text(side) for side in sides):
        return
    count = next(side for side in reversed(sides) if side is node.left or not _is_text(side))
    if isinstance(count, ast.Constant | ast.BinOp):
        return
    inside = {context.text(part) for part in ast.walk(count) if isinstance(part, ast.Name | ast.Attribute)}
    for taken, weight in _beside(node, context).items():
        if taken not in inside and taken != context.text(count):
            yield context.put(count, binary_operation(context.expression(count), "-", Expression(taken)), weight)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _beside(node: ast.BinOp, context: TemplateContext) -> dict[str, float]:
    """What takes up room in the statement around a filling: bounds of slices, lengths of texts."""
    found: dict[str, float] = {}
    own = set(ast.walk(node))
    for part in ast.walk(context.program.statement(node)):
        if isinstance(part, ast.Slice) and part not in own:
            for bound in (part.lower, part.upper):
                size = bound.operand if isinstance(bound, ast.UnaryOp) else bound
                if isinstance(size, ast.Name | ast.Attribute | ast.Constant):
                    found[context.text(size)] = 1.0
        elif isinstance(part, ast.Name) and part not in own and _is_own_text(part, context):
            found.setdefault(f"len({part.id})", VERY_LIKELY)
    return found


def _is_own_text(name: ast.Name, context: TemplateContext) -> bool:
    """Whether a variable of the function is read that may hold a text."""
    is_own = name.id in context.scope.locals and name.id != context.scope.receiver
    return is_own and isinstance(name.ctx, ast.Load) and context.kind(name) in ("str", "")


def every_item(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(rows[0])` becomes `max(len(row) for row in rows)`, `xs[0] > 3` becomes `all(x > 3 for x in xs)`."""
    if not _is_first_item(node) or context.kind(node.value) not in ("list", "tuple", ""):
        return
    items = context.text(node.value)
    start, end = context.program.spans[node]
    for around in _around(node, context):
        begin = context.program.spans[around][0]
        text, name = context.text(around), _item_name(items.rpartition(".")[2], around)
        each = f"{text[: start - begin]}{name}{text[end - begin :]}"
        for function, weight in _GATHERING[_tells(around)]:
            yield context.put(around, Expression(f"{function}({each} for {name} in {items})"), weight)
            if function in ("max", "min"):
                whole = f"{function}(({each} for {name} in {items}), default=0)"
                yield context.put(around, Expression(whole), weight * LIKELY)


_GATHERING: Final = {
    True: (("all", 1.0), ("any", LIKELY)),
    False: (("max", 1.0), ("min", LIKELY), ("sum", HALF)),
}
"""What is made of the values of all items, where they are true or false and where they are not."""


def _is_first_item(node: ast.Subscript) -> bool:
    is_zero = isinstance(node.slice, ast.Constant) and node.slice.value == 0 and type(node.slice.value) is int
    return is_zero and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name | ast.Attribute)


def _around(node: ast.expr, context: TemplateContext) -> Iterator[ast.expr]:
    """The calls and comparisons of an item, innermost first: what is asked of it."""
    around: ast.AST = node
    for _ in range(MAX_PART_DEPTH):
        around = context.parent(around)
        if (isinstance(around, ast.Call) and context.text(around.func) != "range") or isinstance(around, ast.Compare):
            yield around
        elif not isinstance(around, ast.Subscript | ast.Attribute | ast.BinOp):
            return


def _tells(node: ast.expr) -> bool:
    """Whether an expression seems to give true or false."""
    name = callee_name(node) if isinstance(node, ast.Call) else ""
    return isinstance(node, ast.Compare) or name.startswith(("is", "has", "starts", "ends"))


def _item_name(items: str, around: ast.expr) -> str:
    """A name for one of these items that the expression does not have yet."""
    own = names_within(around)
    one = items.removesuffix("s") or "item"
    return next(name for name in (one, "item", f"each_{items}") if name not in own)


def count_wanted(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(text)` becomes `sum(c.isdigit() for c in text)`: of a collection those alone that the function asks for.

    Or `sum(votes.values())`: where the function counts in a mapping, all that was counted.
    """
    if callee_name(node) != "len" or len(node.args) != 1 or not isinstance(node.func, ast.Name):
        return
    measured = context.text(node.args[0])
    for name, test in context.cached("wanted", lambda: _wanted(context)).get(measured, ())[:_MOST_WANTED]:
        # What the loop counts as well is meant to be compared with that number.
        is_counted = any(isinstance(part, ast.AugAssign) for part in context.scope.nodes)
        yield context.put(node, f"sum({test} for {name} in {measured})", 1.0 if is_counted else UNLIKELY)
    for counts in context.cached("counted", lambda: _counted(context)):
        if counts != measured:
            yield context.put(node, f"sum({counts}.values())", LIKELY)


def _wanted(context: TemplateContext) -> dict[str, list[tuple[str, str]]]:
    """What loops go through -> the name of one item, and a question about it alone."""
    found: dict[str, list[tuple[str, str]]] = {}
    for node in context.scope.nodes:
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            tests = [part.test for part in node.body if isinstance(part, ast.If)]
        elif isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name):
            tests = node.ifs
        else:
            continue
        for test in tests:
            if _tells(test) and names_within(test) == {node.target.id}:
                found.setdefault(context.text(node.iter), []).append((node.target.id, context.text(test)))
    return found


def _counted(context: TemplateContext) -> list[str]:
    """The variables of which the function raises entries: `votes[name] += 1`."""
    raised = (node.target for node in context.scope.nodes if isinstance(node, ast.AugAssign))
    owners = [
        target.value.id for target in raised if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
    ]
    return [name for name in dict.fromkeys(owners) if context.scope.kinds.get(name, "") in ("dict", "")][:_MOST_WANTED]


_MOST_WANTED: Final = 3


def same_length(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return True` after a loop over two lists side by side becomes `return len(a) == len(b)`."""
    if not isinstance(node.value, ast.Constant) or node.value.value is not True:
        return
    for one, other in context.cached("side by side", lambda: list(_side_by_side(context))):
        yield context.put(node.value, f"len({one}) == len({other})")


def _side_by_side(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """Pairs of variables of which the function takes items at places, or measures."""
    found: dict[str, None] = {}
    for node in context.scope.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name):
            found.setdefault(node.value.id)
        elif isinstance(node, ast.Call) and callee_name(node) in ("len", "enumerate", "zip"):
            found.update(dict.fromkeys(argument.id for argument in node.args if isinstance(argument, ast.Name)))
    yield from combinations(list(found)[:MAX_SEQUENCES_COMPARED], 2)


def long_enough(node: ast.If | ast.While | ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if xs[0] == xs[1]` becomes `if len(xs) > 1 and xs[0] == xs[1]`: a question about items that may not be there."""
    highest: dict[str, int] = {}
    for part in ast.walk(node.test):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name | ast.Attribute):
            place = _place(part.slice)
            if place is not None and part.value in context.program.spans:
                owner = context.text(part.value)
                highest[owner] = max(highest.get(owner, 0), place)
    for owner, place in highest.items():
        if place:
            known = Expression(f"len({owner}) > {place}", COMPARISON)
            yield context.put(node.test, bool_operation(known, "and", context.expression(node.test)))


def _place(index: ast.expr) -> int | None:
    """How many items have to stand before the one that a constant index asks for; None for any other index."""
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        below = _place(index.operand)
        return None if below is None else below - 1
    return index.value if isinstance(index, ast.Constant) and type(index.value) is int else None


def read_what_is_asked(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if stack and a == b:`, which reads nothing of `stack`, becomes `if stack and stack[-1] == b:`."""
    asked, *rest = node.values
    if not isinstance(node.op, ast.And) or not isinstance(asked, ast.Name | ast.Attribute):
        return
    name, names = context.text(asked), [part for value in rest for part in ast.walk(value)]
    if context.kind(asked) not in ("list", "str", "tuple", "") or any(
        _is_written(part, name, context) for part in names
    ):
        return
    compared = (part for value in rest if isinstance(value, ast.Compare) for part in ast.walk(value))
    for part in compared:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and not context.is_called(part):
            yield context.put(part, f"{name}[-1]")
            yield context.put(part, f"{name}[0]", HALF)


def _is_written(node: ast.AST, text: str, context: TemplateContext) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and context.text(node) == text


def as_long_as_doubled(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`b in a + a` becomes `len(a) == len(b) and b in a + a`: what is shorter than a turned text is in it, too."""
    whole = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In) or not isinstance(whole, ast.BinOp):
        return
    once, again = context.text(whole.left), context.text(whole.right)
    is_doubled = (isinstance(whole.op, ast.Add) and once == again) or (isinstance(whole.op, ast.Mult) and again == "2")
    if is_doubled:
        alike = Expression(f"len({once}) == len({context.text(node.left)})", COMPARISON)
        yield context.put(node, bool_operation(alike, "and", context.expression(node)))


def longest_row(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(rows[0])` becomes `max(len(row) for row in rows)`: another row may be longer than the first."""
    row = node.args[0] if callee_name(node) == "len" and len(node.args) == 1 else None
    if (
        isinstance(row, ast.Subscript)
        and context.text(row.slice) == "0"
        and isinstance(row.value, ast.Name | ast.Attribute)
    ):
        name = context.new_name("row", "each")
        for extreme, share in (("max", 1.0), ("min", HALF)):
            yield context.put(node, f"{extreme}(len({name}) for {name} in {context.text(row.value)})", share)


def widest_of_column(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[len(cell) for cell in rows[0]]` becomes `[max(len(cell) for cell in column) for column in zip(*rows)]`: the
    first row need not be the widest."""
    loop = node.generators[0]
    first = loop.iter if isinstance(loop.iter, ast.Subscript) else None
    is_measured = isinstance(node.elt, ast.Call) and callee_name(node.elt) == "len" and len(node.generators) == 1
    if first is None or not is_measured or loop.ifs or whole_number(first.slice) is None:
        return
    cell, measured = context.text(loop.target), context.text(node.elt)
    name = context.new_name("column", "cells")
    yield context.put(node, f"[max({measured} for {cell} in {name}) for {name} in zip(*{context.text(first.value)})]")


_BOTH = 2


def only_from_the_start(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(1 for a, b in zip(xs, ys) if a == b)` counts no further than to the first pair that differs:
    `sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(xs, ys)))`."""
    made = node.args[0] if context.text(node.func) == "sum" and len(node.args) == 1 else None
    if not isinstance(made, ast.GeneratorExp) or len(made.generators) != 1 or len(made.generators[0].ifs) != 1:
        return
    rounds = made.generators[0]
    names = [context.text(item) for item in rounds.target.elts] if isinstance(rounds.target, ast.Tuple) else []
    tests = {f"{one} == {other}" for one, other in (names, names[::-1])} if len(names) == _BOTH else set()
    is_pairs = isinstance(rounds.iter, ast.Call) and callee_name(rounds.iter) == "zip"
    if is_pairs and context.text(rounds.ifs[0]) in tests:
        takewhile, imports = context.member_of("itertools", "takewhile")
        alike = f"{takewhile}(lambda pair: pair[0] == pair[1], {context.text(rounds.iter)})"
        yield WeightedEdits((*imports, context.edit(node, Expression(f"sum(1 for _ in {alike})", ATOM))))


def counts_as_stated(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(counts) == 2` becomes `sorted(counts.values()) == [2, 3]`, for "three of one and two of another": four and
    one are of two kinds as well."""
    match node:
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=counts)]), ops=[ast.Eq()]):
            kinds = whole_number(node.comparators[0]) or 0
            if kinds < len(("three", "two")):
                return
            words = re.findall(r"[a-z]+", context.clues.prose.lower())
            stated = dict.fromkeys(_SMALL_NUMBERS[word] for word in words if word in _SMALL_NUMBERS)
            for sizes in dict.fromkeys(tuple(sorted(one)) for one in combinations(stated, kinds)):
                yield context.put(node, Expression(f"sorted({counts}.values()) == {list(sizes)}", COMPARISON))


_SMALL_NUMBERS: Final = {"one": 1, "two": 2, "pair": 2, "three": 3, "four": 4, "five": 5}


TEMPLATES = (
    Template("counts_as_stated", (ast.Compare,), counts_as_stated, ("negated", "content")),
    Template("only_from_the_start", (ast.Call,), only_from_the_start, ("larger", "content", "shorter")),
    Template("widest_of_column", (ast.ListComp,), widest_of_column, ("longer", "shorter", "space", "content")),
    Template("longest_row", (ast.Call,), longest_row, ("index", "shorter")),
    Template("next_of_next", (ast.While,), next_of_next, ("attribute", "none")),
    Template("index_in_reach", (ast.Compare,), index_in_reach, ("index",)),
    Template("as_long_as_doubled", (ast.Compare,), as_long_as_doubled, ("negated",)),
    Template("count_wanted", (ast.Call,), count_wanted, ("longer", "shorter")),
    Template("long_enough", (ast.If, ast.While, ast.IfExp), long_enough, ("index",)),
    Template("same_length", (ast.Return,), same_length, ("negated",)),
    Template("room_for_what_follows", (ast.Compare,), room_for_what_follows, ("longer", "content")),
    Template("room_for_ending", (ast.BinOp, ast.JoinedStr), room_for_ending, ("longer",)),
    Template("fill_rest", (ast.BinOp,), fill_rest, ("longer",)),
    Template("read_what_is_asked", (ast.BoolOp,), read_what_is_asked),
    Template("every_item", (ast.Subscript,), every_item),
)
