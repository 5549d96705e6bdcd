"""What a function should give back at its end and does not, where it is more than a variable."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import LOOSE, OR, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function

_MOST_UNREAD: Final = 2
_BOTH: Final = 2


def return_joined(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that works out `suffix`, which nothing reads, ends with `return str(n) + suffix`."""
    if _returns_at_end(node):
        return
    unread = [name for name in context.scope.locals if name in context.scope.unused]
    for name in unread[:_MOST_UNREAD]:
        for other in (one for one in context.scope.parameters if one not in (name, context.scope.receiver)):
            for value, weight in (
                (f"str({other}) + {name}", 1.0),
                (f"{other} + {name}", 1.0),
                (f'f"{{{other}}}{{{name}}}"', HALF),
                (f'f"{{{other}}} {{{name}}}"', POSSIBLE),
                (f"{name} + {other}", HALF),
                (f"{name} + str({other})", POSSIBLE),
                (f"{other} * {name}", POSSIBLE),
                (f"({other}, {name})", POSSIBLE),
            ):
                yield from context.after(node.body[-1], (f"return {value}",), weight)


def return_unless_unreached(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that fills `best = [None] * (n + 1)` ends with `return -1 if best[n] is None else best[n]`."""
    if _returns_at_end(node):
        return
    for part in node.body:
        if not isinstance(part, ast.Assign) or not isinstance(part.targets[0], ast.Name):
            continue
        table, value = part.targets[0].id, part.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            # `[0] + [None] * n`: one is reached from the beginning.
            value = value.right
        unreached = context.text(value.left.elts[0]) if _repeats_one(value) else ""  # type: ignore[attr-defined]
        for place in _places(context) if unreached else ():
            entry, sign = f"{table}[{place}]", "is" if unreached == "None" else "=="
            for otherwise, weight in (("-1", 1.0), ("None", LIKELY), ("0", PROBABLE)):
                result = f"return {otherwise} if {entry} {sign} {unreached} else {entry}"
                yield from context.after(node.body[-1], (result,), weight)


def return_rounded(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that works out a number ends with `return round(total, 2)`, where prose has cents or decimals."""
    if _returns_at_end(node) or not _ROUNDED.search(context.clues.prose):
        return
    for name in context.scope.locals:
        if name != context.scope.receiver and context.scope.kinds.get(name, "") in ("float", "int", ""):
            ways = ((f"round({name}, 2)", 1.0), (f"round({name}, 1)", LIKELY), (f"round({name})", LIKELY))
            for value, weight in ways:
                yield from context.after(node.body[-1], (f"return {value}",), weight)


_ROUNDED: Final = re.compile(r"\b(?:round|cents?\b|decimals?\b|digits? behind)", re.IGNORECASE)


def return_whether_alike(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that reads neither of two parameters ends with `return a == b`, or with what another function of the
    module makes of each: `return clean(a) == clean(b)`."""
    if _returns_at_end(node):
        return
    idle = [name for name in context.scope.parameters if name in context.scope.unused]
    if len(idle) != _BOTH:
        return
    own = (one for one in context.program.functions if one is not node and len(one.args.args) == 1)
    for name in ("", *(one.name for one in own)):
        one, other = (f"{name}({side})" if name else side for side in idle)
        yield from context.after(node.body[-1], (f"return {one} == {other}",))


def return_those_that_tie(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that works out `best`, which nothing reads, ends with `return [i for i, x in enumerate(xs) if x ==
    best]`, from 0 or 1 on, or with the items or the keys that tie."""
    if _returns_at_end(node):
        return
    item, place = context.new_name("item", "x"), context.new_name("place", "i")
    for best in [name for name in context.scope.locals if name in context.scope.unused][:_MOST_UNREAD]:
        for items in (name for name in context.scope.locals if name not in (best, context.scope.receiver)):
            kind = context.scope.kinds.get(items, "")
            ways = []
            if kind in ("list", "str", "tuple", ""):
                numbered = f"for {place}, {item} in enumerate({items}"
                ways += [f"[{place} {numbered}{start}) if {item} == {best}]" for start in ("", ", 1")]
                ways.append(f"[{item} for {item} in {items} if {item} == {best}]")
            if kind in ("dict", ""):
                ways.append(f"[{place} for {place}, {item} in {items}.items() if {item} == {best}]")
            for rank, way in enumerate(ways):
                yield from context.after(node.body[-1], (f"return {way}",), LIKELY**rank)


def return_entry_of_each(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that fills `rank`, which nothing reads, ends with `return [rank[x] for x in points]`."""
    if _returns_at_end(node):
        return
    filled = {
        context.text(part.value)
        for part in context.scope.nodes
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)
    }
    item = context.new_name("item", "one", "x")
    for table in (name for name in context.scope.locals if name in filled):
        for items in (name for name in context.scope.parameters if name not in (table, context.scope.receiver)):
            yield from context.after(node.body[-1], (f"return [{table}[{item}] for {item} in {items}]",))


def return_middle_of_two(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that gives `xs[half]` where the number of items is odd ends with the mean of the two in the middle."""
    last = node.body[-1]
    if not isinstance(last, ast.If) or last.orelse or len(last.body) != 1 or not isinstance(last.body[0], ast.Return):
        return
    middle = last.body[0].value
    if isinstance(middle, ast.Subscript) and "% 2" in context.text(last.test):
        items, place = context.text(middle.value), context.text(middle.slice)
        yield from context.after(last, (f"return ({items}[{place} - 1] + {items}[{place}]) / 2",))
        yield from context.after(last, (f"return ({items}[{place} - 1] + {items}[{place}]) // 2",), POSSIBLE)


def _returns_at_end(node: Function) -> bool:
    return isinstance(node.body[-1], ast.Return | ast.Raise)


def _repeats_one(value: ast.expr) -> bool:
    """Whether a value is a list of one item as often as something says."""
    is_repeated = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List)
    return is_repeated and len(value.left.elts) == 1  # type: ignore[attr-defined]


def _places(context: TemplateContext) -> list[str]:
    """Where the result of a table may stand."""
    whole = [n for n in context.scope.parameters if context.scope.kinds.get(n, "") in ("int", "")]
    return [*(name for name in whole if name != context.scope.receiver), "-1"]


def return_each(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return total + other` becomes `return total, other`: one after the other, and no sum of them."""
    value, parts = node.value, []
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
        parts.append(context.text(value.right))
        value = value.left
    if value is None or not parts or node.value is None or not isinstance(value, ast.Name | ast.Attribute | ast.Call):
        return
    each = ", ".join([context.text(value), *reversed(parts)])
    yield context.put(node.value, Expression(each, LOOSE))
    yield context.put(node.value, f"[{each}]", HALF)


def all_that_apply(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: return "x"` and `if b: return "y"` before `return rest` become `out += "x"` and `out += "y"` and `return
    out or rest`: all that apply, and not the first alone."""
    body = statements_after_docstring(node)
    branches = [step for step in body if isinstance(step, ast.If) and _gives_text(step)]
    last = body[-1] if body else None
    if len(branches) < _FEWEST_BRANCHES or not isinstance(last, ast.Return) or last.value is None:
        return
    if body[-len(branches) - 1 : -1] != branches or not all(context.program.alone(step) for step in branches):
        return
    gathered = context.new_name("out", "result")
    edits = [edit for begun in context.before(branches[0], (f'{gathered} = ""',)) for edit in begun.edits]
    for branch in branches:
        given = branch.body[0]
        assert isinstance(given, ast.Return)
        assert given.value is not None
        for added in context.restate(given, (f"{gathered} += {context.text(given.value)}",)):
            edits.extend(added.edits)
    edits.append(context.edit(last.value, Expression(f"{gathered} or {context.expression(last.value).at(OR)}", OR)))
    yield WeightedEdits(tuple(edits))


def _gives_text(branch: ast.If) -> bool:
    """Whether a branch is `if ...: return "text"` and nothing else."""
    given = branch.body[0].value if isinstance(branch.body[0], ast.Return) else None
    is_text = isinstance(given, ast.Constant) and isinstance(given.value, str)
    return is_text and len(branch.body) == 1 and not branch.orelse


_FEWEST_BRANCHES: Final = 2


def return_what_is_printed(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for row in rows: print(row, end="")` at the end of a function becomes `return "".join(rows)`; where each is
    printed in a line of its own, they are joined by line ends."""
    function, block = context.scope.function, context.program.block(node)
    behind = block[block.index(node) + 1 :]
    if (
        function is None
        or block is not function.body
        or len(behind) > 1
        or any(context.text(step) != "print()" for step in behind)
    ):
        return
    match node.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[part], keywords=options))]:
            ends = [context.text(option.value) for option in options if option.arg == "end"]
            between = ends[0] if ends else '"\\n"'
            if len(options) == len(ends):
                each, items = context.text(node.target), context.text(node.iter)
                joined = items if context.text(part) == each else f"{context.text(part)} for {each} in {items}"
                start, end = context.program.first(node), context.program.spans[(behind or [node])[-1]][1]
                yield context.replace(start, end, f"return {between}.join({joined})")


def answers_for_prints(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`print("done")` at the end of a condition's body, and `print("not there")` in its `else`, become `return True`
    and `return False`, where the function returns nothing else."""
    returns = (part for part in context.scope.nodes if isinstance(part, ast.Return) and part.value is not None)
    if not node.orelse or any(returns):
        return
    one, other = node.body[-1], node.orelse[-1]
    if _prints_text(one) and _prints_text(other):
        for yes in context.restate(one, ("return True",)):
            for no in context.restate(other, ("return False",)):
                yield WeightedEdits((*yes.edits, *no.edits))


def _prints_text(step: ast.stmt) -> bool:
    """Whether a statement is `print("some text")`."""
    match step:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[ast.Constant(value=str())])):
            return True
    return False


TEMPLATES = (
    Template("return_what_is_printed", (ast.For,), return_what_is_printed, ("none",)),
    Template("all_that_apply", FUNCTIONS, all_that_apply, ("shorter", "content")),
    Template("return_each", (ast.Return,), return_each, ("kind:tuple", "kind:list")),
    Template("return_joined", FUNCTIONS, return_joined, ("none",)),
    Template("return_rounded", FUNCTIONS, return_rounded, ("none",)),
    Template("return_whether_alike", FUNCTIONS, return_whether_alike, ("none", "negated")),
    Template("return_those_that_tie", FUNCTIONS, return_those_that_tie, ("none",)),
    Template("return_entry_of_each", FUNCTIONS, return_entry_of_each, ("none",)),
    Template("return_middle_of_two", FUNCTIONS, return_middle_of_two, ("none",)),
    Template("return_unless_unreached", FUNCTIONS, return_unless_unreached, ("none",)),
    Template("answers_for_prints", (ast.If,), answers_for_prints, ("none",)),
)
