"""Arrays of numpy: views for copies, whole numbers for fractions, axes, masks, and what is no number."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import ATOM, BIT_AND, BIT_OR, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.methods import relatives
from regreen.syntax import callee_name, whole_number

_MADE: Final = frozenset(
    (
        "zeros",
        "ones",
        "empty",
        "full",
        "zeros_like",
        "ones_like",
        "empty_like",
        "full_like",
        "array",
        "asarray",
        "arange",
    )
)
"""Functions that make an array, whose items have a kind of their own."""
_ALONG: Final = frozenset(
    (
        *("roll", "flip", "sort", "argsort", "argmax", "argmin", "diff", "cumsum", "cumprod", "concatenate", "stack"),
        *("repeat", "take", "delete", "insert", "append", "unique", "max", "min", "sum", "mean", "any", "all"),
        *("std", "var", "prod", "nansum", "nanmean", "nanmax", "nanmin", "percentile", "quantile", "norm", "squeeze"),
        "median",
    )
)
"""Functions that go along one axis, or over all items where none is named."""
_KIN: Final = (
    ("triu", "tril"),
    ("triu_indices", "tril_indices"),
    ("maximum", "minimum"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("amax", "amin"),
    ("sum", "nansum"),
    ("mean", "nanmean"),
    ("max", "nanmax"),
    ("min", "nanmin"),
    ("std", "nanstd"),
    ("median", "nanmedian"),
    ("any", "all"),
    ("argmax", "argmin"),
    ("floor", "ceil", "rint", "trunc"),
    ("dot", "outer", "inner", "multiply"),
    ("isnan", "isfinite", "isinf"),
    ("linspace", "arange"),
    ("cumsum", "cumprod"),
    ("nonzero", "flatnonzero", "argwhere"),
    ("hstack", "vstack", "column_stack", "concatenate"),
    ("tile", "repeat"),
    ("logical_and", "logical_or"),
    ("sort", "argsort"),
    ("intersect1d", "union1d", "setdiff1d"),
)
"""Functions that are taken for one another."""


def _numpy(context: TemplateContext) -> str:
    """The name by which a program knows numpy; empty where it does not."""
    return context.name_of_module("numpy")


def own_array(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a = np.asarray(x)` becomes `np.array(x)`, and `b = a[:]` becomes `a.copy()`: a view is no copy."""
    if not (numpy := _numpy(context)):
        return
    value = node.value
    if isinstance(value, ast.Call) and context.text(value.func) == f"{numpy}.asarray":
        yield context.put(value.func, f"{numpy}.array")
    elif isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice | ast.Tuple):
        yield context.put(value, f"{context.text(value)}.copy()")
        if context.text(value.slice) == ":":
            yield context.put(value, f"{context.text(value.value)}.copy()")
    elif isinstance(value, ast.Name | ast.Attribute):
        yield context.put(value, f"{context.text(value)}.copy()", HALF)


def other_items(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`np.zeros_like(x)` becomes `np.zeros_like(x, dtype=float)`: of whole numbers it would cut fractions off."""
    if not _numpy(context) or callee_name(node) not in _MADE:
        return
    kinds = ("float", "object", "int", "bool")
    given = next((keyword for keyword in node.keywords if keyword.arg == "dtype"), None)
    for kind in kinds:
        weight = 1.0 if kind == "float" else HALF
        if given is not None:
            yield context.put(given.value, kind, weight)
        else:
            yield from context.with_keyword(node, f"dtype={kind}", weight)


def fill_with(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`np.zeros(shape)` becomes `np.full(shape, value)`, where nothing reads the parameter `value`."""
    numpy = _numpy(context)
    if (
        not numpy
        or context.text(node.func) not in (f"{numpy}.zeros", f"{numpy}.ones", f"{numpy}.empty")
        or not node.args
    ):
        return
    at = context.program.spans[node.args[0]][1]
    for name in sorted(context.scope.unused & set(context.scope.parameters)):
        made = context.put(node.func, f"{numpy}.full")
        yield WeightedEdits((*made.edits, *context.replace(at, at, f", {name}").edits))


def wider_numbers(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a - b` of small or unsigned numbers becomes `a.astype(int) - b.astype(int)`: below 0, they begin anew at the
    top. Truth values that are added become numbers."""
    of_arrays = not isinstance(node.left, ast.Constant) and not isinstance(node.right, ast.Constant)
    if _numpy(context) and of_arrays and isinstance(node.op, ast.Sub | ast.Add | ast.Mult):
        for kind in ("int", "float"):
            sides = [f"{context.expression(side).at(ATOM)}.astype({kind})" for side in (node.left, node.right)]
            symbol = context.program.source[context.outer(node.left)[1] : context.outer(node.right)[0]]
            yield context.put(node, Expression(symbol.join(sides), TERM), 1.0 if kind == "int" else HALF)


def other_axes(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`axis=0` becomes `axis=1`, and the other way round, here or in all calls of the function."""
    if node.arg != "axis" or not isinstance(node.value, ast.Constant) or node.value.value not in (0, 1):
        return
    siblings = context.cached("axes", lambda: [part for part in context.scope.nodes if _is_axis(part)])
    edits = {part: context.edit(part.value, Expression(str(1 - whole_number(part.value)))) for part in siblings}  # type: ignore[attr-defined,operator]
    yield from here_or_everywhere(node, edits)


def _is_axis(part: ast.AST) -> bool:
    return isinstance(part, ast.keyword) and part.arg == "axis" and whole_number(part.value) in (0, 1)


def along_axis(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`np.roll(rows, 1)` becomes `np.roll(rows, 1, axis=0)`: without an axis, all items are one row."""
    if _numpy(context) and callee_name(node) in _ALONG:
        for axis, weight in (("0", 1.0), ("1", 1.0), ("-1", LIKELY)):
            yield from context.with_keyword(node, f"axis={axis}", weight)


def other_array_function(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`np.triu` becomes `np.tril`, `np.sum` becomes `np.nansum`, `mask.any()` becomes `mask.all()`."""
    if not _numpy(context) or not context.is_called(node):
        return
    yield from (context.other_attribute(node, other) for other in relatives(node.attr, _KIN))


def add_at_each(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts[places] += 1` becomes `np.add.at(counts, places, 1)`: a place that comes twice counts twice."""
    numpy, target = _numpy(context), node.target
    if not numpy or not isinstance(target, ast.Subscript) or not isinstance(node.op, ast.Add | ast.Sub):
        return
    if isinstance(target.slice, ast.Name | ast.Tuple | ast.Call | ast.Subscript):
        places = context.text(target.slice)
        places = f"({places})" if isinstance(target.slice, ast.Tuple) and not places.startswith("(") else places
        function = "add" if isinstance(node.op, ast.Add) else "subtract"
        done = f"{numpy}.{function}.at({context.text(target.value)}, {places}, {context.text(node.value)})"
        yield from context.restate(node, (done,))


def ask_for_nan(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x != np.nan`, which is always true, becomes `~np.isnan(x)`, and `x == np.nan` becomes `np.isnan(x)`."""
    numpy = _numpy(context)
    if not numpy or len(node.ops) != 1:
        return
    sides = (node.left, node.comparators[0])
    for side, other in (sides, sides[::-1]):
        if context.text(other) in (f"{numpy}.nan", "float('nan')", 'float("nan")', "math.nan"):
            asked = f"{numpy}.isnan({context.text(side)})"
            yield context.put(node, asked if isinstance(node.ops[0], ast.Eq | ast.Is | ast.In) else f"~{asked}")


def each_by_each(node: ast.BoolOp | ast.UnaryOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a > 0 and b > 0` becomes `(a > 0) & (b > 0)`, and `not mask` becomes `~mask`: of arrays, item by item."""
    if not _numpy(context) and not context.name_of_module("pandas"):
        return
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            yield context.put(node, Expression(f"~{context.expression(node.operand).at(ATOM)}", TERM))
        return
    symbol, level = (" & ", BIT_AND) if isinstance(node.op, ast.And) else (" | ", BIT_OR)
    values = [context.expression(value).at(ATOM) for value in node.values]
    yield context.put(node, Expression(symbol.join(values), level))


def never_chosen(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`np.where(mask, scores, 0)` becomes `np.where(mask, scores, -np.inf)`: what is left out takes no part."""
    numpy, call = _numpy(context), context.parent(node)
    if numpy and isinstance(call, ast.Call) and callee_name(call) in ("where", "full", "full_like", "fill"):
        for other in (f"-{numpy}.inf", f"{numpy}.inf", f"{numpy}.nan"):
            yield context.put(node, other)


def turn_matrix(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x @ m` becomes `x @ m.T`, `x.T @ m`, `m @ x`; and `a @ b + c` becomes `a @ (b + c)`."""
    if not isinstance(node.op, ast.MatMult):
        return
    left, right = node.left, node.right
    for side in (right, left):
        text = context.text(side)
        if text.endswith(".T"):
            yield context.put(side, text.removesuffix(".T"))
        else:
            yield context.put(side, f"{context.expression(side).at(ATOM)}.T")
    yield context.swap(left, right, PROBABLE)
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult):
        product = f"({context.text(left.right)} @ {context.expression(right).at(ATOM)})"
        whole = context.parent(node)
        yield context.put(node, Expression(f"{context.text(left.left)} * {product}", TERM), POSSIBLE)
        if isinstance(whole, ast.BinOp) and whole.left is node and isinstance(whole.op, ast.Add | ast.Sub):
            sign = "+" if isinstance(whole.op, ast.Add) else "-"
            inner = f"({context.text(left.right)} @ {context.text(right)} {sign} {context.text(whole.right)})"
            yield context.put(whole, Expression(f"{context.text(left.left)} * {inner}", TERM))


def along_new_axis(node: ast.Name | ast.Attribute | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows - mean` becomes `rows - mean[:, None]`, where two shapes do not fit together."""
    parent = context.parent(node)
    if (
        not _numpy(context)
        or not isinstance(parent, ast.BinOp | ast.Compare)
        or "broadcast" not in context.clues.details
    ):
        return
    for index in ("[:, None]", "[None, :]", "[..., None]"):
        yield context.put(node, Expression(f"{context.expression(node).at(ATOM)}{index}", ATOM))


def turn_every_axis(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`kernel[::-1]` becomes `kernel[::-1, ::-1]`, and `[:, ::-1]`: each axis is turned for itself."""
    if _numpy(context) and context.text(node.slice) == "::-1":
        for slices in ("::-1, ::-1", ":, ::-1"):
            yield context.put(node.slice, Expression(slices, TEST))


TEMPLATES = (
    Template("own_array", (ast.Assign,), own_array, ("content", "copy")),
    Template("other_items", (ast.Call,), other_items, ("rounding", "content", "type")),
    Template("fill_with", (ast.Call,), fill_with, ("content",)),
    Template("wider_numbers", (ast.BinOp,), wider_numbers, ("content",)),
    Template("other_axes", (ast.keyword,), other_axes, ("content", "longer", "shorter")),
    Template("along_axis", (ast.Call,), along_axis, ("content", "longer", "shorter")),
    Template("other_array_function", (ast.Attribute,), other_array_function, ("content",)),
    Template("add_at_each", (ast.AugAssign,), add_at_each, ("content",)),
    Template("ask_for_nan", (ast.Compare,), ask_for_nan, ("content",)),
    Template("each_by_each", (ast.BoolOp, ast.UnaryOp), each_by_each, ("value", "type")),
    Template("never_chosen", (ast.Constant,), never_chosen, ("content",)),
    Template("turn_matrix", (ast.BinOp,), turn_matrix, ("value", "content")),
    Template("along_new_axis", (ast.Name, ast.Attribute, ast.Call), along_new_axis, ("value",)),
    Template("turn_every_axis", (ast.Subscript,), turn_every_axis, ("content", "order")),
)
