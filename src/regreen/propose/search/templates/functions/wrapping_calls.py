"""A missing or superfluous call around a value, or an expression for one of its parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    DECLINE,
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_BOUNDING_NAMES,
    MAX_BOUNDING_SEQUENCES,
    MAX_DECIMALS,
    MAX_PART_DEPTH,
    MAX_REPLACING_NUMBERS,
    MAX_UNWRAPPED_ARGUMENTS,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import (
    ATOM,
    OR,
    TERM,
    TEST,
    Expression,
    attribute_of,
    binary_operation,
    function_call,
    subscript,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_BY_KIND = {
    "int": (("abs", 1.0), ("str", 0.8), ("int", 0.3), ("float", 0.4), ("bool", 0.2), ("range", 0.3), ("round", 0.2)),
    "float": (("int", 1.0), ("abs", 1.0), ("round", 1.0), ("str", 0.6), ("float", 0.2)),
    "str": (
        ("int", 0.9),
        ("len", 0.9),
        ("float", 0.4),
        ("list", 0.5),
        ("sorted", 0.5),
        ("set", 0.5),
        ("ord", 0.5),
        ("str", 0.2),
    ),
    "list": (
        *(("sorted", 1.0), ("len", 1.0), ("list", 0.8), ("set", 0.9), ("sum", 0.7), ("reversed", 0.7), ("max", 0.6)),
        *(("min", 0.6), ("tuple", 0.6), ("enumerate", 0.4), ("any", 0.3), ("all", 0.3), ("str", 0.3), ("dict", 0.3)),
    ),
    "tuple": (("list", 1.0), ("sorted", 0.8), ("len", 0.8), ("sum", 0.5), ("set", 0.5), ("max", 0.4), ("min", 0.4)),
    "set": (("sorted", 1.0), ("list", 1.0), ("len", 1.0), ("set", 0.2), ("tuple", 0.4), ("sum", 0.3)),
    "dict": (("dict", 0.8), ("sorted", 0.8), ("list", 0.8), ("len", 0.8), ("max", 0.4), ("min", 0.4)),
    "bool": (("not", 1.0), ("int", 0.4), ("str", 0.3)),
}
_UNKNOWN = (
    *(
        ("abs", 0.5),
        ("int", 0.6),
        ("str", 0.6),
        ("len", 0.7),
        ("list", 0.6),
        ("sorted", 0.6),
        ("set", 0.5),
        ("float", 0.3),
    ),
    *(
        ("tuple", 0.4),
        ("sum", 0.4),
        ("round", 0.3),
        ("not", 0.4),
        ("reversed", 0.3),
        ("bool", 0.3),
        ("dict", 0.2),
        ("max", 0.3),
    ),
    *(("min", 0.3), ("any", 0.2), ("all", 0.2), ("ord", 0.2), ("chr", 0.2), ("next", 0.2), ("iter", 0.1)),
)
_METHODS_BY_KIND = {
    "str": (
        "lower()",
        "upper()",
        "strip()",
        "split()",
        "rstrip()",
        "title()",
        "capitalize()",
        "lstrip()",
        "casefold()",
        "encode()",
        "splitlines()",
    ),
    "dict": ("items()", "values()", "keys()", "copy()"),
    "list": ("copy()",),
    "": ("lower()", "strip()", "items()", "copy()", "split()", "upper()", "values()", "keys()", "encode()", "decode()"),
}


def _wrappable(node: ast.expr, context: TemplateContext) -> bool:
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return False
    parent = context.parent(node)
    if isinstance(parent, ast.Expr | ast.Starred | ast.Attribute | ast.Slice | ast.keyword) and not isinstance(
        node, ast.BinOp
    ):
        return not isinstance(parent, ast.Expr | ast.Starred | ast.Attribute)
    if isinstance(parent, ast.Call) and parent.func is node:
        return False
    return not (isinstance(node, ast.Name) and node.id == context.scope.receiver)


def wrap_call(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `abs(x)`, `int(x)`, `sorted(x)`, `not x`, ... And so does `x or "0"`, of a value with a default."""
    if not _wrappable(node, context) or (isinstance(node, ast.BoolOp) and not _is_default(node)):
        return
    code, kind = context.expression(node), context.kind(node)
    share = _share(node, context)
    for function, weight in _BY_KIND.get(kind, _UNKNOWN):
        if function == "not":
            yield context.put(node, unary_operation("not", code), weight * share)
        else:
            yield context.put(node, function_call(function, code), weight * share)
            if function == "reversed" and kind in ("list", "str", "tuple"):
                yield context.put(node, subscript(code, "::-1"), weight * share)


def _is_default(node: ast.BoolOp) -> bool:
    return isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.Constant | ast.List | ast.Dict | ast.Tuple)


def _share(node: ast.expr, context: TemplateContext) -> float:
    """Weight of a node: calls are missing most often around returned, assigned and iterated values."""
    parent = context.parent(node)
    if isinstance(parent, ast.Return | ast.For | ast.comprehension | ast.Assign):
        return 1.0
    if isinstance(node, ast.Name | ast.Constant) and isinstance(parent, ast.Subscript):
        return UNLIKELY
    return UNLIKELY if isinstance(node, ast.Constant) else LIKELY


def absolute_difference(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a - b` becomes `abs(a - b)`."""
    parent = context.parent(node)
    if isinstance(node.op, ast.Sub) and not (isinstance(parent, ast.Call) and context.text(parent.func) == "abs"):
        yield context.put(
            node,
            function_call("abs", context.expression(node)),
            UNLIKELY if isinstance(parent, ast.Subscript | ast.Slice) else 1.0,
        )


def split_absolute(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(a - b + c - d)` becomes `abs(a - b) + abs(c - d)`: each difference counts, whichever way round it is."""
    if callee_name(node) != "abs" or len(node.args) != 1:
        return
    terms = list(_terms(node.args[0]))
    if [sign for sign, _ in terms] == ["+", "-", "+", "-"]:
        a, b, c, d = (context.expression(term) for _, term in terms)
        one, other = (function_call("abs", binary_operation(x, "-", y)) for x, y in ((a, b), (c, d)))
        yield context.put(node, binary_operation(one, "+", other))


def _terms(node: ast.expr, sign: str = "+") -> Iterator[tuple[str, ast.expr]]:
    """What is added up in an expression, and what is taken away, in order."""
    if sign == "+" and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left)
        yield from _terms(node.right, "+" if isinstance(node.op, ast.Add) else "-")
    else:
        yield sign, node


def wrap_method(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text` becomes `text.lower()`, `text.strip()`; `table` becomes `table.items()`, `rows` becomes `rows.copy()`."""
    if not _wrappable(node, context) or isinstance(node, ast.Constant):
        return
    for rank, method in enumerate(_METHODS_BY_KIND.get(context.kind(node), ())):
        yield context.put(
            node, attribute_of(context.expression(node), method), _share(node, context) * (1.0 - DECLINE * rank)
        )


def wrap_limits(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `max(x, 0)`, `x % n`, `x // 2`, ...: a value that must stay in bounds."""
    if not _wrappable(node, context) or context.kind(node) not in ("int", "float", ""):
        return
    code = context.expression(node)
    if isinstance(node, ast.Constant):
        return
    yield context.put(node, function_call("max", code, Expression("0")), VERY_LIKELY)
    yield context.put(node, function_call("max", code, Expression("1")), UNLIKELY)
    yield context.put(node, function_call("min", code, Expression("1")), IMPROBABLE)
    for number in dict.fromkeys(("2", "10", *context.scope.numbers[:MAX_REPLACING_NUMBERS])):
        yield context.put(node, binary_operation(code, "%", Expression(number)), HALF)
        yield context.put(node, binary_operation(code, "//", Expression(number)), POSSIBLE)
        yield context.put(node, binary_operation(code, "*", Expression(number)), POSSIBLE)
    yield context.put(node, binary_operation(code, "**", Expression("2")), UNLIKELY)
    for name in context.scope.of_kind("int")[:MAX_BOUNDING_NAMES]:
        yield context.put(node, Expression(f"{code.at(TERM)} % {name}", TERM), POSSIBLE)
        yield context.put(node, function_call("max", Expression(name), code), UNLIKELY)
        yield context.put(node, function_call("min", Expression(name), code), UNLIKELY)
        yield context.put(node, function_call("min", code, Expression(f"{name} - 1")), IMPROBABLE)
    for name in context.scope.of_kind("list", "str", "tuple")[:MAX_BOUNDING_SEQUENCES]:
        yield context.put(node, Expression(f"{code.at(TERM)} % len({name})", TERM), UNLIKELY)
        yield context.put(node, function_call("min", code, Expression(f"len({name}) - 1")), POSSIBLE)
        yield context.put(node, function_call("min", code, Expression(f"len({name})")), POSSIBLE)


def round_result(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `round(x, 2)`, with decimal places from the prose too."""
    if not _wrappable(node, context) or context.kind(node) != "float":
        return
    for places in dict.fromkeys(
        ("2", *(n for n in context.clues.numbers if n.isdigit() and int(n) <= MAX_DECIMALS), "1", "3", "4")
    ):
        yield context.put(node, function_call("round", context.expression(node), Expression(places)))


def unwrap(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(x)` becomes `x`, `x.strip()` becomes `x`."""
    function = context.scope.function
    # A function that calls itself is meant to.
    is_own = function is not None and callee_name(node) == function.name
    share = REMOTE if is_own else 1.0
    for argument in node.args[:MAX_UNWRAPPED_ARGUMENTS]:
        if not isinstance(argument, ast.Starred):
            yield context.put(node, context.expression(argument), share * (1.0 if len(node.args) == 1 else HALF))
    if isinstance(node.func, ast.Attribute) and not isinstance(context.parent(node), ast.Expr):
        yield context.put(node, context.expression(node.func.value), ALMOST_SURE)


def apply_again(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`turn(x)` becomes `turn(turn(x))`, for another function of the program: what is turned twice more is back."""
    own = context.cached("functions by name", lambda: {function.name for function in context.program.functions})
    function = context.scope.function
    name = context.text(node.func)
    is_other = name in own and function is not None and function.name != name
    if is_other and len(node.args) == 1 and not node.keywords:
        yield context.put(node, function_call(name, context.expression(node)))


def part_of_expression(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """An expression becomes one of the smaller ones inside it."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    is_asked = isinstance(node, ast.Compare) and _is_condition(node, context)
    for depth, part in _parts(node):
        if depth > 1 or not isinstance(node, ast.BinOp | ast.BoolOp | ast.UnaryOp):
            # `ord(c)` for `97 <= ord(c)` is nearly always true: a condition that asks nothing.
            weight = REMOTE if is_asked and not isinstance(part, ast.Compare | ast.BoolOp) else 1.0
            yield context.put(node, context.expression(part), weight / depth)


def _is_condition(node: ast.expr, context: TemplateContext) -> bool:
    parent = context.parent(node)
    if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert):
        return parent.test is node
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    return isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not))


def _parts(node: ast.AST, depth: int = 1) -> Iterator[tuple[int, ast.expr]]:
    if depth > MAX_PART_DEPTH or isinstance(
        node, ast.JoinedStr | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ):
        return
    for name, child in ast.iter_fields(node):
        if name == "func" or isinstance(node, ast.Attribute):
            continue
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.expr) and not isinstance(part, ast.Slice | ast.Starred):
                yield depth, part
                yield from _parts(part, depth + 1)


def choose_branch(node: ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a if c else b` becomes `b if c else a`, `a` or `b`."""
    body, test, orelse = (context.expression(n) for n in (node.body, node.test, node.orelse))
    yield context.put(node, Expression(f"{orelse.at(OR)} if {test.at(OR)} else {body.at(TEST)}", TEST))
    yield context.put(node, body, PROBABLE)
    yield context.put(node, orelse, PROBABLE)


def sort_value(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `sorted(x, reverse=True)`, `sorted(set(x))`, `list(set(x))`, `list(dict.fromkeys(x))`."""
    if not _wrappable(node, context) or context.kind(node) not in ("list", "set", "tuple", "dict", "str", ""):
        return
    text, share = context.expression(node).at(TEST), 1.0 if context.kind(node) else POSSIBLE
    for shape in (
        "sorted({}, reverse=True)",
        "sorted(set({}))",
        "list(set({}))",
        "list(dict.fromkeys({}))",
        "list(map(str, {}))",
    ):
        yield context.put(node, Expression(shape.format(text), ATOM), share)
    if context.kind(node) in ("list", ""):
        yield context.put(node, Expression(f"''.join({text})"), share)
        for separator in context.cached("separators expected", lambda: _separators_expected(context)):
            yield context.put(node, Expression(f"{separator!r}.join({text})"), share)
        yield context.put(node, Expression(f"sum({text})"), share * HALF)


def _separators_expected(context: TemplateContext) -> list[str]:
    """What stands between the words of the texts that the checks expect."""
    return [sign for sign in (" ", ", ", ",", "\n", "-") if any(sign in text for text in context.clues.output_strings)]


_VALUES = (
    ast.Name,
    ast.BinOp,
    ast.Call,
    ast.Subscript,
    ast.Attribute,
    ast.Compare,
    ast.GeneratorExp,
    ast.ListComp,
    ast.IfExp,
)


def go_through_once(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items = source.read()` becomes `items = list(source.read())`, where checks hand over a generator: it has no
    length, no items by number, and is used up after one loop."""
    if "lazy" not in context.clues.symptoms:
        return
    parent = context.parent(node)
    if isinstance(parent, ast.Assign) and node is parent.value:
        yield context.wrap(node, "list")
    elif isinstance(parent, ast.Call) and node in parent.args and isinstance(node, ast.Name | ast.Attribute | ast.Call):
        yield context.wrap(node, "list", HALF)


TEMPLATES = (
    Template(
        "go_through_once",
        (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.GeneratorExp),
        go_through_once,
        ("lazy",),
    ),
    Template(
        "wrap_call",
        (*_VALUES, ast.Constant, ast.UnaryOp, ast.BoolOp),
        wrap_call,
        ("kind", "order", "type", "absolute", "repeats", "sign"),
    ),
    Template("absolute_difference", (ast.BinOp,), absolute_difference, ("absolute", "sign")),
    Template("split_absolute", (ast.Call,), split_absolute),
    Template("wrap_method", _VALUES, wrap_method, ("case", "space", "strip", "copy")),
    Template("wrap_limits", _VALUES, wrap_limits),
    Template("round_result", (ast.BinOp, ast.Call, ast.Name), round_result, ("rounding", "round")),
    Template("sort_value", (*_VALUES, ast.SetComp, ast.List), sort_value, ("order", "repeats", "unique", "kind")),
    Template("apply_again", (ast.Call,), apply_again, ("content",)),
    Template("unwrap", (ast.Call,), unwrap, ("kind", "type")),
    Template("choose_branch", (ast.IfExp,), choose_branch, ("negated",)),
    Template(
        "part_of_expression",
        (ast.BinOp, ast.BoolOp, ast.Call, ast.Subscript, ast.Compare, ast.IfExp),
        part_of_expression,
    ),
)
