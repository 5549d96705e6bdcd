"""Wrong loops: the range, the order, the iterable, the end of an iteration."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    IMPROBABLE,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    STEEP_DECLINE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import ATOM, TEST, Expression, binary_operation, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, callee_name


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
    yield context.put(node, f"reversed({context.text(node)})", POSSIBLE)
    yield context.put(node, f"range({', '.join(c.text for c in codes)})[::-1]", REMOTE)


def _ranges(codes: list[Expression]) -> list[tuple[tuple[str, ...], float]]:
    one = Expression("1")
    if len(codes) == 1:
        stop = codes[0]
        more, less = binary_operation(stop, "+", one).text, binary_operation(stop, "-", one).text
        return [
            *(
                ((more,), 1.0),
                ((less,), 1.0),
                (("1", stop.text), ALMOST_SURE),
                (("1", more), VERY_LIKELY),
                (("2", stop.text), POSSIBLE),
            ),
            *(
                (("2", more), POSSIBLE),
                (("1", less), UNLIKELY),
                ((less, "-1", "-1"), HALF),
                ((stop.text, "0", "-1"), POSSIBLE),
            ),
            *(
                (("0", stop.text, "2"), POSSIBLE),
                (("1", stop.text, "2"), UNLIKELY),
                ((stop.text, "-1", "-1"), IMPROBABLE),
            ),
            *(
                ((binary_operation(stop, "+", Expression("2")).text,), IMPROBABLE),
                ((binary_operation(stop, "//", Expression("2")).text,), UNLIKELY),
            ),
        ]
    start, stop = codes[:2]
    step = codes[2].text if len(codes) == 3 else ""
    tail = (step,) if step else ()
    starts = [binary_operation(start, symbol, one).text for symbol in "+-"]
    stops = [binary_operation(stop, symbol, one).text for symbol in "+-"]
    found: list[tuple[tuple[str, ...], float]] = [((s, stop.text, *tail), ALMOST_SURE) for s in starts]
    found += [((start.text, s, *tail), 1.0) for s in stops]
    found += [((s, t, *tail), POSSIBLE) for s in starts for t in stops]
    found += [
        ((stop.text, start.text, *tail), POSSIBLE),
        ((stops[1], starts[1], "-1"), HALF),
        ((stop.text, start.text, "-1"), POSSIBLE),
    ]
    found += [((number, stop.text, *tail), HALF) for number in ("0", "1", "2") if number != start.text]
    if not step:
        found += [
            ((stop.text,), PROBABLE),
            ((start.text, stop.text, "-1"), HALF),
            ((start.text, stop.text, "2"), POSSIBLE),
        ]
        found += [((start.text, stop.text, start.text), UNLIKELY)]
    else:
        found += [
            ((start.text, stop.text), PROBABLE),
            ((start.text, "-1", step), HALF),
            ((start.text, "0", step), UNLIKELY),
        ]
    return found


def turn_table(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for column in rows` becomes `for column in zip(*rows)`."""
    if isinstance(node.iter, ast.Name | ast.Attribute) and context.kind(node.iter) in ("list", "tuple", ""):
        yield context.put(node.iter, f"zip(*{context.text(node.iter)})")


def frozen_test(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while n < x` whose body binds neither tests a variable that it binds: `while p < x`, `while f(s[i:])`."""
    changed = dict.fromkeys(
        n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    tested = [n for n in ast.walk(node.test) if isinstance(n, ast.Name) and n.id in context.scope.locals]
    if not tested or any(n.id in changed for n in tested):
        return
    for name in tested:
        kind = context.kind(name)
        for other in changed:
            yield context.put(name, other, 1.0 if context.scope.kinds.get(other, "") == kind else PROBABLE)
            if kind in ("list", "str", "tuple", ""):
                yield from (
                    context.put(name, f"{name.id}[{index}]", PROBABLE) for index in (f"{other}:", f":{other}", other)
                )
            if kind in ("int", "float", ""):
                yield from (
                    context.put(name, binary_operation(Expression(name.id), symbol, Expression(other)), POSSIBLE)
                    for symbol in "+-*"
                )


def move_bound(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while left <= right` whose body moves only one of them: `right -= 1` after one of its statements."""
    tested = [
        (one, isinstance(part.ops[0], ast.Gt | ast.GtE) != bool(place))
        for part in ast.walk(node.test)
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ORDERS)
        for place, one in enumerate((part.left, part.comparators[0]))
    ]
    below = [part for part in context.program.below(node) if isinstance(part, ast.stmt)]
    bound = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    steps = {context.text(part.value) for part in below if isinstance(part, ast.AugAssign)}
    for name, falls in tested:
        if not isinstance(name, ast.Name) or name.id in bound or name.id not in context.scope.assigned:
            continue
        for step in sorted(steps | {"1"}):
            for symbol, weight in (("-=", 1.0), ("+=", HALF)) if falls else (("+=", 1.0), ("-=", HALF)):
                for statement in below:
                    yield from context.after(statement, (f"{name.id} {symbol} {step}",), weight)


def carry_over(node: ast.For | ast.AsyncFor | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop ends with `before = x`: what one round leaves for the next, which the loop reads and never sets."""
    last = node.body[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return
    names = [part for part in context.program.below(node) if isinstance(part, ast.Name)]
    targets = context.cached("loop targets", lambda: _loop_targets(context))
    bound = dict.fromkeys(name.id for name in names if isinstance(name.ctx, ast.Store))
    read = dict.fromkeys(name.id for name in names if isinstance(name.ctx, ast.Load))
    beside = {
        frozenset((context.text(part.left), context.text(part.right)))
        for part in context.program.below(node)
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub)
    }
    for old in read:
        # What a loop around this one goes through is no round's leavings.
        if old in bound or old in targets or old not in context.scope.assigned or old not in context.scope.locals:
            continue
        for new in bound:
            kinds = {context.scope.kinds.get(old, ""), context.scope.kinds.get(new, "")}
            if new != "_" and (len(kinds) == 1 or "" in kinds):
                # What is subtracted from one another is a place and the next one.
                is_told = any(word in old.lower() for word in _BEFORE) or {old, new} in beside
                yield from context.after(last, (f"{old} = {new}",), 1.0 if is_told or len(kinds) == 1 else PROBABLE)


def _loop_targets(context: TemplateContext) -> frozenset[str]:
    loops = (part for part in context.scope.nodes if isinstance(part, ast.For | ast.AsyncFor))
    return frozenset(part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name))


_BEFORE = ("prev", "last", "before", "old")


def pairs_once(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The inner one of two loops over `range(n)` becomes `range(i + 1, n)`, or `range(i)`: each pair counts once."""
    if not isinstance(node.iter, ast.Call) or context.text(node.iter.func) != "range":
        return
    if len(node.iter.args) not in (1, 2):
        return
    stop = context.expression(node.iter.args[-1])
    for outer in _loops_around(node, context):
        if isinstance(outer.target, ast.Name) and context.text(outer.iter) == context.text(node.iter):
            at = outer.target.id
            yield context.put(node.iter, f"range({at} + 1, {stop.text})")
            yield context.put(node.iter, f"range({at}, {stop.text})", PROBABLE)
            yield context.put(node.iter, f"range({at})", PROBABLE)


def _loops_around(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[ast.For | ast.comprehension]:
    if isinstance(node, ast.comprehension):
        parts: list[ast.comprehension] = getattr(context.parent(node), "generators", [])
        yield from parts[: parts.index(node)] if node in parts else ()
        return
    yield from (loop for loop in context.loops_around(node) if isinstance(loop, ast.For))


def other_iterable(
    node: ast.For | ast.AsyncFor | ast.comprehension, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`for x in xs` becomes `for x in range(len(xs))`, `sorted(xs)`, `xs[1:]`, `list(xs)`, `d.items()`, ..."""
    code, kind = context.expression(node.iter), context.kind(node.iter)
    text = code.at(TEST)
    pair = isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2
    if kind in ("int", ""):
        share = 1.0 if kind == "int" else UNLIKELY
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
        yield context.put(node.iter, f"zip({text}, {text}[1:])", UNLIKELY)
    else:
        yield from (
            context.put(node.iter, shape.format(text), PROBABLE)
            for shape in ("range(len({}))", "enumerate({})", "range(len({}) - 1)")
        )
        yield context.put(node.iter, f"range(1, len({text}))", POSSIBLE)
    yield from (
        context.put(node.iter, f"{function}({text})", ALMOST_SURE) for function in ("reversed", "sorted", "list")
    )
    # The order of a set is nobody's.
    yield context.put(node.iter, f"set({text})", POSSIBLE)
    if kind in ("list", "str", "tuple", ""):
        yield from (context.put(node.iter, subscript(code, index), VERY_LIKELY) for index in ("1:", ":", ":-1", "::-1"))
        yield context.put(node.iter, subscript(code, "1:-1"), POSSIBLE)
        yield context.put(node.iter, f"list(dict.fromkeys({text}))", IMPROBABLE)
    for name in context.scope.of_kind("int"):
        yield from (
            context.put(node.iter, subscript(code, index), UNLIKELY)
            for index in (f"{name}:", f":{name}", f"{name} + 1:")
        )


def end_of_round(
    node: ast.Break | ast.Continue | ast.Pass | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`break` becomes `continue`, `pass` or `return`, and the reverse; `return` in a loop becomes `continue`."""
    text = context.text(node)
    if isinstance(node, ast.Return):
        if any(context.loops_around(node)):
            yield context.replace(*context.program.spans[node], "continue", VERY_LIKELY)
            yield context.replace(*context.program.spans[node], "break", PROBABLE)
        if node.value is not None and not isinstance(node.value, ast.Constant):
            yield context.replace(*context.program.spans[node], f"yield {context.text(node.value)}", REMOTE)
        return
    others = ["pass"]
    if any(context.loops_around(node)):
        others = ["continue", "break", "pass"]
    if context.scope.function is not None:
        others += ["return", "return True", "return False", "return None"]
    for rank, other in enumerate(o for o in others if o != text):
        yield context.replace(*context.program.spans[node], other, 1.0 - STEEP_DECLINE * rank)
    for name in context.scope.locals:
        yield context.replace(*context.program.spans[node], f"return {name}", UNLIKELY)


def other_yield(node: ast.Yield | ast.YieldFrom, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`yield x` becomes `yield from x` or `return x`; `yield from x` becomes `yield x`."""
    start, end = context.program.spans[node]
    if isinstance(node, ast.YieldFrom):
        yield context.replace(start, end, f"yield {context.text(node.value)}")
    elif node.value is not None:
        text = context.text(node.value)
        yield context.replace(start, end, f"yield from {context.expression(node.value).at(TEST)}")
        if isinstance(context.parent(node), ast.Expr):
            yield context.replace(start, end, f"return {text}", POSSIBLE)
        yield context.replace(start, end, f"yield {context.expression(node.value).at(ATOM)}[:]", UNLIKELY)
        yield context.replace(start, end, f"yield list({context.expression(node.value).at(TEST)})", POSSIBLE)


def recursive_generator(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`walk(child)` alone on a line becomes `yield from walk(child)`: a generator that drops the results."""
    function = context.scope.function
    if function is None or not isinstance(node.value, ast.Call):
        return
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in context.scope.nodes):
        yield context.replace(*context.program.spans[node], f"yield from {context.text(node.value)}")


_FORS = (ast.For, ast.AsyncFor, ast.comprehension)


def step_past_middle(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `while low <= high`, `low = middle` and `high = middle` become `low = middle + 1` and `high = middle - 1`."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.LtE):
        return
    low, high = context.text(test.left), context.text(test.comparators[0])
    found = {
        context.text(part.targets[0]): part.value
        for part in context.program.below(node)
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Name)
    }
    if low in found and high in found and context.text(found[low]) == context.text(found[high]):
        signs = ((found[low], "+"), (found[high], "-"))
        edits = (context.edit(v, binary_operation(context.expression(v), sign, Expression("1"))) for v, sign in signs)
        yield WeightedEdits(tuple(edits))


def turn_the_flag(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`inside = True` in a loop, of what began as False, becomes `inside = not inside`: each time it turns."""
    target, value = node.targets[0], node.value
    if not isinstance(value, ast.Constant) or not isinstance(value.value, bool) or not isinstance(target, ast.Name):
        return
    if any(True for _ in context.loops_around(node)):
        given = [
            part.value.value
            for part in context.scope.nodes
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
            if context.text(part.targets[0]) == target.id
        ]
        if (not value.value) in given:
            yield context.put(value, f"not {target.id}")


def as_often_as_asked(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while number > 0:` becomes `for _ in range(width):` for a parameter `width` that nothing reads."""
    start = context.program.spans[node][0]
    end = context.outer(node.test)[1]
    for name in context.scope.parameters:
        if name in context.scope.unused and context.scope.kinds.get(name, "") in ("int", ""):
            yield context.replace(start, end, f"for _ in range({name})")


def lower_the_flag(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while changed:`, whose body only ever sets `changed = True`, begins each round with `changed = False`."""
    is_negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    flag = node.test.operand if is_negated else node.test  # type: ignore[attr-defined]
    set_in_it = [
        part.value.value
        for part in context.program.below(node)
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
        if isinstance(flag, ast.Name) and context.text(part.targets[0]) == flag.id
    ]
    if set_in_it and set(set_in_it) == {not is_negated}:
        yield from context.before(node.body[0], (f"{context.text(flag)} = {is_negated}",))


def step_in_range(
    node: ast.GeneratorExp | ast.ListComp | ast.SetComp, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`v for v in range(first, last) if v % step == 0` becomes `range(first, last, step)`: every so many from the
    first."""
    rounds = node.generators[0]
    test = rounds.ifs[0] if len(node.generators) == len(rounds.ifs) == 1 else None
    call, item = rounds.iter, context.text(rounds.target)
    if not isinstance(call, ast.Call) or callee_name(call) != "range" or len(call.args) != 2 or test is None:
        return
    found = re.fullmatch(rf"{re.escape(item)} % (\w+) == 0", context.text(test))
    if found and context.text(node.elt) == item:
        bounds = ", ".join(map(context.text, call.args))
        stepped = f"range({bounds}, {found[1]})"
        yield context.put(node, stepped if isinstance(node, ast.GeneratorExp) else f"list({stepped})")


TEMPLATES = (
    Template(
        "step_in_range", (ast.GeneratorExp, ast.ListComp, ast.SetComp), step_in_range, ("content", "longer", "shorter")
    ),
    Template("step_past_middle", (ast.While,), step_past_middle, ("hang",)),
    Template("turn_the_flag", (ast.Assign,), turn_the_flag, ("negated", "content")),
    Template("as_often_as_asked", (ast.While,), as_often_as_asked, ("content", "shorter")),
    Template("lower_the_flag", (ast.While,), lower_the_flag, ("hang",)),
    Template(
        "reshape_range",
        (ast.Call,),
        reshape_range,
        ("off_by_one", "index", "end", "start", "shorter", "longer", "reversed"),
    ),
    Template("turn_table", (ast.For, ast.comprehension), turn_table, ("content", "type", "shorter")),
    Template("frozen_test", (ast.While,), frozen_test, ("hang",)),
    Template("move_bound", (ast.While,), move_bound, ("hang", "repeats", "longer")),
    Template("carry_over", (ast.For, ast.AsyncFor, ast.While), carry_over),
    Template("pairs_once", (ast.For, ast.comprehension), pairs_once, ("longer",)),
    Template("other_iterable", _FORS, other_iterable, ("index", "order", "reversed", "type")),
    Template("end_of_round", (ast.Break, ast.Continue, ast.Pass, ast.Return), end_of_round, ("shorter", "hang")),
    Template("other_yield", (ast.Yield, ast.YieldFrom), other_yield, ("object", "type", "content")),
    Template("recursive_generator", (ast.Expr,), recursive_generator, ("shorter",)),
)
