"""What a round keeps: what it compared with the best so far, the least of all that fit, and what it builds on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import NOT, SUM, TEST
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.iteration.compared_values import bound_by_block, sides_compared
from regreen.syntax import bound_values, names_within
from regreen.types import Edit


def keep_what_was_compared(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if event["minutes"] > longest: longest = total` becomes `longest = event["minutes"]`: what is the largest so far
    is kept, and nothing else."""
    sides = sides_compared(node.test, context)
    for kept, new in (sides, sides[::-1]):
        for target, value in bound_by_block(node.body):
            if kept and context.text(target) == kept and context.text(value) != new and kept not in context.text(value):
                yield context.put(value, new)


def build_on_looked_up(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total = event["minutes"]` behind `total, longest = days.get(day, (0, 0))` becomes `total += event["minutes"]`:
    what was looked up just before is what it is added to."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or target.id in names_within(value):
        return
    block = context.program.block(node)
    for step in reversed(block[: block.index(node)]):
        if target.id in _bound(step):
            text = context.expression(value)
            yield from context.restate(node, (f"{target.id} += {text.at(TEST)}",))
            yield from context.restate(node, (f"{target.id} = {target.id} - {text.at(SUM + 1)}",), HALF)
            yield from (context.put(value, f"{pick}({target.id}, {text.at(TEST)})", HALF) for pick in ("max", "min"))
            return
        if target.id in names_within(step):
            return


def _bound(step: ast.stmt) -> list[str]:
    """The variables that an assignment binds, those of an unpacked value among them."""
    if not isinstance(step, ast.Assign):
        return []
    pairs = list(bound_values(step))
    parts = [part for target, _ in pairs for part in ast.walk(target)]
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def least_of_those_found(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if fits: return size` in a loop becomes `if fits and (best is None or size < best): best = size`, where `best`
    is returned in the end and never set: the first that is found need not be the least."""
    branch, loop, value = context.parent(node), next(context.loops_around(node), None), node.value
    if not isinstance(branch, ast.If) or len(branch.body) != 1 or loop is None or value is None or branch.orelse:
        return
    new = context.text(value)
    for best, start in context.cached("kept and never set", lambda: _never_set(context)):
        unset = f"{best} is None" if start == "None" else f"{best} == {start}"
        for order in "<>":
            better = f"{new} {order} {best}"
            asked = better if "inf" in start or (start == "0" and order == ">") else f"({unset} or {better})"
            own = context.expression(branch.test).at(NOT)
            edits = (
                Edit(*context.program.spans[branch.test], f"{own} and {asked}"),
                Edit(*context.program.spans[node], f"{best} = {new}"),
            )
            yield WeightedEdits(edits, 1.0 if order == "<" else HALF)


def _never_set(context: TemplateContext) -> list[tuple[str, str]]:
    """The variables that a function begins, returns in the end and sets nowhere else, each with its first value."""
    function = context.scope.function
    last = function.body[-1] if function is not None else None
    name = last.value.id if isinstance(last, ast.Return) and isinstance(last.value, ast.Name) else ""
    stored = [part for part in context.scope.nodes if isinstance(part, ast.Name) and part.id == name]
    begun = [context.parent(part) for part in stored if isinstance(part.ctx, ast.Store)]
    if name and len(begun) == 1 and isinstance(begun[0], ast.Assign):
        return [(name, context.text(begun[0].value))]
    return []


def keep_as_the_twin_does(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`new[last] = swap`, beside `if same < new.get(other, same + 1): new[other] = same`, becomes a step under the same
    question: the better one stays."""
    match node:
        case ast.Assign(targets=[ast.Subscript(value=table, slice=ast.Name(id=key))], value=ast.Name(id=value)):
            pass
        case _:
            return
    for twin in context.program.block(node):
        match twin:
            case ast.If(
                test=test,
                body=[
                    ast.Assign(targets=[ast.Subscript(value=held, slice=ast.Name(id=other))], value=ast.Name(id=new))
                ],
                orelse=[],
            ) if context.text(held) == context.text(table):
                asked = _renamed(context.text(test), {other: key, new: value})
                yield from context.below((f"if {asked}:",), (node,))


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A text of Python with other names in the places of some."""
    return re.sub(r"\b\w+\b", lambda found: names.get(found[0], found[0]), text)


def keep_the_largest_of_each(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`highest.setdefault(name, bid)` becomes `highest[name] = max(highest.get(name, bid), bid)`, or `min`: not the
    first of each stays, but the best."""
    match node.value:
        case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[key, value]):
            held, name, new = (context.text(part) for part in (table, key, value))
            for best in ("min", "max") if _LEAST.search(held) else ("max", "min"):
                line = f"{held}[{name}] = {best}({held}.get({name}, {new}), {new})"
                yield from context.restate(node, (line,))


_LEAST: Final = re.compile(r"(?i)least|low|min|cheap|short|small|earl|near|first")


TEMPLATES = (
    Template("least_of_those_found", (ast.Return,), least_of_those_found, ("larger", "smaller")),
    Template("keep_what_was_compared", (ast.If,), keep_what_was_compared, ("content", "larger", "smaller")),
    Template("build_on_looked_up", (ast.Assign,), build_on_looked_up, ("smaller", "content", "shorter")),
    Template("keep_as_the_twin_does", (ast.Assign,), keep_as_the_twin_does, ("larger", "smaller", "content")),
    Template("keep_the_largest_of_each", (ast.Expr,), keep_the_largest_of_each, ("smaller", "larger", "content")),
)
