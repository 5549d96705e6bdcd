"""Assignments that overwrite: values that nothing has read, parameters that were handed over to be changed, links and
queues that are still gone through."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.overwritten_values import overwriting_statements
from regreen.propose.search.constants import HALF, REMOTE
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.variables.shared_state import copied_value
from regreen.syntax import Function, bound_values, walk


def drop_overwriting(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """All assignments that overwrite a value which nothing has read are deleted at once."""
    found = overwriting_statements(node)
    if found and all(context.program.alone(statement) for statement in found):
        found.sort(key=lambda statement: context.program.spans[statement][0])
        edits = tuple(context.delete(statement).edits[0] for statement in found)
        yield WeightedEdits(edits)


def change_given(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`grid = turned`, of a parameter, becomes `grid[:] = turned`; of a mapping it is cleared and filled."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or target.id not in context.scope.parameters:
        return
    name, value = target.id, context.text(node.value)
    if name == context.scope.receiver or context.scope.kinds.get(name, "") in ("int", "float", "str", "bool"):
        return
    if context.scope.kinds.get(name, "") != "dict":
        end = context.program.spans[target][1]
        yield context.replace(end, end, "[:]")
    if context.scope.kinds.get(name, "") in ("dict", "set", "") and isinstance(node.value, ast.Name):
        yield from context.restate(node, (f"{name}.clear()", f"{name}.update({value})"))


def keep_next(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`head.next = before`, after which `head = head.next` goes back, is preceded by `following = head.next`."""
    target, block = node.targets[0], context.program.block(node)
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return
    link = context.text(target)
    following = context.new_name("following", "rest", "next_")
    for step in block[block.index(node) + 1 :]:
        goes_on = isinstance(step, ast.Assign) and context.text(step.targets[0]) == target.value.id
        if goes_on and context.text(step.value) == link:  # type: ignore[attr-defined]
            moved = context.edit(step.value, Expression(following))  # type: ignore[attr-defined]
            for kept in context.before(node, (f"{following} = {link}",)):
                yield WeightedEdits((*kept.edits, moved))


def next_level(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for item in queue`, whose body adds to `queue`, gathers the next level in a list of its own: `queue = following`
    after it."""
    loop = context.parent(node)
    if not isinstance(loop, ast.While) or not isinstance(node.iter, ast.Name):
        return
    queue = node.iter.id
    following = context.new_name("following", "next_level", "children")
    added = [
        context.edit(part.value, Expression(following))
        for part in context.program.below(node)
        if isinstance(part, ast.Attribute) and part.attr in ("append", "extend") and context.text(part.value) == queue
    ]
    cleared = [
        part
        for part in loop.body
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == queue and part not in ast.walk(node)
    ]
    for begun in context.before(node, (f"{following} = []",)) if added else ():
        if cleared:
            yield WeightedEdits((*begun.edits, *added, context.edit(cleared[-1].value, Expression(following))))
        else:
            for ended in context.after(node, (f"{queue} = {following}",)):
                yield WeightedEdits((*begun.edits, *added, *ended.edits))


def link_new_one(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`current.next = new` is preceded by `new.next = current.next`: what followed would be lost.

    Where items have a link back as well, `new.previous = current` belongs to it.
    """
    target = node.targets[0]
    if not isinstance(target, ast.Attribute) or not isinstance(node.value, ast.Name) or target.attr == node.value.id:
        # What is kept under its own name is no link from one item to the next.
        return
    new, link = f"{node.value.id}.{target.attr}", context.text(target)
    if not _is_stored_beside(new, node, context):
        yield from context.before(node, (f"{new} = {link}",))
    for back in context.cached_of_program("links both ways", lambda: _links(context)).get(target.attr, ()):
        if not _is_stored_beside(f"{node.value.id}.{back}", node, context):
            yield from context.before(node, (f"{node.value.id}.{back} = {context.text(target.value)}",))


def _is_stored_beside(text: str, node: ast.stmt, context: TemplateContext) -> bool:
    """Whether an attribute is set in the block of a statement, or in a block around it: other branches do not count."""
    blocks = [context.program.block(part) for part in (node, *context.around(node)) if isinstance(part, ast.stmt)]
    stored = (part for block in blocks for part in block if isinstance(part, ast.Assign))
    return any(context.text(target) == text for part in stored for target, _ in bound_values(part))


def _links(context: TemplateContext) -> dict[str, tuple[str, ...]]:
    """For each attribute that a class begins as None, the others of these: what leads on, and what leads back."""
    found: dict[str, tuple[str, ...]] = {}
    for owner in (part for part in context.program.nodes if isinstance(part, ast.ClassDef)):
        links = [
            part.targets[0].attr
            for part in walk(owner)
            if isinstance(part, ast.Assign)
            and isinstance(part.targets[0], ast.Attribute)
            and context.text(part.value) == "None"
        ]
        found |= {link: tuple(other for other in links if other != link) for link in links}
    return found


def turn_assignment(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`item["count"] = wanted` becomes `wanted = item["count"]`: the limited one and its limit have changed places."""
    target, value = node.targets[0], node.value
    if context.scope.function is not None and context.scope.function.name == "__init__":
        # There is nothing in an attribute yet.
        return
    if isinstance(target, ast.Subscript | ast.Attribute) and isinstance(value, ast.Name) and len(node.targets) == 1:
        yield from context.restate(node, (f"{value.id} = {context.text(target)}",))
    elif isinstance(target, ast.Name) and isinstance(value, ast.Subscript | ast.Attribute):
        begun = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and part.lineno < node.lineno)
        is_known = target.id in context.scope.parameters or any(
            context.text(part.targets[0]) == target.id for part in begun
        )
        # `rest = rest[1:]` turned round is no assignment of anything else.
        own = any(isinstance(part, ast.Name) and part.id == target.id for part in ast.walk(value))
        if is_known and not own:
            weight = REMOTE if _goes_through(target.id, node, context) else 1.0
            yield from context.restate(node, (f"{context.text(value)} = {target.id}",), weight)


def _goes_through(name: str, node: ast.Assign, context: TemplateContext) -> bool:
    """Whether the loop around an assignment reads the variable, too: it goes from part to part, `node = node.next`."""
    loop = next(context.loops_around(node), None)
    inside = context.program.below(loop) if loop is not None else []
    return any(isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id == name for part in inside)


def cut_behind(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`middle = slow.next` is followed by `slow.next = None`: a chain that is parted in two ends there."""
    target, value, function = node.targets[0], node.value, context.scope.function
    owner = value.value if isinstance(value, ast.Attribute) else None
    if not isinstance(target, ast.Name) or not isinstance(owner, ast.Name):
        return
    assert isinstance(value, ast.Attribute)
    if function is None or owner.id in (target.id, context.scope.receiver):
        return
    link, own = context.text(value), context.own_call(function)
    is_linked = re.search(rf"\.{value.attr} = |, \w+\.{value.attr} = ", context.program.source)
    goes_on = any(isinstance(part, ast.Call) and context.text(part.func) == own for part in context.scope.nodes)
    if is_linked and f"{link} = None" not in context.text(function):
        yield from context.after(node, (f"{link} = None",), 1.0 if goes_on else HALF)


def keep_outer_value(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`prefix = path` in a loop, and `walk(x, prefix)` behind it, become `walk(x, path)`: the next round needs the
    `prefix` that the function was given."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Name) or target.id not in context.scope.parameters:
        return
    loop, block = next(context.loops_around(node), None), context.program.block(node)
    if loop is None or not context.program.alone(node):
        return
    later = [part for statement in block[block.index(node) + 1 :] for part in context.program.below(statement)]
    reads = [part for part in later if isinstance(part, ast.Name) and part.id == target.id]
    if reads and all(isinstance(part.ctx, ast.Load) for part in reads):
        edits = [context.edit(part, Expression(value.id)) for part in reads]
        yield WeightedEdits((*context.delete(node).edits, *edits))


def keep_before_loop(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while n > 0: ...; n //= 10` that uses up a parameter, which is read behind the loop, is preceded by `given = n`,
    and `given` is read there."""
    used_up = {
        part.target.id
        for part in context.program.below(node)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)
    } & {name.id for name in ast.walk(node.test) if isinstance(name, ast.Name)}
    block = context.program.block(node)
    behind = [part for statement in block[block.index(node) + 1 :] for part in ast.walk(statement)]
    for name in context.scope.parameters:
        reads = [part for part in behind if isinstance(part, ast.Name) and part.id == name]
        if name not in used_up or not reads or not all(isinstance(read.ctx, ast.Load) for read in reads):
            continue
        kept = context.new_name("given", "original", "whole")
        for before in context.before(node, (f"{kept} = {name}",)):
            edits = (*before.edits, *(context.edit(read, Expression(kept)) for read in reads))
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def own_name_in_round(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`prefix = f"{prefix}{number}"` in a loop gives what it makes another name, `current`, which the rest of the round
    reads: each round begins with what was given."""
    loop, target = context.parent(node), node.targets[0]
    if not isinstance(loop, ast.For) or not isinstance(target, ast.Name) or node not in loop.body:
        return
    reads = [part for part in ast.walk(node.value) if isinstance(part, ast.Name) and part.id == target.id]
    rest = [part for step in loop.body[loop.body.index(node) + 1 :] for part in ast.walk(step)]
    later = [part for part in rest if isinstance(part, ast.Name) and part.id == target.id]
    known = {*context.scope.parameters} - {context.scope.receiver}
    if not reads or not later or target.id not in known or not all(isinstance(part.ctx, ast.Load) for part in later):
        return
    name = Expression(context.new_name("current", "own", "new"))
    edits = [context.edit(part, name) for part in (target, *later)]
    yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def begin_with_the_first(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`slug = f"{slug}-{number}"` in a loop becomes `slug = f"{slugify(title)}-{number}"`, with what `slug` began with:
    each round makes another ending, and no longer text of the one before."""
    loop, target = next(context.loops_around(node), None), node.targets[0]
    reads = [part for part in ast.walk(node.value) if isinstance(part, ast.Name)]
    if loop is None or not isinstance(target, ast.Name) or context.kind(node.value) not in ("str", ""):
        return
    own = [part for part in reads if part.id == target.id and part in context.program.spans]
    if len(own) == len(reads) or isinstance(node.value, ast.Call):
        # Where nothing else is read, each round goes on from the one before on purpose.
        return
    block = context.program.block(loop)
    for begun in block[: block.index(loop)] if own else ():
        is_begun = isinstance(begun, ast.Assign) and context.text(begun.targets[0]) == target.id
        if is_begun and not isinstance(begun.value, ast.Constant | ast.List | ast.Dict | ast.Name):  # type: ignore[attr-defined]
            edits = [context.edit(part, context.expression(begun.value)) for part in own]  # type: ignore[attr-defined]
            yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def as_before_the_round(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`updated[b] - updated[a]`, of `updated = dict(ratings)`, becomes `ratings[b] - ratings[a]`: what the loop changes
    is not what it reckons with."""
    if not isinstance(node.ctx, ast.Load):
        return
    copied = context.cached("copies that are changed", lambda: dict(_changed_copies(context)))
    if node.id not in copied:
        return
    statement = next((part for part in context.around(node) if isinstance(part, ast.stmt)), None)
    if not isinstance(statement, ast.Assign) or not any(context.loops_around(node)):
        return
    read = [
        part
        for part in context.program.below(statement)
        if isinstance(part, ast.Name) and part.id == node.id and isinstance(part.ctx, ast.Load)
    ]
    in_value = [part for part in read if part in context.program.below(statement.value) or part is statement.value]
    if in_value and node is in_value[0]:
        yield WeightedEdits(tuple(context.edit(part, Expression(copied[node.id])) for part in in_value))


def _changed_copies(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """Each variable that is a copy of a parameter, with that: `updated = dict(ratings)`, `list(xs)`, `xs[:]`,
    `xs.copy()`."""
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=copy)], value=value):
                own = copied_value(value, context)
                if isinstance(own, ast.Name) and own.id in context.scope.parameters:
                    yield copy, own.id


TEMPLATES = (
    Template("as_before_the_round", (ast.Name,), as_before_the_round, ("content",)),
    Template("begin_with_the_first", (ast.Assign,), begin_with_the_first, ("longer", "content")),
    Template("own_name_in_round", (ast.Assign,), own_name_in_round, ("longer", "content", "repeats")),
    Template("keep_before_loop", (ast.While,), keep_before_loop, ("content", "negated", "zero")),
    Template("keep_outer_value", (ast.Assign,), keep_outer_value, ("content",)),
    Template("cut_behind", (ast.Assign,), cut_behind, ("recursion", "longer")),
    Template("link_new_one", (ast.Assign,), link_new_one, ("shorter", "content")),
    Template("turn_assignment", (ast.Assign,), turn_assignment, ("content",)),
    Template("keep_next", (ast.Assign,), keep_next),
    Template("next_level", (ast.For,), next_level),
    Template("drop_overwriting", (ast.FunctionDef, ast.AsyncFunctionDef), drop_overwriting),
    Template("change_given", (ast.Assign,), change_given, ("none", "order", "content")),
)
