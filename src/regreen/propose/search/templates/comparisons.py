"""Wrong comparisons: the boundary, the direction, the wrong operator altogether."""

from __future__ import annotations

import ast

from regreen.propose.search.code import COMPARISONS, NOT, OPPOSITE, TEST, Code, call, compare, member
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template

_NEIGHBOURS = {
    "<": (("<=", 1.0), (">", 0.9), (">=", 0.6), ("!=", 0.3), ("==", 0.2)),
    "<=": (("<", 1.0), (">=", 0.9), (">", 0.6), ("==", 0.3), ("!=", 0.2)),
    ">": ((">=", 1.0), ("<", 0.9), ("<=", 0.6), ("!=", 0.3), ("==", 0.2)),
    ">=": ((">", 1.0), ("<=", 0.9), ("<", 0.6), ("==", 0.3), ("!=", 0.2)),
    "==": (("!=", 1.0), (">=", 0.5), ("<=", 0.5), (">", 0.4), ("<", 0.4), ("in", 0.3), ("is", 0.1), ("not in", 0.1)),
    "!=": (("==", 1.0), (">", 0.5), ("<", 0.5), (">=", 0.3), ("<=", 0.3), ("not in", 0.3), ("is not", 0.1)),
    "in": (("not in", 1.0), ("==", 0.4), ("!=", 0.1)),
    "not in": (("in", 1.0), ("!=", 0.4), ("==", 0.1)),
    "is": (("==", 0.9), ("is not", 1.0)),
    "is not": (("!=", 0.9), ("is", 1.0)),
}


def swap_comparison(node: ast.Compare, place: Place) -> Drafts:
    """`a < b` becomes `a <= b`, `a > b`, ...: also one link of a chain."""
    left: ast.expr = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        symbol = COMPARISONS[type(operator)]
        start, end = place.program.gap(place.program.spans[left][1], place.program.spans[right][0])
        for other, weight in _NEIGHBOURS[symbol]:
            if other.startswith(("in", "not", "is")) and place.program.source[start - 1 : start] not in (" ", "\n"):
                continue
            yield place.replace(start, end, other, weight)
        left = right


def swap_membership(node: ast.Compare, place: Place) -> Drafts:
    """`x in xs` becomes `xs in x`."""
    if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        symbol = COMPARISONS[type(node.ops[0])]
        yield place.put(node, compare(place.code(node.comparators[0]), symbol, place.code(node.left)))


def cut_chain(node: ast.Compare, place: Place) -> Drafts:
    """`a < b < c` becomes `a < b` or `b < c`."""
    if len(node.ops) < 2:
        return
    spans, source = place.program.spans, place.program.source
    outer, inner = spans[node], spans[node.comparators[-2]]
    yield place.replace(inner[1], outer[1], "")
    start = place.program.gap(spans[node.left][1], spans[node.comparators[0]][0])[1]
    kept = source[start : outer[1]].lstrip()
    yield place.replace(outer[0], outer[1], kept)


def mend_link(node: ast.Compare, place: Place) -> Drafts:
    """`a == b < c` reads as `a == b and b < c`: a slip of grouping; each side of a chain is compared alone."""
    if len(node.ops) != 2:
        return
    one, two = (COMPARISONS[type(o)] for o in node.ops)
    left, middle, right = (place.code(n) for n in (node.left, *node.comparators))
    yield place.put(node, compare(compare(left, one, middle), two, right))
    yield place.put(node, compare(left, one, compare(middle, two, right)))


def compare_lengths(node: ast.Compare, place: Place) -> Drafts:
    """`a > b` becomes `len(a) > len(b)`, `abs(a) > abs(b)` and the reverse."""
    if len(node.ops) != 1:
        return
    sides = (node.left, node.comparators[0])
    symbol = COMPARISONS[type(node.ops[0])]
    for function, weight in (("len", 1.0), ("abs", 0.7), ("set", 0.4), ("sorted", 0.4), ("str", 0.2), ("int", 0.3)):
        if all(_calls(side, function) for side in sides):
            bare = [place.code(side.args[0]) for side in sides if isinstance(side, ast.Call)]
            yield place.put(node, compare(bare[0], symbol, bare[1]), weight)
        elif not any(_calls(side, function) or isinstance(side, ast.Constant) for side in sides):
            left, right = (f"{function}({place.code(side).at(TEST)})" for side in sides)
            yield place.put(node, compare(Code(left), symbol, Code(right)), weight)
    if place.kind(node.left) == "str" and place.kind(node.comparators[0]) in ("str", ""):
        for method, weight in (("lower", 0.6), ("strip", 0.4), ("casefold", 0.2)):
            left, right = (call(member(place.code(side), method).text).text for side in sides)
            yield place.put(node, compare(Code(left), symbol, Code(right)), weight)


def swap_none_test(node: ast.Compare, place: Place) -> Drafts:
    """`x is None` becomes `not x`, `x == 0`..., and `x is not None` becomes `x`."""
    if len(node.ops) == 1 and isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None:
        code = place.code(node.left)
        positive = isinstance(node.ops[0], ast.IsNot | ast.NotEq)
        yield place.put(node, code if positive else f"not {code.at(NOT)}")


def spell_truth(node: ast.If | ast.While | ast.IfExp | ast.Assert, place: Place) -> Drafts:
    """`if x` becomes `if x is not None`, `if x > 0`, `if len(x) > 1`: truth is not always what was meant."""
    test = node.test
    negative = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    core = test.operand if isinstance(test, ast.UnaryOp) and negative else test
    if not isinstance(core, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return
    code, kind = place.code(core), place.kind(core)
    spelt = [("is not None", 1.0)]
    if kind in ("int", "float", ""):
        spelt += [("> 0", 0.8), ("> 1", 0.6), ("== 1", 0.3), ("< 0", 0.2)]
    if kind in ("list", "str", "set", "dict", "tuple", ""):
        yield place.put(test, compare(Code(f"len({code.text})"), "<=" if negative else ">", Code("1")), 0.5)
    for rest, weight in spelt:
        symbol, right = rest.rsplit(" ", 1)
        yield place.put(test, compare(code, OPPOSITE[symbol] if negative else symbol, Code(right)), weight)


def _calls(node: ast.expr, function: str) -> bool:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function
    return named and isinstance(node, ast.Call) and len(node.args) == 1


TEMPLATES = (
    Template(
        "swap_comparison", (ast.Compare,), 0.16, swap_comparison, 3, ("negated", "inclusive", "strict", "off_by_one")
    ),
    Template("swap_membership", (ast.Compare,), 0.01, swap_membership, 1),
    Template("cut_chain", (ast.Compare,), 0.02, cut_chain, 2),
    Template("mend_link", (ast.Compare,), 0.005, mend_link, 2),
    Template("compare_lengths", (ast.Compare,), 0.02, compare_lengths, 4, ("absolute", "case")),
    Template("swap_none_test", (ast.Compare,), 0.02, swap_none_test, 1),
    Template("spell_truth", (ast.If, ast.While, ast.IfExp, ast.Assert), 0.015, spell_truth, 4, ("empty",)),
)
