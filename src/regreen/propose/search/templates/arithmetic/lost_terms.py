"""Terms and operands in a row that are alike: the last one missing, all of them one off; a count that leaves out what a
filter asks."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from regreen.propose.search.constants import ALMOST_SURE, MAX_REPLACING_NUMBERS
from regreen.propose.search.expressions import TEST, Expression, binary_operation, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name, names_within, walk, whole_number

_FEWEST = 2
"""Operands of one shape that are alike on purpose."""


def told_term(node: ast.BinOp | ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`y // 4 - y // 100` gains `+ y // 400`, and `a % 3 == 0 or a % 5 == 0` gains `or a % 7 == 0`, as prose says."""
    words: tuple[str, ...]
    if isinstance(node, ast.BoolOp):
        terms, words = list(node.values), ("and" if isinstance(node.op, ast.And) else "or",)
    elif isinstance(node.op, ast.Add | ast.Sub) and not _is_part_of_sum(node, context):
        terms, words = _terms(node), ("+", "-")
    else:
        return
    numbers = [number for term in terms if (number := _only_number(term)) is not None]
    if not _FEWEST <= len(terms) == len(numbers) or len(set(map(_shape, terms))) != 1:
        return
    known = {str(number.value) for number in numbers}
    join = bool_operation if isinstance(node, ast.BoolOp) else binary_operation
    for text in context.clues.numbers[:MAX_REPLACING_NUMBERS]:
        if text.isdigit() and text not in known:
            added = _with_number(terms[-1], numbers[-1], text, context)
            yield from (context.put(node, join(context.expression(node), word, added)) for word in words)


def offset_alike(
    node: ast.Call | ast.Tuple | ast.List | ast.BoolOp, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`min(r, c, height - r, width - c)` becomes `min(r, c, height - 1 - r, width - 1 - c)`: operands of one shape."""
    operands = node.args if isinstance(node, ast.Call) else node.values if isinstance(node, ast.BoolOp) else node.elts
    groups: dict[str, list[ast.BinOp | ast.Compare]] = defaultdict(list)
    for operand in operands:
        is_sum = isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Add | ast.Sub)
        if is_sum or (isinstance(operand, ast.Compare) and len(operand.ops) == 1):
            assert isinstance(operand, ast.BinOp | ast.Compare)
            groups[_shape(operand)].append(operand)
    for alike in groups.values():
        if len(alike) < _FEWEST or not all(_has_names(one) for one in alike):
            continue
        for side in (0, 1):
            places = [_sides(one)[side] for one in alike]
            if all(context.kind(place) in ("int", "") and not isinstance(place, ast.Constant) for place in places):
                yield from (_all_one_off(places, sign, context) for sign in ("-", "+"))


def last_place(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(r, c) == (rows, columns)` becomes `(rows - 1, columns - 1)`: the last place is one before their number."""
    around = context.parent(node)
    if isinstance(around, ast.Compare) and all(isinstance(part, ast.Name) for part in node.elts):
        yield from (_all_one_off(node.elts, sign, context) for sign in ("-", "+"))


def _all_one_off(places: Sequence[ast.expr], sign: str, context: TemplateContext) -> WeightedEdits:
    changed = [binary_operation(context.expression(place), sign, Expression("1")) for place in places]
    return WeightedEdits(tuple(context.edit(place, code) for place, code in zip(places, changed, strict=True)))


def with_what_comes(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if size > limit:` becomes `if size + len(data) > limit:`, or `size + amount`: what comes has to fit, too."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    named = names_within(node)
    coming = [name for name in (*context.scope.parameters, *context.scope.locals) if name not in named]
    for side in (node.left, node.comparators[0]):
        if not isinstance(side, ast.Name | ast.Attribute | ast.Call):
            continue
        for rank, name in enumerate(dict.fromkeys(coming)):
            if name == context.scope.receiver or rank > _MOST_COMING:
                continue
            kind = context.scope.kinds.get(name, "")
            if kind in ("int", "float", ""):
                yield context.put(side, binary_operation(context.expression(side), "+", Expression(name)))
            if kind in ("str", "bytes", "list", ""):
                yield context.put(side, binary_operation(context.expression(side), "+", Expression(f"len({name})")))


_MOST_COMING = 4
"""Names that are tried."""


def count_as_filtered(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(xs)` becomes `sum(1 for x in xs if c)`, where another loop over `xs` asks `c`, or the contrary."""
    if callee_name(node) != "len" or len(node.args) != 1 or not isinstance(node.func, ast.Name):
        return
    measured = context.text(node.args[0])
    for part in context.scope.nodes:
        if not isinstance(part, ast.comprehension) or context.text(part.iter) != measured or not part.ifs:
            continue
        name, test = context.text(part.target), context.expression(part.ifs[0])
        for asked in (test.at(TEST), f"not {test.at(TEST) if isinstance(part.ifs[0], ast.Call) else f'({test.text})'}"):
            yield context.put(node, f"sum(1 for {name} in {measured} if {asked})")


def _is_part_of_sum(node: ast.BinOp, context: TemplateContext) -> bool:
    parent = context.parent(node)
    return isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Sub)


def _terms(node: ast.expr) -> list[ast.expr]:
    """The terms of a sum, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return [*_terms(node.left), node.right]
    return [node]


def _shape(node: ast.expr) -> str:
    """An expression with its names, but any whole number; of operands in a row the names may differ, too."""
    kinds = [type(part).__name__ for part in ast.walk(node) if not isinstance(part, ast.expr_context)]
    return " ".join(kinds)


def _only_number(node: ast.expr) -> ast.Constant | None:
    """The whole number in an expression that has names and a single one that is not 0 or 1."""
    found = [part for part in walk(node) if isinstance(part, ast.Constant) and (whole_number(part) or 0) > 1]
    return found[0] if len(found) == 1 and _has_names(node) else None


def _has_names(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) for part in walk(node))


def _with_number(node: ast.expr, number: ast.Constant, text: str, context: TemplateContext) -> Expression:
    """An expression with another number in the place of its own."""
    start, end = context.program.spans[node]
    at, to = context.program.spans[number]
    code = context.expression(node)
    return Expression(context.program.source[start:at] + text + context.program.source[to:end], code.level)


def _sides(node: ast.BinOp | ast.Compare) -> tuple[ast.expr, ast.expr]:
    return (node.left, node.right) if isinstance(node, ast.BinOp) else (node.left, node.comparators[0])


def cap_operand(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`3 * full + left // size` becomes `3 * full + min(3, left // size)`: no more than the others are counted by."""
    if (
        not isinstance(node.op, ast.Add)
        or not isinstance(node.left, ast.BinOp)
        or not isinstance(node.left.op, ast.Mult)
    ):
        return
    if isinstance(node.right, ast.BinOp | ast.Name | ast.Call):
        for factor in (node.left.left, node.left.right):
            if isinstance(factor, ast.Name | ast.Constant | ast.Attribute):
                yield context.put(node.right, f"min({context.text(factor)}, {context.text(node.right)})")


def clip_to_parameter(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`gaps.append((at, begin))` becomes `gaps.append((at, min(begin, close)))` for a parameter `close`."""
    pair = context.parent(node)
    call = context.parent(pair) if isinstance(pair, ast.Tuple) else None
    if not isinstance(call, ast.Call) or callee_name(call) != "append" or not isinstance(node.ctx, ast.Load):
        return
    for name in context.scope.parameters:
        if name not in (node.id, context.scope.receiver) and context.scope.kinds.get(name, "") in ("int", "float", ""):
            yield from (context.put(node, f"{limit}({node.id}, {name})") for limit in ("min", "max"))


def cap_by_rest(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if i < right: z[i] = z[i - left]` becomes `z[i] = min(right - i, z[i - left])`: no more than there is left."""
    around = context.parent(node)
    test = around.test if isinstance(around, ast.If) and around.body == [node] else None
    if not isinstance(test, ast.Compare) or len(test.ops) > 1 or not isinstance(test.ops[0], ORDERS):
        return
    low, high = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Gt | ast.GtE):
        low, high = high, low
    if isinstance(low, ast.Name) and isinstance(high, ast.Name) and isinstance(node.value, ast.Subscript):
        rest = f"{high.id} - {low.id}"
        yield context.put(node.value, f"min({rest}, {context.text(node.value)})")
        yield context.put(node.value, f"min({rest} + 1, {context.text(node.value)})", ALMOST_SURE)


def take_off_all(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cents -= coin` behind `count = cents // coin` becomes `cents -= coin * count`, or `cents %= coin`: as many are
    taken off as go into it."""
    if not isinstance(node.op, ast.Sub):
        return
    whole, part = context.text(node.target), context.expression(node.value)
    block = context.program.block(node)
    for before in block[: block.index(node)]:
        match before:
            case ast.Assign(targets=[ast.Name(id=count)], value=ast.BinOp(op=ast.FloorDiv()) as quotient):
                if context.text(quotient) == f"{whole} // {part.text}":
                    yield context.put(node.value, binary_operation(part, "*", Expression(count)))
                    yield from context.restate(node, (f"{whole} %= {part.text}",), ALMOST_SURE)


def part_taken(node: ast.Attribute | ast.Name | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lot.quantity * lot.price` behind `part = min(left, lot.quantity)` becomes `part * lot.price`: no more is
    taken."""
    around = context.parent(node)
    if not context.is_read(node) or not isinstance(around, ast.BinOp) or not isinstance(around.op, ast.Mult):
        return
    whole = context.text(node)
    for part in context.scope.nodes:
        match part:
            case ast.Assign(
                targets=[ast.Name(id=taken)], value=ast.Call(func=ast.Name(id="min"), args=[_, _] as sides)
            ):
                if whole in map(context.text, sides) and part.lineno < node.lineno:
                    yield context.put(node, taken)


def taken_from_both(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lot.left -= min(lot.left, points)` in a loop becomes `used = min(lot.left, points)`, taken off both: what one
    gives, the next one need not give."""
    match node:
        case ast.AugAssign(op=ast.Sub(), value=ast.Call(func=ast.Name(id="min"), args=[one, other], keywords=[])):
            sides = [one, other]
        case _:
            return
    if next(context.loops_around(node), None) is None:
        return
    held = context.text(node.target)
    wanted = [side for side in sides if context.text(side) != held]
    if len(wanted) == 1 and isinstance(wanted[0], ast.Name | ast.Attribute):
        used = context.new_name("used", "taken", "part")
        rest = context.text(wanted[0])
        yield from context.restate(
            node, (f"{used} = {context.text(node.value)}", f"{held} -= {used}", f"{rest} -= {used}")
        )


TEMPLATES = (
    Template("taken_from_both", (ast.AugAssign,), taken_from_both, ("content", "smaller", "larger")),
    Template("part_taken", (ast.Attribute, ast.Name, ast.Subscript), part_taken, ("larger", "content")),
    Template("cap_by_rest", (ast.Assign,), cap_by_rest, ("larger", "content", "index")),
    Template("take_off_all", (ast.AugAssign,), take_off_all, ("content", "longer", "shorter")),
    Template("cap_operand", (ast.BinOp,), cap_operand, ("larger",)),
    Template("clip_to_parameter", (ast.Name,), clip_to_parameter, ("content",)),
    Template("last_place", (ast.Tuple,), last_place, ("none", "off_by_one")),
    Template("told_term", (ast.BinOp, ast.BoolOp), told_term, ("shorter", "negated")),
    Template("offset_alike", (ast.Call, ast.Tuple, ast.List, ast.BoolOp), offset_alike, ("off_by_one", "index")),
    Template("with_what_comes", (ast.Compare,), with_what_comes, ("off_by_one", "longer", "shorter")),
    Template("count_as_filtered", (ast.Call,), count_as_filtered, ("longer", "off_by_one")),
)
