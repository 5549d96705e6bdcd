"""Values that are right only where something holds, and other ones elsewhere: half of a conditional expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, MAX_EXPRESSION_CHARACTERS, POSSIBLE
from regreen.propose.search.expressions import FACTOR, SUM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.conditions import likely_conditions
from regreen.syntax import names_within, walk_in_order, whole_number

_OTHERWISE: Final[dict[str, tuple[str, ...]]] = {
    "int": ("0", "1", "-1", "None"),
    "float": ("0", "0.0", "None"),
    "str": ('""', "None"),
    "list": ("[]", "None"),
    "dict": ("{}", "None"),
    "bool": ("False", "True"),
}
_UNKNOWN: Final = ("None", "0", '""', "1", "[]")
_MOST_CONDITIONS: Final = 16
_MOST_OTHERS: Final = 3
_MOST_NAMES: Final = 3
_VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.Constant, ast.JoinedStr)


def value_only_if(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return paint` becomes `return paint if placed else None`: under a condition of the function or a simple one, and
    otherwise what is empty, or a variable of that kind."""
    if not _is_whole_value(node, context) or len(context.text(node)) > MAX_EXPRESSION_CHARACTERS:
        return
    kind, own = context.kind(node), names_within(node)
    others = [*_OTHERWISE.get(kind, _UNKNOWN), *_alike(kind, own, context)]
    value = context.expression(node).at(TEST + 1)
    for condition, names, weight in context.cached("likeliest conditions", lambda: _likeliest_conditions(context)):
        # What is asked is mostly about what the value is made of.
        share = weight if own & names else weight * LIKELY
        for rank, other in enumerate(others[:_MOST_OTHERS]):
            if other != value:
                yield context.put(node, Expression(f"{value} if {condition} else {other}", TEST), share * LIKELY**rank)
        if kind:
            yield context.put(node, Expression(f"{others[0]} if {condition} else {value}", TEST), share * POSSIBLE)


def _likeliest_conditions(context: TemplateContext) -> list[tuple[str, set[str], float]]:
    """The likeliest conditions as text, each with its names and its weight."""
    ranked = sorted(likely_conditions(context), key=lambda pair: -pair[1])[:_MOST_CONDITIONS]
    return [(code.at(TEST + 1), names_within(ast.parse(code.text, mode="eval")), weight) for code, weight in ranked]


def as_unread_decides(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`days = 28` becomes `days = 29 if is_leap else 28`, and `base` `base + 1 if i < extra else base`: what nothing
    reads decides."""
    unread = [name for name in context.scope.locals if name in context.scope.unused][:_MOST_NAMES]
    if not unread or not _is_whole_value(node, context) or context.text(node) in unread:
        return
    value = context.expression(node).at(TEST + 1)
    rounds = _round_names(node, context)
    for name in unread:
        kind = context.scope.kinds.get(name, "")
        questions = [name] if kind in ("bool", "") else []
        questions += [f"{one} < {name}" for one in rounds if kind in ("int", "")]
        for question in questions:
            for rank, other in enumerate(_others_near(node, context)):
                weight = LIKELY ** (rank > 1)
                yield context.put(node, Expression(f"{other} if {question} else {value}", TEST), weight)
                yield context.put(node, Expression(f"{value} if {question} else {other}", TEST), weight)


def _round_names(node: ast.expr, context: TemplateContext) -> list[str]:
    """The variables of the loops and comprehensions around an expression, one of each."""
    around = [part for part in context.around(node) if isinstance(part, ast.For | ast.ListComp | ast.GeneratorExp)]
    targets = (part.target if isinstance(part, ast.For) else part.generators[0].target for part in around)
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _others_near(node: ast.expr, context: TemplateContext) -> list[str]:
    """What may stand in the place of a value under another condition: one more or less, a told number, a variable."""
    number = whole_number(node)
    if number is not None:
        told = [text for text in context.clues.numbers if text.isdigit() and text != str(number)]
        return [str(number + 1), "0" if number else "1", str(number - 1), *told[:_MOST_NAMES]]
    text = context.expression(node).at(SUM)
    near = [f"{text} + 1", f"{text} - 1", f"-{context.expression(node).at(FACTOR)}"]
    kind = context.kind(node)
    return [*(near if kind in ("int", "float", "") else []), *_alike(kind, names_within(node), context)]


def unless_there_is_none(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return best[n]` becomes `return -1 if best[n] is None else best[n]`: none was found."""
    if not isinstance(context.parent(node), ast.Return) or context.is_called(node):
        return
    value = context.expression(node).at(TEST + 1)
    for otherwise, weight in (("-1", 1.0), ("0", LIKELY), ('""', POSSIBLE), ("[]", POSSIBLE)):
        yield context.put(node, Expression(f"{otherwise} if {value} is None else {value}", TEST), weight)
        if otherwise != "0":
            yield context.put(node, Expression(f"{value} if {value} else {otherwise}", TEST), weight * POSSIBLE)


def by_turns(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += digit * 1` becomes `digit * (1 if i % 2 == 0 else 3)`, with another number of the prose: by turns."""
    number = whole_number(node)
    if number is None or not isinstance(context.parent(node), ast.BinOp | ast.Assign | ast.AugAssign):
        return
    told = [text for text in context.clues.numbers if text.isdigit() and text not in (str(number), "0")][:_MOST_NAMES]
    loops = [loop for loop in context.loops_around(node) if isinstance(loop, ast.For)]
    for place in (part.id for loop in loops for part in walk_in_order(loop.target) if isinstance(part, ast.Name)):
        for other in told if context.scope.kinds.get(place, "") == "int" else ():
            yield context.put(node, Expression(f"{number} if {place} % 2 == 0 else {other}", TEST))
            yield context.put(node, Expression(f"{other} if {place} % 2 == 0 else {number}", TEST))


def entry_or_unread(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row[c]` becomes `row[c] if c < len(row) else fill`, where nothing reads `fill`."""
    if not isinstance(node.ctx, ast.Load) or not isinstance(node.slice, ast.Name):
        return
    table, place = context.text(node.value), node.slice.id
    for name in (name for name in context.scope.locals if name in context.scope.unused):
        text = f"{table}[{place}] if {place} < len({table}) else {name}"
        yield context.put(node, Expression(text, TEST))
        yield context.put(node, Expression(f"{table}[{place}] if {place} in {table} else {name}", TEST), HALF)


def _is_whole_value(node: ast.expr, context: TemplateContext) -> bool:
    """Whether an expression is all that is returned, assigned, added or appended, or one of several such."""
    around = context.parent(node)
    if isinstance(around, ast.Return):
        return True
    if isinstance(around, ast.ListComp | ast.GeneratorExp):
        return around.elt is node
    if isinstance(around, ast.Assign | ast.AugAssign):
        return around.value is node
    if isinstance(around, ast.Call):
        is_method = isinstance(around.func, ast.Attribute)
        if isinstance(around.func, ast.Name) and around.func.id == "range":
            return True
        return node in around.args and is_method and around.func.attr in ("append", "add", "extend")  # type: ignore[attr-defined]
    return isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add | ast.Mult)


def _alike(kind: str, own: set[str], context: TemplateContext) -> list[str]:
    """Other variables that hold such a value; parameters where nobody knows of what kind it is."""
    names = context.scope.of_kind(kind) if kind else context.scope.parameters
    return [name for name in names if name not in own and name != context.scope.receiver][:_MOST_NAMES]


def charge_if_asked(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if insured: price += 2.5` before `return price`, where nothing reads `insured` and prose has the number."""
    if not isinstance(node.value, ast.Name) or context.kind(node.value) not in ("int", "float", ""):
        return
    name = node.value.id
    unread = [one for one in context.scope.locals if one in context.scope.unused][:_MOST_NAMES]
    told = [text for text in context.clues.numbers if text not in context.scope.numbers][: 2 * _MOST_NAMES]
    for flag in unread:
        for number in told:
            for sign, weight in (("+=", 1.0), ("-=", LIKELY), ("*=", HALF)):
                yield from context.before(node, (f"if {flag}:", f"\t{name} {sign} {number}"), weight)


def operator_as_asked(node: ast.Name | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Under `token == "*"` `left` becomes `left * right`: what is asked for is done with the variable beside it."""
    branch = next((part for part in context.around(node) if isinstance(part, ast.If)), None)
    if branch is None or not isinstance(getattr(node, "ctx", None), ast.Load) or not _is_whole_value(node, context):
        return
    asked = [part.value for part in ast.walk(branch.test) if isinstance(part, ast.Constant)]
    for sign in (text for text in asked if text in _SIGNS):
        for other in context.scope.locals:
            if other not in (context.text(node), context.scope.receiver):
                weight = 1.0 if other in context.scope.unused else HALF
                done = binary_operation(context.expression(node), str(sign), Expression(other))
                yield context.put(node, done, weight)


_SIGNS: Final = frozenset({"+", "-", "*", "/", "//", "%", "**"})


TEMPLATES = (
    Template("charge_if_asked", (ast.Return,), charge_if_asked, ("smaller", "content")),
    Template("operator_as_asked", (ast.Name, ast.Subscript), operator_as_asked, ("content",)),
    Template("value_only_if", _VALUES, value_only_if, ("none", "content", "index")),
    Template("as_unread_decides", _VALUES, as_unread_decides, ("off_by_one", "content")),
    Template("unless_there_is_none", (ast.Subscript, ast.Call, ast.Name), unless_there_is_none, ("none", "content")),
    Template("by_turns", (ast.Constant,), by_turns, ("content",)),
    Template("entry_or_unread", (ast.Subscript,), entry_or_unread, ("index", "key")),
)
