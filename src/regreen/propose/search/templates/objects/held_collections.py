"""Collections that objects hold: items that go to the wrong one, are sought in one alone, or should be asked what the
object itself is asked."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, UNLIKELY
from regreen.propose.search.expressions import (
    ATOM,
    COMPARISON_SYMBOLS,
    Expression,
    binary_operation,
    bool_operation,
    comparison,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import CHANGING_METHODS, callee_name, names_within, walk, whole_number

_ONE, _MANY = frozenset(("append", "appendleft", "add")), frozenset(("extend", "extendleft", "update"))
_IN_ORDER = frozenset(("append", "appendleft", "extend", "extendleft", "pop", "popleft", "insert"))
_WITHOUT_ORDER = frozenset(("add", "update", "discard"))
_VIEWS = frozenset(("items", "keys", "values"))
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp)


def hand_on(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found.update(more)` becomes `pending.extend(more)`: what was found is gone on from, or the other way round."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return
    own, way = context.text(call.func.value), call.func.attr
    if way not in _ONE | _MANY:
        return
    for other, ways in context.cached("collections", lambda: _collections(context)).items():
        if other != own and ways & (_IN_ORDER | _WITHOUT_ORDER):
            pair = ("append", "extend") if ways & _IN_ORDER else ("add", "update")
            yield context.put(call.func, f"{other}.{pair[way in _MANY]}")


def _collections(context: TemplateContext) -> dict[str, frozenset[str]]:
    """The variables and attributes whose methods a function calls, with the methods."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    functions = (part.func for part in context.scope.nodes if isinstance(part, ast.Call))
    for method in functions:
        if isinstance(method, ast.Attribute) and isinstance(method.value, ast.Name | ast.Attribute):
            found[context.text(method.value)].add(method.attr)
    return {name: frozenset(methods) for name, methods in found.items()}


def drop_emptied(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`times[x] -= 1` is followed by `if times[x] == 0: del times[x]`: what is counted down to nothing is gone."""
    if not isinstance(node.op, ast.Sub) or not isinstance(node.target, ast.Subscript):
        return
    entry = context.text(node.target)
    yield from context.after(node, (f"if {entry} == 0:", f"\tdel {entry}"))
    yield from context.after(node, (f"if {entry} <= 0:", f"\tdel {entry}"), UNLIKELY)


def ask_both(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if place in self.opened:` becomes `if place in self.opened or place in self.flags:`, asked for elsewhere."""
    collection = node.comparators[0]
    if (
        len(node.ops) > 1
        or not isinstance(node.ops[0], ast.In | ast.NotIn)
        or not isinstance(collection, ast.Attribute)
    ):
        return
    symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
    owner = context.text(collection.value)
    for other in context.cached("asked attributes", lambda: list(_asked_attributes(context))):
        if other != collection.attr:
            further = comparison(context.expression(node.left), symbol, Expression(f"{owner}.{other}"))
            yield context.put(
                node, bool_operation(context.expression(node), "or" if symbol == "in" else "and", further)
            )


def _asked_attributes(context: TemplateContext) -> Iterator[str]:
    """The attributes in which the program asks for items, each once."""
    asked = (
        n for n in context.program.nodes if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.In | ast.NotIn)
    )
    places = (node.comparators[0] for node in asked)
    yield from dict.fromkeys(place.attr for place in places if isinstance(place, ast.Attribute))


def ask_items(node: ast.ListComp | ast.GeneratorExp | ast.SetComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `def size(self)`, `sum(part.own for part in self.parts)` becomes `sum(part.size() for part in self.parts)`."""
    function, loop = context.scope.function, node.generators[0]
    if function is None or not context.scope.receiver or len(node.generators) > 1:
        return
    if not isinstance(loop.iter, ast.Attribute | ast.Call) or not isinstance(loop.target, ast.Name):
        return
    required = len(context.scope.parameters) - len(function.args.defaults) - 1
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    if required > 0 or any(callee_name(call) == function.name for call in calls):
        return
    is_property = any(isinstance(d, ast.Name) and d.id.endswith("property") for d in function.decorator_list)
    asked = f"{loop.target.id}.{function.name}" + ("" if is_property else "()")
    for part, weight in ((node.elt, 1.0), *((test, HALF) for test in loop.ifs)):
        yield context.put(part, asked, weight)
        yield context.put(part, f"not {asked}", weight * UNLIKELY)


def loop_over_copy(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for listener in self.listeners: listener(event)` loops over `list(self.listeners)`: whoever is called may take
    itself out. So does what takes items out of the collection, or puts them in, in its own body."""
    if _changes(node.body, node.iter, context):
        yield context.wrap(node.iter, "list")
        return
    if not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Attribute):
        return
    asked = (part.func for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Call))
    owners = (asked_of.value if isinstance(asked_of, ast.Attribute) else asked_of for asked_of in asked)
    if any(isinstance(owner, ast.Name) and owner.id == node.target.id for owner in owners):
        yield context.wrap(node.iter, "list")


def _changes(body: list[ast.stmt], gone_through: ast.expr, context: TemplateContext) -> bool:
    """Whether statements put something into what a loop goes through, or take something out; a view is its owner's."""
    is_view = isinstance(gone_through, ast.Call) and callee_name(gone_through) in _VIEWS and not gone_through.args
    owner = gone_through.func if is_view and isinstance(gone_through, ast.Call) else gone_through
    name = context.text(owner.value if is_view and isinstance(owner, ast.Attribute) else owner)
    for part in (part for statement in body for part in walk(statement)):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            if part.func.attr in CHANGING_METHODS and context.text(part.func.value) == name:
                return True
        elif isinstance(part, ast.Delete):
            deleted = (target.value for target in part.targets if isinstance(target, ast.Subscript))
            if any(context.text(value) == name for value in deleted):
                return True
    return False


def grow_own_path(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`path.append(x)` before `queue.append((x, path))` becomes `queue.append((x, path + [x]))`: each way has a list of
    its own."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) != "append" or not isinstance(call.func, ast.Attribute):
        return
    path, block = call.func.value, context.program.block(node)
    place = block.index(node) + 1
    if len(call.args) != 1 or place == len(block) or next(context.loops_around(node), None) is None:
        return
    grown = binary_operation(context.expression(path), "+", Expression(f"[{context.text(call.args[0])}]"))
    for part in context.program.below(block[place]):
        is_handed = isinstance(context.parent(part), ast.Call | ast.Tuple | ast.keyword)
        if isinstance(part, ast.Name) and part.id == context.text(path) and is_handed:
            yield WeightedEdits((*context.delete(node).edits, context.edit(part, grown)))


def last_word(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found = dict(given); found.update(base)` becomes `found = dict(base); found.update(given)`: what comes last has
    the last word."""
    block = context.program.block(node)
    after = block[block.index(node) + 1 :]
    call, copied = (after[0].value if after and isinstance(after[0], ast.Expr) else None), node.value
    if not isinstance(copied, ast.Call) or not isinstance(call, ast.Call) or len(call.args) != 1:
        return
    if context.text(call.func) != f"{context.text(node.targets[0])}.update":
        return
    method = copied.func
    if len(copied.args) == 1 and callee_name(copied) == "dict":
        yield context.swap(copied.args[0], call.args[0])
    elif isinstance(method, ast.Attribute) and method.attr == "copy" and not copied.args:
        yield context.swap(method.value, call.args[0])


def drop_oldest(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(self.done) > self.limit: self.done.pop()` becomes `self.done.pop(0)`: what came last stays."""
    around = next((part for part in context.around(node) if isinstance(part, ast.If | ast.While)), None)
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is None or around is None or callee_name(node) not in ("pop", "popitem") or node.args or node.keywords:
        return
    if f"len({context.text(owner)})" in context.text(around.test):
        first = "last=False" if callee_name(node) == "popitem" else "0"
        yield context.put(node, f"{context.text(node.func)}({first})")


def clear_counterpart(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.undone.append(change)` of what another method takes off and puts on `self.redone` is followed by
    `self.redone.clear()`, in a method that takes nothing off: a new change makes an end of the old ones.

    Where it is kept on some ways alone, `if self.group is None: self.undone.append(change)`, it is one on all of them.
    """
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) != "append" or not isinstance(call.func, ast.Attribute):
        return
    owner = context.text(call.func.value)
    exchanging = context.cached_of_program("exchanging lists", lambda: _exchanging(context))
    for other in sorted(exchanging.get(owner, ())):
        if not any(isinstance(part, ast.Attribute) and context.text(part) == other for part in context.scope.nodes):
            around = [part for part in context.around(node) if isinstance(part, ast.If | ast.Try)]
            yield from context.after(node, (f"{other}.clear()",), HALF if around else 1.0)
            if around:
                yield from context.before(around[-1], (f"{other}.clear()",))


def _exchanging(context: TemplateContext) -> dict[str, set[str]]:
    """The collections of objects of which methods take something off one and put it on the other, either way."""
    found: dict[str, set[str]] = {}
    names = {function.name for function in context.program.functions}
    for function in context.program.functions:
        calls = [part.func for part in walk(function) if isinstance(part, ast.Call)]
        methods = [call for call in calls if isinstance(call, ast.Attribute)]
        taken = {context.text(call.value) for call in methods if call.attr == "pop"}
        given = {context.text(call.value) for call in methods if call.attr == "append"}
        for one in taken:
            found.setdefault(one, set()).update(given - {one})
        # A method that moves from one to the other may be handed both.
        for call in (part for part in walk(function) if isinstance(part, ast.Call)):
            match call.args:
                case [ast.Attribute() as source, ast.Attribute() as target] if callee_name(call) in names:
                    found.setdefault(context.text(source), set()).add(context.text(target))
    return found


def drop_emptied_entry(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`groups[key].remove(x)` is followed by `if not groups[key]: del groups[key]`: what holds nothing more is gone."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) not in ("remove", "discard", "pop", "popleft"):
        return
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(owner, ast.Subscript):
        entry = context.text(owner)
        yield from context.after(node, (f"if not {entry}:", f"\tdel {entry}"))


def forget_otherwise(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if value != 0: self.cells[key] = value` gains `else: self.cells.pop(key, None)`: what was there goes, too."""
    stored = node.body[0]
    if node.orelse or len(node.body) > 1 or not isinstance(stored, ast.Assign):
        return
    entry, value = stored.targets[0], stored.value
    if isinstance(entry, ast.Subscript) and isinstance(value, ast.Name) and value.id in names_within(node.test):
        line = f"{context.text(entry.value)}.pop({context.text(entry.slice)}, None)"
        yield from context.after(node, ("else:", f"\t{line}"))


def ask_for_own_entry(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heap[0][2] not in entries` becomes `entries.get(heap[0][2]) is not heap[0]`: one that was put in anew under the
    same key is not the one that is asked about."""
    left, word = node.left, node.ops[0]
    if len(node.ops) != 1 or not isinstance(word, ast.In | ast.NotIn) or not isinstance(left, ast.Subscript):
        return
    is_first = isinstance(left.value, ast.Subscript) and context.text(left.value.slice) == "0"
    if is_first or isinstance(left.value, ast.Name):
        held = Expression(f"{context.expression(node.comparators[0]).at(ATOM)}.get({context.text(left)})")
        same = ("is", "==") if isinstance(word, ast.In) else ("is not", "!=")
        # What is taken out of a heap is the entry itself.
        yield context.put(node, comparison(held, same[0 if is_first else 1], context.expression(left.value)))
        if (place := whole_number(left.slice)) is not None and place > 0:
            # What stands before the key in the heap is what the table has.
            beginning = Expression(f"{context.expression(left.value).at(ATOM)}[:{place}]", ATOM)
            yield context.put(node, comparison(held, same[1], beginning))


def take_off_the_very_one(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Under `if listener in self.listeners:`, `self.listeners.pop()` becomes `self.listeners.remove(listener)`: the one
    that was asked about goes, and not the last."""
    around = context.parent(node)
    match node.value, around:
        case (
            ast.Call(func=ast.Attribute(value=held, attr="pop"), args=[]),
            ast.If(test=ast.Compare(left=item, ops=[ast.In()])),
        ) if node in around.body:
            yield from context.restate(node, (f"{context.text(held)}.remove({context.text(item)})",))


def move_the_place(node: ast.Delete | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`del self.tracks[place]` is followed by `if place < self.index: self.index -= 1`, where the object keeps a place
    in `self.tracks`: what stands behind the gap moves up."""
    match node:
        case ast.Delete(targets=[ast.Subscript(value=ast.Attribute() as held, slice=ast.Name(id=place))]):
            items = context.text(held)
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Attribute() as held, attr="pop"), args=[ast.Name(id=place)])
        ):
            items = context.text(held)
        case _:
            return
    kept = {
        context.text(part.slice)
        for part in context.program.nodes
        if isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Attribute)
        and context.text(part.value) == items
    }
    for own in sorted(kept):
        yield from context.after(node, (f"if {place} < {own}:", f"\t{own} -= 1"))


TEMPLATES = (
    Template("move_the_place", (ast.Delete, ast.Expr), move_the_place, ("content", "index")),
    Template("take_off_the_very_one", (ast.Expr,), take_off_the_very_one, ("content", "order")),
    Template("ask_for_own_entry", (ast.Compare,), ask_for_own_entry, ("repeats", "key", "content")),
    Template("forget_otherwise", (ast.If,), forget_otherwise, ("longer", "content")),
    Template("drop_emptied_entry", (ast.Expr,), drop_emptied_entry, ("longer", "content")),
    Template("drop_oldest", (ast.Call,), drop_oldest),
    Template("clear_counterpart", (ast.Expr,), clear_counterpart),
    Template("last_word", (ast.Assign,), last_word, ("content",)),
    Template("grow_own_path", (ast.Expr,), grow_own_path, ("longer", "content")),
    Template("loop_over_copy", (ast.For,), loop_over_copy, ("shorter", "content", "changed")),
    Template("hand_on", (ast.Expr,), hand_on, ("shorter", "content")),
    Template("drop_emptied", (ast.AugAssign,), drop_emptied, ("longer", "zero", "empty")),
    Template("ask_both", (ast.Compare,), ask_both, ("longer", "content")),
    Template("ask_items", _COMPREHENSIONS, ask_items, ("shorter", "content")),
)
