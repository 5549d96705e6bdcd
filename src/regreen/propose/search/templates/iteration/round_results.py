"""What the rounds of a loop leave: a result that each overwrites or that ends the loop, the first entry kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, POSSIBLE, VERY_LIKELY
from regreen.propose.search.expressions import AND, ATOM, BIT_OR, OR, Expression, bool_operation, comparison
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, names_read, names_set


def accumulate_rounds(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total = f(x)` in a loop becomes `total += f(x)`, where `total` begins before it and no round reads it."""
    target = node.targets[0]
    loop = next(context.loops_around(node), None)
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or loop is None or _is_plain(node.value):
        return
    inside = [part for part in context.program.below(loop) if isinstance(part, ast.Name) and part.id == target.id]
    if len(inside) > 1 or not _begins_before(target.id, loop, context):
        return
    start, end = context.program.gap(context.program.spans[target][1], context.program.spans[node.value][0])
    for sign, weight in (("+=", 1.0), ("*=", POSSIBLE), ("|=", POSSIBLE)):
        yield context.replace(start, end, sign, weight)


def _is_plain(value: ast.expr) -> bool:
    """Whether a value is a flag or a name: what a round may well remember as the last one of its kind."""
    return isinstance(value, ast.Constant | ast.Name)


def _begins_before(name: str, loop: ast.stmt, context: TemplateContext) -> bool:
    """Whether a variable has a first value, a constant or an empty list, before a loop."""
    block = context.program.block(loop)
    return any(
        isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Name)
        and part.targets[0].id == name
        and isinstance(part.value, ast.Constant | ast.List)
        for part in block[: block.index(loop)]
    )


def keep_better_entry(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if key not in best: best[key] = new` becomes `if key not in best or new < best[key]: ...`: a better one counts.

    And the greater one, in second place.
    """
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.NotIn):
        return
    table, key = context.text(test.comparators[0]), context.text(test.left)
    for part in node.body:
        if not isinstance(part, ast.Assign) or context.text(part.targets[0]) != f"{table}[{key}]":
            continue
        if isinstance(part.value, ast.Constant | ast.List | ast.Dict | ast.Set):
            continue
        if isinstance(part.value, ast.Call) and next(context.loops_around(node), None) is None:
            # What a call gives outside of loops is kept once it is worked out.
            continue
        new = Expression(context.expression(part.value).at(BIT_OR), BIT_OR)
        for sign, weight in (("<", 1.0), (">", VERY_LIKELY), ("<=", HALF), (">=", HALF)):
            better = comparison(new, sign, Expression(f"{table}[{key}]"))
            yield context.put(test, bool_operation(context.expression(test), "or", better), weight)


def gather_result(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return f(x)` in a loop becomes `found.extend(f(x))`, `found.append(f(x))` or `total += f(x)`: others follow."""
    loop = next(context.loops_around(node), None)
    if loop is None or node.value is None or isinstance(node.value, ast.Constant):
        return
    value = context.text(node.value)
    block = context.program.block(loop)
    for statement in block[: block.index(loop)]:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        name, first = statement.targets[0].id, context.text(statement.value)
        for shape, weight in _GATHERED.get(first, ()):
            yield from context.restate(node, (shape.format(name, value),), weight)


def gather_matches(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for x in xs: if x == best: return [x]` becomes `return [x for x in xs if x == best]`: all that match."""
    test = node.body[0]
    if len(node.body) != 1 or node.orelse or not isinstance(test, ast.If) or test.orelse or len(test.body) != 1:
        return
    found = test.body[0].value if isinstance(test.body[0], ast.Return) else None
    items = found.elts if isinstance(found, ast.List | ast.Tuple) and len(found.elts) == 1 else [found]
    if items[0] is None or isinstance(items[0], ast.Constant):
        return
    target, iterable, asked = map(context.text, (node.target, node.iter, test.test))
    gathered = f"[{context.text(items[0])} for {target} in {iterable} if {asked}]"
    block = context.program.block(node)
    after = block[block.index(node) + 1 :]
    weight = 1.0 if items[0] is not found else POSSIBLE
    for restated in context.restate(node, (f"return {gathered}",), weight):
        is_last = len(after) == 1 and isinstance(after[0], ast.Return) and context.program.alone(after[0])
        yield WeightedEdits((*restated.edits, *(context.delete(after[0]).edits if is_last else ())), weight)


def keep_what_was_seen(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`has_digit = ch.isdigit()` in a loop, where `has_digit = False` before it, becomes `has_digit = has_digit or
    ch.isdigit()`: what one round has seen stays seen, here and in all alike."""
    block = context.program.block(node)
    begun = {
        context.text(part.targets[0]): part.value.value
        for part in block[: block.index(node)]
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, bool)
    }
    edits = {}
    for part in node.body:
        name = context.text(part.targets[0]) if isinstance(part, ast.Assign) else ""
        if (
            name in begun
            and isinstance(part, ast.Assign)
            and isinstance(part.value, ast.Call | ast.Compare | ast.BoolOp)
        ):
            word, level = ("and", AND) if begun[name] else ("or", OR)
            kept = f"{name} {word} {context.expression(part.value).at(level + 1)}"
            edits[part] = context.edit(part.value, Expression(kept, level))
    if len(edits) > 1:
        yield WeightedEdits(tuple(edits.values()))
    yield from (WeightedEdits((edit,)) for edit in edits.values())


def remember_result(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return x` in a loop or a branch becomes `best = x`, where the function goes on and ends with `return best`."""
    function = context.scope.function
    last = function.body[-1] if function is not None else None
    if node.value is None or not isinstance(last, ast.Return) or not isinstance(last.value, ast.Name):
        return
    if last is node or not context.program.alone(node):
        return
    name, value = last.value.id, context.text(node.value)
    is_begun = name in context.scope.parameters or any(
        isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
        for statement in _statements_before(node, context)
        for part in context.program.below(statement)
    )
    if not is_begun or name == value:
        return
    yield from context.restate(node, (f"{name} = {value}",), 1.0 if name not in value else HALF)
    if not isinstance(node.value, ast.Constant) and any(context.loops_around(node)):
        yield from context.restate(node, (f"{name} = max({name}, {value})",), HALF)
        yield from context.restate(node, (f"{name} = min({name}, {value})",), HALF)


def _statements_before(node: ast.stmt, context: TemplateContext) -> Iterator[ast.stmt]:
    """The statements that stand before this one in its block, and in those around it."""
    around: ast.AST = node
    while isinstance(around, ast.stmt) and not isinstance(around, (*FUNCTIONS, ast.ClassDef)):
        block = context.program.block(around)
        yield from block[: block.index(around)]
        around = context.parent(around)
        while isinstance(around, ast.ExceptHandler | ast.match_case):
            around = context.parent(around)


_GATHERED = {
    "[]": (("{}.extend({})", 1.0), ("{}.append({})", 1.0), ("{} += {}", POSSIBLE)),
    "set()": (("{}.update({})", 1.0), ("{}.add({})", 1.0)),
    "{}": (("{}.update({})", 1.0),),
    "0": (("{} += {}", 1.0), ("{0} = max({0}, {1})", HALF)),
    "''": (("{} += {}", 1.0),),
    '""': (("{} += {}", 1.0),),
}


def keep_what_is_compared(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`last = entry` becomes `last = entry.key`, where `entry.key != last` is asked: that is what is compared."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Name) or not any(context.loops_around(node)):
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.Compare) or len(part.comparators) != 1:
            continue
        for one, other in ((part.left, part.comparators[0]), (part.comparators[0], part.left)):
            made_of = isinstance(one, ast.Attribute | ast.Subscript | ast.Call)
            if made_of and context.text(other) == target.id and value.id in names_read(ast.walk(one)):
                yield context.put(value, context.text(one))


def begin_with_first_item(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`previous = ""` before `for x in xs[1:]`, whose rounds end with `previous = code`, becomes what `code` is for the
    first item: `previous = codes.get(xs[0])`."""
    rest, item = node.iter, context.text(node.target)
    if not isinstance(rest, ast.Subscript) or context.text(rest.slice) != "1:" or not item.isidentifier():
        return
    parts = [part for part in context.program.below(node) if isinstance(part, ast.Assign)]
    made = {context.text(part.targets[0]): part.value for part in parts}
    block = context.program.block(node)
    for begun in block[: block.index(node)]:
        if not isinstance(begun, ast.Assign) or not isinstance(begun.value, ast.Constant):
            continue
        carried = made.get(context.text(begun.targets[0]))
        worked_out = made.get(context.text(carried)) if isinstance(carried, ast.Name) else None
        if worked_out is not None and re.search(rf"\b{item}\b", context.text(worked_out)):
            first = re.sub(rf"\b{item}\b", f"{context.text(rest.value)}[0]", context.text(worked_out))
            yield context.put(begun.value, first)


def at_least_one_round(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while rest:` becomes `while True:` with `if not rest: break` at its end: 0 has one digit, too."""
    asked = node.test.left if isinstance(node.test, ast.Compare) else node.test
    if not isinstance(asked, ast.Name) or node.orelse or not context.program.alone(node.body[-1]):
        return
    if asked.id not in names_set(context.program.below(node)):
        return
    ended = f"not {asked.id}" if isinstance(node.test, ast.Name) else f"not {context.expression(node.test).at(ATOM)}"
    endless = context.edit(node.test, Expression("True"))
    for last in context.after(node.body[-1], (f"if {ended}:", "\tbreak")):
        yield WeightedEdits((endless, *last.edits))


TEMPLATES = (
    Template("at_least_one_round", (ast.While,), at_least_one_round, ("empty", "shorter", "smaller", "zero")),
    Template("begin_with_first_item", (ast.For,), begin_with_first_item, ("content", "longer")),
    Template("keep_what_is_compared", (ast.Assign,), keep_what_is_compared, ("content", "type")),
    Template("gather_matches", (ast.For,), gather_matches, ("shorter", "content")),
    Template("keep_what_was_seen", (ast.For,), keep_what_was_seen),
    Template("gather_result", (ast.Return,), gather_result, ("shorter", "content")),
    Template("remember_result", (ast.Return,), remember_result, ("shorter", "content")),
    Template("accumulate_rounds", (ast.Assign,), accumulate_rounds, ("shorter",)),
    Template("keep_better_entry", (ast.If,), keep_better_entry),
)
