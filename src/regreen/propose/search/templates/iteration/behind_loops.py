"""What is missing behind a loop: a refusal of what is left, the last carry, what is still at hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import (
    LIKELY,
    MAX_COPIED_CHARACTERS,
    POSSIBLE,
    PROBABLE,
    VERY_LIKELY,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.raise_lines import raise_lines
from regreen.syntax import bound_values, callee_name, names_within, walk


def refuse_left_over(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop that gathers in `part` and empties it, `if part: raise ...` or `if part: return False`."""
    if context.scope.function is None:
        return
    for name in _emptied(node, context):
        for line, weight in context.cached("refusals", lambda: list(_refusals(context))):
            yield from context.after(node, (f"if {name}:", f"\t{line}"), weight)


def for_each_entry(node: ast.Expr | ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`groups[key].sort()` behind a loop becomes `for key in groups: groups[key].sort()`: `key` is what the last round
    left in it."""
    block = context.program.block(node)
    loops = [part for part in block[: block.index(node)] if isinstance(part, ast.For | ast.While)]
    inner = next((part for part in context.program.below(node) if isinstance(part, ast.Subscript)), None)
    if not loops or inner is None or not isinstance(inner.slice, ast.Name) or "\n" in context.text(node):
        return
    table, key = context.text(inner.value), inner.slice.id
    bound = (part for part in context.program.below(loops[-1]) if isinstance(part, ast.Name))
    if any(part.id == key and isinstance(part.ctx, ast.Store) for part in bound):
        items = f"range(len({table}))" if context.kind(inner.value) == "list" else table
        yield from context.restate(node, (f"for {key} in {items}:", f"\t{context.text(node)}"))


def _emptied(loop: ast.For | ast.While, context: TemplateContext) -> tuple[str, ...]:
    """The variables that rounds of a loop both fill and empty, and that were there before it."""
    filled: dict[str, None] = {}
    emptied: set[str] = set()
    for part in context.program.below(loop):
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            if isinstance(part.op, ast.Add):
                filled.setdefault(part.target.id)
            else:
                emptied.add(part.target.id)
        elif isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and _is_empty(part.value):
            emptied.add(part.targets[0].id)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            owner = context.text(part.func.value)
            if part.func.attr in _FILLING:
                filled.setdefault(owner)
            elif part.func.attr in _EMPTYING:
                emptied.add(owner)
    return tuple(name for name in filled if name in emptied)


def _starts(loop: ast.For | ast.While, context: TemplateContext) -> dict[str, str]:
    """The variables that begin with another one just before a loop, with that: `node = tree`."""
    block = context.program.block(loop)
    begun = [part for part in block[: block.index(loop)] if isinstance(part, ast.Assign)]
    named = ((part.targets[0], part.value) for part in begun)
    return {t.id: v.id for t, v in named if isinstance(t, ast.Name) and isinstance(v, ast.Name)}


def refuse_where_on_the_way(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop whose rounds go on from `node = tree`, and come back to it, `if node is not tree: raise ...`: it may
    end on the way."""
    if context.scope.function is None:
        return
    starts = _starts(node, context)
    sets = [part for part in context.program.below(node) if isinstance(part, ast.Assign)]
    for name, start in starts.items():
        given = [context.text(part.value) for part in sets if context.text(part.targets[0]) == name]
        if start in given and len(given) > 1:
            for line, weight in context.cached("refusals", lambda: list(_refusals(context))):
                yield from context.after(node, (f"if {name} is not {start}:", f"\t{line}"), weight)
                yield from context.after(node, (f"if {name} != {start}:", f"\t{line}"), weight * PROBABLE)


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return not value.value
    return isinstance(value, ast.List | ast.Tuple) and not value.elts


_FILLING = ("append", "add", "push", "appendleft")
_EMPTYING = ("pop", "popleft", "remove", "discard", "clear")


def _refusals(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """Ways to refuse an input: the function's own `raise` first, then those of the checks, and what it returns."""
    raised = dict.fromkeys(context.text(part) for part in context.scope.nodes if isinstance(part, ast.Raise))
    own = [line for line in raised if "\n" not in line and line != "raise" and len(line) <= MAX_COPIED_CHARACTERS]
    yield from ((line, 1.0) for line in own)
    yield from ((line, VERY_LIKELY) for line in raise_lines(context))
    returned = (part for part in context.scope.nodes if isinstance(part, ast.Return) and part.value is not None)
    for line in dict.fromkeys(context.text(part) for part in returned if _reads_nothing(part.value)):
        yield line, PROBABLE


def _reads_nothing(value: ast.expr | None) -> bool:
    """Whether a value is the same whatever was handed over: `None`, `-1`, `[]`, `(0, 0)`."""
    return value is not None and not any(isinstance(part, ast.Name | ast.Attribute | ast.Call) for part in walk(value))


def last_carry(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop that writes digits and carries on, `carry, digit = divmod(total, base)` and `digits.append(digit)`,
    comes `if carry: digits.append(carry)`: the last one is written as well."""
    for carried, digit in _carried(node, context):
        for part in context.program.below(node):
            if not isinstance(part, ast.Expr | ast.Assign | ast.AugAssign) or digit not in context.text(part):
                continue
            if carried in names_within(part) or not _grows(part, context):
                continue
            line = re.sub(rf"(?<![\w.]){re.escape(digit)}(?!\w)", carried, context.text(part))
            if "\n" not in line and carried in line:
                yield from context.after(node, (f"if {carried}:", f"\t{line}"))


def _carried(loop: ast.For | ast.While, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """What a loop divides and hands on to its next round, with the rest that it writes: a name, or a remainder."""
    for part in context.program.below(loop):
        if not isinstance(part, ast.Assign):
            continue
        target, value = part.targets[0], part.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Call) and callee_name(value) == "divmod":
            match target.elts:
                case [ast.Name(id=carried), ast.Name(id=rest)]:
                    yield carried, rest
        elif isinstance(target, ast.Name) and isinstance(value, ast.BinOp) and isinstance(value.op, ast.FloorDiv):
            yield target.id, f"{context.text(value.left)} % {context.text(value.right)}"


def _grows(statement: ast.stmt, context: TemplateContext) -> bool:
    """Whether a statement adds to a list or a text."""
    if isinstance(statement, ast.Expr):
        call = statement.value
        return isinstance(call, ast.Call) and callee_name(call) in ("append", "insert", "appendleft")
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    return isinstance(target, ast.Name) and context.scope.kinds.get(target.id, "") in ("str", "list")


def refuse_rest(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop that takes from `amount`, `if amount > 0: return None`: what is left of it was not served."""
    end = context.program.block(node)[-1]
    if context.scope.function is None or not isinstance(end, ast.Return):
        return
    taken = (part for part in context.program.below(node) if isinstance(part, ast.AugAssign))
    names = {part.target.id for part in taken if isinstance(part.op, ast.Sub) and isinstance(part.target, ast.Name)}
    ways = dict(reversed((*context.cached("refusals", lambda: list(_refusals(context))), *_USUAL_REFUSALS)))
    ways.pop(context.text(end), None)
    for name in sorted(names - names_within(end)):
        for line, weight in ways.items():
            yield from context.after(node, (f"if {name} > 0:", f"\t{line}"), weight)
            yield from context.after(node, (f"if {name}:", f"\t{line}"), weight * POSSIBLE)


_USUAL_REFUSALS: Final = (("return None", PROBABLE), ("return -1", POSSIBLE), ("return False", POSSIBLE))


def put_away_first(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pieces.append(word[:n])` in a loop is preceded by `if line: pieces.append(line)` and `line = ""`, where that
    stands behind the loop: what is at hand comes before."""
    loop = next(iter(context.loops_around(node)), None)
    if loop is None:
        return
    for name, line, start in context.cached("put away", lambda: list(_put_away(context))):
        into = line.split("(", 1)[0]
        is_other = any(into + "(" in text for text in context.text(node).split("\n")) and line not in context.text(node)
        if is_other and not (isinstance(node, ast.Expr | ast.If) and name in names_within(node)):
            yield from context.before(node, (f"if {name}:", f"\t{line}", f"\t{name} = {start}"))


def _put_away(context: TemplateContext) -> Iterator[tuple[str, str, str]]:
    """What is put away at the end, `if line: lines.append(line)`: its name, how, and what it begins with."""
    for part in context.scope.nodes:
        if not isinstance(part, ast.If) or not isinstance(part.test, ast.Name) or len(part.body) != 1 or part.orelse:
            continue
        line, name = context.text(part.body[0]), part.test.id
        start = _first_empty(name, context)
        if start and not any(context.loops_around(part)) and line.endswith(f"({name})"):
            yield name, line, start


def _first_empty(name: str, context: TemplateContext) -> str:
    """The empty value that a variable begins with; empty where it begins with something."""
    for part in (part for part in context.scope.nodes if isinstance(part, ast.Assign)):
        for target, value in bound_values(part):
            if context.text(target) == name and _is_empty(value):
                return context.text(value)
    return ""


def empty_behind_loop(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop over `range(n)` that takes off a stack what `i` settles, `length[stack.pop()] = i`, the rest is
    settled by `n`: the same, without the condition."""
    counter, bound = node.target, node.iter
    inner = next((part for part in node.body if isinstance(part, ast.While)), None)
    if inner is None or not isinstance(counter, ast.Name) or not isinstance(bound, ast.Call) or not bound.args:
        return
    test = inner.test
    stack = test.values[0] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else None
    if callee_name(bound) != "range" or not isinstance(stack, ast.Name):
        return
    last = context.text(bound.args[min(1, len(bound.args) - 1)])
    if not re.fullmatch(r"\w+|len\(\w+\)", last) or any("\n" in context.text(part) for part in inner.body):
        return
    lines = [re.sub(rf"\b{counter.id}\b", last, context.text(part)) for part in inner.body]
    yield from context.after(node, (f"while {stack.id}:", *(f"\t{line}" for line in lines)))


_ENDS: Final = re.compile(r"(?:^|_)(?:end|close|closes|closing|stop|last|limit|until|finish|length|total|high)(?:_|$)")
_ENDS_OF_A_GAP: Final = 2


def last_gap(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop with `gaps.append((since, booking.start))` and `since = booking.end` comes
    `gaps.append((since, self.closes))`: from the last one to what nobody has read so far, or what is called an end.
    Where the loop asks first, `if booking.start - since >= least:`, it is asked of the end likewise."""
    moved = {context.text(part.targets[0]) for part in node.body if isinstance(part, ast.Assign)}
    read = {context.text(part) for part in context.scope.nodes if isinstance(part, ast.Name | ast.Attribute)}
    own = [f"{context.scope.receiver}.{name}" for name in context.scope.attributes] if context.scope.receiver else []
    ends = {name: LIKELY for name in (*context.scope.parameters, *own) if _ENDS.search(name)}
    ends |= {name: 1.0 for name in (*context.scope.parameters, *own) if name not in read}
    for part in node.body:
        asked = part if isinstance(part, ast.If) and len(part.body) == 1 and not part.orelse else None
        kept = asked.body[0] if asked is not None else part
        call = kept.value if isinstance(kept, ast.Expr) else None
        pair = call.args[0] if isinstance(call, ast.Call) and callee_name(call) == "append" and call.args else None
        if not isinstance(call, ast.Call) or not isinstance(pair, ast.Tuple) or len(pair.elts) != _ENDS_OF_A_GAP:
            continue
        begun, ended = map(context.text, pair.elts)
        for end, weight in ends.items() if begun in moved else ():
            line = f"{context.text(call.func)}(({begun}, {end}))"
            if asked is None:
                yield from context.after(node, (line,), weight)
            else:
                test = re.sub(rf"(?<![\w.]){re.escape(ended)}(?!\w)", end, context.text(asked.test))
                yield from context.after(node, (f"if {test}:", f"\t{line}"), weight)


TEMPLATES = (
    Template("refuse_where_on_the_way", (ast.For, ast.While), refuse_where_on_the_way, ("none", "longer")),
    Template("for_each_entry", (ast.Expr, ast.Assign, ast.AugAssign), for_each_entry, ("order", "content")),
    Template("last_gap", (ast.For,), last_gap, ("shorter",)),
    Template("empty_behind_loop", (ast.For,), empty_behind_loop, ("zero", "content")),
    Template("last_carry", (ast.For, ast.While), last_carry, ("shorter", "content")),
    Template("refuse_rest", (ast.For, ast.While), refuse_rest, ("none", "content")),
    Template("put_away_first", (ast.Expr, ast.If, ast.While, ast.For), put_away_first, ("shorter", "content")),
    Template("refuse_left_over", (ast.For, ast.While), refuse_left_over, ("none", "longer")),
)
