"""States of a search or of a table of results, of which a part is forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import Expression
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within
from regreen.types import Edit

_PUSHING = frozenset({"append", "appendleft", "put", "heappush", "push", "add"})
_FEWEST_PARTS = 2


def remember_whole_state(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if (a, b) in seen` and `seen.add((a, b))` become `(a, b, keys)`, where `(a, b, keys)` is what a queue is given:
    one place may be reached in several states."""
    place, seen = node.left, node.comparators[0]
    if not isinstance(node.ops[0], ast.In | ast.NotIn) or not isinstance(place, ast.Tuple):
        return
    asked = [context.text(part) for part in place.elts]
    for state in _longer_states(asked, context):
        edits = [context.edit(place, _written(state, context))]
        edits += _where_remembered(context.text(seen), asked, state, context)
        yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def _written(state: Sequence[ast.expr], context: TemplateContext) -> Expression:
    return Expression(f"({', '.join(context.text(part) for part in state)})")


def _longer_states(asked: list[str], context: TemplateContext) -> Iterator[list[ast.expr]]:
    """The parts of tuples that a queue is given and that begin with these, one of a kind; and the first ones of them:
    what counts the steps is no state."""
    known: set[str] = set()
    for call in context.scope.nodes:
        if isinstance(call, ast.Call) and callee_name(call) in _PUSHING:
            for part in (part for given in call.args for part in ast.walk(given) if isinstance(part, ast.Tuple)):
                texts = [context.text(one) for one in part.elts]
                if texts[: len(asked)] == asked and len(texts) > len(asked) and context.text(part) not in known:
                    known.add(context.text(part))
                    yield from (part.elts[:size] for size in range(len(texts), len(asked), -1))


def _where_remembered(
    seen: str, asked: list[str], state: Sequence[ast.expr], context: TemplateContext
) -> Iterator[Edit]:
    """The edits that add the whole state, and begin with the whole state that the queue begins with."""
    for given in (call.args[0] for call in _calls_of_add(seen, context)):
        if isinstance(given, ast.Tuple) and [context.text(one) for one in given.elts] == asked:
            yield context.edit(given, _written(state, context))
    begun = [part for part in context.scope.nodes if isinstance(part, ast.Tuple) and len(part.elts) >= len(state)]
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == seen and isinstance(part.value, ast.Set):
            for first in part.value.elts:
                texts = [context.text(one) for one in first.elts] if isinstance(first, ast.Tuple) else []
                whole = next((t for t in begun if [context.text(one) for one in t.elts[: len(texts)]] == texts), None)
                if texts and whole is not None and len(texts) < len(state):
                    yield context.edit(first, _written(whole.elts[: len(state)], context))


def keep_flag_of_state(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(total + d, d == top)`, made of a state `(total, tight)`, becomes `(total + d, tight and d == top)`: what no
    longer held does not hold again."""
    if not isinstance(node.ctx, ast.Load) or len(node.elts) < _FEWEST_PARTS:
        return
    for loop in context.loops_around(node):
        for state in _states_of(loop):
            if len(state.elts) != len(node.elts):
                continue
            for was, part in zip(state.elts, node.elts, strict=True):
                if isinstance(was, ast.Name) and isinstance(part, ast.Compare) and was.id not in names_within(part):
                    yield context.put(part, f"{was.id} and {context.text(part)}")
                    yield context.put(part, f"{was.id} or {context.text(part)}", HALF)


def _states_of(loop: ast.For | ast.AsyncFor | ast.While) -> Iterator[ast.Tuple]:
    """The tuples of names that a loop unpacks what it goes through into, or its first statement does."""
    first = loop.body[0]
    targets = [loop.target] if isinstance(loop, ast.For | ast.AsyncFor) else []
    targets += [first.targets[0]] if isinstance(first, ast.Assign) else []
    for target in targets:
        yield from (part for part in ast.walk(target) if isinstance(part, ast.Tuple))


def state_besides_place(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`town in settled` and `settled.add(town)` become `(town, used) in settled` and `settled.add((town, used))`: what
    was taken off the queue tells more than the place."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn) or not isinstance(node.left, ast.Name):
        return
    place, seen = node.left.id, context.text(node.comparators[0])
    marks = [call.args[0] for call in _calls_of_add(seen, context) if context.text(call.args[0]) == place]
    taken = (part.targets[0] for part in context.scope.nodes if isinstance(part, ast.Assign))
    for target in taken:
        names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
        if not isinstance(target, ast.Tuple) or place not in names or not marks:
            continue
        for other in names:
            if other != place:
                state = Expression(f"({place}, {other})")
                asked = context.edit(node.left, state)
                added = (context.edit(mark, state) for mark in marks)
                yield WeightedEdits(tuple(sorted((asked, *added), key=lambda edit: edit.start)))


def _calls_of_add(seen: str, context: TemplateContext) -> Iterator[ast.Call]:
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and len(part.args) == 1)
    return (call for call in calls if context.text(call.func) == f"{seen}.add")


def key_with_state(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key = (row, column)`, which is looked for among those seen, becomes `key = (row, column, heading)`: the same
    place is another state where what else the loop changes is another."""
    key, value = node.targets[0], node.value
    loop = next(context.loops_around(node), None)
    if loop is None or not isinstance(key, ast.Name) or not isinstance(value, ast.Tuple | ast.Name):
        return
    asked = (part for part in ast.walk(loop) if isinstance(part, ast.Compare) and isinstance(part.left, ast.Name))
    if not any(part.left.id == key.id and isinstance(part.ops[0], ast.In | ast.NotIn) for part in asked):  # type: ignore[attr-defined]
        return
    parts = [context.text(part) for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
    bound = dict.fromkeys(
        part.id for part in ast.walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )
    for name in bound:
        if name not in (key.id, *parts) and name in {*context.scope.parameters, *_bound_before(loop, context)}:
            yield context.put(value, f"({', '.join([*parts, name])})")


def _bound_before(loop: ast.AST, context: TemplateContext) -> set[str]:
    """The variables that have a value when a loop begins."""
    names = (part for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return {part.id for part in names if part.lineno < loop.lineno}  # type: ignore[attr-defined]


def state_with_the_rest(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`state = (ny, nx)` in a walk that takes `y, x, used, steps` off its queue becomes `state = (ny, nx, used)`: what
    was done on the way may be another state."""
    value = node.value
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    if not isinstance(node.targets[0], ast.Name) or not any(context.loops_around(node)):
        return
    if not all(isinstance(part, ast.Name) for part in parts):
        return
    own = [context.text(part) for part in parts]
    for taken in (*_taken_off_queues(context), *_put_into_queues(own, context)):
        for rest in taken[len(own) :]:
            if rest not in own and rest.isidentifier():
                yield context.put(value, f"({', '.join([*own, rest])})")


def _taken_off_queues(context: TemplateContext) -> Iterator[list[str]]:
    """The parts of what is taken off a queue or a heap, where they get names at once."""
    assigned = [part for part in context.scope.nodes if isinstance(part, ast.Assign)]
    calls = ((part.targets[0], part.value) for part in assigned if isinstance(part.value, ast.Call))
    for target, call in calls:
        if isinstance(target, ast.Tuple) and callee_name(call) in ("popleft", "pop", "heappop", "get"):
            yield [context.text(name) for name in target.elts]


def _put_into_queues(own: list[str], context: TemplateContext) -> Iterator[list[str]]:
    """The parts of what is put into a queue or a heap, where the first of them are these."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and callee_name(part) in ("append", "heappush", "put") and part.args:
            put = part.args[-1]
            parts = [context.text(item) for item in put.elts] if isinstance(put, ast.Tuple) else []
            if parts[: len(own)] == own:
                yield parts


TEMPLATES = (
    Template("state_besides_place", (ast.Compare,), state_besides_place, ("larger", "content")),
    Template("key_with_state", (ast.Assign,), key_with_state, ("longer", "shorter", "content")),
    Template("state_with_the_rest", (ast.Assign,), state_with_the_rest, ("larger", "content", "none")),
    Template("remember_whole_state", (ast.Compare,), remember_whole_state, ("content",)),
    Template("keep_flag_of_state", (ast.Tuple,), keep_flag_of_state, ("content",)),
)
