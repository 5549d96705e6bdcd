"""Ways through graphs: nodes that are settled too early, and connections that are gone through only once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import AND, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import at_depth
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within

_BOTH = 2
_ADDERS = frozenset(("add", "update", "extend", "append"))


def until_nothing_changes(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop that adds to `found` what hangs together with it goes on until a round adds nothing: connections come in
    any order."""
    if not context.program.alone(node) or node.orelse:
        return
    for held in sorted(_grown_by_itself(node, context)):
        if any(isinstance(around, ast.While) for around in context.around(node)):
            return
        size, indent = context.new_name("size", "known"), context.program.indent(node)
        start, end = context.program.lines(node)
        inner = at_depth((start, end), context, indent, indent + context.program.unit)
        head = f"{indent}{size} = -1\n{indent}while {size} != len({held}):\n{indent}{context.program.unit}"
        yield context.replace(start, end, f"{head}{size} = len({held})\n{inner}", LIKELY)


def _grown_by_itself(node: ast.For, context: TemplateContext) -> set[str]:
    """The collections that a loop adds to only where it finds something in them."""
    asked = {
        context.text(part.comparators[0])
        for part in context.program.below(node)
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In)
    }
    added = {
        context.text(part.func.value)
        for part in context.program.below(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _ADDERS
    }
    return {name for name in asked & added if name.isidentifier()}


def mark_reached(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `if ... or grid[r][c] == 0: return`, `grid[r][c] = 0`: what was reached is not gone to
    again."""
    stop = next((part for part in node.body if isinstance(part, ast.If)), None)
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    if stop is None or not isinstance(stop.body[-1], ast.Return):
        return
    if not any(callee_name(call) == node.name for call in calls):
        return
    for part in ast.walk(stop.test):
        if not isinstance(part, ast.Compare) or not isinstance(part.left, ast.Subscript) or len(part.ops) != 1:
            continue
        place, bound = context.text(part.left), part.comparators[0]
        if isinstance(part.ops[0], ast.Eq | ast.NotEq) and not _is_stored(place, context):
            marks = [context.text(bound)] if isinstance(part.ops[0], ast.Eq) else _other_marks(bound)
            for mark in marks:
                yield from context.after(stop, (f"{place} = {mark}",))


def _is_stored(place: str, context: TemplateContext) -> bool:
    stored = (
        part for part in context.scope.nodes if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)
    )
    return any(context.text(part) == place for part in stored)


def _other_marks(bound: ast.expr) -> list[str]:
    """What a place may be changed to that was `bound`."""
    value = bound.value if isinstance(bound, ast.Constant) else None
    if isinstance(value, str):
        return ['"0"'] if value == "1" else ['"#"'] if value != "#" else ['"."']
    return ["0"] if value != 0 else ["1", "-1"]


def skip_known_starts(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if grid[r][c] == 1:` in the loops over all places asks `(r, c) not in seen`, too: a part is begun only once."""
    entry = node.test.left if isinstance(node.test, ast.Compare) else node.test
    if not isinstance(entry, ast.Subscript) or not isinstance(entry.value, ast.Subscript):
        return
    targets = {context.text(loop.target) for loop in context.loops_around(node) if isinstance(loop, ast.For)}
    row, column = context.text(entry.value.slice), context.text(entry.slice)
    if not {row, column} <= targets:
        return
    for seen in (name for name, kind in context.scope.kinds.items() if kind == "set"):
        asked = context.expression(node.test).at(AND)
        yield context.put(node.test, Expression(f"{asked} and ({row}, {column}) not in {seen}", AND))


def names_in_values(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`set(needs)` of a table with lists becomes `set(needs).union(*needs.values())`: some are only named by others."""
    function, table = context.text(node.func), node.args[0] if len(node.args) == 1 else None
    if function not in ("set", "list", "sorted") or not isinstance(table, ast.Name) or node.keywords:
        return
    reads = (f"{table.id}[", f"{table.id}.get(", f"{table.id}.items(", f"{table.id}.values(")
    if context.kind(table) in ("dict", "") and any(read in context.program.source for read in reads):
        whole = f"set({table.id}).union(*{table.id}.values())"
        yield context.put(node, whole if function == "set" else f"{function}({whole})")


def refuse_cycle(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return order` gives nothing, or refuses, where `len(order) != len(incoming)`: nodes of a cycle never come up."""
    loop = next((part for part in context.scope.nodes if isinstance(part, ast.While)), None)
    if loop is None or node.value is None:
        return
    parts = list(context.program.below(loop))
    counted = next((part.target.value for part in parts if _counts_one_down(part)), None)  # type: ignore[attr-defined]
    called = {context.text(part.func) for part in parts if isinstance(part, ast.Call)}
    grown = next((name for name in sorted(names_within(node.value)) if f"{name}.append" in called), "")
    if counted is None or not grown:
        return
    head = f"if len({grown}) != len({context.text(counted)}):"
    refusals = [f"raise {name}" for name in context.clues.exceptions[:1]]
    if not isinstance(node.value, ast.Name):
        refusals += [f"return {text!r}" for text in context.clues.output_strings if f'"{text}"' in context.clues.prose]
    for answer in dict.fromkeys((*refusals, "return []", "return None", "raise ValueError")):
        yield from context.before(node, (head, f"\t{answer}"))


def _counts_one_down(node: ast.AST) -> bool:
    is_lowered = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub)
    return is_lowered and isinstance(node.target, ast.Subscript) and ast.unparse(node.value) == "1"  # type: ignore[attr-defined]


def carry_back(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`visit(other, node)` is followed by `low[node] = min(low[node], low[other])`, where another branch has
    `low[node] = min(low[node], order[other])`: what was found beyond counts here, too."""
    function, call = context.scope.function, node.value
    if function is None or not isinstance(call, ast.Call) or callee_name(call) != function.name or not call.args:
        return
    there = context.text(call.args[0])
    block = {context.text(statement) for statement in context.program.block(node)}
    for part in context.scope.nodes:
        value = part.value if isinstance(part, ast.Assign) else None
        if not isinstance(value, ast.Call) or callee_name(value) not in ("min", "max") or len(value.args) != _BOTH:
            continue
        kept = part.targets[0]  # type: ignore[attr-defined]
        if isinstance(kept, ast.Subscript) and context.text(kept) in map(context.text, value.args):
            beyond = f"{context.text(kept.value)}[{there}]"
            line = f"{context.text(kept)} = {context.text(value.func)}({context.text(kept)}, {beyond})"
            if line not in block:
                yield from context.after(node, (line,))


def latest_finished_first(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for node in order` becomes `for node in reversed(order)`, and `return order` `return order[::-1]`, where a
    function that calls itself adds to `order` at its end: what is finished last comes first."""
    around = context.parent(node)
    is_source = isinstance(around, ast.For) and around.iter is node
    if not is_source and not isinstance(around, ast.Return):
        return
    for function in context.program.functions:
        last = function.body[-1]
        own = (part for part in ast.walk(function) if isinstance(part, ast.Call))
        if context.text(last).startswith(f"{node.id}.append(") and any(callee_name(p) == function.name for p in own):
            yield context.put(node, f"reversed({node.id})" if is_source else f"{node.id}[::-1]")


def other_side(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`side[other] = side[node]`, beside a refusal where `side[other] == side[node]`, becomes `1 - side[node]`:
    neighbours are on different sides."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Subscript | ast.Name):
        return
    given, entry = context.text(value), context.text(target)
    asked = {context.text(part) for part in context.scope.nodes if isinstance(part, ast.Compare)}
    if asked & {f"{entry} == {given}", f"{given} == {entry}"}:
        firsts = (part.value for part in context.scope.nodes if isinstance(part, ast.Assign))
        written = {part.value for part in firsts if isinstance(part, ast.Constant)}
        ways = [f"-{given}"] if written & {-1, 1} and 0 not in written else [f"1 - {given}", f"-{given}"]
        ways = [f"not {given}", *ways] if True in {part for part in written if isinstance(part, bool)} else ways
        yield from (context.put(value, Expression(way, SUM)) for way in ways)


def back_by_the_same_edge(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if other == parent: continue`, where `for other, number in graph[node]`, becomes `if number == parent:
    continue`, and `visit(other, number)`: only the edge by which one came is not gone back, and two may join the same
    nodes."""
    function = context.scope.function
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    if function is None or loop is None or not isinstance(node.body[0], ast.Continue):
        return
    match loop.target, node.test:
        case (
            ast.Tuple(elts=[ast.Name(id=other), ast.Name(id=number)]),
            ast.Compare(left=ast.Name() as left, ops=[ast.Eq()], comparators=[ast.Name(id=parent)]),
        ) if left.id == other and parent in context.scope.parameters:
            place = context.scope.parameters.index(parent)
        case _:
            return
    edits = [context.edit(left, Expression(number))]
    for call in context.program.below(loop):
        is_own = isinstance(call, ast.Call) and callee_name(call) == function.name
        if is_own and len(call.args) == len(context.scope.parameters):  # type: ignore[attr-defined]
            edits.append(context.edit(call.args[place], Expression(number)))  # type: ignore[attr-defined]
    yield WeightedEdits(tuple(edits))


def level_by_level(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while queue: x = queue.popleft(); ...; rounds += 1` takes all of a level in each round: `for _ in
    range(len(queue)):` around all but the count."""
    first, last = node.body[0], node.body[-1]
    match first:
        case ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id=queue), attr="popleft" | "pop"))):
            pass
        case _:
            return
    steps = node.body[:-1]
    if (
        isinstance(last, ast.AugAssign)
        and isinstance(last.target, ast.Name)
        and queue in names_within(node.test)
        and steps
    ):
        yield from context.below((f"for _ in range(len({queue})):",), steps)


def from_the_start(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return path` becomes `return path[::-1]`, where a loop goes back from the end: `path.append(at); at =
    parent[at]`."""
    if isinstance(node.value, ast.Name):
        walked = context.cached("walked back", lambda: set(_walked_back(context)))
        if node.value.id in walked:
            yield context.put(node.value, f"{node.value.id}[::-1]")


def _walked_back(context: TemplateContext) -> Iterator[str]:
    """The lists to which a loop adds each place before it goes on to what a table has for it."""
    for loop in (part for part in context.scope.nodes if isinstance(part, ast.While)):
        steps = [part for part in context.program.below(loop) if isinstance(part, ast.Assign)]
        moved = {context.text(step.targets[0]) for step in steps if _goes_to_entry(step, context)}
        for part in context.program.below(loop):
            match part:
                case ast.Call(func=ast.Attribute(attr="append", value=kept), args=[item]) if (
                    context.text(item) in moved
                ):
                    yield context.text(kept)


def _goes_to_entry(step: ast.Assign, context: TemplateContext) -> bool:
    """Whether a step is `at = parent[at]`, or `at = at.parent`."""
    name, value = context.text(step.targets[0]), step.value
    place = (
        value.slice if isinstance(value, ast.Subscript) else value.value if isinstance(value, ast.Attribute) else None
    )
    return place is not None and context.text(place) == name


def from_every_number(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for v in neighbours:` becomes `for v in range(n):`, and `neighbours[u]` becomes `neighbours.get(u, [])`, for a
    number `n` that nothing reads: what is joined to nothing has no entry, and counts."""
    if not isinstance(node.iter, ast.Name) or context.kind(node.iter) != "dict":
        return
    table = node.iter.id
    looked_up = [
        part
        for part in context.scope.nodes
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and context.text(part.value) == table
    ]
    entries = [context.edit(part, Expression(f"{table}.get({context.text(part.slice)}, [])")) for part in looked_up]
    for number in (name for name in context.scope.parameters if name in context.scope.unused):
        yield WeightedEdits((context.edit(node.iter, Expression(f"range({number})")), *entries))


TEMPLATES = (
    Template("from_every_number", (ast.For,), from_every_number, ("smaller", "shorter")),
    Template("from_the_start", (ast.Return,), from_the_start, ("reversed", "order")),
    Template("level_by_level", (ast.While,), level_by_level, ("larger", "content")),
    Template("back_by_the_same_edge", (ast.If,), back_by_the_same_edge, ("longer", "content")),
    Template("other_side", (ast.Assign,), other_side, ("none", "content")),
    Template("latest_finished_first", (ast.Name,), latest_finished_first),
    Template("carry_back", (ast.Expr,), carry_back),
    Template("refuse_cycle", (ast.Return,), refuse_cycle, ("content", "longer")),
    Template("names_in_values", (ast.Call,), names_in_values, ("shorter", "key", "content")),
    Template("mark_reached", FUNCTIONS, mark_reached, ("recursion", "longer", "content")),
    Template("skip_known_starts", (ast.If,), skip_known_starts, ("longer", "content", "off_by_one")),
    Template("until_nothing_changes", (ast.For,), until_nothing_changes, ("shorter", "content")),
)
