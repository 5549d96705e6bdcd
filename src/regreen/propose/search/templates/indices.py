"""Wrong indices and slices: one off, from the wrong end, the wrong variable, bounds lost or superfluous."""

from __future__ import annotations

import ast

from regreen.propose.search.code import FACTOR, SUM, TEST, Code, binary, call, item
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template


def shift_index(node: ast.Subscript, place: Place) -> Drafts:
    """`x[i]` becomes `x[i + 1]`, `x[i - 1]`; `x[0]` becomes `x[-1]`, `x[1]`."""
    index = node.slice
    if isinstance(index, ast.Slice | ast.Tuple):
        return
    code = place.code(index)
    if isinstance(index, ast.Constant) and type(index.value) is int:
        for other in (0, -1, 1, 2, -2):
            if other != index.value:
                yield place.put(index, Code(str(other), FACTOR), 0.8 if abs(other) < 2 else 0.4)
    elif place.kind(index) in ("int", ""):
        share = 1.0 if place.kind(index) else 0.4
        yield place.put(index, binary(code, "-", Code("1")), share)
        yield place.put(index, binary(code, "+", Code("1")), share)
        yield place.put(index, Code(f"-{code.at(FACTOR)}", FACTOR), 0.5 * share)
        yield place.put(index, Code(f"-{code.at(FACTOR)} - 1", SUM), 0.5 * share)
        yield place.put(index, "0", 0.4 * share)
        yield place.put(index, "-1", 0.4 * share)


def other_index(node: ast.Subscript, place: Place) -> Drafts:
    """`x[i]` becomes `x[j]`, `x[i][j]` becomes `x[j][i]`."""
    index = node.slice
    if isinstance(index, ast.Slice | ast.Tuple):
        return
    for name in place.scope.of_kind("int", ""):
        if name != place.text(index) and name != place.scope.receiver and name != place.text(node.value):
            yield place.put(index, name, 0.8 if place.scope.kinds.get(name) else 0.25)
    inner = node.value
    if (
        isinstance(inner, ast.Subscript)
        and not isinstance(inner.slice, ast.Slice)
        and place.text(inner.slice) != place.text(index)
    ):
        yield place.swap(inner.slice, index)


def add_index(node: ast.expr, place: Place) -> Drafts:
    """`x` becomes `x[0]`, `x[-1]`, `x[i]`, `x[1:]`, `x[:-1]`, `x[::-1]`, `x[:]`."""
    parent = place.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(parent, ast.Expr | ast.Starred):
        return
    if (isinstance(parent, ast.Call) and parent.func is node) or (
        isinstance(parent, ast.Attribute) and isinstance(node, ast.Name)
    ):
        return
    kind = place.kind(node)
    if kind in ("int", "float", "bool", "set") or (isinstance(node, ast.Name) and node.id == place.scope.receiver):
        return
    code, share = place.code(node), 1.0 if kind in ("list", "str", "tuple") else 0.4
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
        yield place.put(node, item(code, index), weight * share)
    if kind != "dict" or place.scope.unused:
        for name in place.scope.of_kind("int"):
            if name != code.text:
                for index, weight in (
                    (name, 0.8),
                    (f"{name}:", 0.4),
                    (f":{name}", 0.4),
                    (f":{name} + 1", 0.2),
                    (f"{name} + 1:", 0.2),
                ):
                    yield place.put(node, item(code, index), weight * share)
    if kind in ("dict", ""):
        for name in place.scope.of_kind("str", ""):
            if name not in (code.text, place.scope.receiver):
                yield place.put(node, item(code, name), 0.2)


def move_slice_bound(node: ast.Slice, place: Place) -> Drafts:
    """`x[a:b]` becomes `x[a + 1:b]`, `x[a:b - 1]`, ...: each bound one off."""
    for bound in (node.lower, node.upper, node.step):
        if bound is None:
            continue
        code = place.code(bound)
        if isinstance(bound, ast.Constant) and type(bound.value) is int:
            for other in (bound.value + 1, bound.value - 1, -bound.value):
                if other != bound.value:
                    yield place.put(bound, Code(str(other), FACTOR))
        else:
            yield place.put(bound, binary(code, "+", Code("1")))
            yield place.put(bound, binary(code, "-", Code("1")))
            yield place.put(bound, Code(f"-{code.at(FACTOR)}", FACTOR), 0.5)
            if isinstance(bound, ast.BinOp):
                yield place.put(bound, place.code(bound.left), 0.8)


def reshape_slice(node: ast.Slice, place: Place) -> Drafts:
    """A slice loses a bound, gains one, swaps them, or runs backwards."""
    lower, upper, step = (
        place.code(part).at(TEST) if part is not None else "" for part in (node.lower, node.upper, node.step)
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
    start, end = place.program.spans[node]
    for shape, weight in shapes:
        yield place.replace(start, end, shape, weight)


def fill_slice(node: ast.Slice, place: Place) -> Drafts:
    """A bound of a slice becomes a variable, or one appears where there was none."""
    lower, upper, step = (
        place.code(part).at(TEST) if part is not None else "" for part in (node.lower, node.upper, node.step)
    )
    tail = f":{step}" if step else ""
    start, end = place.program.spans[node]
    for name in place.scope.of_kind("int"):
        for bound, weight in ((name, 1.0), (f"{name} + 1", 0.6), (f"{name} - 1", 0.3), (f"-{name}", 0.3)):
            if lower != bound:
                yield place.replace(start, end, f"{bound}:{upper}{tail}", weight if lower else weight * 0.6)
            if upper != bound:
                yield place.replace(start, end, f"{lower}:{bound}{tail}", weight if upper else weight * 0.6)
        if lower:
            yield place.replace(start, end, f"{lower}:{lower} + {name}{tail}", 0.5)


def drop_index(node: ast.Subscript, place: Place) -> Drafts:
    """`x[i]` becomes `x`, `i` or, for a slice, one item of it."""
    if not isinstance(node.ctx, ast.Load):
        return
    yield place.put(node, place.code(node.value))
    if isinstance(node.slice, ast.Slice):
        for bound in (node.slice.lower, node.slice.upper):
            if bound is not None:
                yield place.put(node, item(place.code(node.value), place.text(bound)), 0.5)
        return
    yield place.put(node, place.code(node.slice), 0.8)
    text = place.text(node.slice)
    if place.kind(node.value) in ("list", "str", "tuple", ""):
        for index, weight in ((f":{text}", 0.5), (f"{text}:", 0.5), (f":{text} + 1", 0.3), (f"{text} + 1:", 0.3)):
            yield place.put(node, item(place.code(node.value), index), weight)


def index_to_call(node: ast.Subscript, place: Place) -> Drafts:
    """`xs[0]` becomes `min(xs)`, `max(xs)`, `sum(xs)`, `len(xs)`, ..."""
    if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
        yield from (
            place.put(node, call(f, place.code(node.value))) for f in ("max", "min", "sum", "len", "sorted", "set")
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
