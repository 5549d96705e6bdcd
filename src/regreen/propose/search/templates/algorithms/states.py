"""States of a search or of a table of results, of which a part is forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF
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
        edits = [context.edit(place, context.expression(state))]
        edits += _where_remembered(context.text(seen), asked, state, context)
        yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def _longer_states(asked: list[str], context: TemplateContext) -> Iterator[ast.Tuple]:
    """Tuples that a queue is given and that begin with these parts, one of a kind."""
    known: set[str] = set()
    for call in context.scope.nodes:
        if isinstance(call, ast.Call) and callee_name(call) in _PUSHING:
            for part in (part for given in call.args for part in ast.walk(given) if isinstance(part, ast.Tuple)):
                texts = [context.text(one) for one in part.elts]
                if texts[: len(asked)] == asked and len(texts) > len(asked) and context.text(part) not in known:
                    known.add(context.text(part))
                    yield part


def _where_remembered(seen: str, asked: list[str], state: ast.Tuple, context: TemplateContext) -> Iterator[Edit]:
    """The edits that add the whole state, and begin with the whole state that the queue begins with."""
    begun = [part for part in context.scope.nodes if isinstance(part, ast.Tuple) and len(part.elts) == len(state.elts)]
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and callee_name(part) == "add" and isinstance(part.func, ast.Attribute):
            given = part.args[0] if part.args else None
            parts = [context.text(one) for one in given.elts] if isinstance(given, ast.Tuple) else []
            if given is not None and context.text(part.func.value) == seen and parts == asked:
                yield context.edit(given, context.expression(state))
        elif isinstance(part, ast.Assign) and context.text(part.targets[0]) == seen and isinstance(part.value, ast.Set):
            for first in part.value.elts:
                texts = [context.text(one) for one in first.elts] if isinstance(first, ast.Tuple) else []
                whole = next((t for t in begun if [context.text(one) for one in t.elts[: len(texts)]] == texts), None)
                if texts and whole is not None:
                    yield context.edit(first, context.expression(whole))


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


TEMPLATES = (
    Template("remember_whole_state", (ast.Compare,), remember_whole_state, ("content",)),
    Template("keep_flag_of_state", (ast.Tuple,), keep_flag_of_state, ("content",)),
)
