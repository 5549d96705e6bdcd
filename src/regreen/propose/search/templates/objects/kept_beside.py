"""What is kept beside something else and has to agree with it: stale entries, registers, the rest of an interval."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import COMPARISON, FACTOR, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, variables_given


def stale_entries(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if name in self.entries`, where `entry = heappop(...)` and `name = entry[2]`, becomes `if self.entries.get(name)
    == entry`: what was changed meanwhile lies in the heap twice."""
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.In() | ast.NotIn() as op], comparators=[table]):
            pass
        case _:
            return
    sign = "==" if isinstance(op, ast.In) else "!="
    taken = set(_taken_off(context))
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=given)], value=ast.Subscript(value=ast.Name(id=entry))):
                if given == name and entry in taken:
                    yield context.put(node, Expression(f"{context.text(table)}.get({name}) {sign} {entry}", COMPARISON))


def _taken_off(context: TemplateContext) -> Iterator[str]:
    """The variables that are given what is taken off a heap or a queue."""
    yield from variables_given(context.scope.nodes, _takes_off)


def _takes_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and callee_name(value) in ("heappop", "pop", "popleft", "get")


def open_again(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`current = parts[name] = {}` becomes `current = parts.setdefault(name, {})`: what was there before stays."""
    entries = [target for target in node.targets if isinstance(target, ast.Subscript)]
    others = [target for target in node.targets if not isinstance(target, ast.Subscript)]
    if len(entries) == 1 and len(others) == 1 and context.text(node.value) in _EMPTY:
        (entry,) = entries
        made = f"{context.text(entry.value)}.setdefault({context.text(entry.slice)}, {context.text(node.value)})"
        yield from context.restate(node, (f"{context.text(others[0])} = {made}",))


_EMPTY: Final = ("{}", "[]", "set()", "dict()", "list()", "Counter()")


def table_of_its_own(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`__init_subclass__` with `cls.commands[name] = value` begins with `cls.commands = dict(cls.commands)`: a class
    does not change the table of the one that it is derived from."""
    if node.name != "__init_subclass__":
        return
    stored = [part for part in ast.walk(node) if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)]
    steps = statements_after_docstring(node)
    for owner in dict.fromkeys(context.text(part.value) for part in stored):
        if owner.startswith("cls.") and steps:
            yield from context.before(steps[0], (f"{owner} = dict({owner})",))


def keep_rest_of_interval(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.stamp = now`, where `dropped = (now - self.stamp) // self.interval`, becomes `self.stamp += dropped *
    self.interval`: what has begun of the next interval is not lost."""
    target, value = context.text(node.targets[0]), context.text(node.value)
    for part in context.scope.nodes:
        match part:
            case ast.Assign(
                targets=[ast.Name(id=count)],
                value=ast.BinOp(left=ast.BinOp(left=now, op=ast.Sub(), right=since), op=ast.FloorDiv(), right=size),
            ) if context.text(now) == value and context.text(since) == target:
                yield from context.restate(node, (f"{target} += {count} * {context.expression(size).at(FACTOR)}",))


def count_from_the_start(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day = add_months(day, every)` in a loop, which began with `day = add_months(start, every)`, becomes `day =
    add_months(start, count * every)`: what was cut off once is not cut off for ever."""
    loop = next(context.loops_around(node), None)
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=last) as given, step], keywords=[]) as call
        ) if last == name and loop is not None:
            pass
        case _:
            return
    counts = [p.target.id for p in ast.walk(loop) if isinstance(p, ast.AugAssign) and isinstance(p.target, ast.Name)]
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=begun)], value=ast.Call(args=[start, _]) as first):
                if begun != name or context.text(first.func) != context.text(call.func) or part is node:
                    continue
                for count in dict.fromkeys(counts):
                    times = binary_operation(Expression(count), "*", context.expression(step))
                    edits = (context.edit(given, context.expression(start)), context.edit(step, times))
                    yield WeightedEdits(edits, 1.0 if count in context.scope.unused else HALF)


def aware_moments_are_moved(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return datetime.fromisoformat(text).replace(tzinfo=zone)` becomes a question: what has a zone of its own is
    moved, `moment.astimezone(zone)`."""
    match node.value:
        case ast.Call(
            func=ast.Attribute(value=made, attr="replace"), args=[], keywords=[ast.keyword(arg="tzinfo", value=zone)]
        ):
            pass
        case _:
            return
    moment, given = context.new_name("moment", "when", "at"), context.text(zone)
    first = () if isinstance(made, ast.Name) else (f"{moment} = {context.text(made)}",)
    name = made.id if isinstance(made, ast.Name) else moment
    lines = (f"if {name}.tzinfo is not None:", f"\treturn {name}.astimezone({given})")
    yield from context.restate(node, (*first, *lines, f"return {name}.replace(tzinfo={given})"))


TEMPLATES: Final = (
    Template("stale_entries", (ast.Compare,), stale_entries, ("content", "order", "key")),
    Template("open_again", (ast.Assign,), open_again, ("shorter", "content", "key", "none")),
    Template("table_of_its_own", FUNCTIONS, table_of_its_own, ("longer", "content")),
    Template("keep_rest_of_interval", (ast.Assign,), keep_rest_of_interval, ("smaller", "larger", "content")),
    Template("count_from_the_start", (ast.Assign,), count_from_the_start, ("content", "smaller")),
    Template("aware_moments_are_moved", (ast.Return,), aware_moments_are_moved, ("content", "smaller", "larger")),
)
