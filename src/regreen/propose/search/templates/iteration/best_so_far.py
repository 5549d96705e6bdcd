"""The best value so far: not compared once more after the loop, no rule for ties, the one before it forgotten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import OR, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.iteration.compared_values import (
    STRICT_SYMBOLS,
    names_given,
    sides_compared,
    with_other_name,
)
from regreen.syntax import ORDERS, callee_name, names_within, walk
from regreen.types import Edit


def compare_after_loop(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop with `if run > best: best = run` in one of its branches, the same once more: for the last run.

    `if len(run) > len(best): best = run` likewise.
    """
    for part in context.program.below(node):
        if not isinstance(part, ast.If) or context.parent(part) is node or part.orelse or len(part.body) > 1:
            continue
        left, right = sides_compared(part.test, context)
        for best, new in names_given(part.body, context):
            # The lengths of both are compared, or they themselves.
            if left and right in (with_other_name(left, new, best), with_other_name(left, best, new)) and left != right:
                yield from context.after(node, (f"if {context.text(part.test)}:", f"\t{best} = {new}"))


def keep_runner_up(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `best = x`, where another branch says `second = x`, comes `second = best`: what was the best so far."""
    target, value = node.targets[0], node.value
    branch = context.parent(node)
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Name) or not isinstance(branch, ast.If):
        return
    others = [pair for pair in names_given(_other_blocks(branch, node), context) if pair[1] == value.id]
    for second, _ in others:
        if second != target.id:
            yield from context.before(node, (f"{second} = {target.id}",))
            yield from context.before(branch, (f"{second} = {target.id}",), HALF)


def _other_blocks(branch: ast.If, node: ast.stmt) -> list[ast.stmt]:
    """The statements of a condition's branches, and of those that hang on it, without the block of one of them."""
    body, found = branch.body, []
    if node not in body:
        found += body
    for statement in branch.orelse if node in body else []:
        found += [statement, *_other_blocks(statement, node)] if isinstance(statement, ast.If) else [statement]
    return found


def begin_with_better(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`winners.append(name)` beside `most = votes` becomes `winners = [name]`: what was best before is so no more."""
    call, branch = node.value, context.parent(node)
    if not isinstance(branch, ast.If) or not isinstance(branch.test, ast.Compare) or node not in branch.body:
        return
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return
    compared = {context.text(branch.test.left), *map(context.text, branch.test.comparators)}
    kept = (part for part in branch.body if isinstance(part, ast.Assign))
    is_better = any(isinstance(op, ORDERS) for op in branch.test.ops)
    if is_better and any(context.text(part.targets[0]) in compared for part in kept) and len(call.args) == 1:
        yield from context.restate(node, (f"{context.text(call.func.value)} = [{context.text(call.args[0])}]",))


def begin_with_first(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best = 0`, with which a loop over `xs` compares, becomes `best = xs[0]`: all of them may be below 0."""
    target = node.targets[-1]
    if not isinstance(target, ast.Name) or context.text(node.value) not in ("0", "-1", "1", "0.0"):
        return
    if _is_counter(target.id, context):
        return
    for loop in (part for part in context.scope.nodes if isinstance(part, ast.For)):
        items = loop.iter
        if isinstance(items, ast.Call) and callee_name(items) == "enumerate" and items.args:
            items = items.args[0]
        compared = (part for part in context.program.below(loop) if _is_compared(target.id, part, context))
        if isinstance(items, ast.Name | ast.Attribute) and any(True for _ in compared):
            yield context.put(node.value, f"{context.text(items)}[0]")
        elif isinstance(items, ast.Call) and callee_name(items) == "range" and isinstance(loop.target, ast.Name):
            for value in _at_first_place(target.id, loop, compared, context):
                yield context.put(node.value, value)


def _at_first_place(name: str, loop: ast.For, compared: Iterable[ast.AST], context: TemplateContext) -> Iterator[str]:
    """What a loop over places compares with a variable, for the first place: `xs[0]` of `xs[i]`, of which another
    variable may hold it."""
    assert isinstance(loop.target, ast.Name)
    counter = re.compile(rf"\b{loop.target.id}\b")
    given = [part for part in context.program.below(loop) if isinstance(part, ast.Assign)]
    held = {context.text(part.targets[0]): context.text(part.value) for part in given}
    for part in compared:
        sides = part.args if isinstance(part, ast.Call) else [part.left, *part.comparators]  # type: ignore[attr-defined]
        for side in (context.text(side) for side in sides):
            value = held.get(side, side)
            if side != name and "[" in value and counter.search(value):
                yield counter.sub("0", value)


def _is_compared(name: str, part: ast.AST, context: TemplateContext) -> bool:
    """Whether a node takes the larger or smaller of a variable and something else that is no count, or asks which of
    them is."""
    if isinstance(part, ast.Call) and context.text(part.func) in ("max", "min"):
        sides = [context.text(side) for side in part.args]
    elif isinstance(part, ast.Compare) and isinstance(part.ops[0], ORDERS):
        sides = [context.text(part.left), context.text(part.comparators[0])]
    else:
        return False
    return name in sides and not any(_is_counter(side, context) for side in sides)


def _is_counter(name: str, context: TemplateContext) -> bool:
    """Whether a variable goes up by a constant: it counts, and holds no item."""
    return any(
        isinstance(part, ast.AugAssign) and context.text(part.target) == name and isinstance(part.value, ast.Constant)
        for part in context.scope.nodes
    )


def extend_part(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out[-1] = (out[-1][0], end)` becomes `out[-1] = (out[-1][0], max(out[-1][1], end))`: it may reach further."""
    target, value = node.targets[0], node.value
    if not isinstance(value, ast.Tuple | ast.List) or not isinstance(target, ast.Subscript | ast.Name):
        return
    old = context.text(target)
    kept = [context.text(part).startswith(f"{old}[") for part in value.elts]
    for place, part in enumerate(value.elts):
        if any(kept) and not kept[place] and not isinstance(part, ast.Constant):
            for function, weight in (("max", 1.0), ("min", HALF)):
                yield context.put(part, f"{function}({old}[{place}], {context.text(part)})", weight)


def shared_ranks(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if score != last: rank += 1` becomes `rank = place` of `enumerate(ordered, 1)`: behind two first ones comes the
    third."""
    loop, branch = next(context.loops_around(node), None), context.parent(node)
    if not isinstance(loop, ast.For) or not isinstance(branch, ast.If) or context.text(node.value) != "1":
        return
    if not _asks_about_last(branch.test, loop, context):
        return
    rank = context.text(node.target)
    if isinstance(loop.iter, ast.Call) and callee_name(loop.iter) == "enumerate":
        place = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
        if place is not None:
            more = "" if len(loop.iter.args) > 1 or loop.iter.keywords else " + 1"
            yield from context.restate(node, (f"{rank} = {context.text(place)}{more}",))
        return
    place_name, target = context.new_name("place", "position"), context.text(loop.target)
    item = f"({target})" if isinstance(loop.target, ast.Tuple) and _is_bare(loop.target, context) else target
    for changed in context.restate(node, (f"{rank} = {place_name}",)):
        header = (
            Edit(*context.outer(loop.target), f"{place_name}, {item}"),
            context.edit(loop.iter, Expression(f"enumerate({context.text(loop.iter)}, 1)")),
        )
        yield WeightedEdits((*header, *changed.edits))


def _asks_about_last(test: ast.expr, loop: ast.For, context: TemplateContext) -> bool:
    """Whether an item is compared with what the rounds before it left: a variable of the loop, or the item before."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.NotEq | ast.Lt | ast.Gt):
        return False
    inside = context.program.below(loop)
    kept = {context.text(t) for part in inside if isinstance(part, ast.Assign) for t in part.targets}
    read = names_within(test)
    return bool(read & kept) or any(isinstance(part, ast.Subscript) for part in ast.walk(test))


def _is_bare(target: ast.Tuple, context: TemplateContext) -> bool:
    """Whether a row of targets has no brackets around it."""
    return context.program.spans[target.elts[0]][0] == context.program.spans[target][0]


def keep_further(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reach = end`, where `reach` begins with None, becomes `reach = end if reach is None else max(reach, end)`: it
    may have reached further already."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, _HELD):
        return
    name, new = target.id, context.text(value)
    if not any(context.loops_around(node)) or not any(_begins_with_none(name, part) for part in context.scope.nodes):
        return
    for kept, weight in (("max", 1.0), ("min", HALF)):
        yield context.put(value, Expression(f"{new} if {name} is None else {kept}({name}, {new})", TEST), weight)


_HELD: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp)


def _begins_with_none(name: str, part: ast.AST) -> bool:
    is_none = isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant) and part.value.value is None
    return is_none and any(isinstance(target, ast.Name) and target.id == name for target in part.targets)  # type: ignore[attr-defined]


def note_best_value(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if average > best: name = one` gains `best = average`: the next one is compared with the best so far."""
    if not any(context.loops_around(node)):
        return
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    kept = {name.id for name in names if not isinstance(name.ctx, ast.Load)} | {*context.scope.parameters}
    for test in node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]:
        left, right = sides_compared(test, context)
        for best, new in ((right, left), (left, right)):
            if best.isidentifier() and best not in kept:
                yield from context.after(node.body[-1], (f"{best} = {new}",))


def begin_tie_anew(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n > most: most = n` gains `is_tie = False`, where the branch beside it says `is_tie = True`: a better one has
    no equal yet."""
    if not all(sides_compared(node.test, context)) or not any(context.loops_around(node)):
        return
    own = {context.text(part.targets[0]) for part in node.body if isinstance(part, ast.Assign)}
    for part in _other_blocks(node, node.body[0]):
        flag = part.value if isinstance(part, ast.Assign) else None
        if isinstance(flag, ast.Constant) and isinstance(flag.value, bool):
            name = context.text(part.targets[0])  # type: ignore[attr-defined]
            if name not in own:
                yield from context.after(node.body[-1], (f"{name} = {not flag.value}",))


def gather_ties_anew(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n >= most: most = n; names.append(name)` becomes `if n > most: most = n; names = [name]`, and
    `elif n == most: names.append(name)`: what was gathered before is none of the best."""
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or len(test.ops) != 1 or len(node.body) < _BEST_AND_TIES:
        return
    if not isinstance(test.ops[0], ORDERS) or not any(context.loops_around(node)):
        return
    new, best = context.text(test.left), context.text(test.comparators[0])
    lines = [context.text(part) for part in node.body]
    gathered = next((found for line in lines if (found := _GATHERED.fullmatch(line))), None)
    kept = {f"{best} = {new}": ("<" if isinstance(test.ops[0], ast.Lt | ast.LtE) else ">", new, best)}
    kept |= {f"{new} = {best}": (">" if isinstance(test.ops[0], ast.Lt | ast.LtE) else "<", best, new)}
    line = next((line for line in lines if line in kept), None)
    if gathered is None or line is None:
        return
    sign, value, held = kept[line]
    rest = [f"\t{other}" for other in lines if other not in (line, gathered.group())]
    begun = f"\t{gathered['names']} = [{gathered['item']}]"
    better = (f"if {value} {sign} {held}:", f"\t{line}", begun, *rest)
    tie = (f"elif {value} == {held}:", f"\t{gathered.group()}")
    yield from context.restate(node, (*better, *tie))


_BEST_AND_TIES: Final = 2
_GATHERED: Final = re.compile(r"(?P<names>\w+)\.append\((?P<item>.+)\)")


def absent_or_better(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`points > best.get(name, 0)` becomes `name not in best or points > best[name]`: the first may be below 0."""
    if len(node.ops) != 1 or type(node.ops[0]) not in STRICT_SYMBOLS:
        return
    for side in (node.left, node.comparators[0]):
        if (
            isinstance(side, ast.Call)
            and isinstance(side.func, ast.Attribute)
            and side.func.attr == "get"
            and side.args
        ):
            table, key = context.text(side.func.value), context.text(side.args[0])
            compared = context.text(node).replace(context.text(side), f"{table}[{key}]")
            yield context.put(node, Expression(f"{key} not in {table} or {compared}", OR))


def keep_better(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node.cost = cost`, which begins with None, becomes `if node.cost is None or cost < node.cost: ...`: the least
    of several stays, or the largest."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Attribute | ast.Subscript) or not isinstance(value, ast.Name):
        return
    place, new = context.text(target), value.id
    begun = (part for part in context.program.nodes if isinstance(part, ast.Assign) and part is not node)
    last = target.attr if isinstance(target, ast.Attribute) else ""
    is_none = any(
        isinstance(part.value, ast.Constant)
        and part.value.value is None
        and context.text(part.targets[0]).endswith(last)
        for part in begun
    )
    if last and is_none and any(context.loops_around(node)):
        for symbol in "<>":
            lines = (f"if {place} is None or {new} {symbol} {place}:", f"\t{place} = {new}")
            yield from context.restate(node, lines)


def compare_with_best(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if xs[right] < xs[at]: child = right` becomes `if xs[right] < xs[child]: child = right`: the better one is taken
    in the place of the one that it is compared with."""
    kept = node.body[0]
    if len(node.body) != 1 or not isinstance(kept, ast.Assign) or not isinstance(kept.value, ast.Name):
        return
    best, new = kept.targets[0], kept.value.id
    if not isinstance(best, ast.Name) or best.id == new:
        return
    for part in walk(node.test):
        if not isinstance(part, ast.Compare) or len(part.ops) != 1 or not isinstance(part.ops[0], ORDERS):
            continue
        sides = (part.left, part.comparators[0])
        for one, other in (sides, sides[::-1]):
            before, named, after = _around(new, context.text(one))
            match = re.fullmatch(rf"{re.escape(before)}(\w+){re.escape(after)}", context.text(other)) if named else None
            if match and match[1] not in (new, best.id) and not match[1].isdigit():
                yield context.put(other, f"{before}{best.id}{after}")


def _around(name: str, text: str) -> tuple[str, str, str]:
    """What stands before a name, the name, and what stands behind it; nothing where the name is not there."""
    parts = re.split(rf"\b({name})\b", text, maxsplit=1)
    return (parts[0], parts[1], parts[2]) if len(parts) > 1 else ("", "", "")


def ways_begin_anew(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Beside `elif new == best[i]: ways[i] += ways[j]` a better one, `best[i] = new`, has `ways[i] = ways[j]`, too."""
    other = node.orelse[0] if len(node.orelse) == 1 else None
    added = other.body[-1] if isinstance(other, ast.If) else None
    if not isinstance(added, ast.AugAssign) or not isinstance(added.op, ast.Add):
        return
    assert isinstance(other, ast.If)
    is_tie = isinstance(other.test, ast.Compare) and isinstance(other.test.ops[0], ast.Eq)
    ways = context.text(added.target)
    stored = {context.text(part.targets[0]) for part in node.body if isinstance(part, ast.Assign)}
    if is_tie and ways not in stored and isinstance(node.body[-1], ast.Assign):
        yield from context.after(node.body[-1], (f"{ways} = {context.text(added.value)}",))


def drop_the_beaten(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if value > top: top = value; names.append(name)`, beside `elif value == top: names.append(name)`, becomes `names
    = [name]`: those that were as good as the one before are beaten."""
    other = node.orelse[0] if len(node.orelse) == 1 else None
    if not isinstance(other, ast.If) or not isinstance(other.test, ast.Compare):
        return
    if not isinstance(other.test.ops[0], ast.Eq):
        return
    ties = {context.text(step) for step in other.body}
    for step in node.body:
        gathered = _GATHERED.fullmatch(context.text(step))
        if gathered is not None and gathered.group() in ties:
            yield from context.restate(step, (f"{gathered['names']} = [{gathered['item']}]",))


def best_where_none_is_left(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return max(best, total - low)` becomes `return best if total == low else max(best, total - low)`: where the
    worst is all there is, nothing is left beside it."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) not in ("max", "min") or len(call.args) != _BEST_AND_REST:
        return
    best, rest = call.args
    if isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Sub) and isinstance(best, ast.Name):
        whole, taken = context.text(rest.left), context.text(rest.right)
        yield context.put(call, Expression(f"{best.id} if {whole} == {taken} else {context.text(call)}", TEST))


_BEST_AND_REST: Final = 2


TEMPLATES = (
    Template("best_where_none_is_left", (ast.Return,), best_where_none_is_left, ("larger", "content")),
    Template("drop_the_beaten", (ast.If,), drop_the_beaten, ("longer", "content")),
    Template("ways_begin_anew", (ast.If,), ways_begin_anew),
    Template("compare_with_best", (ast.If,), compare_with_best),
    Template("absent_or_better", (ast.Compare,), absent_or_better, ("content", "larger")),
    Template("keep_better", (ast.Assign,), keep_better, ("content", "larger")),
    Template("note_best_value", (ast.If,), note_best_value, ("content",)),
    Template("gather_ties_anew", (ast.If,), gather_ties_anew, ("longer", "content")),
    Template("begin_tie_anew", (ast.If,), begin_tie_anew, ("content", "negated")),
    Template("keep_further", (ast.Assign,), keep_further, ("content", "longer")),
    Template("shared_ranks", (ast.AugAssign,), shared_ranks, ("content",)),
    Template("begin_with_first", (ast.Assign,), begin_with_first, ("negative", "content", "zero")),
    Template("extend_part", (ast.Assign,), extend_part, ("content",)),
    Template("begin_with_better", (ast.Expr,), begin_with_better, ("longer", "content")),
    Template("compare_after_loop", (ast.For, ast.While), compare_after_loop, ("shorter", "end")),
    Template("keep_runner_up", (ast.Assign,), keep_runner_up, ("none",)),
)
