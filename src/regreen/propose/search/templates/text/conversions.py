"""Texts that nobody has converted or trimmed: pieces of a line, columns of a table, numbers that may not be any."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import ALMOST_SURE, HALF, LIKELY, POSSIBLE, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import ATOM, TEST, Expression, attribute_of, function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, ORDERS, callee_name, variables_given, whole_number
from regreen.types import Edit

_NUMBERS: Final = (("int", 1.0), ("float", PROBABLE), ("Decimal", PROBABLE))
_MAKING_TUPLES: Final = frozenset({"zip", "items", "product", "combinations", "permutations"})
"""Functions that give tuples one by one."""


def convert_text(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"count": row["count"]}` becomes `{"count": int(row["count"])}`, where a text turned up for a number."""
    if "convert" not in context.clues.symptoms or context.kind(node) not in ("str", ""):
        return
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    share = _share(node, context.parent(node))
    if not share:
        return
    for function, weight in _NUMBERS:
        if function != "Decimal" or function in context.scope.globals:
            yield context.put(node, function_call(function, context.expression(node)), weight * share)


def _share(node: ast.expr, parent: ast.AST) -> float:
    """How likely a value is converted where it stands: most often where it is stored."""
    if isinstance(parent, ast.Dict | ast.keyword | ast.Assign | ast.AugAssign | ast.Tuple):
        return 1.0
    if isinstance(parent, ast.Call):
        return HALF if node in parent.args and callee_name(parent) not in _CONVERTERS else 0.0
    return HALF if isinstance(parent, ast.Return | ast.BinOp | ast.Compare | ast.ListComp | ast.GeneratorExp) else 0.0


_CONVERTERS: Final = frozenset(("int", "float", "Decimal", "str", "isinstance", "len", "print", "list"))


def numbers_of_text(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n, k = line.split()` becomes `n, k = map(int, line.split())`."""
    call = node.value
    if isinstance(node.targets[0], ast.Tuple) and isinstance(call, ast.Call) and callee_name(call) == "split":
        for function, weight in _NUMBERS:
            if function in ("int", "float"):
                yield context.put(call, f"map({function}, {context.text(call)})", weight)


def order_as_numbers(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reading > largest` becomes `float(reading) > float(largest)`, or `int(...)`: as texts "9" comes behind "12"."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    sides = (node.left, node.comparators[0])
    kinds = {context.kind(side) for side in sides}
    if any(isinstance(side, ast.Constant | ast.BinOp | ast.UnaryOp) for side in sides) or not kinds <= {"str", ""}:
        return
    for function, weight in _NUMBERS:
        if function in ("int", "float"):
            edits = (context.edit(side, function_call(function, context.expression(side))) for side in sides)
            yield WeightedEdits(tuple(edits), weight if "str" in kinds else weight * HALF)


def compare_as_text(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`digits[i] != 0` becomes `digits[i] != "0"`, or `int(digits[i]) != 0`: a text never equals a number."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return
    for number, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        kind = context.kind(other)
        if kind not in ("str", "") or not isinstance(other, ast.Name | ast.Subscript | ast.Attribute):
            continue
        weight = 1.0 if kind else HALF
        text = context.text(number)
        if whole_number(number) is not None and text.isdecimal():
            yield context.put(number, f'"{text}"', weight)
            yield context.put(other, function_call("int", context.expression(other)), weight * LIKELY)
        elif isinstance(number, ast.Constant) and isinstance(number.value, str) and _is_short_number(number.value):
            yield context.put(number, str(int(number.value)), 0.0 if kind else POSSIBLE)


def _is_short_number(text: str) -> bool:
    """Whether a text is a whole number that is soon read."""
    return text.isdecimal() and len(text) <= _SHORT_NUMBER


_SHORT_NUMBER: Final = 9

_NO_NUMBER: Final = re.compile(
    r"(?:invalid literal for int\(\) with base \d+|could not convert string to float): (?P<text>'[^'\\\n]{0,12}')"
)


def guard_conversion(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(x)` becomes `0 if x == '-' else int(x)`, or `int(x) if x else 0`, for what a check said is no number."""
    if callee_name(node) not in ("int", "float") or len(node.args) != 1 or node.keywords:
        return
    code, text = context.expression(node.args[0]), context.text(node)
    if code.level < ATOM:
        return
    for literal in dict.fromkeys(found["text"] for found in _NO_NUMBER.finditer(context.clues.details)):
        for other, weight in (("0", 1.0), ("None", HALF)):
            if literal.strip("' "):
                yield context.put(node, Expression(f"{other} if {code.text} == {literal} else {text}"), weight)
                yield context.put(node, Expression(f"{text} if {code.text}.isdigit() else {other}"), weight * LIKELY)
            else:
                yield context.put(node, Expression(f"{text} if {code.text}.strip() else {other}"), weight)


def trim_pieces(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`line.split(",")` becomes `[part.strip() for part in line.split(",")]`, or a list of numbers."""
    if callee_name(node) not in _GIVING_TEXTS:
        return
    if not isinstance(node.func, ast.Attribute) or "part" in context.scope.visible:
        return
    parent, text = context.parent(node), context.text(node)
    if isinstance(parent, ast.comprehension | ast.Attribute | ast.Subscript | ast.Starred):
        return
    has_separator = bool(node.args) or callee_name(node) == "groups"  # of a text that may have blanks around them
    shapes = (("part.strip()", 1.0 if has_separator else 0.0), ("int(part)", 1.0), ("float(part)", HALF))
    for shape, weight in shapes:
        if weight:
            yield context.put(node, f"[{shape} for part in {text}]", weight)
    yield context.put(node, f"[part for part in {text} if part]", POSSIBLE)
    if has_separator:
        yield context.put(node, f"[part.strip() for part in {text} if part.strip()]", UNLIKELY)


_GIVING_TEXTS: Final = ("split", "rsplit", "partition", "rpartition", "groups", "findall")


def convert_items(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return numbers` becomes `return [int(part) for part in numbers]`, where these are texts."""
    if not isinstance(node.ctx, ast.Load) or "part" in context.scope.visible or node.id == context.scope.receiver:
        return
    parent = context.parent(node)
    is_passed = isinstance(parent, ast.Call) and node in parent.args and callee_name(parent) not in _CONVERTERS
    if not is_passed and not isinstance(parent, ast.Return | ast.Assign | ast.keyword | ast.Dict):
        return
    if isinstance(parent, ast.Call) and callee_name(parent) in _TAKING_TEXTS:
        return
    share = _share_of_texts(node, context)
    for function, weight in (("int", 1.0), ("float", HALF)) if share else ():
        yield context.put(node, f"[{function}(part) for part in {node.id}]", weight * share)


def _share_of_texts(node: ast.Name, context: TemplateContext) -> float:
    """How likely a name holds a list of texts that should be numbers: 0 where nothing speaks for it."""
    if node.id in context.cached("lists of texts", lambda: _lists_of_texts(context)):
        return 1.0
    if context.scope.items.get(node.id) == "str" and context.kind(node) in ("list", "tuple"):
        return LIKELY
    is_unknown = context.kind(node) in ("list", "tuple") and not context.scope.items.get(node.id)
    return UNLIKELY if is_unknown and "convert" in context.clues.symptoms else 0.0


def _lists_of_texts(context: TemplateContext) -> frozenset[str]:
    """The variables to which the function gives the pieces of a text."""
    return frozenset(
        variables_given(context.scope.nodes, lambda v: isinstance(v, ast.Call) and callee_name(v) in _GIVING_TEXTS)
    )


_TAKING_TEXTS: Final = frozenset(("join", "extend", "sorted", "enumerate", "zip", "any", "all", "next", "iter"))


def treat_alike(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`put(key, value)` becomes `put(key.strip(), value.strip())`: what came of one line is all trimmed, or converted.

    Of the arguments those that one statement unpacked, or else all of them.
    """
    names = [argument for argument in node.args if isinstance(argument, ast.Name)]
    texts = [name for name in names if context.kind(name) in ("str", "")]
    groups = [[name for name in texts if name.id in together] for together in context.scope.bound_together]
    seen: set[tuple[str, ...]] = set()
    for group, share in (*((group, 1.0) for group in groups), (texts, HALF)):
        key = tuple(name.id for name in group)
        if len(group) < _LEAST_ALIKE or key in seen:
            continue
        seen.add(key)
        for method, weight in (("strip()", 1.0), ("lower()", PROBABLE), ("upper()", UNLIKELY)):
            edits = tuple(context.edit(name, attribute_of(Expression(name.id), method)) for name in group)
            yield WeightedEdits(edits, weight * share)
        for function, weight in (("int", ALMOST_SURE), ("float", HALF)):
            yield WeightedEdits(_wrapped(group, function, context), weight * share)


def _wrapped(names: list[ast.Name], function: str, context: TemplateContext) -> tuple[Edit, ...]:
    return tuple(context.edit(name, function_call(function, Expression(name.id))) for name in names)


_LEAST_ALIKE: Final = 2


def keep_as_asked(
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.If, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`[x for x in xs if x.strip()]` keeps `x.strip()`; the same where `if x.strip():` stands before `append(x)`."""
    if isinstance(node, ast.If):
        kept = _appended(node.body[0])
        tests = [node.test]
    else:
        kept, tests = node.elt, node.generators[-1].ifs
    for test in tests:
        if isinstance(kept, ast.Name) and _is_changed_text(test, kept.id):
            yield context.put(kept, context.text(test))


def _appended(statement: ast.stmt) -> ast.expr | None:
    """`x` of `xs.append(x)`, or of `yield x`."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Yield):
        return value.value
    is_call = isinstance(value, ast.Call) and callee_name(value) in ("append", "add") and len(value.args) == 1
    return value.args[0] if isinstance(value, ast.Call) and is_call else None


def _is_changed_text(test: ast.expr, name: str) -> bool:
    """Whether a condition is `x.strip()` or another form of the text `x`."""
    if not isinstance(test, ast.Call) or not isinstance(test.func, ast.Attribute):
        return False
    return isinstance(test.func.value, ast.Name) and test.func.value.id == name and test.func.attr in _FORMS


_FORMS: Final = frozenset(("strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace"))


def read_truth_of_option(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`add_argument("--colour", type=bool)`, for which any text is true, reads `yes`, `true`, `on` and `1` as such."""
    call = context.parent(node)
    is_bool = isinstance(node.value, ast.Name) and node.value.id == "bool"
    if node.arg == "type" and is_bool and isinstance(call, ast.Call) and callee_name(call) == "add_argument":
        yield context.put(node.value, 'lambda text: text.lower() in ("yes", "true", "on", "1")')
        yield context.replace(*context.program.spans[node], 'action="store_true"', HALF)


def rebuild_parts(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`data["items"]` in `from_dict` becomes `[Item.from_dict(item) for item in data["items"]]`."""
    function = context.scope.function
    if function is None or not isinstance(node.ctx, ast.Load) or isinstance(context.parent(node), ast.Subscript):
        return
    own = context.program.class_of(node)
    for owner in context.program.nodes:
        if isinstance(owner, ast.ClassDef) and owner is not own:
            makers = [part.name for part in owner.body if isinstance(part, FUNCTIONS) and part.decorator_list]
            if function.name in makers:
                made, text = f"{owner.name}.{function.name}", context.text(node)
                name = next(word for word in ("item", "part", "item_") if word not in context.scope.visible)
                yield context.put(node, f"[{made}({name}) for {name} in {text}]")
                yield context.put(node, f"{made}({text})", HALF)


def numbers_of_parts(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a > b`, of which both are `split` from texts, compares numbers: "10" comes before "9" as a text."""
    if len(node.ops) != 1 or isinstance(node.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot):
        return
    parts = [_split_call(side, context) for side in (node.left, node.comparators[0])]
    if None not in parts:
        edits = [
            context.edit(part, Expression(f"[int(part) for part in {context.text(part)}]"))
            for part in parts
            if part is not None
        ]
        yield WeightedEdits(tuple(edits))


def _split_call(side: ast.expr, context: TemplateContext) -> ast.Call | None:
    """The call of `split` that an expression is, or that its variable was assigned once."""
    if isinstance(side, ast.Name):
        made = [
            part.value
            for part in context.scope.nodes
            if isinstance(part, ast.Assign) and context.text(part.targets[0]) == side.id
        ]
        side = made[0] if len(made) == 1 else side
    is_split = isinstance(side, ast.Call) and isinstance(side.func, ast.Attribute) and side.func.attr == "split"
    return side if is_split else None  # type: ignore[return-value]


def convert_before_choice(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seconds(min(laps))` becomes `min(map(seconds, laps))`: what is read from texts is compared, and not these."""
    inner = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if not isinstance(inner, ast.Call) or context.text(inner.func) not in ("min", "max", "sorted"):
        return
    function = context.text(node.func)
    converts = function in ("int", "float") or function in {made.name for made in context.program.functions}
    if converts and len(inner.args) == 1 and not inner.keywords:
        yield context.put(node, f"{context.text(inner.func)}(map({function}, {context.text(inner.args[0])}))")


def rows_as_lists(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`list(zip(*rows))` becomes `[list(row) for row in zip(*rows)]`: zip makes tuples, and lists are asked for."""
    pairs = node.args[0] if callee_name(node) == "list" and len(node.args) == 1 else None
    if isinstance(pairs, ast.Call) and callee_name(pairs) in _MAKING_TUPLES:
        name = context.new_name("row", "group")
        yield context.put(node, f"[list({name}) for {name} in {context.text(pairs)}]")


def number_or_default(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(digits)` becomes `int(digits) if digits else 1`, or 0, where a text turned up that holds no digit."""
    if callee_name(node) not in ("int", "float") or len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
        return
    if "base 10: ''" in context.clues.details or "to float: ''" in context.clues.details:
        for otherwise, weight in (("1", 1.0), ("0", 1.0), ("None", POSSIBLE)):
            text = f"{context.text(node)} if {node.args[0].id} else {otherwise}"
            yield context.put(node, Expression(text, TEST), weight)


def digits_behind_the_point(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`whole * 100 + int(part)`, or `int(part or 0)`, reads `int(part.ljust(2, "0"))`: the 5 of "2.5" are 50
    hundredths."""
    if context.text(node.func) != "int" or len(node.args) != 1 or node.keywords:
        return
    digits = next((len(zeros) for zeros in re.findall(r"\* 10(0+)\b", context.program.source)), 0) + 1
    given = node.args[0]
    if digits == 1 or isinstance(given, ast.Constant | ast.BinOp):
        return
    if isinstance(given, ast.BoolOp) and isinstance(given.op, ast.Or):
        kept = f'({context.text(given.values[0])} or "")'
    else:
        kept = context.expression(given).at(ATOM)
    yield context.put(given, Expression(f'{kept}.ljust({digits}, "0")', ATOM))
    yield context.put(given, Expression(f'{kept}.ljust({digits}, "0")[:{digits}]', ATOM), LIKELY)


def base_of_case(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ord("a")` beside `ord(ch)` becomes `ord("A") if ch.isupper() else ord("a")`: letters of both cases have their
    own."""
    letter = node.args[0] if callee_name(node) == "ord" and len(node.args) == 1 else None
    if not isinstance(letter, ast.Constant) or letter.value not in ("a", "A"):
        return
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) == "ord")
    signs = (part.args[0].id for part in calls if part.args and isinstance(part.args[0], ast.Name))
    for sign in dict.fromkeys(signs):
        yield context.put(node, Expression(f'ord("A") if {sign}.isupper() else ord("a")', TEST))


TEMPLATES = (
    Template("base_of_case", (ast.Call,), base_of_case, ("content",)),
    Template("digits_behind_the_point", (ast.Call,), digits_behind_the_point, ("smaller", "content")),
    Template("number_or_default", (ast.Call,), number_or_default, ("convert",)),
    Template("rows_as_lists", (ast.Call,), rows_as_lists, ("content",)),
    Template("convert_before_choice", (ast.Call,), convert_before_choice, ("content", "order")),
    Template("numbers_of_parts", (ast.Compare,), numbers_of_parts),
    Template("read_truth_of_option", (ast.keyword,), read_truth_of_option, ("negated",)),
    Template("rebuild_parts", (ast.Subscript,), rebuild_parts, ("attribute", "type", "content")),
    Template("convert_text", (ast.Name, ast.Subscript, ast.Attribute, ast.Call), convert_text, ("convert",)),
    Template("numbers_of_text", (ast.Assign,), numbers_of_text, ("convert", "type")),
    Template("order_as_numbers", (ast.Compare,), order_as_numbers, ("order", "content")),
    Template("compare_as_text", (ast.Compare,), compare_as_text),
    Template("guard_conversion", (ast.Call,), guard_conversion, ("value",)),
    Template("trim_pieces", (ast.Call,), trim_pieces, ("space", "strip", "convert", "key")),
    Template(
        "keep_as_asked",
        (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.If),
        keep_as_asked,
        ("space", "strip", "longer"),
    ),
    Template("convert_items", (ast.Name,), convert_items, ("convert", "kind", "type")),
    Template("treat_alike", (ast.Call,), treat_alike, ("space", "strip", "case", "convert", "none")),
)
