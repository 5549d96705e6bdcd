"""Values that are carried from step to step: what came before counts, a sign turns, and each call begins anew."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import permutations

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import TERM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within
from regreen.types import Edit


def longest_through(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best += 1` in a loop over `j` becomes `best = max(best, lengths[j] + 1)`, where `lengths` keeps them."""
    loop = _loop_around(node, context)
    if loop is None or not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
        return
    assert isinstance(loop.target, ast.Name)
    name, place, step = node.target.id, loop.target.id, context.expression(node.value).at(TERM)
    for kept in dict.fromkeys(_lists_keeping(name, context)):
        yield from context.restate(node, (f"{name} = max({name}, {kept}[{place}] + {step})",))
        yield from context.restate(node, (f"{name} = min({name}, {kept}[{place}] + {step})",), HALF)


def begin_anew(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`run = run + x` before `best = max(best, run)` becomes `run = max(x, run + x)`: a run may begin anew with each
    item, as in Kadane's algorithm."""
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    value = node.value
    if not isinstance(target, ast.Name) or next(context.loops_around(node), None) is None:
        return
    run, best = target.id, _compared_with(target.id, context)
    if isinstance(node, ast.AugAssign):
        step = value if isinstance(node.op, ast.Add) else None
    else:
        is_sum = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and context.text(value.left) == run
        step = value.right if is_sum else None  # type: ignore[attr-defined]
    if step is not None and best:
        item = context.text(step)
        total = binary_operation(Expression(run), "+", context.expression(step)).text
        yield from context.restate(node, (f"{run} = {best}({item}, {total})",))
        if best == "max":
            yield from context.restate(node, (f"{run} = max(0, {total})",), HALF)


def _compared_with(run: str, context: TemplateContext) -> str:
    """`max` or `min`, where a function takes that of this variable and another one; empty where it does not."""
    for part in context.scope.nodes:
        is_extreme = isinstance(part, ast.Call) and context.text(part.func) in ("max", "min")
        if is_extreme and run in map(context.text, part.args):  # type: ignore[attr-defined]
            return context.text(part.func)  # type: ignore[attr-defined]
    return ""


def _loop_around(node: ast.AST, context: TemplateContext) -> ast.For | None:
    """The innermost loop over one variable around a statement."""
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    return loop if loop is not None and isinstance(loop.target, ast.Name) else None


def _lists_keeping(name: str, context: TemplateContext) -> Iterator[str]:
    """The lists to which a variable is appended, or that it is put into at a place."""
    for part in context.scope.nodes:
        is_kept = isinstance(part, ast.Call) and callee_name(part) == "append" and len(part.args) == 1
        if is_kept and context.text(part.args[0]) == name and isinstance(part.func, ast.Attribute):  # type: ignore[attr-defined]
            yield context.text(part.func.value)  # type: ignore[attr-defined]
        target = part.targets[0] if isinstance(part, ast.Assign) and context.text(part.value) == name else None
        if isinstance(target, ast.Subscript):
            yield context.text(target.value)


def count_those_left(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`count += 1` becomes `count += len(left) - i` or `count += high - low + 1`: all that are left count at once."""
    if not isinstance(node.op, ast.Add) or context.text(node.value) != "1":
        return
    places = context.cached("places read", lambda: _places_read(context))
    counted = context.text(node.target)
    for items, indices in places.items():
        for place in indices:
            if place != counted:
                yield context.put(node.value, f"len({items}) - {place}")
    for one, other in permutations(_pointers(places, context), 2):
        if counted not in (one, other):
            yield context.put(node.value, f"{one} - {other} + 1", HALF)
            yield context.put(node.value, f"{one} - {other}", HALF)


def _places_read(context: TemplateContext) -> dict[str, list[str]]:
    """The collections that a function reads by a variable, each with the variables."""
    found: dict[str, dict[str, None]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and isinstance(part.slice, ast.Name):
            found.setdefault(part.value.id, {}).setdefault(part.slice.id)
    return {items: list(indices) for items, indices in found.items()}


def _pointers(places: dict[str, list[str]], context: TemplateContext) -> list[str]:
    """The variables of a function that are places, or take part in finding one: those that move in a loop."""
    moved = {context.text(part.target) for part in context.scope.nodes if isinstance(part, ast.AugAssign | ast.For)}
    read = dict.fromkeys(index for indices in places.values() for index in indices)
    return [name for name in (*read, *sorted(moved - read.keys())) if name in moved and name.isidentifier()][:_POINTERS]


_POINTERS = 4
"""Variables whose distances are tried."""


def carry_total(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cost = roads[town][way]` becomes `cost = costs[town] + roads[town][way]`, where `costs[way] = cost` keeps it."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Name):
        return
    places = {part.id: None for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    for part in context.scope.nodes:
        kept = part.targets[0] if isinstance(part, ast.Assign) else None
        if not isinstance(kept, ast.Subscript) or context.text(part.value) != target.id:  # type: ignore[attr-defined]
            continue
        table, to = context.text(kept.value), context.text(kept.slice)
        for place in places:
            if place not in (to, table) and place in context.scope.assigned:
                carried = Expression(f"{table}[{place}]")
                yield context.put(node.value, binary_operation(carried, "+", context.expression(node.value)))


def turn_with_swap(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows[i], rows[j] = rows[j], rows[i]` is followed by `det = -det`: each swap of two rows turns the sign."""
    target = node.targets[0]
    if not isinstance(target, ast.Tuple) or not isinstance(node.value, ast.Tuple):
        return
    given, kept = ([context.text(part) for part in one.elts] for one in (node.value, target))
    if kept != given[::-1] or kept == given:
        return
    multiplied = [
        context.text(part.target)
        for part in context.scope.nodes
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Mult)
    ]
    for name in dict.fromkeys(multiplied):
        yield from context.after(node, (f"{name} = -{name}",))


def begin_each_call(node: ast.Nonlocal, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`nonlocal pause`, which begins with `pause = delay` outside, becomes `pause = delay`: each call begins anew."""
    for outer in context.scope.enclosing:
        for stmt in outer.function.body if outer.function else ():
            target = stmt.targets[0] if isinstance(stmt, ast.Assign) else None
            if isinstance(target, ast.Name) and [target.id] == node.names and context.program.alone(stmt):
                start, end = context.program.lines(stmt)
                here = Edit(*context.program.spans[node], context.text(stmt))
                yield WeightedEdits((Edit(start, end, ""), here))


def note_on_other(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bucket.updated = now` after `now - bucket.updated` was read: the next time counts from now."""
    stored = {context.text(part) for part in context.scope.nodes if _is_stored(part)}
    for part in context.scope.nodes:
        if not isinstance(part, ast.BinOp) or not isinstance(part.op, ast.Sub) or not isinstance(part.left, ast.Name):
            continue
        owner = part.right.value if isinstance(part.right, ast.Attribute) else None
        if not isinstance(owner, ast.Name) or context.text(part.right) in stored:
            continue
        line = f"{context.text(part.right)} = {part.left.id}"
        yield from context.after(context.program.statement(part), (line,))
        last = node.body[-1]
        yield from (context.before if isinstance(last, ast.Return) else context.after)(last, (line,), LIKELY)


def _is_stored(part: ast.AST) -> bool:
    return isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) == "range"


def alternate_sign(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += n` in a loop becomes `total += n if place % 2 == 0 else -n`, and the other way round."""
    loop = context.parent(node)
    if not isinstance(loop, ast.For) or not isinstance(node.op, ast.Add) or context.text(node.value) == "1":
        return
    target, items = loop.target, context.text(loop.iter)
    if not isinstance(target, ast.Name) or not isinstance(node.value, ast.Name) or _is_range(loop.iter):
        return
    place = context.new_name("place", "number", "place_")
    header = (
        context.edit(target, Expression(f"{place}, {target.id}")),
        context.edit(loop.iter, Expression(f"enumerate({items})")),
    )
    value = context.text(node.value)
    for rest, weight in ((0, 1.0), (1, HALF)):
        signed = Expression(f"{value} if {place} % 2 == {rest} else -{value}", TEST)
        yield WeightedEdits((*header, context.edit(node.value, signed)), weight)


def double_with_halves(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Where each round halves `n`, what is multiplied is squared, and what is added is doubled: `base *= base`."""
    updates = [part for part in context.program.below(node) if isinstance(part, ast.AugAssign)]
    halving = [part for part in updates if isinstance(part.op, ast.FloorDiv | ast.RShift) and part in node.body]
    changed = {context.text(part.target) for part in updates}
    for part in updates if halving else ():
        grown = context.text(part.value)
        if not isinstance(part.value, ast.Name) or grown in changed or not isinstance(part.op, ast.Mult | ast.Add):
            continue
        step = f"{grown} *= {grown}" if isinstance(part.op, ast.Mult) else f"{grown} += {grown}"
        yield from context.before(halving[0], (step,))


def common_run(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`t[i][j] = max(t[i - 1][j], t[i][j - 1])`, by which a gap is passed over, becomes `t[i][j] = 0`: in one piece.

    The longest is anywhere then, and not in the last cell.
    """
    call, target = node.value, node.targets[0]
    if not isinstance(call, ast.Call) or callee_name(call) != "max" or not isinstance(target, ast.Subscript):
        return
    table = target.value.value if isinstance(target.value, ast.Subscript) else None
    if table is None or not all(isinstance(part, ast.Subscript) for part in call.args) or len(call.args) != 2:
        return
    name = context.text(table)
    ends = [
        part.value
        for part in context.scope.nodes
        if isinstance(part, ast.Return) and part.value is not None and context.text(part.value).startswith(f"{name}[")
    ]
    longest = [context.edit(end, Expression(f"max(map(max, {name}))")) for end in ends]
    if longest:
        yield WeightedEdits((context.edit(call, Expression("0")), *longest))


def count_only_used(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i, c in enumerate(text)` counts on its own where `i` is read in branches alone, `i += 1` in these: the other
    items use up no place."""
    numbered = node.iter
    if not isinstance(numbered, ast.Call) or callee_name(numbered) != "enumerate" or len(numbered.args) != 1:
        return
    if not isinstance(node.target, ast.Tuple) or len(node.target.elts) != 2 or numbered.keywords:
        return
    place, item = node.target.elts
    named = context.text(place)
    uses = [part for part in context.program.below(node) if isinstance(part, ast.Name) and part.id == named]
    heads = (
        context.edit(node.target, context.expression(item)),
        context.edit(numbered, context.expression(numbered.args[0])),
    )
    if any(isinstance(context.parent(use), ast.AugAssign) for use in uses if isinstance(use.ctx, ast.Store)):
        # It is counted there already, and begins anew with each item.
        for begun in context.before(node, (f"{named} = 0",)):
            yield WeightedEdits((*begun.edits, *heads))
        return
    last_of_block: dict[int, ast.stmt] = {}
    for use in uses:
        statement = context.program.statement(use)
        if use is not place:
            last_of_block[id(context.program.block(statement))] = statement
    statements = list(last_of_block.values())
    if not statements or any(one in node.body or isinstance(one, _HEADS) for one in statements):
        return
    counted = [edit for one in statements for more in context.after(one, (f"{named} += 1",)) for edit in more.edits]
    if len(counted) == len(statements):
        for begun in context.before(node, (f"{named} = 0",)):
            yield WeightedEdits((*begun.edits, *heads, *counted))


_HEADS = (ast.If, ast.For, ast.While, ast.Return, ast.With, ast.Try)
"""Statements after which counting is not part of their own block, or is never come to."""


def note_in_closure(node: ast.Nonlocal | ast.Global, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`nonlocal last` in a function that reads `last` and never sets it asks for `last = now`, before it returns."""
    function = context.scope.function
    stored = {part.id for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    idle = [name for name in node.names if name not in stored]
    if function is None or not idle:
        return
    for name in idle:
        beside = _met_with(name, context)
        values = dict.fromkeys((*beside, *(other for other in context.scope.locals if other != name)))
        lines = [(f"{name} = {value}", 1.0 if value in beside else HALF) for value in values if value not in idle]
        lines += [(f"{name} += 1", HALF), (f"{name} = True", HALF)]
        for line, weight in lines:
            last = function.body[-1]
            yield from (context.before if isinstance(last, ast.Return) else context.after)(last, (line,), weight)
            for part in context.scope.nodes:
                if isinstance(part, ast.Return | ast.Assign | ast.AugAssign) and part is not last:
                    yield from context.before(part, (line,), weight * HALF)


def _met_with(name: str, context: TemplateContext) -> list[str]:
    """The variables that a variable is compared with or subtracted from."""
    found: dict[str, None] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.BinOp | ast.Compare):
            names = names_within(part)
            if name in names:
                found.update(dict.fromkeys(sorted(names - {name})))
    return [other for other in found if other in context.scope.locals]


def take_out_what_leaves(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total -= window[0]` becomes `total -= window.pop(0)`: what leaves a window has to leave the list as well."""
    value = node.value
    if not isinstance(value, ast.Subscript) or not isinstance(value.value, ast.Name | ast.Attribute):
        return
    window, place = context.text(value.value), context.text(value.slice)
    if place not in ("0", "-1") or any(f"{window}.{taking}" in context.program.source for taking in ("pop", "del ")):
        return
    first = "popleft()" if "deque" in context.program.source else "pop(0)"
    yield context.put(value, f"{window}.{first if place == '0' else 'pop()'}")


def step_from_own(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`job.due = now + job.step` becomes `job.due += job.step`: the next one is counted from the last, not from now."""
    value, target = node.value, context.text(node.targets[0])
    if len(node.targets) > 1 or not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return
    if isinstance(node.targets[0], ast.Subscript | ast.Attribute) and target not in context.text(value):
        yield from context.restate(node, (f"{target} += {context.text(value.right)}",))
        yield from context.restate(node, (f"{target} += {context.text(value.left)}",), HALF)


def lose_after_asking(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`level += gain - loss` before `if level >= full: return day` becomes `level += gain` there, and `level -= loss`
    behind it: what comes in may be enough before anything is lost."""
    net, block = node.value, context.program.block(node)
    place = block.index(node) + 1
    asked = block[place] if place < len(block) else None
    if not isinstance(net, ast.BinOp) or not isinstance(net.op, ast.Sub) or not isinstance(node.op, ast.Add | ast.Sub):
        return
    target = context.text(node.target)
    if not isinstance(asked, ast.If) or not isinstance(asked.body[-1], ast.Return | ast.Break):
        return
    if target not in (context.text(part) for part in ast.walk(asked.test)):
        return
    back = "-=" if isinstance(node.op, ast.Add) else "+="
    for later in context.after(asked, (f"{target} {back} {context.text(net.right)}",)):
        yield WeightedEdits((context.edit(net, context.expression(net.left)), *later.edits))


def from_other_state(node: ast.UnaryOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hold = max(hold, -price)` becomes `hold = max(hold, cash - price)`: what is paid comes off what one had."""
    around, loop = context.parent(node), next(context.loops_around(node), None)
    is_extreme = isinstance(around, ast.Call) and context.text(around.func) in ("max", "min")
    if not isinstance(node.op, ast.USub) or not is_extreme or loop is None or not isinstance(node.operand, ast.Name):
        return
    own = context.parent(around)
    for part in loop.body:
        target = part.targets[0] if isinstance(part, ast.Assign) and part is not own else None
        if isinstance(target, ast.Name):
            paid = binary_operation(Expression(target.id), "-", context.expression(node.operand))
            yield context.put(node, paid)


TEMPLATES = (
    Template("from_other_state", (ast.UnaryOp,), from_other_state, ("smaller", "content")),
    Template("lose_after_asking", (ast.AugAssign,), lose_after_asking, ("larger", "smaller", "hang")),
    Template("step_from_own", (ast.Assign,), step_from_own, ("content", "smaller", "larger")),
    Template("take_out_what_leaves", (ast.AugAssign,), take_out_what_leaves, ("content",)),
    Template("note_in_closure", (ast.Nonlocal, ast.Global), note_in_closure, ("off_by_one", "content", "negated")),
    Template("begin_anew", (ast.Assign, ast.AugAssign), begin_anew, ("content", "negative")),
    Template("count_only_used", (ast.For,), count_only_used),
    Template("double_with_halves", (ast.While,), double_with_halves),
    Template("common_run", (ast.Assign,), common_run, ("longer",)),
    Template("alternate_sign", (ast.AugAssign,), alternate_sign, ("sign",)),
    Template("longest_through", (ast.AugAssign,), longest_through, ("longer", "off_by_one")),
    Template("count_those_left", (ast.AugAssign,), count_those_left, ("shorter", "off_by_one")),
    Template("carry_total", (ast.Assign,), carry_total, ("shorter", "off_by_one")),
    Template("turn_with_swap", (ast.Assign,), turn_with_swap, ("negative",)),
    Template("begin_each_call", (ast.Nonlocal,), begin_each_call),
    Template("note_on_other", FUNCTIONS, note_on_other),
)
