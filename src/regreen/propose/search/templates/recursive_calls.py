"""What recursive calls are handed and what becomes of their results: all other items, bounds, mappings to merge."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import ATOM, COMPARISON, SUM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, whole_number
from regreen.types import Edit


def all_others(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items[i + 1:]`, of which a loop takes each `items[i]` once, becomes `items[:i] + items[i + 1:]`: all others."""
    part = node.slice
    first = part.lower if isinstance(part, ast.Slice) and part.upper is None and part.step is None else None
    is_next = isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add) and whole_number(first.right) == 1
    if is_next and isinstance(first.left, ast.Name) and isinstance(context.parent(node), ast.Call):  # type: ignore[union-attr]
        items, place = context.expression(node.value).at(ATOM), first.left.id  # type: ignore[union-attr]
        if any(place in context.text(loop.target) for loop in context.loops_around(node) if isinstance(loop, ast.For)):
            yield context.put(node, Expression(f"{items}[:{place}] + {items}[{place} + 1:]", SUM))


def merge_what_recursion_gives(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out[prefix + key] = flatten(value, prefix)` becomes `out.update(flatten(value, prefix + key + "."))`."""
    target, call, function = node.targets[0], node.value, context.scope.function
    is_own = isinstance(call, ast.Call) and function is not None and callee_name(call) == function.name
    if not is_own or not isinstance(target, ast.Subscript):
        return
    assert isinstance(call, ast.Call)
    out, place = context.text(target.value), context.expression(target.slice)
    yield from context.restate(node, (f"{out}.update({context.text(call)})",))
    parts = {context.text(part) for part in ast.walk(target.slice) if isinstance(part, ast.Name)}
    start, source = context.program.spans[call][0], context.text(call)
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        if context.text(argument) in parts:
            begin, end = (offset - start for offset in context.program.spans[argument])
            for separator in _SEPARATORS:
                grown = source[:begin] + binary_operation(place, "+", Expression(f'"{separator}"')).text + source[end:]
                yield from context.restate(node, (f"{out}.update({grown})",), 1.0 if separator == "." else HALF)


_SEPARATORS = (".", "/", "_", "-")


def hand_on_bounds(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`between(left, None, value) and between(right, value, None)` in `between(tree, low, high)` hands on the bounds
    that it was given: `between(left, low, value) and between(right, value, high)`."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    edits: dict[ast.expr, Edit] = {}
    for call in context.scope.nodes:
        if not isinstance(call, ast.Call) or callee_name(call) != node.name:
            continue
        given = names[1:] if isinstance(call.func, ast.Attribute) else names
        for argument, name in zip(call.args, given, strict=False):
            if isinstance(argument, ast.Constant):
                edits[argument] = context.edit(argument, Expression(name))
    if len(edits) > 1:
        yield WeightedEdits(tuple(edits.values()))


def end_with_last_digit(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n == 0: return ""` before `return f(n // 2) + str(n % 2)` becomes `if n < 2: return str(n)`."""
    first = node.body[0]
    if len(node.body) != 1 or not isinstance(first, ast.Return) or not _is_empty(first.value):
        return
    asked = node.test.left if isinstance(node.test, ast.Compare) else node.test
    for part in context.scope.nodes:
        joined = part.value if isinstance(part, ast.Return) else None
        if not isinstance(joined, ast.BinOp) or not isinstance(joined.op, ast.Add):
            continue
        for digit in (joined.left, joined.right):
            remainders = [inner for inner in ast.walk(digit) if isinstance(inner, ast.BinOp)]
            taken = next((inner for inner in remainders if isinstance(inner.op, ast.Mod)), None)
            if taken is None or not isinstance(taken.left, ast.Name) or taken.left.id not in context.text(asked):
                continue
            number, base = taken.left.id, context.text(taken.right)
            alone = context.text(digit).replace(context.text(taken), number)
            smaller = context.edit(node.test, Expression(f"{number} < {base}", COMPARISON))
            yield WeightedEdits((smaller, context.edit(first.value, Expression(alone))))


def mirror_negative(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`power(b, e - 1)` never comes to an end where `e` is negative: `if e < 0: return 1 / power(b, -e)` first, or
    `return -f(-n)`."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    for call in context.scope.nodes:
        if not isinstance(call, ast.Call) or context.text(call.func) != node.name or len(call.args) != len(names):
            continue
        for name, argument in zip(names, call.args, strict=True):
            if not isinstance(argument, ast.BinOp) or not isinstance(argument.op, ast.Sub | ast.FloorDiv):
                continue
            if context.text(argument.left) == name:
                given = ", ".join(f"-{one}" if one == name else one for one in names)
                is_product = isinstance(context.parent(call), ast.BinOp) and "*" in context.text(context.parent(call))
                first = statements_after_docstring(node)[0]
                for result in (f"1 / {node.name}({given})",) if is_product else _MIRRORED:
                    line = "\treturn " + result.format(f"{node.name}({given})")
                    yield from context.before(first, (f"if {name} < 0:", line))
                return


_MIRRORED = ("-{}", "{}", '"-" + {}')


def _is_empty(node: ast.expr | None) -> TypeGuard[ast.expr]:
    return (isinstance(node, ast.Constant) and node.value == "") or (isinstance(node, ast.List) and not node.elts)


TEMPLATES = (
    Template("mirror_negative", FUNCTIONS, mirror_negative, ("recursion", "hang", "sign", "content")),
    Template("end_with_last_digit", (ast.If,), end_with_last_digit, ("zero", "empty", "shorter")),
    Template("all_others", (ast.Subscript,), all_others),
    Template("merge_what_recursion_gives", (ast.Assign,), merge_what_recursion_gives),
    Template("hand_on_bounds", FUNCTIONS, hand_on_bounds),
)
