"""Conditions that ask whether something is there, and not what it is then: `end is None or day <= end`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from regreen.propose.search.constants import HALF, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import COMPARISON, OR, Expression, binary_operation, bool_operation, comparison
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name, names_within, whole_number


def ask_what_is_there(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end is None` becomes `end is None or day <= end`, `not kinds` becomes `not kinds or kind in kinds`, `xs` becomes
    `xs and xs[-1] == x`: what is there is compared with a variable that the condition leaves out."""
    if not _is_asked(node, context):
        return
    value, is_missing = _asked_for(node)
    if value is None or context.text(value) == context.scope.receiver:
        return
    operator = "or" if is_missing else "and"
    text, old = context.text(value), context.expression(node)
    around = context.parent(node)
    beside = names_within(around) if isinstance(around, ast.BoolOp) else names_within(node)
    items = [code for code in context.scope.expressions if code.startswith(f"{text}[")]
    for name in _candidates(context):
        if name in beside:
            continue
        share = 1.0 if name in context.scope.unused else POSSIBLE
        for item in (text, *items):
            for sign, weight in _signs(node):
                further = Expression(f"{name} {sign} {item}", COMPARISON)
                yield context.put(node, bool_operation(old, operator, further), share * weight)


def _is_asked(node: ast.expr, context: TemplateContext) -> bool:
    """Whether an expression is a condition, a part of one, or a question that is returned."""
    if isinstance(context.parent(node), ast.Return):
        return not isinstance(node, ast.Name | ast.Attribute)
    return context.is_condition(node)


def _asked_for(node: ast.expr) -> tuple[ast.expr | None, bool]:
    """What a condition asks for, and whether it holds where that is missing."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and _is_none(node.comparators[0]):
        if isinstance(node.left, ast.Name | ast.Attribute):
            return node.left, isinstance(node.ops[0], ast.Is)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        if isinstance(node.operand, ast.Name | ast.Attribute):
            return node.operand, True
    elif isinstance(node, ast.Name | ast.Attribute):
        return node, False
    return None, False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _signs(node: ast.expr) -> tuple[tuple[str, float], ...]:
    """How a variable may stand to what is there: in order with what may be None, in it where it may be empty."""
    if isinstance(node, ast.Compare):
        return (
            ("<=", 1.0),
            ("<", 1.0),
            (">", 1.0),
            (">=", 1.0),
            ("==", VERY_LIKELY),
            ("in", PROBABLE),
            ("not in", HALF),
        )
    return (("in", 1.0), ("not in", VERY_LIKELY), ("==", PROBABLE), ("!=", PROBABLE), ("<=", HALF), (">", HALF))


def _candidates(context: TemplateContext) -> list[str]:
    names = [name for name in context.scope.locals[:MAX_LOCAL_NAMES] if name != context.scope.receiver]
    return sorted(names, key=lambda name: name not in context.scope.unused)


def close_what_was_opened(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`else: fence = None`, or `elif found:` before it, asks `fence == mark` where `fence = mark` was what opened it:
    another mark within closes nothing."""
    opened = context.cached("opened", lambda: _opened(context))
    for block, is_else in ((node.body, False), (node.orelse, True)):
        closed = {context.text(part.targets[0]) for part in block if _begins_anew(part)}
        for name in sorted(closed & opened.keys()):
            mark = opened[name]
            for asked, weight in ((f"{mark} == {name}", 1.0), (f"{mark}.startswith({name})", VERY_LIKELY)):
                if not is_else:
                    both = bool_operation(context.expression(node.test), "and", Expression(asked, COMPARISON))
                    yield context.put(node.test, both, weight)
                elif not isinstance(block[0], ast.If):
                    start = context.program.source.rfind("else", 0, context.program.first(block[0]))
                    yield context.replace(start, start + len("else"), f"elif {asked}", weight)


def _begins_anew(part: ast.stmt) -> TypeGuard[ast.Assign]:
    return isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and _is_none(part.value)


def _opened(context: TemplateContext) -> dict[str, str]:
    """The variables that are None at times, with what else they are set to, where that is one thing alone."""
    found: dict[str, set[str]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and not _is_none(part.value):
            found.setdefault(part.targets[0].id, set()).add(context.text(part.value))
    return {name: values.pop() for name, values in found.items() if len(values) == 1}


def unless_it_is_all(node: ast.Compare | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`part[0] == "0"` becomes `len(part) > 1 and part[0] == "0"`, and `part.startswith("0")` likewise: a zero
    by itself leads nothing."""
    if isinstance(node, ast.Compare):
        is_first = isinstance(node.left, ast.Subscript) and whole_number(node.left.slice) in (0, -1)
        mark, whole = node.comparators[0], node.left.value if isinstance(node.left, ast.Subscript) else None
        is_asked = is_first and isinstance(node.ops[0], ast.Eq)
    else:
        is_asked = isinstance(node.func, ast.Attribute) and node.func.attr in ("startswith", "endswith")
        mark, whole = (node.args or [node])[0], node.func.value if isinstance(node.func, ast.Attribute) else None
    if not is_asked or whole is None or not isinstance(mark, ast.Constant) or not _is_one_sign(mark.value):
        return
    text = context.expression(whole)
    several = bool_operation(Expression(f"len({text.text}) > 1", COMPARISON), "and", context.expression(node))
    yield context.put(node, several)


def _is_one_sign(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1


def spell_absence_everywhere(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`low and size < low` and `high and size > high` become `low is not None and ...` at once: 0 is a limit, too."""
    held = context.cached("limits asked for truth", lambda: _limits_asked_for_truth(context))
    if len(held) > 1 and held[0] in node.values:
        new = (comparison(context.expression(value), "is not", Expression("None")) for value in held)
        yield WeightedEdits(tuple(context.edit(value, code) for value, code in zip(held, new, strict=True)))


def _limits_asked_for_truth(context: TemplateContext) -> list[ast.expr]:
    """What conditions ask for its truth before they compare it: `low` of `low and size < low`."""
    found: list[ast.expr] = []
    for part in context.scope.nodes:
        values = part.values if isinstance(part, ast.BoolOp) and isinstance(part.op, ast.And) else []
        sides = (side for value in values if isinstance(value, ast.Compare) for side in value.comparators)
        compared = set(map(context.text, sides))
        found += [v for v in values if isinstance(v, ast.Name | ast.Attribute) and context.text(v) in compared]
    return found


def or_none_yet(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total > best` becomes `best is None or total > best`, where `best` begins with None: the first is the best."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    for side in (node.comparators[0], node.left):
        name = context.text(side)
        begins = context.scope.begun_with_none if isinstance(side, ast.Name) else _fields_begun_with_none(context)
        if name.rpartition(".")[2] in begins and f"{name} is None" not in context.text(context.parent(node)):
            whole = Expression(f"{name} is None or {context.expression(node).at(OR)}", OR)
            yield context.put(node, whole)


def _fields_begun_with_none(context: TemplateContext) -> frozenset[str]:
    """The attributes that are None until somebody knows better."""

    def found() -> frozenset[str]:
        given = (part for part in context.program.nodes if isinstance(part, ast.Assign))
        targets = (part.targets[0] for part in given if context.text(part.value) == "None")
        return frozenset(target.attr for target in targets if isinstance(target, ast.Attribute))

    return context.cached_of_program("fields begun with None", found)


def neither_end(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i > 0` becomes `0 < i < len(words) - 1`, and so does `i < len(words) - 1`, where `i` counts the items of
    `words`: the last one stands at an end, too."""
    place, bound = node.left, node.comparators[0]
    if len(node.ops) != 1 or not isinstance(place, ast.Name):
        return
    items = next((found for loop in context.loops_around(node) if (found := _counted_by(loop, place.id, context))), "")
    if not items:
        return
    is_first = isinstance(node.ops[0], ast.Gt | ast.NotEq) and whole_number(bound) == 0
    is_last = isinstance(node.ops[0], ast.Lt | ast.NotEq) and context.text(bound) == f"len({items}) - 1"
    if is_first or is_last:
        yield context.put(node, Expression(f"0 < {place.id} < len({items}) - 1", COMPARISON))


def _counted_by(loop: ast.AST, name: str, context: TemplateContext) -> str:
    """What a loop goes through whose places a variable has: `words` of `for i, word in enumerate(words)`."""
    call = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(loop, ast.For):
        return ""
    counted = call.args[0]
    if callee_name(call) == "enumerate" and isinstance(loop.target, ast.Tuple):
        is_place = context.text(loop.target.elts[0]) == name
        return counted.id if is_place and isinstance(counted, ast.Name) else ""
    is_place = callee_name(call) == "range" and context.text(loop.target) == name
    match counted:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=items)]) if is_place:
            return items
    return ""


def as_the_other_branch_asks(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`odd[root] = differ`, beside `elif one ^ other != differ`, becomes `odd[root] = one ^ other ^ differ`: what is
    set makes the question of the other branch come true."""
    around = context.parent(node)
    if not isinstance(around, ast.If):
        return
    for other in around.orelse:
        match other:
            case ast.If(
                test=ast.Compare(
                    left=ast.BinOp(op=ast.BitXor() | ast.Sub() as op) as reckoned, ops=[_], comparators=[wanted]
                )
            ) if context.text(wanted) == context.text(node.value):
                if isinstance(op, ast.BitXor):
                    made = binary_operation(context.expression(reckoned), "^", context.expression(wanted))
                    yield context.put(node.value, made)
                else:
                    sides = context.expression(reckoned.left), context.expression(reckoned.right)
                    for one, two in (sides, sides[::-1]):
                        less = binary_operation(one, "-", two)
                        yield context.put(node.value, binary_operation(context.expression(wanted), "+", less))


TEMPLATES = (
    Template("neither_end", (ast.Compare,), neither_end, ("content",)),
    Template("unless_it_is_all", (ast.Compare, ast.Call), unless_it_is_all, ("negated",)),
    Template("spell_absence_everywhere", (ast.BoolOp,), spell_absence_everywhere, ("content", "negated")),
    Template("or_none_yet", (ast.Compare,), or_none_yet, ("type", "none")),
    Template("close_what_was_opened", (ast.If,), close_what_was_opened, ("content", "longer")),
    Template(
        "ask_what_is_there",
        (ast.Compare, ast.UnaryOp, ast.Name, ast.Attribute),
        ask_what_is_there,
        ("content", "negated"),
    ),
    Template("as_the_other_branch_asks", (ast.Assign,), as_the_other_branch_asks, ("content", "larger", "smaller")),
)
