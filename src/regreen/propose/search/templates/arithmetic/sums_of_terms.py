"""Sums and lists of many terms: a sign that alternates, a power of each term, an item as often as it was counted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import POWER, SUM, TERM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, whole_number


def alternate_terms(node: ast.AugAssign | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += term` in `for j in range(n)` becomes `total += (-1) ** j * term`, as in `sum(term for j in ...)`."""
    if isinstance(node, ast.AugAssign):
        loop: ast.AST = context.parent(node)
        term = node.value
        if not isinstance(loop, ast.For) or not isinstance(node.op, ast.Add) or whole_number(term) == 1:
            return
        target, counted = loop.target, loop.iter
    else:
        terms = node.args[0] if callee_name(node) == "sum" and len(node.args) == 1 else None
        if not isinstance(terms, ast.GeneratorExp) or len(terms.generators) > 1:
            return
        term, target, counted = terms.elt, terms.generators[0].target, terms.generators[0].iter
    name = callee_name(counted) if isinstance(counted, ast.Call) else ""
    place = target.elts[0] if name == "enumerate" and isinstance(target, ast.Tuple) else target
    if name in ("range", "enumerate") and isinstance(place, ast.Name) and "(-1)" not in context.text(term):
        for power, weight in ((place.id, 1.0), (f"({place.id} + 1)", HALF)):
            signed = f"(-1) ** {power} * {context.expression(term).at(TERM)}"
            yield context.put(term, Expression(signed, TERM), weight)


def power_of_each(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(x - mean for x in xs) ** 2` becomes `sum((x - mean) ** 2 for x in xs)`."""
    total = node.left
    is_sum = isinstance(total, ast.Call) and callee_name(total) == "sum" and isinstance(node.op, ast.Pow)
    terms = total.args[0] if is_sum and total.args else None  # type: ignore[attr-defined]
    if isinstance(terms, ast.GeneratorExp | ast.ListComp):
        begin, text = context.program.spans[total][0], context.text(total)
        each = f"{context.expression(terms.elt).at(POWER + 1)} ** {context.expression(node.right).at(POWER)}"
        start, end = context.outer(terms.elt)
        yield context.put(node, text[: start - begin] + each + text[end - begin :])


def difference_of_powers(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(outer - inner) ** 2` becomes `outer ** 2 - inner ** 2`, and a power of a sum becomes a sum of powers."""
    both = node.left
    if isinstance(node.op, ast.Pow) and isinstance(both, ast.BinOp) and isinstance(both.op, ast.Add | ast.Sub):
        sign, power = "+" if isinstance(both.op, ast.Add) else "-", context.expression(node.right).at(POWER)
        one, two = (f"{context.expression(part).at(POWER + 1)} ** {power}" for part in (both.left, both.right))
        yield context.put(node, Expression(f"{one} {sign} {two}", SUM))


def total_of_other_kind(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`product += x` of what begins with 0 becomes `product *= x` of what begins with 1, and the other way round."""
    signs = {ast.Add: ("0", "*=", "1"), ast.Mult: ("1", "+=", "0")}
    known = signs.get(type(node.op))
    if known is None or not isinstance(node.target, ast.Name) or not any(context.loops_around(node)):
        return
    old, sign, new = known
    for part in context.scope.nodes:
        begun = part.value if isinstance(part, ast.Assign) and context.text(part.targets[0]) == node.target.id else None
        if begun is not None and context.text(begun) == old:
            update = f"{node.target.id} {sign} {context.text(node.value)}"
            for changed in context.restate(node, (update,)):
                yield WeightedEdits((context.edit(begun, Expression(new)), *changed.edits))


def around_a_shape(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length + width` becomes `2 * (length + width)`: the way round a rectangle has each side twice."""
    names = {context.text(part).rpartition(".")[2].lower() for part in (node.left, node.right)}
    if isinstance(node.op, ast.Add) and names <= _SIDES and len(names) > 1:
        yield context.put(node, Expression(f"2 * ({context.text(node)})", TERM))


_SIDES = frozenset(("length", "width", "height", "breadth", "depth", "a", "b", "w", "h", "l", "long", "wide"))


def as_often_as_counted(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.append(value)` in `for value, count in counts.items()` becomes `out.extend([value] * count)`."""
    call, loop = node.value, next(context.loops_around(node), None)
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != _PAIR:
        return
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return
    value, count = map(context.text, loop.target.elts)
    if len(call.args) == 1 and context.text(call.args[0]) == value:
        yield context.put(call, f"{context.text(call.func.value)}.extend([{value}] * {count})")


def sum_over_all(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n * digits(n)` becomes `sum(digits(i) for i in range(1, n + 1))`: they are not all as the last one."""
    if not isinstance(node.op, ast.Mult):
        return
    for many, each in ((node.left, node.right), (node.right, node.left)):
        if isinstance(many, ast.Name) and isinstance(each, ast.Call):
            inner = [part for part in ast.walk(each) if isinstance(part, ast.Name) and part.id == many.id]
            if inner:
                item = context.new_name("i", "number", "i_")
                term = re.sub(rf"(?<![\w.]){many.id}(?!\w)", item, context.text(each))
                yield context.put(node, f"sum({term} for {item} in range(1, {many.id} + 1))")


_PAIR = 2


def mean_for_sum(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(xs)` becomes `sum(xs) / len(xs)`, where prose speaks of an average and the function takes none."""
    if callee_name(node) != "sum" or len(node.args) != 1 or not context.clues.words & _MEANS:
        return
    terms, parent = node.args[0], context.parent(node)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div | ast.FloorDiv):
        return
    if isinstance(terms, ast.GeneratorExp | ast.ListComp) and len(terms.generators) == 1:
        terms = terms.generators[0].iter if not terms.generators[0].ifs else terms
    if isinstance(terms, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        yield context.put(node, Expression(f"{context.text(node)} / len({context.text(terms)})", TERM))


_MEANS = frozenset(("average", "averages", "mean", "means", "avg"))


def divide_by_own_length(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sum(part) / (2 * reach + 1)` becomes `sum(part) / len(part)`: a mean is that of as many as are there."""
    total = node.left
    is_sum = isinstance(total, ast.Call) and callee_name(total) in ("sum", "fsum") and len(total.args) == 1
    held = total.args[0] if is_sum and isinstance(total, ast.Call) else None
    if not isinstance(node.op, ast.Div | ast.FloorDiv) or not isinstance(
        held, ast.Name | ast.Attribute | ast.Subscript
    ):
        return
    if f"len({context.text(held)})" not in context.text(node.right):
        yield context.replace(*context.outer(node.right), f"len({context.text(held)})")


def from_the_highest(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for c in numbers: value = value * x + c` goes through `reversed(numbers)`: the last one is the first to be
    multiplied (Horner)."""
    step = node.body[0]
    value = step.value if isinstance(step, ast.Assign) else None
    if not isinstance(node.target, ast.Name) or not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return
    product, added = value.left, context.text(value.right)
    name = context.text(step.targets[0]) if isinstance(step, ast.Assign) else ""
    factors = (product.left, product.right) if isinstance(product, ast.BinOp) else ()
    is_product = isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult)
    if is_product and added == node.target.id and name in map(context.text, factors):
        yield context.wrap(node.iter, "reversed")


def add_what_is_open(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return needed` becomes `return needed + opened`, where `opened` is counted up and down and never told: what is
    still open when all is read belongs to the answer."""
    if not isinstance(node.value, ast.Name | ast.Constant | ast.BinOp):
        return
    own = context.expression(node.value)
    for name in context.cached("counted up and down", lambda: _up_and_down(context)):
        if name not in names_within(node.value):
            yield context.put(node.value, binary_operation(own, "+", Expression(name)))


def _up_and_down(context: TemplateContext) -> list[str]:
    """The variables that are counted up in one place and down in another."""
    counted: dict[str, set[type[ast.operator]]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and whole_number(part.value) == 1:
            counted.setdefault(part.target.id, set()).add(type(part.op))
    return [name for name, ways in counted.items() if ways >= {ast.Add, ast.Sub}]


def add_each_once(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += n` in a loop within a loop becomes `if n not in seen: seen.add(n); total += n`, with `seen = set()`
    before both: what several rounds come by is added once."""
    loops = list(context.loops_around(node))
    if len(loops) != len(("inner", "outer")) or not isinstance(node.op, ast.Add):
        return
    inner, outer = loops
    if (
        isinstance(inner, ast.For)
        and isinstance(inner.target, ast.Name)
        and context.text(node.value) == inner.target.id
    ):
        item, seen = inner.target.id, context.new_name("seen", "added")
        lines = (f"if {item} not in {seen}:", f"\t{seen}.add({item})", f"\t{context.text(node)}")
        for begun in context.before(outer, (f"{seen} = set()",)):
            for added in context.restate(node, lines):
                yield WeightedEdits((*begun.edits, *added.edits))


def divide_by_how_many(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total // 9` becomes `total // count`, with `count = 0` beside `total = 0` and `count += 1` beside `total += x`:
    as many as were added up."""
    if not isinstance(node.op, ast.Div | ast.FloorDiv) or not isinstance(node.left, ast.Name):
        return
    total, known = node.left.id, whole_number(node.right)
    added = [
        part for part in context.scope.nodes if isinstance(part, ast.AugAssign) and context.text(part.target) == total
    ]
    begun = [
        part for part in context.scope.nodes if isinstance(part, ast.Assign) and context.text(part.targets[0]) == total
    ]
    if known is None or known < 2 or len(added) != 1 or len(begun) != 1:
        return
    count = context.new_name("count", "number")
    for first in context.after(begun[0], (f"{count} = 0",)):
        for step in context.after(added[0], (f"{count} += 1",)):
            yield WeightedEdits((*first.edits, *step.edits, context.edit(node.right, Expression(count))))


def sign_of_what_was_given(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return swing`, in a function that reckons with `abs(n)`, becomes `return -swing if n < 0 else swing`."""
    if not isinstance(node.value, ast.Name | ast.Call):
        return
    result = context.text(node.value)
    for part in context.scope.nodes:
        match part:
            case ast.Call(func=ast.Name(id="abs"), args=[ast.Name(id=given)]) if given in context.scope.parameters:
                yield context.put(node.value, Expression(f"-{result} if {given} < 0 else {result}", TEST))


TEMPLATES = (
    Template("divide_by_how_many", (ast.BinOp,), divide_by_how_many, ("smaller", "content")),
    Template("add_each_once", (ast.AugAssign,), add_each_once, ("larger",)),
    Template("add_what_is_open", (ast.Return,), add_what_is_open, ("smaller",)),
    Template("from_the_highest", (ast.For,), from_the_highest, ("content",)),
    Template("divide_by_own_length", (ast.BinOp,), divide_by_own_length, ("smaller", "larger")),
    Template("mean_for_sum", (ast.Call,), mean_for_sum, ("content", "longer")),
    Template("alternate_terms", (ast.AugAssign, ast.Call), alternate_terms, ("content", "sign")),
    Template("sum_over_all", (ast.BinOp,), sum_over_all, ("content",)),
    Template("power_of_each", (ast.BinOp,), power_of_each, ("content", "zero")),
    Template("difference_of_powers", (ast.BinOp,), difference_of_powers, ("content",)),
    Template("total_of_other_kind", (ast.AugAssign,), total_of_other_kind, ("content", "zero")),
    Template("around_a_shape", (ast.BinOp,), around_a_shape, ("content",)),
    Template("as_often_as_counted", (ast.Expr,), as_often_as_counted, ("shorter", "content")),
    Template("sign_of_what_was_given", (ast.Return,), sign_of_what_was_given, ("sign", "negative", "larger")),
)
