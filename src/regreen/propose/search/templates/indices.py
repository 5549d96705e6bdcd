"""Wrong indices and slices: one off, from the wrong end, the wrong variable, bounds lost or superfluous."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import FACTOR, SUM, TEST, Expression, binary_operation, function_call, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def shift_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[i]` becomes `x[i + 1]`, `x[i - 1]`; `x[0]` becomes `x[-1]`, `x[1]`."""
    index = node.slice
    if isinstance(index, ast.Slice | ast.Tuple):
        return
    code = context.expression(index)
    if isinstance(index, ast.Constant) and type(index.value) is int:
        for other in (0, -1, 1, 2, -2):
            if other != index.value:
                yield context.put(index, Expression(str(other), FACTOR), 0.8 if abs(other) < 2 else 0.4)
    elif context.kind(index) in ("int", ""):
        share = 1.0 if context.kind(index) else 0.4
        yield context.put(index, binary_operation(code, "-", Expression("1")), share)
        yield context.put(index, binary_operation(code, "+", Expression("1")), share)
        yield context.put(index, Expression(f"-{code.at(FACTOR)}", FACTOR), 0.5 * share)
        yield context.put(index, Expression(f"-{code.at(FACTOR)} - 1", SUM), 0.5 * share)
        yield context.put(index, "0", 0.4 * share)
        yield context.put(index, "-1", 0.4 * share)


def other_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[i]` becomes `x[j]`, `x[i][j]` becomes `x[j][i]`."""
    index = node.slice
    if isinstance(index, ast.Slice | ast.Tuple):
        return
    for name in context.scope.of_kind("int", ""):
        if name != context.text(index) and name != context.scope.receiver and name != context.text(node.value):
            yield context.put(index, name, 0.8 if context.scope.kinds.get(name) else 0.25)
    inner = node.value
    if (
        isinstance(inner, ast.Subscript)
        and not isinstance(inner.slice, ast.Slice)
        and context.text(inner.slice) != context.text(index)
    ):
        yield context.swap(inner.slice, index)


def add_index(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `x[0]`, `x[-1]`, `x[i]`, `x[1:]`, `x[:-1]`, `x[::-1]`, `x[:]`."""
    parent = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(parent, ast.Expr | ast.Starred):
        return
    if (isinstance(parent, ast.Call) and parent.func is node) or (
        isinstance(parent, ast.Attribute) and isinstance(node, ast.Name)
    ):
        return
    kind = context.kind(node)
    if kind in ("int", "float", "bool", "set") or (isinstance(node, ast.Name) and node.id == context.scope.receiver):
        return
    code, share = context.expression(node), 1.0 if kind in ("list", "str", "tuple") else 0.4
    for index, weight in (
        ("0", 0.9),
        ("-1", 0.9),
        ("1:", 1.0),
        (":-1", 0.9),
        ("::-1", 1.0),
        (":", 0.9),
        ("1", 0.7),
        ("2:", 0.2),
        ("::2", 0.3),
    ):
        yield context.put(node, subscript(code, index), weight * share)
    if kind != "dict" or context.scope.unused:
        for name in context.scope.of_kind("int"):
            if name != code.text:
                for index, weight in (
                    (name, 0.8),
                    (f"{name}:", 0.4),
                    (f":{name}", 0.4),
                    (f":{name} + 1", 0.2),
                    (f"{name} + 1:", 0.2),
                ):
                    yield context.put(node, subscript(code, index), weight * share)
    if kind in ("dict", ""):
        for name in context.scope.of_kind("str", ""):
            if name not in (code.text, context.scope.receiver):
                yield context.put(node, subscript(code, name), 0.2)


def move_slice_bound(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[a:b]` becomes `x[a + 1:b]`, `x[a:b - 1]`, ...: each bound one off."""
    for bound in (node.lower, node.upper, node.step):
        if bound is None:
            continue
        code = context.expression(bound)
        if isinstance(bound, ast.Constant) and type(bound.value) is int:
            for other in (bound.value + 1, bound.value - 1, -bound.value):
                if other != bound.value:
                    yield context.put(bound, Expression(str(other), FACTOR))
        else:
            yield context.put(bound, binary_operation(code, "+", Expression("1")))
            yield context.put(bound, binary_operation(code, "-", Expression("1")))
            yield context.put(bound, Expression(f"-{code.at(FACTOR)}", FACTOR), 0.5)
            if isinstance(bound, ast.BinOp):
                yield context.put(bound, context.expression(bound.left), 0.8)


def reshape_slice(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A slice loses a bound, gains one, swaps them, or runs backwards."""
    lower, upper, step = (
        context.expression(part).at(TEST) if part is not None else "" for part in (node.lower, node.upper, node.step)
    )
    tail = f":{step}" if step else ""
    shapes: list[tuple[str, float]] = []
    if lower:
        shapes += [(f":{upper}{tail}", 0.9), (f":{lower}", 0.8 if not upper else 0.3)]
    if upper:
        shapes += [(f"{lower}:{tail}", 0.9), (f"{upper}:", 0.8 if not lower else 0.3)]
    if lower and upper:
        shapes += [
            (f"{upper}:{lower}{tail}", 0.3),
            (f"{lower}:{lower} + {upper}", 0.5),
            (f"{lower}:{upper} + {lower}", 0.2),
        ]
    if not step:
        shapes += [(f"{lower}:{upper}:-1", 0.6), (f"{lower}:{upper}:2", 0.3)]
    elif step != "-1":
        shapes += [(f"{lower}:{upper}", 0.6), (f"{lower}:{upper}:-1", 0.3)]
    else:
        shapes += [(f"{lower}:{upper}", 0.9)]
    if not lower:
        shapes += [(f"{bound}:{upper}{tail}", 0.6) for bound in ("1", "-1", "0", "-2")]
    if not upper:
        shapes += [(f"{lower}:{bound}{tail}", 0.6) for bound in ("-1", "1", "2")]
    start, end = context.program.spans[node]
    for shape, weight in shapes:
        yield context.replace(start, end, shape, weight)


def fill_slice(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A bound of a slice becomes a variable, or one appears where there was none."""
    lower, upper, step = (
        context.expression(part).at(TEST) if part is not None else "" for part in (node.lower, node.upper, node.step)
    )
    tail = f":{step}" if step else ""
    start, end = context.program.spans[node]
    for name in context.scope.of_kind("int"):
        for bound, weight in ((name, 1.0), (f"{name} + 1", 0.6), (f"{name} - 1", 0.3), (f"-{name}", 0.3)):
            if lower != bound:
                yield context.replace(start, end, f"{bound}:{upper}{tail}", weight if lower else weight * 0.6)
            if upper != bound:
                yield context.replace(start, end, f"{lower}:{bound}{tail}", weight if upper else weight * 0.6)
        if lower:
            yield context.replace(start, end, f"{lower}:{lower} + {name}{tail}", 0.5)


def drop_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[i]` becomes `x`, `i` or, for a slice, one item of it."""
    if not isinstance(node.ctx, ast.Load):
        return
    yield context.put(node, context.expression(node.value))
    if isinstance(node.slice, ast.Slice):
        for bound in (node.slice.lower, node.slice.upper):
            if bound is not None:
                yield context.put(node, subscript(context.expression(node.value), context.text(bound)), 0.5)
        return
    yield context.put(node, context.expression(node.slice), 0.8)
    text = context.text(node.slice)
    if context.kind(node.value) in ("list", "str", "tuple", ""):
        for index, weight in ((f":{text}", 0.5), (f"{text}:", 0.5), (f":{text} + 1", 0.3), (f"{text} + 1:", 0.3)):
            yield context.put(node, subscript(context.expression(node.value), index), weight)


def index_to_call(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[0]` becomes `min(xs)`, `max(xs)`, `sum(xs)`, `len(xs)`, ..."""
    if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
        yield from (
            context.put(node, function_call(f, context.expression(node.value)))
            for f in ("max", "min", "sum", "len", "sorted", "set")
        )


TEMPLATES = (
    Template("shift_index", (ast.Subscript,), 0.06, shift_index, 3, ("index", "off_by_one")),
    Template("other_index", (ast.Subscript,), 0.03, other_index, 3, ("index", "key")),
    Template(
        "move_slice_bound", (ast.Slice,), 0.08, move_slice_bound, 4, ("off_by_one", "end", "start", "shorter", "longer")
    ),
    Template("reshape_slice", (ast.Slice,), 0.06, reshape_slice, 6, ("reversed", "end", "start", "shorter", "longer")),
    Template("fill_slice", (ast.Slice,), 0.02, fill_slice, 10, ("end", "start")),
    Template("index_to_call", (ast.Subscript,), 0.01, index_to_call, 5),
    Template("drop_index", (ast.Subscript,), 0.03, drop_index, 2, ("type", "kind")),
    Template(
        "add_index",
        (ast.Name, ast.Call, ast.Attribute, ast.Subscript),
        0.025,
        add_index,
        10,
        ("reversed", "copy", "start", "end", "longer", "type"),
    ),
)
