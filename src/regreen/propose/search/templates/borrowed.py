"""Plastic surgery: pieces of the program, or small new expressions over its variables, where something else stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.code import Code, binary, call, item
from regreen.propose.search.kinds import fit
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template


def _replaceable(node: ast.expr, place: Place) -> bool:
    parent = place.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(
        parent, ast.Attribute | ast.Expr | ast.Starred
    ):
        return False
    if isinstance(node, ast.Name) and node.id == place.scope.receiver:
        return False
    return not (isinstance(parent, ast.Call) and parent.func is node)


def borrow_expression(node: ast.expr, place: Place) -> Drafts:
    """An expression becomes another one that stands elsewhere in the function."""
    if not _replaceable(node, place):
        return
    own, kind = place.text(node), place.kind(node)
    for text, (code, other) in place.scope.expressions.items():
        if text != own:
            yield place.put(node, code, fit(kind, other) * (0.6 if own in text else 1.0))


def combine_names(node: ast.expr, place: Place) -> Drafts:
    """An expression becomes a small one over two variables: `a + b`, `a - b`, `max(a, b)`, `xs[i]`, `len(xs)`."""
    if not _replaceable(node, place):
        return
    kind = place.kind(node)
    for code, other in place.cached("combined", lambda: list(_combined(place))):
        weight = fit(kind, other)
        if weight > 0.3 and code.text != place.text(node):
            yield place.put(node, code, weight)


def _combined(place: Place) -> Iterator[tuple[Code, str]]:
    numbers = place.scope.of_kind("int", "float")[:7]
    lists = place.scope.of_kind("list", "tuple", "str")[:5]
    for one in numbers:
        for two in numbers:
            if one < two:
                yield from ((call(f, Code(one), Code(two)), "int") for f in ("max", "min"))
                yield from ((binary(Code(one), symbol, Code(two)), "int") for symbol in ("+", "*"))
            if one != two:
                yield from ((binary(Code(one), symbol, Code(two)), "int") for symbol in ("-", "//", "%"))
        yield from ((binary(Code(one), symbol, Code("2")), "int") for symbol in ("*", "//", "%"))
    for name in lists:
        whole = place.scope.kinds.get(name, "")
        one_item = "str" if whole == "str" else place.scope.items.get(name, "")
        yield call("len", Code(name)), "int"
        yield from ((item(Code(name), index), one_item) for index in ("0", "-1", *numbers[:5]))
        yield from (
            (item(Code(name), f"{index}{sign}"), one_item) for index in numbers[:4] for sign in (" + 1", " - 1")
        )
        if one_item == "int":
            yield from ((call(f, Code(name)), "int") for f in ("sum", "max", "min"))
        yield from ((item(Code(name), index), whole) for index in ("1:", ":-1", "::-1"))
        yield from (
            (item(Code(name), f"{shape}"), whole) for n in numbers[:4] for shape in (f"{n}:", f":{n}", f"{n} + 1:")
        )
    for name in place.scope.of_kind("dict")[:3]:
        yield from (
            (item(Code(name), key), place.scope.items.get(name, "")) for key in place.scope.of_kind("str", "int")[:4]
        )
    texts = place.scope.of_kind("str")[:5]
    yield from ((binary(Code(one), "+", Code(two)), "str") for one in texts for two in texts if one != two)


def extend_expression(node: ast.expr, place: Place) -> Drafts:
    """`x` becomes `x + y`, `x - y`, `x * y`, ... for the variables of the function."""
    if not _replaceable(node, place):
        return
    kind, code = place.kind(node), place.code(node)
    if kind in ("bool", "dict", "set"):
        return
    for name in place.scope.locals:
        other = place.scope.kinds.get(name, "")
        weight = fit(kind, other)
        if name in (code.text, place.scope.receiver) or weight < 0.35 or other in ("dict", "set", "bool"):
            continue
        share = weight * (2.0 if name in place.scope.unused else 1.0) / 2
        for symbol in ("+",) if "str" in (kind, other) or "list" in (kind, other) else ("+", "-", "*", "//", "%"):
            yield place.put(node, binary(code, symbol, Code(name)), share)
        if isinstance(node, ast.Name | ast.Subscript | ast.Call):
            yield place.put(node, binary(Code(name), "+" if "str" in (kind, other) else "-", code), share * 0.6)
    if kind in ("str", ""):
        for text in place.scope.strings[:6]:
            yield place.put(node, binary(code, "+", Code(repr(text))), 0.3)
            yield place.put(node, binary(Code(repr(text)), "+", code), 0.3)


_VALUES = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.Constant)

TEMPLATES = (
    Template("borrow_expression", _VALUES, 0.05, borrow_expression, 8),
    Template("extend_expression", _VALUES, 0.03, extend_expression, 12, ("shorter", "content")),
    Template("combine_names", _VALUES, 0.015, combine_names, 40),
)
