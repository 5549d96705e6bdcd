"""What is changed for a while and put back: the last step, lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import names_within


def put_back_kept(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`old = schema.required`, which nothing reads, asks for `schema.required = old` where that has changed."""
    target, place = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(place, ast.Attribute | ast.Subscript):
        return
    kept = context.text(place)
    if "\n" in kept or any(_reads(part, target.id) for part in context.scope.nodes):
        return
    block = context.program.block(node)
    changing = [step for step in block[block.index(node) + 1 :] if _sets(step, kept, context)]
    if changing:
        yield from context.after(changing[-1], (f"{kept} = {target.id}",))


def _reads(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)


def _sets(statement: ast.stmt, place: str, context: TemplateContext) -> bool:
    """Whether a statement, or one within it, gives a place another value."""
    changes = (part for part in ast.walk(statement) if isinstance(part, ast.Assign | ast.AugAssign))
    targets = (t for part in changes for t in (part.targets if isinstance(part, ast.Assign) else [part.target]))
    return any(context.text(target) == place for target in targets)


def save_changed(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Where models are Django's, `order.paid = True` asks for `order.save()` behind it: a data base keeps what it is
    told to keep."""
    target = node.targets[0]
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name):
        return
    owner = target.value.id
    if not context.cached_of_program("has Django's models", lambda: _has_models(context.program.source)):
        return
    if owner == context.scope.receiver and not _is_model(context):
        return
    block = context.program.block(node)
    following = block[block.index(node) + 1 :]
    if following and isinstance(following[0], ast.Assign) and owner in names_within(following[0].targets[0]):
        # The last of several is the place.
        return
    if not any(f"{owner}.save(" in context.text(step) for step in following):
        yield from context.after(node, (f"{owner}.save()",))


def _has_models(source: str) -> bool:
    return "models.Model" in source or ".objects." in source


def _is_model(context: TemplateContext) -> bool:
    """Whether the function is a method of a class whose base is a model."""
    function = context.scope.function
    owner = context.parent(function) if function is not None else None
    bases = owner.bases if isinstance(owner, ast.ClassDef) else []
    return any(context.text(base).rpartition(".")[2].endswith("Model") for base in bases)


def put_rest_back(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left, cost = lots.popleft()` and `taken = min(left, wanted)` ask for `if taken < left: lots.appendleft((left -
    taken, cost))`: of what was taken off and not used up, the rest."""
    if not isinstance(node.value, ast.Call) or not isinstance(node.targets[0], ast.Name):
        return
    call, taken, block = node.value, node.targets[0].id, context.program.block(node)
    parts = [context.text(argument) for argument in call.args]
    if context.text(call.func) != "min":
        return
    for step in block[: block.index(node)]:
        value = step.value if isinstance(step, ast.Assign) else None
        if not isinstance(step, ast.Assign) or not isinstance(value, ast.Call):
            continue
        if not isinstance(value.func, ast.Attribute):
            continue
        back = _BACK.get(context.text(value)[len(context.text(value.func.value)) :])
        names = context.text(step.targets[0]).strip("()").split(", ")
        for left in (name for name in names if back and name in parts):
            rest = ", ".join(f"{left} - {taken}" if name == left else name for name in names)
            whole = f"({rest})" if len(names) > 1 else rest
            line = f"{context.text(value.func.value)}.{back.format(whole)}"  # type: ignore[union-attr]
            for place in (node, block[-1]):
                yield from context.after(place, (f"if {taken} < {left}:", f"\t{line}"))


def put_back_absence(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.cells[key] = before`, of what another method keeps of `self.cells.get(key)`, becomes `self.cells.pop(key,
    None)` where `before` is None: there was no entry."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Name) or isinstance(target.slice, ast.Slice):
        return
    table, key = context.text(target.value), context.text(target.slice)
    looked_up = context.cached_of_program("tables asked with get", lambda: _asked_with_get(context))
    if table in looked_up and table.partition(".")[0] == context.scope.receiver:
        lines = (f"if {value.id} is None:", f"\t{table}.pop({key}, None)", "else:", f"\t{context.text(node)}")
        yield from context.restate(node, lines)


def _asked_with_get(context: TemplateContext) -> frozenset[str]:
    """The tables that are asked for what may be missing, `table.get(key)`, so that None is kept for it."""
    calls = (part for part in context.program.nodes if isinstance(part, ast.Call) and len(part.args) == 1)
    asked = (part.func for part in calls if isinstance(part.func, ast.Attribute) and part.func.attr == "get")
    return frozenset(context.text(part.value) for part in asked)


_BACK: Final = {
    ".popleft()": "appendleft({})",
    ".pop()": "append({})",
    ".pop(0)": "insert(0, {})",
}


TEMPLATES = (
    Template("put_back_absence", (ast.Assign,), put_back_absence, ("longer", "content", "key")),
    Template("put_rest_back", (ast.Assign,), put_rest_back, ("content", "smaller")),
    Template("put_back_kept", (ast.Assign,), put_back_kept),
    Template("save_changed", (ast.Assign,), save_changed),
)
