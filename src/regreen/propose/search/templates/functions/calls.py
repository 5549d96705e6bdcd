"""Calls without their brackets, brackets that should not be there, results that nobody keeps, and `await`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import (
    HALF,
    IMPROBABLE,
    LIKELY,
    UNLIKELY,
)
from regreen.propose.search.expressions import AWAIT, Expression, function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name


def call_result(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`obj.method` becomes `obj.method()`, `f` becomes `f()`: a call without its brackets."""
    parent = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(parent, ast.Attribute):
        return
    if isinstance(parent, ast.Call) and parent.func is node:
        return
    if isinstance(node, ast.Attribute):
        known = (
            node.attr in context.scope.methods
            or hasattr(str, node.attr)
            or hasattr(dict, node.attr)
            or hasattr(list, node.attr)
        )
        own = any(f.name == node.attr for f in context.program.functions)
        if known or own:
            yield context.put(node, function_call(context.text(node)), 1.0)
        elif context.text(node.value) == context.scope.receiver or isinstance(parent, ast.Expr):
            yield context.put(node, function_call(context.text(node)), IMPROBABLE)
    elif isinstance(node, ast.Name) and node.id in {
        s.name for s in context.program.tree.body if isinstance(s, FUNCTIONS)
    }:
        yield context.put(node, function_call(node.id), 1.0)


def drop_call(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`obj.attribute()` becomes `obj.attribute`."""
    if not node.args and not node.keywords and isinstance(node.func, ast.Attribute):
        yield context.put(node, context.expression(node.func))


def swap_chained_calls(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.replace("<", "&lt;").replace("&", "&amp;")` becomes the same in the other order, and so do other calls of a
    chain of which each does something else with what the one before left."""
    inner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(node.func, ast.Attribute) or not isinstance(inner, ast.Call):
        return
    if not isinstance(inner.func, ast.Attribute) or not {node.func.attr, inner.func.attr} <= _LINKS:
        return
    spans, source = context.program.spans, context.program.source
    begin, middle, end = spans[inner.func.value][1], spans[inner][1], spans[node][1]
    first, second = source[begin:middle], source[middle:end]
    if first != second:
        yield context.replace(begin, end, second + first, 1.0 if node.func.attr == inner.func.attr else LIKELY)


_LINKS: Final = frozenset(
    "replace strip lstrip rstrip lower upper title capitalize casefold removeprefix removesuffix translate zfill "
    "head tail sort_values drop_duplicates dropna fillna query filter limit order_by distinct offset".split()
)
"""Methods that give what the next one goes on with: in which order they are called tells what comes out."""


def add_await(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f()` becomes `await f()` in a coroutine."""
    if isinstance(context.scope.function, ast.AsyncFunctionDef) and not isinstance(context.parent(node), ast.Await):
        own = {f.name for f in context.program.functions if isinstance(f, ast.AsyncFunctionDef)}
        own |= context.clues.imported.coroutines
        name = callee_name(node)
        yield context.put(
            node, Expression(f"await {context.text(node)}", AWAIT), 1.0 if name in own or name == "sleep" else UNLIKELY
        )


def drop_await(node: ast.Await, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`await f()` becomes `f()`."""
    yield context.put(node, context.expression(node.value))


def keep_called_result(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`insert(node.left, key)` becomes `node.left = insert(node.left, key)`, or `return`, where it gives something."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) not in context.cached("givers", lambda: _givers(context)):
        return
    at = context.program.spans[node][0]
    for argument in call.args:
        name = argument.id if isinstance(argument, ast.Name) else ""
        if isinstance(argument, ast.Attribute | ast.Subscript) or name in context.scope.locals:
            yield context.replace(at, at, f"{context.text(argument)} = ", HALF if name else 1.0)


def _givers(context: TemplateContext) -> frozenset[str]:
    """The names of the functions of the program that return a value."""
    returns = (node for node in context.program.nodes if isinstance(node, ast.Return) and node.value is not None)
    return frozenset(owner.name for node in returns if (owner := context.program.function(node)) is not None)


TEMPLATES = (
    Template("swap_chained_calls", (ast.Call,), swap_chained_calls, ("content", "order")),
    Template("call_result", (ast.Attribute, ast.Name), call_result, ("object", "type", "attribute")),
    Template("drop_call", (ast.Call,), drop_call, ("type",)),
    Template("keep_called_result", (ast.Expr,), keep_called_result, ("shorter", "none")),
    Template("add_await", (ast.Call,), add_await, ("await", "object", "type")),
    Template("drop_await", (ast.Await,), drop_await, ("await", "type")),
)
