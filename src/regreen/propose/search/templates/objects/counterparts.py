"""What one method does and another one has to undo, or to note: the counterpart of a change, lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import ALMOST_SURE, MAX_COPIED_CHARACTERS, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, is_attribute_of, names_within

OPPOSITES: Final = {
    "add": ("discard", "remove"),
    "append": ("remove", "pop"),
    "remove": ("add", "append"),
    "discard": ("add",),
    "acquire": ("release",),
    "release": ("acquire",),
    "open": ("close",),
    "subscribe": ("unsubscribe",),
    "start": ("stop",),
}
"""Calls, each with those that undo it."""


def undo_elsewhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.free.remove(x)` in one method asks for `self.free.add(x)` in another one, at its end or after a change."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or node.name.startswith("__"):
        return
    own = [part for part in context.program.below(node) if isinstance(part, ast.Call)]
    for line, target in _undoing(owner, node, context):
        if not any(context.text(call.func).startswith(f"{target}.") for call in own if _is_change(call)):
            yield from _put_in(node, line, context)


def _undoing(owner: ast.ClassDef, here: Function, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The opposites of what the other methods change in an attribute, with the attribute."""
    receiver, seen = context.scope.receiver, set()
    for method in owner.body:
        if not isinstance(method, FUNCTIONS) or method is here:
            continue
        for part in ast.walk(method):
            call = part.value if isinstance(part, ast.Expr) else None
            if not isinstance(call, ast.Call) or not _is_change(call) or call.keywords:
                continue
            assert isinstance(call.func, ast.Attribute)
            target = context.text(call.func.value)
            names = names_within(call)
            if not target.startswith(f"{receiver}.") or not names <= context.scope.visible:
                continue
            arguments = ", ".join(map(context.text, call.args))
            for opposite in OPPOSITES[call.func.attr]:
                line = f"{target}.{opposite}({'' if opposite == 'pop' else arguments})"
                if line not in seen and len(line) <= MAX_COPIED_CHARACTERS and "\n" not in line:
                    seen.add(line)
                    yield line, target


def _is_change(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in OPPOSITES


def _put_in(function: Function, line: str, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The line at the end of a method, or after each of its own changes."""
    last = function.body[-1]
    if isinstance(last, ast.Return):
        yield from context.before(last, (line,))
    elif not isinstance(last, ast.Raise):
        yield from context.after(last, (line,))
    for part in context.program.below(function):
        if part is not last and isinstance(part, ast.Assign | ast.AugAssign | ast.Delete | ast.Expr):
            weight = VERY_LIKELY if isinstance(part, ast.Expr) else PROBABLE
            yield from context.after(part, (line,), weight)


def freshen_entry(node: ast.Return | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """What is used anew moves behind all others, where the oldest goes first: `entries.move_to_end(key)`.

    In a plain dictionary it is taken out and put in again: `entries[key] = entries.pop(key)`.
    """
    for table, is_ordered in context.cached("tables by age", lambda: _tables_by_age(context)).items():
        for part in ast.walk(node):
            if isinstance(part, ast.Subscript) and context.text(part.value) == table:
                key = context.text(part.slice)
                line = f"{table}.move_to_end({key})" if is_ordered else f"{table}[{key}] = {table}.pop({key})"
                if isinstance(part.ctx, ast.Load):
                    yield from context.before(node, (line,))
                elif isinstance(part.ctx, ast.Store):
                    fresh = (line,) if is_ordered else (f"{table}.pop({key}, None)",)
                    yield from (context.after if is_ordered else context.before)(node, fresh)


def _tables_by_age(context: TemplateContext) -> dict[str, bool]:
    """The dictionaries whose first entry is looked for, and whether they are of those that can move entries."""
    found: dict[str, bool] = {}
    for call in context.program.nodes:
        if not isinstance(call, ast.Call):
            continue
        if isinstance(call.func, ast.Attribute) and any(word.arg == "last" for word in call.keywords):
            found[context.text(call.func.value)] = True
        elif _calls(call, "iter") and _calls(context.parent(call), "next"):
            found.setdefault(context.text(call.args[0]), False)
    return found


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) == name and bool(node.args)


def tell_item_its_owner(node: ast.Expr | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.children.append(child)` comes after `child.parent = self`, and a `remove` before `child.parent = None`.

    The attribute is one that a class sets to None, or to a parameter of that name, and that the method does not set.
    """
    receiver = context.scope.receiver
    item, is_added = _item_handed_over(node, context)
    if not receiver or item is None:
        return
    for name in context.cached_of_program("attributes of owners", lambda: _attributes_of_owners(context)):
        if f"{item}.{name} = " in context.text(context.scope.function or node):
            continue
        if is_added:
            yield from context.before(node, (f"{item}.{name} = {receiver}",))
            yield from context.after(node, (f"{item}.{name} = {receiver}",), ALMOST_SURE)
        else:
            yield from context.after(node, (f"{item}.{name} = None",))


def _item_handed_over(node: ast.Expr | ast.Assign, context: TemplateContext) -> tuple[str | None, bool]:
    """The variable whose value a statement puts into, or takes out of, what the object holds; and whether it is put."""
    held = f"{context.scope.receiver}."
    if isinstance(node, ast.Assign):
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Subscript) and context.text(target.value).startswith(held):
            return (value.id if isinstance(value, ast.Name) else None), True
        return None, True
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return None, True
    way, item = call.func.attr, call.args[0]
    if way not in ("append", "add", "remove", "discard") or not context.text(call.func.value).startswith(held):
        return None, True
    return (item.id if isinstance(item, ast.Name) else None), way in ("append", "add")


def _attributes_of_owners(context: TemplateContext) -> tuple[str, ...]:
    """The attributes that constructors begin with None, or with a parameter whose default is None."""
    found: dict[str, None] = {}
    for part in context.program.nodes:
        if not isinstance(part, FUNCTIONS) or part.name != "__init__":
            continue
        names = [*part.args.posonlyargs, *part.args.args]
        given = names[len(names) - len(part.args.defaults) :]
        pairs = zip(given, part.args.defaults, strict=True)
        empty = {name.arg for name, default in pairs if context.text(default) == "None"} | {"None"}
        for statement in part.body:
            is_empty = isinstance(statement, ast.Assign) and context.text(statement.value) in empty
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if is_empty and isinstance(target, ast.Attribute):
                found.setdefault(target.attr)
    return tuple(found)


def take_out_everywhere(
    node: ast.Expr | ast.Assign | ast.Delete | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """After `item = self.items.pop(name)` comes `self.tags.pop(name, None)`, or, where another table holds sets or
    lists of names, `for names in self.tags.values(): names.discard(name)`."""
    owner, receiver = context.program.class_of(node), context.scope.receiver
    taken = _taken_out(node, context)
    if owner is None or not receiver or taken is None:
        return
    table, key = taken
    own = context.text(context.scope.function or node)
    put = context.before if isinstance(node, ast.Return) else context.after
    for other, way in context.cached_of_program(f"tables of {owner.name}", lambda: _tables_of(owner, context)).items():
        if other == table or f"{other}." in own or f"{other}[" in own:
            continue
        if not way:
            yield from put(node, (f"{other}.pop({key}, None)",))
        name = context.new_name("names", "held", "group")
        if way == "add":
            yield from put(node, (f"for {name} in {other}.values():", f"\t{name}.discard({key})"))
        elif way == "append":
            lines = (f"for {name} in {other}.values():", f"\tif {key} in {name}:", f"\t\t{name}.remove({key})")
            yield from put(node, lines)


def _taken_out(node: ast.stmt, context: TemplateContext) -> tuple[str, str] | None:
    """The table of the object that a statement takes an entry out of, and the variable that names the entry."""
    if isinstance(node, ast.Delete):
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
            table = context.text(target.value)
            return (table, target.slice.id) if table.startswith(f"{context.scope.receiver}.") else None
        return None
    call = node.value if isinstance(node, ast.Expr | ast.Assign | ast.Return) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
        return None
    table, key = context.text(call.func.value), call.args[0]
    is_own = table.startswith(f"{context.scope.receiver}.") and call.func.attr in ("pop", "remove", "discard")
    return (table, key.id) if is_own and isinstance(key, ast.Name) else None


def _tables_of(owner: ast.ClassDef, context: TemplateContext) -> dict[str, str]:
    """The tables that a class puts entries into, each with how: "" for one value a key, "add", or "append"."""
    found: dict[str, str] = {}
    for part in context.program.below(owner):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            found.setdefault(context.text(part.value), "")
        elif isinstance(part, ast.Attribute) and part.attr in ("add", "append"):
            held = part.value
            if (
                isinstance(held, ast.Call)
                and callee_name(held) == "setdefault"
                and isinstance(held.func, ast.Attribute)
            ):
                found[context.text(held.func.value)] = part.attr
            elif isinstance(held, ast.Subscript):
                found[context.text(held.value)] = part.attr
    return {table: way for table, way in found.items() if table.startswith("self.")}


def undo_both_ways(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`needs.pop(x)` beside `for source in needed_by.pop(x): needs[source].discard(x)` becomes `for target in
    needs.pop(x): needed_by[target].discard(x)`: links are taken out at both ends."""
    gone = _popped(node.value)
    if gone is None:
        return
    table, key = map(context.text, gone)
    for loop in (part for part in context.program.block(node) if isinstance(part, ast.For)):
        other = _popped(loop.iter)
        if other is None or context.text(other[1]) != key or not isinstance(loop.target, ast.Name):
            continue
        for part in context.program.below(loop):
            method = part.func if isinstance(part, ast.Call) and len(part.args) == 1 else None
            if isinstance(method, ast.Attribute) and context.text(method.value) == f"{table}[{loop.target.id}]":
                name = context.new_name("other", "linked")
                lines = (f"for {name} in {table}.pop({key}):", f"\t{context.text(other[0])}[{name}].discard({key})")
                yield from context.restate(node, lines)
                return


def _popped(call: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The table and the key of `table.pop(key)`; None for anything else."""
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "pop"
        and len(call.args) == 1
    ):
        return call.func.value, call.args[0]
    return None


def count_back(node: ast.Expr | ast.Delete, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.lent.pop(title)` becomes `self.number[self.lent.pop(title)] -= 1`, where `self.lent[title] = pupil` comes
    with `self.number[pupil] += 1` in another method: what is given back is not counted any more."""
    owner = context.program.class_of(node)
    taken = _entry_taken(node)
    if owner is None or taken is None or not is_attribute_of(taken[0], context.scope.receiver):
        return
    table, key = map(context.text, taken)
    for counted, amount in context.cached(f"counts by {table}", lambda: list(_counts_by_entry(owner, table, context))):
        if f"{counted}[" not in _text_of(context):
            yield from context.restate(node, (f"{counted}[{table}.pop({key})] -= {amount}",))


def _entry_taken(node: ast.Expr | ast.Delete) -> tuple[ast.expr, ast.expr] | None:
    """Table and key of `table.pop(key)` and of `del table[key]`."""
    if isinstance(node, ast.Expr):
        return _popped(node.value)
    target = node.targets[0]
    return (target.value, target.slice) if isinstance(target, ast.Subscript) and len(node.targets) == 1 else None


def _counts_by_entry(owner: ast.ClassDef, table: str, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The tables that count entries of a table, `count[entry] += 1` beside `table[key] = entry`, and by how much."""
    for method in (part for part in owner.body if isinstance(part, FUNCTIONS)):
        parts = list(ast.walk(method))
        stored = (part for part in parts if isinstance(part, ast.Assign))
        entries = {context.text(part.value) for part in stored if context.text(part.targets[0]).startswith(f"{table}[")}
        for part in parts:
            match part:
                case ast.AugAssign(target=ast.Subscript() as place, op=ast.Add(), value=amount):
                    pass
                case ast.Assign(targets=[ast.Subscript() as place], value=ast.BinOp(op=ast.Add(), right=amount)):
                    pass
                case _:
                    continue
            counted = context.text(place.value)
            if context.text(place.slice) in entries and counted != table:
                yield counted, context.text(amount)


def take_out_the_old(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`index.add(new)` gains `index.remove(old)` before it, where the program takes things out elsewhere: what is
    replaced is not found any more."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
        return
    source, owner = context.program.source, context.text(call.func.value)
    olds = [name for name in context.scope.locals if _OLD.search(name)]
    for opposite in OPPOSITES.get(call.func.attr, ()):
        if f"{owner}.{opposite}(" in source:
            for old in olds:
                yield from context.before(node, (f"{owner}.{opposite}({old})",))


_OLD = re.compile(r"old|prev|before|former|current|existing|stale")


def change_both_tables(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.stock[item] -= n` gains `self.held[item] -= n`, where the class keeps another table by the same keys; and
    what has come to nothing is deleted."""
    target = node.target
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
        return
    key, value = context.text(target.slice), context.text(node.value)
    symbol = "-=" if isinstance(node.op, ast.Sub) else "+="
    if isinstance(node.op, ast.Sub):
        place = context.text(target)
        yield from context.after(node, (f"if not {place}:", f"\tdel {place}"))
    if not isinstance(node.op, ast.Sub | ast.Add) or not is_attribute_of(target.value, context.scope.receiver):
        return
    for name in context.scope.attributes:
        other = f"{context.scope.receiver}.{name}"
        is_table = re.search(rf"{re.escape(other)}(?:\[|\.get\()", context.program.source)
        if is_table and other != context.text(target.value) and f"{other}[{key}]" not in _text_of(context):
            yield from context.after(node, (f"{other}[{key}] {symbol} {value}",))


def _text_of(context: TemplateContext) -> str:
    return context.text(context.scope.function) if context.scope.function is not None else ""


def less_other_table(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self.stock.get(item, 0)` becomes `return self.stock.get(item, 0) - self.held.get(item, 0)`: less what
    another table has of it."""
    call, receiver = node.value, context.scope.receiver
    if not isinstance(call, ast.Call) or callee_name(call) != "get" or len(call.args) != 2 or not receiver:
        return
    if not isinstance(call.func, ast.Attribute) or not is_attribute_of(call.func.value, receiver):
        return
    arguments = ", ".join(map(context.text, call.args))
    for name in context.scope.attributes:
        other = f"{receiver}.{name}"
        if f"{other}.get(" in context.program.source and other != context.text(call.func.value):
            yield context.put(
                call, binary_operation(context.expression(call), "-", Expression(f"{other}.get({arguments})"))
            )


TEMPLATES = (
    Template("count_back", (ast.Expr, ast.Delete), count_back, ("content", "negated")),
    Template("change_both_tables", (ast.AugAssign,), change_both_tables, ("content", "larger")),
    Template("less_other_table", (ast.Return,), less_other_table, ("larger",)),
    Template("take_out_the_old", (ast.Expr,), take_out_the_old, ("content", "longer")),
    Template("undo_both_ways", (ast.Expr,), undo_both_ways, ("content", "longer")),
    Template("tell_item_its_owner", (ast.Expr, ast.Assign), tell_item_its_owner, ("attribute", "none")),
    Template(
        "take_out_everywhere", (ast.Expr, ast.Assign, ast.Delete, ast.Return), take_out_everywhere, ("longer", "key")
    ),
    Template("undo_elsewhere", FUNCTIONS, undo_elsewhere, ("negated", "shorter")),
    Template("freshen_entry", (ast.Return, ast.Assign), freshen_entry, ("key",)),
)
