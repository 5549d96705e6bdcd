"""What an object's state forbids and nobody asked about, and counters of its own that nobody moves on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    MAX_EXCEPTIONS,
    POSSIBLE,
    PROBABLE,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import NOT, TERM, Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.guards import places_of_guards
from regreen.propose.search.templates.decisions.raise_lines import copied_raises, raise_lines
from regreen.syntax import FUNCTIONS, ORDERS, Function, whole_number

_CONSTRUCTORS = ("__init__", "__post_init__")


def refuse_state(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method begins with `if key in self.table: raise ...`, `if amount > self.balance: return False`, ..."""
    owner = context.parent(node)
    if not isinstance(owner, ast.ClassDef) or not context.scope.receiver or node.name.startswith("__"):
        return
    asked = {context.text(part.test) for part in context.scope.nodes if isinstance(part, ast.If)}
    ways = context.cached("ways to refuse", lambda: list(_ways_to_refuse(context)))
    tests = [(test, weight) for test, weight in _forbidden(owner, context) if test not in asked]
    for place, likely in places_of_guards(node):
        for test, weight in tests:
            for line, share in ways:
                yield from context.before(place, (f"if {test}:", f"\t{line}"), weight * share * likely)


def refuse_before_counting(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hits.append(now); return len(hits) <= limit` becomes `return True`, and `if len(hits) >= limit: return False`
    comes before it: what is refused is not counted."""
    match node.value:
        case ast.Compare(left=counted, ops=[ast.LtE() | ast.Lt() as sign], comparators=[limit]) as test:
            asked = ">=" if isinstance(sign, ast.LtE) else "+ 1 >="
        case _:
            return
    head = f"if {context.text(counted)} {asked} {context.text(limit)}:"
    block = context.program.block(node)
    for step in block[: block.index(node)]:
        if _counts_on(step, context.text(counted), context):
            for put in context.before(step, (head, "\treturn False")):
                yield WeightedEdits((*put.edits, context.edit(test, Expression("True"))))


def _counts_on(step: ast.stmt, counted: str, context: TemplateContext) -> bool:
    """Whether a statement makes more of what is counted: `hits.append(now)` of `len(hits)`, `used += 1` of `used`."""
    match step:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=kept, attr="append"))):
            return counted == f"len({context.text(kept)})"
        case ast.AugAssign(target=target, op=ast.Add()):
            return counted == context.text(target)
    return False


def _forbidden(owner: ast.ClassDef, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """Conditions over the parameters and the attributes that the method itself uses, likely ones first."""
    parameters = [name for name in context.scope.parameters if name != context.scope.receiver]
    numbers = [name for name in parameters if context.scope.kinds.get(name, "") in ("int", "float", "")]
    tables, amounts = _used_attributes(context)
    for table, stores in tables.items():
        for name in parameters:
            yield f"{name} in {table}", 1.0 if stores else HALF
            yield f"{name} not in {table}", HALF if stores else 1.0
        yield f"not {table}", PROBABLE
    for limit in _unread_attributes(owner, context):
        yield from ((f"len({table}) >= {limit}", 1.0) for table in tables)
        yield from ((f"{value} {sign} {limit}", 1.0) for value in (*numbers, *amounts) for sign in (">=", ">"))
        yield from ((f"{name} {sign} {limit}", PROBABLE) for name in parameters for sign in ("in", "not in", "!="))
    yield from _beyond_own_measure(owner, numbers, context)
    used = {*tables, *amounts}
    others = [text for name in context.scope.attributes if (text := f"{context.scope.receiver}.{name}") not in used]
    for amount in others:
        yield from ((f"{name} > {amount}", POSSIBLE) for name in numbers)
        yield from ((f"len({table}) >= {amount}", POSSIBLE) for table in tables)
    for amount in amounts:
        for name in numbers:
            share = 1.0 if context.scope.kinds.get(name) else HALF
            signs = ((">", share), (">=", share * HALF), ("<", share * HALF))
            yield from ((f"{name} {sign} {amount}", weight) for sign, weight in signs)
        yield from ((f"{amount} is {rest}None", POSSIBLE) for rest in ("", "not "))
        yield from ((f"{rest}{amount}", POSSIBLE) for rest in ("", "not "))


def _beyond_own_measure(
    owner: ast.ClassDef, numbers: list[str], context: TemplateContext
) -> Iterator[tuple[str, float]]:
    """`amount > self.available(account)`: more than a method says that there is, where what it asks for is given."""
    given = context.scope.parameters
    for method in (part for part in owner.body if isinstance(part, ast.FunctionDef)):
        wanted = [argument.arg for argument in method.args.args[1 : len(method.args.args) - len(method.args.defaults)]]
        if method is context.scope.function or method.name.startswith("__") or not set(wanted) <= set(given):
            continue
        is_property = any(context.text(decorator) == "property" for decorator in method.decorator_list)
        measure = f"{context.scope.receiver}.{method.name}" + ("" if is_property else f"({', '.join(wanted)})")
        if any(isinstance(part, ast.Return) and part.value is not None for part in ast.walk(method)):
            for name in numbers:
                if name not in wanted:
                    yield f"{name} > {measure}", 1.0 if name in method.name else HALF


def _unread_attributes(owner: ast.ClassDef, context: TemplateContext) -> list[str]:
    """What a class keeps and nothing of the program reads: a limit that nobody minds."""
    parts = [part for part in context.program.nodes if isinstance(part, ast.Attribute)]
    read = {part.attr for part in parts if isinstance(part.ctx, ast.Load)}
    kept = (part for part in ast.walk(owner) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    return [
        f"{context.scope.receiver}.{name}" for name in dict.fromkeys(part.attr for part in kept) if name not in read
    ]


def _used_attributes(context: TemplateContext) -> tuple[dict[str, bool], list[str]]:
    """The attributes that the method uses as tables or lists, and whether it stores there; and all others."""
    tables: dict[str, bool] = {}
    amounts: dict[str, None] = {}
    for part in context.scope.nodes:
        if not isinstance(part, ast.Attribute) or not isinstance(part.value, ast.Name):
            continue
        if part.value.id != context.scope.receiver or part.attr in context.scope.methods:
            continue
        around, text = context.parent(part), context.text(part)
        if isinstance(around, ast.Subscript) and around.value is part:
            tables[text] = tables.get(text, False) or isinstance(around.ctx, ast.Store)
        elif isinstance(around, ast.Attribute):
            tables[text] = tables.get(text, False) or around.attr in _STORING
        else:
            amounts.setdefault(text)
    return tables, [name for name in amounts if name not in tables]


_STORING = ("append", "add", "setdefault", "insert", "appendleft")


def _ways_to_refuse(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The exceptions of the checks, as other methods raise them where they do, and empty answers."""
    yield from ((line, 1.0) for line in raise_lines(context))
    for name in context.clues.exceptions[:MAX_EXCEPTIONS]:
        yield from ((line, ALMOST_SURE) for line in copied_raises(name, context))
    returned = (part.value for part in context.scope.nodes if isinstance(part, ast.Return))
    constants = dict.fromkeys(context.text(value) for value in returned if isinstance(value, ast.Constant))
    answers = [_OPPOSITE[text] for text in constants if text in _OPPOSITE]
    # Where the checks ask for an error, an empty answer is hardly meant; and what is falsy is no other behaviour.
    share = POSSIBLE if context.clues.exceptions else PROBABLE
    yield from ((f"return {answer}", share) for answer in answers or ["None"])


_OPPOSITE = {"True": "False", "False": "True"}


def advance_counter(node: ast.Assign | ast.Expr | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`number = self.next` is followed by `self.next += 1` where nothing but the constructor sets it, to a number."""
    receiver = context.scope.receiver
    if not receiver or context.scope.function is None or context.scope.function.name in _CONSTRUCTORS:
        return
    frozen = context.cached("frozen counters", lambda: _frozen_counters(context))
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr in frozen and context.text(part.value) == receiver:
            for step, weight in ((f"{receiver}.{part.attr} += 1", 1.0), (f"{receiver}.{part.attr} -= 1", POSSIBLE)):
                if isinstance(node, ast.Return):
                    yield from context.before(node, (step,), weight * VERY_LIKELY)
                else:
                    yield from context.after(node, (step,), weight)


def add_what_is_given(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method that is handed `amount` says `self.balance += amount`, or `-=`, where the constructor begins `balance`
    as a number and nothing ever changes it."""
    receiver, body = context.scope.receiver, statements_after_docstring(node)
    given = [name for name in context.scope.parameters if name != receiver and context.scope.kinds.get(name) != "str"]
    if not receiver or node.name.startswith("__"):
        return
    for counter in sorted(context.cached("frozen counters", lambda: _frozen_counters(context))):
        for name in given:
            for sign, weight in (("+=", 1.0), ("-=", HALF)):
                line = f"{receiver}.{counter} {sign} {name}"
                if not isinstance(body[-1], ast.Return | ast.Raise):
                    yield from context.after(body[-1], (line,), weight)
                for statement in body:
                    share = VERY_LIKELY if statement is body[-1] else PROBABLE
                    yield from context.before(statement, (line,), weight * share)


def take_asked_amount(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.credit = 0` behind `if price > self.credit: return None` becomes `self.credit -= price`: the rest stays."""
    stock = context.text(node.targets[0])
    if whole_number(node.value) != 0 or isinstance(node.targets[0], ast.Tuple):
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.Compare) or len(part.ops) != 1 or not isinstance(part.ops[0], ORDERS):
            continue
        sides = (part.left, part.comparators[0])
        texts = [context.text(side) for side in sides]
        if stock in texts and context.program.spans[part][1] < context.program.spans[node][0]:
            asked = sides[1 - texts.index(stock)]
            if not isinstance(asked, ast.Constant) or _is_size(asked):
                yield from context.restate(node, (f"{stock} -= {context.expression(asked).at(TERM)}",))


def _is_size(node: ast.Constant) -> bool:
    """Whether a number is how many go at a time, as the 4 of `if pile >= 4: pile = 0`."""
    number = whole_number(node)
    return number is not None and number > 1


def take_what_was_asked(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n > self.held.get(item, 0): raise ...` is followed by `self.held[item] -= n`: who asks whether there is
    enough takes it."""
    test = node.test
    if node.orelse or not isinstance(node.body[-1], ast.Raise | ast.Return) or not isinstance(test, ast.Compare):
        return
    if len(test.ops) != 1 or not isinstance(test.ops[0], ORDERS):
        return
    sides = (test.left, test.comparators[0])
    amount, stock = sides if isinstance(test.ops[0], ast.Gt | ast.GtE) else sides[::-1]
    kept = _as_kept(stock, context)
    if not isinstance(amount, ast.Name) or not kept.startswith(f"{context.scope.receiver}."):
        return
    if not any(isinstance(part, ast.AugAssign) and context.text(part.target) == kept for part in context.scope.nodes):
        yield from context.after(node, (f"{kept} -= {amount.id}",))


def _as_kept(stock: ast.expr, context: TemplateContext) -> str:
    """Where an amount is kept that was asked for: `self.held[item]` for `self.held.get(item, 0)`; empty for others."""
    match stock:
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as table, attr="get"), args=[key, *_]):
            return f"{context.text(table)}[{context.text(key)}]"
        case ast.Attribute() | ast.Subscript():
            return context.text(stock)
        case _:
            return ""


def ask_other_flag(node: ast.UnaryOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not child.children` becomes `if not child.children and not child.is_word`: what else such an object holds."""
    asked = node.operand
    if (
        not isinstance(node.op, ast.Not)
        or not isinstance(asked, ast.Attribute)
        or not isinstance(asked.value, ast.Name)
    ):
        return
    if asked.value.id == context.scope.receiver or isinstance(context.parent(node), ast.UnaryOp):
        return
    for owner in (part for part in context.program.nodes if isinstance(part, ast.ClassDef)):
        held = list(_empty_at_first(owner))
        for name in held if asked.attr in held else ():
            if name != asked.attr:
                other = Expression(f"not {asked.value.id}.{name}", NOT)
                yield context.put(node, bool_operation(context.expression(node), "and", other))


def _empty_at_first(owner: ast.ClassDef) -> Iterator[str]:
    """The attributes that a class sets to something empty or false, without those that stand for its place."""
    for part in ast.walk(owner):
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Attribute):
            value = part.value
            is_empty = isinstance(value, ast.Dict | ast.List) and not ast.unparse(value).strip("{}[]")
            if is_empty or (isinstance(value, ast.Constant) and not value.value):
                yield part.targets[0].attr


def _frozen_counters(context: TemplateContext) -> frozenset[str]:
    """The attributes that a constructor sets to 0 or 1, and that nothing else in the class ever sets."""
    function = context.scope.function
    owner = context.program.class_of(function) if function is not None else None
    if owner is None:
        return frozenset()
    set_first: set[str] = set()
    set_later: set[str] = set()
    for method in (part for part in owner.body if isinstance(part, FUNCTIONS)):
        begins = method.name in (*_CONSTRUCTORS, "__iter__", "reset")
        for part in ast.walk(method):
            if not isinstance(part, ast.Attribute) or isinstance(part.ctx, ast.Load):
                continue
            around = context.parent(part)
            is_number = isinstance(around, ast.Assign) and _is_first_number(around.value)
            (set_first if begins and is_number else set_later).add(part.attr)
    return frozenset(set_first - set_later)


def _is_first_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and type(value.value) is int and value.value in (0, 1)


def enter_asked_state(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`states[name] = DONE` at the end of a function that begins with `states[name] = OPEN`, where somebody asks for it
    and nobody stores it."""
    for table, entry, state in context.cached("asked states", lambda: list(_asked_states(context))):
        line = f"{table}[{entry}] = {state}"
        block = context.program.block(node)
        if any(context.text(part).startswith(f"{table}[{entry}] =") for part in block) and block[-1] is node:
            yield from context.after(node, (line,))
            yield from context.before(node, (line,), HALF)


def _asked_states(context: TemplateContext) -> Iterator[tuple[str, str, str]]:
    """Tables in which a function stores one constant while others are asked for that nothing stores: the table, the
    entry, and each of these."""
    given = [part for part in context.program.nodes if isinstance(part, ast.Assign)]
    stored = [part for part in given if isinstance(part.value, ast.Name)]
    kept = {context.text(part.value) for part in stored}
    asked = {
        side.id
        for part in context.scope.nodes
        if isinstance(part, ast.Compare)
        for side in (part.left, *part.comparators)
        if isinstance(side, ast.Name) and side.id.isupper()
    }
    for part in stored:
        target = part.targets[0]
        is_here = part in context.scope.nodes and isinstance(target, ast.Subscript)
        if is_here and context.text(part.value).isupper():
            for state in sorted(asked - kept):
                yield context.text(target.value), context.text(target.slice), state  # type: ignore[attr-defined]


TEMPLATES = (
    Template("refuse_before_counting", (ast.Return,), refuse_before_counting, ("negated",)),
    Template("add_what_is_given", FUNCTIONS, add_what_is_given, ("content", "off_by_one")),
    Template("enter_asked_state", (ast.Expr, ast.Assign, ast.AugAssign), enter_asked_state),
    Template("take_asked_amount", (ast.Assign,), take_asked_amount, ("content", "off_by_one")),
    Template("take_what_was_asked", (ast.If,), take_what_was_asked, ("content", "longer")),
    Template("ask_other_flag", (ast.UnaryOp,), ask_other_flag, ("negated", "content", "shorter")),
    Template("refuse_state", FUNCTIONS, refuse_state, ("none", "key", "index")),
    Template("advance_counter", (ast.Assign, ast.Expr, ast.Return), advance_counter, ("repeats", "off_by_one")),
)
