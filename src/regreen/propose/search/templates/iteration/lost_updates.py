"""What no round of a loop does: the best one is not kept, a full one not put away, a count not lessened."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import ATOM, SUM
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import Loop, TemplateContext
from regreen.syntax import ORDERS, bound_values, walk_in_order, whole_number

_MOST_LIMITS: Final = 4
_MOST_PAIRS: Final = 4
_MOST_DECISIONS: Final = 4
_LOOPS = (ast.For, ast.While)


def keep_best_of_run(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if run > best_run: best_run = run` at the end of each round, where `best_run` begins before the loop and no
    round changes it; with `best_start = start`, where that is called so."""
    pairs = _by_like_names(_idle_before(node, context), _changed_in(node, context))
    for best, running in pairs[:_MOST_PAIRS]:
        others = dict(pair for pair in pairs if pair[0] != best)
        kept = [f"{best} = {running}", *(f"{one} = {other}" for one, other in others.items())]
        for place in (node.body[-1], *_blocks_that_change(running, node)):
            for sign, weight in ((">", 1.0), ("<", POSSIBLE)):
                first = f"{best} is None or " if best in context.scope.begun_with_none else ""
                lines = (f"if {first}{running} {sign} {best}:", *(f"\t{line}" for line in kept))
                yield from context.after(place, lines, weight)


def _idle_before(loop: Loop, context: TemplateContext) -> list[str]:
    """The variables that begin before a loop with a plain value, and that nothing changes later, in order."""
    given = context.cached("idle variables", lambda: _never_changed(context))
    return [name for name, line in given.items() if line < loop.lineno]


def _never_changed(context: TemplateContext) -> dict[str, int]:
    """The variables that are given a constant, or an empty value, and nothing more, with the line of that."""
    stored: dict[str, list[ast.Name]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            stored.setdefault(part.id, []).append(part)
    once = ((name, places[0]) for name, places in stored.items() if len(places) == 1)
    return {name: place.lineno for name, place in once if _is_begun(place, context)}


def _is_begun(place: ast.Name, context: TemplateContext) -> bool:
    """Whether a variable is given a constant there, by itself or with others."""
    around = context.parent(place)
    values: list[ast.expr] = []
    if isinstance(around, ast.Assign):
        values = [around.value]
    elif isinstance(around, ast.Tuple) and isinstance(given := context.parent(around), ast.Assign):
        values = given.value.elts if isinstance(given.value, ast.Tuple) else [given.value]
    return bool(values) and all(isinstance(v, ast.Constant | ast.UnaryOp | ast.Call | ast.Subscript) for v in values)


def _changed_in(loop: Loop, context: TemplateContext) -> list[str]:
    """The variables that a loop gives values, in the order of the text."""
    parts = (part for part in context.program.below(loop) if isinstance(part, ast.Name))
    return list(dict.fromkeys(part.id for part in parts if isinstance(part.ctx, ast.Store)))


def _by_like_names(idle: list[str], changed: list[str]) -> list[tuple[str, str]]:
    """Pairs of an idle variable and one that changes: `best_length` and `length`, `longest` and the only one."""
    found = []
    for name in idle:
        words = set(name.split("_"))
        alike = [other for other in changed if words & set(other.split("_"))]
        found += [(name, other) for other in alike or changed]
    return found


def _blocks_that_change(name: str, loop: Loop) -> Iterator[ast.stmt]:
    """The ends of the blocks within a loop that add to a variable."""
    for part in ast.walk(loop):
        body = part.body if isinstance(part, ast.If) else []
        if any(isinstance(s, ast.AugAssign) and ast.unparse(s.target) == name for s in body):
            yield body[-1]


def put_away_when_full(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if load + weight > capacity: rides += 1; load = 0` comes before `load += weight`, where nothing reads the
    capacity: what does not fit begins the next one."""
    loop = next(context.loops_around(node), None)
    if loop is None or not isinstance(node.target, ast.Name) or not isinstance(node.op, ast.Add):
        return
    total, item = node.target.id, context.text(node.value)
    if whole_number(node.value) is not None:
        return
    for limit in _unread_limits(context):
        for counter in _counters(loop, total, context):
            lines = (f"if {total} + {item} > {limit}:", f"\t{counter} += 1", f"\t{total} = 0")
            yield from context.before(node, lines)


def _unread_limits(context: TemplateContext) -> list[str]:
    """Parameters that nothing reads, and attributes and constants of the module that this function does not."""
    own = context.text(context.scope.function) if context.scope.function else context.program.source
    unread = [name for name in context.scope.parameters if name in context.scope.unused]
    constants = [name for name in context.scope.globals if name.isupper() and name not in own]
    return [*unread, *constants][:_MOST_LIMITS]


def _counters(loop: Loop, total: str, context: TemplateContext) -> list[str]:
    """The variables that count something besides a total: raised by 1, or begun before the loop and idle."""
    raised = [
        part.target.id
        for part in context.scope.nodes
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and whole_number(part.value) == 1
    ]
    found = dict.fromkeys((*raised, *_idle_before(loop, context)))
    return [name for name in found if name != total]


def change_at_new_value(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if score != previous: rank = place`, where `previous = score` ends each round and nothing reads `previous`, or
    where neither is ever given another value: equal ones share what stands for them."""
    targets = [part.id for part in walk_in_order(node.target) if isinstance(part, ast.Name)]
    idle = _idle_before(node, context)
    for kept in _kept_for_the_next(node, idle, targets, context):
        question = f"if {kept.value} != {kept.name}:"
        pairs = ((one, other) for one in idle if one != kept.name for other in targets if other != kept.value)
        for variable, other in pairs:
            lines = (question, f"\t{variable} = {other}", *([] if kept.is_given else [f"\t{kept.name} = {kept.value}"]))
            if kept.behind is None:
                yield from context.before(node.body[0], lines)
            yield from context.after(kept.behind or node.body[0], lines, 1.0 if kept.behind else PROBABLE)
        if kept.is_given:
            yield from _only_at_new_value(node, question, context)


class _Kept(NamedTuple):
    """What a round keeps for the next one, and nothing reads."""

    name: str
    value: str
    is_given: bool
    """Whether the round gives it that value."""
    behind: ast.stmt | None
    """The statement of the round that works the value out, if any."""


def _kept_for_the_next(loop: ast.For, idle: list[str], targets: list[str], context: TemplateContext) -> Iterator[_Kept]:
    """What a round keeps, or may have to keep."""
    worked_out: list[tuple[str, ast.stmt | None]] = [(target, None) for target in targets]
    for part in loop.body:
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id in context.scope.unused:
            yield _Kept(target.id, context.text(part.value), True, None)  # type: ignore[attr-defined]
        elif isinstance(target, ast.Name):
            worked_out.append((target.id, part))
    for name in idle:
        if name in context.scope.begun_with_none:
            yield from (_Kept(name, value, False, behind) for value, behind in worked_out)


def _only_at_new_value(loop: ast.For, question: str, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A plain statement of a round runs only where a question holds."""
    for part in loop.body:
        if isinstance(part, ast.Assign | ast.AugAssign | ast.Expr) and "\n" not in context.text(part):
            yield from context.restate(part, (question, f"\t{context.text(part)}"), HALF)


def lessen_before_asking(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`waiting[user] -= 1` comes before `if waiting[user] == 0:`, where no round lessens it."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not any(context.loops_around(node)):
        return
    asked, number = test.left, whole_number(test.comparators[0])
    if number is None or not isinstance(asked, ast.Name | ast.Subscript | ast.Attribute):
        return
    text = context.text(asked)
    changed = (part for part in context.scope.nodes if isinstance(part, ast.AugAssign))
    if all(context.text(part.target) != text or part.op.__class__ is not ast.Sub for part in changed):
        signs = (("-=", 1.0), ("+=", HALF)) if number == 0 else (("+=", 1.0), ("-=", HALF))
        yield from (one for sign, weight in signs for one in context.before(node, (f"{text} {sign} 1",), weight))


def push_when_none_is_left(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`waiting[user] -= 1` is followed by `if waiting[user] == 0: ready.append(user)`, where a loop takes from
    `ready`."""
    if not isinstance(node.target, ast.Subscript) or not isinstance(node.op, ast.Sub):
        return
    entry, key = context.text(node.target), context.text(node.target.slice)
    for queue in _taken_from(context):
        for push in _ways_to_push(queue, key, context):
            yield from context.after(node, (f"if {entry} == 0:", f"\t{push}"))


def _taken_from(context: TemplateContext) -> list[str]:
    """What the loops of the function go on with as long as there is something in it."""
    loops = (part for part in context.scope.nodes if isinstance(part, ast.While))
    return [context.text(loop.test) for loop in loops if isinstance(loop.test, ast.Name | ast.Attribute)]


def _ways_to_push(queue: str, item: str, context: TemplateContext) -> Iterator[str]:
    """How an item is put where a loop takes the next one from: as the program takes it."""
    if f"heappop({queue})" not in context.program.source:
        yield f"{queue}.append({item})"
        return
    push, imports = context.member_of("heapq", "heappush")
    if not imports:
        yield f"{push}({queue}, {item})"


def add_to_itself(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total = total` becomes `total = total + row[column]`: what is given its own value was to gain something."""
    target, value = node.targets[0], node.value
    if not isinstance(value, ast.Name) or context.text(target) != value.id:
        return
    loops = [loop for loop in context.loops_around(node) if isinstance(loop, ast.For)]
    items = [part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name)]
    others = [name for name in context.scope.locals if name not in (value.id, *items, context.scope.receiver)]
    for table in (name for name in others if len(items) > 1):
        yield context.put(value, f"{value.id} + {table}[{items[1]}][{items[0]}]", LIKELY)
        yield context.put(value, f"{value.id} + {table}[{items[0]}][{items[1]}]", POSSIBLE)
    for item in items:
        yield context.put(value, f"{value.id} + {item}")
        for other in others:
            weight = LIKELY if other in context.scope.unused else POSSIBLE
            yield context.put(value, f"{value.id} + {item}[{other}]", weight)
            yield context.put(value, f"{value.id} + {other}[{item}]", weight)


def gather_unread(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += digit * weight` at the end of each round, where `total` is begun and never raised and nothing reads
    what the round is given; `out.append(pool.pop(place))`, where `out` is never filled."""
    unread = [name for name in _changed_in(node, context) if name in context.scope.unused]
    if not unread:
        return
    for name in _idle_before(node, context):
        values = [*unread, *(f"{unread[0]} * {other}" for other in unread[1:])]
        for rank, value in enumerate(reversed(values)):
            yield from context.after(node.body[-1], (f"{name} += {value}",), LIKELY ** (rank > 0))
    for name in context.cached("never appended to", lambda: _never_appended_to(context)):
        held = [one for one in context.scope.of_kind("list", "dict", "str") if one not in (name, *unread)]
        for place in unread:
            for table in held:
                yield from context.after(node.body[-1], (f"{name}.append({table}[{place}])",))
                yield from context.after(node.body[-1], (f"{name}.append({table}.pop({place}))",), LIKELY)


def _never_appended_to(context: TemplateContext) -> list[str]:
    """The lists that begin empty and that nothing is put into."""
    begun = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
    empty = [context.text(part.targets[0]) for part in begun if context.text(part.value) == "[]"]
    own = context.text(context.scope.function) if context.scope.function else context.program.source
    return [name for name in empty if not any(f"{name}.{way}(" in own for way in ("append", "extend", "insert"))]


def note_where_it_began(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if run == 0: start = place` before `run += 1`, where `start` begins before the loop and never changes."""
    targets = [part.id for part in walk_in_order(node.target) if isinstance(part, ast.Name)]
    for part in context.program.below(node):
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and whole_number(part.value) == 1:
            for name in _idle_before(node, context):
                for place in targets:
                    lines = (f"if {part.target.id} == 0:", f"\t{name} = {place}")
                    yield from context.before(part, lines)


def found_in_the_middle(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if xs[middle] == target: return middle` comes behind `middle = (low + high) // 2`, where `xs[middle]` is only
    compared for order."""
    for place, part in enumerate(node.body[:-1]):
        if not isinstance(part, ast.Assign) or not isinstance(part.targets[0], ast.Name):
            continue
        middle, following = part.targets[0].id, node.body[place + 1]
        test = following.test if isinstance(following, ast.If) else None
        is_halved = isinstance(part.value, ast.BinOp) and isinstance(part.value.op, ast.FloorDiv | ast.Add)
        if is_halved and isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Lt | ast.Gt | ast.LtE | ast.GtE):
            sides = [context.text(test.left), context.text(test.comparators[-1])]
            entries = (n for n in ast.walk(test) if isinstance(n, ast.Subscript))
            items = next((entry for entry in entries if context.text(entry.slice) == middle), None)
            wanted = [side for side in sides if f"[{middle}]" not in side]
            if items is not None:
                names = [*wanted, *(name for name in context.scope.parameters if name not in wanted)]
                for name in names[:_MOST_LIMITS]:
                    lines = (f"if {context.text(items)} == {name}:", f"\treturn {middle}")
                    yield from context.after(part, lines)


def keep_second(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if x > best: second = best; best = x` gains `elif x > second: second = x`: what comes between is the second."""
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ORDERS):
        return
    pairs = [pair for part in node.body if isinstance(part, ast.Assign) for pair in bound_values(part)]
    new, best = context.text(test.left), context.text(test.comparators[0])
    sign = ">" if isinstance(test.ops[0], ast.Gt | ast.GtE) else "<"
    for target, value in pairs:
        second = context.text(target)
        if context.text(value) == best and second != best and any(context.text(v) == new for _, v in pairs):
            yield from context.after(node, (f"elif {new} {sign} {second}:", f"\t{second} = {new}"))
            asked = f"elif {new} {sign} {second} and {new} != {best}:"
            yield from context.after(node, (asked, f"\t{second} = {new}"), HALF)


def say_that_it_changed(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while changed: changed = False; ...` says `changed = True` where a round changes something, if none does."""
    flag, value = node.test, "True"
    if isinstance(flag, ast.UnaryOp) and isinstance(flag.op, ast.Not):
        flag, value = flag.operand, "False"
    if not isinstance(flag, ast.Name):
        return
    given = [part for part in context.program.below(node) if isinstance(part, ast.Assign)]
    values = {context.text(part.value) for part in given if context.text(part.targets[0]) == flag.id}
    if values != {"False" if value == "True" else "True"}:
        return
    decisions = [part for part in context.program.below(node) if isinstance(part, ast.If)]
    for rank, part in enumerate(reversed(decisions[:_MOST_DECISIONS])):
        if not isinstance(part.body[-1], ast.Break | ast.Continue | ast.Return | ast.Raise):
            yield from context.after(part.body[-1], (f"{flag.id} = {value}",), LIKELY**rank)
            yield from context.before(part.body[0], (f"{flag.id} = {value}",), LIKELY ** (rank + 1))


def change_for_the_better(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best ^= basis[bit]` in a loop becomes `best = max(best, best ^ basis[bit])`: only what makes it larger is
    taken."""
    if not isinstance(node.op, ast.BitXor) or not isinstance(node.target, ast.Name) or "\n" in context.text(node):
        return
    if next(context.loops_around(node), None) is not None:
        name = node.target.id
        changed = f"{name} ^ {context.expression(node.value).at(ATOM)}"
        yield from context.restate(node, (f"{name} = max({name}, {changed})",))
        yield from context.restate(node, (f"{name} = min({name}, {changed})",), HALF)


def go_on_from_begin(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`free += needed` becomes `free = start + needed` behind `start = max(come, free)`: it goes on from where the
    step began, not from where the last one ended."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.op, ast.Add):
        return
    block, free = context.program.block(node), node.target.id
    for step in block[: block.index(node)]:
        match step:
            case ast.Assign(targets=[ast.Name(id=start)], value=ast.Call(func=ast.Name(id="max"), args=given)):
                if any(isinstance(part, ast.Name) and part.id == free for part in given) and start != free:
                    yield from context.restate(node, (f"{free} = {start} + {context.expression(node.value).at(SUM)}",))


def hand_down_the_best(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if way < first: first = way`, before `elif way < second: second = way`, becomes `first, second = way, first`:
    who is beaten comes second. What is as good as the best is passed over by `elif first < way < second`."""
    for other in node.orelse:
        match node, other:
            case (
                ast.If(test=ast.Compare(left=new, ops=[op], comparators=[best])),
                ast.If(test=ast.Compare(left=again, ops=[_], comparators=[second]) as asked),
            ) if isinstance(op, ORDERS) and context.text(new) == context.text(again):
                pass
            case _:
                return
        names = context.text(best), context.text(second)
        order = [names[0], context.text(new), names[1]]
        sign = "<" if isinstance(op, ast.Lt | ast.LtE) else ">"
        between = context.put(asked, f" {sign} ".join(order))
        yield between
        for step in node.body:
            if isinstance(step, ast.Assign) and context.text(step.targets[0]) == names[0] != names[1]:
                handed = f"{names[0]}, {names[1]} = {context.text(step.value)}, {names[0]}"
                for made in context.restate(step, (handed,)):
                    yield made
                    yield WeightedEdits((*made.edits, *between.edits))


TEMPLATES = (
    Template("go_on_from_begin", (ast.AugAssign,), go_on_from_begin, ("smaller", "larger", "content")),
    Template("change_for_the_better", (ast.AugAssign,), change_for_the_better, ("smaller", "content")),
    Template("say_that_it_changed", (ast.While,), say_that_it_changed, ("smaller", "content", "order")),
    Template("keep_second", (ast.If,), keep_second, ("content", "smaller")),
    Template("keep_best_of_run", _LOOPS, keep_best_of_run, ("smaller", "content", "none")),
    Template("put_away_when_full", (ast.AugAssign,), put_away_when_full, ("smaller", "content")),
    Template("change_at_new_value", (ast.For,), change_at_new_value, ("content", "smaller")),
    Template("lessen_before_asking", (ast.If,), lessen_before_asking, ("shorter", "content")),
    Template("push_when_none_is_left", (ast.AugAssign,), push_when_none_is_left, ("shorter", "content")),
    Template("add_to_itself", (ast.Assign,), add_to_itself, ("smaller", "content")),
    Template("gather_unread", (ast.For,), gather_unread, ("smaller", "shorter", "content")),
    Template("note_where_it_began", (ast.For,), note_where_it_began, ("content", "smaller")),
    Template("found_in_the_middle", (ast.While,), found_in_the_middle, ("hang", "none", "content")),
    Template("hand_down_the_best", (ast.If,), hand_down_the_best, ("content", "larger", "smaller", "none")),
)
