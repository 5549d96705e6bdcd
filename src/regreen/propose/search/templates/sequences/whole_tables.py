"""Tables and lists as a whole: begun too short, taken whole where a part is meant, never taken from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import ATOM, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import bound_values, callee_name, names_within

_MOST_SIZES: Final = 8
_MOST_BOUNDS: Final = 3


def as_long_as_needed(node: ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sizes = [1]` becomes `sizes = [1] * n`, `[1] * len(xs)` or `[1] * (n + 1)`, where entries are read or set at
    places; so does each row of a table."""
    around = context.parent(node)
    given = context.parent(around) if isinstance(around, ast.ListComp) and around.elt is node else around
    if not isinstance(given, ast.Assign) or len(node.elts) != 1:
        return
    (item,), target = node.elts, context.text(given.targets[0])
    is_plain = isinstance(item, ast.Constant | ast.UnaryOp | ast.Name | ast.Attribute)
    if is_plain and f"{target}[" in context.program.source:
        for size, weight in _sizes(context):
            yield context.put(node, f"[{context.text(item)}] * {size}", weight)
            yield context.put(node, f"[{context.text(item)}] * ({size} + 1)", weight * LIKELY)


def _sizes(context: TemplateContext) -> list[tuple[str, float]]:
    """What tells how many there are: the ends of ranges, other tables' sizes, parameters and their lengths."""
    found: dict[str, float] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and callee_name(part) == "range" and part.args:
            found.setdefault(context.text(part.args[min(len(part.args) - 1, 1)]), 1.0)
        elif isinstance(part, ast.Call) and callee_name(part) == "len" and len(part.args) == 1:
            found.setdefault(context.text(part), LIKELY)
    for name in context.scope.locals[:MAX_LOCAL_NAMES]:
        if name not in context.scope.parameters and context.scope.kinds.get(name, "") == "int":
            found.setdefault(name, PROBABLE)
    for name in context.scope.parameters:
        if name != context.scope.receiver:
            kind = context.scope.kinds.get(name, "")
            if kind in ("int", ""):
                found.setdefault(name, PROBABLE)
            if kind in ("list", "str", "tuple", "dict", ""):
                found.setdefault(f"len({name})", HALF)
    simple = [(text, weight) for text, weight in found.items() if "\n" not in text and not text.isdigit()]
    return [
        (text if text.isidentifier() or (text.endswith(")") and text.startswith("len(")) else f"({text})", weight)
        for text, weight in simple
    ][:_MOST_SIZES]


def cut_between_unread(node: ast.Name | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items` becomes `items[start:end]`, where both are worked out and nothing reads them, or where a round ends with
    `start = end`."""
    if isinstance(context.parent(node), ast.Attribute | ast.Subscript) or not context.is_read(node):
        return
    pairs = context.cached("bounds of parts", lambda: _bounds_of_parts(context))
    if context.kind(node) in ("list", "str", "tuple", "bytes", ""):
        yield from _every_so_many(node, context)
        for lower, upper in pairs:
            if context.text(node) not in (lower, upper):
                yield context.put(node, f"{context.text(node)}[{lower}:{upper}]")


def _every_so_many(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cards[i::players]` in a loop over the places of `players`: each gets every so manieth."""
    for loop in (part for part in context.around(node) if isinstance(part, ast.For | ast.ListComp | ast.GeneratorExp)):
        target, items = (loop.target, loop.iter) if isinstance(loop, ast.For) else _first_source(loop)
        is_range = isinstance(items, ast.Call) and callee_name(items) == "range" and len(items.args) == 1
        if is_range and isinstance(target, ast.Name) and context.text(items.args[0]) != context.text(node):  # type: ignore[attr-defined]
            yield context.put(node, f"{context.text(node)}[{target.id}::{context.text(items.args[0])}]")  # type: ignore[attr-defined]


def _first_source(node: ast.ListComp | ast.GeneratorExp) -> tuple[ast.expr, ast.expr]:
    return node.generators[0].target, node.generators[0].iter


def _bounds_of_parts(context: TemplateContext) -> list[tuple[str, str]]:
    """Pairs of variables between which a part may lie."""
    unread = [name for name in context.scope.locals if name in context.scope.unused][:_MOST_BOUNDS]
    found = [(lower, upper) for lower in unread for upper in unread if lower != upper]
    for part in context.scope.nodes:
        target = part.targets[0] if isinstance(part, ast.Assign) and any(context.loops_around(part)) else None
        if isinstance(target, ast.Name) and isinstance(part.value, ast.Name):  # type: ignore[attr-defined]
            found.append((target.id, part.value.id))  # type: ignore[attr-defined]
    return list(dict.fromkeys(found))


def other_part(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`right = sort(xs)` beside `left = sort(xs[:middle])` becomes `sort(xs[middle:])`: what the one part leaves."""
    if not context.is_read(node) or isinstance(context.parent(node), ast.Attribute | ast.Subscript):
        return
    parts = context.cached("parts of lists", lambda: _parts_of_lists(context))
    for bounds in parts.get(node.id, ()):
        yield context.put(node, f"{node.id}[{bounds}]")


def _parts_of_lists(context: TemplateContext) -> dict[str, list[str]]:
    """By variable: the bounds of what its parts in the function leave, and of those parts."""
    found: dict[str, dict[str, None]] = {}
    for part in context.scope.nodes:
        bounds = part.slice if isinstance(part, ast.Subscript) else None
        if not isinstance(bounds, ast.Slice) or bounds.step is not None or not isinstance(part.value, ast.Name):  # type: ignore[attr-defined]
            continue
        lower, upper = (context.text(end) if end is not None else "" for end in (bounds.lower, bounds.upper))
        known = found.setdefault(part.value.id, {})  # type: ignore[attr-defined]
        if lower != upper and not (lower and upper):
            known.setdefault(f"{upper}:{lower}")
        known.setdefault(f"{lower}:{upper}")
    return {name: list(bounds) for name, bounds in found.items()}


def take_from_stack(node: ast.Name | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stack != pairs[c]` becomes `stack.pop() != pairs[c]`, where things are put on it and nothing takes them off."""
    parent, text = context.parent(node), context.text(node)
    if isinstance(parent, ast.Attribute | ast.Subscript) or not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    if text not in context.cached("never taken from", lambda: _never_taken_from(context)):
        return
    is_asked = isinstance(parent, ast.If | ast.While | ast.UnaryOp | ast.BoolOp | ast.Return)
    for taken, weight in ((".pop()", 1.0), ("[-1]", HALF), (".pop(0)", POSSIBLE), (".popleft()", POSSIBLE)):
        yield context.put(node, f"{text}{taken}", weight * (POSSIBLE if is_asked else 1.0))


def _never_taken_from(context: TemplateContext) -> frozenset[str]:
    """What things are appended to, and attributes, that nothing takes off of."""
    calls = [part.func for part in context.scope.nodes if isinstance(part, ast.Call)]
    methods = [part for part in calls if isinstance(part, ast.Attribute)]
    appended = {context.text(part.value) for part in methods if part.attr in ("append", "appendleft")}
    taken = {context.text(part.value) for part in methods if part.attr in ("pop", "popleft")}
    own = {f"{context.scope.receiver}.{name}" for name in context.scope.attributes} if context.scope.receiver else set()
    return frozenset((appended | own) - taken)


def around_a_place(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(row - 1)` becomes `range(row - 1, row + 2)`, and `range(1)` `range(1, n + 1)`: it had a begin and an
    end."""
    if callee_name(node) != "range" or len(node.args) != 1 or node.keywords:
        return
    (first,) = node.args
    end = context.outer(first)[1]
    if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Sub):
        middle, reach = context.text(first.left), first.right
        beyond = f" + {context.text(reach)} + 1"
        if isinstance(reach, ast.Constant) and isinstance(reach.value, int):
            beyond = f" + {reach.value + 1}"
        yield context.replace(end, end, f", {middle}{beyond}")
    elif isinstance(first, ast.Name):
        for name in (one for one in context.scope.locals if one in context.scope.unused and one != first.id):
            yield context.replace(end, end, f", {name} + 1")
            yield context.replace(end, end, f", {name}")
    elif isinstance(first, ast.Constant):
        for name in context.scope.locals:
            if name != context.scope.receiver and context.scope.kinds.get(name, "") in ("int", ""):
                weight = 1.0 if name in context.scope.unused else POSSIBLE
                yield context.replace(end, end, f", {name} + 1", weight)
                yield context.replace(end, end, f", {name}", weight * LIKELY)
        for name in context.scope.attributes:
            own = f"{context.scope.receiver}.{name}"
            yield context.replace(end, end, f", {own} + 1", HALF)
            yield context.replace(end, end, f", {own}", POSSIBLE)


def fill_short_rows(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[clean(cell) for cell in row]` gains `+ [""] * (len(headers) - len(row))`: a row that is too short would leave
    the last columns out."""
    generator = node.generators[0]
    if len(node.generators) > 1 or generator.ifs or not isinstance(generator.iter, ast.Name):
        return
    row = generator.iter.id
    is_item = any(
        isinstance(part, ast.For | ast.comprehension) and context.text(part.target) == row
        for part in context.scope.nodes
    )
    if not is_item or "zip(" not in context.program.source:
        return
    for name in (name for name in context.scope.parameters if name != context.scope.receiver):
        if context.scope.kinds.get(name, "") in ("list", "tuple", "") and name != row:
            for filling in ('""', "None"):
                lacking = f"[{filling}] * (len({name}) - len({row}))"
                yield context.put(
                    node, Expression(f"{context.text(node)} + {lacking}", SUM), 1.0 if filling == '""' else HALF
                )


def turn_results_back(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ends = longest(xs[::-1])`, beside `longest(xs)`, becomes `longest(xs[::-1])[::-1]`: what is worked out from
    behind stands behind its items only when it is turned back."""
    texts = map(context.text, node.args)
    turned = [text for text in texts if text.endswith("[::-1]") or "reversed(" in text]
    if len(turned) != 1 or not isinstance(context.parent(node), ast.Assign):
        return
    calls = [part for part in context.scope.nodes if isinstance(part, ast.Call)]
    if any(part is not node and context.text(part.func) == context.text(node.func) for part in calls):
        yield context.put(node, Expression(f"{context.text(node)}[::-1]", ATOM))


def own_of_each(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[longest] * len(groups)`, with `longest = max(len(name) for name in names)`, becomes `[max(len(name) for name in
    group) for group in groups]`: each of them has its own."""
    match node:
        case ast.BinOp(
            left=ast.List(elts=[ast.Name(id=common)]),
            op=ast.Mult(),
            right=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=groups)]),
        ):
            each = context.new_name(groups.removesuffix("s") if groups.endswith("s") else "each", "each", "part")
            for value in _reckoned_values(common, context):
                for whole in sorted(names_within(value) - PYTHON_BUILTINS):
                    text = re.sub(rf"\b{whole}\b", each, context.text(value))
                    yield context.put(node, f"[{text} for {each} in {groups}]")


def _reckoned_values(name: str, context: TemplateContext) -> Iterator[ast.expr]:
    """What calls give a variable."""
    for part in context.scope.nodes:
        for target, value in bound_values(part) if isinstance(part, ast.Assign) else ():
            if isinstance(target, ast.Name) and target.id == name and isinstance(value, ast.Call):
                yield value


TEMPLATES = (
    Template("own_of_each", (ast.BinOp,), own_of_each, ("content", "longer")),
    Template("turn_results_back", (ast.Call,), turn_results_back, ("content",)),
    Template("fill_short_rows", (ast.ListComp,), fill_short_rows, ("shorter", "content", "index")),
    Template("other_part", (ast.Name,), other_part, ("recursion", "longer", "content")),
    Template("as_long_as_needed", (ast.List,), as_long_as_needed, ("index",)),
    Template("cut_between_unread", (ast.Name, ast.Attribute), cut_between_unread, ("longer", "content")),
    Template("take_from_stack", (ast.Name, ast.Attribute), take_from_stack, ("hang", "negated", "content")),
    Template("around_a_place", (ast.Call,), around_a_place, ("smaller", "shorter", "content")),
)
