"""Missing or superfluous stars: `f(args)` for `f(*args)`, `[first, rest]` for `[first, *rest]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import ALMOST_SURE, HALF, LIKELY, POSSIBLE, PROBABLE, REMOTE, VERY_LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_TAKERS = frozenset(
    (
        "zip",
        "zip_longest",
        "print",
        "max",
        "min",
        "chain",
        "product",
        "format",
        "join",
        "union",
        "intersection",
        "gcd",
        "gather",
    )
)
"""Functions that take any number of arguments."""
_PAIR = 2
_SEQUENCES = frozenset(("list", "tuple"))
_BARE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Expressions that need no brackets after a star."""


def spread_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(args)` becomes `f(*args)`, `f(options)` becomes `f(**options)`: likelier where a signature gathers them."""
    gathered = dict(_gathered(context))
    for argument in node.args:
        if isinstance(argument, ast.ListComp) and callee_name(node) in _TAKERS:
            start = context.program.spans[argument][0]
            yield context.replace(start, start, "*")
        if not isinstance(argument, _BARE):
            continue
        stars = gathered.get(argument.id, "") if isinstance(argument, ast.Name) else ""
        start = context.program.spans[argument][0]
        if stars:
            yield context.replace(start, start, stars)
        elif context.kind(argument) in _SEQUENCES or len(node.args) == 1:
            yield context.replace(start, start, "*", HALF if callee_name(node) in _TAKERS else REMOTE)


def _gathered(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The starred parameters of the function and those around it, with their stars."""
    for scope in (*reversed(context.scope.enclosing), context.scope):
        if scope.function is not None:
            given = scope.function.args
            yield from ((arg.arg, stars) for arg, stars in ((given.vararg, "*"), (given.kwarg, "**")) if arg)


def gather_argument(node: ast.Starred, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(*values)` becomes `f(values)`, `[*row]` becomes `[row]`, and `f(*options)` becomes `f(**options)`."""
    yield context.put(node, context.expression(node.value))
    call = context.parent(node)
    if isinstance(call, ast.Call) and call.args and call.args[-1] is node and context.kind(node.value) in ("dict", ""):
        start = context.program.spans[node][0]
        yield context.replace(start, start, "*", 1.0 if context.kind(node.value) else VERY_LIKELY)


def gather_keywords(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(**options)` becomes `f(options)`."""
    if node.arg is None:
        start = context.program.spans[node][0]
        yield context.replace(start, start + 2, "")


def spread_element(node: ast.List | ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[first, rest]` becomes `[first, *rest]`, where `rest` is a list or a recursive call."""
    if not isinstance(node.ctx, ast.Load) or context.program.source[context.program.spans[node][0]] not in "([":
        return
    own = context.scope.function.name if context.scope.function is not None else ""
    for element in node.elts:
        recursive = isinstance(element, ast.Call) and callee_name(element) == own != ""
        if isinstance(element, _BARE) and (recursive or context.kind(element) in _SEQUENCES):
            start = context.program.spans[element][0]
            yield context.replace(start, start, "*")


def split_once(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a, b = line.split("=")` becomes `line.split("=", 1)` or `a, _, b = line.partition("=")`.

    `a, mark, b = line.split("=")` becomes `line.partition("=")`; elsewhere pieces with their separator are of no use.
    """
    target, call = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or any(isinstance(part, ast.Starred) for part in target.elts):
        return
    if not isinstance(call, ast.Call) or callee_name(call) not in ("split", "rsplit") or call.keywords:
        return
    if not isinstance(call.func, ast.Attribute) or len(call.args) > 1:
        return
    owner, name = context.text(call.func.value), callee_name(call)
    separator = context.text(call.args[0]) if call.args else "None"
    for other in (name, "rsplit" if name == "split" else "split"):
        once = f"{owner}.{other}({separator}, {len(target.elts) - 1})"
        yield context.put(call, once, 1.0 if other == name else PROBABLE)
    if len(target.elts) == _PAIR + 1 and call.args:
        for other, weight in (("partition", ALMOST_SURE), ("rpartition", HALF)):
            yield context.put(call, f"{owner}.{other}({separator})", weight)
    if len(target.elts) == _PAIR and call.args:
        first, second = (context.text(part) for part in target.elts)
        for other, weight in (("partition", LIKELY), ("rpartition", POSSIBLE)):
            line = f"{first}, _, {second} = {owner}.{other}({separator})"
            yield from context.restate(node, (line,), weight)


def gather_pushed(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heappush(heap, cost, node)` becomes `heappush(heap, (cost, node))`, `out.append(a, b)` `out.append((a, b))`:
    what takes one item is given several."""
    first = _ITEM_AT.get(callee_name(node))
    if first is None or node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
        return
    is_method = isinstance(node.func, ast.Attribute) and first == 0
    if callee_name(node) in {function.name for function in context.program.functions}:
        return
    if len(node.args) <= first + 1 or (first == 0) != is_method:
        return
    start, end = context.program.spans[node.args[first]][0], context.program.spans[node.args[-1]][1]
    yield context.replace(start, end, f"({context.program.source[start:end]})")


_ITEM_AT: Final = {"append": 0, "appendleft": 0, "add": 0, "heappush": 1, "insort": 1, "heappushpop": 1}
"""Where the one item stands among the arguments of what takes one."""


TEMPLATES = (
    Template("gather_pushed", (ast.Call,), gather_pushed, ("type",)),
    Template("spread_argument", (ast.Call,), spread_argument, ("type",)),
    Template("gather_argument", (ast.Starred,), gather_argument, ("type",)),
    Template("gather_keywords", (ast.keyword,), gather_keywords, ("type",)),
    Template("split_once", (ast.Assign,), split_once, ("value",)),
    Template("spread_element", (ast.List, ast.Tuple), spread_element, ("content",)),
)
