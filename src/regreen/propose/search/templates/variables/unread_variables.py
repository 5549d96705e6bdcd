"""Variables that a function gives a value and never reads: what reads another one should have read them, or both."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, TypeGuard

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE, UNLIKELY, VERY_LIKELY
from regreen.propose.search.expressions import (
    COMPARISON,
    SUM,
    TERM,
    TEST,
    Expression,
    binary_operation,
    function_call,
    subscript,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.value_kinds import kind_fit
from regreen.syntax import callee_name, names_read
from regreen.types import Edit


def unused_name(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A name, a constant, a subscript or a call becomes an unused variable: `url.partition("?")` for `rest`, too."""
    is_receiver = isinstance(context.parent(node), ast.Attribute) and not isinstance(node, ast.Name)
    if not context.scope.unused or not context.is_read(node) or is_receiver:
        return
    kind = context.kind(node)
    for name in sorted(context.scope.unused):
        yield context.put(node, name, kind_fit(kind, context.scope.kinds.get(name, "")))


def use_unused(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `x[:n]`, `x + n`, `x % n`, ... for an unused variable `n`."""
    if (
        not context.scope.unused
        or not context.is_read(node)
        or isinstance(context.parent(node), ast.Attribute | ast.Expr)
    ):
        return
    kind, code = context.kind(node), context.expression(node)
    for name in sorted(context.scope.unused):
        other = context.scope.kinds.get(name, "")
        if kind in ("list", "str", "tuple", "dict", "") and other in ("int", "str", ""):
            yield from (
                context.put(node, subscript(code, index.format(name)))
                for index in ("{}", ":{}", "{}:")
                if index == "{}" or kind != "dict"
            )
        if kind in ("int", "float", "") and other in ("int", "float", ""):
            yield from (
                context.put(node, binary_operation(code, symbol, Expression(name)), VERY_LIKELY)
                for symbol in ("+", "-", "*", "//", "%", "/")
            )
            yield context.put(node, binary_operation(Expression(name), "-", code), POSSIBLE)
            yield from (context.put(node, function_call(f, code, Expression(name)), HALF) for f in ("min", "max"))
        if kind == other and kind in ("str", "list"):
            yield context.put(node, binary_operation(code, "+", Expression(name)), VERY_LIKELY)
            yield context.put(node, binary_operation(Expression(name), "+", code), PROBABLE)


def times_unread(node: ast.Name | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += price` in `for name, price, quantity in items` becomes `total += price * quantity`, which nobody reads;
    and so does `sum(price for name, price, quantity in items)`."""
    around = context.parent(node)
    if isinstance(around, ast.AugAssign) and around.value is node and isinstance(around.op, ast.Add | ast.Sub):
        rounds = [loop for loop in context.loops_around(node) if isinstance(loop, ast.For)][:1]
    elif isinstance(around, ast.GeneratorExp | ast.ListComp) and around.elt is node:
        rounds = around.generators  # type: ignore[assignment]
    else:
        return
    for one in rounds:
        items = one.target.elts if isinstance(one.target, ast.Tuple) else ()
        names = [item.id for item in items if isinstance(item, ast.Name)]
        for name in names:
            if name in context.scope.unused and context.text(node) in names and not name.startswith("_"):
                is_count = any(word in name.lower() for word in _COUNTS) or name in ("n", "k")
                product = binary_operation(context.expression(node), "*", Expression(name))
                yield context.put(node, product, 1.0 if is_count else UNLIKELY)


_COUNTS: Final = (
    *("quantit", "qty", "count", "amount", "number", "num", "units", "hours", "weight", "factor", "rate", "times"),
    *("credits", "pieces", "copies", "nights", "days", "share"),
)


def as_unread_flag_says(node: ast.Name | ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`+ cost` becomes `+ (0 if same else cost)`, or turned round, for `same = a == b`, which nobody reads."""
    around = context.parent(node)
    is_term = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add | ast.Sub) and around.right is node
    if not is_term and not (isinstance(around, ast.AugAssign) and around.value is node):
        return
    for part in context.scope.nodes:
        flag = part.targets[0] if isinstance(part, ast.Assign) and isinstance(part.value, ast.Compare) else None
        if isinstance(flag, ast.Name) and flag.id in context.scope.unused:
            text = context.text(node)
            yield context.put(node, Expression(f"0 if {flag.id} else {text}", TEST))
            yield context.put(node, Expression(f"{text} if {flag.id} else 0", TEST))


def one_of_both(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i == 0` becomes `i in (0, last)` for an unused variable `last`, and `i != 0` becomes `i not in (0, last)`."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq) or not context.scope.unused:
        return
    left, right = context.text(node.left), context.text(node.comparators[0])
    word = "in" if isinstance(node.ops[0], ast.Eq) else "not in"
    for name in sorted(context.scope.unused):
        if name not in (left, right):
            yield context.put(node, Expression(f"{left} {word} ({right}, {name})", COMPARISON))


def unread_constant(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`SIDES` becomes `AROUND`, a constant of the module that nothing reads: somebody meant it to be read."""
    if not context.is_read(node):
        return
    for name in _unread_constants(context):
        if name != node.id:
            yield context.put(node, name, 1.0 if node.id.isupper() else HALF)


def unread_default(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`old.get(name)` becomes `old.get(name, ABSENT)`, for a constant of the module that nothing reads, or that is a
    mark for what is missing (`ABSENT = object()`); so does `new.get(name)` beside it."""
    if not _asks_for_entry(node):
        return
    key = context.text(node.args[0])
    calls = [part for part in context.scope.nodes if _asks_for_entry(part) and context.text(part.args[0]) == key]
    marks = context.cached_of_program("marks for what is missing", lambda: marks_of_missing(context))
    for name in dict.fromkeys((*_unread_constants(context), *marks)):
        yield from here_or_everywhere(
            node, {call: context.edit(call.args[0], Expression(f"{key}, {name}")) for call in calls}
        )


def marks_of_missing(context: TemplateContext) -> list[str]:
    """The constants of the module that stand for what is missing."""
    assigned = (part for part in context.program.tree.body if isinstance(part, ast.Assign))
    return [context.text(part.targets[0]) for part in assigned if context.text(part.value) == "object()"]


def _asks_for_entry(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a node is `table.get(key)`, without a default."""
    return isinstance(node, ast.Call) and callee_name(node) == "get" and len(node.args) == 1 and not node.keywords


def store_at_unread_place(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`results = []` and `results.append(x)` become `results = [None] * len(items)` and `results[index] = x`, where
    `index` was counted with each item and nothing reads it: they end in another order than they began."""
    if not isinstance(node.targets[0], ast.Name) or context.text(node.value) != "[]":
        return
    nodes = context.program.below(context.scope.function) if context.scope.function else []
    items = next((context.text(part.args[0]) for part in nodes if _counts(part)), "")
    edits = []
    for part in nodes:
        match part:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="append"), args=[item])):
                place = _unread_place(part, context)
                if owner == node.targets[0].id and place:
                    edits.append(Edit(*context.program.spans[part], f"{owner}[{place}] = {context.text(item)}"))
    if items and edits:
        yield WeightedEdits((context.edit(node.value, Expression(f"[None] * len({items})", TERM)), *edits))


def _counts(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and callee_name(node) == "enumerate" and len(node.args) == 1


def _unread_place(node: ast.AST, context: TemplateContext) -> str:
    """The first of a pair that the function around a node unpacks, and nothing in it reads; empty where there is
    none."""
    function = context.program.function(node)
    parts = context.program.below(function) if function else []
    read = set(names_read(parts))
    for part in parts:
        match part:
            case ast.Tuple(elts=[ast.Name(id=place, ctx=ast.Store()), _]) if place not in read:
                return place
    return ""


def counter_below(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1 if extra else 0` becomes `1 if i < extra else 0` in a loop whose counter `i` nobody reads: the first ones."""
    around = context.parent(node)
    if not isinstance(around, ast.If | ast.IfExp) or around.test is not node or context.kind(node) not in ("int", ""):
        return
    for loop in context.around(node):
        for part in (loop, *getattr(loop, "generators", ())):
            counter = part.target if isinstance(part, ast.For | ast.comprehension) else None
            if not isinstance(counter, ast.Name) or not context.text(part.iter).startswith("range("):
                continue
            if counter.id in context.scope.unused:
                yield context.put(node, Expression(f"{counter.id} < {node.id}", COMPARISON))
                yield context.put(node, Expression(f"{counter.id} >= {node.id}", COMPARISON), POSSIBLE)


def look_up_in_unread(node: ast.Call | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`str(n % base)` becomes `symbols[n % base]` for a text or a table `symbols` that nobody reads."""
    asked: ast.expr = node
    if isinstance(node, ast.Call):
        if callee_name(node) not in _WRITTEN or len(node.args) != 1 or node.keywords:
            return
        asked = node.args[0]
    elif not isinstance(node.op, ast.Mod | ast.Sub | ast.FloorDiv):
        return
    for name in sorted(context.scope.unused):
        kind = context.scope.kinds.get(name, "")
        if kind in ("str", "list", "tuple", "dict") or (not kind and name not in context.scope.parameters):
            yield context.put(node, f"{name}[{context.text(asked)}]", 1.0 if isinstance(node, ast.Call) else HALF)


def shift_by_unread(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`radius[right - i]` becomes `radius[left + right - i]` for a bound `left` that nobody reads."""
    around = context.parent(node)
    if not isinstance(around, ast.Subscript) or around.slice is not node or not isinstance(node.op, ast.Sub | ast.Add):
        return
    for name in sorted(context.scope.unused):
        if context.scope.kinds.get(name, "") in ("int", ""):
            yield context.put(node, Expression(f"{name} + {context.text(node)}", SUM))
            yield context.put(node, Expression(f"{context.text(node)} - {name}", SUM), HALF)


_WRITTEN: Final = ("str", "chr", "int", "repr")


def share_left_over(node: ast.DictComp | ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{who: share for who in people}` becomes `{who: share + (1 if i < left else 0) for i, who in enumerate(people)}`,
    where `share, left = divmod(total, len(people))` and nobody reads `left`."""
    value, loop = node.value if isinstance(node, ast.DictComp) else node.elt, node.generators[0]
    if not isinstance(value, ast.Name) or len(node.generators) > 1 or loop.ifs:
        return
    for part in context.scope.nodes:
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or not context.text(part.value).startswith("divmod("):  # type: ignore[attr-defined]
            continue
        names = [context.text(name) for name in target.elts]
        if names[0] == value.id and names[-1] in context.scope.unused:
            place = context.new_name("i", "place", "n")
            more = Expression(f"{value.id} + (1 if {place} < {names[-1]} else 0)", SUM)
            edits = [
                context.edit(value, more),
                context.edit(loop.target, Expression(f"{place}, {context.text(loop.target)}")),
            ]
            yield WeightedEdits((*edits, context.edit(loop.iter, Expression(f"enumerate({context.text(loop.iter)})"))))


def unread_throughout(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row[top:top + box]` becomes `row[left:left + box]` for a variable `left` that nobody reads."""
    inside = context.program.below(node)
    names = [part for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    if any(isinstance(part, ast.JoinedStr) for part in inside):
        return
    for name in dict.fromkeys(part.id for part in names):
        places = [part for part in names if part.id == name]
        if len(places) < 2 or any(context.is_called(part) for part in places):
            continue
        for unread in sorted(context.scope.unused):
            if context.scope.kinds.get(unread, "") == context.scope.kinds.get(name, ""):
                yield WeightedEdits(tuple(context.edit(part, Expression(unread)) for part in places))


def constant_for_literal(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`STAGES.get(stage, -1)` becomes `STAGES.get(stage, FINAL)` for a constant of the module that nobody reads."""
    unread = _unread_constants(context) if context.scope.function is not None else ()
    for statement in context.program.tree.body if unread else ():
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if name in unread:
                if context.kind(value) == context.kind(node):
                    yield context.put(node, name)


def _unread_constants(context: TemplateContext) -> tuple[str, ...]:
    """The names in capitals of the module that nothing reads."""
    read = context.cached_of_program("names read", lambda: frozenset(names_read(context.program.nodes)))
    return tuple(name for name in context.scope.globals if name.isupper() and name not in read)


def hand_over_unread_function(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"flag": bool}` becomes `{"flag": to_bool}`, for a function of the module that nothing reads."""
    if node.id in PYTHON_BUILTINS and isinstance(node.ctx, ast.Load) and not context.is_called(node):
        for name in context.cached_of_program("functions unread", lambda: _unread_functions(context)):
            yield context.put(node, name)


def _unread_functions(context: TemplateContext) -> list[str]:
    """The functions of the module that nothing in it speaks of."""
    read = {part.id for part in context.program.nodes if isinstance(part, ast.Name)}
    own = (part for part in context.program.tree.body if isinstance(part, ast.FunctionDef) and part.args.args)
    return [function.name for function in own if function.name not in read]


def between_unread(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return x` becomes `return max(low, min(x, high))` for two parameters that nobody reads."""
    idle = [name for name in context.scope.parameters if name in context.scope.unused]
    if node.value is not None and len(idle) > 1 and not isinstance(node.value, ast.Constant):
        value = context.expression(node.value).text
        for low, high in pairwise(idle):
            yield context.put(node.value, f"max({low}, min({value}, {high}))")


def only_within_unread(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(red)` and `sorted(yellow)` become `sorted(item for item in red if item <= LIMIT)` and so on, all at once
    or here alone, where nothing reads the module's `LIMIT`, a number."""
    limits = [name for name in _unread_constants(context) if _is_number(name, context)]
    calls = [part for part in context.scope.nodes if limits and _orders_one_name(part)]
    if node not in calls:
        return
    item = context.new_name("item", "value")
    for limit in limits:
        for sign, weight in (("<=", 1.0), ("<", VERY_LIKELY), (">=", VERY_LIKELY), (">", LIKELY)):
            edits = {}
            for call in calls:
                (given,) = call.args
                kept = f"{item} for {item} in {context.text(given)} if {item} {sign} {limit}"
                edits[call] = context.edit(given, Expression(f"[{kept}]" if call.keywords else kept))
            yield from (WeightedEdits(o.edits, o.weight * weight) for o in here_or_everywhere(node, edits))


def _orders_one_name(part: ast.AST) -> TypeGuard[ast.Call]:
    is_call = isinstance(part, ast.Call) and callee_name(part) in ("sorted", "list", "sum", "len", "min", "max")
    return is_call and len(part.args) == 1 and isinstance(part.args[0], ast.Name)  # type: ignore[attr-defined]


def _is_number(name: str, context: TemplateContext) -> bool:
    """Whether a constant of the module is a number."""
    for part in context.program.tree.body:
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == name:
            return isinstance(part.value, ast.Constant) and isinstance(part.value.value, int | float)
    return False


def place_in_unread(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(sign) - 1` becomes `PLACES.index(sign)`, where nothing reads the module's `PLACES`, a text or a list."""
    if callee_name(node) != "int" or len(node.args) != 1 or node.keywords:
        return
    around = context.parent(node)
    whole = around if isinstance(around, ast.BinOp) and isinstance(around.op, ast.Sub) and around.left is node else node
    for name in _unread_constants(context):
        if not _is_number(name, context):
            yield context.put(whole, f"{name}.index({context.text(node.args[0])})")
            if whole is not node:
                yield context.put(node, f"{name}.index({context.text(node.args[0])})", LIKELY)


def ask_whether_current(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`_, ticket, job = heap[0]` and `if job in tickets:` become `if tickets.get(job) == ticket:`, since nothing reads
    `ticket`: an entry that has been replaced is out of date."""
    match node:
        case ast.Compare(left=ast.Name(id=key), ops=[ast.In() | ast.NotIn() as way], comparators=[table]):
            sign = "==" if isinstance(way, ast.In) else "!="
            for group in context.scope.bound_together:
                for name in group:
                    if key in group and name != key and name in context.scope.unused and name != "_":
                        yield context.put(
                            node, Expression(f"{context.text(table)}.get({key}) {sign} {name}", COMPARISON)
                        )


TEMPLATES = (
    Template("ask_whether_current", (ast.Compare,), ask_whether_current, ("content", "key", "index")),
    Template("times_unread", (ast.Name, ast.Subscript), times_unread, ("smaller", "content")),
    Template("only_within_unread", (ast.Call,), only_within_unread, ("content", "larger", "longer")),
    Template("place_in_unread", (ast.Call,), place_in_unread, ("convert", "content")),
    Template("between_unread", (ast.Return, ast.Assign), between_unread, ("content", "longer")),
    Template("hand_over_unread_function", (ast.Name,), hand_over_unread_function, ("content", "type")),
    Template("constant_for_literal", (ast.Constant, ast.UnaryOp), constant_for_literal),
    Template("unread_throughout", (ast.Slice, ast.BinOp, ast.Compare, ast.Tuple), unread_throughout),
    Template("share_left_over", (ast.DictComp, ast.ListComp), share_left_over, ("content", "smaller")),
    Template("counter_below", (ast.Name,), counter_below, ("content", "longer")),
    Template("look_up_in_unread", (ast.Call, ast.BinOp), look_up_in_unread, ("content",)),
    Template("shift_by_unread", (ast.BinOp,), shift_by_unread),
    Template("unused_name", (ast.Name, ast.Constant, ast.Subscript, ast.Call), unused_name),
    Template("use_unused", (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Constant), use_unused),
    Template("as_unread_flag_says", (ast.Name, ast.Constant), as_unread_flag_says, ("content",)),
    Template("one_of_both", (ast.Compare,), one_of_both),
    Template("unread_default", (ast.Call,), unread_default, ("content", "none", "shorter")),
    Template("store_at_unread_place", (ast.Assign,), store_at_unread_place, ("content", "order")),
    Template("unread_constant", (ast.Name,), unread_constant),
)
