"""The same slip in several places of a function, undone in all of them at once."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from regreen.propose.search.constants import (
    HALF,
    MAX_EQUAL_CONSTANTS,
    MAX_NUMBER_RESULTS,
    MAX_REPLACING_NUMBERS,
    MAX_USES_RENAMED,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import ATOM, COMPARISON_SYMBOLS, FACTOR, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.guards import likely_results
from regreen.propose.search.value_kinds import kind_fit
from regreen.syntax import FUNCTIONS, Function, is_attribute_of, is_written_number, whole_number
from regreen.types import Edit


def rename_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """One variable is read where another belongs, all through the function; or two are swapped."""
    reads = _reads(context)
    for name, places in reads.items():
        if len(places) < 2 or len(places) > MAX_USES_RENAMED:
            continue
        kind = context.scope.kinds.get(name, "")
        for other in context.scope.locals:
            if other not in (name, context.scope.receiver):
                edits = tuple(context.edit(n, Expression(other)) for n in places)
                yield WeightedEdits(edits, VERY_LIKELY * kind_fit(kind, context.scope.kinds.get(other, "")))
                if name < other and other in reads and len(reads[other]) <= MAX_USES_RENAMED:
                    back = tuple(context.edit(n, Expression(name)) for n in reads[other])
                    yield WeightedEdits((*edits, *back), kind_fit(kind, context.scope.kinds.get(other, "")))


def _reads(context: TemplateContext) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = defaultdict(list)
    for node in context.scope.nodes:
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id in PYTHON_BUILTINS:
            continue
        if node.id in context.scope.locals and node.id != context.scope.receiver:
            found[node.id].append(node)
    return found


def attribute_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """One attribute of `self` is read where another belongs, all through the method."""
    receiver = context.scope.receiver
    reads: dict[str, list[ast.Attribute]] = defaultdict(list)
    for part in context.scope.nodes:
        if is_attribute_of(part, receiver or "") and isinstance(part.ctx, ast.Load) and not context.is_called(part):
            reads[part.attr].append(part)
    for name, places in reads.items():
        for other in context.scope.attributes if 2 <= len(places) <= MAX_USES_RENAMED else ():
            if other != name:
                edits = [context.edit(place, Expression(f"{receiver}.{other}")) for place in places]
                yield WeightedEdits(tuple(edits))
                # One of several may be as it should be.
                for kept in edits if len(edits) > 2 else ():
                    yield WeightedEdits(tuple(edit for edit in edits if edit is not kept), HALF)


def rename_shadow(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A variable `list` becomes `list_` where the function also calls the builtin."""
    uses: dict[str, list[ast.Name]] = defaultdict(list)
    for part in context.program.below(node):
        if isinstance(part, ast.Name) and part.id in PYTHON_BUILTINS:
            uses[part.id].append(part)
    arguments = {part.arg: part for part in context.program.below(node) if isinstance(part, ast.arg)}
    for name, places in uses.items():
        called = {part for part in places if context.is_called(part)}
        stored = [part for part in places if isinstance(part.ctx, ast.Store)]
        if not called or not (stored or name in arguments) or f"{name}_" in context.scope.visible:
            continue
        edits = [Edit(*context.program.spans[part], f"{name}_") for part in places if part not in called]
        if name in arguments:
            start = context.program.spans[arguments[name]][0]
            edits.append(Edit(start, start + len(name), f"{name}_"))
        yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def swap_parameters(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Two parameters of a function change places."""
    names = [a for a in node.args.args if a.arg != context.scope.receiver]
    for one, two in pairwise(names):
        if one.annotation is None and two.annotation is None:
            yield WeightedEdits(
                (Edit(*context.program.spans[one], two.arg), Edit(*context.program.spans[two], one.arg))
            )


def shift_together(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[m] + xs[m + 1]` becomes `xs[m - 1] + xs[m]`: every index of a sequence in a statement is one off."""
    groups: dict[str, list[ast.expr]] = defaultdict(list)
    for part in context.program.below(node):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and _is_place(part.slice, context):
            groups[context.text(part.value)].append(part.slice)
    for places in groups.values():
        if len({context.text(place) for place in places}) >= 2:
            for step in (-1, 1):
                yield WeightedEdits(tuple(context.edit(place, _shifted(place, step, context)) for place in places))


def _is_place(index: ast.expr, context: TemplateContext) -> bool:
    """Whether an index is a place that is reckoned with: a variable, or one and a number."""
    if isinstance(index, ast.BinOp):
        is_step = isinstance(index.right, ast.Constant) and type(index.right.value) is int
        return is_step and isinstance(index.op, ast.Add | ast.Sub) and isinstance(index.left, ast.Name)
    return isinstance(index, ast.Name) and context.kind(index) in ("int", "")


def _shifted(index: ast.expr, step: int, context: TemplateContext) -> Expression:
    """An index one further or one less, the numbers taken together."""
    name, by = index, step
    if isinstance(index, ast.BinOp) and isinstance(index.right, ast.Constant):
        number = index.right.value
        assert isinstance(number, int)
        name, by = index.left, step + (number if isinstance(index.op, ast.Add) else -number)
    code = context.expression(name)
    return binary_operation(code, "+" if by > 0 else "-", Expression(str(abs(by)))) if by else code


def constant_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The same wrong constant, all through the function."""
    groups: dict[str, list[ast.Constant]] = defaultdict(list)
    for part in context.scope.nodes:
        if (
            isinstance(part, ast.Constant)
            and (is_written_number(part.value) or isinstance(part.value, str))
            and not isinstance(context.parent(part), ast.Expr)
        ):
            groups[context.text(part)].append(part)
    for text, places in groups.items():
        if not 2 <= len(places) <= MAX_EQUAL_CONSTANTS or not text[0].isdigit():
            continue
        value = ast.literal_eval(text)
        for other in dict.fromkeys(
            (
                repr(value + 1),
                repr(value - 1),
                "0",
                "1",
                *context.scope.numbers[:MAX_REPLACING_NUMBERS],
                *context.clues.numbers[:MAX_REPLACING_NUMBERS],
            )
        ):
            if other != text:
                yield WeightedEdits(
                    tuple(context.edit(n, Expression(other, FACTOR if other[0] == "-" else ATOM)) for n in places)
                )


def operator_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The same wrong comparison operator, all through the function; or two opposite ones swapped."""
    groups: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for part in context.scope.nodes:
        if isinstance(part, ast.Compare):
            left: ast.expr = part.left
            for operator, right in zip(part.ops, part.comparators, strict=True):
                gap = context.program.gap(context.program.spans[left][1], context.program.spans[right][0])
                groups[COMPARISON_SYMBOLS[type(operator)]].append(gap)
                left = right
    for symbol, others in _TURNS.items():
        if len(groups[symbol]) >= 2:
            yield from (WeightedEdits(tuple(Edit(*gap, other) for gap in groups[symbol])) for other in others)
    for one, two in (("<", ">"), ("<=", ">="), ("==", "!=")):
        if groups[one] and groups[two]:
            yield WeightedEdits((*(Edit(*gap, two) for gap in groups[one]), *(Edit(*gap, one) for gap in groups[two])))


_TURNS = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",)}


def word_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The same wrong method or function, all through the function."""
    groups: dict[str, list[int]] = defaultdict(list)
    for part in context.scope.nodes:
        if isinstance(part, ast.Attribute):
            groups[part.attr].append(context.program.spans[part][1])
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            groups[part.id].append(context.program.spans[part][1])
    for one, two in _PAIRS:
        if len(groups[one]) + len(groups[two]) >= 2:
            edits = [Edit(end - len(one), end, two) for end in groups[one]]
            edits += [Edit(end - len(two), end, one) for end in groups[two]]
            yield WeightedEdits(tuple(edits))


_PAIRS = (
    ("min", "max"),
    ("lower", "upper"),
    ("True", "False"),
    ("any", "all"),
    ("islower", "isupper"),
    ("left", "right"),
    ("floor", "ceil"),
)


def truth_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`True` and `False` change places in all returned constants of the function."""
    found = [n.value for n in context.scope.nodes if isinstance(n, ast.Return) and isinstance(n.value, ast.Constant)]
    flags = [value for value in found if isinstance(value.value, bool)]
    if len(flags) >= 2:
        yield WeightedEdits(tuple(context.edit(flag, Expression(repr(not flag.value))) for flag in flags))


_SIMPLE = (ast.Return, ast.Assign, ast.AugAssign, ast.Expr)


def nudge_siblings(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left = 2 * i` before `right = 2 * i + 1` becomes `2 * i + 1` and `2 * i + 2`: both are one off."""
    block = context.program.block(node)
    following = block[block.index(node) + 1 :][:1]
    if not following or not isinstance(following[0], ast.Assign):
        return
    values = (node.value, following[0].value)
    pairs = [_apart(value, context) for value in values]
    if pairs[0][0] != pairs[1][0] or pairs[0][1] == pairs[1][1] or not isinstance(pairs[0][2], ast.BinOp):
        return
    for step in (1, -1):
        edits = []
        for value, (_, number, base) in zip(values, pairs, strict=True):
            moved, code = number + step, context.expression(base)
            sign = "+" if moved > 0 else "-"
            edits.append(
                context.edit(value, binary_operation(code, sign, Expression(str(abs(moved)))) if moved else code)
            )
        yield WeightedEdits(tuple(edits))


def _apart(value: ast.expr, context: TemplateContext) -> tuple[str, int, ast.expr]:
    """A sum as the text of all but a written number at its end, that number, and the node of the rest."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub):
        number = whole_number(value.right)
        if number is not None:
            return context.text(value.left), number if isinstance(value.op, ast.Add) else -number, value.left
    return context.text(value), 0, value


def literal_throughout(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`chr((ord(c) - ord("a") + k) % 26 + ord("a"))` becomes the same with `"A"` in both places."""
    texts = _plain_texts(node, context) if not hasattr(node, "body") else {}
    for text, places in texts.items():
        known = [other for other in context.scope.strings if len(other) == len(text)]
        for other in dict.fromkeys([text.swapcase(), *known]) if len(places) > 1 and text else ():
            if other != text and other.isprintable() and not set(other) & set("\"'\\"):
                codes = (Expression(context.text(place).replace(text, other)) for place in places)
                yield WeightedEdits(tuple(map(context.edit, places, codes)))


def _plain_texts(node: ast.stmt, context: TemplateContext) -> dict[str, list[ast.Constant]]:
    """The texts that a statement writes between quotes as they are, with their places."""
    texts: dict[str, list[ast.Constant]] = defaultdict(list)
    for part in context.program.below(node):
        if not isinstance(part, ast.Constant) or not isinstance(part.value, str):
            continue
        if part in context.program.spans and context.text(part)[1:-1] == part.value:
            texts[part.value].append(part)
    return texts


def result_throughout(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Every `return -1` of a function becomes `return None`, and so with any other constant that stands for nothing."""
    places: dict[str, list[ast.expr]] = defaultdict(list)
    for part in context.scope.nodes:
        value = part.value if isinstance(part, ast.Return) else None
        if value is not None and (isinstance(value, ast.Constant) or whole_number(value) is not None):
            places[context.text(value)].append(value)
    for text, values in places.items():
        for other in likely_results(context)[:MAX_NUMBER_RESULTS] if len(values) > 1 else ():
            if other != text:
                yield WeightedEdits(tuple(context.edit(value, Expression(other)) for value in values))


def shift_all_cuts(node: ast.Slice, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`preorder[1:i]` and `preorder[i:]` become `preorder[1:i + 1]` and `preorder[i + 1:]`, all at once: the place is
    one of a list without the first item."""
    cuts = context.cached("cuts by name", lambda: _cuts(context))
    for group in cuts.values():
        if len(group) > 1 and context.parent(group[0]) is node:
            for sign in "+-":
                yield WeightedEdits(
                    tuple(
                        context.edit(part, binary_operation(context.expression(part), sign, Expression("1")))
                        for part in group
                    )
                )


def _cuts(context: TemplateContext) -> dict[tuple[str, str], list[ast.expr]]:
    """By sequence and name: the names at which slices of it begin or end."""
    found: dict[tuple[str, str], list[ast.expr]] = defaultdict(list)
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
            for bound in (part.slice.lower, part.slice.upper):
                if isinstance(bound, ast.Name):
                    found[context.text(part.value), bound.id].append(bound)
    return found


TEMPLATES = (
    Template("shift_all_cuts", (ast.Slice,), shift_all_cuts, ("shorter", "content", "index", "recursion")),
    Template("result_throughout", FUNCTIONS, result_throughout, ("none", "kind", "content", "empty", "negated")),
    Template("literal_throughout", (ast.Assign, ast.AugAssign, ast.Return, ast.Expr), literal_throughout, ("content",)),
    Template("nudge_siblings", (ast.Assign,), nudge_siblings, ("index", "content")),
    Template("rename_everywhere", FUNCTIONS, rename_everywhere),
    Template("attribute_everywhere", FUNCTIONS, attribute_everywhere),
    Template("rename_shadow", FUNCTIONS, rename_shadow, ("type", "unbound")),
    Template("swap_parameters", FUNCTIONS, swap_parameters),
    Template(
        "shift_together", (ast.Return, ast.Assign, ast.AugAssign, ast.Expr), shift_together, ("index", "off_by_one")
    ),
    Template("constant_everywhere", FUNCTIONS, constant_everywhere, ("off_by_one",)),
    Template("operator_everywhere", FUNCTIONS, operator_everywhere, ("negated", "reversed", "order")),
    Template("word_everywhere", FUNCTIONS, word_everywhere),
    Template("truth_everywhere", FUNCTIONS, truth_everywhere, ("negated",)),
)
