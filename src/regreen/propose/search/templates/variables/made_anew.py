"""Tables that outlive a call, and numbers of which one digit is read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, names_within, values_given
from regreen.types import Edit


def fresh_with_each_call(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`used = {}` of the module, which one function alone fills, moves into that function: each call begins anew."""
    first = statements_after_docstring(node)[:1]
    if not first or not context.program.alone(first[0]):
        return
    inside = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    read = [part.id for part in context.program.nodes if isinstance(part, ast.Name)]
    for step in context.program.tree.body:
        match step:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() | ast.List() | ast.Call() as value):
                is_empty = context.text(value) in _EMPTY
                if is_empty and inside.count(name) and read.count(name) == inside.count(name) + 1:
                    removal = context.delete(step).edits
                    at = context.program.lines(first[0])[0]
                    line = f"{context.program.indent(first[0])}{name} = {context.text(value)}\n"
                    yield WeightedEdits((*removal, Edit(at, at, line)))


_EMPTY: Final = ("{}", "[]", "set()", "dict()", "list()")


def whole_number_before(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(code[i - 1])` becomes the whole number that ends there, with what `code[:i].rstrip("0123456789")` leaves."""
    match node:
        case ast.Call(
            func=ast.Name(id="int"),
            args=[
                ast.Subscript(
                    value=ast.Name(id=text),
                    slice=ast.BinOp(left=ast.Name(id=place), op=ast.Sub(), right=ast.Constant(value=1)),
                ) as digit
            ],
        ):
            start = f'len({text}[:{place}].rstrip("0123456789"))'
            yield context.put(digit, f"{text}[{start}:{place}]")


def what_is_left_of_either(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(a) > len(b): out += a[i:]` behind `while i < len(a) and j < len(b)` becomes `if i < len(a): ...`: the
    longer one need not be the one that has something left."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    match before:
        case ast.While(test=ast.BoolOp(op=ast.And(), values=[one, other])):
            for test in (one, other):
                yield context.put(node.test, context.expression(test))


def work_out_again(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`start = rest` in a loop is followed by `room = width - len(start)`, where `room = width - len(first)` was worked
    out before the loop and `start` began as `first`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=changed)], value=ast.Name()) if any(context.loops_around(node)):
            pass
        case _:
            return
    aliases = {changed}
    for value in values_given(context.scope.nodes, changed):
        if isinstance(value, ast.Name) and context.text(value) != context.text(node.value):
            aliases.add(value.id)
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=derived)], value=ast.BinOp() | ast.Call() as value):
                used = aliases & names_within(value)
                is_once = len([*values_given(context.scope.nodes, derived)]) == 1
                if used and is_once and derived != changed and not any(context.loops_around(part)):
                    line = re.sub(rf"\b{used.pop()}\b", changed, context.text(value))
                    yield from context.after(node, (f"{derived} = {line}",))


TEMPLATES: Final = (
    Template("fresh_with_each_call", FUNCTIONS, fresh_with_each_call, ("content", "larger", "longer")),
    Template("whole_number_before", (ast.Call,), whole_number_before, ("longer", "shorter", "smaller", "content")),
    Template("what_is_left_of_either", (ast.If,), what_is_left_of_either, ("shorter", "longer", "content")),
    Template("work_out_again", (ast.Assign,), work_out_again, ("content", "longer", "shorter")),
)
