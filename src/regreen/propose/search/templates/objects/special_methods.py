"""Special methods: equality without a hash, operators that assume an operand of their own class, or lack its twin."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, VERY_LIKELY
from regreen.propose.search.expressions import TERM, TEST
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name

_COMPARING = frozenset(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"))
_WITH_ANOTHER = _COMPARING | {"__add__", "__sub__", "__mul__", "__truediv__", "__radd__", "__and__", "__or__"}


def hash_of_equals(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A class with `__eq__` gets a `__hash__` of the attributes that are compared there."""
    owner = context.parent(node)
    if node.name != "__eq__" or not isinstance(owner, ast.ClassDef):
        return
    if any(isinstance(s, FUNCTIONS) and s.name == "__hash__" for s in owner.body):
        return
    own = context.scope.receiver
    read = (n for n in context.scope.nodes if isinstance(n, ast.Attribute) and n.attr != "__class__")
    names = dict.fromkeys(text for n in read if own and (text := context.text(n)) == f"{own}.{n.attr}")
    if names:
        value = ", ".join(names)
        hashed = f"({value})" if len(names) > 1 else value
        yield from context.after(node, ("", f"def __hash__({own}):", f"\treturn hash({hashed})"))


def fresh_iterator(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self` in `__iter__` becomes `return (self[i] for i in range(len(self)))`: two loops at once have a place
    each."""
    owner, last = context.parent(node), node.body[-1]
    if node.name != "__iter__" or not isinstance(owner, ast.ClassDef) or not isinstance(last, ast.Return):
        return
    own = context.scope.receiver
    methods = {method.name for method in owner.body if isinstance(method, FUNCTIONS)}
    if own and last.value is not None and context.text(last.value) == own and {"__getitem__", "__len__"} <= methods:
        yield context.put(last.value, f"({own}[i] for i in range(len({own})))")


def foreign_operand(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A binary special method returns `NotImplemented` for an operand of another class."""
    owner = context.parent(node)
    if node.name not in _WITH_ANOTHER or not isinstance(owner, ast.ClassDef) or len(node.args.args) != 2:
        return
    other = node.args.args[1].arg
    for given, weight in (("NotImplemented", 1.0), ("False", POSSIBLE)):
        if given == "NotImplemented" or node.name in _COMPARING:
            lines = (f"if not isinstance({other}, {owner.name}):", f"\treturn {given}")
            yield from context.before(statements_after_docstring(node)[0], lines, weight)


def reflected_method(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A class with `__mul__` gets an `__rmul__`, for `2 * v`, and one with `__add__` an `__radd__`, for `sum()`."""
    owner, own = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or node.name not in ("__add__", "__mul__") or len(node.args.args) != 2:
        return
    name = f"__r{node.name[2:]}"
    if any(isinstance(part, FUNCTIONS) and part.name == name for part in owner.body) or not own:
        return
    other = node.args.args[1].arg
    if node.name == "__mul__":
        yield from context.after(node, ("", f"def {name}({own}, {other}):", f"\treturn {own} * {other}"))
        return
    # The sum of nothing is 0, to which the first one is added.
    lines = ("", f"def {name}({own}, {other}):", f"\tif {other} == 0:", f"\t\treturn {own}", "\treturn NotImplemented")
    yield from context.after(node, lines)


_REFLECTED: Final = {"__rsub__": "-", "__rtruediv__": "/", "__rfloordiv__": "//", "__rmod__": "%", "__rpow__": "**"}
"""Methods for the right operand of what gives something else the other way round."""


def reflect_each(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`__rsub__ = __sub__` becomes a method that takes its operand from the other one: `5 - x` is not `x - 5`."""
    owner = context.parent(node)
    if not isinstance(owner, ast.ClassDef):
        return
    edits = []
    for alias in owner.body:
        name = context.text(alias.targets[0]) if isinstance(alias, ast.Assign) else ""
        if name in _REFLECTED and context.text(alias.value) == f"__{name[3:]}":  # type: ignore[attr-defined]
            lines = (f"def {name}(self, other):", f"\treturn {owner.name}(other) {_REFLECTED[name]} self", "")
            change = [edit for found in context.restate(alias, lines) for edit in found.edits]
            edits.append((alias, change))
    if edits and node is edits[0][0] and len(edits) > 1:
        yield WeightedEdits(tuple(edit for _, change in edits for edit in change))
    for alias, change in edits:
        if alias is node and change:
            yield WeightedEdits(tuple(change), VERY_LIKELY)


def give_new_object(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.x += other.x; return self` becomes `return Point(self.x + other.x)`, and so does `self.x = self.x +
    other.x`: the operands stay as they are."""
    owner, body = context.parent(node), statements_after_docstring(node)
    if not isinstance(owner, ast.ClassDef) or not isinstance(body[-1], ast.Return) or len(body) < 2:
        return
    made = next((f for f in owner.body if isinstance(f, FUNCTIONS) and f.name == "__init__"), None)
    receiver, given = context.scope.receiver, body[-1].value
    if made is None or not isinstance(given, ast.Name) or given.id != receiver:
        return
    values: dict[str, str] = {}
    for step in body[:-1]:
        match step:
            case ast.Assign(targets=[ast.Attribute() as target], value=value):
                values[target.attr] = context.expression(value).at(TEST)
            case ast.AugAssign(target=ast.Attribute() as target, op=op, value=value) if type(op) in _SYMBOLS:
                added = context.expression(value).at(TERM)
                values[target.attr] = f"{context.text(target)} {_SYMBOLS[type(op)]} {added}"
            case _:
                return
    fields = [argument.arg for argument in made.args.args[1:]]
    parts = ", ".join(values.get(field, f"{receiver}.{field}") for field in fields)
    if values.keys() <= set(fields):
        start = context.program.first(body[0])
        end = context.program.spans[body[-1]][1]
        yield context.replace(start, end, f"return {owner.name}({parts})")


def end_iteration(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return None` in `__next__` becomes `raise StopIteration`: nothing else ends an iteration."""
    function = context.scope.function
    is_nothing = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    if function is not None and function.name == "__next__" and is_nothing:
        yield from context.restate(node, ("raise StopIteration",))


def object_of_parts(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self.x + other.x, self.y + other.y` in `__add__` becomes `return Point(...)`: an object of its class."""
    function, made = context.scope.function, node.value
    owner = context.parent(function) if function is not None else None
    if not isinstance(owner, ast.ClassDef) or not isinstance(made, ast.Tuple) or function is None:
        return
    begin = next((f for f in owner.body if isinstance(f, FUNCTIONS) and f.name == "__init__"), None)
    if begin is not None and len(begin.args.args) - 1 == len(made.elts):
        parts = ", ".join(map(context.text, made.elts))
        yield context.put(made, f"{owner.name}({parts})", 1.0 if function.name in _WITH_ANOTHER else POSSIBLE)


def override_as_named(node: ast.ClassDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`def Area(self)` of a class whose parent has `area` becomes `def area(self)`: it was meant to take its place."""
    own = {part.name: part for part in node.body if isinstance(part, FUNCTIONS)}
    parents = {context.text(base) for base in node.bases}
    for parent in context.program.nodes:
        if not isinstance(parent, ast.ClassDef) or parent.name not in parents:
            continue
        for method in (part.name for part in parent.body if isinstance(part, FUNCTIONS)):
            if method in own:
                continue
            for near in get_close_matches(method, own, 1, _OVERRIDE_CUTOFF) or [n for n in own if n.lower() == method]:
                start = context.program.source.index(near, context.program.spans[own[near]][0])
                yield context.replace(start, start + len(near), method)


_OVERRIDE_CUTOFF: Final = 0.75
_SYMBOLS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//"}


def own_container(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x in self` within `__contains__` becomes `x in self.items`: asked of the object itself it never ends."""
    function = context.scope.function
    if function is None or function.name not in _OF_CONTAINERS or node.id != context.scope.receiver:
        return
    parent = context.parent(node)
    is_asked = isinstance(parent, ast.Compare | ast.Subscript | ast.comprehension | ast.For | ast.Return)
    if is_asked or (isinstance(parent, ast.Call) and node in parent.args):
        for name in context.scope.attributes[:_MOST_HELD]:
            yield context.put(node, f"{node.id}.{name}")


_OF_CONTAINERS = frozenset(
    ("__contains__", "__len__", "__iter__", "__getitem__", "__bool__", "__next__", "__reversed__")
)
_MOST_HELD: Final = 4


def lost_setter(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A second method of the name of a property, with a value, gets `@name.setter`."""
    owner = context.parent(node)
    if not isinstance(owner, ast.ClassDef) or node.decorator_list or len(node.args.args) != _WITH_VALUE:
        return
    for other in owner.body:
        if not isinstance(other, FUNCTIONS) or other is node or other.name != node.name:
            continue
        if any(context.text(decorator) == "property" for decorator in other.decorator_list):
            yield from context.before(node, (f"@{node.name}.setter",))


_WITH_VALUE: Final = 2


def member_by_value(node: ast.Subscript | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Colour[n]` becomes `Colour(n)`, and the other way round: members of an enumeration by name and by value."""
    if isinstance(node, ast.Call):
        owner, given = node.func, node.args[0] if len(node.args) == 1 and not node.keywords else None
        brackets = "[]"
    else:
        owner, given, brackets = node.value, node.slice, "()"
    if given is None or not isinstance(owner, ast.Name):
        return
    for known in context.program.definitions.get(owner.id, ()):
        bases = {context.text(base) for base in known.bases} if isinstance(known, ast.ClassDef) else set()
        if any("Enum" in base for base in bases):
            yield context.put(node, f"{owner.id}{brackets[0]}{context.text(given)}{brackets[1]}")


def leave_to_other(node: ast.Return | ast.Raise, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return False`, or `raise TypeError`, for an operand of another class becomes `return NotImplemented`: the other
    operand is asked then."""
    function = context.scope.function
    guard = context.parent(node)
    if function is None or function.name not in _WITH_ANOTHER | {"__rsub__", "__rmul__", "__mod__", "__floordiv__"}:
        return
    is_final = isinstance(node, ast.Raise) or isinstance(node.value, ast.Constant)
    if is_final and (guard is function or (isinstance(guard, ast.If) and "isinstance(" in context.text(guard.test))):
        yield context.replace(*context.program.spans[node], "return NotImplemented")


def hash_of_tuples(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hash(self.rows)` becomes `hash(tuple(self.rows))`, or `hash(tuple(map(tuple, self.rows)))`: no list has one."""
    if callee_name(node) == "hash" and len(node.args) == 1:
        values = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else node.args
        for value in (part for part in values if isinstance(part, ast.Attribute | ast.Name)):
            text = context.text(value)
            yield context.put(value, f"tuple({text})")
            yield context.put(value, f"tuple(map(tuple, {text}))", LIKELY)
            yield context.put(value, f"frozenset({text})", HALF)
            yield context.put(value, f"tuple(sorted({text}.items()))", HALF)


def settle_ties(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self.rank > other.rank` of `__lt__` becomes `(other.rank, self.number) < (self.rank, other.number)`: of
    equal ones another attribute decides."""
    compared, function = node.value, context.scope.function
    if not isinstance(compared, ast.Compare) or getattr(function, "name", "") != "__lt__" or len(compared.ops) != 1:
        return
    sides = (compared.left, compared.comparators[0])
    if not all(isinstance(side, ast.Attribute) for side in sides):
        return
    own, asked = context.scope.receiver, sides[0].attr  # type: ignore[attr-defined]
    other = next((name for name in context.scope.parameters if name != own), "")
    if not own or not other:
        return
    falls = isinstance(compared.ops[0], ast.Gt | ast.GtE)
    first, second = (other, own) if falls else (own, other)
    for name in (name for name in context.scope.attributes if name != asked):
        yield context.put(compared, f"({first}.{asked}, {own}.{name}) < ({second}.{asked}, {other}.{name})")


def set_one_by_one(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`super().update(more)` in a class with a `__setitem__` of its own becomes
    `for key, value in dict(more).items(): self[key] = value`: a dict's own methods do not ask it."""
    owner = context.program.class_of(node)
    methods = {part.name for part in owner.body if isinstance(part, FUNCTIONS)} if owner else set()
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(), attr="update") as function) as call):
            if "__setitem__" in methods and context.text(function) == "super().update":
                given = context.text(call).removeprefix("super().update")
                lines = (f"for key, value in dict{given}.items():", f"\t{context.scope.receiver}[key] = value")
                yield from context.restate(node, lines)


TEMPLATES = (
    Template("set_one_by_one", (ast.Expr,), set_one_by_one, ("content", "shorter", "not_raised")),
    Template("settle_ties", (ast.Return,), settle_ties, ("negated", "order", "content")),
    Template("hash_of_tuples", (ast.Call,), hash_of_tuples, ("type",)),
    Template("leave_to_other", (ast.Return, ast.Raise), leave_to_other, ("type", "negated")),
    Template("own_container", (ast.Name,), own_container, ("recursion",)),
    Template("lost_setter", FUNCTIONS, lost_setter, ("type", "attribute")),
    Template("member_by_value", (ast.Subscript, ast.Call), member_by_value, ("key", "convert")),
    Template("end_iteration", (ast.Return,), end_iteration, ("hang", "longer", "type")),
    Template("object_of_parts", (ast.Return,), object_of_parts, ("attribute", "type", "kind")),
    Template("override_as_named", (ast.ClassDef,), override_as_named, ("content", "attribute")),
    Template("give_new_object", FUNCTIONS, give_new_object, ("content",)),
    Template("reflect_each", (ast.Assign,), reflect_each),
    Template("reflected_method", FUNCTIONS, reflected_method, ("type",)),
    Template("hash_of_equals", FUNCTIONS, hash_of_equals, ("type",)),
    Template("fresh_iterator", FUNCTIONS, fresh_iterator, ("shorter", "content")),
    Template("foreign_operand", FUNCTIONS, foreign_operand, ("attribute", "type")),
)
