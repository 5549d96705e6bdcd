"""Values of a kind that an exception asks for: texts to be joined, items for a set, items with their places."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import AND, Expression, bool_operation, function_call, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, ORDERS, Function, body_after_docstring, callee_name, variables_given
from regreen.types import Edit

_HASHING: Final = frozenset({"set", "frozenset", "Counter", "fromkeys"})
_ORDERED: Final = frozenset({"deque", "list"})
_TAKING: Final = frozenset({"pop", "popleft"})


def append_text(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`digits.append(n % b)` becomes `digits.append(str(n % b))`, where the function joins `digits`."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in ("append", "insert", "appendleft"):
        return
    item = node.args[-1] if node.args else None
    if item is None or isinstance(item, ast.Starred) or context.kind(item) == "str":
        return
    owner = context.text(function.value)
    if owner in context.cached("joined", lambda: _joined(context)):
        yield context.wrap(item, "str")


def _joined(context: TemplateContext) -> frozenset[str]:
    """The lists of which all or a part is joined to a text."""
    found: set[str] = set()
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and callee_name(part) == "join" and len(part.args) == 1:
            items = part.args[0]
            found.add(context.text(items.value if isinstance(items, ast.Subscript) else items))
    return frozenset(found)


def hashable_items(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`set(walls)` becomes `set(map(tuple, walls))`, and `seen.add(row)` becomes `seen.add(tuple(row))`: no lists."""
    if "unhashable" not in context.clues.details or len(node.args) != 1 or isinstance(node.args[0], ast.Starred):
        return
    item = node.args[0]
    if callee_name(node) in _HASHING:
        yield context.put(item, f"map(tuple, {context.text(item)})")
        yield context.put(item, f"map(frozenset, {context.text(item)})", HALF)
    elif callee_name(node) in ("add", "discard", "remove"):
        yield context.wrap(item, "tuple")
        yield context.wrap(item, "frozenset", HALF)


def hashable_key(node: ast.Subscript | ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seen[row]` becomes `seen[tuple(row)]`, `row in seen` becomes `tuple(row) in seen`, where a list was a key."""
    if "unhashable" not in context.clues.details:
        return
    key = node.slice if isinstance(node, ast.Subscript) else node.left
    is_asked = isinstance(node, ast.Subscript) or isinstance(node.ops[0], ast.In | ast.NotIn)
    if isinstance(key, ast.Name) and key.id in context.cached("unhashable names", lambda: _unhashable_names(context)):
        return
    if is_asked and not isinstance(key, ast.Constant | ast.Slice | ast.Tuple):
        yield context.wrap(key, "tuple")
        yield context.wrap(key, "frozenset", HALF)


def _unhashable_names(context: TemplateContext) -> frozenset[str]:
    """The variables that a function binds to a list or a set: what they are bound to is to change, once for all."""
    makers = ("set", "list", "sorted")
    return frozenset(
        variables_given(context.scope.nodes, lambda v: isinstance(v, ast.Call) and context.text(v.func) in makers)
    )


def hashable_value(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key = sorted(word)` becomes `key = "".join(sorted(word))` or `key = tuple(sorted(word))`, where it was a
    key; and so does `key = set(word)`, or it becomes `key = frozenset(word)`."""
    value = node.value
    if isinstance(value, ast.Call) and context.text(value.func) == "set" and len(value.args) == 1:
        if "unhashable" in context.clues.details:
            items = context.text(value.args[0])
            yield context.put(value, f"tuple(sorted({items}))")
            yield context.put(value, f"frozenset({items})", VERY_LIKELY)
            yield context.put(value, f'"".join(sorted({items}))', LIKELY)
        return
    is_list = isinstance(value, ast.ListComp | ast.List) or (
        isinstance(value, ast.Call) and context.text(value.func) in ("sorted", "list")
    )
    if is_list and "unhashable" in context.clues.details:
        yield context.wrap(value, "tuple")
        yield context.put(value, f'"".join({context.text(value)})', LIKELY)
        yield context.wrap(value, "frozenset", HALF)


def list_of_view(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return groups.values()` becomes `return list(groups.values())`, and so do `map(...)`, `reversed(...)` and the
    like: what goes through items once is no list."""
    value = node.value
    if not isinstance(value, ast.Call):
        return
    method = value.func.attr if isinstance(value.func, ast.Attribute) and not value.args else ""
    is_view = method in ("keys", "values", "items")
    is_lazy = isinstance(value.func, ast.Name) and value.func.id in _LAZY
    if is_view or is_lazy:
        yield context.wrap(value, "list")
        yield context.wrap(value, "set", POSSIBLE)
        yield context.wrap(value, "tuple", POSSIBLE)
        if method == "items":
            yield context.wrap(value, "dict", POSSIBLE)


_LAZY: Final = frozenset({"map", "filter", "zip", "reversed", "enumerate", "range"})


def number_items(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`queue = deque(jobs)` becomes `queue = deque(enumerate(jobs))`, where `i, job = queue.popleft()` takes pairs."""
    kept = context.parent(node)
    target = kept.targets[0] if isinstance(kept, ast.Assign) and len(kept.targets) == 1 else None
    if callee_name(node) not in _ORDERED or len(node.args) != 1 or target is None:
        return
    if context.text(target) in context.cached("taken_in_pairs", lambda: _taken_in_pairs(context)):
        items = context.text(node.args[0])
        yield context.put(node.args[0], f"enumerate({items})")
        yield context.put(node.args[0], f"enumerate({items}, 1)", PROBABLE)


def _taken_in_pairs(context: TemplateContext) -> frozenset[str]:
    """The collections of which a function takes two values at a time."""
    found: set[str] = set()
    for part in context.scope.nodes:
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        value = part.value if isinstance(part, ast.Assign) else None
        is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
        if is_pair and isinstance(value, ast.Call) and callee_name(value) in _TAKING:
            found.add(context.text(value.func.value) if isinstance(value.func, ast.Attribute) else "")
    return frozenset(found)


def letters_to_change(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`covered = text`, of which letters are set later, becomes `covered = list(text)`, joined where it is returned."""
    if not isinstance(node.targets[0], ast.Name) or not isinstance(node.value, ast.Name | ast.Call | ast.Attribute):
        return
    listed = context.edit(node.value, function_call("list", context.expression(node.value)))
    yield from _as_letters(node.targets[0].id, (listed,), context)


def letters_of_parameter(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word[0] = c` of a parameter asks for `word = list(word)` first, and for `"".join(word)` where it is returned."""
    body = body_after_docstring(node)
    for name in context.scope.parameters if body else ():
        for made in context.before(body[0], (f"{name} = list({name})",)):
            yield from _as_letters(name, made.edits, context)


def _as_letters(name: str, made: tuple[Edit, ...], context: TemplateContext) -> Iterator[WeightedEdits]:
    """A variable that is made a list of letters, and a text again where it is returned; none where no letter is set."""
    parts = context.scope.nodes
    is_set = any(
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and context.text(part.value) == name
        for part in parts
    )
    returned = [part.value for part in parts if isinstance(part, ast.Return) and part.value is not None]
    whole = [value for value in returned if context.text(value) == name]
    if is_set and whole:
        yield WeightedEdits((*made, *(context.edit(value, Expression(f'"".join({name})')) for value in whole)))


def begin_with_one(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`deque(start)` becomes `deque([start])`: one item is meant, and not those that it is made of."""
    held = node.args[0] if callee_name(node) in _HOLDERS and len(node.args) == 1 and not node.keywords else None
    if isinstance(held, ast.Name | ast.Tuple | ast.Attribute):
        yield context.put(held, f"[{context.program.source[slice(*context.outer(held))]}]")


_HOLDERS: Final = frozenset({"deque", "list", "set", "frozenset"})


def digit_as_text(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bin(mask).count(1)` becomes `bin(mask).count("1")`: of a text only texts are parts."""
    call = context.parent(node)
    if type(node.value) is not int or not isinstance(call, ast.Call) or node not in call.args:
        return
    if isinstance(call.func, ast.Attribute) and call.func.attr in _OF_PARTS:
        yield context.put(node, f'"{node.value}"')


_OF_PARTS: Final = frozenset("count find rfind index startswith endswith split replace strip lstrip rstrip".split())


def ask_for_dict(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key not in data` becomes `not isinstance(data, dict) or key not in data`, where `data = data[key]` goes down."""
    table = node.comparators[0]
    if len(node.ops) > 1 or not isinstance(node.ops[0], ast.In | ast.NotIn) or not isinstance(table, ast.Name):
        return
    for loop in context.loops_around(node):
        for part in context.program.below(loop):
            is_step = isinstance(part, ast.Assign) and isinstance(part.value, ast.Subscript | ast.Call)
            if is_step and context.text(part.targets[0]) == table.id and context.text(part.value).startswith(table.id):  # type: ignore[attr-defined]
                asked = function_call("isinstance", Expression(table.id), Expression("dict"))
                if isinstance(node.ops[0], ast.In):
                    yield context.put(node, bool_operation(asked, "and", context.expression(node)))
                else:
                    yield context.put(
                        node, bool_operation(unary_operation("not", asked), "or", context.expression(node))
                    )
                return


def texts_are_whole(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hasattr(item, "__iter__")` becomes `isinstance(item, (list, tuple))`, or does not hold for a text: that has
    items as well, which are texts."""
    asked = context.text(node.args[1]) if len(node.args) > 1 else ""
    asks = callee_name(node) == "hasattr" and asked[1:-1] == "__iter__"
    asks = asks or (callee_name(node) == "isinstance" and asked.endswith(("Iterable", "Sequence")))
    if not asks or isinstance(context.parent(node), ast.UnaryOp):
        return
    item, prose = context.text(node.args[0]), context.clues.prose
    named = [kind for kind in ("list", "tuple", "set", "dict") if re.search(rf"\b{kind}s?\b", prose)]
    for kinds in dict.fromkeys((tuple(named), ("list", "tuple"), ("list",))):
        if kinds:
            either = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
            yield context.put(node, f"isinstance({item}, {either})")
    other = Expression(f"{context.text(node)} and not isinstance({item}, (str, bytes))", AND)
    yield context.put(node, other, LIKELY)


def as_member(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`data["state"]` becomes `OrderState(data["state"])`, where the module has such an enumeration."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            pass
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str() as key), *_]):
            pass
        case _:
            return
    around = context.parent(node)
    if isinstance(around, ast.Call) and context.text(around.func) in _enumerations(context):
        return
    for name in _enumerations(context):
        if name.lower().endswith(key.replace("_", "").lower()) and context.is_read(node):
            yield context.put(node, f"{name}({context.text(node)})")


def _enumerations(context: TemplateContext) -> list[str]:
    """The classes of the module whose base is `Enum` or one of its kind."""
    return context.cached_of_program("enumerations", lambda: list(_found_enumerations(context)))


def _found_enumerations(context: TemplateContext) -> Iterator[str]:
    for statement in context.program.tree.body:
        if isinstance(statement, ast.ClassDef) and any(context.text(base).endswith("Enum") for base in statement.bases):
            yield statement.name


def length_compared(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row >= grid` becomes `row >= len(grid)`, where the function reads `grid[row]`: a number is compared with how
    many there are."""
    if not all(isinstance(op, ORDERS) for op in node.ops):
        return
    held = context.cached("names with places", lambda: _names_with_places(context))
    sides = (node.left, *node.comparators)
    if sum(isinstance(side, ast.Name) and side.id in held for side in sides) == 1:
        for side in sides:
            if isinstance(side, ast.Name) and side.id in held:
                yield context.wrap(side, "len")


def _names_with_places(context: TemplateContext) -> frozenset[str]:
    """The variables of which a function reads places, or how many they have."""
    read = (part.value for part in context.scope.nodes if isinstance(part, ast.Subscript))
    counted = (part.args[0] for part in context.scope.nodes if isinstance(part, ast.Call) and _is_length(part))
    return frozenset(one.id for one in (*read, *counted) if isinstance(one, ast.Name))


def _is_length(call: ast.Call) -> bool:
    return callee_name(call) == "len" and len(call.args) == 1


def rounds_of_number(node: ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for _ in n` becomes `for _ in range(n)`, where something went through a number."""
    is_number = context.kind(node.iter) == "int"
    if "'int' object is not iterable" in context.clues.details and isinstance(node.iter, ast.Name | ast.BinOp):
        yield context.wrap(node.iter, "range")
    elif is_number:
        yield context.wrap(node.iter, "range", HALF)


TEMPLATES = (
    Template("rounds_of_number", (ast.For, ast.comprehension), rounds_of_number, ("type",)),
    Template("length_compared", (ast.Compare,), length_compared, ("type",)),
    Template("as_member", (ast.Subscript, ast.Call), as_member, ("content", "attribute", "type")),
    Template("texts_are_whole", (ast.Call,), texts_are_whole, ("recursion", "hang", "content")),
    Template("ask_for_dict", (ast.Compare,), ask_for_dict, ("type", "attribute")),
    Template("begin_with_one", (ast.Call,), begin_with_one, ("type", "content")),
    Template("digit_as_text", (ast.Constant,), digit_as_text, ("type", "zero")),
    Template("letters_to_change", (ast.Assign,), letters_to_change, ("type",)),
    Template("letters_of_parameter", FUNCTIONS, letters_of_parameter, ("type",)),
    Template("append_text", (ast.Call,), append_text, ("type",)),
    Template("hashable_items", (ast.Call,), hashable_items, ("type",)),
    Template("hashable_key", (ast.Subscript, ast.Compare), hashable_key, ("type",)),
    Template("hashable_value", (ast.Assign,), hashable_value, ("type",)),
    Template("list_of_view", (ast.Return,), list_of_view, ("type", "content")),
    Template("number_items", (ast.Call,), number_items, ("type",)),
)
