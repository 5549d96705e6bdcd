"""Items that are equal, or pairs of one key, each of which counts by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import ATOM, SUM, Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import whole_number
from regreen.types import Edit


def add_up_pairs(node: ast.Assign | ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`needed = dict(order)`, or `{name: count for name, count in order}`, becomes a loop with `needed[name] =
    needed.get(name, 0) + count`, or with lists of all that have a key: the last one of a key is not the only one."""
    found = _made_of_pairs(node.value, context) if node.value is not None else None
    if found is None:
        return
    heading, key, value, asked = found
    if isinstance(node, ast.Return):
        name, ending = context.new_name("totals", "sums", "result"), ["return"]
    elif isinstance(node.targets[0], ast.Name):
        name, ending = node.targets[0].id, []
    else:
        return
    indent = "\t\t" if asked else "\t"
    for step, weight in (
        (f"{name}[{key}] = {name}.get({key}, 0) + {value}", 1.0),
        (f"{name}.setdefault({key}, []).append({value})", HALF),
    ):
        lines = [f"{name} = {{}}", heading, *[f"\tif {asked}:"] * bool(asked), f"{indent}{step}"]
        yield from context.restate(node, (*lines, *(f"{word} {name}" for word in ending)), weight)


def _made_of_pairs(node: ast.expr, context: TemplateContext) -> tuple[str, str, str, str] | None:
    """The head of a loop over what a table is made of, the key, the value and the question; None for other values."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Name() | ast.Attribute() as pairs], keywords=[]):
            key, value = context.new_name("key", "name"), context.new_name("value", "amount")
            return f"for {key}, {value} in {context.text(pairs)}:", key, value, ""
        case ast.DictComp(key=key_part, value=value_part, generators=[generator]):
            parts = (generator.target, generator.iter, key_part, value_part)
            target, items, key, value = map(context.text, parts)
            if ".items()" not in items and not items.startswith(("range(", "enumerate(")):
                asked = " and ".join(map(context.text, generator.ifs))
                return f"for {target.removeprefix('(').removesuffix(')')} in {items}:", key, value, asked
    return None


def lists_for_sets(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sums = {0}` and `sums |= {y + x for y in sums}` become `[0]` and `sums += [y + x for y in sums]`: equal ones
    count each by itself."""
    target = node.targets[0]
    begun = isinstance(node.value, ast.Set) or context.text(node.value) == "set()"
    if not isinstance(target, ast.Name) or not begun:
        return
    inner = context.text(node.value)[1:-1] if isinstance(node.value, ast.Set) else ""
    edits = [context.edit(node.value, Expression(f"[{inner}]", ATOM))]
    for part in context.scope.nodes:
        match part:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.BitOr(), value=ast.SetComp() as more) if (
                name == target.id
            ):
                start, end = context.program.spans[part]
                edits.append(Edit(start, end, f"{name} += [{context.text(more)[1:-1]}]"))
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.BinOp(left=held, op=ast.BitOr(), right=ast.SetComp() as more)
            ) if name == target.id and context.text(held) == name:
                start, end = context.program.spans[part]
                edits.append(Edit(start, end, f"{name} = {name} + [{context.text(more)[1:-1]}]"))
    if len(edits) > 1:
        yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def places_of_equals(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[key.index(letter) for letter in sorted(key)]` becomes `sorted(range(len(key)), key=lambda i: key[i])`: of equal
    ones each has a place of its own."""
    match node:
        case ast.ListComp(
            elt=ast.Call(func=ast.Attribute(value=items, attr="index"), args=[ast.Name(id=item)]),
            generators=[ast.comprehension(target=ast.Name(id=name), iter=ast.Call(args=[given, *_]) as order)],
        ) if item == name and context.text(order.func) == "sorted" and context.text(items) == context.text(given):
            held, place = context.text(items), context.new_name("i", "place")
            further = "".join(f", {context.text(part)}" for part in order.keywords if part.arg != "key")
            yield context.put(node, f"sorted(range(len({held})), key=lambda {place}: {held}[{place}]{further})")


def all_such_places(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`place = row.index(best)` and what follows become `for place in range(len(row)): if row[place] == best: ...`:
    there may be several that are equal."""
    block = context.program.block(node)
    rest = block[block.index(node) + 1 :]
    match node:
        case ast.Assign(
            targets=[ast.Name(id=place)], value=ast.Call(func=ast.Attribute(value=items, attr="index"), args=[item])
        ) if rest and not any(isinstance(part, ast.Return) for part in rest):
            pass
        case _:
            return
    held = context.text(items)
    heads = (f"for {place} in range(len({held})):", f"if {held}[{place}] == {context.text(item)}:")
    for lower in context.below(heads, rest) if context.program.alone(node) else ():
        yield WeightedEdits((*context.delete(node).edits, *lower.edits))


def count_where_one_is_stored(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node["end"] = 1` becomes `node["end"] = node.get("end", 0) + 1`: what comes again counts again."""
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or whole_number(node.value) != 1 or isinstance(target.slice, ast.Slice):
        return
    if context.kind(target.value) in ("dict", ""):
        owner, key = context.text(target.value), context.text(target.slice)
        yield context.put(node.value, Expression(f"{owner}.get({key}, 0) + 1", SUM))


def count_all_before(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if key in seen: total += 1` before `seen[key] = True` becomes `total += seen.get(key, 0)`, and `seen[key]` is
    counted: as many as were alike, and not whether there was one."""
    match node:
        case ast.If(
            test=ast.Compare(left=asked, ops=[ast.In()], comparators=[ast.Name(id=seen)]),
            body=[ast.AugAssign(op=ast.Add(), value=ast.Constant(value=1)) as step],
            orelse=[],
        ):
            key, block = context.text(asked), context.program.block(node)
            for kept in block[block.index(node) + 1 :]:
                is_kept = isinstance(kept, ast.Assign) and context.text(kept.targets[0]) == f"{seen}[{key}]"
                if is_kept and isinstance(kept, ast.Assign) and isinstance(kept.value, ast.Constant):
                    for added in context.restate(node, (f"{context.text(step.target)} += {seen}.get({key}, 0)",)):
                        counted = context.edit(kept.value, Expression(f"{seen}.get({key}, 0) + 1", SUM))
                        yield WeightedEdits((*added.edits, counted))


def update_as_elsewhere(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.total = value` becomes `self.total += value`, and `accounts[payee] = amount` `accounts[payee] += amount`,
    where `self.total -= x` or `accounts[payer] -= amount` stands in the program."""
    target, value = node.targets[0], node.value
    if len(node.targets) != 1 or isinstance(value, ast.Constant | ast.Dict | ast.List):
        return
    owner = target.value if isinstance(target, ast.Subscript) else target
    taken_off = context.cached_of_program("what is taken off from", lambda: _taken_off(context))
    if (type(target), context.text(owner)) in taken_off and context.text(target) not in context.text(value):
        yield from context.restate(node, (f"{context.text(target)} += {context.text(value)}",))


def _taken_off(context: TemplateContext) -> frozenset[tuple[type[ast.expr], str]]:
    """What `-=` takes off from: a variable, an attribute, or an entry of a table, by the table."""
    steps = (n for n in context.program.nodes if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Sub))
    targets = [step.target for step in steps]
    return frozenset((type(t), context.text(t.value if isinstance(t, ast.Subscript) else t)) for t in targets)


TEMPLATES = (
    Template("update_as_elsewhere", (ast.Assign,), update_as_elsewhere, ("content", "off_by_one")),
    Template("count_all_before", (ast.If,), count_all_before, ("smaller",)),
    Template("count_where_one_is_stored", (ast.Assign,), count_where_one_is_stored, ("smaller", "repeats")),
    Template("all_such_places", (ast.Assign,), all_such_places, ("shorter", "content")),
    Template("places_of_equals", (ast.ListComp,), places_of_equals, ("content", "repeats")),
    Template("lists_for_sets", (ast.Assign,), lists_for_sets, ("smaller", "content")),
    Template("add_up_pairs", (ast.Assign, ast.Return), add_up_pairs, ("content", "smaller", "repeats")),
)
