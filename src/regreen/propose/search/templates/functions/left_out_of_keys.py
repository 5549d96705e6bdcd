"""Parameters that keys leave out: what a kept result depends on, and a function by which items are told apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within
from regreen.types import Edit


def key_with_parameter(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cache[path]`, of what is made of `path` and `lang`, becomes `cache[(path, lang)]` everywhere."""
    parameters = [name for name in context.scope.parameters if name != context.scope.receiver]
    for table, key in _kept(node, context):
        places = list(_keys_of(node, table, key, context))
        others = [_as_part_of_key(name, node) for name in parameters if name != key]
        if key in parameters and len(places) > 1:
            for weight, more in ((1.0, others[:1]), (LIKELY, others)):
                if more and (weight == 1.0 or len(more) > 1):
                    text = f"({', '.join((key, *more))})"
                    edits = (context.program.spans[place] for place in places)
                    yield WeightedEdits(tuple(Edit(start, end, text) for start, end in edits), weight)


def _as_part_of_key(name: str, function: Function) -> str:
    """A parameter as a key may hold it: keywords as pairs, in order."""
    given = function.args.kwarg
    return f"tuple(sorted({name}.items()))" if given is not None and given.arg == name else name


def _kept(node: Function, context: TemplateContext) -> list[tuple[str, str]]:
    """The tables that a function stores something in, with the name that is the key."""
    stored = (part for part in context.program.below(node) if isinstance(part, ast.Subscript))
    return list(
        dict.fromkeys(
            (context.text(part.value), part.slice.id)
            for part in stored
            if isinstance(part.ctx, ast.Store) and isinstance(part.slice, ast.Name)
        )
    )


def _keys_of(node: Function, table: str, key: str, context: TemplateContext) -> Iterator[ast.Name]:
    """Where a name is the key of a table: `table[key]`, `key in table`, `table.get(key)`."""
    for part in context.program.below(node):
        if isinstance(part, ast.Subscript) and context.text(part.value) == table:
            found: ast.expr = part.slice
        elif isinstance(part, ast.Compare) and context.text(part.comparators[0]) == table:
            found = part.left
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.args:
            if context.text(part.func.value) != table:
                continue
            found = part.args[0]
        else:
            continue
        if isinstance(found, ast.Name) and found.id == key:
            yield found


def compare_by_key(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if item not in seen: seen.add(item)` for a parameter `key=None` that nothing reads: the loop begins with
    `mark = key(item) if key else item`, and keeps that."""
    keys = [name for name in context.scope.parameters if name in context.scope.unused and "key" in name]
    if not keys or not isinstance(node.target, ast.Name):
        return
    item, mark = node.target.id, context.new_name("mark", "value", "kept")
    places = []
    for part in context.program.below(node):
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In | ast.NotIn):
            places.append(part.left)
        elif isinstance(part, ast.Call) and callee_name(part) == "add" and len(part.args) == 1:
            places.append(part.args[0])
    asked = [place for place in places if isinstance(place, ast.Name) and place.id == item]
    if not asked:
        return
    for begun in context.before(node.body[0], (f"{mark} = {keys[0]}({item}) if {keys[0]} else {item}",)):
        yield WeightedEdits((*begun.edits, *(context.edit(place, Expression(mark)) for place in asked)))


def names_count_as_well(node: ast.GeneratorExp | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tuple(kwargs[name] for name in sorted(kwargs))` becomes `tuple((name, kwargs[name]) for ...)`: two calls with
    other names are two."""
    match node:
        case (
            ast.GeneratorExp(elt=ast.Subscript(value=table, slice=ast.Name(id=name)) as entry)
            | ast.ListComp(elt=ast.Subscript(value=table, slice=ast.Name(id=name)) as entry)
        ):
            pass
        case _:
            return
    first = node.generators[0]
    if context.text(first.target) == name and context.text(table) in names_within(first.iter):
        yield context.put(entry, f"({name}, {context.text(entry)})")


TEMPLATES = (
    Template("key_with_parameter", FUNCTIONS, key_with_parameter, ("content",)),
    Template("compare_by_key", (ast.For,), compare_by_key, ("longer", "content")),
    Template(
        "names_count_as_well",
        (ast.GeneratorExp, ast.ListComp),
        names_count_as_well,
        ("content", "smaller", "larger", "shorter"),
    ),
)
