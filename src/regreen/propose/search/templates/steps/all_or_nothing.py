"""What is changed while it is still being found out whether it may be: all of it is asked for first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within
from regreen.types import Edit

_LEAVING = (ast.Raise, ast.Return)
_CHANGES = (ast.Assign, ast.AugAssign)
_CHANGING = frozenset(("append", "appendleft", "add", "clear", "extend", "insert", "pop", "popleft", "remove"))


def change_when_all_is_well(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for key, n in wanted.items(): ...; stock[key] -= n` before `if missing: raise ...` changes nothing there: the
    same rounds, with the change alone, come behind the refusal."""
    refusal = _refusal_behind(node, context)
    if refusal is None or node.orelse:
        return
    for moved in _changes_of_others(node, context):
        head = _rounds_again(node, moved, context)
        if head:
            lines = (head, *(f"\t{context.text(part)}" for part in moved))
            for put in context.after(refusal, lines):
                yield WeightedEdits((_without(moved, context), *put.edits))


def _refusal_behind(loop: ast.For, context: TemplateContext) -> ast.If | None:
    """The last of the conditions just behind a loop under which the function is left."""
    found = None
    block = context.program.block(loop)
    for part in block[block.index(loop) + 1 :]:
        if not isinstance(part, ast.If) or part.orelse or not isinstance(part.body[-1], _LEAVING):
            break
        found = part
    return found


def _changes_of_others(loop: ast.For, context: TemplateContext) -> Iterator[Sequence[ast.stmt]]:
    """The runs of steps within a loop that change what the function was given, with what prepares the change."""
    for block in _blocks(loop):
        first = end = len(block)
        while first and _is_plain(block[first - 1], context):
            first -= 1
        while end > first:
            at = next((at for at in range(first, end) if _are_of_others(block[at:end], context)), end)
            if at < end:
                yield block[at:end]
            end = min(at, end - 1)


def _are_of_others(steps: Sequence[ast.stmt], context: TemplateContext) -> bool:
    return all(_is_of_others(step, steps, context) for step in steps)


def _blocks(loop: ast.For) -> Iterator[list[ast.stmt]]:
    for part in ast.walk(loop):
        if isinstance(part, ast.For | ast.If):
            yield part.body
            if isinstance(part, ast.If) and part.orelse:
                yield part.orelse


def _is_plain(part: ast.stmt, context: TemplateContext) -> bool:
    return isinstance(part, _CHANGES) and context.program.alone(part) and "\n" not in context.text(part)


def _is_of_others(part: ast.stmt, together: Sequence[ast.stmt], context: TemplateContext) -> bool:
    """Whether a statement changes an entry or a field of a parameter, or sets a name that such a change needs."""
    assert isinstance(part, _CHANGES)
    target = part.targets[0] if isinstance(part, ast.Assign) else part.target
    if isinstance(target, ast.Name):
        later = together[together.index(part) + 1 :]
        return isinstance(part, ast.Assign) and any(target.id in names_within(other) for other in later)
    root: ast.expr = target
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    prepared = {context.text(one.targets[0]) for one in together if isinstance(one, ast.Assign)}
    return isinstance(root, ast.Name) and (root.id in context.scope.parameters or root.id in prepared)


def _rounds_again(loop: ast.For, moved: Sequence[ast.stmt], context: TemplateContext) -> str:
    """The head of a loop of the same rounds; of what they kept by its key, where a change needs a value of theirs."""
    rounds = {part.id for part in ast.walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    own = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    own |= {context.text(part.targets[0]) for part in moved if isinstance(part, ast.Assign)}
    needed = {name for part in moved for name in names_within(part) if name in rounds - own}
    if not needed:
        return f"for {context.text(loop.target)} in {context.text(loop.iter)}:"
    for part in ast.walk(loop):
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and part not in moved:
            key, value = context.text(target.slice), context.text(part.value)  # type: ignore[attr-defined]
            if needed == {value} and target.value.id not in context.scope.parameters and key in own:
                return f"for {key}, {value} in {target.value.id}.items():"
    return ""


def _without(moved: Sequence[ast.stmt], context: TemplateContext) -> Edit:
    """The edit that takes statements away, with the `else` that has nothing but them."""
    program, around = context.program, context.parent(moved[0])
    if isinstance(around, ast.If) and len(moved) == len(around.orelse) and around.orelse[0] is moved[0]:
        return Edit(program.spans[around.body[-1]][1], program.spans[moved[-1]][1], "")
    block = program.block(moved[0])
    if len(moved) == len(block):
        return Edit(program.first(moved[0]), program.spans[moved[-1]][1], "pass")
    return Edit(program.lines(moved[0])[0], program.lines(moved[-1])[1], "")


def call_before_changes(node: ast.Expr | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.send(batch)` behind `del self.items[:n]` and `del self.times[:n]` comes before them: where it fails,
    nothing was changed yet."""
    if not isinstance(node.value, ast.Call) or "\n" in context.text(node) or not context.program.alone(node):
        return
    block = context.program.block(node)
    at = first = block.index(node)
    while first and _changes_object(block[first - 1], context):
        first -= 1
    if at - first >= _SEVERAL:
        for put in context.before(block[first], (context.text(node),)):
            yield WeightedEdits((*put.edits, *context.delete(node).edits))


_SEVERAL = 2
"""To change places with one statement is what another template does."""


def _changes_object(part: ast.stmt, context: TemplateContext) -> bool:
    """Whether a statement changes what an object holds: `del self.items[0]`, `self.count += 1`, `self.todo.pop()`."""
    match part:
        case ast.Delete(targets=[target]) | ast.Assign(targets=[target]) | ast.AugAssign(target=target):
            pass
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr=method))) if method in _CHANGING:
            pass
        case _:
            return False
    return bool(context.scope.receiver) and context.text(target).startswith(f"{context.scope.receiver}.")


TEMPLATES = (
    Template("call_before_changes", (ast.Expr, ast.Assign), call_before_changes, ("longer", "content")),
    Template("change_when_all_is_well", (ast.For,), change_when_all_is_well, ("content", "longer", "shorter")),
)
