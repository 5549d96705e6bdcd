"""Which of several equal ones counts: the first in the order of the items themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import ALMOST_SURE, POSSIBLE
from regreen.propose.search.expressions import OR, Expression, comparison
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.iteration.compared_values import (
    STRICT_SYMBOLS,
    bound_by_block,
    names_given,
    sides_compared,
    with_other_name,
)
from regreen.syntax import callee_name
from regreen.types import Edit


def break_ties(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(counts, key=counts.get)` becomes `min(counts, key=lambda x: (-counts[x], x))`: the first of equals.

    `min` and a rising `sorted` with `key=len` get `key=lambda x: (len(x), x)`, one that falls `(-len(x), x)`; of pairs
    in the order of one part, `key=lambda p: p[1]`, the other one decides: `(p[1], p[0])`.
    """
    keywords = {keyword.arg: keyword for keyword in node.keywords}
    falls = keywords.pop("reverse", None)
    key, name = keywords["key"].value if "key" in keywords else None, callee_name(node)
    if len(keywords) != 1 or (falls is not None and context.text(falls.value) != "True"):
        return
    item, measure, other = _measured(key, context)
    if key is None or not measure:
        return
    sign = "" if falls is None else "-"
    if name == "max" and isinstance(node.func, ast.Name):
        made = context.put(key, f"lambda {item}: (-{measure}, {other})").edits
        yield WeightedEdits((*context.put(node.func, "min").edits, *made))
        yield context.put(key, f"lambda {item}: ({measure}, {other})", POSSIBLE)
    elif name in ("min", "sorted", "sort"):
        rising = context.put(key, f"lambda {item}: ({sign}{measure}, {other})").edits
        yield WeightedEdits(tuple(sorted((*rising, *_without_keyword(falls, node, context)), key=edit_position)))


def _measured(key: ast.expr | None, context: TemplateContext) -> tuple[str, str, str]:
    """The item of a key, what it is measured by, and what tells equals apart; empty where nothing is known."""
    if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
        return "x", f"{context.text(key.value)}[x]", "x"
    if isinstance(key, ast.Name | ast.Attribute):
        return "x", f"{context.text(key)}(x)", "x"
    if not isinstance(key, ast.Lambda) or len(key.args.args) != 1:
        return "", "", ""
    item, body = key.args.args[0].arg, context.text(key.body)
    if found := re.fullmatch(rf"-?{item}\[([01])\]", body):
        return item, body, f"{item}[{1 - int(found[1])}]"
    is_measure = isinstance(key.body, ast.Call | ast.Subscript | ast.UnaryOp) and "\n" not in body
    return (item, body, item) if is_measure else ("", "", "")


def _without_keyword(keyword: ast.keyword | None, call: ast.Call, context: TemplateContext) -> tuple[Edit, ...]:
    """The edit that takes an argument by name out of a call, with the comma at one of its sides."""
    if keyword is None:
        return ()
    start, end = context.program.spans[keyword]
    others = [context.program.spans[one] for one in (*call.args, *call.keywords) if one is not keyword]
    before = [other_end for _, other_end in others if other_end <= start]
    return (Edit(max(before), end, ""),) if before else (Edit(start, min(begin for begin, _ in others), ""),)


def common_in_order(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`counts.most_common(k)` becomes `sorted(counts.items(), key=lambda x: (-x[1], x[0]))[:k]`: ties by the item."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "most_common" and len(node.args) < 2:
        ordered = f"sorted({context.text(node.func.value)}.items(), key=lambda x: (-x[1], x[0]))"
        yield context.put(node, f"{ordered}[:{context.text(node.args[0])}]" if node.args else ordered)


def tie_by_value(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if d < least: least, best = d, x` becomes `if (d, x) < (least, best): ...`: of equal ones the smaller `x`.

    And the greater one, in second place. `if abs(x) < abs(best): best = x` likewise. Where `best` begins as None, it is
    not compared before there is one: `if d < least or (d == least and x < best)`.
    """
    tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    pairs = list(names_given(node.body, context))
    kept = [(context.text(one), context.text(other)) for one, other in bound_by_block(node.body)]
    for test in tests:
        if not isinstance(test, ast.Compare) or len(test.ops) > 1 or type(test.ops[0]) not in STRICT_SYMBOLS:
            continue
        new_key, best_key = sides_compared(test, context)
        symbol = STRICT_SYMBOLS[type(test.ops[0])]
        for best, new in pairs:
            if (best_key, new_key) not in kept and with_other_name(new_key, new, best) != best_key:
                continue
            if (best, new) == (best_key, new_key):
                continue
            signs = (("", 1.0), ("-", ALMOST_SURE)) if symbol == "<" else (("-", 1.0), ("", ALMOST_SURE))
            for sign, weight in signs:
                left, right = (Expression(f"({key}, {sign}{name})") for key, name in ((new_key, new), (best_key, best)))
                yield context.put(test, comparison(left, symbol, right), weight)
                if best in context.scope.begun_with_none and test is node.test:
                    first, equal = f"{new_key} {symbol} {best_key}", f"{new_key} == {best_key}"
                    order = symbol if not sign else "<>"[symbol == "<"]
                    yield context.put(test, Expression(f"{first} or ({equal} and {new} {order} {best})", OR), weight)


def begin_ties_anew(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if p > best: best = p; pairs.append(x)` becomes `pairs = [x]` there, and `elif p == best: pairs.append(x)`:
    those before are beaten, those that come by the same belong to them."""
    orders = [
        part
        for part in ast.walk(node.test)
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Gt | ast.Lt)
    ]
    for order in orders:
        value, best = context.text(order.left), context.text(order.comparators[0])
        for step in node.body:
            match step:
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=kept), attr="append"), args=[item])):
                    begun = list(context.restate(step, (f"{kept} = [{context.text(item)}]",)))
                    ties = list(context.after(node, (f"elif {value} == {best}:", f"\t{context.text(step)}")))
                    if begun and ties and not node.orelse:
                        yield WeightedEdits((*begun[0].edits, *ties[0].edits))


TEMPLATES = (
    Template("begin_ties_anew", (ast.If,), begin_ties_anew, ("longer", "content")),
    Template("tie_by_value", (ast.If,), tie_by_value, ("content",)),
    Template("break_ties", (ast.Call,), break_ties, ("order", "content")),
    Template("common_in_order", (ast.Call,), common_in_order, ("order", "content")),
)
