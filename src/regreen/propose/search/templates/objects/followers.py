"""Calls that belong to another one: what is done right after it, and what an object does to itself before."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function

_FOLLOWING: Final = {
    "bind": "apply_defaults()",
    "bind_partial": "apply_defaults()",
    "start": "join()",
    "acquire": "release()",
    "execute": "commit()",
    "executemany": "commit()",
    "write": "flush()",
    "get": "task_done()",
    "read": "seek(0)",
    "cancel": "join()",
    "put": "join()",
}
"""By method: what people call next, on its result or on its owner."""


def follow_as_known(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bound = signature.bind(*args)` is followed by `bound.apply_defaults()`, `db.execute(...)` by `db.commit()`."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    call = value.value if isinstance(value, ast.Await) else value
    follower = _FOLLOWING.get(call.func.attr) if _is_method_call(call) else None  # type: ignore[union-attr]
    if follower is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    owners = [context.text(call.func.value)]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        owners.insert(0, node.targets[0].id)
    told = {context.text(part) for part in context.scope.nodes if isinstance(part, ast.Expr)}
    for owner in owners:
        if f"{owner}.{follower}" not in told and "\n" not in owner:
            yield from context.after(node, (f"{owner}.{follower}",))


def _is_method_call(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def call_own_first(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.remove(key)` comes into `add(self, key, value)`: what was there before is taken out first."""
    owner, receiver = context.parent(node), context.scope.receiver
    if not isinstance(owner, ast.ClassDef) or not receiver or node.name.startswith("__"):
        return
    own = {argument.arg for argument in node.args.args}
    called = {context.text(part.func) for part in context.program.below(node) if isinstance(part, ast.Call)}
    body = statements_after_docstring(node)
    for method in owner.body:
        if not isinstance(method, FUNCTIONS) or method is node or method.name.startswith("__") or method.decorator_list:
            continue
        needed = [argument.arg for argument in method.args.args[1 : len(method.args.args) - len(method.args.defaults)]]
        if f"{receiver}.{method.name}" in called or not set(needed) <= own or _gives_result(method):
            continue
        line = f"{receiver}.{method.name}({', '.join(needed)})"
        weight = 1.0 if needed else HALF
        yield from context.before(body[0], (line,), weight)
        if not isinstance(body[-1], ast.Return | ast.Raise):
            yield from context.after(body[-1], (line,), weight * LIKELY)


def _gives_result(method: Function) -> bool:
    """Whether a method is there for what it gives."""
    last = method.body[-1]
    is_result = isinstance(last, ast.Return) and last.value is not None and not isinstance(last.value, ast.Constant)
    return is_result or any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(method))


def move_last_link(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`before.next = here.next` is followed by `if here is self.last: self.last = before`: the last link may be the one
    that goes. So is the whole decision about it."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Attribute) or not isinstance(value, ast.Attribute) or target.attr != value.attr:
        return
    if not isinstance(target.value, ast.Name) or not isinstance(value.value, ast.Name):
        return
    before, gone = target.value.id, value.value.id
    ends = [name for name in context.scope.attributes if name.strip("_") in _LAST_ONES]
    for end in ends if before != gone else ():
        held = f"{context.scope.receiver}.{end}"
        lines = (f"if {gone} is {held}:", f"\t{held} = {before}")
        around = context.parent(node)
        if isinstance(around, ast.If) and around.orelse:
            yield from context.after(around, lines)
        yield from context.after(node, lines)


_LAST_ONES: Final = ("last", "tail", "end", "back", "rear")


def forget_where_it_was(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`held[lab].remove(out)` is followed by `place[out] = None`, or `del place[out]`, where `place[s] = lab` was
    noted: who is put out has no place."""
    match node.value:
        case ast.Call(func=ast.Attribute(attr="remove" | "discard"), args=[ast.Name(id=out)]):
            pass
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=one))]) if one != out:
                yield from context.after(node, (f"{table}[{out}] = None",))
                yield from context.after(node, (f"{table}.pop({out}, None)",), HALF)


TEMPLATES = (
    Template("forget_where_it_was", (ast.Expr,), forget_where_it_was, ("content", "none")),
    Template("move_last_link", (ast.Assign,), move_last_link, ("content", "longer", "none")),
    Template("follow_as_known", (ast.Expr, ast.Assign), follow_as_known, ("none", "shorter", "key")),
    Template("call_own_first", FUNCTIONS, call_own_first, ("longer", "repeats", "content")),
)
