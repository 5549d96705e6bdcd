"""Variables that are worked on, and then read as what they were, or in the place of what was made of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY, POSSIBLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.value_kinds import kind_fit
from regreen.syntax import bound_values, callee_name, names_within
from regreen.types import Edit

_COPY_NAMES = ("rest", "current", "value", "left", "number")


def work_on_copy(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while n > 0: ...; n //= 10` before `return total == n` works on `rest = n`: `n` is read again after the loop."""
    used = names_within(node.test)
    for name in sorted(used & _given(node, context)):
        changed = [part for part in context.program.below(node) if isinstance(part, ast.Name) and part.id == name]
        is_changed = any(not isinstance(part.ctx, ast.Load) for part in changed)
        if not is_changed or not _is_read_after(node, name, context):
            continue
        copy = context.new_name(*_COPY_NAMES)
        renamed = tuple(Edit(*context.program.spans[part], copy) for part in changed)
        for begun in context.before(node, (f"{copy} = {name}",)):
            yield WeightedEdits((*begun.edits, *renamed))


def _given(node: ast.AST, context: TemplateContext) -> set[str]:
    """The parameters, and the variables of the loops around a node: what somebody may ask for once more."""
    targets = (loop.target for loop in context.loops_around(node) if isinstance(loop, ast.For | ast.AsyncFor))
    return {*context.scope.parameters, *(n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))}


def _is_read_after(node: ast.While, name: str, context: TemplateContext) -> bool:
    end = context.program.spans[node][1]
    read = (part for part in context.scope.nodes if isinstance(part, ast.Name) and part.id == name)
    return any(isinstance(part.ctx, ast.Load) and context.program.spans[part][0] >= end for part in read)


def keep_given(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return text == text[::-1]` after `text = clean(text)` reads what was given, kept as `given = text` at first."""
    if not isinstance(node.ctx, ast.Load) or node.id not in context.scope.parameters or context.is_called(node):
        return
    changed = context.cached("first changes", lambda: _first_changes(context)).get(node.id)
    if changed is None or context.program.spans[node][0] < context.program.spans[changed][1]:
        return
    if isinstance(context.parent(node), ast.Subscript | ast.Attribute):
        return
    copy = context.new_name("given", f"given_{node.id}")
    for begun in context.before(changed, (f"{copy} = {node.id}",)):
        yield WeightedEdits((*begun.edits, Edit(*context.program.spans[node], copy)), POSSIBLE)


def _first_changes(context: TemplateContext) -> dict[str, ast.stmt]:
    """By parameter: the statement at the top of the function in which it is first given another value."""
    function, found = context.scope.function, dict[str, ast.stmt]()
    for statement in function.body if function is not None else ():
        for part in (statement, *context.program.below(statement)):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id in context.scope.parameters:
                found.setdefault(part.id, statement)
    return found


def derived_name(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`parent[a]` after `root = find(a)` becomes `parent[root]`: what was made of a variable was meant."""
    if not isinstance(node.ctx, ast.Load) or context.is_called(node):
        return
    at = context.program.spans[node][0]
    for name, end in context.cached("derived names", lambda: _derived(context)).get(node.id, ()):
        if at >= end:
            weight = kind_fit(context.kind(node), context.scope.kinds.get(name, ""))
            yield context.put(node, name, weight)


_MEASURING = frozenset("len sum min max range enumerate any all iter next count index open print".split())
"""Functions whose results stand for something else than what they are given."""


def _derived(context: TemplateContext) -> dict[str, list[tuple[str, int]]]:
    """By variable: those that are made of it by a call alone, with the offset behind that."""
    found: dict[str, list[tuple[str, int]]] = {}
    for statement in context.scope.nodes:
        for made, call in bound_values(statement) if isinstance(statement, ast.Assign) else ():
            source = _source_of(call)
            if isinstance(made, ast.Name) and source not in ("", made.id):
                found.setdefault(source, []).append((made.id, context.program.spans[statement][1]))
    return found


def _source_of(call: ast.expr) -> str:
    """`x` of `f(x)`, `x.strip()` and `f(x.strip())`; empty for anything else."""
    if not isinstance(call, ast.Call) or callee_name(call) in _MEASURING:
        return ""
    parts = [*call.args, call.func.value] if isinstance(call.func, ast.Attribute) else call.args
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    inner = [_source_of(part) for part in parts if isinstance(part, ast.Call)]
    found = [name for name in (*names, *inner) if name]
    return found[0] if len(set(found)) == 1 else ""


def take_absolute(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while n > 0: ...; n //= 10` comes after `n = abs(n)`: a negative number has digits, too."""
    text = " ".join(context.text(part) for part in node.body)
    for name in sorted(names_within(node.test)):
        if re.search(rf"\b{name} % ", text) and re.search(rf"\b{name} //= |\b{name} = {name} // |divmod\({name}", text):
            yield from context.before(node, (f"{name} = abs({name})",))
            yield from context.before(node, (f"if {name} < 0:", "\treturn False"), LIKELY)


def store_worked_value(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`level = entry[1]; level += n` is followed by `entry[1] = level`: a number that is worked on is no entry."""
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(target, ast.Name):
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.Assign) or part is node or context.text(part.targets[0]) != target.id:
            continue
        place = part.value
        if not isinstance(place, ast.Subscript | ast.Attribute) or part.lineno >= node.lineno:
            continue
        if context.text(place) not in context.cached("stored places", lambda: _stored_places(context)):
            yield from context.after(node, (f"{context.text(place)} = {target.id}",))


def _stored_places(context: TemplateContext) -> frozenset[str]:
    places = (part for part in context.scope.nodes if isinstance(part, ast.Subscript | ast.Attribute))
    return frozenset(context.text(place) for place in places if not isinstance(place.ctx, ast.Load))


def value_that_is_made_of_it(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`income = income + prices[item]` becomes `income = income + cost`, where `cost = prices[item] * amount` was
    worked out before: for all of them, and not for one."""
    added = node.value.right if isinstance(node.value, ast.BinOp) else node.value
    if not isinstance(added, ast.Subscript | ast.Attribute):
        return
    text = context.text(added)
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value) if part is not node:
                made_of = {
                    context.text(inner) for inner in ast.walk(value) if isinstance(inner, ast.Subscript | ast.Attribute)
                }
                if text in made_of:
                    yield context.put(added, name)


TEMPLATES = (
    Template("store_worked_value", (ast.Assign, ast.AugAssign), store_worked_value, ("content",)),
    Template("work_on_copy", (ast.While,), work_on_copy, ("negated", "content", "zero")),
    Template("keep_given", (ast.Name,), keep_given, ("negated", "content")),
    Template("derived_name", (ast.Name,), derived_name, ("content", "negated")),
    Template("take_absolute", (ast.While,), take_absolute, ("zero", "hang", "sign")),
    Template(
        "value_that_is_made_of_it",
        (ast.AugAssign, ast.Assign),
        value_that_is_made_of_it,
        ("smaller", "larger", "content"),
    ),
)
