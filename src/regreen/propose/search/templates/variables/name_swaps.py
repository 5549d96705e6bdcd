"""Wrong names: another variable of the same kind, an unused one, a misspelt one, an attribute of the object."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import pairwise

from regreen.propose.search.constants import (
    BOUND_NAME_CUTOFF,
    BOUND_NAME_MATCHES,
    FAST_DECLINE,
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_ATTRIBUTES,
    MAX_SWAPPED_ELEMENTS,
    POSSIBLE,
    SAME_ITEMS_BOOST,
    UNBOUND_ATTRIBUTE_CUTOFF,
    UNBOUND_ATTRIBUTE_MATCHES,
    UNBOUND_NAME_CUTOFF,
    UNBOUND_NAME_MATCHES,
    UNLIKELY,
    VERY_IMPROBABLE,
)
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.value_kinds import kind_fit
from regreen.syntax import names_within, walk


def other_name(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes another variable that seems to hold the same kind of value."""
    if not context.is_read(node):
        return
    kind = context.kind(node)
    item_kind = context.scope.items.get(node.id, "")
    ranked = []
    for name in context.scope.locals:
        if name not in (node.id, context.scope.receiver):
            weight = kind_fit(kind, context.scope.kinds.get(name, ""))
            if item_kind and item_kind == context.scope.items.get(name):
                weight = min(1.0, weight * SAME_ITEMS_BOOST)
            ranked.append((-weight, name))
    for weight, name in sorted(ranked, key=lambda pair: pair[0]):
        yield context.put(node, name, -weight)


def name_for_expression(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`gcd(xs[0], x)` becomes `gcd(common, x)`, `len(xs)` becomes `n`: what is meant has a name already."""
    if not context.is_read(node) or isinstance(context.parent(node), ast.Expr | ast.Attribute):
        return
    kind, text = context.kind(node), context.text(node)
    own = names_within(node)
    for name in context.scope.locals:
        if name not in own and name != context.scope.receiver and f"{name} = {text}" not in context.program.source:
            yield context.put(node, name, kind_fit(kind, context.scope.kinds.get(name, "")))


def other_target(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A variable that is assigned becomes another one."""
    if not isinstance(node.ctx, ast.Store):
        return
    parent = context.parent(node)
    share = (
        1.0 if isinstance(parent, ast.AugAssign) else LIKELY if isinstance(parent, ast.Assign | ast.Tuple) else POSSIBLE
    )
    kind = context.kind(node)
    for name in context.scope.locals:
        if name not in (node.id, context.scope.receiver):
            yield context.put(node, name, share * kind_fit(kind, context.scope.kinds.get(name, "")))


def global_name(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A local name becomes a variable of the module, or one module variable another."""
    if not context.is_read(node):
        return
    for name in context.scope.globals:
        if name != node.id and name not in context.scope.assigned:
            yield context.put(node, name, 1.0 if name.isupper() else UNLIKELY)


def misspelt_name(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """An unbound name becomes a bound one, those spelt most alike first."""
    if node.id in context.scope.visible or not isinstance(node.ctx, ast.Load):
        return
    receiver = context.scope.receiver
    if receiver and node.id in (*context.scope.attributes, *context.scope.methods):
        yield context.put(node, Expression(f"{receiver}.{node.id}"))
    near = get_close_matches(node.id, sorted(context.scope.visible), n=UNBOUND_NAME_MATCHES, cutoff=UNBOUND_NAME_CUTOFF)
    yield from (context.put(node, name, 1.0 - FAST_DECLINE * rank) for rank, name in enumerate(near))
    for name in context.scope.locals:
        if name not in near:
            yield context.put(node, name, IMPROBABLE)
    if receiver:
        attributes = context.scope.attributes
        close = get_close_matches(node.id, attributes, n=UNBOUND_ATTRIBUTE_MATCHES, cutoff=UNBOUND_ATTRIBUTE_CUTOFF)
        yield from (context.put(node, Expression(f"{receiver}.{name}"), HALF) for name in close)


def late_name(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A variable becomes another one that is spelt almost alike."""
    if not context.is_read(node):
        return
    names = [n for n in context.scope.locals if n != node.id and len(n) > 2]
    yield from (
        context.put(node, name)
        for name in get_close_matches(node.id, names, n=BOUND_NAME_MATCHES, cutoff=BOUND_NAME_CUTOFF)
    )


def name_to_attribute(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `self.x`, or another attribute of the object."""
    receiver = context.scope.receiver
    if not receiver or node.id == receiver or not context.scope.attributes:
        return
    if isinstance(node.ctx, ast.Store) and not isinstance(context.parent(node), ast.Assign | ast.AugAssign):
        return
    bare = node.id.lstrip("_")
    for attribute in context.scope.attributes:
        same = attribute.lstrip("_") == bare
        parent = context.parent(node)
        if isinstance(parent, ast.Assign) and context.text(parent.targets[0]) == f"{receiver}.{attribute}":
            # It would be given what it is.
            continue
        if same or (context.is_read(node) and isinstance(node.ctx, ast.Load)):
            yield context.put(node, Expression(f"{receiver}.{attribute}"), 1.0 if same else VERY_IMPROBABLE)


def attribute_to_name(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.x` becomes `x` where there is a local of that name."""
    if context.text(node.value) == context.scope.receiver and not isinstance(node.ctx, ast.Del):
        for name in context.scope.locals:
            if name.lstrip("_") == node.attr.lstrip("_"):
                yield context.put(node, name)
            elif isinstance(node.ctx, ast.Load) and not context.is_called(node) and name != context.scope.receiver:
                yield context.put(node, name, VERY_IMPROBABLE)


def other_attribute(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.x` becomes `self.y`; `node.left` becomes `node.right`."""
    if context.is_called(node):
        return
    start = context.program.spans[node][1] - len(node.attr)
    own = context.text(node.value) == context.scope.receiver
    names = context.scope.attributes if own else _attributes_used(context)
    beside = frozenset() if own else _attributes_of_name(context.text(node.value), context)
    for name in names:
        if name != node.attr:
            # What is read of a variable of the same name elsewhere, the object has for sure.
            likely = own or name in beside
            yield context.replace(start, start + len(node.attr), name, 1.0 if likely else HALF if beside else LIKELY)


def _attributes_of_name(name: str, context: TemplateContext) -> frozenset[str]:
    """The attributes that the program reads of any variable of this name."""
    owners = context.cached("attributes of names", lambda: _attributes_by_name(context.program))
    return owners.get(name, frozenset())


def _attributes_by_name(program: ParsedProgram) -> dict[str, frozenset[str]]:
    callees = {n.func for n in program.nodes if isinstance(n, ast.Call)}
    found: dict[str, set[str]] = {}
    for node in program.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node not in callees:
            found.setdefault(node.value.id, set()).add(node.attr)
    return {name: frozenset(attributes) for name, attributes in found.items()}


def _attributes_used(context: TemplateContext) -> list[str]:
    """Attributes that this program reads without calling them."""
    return list(context.cached("attributes", lambda: list(_uncalled(context.program))))


def _uncalled(program: ParsedProgram) -> Iterator[str]:
    callees = {n.func for n in program.nodes if isinstance(n, ast.Call)}
    found = (n.attr for n in program.nodes if isinstance(n, ast.Attribute) and n not in callees)
    yield from list(dict.fromkeys(found))[:MAX_ATTRIBUTES]


def swap_pair(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a, b = x, y` becomes `a, b = y, x` or `b, a = x, y`; neighbours in longer tuples too."""
    for side in (node.value, node.targets[0]):
        if isinstance(side, ast.Tuple) and 2 <= len(side.elts) <= MAX_SWAPPED_ELEMENTS:
            yield from _swapped(side, context)


def swap_returned(node: ast.Return | ast.Yield, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return a, b` becomes `return b, a`."""
    if isinstance(node.value, ast.Tuple) and 2 <= len(node.value.elts) <= MAX_SWAPPED_ELEMENTS:
        yield from _swapped(node.value, context)


def swap_elements(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(a, b)` becomes `(b, a)` wherever it stands."""
    constant = all(isinstance(e, ast.Constant) for e in node.elts)
    if 2 <= len(node.elts) <= MAX_SWAPPED_ELEMENTS and not constant:
        yield from _swapped(node, context)


def _swapped(node: ast.Tuple | ast.List, context: TemplateContext) -> Iterator[WeightedEdits]:
    for index in range(len(node.elts) - 1):
        left, right = node.elts[index], node.elts[index + 1]
        if context.text(left) != context.text(right) and not isinstance(left, ast.Starred):
            yield context.swap(left, right)
    is_starred = isinstance(node.elts[0], ast.Starred)
    if len(node.elts) > 2 and context.text(node.elts[0]) != context.text(node.elts[-1]) and not is_starred:
        yield context.swap(node.elts[0], node.elts[-1])


def swap_unpacked(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{**a, **b}` becomes `{**b, **a}`: of equal keys the last one counts."""
    unpacked = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
    for left, right in pairwise(unpacked):
        if context.text(left) != context.text(right):
            yield context.swap(left, right)


def swap_order(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a, b = x, y` becomes `a = x` and `b = y`, and two assignments become one: the order of evaluation."""
    target = node.targets[0]
    if "\n" in context.text(node):
        return
    if (
        isinstance(target, ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and len(target.elts) == len(node.value.elts) == 2
    ):
        pairs = [f"{context.text(t)} = {context.text(v)}" for t, v in zip(target.elts, node.value.elts, strict=True)]
        yield from context.restate(node, pairs)
        yield from context.restate(node, pairs[::-1])
        return
    block = context.program.block(node)
    index = block.index(node)
    following = block[index + 1] if index + 1 < len(block) else None
    if not isinstance(following, ast.Assign) or "\n" in context.text(following):
        return
    if any(isinstance(one, ast.Tuple) for one in (target, following.targets[0])):
        return
    if context.program.alone(node) and context.program.alone(following):
        targets = f"{context.text(target)}, {context.text(following.targets[0])}"
        text = f"{targets} = {context.text(node.value)}, {context.text(following.value)}"
        start, end = context.program.spans[node][0], context.program.spans[following][1]
        yield context.replace(start, end, text)


_LOADS = (ast.Name,)


def exchange_names(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`other in needs[course]` becomes `course in needs[other]`: two variables have changed places."""
    names = [part for part in walk(node) if isinstance(part, ast.Name) and not context.is_called(part)]
    own = [part for part in names if part.id in context.scope.locals or part.id in context.scope.parameters]
    indices = {id(part.slice) for part in walk(node) if isinstance(part, ast.Subscript)}
    for one in own:
        for other in own:
            is_pair = one.id != other.id and id(one) not in indices and id(other) in indices
            if is_pair and _same_kind(one.id, other.id, context):
                yield WeightedEdits((context.edit(one, Expression(other.id)), context.edit(other, Expression(one.id))))


def _same_kind(one: str, other: str, context: TemplateContext) -> bool:
    kinds = {context.scope.kinds.get(name, "") for name in (one, other)} - {""}
    return len(kinds) < len((one, other))


def keys_by_another_name(node: ast.Call | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen.get(title, 0)` and `seen[title] = ...` become `seen.get(slug, 0)` and `seen[slug] = ...`, all of them at
    once: what is counted goes by another name."""
    found = _key_of(node)
    if found is None:
        return
    table, key = context.text(found[0]), found[1]
    others = (own for part in context.scope.nodes if (own := _key_of(part)) is not None)
    keys = [one for held, one in others if one.id == key.id and context.text(held) == table]
    if len(keys) > 1 and key is keys[0]:
        for name in context.scope.locals:
            if name not in (key.id, table) and context.scope.kinds.get(name, "") in ("str", "int", "tuple", ""):
                yield WeightedEdits(tuple(context.edit(one, Expression(name)) for one in keys))


def _key_of(node: ast.AST) -> tuple[ast.expr, ast.Name] | None:
    """The table and the name by which an entry is looked up or stored."""
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr="get" | "setdefault" | "pop"), args=[ast.Name() as key, *_]):
            return table, key
        case ast.Subscript(value=table, slice=ast.Name() as key):
            return table, key
    return None


def read_what_was_made_of_it(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if word == word[::-1]` behind `w = word.lower()` becomes `if w == w[::-1]`: what was made of it is meant."""
    read = [
        part for part in context.program.below(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    ]
    for old in dict.fromkeys(part.id for part in read):
        same = [part for part in read if part.id == old]
        for new in context.cached("made of a name", lambda: _made_of_names(context)).get(old, ()):
            if len(same) > 1 and new not in {part.id for part in read}:
                yield WeightedEdits(tuple(context.edit(part, Expression(new)) for part in same))


def _made_of_names(context: TemplateContext) -> dict[str, list[str]]:
    """By variable: those that begin as a method's result of it, `w = word.lower()`."""
    found: dict[str, list[str]] = {}
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=new)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=old)))) if (
                new != old
            ):
                found.setdefault(old, []).append(new)
    return found


TEMPLATES = (
    Template("read_what_was_made_of_it", (ast.Compare,), read_what_was_made_of_it, ("content", "shorter", "negated")),
    Template("keys_by_another_name", (ast.Call, ast.Subscript), keys_by_another_name, ("content", "key")),
    Template("exchange_names", (ast.Compare,), exchange_names),
    Template("other_name", _LOADS, other_name),
    Template("name_for_expression", (ast.Subscript, ast.Attribute, ast.Call, ast.BinOp), name_for_expression),
    Template("misspelt_name", _LOADS, misspelt_name, ("name",)),
    Template("late_name", _LOADS, late_name),
    Template("other_target", _LOADS, other_target),
    Template("global_name", _LOADS, global_name),
    Template("name_to_attribute", _LOADS, name_to_attribute, ("name", "unbound")),
    Template("attribute_to_name", (ast.Attribute,), attribute_to_name, ("attribute",)),
    Template("other_attribute", (ast.Attribute,), other_attribute),
    Template("swap_pair", (ast.Assign,), swap_pair),
    Template("swap_returned", (ast.Return, ast.Yield), swap_returned, ("content", "order", "reversed")),
    Template("swap_elements", (ast.Tuple, ast.List), swap_elements, ("order", "reversed")),
    Template("swap_unpacked", (ast.Dict,), swap_unpacked),
    Template("swap_order", (ast.Assign,), swap_order),
)
