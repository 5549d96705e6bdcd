"""Missing statements that have a twin elsewhere: the same one, or the same with other names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from regreen.propose.search.constants import (
    LIKELY,
    MAX_COPIED_CHARACTERS,
    MAX_CROSSED_PAIRS,
    MAX_LOCAL_NAMES,
    MAX_PARALLEL_ELEMENTS,
    MAX_PARALLEL_STATEMENTS,
    MAX_TWIN_CHARACTERS,
    POSSIBLE,
    PROBABLE,
    UNKNOWN_KIND_FIT,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import OR, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.insertions import INSERTION_POINTS
from regreen.propose.search.value_kinds import kind_fit
from regreen.syntax import names_within, parsed_or_none


def mirror_statement(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.extend(a[i:])` is followed by `out.extend(b[j:])`: the twin that went missing."""
    if "\n" in context.text(node):
        return
    texts = context.cached("texts", lambda: {context.text(n) for n in context.scope.nodes if isinstance(n, ast.stmt)})
    for renaming in context.cached("twins", lambda: list(_twins(context))):
        twin = with_other_names(context.text(node), renaming)
        if twin not in texts and _names_others(node, twin):
            yield from context.after(node, (twin,))
            yield from context.before(node, (twin,), LIKELY)


def _names_others(node: ast.stmt, twin: str) -> bool:
    """Whether a mirrored statement may stand there, and names no variable twice in a row where the first one
    named two: `(x, x)`."""
    parsed = parsed_or_none(twin) if isinstance(node, _PLAIN) else ast.Module([], [])
    return parsed is not None and _repeats(parsed) <= _repeats(node)


_PLAIN = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Delete)
"""Statements that parse by themselves: others may need a loop or a function around them."""


def _repeats(root: ast.AST) -> int:
    rows = [
        part.elts if isinstance(part, ast.Tuple) else part.args for part in ast.walk(root) if isinstance(part, _ROWS)
    ]
    named = ([part.id for part in row if isinstance(part, ast.Name)] for row in rows)
    return sum(len(names) - len(set(names)) for names in named)


_ROWS = (ast.Tuple, ast.Call)


def with_other_names(text: str, names: Mapping[str, str]) -> str:
    """A text with other names in the place of some."""
    return _WORD.sub(lambda match: names.get(match.group(), match.group()), text)


_WORD = re.compile(r"[A-Za-z_]\w*")


def _twins(context: TemplateContext) -> Iterator[dict[str, str]]:
    """Names that play the same part in pieces of the same shape: `i < len(a) and j < len(b)`."""
    seen: set[frozenset[tuple[str, str]]] = set()
    for pieces in _parallels(context):
        for one in pieces:
            for two in pieces:
                found = _renaming(one, two) if one != two else None
                key = frozenset(found.items()) if found else None
                if found and key is not None and key not in seen:
                    seen.add(key)
                    yield found


def _parallels(context: TemplateContext) -> Iterator[list[str]]:
    for node in context.scope.nodes:
        if isinstance(node, ast.BoolOp):
            yield [context.text(value) for value in node.values]
        elif isinstance(node, ast.Tuple | ast.List) and len(node.elts) <= MAX_PARALLEL_ELEMENTS:
            yield [context.text(value) for value in node.elts]
        elif isinstance(node, ast.If) and node.orelse:
            yield from ([context.text(a), context.text(b)] for a, b in zip(node.body, node.orelse, strict=False))
        body = getattr(node, "body", None)
        if isinstance(body, list):
            yield [context.text(s) for s in body if isinstance(s, ast.Assign | ast.Expr | ast.AugAssign)][
                :MAX_PARALLEL_STATEMENTS
            ]


def _renaming(one: str, two: str) -> dict[str, str] | None:
    """The names to change to get from one text to the other, where nothing else differs."""
    if len(one) > MAX_TWIN_CHARACTERS or _WORD.sub("@", one) != _WORD.sub("@", two):
        return None
    pairs = dict(zip(_WORD.findall(one), _WORD.findall(two), strict=True))
    changed = {a: b for a, b in pairs.items() if a != b}
    return changed if len(set(changed.values())) == len(changed) else None


def turn_round(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ways[a].append((b, cost))` is followed by `ways[b].append((a, cost))`: the same the other way round."""
    text = context.text(node)
    if "\n" in text or len(text) > MAX_COPIED_CHARACTERS:
        return
    for one, two in context.cached("pairs of names", lambda: _pairs(context)):
        turned = with_other_names(text, {one: two, two: one})
        if turned not in (text, *context.cached("simple texts", lambda: [t for t, _ in _simple_statements(context)])):
            yield from context.after(node, (turned,))
            yield from context.restate(node, (turned,), PROBABLE)


def _pairs(context: TemplateContext) -> list[tuple[str, str]]:
    """Pairs of names that one loop or assignment binds, and of parameters; `self` left out."""
    parameters = tuple(name for name in context.scope.parameters if name != context.scope.receiver)
    groups = (*context.scope.bound_together, parameters)
    return list(dict.fromkeys(pair for group in groups for pair in combinations(group[:MAX_PARALLEL_ELEMENTS], 2)))


def cross_names(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.setdefault(other, set()).add(target)` becomes `d.setdefault(target, set()).add(other)`."""
    uses: dict[str, list[ast.Name]] = {}
    known = context.scope.locals
    for part in context.program.below(node):
        if isinstance(part, ast.Name) and part.id in known and part.id != context.scope.receiver:
            uses.setdefault(part.id, []).append(part)
    if len(uses) > MAX_PARALLEL_ELEMENTS or "\n" in context.text(node):
        return
    others = context.cached("pairs of names", lambda: _pairs(context))
    pairs = [pair for pair in combinations(uses, 2) if pair not in others and pair[::-1] not in others]
    for one, two in [pair for pair in pairs if _may_cross(uses[pair[0]], uses[pair[1]], context)][:MAX_CROSSED_PAIRS]:
        edits = [context.edit(use, Expression(two)) for use in uses[one]]
        edits += [context.edit(use, Expression(one)) for use in uses[two]]
        kinds = context.scope.kinds
        yield WeightedEdits(tuple(edits), kind_fit(kinds.get(one, ""), kinds.get(two, "")))


def _may_cross(one: list[ast.Name], two: list[ast.Name], context: TemplateContext) -> bool:
    """Whether two names are read as values of like kinds, and not side by side, where other families exchange them."""
    kinds = context.scope.kinds
    if kind_fit(kinds.get(one[0].id, ""), kinds.get(two[0].id, "")) < UNKNOWN_KIND_FIT:
        return False
    uses = (*one, *two)
    if any(not isinstance(use.ctx, ast.Load) or context.is_called(use) for use in uses):
        return False
    if any(isinstance(context.parent(use), ast.Attribute) for use in uses):
        return False
    return not any(context.parent(first) is context.parent(second) for first in one for second in two)


def copy_statement(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A simple statement of the function stands a second time, elsewhere."""
    for text, weight in context.cached("simple", lambda: list(_simple_statements(context))):
        if text != context.text(node):
            yield from context.after(node, (text,), weight)
            yield from context.before(node, (text,), weight * VERY_LIKELY)


def _simple_statements(context: TemplateContext) -> Iterator[tuple[str, float]]:
    seen: set[str] = set()
    for node in context.scope.nodes:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Return):
            text = context.text(node)
            if len(text) <= MAX_COPIED_CHARACTERS and "\n" not in text and text not in seen:
                seen.add(text)
                yield text, POSSIBLE if isinstance(node, ast.Return) else 1.0
    stored = [n for n in context.scope.locals if n in context.scope.assigned][:MAX_LOCAL_NAMES]
    for name in stored:
        for other in context.scope.locals[:MAX_LOCAL_NAMES]:
            if f"{name} = {other}" not in seen and other not in (name, context.scope.receiver):
                yield f"{name} = {other}", PROBABLE


_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)


def assign_as_elsewhere(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`matched = 0` becomes `matched = table[matched - 1]`, which the function gives it in another place, where it may
    not begin anew."""
    target = node.targets[0]
    is_reset = isinstance(node.value, ast.Constant) and any(context.loops_around(node))
    if not isinstance(target, ast.Name) or not is_reset:
        return
    given = (part for part in context.scope.nodes if isinstance(part, ast.Assign) and part is not node)
    values = (context.expression(part.value) for part in given if context.text(part.targets[0]) == target.id)
    for value in dict.fromkeys(values):
        if re.search(rf"\b{target.id}\b", value.text) and "\n" not in value.text:
            yield context.put(node.value, value)


def assign_as_other_function(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`now = combine(day + ONE, OPENS)` in a loop becomes `now = opening(closing, holidays)`, as another function has
    it in a loop with the same names."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or next(context.loops_around(node), None) is None:
        return
    for text, names in context.cached_of_program("calls kept in loops", lambda: _kept_in_loops(context)).get(
        target.id, ()
    ):
        if text != context.text(node.value) and names <= set(context.scope.visible):
            yield context.put(node.value, text)


def _kept_in_loops(context: TemplateContext) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """By variable: the calls that loops of the program assign to it, each with the names that it reads."""
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for part in context.program.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if next(
                context.loops_around(part), None
            ):
                text = context.text(call)
                if "\n" not in text:
                    found.setdefault(name, []).append((text, frozenset(names_within(call))))
    return found


def before_same_exit(node: ast.Return | ast.Raise, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return default` gets `self.misses += 1` before it, as another `return default` of the function has."""
    block, text = context.program.block(node), context.text(node)
    beside = {context.text(part) for part in block}
    for other in (part for part in context.scope.nodes if isinstance(part, ast.Return | ast.Raise)):
        theirs = context.program.block(other)
        before = theirs[: theirs.index(other)]
        if other is node or context.text(other) != text or theirs is block:
            continue
        for part in before[-_NEAREST:]:
            line = context.text(part)
            if isinstance(part, ast.AugAssign | ast.Expr | ast.Assign) and line not in beside and "\n" not in line:
                yield from context.before(node, (line,))


_NEAREST: Final = 2


def same_to_other_attribute(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`part.on_hand -= count` is followed by `part.reserved -= count`, for an attribute that others move alike."""
    target = node.target
    if not isinstance(target, ast.Attribute) or not isinstance(node.op, ast.Add | ast.Sub):
        return
    moved = context.cached_of_program("attributes that move", lambda: _moved_attributes(context))
    held = {part.attr for part in context.scope.nodes if isinstance(part, ast.Attribute)}
    owner, rest = context.text(target.value), context.text(node)[len(context.text(target)) :]
    for name in moved - held if target.attr in moved else ():
        yield from context.after(node, (f"{owner}.{name}{rest}",))


def _moved_attributes(context: TemplateContext) -> frozenset[str]:
    """The attributes that a program adds to or takes from."""
    moved = (part.target for part in context.program.nodes if isinstance(part, ast.AugAssign))
    return frozenset(target.attr for target in moved if isinstance(target, ast.Attribute))


def once_for_both(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: n += 1; ...` and `if b: n += 1; ...` become `if a or b: n += 1` before both: one number for the two of
    them."""
    block = context.program.block(node)
    other = block[block.index(node) + 1] if node is not block[-1] else None
    if not isinstance(other, ast.If) or node.orelse or other.orelse or len(node.body) < 2 or len(other.body) < 2:
        return
    step = node.body[0]
    if not isinstance(step, ast.AugAssign) or context.text(step) != context.text(other.body[0]):
        return
    either = f"if {context.expression(node.test).at(OR)} or {context.expression(other.test).at(OR)}:"
    for put in context.before(node, (either, f"\t{context.text(step)}")):
        yield WeightedEdits((*put.edits, *context.delete(step).edits, *context.delete(other.body[0]).edits))


def enter_other_way_round(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`partner[close] = start` is followed by `partner[start] = close`: what is looked up from both sides is entered
    for both."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or not isinstance(node.value, ast.Name):
        return
    if not isinstance(target.slice, ast.Name) or target.slice.id == node.value.id:
        return
    turned = f"{context.text(target.value)}[{node.value.id}] = {target.slice.id}"
    if turned not in context.program.source:
        yield from context.after(node, (turned,))


TEMPLATES = (
    Template("assign_as_other_function", (ast.Assign,), assign_as_other_function, ("content", "order")),
    Template("enter_other_way_round", (ast.Assign,), enter_other_way_round, ("key", "hang", "content")),
    Template("once_for_both", (ast.If,), once_for_both, ("larger", "content")),
    Template("before_same_exit", (ast.Return, ast.Raise), before_same_exit),
    Template("same_to_other_attribute", (ast.AugAssign,), same_to_other_attribute),
    Template("assign_as_elsewhere", (ast.Assign,), assign_as_elsewhere),
    Template("mirror_statement", _SIMPLE, mirror_statement, ("shorter",)),
    Template("turn_round", _SIMPLE, turn_round, ("shorter", "key")),
    Template("cross_names", (*_SIMPLE, ast.Return), cross_names, ("key",)),
    Template("copy_statement", INSERTION_POINTS, copy_statement, ("shorter",)),
)
