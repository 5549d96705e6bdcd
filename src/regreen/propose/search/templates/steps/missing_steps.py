"""Missing steps: an early exit, a condition around a statement, the last group after a loop, a repeated call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    LIKELY,
    MAX_CALLS_REPEATED,
    MAX_FLUSHED_CHARACTERS,
    MAX_NUMBER_RESULTS,
    MAX_RESULTS_AT_EXIT,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    UNLIKELY,
)
from regreen.propose.search.expressions import unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.conditions import likely_conditions
from regreen.propose.search.templates.decisions.guards import likely_results
from regreen.propose.search.templates.decisions.raise_lines import raise_lines
from regreen.propose.search.templates.steps.insertions import INSERTION_POINTS, in_loop
from regreen.syntax import ORDERS, callee_name, names_within


def insert_exit(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if c: continue` or `if c: break` before a statement of a loop; a bare `break` or `return x` after one."""
    block = context.program.block(node)
    if block[-1] is node and not isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
        if in_loop(node, context):
            yield from context.after(node, ("break",))
            yield from context.after(node, ("continue",), PROBABLE)
        for result in likely_results(context)[:MAX_RESULTS_AT_EXIT]:
            yield from context.after(node, (f"return {result}",), POSSIBLE)
    if not in_loop(node, context):
        return
    for condition, weight in likely_conditions(context):
        for exit_ in ("continue", "break"):
            yield from context.before(node, (f"if {condition.text}:", f"\t{exit_}"), PROBABLE * weight)


def look_on(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return c` at the end of a round becomes `if c: return True`: the other rounds are looked at, too.

    What a call of the function itself finds is returned where it is something: `found = item.find(name)` comes first.
    """
    block = context.parent(node)
    if node.value is None or isinstance(node.value, ast.Constant) or not in_loop(node, context):
        return
    if _is_own_call(node.value, context):
        yield from _return_if_found(node, context)
    if not isinstance(block, _LOOPS) or block.body[-1] is not node:
        return
    value, results = context.text(node.value), context.cached("constant results", lambda: _constant_results(context))
    # Of `return False` after the loop, the opposite is looked for in it.
    yield from context.restate(node, (f"if {value}:", "\treturn True"), 1.0 if "True" in results else HALF)
    negated = unary_operation("not", context.expression(node.value)).text
    yield from context.restate(node, (f"if {negated}:", "\treturn False"), HALF)
    if value.isidentifier():
        yield from context.restate(node, (f"if {value} is not None:", f"\treturn {value}"), HALF)
    yield from context.restate(node, (f"if {value}:", f"\treturn {value}"), POSSIBLE)


def _is_own_call(value: ast.expr, context: TemplateContext) -> bool:
    function = context.scope.function
    return isinstance(value, ast.Call) and function is not None and callee_name(value) == function.name


def _return_if_found(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    assert node.value is not None, "only what is returned can be found"
    name = "found" if "found" not in context.scope.visible else "found_"
    found = f"{name} = {context.text(node.value)}"
    results = context.cached("constant results", lambda: _constant_results(context))
    truth = LIKELY if {"True", "False"} & results.keys() else HALF
    yield from context.restate(node, (found, f"if {name} is not None:", f"\treturn {name}"))
    yield from context.restate(node, (found, f"if {name}:", f"\treturn {name}"), truth)


def lost_return(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A branch that ends without a way out ends with `return False` where the function says `return True` elsewhere."""
    results = context.cached("constant results", lambda: _constant_results(context))
    for block in (node.body, node.orelse):
        if block and not isinstance(block[-1], ast.Return | ast.Raise | ast.Continue | ast.Break | ast.If):
            for result, weight in results.items():
                yield from context.after(block[-1], (f"return {result}",), weight)


def _constant_results(context: TemplateContext) -> dict[str, float]:
    """The constants that the function returns, after their opposites; nothing where it returns no constant."""
    returned = (node.value for node in context.scope.nodes if isinstance(node, ast.Return))
    texts = dict.fromkeys(context.text(value) for value in returned if isinstance(value, ast.Constant))
    opposites = {_OPPOSITE[text]: 1.0 for text in texts if text in _OPPOSITE}
    return opposites | {text: PROBABLE for text in texts if text not in opposites}


_OPPOSITE = {"True": "False", "False": "True"}


def wrap_in_condition(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement runs only under a condition of the function or a simple one."""
    if not context.program.alone(node) or isinstance(node, ast.If) or "\n" in context.text(node):
        return
    text = context.text(node)
    for condition, weight in likely_conditions(context):
        yield from context.restate(node, (f"if {condition.text}:", f"\t{text}"), weight)


def fill_once(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop that fills `self.outgoing` runs only where that is empty: `if not self.outgoing:` around it."""
    if not context.program.alone(node) or node.orelse:
        return
    start, end = context.program.lines(node)
    lines = context.program.source[start:end].splitlines(keepends=True)
    indent, unit = context.program.indent(node), context.program.unit
    for name in sorted(_gathered_in(node, context)):
        moved = "".join(unit + line if line.strip() else line for line in lines)
        # The lines of a long text stay where they are.
        if not any(quotes in moved for quotes in ('"""', "'''")):
            yield context.replace(start, end, f"{indent}if not {name}:\n{moved}")


_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)


_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def early_exit(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not xs: return None` or `if not xs: raise ValueError` before a statement that needs something in `xs`."""
    function = context.scope.function
    if function is None or statements_after_docstring(function)[0] is node:
        return
    raised = node.lineno in context.clues.raised_lines
    share = 1.0 if raised else UNLIKELY
    raises = raise_lines(context)
    elsewhere = [name for name in context.cached("names given", lambda: _names_given(context)) if name not in ("", "_")]
    results = (*elsewhere, *likely_results(context)[:MAX_NUMBER_RESULTS])
    returns = [f"return {result}" for result in results]
    numbers = context.cached("numbers", lambda: _numbers(context))
    for name in dict.fromkeys(_needed(node, context)):
        tests = [f"not {name}", f"len({name}) > 1", f"len({name}) < 2", f"{name} is None"]
        lines = [*raises, *returns]
        if name in numbers:
            tests = [f"{name} < 0", f"{name} == 0", f"{name} <= 0", f"{name} > 1"]
            lines.append(f"return {name}")
        for rank, test in enumerate(tests):
            for line in lines:
                yield from context.before(node, (f"if {test}:", f"\t{line}"), share * (1.0 if not rank else UNLIKELY))


def _names_given(context: TemplateContext) -> list[str]:
    """The variables that a function returns from within its loops."""
    given = (part.value for part in context.scope.nodes if isinstance(part, ast.Return))
    names = (value for value in given if isinstance(value, ast.Name))
    return list(dict.fromkeys(name.id for name in names if next(context.loops_around(name), None) is not None))


def _numbers(context: TemplateContext) -> frozenset[str]:
    """The variables of a function that are numbers: what is reckoned with them, or how they begin, says so."""
    found = {name for name, kind in context.scope.kinds.items() if kind in ("int", "float")}
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("max", "min", "abs"):
            found |= {arg.id for arg in part.args if len(part.args) > 1 and isinstance(arg, ast.Name)}
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub | ast.Mult | ast.Div | ast.FloorDiv):
            found |= {side.id for side in (part.left, part.right) if isinstance(side, ast.Name)}
    return frozenset(found & set(context.scope.locals))


def _needed(node: ast.stmt, context: TemplateContext) -> Iterator[str]:
    """The local variables and attributes that a statement reads."""
    for part in context.program.below(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in context.scope.locals:
            if part.id != context.scope.receiver:
                yield part.id
        elif isinstance(part, ast.Attribute) and context.text(part.value) == context.scope.receiver:
            yield context.text(part)


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
        yield from context.after(node, (text,), likely)
        names = [
            n.id for n in context.program.below(part) if isinstance(n, ast.Name) and n.id in context.scope.assigned
        ]
        gathered = _gathered_in(node, context)
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
        for flag in _flags_of(node, context):
            yield from context.after(node, (f"if not {flag}:", f"\t{text}"), likely)


def _if_as_before(loop: ast.stmt, part: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `if len(run) >= k: kept.append(run)` in a loop, the same after it; not where the item at hand is in it."""
    guard = context.parent(part)
    if isinstance(guard, ast.If) and guard.body[0] is part and not guard.orelse and context.parent(guard) is not loop:
        items = names_within(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else frozenset[str]()
        is_line = "\n" not in context.text(guard.test)
        if is_line and not items & (names_within(guard.test) | names_within(part)):
            yield from context.after(loop, (f"if {context.text(guard.test)}:", f"\t{context.text(part)}"))


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
    if not isinstance(part, ast.If) or part.orelse or len(part.body) > _MOST_COMPARED or not isinstance(loop, ast.For):
        return
    steps = [context.text(step) for step in part.body]
    is_kept = isinstance(part.test, ast.Compare) and all(isinstance(step, ast.Assign) for step in part.body)
    if not is_kept or not any(isinstance(op, ORDERS) for op in part.test.ops):  # type: ignore[attr-defined]
        return
    place = loop.target.id if isinstance(loop.target, ast.Name) else ""
    lines = [f"if {context.text(part.test)}:", *(f"\t{step}" for step in steps)]
    if not any("\n" in line for line in lines):
        last = [line.replace(f"[{place} - 1]", "[-1]") for line in lines] if place else lines
        end = _behind_last_place(loop, context) if place else ""
        # A run that is measured from its start on, the last one too, ends behind the last place.
        yield from context.after(loop, [re.sub(rf"\b{place}\b", end, line) for line in last] if end else last)


def _behind_last_place(loop: ast.For, context: TemplateContext) -> str:
    """`len(xs)` of `for i in range(1, len(xs))`; empty for a loop over something else."""
    call = loop.iter
    is_range = isinstance(call, ast.Call) and callee_name(call) == "range" and len(call.args) in (1, 2)
    return context.text(call.args[-1]) if is_range else ""  # type: ignore[attr-defined]


_MOST_COMPARED = 3


def _whole_branch(loop: ast.stmt, branch: ast.AST, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Of `else: out += text[i - 1]; if n > 1: out += str(n); n = 1` in a loop, the same after it without `n = 1`."""
    if not isinstance(branch, ast.If) or not isinstance(loop, ast.For):
        return
    for body in (branch.body, branch.orelse):
        done = [part for part in body if not (isinstance(part, ast.Assign) and _is_start(part))]
        if len(done) < _STEPS_OF_BRANCH or len(done) == len(body) or not all(isinstance(p, _FLUSHED) for p in done):
            continue
        place = loop.target.id if isinstance(loop.target, ast.Name) else ""
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
            for name in sorted(names_within(kept) & _gathered_in(loop, context)):
                yield from context.after(loop, (f"if {name}:", f"\t{text}"))


def _gathered_in(loop: ast.stmt, context: TemplateContext) -> frozenset[str]:
    """The variables to which a loop adds items or text."""
    found: set[str] = set()
    for part in context.program.below(loop):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _GATHERERS:
            found.add(context.text(part.func.value))
        elif isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add):
            found.add(context.text(part.target))
    return frozenset(found)


_GATHERERS = frozenset(("append", "add", "extend", "appendleft", "update"))


def call_again(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`cells.remove(start)` is repeated elsewhere for another variable: `cells.remove(step)`."""
    for line in context.cached("again", lambda: list(_calls_again(context))):
        if line != context.text(node):
            yield from context.before(node, (line,))
            yield from context.after(node, (line,))


def _calls_again(context: TemplateContext) -> Iterator[str]:
    """The calls alone on a line, each with other variables as its argument."""
    names = [name for name in context.scope.locals if name != context.scope.receiver]
    given = {context.text(n) for n in context.scope.nodes if isinstance(n, ast.Expr)}
    seen: dict[str, None] = {}
    for node in context.scope.nodes:
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or len(node.value.args) != 1:
            continue
        function = context.text(node.value.func)
        for name in names:
            line = f"{function}({name})"
            if line not in given and not function.startswith(f"{name}."):
                seen.setdefault(line)
    yield from list(seen)[:MAX_CALLS_REPEATED]


def insert_clear(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.clear()` before `d.update(other)`."""
    value = node.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _FILLERS:
        yield from context.before(node, (f"{context.text(value.func.value)}.clear()",))


_FILLERS = frozenset(("update", "extend"))


TEMPLATES = (
    Template("lost_return", (ast.If,), lost_return, ("none",)),
    Template("look_on", (ast.Return,), look_on, ("negated", "none")),
    Template("insert_exit", INSERTION_POINTS, insert_exit, ("longer", "hang")),
    Template(
        "wrap_in_condition", (ast.Assign, ast.AugAssign, ast.Expr, ast.Return), wrap_in_condition, ("longer", "repeats")
    ),
    Template("fill_once", (ast.For, ast.While), fill_once, ("order", "repeats", "longer")),
    Template(
        "early_exit",
        (*_STATEMENTS, ast.For, ast.While, ast.If),
        early_exit,
        ("index", "value", "zero", "key", "type", "attribute", "iteration"),
    ),
    Template("flush_after_loop", _LOOPS, flush_after_loop, ("shorter", "end")),
    Template("call_again", _STATEMENTS, call_again, ("hang", "repeats", "longer")),
    Template("insert_clear", (ast.Expr,), insert_clear),
)
