"""Lists that are compared and need not be as long as one another, and results in the order in which they came last."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.expressions import SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name


def zeros_at_the_end(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return [int(part) for part in version.split(".")]` gains `while parts and parts[-1] == 0: parts.pop()`: 1.0 is
    no later than 1."""
    match node.value:
        case ast.ListComp(
            elt=ast.Call(func=ast.Name(id="int")), generators=[ast.comprehension(iter=ast.Call() as split)]
        ) if callee_name(split) == "split":
            pass
        case _:
            return
    if isinstance(node, ast.Return):
        parts = context.new_name("parts", "numbers")
        strip = (f"while {parts} and {parts}[-1] == 0:", f"\t{parts}.pop()")
        yield from context.restate(node, (f"{parts} = {context.text(node.value)}", *strip, f"return {parts}"))
    elif isinstance(node.targets[0], ast.Name):
        parts = node.targets[0].id
        yield from context.after(node, (f"while {parts} and {parts}[-1] == 0:", f"\t{parts}.pop()"))


def key_to_the_end(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table[key] = value` in a loop gains `table.pop(key, None)` before it: what is set again comes last."""
    match node.targets:
        case [ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=key))] if context.kind(
            node.targets[0].value  # type: ignore[attr-defined]
        ) == "dict" and any(context.loops_around(node)):
            yield from context.before(node, (f"{table}.pop({key}, None)",))


def all_that_are_most_common(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for vote, count in counts.most_common(1)` becomes `for vote, count in counts.items() if count ==
    max(counts.values())`: several may be as common."""
    match node:
        case ast.comprehension(
            target=ast.Tuple(elts=[_, ast.Name(id=count)]),
            iter=ast.Call(
                func=ast.Attribute(value=ast.Name(id=counts), attr="most_common"), args=[ast.Constant(value=1)]
            ),
            ifs=[],
        ):
            yield context.put(node.iter, f"{counts}.items() if {count} == max({counts}.values())")


def number_before_text(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return digits + letters` becomes `return int(digits), letters`: 7 comes before 12."""
    match context.parent(node), node:
        case ast.Return(), ast.BinOp(left=ast.Name(id=first), op=ast.Add(), right=ast.Name(id=second)) if any(
            isinstance(part, ast.Call) and callee_name(part) in _ASKING for part in context.scope.nodes
        ):
            yield context.put(node, Expression(f"(int({first}), {second})"))
            yield context.put(node, Expression(f"({first}, int({second}))"))


_ASKING: Final = frozenset({"isdigit", "isdecimal", "isnumeric", "isalpha"})


def length_of_cycle(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while x not in seen: seen.append(x)`, and behind it `len(seen)`: `len(seen) - seen.index(x)` is how many come
    again."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=seen)]):
            pass
        case _:
            return
    for loop in context.scope.nodes:
        match loop:
            case ast.While(
                test=ast.Compare(left=ast.Name(id=value), ops=[ast.NotIn()], comparators=[ast.Name(id=held)])
            ) if held == seen and loop not in context.loops_around(node):
                yield context.put(node, Expression(f"len({seen}) - {seen}.index({value})", SUM))


TEMPLATES: Final = (
    Template("zeros_at_the_end", (ast.Return, ast.Assign), zeros_at_the_end, ("content", "order", "kind", "longer")),
    Template("key_to_the_end", (ast.Assign,), key_to_the_end, ("order", "content")),
    Template("all_that_are_most_common", (ast.comprehension,), all_that_are_most_common, ("shorter",)),
    Template("number_before_text", (ast.BinOp,), number_before_text, ("order", "content")),
    Template("length_of_cycle", (ast.Call,), length_of_cycle, ("larger", "close")),
)
