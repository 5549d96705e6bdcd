"""Wrong names: another variable of the same kind, one that nobody reads, a misspelt one, an attribute of the object."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from regreen.propose.search.code import Code, binary, call, item
from regreen.propose.search.kinds import fit
from regreen.propose.search.place import Place
from regreen.propose.search.program import Program
from regreen.propose.search.scope import BUILTINS
from regreen.propose.search.template import Drafts, Template


def _is_callee(node: ast.expr, place: Place) -> bool:
    parent = place.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _reads(node: ast.expr, place: Place) -> bool:
    """Whether a name is read as a value (not called, not bound, not a receiver such as `self`)."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or _is_callee(node, place):
        return False
    return not (isinstance(node, ast.Name) and (node.id == place.scope.receiver or node.id in BUILTINS))


def other_name(node: ast.Name, place: Place) -> Drafts:
    """`x` becomes another variable that seems to hold the same kind of value."""
    if not _reads(node, place):
        return
    kind = place.kind(node)
    item = place.scope.items.get(node.id, "")
    ranked = []
    for name in place.scope.locals:
        if name not in (node.id, place.scope.receiver):
            weight = fit(kind, place.scope.kinds.get(name, ""))
            if item and item == place.scope.items.get(name):
                weight = min(1.0, weight * 1.3)
            ranked.append((-weight, name))
    for weight, name in sorted(ranked, key=lambda pair: pair[0]):
        yield place.put(node, name, -weight)


def unused_name(node: ast.expr, place: Place) -> Drafts:
    """A name, a number or a small expression becomes the variable that nobody reads."""
    if not place.scope.unused or not _reads(node, place) or isinstance(place.parent(node), ast.Attribute):
        return
    kind = place.kind(node)
    for name in sorted(place.scope.unused):
        yield place.put(node, name, fit(kind, place.scope.kinds.get(name, "")))


def use_unused(node: ast.expr, place: Place) -> Drafts:
    """`x` becomes `x[:n]`, `x + n`, `x % n`, ... for the variable that nobody reads."""
    if not place.scope.unused or not _reads(node, place) or isinstance(place.parent(node), ast.Attribute | ast.Expr):
        return
    kind, code = place.kind(node), place.code(node)
    for name in sorted(place.scope.unused):
        other = place.scope.kinds.get(name, "")
        if kind in ("list", "str", "tuple", "dict", "") and other in ("int", "str", ""):
            yield from (
                place.put(node, item(code, index.format(name)))
                for index in ("{}", ":{}", "{}:")
                if index == "{}" or kind != "dict"
            )
        if kind in ("int", "float", "") and other in ("int", "float", ""):
            yield from (
                place.put(node, binary(code, symbol, Code(name)), 0.8) for symbol in ("+", "-", "*", "//", "%", "/")
            )
            yield place.put(node, binary(Code(name), "-", code), 0.4)
            yield from (place.put(node, call(f, code, Code(name)), 0.5) for f in ("min", "max"))
        if kind == other and kind in ("str", "list"):
            yield place.put(node, binary(code, "+", Code(name)), 0.8)
            yield place.put(node, binary(Code(name), "+", code), 0.6)


def other_target(node: ast.Name, place: Place) -> Drafts:
    """The variable that is bound or updated becomes another one."""
    if not isinstance(node.ctx, ast.Store):
        return
    parent = place.parent(node)
    share = 1.0 if isinstance(parent, ast.AugAssign) else 0.7 if isinstance(parent, ast.Assign | ast.Tuple) else 0.4
    kind = place.kind(node)
    for name in place.scope.locals:
        if name not in (node.id, place.scope.receiver):
            yield place.put(node, name, share * fit(kind, place.scope.kinds.get(name, "")))


def global_name(node: ast.Name, place: Place) -> Drafts:
    """A local name becomes a variable of the module, or one module variable another."""
    if not _reads(node, place):
        return
    for name in place.scope.globals:
        if name != node.id and name not in place.scope.assigned:
            yield place.put(node, name, 1.0 if name.isupper() else 0.3)


def misspelt_name(node: ast.Name, place: Place) -> Drafts:
    """A name that is not bound anywhere becomes the closest one that is."""
    if node.id in place.scope.visible or not isinstance(node.ctx, ast.Load):
        return
    receiver = place.scope.receiver
    if receiver and node.id in (*place.scope.attributes, *place.scope.methods):
        yield place.put(node, Code(f"{receiver}.{node.id}"))
    near = get_close_matches(node.id, sorted(place.scope.visible), n=6, cutoff=0.5)
    yield from (place.put(node, name, 1.0 - 0.1 * rank) for rank, name in enumerate(near))
    for name in place.scope.locals:
        if name not in near:
            yield place.put(node, name, 0.2)
    if receiver:
        for name in get_close_matches(node.id, place.scope.attributes, n=3, cutoff=0.3):
            yield place.put(node, Code(f"{receiver}.{name}"), 0.5)


def late_name(node: ast.Name, place: Place) -> Drafts:
    """A name that exists but reads as a slip of the fingers beside a very similar one."""
    if not _reads(node, place):
        return
    names = [n for n in place.scope.locals if n != node.id and len(n) > 2]
    yield from (place.put(node, name) for name in get_close_matches(node.id, names, n=2, cutoff=0.75))


def name_to_attribute(node: ast.Name, place: Place) -> Drafts:
    """`x` becomes `self.x`, or another attribute of the object."""
    receiver = place.scope.receiver
    if not receiver or node.id == receiver or not place.scope.attributes:
        return
    if isinstance(node.ctx, ast.Store) and not isinstance(place.parent(node), ast.Assign | ast.AugAssign):
        return
    bare = node.id.lstrip("_")
    for attribute in place.scope.attributes:
        same = attribute.lstrip("_") == bare
        if same or (_reads(node, place) and isinstance(node.ctx, ast.Load)):
            yield place.put(node, Code(f"{receiver}.{attribute}"), 1.0 if same else 0.15)


def attribute_to_name(node: ast.Attribute, place: Place) -> Drafts:
    """`self.x` becomes `x` where there is a local of that name."""
    if place.text(node.value) == place.scope.receiver and not isinstance(node.ctx, ast.Del):
        for name in place.scope.locals:
            if name.lstrip("_") == node.attr.lstrip("_"):
                yield place.put(node, name)
            elif isinstance(node.ctx, ast.Load) and not _is_callee(node, place) and name != place.scope.receiver:
                yield place.put(node, name, 0.15)


def other_attribute(node: ast.Attribute, place: Place) -> Drafts:
    """`self.x` becomes `self.y`; `node.left` becomes `node.right`."""
    if _is_callee(node, place):
        return
    start = place.program.spans[node][1] - len(node.attr)
    own = place.text(node.value) == place.scope.receiver
    names = place.scope.attributes if own else _attributes_used(place)
    for name in names:
        if name != node.attr:
            yield place.replace(start, start + len(node.attr), name, 1.0 if own else 0.7)


def _attributes_used(place: Place) -> list[str]:
    """Attributes that this program reads without calling them."""
    return list(place.cached("attributes", lambda: list(_uncalled(place.program))))


def _uncalled(program: Program) -> Iterator[str]:
    callees = {n.func for n in program.nodes if isinstance(n, ast.Call)}
    found = (n.attr for n in program.nodes if isinstance(n, ast.Attribute) and n not in callees)
    yield from list(dict.fromkeys(found))[:16]


def swap_pair(node: ast.Assign, place: Place) -> Drafts:
    """`a, b = b, a` and `a, b = x, y` with one side the other way round; also three."""
    for side in (node.value, node.targets[0]):
        if isinstance(side, ast.Tuple) and 2 <= len(side.elts) <= 4:
            yield from _swapped(side, place)


def swap_returned(node: ast.Return | ast.Yield, place: Place) -> Drafts:
    """`return a, b` becomes `return b, a`."""
    if isinstance(node.value, ast.Tuple) and 2 <= len(node.value.elts) <= 4:
        yield from _swapped(node.value, place)


def swap_elements(node: ast.Tuple | ast.List, place: Place) -> Drafts:
    """`(a, b)` becomes `(b, a)` wherever it stands."""
    constant = all(isinstance(e, ast.Constant) for e in node.elts)
    if 2 <= len(node.elts) <= 4 and not constant:
        yield from _swapped(node, place)


def _swapped(node: ast.Tuple | ast.List, place: Place) -> Drafts:
    for index in range(len(node.elts) - 1):
        left, right = node.elts[index], node.elts[index + 1]
        if place.text(left) != place.text(right):
            yield place.swap(left, right)


def swap_order(node: ast.Assign, place: Place) -> Drafts:
    """`a, b = x, y` becomes `a = x` then `b = y`, and two assignments in a row become one: order of evaluation."""
    target = node.targets[0]
    if (
        isinstance(target, ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and len(target.elts) == len(node.value.elts) == 2
    ):
        pairs = [f"{place.text(t)} = {place.text(v)}" for t, v in zip(target.elts, node.value.elts, strict=True)]
        yield from place.restate(node, pairs)
        yield from place.restate(node, pairs[::-1])
        return
    block = place.program.block(node)
    index = block.index(node)
    following = block[index + 1] if index + 1 < len(block) else None
    if isinstance(following, ast.Assign) and place.program.alone(node) and place.program.alone(following):
        targets = f"{place.text(target)}, {place.text(following.targets[0])}"
        text = f"{targets} = {place.text(node.value)}, {place.text(following.value)}"
        start, end = place.program.spans[node][0], place.program.spans[following][1]
        yield place.replace(start, end, text)


_LOADS = (ast.Name,)

TEMPLATES = (
    Template("other_name", _LOADS, 0.12, other_name, 2.5),
    Template("unused_name", (ast.Name, ast.Constant, ast.Subscript), 0.15, unused_name, 1),
    Template("use_unused", (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Constant), 0.15, use_unused, 5),
    Template("misspelt_name", _LOADS, 0.5, misspelt_name, 3, ("name",)),
    Template("late_name", _LOADS, 0.02, late_name, 1),
    Template("other_target", _LOADS, 0.04, other_target, 3),
    Template("global_name", _LOADS, 0.01, global_name, 3),
    Template("name_to_attribute", _LOADS, 0.05, name_to_attribute, 1, ("name", "unbound")),
    Template("attribute_to_name", (ast.Attribute,), 0.02, attribute_to_name, 1, ("attribute",)),
    Template("other_attribute", (ast.Attribute,), 0.06, other_attribute, 3),
    Template("swap_pair", (ast.Assign,), 0.02, swap_pair, 2),
    Template("swap_returned", (ast.Return, ast.Yield), 0.02, swap_returned, 1, ("content", "order", "reversed")),
    Template("swap_elements", (ast.Tuple, ast.List), 0.015, swap_elements, 1, ("order", "reversed")),
    Template("swap_order", (ast.Assign,), 0.015, swap_order, 1),
)
