"""The largest or the smallest: the place for the value, the key for the place, and all of those that share it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import ATOM, COMPARISON_SYMBOLS, FACTOR, SUM, TERM, TEST, Expression, comparison
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, ORDERS, Function, bound_values, callee_name
from regreen.types import Edit

_EXTREMES: Final = frozenset({"max", "min"})


def place_of_extreme(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(counts)` becomes `counts.index(max(counts))`, and `max(d.values())` becomes `max(d, key=d.get)`."""
    if not _is_plain_extreme(node):
        return
    (items,) = node.args
    whole, name = context.text(node), callee_name(node)
    if isinstance(items, ast.Name | ast.Attribute) and context.kind(items) != "dict":
        yield context.put(node, Expression(f"{context.text(items)}.index({whole})", ATOM))
    elif isinstance(items, ast.Call) and isinstance(items.func, ast.Attribute) and items.func.attr == "values":
        table = context.text(items.func.value)
        yield context.put(node, Expression(f"{name}({table}, key={table}.get)", ATOM))


def _is_plain_extreme(node: ast.Call) -> bool:
    """Whether a call asks for an extreme of one collection by its own order."""
    is_extreme = isinstance(node.func, ast.Name) and node.func.id in _EXTREMES
    return is_extreme and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred)


def all_that_share(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[max(votes, key=votes.get)]` becomes `[v for v in votes if votes[v] == max(votes.values())]`, maybe sorted."""
    keys = [option.value for option in node.keywords if option.arg == "key"]
    if not isinstance(node.func, ast.Name) or node.func.id not in _EXTREMES or len(node.args) != 1 or len(keys) != 1:
        return
    items, key = context.text(node.args[0]), keys[0]
    key_text = context.text(key)
    name = "item" if "item" not in context.scope.visible else "item_"
    if key_text == f"{items}.get":
        value, best = f"{items}[{name}]", f"{node.func.id}({items}.values())"
    elif isinstance(key, ast.Name | ast.Attribute):
        value, best = f"{key_text}({name})", f"{node.func.id}(map({key_text}, {items}))"
    else:
        return
    parent = context.parent(node)
    whole = parent if isinstance(parent, ast.List) and len(parent.elts) == 1 else node
    shared = f"{name} for {name} in {items} if {value} == {best}"
    yield context.put(whole, f"[{shared}]", 1.0 if whole is parent else HALF)
    yield context.put(whole, Expression(f"sorted({shared})", ATOM), LIKELY if whole is parent else HALF)


def all_most_common(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[counts.most_common(1)[0][0]]` becomes `[one for one in counts if counts[one] == max(counts.values())]`, maybe
    sorted: several may be as common."""
    found = _MOST_COMMON.fullmatch(context.text(node))
    if found is None:
        return
    counts, one = found["counts"], context.new_name("one", "item")
    around = context.parent(node)
    whole = around if isinstance(around, ast.List) and len(around.elts) == 1 else node
    shared = f"{one} for {one} in {counts} if {counts}[{one}] == max({counts}.values())"
    yield context.put(whole, f"[{shared}]", 1.0 if whole is around else HALF)
    yield context.put(whole, Expression(f"sorted({shared})", ATOM), 1.0 if whole is around else HALF)


_MOST_COMMON: Final = re.compile(r"(?P<counts>[\w.]+)\.most_common\(1?\)\[0\]\[0\]")


def fewer_of_both(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return flips`, which a loop over `row` counts, becomes `return min(flips, len(row) - flips)`: the others may be
    changed as well."""
    if not context.is_read(node) or any(isinstance(part, ast.AugAssign) for part in context.around(node)):
        return
    rounds = context.cached("counted in rounds", lambda: dict(_counted_in_rounds(context)))
    loop, items = rounds.get(node.id, (None, ""))
    if loop is not None and loop not in context.loops_around(node):
        yield context.put(node, f"min({node.id}, len({items}) - {node.id})")


def _counted_in_rounds(context: TemplateContext) -> Iterator[tuple[str, tuple[ast.For, str]]]:
    """The variables that loops count up by one, where a condition holds, with the loop and what it goes through."""
    for loop in (part for part in context.scope.nodes if isinstance(part, ast.For)):
        gone_through = (part.id for part in ast.walk(loop.iter) if isinstance(part, ast.Name))
        names = [name for name in gone_through if name in context.scope.locals]
        for part in context.program.below(loop):
            match part:
                case ast.AugAssign(target=ast.Name(id=count), op=ast.Add(), value=ast.Constant(value=1)) if names:
                    yield count, (loop, names[0])


def take_least(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`number = free.pop()` becomes `number = min(free)` and `free.remove(number)`: the smallest, not the last."""
    call, target = node.value, node.targets[0]
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return
    is_taken = call.func.attr in ("pop", "popleft") and len(call.args) <= 1 and isinstance(target, ast.Name)
    if is_taken and context.kind(call.func.value) in ("list", "set", "") and len(node.targets) == 1:
        items, taken = context.text(call.func.value), context.text(target)
        yield from context.restate(node, (f"{taken} = min({items})", f"{items}.remove({taken})"))
        yield from context.restate(node, (f"{taken} = max({items})", f"{items}.remove({taken})"), HALF)


def largest_of_all(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best = left + right` becomes `best = max(one, other, left + right)` for two variables that nothing reads."""
    value = node.value
    if not isinstance(value, ast.BinOp) or not isinstance(node.targets[0], ast.Name):
        return
    idle = context.scope.unused - {*context.scope.parameters, node.targets[0].id}
    unread = [name for name in context.scope.locals if name in idle]
    if 0 < len(unread) <= _FEW_UNREAD:
        for extreme, weight in (("max", 1.0), ("min", LIKELY)):
            yield context.put(value, f"{extreme}({', '.join((*unread, context.text(value)))})", weight)


_FEW_UNREAD: Final = 2


def least_of_all(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`waiting[0]` becomes `min(waiting)`, and `waiting[0][2]` becomes `min(one[2] for one in waiting)`, where nothing
    has put them in order; of the last one, the largest."""
    place = {"0": "min", "-1": "max"}.get(context.text(node.slice))
    around = context.parent(node)
    if place is None or not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    items, source = node.value.id, context.program.source
    if re.search(rf"\b{items}\.sort\(|\b{items} = sorted\(", source) or isinstance(around, ast.Compare):
        return
    # Whose parts are read by several numbers is a record, of which no part is the least.
    if len(set(re.findall(rf"\b{items}\[(-?\d+)\]", source))) > 1:
        return
    if isinstance(around, ast.Attribute | ast.Subscript) and isinstance(around.ctx, ast.Load) and around.value is node:
        one = context.new_name("one", "item")
        part = context.text(around).removeprefix(context.text(node))
        if not context.is_called(around):
            yield context.put(around, f"{place}({one}{part} for {one} in {items})")
    elif context.is_read(node):
        yield context.put(node, f"{place}({items})")


def turn_heap(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heappush(heap, x)` and `heappop(heap)` become `heappush(heap, -x)` and `-heappop(heap)`: the largest
    comes first."""
    calls = [part for part in context.program.below(node) if isinstance(part, ast.Call)]
    pushed = [call for call in calls if callee_name(call) == "heappush" and len(call.args) == 2]
    popped = [call for call in calls if callee_name(call) == "heappop"]
    if not pushed or not popped or any(isinstance(call.args[1], ast.Tuple | ast.UnaryOp) for call in pushed):
        return
    edits = [
        context.edit(call.args[1], Expression(f"-{context.expression(call.args[1]).at(FACTOR)}")) for call in pushed
    ]
    edits += [context.edit(call, Expression(f"-{context.text(call)}", FACTOR)) for call in popped]
    yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def push_on_heap(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`free.append(x)` becomes `heappush(free, x)` where `heappop(free)` takes from it: an item at the end is in no
    order."""
    is_added = isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "add") and len(node.args) == 1
    if (
        not is_added
        or node.keywords
        or isinstance(node.args[0], ast.Starred)
        or not isinstance(context.parent(node), ast.Expr)
    ):
        return
    heap = context.text(node.func.value)  # type: ignore[attr-defined]
    if heap in context.cached("heaps", lambda: _heaps(context)):
        push, imports = context.member_of("heapq", "heappush")
        added = Edit(*context.program.spans[node], f"{push}({heap}, {context.expression(node.args[0]).at(TEST)})")
        yield WeightedEdits((*imports, added))


def _heaps(context: TemplateContext) -> frozenset[str]:
    """What a function takes from, or puts on, as a heap."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and part.args)
    return frozenset(context.text(call.args[0]) for call in calls if callee_name(call) in _OF_HEAPS)


_OF_HEAPS: Final = frozenset({"heappop", "heappush", "heapreplace", "heappushpop"})


def order_heap_ties(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heappush(heap, (due, job))` becomes `heappush(heap, (due, next(order), job))`: jobs have no order of their own.

    Where nothing counts, `id(job)` stands between.
    """
    pushed = node.args[1] if callee_name(node) == "heappush" and len(node.args) == 2 else None
    if not isinstance(pushed, ast.Tuple) or len(pushed.elts) != 2 or isinstance(pushed.elts[1], ast.Constant):
        return
    at = context.program.spans[pushed.elts[1]][0]
    for counter in context.cached_of_program("counters of itertools", lambda: _counters(context)):
        yield context.replace(at, at, f"next({counter}), ")
    yield context.replace(at, at, f"id({context.text(pushed.elts[1])}), ", HALF)


def _counters(context: TemplateContext) -> tuple[str, ...]:
    """What a program binds to `itertools.count()`."""
    made = (part for part in context.program.nodes if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call))
    return tuple(dict.fromkeys(context.text(p.targets[0]) for p in made if callee_name(p.value) == "count"))  # type: ignore[arg-type]


def at_least_one(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return -(-len(items) // size)` becomes `return max(1, -(-len(items) // size))`: nothing has one page, too."""
    value = node.value
    if isinstance(value, ast.UnaryOp | ast.BinOp) and ("//" in context.text(value) or "len(" in context.text(value)):
        for least in ("1", "0"):
            yield context.put(value, f"max({least}, {context.text(value)})")


def cap_each_period(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(most, (days * 24 + hours) * price)` becomes `days * most + min(most, hours * price)`: each day has its own
    limit."""
    if callee_name(node) != "min" or len(node.args) != 2:
        return
    for most, whole in (node.args, node.args[::-1]):
        factors = (whole.left, whole.right) if isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Mult) else ()
        for both, price in (factors, factors[::-1]) if factors else ():
            periods = both.left if isinstance(both, ast.BinOp) and isinstance(both.op, ast.Add) else None
            if isinstance(periods, ast.BinOp) and isinstance(periods.op, ast.Mult):
                assert isinstance(both, ast.BinOp)
                rest = f"{context.expression(both.right).at(TERM)} * {context.expression(price).at(TERM + 1)}"
                limit = context.expression(most).at(TERM)
                for count in (periods.left, periods.right):
                    if isinstance(count, ast.Name):
                        text = f"{count.id} * {limit} + min({context.text(most)}, {rest})"
                        yield context.put(node, Expression(text, SUM))


def add_after_choice(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(now, free + length)` becomes `max(now, free) + length`: what is added is added to whichever is chosen."""
    if callee_name(node) not in ("max", "min") or len(node.args) < 2 or node.keywords:
        return
    for part in (each for each in node.args if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add | ast.Sub)):
        sign = "+" if isinstance(part.op, ast.Add) else "-"
        pairs = [(part.left, part.right), (part.right, part.left)] if sign == "+" else [(part.left, part.right)]
        for kept, moved in pairs:
            others = [context.text(kept if each is part else each) for each in node.args]
            added = context.expression(moved).at(TERM)
            text = f"{context.text(node.func)}({', '.join(others)}) {sign} {added}"
            yield context.put(node, Expression(text, SUM))


def add_no_less(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += (now - begin) // step` becomes `total += max(0, (now - begin) // step)`: what has not begun takes
    nothing away."""
    value = node.value
    differences = (part for part in ast.walk(value) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub))
    if isinstance(node.op, ast.Add) and isinstance(value, ast.BinOp) and any(differences):
        yield context.put(value, f"max(0, {context.text(value)})")


def keep_the_largest(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(heap) < most: heappush(heap, x)` becomes a push, behind which the smallest goes where there are more than
    `most`: a later one may be larger."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Call(args=[held]), ops=[ast.Lt()], comparators=[most]),
            body=[ast.Expr(value=ast.Call(args=[heap, _]) as push)],
            orelse=[],
        ) if callee_name(push) == "heappush" and context.text(heap) == context.text(held):
            pop = context.text(push.func).replace("heappush", "heappop")
            full = f"if len({context.text(heap)}) > {context.text(most)}:"
            taken = f"\t{pop}({context.text(heap)})"
            if pop not in context.scope.globals and "." not in pop:
                return
            yield from context.restate(node, (context.text(push), full, taken))


def first_of_ties(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(names, key=lambda n: (points[n], n))` becomes `min(names, key=lambda n: (-points[n], n))`: of equal ones the
    first by name; and the other way round."""
    keys = [option.value for option in node.keywords if option.arg == "key"]
    if callee_name(node) not in _EXTREMES or not isinstance(node.func, ast.Name) or len(keys) != 1:
        return
    body = keys[0].body if isinstance(keys[0], ast.Lambda) else None
    if isinstance(body, ast.Tuple) and len(body.elts) > 1:
        first = body.elts[0]
        is_negated = isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.USub)
        value = context.expression(first.operand if is_negated else first)  # type: ignore[attr-defined]
        turned = value if is_negated else Expression(f"-{value.at(FACTOR)}", FACTOR)
        other = Edit(*context.program.spans[node.func], "min" if node.func.id == "max" else "max")
        yield WeightedEdits((other, context.edit(first, turned)))


def leave_out_one_of_each(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if mark != best and mark != worst: total += mark` in a loop adds all of them, and `total -= best + worst` comes
    behind it: one of each is left out, and not all that are alike."""
    test = node.body[0].test if isinstance(node.body[0], ast.If) else None
    added = node.body[0].body[0] if isinstance(node.body[0], ast.If) else None
    if len(node.body) > 1 or not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And) or added is None:
        return
    item, found = context.text(node.target), _ADDED.fullmatch(context.text(added))
    asked = [_UNEQUAL.fullmatch(context.text(value)) for value in test.values]
    if found is None or found["item"] != item or not all(one and one["item"] == item for one in asked):
        return
    others = " + ".join(one["other"] for one in asked if one)
    for after in context.after(node, (f"{found['total']} -= {others}",)):
        for plain in context.restate(node.body[0], (context.text(added),)):
            yield WeightedEdits((*plain.edits, *after.edits))


_ADDED: Final = re.compile(r"(?P<total>\w+)(?: \+= | = (?P=total) \+ )(?P<item>\w+)")
_UNEQUAL: Final = re.compile(r"(?P<item>\w+) != (?P<other>\w+)")


def default_counts_too(node: ast.IfExp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(others) if others else least` becomes `max([*others, least])`, and so does `max(others, default=least)`: it
    is never less than that."""
    call = node.body if isinstance(node, ast.IfExp) else node
    if not isinstance(call, ast.Call) or callee_name(call) not in _EXTREMES or len(call.args) != 1:
        return
    items = context.text(call.args[0])
    if isinstance(node, ast.IfExp):
        default: ast.expr | None = node.orelse if context.text(node.test) == items and not call.keywords else None
    else:
        default = next((k.value for k in call.keywords if k.arg == "default"), None)
    if default is not None and not isinstance(default, ast.Constant) and isinstance(call.args[0], ast.Name):
        yield context.put(node, f"{callee_name(call)}([*{items}, {context.text(default)}])")


def compare_by_rank(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if rank and quality > best_quality: best_rank, best_quality = rank, quality` becomes `if rank > best_rank:`; of
    two that are kept together, the other one decides."""
    kept = [pair for step in node.body if isinstance(step, ast.Assign) for pair in bound_values(step)]
    pairs = [(context.text(best), context.text(new)) for best, new in kept]
    asked = [part for part in ast.walk(node.test) if isinstance(part, ast.Compare) and isinstance(part.ops[0], ORDERS)]
    if len(pairs) < _PAIR_KEPT or len(asked) != 1:
        return
    sides = {context.text(asked[0].left), context.text(asked[0].comparators[0])}
    symbol = COMPARISON_SYMBOLS[type(asked[0].ops[0])]
    if any(sides == {*pair} for pair in pairs):
        for best, new in (pair for pair in pairs if {*pair} != sides):
            yield context.put(node.test, comparison(Expression(new), symbol, Expression(best)))


_PAIR_KEPT = 2


def give_whose_best_it_is(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return best`, where a loop over `day` keeps `best = mean`, becomes `return winner`, which is kept beside it:
    `best, winner = mean, day`."""
    best, block = node.value, context.program.block(node)
    if not isinstance(best, ast.Name):
        return
    for loop in (part for part in block[: block.index(node)] if isinstance(part, ast.For)):
        keeping = [
            step
            for part in ast.walk(loop)
            if isinstance(part, ast.If)
            for step in part.body
            if isinstance(step, ast.Assign) and context.text(step.targets[0]) == best.id
        ]
        owners = [part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)]
        if len(keeping) != 1 or not context.program.alone(loop) or context.text(keeping[0].value) in owners[:1]:
            continue
        winner = context.new_name("winner", "chosen")
        (begun,), (kept,) = (
            tuple(context.before(loop, (f"{winner} = None",))),
            tuple(context.after(keeping[0], (f"{winner} = {owners[0]}",))),
        )
        yield WeightedEdits((*begun.edits, *kept.edits, context.edit(best, Expression(winner))))


TEMPLATES = (
    Template("give_whose_best_it_is", (ast.Return,), give_whose_best_it_is, ("kind:str", "kind")),
    Template("compare_by_rank", (ast.If,), compare_by_rank, ("content", "smaller", "larger")),
    Template("all_most_common", (ast.Subscript,), all_most_common, ("shorter", "content")),
    Template("fewer_of_both", (ast.Name,), fewer_of_both, ("larger",)),
    Template("least_of_all", (ast.Subscript,), least_of_all, ("order", "larger", "smaller")),
    Template("default_counts_too", (ast.IfExp, ast.Call), default_counts_too, ("smaller", "larger")),
    Template("leave_out_one_of_each", (ast.For,), leave_out_one_of_each, ("smaller", "content")),
    Template("first_of_ties", (ast.Call,), first_of_ties, ("order", "content")),
    Template("keep_the_largest", (ast.If,), keep_the_largest, ("content",)),
    Template("add_after_choice", (ast.Call,), add_after_choice, ("smaller", "larger")),
    Template("add_no_less", (ast.AugAssign,), add_no_less, ("smaller",)),
    Template("cap_each_period", (ast.Call,), cap_each_period, ("smaller",)),
    Template("at_least_one", (ast.Return,), at_least_one, ("smaller", "zero")),
    Template("order_heap_ties", (ast.Call,), order_heap_ties, ("type", "order")),
    Template("largest_of_all", (ast.Assign,), largest_of_all, ("content",)),
    Template("push_on_heap", (ast.Call,), push_on_heap, ("order", "content")),
    Template("turn_heap", FUNCTIONS, turn_heap, ("order", "content")),
    Template("take_least", (ast.Assign,), take_least),
    Template("place_of_extreme", (ast.Call,), place_of_extreme, ("index", "content")),
    Template("all_that_share", (ast.Call,), all_that_share, ("shorter", "content", "type")),
)
