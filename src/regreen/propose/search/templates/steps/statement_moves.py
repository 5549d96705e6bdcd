"""Statements that are superfluous, out of order, at the wrong depth, or lack `return`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_EXPECTED_ANSWERS,
    POSSIBLE,
    PROBABLE,
    REMOTE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import COMPARISON, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name
from regreen.types import Edit

_SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.Return,
    ast.Break,
    ast.Continue,
    ast.Raise,
    ast.Delete,
    ast.Assert,
)
_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try)


def delete_statement(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement is deleted."""
    if not isinstance(node, ast.Pass) and context.scope.function is not None:
        yield context.delete(node, HALF if isinstance(node, _COMPOUND) else 1.0)


def swap_statements(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement is swapped with the next one."""
    block = context.program.block(node)
    index = block.index(node)
    following = block[index + 1] if index + 1 < len(block) else None
    if following is None or not (context.program.alone(node) and context.program.alone(following)):
        return
    if _are_apart(node, following, context):
        return
    first, second = context.program.lines(node), context.program.lines(following)
    texts = [context.program.source[slice(*span)] for span in (first, second)]
    if not texts[1].endswith("\n"):
        texts = [texts[0][:-1], texts[1] + "\n"]
    between = context.program.source[first[1] : second[0]]
    yield context.replace(first[0], second[1], texts[1] + between + texts[0])


def _are_apart(one: ast.stmt, other: ast.stmt, context: TemplateContext) -> bool:
    """Whether it is all the same which of two assignments comes first: neither reads what the other sets."""
    if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign):
        return False
    targets = [*one.targets, *other.targets]
    parts = [part for value in (one.value, other.value) for part in ast.walk(value)]
    if not all(_is_plain_target(target, context) for target in targets) or any(isinstance(p, _DOING) for p in parts):
        return False
    names_set = {context.text(target) for target in targets}
    read = [part for part in parts if isinstance(part, ast.Name | ast.Attribute)]
    is_asked = any(isinstance(part, ast.Attribute) and part.attr in _own_functions(context) for part in read)
    return len(names_set) == len(targets) and not is_asked and names_set.isdisjoint(map(context.text, read))


_DOING = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Subscript)
"""Expressions that may do something, or read what nobody sees."""


def _is_plain_target(target: ast.expr, context: TemplateContext) -> bool:
    """Whether a target is a variable, or an attribute of `self` that is none of its functions."""
    receiver = context.scope.receiver
    if isinstance(target, ast.Attribute):
        is_own = isinstance(target.value, ast.Name) and target.value.id == receiver
        return is_own and target.attr not in _own_functions(context)
    return isinstance(target, ast.Name) and target.id != receiver


def _own_functions(context: TemplateContext) -> frozenset[str]:
    return context.cached_of_program("its functions", lambda: frozenset(f.name for f in context.program.functions))


def move_out(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The last statement of a block moves behind the compound statements around it; the first one before the inner."""
    parent = context.parent(node)
    if not isinstance(parent, (*_COMPOUND, ast.ExceptHandler)) or not context.program.alone(node):
        return
    outer = _whole_chain(parent if isinstance(parent, ast.stmt) else context.parent(parent), context)
    if not isinstance(outer, ast.stmt) or not context.program.alone(outer):
        return
    block = context.program.block(node)
    if len(block) == 1 and isinstance(parent, ast.If) and outer is parent and not parent.orelse:
        # A decision about nothing would be left.
        return
    removal = _taken_out(node, context)
    text = _indented(node, context, context.program.indent(outer))
    start, end = context.program.lines(outer)
    if block[-1] is node:
        lead = "" if context.program.source[:end].endswith("\n") else "\n"
        yield WeightedEdits((removal, Edit(end, end, lead + text)))
        yield from _moved_further(node, removal, outer, context)
    if block[0] is node and isinstance(outer, ast.For | ast.While | ast.If):
        yield WeightedEdits((Edit(start, start, text), removal), LIKELY)


def _whole_chain(branch: ast.AST, context: TemplateContext) -> ast.AST:
    """The `if` that an `elif` belongs to; any other node itself."""
    around = context.parent(branch)
    while isinstance(around, ast.If) and around.orelse == [branch]:
        if not context.program.source.startswith("elif", context.program.spans[branch][0]):
            break
        branch, around = around, context.parent(around)
    return branch


def _taken_out(node: ast.stmt, context: TemplateContext) -> Edit:
    """The edit that deletes a statement; with its `else`, where that holds nothing more."""
    parent = context.parent(node)
    if isinstance(parent, ast.If | ast.For | ast.While) and parent.orelse == [node]:
        start, end = context.program.lines(parent.body[-1])[1], context.program.lines(node)[1]
        if context.program.source[start : context.program.line_start(context.program.first(node))].strip() == "else:":
            return Edit(start, end, "")
    return context.delete(node).edits[0]


def _moved_further(node: ast.stmt, removal: Edit, outer: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A `return` that ends several blocks at once moves behind each of them: it has been typed that far in."""
    while isinstance(node, ast.Return) and outer is context.program.block(outer)[-1]:
        around = context.parent(outer)
        if not isinstance(around, _COMPOUND) or not context.program.alone(around):
            return
        end = context.program.lines(around)[1]
        lead = "" if context.program.source[:end].endswith("\n") else "\n"
        text = _indented(node, context, context.program.indent(around))
        yield WeightedEdits((removal, Edit(end, end, lead + text)), VERY_LIKELY)
        outer = around


def move_in(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A statement after a loop or an `if` moves to its end; one before it moves to its beginning."""
    block = context.program.block(node)
    index = block.index(node)
    if not context.program.alone(node) or isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return
    removal = context.delete(node).edits[0]
    before = block[index - 1] if index else None
    if isinstance(before, _COMPOUND) and context.program.alone(before.body[-1]):
        for target in _ends(before):
            if context.program.alone(target):
                text = _indented(node, context, context.program.indent(target))
                at = context.program.lines(target)[1]
                yield WeightedEdits((Edit(at, at, text), removal), 1.0 if target in before.body else PROBABLE)
    after = block[index + 1] if index + 1 < len(block) else None
    if isinstance(after, ast.For | ast.While | ast.If) and context.program.alone(after.body[0]):
        text = _indented(node, context, context.program.indent(after.body[0]))
        at = context.program.lines(after.body[0])[0]
        yield WeightedEdits((removal, Edit(at, at, text)), VERY_LIKELY)


def _ends(node: ast.stmt) -> list[ast.stmt]:
    """The last statements of a compound one, at every depth."""
    found: list[ast.stmt] = []
    while isinstance(node, _COMPOUND):
        if isinstance(node, ast.If | ast.For | ast.While) and node.orelse:
            found.append(node.orelse[-1])
        node = node.body[-1]
        found.append(node)
    return found


def _indented(node: ast.stmt, context: TemplateContext, indent: str) -> str:
    """The whole lines of a statement at another depth."""
    return at_depth(context.program.lines(node), context, context.program.indent(node), indent)


def at_depth(span: tuple[int, int], context: TemplateContext, old: str, indent: str) -> str:
    """Whole lines at another depth, with the comments and blank lines among them."""
    lines = context.program.source[slice(*span)].strip("\n").split("\n")
    return "".join((indent + line[len(old) :] if line.startswith(old) else line) + "\n" for line in lines)


def unwrap_block(
    node: ast.If | ast.For | ast.While | ast.With | ast.Try, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if c: body` becomes `body`, for loops, `with` and `try` too."""
    if not context.program.alone(node) or any(not context.program.alone(s) for s in node.body):
        return
    indent = context.program.indent(node)
    start, end = context.program.lines(node)
    yield context.replace(start, end, "".join(_indented(statement, context, indent) for statement in node.body))


def follow_as_else(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """What follows an `if` to the end of its block moves into an `else`: it was meant for all others."""
    block = context.program.block(node)
    rest = block[block.index(node) + 1 :]
    is_way_out = isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
    if node.orelse or not rest or is_way_out or not all(context.program.alone(s) for s in (node, *rest)):
        return
    indent = context.program.indent(node)
    for moved in dict.fromkeys((tuple(rest), (rest[0],))):
        if not isinstance(moved[-1], ast.Return):
            start, end = context.program.lines(moved[0])[0], context.program.lines(moved[-1])[1]
            text = context.program.source[start:end]
            if not text.strip() or "\n\n" in text:
                continue
            inner = "".join(f"{context.program.unit}{line}" for line in text.splitlines(keepends=True))
            yield context.replace(start, end, f"{indent}else:\n{inner}")


def drop_else(node: ast.If | ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The `else` of an `if` or a loop is deleted, with or without its body."""
    if not node.orelse or not all(context.program.alone(s) for s in (*node.body, *node.orelse)):
        return
    start = context.program.lines(node.body[-1])[1]
    end = context.program.lines(node)[1]
    if isinstance(node.orelse[0], ast.If) and context.program.source.startswith(
        "elif", context.program.spans[node.orelse[0]][0]
    ):
        yield context.replace(start, end, "")
        return
    indent = context.program.indent(node)
    yield context.replace(start, end, "".join(_indented(s, context, indent) for s in node.orelse))
    yield context.replace(start, end, "", PROBABLE)


def loop_else(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """What follows a loop becomes its `else`."""
    block = context.program.block(node)
    index = block.index(node)
    following = block[index + 1] if index + 1 < len(block) else None
    if node.orelse or following is None or not (context.program.alone(following) and context.program.alone(node)):
        return
    start, end = context.program.lines(following)
    indent = context.program.indent(node)
    yield context.replace(start, end, f"{indent}else:\n" + _indented(following, context, indent + context.program.unit))


def else_of_loop(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The `else` of the `if` that ends a loop, and that breaks out of it, becomes the `else` of the loop.

    Where the `if` returns, and nothing breaks out, its statements follow the loop without one.
    """
    last = node.body[-1]
    if node.orelse or not isinstance(last, ast.If) or not last.orelse or isinstance(last.orelse[0], ast.If):
        return
    program = context.program
    if not isinstance(last.body[-1], ast.Break | ast.Return) or not all(program.alone(s) for s in last.orelse):
        return
    start, end = program.lines(last.body[-1])[1], program.lines(last)[1]
    indent = program.indent(node)
    if not any(isinstance(part, ast.Break) for part in program.below(node)):
        yield context.replace(start, end, "".join(_indented(statement, context, indent) for statement in last.orelse))
        return
    moved = "".join(_indented(statement, context, indent + program.unit) for statement in last.orelse)
    yield context.replace(start, end, f"{indent}else:\n{moved}")


def state_of_entry(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if k in d: return True` becomes `return d[k] == "open"`, for what the function puts into `d`."""
    outer = context.parent(node)
    test = outer.test if isinstance(outer, ast.If) else None
    if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)):
        return
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In) and len(test.ops) == 1:
        key, table = context.text(test.left), context.text(test.comparators[0])
        for state in _states(table, context):
            yield context.put(node.value, Expression(f"{table}[{key}] == {state}", COMPARISON))


def _states(table: str, context: TemplateContext) -> list[str]:
    """The literals that the function puts into a table, where there are at least two."""
    found = [
        context.text(part.value)
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
        for target in part.targets
        if isinstance(target, ast.Subscript) and context.text(target.value) == table
    ]
    states = list(dict.fromkeys(found))
    return states if len(states) > 1 else []


_GIVING_NONE = frozenset(
    ("append", "add", "extend", "insert", "remove", "discard", "clear", "sort", "reverse", "update", "print")
)


def return_value(node: ast.Expr | ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(x)` alone on a line becomes `return f(x)`; so does the value of an assignment."""
    function = context.scope.function
    if function is None or function.name == "__init__" or isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Await):
        return
    if isinstance(node, ast.Expr):
        gives_none = isinstance(node.value, ast.Call) and callee_name(node.value) in _GIVING_NONE
        weight = REMOTE if gives_none else 1.0
        yield context.replace(*context.program.spans[node], f"return {context.text(node.value)}", weight)
        if isinstance(node.value, ast.Call) and context.text(node.value.func) == "print" and node.value.args:
            yield context.replace(*context.program.spans[node], f"return {context.text(node.value.args[0])}")
        if isinstance(node.value, ast.Compare) and isinstance(node.value.ops[0], ast.Eq) and len(node.value.ops) == 1:
            target, value = context.text(node.value.left), context.text(node.value.comparators[0])
            yield context.replace(*context.program.spans[node], f"{target} = {value}")
    elif isinstance(node, ast.Assign):
        yield context.replace(*context.program.spans[node], f"return {context.text(node.value)}", HALF)


def return_name(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return x` becomes `return y`, `return self`, `return True`, ..."""
    span = context.program.spans[node]
    old = context.text(node.value) if node.value is not None else ""
    share = 1.0 if node.value is None else HALF
    for name in context.scope.locals:
        if name != old:
            yield context.replace(
                *span, f"return {name}", share * (POSSIBLE if name == context.scope.receiver else 1.0)
            )
    if node.value is None:
        yield from (
            context.replace(*span, f"return {value}", PROBABLE) for value in ("True", "False", "0", "[]", "''", "1")
        )
    elif not isinstance(node.value, ast.Constant):
        for value in ("True", "False", "0", "None", "[]", "''", "1", "-1"):
            yield context.replace(*span, f"return {value}", IMPROBABLE)


def other_result(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return x` becomes another `return` of the function, or a value that the checks expect."""
    if node.value is None:
        return
    others = [n for n in context.scope.nodes if isinstance(n, ast.Return) and n.value is not None and n is not node]
    for other in others:
        if other.value is not None and context.text(other.value) != context.text(node.value):
            yield context.put(node.value, context.expression(other.value))
    if isinstance(node.value, ast.Constant):
        for text in (
            *context.clues.outputs[:MAX_EXPECTED_ANSWERS],
            *map(repr, context.clues.output_strings[:MAX_EXPECTED_ANSWERS]),
        ):
            yield context.put(node.value, text, UNLIKELY)


def read_before_change(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.cut(at)` and then `return self.text[:at]`: what is returned is read before the call changes it."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    if node.value is None or isinstance(node.value, ast.Constant | ast.Name) or before is None:
        return
    if isinstance(before, ast.Expr) and isinstance(before.value, ast.Call) and context.program.alone(before):
        start, end = context.program.spans[before][0], context.program.spans[node][1]
        between = context.program.source[start : context.program.spans[node][0]]
        name = "result" if "result" not in context.scope.locals else "found"
        kept = f"{name} = {context.text(node.value)}\n{' ' * before.col_offset}"
        yield context.replace(start, end, f"{kept}{between}return {name}")


TEMPLATES = (
    Template("delete_statement", (*_SIMPLE, *_COMPOUND), delete_statement, ("longer",)),
    Template("swap_statements", (*_SIMPLE, *_COMPOUND), swap_statements, ("unbound",)),
    Template("move_out", (*_SIMPLE, ast.If), move_out, ("shorter", "negated", "none")),
    Template("move_in", (*_SIMPLE, *_COMPOUND), move_in, ("shorter", "unbound")),
    Template("unwrap_block", _COMPOUND, unwrap_block),
    Template("drop_else", (ast.If, ast.For, ast.While), drop_else, ("negated",)),
    Template("follow_as_else", (ast.If,), follow_as_else, ("longer",)),
    Template("else_of_loop", (ast.For, ast.While), else_of_loop),
    Template("loop_else", (ast.For, ast.While), loop_else),
    Template("return_value", (ast.Expr, ast.Assign), return_value, ("none",)),
    Template("return_name", (ast.Return,), return_name, ("none", "kind")),
    Template("other_result", (ast.Return,), other_result, ("negated",)),
    Template("read_before_change", (ast.Return,), read_before_change, ("content", "shorter")),
    Template("state_of_entry", (ast.Return,), state_of_entry, ("negated",)),
)
