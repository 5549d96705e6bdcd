"""Rounds that go on although what was looked for has been found, or as much as there may be has come together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, MAX_LOCAL_NAMES, POSSIBLE, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import Expression, bool_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import bound_by
from regreen.propose.search.templates.decisions.negations import negation
from regreen.propose.search.templates.steps.insertions import in_loop
from regreen.syntax import names_within, whole_number
from regreen.types import Edit

_MOST_BOUNDS = 8
_OPPOSITE = {"True": "False", "False": "True", "None": "True"}


def leave_when_reached(node: ast.Assign | ast.AugAssign | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length += 1` in a loop is followed by `if length >= 4: return True`, `place = todo.pop()` by `if place == goal:
    break`, and so ends a round of `for place in places:`: the other rounds have nothing to add."""
    if isinstance(node, ast.For):
        targets, last = bound_by(node.target), node.body[-1]
    else:
        target, last = (node.targets[0] if isinstance(node, ast.Assign) else node.target), node
        targets = [target.id] if isinstance(target, ast.Name) and in_loop(node, context) else []
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return
    ways = context.cached("ways out of a loop", lambda: list(_ways_out_of_loops(context)))
    for target_name in targets:
        for test, weight in _tests(target_name, node, context):
            for way, likely in ways:
                yield from context.after(last, (f"if {test}:", f"\t{way}"), weight * likely)


def last_one_decides(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return not rule.negated` in a loop before `return verdict` becomes `verdict = not rule.negated`: a later one
    may say otherwise."""
    loop = next(context.loops_around(node), None)
    if node.value is None or loop is None:
        return
    block = context.program.block(loop)
    end = block[-1]
    if end is loop or not isinstance(end, ast.Return) or end.value is None:
        return
    if isinstance(end.value, ast.Name):
        yield from context.restate(node, (f"{end.value.id} = {context.text(node.value)}",))
    elif isinstance(end.value, ast.Constant) and block[-2] is loop:
        found = context.new_name("found", "last", "result")
        for begun in context.before(loop, (f"{found} = {context.text(end.value)}",)):
            for kept in context.restate(node, (f"{found} = {context.text(node.value)}",)):
                yield WeightedEdits((*begun.edits, *kept.edits, context.edit(end.value, Expression(found))))


def _tests(name: str, node: ast.stmt, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What may be asked of a variable that a round has set: that it has come to a bound, or is what was sought."""
    counts = isinstance(node, ast.AugAssign)
    is_number = counts or (isinstance(node, ast.Assign) and context.kind(node.value) in ("int", "float"))
    for bound, weight in context.cached("what may be reached", lambda: list(_bounds(context))[:_MOST_BOUNDS]):
        if bound == name or (bound.isdigit() and not is_number):
            continue
        yield f"{name} == {bound}", weight * (VERY_LIKELY if counts else 1.0)
        if is_number:
            yield f"{name} >= {bound}", weight
            yield f"{name} > {bound}", weight * LIKELY


def _ways_out_of_loops(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """`break`, the opposite of what the function gives at its end, and what it has gathered."""
    yield "break", 1.0
    function = context.scope.function
    last = function.body[-1] if function is not None else None
    if isinstance(last, ast.Return) and last.value is not None:
        text = context.text(last.value)
        yield f"return {_OPPOSITE.get(text, text)}", 1.0 if text in _OPPOSITE else PROBABLE


def _bounds(context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What a value may be compared with: parameters that nobody reads, other ones, attributes, numbers of the prose."""
    names = [name for name in context.scope.parameters if name != context.scope.receiver][:MAX_LOCAL_NAMES]
    for name in sorted(names, key=lambda name: name not in context.scope.unused):
        yield name, 1.0 if name in context.scope.unused else HALF
    yield from ((number, HALF) for number in context.clues.numbers if number.isdigit() and number not in ("0", "1"))
    yield from ((f"{context.scope.receiver}.{name}", POSSIBLE) for name in context.scope.attributes)


def leave_before_taking(node: ast.Assign | ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`opened = stack.pop()` comes after `if not stack: return False`, or what the function is left with there: where
    nothing waits, there is nothing to take."""
    told = node.value if isinstance(node, ast.Assign) else node.test
    waiting = next(_taken_from(told, context), "")
    if not waiting or not any(context.loops_around(node)):
        return
    if f"not {waiting}" not in context.text(context.parent(node)):
        for rank, way in enumerate(dict.fromkeys(_ways_out_near(node, context))):
            yield from context.before(node, (f"if not {waiting}:", f"\t{way}"), LIKELY**rank)


def _taken_from(told: ast.expr, context: TemplateContext) -> Iterator[str]:
    """What an expression takes items off."""
    for part in (told, *context.program.below(told)):
        taking = part.func if isinstance(part, ast.Call) else None
        if isinstance(taking, ast.Attribute) and taking.attr in ("pop", "popleft"):
            yield context.text(taking.value)


def _ways_out_near(node: ast.stmt, context: TemplateContext) -> Iterator[str]:
    """How the function is left below a statement, and elsewhere; `continue` at last."""
    block = context.program.block(node)
    later = [part for one in block[block.index(node) :] for part in (one, *context.program.below(one))]
    for part in (*later, *context.scope.nodes):
        if isinstance(part, ast.Return | ast.Raise) and "\n" not in context.text(part):
            yield context.text(part)
    yield "continue"


def nothing_for_zero(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for before, after in pairs: ratios.append(after / before)` begins with `if before == 0: ratios.append(None);
    continue`, where something was divided by zero: with 0 or not at all, too."""
    if "zero" not in context.clues.symptoms:
        return
    targets = {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    parts = list(context.program.below(node))
    divided = [part.right for part in parts if isinstance(part, ast.BinOp) and isinstance(part.op, _DIVISIONS)]
    divisor = next((context.text(one) for one in divided if context.text(one) in targets), None)
    calls = (part.func for part in parts if isinstance(part, ast.Call))
    gathered = [context.text(c.value) for c in calls if isinstance(c, ast.Attribute) and c.attr == "append"]
    if divisor is None:
        return
    for into in dict.fromkeys(gathered):
        for value, weight in (("None", 1.0), ("0", VERY_LIKELY), ("0.0", HALF)):
            lines = (f"if {divisor} == 0:", f"\t{into}.append({value})", "\tcontinue")
            yield from context.before(node.body[0], lines, weight)
    yield from context.before(node.body[0], (f"if {divisor} == 0:", "\tcontinue"), PROBABLE)


_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


def stop_at_the_first(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for name in ballot: if name in standing: votes[name] += 1` stops at the first one that fits: `break`."""
    loop, last = context.parent(node), node.body[-1]
    if not isinstance(loop, ast.For) or loop.body[-1] is not node or node.orelse or loop.orelse:
        return
    is_inner = next(context.loops_around(loop), None) is not None
    if isinstance(last, ast.Break | ast.Continue | ast.Return | ast.Raise):
        return
    if is_inner and context.program.alone(last):
        yield from context.after(last, ("break",), 1.0 if "first" in context.clues.words else HALF)


def stop_with_own_break(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`previous = digit` in a loop whose inner loop asks `smaller != previous` comes after `if digit == previous:
    break`, or `return total`: what is not counted among the smaller ones ends the count when it is met itself."""
    loop, target, value = context.parent(node), node.targets[0], node.value
    if not isinstance(loop, ast.For) or not isinstance(target, ast.Name) or not isinstance(value, ast.Name):
        return
    inner = [part for one in loop.body if isinstance(one, ast.For) for part in context.program.below(one)]
    asked = [
        part
        for part in inner
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.NotEq) and target.id in names_within(part)
    ]
    if not asked or node not in loop.body:
        return
    totals = [context.text(part.target) for part in inner if isinstance(part, ast.AugAssign)]
    for way in ("break", *(f"return {total}" for total in dict.fromkeys(totals))):
        yield from context.before(node, (f"if {value.id} == {target.id}:", f"\t{way}"))


def stop_at_nothing(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left -= points` in a loop is followed by `if left == 0: break`: where nothing is left, it is over."""
    if not isinstance(node.op, ast.Sub) or not isinstance(node.target, ast.Name | ast.Attribute):
        return
    left = context.text(node.target)
    if whole_number(node.value) is None and any(context.loops_around(node)):
        yield from context.after(node, (f"if {left} == 0:", "\tbreak"))
        yield from context.after(node, (f"if {left} <= 0:", "\tbreak"), HALF)


def take_the_first_that_fits(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for r in rows: if fits(r): places.append(r)` before `places.append(None)` gains `break`, and `else:` above that:
    one of both for each, and the first that fits."""
    branch, block = node.body[-1], context.program.block(node)
    place = block.index(node) + 1
    following = block[place] if place < len(block) else None
    if not isinstance(branch, ast.If) or branch.orelse or node.orelse or not isinstance(following, ast.Expr):
        return
    if isinstance(branch.body[-1], ast.Break | ast.Return | ast.Raise | ast.Continue):
        return
    added = context.text(following).partition("(")[0]
    if added.endswith((".append", ".add")) and any(context.text(step).startswith(f"{added}(") for step in branch.body):
        for ended in context.after(branch.body[-1], ("break",)):
            for otherwise in context.below(("else:",), (following,)):
                yield WeightedEdits((*ended.edits, *otherwise.edits))


def answer_where_it_is_settled(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if previous: return word[0] == previous[-1]`, in a loop before `return True`, becomes `if previous and word[0]
    != previous[-1]: return False`: one that fits says nothing about those that follow."""
    loop = next(context.loops_around(node), None)
    match node:
        case ast.If(
            body=[ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Call() as fits)],
            orelse=[],
        ) if loop is not None:
            end = context.program.block(loop)[-1]
        case _:
            return
    match end:
        case ast.Return(value=ast.Constant(value=True)):
            settled, answer = negation(fits, context), "False"
        case ast.Return(value=ast.Constant(value=False)):
            settled, answer = context.expression(fits), "True"
        case _:
            return
    asked = bool_operation(context.expression(node.test), "and", settled)
    yield from context.restate(node, (f"if {asked.text}:", f"\treturn {answer}"))


def first_question_of_all(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop with `if role.denies(what): return ...` and `if role.allows(what): return ...` becomes two of them: what
    the first question says of any item counts before what the second one says of another."""
    match node.body:
        case [
            ast.If(body=[ast.Return()], orelse=[]),
            ast.If(test=asked, body=[ast.Return() as answer], orelse=[]) as other,
        ]:
            pass
        case [
            ast.If(body=[ast.Return()], orelse=[ast.If(test=asked, body=[ast.Return() as answer], orelse=[]) as other])
        ]:
            pass
        case _:
            return
    if node.orelse or not context.program.alone(answer):
        return
    heading = f"for {context.text(node.target)} in {context.text(node.iter)}:"
    lines = (heading, f"\tif {context.text(asked)}:", f"\t\t{context.text(answer)}")
    for added in context.after(node, lines):
        start, end = context.program.lines(other)
        yield WeightedEdits((Edit(start, end, ""), *added.edits))


TEMPLATES = (
    Template("take_the_first_that_fits", (ast.For,), take_the_first_that_fits, ("longer", "content")),
    Template("stop_at_nothing", (ast.AugAssign,), stop_at_nothing, ("negative", "content", "longer")),
    Template("stop_with_own_break", (ast.Assign,), stop_with_own_break, ("larger", "content")),
    Template("stop_at_the_first", (ast.If,), stop_at_the_first, ("larger", "longer", "content")),
    Template("last_one_decides", (ast.Return,), last_one_decides, ("content", "negated")),
    Template("leave_before_taking", (ast.Assign, ast.If), leave_before_taking, ("index", "content", "negated")),
    Template("nothing_for_zero", (ast.For,), nothing_for_zero, ("zero",)),
    Template(
        "leave_when_reached", (ast.Assign, ast.AugAssign, ast.For), leave_when_reached, ("negated", "hang", "longer")
    ),
    Template("answer_where_it_is_settled", (ast.If,), answer_where_it_is_settled, ("negated",)),
    Template("first_question_of_all", (ast.For,), first_question_of_all, ("content", "negated", "none")),
)
