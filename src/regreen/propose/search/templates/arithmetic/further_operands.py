"""An operand that is missing altogether: the entry of another one, the half of what there is, how often."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeGuard

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import COMPARISON, SHIFT, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name, whole_number
from regreen.types import Edit

_MOST_NAMES: Final = 5
_SIGNS: Final = (("/", 1.0), ("+", LIKELY), ("*", HALF), ("-", HALF), ("//", POSSIBLE))


def reckon_with_other_entry(node: ast.Subscript | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x * RATE[source]` becomes `x * RATE[source] / RATE[target]`, and `w[low]` `w[low] + w[high]`: with the entry of
    another name, above all of one that nothing reads."""
    entry = node.right if isinstance(node, ast.BinOp) else node
    if not isinstance(entry, ast.Subscript) or _is_changed(node, context):
        return
    if isinstance(node, ast.Subscript) and isinstance(context.parent(node), ast.BinOp | ast.Subscript | ast.Attribute):
        return
    table, place = context.text(entry.value), entry.slice
    number = whole_number(place)
    if isinstance(place, ast.Name):
        others = _other_places(table, place.id, context)
    else:
        others = [] if number is None else [(str(number + (1 if number >= 0 else -1)), POSSIBLE)]
    for name, share in others:
        other = Expression(f"{table}[{name}]")
        if other.text not in context.text(node):
            for sign, weight in _SIGNS:
                yield context.put(node, binary_operation(context.expression(node), sign, other), weight * share)


def _is_changed(node: ast.AST, context: TemplateContext) -> bool:
    """Whether an expression is given a value, taken away, or called."""
    changed = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    return changed or (isinstance(node, ast.Subscript) and context.is_called(node))


def _other_places(table: str, place: str, context: TemplateContext) -> list[tuple[str, float]]:
    """The names at which another entry of a table may be meant: first those that nothing reads."""
    unread = [name for name in context.scope.locals if name in context.scope.unused and name != place]
    used = context.cached("places of tables", lambda: _places_of_tables(context)).get(table, ())
    kind = context.scope.kinds.get(place, "")
    alike = [name for name in context.scope.locals if kind and context.scope.kinds.get(name, "") == kind]
    others = dict.fromkeys((*used, *alike, *context.scope.parameters))
    known = (*unread, place, context.scope.receiver)
    return [(n, 1.0) for n in unread] + [(n, HALF) for n in others if n not in known][:_MOST_NAMES]


def _places_of_tables(context: TemplateContext) -> dict[str, list[str]]:
    """By table: the names at which the function reads or sets its entries."""
    found: dict[str, list[str]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Name):
            found.setdefault(context.text(part.value), []).append(part.slice.id)
    return found


def difference_of_places(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a[0]` becomes `a[0] - o[0]`, where the statement has such differences: of coordinates, say."""
    if whole_number(node.slice) is None or _is_changed(node, context):
        return
    place, around = context.text(node.slice), context.program.statement(node)
    if isinstance(context.parent(node), ast.BinOp) and isinstance(context.parent(node).op, ast.Sub):  # type: ignore[attr-defined]
        return
    taken = (part for part in ast.walk(around) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub))
    lessened = (part.right.value for part in taken if isinstance(part.right, ast.Subscript))
    for other in dict.fromkeys(context.text(part) for part in lessened):
        if other != context.text(node.value):
            less = Expression(f"{other}[{place}]")
            yield context.put(node, binary_operation(context.expression(node), "-", less))


def reckon_with_other_cell(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows[r][c]` becomes `rows[r][c] / rows[c][c]`, as by a pivot, and `a[r][k]` `a[r][k] * b[k][c]`, as in a product
    of matrices."""
    row, column = (node.value.slice if isinstance(node.value, ast.Subscript) else None), node.slice
    if not isinstance(row, ast.Name) or not isinstance(column, ast.Name) or _is_changed(node, context):
        return
    if isinstance(context.parent(node), ast.Subscript | ast.Attribute):
        return
    assert isinstance(node.value, ast.Subscript)
    table, whole = context.text(node.value.value), context.expression(node)
    for place in (column.id, row.id):
        yield context.put(node, binary_operation(whole, "/", Expression(f"{table}[{place}][{place}]")))
    loops = [loop.target for loop in context.loops_around(node) if isinstance(loop, ast.For)]
    targets = [target.id for target in loops if isinstance(target, ast.Name)]
    further = [name for name in targets if name not in (row.id, column.id)]
    for other in _tables_beside(table, context):
        for name in further:
            yield context.put(node, binary_operation(whole, "*", Expression(f"{other}[{column.id}][{name}]")))


def _tables_beside(table: str, context: TemplateContext) -> list[str]:
    """The parameters beside a table, or the same attribute of them: `other.cells` beside `self.cells`."""
    owner, dot, attribute = table.partition(".")
    others = [name for name in context.scope.parameters if name != owner]
    return [f"{name}{dot}{attribute}" for name in others]


def half_of_all(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`votes > total` becomes `votes > total / 2`, where prose speaks of a half or of a majority."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS) or _HALVES.isdisjoint(context.clues.words):
        return
    for side, weight in ((node.comparators[0], 1.0), (node.left, POSSIBLE)):
        is_length = isinstance(side, ast.Call) and callee_name(side) in ("len", "sum")
        if is_length or (isinstance(side, ast.Name | ast.Attribute) and context.kind(side) in ("int", "float", "")):
            for sign, likely in (("/", 1.0), ("//", LIKELY)):
                halved = binary_operation(context.expression(side), sign, Expression("2"))
                yield context.put(side, halved, weight * likely)


_HALVES: Final = frozenset({"half", "majority", "quorum", "halves"})


def text_so_often(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return char` becomes `return char * count`: a text as often as a parameter says."""
    parent = context.parent(node)
    is_given = isinstance(parent, ast.Return) or (isinstance(parent, ast.Call) and node in parent.args)
    if not is_given or context.kind(node) not in ("str", "list"):
        return
    for name in context.scope.locals:
        if name not in (node.id, context.scope.receiver) and context.scope.kinds.get(name, "") == "int":
            weight = 1.0 if name in context.scope.unused else PROBABLE
            yield context.put(node, binary_operation(context.expression(node), "*", Expression(name)), weight)


def with_same_of_unread(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`minutes(end)` becomes `minutes(end) - minutes(start)`, where nothing reads `start`: both are needed."""
    given = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if not isinstance(given, ast.Name) or not isinstance(node.func, ast.Name):
        return
    for other in (name for name in context.scope.parameters if name in context.scope.unused):
        own, same = context.expression(node), Expression(f"{node.func.id}({other})")
        for sign, weight in (("-", 1.0), ("+", LIKELY)):
            yield context.put(node, binary_operation(own, sign, same), weight)
        yield context.put(node, binary_operation(same, "-", own), LIKELY)


def with_told_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return price` becomes `return price - 200`, and `litres / km` `litres / km * 100`: with a number that prose has
    and the function does not."""
    around = context.parent(node)
    is_whole = (isinstance(around, ast.Return | ast.Assign | ast.AugAssign) and around.value is node) or (
        isinstance(around, ast.Call) and callee_name(around) in ("round", "int") and node in around.args[:1]
    )
    if not is_whole or context.kind(node) not in ("int", "float", ""):
        return
    told = [n for n in context.clues.numbers if n not in context.scope.numbers and n not in ("0", "1")][:_MOST_NAMES]
    for number in told:
        quotient = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        others = (("-", LIKELY), ("+", LIKELY), ("/", POSSIBLE), ("%", POSSIBLE))
        for sign, weight in (("*", 1.0 if quotient else HALF), *others):
            yield context.put(node, binary_operation(context.expression(node), sign, Expression(number)), weight)


def less_what_is_in_it(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`room = self.sizes[i]` becomes `room = self.sizes[i] - self.filled[i]`, where the function changes
    `self.filled[i]`: less what is in it already."""
    if not isinstance(context.parent(node), ast.Assign | ast.Compare | ast.Call | ast.Return):
        return
    if isinstance(node.ctx, ast.Store) or isinstance(node.slice, ast.Slice | ast.Constant):
        return
    place = context.text(node.slice)
    entries = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
    changed = [p for p in entries if isinstance(p.ctx, ast.Store) and context.text(p.slice) == place]
    for other in dict.fromkeys(context.text(part) for part in changed if context.text(part) != context.text(node)):
        yield context.put(node, binary_operation(context.expression(node), "-", Expression(other)))


def sign_of_quotient(node: ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`-whole if a < 0 else whole`, where `whole = abs(a) // abs(b)`, becomes `-whole if (a < 0) != (b < 0) else
    whole`: either sign turns it."""
    match node:
        case ast.IfExp(
            test=ast.Compare(left=ast.Name(id=asked), ops=[ast.Lt()], comparators=[ast.Constant(value=0)]),
            body=ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=turned)),
            orelse=ast.Name(id=whole),
        ) if turned == whole:
            pass
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=one, right=other)) if name == whole:
                sizes = [size.args[0] for size in (one, other) if _is_size(size)]
                names = [size.id for size in sizes if isinstance(size, ast.Name)]
                for second in names:
                    if asked in names and second != asked:
                        both = f"({asked} < 0) != ({second} < 0)"
                        yield context.put(node.test, Expression(both, COMPARISON))


def _is_size(node: ast.expr) -> TypeGuard[ast.Call]:
    """Whether an expression is `abs(x)`."""
    return isinstance(node, ast.Call) and callee_name(node) == "abs" and len(node.args) == 1


def shift_the_sum(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`marks << 1 | spot` becomes `(marks | spot) << 1`, and `(code << k) + 1` becomes `(code + 1) << k`: what is put
    in is shifted, too. All of one call's arguments as well."""
    edits = _shifted(node, context)
    if not edits:
        return
    yield WeightedEdits((edits,))
    call = context.parent(node)
    if isinstance(call, ast.Call):
        like = [_shifted(part, context) for part in call.args if isinstance(part, ast.BinOp)]
        found = [edit for edit in like if edit is not None]
        if len(found) > 1:
            yield WeightedEdits(tuple(found))


def _shifted(node: ast.BinOp, context: TemplateContext) -> Edit | None:
    match node:
        case ast.BinOp(
            left=ast.BinOp(left=value, op=ast.LShift() | ast.RShift() as shift, right=by),
            op=ast.Add() | ast.BitOr() as op,
            right=put_in,
        ):
            symbol, sign = ("<<" if isinstance(shift, ast.LShift) else ">>"), ("+" if isinstance(op, ast.Add) else "|")
            inner = f"({context.text(value)} {sign} {context.text(put_in)})"
            moved = f"{inner} {symbol} {context.expression(by).at(SHIFT + 1)}"
            return context.edit(node, Expression(moved, SHIFT))
    return None


TEMPLATES = (
    Template("less_what_is_in_it", (ast.Subscript,), less_what_is_in_it, ("content", "larger")),
    Template("with_same_of_unread", (ast.Call,), with_same_of_unread, ("content", "larger", "smaller")),
    Template("difference_of_places", (ast.Subscript,), difference_of_places, ("content",)),
    Template("with_told_number", (ast.Name, ast.BinOp, ast.Call, ast.Subscript), with_told_number, ("content",)),
    Template("reckon_with_other_entry", (ast.Subscript, ast.BinOp), reckon_with_other_entry, ("content",)),
    Template("reckon_with_other_cell", (ast.Subscript,), reckon_with_other_cell, ("content",)),
    Template("half_of_all", (ast.Compare,), half_of_all, ("negated", "content")),
    Template("text_so_often", (ast.Name,), text_so_often, ("shorter", "content")),
    Template("sign_of_quotient", (ast.IfExp,), sign_of_quotient, ("sign", "negative", "content")),
    Template("shift_the_sum", (ast.BinOp,), shift_the_sum, ("larger", "smaller", "content", "close")),
)
