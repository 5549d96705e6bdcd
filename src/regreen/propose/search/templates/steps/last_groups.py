"""What is at hand when a loop ends and was meant to be taken in as well: the last group, the last run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, MAX_FLUSHED_CHARACTERS, REMOTE, UNLIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, bound_values, callee_name, names_within, whole_number


def flush_after_loop(node: ast.For | ast.While | ast.AsyncFor, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`groups.append(group)` once more after the loop, or `best = max(best, run)`: the group at hand when it ended."""
    for part in context.program.below(node):
        yield from _compared_again(node, part, context)
        yield from _whole_branch(node, part, context)
        if not isinstance(part, ast.Expr | ast.AugAssign | ast.Assign) or context.parent(part) is node:
            continue
        text = context.text(part)
        if "\n" in text or len(text) > MAX_FLUSHED_CHARACTERS:
            continue
        yield from _if_as_before(node, part, context)
        yield from _without_item(node, part, context)
        yield from _of_the_last(node, part, context)
        yield from _up_to_the_end(node, part, context)
        likely = 1.0 if isinstance(part, ast.Expr) else HALF
        text = _at_the_end(node, text, context)
        yield from context.after(node, (text,), likely)
        names = [
            n.id for n in context.program.below(part) if isinstance(n, ast.Name) and n.id in context.scope.assigned
        ]
        gathered = gathered_in(node, context)
        for name in dict.fromkeys(names):
            # A group at hand that is not empty; its key may well be 0 or None.
            share = LIKELY if name in gathered or not gathered.intersection(names) else UNLIKELY
            if text.startswith(f"{name}."):
                # What is added to is asked about by nobody.
                share = REMOTE
            if name in context.scope.begun_with_none:
                yield from context.after(node, (f"if {name} is not None:", f"\t{text}"), likely)
                share = UNLIKELY
            if ".pop()" in text or ".popleft()" in text:
                # What is taken off one by one is taken off until nothing is left.
                yield from context.after(node, (f"while {name}:", f"\t{text}"), likely * share)
                share *= LIKELY
            yield from context.after(node, (f"if {name}:", f"\t{text}"), likely * share)
        if isinstance(part, ast.Assign) and text.startswith(tuple(f"{name} = m" for name in names)):
            # Of nothing at all, there is no run of one.
            for items in _gone_through(node, context):
                yield from context.after(node, (f"if {items}:", f"\t{text}"), LIKELY)
        for flag in _flags_of(node, context):
            yield from context.after(node, (f"if not {flag}:", f"\t{text}"), likely)


def _gone_through(loop: ast.stmt, context: TemplateContext) -> Iterator[str]:
    """The parameters whose items a loop goes through: `xs` of `for x in xs[1:]` and of `for i in range(1, len(xs))`."""
    if isinstance(loop, ast.For | ast.AsyncFor):
        names = (part.id for part in ast.walk(loop.iter) if isinstance(part, ast.Name))
        yield from (name for name in dict.fromkeys(names) if name in context.scope.parameters)


def _if_as_before(loop: ast.stmt, part: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `if len(run) >= k: kept.append(run)` in a loop, the same after it; not where the item at hand is in it."""
    guard = context.parent(part)
    if isinstance(guard, ast.If) and guard.body[0] is part and not guard.orelse and context.parent(guard) is not loop:
        items = names_within(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else frozenset[str]()
        is_line = "\n" not in context.text(guard.test)
        if is_line and not items & (names_within(guard.test) | names_within(part)):
            yield from context.after(loop, (f"if {context.text(guard.test)}:", f"\t{context.text(part)}"))


def _at_the_end(loop: ast.stmt, text: str, context: TemplateContext) -> str:
    """`runs.append((length, seats + 1 - length))` for `runs.append((length, seat - length))` in a loop over `seat` in
    `range(1, seats + 1)`: the last one ends where the range does."""
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or f" {loop.target.id} - " not in text:
        return text
    end = _behind_last_place(loop, context)
    return re.sub(rf"(?<= ){loop.target.id}(?= - )", lambda _: end, text) if end else text


def _flags_of(loop: ast.stmt, context: TemplateContext) -> list[str]:
    """The variables that are False before a loop, and that it sets to True: what they wait for may never come."""
    said: dict[str, set[object]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, bool):
            inside = part in context.program.below(loop)
            said.setdefault(context.text(part.targets[0]), set()).add((part.value.value, inside))
    return [flag for flag, values in said.items() if {(False, False), (True, True)} <= values]


def _up_to_the_end(loop: ast.stmt, part: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `if start > at: gaps.append((at, start))` in a loop over `start`, the same after it with `day_end`, which is a
    parameter that nothing reads."""
    guard = context.parent(part)
    if not isinstance(guard, ast.If) or guard.body != [part] or guard.orelse or not isinstance(loop, ast.For):
        return
    items = names_within(loop.target) & names_within(guard)
    for end in (name for name in context.scope.parameters if name in context.scope.unused):
        for item in sorted(items):
            asked, done = (re.sub(rf"\b{item}\b", end, context.text(text)) for text in (guard.test, part))
            if not items - {item} & (names_within(guard.test) | names_within(part)):
                yield from context.after(loop, (f"if {asked}:", f"\t{done}"))


def _compared_again(loop: ast.stmt, part: ast.AST, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `if length > best: best = length` in a loop, the same after it: the last run may be the longest."""
    if not isinstance(part, ast.If) or part.orelse or len(part.body) > _MOST_COMPARED:
        return
    steps = [context.text(step) for step in part.body]
    is_kept = isinstance(part.test, ast.Compare) and all(isinstance(step, ast.Assign) for step in part.body)
    if not is_kept or not any(isinstance(op, ORDERS) for op in part.test.ops):  # type: ignore[attr-defined]
        return
    # Where a `while` ends, its place is behind the last one.
    place = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""
    lines = [f"if {context.text(part.test)}:", *(f"\t{step}" for step in steps)]
    if not any("\n" in line for line in lines):
        last = [line.replace(f"[{place} - 1]", "[-1]") for line in lines] if place else lines
        end = _behind_last_place(loop, context) if place and isinstance(loop, ast.For) else ""
        # A run that is measured from its start on, the last one too, ends behind the last place.
        yield from context.after(loop, [re.sub(rf"\b{place}\b", lambda _: end, line) for line in last] if end else last)


def _behind_last_place(loop: ast.For, context: TemplateContext) -> str:
    """`len(xs)` of `for i in range(1, len(xs))`; empty for a loop over something else."""
    call = loop.iter
    is_range = isinstance(call, ast.Call) and callee_name(call) == "range" and len(call.args) in (1, 2)
    return context.text(call.args[-1]) if is_range else ""  # type: ignore[attr-defined]


_MOST_COMPARED = 3


def _whole_branch(loop: ast.stmt, branch: ast.AST, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `else: out += text[i - 1]; if n > 1: out += str(n); n = 1` in a loop, the same after it without `n = 1`."""
    if not isinstance(branch, ast.If):
        return
    for body in (branch.body, branch.orelse):
        done = [part for part in body if not (isinstance(part, ast.Assign) and _is_start(part))]
        if len(done) < _STEPS_OF_BRANCH or len(done) == len(body) or not all(isinstance(p, _FLUSHED) for p in done):
            continue
        place = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""
        indent = context.program.indent(done[0])
        lines = [
            line.removeprefix(indent).replace(context.program.unit, "\t") if line.startswith(indent) else line
            for part in done
            for line in context.text(part).splitlines()
        ]
        if sum(map(len, lines)) <= 2 * MAX_FLUSHED_CHARACTERS:
            last = [line.replace(f"[{place} - 1]", "[-1]") if place else line for line in lines]
            if not place or not any(re.search(rf"\b{place}\b", line) for line in last):
                yield from _where_there_is_one(loop, last, context)
                yield from context.after(loop, last)


_STEPS_OF_BRANCH = 2
_FLUSHED = (ast.Expr, ast.AugAssign, ast.Assign, ast.If)


def _is_start(part: ast.Assign) -> bool:
    """Whether a statement gives a constant, an empty collection or an item: what the next group begins with."""
    return isinstance(part.value, ast.Constant | ast.Name | ast.List | ast.Subscript | ast.Dict | ast.Set)


def _of_the_last(loop: ast.stmt, part: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `runs.append(text[i - 1])` in a loop over places, `if text: runs.append(text[-1])` after it; and without a
    question, where nothing may be given that has no last item."""
    if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
        place, text = loop.target.id, context.text(part)
        last = text.replace(f"[{place} - 1]", "[-1]")
        if last != text and not re.search(rf"\b{place}\b", last):
            yield from _where_there_is_one(loop, [last], context)
            yield from context.after(loop, (last,))


def _where_there_is_one(loop: ast.stmt, lines: list[str], context: TemplateContext) -> Iterator[WeightedEdits]:
    """Lines after a loop that look at the last item of something, under a question whether it has any."""
    for owner in dict.fromkeys(owner for line in lines for owner in re.findall(r"(\w+)\[-1\]", line)):
        yield from context.after(loop, (f"if {owner}:", *(f"\t{line}" for line in lines)))


def _without_item(loop: ast.stmt, part: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `total += int(held) * units[c]` in a loop over `c`, `if held: total += int(held)` after it."""
    item = loop.target.id if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""
    source, start = context.program.source, context.program.spans[part][0]
    for product in context.program.below(part):
        if not item or not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
            continue
        for kept, dropped in ((product.left, product.right), (product.right, product.left)):
            if item not in names_within(dropped) or item in names_within(kept):
                continue
            at, end = context.program.spans[product]
            text = source[start:at] + context.text(kept) + source[end : context.program.spans[part][1]]
            for name in sorted(names_within(kept) & gathered_in(loop, context)):
                yield from context.after(loop, (f"if {name}:", f"\t{text}"))


def gathered_in(loop: ast.stmt, context: TemplateContext) -> frozenset[str]:
    """The variables to which a loop adds items or text."""
    found: set[str] = set()
    for part in context.program.below(loop):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _GATHERERS:
            found.add(context.text(part.func.value))
        elif isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add):
            found.add(context.text(part.target))
    return frozenset(found)


_GATHERERS = frozenset(("append", "add", "extend", "appendleft", "update"))


def count_last_group(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `if load + w > limit: rides += 1; load = 0` in a loop, `if load: rides += 1` after it: the last load rides,
    too."""
    for part in node.body:
        if not isinstance(part, ast.If) or part.orelse:
            continue
        counts = [step for step in part.body if isinstance(step, ast.AugAssign) and whole_number(step.value) == 1]
        begun = [target.id for target in _begun_anew(part) if target.id in names_within(part.test)]
        for step in counts:
            for name in begun:
                yield from context.after(node, (f"if {name}:", f"\t{context.text(step)}"))
            if begun:
                yield from context.after(node, (context.text(step),), HALF)


def _begun_anew(part: ast.If) -> Iterator[ast.Name]:
    """The variables that a branch sets to 0, to an empty text or to an empty list."""
    for step in part.body:
        for target, value in bound_values(step) if isinstance(step, ast.Assign) else ():
            is_nothing = isinstance(value, ast.List) and not value.elts
            if isinstance(target, ast.Name) and (is_nothing or (isinstance(value, ast.Constant) and not value.value)):
                yield target


TEMPLATES = (
    Template("count_last_group", (ast.For,), count_last_group, ("smaller",)),
    Template("flush_after_loop", (ast.For, ast.While, ast.AsyncFor), flush_after_loop, ("shorter", "end")),
)
