"""Where a naive expression stands for a common idiom: texts, floats, shares, remainders, pages, records."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    MAX_KEYS_ASKED,
    POSSIBLE,
    PROBABLE,
    SLOW_DECLINE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import (
    ATOM,
    COMPARISON_SYMBOLS,
    FACTOR,
    OR,
    TEST,
    Expression,
    binary_operation,
    bool_operation,
    comparison,
    function_call,
    subscript,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import callee_name

_NO_TEXTS: Final = frozenset(("int", "float", "bool", "list", "dict", "set", "tuple"))
_NO_NUMBERS: Final = frozenset(("str", "bool", "list", "dict", "set", "tuple"))


def compare_loosely(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a == b` becomes `a.lower() == b.lower()`, `a.strip() == b.strip()`, or `abs(a - b) < 1e-9`; `in` alike."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        return
    sides = (node.left, node.comparators[0])
    if any(isinstance(side, ast.Constant) for side in sides):
        return
    one, other = (context.expression(side) for side in sides)
    kinds = {context.kind(side) for side in sides}
    if kinds.isdisjoint(_NO_TEXTS):
        symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
        for method in ("lower", "strip", "casefold"):
            pair = [Expression(f"{side.at(ATOM)}.{method}()") for side in (one, other)]
            yield context.put(node, comparison(pair[0], symbol, pair[1]), 1.0 if "str" in kinds else HALF)
    if kinds.isdisjoint(_NO_NUMBERS) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        symbol = "<" if isinstance(node.ops[0], ast.Eq) else ">"
        distance = function_call("abs", binary_operation(one, "-", other))
        yield context.put(node, comparison(distance, symbol, Expression("1e-9")), 1.0 if "float" in kinds else HALF)


def start_loosely(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word.startswith(prefix)` becomes `word.lower().startswith(prefix.lower())`, or leaves `prefix` as it is; so do
    `endswith`, `count`, `find` and `split`."""
    method = node.func
    if not isinstance(method, ast.Attribute) or method.attr not in _TEXT_METHODS or len(node.args) != 1:
        return
    argument, owner = node.args[0], context.expression(method.value)
    if isinstance(method.value, ast.Constant) or owner.text.endswith(("lower()", "casefold()")):
        return
    lowered = context.edit(method.value, Expression(f"{owner.at(ATOM)}.lower()"))
    if isinstance(argument, ast.Constant):
        yield WeightedEdits((lowered,))
    elif not isinstance(argument, ast.Tuple):
        both = context.edit(argument, Expression(f"{context.expression(argument).at(ATOM)}.lower()"))
        yield WeightedEdits((lowered, both))
        yield WeightedEdits((lowered,), LIKELY)


_TEXT_METHODS = frozenset(("startswith", "endswith", "count", "find", "rfind"))


def join_anything(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`", ".join(xs)` becomes `", ".join(map(str, xs))`."""
    if _joins_items(node):
        yield context.put(node.args[0], Expression(f"map(str, {context.expression(node.args[0]).at(TEST)})"))


def join_in_order(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`", ".join(xs)` becomes `", ".join(sorted(xs))`."""
    if _joins_items(node):
        yield context.put(node.args[0], function_call("sorted", context.expression(node.args[0])))


def _joins_items(call: ast.Call) -> bool:
    return callee_name(call) == "join" and len(call.args) == 1 and not isinstance(call.args[0], ast.GeneratorExp)


def keep_order(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`list(set(xs))` becomes `list(dict.fromkeys(xs))`: each once, in the order of the first."""
    if callee_name(node) == "set" and isinstance(node.func, ast.Name) and len(node.args) == 1:
        yield context.put(node, Expression(f"dict.fromkeys({context.text(node.args[0])})"))


def keep_last_ones(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`list(dict.fromkeys(xs))` becomes `list(dict.fromkeys(reversed(xs)))[::-1]`: of equal ones the last stays."""
    inner = node.args[0] if callee_name(node) == "list" and len(node.args) == 1 else None
    if isinstance(inner, ast.Call) and context.text(inner.func) == "dict.fromkeys" and len(inner.args) == 1:
        items = context.text(inner.args[0])
        yield context.put(node, Expression(f"list(dict.fromkeys(reversed({items})))[::-1]", ATOM))


def best_key(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(d)` becomes `max(d, key=d.get)`, `sorted(d)` becomes `sorted(d, key=d.get)`."""
    if callee_name(node) not in ("max", "min", "sorted") or len(node.args) != 1 or node.keywords:
        return
    table = node.args[0]
    if isinstance(table, ast.Name | ast.Attribute) and context.kind(table) in ("dict", ""):
        end = context.program.spans[table][1]
        share = 1.0 if context.kind(table) == "dict" else UNLIKELY
        yield context.replace(end, end, f", key={context.text(table)}.get", share)
        if callee_name(node) == "sorted":
            yield context.replace(end, end, f", key={context.text(table)}.get, reverse=True", share)
            # Of equal ones the first by name.
            each = f", key=lambda name: (-{context.text(table)}[name], name)"
            yield context.replace(end, end, each, share)


_SHARES: Final = ("percent", "pct", "percentage", "rate", "discount", "tax", "vat", "interest")


def as_share(node: ast.Name | ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`price * percent` becomes `price * percent / 100`."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    if isinstance(node.ctx, ast.Load) and any(word in name.lower() for word in _SHARES):
        yield context.put(node, binary_operation(context.expression(node), "/", Expression("100")))


def take_off(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`price * percent / 100`, which is the share alone, becomes `price - price * percent / 100`, or `price + ...`."""
    if not isinstance(node.op, ast.Mult | ast.Div) or not isinstance(context.parent(node), ast.Return | ast.Assign):
        return
    whole: ast.expr = node
    while isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Mult | ast.Div):
        whole = whole.left
    if isinstance(whole, ast.Name | ast.Attribute | ast.Subscript):
        for symbol, weight in (("-", 1.0), ("+", VERY_LIKELY)):
            yield context.put(
                node, binary_operation(context.expression(whole), symbol, context.expression(node)), weight
            )


def wrap_around(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hour % 12` becomes `hour % 12 or 12`, `n % 7` becomes `(n - 1) % 7 + 1`."""
    if not isinstance(node.op, ast.Mod) or isinstance(node.left, ast.Constant | ast.JoinedStr):
        return
    if isinstance(context.parent(node), ast.Compare):
        # What is asked about is whether something is left over.
        return
    number, base = context.expression(node.left), context.expression(node.right)
    yield context.put(node, bool_operation(context.expression(node), "or", base))
    shifted = binary_operation(binary_operation(number, "-", Expression("1")), "%", base)
    yield context.put(node, binary_operation(shifted, "+", Expression("1")), HALF)


def angle_in_radians(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`math.sin(angle)` becomes `math.sin(math.radians(angle))`, and `math.atan2(y, x)`, `math.degrees(...)` of it."""
    called = context.text(node.func)
    module, _, name = called.rpartition(".")
    around = context.parent(node)
    is_degrees = isinstance(around, ast.Call) and callee_name(around) == "degrees"
    if module not in ("math", "") or "radians" in context.text(node) or is_degrees:
        return
    own = f"{module}." if module else ""
    if name in ("sin", "cos", "tan") and len(node.args) == 1:
        yield context.wrap(node.args[0], f"{own}radians")
    elif name in ("asin", "acos", "atan", "atan2"):
        yield context.wrap(node, f"{own}degrees")


def round_up(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`count // size` becomes `-(-count // size)`: the last page need not be full."""
    if isinstance(node.op, ast.FloorDiv):
        count, size = context.expression(node.left), context.expression(node.right)
        yield context.put(node, Expression(f"-(-{count.at(FACTOR)} // {size.at(FACTOR)})", FACTOR))
        if "math" in context.scope.globals:
            yield context.put(node, function_call("math.ceil", binary_operation(count, "/", size)))
        more = context.parent(node)
        if isinstance(more, ast.BinOp) and isinstance(more.op, ast.Add) and context.text(more.right) == "1":
            # One page more was meant for what is left over, and for nothing at all.
            yield context.put(more, Expression(f"max(1, -(-{count.at(FACTOR)} // {size.at(FACTOR)}))", ATOM))
            yield context.put(more, Expression(f"-(-{count.at(FACTOR)} // {size.at(FACTOR)})", FACTOR))


def round_quotient_up(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`round(minutes / 60)` and `int(minutes / 60)` become `-(-minutes // 60)`: what is begun counts whole."""
    shared = node.args[0] if context.text(node.func) in ("round", "int") and len(node.args) == 1 else None
    if isinstance(shared, ast.BinOp) and isinstance(shared.op, ast.Div):
        count, size = context.expression(shared.left), context.expression(shared.right)
        yield context.put(node, Expression(f"-(-{count.at(FACTOR)} // {size.at(FACTOR)})", FACTOR))


def wrap_index(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i]` becomes `xs[i % len(xs)]`."""
    if not isinstance(node.ctx, ast.Load) or not isinstance(node.slice, ast.Name | ast.BinOp):
        return
    if context.kind(node.value) in ("list", "str", "tuple", "") and context.kind(node.slice) in ("int", ""):
        length = function_call("len", context.expression(node.value))
        yield context.put(node.slice, binary_operation(context.expression(node.slice), "%", length))


def or_nothing(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`next(x for x in xs if p(x))`, which raises StopIteration, becomes `next((...), None)`."""
    if callee_name(node) == "next" and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
        items = context.text(node.args[0])
        items = items if items.startswith("(") else f"({items})"
        for rank, default in enumerate(("None", "''", "0", "-1", "False")):
            yield context.put(node, Expression(f"next({items}, {default})"), 1.0 - SLOW_DECLINE * rank)


def _text_looked_up(node: ast.expr, context: TemplateContext) -> Expression:
    """An expression, and `d.get(k)` as `d.get(k, "")`: nothing is no text."""
    code = context.expression(node)
    if isinstance(node, ast.Call) and callee_name(node) in ("get", "getenv") and len(node.args) == 1:
        return Expression(f'{code.text[:-1]}, "")', code.level)
    return code


_TRUE_WORDS: Final = "('1', 'true', 'yes', 'on')"


def read_truth(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bool(text)`, which is true of "false", becomes `text.lower() in ('1', 'true', 'yes', 'on')`."""
    if callee_name(node) == "bool" and isinstance(node.func, ast.Name) and len(node.args) == 1:
        text = _text_looked_up(node.args[0], context)
        # That module has a method of its own for it.
        weight = POSSIBLE if "configparser" in context.program.source else 1.0
        own = [f".lower() in {name}" for name in context.scope.globals if "TRUE" in name]
        words = (f".lower() in {_TRUE_WORDS}", ".lower() == 'true'", ".strip().lower() == 'true'", " == 'True'")
        for test in (*own, *words):
            yield context.put(node, Expression(text.at(ATOM) + test, OR), weight)


def keep_equals(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sort(less) + [pivot] + sort(more)`, of the items below and above `pivot`, becomes `sort(less) + [x for x in
    items if x == pivot] + sort(more)`: there may be several that are equal, as in quicksort."""
    middle = node.left.right if isinstance(node.left, ast.BinOp) else None
    held = middle.elts[0] if isinstance(middle, ast.List) and len(middle.elts) == 1 else middle
    if middle is None or not isinstance(held, ast.Name) or not isinstance(node.op, ast.Add):
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.ListComp) or len(part.generators[0].ifs) != 1:
            continue
        test, items = part.generators[0].ifs[0], context.text(part.generators[0].iter)
        is_side = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Lt | ast.Gt)
        if is_side and context.text(test.comparators[0]) == held.id:  # type: ignore[attr-defined]
            item = context.text(part.elt)
            yield context.put(middle, f"[{item} for {item} in {items} if {item} == {held.id}]")
            return


def flatten_items(
    node: ast.ListComp | ast.GeneratorExp | ast.SetComp, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`[x for x in rows]` becomes `[item for x in rows for item in x]`."""
    last = node.generators[-1]
    if isinstance(node.elt, ast.Name) and context.text(node.elt) == context.text(last.target) and not last.ifs:
        name = "item" if "item" not in context.scope.visible else f"{node.elt.id}_"
        end = context.program.spans[last.iter][1]
        change = context.put(node.elt, name)
        further = context.replace(end, end, f" for {name} in {node.elt.id}")
        yield WeightedEdits((*change.edits, *further.edits))


def use_key(node: ast.ListComp | ast.GeneratorExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[u["name"] for u in users]` gains `if u["active"]`; `r["price"]` becomes `r["price"] * r["count"]`."""
    last = node.generators[-1]
    if not isinstance(last.target, ast.Name) or context.program.bracketed(last.iter):
        return
    used = [part for part in context.program.below(node) if _is_key_of(part, last.target.id)]
    if not used:
        return
    given = {
        part.slice.value for part in used if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant)
    }
    end = context.program.spans[last.iter][1]
    record = Expression(last.target.id)
    for key in _other_keys(context, given):
        value = subscript(record, quoted(key, context.text(used[0])[-2:]))
        if not last.ifs:
            yield context.replace(end, end, f" if {value.text}")
            yield context.replace(end, end, f" if not {value.text}", LIKELY)
        for symbol, weight in (("*", PROBABLE), ("-", HALF), ("+", HALF)):
            if isinstance(node.elt, ast.Subscript):
                yield context.put(node.elt, binary_operation(context.expression(node.elt), symbol, value), weight)


def _is_key_of(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    )


def _other_keys(context: TemplateContext, given: Collection[object]) -> list[str]:
    """Keys of the checks' records and of the program's, less those given: words only."""
    texts = (
        n.slice.value
        for n in context.program.nodes
        if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant)
    )
    words = dict.fromkeys((*(text for text in texts if isinstance(text, str)), *context.clues.input_strings))
    return [word for word in words if word.isidentifier() and word not in given][:MAX_KEYS_ASKED]


def sort_before_grouping(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`groupby(xs, key=f)`, which groups neighbours alone, becomes `groupby(sorted(xs, key=f), key=f)`."""
    if callee_name(node) != "groupby" or not node.args or isinstance(node.args[0], ast.Starred):
        return
    items, keys = node.args[0], [*node.args[1:], *(word.value for word in node.keywords if word.arg == "key")]
    if isinstance(items, ast.Call) and callee_name(items) == "sorted":
        return
    key = f", key={context.text(keys[0])}" if keys else ""
    yield context.put(items, f"sorted({context.text(items)}{key})")


def round_at_the_end(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`round(share, 1)` becomes `share`, where the function rounds once more: what is rounded twice is off."""
    if callee_name(node) != "round" or not node.args or isinstance(context.parent(node), ast.Return):
        return
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and part is not node)
    if any(callee_name(call) == "round" for call in calls):
        yield context.put(node, context.expression(node.args[0]))


def round_before_asking(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while value >= 1024` becomes `while round(value, 1) >= 1024`, where `value` is shown with one digit at last."""
    if not isinstance(node.left, ast.Name) or len(node.ops) > 1:
        return
    shown = context.cached("digits shown", lambda: dict(_digits_shown(context)))
    if node.left.id in shown:
        yield context.put(node.left, f"round({node.left.id}, {shown[node.left.id]})")


def _digits_shown(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """Variables that are rounded, or written with so many digits behind the point."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and callee_name(part) == "round" and len(part.args) > 1:
            yield context.text(part.args[0]), context.text(part.args[1])
        elif isinstance(part, ast.FormattedValue) and part.format_spec is not None:
            digits = re.search(r"\.(\d)f", ast.unparse(part.format_spec))
            if digits is not None:
                yield ast.unparse(part.value), digits[1]


TEMPLATES = (
    Template("keep_equals", (ast.BinOp,), keep_equals, ("shorter", "type", "content")),
    Template("round_at_the_end", (ast.Call,), round_at_the_end, ("content", "rounding")),
    Template("round_before_asking", (ast.Compare,), round_before_asking, ("content",)),
    Template("compare_loosely", (ast.Compare,), compare_loosely, ("negated", "case")),
    Template("start_loosely", (ast.Call,), start_loosely, ("case",)),
    Template("join_anything", (ast.Call,), join_anything, ("type", "order")),
    Template("join_in_order", (ast.Call,), join_in_order, ("order",)),
    Template("keep_order", (ast.Call,), keep_order, ("order",)),
    Template("sort_before_grouping", (ast.Call,), sort_before_grouping, ("content", "longer")),
    Template("keep_last_ones", (ast.Call,), keep_last_ones, ("order",)),
    Template("best_key", (ast.Call,), best_key, ("order", "content")),
    Template("as_share", (ast.Name, ast.Attribute), as_share),
    Template("take_off", (ast.BinOp,), take_off),
    Template("wrap_around", (ast.BinOp,), wrap_around, ("zero",)),
    Template("angle_in_radians", (ast.Call,), angle_in_radians, ("rounding", "content")),
    Template("round_up", (ast.BinOp,), round_up, ("off_by_one",)),
    Template("round_quotient_up", (ast.Call,), round_quotient_up, ("content", "close")),
    Template("wrap_index", (ast.Subscript,), wrap_index, ("index",)),
    Template("or_nothing", (ast.Call,), or_nothing, ("iteration",)),
    Template("read_truth", (ast.Call,), read_truth, ("negated",)),
    Template("flatten_items", (ast.ListComp, ast.GeneratorExp, ast.SetComp), flatten_items, ("type", "kind")),
    Template("use_key", (ast.ListComp, ast.GeneratorExp), use_key, ("longer",)),
)
