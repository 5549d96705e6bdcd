"""What is known at the end of a loop: that all were done, that one was found, what was passed over."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY, PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, variables_given, whole_number


def all_are_done(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`done > 0` behind the loop that counts `done` becomes `done == n`: not some, all of them."""
    if len(node.ops) != 1 or not isinstance(node.left, ast.Name) or whole_number(node.comparators[0]) is None:
        return
    counted = context.cached("counted by ones", lambda: _counted(context))
    if node.left.id not in counted or next(context.loops_around(node), None) is not None:
        return
    whole = (*(name for name in context.scope.parameters if name != context.scope.receiver), *_lengths(context))
    for rank, name in enumerate(whole):
        is_number = context.scope.kinds.get(name, "") in ("int", "") if name in context.scope.parameters else True
        text = name if is_number else f"len({name})"
        yield context.put(node, f"{node.left.id} == {text}", 1.0 if rank == 0 else LIKELY)


def _counted(context: TemplateContext) -> frozenset[str]:
    """The variables that grow by 1."""
    steps = (part for part in context.scope.nodes if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add))
    return frozenset(s.target.id for s in steps if isinstance(s.target, ast.Name) and whole_number(s.value) == 1)


def _lengths(context: TemplateContext) -> tuple[str, ...]:
    """The variables that are given a length."""
    given = variables_given(context.scope.nodes, lambda v: isinstance(v, ast.Call) and callee_name(v) == "len")
    return tuple(dict.fromkeys(given))


def flag_for_return(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return 0` in a loop becomes `inner = False`, where `inner = True` is read behind it and changed nowhere: the
    rest is to be gone through all the same."""
    if next(context.loops_around(node), None) is None or not isinstance(context.parent(node), ast.If):
        return
    for flag, value in context.cached("flags never moved", lambda: _flags(context)):
        yield from context.restate(node, (f"{flag} = {not value}",))


def _flags(context: TemplateContext) -> list[tuple[str, bool]]:
    """The variables that are given True or False once, and nothing else."""
    stored: dict[str, list[bool | None]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            match context.parent(part):
                case ast.Assign(value=ast.Constant(value=bool(value))):
                    stored.setdefault(part.id, []).append(value)
                case _:
                    stored.setdefault(part.id, []).append(None)
    return [(name, values[0]) for name, values in stored.items() if len(values) == 1 and values[0] is not None]


def entry_for_skipped(node: ast.Continue, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if blocked: continue` becomes `ways[j] = 0` and `continue`, where the rest of the round sets `ways[j]`: what is
    kept from the round before is to go."""
    loop = next(context.loops_around(node), None)
    if loop is None or not isinstance(context.parent(node), ast.If):
        return
    stored = [
        part
        for step in loop.body
        for part in ast.walk(step)
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)
    ]
    for entry in dict.fromkeys(map(context.text, stored)):
        for value, share in (("0", 1.0), ("False", PROBABLE), ("None", PROBABLE)):
            yield from context.before(node, (f"{entry} = {value}",), share)


TEMPLATES = (
    Template("all_are_done", (ast.Compare,), all_are_done, ("negated", "content")),
    Template("flag_for_return", (ast.Return,), flag_for_return, ("content",)),
    Template("entry_for_skipped", (ast.Continue,), entry_for_skipped, ("content",)),
)
