"""Refusals in the wrong place: something is changed first, and only then it is asked whether it may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, MAX_EXCEPTIONS
from regreen.propose.search.expressions import BIT_OR, OPERATOR_SYMBOLS, OR, binary_operation
from regreen.propose.search.mutation import WeightedEdits, splice_edits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.statement_moves import at_depth
from regreen.syntax import callee_name
from regreen.types import Edit


def ask_before_change(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x -= n; if x < 0: return False` becomes `if x - n < 0: return False; x -= n`: what is refused changes nothing.

    The condition moves in front of all the changes right before it, and asks what they would lead to.
    """
    if node.orelse or not isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue):
        return
    changes = _changes_before(node, context)
    if not changes or not all(context.program.alone(statement) for statement in (*changes, node)):
        return
    updates = [change for change in changes if isinstance(change, ast.AugAssign)]
    edits = [edit for update in updates for edit in _as_it_would_be(node.test, update, context)]
    if not edits and len(changes) == 1:
        return
    first, (start, end) = context.program.lines(changes[0])[0], context.program.lines(node)
    source = context.program.source
    shifted = [
        Edit(edit.start - start, edit.end - start, edit.text) for edit in sorted(edits, key=lambda edit: edit.start)
    ]
    asked = splice_edits(source[start:end], tuple(shifted))
    if asked.endswith("\n"):
        yield context.replace(first, end, asked + source[first:start])


def _changes_before(node: ast.If, context: TemplateContext) -> list[ast.stmt]:
    """The updates and calls that stand right before a condition in its block."""
    block = context.program.block(node)
    at = first = block.index(node)
    while first and _is_change(block[first - 1]):
        first -= 1
    return block[first:at]


def _is_change(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AugAssign) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    )


def _as_it_would_be(test: ast.expr, update: ast.AugAssign, context: TemplateContext) -> Iterator[Edit]:
    """The edits by which a condition asks for the value that an update would give."""
    target, symbol = context.text(update.target), OPERATOR_SYMBOLS[type(update.op)][0]
    for part in (test, *context.program.below(test)):
        if isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and context.text(part) == target:
            value = binary_operation(context.expression(part), symbol, context.expression(update.value))
            yield context.edit(part, value)


def until_neither(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: day += 1` and then `if b: day += 1` become `while a or b: day += 1`.

    Each may make the other true again.
    """
    block = context.program.block(node)
    following = block[block.index(node) + 1 :][:1]
    if not following or not isinstance(following[0], ast.If) or node.orelse or following[0].orelse:
        return
    other = following[0]
    if ast.dump(ast.Module(node.body, [])) != ast.dump(ast.Module(other.body, [])) or len(node.body) > 1:
        return
    if not isinstance(node.body[0], ast.AugAssign) or not all(context.program.alone(link) for link in (node, other)):
        return
    either = f"{context.expression(node.test).at(OR)} or {context.expression(other.test).at(OR)}"
    lines = context.program.lines(other)
    head = Edit(context.program.first(node), context.program.spans[node.test][1], f"while {either}")
    yield WeightedEdits((head, Edit(*lines, "")))


def count_changes_alone(node: ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`group[a] = b; groups -= 1` becomes `if group[a] != b: ...` around both: what changes nothing does not count.

    `seen.add(x)` and `xs.append(x)` ask whether `x` is there, and `group[root(a)] = root(b)` whether the roots differ.
    """
    block = context.program.block(node)
    following = block[block.index(node) + 1 :][:1]
    if not following or not isinstance(following[0], ast.AugAssign) or not isinstance(following[0].value, ast.Constant):
        return
    counted = following[0]
    if not context.program.alone(node) or not context.program.alone(counted):
        return
    start, end = context.program.lines(node)[0], context.program.lines(counted)[1]
    indent = context.program.indent(node)
    inner = at_depth((start, end), context, indent, indent + context.program.unit)
    for condition, weight in _where_it_changes(node, context):
        yield context.replace(start, end, f"{indent}if {condition}:\n{inner}", weight)


def _where_it_changes(node: ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The conditions under which a statement makes a difference, likely ones first."""
    if isinstance(node, ast.Assign):
        target, value = node.targets[0], context.expression(node.value).at(BIT_OR)
        if (
            isinstance(target, ast.Subscript)
            and isinstance(target.slice, ast.Call)
            and isinstance(node.value, ast.Call)
        ):
            yield f"{context.text(target.slice)} != {value}", 1.0
        if isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            yield f"{context.text(target)} != {value}", HALF
        if isinstance(target, ast.Subscript):
            yield f"{context.text(target.slice)} not in {context.text(target.value)}", HALF
    elif isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute) and len(node.value.args) == 1:
        item, owner = context.expression(node.value.args[0]).at(BIT_OR), context.text(node.value.func.value)
        word = _MAKES_A_DIFFERENCE.get(node.value.func.attr)
        if word is not None:
            yield f"{item} {word} {owner}", 1.0


_MAKES_A_DIFFERENCE = {"add": "not in", "append": "not in", "remove": "in", "discard": "in"}


def refuse_aloud(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`print("too much")` under a condition becomes `raise ValueError("too much")`: the rest is not to be done."""
    call, around = node.value, context.parent(node)
    if not isinstance(call, ast.Call) or context.text(call.func) != "print" or not isinstance(around, ast.If):
        return
    said = context.text(call.args[0]) if call.args else ""
    for name in dict.fromkeys((*context.clues.exceptions[:MAX_EXCEPTIONS], "ValueError")):
        yield from context.restate(node, (f"raise {name}({said})",))


def ask_for_answer(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.withdraw(amount)`, which says whether it could, becomes `if not self.withdraw(amount): return False`."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) not in context.cached_of_program(
        "functions that refuse", lambda: _refusing(context)
    ):
        return
    yield from context.restate(node, (f"if not {context.text(call)}:", "\treturn False"))


def _refusing(context: TemplateContext) -> frozenset[str]:
    """The functions of the program that return nothing but True and False, and both."""
    found = set()
    for function in context.program.functions:
        parts = [part for part in ast.walk(function) if isinstance(part, ast.Return)]
        texts = {ast.unparse(part.value) if part.value is not None else "" for part in parts}
        if texts == {"True", "False"}:
            found.add(function.name)
    return frozenset(found)


def refuse_without_mark(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `key, mark, value = line.partition("=")` comes `if not mark: raise ValueError(line)`: there was none."""
    target, call = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or len(target.elts) != 3 or not isinstance(target.elts[1], ast.Name):
        return
    if not isinstance(call, ast.Call) or callee_name(call) not in ("partition", "rpartition"):
        return
    mark = target.elts[1].id if target.elts[1].id != "_" else ""
    owner = context.text(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    lines = [f"raise {name}({owner})" for name in (*context.clues.exceptions, "ValueError")[:MAX_EXCEPTIONS]]
    for line in dict.fromkeys(
        (*lines, "return None", "continue" if any(context.loops_around(node)) else "return None")
    ):
        if mark:
            yield from context.after(node, (f"if not {mark}:", f"\t{line}"), HALF if line == "return None" else 1.0)


def refuse_before_adding(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`times.append(now); return len(times) <= limit` becomes `if len(times) >= limit: return False`, then the change
    and `return True`: what is refused leaves no trace. So does `self.count += 1; return self.count <= limit`."""
    block, asked = context.program.block(node), node.value
    change = block[block.index(node) - 1] if block.index(node) else None
    if change is None or not isinstance(asked, ast.Compare) or len(asked.ops) != 1:
        return
    grown, limit = context.text(asked.left), context.text(asked.comparators[0])
    symbol = {ast.LtE: ">=", ast.Lt: "> "}.get(type(asked.ops[0]), "")
    text = context.text(change)
    adds = text.startswith(f"{grown} += 1") or (
        grown.startswith("len(") and text.startswith((f"{grown[4:-1]}.append(", f"{grown[4:-1]}.add("))
    )
    if adds and symbol:
        full = f"{grown} >= {limit}" if symbol == ">=" else f"{grown} + 1 >= {limit}"
        start = context.program.lines(change)[0]
        end = context.program.lines(node)[1]
        indent = context.program.indent(node)
        lines = (f"if {full}:", "    return False", text, "return True")
        yield context.replace(start, end, "".join(f"{indent}{line}\n" for line in lines))


TEMPLATES = (
    Template("refuse_before_adding", (ast.Return,), refuse_before_adding, ("content", "negated", "shorter")),
    Template("refuse_without_mark", (ast.Assign,), refuse_without_mark, ("none", "content", "value")),
    Template("ask_for_answer", (ast.Expr,), ask_for_answer, ("negated", "content")),
    Template("refuse_aloud", (ast.Expr,), refuse_aloud, ("none",)),
    Template("count_changes_alone", (ast.Assign, ast.Expr), count_changes_alone, ("off_by_one", "repeats")),
    Template("ask_before_change", (ast.If,), ask_before_change),
    Template("until_neither", (ast.If,), until_neither),
)
