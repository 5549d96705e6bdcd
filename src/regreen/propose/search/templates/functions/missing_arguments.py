"""Arguments that a call must give and does not, where no variable of the parameter's name is just what is meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.call_arguments import all_parameters, end_of_arguments
from regreen.syntax import FUNCTIONS, Function, callee_name, whole_number
from regreen.types import Edit

_MOST_PLACES: Final = 3


def give_part(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`build(pre[1:k])` becomes `build(pre[1:k], post[:k])`, where the second parameter is called `post`: the part of a
    list for which a function is called once more."""
    missing = _missing(node, context)
    if not missing or missing[0] not in context.scope.locals:
        return
    (end, lead), name = end_of_arguments(node, context), missing[0]
    stored = (part for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    places = [
        one for one in dict.fromkeys(part.id for part in stored) if context.scope.kinds.get(one, "") in ("int", "")
    ]
    for place in places[:_MOST_PLACES]:
        for bounds in (f":{place}", f"{place}:", f"{place} + 1:", f":{place} + 1"):
            yield context.replace(end, end, f"{lead}{name}[{bounds}]")
    for bounds, weight in (("1:", LIKELY), (":-1", HALF)):
        yield context.replace(end, end, f"{lead}{name}[{bounds}]", weight)


def give_what_is_left(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`gcd(b)` within `gcd(a, b)` becomes `gcd(b, a % b)`, or `a - b`, `a // b`: what is left of one by the other."""
    missing, function = _missing(node, context), context.scope.function
    if not missing or function is None or callee_name(node) != function.name:
        return
    end, lead = end_of_arguments(node, context)
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    for one in names:
        for step in ("- 1", "+ 1", "// 2"):
            yield context.replace(end, end, f"{lead}{one} {step}", HALF)
        for other in (name for name in names if name != one):
            for sign, weight in (("%", 1.0), ("-", 1.0), ("//", HALF), ("+", HALF)):
                yield context.replace(end, end, f"{lead}{one} {sign} {other}", weight)


def give_field_of_other(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Matrix(self.rows)` becomes `Matrix(self.rows, other.columns)`, where the next parameter is called `columns`."""
    missing = _missing(node, context)
    if not missing or not any(f".{missing[0]}" in context.program.text(f) for f in context.program.functions):
        return
    end, lead = end_of_arguments(node, context)
    for owner in context.scope.locals:
        weight = PROBABLE if owner == context.scope.receiver else 1.0
        yield context.replace(end, end, f"{lead}{owner}.{missing[0]}", weight)


def as_many_as_unpacked(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for a, b, c in product(xs)` becomes `for a, b, c in product(xs, repeat=3)`; `combinations(xs, 3)` likewise."""
    call, target = node.iter, node.target
    if not isinstance(call, ast.Call) or not isinstance(target, ast.Tuple) or len(call.args) != 1 or call.keywords:
        return
    name, count, end = callee_name(call), len(target.elts), context.program.spans[call][1] - 1
    if name in ("product", "permutations", "combinations", "combinations_with_replacement"):
        yield context.replace(end, end, f", repeat={count}" if name == "product" else f", {count}")


def other_places_beside(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for name, n in zip(parts[0::2])` becomes `zip(parts[0::2], parts[1::2])`: each has its partner behind it."""
    around = context.parent(node)
    target = around.target if isinstance(around, ast.For | ast.comprehension) and around.iter is node else None
    part = node.args[0] if callee_name(node) == "zip" and len(node.args) == 1 else None
    if (
        not isinstance(target, ast.Tuple)
        or not isinstance(part, ast.Subscript)
        or not isinstance(part.slice, ast.Slice)
    ):
        return
    first = 0 if part.slice.lower is None else whole_number(part.slice.lower)
    step = part.slice.step and context.text(part.slice.step)
    if first is not None and len(target.elts) == _PARTNERS:
        rest = f"{first + 1}:" + (f":{step}" if step else "")
        yield context.put(node, f"zip({context.text(part)}, {context.text(part.value)}[{rest}])")


_PARTNERS: Final = 2


def to_the_end(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(1)` becomes `for i in range(1, len(items))`, where the loop reads `items[i]`: a number is where
    it begins."""
    loop = context.parent(node)
    is_range = callee_name(node) == "range" and len(node.args) == 1 and whole_number(node.args[0]) is not None
    if not is_range or not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
        return
    read = (part for part in context.program.below(loop) if isinstance(part, ast.Subscript))
    for items in dict.fromkeys(context.text(p.value) for p in read if context.text(p.slice) == loop.target.id):
        yield context.put(node, f"range({context.text(node.args[0])}, len({items}))")


def hand_down_everywhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(left, high=key) and f(right, low=key)` hand down `low=low` and `high=high` as well, in a function that calls
    itself: each bound goes on with those that come."""
    named = [*node.args.posonlyargs, *node.args.args]
    begun = named[len(named) - len(node.args.defaults) :]
    optional = [argument.arg for argument in begun if argument in node.args.args]
    calls = [part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) == node.name]
    edits = []
    for call in calls:
        given = {keyword.arg for keyword in call.keywords} | set(all_parameters(call, context)[: len(call.args)])
        lacking = [name for name in optional if name not in given]
        is_plain = bool(call.args) and not isinstance(call.args[-1], ast.Starred | ast.GeneratorExp)
        if lacking and is_plain and None not in given:
            end, lead = end_of_arguments(call, context)
            edits.append(Edit(end, end, "".join(f"{lead}{name}={name}" for name in lacking)))
    if edits:
        yield WeightedEdits(tuple(edits))


def option_from_unread(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`zip_longest(a, b)` becomes `zip_longest(a, b, fillvalue=missing)`, where nothing reads `missing`."""
    options = _OPTIONS.get(callee_name(node), ())
    for name in context.scope.locals if options else ():
        if name in context.scope.unused:
            for option in options:
                yield from context.with_keyword(node, f"{option}={name}")


_OPTIONS: Final = {
    "zip_longest": ("fillvalue",),
    "sorted": ("key", "reverse"),
    "sort": ("key", "reverse"),
    "max": ("default", "key"),
    "min": ("default", "key"),
    "print": ("sep", "end"),
    "enumerate": ("start",),
    "sum": ("start",),
    "accumulate": ("initial",),
    "dumps": ("indent", "sort_keys"),
    "replace": ("count",),
    "deque": ("maxlen",),
    "timedelta": ("days", "hours", "minutes", "seconds", "weeks"),
}


def _missing(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    """The parameters without a value of a call that gives some."""
    if not node.args or node.keywords or any(isinstance(a, ast.Starred | ast.GeneratorExp) for a in node.args):
        return ()
    return tuple(all_parameters(node, context)[len(node.args) :])


def give_items(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(key=weight)` and `sum()` become `sorted(items, key=weight)` and `sum(items)`: what they ask about."""
    if node.args or not isinstance(node.func, ast.Name) or node.func.id not in _ASKED_ABOUT:
        return
    if node.func.id in context.scope.locals or any(keyword.arg is None for keyword in node.keywords):
        return
    at = context.program.spans[node.keywords[0]][0] if node.keywords else context.program.spans[node][1] - 1
    names = [name for name in context.scope.locals if name != context.scope.receiver]
    for name in sorted(names, key=lambda name: context.scope.kinds.get(name, "") in ("int", "float", "bool")):
        likely = context.scope.kinds.get(name, "") not in ("int", "float", "bool")
        yield context.replace(at, at, f"{name}, " if node.keywords else name, 1.0 if likely else HALF)


_ASKED_ABOUT: Final = frozenset(("sorted", "max", "min", "sum", "len", "any", "all", "enumerate", "reversed"))


def two_steps_each(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`zip(words[1:], words[2:])` becomes `zip(words[1::2], words[2::2])`: pairs that stand one behind the other, and
    share nothing."""
    if callee_name(node) != "zip" or len(node.args) != len(("name", "number")):
        return
    edits = []
    for argument in node.args:
        bound = argument.slice if isinstance(argument, ast.Subscript) else None
        if isinstance(argument, ast.Subscript) and isinstance(bound, ast.Slice) and bound.step is None:
            end = context.program.spans[argument][1] - 1
            edits.append(Edit(end, end, ":2"))
    if len(edits) == len(node.args):
        yield WeightedEdits(tuple(edits))


TEMPLATES = (
    Template("two_steps_each", (ast.Call,), two_steps_each, ("content", "longer")),
    Template("give_items", (ast.Call,), give_items, ("type",)),
    Template("other_places_beside", (ast.Call,), other_places_beside, ("raises", "content")),
    Template("to_the_end", (ast.Call,), to_the_end, ("content", "smaller", "shorter")),
    Template("give_what_is_left", (ast.Call,), give_what_is_left, ("arguments", "recursion")),
    Template("option_from_unread", (ast.Call,), option_from_unread),
    Template("hand_down_everywhere", FUNCTIONS, hand_down_everywhere, ("recursion", "negated")),
    Template("as_many_as_unpacked", (ast.For, ast.comprehension), as_many_as_unpacked, ("arguments", "value")),
    Template("give_part", (ast.Call,), give_part, ("arguments",)),
    Template("give_field_of_other", (ast.Call,), give_field_of_other, ("arguments",)),
)
