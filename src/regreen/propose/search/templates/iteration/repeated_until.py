"""What is done once, and should be done again until nothing changes any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import COMPARISON
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def until_it_stays(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return re.sub(pattern, "", row)` becomes a loop in which `row` is given that until it stays the same, and what
    has become of `row` is returned."""
    made, function = node.value, context.scope.function
    if function is None or not isinstance(made, ast.Call):
        return
    for name in (given.arg for given in function.args.args):
        read = [part for part in ast.walk(made) if isinstance(part, ast.Name) and part.id == name]
        if len(read) == 1 and not context.is_called(read[0]) and callee_name(made) not in _GIVING_OTHERS:
            after = context.new_name("changed", "after")
            lines = ("while True:", f"\t{after} = {context.text(made)}", f"\tif {after} == {name}:")
            yield from context.restate(node, (*lines, f"\t\treturn {name}", f"\t{name} = {after}"))


_GIVING_OTHERS: Final = frozenset(
    {"len", "sum", "max", "min", "sorted", "int", "float", "bool", "abs", "any", "all", "isinstance", "join", "round"}
)


def replaced_until_it_stays(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text = text.replace("()", "")` becomes `while "()" in text: text = text.replace("()", "")`."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="replace"), args=[old, new]),
        ) if name == owner and not any(isinstance(loop, ast.While) for loop in context.loops_around(node)):
            if context.text(old) not in context.text(new) or context.text(new) in ('""', "''"):
                asked = f"while {context.expression(old).at(COMPARISON + 1)} in {name}:"
                yield from context.below((asked,), (node,))


TEMPLATES: Final = (
    Template("until_it_stays", (ast.Return,), until_it_stays, ("longer", "larger", "content")),
    Template("replaced_until_it_stays", (ast.Assign,), replaced_until_it_stays, ("longer", "content")),
)
