"""Conditions whose question is lost: `if char:` for `if char.isdigit():`, `while j >= 0` for `... and xs[j] > item`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, PROBABLE
from regreen.propose.search.expressions import (
    AND,
    COMPARISON,
    Expression,
    binary_operation,
    bool_operation,
    comparison,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name, names_within

_KINDS_OF_SIGNS: Final = ("isdigit", "isalpha", "isupper", "islower", "isspace", "isalnum")


def ask_what_sign_it_is(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if char:` in a loop over a text becomes `if char.isdigit():`, `.isalpha()`, ...: each sign is true by itself."""
    if _is_asked(node, context) and context.kind(node) in ("str", "") and node.id in _loop_targets(node, context):
        for rank, method in enumerate(_KINDS_OF_SIGNS):
            yield context.put(node, f"{node.id}.{method}()", LIKELY ** (rank // 2))


def ask_by_turns(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`3 if i else 1` becomes `3 if i % 2 else 1`, or `if i % 2 == 0`: a counter is true but once."""
    if _is_asked(node, context) and context.kind(node) in ("int", "") and node.id in _loop_targets(node, context):
        half = binary_operation(Expression(node.id), "%", Expression("2"))
        yield context.put(node, half)
        yield context.put(node, comparison(half, "==", Expression("0")))
        yield context.put(node, comparison(Expression(node.id), ">", Expression("1")), HALF)


def _is_asked(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a name is a condition, one of several, or denied."""
    around = context.parent(node)
    return context.is_condition(node) or (isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not))


def _loop_targets(node: ast.AST, context: TemplateContext) -> set[str]:
    """What the loops and comprehensions around a node give names to."""
    targets = [loop.target for loop in context.loops_around(node) if isinstance(loop, ast.For | ast.AsyncFor)]
    for part in context.around(node):
        if isinstance(part, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            targets += [loop.target for loop in part.generators]
    return {name for target in targets for name in names_within(target)}


def ask_kind_before_recursion(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if depth > 0: out.extend(flat(item, depth - 1))` becomes `if isinstance(item, list) and depth > 0: ...`: what
    is no list has nothing to go down into."""
    function = context.scope.function
    if function is None or "isinstance(" in context.text(node.test):
        return
    targets = _loop_targets(node, context)
    for part in context.program.below(node.body[0]):
        if isinstance(part, ast.Call) and callee_name(part) == function.name:
            for item in (a.id for a in part.args if isinstance(a, ast.Name) and a.id in targets):
                for kind, weight in (("list", 1.0), ("dict", PROBABLE), ("(list, tuple)", HALF)):
                    asked = Expression(f"isinstance({item}, {kind})")
                    yield context.put(node.test, bool_operation(asked, "and", context.expression(node.test)), weight)
            return


def stop_where_it_fits(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while j >= 0: xs[j + 1] = xs[j]; j -= 1` becomes `while j >= 0 and xs[j] > item: ...`, where `item` is put in
    behind the loop; by what the program works out of each, too."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Name):
        return
    moved = next((part for part in node.body if isinstance(part, ast.Assign) and _moves_on(part)), None)
    block = context.program.block(node)
    later = block[block.index(node) + 1 : block.index(node) + 2]
    put_in = later[0].value if later and isinstance(later[0], ast.Assign) else None
    if moved is None or not isinstance(put_in, ast.Name):
        return
    item, other = put_in.id, context.text(moved.value)
    others = [f for f in context.program.functions if isinstance(f, FUNCTIONS) and f is not context.scope.function]
    measures = [f.name for f in others if len(f.args.args) == 1]
    for one, two in ((other, item), *((f"{name}({other})", f"{name}({item})") for name in measures)):
        for sign, weight in ((">", 1.0), ("<", LIKELY)):
            further = Expression(f"{one} {sign} {two}", COMPARISON)
            both = Expression(f"{context.expression(test).at(AND)} and {further.text}", AND)
            yield context.put(test, both, weight)


def _moves_on(part: ast.Assign) -> bool:
    """Whether an entry of a list is given that of a place beside it: `xs[j + 1] = xs[j]`."""
    target, value = part.targets[0], part.value
    if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Subscript):
        return False
    return ast.unparse(target.value) == ast.unparse(value.value) and ast.unparse(target) != ast.unparse(value)


TEMPLATES = (
    Template("ask_what_sign_it_is", (ast.Name,), ask_what_sign_it_is, ("content", "convert", "key")),
    Template("ask_by_turns", (ast.Name,), ask_by_turns, ("content", "close")),
    Template("ask_kind_before_recursion", (ast.If,), ask_kind_before_recursion, ("type", "content")),
    Template("stop_where_it_fits", (ast.While,), stop_where_it_fits, ("content", "order")),
)
