"""Wrong indices and slices: one off, from the wrong end, the wrong variable, bounds lost or superfluous."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_TABLES_LOOKED_UP,
    POSSIBLE,
    PROBABLE,
    SELDOM,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import FACTOR, SUM, TEST, Expression, binary_operation, function_call, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import whole_number


def shift_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[i]` becomes `x[i + 1]`, `x[i - 1]`; `x[0]` becomes `x[-1]`, `x[1]`."""
    index = node.slice
    if isinstance(index, ast.Slice | ast.Tuple):
        return
    code = context.expression(index)
    if isinstance(index, ast.Constant) and type(index.value) is int:
        for other in (0, -1, 1, 2, -2):
            if other != index.value:
                yield context.put(index, Expression(str(other), FACTOR), VERY_LIKELY if abs(other) < 2 else POSSIBLE)
    elif context.kind(index) in ("int", ""):
        share = 1.0 if context.kind(index) else POSSIBLE
        yield context.put(index, binary_operation(code, "-", Expression("1")), share)
        yield context.put(index, binary_operation(code, "+", Expression("1")), share)
        yield context.put(index, Expression(f"-{code.at(FACTOR)}", FACTOR), HALF * share)
        yield context.put(index, Expression(f"-{code.at(FACTOR)} - 1", SUM), HALF * share)
        yield context.put(index, "0", POSSIBLE * share)
        yield context.put(index, "-1", POSSIBLE * share)


def other_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[i]` becomes `x[j]`, `x[i][j]` becomes `x[j][i]`."""
    index = node.slice
    if isinstance(index, ast.Slice | ast.Tuple):
        return
    for name in context.scope.of_kind("int", ""):
        if name != context.text(index) and name != context.scope.receiver and name != context.text(node.value):
            yield context.put(index, name, VERY_LIKELY if context.scope.kinds.get(name) else SELDOM)
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
    code, share = context.expression(node), 1.0 if kind in ("list", "str", "tuple") else POSSIBLE
    for index, weight in (
        ("0", ALMOST_SURE),
        ("-1", ALMOST_SURE),
        ("1:", 1.0),
        (":-1", ALMOST_SURE),
        ("::-1", 1.0),
        (":", ALMOST_SURE),
        ("1", LIKELY),
        ("2:", IMPROBABLE),
        ("::2", UNLIKELY),
    ):
        yield context.put(node, subscript(code, index), weight * share)
    if kind != "dict" or context.scope.unused:
        for name in context.scope.of_kind("int"):
            if name != code.text:
                for index, weight in (
                    (name, VERY_LIKELY),
                    (f"{name}:", POSSIBLE),
                    (f":{name}", POSSIBLE),
                    (f":{name} + 1", IMPROBABLE),
                    (f"{name} + 1:", IMPROBABLE),
                ):
                    yield context.put(node, subscript(code, index), weight * share)
    if kind in ("dict", ""):
        for name in context.scope.of_kind("str", ""):
            if name not in (code.text, context.scope.receiver):
                yield context.put(node, subscript(code, name), IMPROBABLE)


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
            if not code.text.startswith("-"):
                yield context.put(bound, Expression(f"-{code.at(FACTOR)}", FACTOR), HALF)
            if isinstance(bound, ast.BinOp):
                yield context.put(bound, context.expression(bound.left), VERY_LIKELY)


def reshape_slice(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A slice loses a bound, gains one, swaps them, or runs backwards."""
    lower, upper, step = (
        context.expression(part).at(TEST) if part is not None else "" for part in (node.lower, node.upper, node.step)
    )
    tail = f":{step}" if step else ""
    shapes: list[tuple[str, float]] = []
    # The other end is cut: `xs[1:]` for `xs[:-1]`.
    if lower.isdigit() and not upper and not step:
        shapes.append((f":-{lower}", ALMOST_SURE))
    if upper.startswith("-") and upper[1:].isdigit() and not lower and not step:
        shapes.append((f"{upper[1:]}:", ALMOST_SURE))
    if lower:
        shapes += [(f":{upper}{tail}", ALMOST_SURE), (f":{lower}", VERY_LIKELY if not upper else UNLIKELY)]
    if upper:
        shapes += [(f"{lower}:{tail}", ALMOST_SURE), (f"{upper}:", VERY_LIKELY if not lower else UNLIKELY)]
    if lower and upper:
        shapes += [
            (f"{upper}:{lower}{tail}", UNLIKELY),
            (f"{lower}:{lower} + {upper}", HALF),
            (f"{lower}:{upper} + {lower}", IMPROBABLE),
        ]
    if not step:
        shapes += [(f"{lower}:{upper}:-1", PROBABLE), (f"{lower}:{upper}:2", UNLIKELY)]
    elif step != "-1":
        shapes += [(f"{lower}:{upper}", PROBABLE), (f"{lower}:{upper}:-1", UNLIKELY)]
    else:
        shapes += [(f"{lower}:{upper}", ALMOST_SURE)]
    if not lower:
        shapes += [(f"{bound}:{upper}{tail}", PROBABLE) for bound in ("1", "-1", "0", "-2")]
    if not upper:
        shapes += [(f"{lower}:{bound}{tail}", PROBABLE) for bound in ("-1", "1", "2")]
    start, end = context.program.spans[node]
    for shape, weight in shapes:
        yield context.replace(start, end, shape, weight)


def last_or_none(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[-n:]`, which is all of them where `n` is 0, becomes `xs[max(0, len(xs) - n):]`, and `xs[n:-n]`, which
    is none of them, `xs[n:max(0, len(xs) - n)]`."""
    part = node.slice
    if not isinstance(part, ast.Slice) or part.step is not None:
        return
    length = function_call("len", context.expression(node.value))
    for bound in (part.lower, part.upper):
        is_negative = isinstance(bound, ast.UnaryOp) and isinstance(bound.op, ast.USub)
        if is_negative and not isinstance(bound.operand, ast.Constant):  # type: ignore[union-attr]
            place = binary_operation(length, "-", context.expression(bound.operand))  # type: ignore[union-attr]
            # More of them may be asked for than there are.
            yield context.put(bound, function_call("max", Expression("0"), place))  # type: ignore[arg-type]


def fill_slice(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A bound of a slice becomes a variable, or one appears where there was none."""
    lower, upper, step = (
        context.expression(part).at(TEST) if part is not None else "" for part in (node.lower, node.upper, node.step)
    )
    tail = f":{step}" if step else ""
    start, end = context.program.spans[node]
    for name in context.scope.of_kind("int"):
        for bound, weight in (
            (name, 1.0),
            (f"{name} + 1", PROBABLE),
            (f"{name} - 1", UNLIKELY),
            (f"-{name}", UNLIKELY),
        ):
            if lower != bound:
                yield context.replace(start, end, f"{bound}:{upper}{tail}", weight if lower else weight * PROBABLE)
            if upper != bound:
                yield context.replace(start, end, f"{lower}:{bound}{tail}", weight if upper else weight * PROBABLE)
        if lower:
            yield context.replace(start, end, f"{lower}:{lower} + {name}{tail}", HALF)


def drop_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x[i]` becomes `x`, `i` or, for a slice, one item of it."""
    if not isinstance(node.ctx, ast.Load):
        return
    yield context.put(node, context.expression(node.value))
    if isinstance(node.slice, ast.Slice):
        for bound in (node.slice.lower, node.slice.upper):
            if bound is not None:
                yield context.put(node, subscript(context.expression(node.value), context.text(bound)), HALF)
        return
    yield context.put(node, context.expression(node.slice), VERY_LIKELY)
    text = context.text(node.slice)
    if context.kind(node.value) in ("list", "str", "tuple", ""):
        for index, weight in (
            (f":{text}", HALF),
            (f"{text}:", HALF),
            (f":{text} + 1", UNLIKELY),
            (f"{text} + 1:", UNLIKELY),
        ):
            yield context.put(node, subscript(context.expression(node.value), index), weight)


def index_to_call(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[0]` becomes `min(xs)`, `max(xs)`, `sum(xs)`, `len(xs)`, ..."""
    if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
        yield from (
            context.put(node, function_call(f, context.expression(node.value)))
            for f in ("max", "min", "sum", "len", "sorted", "set")
        )
        yield context.put(node, f"max({context.expression(node.value).at(TEST)}, default=0)", POSSIBLE)


def clip_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts[place]` becomes `counts[min(place, len(counts) - 1)]`, where an index was out of range."""
    index = node.slice
    if not _NO_INDEX & context.clues.symptoms or not isinstance(index, ast.Name | ast.BinOp | ast.Call):
        return
    if context.kind(index) not in ("int", "") or context.kind(node.value) not in ("list", "str", "tuple", ""):
        return
    length, code = function_call("len", context.expression(node.value)), context.expression(index)
    yield context.put(index, function_call("min", code, binary_operation(length, "-", Expression("1"))))
    yield context.put(index, function_call("max", code, Expression("0")), POSSIBLE)


_NO_INDEX = frozenset({"index"})


def look_up(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text[i + 1] > value` becomes `VALUES[text[i + 1]] > value`: a key stands where its entry was meant."""
    parent = context.parent(node)
    if not isinstance(getattr(node, "ctx", None), ast.Load) or not isinstance(parent, _OPERATIONS):
        return
    if isinstance(parent, ast.Subscript) or (isinstance(parent, ast.Call) and parent.func is node):
        return
    code = context.expression(node)
    for table in context.cached("tables looked up", lambda: _tables(context)):
        if table != code.text:
            yield context.put(node, f"{table}[{code.at(TEST)}]")


def _tables(context: TemplateContext) -> list[str]:
    """The variables in which this function looks something up by a key that is no number."""
    found: dict[str, None] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and isinstance(part.value, ast.Name):
            is_key = not isinstance(part.slice, ast.Slice | ast.Constant) and context.kind(part.slice) != "int"
            if is_key and context.kind(part.value) in ("dict", ""):
                found.setdefault(part.value.id)
    return list(found)[:MAX_TABLES_LOOKED_UP]


_OPERATIONS = (ast.Compare, ast.BinOp, ast.AugAssign, ast.Call, ast.Return, ast.Assign)


def reverse_part(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[last:first - 1:-1]` becomes `xs[first:last + 1][::-1]`: `first - 1` is the last item where `first` is 0."""
    part = node.slice
    if not isinstance(part, ast.Slice) or part.lower is None or part.step is None or whole_number(part.step) != -1:
        return
    end = part.upper
    if isinstance(end, ast.BinOp) and isinstance(end.op, ast.Sub) and whole_number(end.right) == 1:
        after = binary_operation(context.expression(part.lower), "+", Expression("1")).text
        forward = subscript(context.expression(node.value), f"{context.text(end.left)}:{after}")
        yield context.put(node, subscript(forward, "::-1"))


def begin_at_zero(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table[at - n:at + n + 1]` becomes `table[max(0, at - n):at + n + 1]`: before the first there is none."""
    lower = node.lower
    if isinstance(lower, ast.BinOp) and isinstance(lower.op, ast.Sub) and not isinstance(lower.left, ast.Call):
        yield context.put(lower, f"max(0, {context.text(lower)})")


def page_before(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[page * size:(page + 1) * size]` becomes `xs[(page - 1) * size:page * size]`, and the other way round: pages
    are counted from 1, or from 0."""
    if node.lower is None or node.upper is None or node.step is not None:
        return
    bounds = context.text(node.lower), context.text(node.upper)
    for own, other in ((_FROM_ZERO, _FROM_ONE), (_FROM_ONE, _FROM_ZERO)):
        found = re.fullmatch(own, "|".join(bounds))
        if found is not None:
            page, size = found["page"], found["size"]
            shown = (f"({page} - 1) * {size}", f"{page} * {size}")
            low, high = shown if other is _FROM_ONE else (f"{page} * {size}", f"({page} + 1) * {size}")
            edits = (context.edit(node.lower, Expression(low)), context.edit(node.upper, Expression(high)))
            yield WeightedEdits(edits)


_FROM_ZERO = r"(?P<page>\w+) \* (?P<size>[\w.]+)\|\((?P=page) \+ 1\) \* (?P=size)"
_FROM_ONE = r"\((?P<page>\w+) - 1\) \* (?P<size>[\w.]+)\|(?P=page) \* (?P=size)"


def clamp_slice_start(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i - n:i]` becomes `xs[max(0, i - n):i]`: a start below zero counts from the end.

    And `start = i - n` becomes `start = max(0, i - n)` before `xs[start:i]`.
    """
    lower = node.lower
    if isinstance(lower, ast.Name):
        starts = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and part.lineno < node.lineno)
        named = [part.value for part in starts if context.text(part.targets[0]) == lower.id]
        lower = named[-1] if named else None
    if isinstance(lower, ast.BinOp) and isinstance(lower.op, ast.Sub | ast.Add) and "-" in context.text(lower):
        yield context.put(lower, f"max(0, {context.text(lower)})")


TEMPLATES = (
    Template("clamp_slice_start", (ast.Slice,), clamp_slice_start, ("empty", "shorter", "content", "zero")),
    Template("begin_at_zero", (ast.Slice,), begin_at_zero, ("shorter", "empty")),
    Template("page_before", (ast.Slice,), page_before, ("content", "empty")),
    Template("reverse_part", (ast.Subscript,), reverse_part),
    Template("look_up", (ast.Name, ast.Subscript, ast.Attribute), look_up, ("type", "kind", "convert")),
    Template("clip_index", (ast.Subscript,), clip_index, ("index",)),
    Template("shift_index", (ast.Subscript,), shift_index, ("index", "off_by_one")),
    Template("other_index", (ast.Subscript,), other_index, ("index", "key")),
    Template("move_slice_bound", (ast.Slice,), move_slice_bound, ("off_by_one", "end", "start", "shorter", "longer")),
    Template("reshape_slice", (ast.Slice,), reshape_slice, ("reversed", "end", "start", "shorter", "longer")),
    Template("last_or_none", (ast.Subscript,), last_or_none, ("longer", "empty", "zero")),
    Template("fill_slice", (ast.Slice,), fill_slice, ("end", "start")),
    Template("index_to_call", (ast.Subscript,), index_to_call),
    Template("drop_index", (ast.Subscript,), drop_index, ("type", "kind")),
    Template(
        "add_index",
        (ast.Name, ast.Call, ast.Attribute, ast.Subscript),
        add_index,
        ("reversed", "copy", "start", "end", "longer", "type"),
    ),
)
