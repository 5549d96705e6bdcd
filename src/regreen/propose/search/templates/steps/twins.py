"""The same slip in two statements of one shape, as copying makes it: `undo` and `redo`, undone in both at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any, Final

from regreen.propose.search.constants import HALF, LIKELY, MAX_TWIN_CHARACTERS, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import Expression, attribute_of, binary_operation, function_call
from regreen.propose.search.mutation import WeightedEdits, are_apart
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.scope import Scope
from regreen.propose.search.sides import other_sides
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.arithmetic.numbers import nudge_number
from regreen.propose.search.templates.arithmetic.operators import swap_operands, swap_operator, swap_update
from regreen.propose.search.templates.decisions.comparisons import swap_comparison
from regreen.propose.search.templates.functions.call_arguments import swap_arguments
from regreen.propose.search.templates.steps.statement_moves import swap_statements
from regreen.syntax import Function, names_within

_Change = Callable[[Any, TemplateContext], Iterator[WeightedEdits]]
_CHANGES: Final[dict[type[ast.AST], tuple[_Change, ...]]] = {
    ast.Compare: (swap_comparison,),
    ast.BinOp: (swap_operator, swap_operands),
    ast.AugAssign: (swap_update,),
    ast.Constant: (nudge_number,),
    ast.Call: (swap_arguments,),
}
_MOST_TWINS: Final = 4
_LEAST_WORDS: Final = 3
_MOST_CHANGES: Final = 2
"""Statements of one shape, the fewest words of which they are made, and changes of each of their parts."""
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def alike_in_twins(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.done.append(self.text)` and the next line change places, in `undo` as well as in its copy `redo`."""
    for group in context.cached_of_program("twin statements", lambda: _groups(context.program)).get(node, ()):
        yield from _changed_alike(group, context)


def _changed_alike(group: Sequence[ast.stmt], context: TemplateContext) -> Iterator[WeightedEdits]:
    """Each plain change of the first of these statements, made in all of them."""
    contexts = [_context_of(twin, context) for twin in group]
    yield from _together([swap_statements(*pair) for pair in zip(group, contexts, strict=True)])
    rows = [[twin, *context.program.below(twin)] for twin in group]
    if len({tuple(type(part) for part in row) for row in rows}) > 1:
        return
    for parts in zip(*rows, strict=True):
        for change in _CHANGES.get(type(parts[0]), ()):
            made = [change(part, around) for part, around in zip(parts, contexts, strict=True)]
            yield from islice(_together(made), _MOST_CHANGES)


def _groups(program: ParsedProgram) -> dict[ast.stmt, list[Sequence[ast.stmt]]]:
    """Pairs of simple statements of one shape that is rare in the program, and all of these, by the first of each."""
    shapes: dict[str, list[ast.stmt]] = {}
    for node in program.nodes:
        if isinstance(node, _SIMPLE):
            text = program.text(node)
            if len(text) <= MAX_TWIN_CHARACTERS and "\n" not in text and len(_WORD.findall(text)) >= _LEAST_WORDS:
                shapes.setdefault(_WORD.sub("@", text), []).append(node)
    found: dict[ast.stmt, list[Sequence[ast.stmt]]] = {}
    for alike in shapes.values():
        if 2 <= len(alike) <= _MOST_TWINS and any(sign in program.text(alike[0]) for sign in _SIGNS):
            for group in (*combinations(alike, 2), *([alike] if len(alike) > 2 else [])):
                found.setdefault(group[0], []).append(group)
    return found


_SIMPLE: Final = (ast.Return, ast.Assign, ast.AugAssign, ast.Expr)
_SIGNS: Final = tuple("+-*/%<>[(=")


def _context_of(node: ast.stmt, context: TemplateContext) -> TemplateContext:
    """The context of the function that holds a statement."""
    function = context.program.function(node)
    if function is context.scope.function:
        return context
    known: dict[Function | None, TemplateContext] = context.cached("contexts of twins", dict)
    if function not in known:
        known[function] = TemplateContext(context.program, Scope(context.program, function), context.clues)
    return known[function]


def _together(made: list[Iterator[WeightedEdits]]) -> Iterator[WeightedEdits]:
    """One mutation of those that each twin has in the same place of its order, where they say the same."""
    for alternatives in zip(*made, strict=False):
        words = [[_WORD.sub("@", edit.text) for edit in found.edits] for found in alternatives]
        apart = all(
            are_apart(one.edits, other.edits)
            for place, one in enumerate(alternatives)
            for other in alternatives[place + 1 :]
        )
        if apart and all(texts == words[0] for texts in words):
            edits = tuple(edit for found in alternatives for edit in found.edits)
            yield WeightedEdits(edits, LIKELY * alternatives[0].weight)


def change_both(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`outer = outer_width` and the next line, of the same shape, become `outer = outer_width / 2` and its like."""
    block = context.program.block(node)
    place = block.index(node)
    other = block[place + 1] if place + 1 < len(block) else None
    if not isinstance(other, ast.Assign) or not _is_plain(node) or not _is_plain(other):
        return
    if _WORD.sub("@", context.text(node)) != _WORD.sub("@", context.text(other)):
        return
    values = (node.value, other.value)
    kinds = {context.kind(value) for value in values}
    forms = (*_OF_NUMBERS, *_OF_ALL) if not kinds & {"str", "list"} else _OF_ALL if kinds != {"str"} else _OF_TEXTS
    for weight, form in forms:
        edits = (context.edit(value, form(context.expression(value))) for value in values)
        yield WeightedEdits(tuple(edits), weight)


def exchange_in_twins(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cost[i][0] = i * put` beside `cost[0][j] = j * take`: `put` and `take` change places, which only they read."""
    own = _last_name(node.value)
    for other in context.scope.nodes:
        if not isinstance(other, ast.Assign) or context.program.spans[other][0] <= context.program.spans[node][0]:
            continue
        name = _last_name(other.value)
        if own is None or name is None or own.id == name.id or _shape(node.value) != _shape(other.value):
            continue
        if {own.id, name.id} <= set(context.scope.locals):
            yield context.swap(own, name)


def _last_name(value: ast.expr) -> ast.Name | None:
    """The last operand of an arithmetic expression, or the last argument of a call, where it is a variable."""
    last = (
        value.right
        if isinstance(value, ast.BinOp)
        else value.args[-1]
        if isinstance(value, ast.Call) and value.args
        else None
    )
    return last if isinstance(last, ast.Name) else None


def _shape(value: ast.expr) -> list[str]:
    """The kinds of a value's parts, in order."""
    return [type(part).__name__ for part in ast.walk(value)]


def _is_plain(node: ast.Assign) -> bool:
    """Whether a statement gives a variable the value of another one, or of a call."""
    return len(node.targets) == 1 and isinstance(node.value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)


_Form = Callable[[Expression], Expression]
_OF_NUMBERS: Final[tuple[tuple[float, _Form], ...]] = (
    (1.0, lambda value: binary_operation(value, "/", Expression("2"))),
    (HALF, lambda value: binary_operation(value, "*", Expression("2"))),
    (HALF, lambda value: binary_operation(value, "-", Expression("1"))),
    (HALF, lambda value: function_call("abs", value)),
    (HALF, lambda value: function_call("int", value)),
)
_OF_ALL: Final[tuple[tuple[float, _Form], ...]] = (
    (HALF, lambda value: function_call("sorted", value)),
    (UNLIKELY, lambda value: function_call("list", value)),
)
_OF_TEXTS: Final[tuple[tuple[float, _Form], ...]] = (
    (1.0, lambda value: function_call(attribute_of(value, "lower").text)),
    (HALF, lambda value: function_call(attribute_of(value, "strip").text)),
    (HALF, lambda value: function_call("sorted", value)),
    (HALF, lambda value: function_call("int", value)),
)


def same_for_the_other(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if highs[0] < left: highs.popleft()` is followed by the same for `lows`, which was made beside it
    (`highs, lows = deque(), deque()`): both are kept alike."""
    text = context.text(node)
    if node.orelse or text.count("\n") > 1:
        return
    names = names_within(node)
    for part in context.scope.nodes:
        if not isinstance(part, ast.Assign):
            continue
        target, value = part.targets[0], part.value
        if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
            continue
        empty = [
            pair for pair in zip(target.elts, value.elts, strict=False) if isinstance(pair[1], ast.Call | ast.List)
        ]
        alike, made = [context.text(pair[0]) for pair in empty], [context.text(pair[1]) for pair in empty]
        own = [name for name in alike if name in names]
        if len(own) == 1 and len(alike) == _TWO and len(set(made)) == 1 and len(node.body) == 1:
            (other,) = set(alike) - set(own)
            swapped = re.compile(rf"\b{own[0]}\b")
            header, body = (swapped.sub(other, context.text(one)) for one in (node.test, node.body[0]))
            yield from context.after(node, (f"if {header}:", f"\t{body}"))


_TWO = 2


def guard_other_too(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a is None: return b` is followed by `if b is None: return a`: two parameters that may both be so."""
    answer = node.body[0] if len(node.body) == 1 and not node.orelse else None
    if not isinstance(answer, ast.Return) or not isinstance(answer.value, ast.Name):
        return
    other, asked = answer.value.id, names_within(node.test)
    for one in sorted(asked & set(context.scope.parameters) - {context.scope.receiver}):
        test = re.sub(rf"\b{one}\b", other, context.text(node.test))
        if other in context.scope.parameters and other not in asked and f"if {test}:" not in context.program.source:
            yield from context.after(node, (f"if {test}:", f"\treturn {one}"))


def same_for_other_side(
    node: ast.Assign | ast.AugAssign | ast.Expr, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`right_height, right_best = measure(right)` comes with `left_height, left_best = measure(left)`, where nothing
    gives the names of that side a value, or where nothing is said of it."""
    text = context.text(node)
    if "\n" in text or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call)):
        return
    own = context.text(context.scope.function) if context.scope.function else context.program.source
    named = set(_NAMES.findall(text))
    for twin in other_sides(text, context):
        # What speaks of both sides has no twin.
        if twin not in own and not named.issuperset(_NAMES.findall(twin)):
            yield from context.before(node, (twin,))
            yield from context.after(node, (twin,), LIKELY)
            yield from context.restate(node, (twin,), PROBABLE)


_NAMES: Final = re.compile(r"[^\W\d]\w*")


TEMPLATES = (
    Template("same_for_other_side", (ast.Assign, ast.AugAssign, ast.Expr), same_for_other_side, ("name", "content")),
    Template("guard_other_too", (ast.If,), guard_other_too, ("none", "empty", "attribute")),
    Template("same_for_the_other", (ast.If,), same_for_the_other, ("larger", "smaller", "content")),
    Template("exchange_in_twins", (ast.Assign,), exchange_in_twins, ("content",)),
    Template("alike_in_twins", _SIMPLE, alike_in_twins),
    Template("change_both", (ast.Assign,), change_both),
)
