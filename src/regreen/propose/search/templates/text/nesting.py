"""How deep something is nested: a flag that has to be a counter, and a counter that may not go below nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, PROBABLE
from regreen.propose.search.expressions import COMPARISON, NOT, OR, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.insertions import in_loop
from regreen.syntax import callee_name, python_literal, whole_number
from regreen.types import Edit


def count_depth(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`inside = True` and `inside = False` in a loop become `inside += 1` and `inside -= 1`: nesting."""
    if len(node.targets) != 1 or not _is_flag(node.value, True):
        return
    flag = context.text(node.targets[0])
    made = [
        part
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and context.text(part.targets[0]) == flag
    ]
    opened = [part for part in made if _is_flag(part.value, True)]
    closed = [part for part in made if _is_flag(part.value, False) and in_loop(part, context)]
    begun = [part for part in made if _is_flag(part.value, False) and part not in closed]
    if len(made) != len(opened) + len(closed) + len(begun) or not (opened and closed and len(begun) == 1):
        return
    if node is opened[0]:
        steps = [_step(part, "+= 1", context) for part in opened] + [_step(part, "-= 1", context) for part in closed]
        yield WeightedEdits((context.edit(begun[0].value, Expression("0")), *steps))


def _is_flag(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _step(node: ast.Assign, step: str, context: TemplateContext) -> Edit:
    """The edit that makes an assignment a step up or down."""
    start, end = context.program.spans[node]
    return Edit(start, end, f"{context.text(node.targets[0])} {step}")


def never_below(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `depth -= 1` in a loop, `if depth < 0: return False`: nothing may be closed that was not opened."""
    if not isinstance(node.op, ast.Sub) or whole_number(node.value) != 1 or not in_loop(node, context):
        return
    depth = context.text(node.target)
    results = {
        context.text(part.value)
        for part in context.scope.nodes
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Compare | ast.Constant)
    }
    if any(result in ("True", "False") or depth in result for result in results):
        yield from context.after(node, (f"if {depth} < 0:", "\treturn False"))
    elif results:
        for result in sorted(results)[:2]:
            yield from context.after(node, (f"if {depth} < 0:", f"\treturn {result}"), PROBABLE)


def match_nested(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if c == ")": return i` in a loop becomes a search for the bracket that closes the first one, by its depth."""
    loop, test = context.parent(node), node.test
    if not isinstance(loop, ast.For) or node.orelse or len(node.body) != 1 or not isinstance(test, ast.Compare):
        return
    closing = test.comparators[0]
    is_closing = isinstance(closing, ast.Constant) and closing.value in _OPENING and isinstance(test.ops[0], ast.Eq)
    if not is_closing or not isinstance(node.body[0], ast.Return | ast.Break) or not context.program.alone(loop):
        return
    assert isinstance(closing, ast.Constant)
    depth = context.new_name("depth", "level", "depth_")
    character, end = context.text(test.left), context.text(closing)
    opening = end.replace(str(closing.value), _OPENING[str(closing.value)])
    at, indent = context.program.lines(loop)[0], context.program.indent(loop)
    begun = Edit(at, at, f"{indent}{depth} = 0\n")
    lines = (
        f"if {character} == {opening}:",
        f"\t{depth} += 1",
        f"elif {character} == {end}:",
        f"\t{depth} -= 1",
        f"\tif {depth} == 0:",
        f"\t\t{context.text(node.body[0])}",
    )
    for counted in context.restate(node, lines):
        yield WeightedEdits((begun, *counted.edits))


_OPENING: Final = {")": "(", "]": "[", "}": "{"}


def own_quote_ends(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`quote = "" if quote else sign` becomes `if not quote: quote = sign`, `elif sign == quote: quote = ""`: what one
    kind of quotes has opened, the other does not close."""
    value, quote = node.value, context.text(node.targets[0])
    if not isinstance(value, ast.IfExp) or quote not in (context.text(value.test), context.text(value.test)[4:]):
        return
    empty, sign = context.text(value.body), context.text(value.orelse)
    if isinstance(value.test, ast.UnaryOp):
        empty, sign = sign, empty
    if empty in _NOTHING and sign.isidentifier():
        lines = (f"if not {quote}:", f"\t{quote} = {sign}", f"elif {sign} == {quote}:", f"\t{quote} = {empty}")
        yield from context.restate(node, lines)


_NOTHING: Final = frozenset(("''", '""', "None", "False"))


def nothing_within_quotes(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if ch == '"': quoted = True`, which nothing reads, becomes `quoted = not quoted`, followed by `elif quoted:
    pass`: what stands within quotes does not count."""
    step = node.body[0]
    if len(node.body) != 1 or not isinstance(step, ast.Assign) or not isinstance(step.targets[0], ast.Name):
        return
    flag = step.targets[0].id
    if flag not in context.scope.unused or not context.program.alone(step) or not in_loop(node, context):
        return
    if not isinstance(step.value, ast.Constant | ast.UnaryOp):
        return
    at, unit, indent = context.program.lines(step)[1], context.program.unit, context.program.indent(node)
    is_last = context.program.block(node)[-1] is node
    turned = context.edit(step.value, Expression(f"not {flag}", NOT))
    skipped = f"{indent}elif {flag}:\n{indent}{unit}" + ("continue\n" if is_last else "pass\n")
    yield WeightedEdits((turned, Edit(at, at, skipped)))


def toggle_at_marks(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`in_code = line.startswith(mark)` in a loop becomes `if line.startswith(mark): in_code = not in_code; continue`:
    one mark begins what the next one ends."""
    flag, asked = node.targets[0], node.value
    is_question = isinstance(asked, ast.Call) and callee_name(asked) in ("startswith", "endswith", "isspace")
    is_question = is_question or (isinstance(asked, ast.Compare) and isinstance(asked.ops[0], ast.Eq))
    if not isinstance(flag, ast.Name) or not is_question or not in_loop(node, context):
        return
    loop = next(context.loops_around(node))
    begun = context.program.block(loop)[: context.program.block(loop).index(loop)]
    if any(isinstance(step, ast.Assign) and context.text(step.targets[0]) == flag.id for step in begun):
        lines = (f"if {context.text(asked)}:", f"\t{flag.id} = not {flag.id}")
        yield from context.restate(node, (*lines, "\tcontinue"))
        yield from context.restate(node, lines)


def blank_below_the_last(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`indent + BAR`, which a function hands to itself, becomes `indent + (BLANK if name == names[-1] else BAR)`, where
    BAR is a text such as `"|   "` and the last one has a mark of its own: no line goes on below it."""
    if not isinstance(node.value, str) or not set(node.value) <= _OF_LINES or not node.value.strip():
        return
    call = next((part for part in context.around(node) if isinstance(part, ast.Call)), None)
    function = context.scope.function
    if call is None or function is None or context.text(call.func) != context.own_call(function):
        return
    blank = python_literal(" " * len(node.value))
    for choice in (part for part in context.scope.nodes if isinstance(part, ast.IfExp)):
        if isinstance(choice.body, ast.Constant) and isinstance(choice.body.value, str):
            asked = context.text(choice.test)
            yield context.put(node, Expression(f"{blank} if {asked} else {context.text(node)}", TEST))
            yield context.put(node, Expression(f"{context.text(node)} if {asked} else {blank}", TEST), HALF)


_OF_LINES: Final = frozenset("|\u2502\u2503\u250a: ")
"""Signs of a line that goes down the side of a drawn tree."""


def pass_what_closes(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if token == "(": at += 1; value = whole()` steps over the closing bracket as well: `at += 1` behind it."""
    step = node.body[0]
    if not isinstance(step, ast.AugAssign) or whole_number(step.value) != 1 or not isinstance(step.op, ast.Add):
        return
    asked = [part.value for part in ast.walk(node.test) if isinstance(part, ast.Constant)]
    if not any(isinstance(value, str) and value in _OPENING_BRACKETS for value in asked):
        return
    for inner in node.body[1:]:
        if isinstance(inner, ast.Assign) and any(isinstance(part, ast.Call) for part in ast.walk(inner.value)):
            yield from context.after(inner, (context.text(step),))


_OPENING_BRACKETS: Final = ("(", "[", "{", "<")


def of_the_same_kind(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not stack: return False` before `stack.pop()`, under `elif sign in partner:`, becomes `if not stack or
    stack.pop() != partner[sign]:`: a bracket closes one of its kind."""
    block = context.program.block(node)
    behind = block[block.index(node) + 1 :]
    match node.test, behind, context.parent(node):
        case (
            ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=stack)),
            [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=popped), attr="pop"), args=[])) as pop, *_],
            ast.If(test=ast.Compare(left=ast.Name(id=sign), ops=[ast.In()], comparators=[ast.Name(id=table)])),
        ) if popped == stack:
            asked = context.put(node.test, Expression(f"not {stack} or {stack}.pop() != {table}[{sign}]", OR))
            yield WeightedEdits((*asked.edits, *context.delete(pop).edits))


def only_the_top(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if name not in stack: return False` before `stack.pop()` becomes `if not stack or stack[-1] != name:`: only
    the one on top may be closed."""
    block = context.program.block(node)
    behind = [context.text(step) for step in block[block.index(node) + 1 :]]
    match node.test:
        case ast.Compare(left=one, ops=[ast.NotIn()], comparators=[ast.Name(id=stack)]) if f"{stack}.pop()" in behind:
            top = f"not {stack} or {stack}[-1] != {context.expression(one).at(COMPARISON + 1)}"
            yield context.put(node.test, Expression(top, OR))


TEMPLATES = (
    Template("pass_what_closes", (ast.If,), pass_what_closes, ("content", "index", "shorter")),
    Template("blank_below_the_last", (ast.Constant,), blank_below_the_last, ("content",)),
    Template("toggle_at_marks", (ast.Assign,), toggle_at_marks, ("content", "longer")),
    Template("nothing_within_quotes", (ast.If,), nothing_within_quotes, ("content", "negated")),
    Template("own_quote_ends", (ast.Assign,), own_quote_ends, ("content", "shorter", "longer")),
    Template("match_nested", (ast.If,), match_nested, ("off_by_one",)),
    Template("count_depth", (ast.Assign,), count_depth, ("longer", "shorter")),
    Template("never_below", (ast.AugAssign,), never_below, ("negated",)),
    Template("of_the_same_kind", (ast.If,), of_the_same_kind, ("negated", "content", "value", "larger")),
    Template("only_the_top", (ast.If,), only_the_top, ("negated", "content", "larger", "value")),
)
