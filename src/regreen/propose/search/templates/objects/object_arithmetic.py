"""Arithmetic over an object that lacks one of its numbers, and values that should stay within bounds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    MAX_BOUNDS,
    MAX_REPLACING_NUMBERS,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import OPERATOR_SYMBOLS, TEST, Expression, binary_operation, function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.object_numbers import NUMBER_KINDS, never_read, numbers_of
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.variables.unread_fields import unread_attributes, unread_keys
from regreen.syntax import FUNCTIONS, callee_name, python_literal

_FACTORS: Final = (("*", 1.0), ("/", HALF))
_TERMS: Final = (("+", VERY_LIKELY), ("-", LIKELY))
_PRODUCT = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
_SUM = (ast.Add, ast.Sub)
_NO_ARITHMETIC = (ast.Expr, ast.Starred, ast.arguments, ast.ClassDef, *FUNCTIONS)


def lost_operand(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`item.price` becomes `item.price * item.qty`: a factor or a term from another attribute of the same object."""
    if not _is_value(node, context) or context.kind(node) not in NUMBER_KINDS:
        return
    around = context.text(context.program.statement(node))
    for operand, share in _operands(node, context):
        if operand.rpartition(".")[2] not in never_read(context):
            weight = share * (HALF if operand in around else LIKELY)
            yield from _joined(node, operand, weight, context)


def unread_operand(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """As `lost_operand`, with an attribute that the program sets and reads nowhere."""
    if never_read(context) and _is_value(node, context) and context.kind(node) in NUMBER_KINDS:
        for operand, share in _operands(node, context):
            if operand.rpartition(".")[2] in never_read(context):
                yield from _joined(node, operand, share, context)


def _operands(node: ast.expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The numbers of the objects that an expression reads attributes of; in a method, seldom those of its own object
    for an expression that reads none."""
    bases, share = _objects_in(node, context), 1.0
    if not bases and context.scope.receiver:
        bases, share = [context.scope.receiver], UNLIKELY
    text = context.text(node)
    for base in bases:
        operands = (f"{base}.{name}" for name in numbers_of(base, context))
        yield from ((operand, share) for operand in operands if operand not in text)


def _joined(node: ast.expr, operand: str, weight: float, context: TemplateContext) -> Iterator[WeightedEdits]:
    for symbol, likely in _operators_around(node, context):
        yield context.put(
            node, binary_operation(context.expression(node), symbol, Expression(operand)), weight * likely
        )


def _operators_around(node: ast.expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The operators of a further operand behind a node; a chain gets its own where it ends."""
    parent = context.parent(node)
    around = type(parent.op) if isinstance(parent, ast.BinOp) else ast.Pow
    own = type(node.op) if isinstance(node, ast.BinOp) else ast.Pow
    if not issubclass(around, _PRODUCT):
        yield from ((symbol, weight * (POSSIBLE if issubclass(own, _SUM) else 1.0)) for symbol, weight in _FACTORS)
    if not issubclass(around, _SUM):
        yield from ((symbol, weight * (PROBABLE if issubclass(own, _PRODUCT) else 1.0)) for symbol, weight in _TERMS)


def _objects_in(node: ast.expr, context: TemplateContext) -> list[str]:
    """The variables of which an expression reads an attribute."""
    parts = (node, *context.program.below(node))
    found = (part.value for part in parts if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name))
    return list(dict.fromkeys(base.id for base in found if base.id in context.scope.locals))


def _is_value(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a node is an operand: neither bound nor called, nor a holder of what is read of it."""
    parent = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(parent, _NO_ARITHMETIC):
        return False
    if isinstance(parent, ast.Call) and parent.func is node:
        return False
    if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
        return False
    held = isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Subscript) and parent.value is node)
    return not held and not (isinstance(node, ast.Name) and node.id == context.scope.receiver)


class _Bound(NamedTuple):
    """What may bound a value: its text, the functions that keep below or above it, and how likely it is a bound."""

    text: str
    functions: tuple[str, ...]
    weight: float


_ZERO: Final = _Bound("0", ("max",), LIKELY)
_MOST: Final = frozenset(
    "max maximum most limit capacity cap upper high ceiling top size full budget total length available".split()
)
_LEAST: Final = frozenset(("min", "minimum", "least", "lower", "low", "floor", "bottom"))


def keep_within(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A value that is stored or returned becomes `min(value, self.limit)`, or `max` of it and a lower bound."""
    parent = context.parent(node)
    is_whole = isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return) and parent.value is node
    if not is_whole or context.kind(node) not in NUMBER_KINDS:
        return
    code = context.expression(node)
    zero = (_ZERO,) if isinstance(node, ast.BinOp | ast.Call) else ()
    for bound in (*zero, *_bounds(context)):
        if bound.text not in code.text:
            for function in bound.functions:
                yield context.put(node, function_call(function, code, Expression(bound.text)), bound.weight)


def keep_updates_within(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.level += x` becomes `self.level = min(self.level + x, self.limit)`, and `-=` stays at 0 or above."""
    if not isinstance(node.op, _SUM):
        return
    symbol = OPERATOR_SYMBOLS[type(node.op)][0]
    target, value = context.text(node.target), context.expression(node.value)
    changed = binary_operation(Expression(target), symbol, value)
    wanted = "min" if symbol == "+" else "max"
    if symbol == "+" and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Sub):
        # What is added may be a lack, which counts as nothing.
        yield context.put(node.value, function_call("max", Expression("0"), value))
    for bound in (_ZERO, *_bounds(context)):
        if wanted in bound.functions and bound.text not in (target, value.text):
            bounded = function_call(wanted, changed, Expression(bound.text))
            yield from context.restate(node, (f"{target} = {bounded.text}",), bound.weight)


def _bounds(context: TemplateContext) -> list[_Bound]:
    """What may bound a value in a function: attributes, parameters, constants of the module, numbers of the prose."""
    return context.cached("bounds", lambda: _likeliest(list(_found_bounds(context))))


def _likeliest(bounds: list[_Bound]) -> list[_Bound]:
    return sorted(bounds, key=lambda bound: -bound.weight)[:MAX_BOUNDS]


def _found_bounds(context: TemplateContext) -> Iterator[_Bound]:
    scope = context.scope
    if scope.receiver:
        for name in numbers_of(scope.receiver, context):
            yield _bound(f"{scope.receiver}.{name}", name, likely=name in never_read(context))
    for name in scope.parameters:
        if name != scope.receiver and scope.kinds.get(name, "") in NUMBER_KINDS:
            yield _bound(name, name, likely=name in scope.unused)
    yield from _stocks(context)
    for name in _constants(context):
        yield _bound(name, name, likely=False)
    yield from (_Bound(number, ("min", "max"), POSSIBLE) for number in context.clues.numbers if number not in "01")


def _stocks(context: TemplateContext) -> Iterator[_Bound]:
    """What a loop over a mapping has of each: `drawer[coin]` of `for coin in sorted(drawer, reverse=True)`."""
    for loop in context.scope.nodes:
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
            is_ordered = isinstance(loop.iter, ast.Call) and callee_name(loop.iter) in ("sorted", "reversed", "list")
            held = loop.iter.args[0] if is_ordered and loop.iter.args else loop.iter  # type: ignore[attr-defined]
            if isinstance(held, ast.Name) and context.kind(held) in ("dict", ""):
                yield _Bound(f"{held.id}[{loop.target.id}]", ("min",), POSSIBLE)


def _bound(text: str, name: str, *, likely: bool) -> _Bound:
    """A bound with the functions that its name speaks for; both where it speaks for none."""
    words = frozenset(name.lower().split("_"))
    if words & _MOST or words & _LEAST:
        return _Bound(text, ("min",) if words & _MOST else ("max",), 1.0)
    return _Bound(text, ("min", "max"), PROBABLE if likely else UNLIKELY)


def _constants(context: TemplateContext) -> Iterator[str]:
    """The names of numbers at the top of the module."""
    for statement in context.program.tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and target.id.isupper() and context.kind(value) in ("int", "float"):
            yield target.id


_VALUES = (ast.Attribute, ast.BinOp, ast.Call, ast.Name, ast.Subscript)


def less_of_a_kind(node: ast.Subscript | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`entry["amount"]`, added up, becomes `(entry["amount"] if entry["kind"] == "credit" else -entry["amount"])`,
    where nothing reads the kind that each entry has: one kind is taken off."""
    if not _is_added(node, context):
        return
    owner, amount = context.text(node.value), context.expression(node)
    if isinstance(node, ast.Subscript):
        kinds = [f"{owner}[{python_literal(key)}]" for key in unread_keys(context)]
    else:
        kinds = [f"{owner}.{field}" for field in unread_attributes(context)]
    for kind in kinds:
        for text in (*context.clues.strings, *context.clues.input_strings)[:MAX_REPLACING_NUMBERS]:
            asked = f"{kind} == {python_literal(text)}"
            yield context.put(node, Expression(f"{amount.text} if {asked} else -{amount.text}", TEST))
            yield context.put(node, Expression(f"-{amount.text} if {asked} else {amount.text}", TEST))


def _is_added(node: ast.Subscript | ast.Attribute, context: TemplateContext) -> bool:
    """Whether a field is what `total += entry["amount"]` or `sum(e["amount"] for ...)` adds up."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
        return False
    parent = context.parent(node)
    is_summed = isinstance(parent, ast.GeneratorExp | ast.ListComp) and parent.elt is node
    is_summed = is_summed and isinstance(call := context.parent(parent), ast.Call) and callee_name(call) == "sum"
    return is_summed or (isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Add) and parent.value is node)


TEMPLATES = (
    Template("less_of_a_kind", (ast.Subscript, ast.Attribute), less_of_a_kind, ("larger", "sign")),
    Template("lost_operand", _VALUES, lost_operand),
    Template("unread_operand", _VALUES, unread_operand),
    Template("keep_within", _VALUES, keep_within, ("negative",)),
    Template("keep_updates_within", (ast.AugAssign,), keep_updates_within, ("negative",)),
)
