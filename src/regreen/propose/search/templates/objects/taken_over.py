"""What an object should take over from another one, or begin with, since others read it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import FAST_DECLINE, HALF, LIKELY
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name

_LACKING: Final = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_FIRST_VALUES: Final = ("None", "[]", "0", "{}", "False", '""', "set()")


def take_over_field(node: ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`root.right = delete(root.right, heir.key)` comes with `root.key = heir.key`: what takes a place takes over what
    stood there."""
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    given = [argument for call in calls for argument in call.args if isinstance(argument, ast.Attribute)]
    owners = {context.text(a.value) for a in ast.walk(node) if isinstance(a, ast.Attribute)}
    for argument in given:
        for owner in sorted(owners - {context.text(argument.value)}):
            line = f"{owner}.{argument.attr} = {context.text(argument)}"
            if owner.isidentifier() and line not in context.program.source:
                yield from context.before(node, (line,))
                yield from context.after(node, (line,), LIKELY)


def begin_with_field(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.next = None` ends the constructor of a class of which a check told that its objects have no `next`."""
    owner = context.program.class_of(node)
    if owner is None or node.name != "__init__":
        return
    for class_name, field in dict.fromkeys(_LACKING.findall(context.clues.details)):
        if class_name == owner.name and field not in context.scope.attributes:
            given = [name for name in context.scope.parameters if name != context.scope.receiver]
            values = [*(name for name in given if name == field), *_FIRST_VALUES, *(n for n in given if n != field)]
            for rank, value in enumerate(values):
                weight = (
                    max(1.0 - FAST_DECLINE * rank, FAST_DECLINE) if value not in given else 1.0 if rank == 0 else HALF
                )
                yield from context.after(node.body[-1], (f"{context.scope.receiver}.{field} = {value}",), weight)


def total_of_all_below(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1 + len(self.replies)` within `total` becomes `1 + sum(reply.total for reply in self.replies)`: what is below
    those below counts as well."""
    function, given = context.scope.function, node.args[0] if len(node.args) == 1 else None
    if callee_name(node) != "len" or function is None or not context.scope.receiver:
        return
    if isinstance(given, ast.Attribute) and context.text(given.value) == context.scope.receiver:
        is_property = any(context.text(decorator) in _PROPERTIES for decorator in function.decorator_list)
        one, call = context.new_name("child", "one"), "" if is_property else "()"
        total = f"sum({one}.{function.name}{call} for {one} in {context.text(given)})"
        yield context.put(node, Expression(total))


_PROPERTIES: Final = frozenset({"property", "cached_property", "functools.cached_property"})


def read_as_written(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`data["day"]` becomes `date.fromisoformat(data["day"])`, where another method writes `self.day.isoformat()` under
    that key: what is read is made again what it was."""
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    around = context.parent(node)
    if not isinstance(key, str) or not isinstance(node.ctx, ast.Load) or isinstance(around, ast.Subscript):
        return
    written = context.cached_of_program("written under keys", lambda: _written_under_keys(context))
    readers = _READERS.get(written.get(key, ""), ())
    if isinstance(around, ast.Call) and context.text(around.func) in readers:
        return
    for reader in readers:
        module, _, name = reader.partition(".")
        if module in context.scope.globals or not name:
            yield context.put(node, Expression(f"{reader}({context.text(node)})"))


def _written_under_keys(context: TemplateContext) -> dict[str, str]:
    """By key of a display of a dictionary: the method or function by which its value is written."""
    found: dict[str, str] = {}
    for part in context.program.nodes:
        for key, value in zip(part.keys, part.values, strict=True) if isinstance(part, ast.Dict) else ():
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(value, ast.Call):
                found[key.value] = callee_name(value)
    return found


_READERS: Final = {
    "isoformat": ("date.fromisoformat", "datetime.fromisoformat", "time.fromisoformat"),
    "str": ("int", "float", "Decimal", "Path"),
    "list": ("set", "tuple", "deque"),
    "sorted": ("set", "frozenset", "tuple"),
    "total_seconds": ("timedelta",),
    "hex": ("bytes.fromhex",),
}


TEMPLATES = (
    Template("total_of_all_below", (ast.Call,), total_of_all_below, ("smaller", "content")),
    Template("read_as_written", (ast.Subscript,), read_as_written, ("type", "attribute", "content")),
    Template("take_over_field", (ast.Assign, ast.Expr), take_over_field, ("content",)),
    Template("begin_with_field", FUNCTIONS, begin_with_field, ("attribute",)),
)
