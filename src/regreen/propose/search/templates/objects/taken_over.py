"""What an object should take over from another one, or begin with, since others read it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import FAST_DECLINE, HALF, LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function

_LACKING: Final = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_FIRST_VALUES: Final = ("None", "[]", "0", "{}", "False", '""', "set()")


def take_over_field(node: ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`root.right = delete(root.right, heir.key)` comes with `root.key = heir.key`: what takes a place takes over what
    stood there."""
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    given = [argument for call in calls for argument in call.args if isinstance(argument, ast.Attribute)]
    owners = {context.text(a.value) for a in ast.walk(node) if isinstance(a, ast.Attribute)}
    for argument in given:
        for owner in sorted(owners - {context.text(argument.value)}):
            line = f"{owner}.{argument.attr} = {context.text(argument)}"
            if owner.isidentifier() and line not in context.program.source:
                yield from context.before(node, (line,))
                yield from context.after(node, (line,), LIKELY)


def begin_with_field(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.next = None` ends the constructor of a class of which a check told that its objects have no `next`."""
    owner = context.program.class_of(node)
    if owner is None or node.name != "__init__":
        return
    for class_name, field in dict.fromkeys(_LACKING.findall(context.clues.details)):
        if class_name == owner.name and field not in context.scope.attributes:
            given = [name for name in context.scope.parameters if name != context.scope.receiver]
            values = [*(name for name in given if name == field), *_FIRST_VALUES, *(n for n in given if n != field)]
            for rank, value in enumerate(values):
                weight = (
                    max(1.0 - FAST_DECLINE * rank, FAST_DECLINE) if value not in given else 1.0 if rank == 0 else HALF
                )
                yield from context.after(node.body[-1], (f"{context.scope.receiver}.{field} = {value}",), weight)


TEMPLATES = (
    Template("take_over_field", (ast.Assign, ast.Expr), take_over_field, ("content",)),
    Template("begin_with_field", FUNCTIONS, begin_with_field, ("attribute",)),
)
