"""Variables that are set once and read, and that no step changes, where one that changes stands in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import bound_values, callee_name, is_attribute_of, names_within, whole_number


def change_what_none_changes(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total *= 2` becomes `factor *= 2`, here or wherever a loop multiplies `total`, where `factor = 1` is read
    later and nothing changes it."""
    if not isinstance(node.target, ast.Name) or next(context.loops_around(node), None) is None:
        return
    alike = [
        part
        for part in context.scope.nodes
        if isinstance(part, ast.AugAssign)
        and type(part.op) is type(node.op)
        and context.text(part.target) == node.target.id
        and any(context.loops_around(part))
    ]
    for name in context.cached("never changed", lambda: _never_changed(context)):
        if name != node.target.id:
            yield from here_or_everywhere(node, {part: context.edit(part.target, Expression(name)) for part in alike})


def _never_changed(context: TemplateContext) -> list[str]:
    """The variables that begin with a number and are read, and that nothing sets anew."""
    begun: dict[str, int] = {}
    for part in context.scope.nodes:
        for target, value in bound_values(part) if isinstance(part, ast.Assign) else ():
            is_number = isinstance(value, ast.Constant) and type(value.value) in (int, float)
            if isinstance(target, ast.Name) and is_number:
                begun[target.id] = 0
    stored = [part.id for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    read = {part.id for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    return [name for name in begun if stored.count(name) == 1 and name in read]


def count_what_is_popped(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`height, count = stack.pop()` in a loop is followed by `held += count`, or under `if height == x:`, where `held =
    1` is kept and nothing changes it: what goes off the stack is counted with what comes."""
    taken = [
        part.targets[0]
        for part in node.body
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call) and callee_name(part.value) == "pop"
    ]
    held = context.cached("never changed", lambda: _never_changed(context)) if taken else []
    for name in held:
        names = [part.id for target in taken for part in ast.walk(target) if isinstance(part, ast.Name)]
        compared = [part for part in sorted(names_within(node.test)) if part not in names]
        for count in reversed(names):
            yield from context.after(node.body[-1], (f"{name} += {count}",))
            for other in (one for one in names if one != count):
                for item in compared:
                    yield from context.after(node.body[-1], (f"if {other} == {item}:", f"\t{name} += {count}"), HALF)


def lower_flag(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if start and ch.isalpha():` ends with `start = False`, where a loop sets `start = True` and no step of it ever
    takes that back; and the same with True and False the other way round."""
    loop = next(context.loops_around(node), None)
    if loop is None or isinstance(node.body[-1], ast.Return | ast.Break | ast.Continue):
        return
    for flag, meant in _asked(node.test):
        if _values_given(flag, loop, context) == {meant}:
            yield from context.after(node.body[-1], (f"{flag} = {not meant}",))


def _asked(test: ast.expr) -> Iterator[tuple[str, bool]]:
    """The bare names that a test asks for, alone or with `and`, each with what it is to be: `start`, `not seen`."""
    for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
        if isinstance(part, ast.Name):
            yield part.id, True
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not) and isinstance(part.operand, ast.Name):
            yield part.operand.id, False


def _values_given(name: str, loop: ast.AST, context: TemplateContext) -> set[object]:
    """What a loop sets a variable to: constants, or a node for anything else."""
    found: set[object] = set()
    for part in context.program.below(loop):
        for target, value in bound_values(part) if isinstance(part, ast.Assign) else ():
            if isinstance(target, ast.Name) and target.id == name:
                found.add(value.value if isinstance(value, ast.Constant) else value)
    return found


def move_the_counter(node: ast.Expr | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heappush(self.heap, (rank, self.counter, item))` gets `self.counter += 1` behind it, where the class begins the
    counter with a number and never moves it."""
    receiver = context.scope.receiver
    read = [part for part in ast.walk(node) if is_attribute_of(part, receiver) and isinstance(part.ctx, ast.Load)]
    for name in dict.fromkeys(part.attr for part in read):
        if name in context.cached_of_program("counters never moved", lambda: _counters_never_moved(context)):
            yield from context.after(node, (f"{receiver}.{name} += 1",))


def _counters_never_moved(context: TemplateContext) -> frozenset[str]:
    """The attributes that are given a whole number once, and read."""
    stored = [n for n in context.program.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    values: dict[str, list[bool]] = {}
    for attribute in stored:
        around = context.parent(attribute)
        is_number = isinstance(around, ast.Assign) and whole_number(around.value) is not None
        values.setdefault(attribute.attr, []).append(is_number)
    return frozenset(name for name, numbers in values.items() if numbers == [True])


TEMPLATES = (
    Template("move_the_counter", (ast.Expr, ast.Assign), move_the_counter, ("order", "content")),
    Template("lower_flag", (ast.If,), lower_flag, ("content", "larger", "longer")),
    Template("count_what_is_popped", (ast.While,), count_what_is_popped, ("smaller", "content")),
    Template("change_what_none_changes", (ast.AugAssign,), change_what_none_changes, ("content", "larger", "smaller")),
)
