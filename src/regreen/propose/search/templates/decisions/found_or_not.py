"""A value that was looked up and used as if it were found, or as if it were not what is there already."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    MAX_COPIED_CHARACTERS,
    MAX_NUMBER_RESULTS,
    POSSIBLE,
    PROBABLE,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import Expression, bool_operation, comparison
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.guards import likely_results
from regreen.propose.search.templates.decisions.raise_lines import raise_lines
from regreen.propose.search.templates.steps.insertions import in_loop
from regreen.syntax import bound_values, callee_name, names_within


def ask_what_was_found(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end = text.find(x)` is followed by `if end == -1: raise ...`, `x = d.get(k)` by `if x is None: return ...`.

    And `old = grid[r][c]` by `if old == new: return ...`, for a parameter of the same function.
    """
    target = node.targets[0]
    if not isinstance(target, ast.Name) or context.scope.function is None:
        return
    ways = context.cached("ways out", lambda: list(_ways_out(context)))
    if in_loop(node, context):
        ways = [*ways, ("break", PROBABLE), ("continue", PROBABLE)]
    for test, weight in _tests(target.id, node.value, context):
        for line, share in ways:
            yield from context.after(node, (f"if {test}:", f"\t{line}"), weight * share)


def _tests(name: str, value: ast.expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What may be wrong with a value that was looked up, by how that was done."""
    if isinstance(value, ast.Call):
        called = callee_name(value)
        if called in ("find", "rfind"):
            yield f"{name} == -1", 1.0
        elif (called == "get" and len(value.args) == 1) or called in _MAY_GIVE_NONE:
            yield f"{name} is None", 1.0
    elif isinstance(value, ast.Subscript | ast.Attribute):
        inside = names_within(value)
        for parameter in context.scope.parameters:
            if parameter not in inside and parameter != context.scope.receiver:
                yield f"{name} == {parameter}", HALF


_MAY_GIVE_NONE = frozenset(("match", "search", "fullmatch", "next", "getenv"))


def _ways_out(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The function's own `raise`, those of the checks, and likely results."""
    raised = dict.fromkeys(context.text(part) for part in context.scope.nodes if isinstance(part, ast.Raise))
    yield from (
        (line, VERY_LIKELY)
        for line in raised
        if "\n" not in line and line != "raise" and len(line) <= MAX_COPIED_CHARACTERS
    )
    yield from ((line, 1.0) for line in raise_lines(context))
    returned = (part.value for part in context.scope.nodes if isinstance(part, ast.Return) and part.value)
    names = dict.fromkeys(value.id for value in returned if isinstance(value, ast.Name))
    yield from ((f"return {name}", VERY_LIKELY) for name in names if name in context.scope.parameters)
    yield from ((f"return {result}", POSSIBLE) for result in likely_results(context)[:MAX_NUMBER_RESULTS])


def status_of_found(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return 0` at the end of what goes through `found` becomes `return 1 if found else 0`, and `return True` becomes
    `return not found`: what was found has to be told."""
    if not isinstance(node.value, ast.Constant) or node.value.value not in (0, 1, None):
        return
    loops = (part.iter for part in context.scope.nodes if isinstance(part, ast.For))
    for found in dict.fromkeys(loop.id for loop in loops if isinstance(loop, ast.Name)):
        if found in context.scope.parameters:
            continue
        if isinstance(node.value.value, bool):
            yield context.put(node.value, f"not {found}" if node.value.value else f"bool({found})")
        else:
            yield context.put(node.value, f"1 if {found} else 0")


def take_from_asked(node: ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`place = len(taken) + 1` becomes `place = free[0]`, behind `if not free: raise ...`, where nothing else reads the
    ones that are free."""
    if node.value is None or isinstance(node.value, ast.Constant):
        return
    for name, line in context.cached("asked alone", lambda: _asked_alone(context)).items():
        if line < node.lineno:
            ways = ((f"{name}[0]", 1.0), (f"min({name})", HALF), (f"{name}.pop()", HALF), (f"{name}[-1]", POSSIBLE))
            yield from (context.put(node.value, way, weight) for way, weight in ways)


def _asked_alone(context: TemplateContext) -> dict[str, int]:
    """The collections of the function of which it asks nothing but whether they are empty, and where it does last."""
    reads: dict[str, list[ast.Name]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            reads.setdefault(part.id, []).append(part)
    bound = (part.targets[0] for part in context.scope.nodes if isinstance(part, ast.Assign))
    names = {target.id for target in bound if isinstance(target, ast.Name)}
    asked = {name: read for name, read in reads.items() if name in names and all(_is_asked(n, context) for n in read)}
    kinds = context.scope.kinds
    return {name: max(n.lineno for n in asked[name]) for name in sorted(asked) if kinds.get(name, "") in _GATHERED}


def _is_asked(name: ast.Name, context: TemplateContext) -> bool:
    """Whether a name stands for a condition of its own: `if free:`, `if not free:`."""
    around = context.parent(name)
    if isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not):
        around = context.parent(around)
    return isinstance(around, ast.If)


_GATHERED = frozenset(("list", "set", "tuple", ""))


def read_as_place(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not start` becomes `if start == -1`, and `if start` becomes `if start != -1`, where `find` gave it: what
    begins at 0 is found."""
    around = context.parent(node)
    is_denied = isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)
    whole = around if is_denied else node
    assert isinstance(whole, ast.expr)
    found = context.cached("places that were found", lambda: _places_found(context))
    if node.id in found and context.is_condition(whole):
        yield context.put(whole, comparison(Expression(node.id), "==" if is_denied else "!=", Expression("-1")))


def _places_found(context: TemplateContext) -> frozenset[str]:
    given = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call))
    found = (part.targets[0] for part in given if callee_name(part.value) in ("find", "rfind"))  # type: ignore[arg-type]
    return frozenset(target.id for target in found if isinstance(target, ast.Name))


def place_may_be_the_end(node: ast.If | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if xs[i] != x: return -1` becomes `if i == len(xs) or xs[i] != x:`, and `return xs[i] == x` becomes `return i <
    len(xs) and xs[i] == x`, where a call gave `i`: the place where something would stand may be behind the last one."""
    test = node.test if isinstance(node, ast.If) else node.value
    if not isinstance(test, ast.Compare | ast.BoolOp):
        return
    for part in (test, *context.program.below(test)):
        match part:
            case ast.Subscript(value=ast.Name() | ast.Attribute() as items, slice=ast.Name(id=place)):
                pass
            case _:
                continue
        if place not in context.cached("places from calls", lambda: _places_from_calls(context)):
            continue
        held = context.text(items)
        ends = bool_operation(Expression(f"{place} == len({held})"), "or", context.expression(test))
        inside = bool_operation(Expression(f"{place} < len({held})"), "and", context.expression(test))
        refuses = isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue)
        yield context.put(test, ends, 1.0 if refuses else HALF)
        yield context.put(test, inside, HALF if refuses else 1.0)


def _places_from_calls(context: TemplateContext) -> frozenset[str]:
    """The variables that a call gave: places that a search has found, as `bisect_left` does."""
    return frozenset(
        target.id
        for part in context.scope.nodes
        if isinstance(part, ast.Assign)
        for target, value in bound_values(part)
        if isinstance(target, ast.Name) and isinstance(value, ast.Call)
    )


def place_to_insert(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return -1` behind `while lo <= hi:` becomes `return lo`: where a binary search ends without a find is where the
    item would stand."""
    block = context.program.block(node)
    loop = block[block.index(node) - 1] if block.index(node) else None
    if not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Compare) or len(loop.test.ops) != 1:
        return
    test = loop.test
    bounds = [test.left, test.comparators[0]]
    is_search = isinstance(test.ops[0], ast.Lt | ast.LtE) and all(isinstance(bound, ast.Name) for bound in bounds)
    parted = (part for part in context.program.below(loop) if isinstance(part, ast.BinOp))
    halves = any(isinstance(part.op, ast.FloorDiv | ast.RShift) for part in parted)
    if node.value is not None and is_search and halves and context.text(node.value) != context.text(bounds[0]):
        yield context.put(node.value, context.expression(bounds[0]))


TEMPLATES = (
    Template("place_to_insert", (ast.Return,), place_to_insert, ("content", "negative", "none")),
    Template("place_may_be_the_end", (ast.If, ast.Return), place_may_be_the_end, ("index",)),
    Template("read_as_place", (ast.Name,), read_as_place, ("content", "shorter", "empty")),
    Template("take_from_asked", (ast.Assign, ast.Return), take_from_asked, ("content", "off_by_one")),
    Template("ask_what_was_found", (ast.Assign,), ask_what_was_found, ("none", "recursion", "key", "type")),
    Template("status_of_found", (ast.Return,), status_of_found, ("negated", "content", "off_by_one")),
)
