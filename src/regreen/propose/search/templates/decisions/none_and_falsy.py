"""None, a falsy value and a missing key taken for one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeGuard

from regreen.propose.search.constants import HALF, POSSIBLE
from regreen.propose.search.expressions import (
    COMPARISON,
    NOT,
    OR,
    TEST,
    Expression,
    bool_operation,
    comparison,
    subscript,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit

_Lookup = tuple[ast.expr, ast.expr]
"""A mapping, and the key that is looked up in it."""

_HELD = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_TESTED = (ast.If, ast.While, ast.IfExp, ast.Assert)


_PAIR: Final = 2


def keep_falsy(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a or b` becomes `a if a is not None else b`, `d.get(k) or b` becomes `d.get(k, b)`: 0 is a value too.

    A longer chain becomes one of such expressions."""
    first, other = node.values[0], node.values[-1]
    if not isinstance(node.op, ast.Or) or not all(isinstance(value, _HELD) for value in node.values[:-1]):
        return
    if len(node.values) > _PAIR:
        held = [context.expression(value) for value in node.values[:-1]]
        choices = [f"{value.at(OR)} if {comparison(value, 'is not', _NONE).at(OR)} else " for value in held]
        yield context.put(node, Expression("".join(choices) + context.expression(other).at(TEST), TEST))
        return
    code, default = context.expression(first), context.expression(other).at(TEST)
    if (key := _looked_up(first)) is not None:
        mapping, name = map(context.text, key)
        yield context.put(node, f"{mapping}.get({name}, {default})")
    if not isinstance(first, ast.Call) or callee_name(first) == "getattr":
        yield context.put(
            node, Expression(f"{code.at(OR)} if {comparison(code, 'is not', _NONE).at(OR)} else {default}", TEST)
        )


def stand_in(node: ast.Assign | ast.Return | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`codes[tree] = code` becomes `codes[tree] = code or "0"`: what is empty or 0 is something else."""
    values = node.args if isinstance(node, ast.Call) else [node.value]
    for value in values:
        if isinstance(node, ast.Return) and _is_made_text(value):
            yield context.put(value, bool_operation(context.expression(value), "or", Expression('"0"')))
        if not isinstance(value, ast.Name | ast.Attribute):
            continue
        kind = context.kind(value)
        texts = map(
            repr, dict.fromkeys((*context.cached("texts written", lambda: _texts(context)), *context.clues.strings))
        )
        if isinstance(node, ast.Call) and callee_name(node) in ("int", "float") and kind in ("str", ""):
            # Of no digits nothing is read: one of a kind, or none.
            for number in ("1", "0"):
                yield context.put(value, bool_operation(context.expression(value), "or", Expression(number)))
            continue
        defaults = [*(texts if kind in ("str", "") else ()), *(("1",) if kind in ("int", "float", "") else ())]
        for default in defaults[:_STAND_INS]:
            yield context.put(value, bool_operation(context.expression(value), "or", Expression(default)))


def _is_made_text(value: ast.expr | None) -> TypeGuard[ast.expr]:
    """Whether an expression is a text that was turned round or joined: `digits[::-1]`."""
    is_turned = isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice) and value.slice.step is not None
    return is_turned or (isinstance(value, ast.Call) and callee_name(value) == "join")


_STAND_INS = 6


def _texts(context: TemplateContext) -> list[str]:
    """The texts that a function writes, but for its docstring."""
    texts = (
        part.value for part in context.scope.nodes if isinstance(part, ast.Constant) and context.kind(part) == "str"
    )
    return [text for text in texts if isinstance(text, str) and text and "\n" not in text]


def spell_absence(node: ast.UnaryOp | ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found = not x` becomes `found = x is None`, `x and y` becomes `x is not None and y`."""
    if isinstance(node, ast.UnaryOp):
        # A whole test is left to spell_truth.
        if isinstance(node.op, ast.Not) and isinstance(node.operand, _HELD) and not _is_test(node, context):
            yield context.put(node, comparison(context.expression(node.operand), "is", _NONE))
        return
    for value in node.values:
        if isinstance(value, _HELD[:3]):
            yield context.put(value, comparison(context.expression(value), "is not", _NONE))


def keep_falsy_items(node: ast.comprehension | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for x in xs if x]` becomes `[x for x in xs if x is not None]`; the same for `filter(None, xs)`."""
    for test in node.ifs if isinstance(node, ast.comprehension) else ():
        if isinstance(test, _HELD):
            yield context.put(test, comparison(context.expression(test), "is not", _NONE))
    if isinstance(node, ast.Call) and callee_name(node) == "filter" and len(node.args) == 2:
        asked, items = node.args
        if isinstance(asked, ast.Constant) and asked.value is None and "item" not in context.scope.visible:
            yield context.put(node, f"[item for item in {context.expression(items).at(OR)} if item is not None]")


def look_for_key(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.get(k) is None`, or the same of a variable, becomes `k not in d`: None may be the value."""
    yield from here_or_everywhere(node, context.cached("keys", lambda: _key_tests(context)))


def ask_key(node: ast.Call | ast.UnaryOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if d.get(k):` becomes `if k in d:`, `if not d.get(k):` becomes `if k not in d:`: what is falsy is there, too."""
    is_denied = isinstance(node, ast.UnaryOp)
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return
    key = _looked_up(node.operand if isinstance(node, ast.UnaryOp) else node)
    parent = context.parent(node)
    is_condition = _is_test(node, context) or (isinstance(parent, ast.comprehension) and node in parent.ifs)
    if key is not None and (is_condition or is_denied or isinstance(parent, ast.BoolOp)):
        word = "not in" if is_denied else "in"
        yield context.put(node, comparison(context.expression(key[1]), word, context.expression(key[0])))


def answer_as_stored(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if d.get(k): return True` becomes `if k in d: return d[k]`: what is stored may say no, as may a variable."""
    answer, key = node.body[0], _looked_up(node.test)
    if not isinstance(answer, ast.Return) or not isinstance(answer.value, ast.Constant):
        return
    if isinstance(node.test, ast.Name) and answer.value.value is True:
        known = comparison(context.expression(node.test), "is not", _NONE)
        yield WeightedEdits((context.edit(node.test, known), context.edit(answer.value, Expression(node.test.id))))
    elif key is not None and answer.value.value is True:
        test = comparison(context.expression(key[1]), "in", context.expression(key[0]))
        stored = subscript(context.expression(key[0]), context.text(key[1]))
        yield WeightedEdits((context.edit(node.test, test), context.edit(answer.value, stored)))


def _key_tests(context: TemplateContext) -> dict[ast.Compare, Edit]:
    """For each comparison of a looked-up value with None, the edit that tests for the key."""
    held = {
        node.targets[0].id: key
        for node in context.scope.nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and (key := _looked_up(node.value))
    }
    found = {}
    for node in context.scope.nodes:
        if isinstance(node, ast.Compare) and (word := _against_none(node)):
            key = held.get(node.left.id) if isinstance(node.left, ast.Name) else _looked_up(node.left)
            if key is not None:
                found[node] = context.edit(
                    node, comparison(context.expression(key[1]), word, context.expression(key[0]))
                )
    return found


def _looked_up(node: ast.expr) -> _Lookup | None:
    """The mapping and the key of `d.get(k)`; None for any other expression."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get"):
        return None
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return None
    return node.func.value, node.args[0]


def _against_none(node: ast.Compare) -> str:
    """ "in" or "not in", by which a comparison with None would test for a key; "" for other comparisons."""
    right = node.comparators[0]
    if len(node.ops) > 1 or not (isinstance(right, ast.Constant) and right.value is None):
        return ""
    return {ast.Is: "not in", ast.Eq: "not in", ast.IsNot: "in", ast.NotEq: "in"}.get(type(node.ops[0]), "")


def _is_test(node: ast.expr, context: TemplateContext) -> bool:
    parent = context.parent(node)
    return isinstance(parent, _TESTED) and parent.test is node


_NONE = Expression("None")
_MARK = "missing"


def mark_missing(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value = cache.get(key)` and `if value is None:` tell None from nothing by a mark: `missing = object()`."""
    found, test = _lookup_before(node, context), node.test
    if found is None or not isinstance(test, ast.Compare) or not _against_none(test) or _MARK in context.scope.visible:
        return
    before, name, key = found
    if not isinstance(test.left, ast.Name) or test.left.id != name:
        return
    mark = Expression(_MARK)
    word = "is" if _against_none(test) == "not in" else "is not"
    marked = context.edit(test, comparison(Expression(name), word, mark))
    mapping, asked = map(context.text, key)
    looked_up = context.edit(before.value, Expression(f"{mapping}.get({asked}, {_MARK})"))
    for made in context.before(before, (f"{_MARK} = object()",)):
        yield WeightedEdits((*made.edits, looked_up, marked))


def _lookup_before(node: ast.If, context: TemplateContext) -> tuple[ast.Assign, str, _Lookup] | None:
    """The statement before this one where it is `value = d.get(k)`, with the variable and what is looked up."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    if not isinstance(before, ast.Assign) or not isinstance(before.targets[0], ast.Name) or len(before.targets) > 1:
        return None
    key = _looked_up(before.value)
    return None if key is None else (before, before.targets[0].id, key)


def own_mark(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`item = next(source, None)` and `if item is None:` get the mark that the module has: None may be an item."""
    target, call = node.targets[0], node.value
    default = call.args[-1] if isinstance(call, ast.Call) and len(call.args) > 1 and not call.keywords else None
    if not isinstance(target, ast.Name) or not isinstance(default, ast.Constant) or default.value is not None:
        return
    tests = [
        part.comparators[0]
        for part in context.scope.nodes
        if isinstance(part, ast.Compare) and _against_none(part) and context.text(part.left) == target.id
    ]
    for mark in context.cached("marks", lambda: _marks(context))[:_MOST_MARKS] if tests else ():
        yield WeightedEdits(tuple(context.edit(place, Expression(mark)) for place in (default, *tests)))


def ask_key_first(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value = d.get(k)`, then `if not value: return` becomes `if k not in d: return`, and then `value = d[k]`."""
    found = _lookup_before(node, context)
    if found is None or node.orelse or not isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
        return
    before, name, key = found
    if context.text(node.test) not in (f"not {name}", f"{name} is None", f"{name} == None"):
        return
    mapping, asked = map(context.text, key)
    if not context.program.alone(before):
        return
    question = context.edit(node.test, comparison(context.expression(key[1]), "not in", context.expression(key[0])))
    dropped = context.delete(before).edits
    for made in context.after(node, (f"{name} = {mapping}[{asked}]",)):
        yield WeightedEdits((*dropped, question, *made.edits))


def mark_filled(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for pair in zip_longest(a, b)` gets a mark as the value that fills: None may be an item."""
    call = node.iter
    if not isinstance(call, ast.Call) or callee_name(call) != "zip_longest" or call.keywords or not call.args:
        return
    tests = [part for part in context.program.below(node) if isinstance(part, ast.Compare) and _against_none(part)]
    if not tests or _MARK in context.scope.visible:
        return
    marked = [context.edit(test.comparators[0], Expression(_MARK)) for test in tests]
    end = context.program.spans[call][1] - 1
    for made in context.before(node, (f"{_MARK} = object()",)):
        yield WeightedEdits((*made.edits, Edit(end, end, f", fillvalue={_MARK}"), *marked))


def default_of_empty(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.get(name, "other")` becomes `d.get(name) or "other"`: a key may be there with None or an empty text."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "get" or node.keywords or len(node.args) != _PAIR:
        return
    if not any(isinstance(argument, ast.Starred) for argument in node.args):
        looked_up = f"{context.text(node.func)}({context.expression(node.args[0]).at(TEST)})"
        yield context.put(node, Expression(f"{looked_up} or {context.expression(node.args[1]).at(NOT)}", OR))


def default_mark(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.get(name)` becomes `d.get(name, MISSING)`, where the module has such a mark: `MISSING = object()`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("get", "pop") or node.keywords:
        return
    if any(isinstance(argument, ast.Starred) for argument in node.args) or not 1 <= len(node.args) <= 2:
        return
    default = node.args[1] if len(node.args) == 2 else None
    for mark in context.cached("marks", lambda: _marks(context))[:_MOST_MARKS]:
        if default is None:
            end = context.program.spans[node.args[0]][1]
            key = context.expression(node.args[0]).at(TEST)
            yield WeightedEdits((Edit(context.program.spans[node.args[0]][0], end, f"{key}, {mark}"),))
        elif isinstance(default, ast.Constant) and default.value is None:
            yield context.put(default, mark)


def _marks(context: TemplateContext) -> list[str]:
    """Names that hold `object()`, and those with which the function compares by identity."""
    found: dict[str, None] = {}
    for node in (*context.program.tree.body, *context.scope.nodes):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call):
            if callee_name(node.value) == "object":
                found.setdefault(node.targets[0].id)
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            mark = node.comparators[0]
            if isinstance(mark, ast.Name) and (mark.id in context.scope.globals or mark.id.isupper()):
                found.setdefault(mark.id)
    return [name for name in found if name in context.scope.visible]


_MOST_MARKS = 2


def none_case(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`before.after = x`, where `before` was None, becomes `if before is None: self.head = x`, `else: ...`."""
    target = node.targets[0]
    if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Name) or len(node.targets) > 1:
        return
    if "'NoneType' object has no attribute" not in context.clues.details or target.value.id == context.scope.receiver:
        return
    name, text, value = target.value.id, context.text(node), context.text(node.value)
    if "\n" in text:
        return
    yield from context.restate(node, (f"if {name} is not None:", f"\t{text}"), HALF)
    for attribute in context.scope.attributes:
        other = f"{context.scope.receiver}.{attribute} = {value}"
        yield from context.restate(node, (f"if {name} is None:", f"\t{other}", "else:", f"\t{text}"))


def not_a_bool(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`isinstance(x, int)` becomes `isinstance(x, int) and not isinstance(x, bool)`: True is a whole number, too."""
    is_asked = callee_name(node) == "isinstance" and len(node.args) == 2
    if is_asked and context.text(node.args[1]) in ("int", "(int, float)", "int | float", "(float, int)"):
        test, value = context.expression(node), context.text(node.args[0])
        yield context.put(node, bool_operation(test, "and", Expression(f"not isinstance({value}, bool)", NOT)))


def empty_is_missing(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`field not in row` becomes `not row.get(field)`: what is there and empty is missing as well."""
    if len(node.ops) == 1 and isinstance(node.ops[0], ast.NotIn) and isinstance(node.comparators[0], ast.Name):
        code = f"{node.comparators[0].id}.get({context.text(node.left)})"
        if context.kind(node.comparators[0]) in ("dict", ""):
            yield context.put(node, Expression(f"not {code}", NOT))
            yield context.put(node, Expression(f'{code} in (None, "")', COMPARISON), HALF)


def zero_is_there(node: ast.UnaryOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`not row.get(field)` becomes `row.get(field) in (None, "")`: 0 is no missing value."""
    is_value = isinstance(node.operand, ast.Call | ast.Subscript | ast.Name | ast.Attribute)
    if isinstance(node.op, ast.Not) and is_value and context.kind(node.operand) not in ("bool", "list", "dict", "set"):
        yield context.put(node, Expression(f'{context.text(node.operand)} in (None, "")', COMPARISON))


def keep_what_is_there(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`copy.anchor = copy.due.day` becomes `copy.anchor = task.anchor or copy.due.day`: what is known is kept."""
    target = node.targets[0]
    if not isinstance(target, ast.Attribute) or isinstance(node.value, ast.Constant | ast.BoolOp):
        return
    read = (part.value for part in context.scope.nodes if isinstance(part, ast.Attribute))
    with_attributes = (owner.id for owner in read if isinstance(owner, ast.Name) and owner.id in context.scope.locals)
    for owner in dict.fromkeys((*with_attributes, context.text(target.value))):
        kept = f"{owner}.{target.attr}"
        if kept not in context.text(node.value):
            yield context.put(node.value, bool_operation(Expression(kept), "or", context.expression(node.value)))


def nothing_by_zero(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`part / whole` becomes `(part / whole if whole else 0)`, where something was divided by zero."""
    divisor = node.right
    if not _BY_ZERO & context.clues.symptoms or not isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        return
    if not isinstance(divisor, ast.Constant):
        asked = context.expression(divisor).at(TEST + 1)
        for nothing, weight in (("0", 1.0), ("0.0", POSSIBLE)):
            yield context.put(node, Expression(f"{context.text(node)} if {asked} else {nothing}", TEST), weight)


_BY_ZERO: Final = frozenset({"zero"})


TEMPLATES = (
    Template("answer_as_stored", (ast.If,), answer_as_stored, ("negated", "content")),
    Template("nothing_by_zero", (ast.BinOp,), nothing_by_zero, ("zero",)),
    Template("keep_what_is_there", (ast.Assign,), keep_what_is_there, ("content",)),
    Template("empty_is_missing", (ast.Compare,), empty_is_missing, ("none", "content")),
    Template("zero_is_there", (ast.UnaryOp,), zero_is_there, ("content", "zero")),
    Template("default_of_empty", (ast.Call,), default_of_empty),
    Template("not_a_bool", (ast.Call,), not_a_bool, ("none", "negated")),
    Template("none_case", (ast.Assign,), none_case, ("none", "attribute")),
    Template("keep_falsy", (ast.BoolOp,), keep_falsy, ("empty", "zero", "none")),
    Template("stand_in", (ast.Assign, ast.Return, ast.Call), stand_in, ("empty", "zero", "shorter")),
    Template("spell_absence", (ast.UnaryOp, ast.BoolOp), spell_absence, ("empty", "zero", "none")),
    Template("keep_falsy_items", (ast.comprehension, ast.Call), keep_falsy_items, ("empty", "zero", "shorter", "none")),
    Template("look_for_key", (ast.Compare,), look_for_key, ("none", "key")),
    Template("ask_key", (ast.Call, ast.UnaryOp), ask_key, ("empty", "zero", "none", "key")),
    Template("default_mark", (ast.Call,), default_mark, ("none",)),
    Template("mark_missing", (ast.If,), mark_missing, ("none",)),
    Template("own_mark", (ast.Assign,), own_mark, ("none", "shorter")),
    Template("ask_key_first", (ast.If,), ask_key_first, ("zero", "empty", "none", "negated")),
    Template("mark_filled", (ast.For,), mark_filled, ("none", "shorter")),
)
