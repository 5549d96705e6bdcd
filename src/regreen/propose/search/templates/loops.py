"""Wrong loops: the range, the order, what is iterated over, how a round ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.expressions import ATOM, TEST, Expression, binary_operation, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext


def reshape_range(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(n)` becomes `range(1, n)`, `range(n + 1)`, `range(1, n + 1)`, ...; bounds one off, swapped, backwards."""
    if (
        not (isinstance(node.func, ast.Name) and node.func.id == "range")
        or not 1 <= len(node.args) <= 3
        or node.keywords
    ):
        return
    codes = [context.expression(argument) for argument in node.args]
    for arguments, weight in _ranges(codes):
        yield context.put(node, f"range({', '.join(arguments)})", weight)
    yield context.put(node, f"reversed({context.text(node)})", 0.4)
    yield context.put(node, f"range({', '.join(c.text for c in codes)})[::-1]", 0.1)


def _ranges(codes: list[Expression]) -> list[tuple[tuple[str, ...], float]]:
    one = Expression("1")
    if len(codes) == 1:
        stop = codes[0]
        more, less = binary_operation(stop, "+", one).text, binary_operation(stop, "-", one).text
        return [
            *(((more,), 1.0), ((less,), 1.0), (("1", stop.text), 0.9), (("1", more), 0.8), (("2", stop.text), 0.4)),
            *((("2", more), 0.4), (("1", less), 0.3), ((less, "-1", "-1"), 0.5), ((stop.text, "0", "-1"), 0.4)),
            *((("0", stop.text, "2"), 0.4), (("1", stop.text, "2"), 0.3), ((stop.text, "-1", "-1"), 0.2)),
            *(
                ((binary_operation(stop, "+", Expression("2")).text,), 0.2),
                ((binary_operation(stop, "//", Expression("2")).text,), 0.3),
            ),
        ]
    start, stop = codes[:2]
    step = codes[2].text if len(codes) == 3 else ""
    tail = (step,) if step else ()
    starts = [binary_operation(start, symbol, one).text for symbol in "+-"]
    stops = [binary_operation(stop, symbol, one).text for symbol in "+-"]
    found: list[tuple[tuple[str, ...], float]] = [((s, stop.text, *tail), 0.9) for s in starts]
    found += [((start.text, s, *tail), 1.0) for s in stops]
    found += [((s, t, *tail), 0.4) for s in starts for t in stops]
    found += [
        ((stop.text, start.text, *tail), 0.4),
        ((stops[1], starts[1], "-1"), 0.5),
        ((stop.text, start.text, "-1"), 0.4),
    ]
    found += [((number, stop.text, *tail), 0.5) for number in ("0", "1", "2") if number != start.text]
    if not step:
        found += [((stop.text,), 0.6), ((start.text, stop.text, "-1"), 0.5), ((start.text, stop.text, "2"), 0.4)]
        found += [((start.text, stop.text, start.text), 0.3)]
    else:
        found += [((start.text, stop.text), 0.6), ((start.text, "-1", step), 0.5), ((start.text, "0", step), 0.3)]
    return found


def frozen_test(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while n < x` whose body changes neither gets a variable that it does change: `while p < x`, `while f(s[i:])`."""
    changed = dict.fromkeys(
        n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    tested = [n for n in ast.walk(node.test) if isinstance(n, ast.Name) and n.id in context.scope.locals]
    if not tested or any(n.id in changed for n in tested):
        return
    for name in tested:
        kind = context.kind(name)
        for other in changed:
            yield context.put(name, other, 1.0 if context.scope.kinds.get(other, "") == kind else 0.6)
            if kind in ("list", "str", "tuple", ""):
                yield from (
                    context.put(name, f"{name.id}[{index}]", 0.6) for index in (f"{other}:", f":{other}", other)
                )
            if kind in ("int", "float", ""):
                yield from (
                    context.put(name, binary_operation(Expression(name.id), symbol, Expression(other)), 0.4)
                    for symbol in "+-*"
                )


def other_iterable(
    node: ast.For | ast.AsyncFor | ast.comprehension, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`for x in xs` becomes `for x in range(len(xs))`, `sorted(xs)`, `xs[1:]`, `list(xs)`, `d.items()`, ..."""
    code, kind = context.expression(node.iter), context.kind(node.iter)
    text = code.at(TEST)
    pair = isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2
    if kind in ("int", ""):
        share = 1.0 if kind == "int" else 0.3
        yield from (
            context.put(node.iter, shape.format(text), share)
            for shape in ("range({})", "range({} + 1)", "range(1, {} + 1)", "range(1, {})")
        )
    if kind == "int":
        return
    if pair:
        yield from (
            context.put(node.iter, f"{code.at(ATOM)}.items()" if shape == "items" else f"{shape}({text})")
            for shape in ("enumerate", "items")
        )
        yield context.put(node.iter, f"zip({text}, {text}[1:])", 0.3)
    else:
        yield from (
            context.put(node.iter, shape.format(text), 0.6)
            for shape in ("range(len({}))", "enumerate({})", "range(len({}) - 1)")
        )
        yield context.put(node.iter, f"range(1, len({text}))", 0.4)
    yield from (
        context.put(node.iter, f"{function}({text})", 0.9) for function in ("reversed", "sorted", "list", "set")
    )
    if kind in ("list", "str", "tuple", ""):
        yield from (context.put(node.iter, subscript(code, index), 0.8) for index in ("1:", ":", ":-1", "::-1"))
        yield context.put(node.iter, f"list(dict.fromkeys({text}))", 0.2)
    for name in context.scope.of_kind("int"):
        yield from (
            context.put(node.iter, subscript(code, index), 0.3) for index in (f"{name}:", f":{name}", f"{name} + 1:")
        )


def end_of_round(
    node: ast.Break | ast.Continue | ast.Pass | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`break` becomes `continue`, `pass`, `return`, and the other way round."""
    text = context.text(node)
    if isinstance(node, ast.Return):
        if _in_loop(node, context):
            yield context.replace(*context.program.spans[node], "continue", 0.8)
            yield context.replace(*context.program.spans[node], "break", 0.6)
        if node.value is not None and not isinstance(node.value, ast.Constant):
            yield context.replace(*context.program.spans[node], f"yield {context.text(node.value)}", 0.1)
        return
    others = ["pass"]
    if _in_loop(node, context):
        others = ["continue", "break", "pass"]
    if context.scope.function is not None:
        others += ["return", "return True", "return False", "return None"]
    for rank, other in enumerate(o for o in others if o != text):
        yield context.replace(*context.program.spans[node], other, 1.0 - 0.15 * rank)
    for name in context.scope.locals:
        yield context.replace(*context.program.spans[node], f"return {name}", 0.3)


def _in_loop(node: ast.AST, context: TemplateContext) -> bool:
    while node is not context.program.tree and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            return True
        node = context.parent(node)
    return False


def other_yield(node: ast.Yield | ast.YieldFrom, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`yield x` becomes `yield from x`, `return x`, and the other way round."""
    start, end = context.program.spans[node]
    if isinstance(node, ast.YieldFrom):
        yield context.replace(start, end, f"yield {context.text(node.value)}")
    elif node.value is not None:
        text = context.text(node.value)
        yield context.replace(start, end, f"yield from {context.expression(node.value).at(TEST)}")
        if isinstance(context.parent(node), ast.Expr):
            yield context.replace(start, end, f"return {text}", 0.4)
        yield context.replace(start, end, f"yield {context.expression(node.value).at(ATOM)}[:]", 0.3)
        yield context.replace(start, end, f"yield list({context.expression(node.value).at(TEST)})", 0.4)


def recursive_generator(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`walk(child)` alone on a line becomes `yield from walk(child)`: a generator that drops what it gets."""
    function = context.scope.function
    if function is None or not isinstance(node.value, ast.Call):
        return
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in context.scope.nodes):
        yield context.replace(*context.program.spans[node], f"yield from {context.text(node.value)}")


_FORS = (ast.For, ast.AsyncFor, ast.comprehension)

TEMPLATES = (
    Template(
        "reshape_range",
        (ast.Call,),
        0.09,
        reshape_range,
        6,
        ("off_by_one", "index", "end", "start", "shorter", "longer", "reversed"),
    ),
    Template("frozen_test", (ast.While,), 0.2, frozen_test, 4, ("hang",)),
    Template("other_iterable", _FORS, 0.05, other_iterable, 8, ("index", "order", "reversed", "type")),
    Template(
        "end_of_round", (ast.Break, ast.Continue, ast.Pass, ast.Return), 0.03, end_of_round, 3, ("shorter", "hang")
    ),
    Template("other_yield", (ast.Yield, ast.YieldFrom), 0.06, other_yield, 2, ("object", "type", "content")),
    Template("recursive_generator", (ast.Expr,), 0.08, recursive_generator, 1, ("shorter",)),
)
