"""Entries that are put in the place of others, which leave traces elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.variables.unread_variables import marks_of_missing
from regreen.syntax import FUNCTIONS, Function
from regreen.types import Edit


def take_out_before(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method with `self.items[key] = ...` begins with `if key in self.items: self.remove(key)`, where `remove` takes
    such an entry out."""
    owner = context.parent(node)
    body = statements_after_docstring(node)
    if not isinstance(owner, ast.ClassDef) or not body:
        return
    parameters = {argument.arg for argument in node.args.args[1:]}
    removers = _removers(owner, context)
    called = {part.attr for part in context.program.below(node) if isinstance(part, ast.Attribute)}
    for table, key in dict.fromkeys(_stored(node, context)):
        if key in parameters:
            for remover in removers.get(table, ()):
                if remover != node.name and remover not in called:
                    yield from context.before(body[0], (f"if {key} in {table}:", f"\tself.{remover}({key})"))


def _stored(method: Function, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """Table and key of the entries that a method stores."""
    for part in context.program.below(method):
        match part:
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute() as table, slice=ast.Name(id=key))]):
                yield context.text(table), key


def _removers(owner: ast.ClassDef, context: TemplateContext) -> dict[str, list[str]]:
    """Table -> the methods that take the entry of their one argument out of it."""
    found: dict[str, list[str]] = {}
    for method in (part for part in owner.body if isinstance(part, FUNCTIONS) and len(part.args.args) == 2):
        key = method.args.args[1].arg
        for table in dict.fromkeys(_taken_from(method, key, context)):
            found.setdefault(table, []).append(method.name)
    return found


def _taken_from(method: Function, key: str, context: TemplateContext) -> Iterator[str]:
    """What a method takes the entry of a key out of."""
    for part in context.program.below(method):
        match part:
            case ast.Delete(targets=[ast.Subscript(value=table, slice=ast.Name(id=taken))]) if taken == key:
                yield context.text(table)
            case ast.Call(func=ast.Attribute(value=table, attr="pop"), args=[ast.Name(id=taken), *_]) if taken == key:
                yield context.text(table)


def replace_equal_key(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if key < node.key: ... else: ...` of a tree gets `elif key > node.key:`, and `else: node.value = value`: a key
    that is there already gets the new value."""
    test, function = node.test, context.scope.function
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Lt | ast.Gt):
        return
    key, held = test.left, test.comparators[0]
    if not isinstance(key, ast.Name) or not isinstance(held, ast.Attribute) or not isinstance(held.value, ast.Name):
        return
    if function is None or not node.orelse or isinstance(node.orelse[0], ast.If):
        return
    field = context.text(held.value)
    known = {part.attr for part in context.program.nodes if isinstance(part, ast.Attribute)}
    further = [name for name in context.scope.parameters if name in known and name not in (key.id, field)]
    sign = ">" if isinstance(test.ops[0], ast.Lt) else "<"
    head = _else_of(node, context)
    if not further or head is None:
        return
    asked = Edit(*head, f"elif {key.id} {sign} {context.text(held)}:")
    given = [f"\t{field}.{name} = {name}" for name in further]
    for put in context.after(node, ("else:", *given)):
        yield WeightedEdits((asked, *put.edits))


def _else_of(node: ast.If, context: TemplateContext) -> tuple[int, int] | None:
    """Where `else:` stands before the other branch of a condition; None where its lines cannot be told."""
    source = context.program.source
    start = context.program.spans[node.body[-1]][1]
    end = context.program.first(node.orelse[0])
    at = source.find("else:", start, end)
    return None if at < 0 or "#" in source[start:end] else (at, at + len("else:"))


def gone_at_nothing(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stock[item] = left` becomes `if left: stock[item] = left` and, `else:`, `stock.pop(item, None)`: what falls to
    zero has no entry."""
    place, left = node.targets[0], node.value
    if not isinstance(place, ast.Subscript) or isinstance(place.slice, ast.Slice) or not isinstance(left, ast.Name):
        return
    gone = f"{context.text(place.value)}.pop({context.text(place.slice)}, None)"
    yield from context.restate(node, (f"if {left.id}:", f"\t{context.text(node)}", "else:", f"\t{gone}"))


def mark_what_is_gone(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.slots[i] = None` becomes `self.slots[i] = GONE`, where the module has such a mark (`GONE = object()`): what
    was there once is not what never was."""
    if (
        not isinstance(node.targets[0], ast.Subscript)
        or not isinstance(node.value, ast.Constant)
        or node.value.value is not None
    ):
        return
    for mark in marks_of_missing(context):
        yield context.put(node.value, mark)


TEMPLATES = (
    Template("mark_what_is_gone", (ast.Assign,), mark_what_is_gone, ("none", "content")),
    Template("gone_at_nothing", (ast.Assign,), gone_at_nothing, ("longer", "content")),
    Template("replace_equal_key", (ast.If,), replace_equal_key, ("content", "longer")),
    Template("take_out_before", FUNCTIONS, take_out_before, ("content", "longer")),
)
