"""Expressions replaced by others of the program, or by small new ones over its variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    LEAST_COMBINED_FIT,
    LEAST_EXTENSION_FIT,
    MAX_BOUNDS_COMBINED,
    MAX_DICTS_COMBINED,
    MAX_INDICES_COMBINED,
    MAX_KEYS_COMBINED,
    MAX_NUMBERS_COMBINED,
    MAX_SEQUENCES_COMBINED,
    MAX_STRINGS_ADDED,
    MAX_TEXTS_COMBINED,
    PROBABLE,
    UNLIKELY,
)
from regreen.propose.search.expressions import Expression, binary_operation, function_call, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.value_kinds import kind_fit


def _replaceable(node: ast.expr, context: TemplateContext) -> bool:
    parent = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(
        parent, ast.Attribute | ast.Expr | ast.Starred
    ):
        return False
    if isinstance(node, ast.Name) and node.id == context.scope.receiver:
        return False
    return not (isinstance(parent, ast.Call) and parent.func is node)


def borrow_expression(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """An expression becomes another one of the function."""
    if not _replaceable(node, context):
        return
    own, kind = context.text(node), context.kind(node)
    for text, (code, other) in context.scope.expressions.items():
        if text != own:
            yield context.put(node, code, kind_fit(kind, other) * (PROBABLE if own in text else 1.0))


def combine_names(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """An expression becomes a small one over two variables: `a + b`, `a - b`, `max(a, b)`, `xs[i]`, `len(xs)`."""
    if not _replaceable(node, context):
        return
    kind = context.kind(node)
    for code, other in context.cached("combined", lambda: list(_combined(context))):
        weight = kind_fit(kind, other)
        if weight > LEAST_COMBINED_FIT and code.text != context.text(node):
            yield context.put(node, code, weight)


def _combined(context: TemplateContext) -> Iterator[tuple[Expression, str]]:
    numbers = context.scope.of_kind("int", "float")[:MAX_NUMBERS_COMBINED]
    lists = context.scope.of_kind("list", "tuple", "str")[:MAX_SEQUENCES_COMBINED]
    for one in numbers:
        for two in numbers:
            if one < two:
                yield from ((function_call(f, Expression(one), Expression(two)), "int") for f in ("max", "min"))
                yield from (
                    (binary_operation(Expression(one), symbol, Expression(two)), "int") for symbol in ("+", "*")
                )
            if one != two:
                yield from (
                    (binary_operation(Expression(one), symbol, Expression(two)), "int") for symbol in ("-", "//", "%")
                )
        yield from ((binary_operation(Expression(one), symbol, Expression("2")), "int") for symbol in ("*", "//", "%"))
    for name in lists:
        whole = context.scope.kinds.get(name, "")
        one_item = "str" if whole == "str" else context.scope.items.get(name, "")
        yield function_call("len", Expression(name)), "int"
        yield from (
            (subscript(Expression(name), index), one_item) for index in ("0", "-1", *numbers[:MAX_INDICES_COMBINED])
        )
        yield from (
            (subscript(Expression(name), f"{index}{sign}"), one_item)
            for index in numbers[:MAX_BOUNDS_COMBINED]
            for sign in (" + 1", " - 1")
        )
        if one_item == "int":
            yield from ((function_call(f, Expression(name)), "int") for f in ("sum", "max", "min"))
        yield from ((subscript(Expression(name), index), whole) for index in ("1:", ":-1", "::-1"))
        yield from (
            (subscript(Expression(name), f"{shape}"), whole)
            for n in numbers[:MAX_BOUNDS_COMBINED]
            for shape in (f"{n}:", f":{n}", f"{n} + 1:")
        )
    for name in context.scope.of_kind("dict")[:MAX_DICTS_COMBINED]:
        yield from (
            (subscript(Expression(name), key), context.scope.items.get(name, ""))
            for key in context.scope.of_kind("str", "int")[:MAX_KEYS_COMBINED]
        )
    texts = context.scope.of_kind("str")[:MAX_TEXTS_COMBINED]
    yield from (
        (binary_operation(Expression(one), "+", Expression(two)), "str") for one in texts for two in texts if one != two
    )


def extend_expression(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `x + y`, `x - y`, `x * y`, ... for the variables of the function."""
    if not _replaceable(node, context):
        return
    kind, code = context.kind(node), context.expression(node)
    if kind in ("bool", "dict", "set"):
        return
    for name in context.scope.locals:
        other = context.scope.kinds.get(name, "")
        weight = kind_fit(kind, other)
        if (
            name in (code.text, context.scope.receiver)
            or weight < LEAST_EXTENSION_FIT
            or other in ("dict", "set", "bool")
        ):
            continue
        share = weight * (1.0 if name in context.scope.unused else HALF)
        for symbol in ("+",) if "str" in (kind, other) or "list" in (kind, other) else ("+", "-", "*", "//", "%"):
            yield context.put(node, binary_operation(code, symbol, Expression(name)), share)
        if isinstance(node, ast.Name | ast.Subscript | ast.Call):
            yield context.put(
                node, binary_operation(Expression(name), "+" if "str" in (kind, other) else "-", code), share * PROBABLE
            )
    if kind in ("str", ""):
        for text in context.scope.strings[:MAX_STRINGS_ADDED]:
            yield context.put(node, binary_operation(code, "+", Expression(repr(text))), UNLIKELY)
            yield context.put(node, binary_operation(Expression(repr(text)), "+", code), UNLIKELY)


def take_in_unread(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `given + x`, `x - given`, ... for a parameter that nothing reads: somebody meant it to count."""
    unread = [name for name in context.scope.parameters if name in context.scope.unused]
    if not unread or not _replaceable(node, context) or context.kind(node) not in ("int", "float", ""):
        return
    code = context.expression(node)
    for name in unread:
        if context.scope.kinds.get(name, "") in ("int", "float", ""):
            given = Expression(name)
            yield context.put(node, binary_operation(given, "+", code))
            yield context.put(node, binary_operation(code, "*", given))
            yield context.put(node, binary_operation(code, "-", given), PROBABLE)
            yield context.put(node, binary_operation(given, "-", code), HALF)


_VALUES = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.Constant)

TEMPLATES = (
    Template("borrow_expression", _VALUES, borrow_expression),
    Template("extend_expression", _VALUES, extend_expression, ("shorter", "content")),
    Template("take_in_unread", (ast.Name, ast.Attribute, ast.Call, ast.Subscript), take_in_unread),
    Template("combine_names", _VALUES, combine_names),
)
