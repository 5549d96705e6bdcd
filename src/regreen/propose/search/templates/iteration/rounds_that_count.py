"""Rounds of which not all count: a better one begins anew, a counter that only some of them move on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import POSSIBLE
from regreen.propose.search.expressions import TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, variables_given, whole_number
from regreen.types import Edit


def better_one_begins_anew(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`deepest = max(deepest, depth)` becomes `if depth > deepest: deepest = depth; found = []`: what was found for a
    lesser one counts no more."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=best)],
            value=ast.Call(func=ast.Name(id="max" | "min" as chosen), args=[one, other], keywords=[]),
        ):
            pass
        case _:
            return
    texts = [context.text(one), context.text(other)]
    if best not in texts:
        return
    new = texts[1 - texts.index(best)]
    sign = ">" if chosen == "max" else "<"
    for found in _gathered(node, context):
        yield from context.restate(node, (f"if {new} {sign} {best}:", f"\t{best} = {new}", f"\t{found} = []"))


def _gathered(node: ast.stmt, context: TemplateContext) -> list[str]:
    """The lists that a function begins empty and that the loop around a node appends to."""
    loop = next(context.loops_around(node), None)
    begun = {*variables_given(context.scope.nodes, lambda value: isinstance(value, ast.List) and not value.elts)}
    calls = [part for part in ast.walk(loop) if isinstance(part, ast.Call)] if loop is not None else []
    owners = [context.text(call.func).removesuffix(".append") for call in calls]
    return [name for name in dict.fromkeys(owners) if name in begun]


def count_in_branch(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen += 1` at the end of a round moves to the end of an `if` further up in it: only such rounds are counted."""
    block = context.program.block(node)
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(target, ast.Name) or not context.program.alone(node) or not any(context.loops_around(node)):
        return
    removal = context.delete(node).edits[0]
    for step in block[: max(block.index(node) - 1, 0)]:
        if isinstance(step, ast.If) and context.program.alone(step.body[-1]) and block[-1] is node:
            last = step.body[-1]
            at = context.program.lines(last)[1]
            text = context.program.indent(last) + context.text(node) + "\n"
            yield WeightedEdits((Edit(at, at, text), removal))


def number_at_the_end(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if text.isdigit(): return int(text) * 60` behind the loop becomes `if number: total += int(number) * 60`: the
    last number counts where others came before it as well."""
    match node:
        case ast.If(
            test=ast.Call(func=ast.Attribute(value=ast.Name(id=text), attr="isdigit")),
            body=[ast.Return(value=ast.expr() as value)],
            orelse=[],
        ):
            pass
        case _:
            return
    block = context.program.block(node)
    last = block[-1].value if isinstance(block[-1], ast.Return) else None
    if not isinstance(last, ast.Name):
        return
    for number in _begun_as_texts(context):
        made = re.sub(rf"\b{text}\b", number, context.text(value))
        yield from context.restate(node, (f"if {number}:", f"\t{last.id} += {made}"))


def _begun_as_texts(context: TemplateContext) -> list[str]:
    """The variables that are begun as the empty text more than once."""
    found: list[str] = []
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value="")):
                found.append(name)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs = zip(names, values, strict=False)
                found += [context.text(name) for name, value in pairs if context.text(value) in ('""', "''")]
    return [name for name in dict.fromkeys(found) if found.count(name) > 1]


def first_as_later(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`price = None` before a loop with `price = node.get("price", price)` becomes `price = node.get("price")`: where
    it begins counts, too."""
    target = node.targets[0]
    if not isinstance(node.value, ast.Constant) or not isinstance(target, ast.Name):
        return
    for part in context.scope.nodes:
        match part:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(attr="get") as asked, args=[key, ast.Name(id=other)]),
            ) if name == other == target.id and part.lineno > node.lineno:
                given = "" if node.value.value is None else f", {context.text(node.value)}"
                yield context.put(node.value, f"{context.text(asked)}({context.text(key)}{given})")


def else_where_it_is_there(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`else: runs.append(length)` becomes `elif length: runs.append(length)`: nothing is no run."""
    if not node.orelse or isinstance(node.orelse[0], ast.If):
        return
    start, end = context.program.spans[node.body[-1]][1], context.program.spans[node.orelse[0]][0]
    between = context.program.source[start:end]
    if between.count("else:") != 1:
        return
    at = start + between.index("else:")
    calls = [part for step in node.orelse for part in ast.walk(step) if isinstance(part, ast.Call)]
    given = (part.args[0] for part in calls if callee_name(part) in ("append", "add") and len(part.args) == 1)
    for name in dict.fromkeys(part.id for part in given if isinstance(part, ast.Name)):
        yield context.replace(at, at + len("else:"), f"elif {name}:")
        yield context.replace(at, at + len("else:"), f"elif {name} > 1:", POSSIBLE)


def as_asked_of_the_first(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`least[j] = i` in a loop below `if least[i] == 0` becomes `if least[j] == 0: least[j] = i`: what has one keeps
    it."""
    entry = node.targets[0]
    if not isinstance(entry, ast.Subscript) or not isinstance(entry.slice, ast.Name):
        return
    table, place = context.text(entry.value), entry.slice.id
    for around in context.around(node):
        if isinstance(around, ast.If):
            asked = context.text(around.test)
            for part in ast.walk(around.test):
                if isinstance(part, ast.Subscript) and context.text(part.value) == table:
                    text = asked.replace(context.text(part), f"{table}[{place}]")
                    if text != asked:
                        yield from context.below((f"if {text}:",), (node,))


def begin_from_the_other_end(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A second loop, which goes back from the end, begins with `cur = a[-1]`, where the first one began with `cur =
    a[0]`."""
    match node.iter:
        case ast.Call(func=ast.Name(id="range"), args=[_, _, ast.UnaryOp(op=ast.USub())]):
            pass
        case ast.Call(func=ast.Name(id="reversed")):
            pass
        case _:
            return
    inside = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=items), slice=place)):
                if whole_number(place) == 0 and name in inside and part.lineno < node.lineno:
                    yield from context.before(node, (f"{name} = {items}[-1]",))


def guard_as_the_way_back(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if left <= right:` around the way up of a spiral has a twin: `if top <= bottom:` around the way back."""
    block = context.program.block(node)
    place = block.index(node)
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=low), ops=[ast.LtE() | ast.Lt() as op], comparators=[ast.Name(id=high)]),
            orelse=[],
        ) if place > 1:
            pass
        case _:
            return
    sign = "<=" if isinstance(op, ast.LtE) else "<"
    moved = [step.target.id for step in block if isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Name)]
    way, step = block[place - 2], block[place - 1]
    if isinstance(way, ast.For) and isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Name):
        for other in dict.fromkeys(moved):
            if other not in (low, high, step.target.id):
                yield from context.below((f"if {other} {sign} {step.target.id}:",), (way, step))


def count_begins_anew(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`height + (cell == ".")` becomes `height + 1 if cell == "." else 0`: what ends the run sets it back."""
    match node:
        case ast.BinOp(left=ast.Name(id=run), op=ast.Add(), right=ast.Compare() as asked):
            yield context.put(node, Expression(f"{run} + 1 if {context.text(asked)} else 0", TEST))


TEMPLATES: Final = (
    Template("better_one_begins_anew", (ast.Assign,), better_one_begins_anew, ("longer", "content")),
    Template("count_in_branch", (ast.AugAssign, ast.Assign), count_in_branch, ("content", "larger")),
    Template("number_at_the_end", (ast.If,), number_at_the_end, ("smaller", "content")),
    Template("first_as_later", (ast.Assign,), first_as_later, ("none", "content")),
    Template("else_where_it_is_there", (ast.If,), else_where_it_is_there, ("longer", "content")),
    Template("as_asked_of_the_first", (ast.Assign,), as_asked_of_the_first, ("larger", "content")),
    Template("begin_from_the_other_end", (ast.For,), begin_from_the_other_end, ("larger", "content")),
    Template("guard_as_the_way_back", (ast.If,), guard_as_the_way_back, ("longer", "index", "content")),
    Template("count_begins_anew", (ast.BinOp,), count_begins_anew, ("larger",)),
)
